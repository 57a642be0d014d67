/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer's half of speculations: what is held, in which order it comes out, and when it is
 * forgotten. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "libdt/consumer/spec.h"

static struct specs *s;
static char out[256];

static void setup(void)
{
	s = specs_new(64);
	out[0] = '\0';
}

static void teardown(void)
{
	specs_free(s);
}

static int print(void *arg, const void *data, size_t size)
{
	size_t len = strlen(out);

	snprintf(out + len, sizeof(out) - len, "%.*s ", (int)size, (const char *)data);
	return arg && !strncmp(data, arg, size);
}

static enum spec_verdict take(uint32_t tag, const char *text)
{
	return specs_take(s, tag, text, strlen(text));
}

START_TEST(commit_in_order)
{
	ck_assert_int_eq(take(9, "a"), SPEC_HELD);
	ck_assert_int_eq(take(10, "x"), SPEC_HELD);
	ck_assert_int_eq(take(9, "bb"), SPEC_HELD);
	ck_assert_int_eq(take(9, "c"), SPEC_HELD);
	ck_assert_int_eq(specs_end(s, 9, true, print, NULL), 0);
	ck_assert_str_eq(out, "a bb c ");
	ck_assert_int_eq(specs_end(s, 9, true, print, NULL), 0); /* once */
	ck_assert_str_eq(out, "a bb c ");
	ck_assert_int_eq(specs_end(s, 10, false, print, NULL), 0);
	ck_assert_str_eq(out, "a bb c ");
}
END_TEST

/* What another CPU wrote while the speculation ended follows the end. */
START_TEST(late)
{
	take(9, "a");
	specs_end(s, 9, true, print, NULL);
	ck_assert_int_eq(take(9, "b"), SPEC_PRINT);
	take(10, "a");
	specs_end(s, 10, false, print, NULL);
	ck_assert_int_eq(take(10, "b"), SPEC_GONE);
	ck_assert_int_eq(specs_end(s, 10, true, print, NULL), 0);
	ck_assert_str_eq(out, "a ");
	/* an end without a record */
	specs_end(s, 11, true, print, NULL);
	ck_assert_int_eq(take(11, "b"), SPEC_PRINT);
}
END_TEST

START_TEST(full)
{
	char text[41] = "0123456789012345678901234567890123456789";

	ck_assert_int_eq(take(1, text), SPEC_HELD);
	ck_assert_int_eq(take(1, text), SPEC_HELD); /* 80 bytes: does not fit */
	ck_assert_int_eq(take(2, text), SPEC_HELD); /* each has its own */
	ck_assert_int_eq(take(1, "the last one, 24 bytes .."), SPEC_HELD);
	ck_assert_int_eq(take(1, "24 bytes have room yet .."), SPEC_HELD);
	ck_assert_uint_eq(specs_drops(s), 3);
	ck_assert_uint_eq(specs_drops(s), 0);
	take(1, "these have");
	specs_end(s, 1, true, print, NULL);
	ck_assert_str_eq(out, "0123456789012345678901234567890123456789 these have ");
}
END_TEST

START_TEST(printing_fails)
{
	take(1, "a");
	take(1, "b");
	take(1, "c");
	ck_assert_int_eq(specs_end(s, 1, true, print, "b"), 1);
	ck_assert_str_eq(out, "a b ");
}
END_TEST

START_TEST(forgotten)
{
	take(1, "a");
	take(2, "a");
	specs_end(s, 1, true, print, NULL);
	specs_retire(s, 800, 600); /* what was begun by now ends at 800 */
	specs_retire(s, 900, 799);
	ck_assert_uint_eq(specs_known(s), 2);
	ck_assert_int_eq(take(1, "b"), SPEC_PRINT);
	specs_retire(s, 1000, 800);
	ck_assert_uint_eq(specs_known(s), 1);
	for (int i = 3; i < 5000; i++) {
		take(i, "x");
		specs_end(s, i, false, print, NULL);
		specs_retire(s, i, i);
	}
	specs_retire(s, 5000, 5000);
	ck_assert_uint_eq(specs_known(s), 1);
	specs_end(s, 2, true, print, NULL);
	ck_assert_str_eq(out, "a a ");
}
END_TEST

Suite *spec_suite(void)
{
	Suite *suite = suite_create("spec");
	TCase *tc = tcase_create("spec");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, commit_in_order);
	tcase_add_test(tc, late);
	tcase_add_test(tc, full);
	tcase_add_test(tc, printing_fails);
	tcase_add_test(tc, forgotten);
	suite_add_tcase(suite, tc);
	return suite;
}
