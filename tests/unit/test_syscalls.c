/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of 32-bit programs' system calls, against the headers of the machine that builds,
 * which may know fewer. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <asm/unistd_32.h>
#endif

#define QUOTED(x) #x
#define TEXT(x) QUOTED(x)
#define NUMBER_OF(call) TEXT(__NR_##call) /* "__NR_x" where the header has no x */

static const struct row {
	const char *name, *number;
	int nr;
	const char *args; /* only 32-bit programs have it; NULL */
} rows[] = {
#define SYSCALL(name, x86, ia32, arm) {#name, NUMBER_OF(name), ia32, NULL},
#include "libdt/provider/syscalls.def"
#undef SYSCALL
#define SYSCALL32(name, nr, args) {#name, NUMBER_OF(name), nr, args},
#include "libdt/provider/syscalls32.def"
#undef SYSCALL32
};
enum { NROWS = sizeof(rows) / sizeof(rows[0]), NUMBERS = 512 };

START_TEST(numbers)
{
	const struct row *by_number[NUMBERS] = {NULL};

	for (int i = 0; i < NROWS; i++) {
		const struct row *r = &rows[i];

		if (r->nr < 0)
			continue;
		ck_assert_int_lt(r->nr, NUMBERS);
		ck_assert_msg(!by_number[r->nr], "%s and %s are %d", by_number[r->nr]->name,
			      r->name, r->nr);
		by_number[r->nr] = r;
	}
}
END_TEST

#ifdef __x86_64__
/* Another call by these names: see the tables. */
static int is_renamed(const char *name)
{
	return !strcmp(name, "mmap") || !strcmp(name, "select");
}

START_TEST(header)
{
	int known = 0;

	for (int i = 0; i < NROWS; i++) {
		const struct row *r = &rows[i];
		int nr = is_renamed(r->name) ? -1 : atoi(r->number);

		if (!strncmp(r->number, "__NR_", 5))
			continue;
		known++;
		ck_assert_msg(r->nr == nr, "%s is %d, not %d", r->name, nr, r->nr);
	}
	ck_assert_int_gt(known, 400);
}
END_TEST
#endif

START_TEST(arguments)
{
	for (int i = 0; i < NROWS; i++) {
		const char *s = rows[i].args;
		int n = s && *s;

		for (; s && *s; s++)
			n += *s == ',';
		ck_assert_msg(n <= 6, "%s has %d arguments", rows[i].name, n);
	}
}
END_TEST

Suite *syscalls_suite(void)
{
	Suite *s = suite_create("syscalls");
	TCase *tc = tcase_create("tables");

	tcase_add_test(tc, numbers);
#ifdef __x86_64__
	tcase_add_test(tc, header);
#endif
	tcase_add_test(tc, arguments);
	suite_add_tcase(s, tc);
	return s;
}
