/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public API as a program uses it: two sessions in one process, exact counts by the walk of
 * aggregations. */
#include <check.h>
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

static int see(void *arg, const char *name, const char *func, const struct dt_datum *keys,
	       int nkeys, const int64_t *values, int nvalues)
{
	struct seen *s = arg;

	ck_assert_int_eq(nvalues, 1);
	s->rows++;
	s->sum += values[0];
	snprintf(s->name, sizeof(s->name), "%s", name);
	snprintf(s->func, sizeof(s->func), "%s", func);
	if (nkeys)
		snprintf(s->key, sizeof(s->key), "%.*s", (int)keys[0].size,
			 (const char *)keys[0].data);
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

static void take_message(void *arg, enum dt_severity severity, const char *tag, const char *text)
{
	char *got = arg;

	if (severity == DT_DEBUG)
		return;
	snprintf(got + strlen(got), 1000 - strlen(got), "%d %s %.40s\n", severity, tag ? tag : "-",
		 text);
}

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
	snprintf(want, sizeof(want), "%d - error ", DT_FAULT);
	ck_assert_msg(!strncmp(got, want, strlen(want)), "%s", got);
	snprintf(want, sizeof(want), "\n%d - setopt( ): failed to set option 'nosuch'", DT_WARNING);
	ck_assert_msg(strstr(got, want), "%s", got);
	snprintf(want, sizeof(want), "\n%d - pid %d has exited\n", DT_NOTE, (int)pid);
	ck_assert_msg(strstr(got, want), "%s", got);
	dt_close(dt);
	fclose(out);
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
	suite_add_tcase(s, tc);
	return s;
}
