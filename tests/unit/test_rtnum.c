/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The routines between strings and numbers, and those on numbers. */
#include "libdt/builtin/agg.h"
#include "tests/unit/rtfix.h"

static void try_strtoll(struct fix *f, const char *s, int base)
{
	put(f, 0, s);
	ck_assert_msg(call(f, "rt_strtoll", 1, at(f, 0), (int64_t)base) ==
			  strtoll(s ? s : "", NULL, base),
		      "'%s' base %d", s, base);
}

START_TEST(strings_strtoll)
{
	static const char *const corners[] = {
	    NULL,  "",	  "0",		"-0",	 "+",	  "-",	   " \t\n\v\f\r7",
	    "- 1", "+-1", "0x",		"0xg",	 "0X1f",  "-0x1F", "08",
	    "017", "0x8", "zz",		"Z",	 "12z",	  "1:",	   "1/",
	    "A@",  "g`",  "0x7fffffff", "\0011", "1\xff", "x1",	   "00x1",
	};
	static const char *const wide[] = {
	    "9223372036854775807",	   "9223372036854775808",  "-9223372036854775808",
	    "-9223372036854775809",	   "92233720368547758070", "99999999999999999999999999",
	    "-99999999999999999999999999", "0x7fffffffffffffff",   "0x8000000000000000",
	    "-0x8000000000000000",	   "-0x8000000000000001",  "18446744073709551615",
	    "18446744073709551616",	   "18446744073709551617",
	};
	struct fix f;
	char s[16600];

	fix_start(&f, sizes[_i]);
	for (int base = -1; base <= 37; base++) {
		for (size_t i = 0; i < ARRAY_SIZE(corners); i++)
			try_strtoll(&f, corners[i], base);
		for (size_t i = 0; i < ARRAY_SIZE(wide) && f.strsize > 32; i++)
			try_strtoll(&f, wide[i], base);
	}
	try_strtoll(&f, filled(&f, s, ' ', "-12"), 10);
	try_strtoll(&f, filled(&f, s, '\t', "0"), 0);
	try_strtoll(&f, filled(&f, s, '0', "987"), 10);
	try_strtoll(&f, filled(&f, s, '0', "x1"), 16);
	try_strtoll(&f, filled(&f, s, '0', "1111"), 2);
	try_strtoll(&f, filled(&f, s, '1', ""), 2);
	for (int i = 0; i < ROUNDS; i++) {
		int base = rnd(&f, 36) + (rnd(&f, 2) ? 1 : 0);

		try_strtoll(&f, text(&f, s, "0123456789"), rnd(&f, 2) ? 10 : base);
		try_strtoll(&f, text(&f, s, "01"), rnd(&f, 2) ? 2 : 0);
		try_strtoll(&f, text(&f, s, " +-0x123abcXYZ"), base);
		try_strtoll(&f, text(&f, s, " "), base);
	}
	fix_end(&f);
}
END_TEST

static void want_lltostr(char *d, int64_t value, int base)
{
	char digits[80];
	uint64_t n = base == 10 && value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	int i = sizeof(digits) - 1;

	digits[i] = '\0';
	do {
		digits[--i] = "0123456789abcdefghijklmnopqrstuvwxyz"[n % base];
	} while (n /= base);
	sprintf(d, "%s%s",
		base == 16		  ? "0x"
		: base == 8 && value	  ? "0"
		: base == 10 && value < 0 ? "-"
					  : "",
		digits + i);
}

static void try_lltostr(struct fix *f, int64_t value, int base)
{
	char want[128];

	want_lltostr(want, value, base);
	want[MIN((int)sizeof(want), f->strsize) - 1] = '\0';
	noise(f, f->slot, RT_STRING(f->strsize));
	ck_assert_int_eq(call(f, "rt_lltostr", 1, at(f, 0), value, base), strlen(want));
	expect(f, 0, want);
}

START_TEST(strings_lltostr)
{
	static const int64_t values[] = {0,  1,	 -1, 7,		8,	   9,	      10,	15,
					 16, 35, 36, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
	struct fix f;

	fix_start(&f, sizes[_i]);
	for (int base = 2; base <= 36; base++) {
		for (size_t i = 0; i < ARRAY_SIZE(values); i++)
			try_lltostr(&f, values[i], base);
		for (int i = 0; i < 100; i++)
			try_lltostr(&f, rnd(&f, 2) ? rnd64(&f) : -rnd64(&f), base);
	}
	put(&f, 0, "x");
	ck_assert_int_eq(call(&f, "rt_lltostr", 1, at(&f, 0), 5, 1), -1);
	ck_assert_int_eq(call(&f, "rt_lltostr", 1, at(&f, 0), 5, 37), -1);
	ck_assert_int_eq(call(&f, "rt_lltostr", 1, at(&f, 0), 5, -10), -1);
	expect(&f, 0, "x");
	fix_end(&f);
}
END_TEST

START_TEST(numbers_quantize)
{
	struct fix f;

	fix_start(&f, 16);
	for (int k = 0; k < 64; k++)
		for (int d = -2; d <= 2; d++) {
			int64_t v = (1ULL << k) + d;

			ck_assert_int_eq(call(&f, "rt_quantize", v), quantize_bucket(v));
			v = 0 - (uint64_t)v;
			ck_assert_int_eq(call(&f, "rt_quantize", v), quantize_bucket(v));
		}
	ck_assert_int_eq(call(&f, "rt_quantize", INT64_MIN), 0);
	ck_assert_int_eq(call(&f, "rt_quantize", INT64_MAX), 126);
	for (int i = 0; i < 20000; i++) {
		int64_t v = rnd(&f, 2) ? rnd64(&f) : -rnd64(&f);

		ck_assert_int_eq(call(&f, "rt_quantize", v), quantize_bucket(v));
	}
	fix_end(&f);
}
END_TEST

START_TEST(numbers_llquantize)
{
	static const int64_t params[][4] = {
	    {10, 0, 6, 20},  {10, 3, 3, 10}, {2, 0, 62, 2},  {10, 0, 17, 100},
	    {10, 2, 18, 10}, {3, 1, 5, 9},   {2, 62, 62, 8}, {2, 2, 63, 8},
	    {10, 0, 6, 5},   {4, 0, 1, 2},   {10, 1, 17, 1},
	};
	struct rt_order orders[64];
	struct llquantize_order o;
	struct fix f;

	fix_start(&f, 16);
	for (size_t i = 0; i < ARRAY_SIZE(params); i++) {
		const int64_t *p = params[i];
		char name[32];
		int n = 0;

		for (; n <= p[2] - p[1]; n++) {
			ck_assert(llquantize_order(p, p[1] + n, &o));
			orders[n] = (struct rt_order){o.lo, o.end, o.width, o.origin, o.first};
		}
		snprintf(name, sizeof(name), "rt_llq_%zu", i);
		ck_assert_ptr_null(rt_build(&f.rt, name));
		f.funcs[0] = rt_build_llquantize(&f.rt, name, orders, n, llquantize_side(p));
		ck_assert_ptr_null(f.funcs[0]->error);
		ck_assert_ptr_eq(rt_build(&f.rt, name), f.funcs[0]);
		for (int k = 0; k < 64; k++)
			for (int d = -2; d <= 2; d++) {
				int64_t v = (k < n ? orders[k].lo : 1ULL << k) + d,
					neg = 0 - (uint64_t)v;

				ck_assert_int_eq(call(&f, name, v), llquantize_bucket(v, p));
				ck_assert_int_eq(call(&f, name, neg), llquantize_bucket(neg, p));
			}
		for (int k = 0; k < 5000; k++) {
			int64_t v = rnd(&f, 2) ? rnd64(&f) : -rnd64(&f);

			ck_assert_int_eq(call(&f, name, v), llquantize_bucket(v, p));
		}
		ck_assert_int_eq(call(&f, name, INT64_MIN), llquantize_bucket(INT64_MIN, p));
		ck_assert_int_eq(call(&f, name, 0), llquantize_side(p) + 1);
	}
	fix_end(&f);
}
END_TEST

/* A family: each task's parent is the one before; the first is its own. */
struct task {
	char pad[24];
	uint32_t tgid;
	struct task *parent;
};

START_TEST(numbers_progenyof)
{
	struct task tasks[100] = {0};
	uint64_t parent = offsetof(struct task, parent), tgid = offsetof(struct task, tgid);
	struct fix f;

	fix_start(&f, 16);
	for (int i = 0; i < 100; i++) {
		tasks[i].tgid = 1000 + i;
		tasks[i].parent = &tasks[MAX(i - 1, 0)];
	}
	f.vm.task = (uintptr_t)&tasks[10];
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(call(&f, "rt_progenyof", 1000 + i, parent, tgid), i <= 10);
	ck_assert_int_eq(call(&f, "rt_progenyof", 0, parent, tgid), 0);
	tasks[5].tgid = 1; /* the walk ends at init */
	ck_assert_int_eq(call(&f, "rt_progenyof", 1, parent, tgid), 1);
	ck_assert_int_eq(call(&f, "rt_progenyof", 1004, parent, tgid), 0);
	ck_assert_int_eq(call(&f, "rt_progenyof", 1006, parent, tgid), 1);
	tasks[8].parent = NULL; /* cannot be read */
	ck_assert_int_eq(call(&f, "rt_progenyof", 1, parent, tgid), 0);
	ck_assert_int_eq(call(&f, "rt_progenyof", 1008, parent, tgid), 1);
	f.vm.task = (uintptr_t)&tasks[99];
	ck_assert_int_eq(call(&f, "rt_progenyof", 1099 - 63, parent, tgid), 1);
	ck_assert_int_eq(call(&f, "rt_progenyof", 1099 - 64, parent, tgid), 0);
	ck_assert_int_eq(call(&f, "rt_progenyof", 0xffffffff00000000 + 1099, parent, tgid), 1);
	fix_end(&f);
}
END_TEST

Suite *rtnum_suite(void)
{
	Suite *s = suite_create("rtnum");
	TCase *each = tcase_create("sizes"), *one = tcase_create("numbers");

	tcase_set_timeout(each, 60);
	tcase_set_timeout(one, 60);
	tcase_add_loop_test(each, strings_strtoll, 0, NSIZES);
	tcase_add_loop_test(each, strings_lltostr, 0, NSIZES);
	tcase_add_test(one, numbers_quantize);
	tcase_add_test(one, numbers_llquantize);
	tcase_add_test(one, numbers_progenyof);
	suite_add_tcase(s, each);
	suite_add_tcase(s, one);
	return s;
}
