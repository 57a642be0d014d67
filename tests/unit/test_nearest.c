/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of several names is suggested. */
#include <check.h>

#include "libdt/base/nearest.h"

static int distance(const char *word, const char *name)
{
	struct nearest near = nearest_within(word, 100);

	return nearest_try(&near, name) ? near.distance : -1;
}

START_TEST(distances)
{
	ck_assert_int_eq(distance("quantize", "quantize"), 0);
	ck_assert_int_eq(distance("quantze", "quantize"), 1);	/* inserted */
	ck_assert_int_eq(distance("quantizze", "quantize"), 1); /* deleted */
	ck_assert_int_eq(distance("quantise", "quantize"), 1);	/* replaced */
	ck_assert_int_eq(distance("quanitze", "quantize"), 1);	/* swapped */
	ck_assert_int_eq(distance("cuanitz", "quantize"), 3);
	ck_assert_int_eq(distance("PID", "pid"), 1); /* capitals */
	ck_assert_int_eq(distance("PDI", "pid"), 3);
	ck_assert_int_eq(distance("", "pid"), 3);
	ck_assert_int_eq(distance("pid", ""), 3);
}
END_TEST

START_TEST(nearest_of_several)
{
	struct nearest near = nearest_to("execnmae");

	ck_assert_ptr_null(near.best);
	ck_assert(!nearest_try(&near, "exectname2")); /* 3 */
	ck_assert(nearest_try(&near, "execnmeas"));
	ck_assert(nearest_try(&near, "execname"));
	ck_assert(!nearest_try(&near, "execnma")); /* as near, and later */
	ck_assert_str_eq(near.best, "execname");
}
END_TEST

START_TEST(limits)
{
	static const char long_63[] =
	    "a23456789b23456789c23456789d23456789e23456789f23456789g23456789";
	static const char long_64[] =
	    "a23456789b23456789c23456789d23456789e23456789f23456789g234567890";
	struct nearest near = nearest_to("short");

	ck_assert(!nearest_try(&near, "shost2"));
	ck_assert(nearest_try(&near, "shott"));
	near = nearest_to("longer");
	ck_assert(nearest_try(&near, "longest"));
	near = nearest_to("copyinstring");
	ck_assert(!nearest_try(&near, "copyinst"));
	ck_assert(nearest_try(&near, "copyinstr"));
	ck_assert_int_eq(distance(long_63, long_63), 0);
	ck_assert_int_eq(distance(long_63, long_64), -1);
	ck_assert_int_eq(distance(long_64, long_63), -1);
}
END_TEST

Suite *nearest_suite(void);
Suite *nearest_suite(void)
{
	Suite *s = suite_create("nearest");
	TCase *t = tcase_create("nearest");

	tcase_add_test(t, distances);
	tcase_add_test(t, nearest_of_several);
	tcase_add_test(t, limits);
	suite_add_tcase(s, t);
	return s;
}
