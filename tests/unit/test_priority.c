/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For how long the priority may be raised. */
#include <check.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/mem.h"
#include "libdt/base/priority.h"

#define MS 1000000ull

START_TEST(share_of_time)
{
	struct priority p = {0};
	uint64_t begin = 5000 * MS;

	ck_assert(priority_allows(&p, begin));
	p.begin_ns = p.since_ns = begin;
	ck_assert(priority_allows(&p, begin + 99 * MS));
	ck_assert(!priority_allows(&p, begin + 106 * MS));
	p.since_ns = 0;
	p.raised_ns = 150 * MS;
	ck_assert(!priority_allows(&p, begin + 999 * MS));
	ck_assert(priority_allows(&p, begin + 1001 * MS));
}
END_TEST

static int nice_of_child(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(getpriority(PRIO_PROCESS, 0) + 20);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status) - 20;
}

START_TEST(set)
{
	struct priority p = {0};
	int usual = getpriority(PRIO_PROCESS, 0);

	priority_set(&p, false);
	ck_assert_uint_eq(p.begin_ns, 0);
	priority_set(&p, true);
	if (p.since_ns) { /* it has the right to */
		ck_assert_int_eq(getpriority(PRIO_PROCESS, 0), PRIORITY_RAISED);
		ck_assert_int_ge(nice_of_child(), 0);
		p.since_ns -= 200 * MS; /* too long: it ends though there is more to do */
		priority_set(&p, true);
		ck_assert_uint_ge(p.raised_ns, 200 * MS);
		priority_set(&p, true);
	}
	ck_assert_uint_eq(p.since_ns, 0);
	ck_assert_int_eq(getpriority(PRIO_PROCESS, 0), usual);
	ck_assert_int_eq(sched_getscheduler(0), SCHED_OTHER);
	ck_assert_int_eq(setpriority(PRIO_PROCESS, 0, MAX(usual, 1)), 0);
	p = (struct priority){0};
	priority_set(&p, true);
	ck_assert_uint_eq(p.since_ns, 0);
}
END_TEST

Suite *priority_suite(void);
Suite *priority_suite(void)
{
	Suite *s = suite_create("priority");
	TCase *t = tcase_create("priority");

	tcase_add_test(t, share_of_time);
	tcase_add_test(t, set);
	suite_add_tcase(s, t);
	return s;
}
