/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preprocessor is a program of its own, started without a shell: the text waits for it in a
 * file without a name, the result comes through a pipe.
 *
 * A script under -e is not trusted: it may include a FIFO or a device, or define macros that take
 * all memory or time. The preprocessor and what it starts are a group of processes with limits,
 * which ends with dtrace.
 */
#include "libdt/lang/cpp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/base/fd.h"
#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"
#include "libdt/base/program.h"
#include "libdt/base/sandbox.h"
#include "libdt/opt.h"
#include "libdt/process/proc.h"

#define OUTPUT_MAX (64u << 20)

#define MEMORY_MAX (1ull << 30)

#define DOTS_MAX 100 /* in front of an included file's name */

/* The preprocessor while it runs. */
struct child {
	pid_t pid, guard; /* 0: it has ended; the leader of its group */
	int in, out;	  /* its standard input and output */
	int alive;
	uint64_t ns; /* that it may take */
};

struct args {
	VEC(char *) v;
	struct arena *arena;
};

static void add(struct args *a, const char *flag, const char *value)
{
	vec_push(&a->v, arena_printf(a->arena, "%s%s", flag, value));
}

/* Adds the lines of a list option, each preceded by the flag. */
static void add_list(struct args *a, const char *flag, const char *list)
{
	while (list && *list) {
		size_t len = strcspn(list, "\n");

		vec_push(&a->v, arena_printf(a->arena, "%s%.*s", flag, (int)len, list));
		list += len + (list[len] != 0);
	}
}

static void add_words(struct args *a, const char *list)
{
	char *line = list ? arena_strdup(a->arena, list) : NULL, *save = NULL;

	for (line = line ? strtok_r(line, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		char **words = proc_split(line);

		for (int i = 0; words && words[i]; i++)
			add(a, "", words[i]);
		free(words);
	}
}

static void add_symbols(struct args *a, bool traditional)
{
	/* Words of GNU C in the system's headers, which D does without. It skips attributes
	 * itself. */
	static const char *const words[] = {
	    "__extension__=",
	    "__inline=",
	    "__inline__=",
	    "__restrict=",
	    "__restrict__=",
	    "__signed__=signed",
	    "__const=const",
	    "__volatile__=volatile",
	    "_Noreturn=",
	    "__builtin_va_list=void *",
	    "__builtin_offsetof=offsetof",
	    "_Float32=float",
	    "_Float32x=double",
	    "_Float64=double",
	    "_Float64x=long double",
	    "_Float128=long double",
	    "__asm__(...)=",
	    "_Static_assert(...)=",
	    "_ERRNO_H", /* its errno is a function; D has its own, and the constants */
	};
	static const char *const symbols[] = {
	    "__SUNW_D=1",  "__SUNW_D_VERSION=0x02000000",
	    "__SUNW_D_64", "__unix",
	    "__SVR4",	   "__linux",
	    "__Linux",
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		add(a, "-D", symbols[i]);
	add(a, "-D", machine_here->defined);
	for (size_t i = 0; !traditional && i < ARRAY_SIZE(words); i++)
		add(a, "-D", words[i]);
}

static void make_args(struct args *a, const struct opts *o, const char *file)
{
	const char *stdc = opt_text(o, OPT_STDC), *slash = file ? strrchr(file, '/') : NULL;
	bool traditional = stdc && !strcmp(stdc, "s");

	add(a, "", opt_text(o, OPT_CPPPATH));
	add_symbols(a, traditional);
	add(a, "", traditional ? "-traditional-cpp" : "-std=gnu99");
	/* Words of GNU C that are names of probes and modules in D. */
	add_list(a, "-U", "linux\nunix\ni386");
	if (slash)
		vec_push(&a->v, arena_printf(a->arena, "-iquote%.*s/", (int)(slash - file), file));
	add_list(a, "-I", opt_text(o, OPT_INCDIR));
	add_list(a, "-D", opt_text(o, OPT_DEFINE));
	add_list(a, "-U", opt_text(o, OPT_UNDEF));
	add_words(a, opt_text(o, OPT_CPPARGS));
	add(a, "", "-");
	vec_push(&a->v, NULL);
}

/* The lines of the text, empty where they name an interpreter. */
static void add_lines(struct strbuf *sb, const char *text, size_t len)
{
	for (const char *end = text + len; text < end;) {
		const char *newline = memchr(text, '\n', end - text);
		size_t n = newline ? newline + 1 - text : end - text;
		bool names = n > 1 && text[0] == '#' && text[1] == '!';

		if (names)
			sb_puts(sb, "\n");
		else
			sb_add(sb, text, n);
		text += n;
	}
}

/* The input: its name for messages, then the text. Its descriptor. */
static int make_input(const char *text, size_t len, const char *file)
{
	struct strbuf sb = {0};
	int fd = memfd_create("dt-cpp", MFD_CLOEXEC), err = fd < 0 ? -errno : 0;

	sb_puts(&sb, "# 1 \"");
	for (const char *s = file ? file : "<command line>"; *s; s++) {
		if (*s == '"' || *s == '\\')
			sb_putc(&sb, '\\');
		sb_putc(&sb, *s == '\n' ? '?' : *s);
	}
	sb_puts(&sb, "\"\n");
	add_lines(&sb, text, len);
	sb_putc(&sb, '\n');
	if (!err && !fd_write(fd, sb.s, sb.len))
		err = -errno;
	sb_free(&sb);
	if (!err && lseek(fd, 0, SEEK_SET) < 0)
		err = -errno;
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

/*
 * The process that kills the group, of which it is the leader, when dtrace ends in whatever way:
 * then nothing has the other end of its pipe open. PR_SET_PDEATHSIG would not do: it ends with the
 * thread that called, and the preprocessor starts other processes, which do not inherit it.
 */
static _Noreturn void be_guard(int alive, int dtraces_end)
{
	char byte;

	setpgid(0, 0);
	close(dtraces_end);
	alive = fcntl(alive, F_DUPFD_CLOEXEC, 3);
	sandbox_quiet(alive, alive);
	while (read(alive, &byte, 1) < 0 && errno == EINTR)
		;
	kill(0, SIGKILL);
	_exit(1);
}

/* The group: its leader, and the end of the pipe that is open as long as dtrace runs. */
static int start_guard(pid_t *guard, int *alive)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	*guard = fork();
	if (!*guard)
		be_guard(fds[0], fds[1]);
	close(fds[0]);
	*alive = fds[1];
	if (*guard > 0) {
		setpgid(*guard, *guard); /* whichever of the two is first */
		return 0;
	}
	close(fds[1]);
	return -EAGAIN;
}

static void limit(int which, rlim_t most)
{
	struct rlimit now;

	if (!getrlimit(which, &now) && now.rlim_max > most)
		setrlimit(which, &(struct rlimit){most, most});
}

/* The limit of CPU time is only reached when the guard and dtrace do not end it. */
static _Noreturn void be_cpp(const struct child *c, char **argv, const char *program, char **env,
			     int failed)
{
	char *slash = strrchr(argv[0], '/');
	sigset_t none;
	int err;

	failed = fcntl(failed, F_DUPFD_CLOEXEC, 3);
	if (setpgid(0, c->guard) || dup2(c->in, STDIN_FILENO) < 0 ||
	    dup2(c->out, STDOUT_FILENO) < 0)
		program = NULL;
	argv[0] = slash ? slash + 1 : argv[0]; /* by which it calls itself in messages */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTTOU, SIG_IGN); /* its messages, from a group that is not the terminal's */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, c->ns / 1000000000 + 2);
	limit(RLIMIT_AS, MEMORY_MAX);
	if (program)
		execve(program, argv, env);
	err = -errno;
	_exit(write(failed, &err, sizeof(err)) == sizeof(err) ? 127 : 126);
}

static int start_cpp(struct child *c, char **argv)
{
	/* before the fork: another thread may hold the locks of malloc() and the environment */
	char *program = program_find(argv[0]), **env = program_environment();
	int fds[2], err = 0;

	if (!program)
		return -ENOENT;
	if (pipe2(fds, O_CLOEXEC)) {
		free(program);
		return -errno;
	}
	c->pid = fork();
	if (!c->pid)
		be_cpp(c, argv, program, env, fds[1]);
	if (c->pid < 0)
		err = -errno;
	close(fds[1]);
	fd_read(fds[0], &err, sizeof(err)); /* nothing, when it executes */
	close(fds[0]);
	free(program);
	return err;
}

static int read_all(int fd, uint64_t until, struct strbuf *out)
{
	char buf[16384];
	ssize_t n;
	int err;

	while (!(err = fd_wait(fd, until)) && (n = read(fd, buf, sizeof(buf)))) {
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			sb_add(out, buf, n);
		if (out->len > OUTPUT_MAX)
			return -EFBIG;
	}
	return err;
}

/* It has closed its output, and is about to end. */
static int wait_exit(struct child *c, uint64_t until, int *status, struct rusage *use)
{
	pid_t got;

	while (!(got = wait4(c->pid, status, WNOHANG, use)) || (got < 0 && errno == EINTR)) {
		if (clock_ns(CLOCK_MONOTONIC) >= until)
			return -ETIMEDOUT;
		poll(NULL, 0, 1);
	}
	c->pid = 0;
	return 0;
}

/* All that it has started, too. */
static void end_group(struct child *c)
{
	const pid_t pids[] = {c->pid, c->guard};

	kill(-c->guard, SIGKILL);
	for (int i = 0; i < 2; i++)
		while (pids[i] > 0 && waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			;
	close(c->alive);
}

static void put_limit(struct strbuf *why, const struct child *c, int err)
{
	unsigned long long ms = c->ns / 1000000;

	if (err == -ETIMEDOUT)
		sb_printf(why,
			  "Preprocessor failed: it takes longer than cpptime (%llums); try -x "
			  "cpptime=%llums",
			  ms, 10 * ms);
	else if (err == -EFBIG)
		sb_printf(why, "Preprocessor failed: its output is larger than %u MB",
			  OUTPUT_MAX >> 20);
}

static int watch(struct child *c, int from, struct strbuf *out, struct strbuf *why)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + c->ns;
	struct rusage use = {0};
	int status = 0, err = read_all(from, until, out);

	if (!err)
		err = wait_exit(c, until, &status, &use);
	put_limit(why, c, err);
	if (!err && status) {
		sb_puts(why, "Preprocessor failed to process input program");
		if ((uint64_t)use.ru_maxrss << 10 > MEMORY_MAX / 4) /* of that of its processes */
			sb_printf(why, " (it may use %llu MB of memory)", MEMORY_MAX >> 20);
		err = -EINVAL;
	}
	return err;
}

static int run(char **argv, int in, uint64_t ns, struct strbuf *out, struct strbuf *why)
{
	struct child c = {.in = in, .ns = ns};
	int fds[2], err = start_guard(&c.guard, &c.alive);

	if (err)
		return err;
	if (pipe2(fds, O_CLOEXEC)) {
		err = -errno;
		end_group(&c);
		return err;
	}
	c.out = fds[1];
	err = start_cpp(&c, argv);
	close(fds[1]);
	if (err)
		sb_printf(why, "Preprocessor not found: %s: %s (-x cpppath names another)", argv[0],
			  strerror(-err));
	else
		err = watch(&c, fds[0], out, why);
	end_group(&c);
	close(fds[0]);
	return err;
}

/* The name in a line marker, # 1 "name" 1, and the flag after it; NULL: the line is none. */
static const char *marker(const char *line, const char *end, struct strbuf *name, char *flag)
{
	const char *s = line;

	if (end - s < 2 || *s++ != '#' || *s++ != ' ')
		return NULL;
	while (s < end && *s >= '0' && *s <= '9')
		s++;
	if (end - s < 3 || *s++ != ' ' || *s++ != '"')
		return NULL;
	for (; s < end && *s != '"'; s++) {
		if (*s == '\\' && s + 1 < end)
			s++;
		sb_putc(name, *s);
	}
	*flag = end - s > 2 ? s[2] : 0;
	return sb_str(name);
}

/* Which cpp includes by itself. */
static bool is_implied(const char *name)
{
	static const char implied[] = "/stdc-predef.h";
	size_t len = strlen(name), end = strlen(implied);

	return len > end && !strcmp(name + len - end, implied);
}

static void add_header(struct strbuf *names, const char *name, int depth)
{
	for (int i = 0; i < MIN(depth, DOTS_MAX); i++)
		sb_putc(names, '.');
	sb_putc(names, ' ');
	escape_add(names, name, strlen(name), ESCAPE_NAME);
	sb_putc(names, '\n');
}

/*
 * Prints the names of included files where cpp prints its messages and as cpp -H does, a dot for
 * each level in front. That option itself would add remarks on files that lack include guards.
 */
static void print_headers(const char *text, const char *end)
{
	struct strbuf names = {0};
	const char *newline, *name;
	int depth = 0;

	for (; text < end; text = newline + 1) {
		struct strbuf sb = {0};
		char flag = 0;

		newline = memchr(text, '\n', end - text);
		newline = newline ? newline : end;
		name = marker(text, newline, &sb, &flag);
		if (flag == '1' && (++depth > 1 || !is_implied(name)))
			add_header(&names, name, depth);
		else if (flag == '2' && depth)
			depth--;
		sb_free(&sb);
	}
	fd_write(STDERR_FILENO, names.s, names.len);
	sb_free(&names);
}

int cpp_run(const struct opts *o, const char *text, size_t len, const char *file,
	    struct strbuf *out, struct strbuf *why)
{
	struct args a = {.arena = arena_new()};
	int in = make_input(text, len, file), err = in;
	size_t before = out->len;

	if (in >= 0) {
		make_args(&a, o, file);
		err = run(a.v.v, in, opt_num(o, OPT_CPPTIME), out, why);
		close(in);
		if (opt_on(o, OPT_CPPHDRS))
			print_headers(sb_str(out) + before, sb_str(out) + out->len);
	}
	if (err && !why->len)
		sb_printf(why, "Preprocessor failed: %s", strerror(-err));
	vec_free(&a.v);
	arena_free(a.arena);
	return err;
}
