/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public API as a program uses it: two sessions in one process, exact counts by the walk of
 * aggregations. */
#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libdt/dt.h"

struct seen {
	int rows, sum;
	char name[16], func[16], key[32];
};

static int see(void *arg, const struct dt_row *row)
{
	struct seen *s = arg;

	ck_assert_int_eq(row->nraw, 1);
	ck_assert_int_eq(row->raw[0], row->value);
	s->rows++;
	s->sum += row->value;
	snprintf(s->name, sizeof(s->name), "%s", row->aggregation->name);
	snprintf(s->func, sizeof(s->func), "%s", row->aggregation->function);
	if (row->aggregation->nkeys) {
		ck_assert_int_eq(row->keys[0]->kind, DT_KIND_STRING);
		snprintf(s->key, sizeof(s->key), "%s", (const char *)row->keys[0]->data);
		ck_assert_uint_eq(row->keys[0]->length, strlen(s->key));
	}
	return 0;
}

static struct dt *session(const char *text, FILE *out)
{
	struct dt *dt = dt_open();

	ck_assert_int_eq(dt_setopt(dt, "quiet", NULL), 0);
	ck_assert_msg(dt_program(dt, DT_PROBE_NAME, text, NULL) > 0, "%s", dt_error(dt));
	ck_assert_msg(dt_go(dt, out) == 0, "%s", dt_error(dt));
	return dt;
}

START_TEST(two_sessions)
{
	char text[200];
	struct seen a = {0}, b = {0};
	struct dt *keyed, *plain;

	snprintf(text, sizeof(text),
		 "syscall::getppid:entry /pid == %d/ { @calls[probefunc] = count(); }", getpid());
	keyed = session(text, stdout);
	for (int i = 0; i < 100; i++)
		syscall(SYS_getppid);
	snprintf(text, sizeof(text), "syscall::getppid:entry /pid == %d/ { @ = sum(3); }",
		 getpid());
	plain = session(text, stdout);
	for (int i = 0; i < 50; i++)
		syscall(SYS_getppid);
	ck_assert_int_eq(dt_aggregations(keyed, see, &a), 0);
	ck_assert_int_eq(dt_aggregations(plain, see, &b), 0);
	ck_assert_int_eq(a.rows, 1);
	ck_assert_int_eq(a.sum, 150);
	ck_assert_str_eq(a.name, "calls");
	ck_assert_str_eq(a.func, "count");
	ck_assert_str_eq(a.key, "getppid");
	ck_assert_int_eq(b.rows, 1);
	ck_assert_int_eq(b.sum, 150);
	ck_assert_str_eq(b.name, "_");
	ck_assert_uint_eq(dt_drops(keyed) + dt_drops(plain), 0);
	dt_close(keyed); /* without dt_stop(): closing detaches */
	dt_close(plain);
}
END_TEST

START_TEST(output_and_status)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct dt *dt = session("BEGIN { printf(\"%d %s\\n\", 6 * 7, \"apples\"); exit(5); } END { "
				"printf(\"bye\\n\"); }",
				out);

	while (dt_work(dt, out) == DT_WORK_GOING)
		;
	ck_assert_int_eq(dt_stop(dt, out), 0);
	ck_assert_int_eq(dt_stop(dt, out), 0); /* END fires once */
	fclose(out);
	ck_assert_str_eq(text, "42 apples\nbye\n\n");
	ck_assert_int_eq(dt_status(dt), 5);
	free(text);
	dt_close(dt);
}
END_TEST

/* What was analysed in part is never generated. */
START_TEST(broken_program)
{
	struct dt *dt = dt_open();

	ck_assert_int_eq(
	    dt_program(dt, DT_PROBE_NAME, "BEGIN { @ = sum(1); trace(nosuch); }", NULL), -1);
	ck_assert_int_eq(dt_check(dt), -1);
	ck_assert_int_eq(dt_go(dt, stdout), -1);
	ck_assert_str_eq(dt_error(dt), "a program of this session did not compile");
	dt_close(dt);
}
END_TEST

START_TEST(errors)
{
	struct dt *dt = dt_open();

	ck_assert_int_eq(dt_setopt(dt, "no_such_option", NULL), -2);
	ck_assert_ptr_nonnull(strstr(dt_error(dt), "no_such_option"));
	ck_assert_int_eq(dt_go(dt, stdout), -1); /* nothing to trace */
	ck_assert_int_eq(dt_program(dt, DT_PROBE_NAME, "BEGIN { x = ; }", NULL), -1);
	ck_assert_ptr_nonnull(strstr(dt_error(dt), "syntax error"));
	ck_assert_int_eq(dt_run(dt, "/no/such/program"), -1);
	dt_close(dt);
}
END_TEST

static void take_message(void *arg, const struct dt_message *m)
{
	char *got = arg;

	ck_assert_uint_eq(m->size, sizeof(*m));
	if (m->severity == DT_MSG_DEBUG || m->severity == DT_MSG_PROGRESS)
		return;
	snprintf(got + strlen(got), 1000 - strlen(got), "%d%s %s %d:%d %.40s\n", m->severity,
		 m->result ? "r" : "", m->tag ? m->tag : "-", m->line, m->column, m->text);
}

/* What a receiver of messages learns of the compiler. */
START_TEST(diagnostics)
{
	struct dt *dt = dt_open();
	char got[1000] = "";

	dt_on_message(dt, take_message, got);
	ck_assert_int_eq(dt_program(dt, DT_SCRIPT, "BEGIN\n{\n  trace(nosuch);\n}\n", "x.d"), -1);
	ck_assert_str_eq(got, "6r D_IDENT_UNDEF 3:9 failed to resolve nosuch: Unknown variab\n");
	*got = '\0';
	ck_assert_int_eq(
	    dt_program(dt, DT_PROBE_NAME, "syscall::read:entry { trace(copyinstr(arg0)); }", NULL),
	    1);
	ck_assert_int_eq(dt_check(dt), -1); /* of the program before */
	*got = '\0';
	ck_assert_int_eq(dt_setopt(dt, "nosuch", NULL), -2);
	ck_assert_str_eq(got, "6r - 0:0 failed to set -x nosuch: Invalid option \n");
	dt_close(dt);
}
END_TEST

struct progress {
	struct dt *dt;
	bool interrupt;
	char got[1000];
};

static void take_progress(void *arg, const struct dt_message *m)
{
	struct progress *p = arg;

	if (m->severity != DT_MSG_PROGRESS)
		return;
	snprintf(p->got + strlen(p->got), 1000 - strlen(p->got), "%s %d/%d %s\n", m->tag,
		 (int)m->count, (int)m->of, m->text);
	if (p->interrupt)
		dt_interrupted(p->dt);
}

/* Attaching and detaching report how far they are; the receiver can end attaching. */
START_TEST(progress)
{
	static const char script[] = "syscall::getppid:entry,syscall::getpid:entry"
				     " /pid == $pid/ { @ = count(); } END { trace(1); }";
	FILE *out = tmpfile();

	for (int interrupt = 0; interrupt < 2; interrupt++) {
		struct progress p = {.dt = dt_open(), .interrupt = interrupt};

		dt_on_message(p.dt, take_progress, &p);
		ck_assert_int_eq(dt_program(p.dt, DT_PROBE_NAME, script, NULL), 3);
		ck_assert_int_eq(dt_go(p.dt, out), 0);
		ck_assert_int_eq(dt_program(p.dt, DT_PROBE_NAME, script, NULL), -1);
		ck_assert_str_eq(dt_error(p.dt), "tracing has begun already");
		ck_assert_str_eq(p.got, interrupt ? "attaching 1/2 attaching: 1 of 2\n"
						  : "attaching 1/2 attaching: 1 of 2\n"
						    "attaching 2/2 attaching: 2 of 2\n");
		p.got[0] = '\0';
		ck_assert_int_eq(dt_stop(p.dt, out), 0);
		ck_assert_str_eq(p.got, "detaching 1/1 detaching: 1 of 1\n");
		dt_close(p.dt);
	}
	fclose(out);
}
END_TEST

START_TEST(messages)
{
	struct dt *dt = dt_open();
	char got[1000] = "", want[200];
	FILE *out = tmpfile();
	pid_t pid;

	dt_on_message(dt, take_message, got);
	ck_assert_int_eq(dt_setopt(dt, "debug", NULL), 0);
	ck_assert_int_gt(dt_program(dt, DT_PROBE_NAME,
				    "BEGIN { x = *(int *)0; }"
				    " BEGIN { setopt(\"nosuch\"); }",
				    NULL),
			 0);
	pid = dt_run(dt, "true");
	ck_assert_int_gt(pid, 0);
	ck_assert_msg(dt_go(dt, out) == 0, "%s", dt_error(dt));
	while (dt_work(dt, out) == DT_WORK_GOING)
		;
	ck_assert_int_eq(dt_stop(dt, out), 0);
	snprintf(want, sizeof(want), "%d - 1:13 error ", DT_MSG_FAULT);
	ck_assert_msg(!strncmp(got, want, strlen(want)), "%s", got);
	snprintf(want, sizeof(want), "\n%d - 0:0 setopt( ): failed to set option 'nosuch'",
		 DT_MSG_WARNING);
	ck_assert_msg(strstr(got, want), "%s", got);
	snprintf(want, sizeof(want), "\n%d - 0:0 pid %d has exited\n", DT_MSG_PROCESS, (int)pid);
	ck_assert_msg(strstr(got, want), "%s", got);
	dt_close(dt);
	fclose(out);
}
END_TEST

/* Events ------------------------------------------------------------------ */

struct record {
	int n;
	char text[4000];
};

static void put(struct record *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct record *r, const char *fmt, ...)
{
	size_t len = strlen(r->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->text + len, sizeof(r->text) - len, fmt, ap);
	va_end(ap);
}

static void put_value(struct record *r, const struct dt_value *v)
{
	ck_assert_uint_eq(v->size, sizeof(*v));
	if (v->name)
		put(r, "%s=", v->name);
	switch (v->kind) {
	case DT_KIND_INT:
		put(r, v->is_signed ? "i%u:%lld" : "u%u:%llu", 8 * v->bytes, (long long)v->num);
		break;
	case DT_KIND_POINTER:
		put(r, "p:%s", v->text);
		break;
	case DT_KIND_FLOAT:
		put(r, "f:%g", v->real);
		break;
	case DT_KIND_STRING:
		put(r, "s:%s", (const char *)v->data);
		ck_assert_uint_eq(v->length, strlen(v->data));
		break;
	case DT_KIND_BYTES:
		put(r, "b:");
		for (size_t i = 0; i < v->length; i++)
			put(r, "%02x", ((const uint8_t *)v->data)[i]);
		break;
	case DT_KIND_SYMBOL:
		ck_assert_int_eq(v->nframes, 1);
		put(r, "y:%s+%d", v->frames[0]->symbol, (int)v->frames[0]->offset);
		break;
	case DT_KIND_STACK:
		put(r, "k%d", v->nframes);
		for (int i = 0; i < v->nframes; i++) {
			ck_assert_ptr_nonnull(v->frames[i]->text);
			ck_assert_uint_ne(v->frames[i]->address, 0);
		}
		break;
	default:
		put(r, "%s", v->kind == DT_KIND_STRUCT ? "{" : "[");
		for (int i = 0; i < v->nparts; i++) {
			put(r, "%s", i ? " " : "");
			put_value(r, v->parts[i]);
		}
		put(r, "%s", v->kind == DT_KIND_STRUCT ? "}" : "]");
	}
	put(r, " <%s>", v->type);
}

static void put_row(struct record *r, const struct dt_row *row)
{
	const struct dt_aggregation *a = row->aggregation;

	put(r, "  @%s %s(", a->name, a->function);
	for (int i = 0; i < a->nparams; i++)
		put(r, "%s%d", i ? "," : "", (int)a->params[i]);
	put(r, ")");
	for (int i = 0; i < a->nkeys; i++) {
		put(r, " ");
		put_value(r, row->keys[i]);
	}
	put(r, " = %lld", (long long)row->value);
	for (int i = 0; i < row->nbuckets; i++)
		put(r, " %lld..%lld:%lld", (long long)row->buckets[i].low,
		    (long long)row->buckets[i].high, (long long)row->buckets[i].count);
	put(r, "\n");
}

static int take_row(void *arg, const struct dt_row *row)
{
	put_row(arg, row);
	return 0;
}

static void take_event(void *arg, const struct dt_event *e)
{
	struct record *r = arg;

	r->n++;
	put(r, "%s:%s %u", e->probe->provider, e->probe->name, e->clause);
	ck_assert_int_eq(e->pid, getpid());
	ck_assert_int_eq(e->tid, (int)syscall(SYS_gettid));
	ck_assert_str_eq(e->execname, "live");
	ck_assert(e->time > 0 && e->wall > e->time);
	for (int i = 0; i < e->nactions; i++) {
		const struct dt_action *a = e->actions[i];

		put(r, " %s", a->name);
		if (a->length && strcmp(a->name, "stack"))
			put(r, " \"%s\"", a->text);
		for (int k = 0; k < a->nvalues; k++) {
			put(r, " ");
			put_value(r, a->values[k]);
		}
		put(r, "\n");
		for (int k = 0; k < a->nrows; k++)
			put_row(r, a->rows[k]);
	}
}

static struct dt *event_session(const char *text, struct record *r)
{
	struct dt *dt = dt_open();

	ck_assert_int_eq(dt_on_event(dt, take_event, r), 0);
	ck_assert_int_eq(dt_setopt(dt, "destructive", NULL), 0);
	ck_assert_msg(dt_program(dt, DT_SCRIPT, text, "x.d") > 0, "%s", dt_error(dt));
	ck_assert_int_eq(dt_on_event(dt, take_event, r), -1); /* too late */
	ck_assert_msg(dt_go(dt, NULL) == 0, "%s", dt_error(dt));
	return dt;
}

START_TEST(events)
{
	struct record r = {0};
	struct dt *dt = event_session(
	    "struct pair { short a; char b[4]; unsigned char c[2]; };\n"
	    "BEGIN { x = -7; printf(\"%d|%s\\n\", x, execname); trace((uint8_t)200);\n"
	    "  trace((void *)16); @c[\"k\", 3] = count(); @q = lquantize(15, 0, 100, 10);\n"
	    "  @q = lquantize(-1, 0, 100, 10);\n"
	    "  printa(@c); sym((uintptr_t)&`vfs_read); stack(3); exit(3); }\n"
	    "END { system(\"echo from the shell\"); }\n",
	    &r);

	while (dt_work(dt, NULL) == DT_WORK_GOING)
		;
	ck_assert_int_eq(dt_stop(dt, NULL), 0);
	put(&r, "\n");
	ck_assert_int_eq(dt_aggregations(dt, take_row, &r), 0);
	ck_assert_int_eq(dt_status(dt), 3);
	ck_assert_int_eq(r.n, 2);
	ck_assert_str_eq(
	    r.text, "dtrace:BEGIN 1 printf \"-7|live\n\" x=i32:-7 <int> execname=s:live <string>\n"
		    " trace \" 200\" u8:200 <uint8_t>\n"
		    " trace \"                   16\" p:0x10 <void *>\n"
		    " printa \"\n  k                                                         3"
		    "                1\n\"\n"
		    "  @c count() s:k <string> i32:3 <int> = 1\n"
		    " sym \"  vmlinux`vfs_read                                  \""
		    " sym((uintptr_t)&`vfs_read)=y:vfs_read+0 <_symaddr>\n"
		    " stack stack(3)=k3 <stack>\n"
		    " exit i32:3 <int>\n"
		    "dtrace:END 2 system \"from the shell\n\"\n\n"
		    "  @c count() s:k <string> i32:3 <int> = 1\n"
		    "  @q lquantize(0,100,10) = 2 -9223372036854775808..-1:1 10..19:1\n");
	dt_close(dt);
}
END_TEST

/* The caller's own loop: nothing waits in dt_step(). */
START_TEST(steps)
{
	struct record r = {0};
	char text[200];
	struct pollfd p = {.events = POLLIN};
	struct dt *dt;
	int turns = 0, fired = 0;

	snprintf(text, sizeof(text),
		 "syscall::getppid:entry /pid == %d/ { trace(++n); } "
		 "syscall::getppid:return /pid == %d && n == 3/ { exit(0); }",
		 getpid(), getpid());
	dt = event_session(text, &r);
	ck_assert_int_eq(dt_step(dt, NULL), DT_WORK_GOING); /* without a descriptor */
	p.fd = dt_fd(dt);
	ck_assert_int_ge(p.fd, 0);
	ck_assert_int_eq(poll(&p, 1, 900), 1); /* a timer in the past: not at once everywhere */
	for (;;) {
		enum dt_work work = dt_step(dt, NULL);
		if (work == DT_WORK_DONE)
			break;
		ck_assert_int_eq(work, DT_WORK_GOING);
		ck_assert_int_lt(turns++, 1000);
		if (poll(&p, 1, 100) == 0 && fired < 3) { /* idle: now it wakes us */
			fired++;
			syscall(SYS_getppid);
			ck_assert_int_eq(poll(&p, 1, 900), 1);
		}
	}
	ck_assert_int_eq(fired, 3);
	ck_assert_int_eq(dt_stop(dt, NULL), 0);
	ck_assert_int_eq(dt_fd(dt), -1);
	ck_assert_int_eq(r.n, 4);
	dt_close(dt);
}
END_TEST

START_TEST(drops_by_kind)
{
	struct dt *dt = dt_open();
	uint64_t sum = 0;

	ck_assert_int_eq(dt_setopt(dt, "dynvarsize", "4k"), 0);
	ck_assert_int_eq(dt_setopt(dt, "bufsize", "64k"), 0);
	ck_assert_msg(dt_program(dt, DT_PROBE_NAME,
				 "syscall::getppid:entry { a[n++] = 1; }"
				 "syscall::getppid:entry { tracemem(curthread, 4096); }",
				 NULL) > 0,
		      "%s", dt_error(dt));
	ck_assert_msg(dt_go(dt, NULL) == 0, "%s", dt_error(dt));
	for (int i = 0; i < 2000; i++)
		syscall(SYS_getppid);
	ck_assert_int_eq(dt_stop(dt, NULL), 0);
	ck_assert_uint_gt(dt_drops_of(dt, DT_DROP_DYNAMIC), 1000);
	ck_assert_uint_gt(dt_drops_of(dt, DT_DROP_PRINCIPAL), 1000);
	ck_assert_uint_eq(dt_drops_of(dt, DT_DROP_SPECULATION), 0);
	for (int i = 0; i < DT_DROP_COUNT; i++)
		sum += dt_drops_of(dt, i);
	ck_assert_uint_eq(sum, dt_drops(dt));
	ck_assert_uint_eq(dt_drops_of(dt, (enum dt_drop)99), 0);
	dt_close(dt);
}
END_TEST

START_TEST(null_handles)
{
	struct dt *dt;

	dt_close(NULL);
	ck_assert_int_eq(dt_stop(NULL, NULL), 0);
	ck_assert_int_eq(dt_status(NULL), 0);
	ck_assert_uint_eq(dt_drops(NULL), 0);
	ck_assert_uint_eq(dt_drops_of(NULL, DT_DROP_PRINCIPAL), 0);
	ck_assert_str_eq(dt_error(NULL), "");
	ck_assert_str_eq(dt_warnings(NULL), "");
	ck_assert_str_eq(dt_error_lines(NULL), "");
	ck_assert_str_eq(dt_warning_lines(NULL), "");
	dt = dt_open();
	ck_assert_int_eq(dt_work(dt, NULL), DT_WORK_ERROR);
	ck_assert_int_eq(dt_step(dt, NULL), DT_WORK_ERROR);
	ck_assert_int_eq(dt_fd(dt), -1);
	ck_assert_int_eq(dt_aggregations(dt, see, NULL), -1);
	ck_assert_int_eq(dt_stop(dt, NULL), 0);
	ck_assert_int_eq(dt_on_event(dt, NULL, NULL), -1);
	ck_assert_int_eq(dt_on_event(dt, take_event, NULL), 0);
	ck_assert_int_eq(dt_setopt(dt, "oformat", "json"), 0);
	ck_assert_int_gt(dt_program(dt, DT_PROBE_NAME, "BEGIN", NULL), 0);
	ck_assert_int_eq(dt_go(dt, NULL), -1);
	ck_assert_ptr_nonnull(strstr(dt_error(dt), "dt_on_event"));
	dt_close(dt);
}
END_TEST

/* Threads ----------------------------------------------------------------- */

struct tracer {
	pthread_t thread;
	const char *probe;
	long call;
	int rounds;
	int64_t counted, recorded;
	int failed;
};

static int take_count(void *arg, const struct dt_row *row)
{
	*(int64_t *)arg += row->value;
	return 0;
}

static void take_record(void *arg, const struct dt_event *e)
{
	int64_t *n = arg;

	*n += e->tid == (int)syscall(SYS_gettid);
}

/* Sessions one after another, of a handle each. */
static void *tracer(void *arg)
{
	struct tracer *t = arg;
	char text[300];

	snprintf(text, sizeof(text),
		 "%s /tid == %d/ { @[execname, probefunc] = count(); trace(timestamp); stack(2); }",
		 t->probe, (int)syscall(SYS_gettid));
	for (int i = 0; i < t->rounds; i++) {
		struct dt *dt = dt_open();

		t->failed |= dt_on_event(dt, take_record, &t->recorded) ||
			     dt_program(dt, DT_PROBE_NAME, text, NULL) != 1 || dt_go(dt, NULL);
		for (int k = 0; k < 100; k++)
			syscall(t->call);
		t->failed |= dt_work(dt, NULL) != DT_WORK_GOING || dt_stop(dt, NULL) ||
			     dt_aggregations(dt, take_count, &t->counted) || dt_drops(dt);
		dt_close(dt);
	}
	return NULL;
}

START_TEST(two_threads)
{
	struct tracer t[] = {
	    {.probe = "syscall::getppid:entry", .call = SYS_getppid, .rounds = 5},
	    {.probe = "syscall::getuid:entry", .call = SYS_getuid, .rounds = 5},
	};

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&t[i].thread, NULL, tracer, &t[i]), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i].thread, NULL);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(t[i].failed, 0);
		ck_assert_int_eq(t[i].counted, 500);
		ck_assert_int_eq(t[i].recorded, 500);
	}
}
END_TEST

Suite *api_suite(void);

Suite *api_suite(void)
{
	Suite *s = suite_create("api");
	TCase *tc = tcase_create("api");

	tcase_add_test(tc, two_sessions);
	tcase_add_test(tc, output_and_status);
	tcase_add_test(tc, broken_program);
	tcase_add_test(tc, errors);
	tcase_add_test(tc, messages);
	tcase_add_test(tc, progress);
	tcase_add_test(tc, diagnostics);
	tcase_add_test(tc, events);
	tcase_add_test(tc, steps);
	tcase_add_test(tc, drops_by_kind);
	tcase_add_test(tc, null_handles);
	tcase_add_test(tc, two_threads);
	tcase_set_timeout(tc, 20);
	suite_add_tcase(s, tc);
	return s;
}
