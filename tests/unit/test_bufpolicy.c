/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are kept until the end: the newest, or the first. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "libdt/consumer/bufpolicy.h"

static char out[256];

static int print(void *arg, const void *data, size_t size)
{
	size_t len = strlen(out);

	snprintf(out + len, sizeof(out) - len, "%.*s ", (int)size, (const char *)data);
	return arg && !strncmp(data, arg, size);
}

static void take(struct bufpolicy *h, const char *texts[])
{
	for (; *texts; texts++)
		bufpolicy_take(h, *texts, strlen(*texts));
}

START_TEST(ring)
{
	struct bufpolicy *h = bufpolicy_new(8, true);

	out[0] = '\0';
	take(h, (const char *[]){"abc", "defg", "h", "ijklmnopq", "rst", NULL});
	ck_assert(!bufpolicy_full(h));
	ck_assert_uint_eq(bufpolicy_drops(h), 1);
	ck_assert_uint_eq(bufpolicy_drops(h), 0);
	ck_assert_int_eq(bufpolicy_flush(h, print, NULL), 0);
	ck_assert_str_eq(out, "defg h rst ");
	bufpolicy_flush(h, print, NULL);
	ck_assert_str_eq(out, "defg h rst ");
	take(h, (const char *[]){"12345678", "x", "y", NULL});
	bufpolicy_flush(h, print, NULL);
	ck_assert_str_eq(out, "defg h rst x y ");
	take(h, (const char *[]){"left", NULL});
	bufpolicy_free(h);
}
END_TEST

START_TEST(fill)
{
	struct bufpolicy *h = bufpolicy_new(8, false);

	out[0] = '\0';
	take(h, (const char *[]){"abc", "defgh", NULL});
	ck_assert(!bufpolicy_full(h));
	take(h, (const char *[]){"i", NULL});
	ck_assert(bufpolicy_full(h));
	ck_assert_int_eq(bufpolicy_flush(h, print, "abc"), 1);
	ck_assert_str_eq(out, "abc ");
	bufpolicy_free(h);
	bufpolicy_free(NULL);
}
END_TEST

Suite *hold_suite(void)
{
	Suite *suite = suite_create("hold");
	TCase *tc = tcase_create("hold");

	tcase_add_test(tc, ring);
	tcase_add_test(tc, fill);
	suite_add_tcase(suite, tc);
	return suite;
}
