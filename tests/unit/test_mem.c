/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arenas, tables, and places in a source. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/base/src.h"

/* What grows keeps its bytes, and its neighbours theirs, whether it is a part of a chunk or has one
 * of its own, first or not. */
START_TEST(grow)
{
	struct arena *a = arena_new();
	size_t size = 0, other_size = 0;
	unsigned char *v = NULL, *other = NULL;
	size_t wrong = 0; /* an assertion for each of 30 million bytes takes seconds */
	char *small[20];

	for (int i = 0; i < 20; i++) {
		size_t bigger = size ? 2 * size : 24;

		v = arena_grow(a, v, size, bigger);
		memset(v + size, i, bigger - size);
		size = bigger;
		small[i] = arena_printf(a, "%d", i);
		if (i % 3)
			continue;
		other = arena_grow(a, other, other_size, size + 1);
		memset(other + other_size, 0xff, size + 1 - other_size);
		other_size = size + 1;
	}
	for (size_t i = 0; i < size; i++) {
		int round = 0;

		for (size_t n = 24; i >= n; n *= 2)
			round++;
		wrong += v[i] != round;
	}
	for (size_t i = 0; i < other_size; i++)
		wrong += other[i] != 0xff;
	ck_assert_uint_eq(wrong, 0);
	for (int i = 0; i < 20; i++) {
		char want[8];

		snprintf(want, sizeof(want), "%d", i);
		ck_assert_str_eq(small[i], want);
	}
	arena_free(a);
}
END_TEST

/* An arena that is used again keeps a large chunk, from which others are served. */
START_TEST(grow_after_reset)
{
	struct arena *a = arena_new();
	char *large, *small;

	large = arena_alloc(a, 100000);
	memset(large, 'x', 100000);
	arena_reset(a);
	small = arena_strdup(a, "small");
	large = arena_alloc(a, 40000);
	for (int i = 0; i < 40000; i++)
		ck_assert_int_eq(large[i], 0);
	memset(large, 'y', 40000);
	large = arena_grow(a, large, 40000, 4000000);
	ck_assert(large[0] == 'y' && large[39999] == 'y');
	ck_assert_str_eq(small, "small");
	arena_free(a);
}
END_TEST

/* A program refers to each line of a large script: finding them all takes no quadratic time. */
START_TEST(many_lines)
{
	enum { LINES = 300000, EACH = 8 };
	struct arena *a = arena_new();
	char *text = arena_alloc(a, LINES * EACH + 1);
	struct source *src;
	const char *file;
	int line, column, len;

	for (int i = 0; i < LINES; i++)
		memcpy(text + i * EACH, i == 99999 ? "# 7 \"h\"\n" : "abcdefg\n", EACH);
	src = source_new(a, SOURCE_FILE, "x.d", text, LINES * EACH);
	for (int i = 0; i < LINES; i++) {
		struct loc loc = {src, i * EACH + i % EACH, 1};

		loc_pos(loc, &line, &column);
		ck_assert_int_eq(line, i < 100000 ? i + 1 : i - 100000 + 7);
		ck_assert_int_eq(column, i % EACH + 1);
		file = loc_file(loc, &len);
		ck_assert(!strncmp(file, i < 100000 ? "x.d" : "h", len));
		loc_line(loc, &len);
		ck_assert_int_eq(len, EACH - 1);
	}
	loc_pos((struct loc){src, LINES * EACH, 0}, &line, &column);
	ck_assert_int_eq(line, LINES - 100000 + 7);
	ck_assert_int_eq(column, 1);
	arena_free(a);
}
END_TEST

/* Names whose FNV-1a is the same: no user can know which ones share a place in a table. */
START_TEST(names_of_one_hash)
{
	static const char *const pairs[][2] = {
	    {"costarring", "liquid"}, {"declinate", "macallums"}, {"altarage", "zinke"}};
	struct hash h = {0};
	char names[6];

	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(hash_bytes(pairs[i][0], strlen(pairs[i][0])),
				  hash_bytes(pairs[i][1], strlen(pairs[i][1])));
		hash_puts(&h, pairs[i][0], &names[2 * i]);
		hash_puts(&h, pairs[i][1], &names[2 * i + 1]);
	}
	for (unsigned i = 0; i < 6; i++)
		ck_assert_ptr_eq(hash_gets(&h, pairs[i / 2][i % 2]), &names[i]);
	ck_assert_uint_eq(h.n, 6);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_ne(h.entries[2 * i].hash, h.entries[2 * i + 1].hash);
	hash_free(&h);
}
END_TEST

Suite *mem_suite(void);
Suite *mem_suite(void)
{
	Suite *s = suite_create("mem");
	TCase *t = tcase_create("mem");

	tcase_add_test(t, names_of_one_hash);
	tcase_add_test(t, grow);
	tcase_add_test(t, grow_after_reset);
	tcase_add_test(t, many_lines);
	suite_add_tcase(s, t);
	return s;
}
