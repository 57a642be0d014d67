/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records by time: what may be printed at which moment, and in which order. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/temporal.h"

enum { MS = 1000000, BASE = 1000 };

static char out[1024];

static int print(void *arg, const void *data, size_t size)
{
	size_t len = strlen(out);

	snprintf(out + len, sizeof(out) - len, "%.*s ", (int)size, (const char *)data);
	return arg && !strncmp(data, arg, size);
}

static void take(struct temporal *t, int ms, const char *text)
{
	temporal_take(t, (uint64_t)(BASE + ms) * MS, text, strlen(text));
}

static const char *flush(struct temporal *t, bool all)
{
	out[0] = '\0';
	ck_assert_int_eq(temporal_flush(t, all, print, NULL), 0);
	return out;
}

/* The ring had so many bytes at that time, and so many are read. */
static void read_ring(struct temporal *t, int ms, unsigned long produced, unsigned long consumed)
{
	temporal_mark(t, (uint64_t)(BASE + ms) * MS, produced);
	temporal_reached(t, consumed);
}

START_TEST(order)
{
	struct temporal *t = temporal_new(false);

	ck_assert_uint_eq(temporal_due(t), 0);
	take(t, 3, "c");
	take(t, 1, "a");
	take(t, 3, "d");
	take(t, 2, "b");
	ck_assert_str_eq(flush(t, false), "");
	ck_assert_uint_eq(temporal_due(t), (uint64_t)(BASE + 1) * MS + TEMPORAL_SLACK_NS);
	read_ring(t, 3, 100, 100);
	ck_assert_str_eq(flush(t, false), "a b ");
	take(t, 3, "e");
	read_ring(t, 4, 100, 100);
	ck_assert_str_eq(flush(t, false), "c d e ");
	take(t, 9, "y");
	take(t, 8, "x");
	ck_assert_str_eq(flush(t, true), "x y ");
	take(t, 9, "left");
	temporal_free(t);
	temporal_free(NULL);
}
END_TEST

/* A record that is not finished holds back all that might be later than it. */
START_TEST(unfinished)
{
	struct temporal *t = temporal_new(false);

	take(t, 2, "b");
	read_ring(t, 5, 100, 60);
	ck_assert_str_eq(flush(t, false), "");
	read_ring(t, 7, 200, 90);
	ck_assert_str_eq(flush(t, false), "");
	take(t, 1, "a");
	take(t, 6, "c");
	read_ring(t, 8, 300, 100); /* now all is known that was there at 5 */
	ck_assert_str_eq(flush(t, false), "a b ");
	read_ring(t, 9, 300, 300);
	ck_assert_str_eq(flush(t, false), "c ");
	temporal_free(t);
}
END_TEST

START_TEST(early)
{
	struct temporal *t = temporal_new(true);

	take(t, 9, "b");
	read_ring(t, 18, 100, 100);
	ck_assert_str_eq(flush(t, false), "");
	take(t, 8, "a");
	read_ring(t, 19, 100, 100);
	ck_assert_str_eq(flush(t, false), "a b ");
	temporal_free(t);
}
END_TEST

/* Records of many sizes, in an order that the next number of a sequence makes; some are larger
 * than what memory is taken in. */
START_TEST(many)
{
	struct temporal *t = temporal_new(false);
	char *text = calloc(1, 100001);
	unsigned next = 1;

	memset(text, 'x', 100000);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 500; i++) {
			next = next * 1103515245 + 12345;
			temporal_take(t, round * 1000 + (next >> 16) % 1000, text,
				      1 + (next >> 8) % (i % 100 ? 3000 : 99999));
		}
		take(t, round, "last");
		ck_assert_int_eq(temporal_flush(t, false, print, NULL), 0);
		out[0] = '\0';
		ck_assert_int_eq(temporal_flush(t, true, print, "last"), 1);
		out[0] = '\0';
	}
	ck_assert_uint_eq(temporal_due(t), 0);
	free(text);
	temporal_free(t);
}
END_TEST

Suite *temporal_suite(void)
{
	Suite *suite = suite_create("temporal");
	TCase *tc = tcase_create("temporal");

	tcase_add_test(tc, order);
	tcase_add_test(tc, unfinished);
	tcase_add_test(tc, early);
	tcase_add_test(tc, many);
	suite_add_tcase(suite, tc);
	return suite;
}
