/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses to names: the table answers as the file does when it is searched from end to
 * end. */
#include <unistd.h>

#include "tests/unit/symfix.h"

enum { SYMBOLS = 6000, PER_MODULE = 200 };

/* The kernel in order, several names for some addresses, names that are no place; then modules,
 * in no order. */
static void write_symbols(FILE *f)
{
	static const char types[] = "TtWwDdBbRrVA";
	uint64_t addr = 0xffffffff81000000;

	srandom(7);
	for (int i = 0; i < SYMBOLS; i++) {
		fprintf(f, "%016llx %c %s%d\n", (unsigned long long)addr,
			types[random() % (sizeof(types) - 1)],
			random() % 9   ? "sym"
			: random() % 2 ? "__pfx_sym"
				       : ".L",
			i);
		if (random() % 4)
			addr += random() % 3000;
		if (random() % 1000 == 0)
			addr += 5 << 20;
	}
	fprintf(f, "%016llx B _end\n", (unsigned long long)addr + 64);
	for (int m = 0; m < 12; m++) {
		addr = 0xffffffffc0000000 + (m * 7 % 12) * (3ull << 20);
		for (int i = 0; i < PER_MODULE; i++) {
			fprintf(f, "%016llx %c f%d\t[mod%d]\n", (unsigned long long)addr,
				types[random() % 8], i, m);
			addr += random() % 200;
		}
	}
}

/* A symbol reaches up to the next address that is a symbol's. */
static void check_end(const struct klines *k, struct syms *s, uint64_t addr)
{
	uint64_t end = syms_end(s, addr);

	if (!klines_search(k, addr) || klines_search(k, addr)->addr != addr)
		return;
	ck_assert_uint_gt(end, addr);
	ck_assert_ptr_eq(klines_search(k, end - 1), klines_search(k, addr));
	ck_assert_uint_eq(klines_search(k, end)->addr, end);
}

START_TEST(test_as_linear)
{
	char path[] = "/tmp/dt_test_ksym.XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct klines k = {0};
	struct syms *s;

	write_symbols(f);
	fclose(f);
	klines_read(&k, path);
	s = syms_new(path, NULL);
	check_addresses(&k, s, k.v.n);
	check_address(&k, s, 0);
	check_address(&k, s, UINT64_MAX);
	check_address(&k, s, 0x400000);
	for (int i = 0; i < 50; i++)
		check_end(&k, s, k.v.v[i * 100]->addr);
	syms_free(s);
	klines_free(&k);
	unlink(path);
}
END_TEST

Suite *ksym_suite(void)
{
	Suite *s = suite_create("ksym");
	TCase *tc = tcase_create("symbols");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_as_linear);
	suite_add_tcase(s, tc);
	return s;
}
