/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs random programs (dgen.h) and compares what they print with what the generator's model says.
 *
 *	fuzz_run [-c] [-n SEEDS] [-s FIRST] [-k SESSIONS] [-b BYTES] [-x OPTION=VALUE]
 *		 [-t SECONDS]
 *		-c: compiles only, without the kernel's types: needs no root
 *		-v: with the messages of faults
 *		-k: sessions that one process has open at the same time (4)
 *		-b: skips longer programs, which take most of the time on an emulated machine
 *	fuzz_run -p SEED	the program		fuzz_run -w SEED	what it prints
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/dt.h"
#include "tests/fuzz/dgen.h"

struct conf {
	bool compile_only, verbose;
	uint64_t first;
	int n, sessions, seconds, nopts;
	size_t longest;
	const char *opts[16];
	/* shared with the children: programs whose keys are too long for this kernel (before
	 * 5.11) */
	int *refused;
};

struct session {
	uint64_t seed;
	struct dt *dt;
	char *text, *want, *got;
	size_t got_len;
};

/* Of the verifier's log the first line is ours and the last ones say what it is about. */
static int fail(const struct session *s, const char *what, const char *why)
{
	size_t first = strcspn(why, "\n"), len = strlen(why), last = len;

	for (int lines = 0; last > first && lines < 5; last--)
		lines += last < len && why[last] == '\n';
	printf("FAIL seed %llu: %s: %.*s%s\n", (unsigned long long)s->seed, what, (int)first, why,
	       why + last);
	return 1;
}

static int open_session(const struct conf *conf, struct session *s)
{
	char pid[16], *argv[] = {"fuzz", pid};

	snprintf(pid, sizeof(pid), "%d", getpid());
	dgen(s->seed, &s->text, &s->want);
	s->dt = dt_open();
	if (conf->compile_only) {
		dt_setopt(s->dt, "btfpath", "none");
		dt_setopt(s->dt, "ncpus", "4");
	}
	for (int i = 0; i < conf->nopts; i++) {
		char name[200], *value;

		snprintf(name, sizeof(name), "%s", conf->opts[i]);
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (dt_setopt(s->dt, name, value))
			return fail(s, "option", dt_error(s->dt));
	}
	dt_carets(s->dt, true, true);
	dt_macro_args(s->dt, 2, argv);
	if (dt_program(s->dt, DT_SCRIPT, s->text, "fuzz.d") < 0 || dt_check(s->dt) < 0)
		return fail(s, "does not compile", dt_error(s->dt));
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines after "=aggs", sorted. */
static char *sorted(const char *text)
{
	static const char mark[] = "=aggs\n";
	const char *tail = strstr(text, mark);
	struct strbuf sb = {0};
	VEC(char *) lines = {0};
	char *copy, *save = NULL;

	if (!tail)
		return xstrdup(text);
	copy = xstrdup(tail + strlen(mark));
	for (char *l = strtok_r(copy, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		vec_push(&lines, l);
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), by_text);
	sb_add(&sb, text, tail - text);
	for (int i = 0; i < lines.n; i++)
		sb_printf(&sb, "%s\n", lines.v[i]);
	vec_free(&lines);
	free(copy);
	return sb.s ? sb.s : xstrdup("");
}

static int compare(const struct session *s)
{
	char *want = sorted(s->want), *got = sorted(s->got), *w = want, *g = got, diff[400];
	int bad = strcmp(want, got) != 0, line = 1;

	if (bad) {
		for (char *nw, *ng; (nw = strchr(w, '\n')) && (ng = strchr(g, '\n')) &&
				    nw - w == ng - g && !memcmp(w, g, nw - w);
		     w = nw + 1, g = ng + 1)
			line++;
		snprintf(diff, sizeof(diff), "line %d:\n\twant %.*s\n\tgot  %.*s", line,
			 (int)strcspn(w, "\n"), w, (int)strcspn(g, "\n"), g);
		fail(s, "prints something else", diff);
	}
	free(want);
	free(got);
	return bad;
}

static int does_not_start(const struct conf *conf, const struct session *s)
{
	if (!strstr(dt_error(s->dt), "this kernel has a limit of"))
		return fail(s, "does not start", dt_error(s->dt));
	__atomic_add_fetch(conf->refused, 1, __ATOMIC_RELAXED);
	return 0;
}

static int run_session(const struct conf *conf, struct session *s)
{
	FILE *out = open_memstream(&s->got, &s->got_len);
	enum dt_work work = DT_WORK_GOING;
	int bad = 0;

	if (dt_go(s->dt, out) < 0) {
		fclose(out);
		return does_not_start(conf, s);
	}
	syscall(SYS_getppid);
	while (work == DT_WORK_GOING)
		work = dt_work(s->dt, out);
	if (dt_stop(s->dt, out) < 0 || work == DT_WORK_ERROR)
		bad = fail(s, "does not work", dt_error(s->dt));
	fclose(out);
	if (!bad && dt_drops(s->dt))
		bad = fail(s, "drops", "");
	return bad ? bad : compare(s);
}

static int child(const struct conf *conf, const uint64_t *seeds, int n)
{
	struct session s[n];
	int bad = 0, wrong[n];

	alarm(conf->seconds);
	/* faults are part of the programs */
	if (!conf->verbose && !freopen("/dev/null", "w", stderr))
		return 1;
	memset(s, 0, sizeof(s));
	for (int i = 0; i < n; i++) {
		s[i].seed = seeds[i];
		wrong[i] = open_session(conf, &s[i]);
	}
	for (int i = 0; i < n; i++) {
		if (!wrong[i] && !conf->compile_only)
			wrong[i] = run_session(conf, &s[i]);
		bad += wrong[i];
	}
	for (int i = 0; i < n; i++) {
		dt_close(s[i].dt);
		free(s[i].text);
		free(s[i].want);
		free(s[i].got);
	}
	fflush(stdout);
	return bad;
}

/* How many of these n seeds failed. */
static int run_batch(const struct conf *conf, const uint64_t *seeds, int n)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		exit(child(conf, seeds, n));
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("fuzz_run");
		exit(2);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) <= n)
		return WEXITSTATUS(status);
	printf("FAIL seeds %llu to %llu: %s %d\n", (unsigned long long)seeds[0],
	       (unsigned long long)seeds[n - 1], WIFSIGNALED(status) ? "signal" : "exit",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return n;
}

static bool is_short(const struct conf *conf, uint64_t seed)
{
	char *text, *want;
	bool is;

	dgen(seed, &text, &want);
	is = strlen(text) <= conf->longest;
	free(text);
	free(want);
	return is;
}

/* How many failed. */
static int run_all(const struct conf *conf)
{
	uint64_t seed = conf->first, seeds[64];
	int failed = 0;

	for (int done = 0, n; done < conf->n; done += n) {
		for (n = 0; n < conf->sessions && done + n < conf->n; seed++)
			if (!conf->longest || is_short(conf, seed))
				seeds[n++] = seed;
		failed += run_batch(conf, seeds, n);
	}
	return failed;
}

static int print_one(uint64_t seed, bool want_it)
{
	char *text, *want;

	dgen(seed, &text, &want);
	fputs(want_it ? want : text, stdout);
	free(text);
	free(want);
	return 0;
}

int main(int argc, char **argv)
{
	struct conf conf = {.n = 100, .sessions = 4, .seconds = 120, .first = 1};
	int opt, failed;

	while ((opt = getopt(argc, argv, "cvn:s:k:b:x:t:p:w:")) != -1) {
		switch (opt) {
		case 'c':
			conf.compile_only = true;
			break;
		case 'v':
			conf.verbose = true;
			break;
		case 'n':
			conf.n = atoi(optarg);
			break;
		case 's':
			conf.first = strtoull(optarg, NULL, 0);
			break;
		case 'k':
			conf.sessions = atoi(optarg);
			break;
		case 'b':
			conf.longest = strtoul(optarg, NULL, 0);
			break;
		case 't':
			conf.seconds = atoi(optarg);
			break;
		case 'x':
			if (conf.nopts < 16)
				conf.opts[conf.nopts++] = optarg;
			break;
		case 'p':
		case 'w':
			return print_one(strtoull(optarg, NULL, 0), opt == 'w');
		default:
			return 2;
		}
	}
	if (conf.sessions < 1 || conf.sessions > 64 || (conf.longest && conf.longest < 2000))
		return 2; /* few are shorter */
	conf.refused = mmap(NULL, sizeof(*conf.refused), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (conf.refused == MAP_FAILED)
		return 2;
	failed = run_all(&conf);
	printf("fuzz: %d passed, %d failed", conf.n - failed - *conf.refused, failed);
	if (*conf.refused)
		printf(", %d have keys that are too long for this kernel", *conf.refused);
	printf("\n");
	return failed != 0;
}
