/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x test: fires the clauses of a script from a table, in the interpreter (machine.h), and compares
 * the output. Neither a kernel nor rights are needed, and the probes need not exist here.
 *
 *	# a comment
 *	fire syscall::read:entry pid=7 execname="cat" arg0=3
 *	fire syscall::read:return pid=7 after=20us arg0=512
 *	output
 *	cat 512
 *
 * A table is a file, or a comment of a script whose first line is @test; there each line may have
 * an asterisk in front. BEGIN and END fire by themselves. What the clauses report (faults, drops)
 * is part of the output, in its place.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/unit.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/fault.h"
#include "libdt/lang/sema.h"
#include "libdt/message.h"
#include "libdt/provider/prov.h"
#include "libdt/record.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/simulate/machine.h"

enum { START_NS = 1000000, STEP_NS = 1000 };

struct firing {
	int line, probe; /* probe: its index */
	struct machine_thread thread;
	uint64_t args[MACHINE_ARGS];
	const char *strings[MACHINE_ARGS]; /* arguments that are strings; NULL: numbers */
};

struct script_test {
	struct dt *dt;
	const char *name; /* of the file, for messages */
	struct test_probe *probes;
	int nprobes;
	VEC(struct firing) firings;
	const char *expected; /* NULL: the table has no output */
	int line;
	uint64_t time;
	bool in_comment; /* the table */
};

static bool wrong(struct script_test *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool wrong(struct script_test *t, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	report_error(t->dt, "%s: line %d: %s", t->name, t->line, sb_str(&sb));
	sb_free(&sb);
	return false;
}

/* Words ------------------------------------------------------------------- */

static const char *skip(const char *s)
{
	return s + strspn(s, " \t");
}

/* A string in quotes at *at, with \n, \t, \\ and \"; NULL: it has no end. */
static const char *read_string(struct arena *a, const char **at)
{
	struct strbuf sb = {0};
	const char *s = *at + 1, *text;

	for (; *s && *s != '"'; s++) {
		if (*s == '\\' && s[1])
			s++;
		sb_putc(&sb, s[-1] != '\\' ? *s : *s == 'n' ? '\n' : *s == 't' ? '\t' : *s);
	}
	text = *s ? arena_strdup(a, sb_str(&sb)) : NULL;
	*at = *s ? s + 1 : s;
	sb_free(&sb);
	return text;
}

/* A number at *at, with a unit of time where times are; false: none. */
static bool read_number(const char **at, bool is_time, uint64_t *value)
{
	char *end;
	size_t len;

	errno = 0;
	*value = **at == '-' ? (uint64_t)strtoll(*at, &end, 0) : strtoull(*at, &end, 0);
	if (end == *at || errno)
		return false;
	len = strcspn(end, " \t");
	*at = end + len;
	if (!len)
		return true;
	for (int i = 0; is_time && i < TIME_UNITS; i++) {
		const struct time_unit *u = &time_units[i];

		if (u->name && u->ns && strlen(u->name) == len && !memcmp(u->name, end, len)) {
			*value *= u->ns;
			return true;
		}
	}
	return false;
}

/* Lines ------------------------------------------------------------------- */

static bool set_execname(struct script_test *t, struct firing *f, const char *text)
{
	if (!text || strlen(text) >= sizeof(f->thread.execname))
		return wrong(t, "execname is a string of at most %zu characters",
			     sizeof(f->thread.execname) - 1);
	strcpy(f->thread.execname, text);
	return true;
}

/* What a name before "=" stands for; those from V_ARG0 on are arguments. */
enum value_name { V_PID, V_TID, V_UID, V_GID, V_EXECNAME, V_TIME, V_AFTER, V_ARG0, V_NONE = -1 };

static int value_named(const char *word, size_t len)
{
	static const char *const names[] = {"pid",	"tid",	"uid",	"gid",
					    "execname", "time", "after"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !memcmp(word, names[i], len))
			return (int)i;
	if (len == 4 && !memcmp(word, "arg", 3) && word[3] >= '0' && word[3] < '0' + TEST_ARGS)
		return V_ARG0 + word[3] - '0';
	return V_NONE;
}

static bool set_arg(struct script_test *t, struct firing *f, int n, uint64_t number,
		    const char *text)
{
	struct test_probe *p = &t->probes[f->probe];

	f->args[n] = number;
	f->strings[n] = text;
	p->nargs = MAX(p->nargs, n + 1);
	if (text)
		p->strings |= 1u << n;
	return true;
}

/* name=value */
static bool read_value(struct script_test *t, struct firing *f, const char **at)
{
	uint32_t *const numbers[] = {&f->thread.pid, &f->thread.tid, &f->thread.uid,
				     &f->thread.gid};
	const char *word = *at, *text = NULL;
	size_t len = strcspn(word, "= \t");
	int which = value_named(word, len);
	bool is_time = which == V_TIME || which == V_AFTER;
	uint64_t number = 0;

	if (word[len] != '=')
		return wrong(t, "%.*s has no value: use NAME=VALUE", (int)len, word);
	if (which == V_NONE)
		return wrong(t,
			     "%.*s is not pid, tid, uid, gid, execname, time, after or arg0 to "
			     "arg%d",
			     (int)len, word, TEST_ARGS - 1);
	*at = word + len + 1;
	if (**at == '"') {
		text = read_string(t->dt->arena, at);
		if (!text)
			return wrong(t, "the string of %.*s has no end", (int)len, word);
	} else if (!read_number(at, is_time, &number)) {
		return wrong(t, "the value of %.*s is neither a number nor a string in quotes",
			     (int)len, word);
	}
	if (which == V_EXECNAME)
		return set_execname(t, f, text);
	if (which >= V_ARG0)
		return set_arg(t, f, which - V_ARG0, number, text);
	if (!is_time) {
		if (text || number > UINT32_MAX)
			return wrong(t, "%.*s is a number of 32 bits", (int)len, word);
		*numbers[which] = number;
		return true;
	}
	if (text || (which == V_TIME && number < t->time))
		return wrong(t, "time cannot go back");
	f->thread.time = which == V_AFTER ? t->time + number : number;
	return true;
}

static bool is_name(const char *field, bool may_be_empty)
{
	return *field ? glob_is_literal(field) : may_be_empty;
}

/* The index of a probe, which is added if it is new; -1: it is no probe's name. */
static int read_probe(struct script_test *t, const char *text)
{
	struct pdesc pd;

	if (!pdesc_parse(t->dt->arena, text, 3, &pd) || !is_name(pd.prov, false) ||
	    !is_name(pd.mod, true) || !is_name(pd.func, true) || !is_name(pd.name, false) ||
	    !strcmp(pd.prov, "dtrace")) {
		wrong(t,
		      "\"%s\" is not the name of a probe that a test can fire: use "
		      "PROVIDER:MODULE:FUNCTION:NAME; module and function may be empty",
		      text);
		return -1;
	}
	for (int i = 0; i < t->nprobes; i++) {
		const struct test_probe *p = &t->probes[i];

		if (!strcmp(p->prov, pd.prov) && !strcmp(p->mod, pd.mod) &&
		    !strcmp(p->func, pd.func) && !strcmp(p->name, pd.name))
			return i;
	}
	t->probes[t->nprobes] = (struct test_probe){pd.prov, pd.mod, pd.func, pd.name, 0, 0};
	return t->nprobes++;
}

static bool read_firing(struct script_test *t, const char *at)
{
	struct firing f = {.line = t->line, .thread = {1, 0, 0, 0, "test", t->time + STEP_NS}};
	size_t len = strcspn(at, " \t");

	f.probe = read_probe(t, arena_strndup(t->dt->arena, at, len));
	if (f.probe < 0)
		return false;
	for (at = skip(at + len); *at; at = skip(at))
		if (!read_value(t, &f, &at))
			return false;
	if (!f.thread.tid)
		f.thread.tid = f.thread.pid;
	t->time = f.thread.time;
	vec_push(&t->firings, f);
	return true;
}

static bool read_line(struct script_test *t, const char *line)
{
	line = skip(line);
	if (!*line || *line == '#')
		return true;
	if (!strncmp(line, "fire", 4) && strchr(" \t", line[4]))
		return read_firing(t, skip(line + 4));
	return wrong(t, "neither \"fire PROBE NAME=VALUE...\" nor \"output\"%s",
		     t->in_comment ? ""
				   : "; in a script, the table is a comment that begins with "
				     "a line @test");
}

/* Without blanks at the end. */
static const char *copy_line(struct arena *a, const char *s, size_t len)
{
	while (len && strchr(" \t\r", s[len - 1]))
		len--;
	return arena_strndup(a, s, len);
}

/* Without what begins the lines of a comment. */
static const char *comment_line(const char *line)
{
	const char *s = skip(line);

	if (*s != '*')
		return line;
	return s[1] == ' ' ? s + 2 : s + 1;
}

/* The first line of the table in a script's comment; NULL: it has none. */
static const char *find_comment(struct arena *a, const char *text, int *line)
{
	*line = 1;
	for (size_t len; *text; text += len + (text[len] == '\n'), ++*line) {
		const char *s;

		len = strcspn(text, "\n");
		s = skip(copy_line(a, text, len));
		if (!strncmp(s, "/*", 2))
			s = skip(s + 2);
		else
			s = skip(comment_line(s));
		if (!strcmp(s, "@test"))
			return text + len + (text[len] == '\n');
	}
	return NULL;
}

static bool read_table(struct script_test *t, const char *text)
{
	struct strbuf expected = {0};
	const char *comment = find_comment(t->dt->arena, text, &t->line);
	bool output = false, good = true, ends = false;

	t->in_comment = comment;
	if (!comment)
		t->line = 0;
	text = comment ? comment : text;
	for (size_t len; *text && good && !ends; text += len + (text[len] == '\n')) {
		const char *line, *end;

		len = strcspn(text, "\n");
		line = copy_line(t->dt->arena, text, len);
		end = comment ? strstr(line, "*/") : NULL;
		ends = end;
		if (end)
			line = copy_line(t->dt->arena, line, end - line);
		if (comment)
			line = comment_line(line);
		t->line++;
		if (output)
			sb_printf(&expected, "%s\n", line);
		else if (!strcmp(skip(line), "output"))
			output = true;
		else
			good = read_line(t, line);
	}
	if (output)
		t->expected = arena_strdup(t->dt->arena, sb_str(&expected));
	sb_free(&expected);
	return good;
}

static int count_lines(const char *s)
{
	int n = 1;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

/* Options that a run without a kernel needs. Types of a kernel are there if the user names them. */
static int set_options(struct dt *dt)
{
	static const char *const opts[][2] = {
	    {"nofeat", "all"}, {"ncpus", "1"}, {"zdefs", "on"}, {"compat", "off"}};

	for (size_t i = 0; i < ARRAY_SIZE(opts); i++)
		if (dt_setopt(dt, opts[i][0], opts[i][1]))
			return -1;
	return dt->opts.v[OPT_BTFPATH].set ? 0 : dt_setopt(dt, "btfpath", "none");
}

int dt_test(struct dt *dt, const char *table, const char *name)
{
	struct script_test *t = arena_alloc(dt->arena, sizeof(*t));

	if (dt->events)
		return report_error(
		    dt, "tests compare text: dt_test( ) does not go with dt_on_event( )");
	if (set_options(dt) < 0 || compile_open(dt) < 0)
		return -1;
	t->dt = dt;
	t->name = arena_strdup(dt->arena, name);
	t->time = START_NS;
	t->probes = arena_alloc(dt->arena, count_lines(table) * sizeof(*t->probes));
	dt->test = t;
	if (!read_table(t, table))
		return -1;
	probes_set_providers(dt->probes, test_providers(dt->probes, t->probes, t->nprobes));
	return 0;
}

/* Running ----------------------------------------------------------------- */

static bool is_enabled(struct dt *dt, const struct test_probe *p)
{
	for (int i = 0; i < dt->set->probes.n; i++)
		if (dt->set->probes.v[i]->data == p)
			return true;
	return false;
}

static int fire_all(struct script_test *t, struct machine *m)
{
	static const uint64_t none[MACHINE_ARGS];
	struct machine_thread own = {1, 1, 0, 0, "dtrace", START_NS};
	bool good = machine_fire(m, &own, "dtrace", "", "", "BEGIN", none);

	for (int i = 0; good && i < t->firings.n && !machine_exited(m); i++) {
		struct firing *f = &t->firings.v[i];
		const struct test_probe *p = &t->probes[f->probe];

		for (int n = 0; n < TEST_ARGS; n++)
			if (f->strings[n])
				f->args[n] = machine_string(m, f->strings[n]);
		good = machine_fire(m, &f->thread, p->prov, p->mod, p->func, p->name, f->args);
		if (!good)
			return report_error(t->dt,
					    "%s: line %d: the probe cannot fire in a test: %s",
					    t->name, f->line, machine_error(m));
	}
	own.time = t->time + STEP_NS;
	session_ctl(t->dt)->stopped = STOP_ENDED;
	if (!good || !machine_fire(m, &own, "dtrace", "", "", "END", none))
		return report_error(t->dt, "BEGIN or END cannot run in a test: %s",
				    machine_error(m));
	record_final(t->dt, false);
	return consume_aggregations(t->dt->consume) < 0
		   ? report_error(t->dt, "failed to print aggregations")
		   : 0;
}

/* Faults and drops are part of the output. */
static void put_message(void *arg, const struct dt_message *m)
{
	if (!m->result)
		fprintf(arg, "dtrace: %s\n", m->text);
}

/* The next line, without blanks at its end; false: there are only empty ones. */
static bool next_line(const char **at, const char **line, int *len)
{
	if (!(*at)[strspn(*at, " \t\r\n")])
		return false;
	*line = *at;
	*len = strcspn(*at, "\n");
	*at += *len + ((*at)[*len] == '\n');
	while (*len && strchr(" \t\r", (*line)[*len - 1]))
		--*len;
	return true;
}

static const char *skip_empty(const char *s)
{
	size_t blanks = strspn(s, " \t\r\n");

	while (blanks && s[blanks - 1] != '\n')
		blanks--;
	return s + blanks;
}

/* 0, or 1 with a message that has the first line that differs. */
static int compare(struct dt *dt, const char *expected, const char *got)
{
	const char *want = skip_empty(expected), *have = skip_empty(got), *w = "", *h = "";
	int wlen = 0, hlen = 0;

	for (int line = 1;; line++) {
		bool more = next_line(&want, &w, &wlen), has = next_line(&have, &h, &hlen);

		if (!more && !has)
			return 0;
		if (more && has && wlen == hlen && !memcmp(w, h, wlen))
			continue;
		report_error(dt,
			     "the test failed: line %d of the output differs\n  expected: %.*s\n  "
			     "printed:  %.*s",
			     line, more ? wlen : 9, more ? w : "(the end)", has ? hlen : 9,
			     has ? h : "(the end)");
		return 1;
	}
}

static int check_probes(struct script_test *t)
{
	for (int i = 0; i < t->firings.n; i++) {
		const struct test_probe *p = &t->probes[t->firings.v[i].probe];

		if (!is_enabled(t->dt, p))
			return report_error(
			    t->dt, "%s: line %d: no clause is for the probe %s:%s:%s:%s", t->name,
			    t->firings.v[i].line, p->prov, p->mod, p->func, p->name);
	}
	return 0;
}

int dt_test_run(struct dt *dt, FILE *out)
{
	struct script_test *t = dt->test;
	void (*on_message)(void *arg, const struct dt_message *m) = dt->messages->receive;
	struct machine *m;
	char *text = NULL;
	void *on_message_arg = dt->messages->receive_arg;
	size_t len;
	FILE *file;
	int rc;

	if (!t)
		return report_error(dt, "no table was given: dt_test() comes first");
	if (dt_check(dt) < 0 || check_probes(t) < 0)
		return -1;
	if (dt->sema->destructive && !opt_on(&dt->opts, OPT_DESTRUCTIVE))
		return report_error(
		    dt,
		    "could not run the test: Destructive actions not allowed: %s( ) "
		    "needs -w",
		    dt->sema->destructive);
	file = open_memstream(&text, &len);
	dt_on_message(dt, put_message, file);
	m = machine_new(dt, file);
	rc = record_start(dt, false);
	if (!rc)
		rc = fire_all(t, m);
	fault_report_more(dt, true);
	consume_restore(dt->consume);
	if (record_end(dt) < 0)
		rc = -1;
	fclose(file);
	dt_on_message(dt, on_message, on_message_arg);
	if (!rc && t->expected)
		rc = compare(dt, t->expected, text);
	if (rc || !t->expected)
		fwrite(text, 1, len, out);
	machine_free(m);
	free(text);
	return rc;
}

void script_test_free(struct dt *dt)
{
	if (dt->test)
		vec_free(&dt->test->firings);
}
