/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The string routines, against libc and against what is written here by the definitions. */
#include "tests/unit/rtfix.h"

static const char *const names[] = {
    "rt_strcmp",  "rt_match",	"rt_find",	"rt_rfind",	"rt_findchr",
    "rt_case",	  "rt_substr",	"rt_basename",	"rt_dirname",	"rt_strtok",
    "rt_strtoll", "rt_lltostr", "rt_quantize",	"rt_progenyof", "rt_inet4",
    "rt_inet6",	  "rt_hex",	"rt_cleanpath", "rt_json",	"rt_skip",
};

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

START_TEST(names_known)
{
	struct fix f;

	fix_start(&f, 64);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct code *c = rt_build(&f.rt, names[i]);

		ck_assert_ptr_nonnull(c);
		ck_assert_ptr_null(c->error);
		ck_assert_str_eq(c->name, names[i]);
		ck_assert(c->is_global);
		ck_assert_int_le(c->frame_size, 96);
		ck_assert_ptr_eq(rt_build(&f.rt, names[i]), c);
	}
	ck_assert_ptr_null(rt_build(&f.rt, "rt_"));
	ck_assert_ptr_null(rt_build(&f.rt, "strcmp"));
	fix_end(&f);
}
END_TEST

/* Slots and offsets that are not there: nothing happens. */
START_TEST(bad_offsets)
{
	static const struct {
		const char *name;
		int nargs, noffs;
		int64_t r;
	} routines[] = {
	    {"rt_strcmp", 3, 2, 0},  {"rt_match", 3, 2, 0},	{"rt_find", 4, 2, -1},
	    {"rt_rfind", 4, 2, -1},  {"rt_findchr", 4, 1, -1},	{"rt_case", 4, 2, -1},
	    {"rt_substr", 5, 2, -1}, {"rt_basename", 3, 2, -1}, {"rt_dirname", 3, 2, -1},
	    {"rt_strtok", 5, 3, -1}, {"rt_strtoll", 3, 1, 0},	{"rt_lltostr", 4, 1, -1},
	};
	struct fix f;

	fix_start(&f, sizes[_i]);
	for (int i = 0; i < NSTRINGS; i++)
		put(&f, i, "1");
	for (size_t i = 0; i < ARRAY_SIZE(routines); i++)
		for (int k = 0; k <= routines[i].noffs; k++) {
			uint64_t args[5] = {1, 0, 0, 0, 0};
			uint64_t bad[] = {f.rt.slot_size, UINT64_MAX, INT64_MIN, UINT32_MAX,
					  1ULL << 40};

			for (size_t n = 0; n < ARRAY_SIZE(bad); n++) {
				args[k] = k ? bad[n] : 2 + n;
				ck_assert_int_eq(
				    call_args(&f, routines[i].name, routines[i].nargs, args),
				    routines[i].r);
				expect(&f, 0, "1");
			}
		}
	fix_end(&f);
}
END_TEST

/* Strings as short as they can be, next to the private part. */
START_TEST(end_of_slot)
{
	struct fix f;
	uint32_t src, dst;
	uint8_t *p;

	fix_start(&f, sizes[_i]);
	src = f.rt.slot_size - RT_PRIVATE(f.strsize) - 24;
	dst = src - 24;
	p = f.slot + src;
	memcpy(p, "/usr/lib/ab\0\0\0\0", 16);
	f.funcs[0] = rt_build(&f.rt, "rt_basename");
	bpfvm_run(&f.vm, f.funcs[0], 3, (uint64_t[]){1, dst, src});
	ck_assert_str_eq((char *)f.slot + dst, "ab");
	f.funcs[0] = rt_build(&f.rt, "rt_case");
	bpfvm_run(&f.vm, f.funcs[0], 4, (uint64_t[]){1, src, src, 1});
	ck_assert_str_eq((char *)p, "/USR/LIB/AB");
	f.funcs[0] = rt_build(&f.rt, "rt_substr");
	ck_assert_int_eq(bpfvm_run(&f.vm, f.funcs[0], 5, (uint64_t[]){1, dst, src, 10, 5}), 1);
	ck_assert_str_eq((char *)f.slot + dst, "B");
	f.funcs[0] = rt_build(&f.rt, "rt_rfind");
	ck_assert_int_eq(bpfvm_run(&f.vm, f.funcs[0], 4, (uint64_t[]){1, src, dst, INT32_MAX}), 10);
	f.funcs[0] = rt_build(&f.rt, "rt_find");
	ck_assert_int_eq(bpfvm_run(&f.vm, f.funcs[0], 4, (uint64_t[]){1, src, src, 0}), 0);
	ck_assert_int_eq(bpfvm_run(&f.vm, f.funcs[0], 4, (uint64_t[]){1, src, src, 1}), -1);
	ck_assert_ptr_null(f.vm.error);
	fix_end(&f);
}
END_TEST

static void try_strcmp(struct fix *f, const char *a, const char *b, int want)
{
	put(f, 0, a);
	put(f, 1, b);
	ck_assert_int_eq(call(f, "rt_strcmp", 1, at(f, 0), at(f, 1)), want);
	ck_assert_int_eq(call(f, "rt_strcmp", 1, at(f, 1), at(f, 0)), -want);
}

START_TEST(strings_compare)
{
	struct fix f;
	char a[16600], b[16600];

	fix_start(&f, sizes[_i]);
	try_strcmp(&f, NULL, NULL, 0);
	try_strcmp(&f, NULL, "", -1);
	try_strcmp(&f, "", "", 0);
	try_strcmp(&f, "", "\1", -1);
	try_strcmp(&f, NULL, "\1", -1);
	try_strcmp(&f, "\x7f", "\x80", -1);
	try_strcmp(&f, "abcdefgh", "abcdefg", 1);
	try_strcmp(&f, "abcdefgh", "abcdefghi", -1);
	for (int i = 0; i < ROUNDS; i++) {
		text(&f, a, "a\xff\1");
		strcpy(b, a);
		if (rnd(&f, 3))
			text(&f, b + rnd(&f, strlen(a) + 1), "a\xff\1");
		b[f.strsize - 1] = '\0';
		try_strcmp(&f, a, b, sign(strcmp(a, b)));
	}
	memset(a, 'x', f.strsize - 1);
	a[f.strsize - 1] = '\0';
	strcpy(b, a);
	try_strcmp(&f, a, b, 0);
	b[f.strsize - 2]++;
	try_strcmp(&f, a, b, -1);
	fix_end(&f);
}
END_TEST

static int want_find(const char *hay, const char *needle, int64_t start)
{
	int64_t len = strlen(hay);
	const char *p;

	start = start < 0 ? 0 : start > len ? len : start;
	p = strstr(hay + start, needle);
	return p ? (int)(p - hay) : -1;
}

static int want_rfind(const char *hay, const char *needle, int64_t start)
{
	int64_t len = strlen(hay);

	if (start < 0)
		return *needle ? -1 : 0;
	for (int64_t i = start > len ? len : start; i >= 0; i--)
		if (!strncmp(hay + i, needle, strlen(needle)))
			return i;
	return -1;
}

static void try_find(struct fix *f, const char *hay, const char *needle, int64_t start)
{
	put(f, 0, hay);
	put(f, 1, needle);
	hay = hay ? hay : "";
	needle = needle ? needle : "";
	ck_assert_msg(call(f, "rt_find", 1, at(f, 0), at(f, 1), start) ==
			  want_find(hay, needle, start),
		      "find '%s' in '%s' from %ld", needle, hay, (long)start);
	ck_assert_msg(call(f, "rt_rfind", 1, at(f, 0), at(f, 1), start) ==
			  want_rfind(hay, needle, start),
		      "rfind '%s' in '%s' from %ld", needle, hay, (long)start);
}

START_TEST(strings_find)
{
	static const int64_t starts[] = {0, 1, 5, 1000000, -1, INT32_MAX, INT64_MAX, INT64_MIN};
	static const char *const hays[] = {
	    NULL, "", "a", "foo", "foobarfoo", "aaaaaaaaaaaaaab", "aabaabaab"};
	static const char *const needles[] = {NULL,	  "",		"a",	"foo", "foobarfoo",
					      "aaaaaaab", "aaaaaaaaab", "baab", "\1"};
	struct fix f;
	char hay[16600], needle[16600];

	fix_start(&f, sizes[_i]);
	for (size_t i = 0; i < ARRAY_SIZE(hays); i++)
		for (size_t k = 0; k < ARRAY_SIZE(needles); k++)
			for (size_t n = 0; n < ARRAY_SIZE(starts); n++)
				try_find(&f, hays[i], needles[k], starts[n]);
	for (int i = 0; i < ROUNDS; i++) {
		int n, from;

		text(&f, hay, "ab");
		from = rnd(&f, strlen(hay) + 1);
		n = rnd(&f, 2) ? rnd(&f, strlen(hay) + 1 - from) : rnd(&f, 5);
		if (rnd(&f, 4))
			snprintf(needle, sizeof(needle), "%.*s", n, hay + from);
		else
			text(&f, needle, "ab");
		try_find(&f, hay, needle, rnd(&f, 2) ? 0 : rnd(&f, 30));
		try_find(&f, hay, needle, INT32_MAX);
	}
	fix_end(&f);
}
END_TEST

START_TEST(strings_match)
{
	struct fix f;
	char a[16600], b[16600];

	fix_start(&f, sizes[_i]);
	for (int i = 0; i < ROUNDS; i++) {
		int from;

		text(&f, a, "ab");
		from = rnd(&f, strlen(a) + 1);
		if (rnd(&f, 4))
			snprintf(b, sizeof(b), "%.*s", (int)rnd(&f, strlen(a) + 1), a + from);
		else
			text(&f, b, "ab");
		put(&f, 0, a);
		put(&f, 1, b);
		ck_assert_int_eq(call(&f, "rt_match", 1, at(&f, 0) + from, at(&f, 1)),
				 !strncmp(a + from, b, strlen(b)));
	}
	fix_end(&f);
}
END_TEST

static void try_chr(struct fix *f, const char *s, int c)
{
	const char *first, *last, *p = s ? s : "";

	put(f, 0, s);
	first = strchr(p, c);
	last = strrchr(p, c);
	ck_assert_int_eq(call(f, "rt_findchr", 1, at(f, 0), (uint8_t)c, 0), first ? first - p : -1);
	ck_assert_int_eq(call(f, "rt_findchr", 1, at(f, 0), c, 1), last ? last - p : -1);
}

START_TEST(strings_findchr)
{
	struct fix f;
	char s[16600];

	fix_start(&f, sizes[_i]);
	for (int c = 0; c < 256; c++) {
		try_chr(&f, NULL, c);
		try_chr(&f, "", c);
		try_chr(&f, "\x80\1\x81", (char)c);
	}
	for (int i = 0; i < ROUNDS; i++) {
		text(&f, s, "ab\1\2\x7f\x80\x81\xff");
		for (const char *c = "ab\1\2\x7f\x80\x81\xff"; *c; c++)
			try_chr(&f, s, *c);
		try_chr(&f, s, 0);
		text(&f, s, "aaaaaaaaaaaaaaaaaaaaaaaaaaaab");
		try_chr(&f, s, 'b');
	}
	fix_end(&f);
}
END_TEST

START_TEST(strings_case)
{
	struct fix f;
	char all[256], s[16600], up[16600], down[16600];

	fix_start(&f, sizes[_i]);
	for (int i = 1; i < 256; i++)
		all[i - 1] = i;
	all[255] = '\0';
	for (int i = 0; i < ROUNDS; i++) {
		size_t k;

		if (i < 256)
			snprintf(s, sizeof(s), "%c%c", i, 'a' + rnd(&f, 26));
		else
			text(&f, s, i & 1 ? all : "azAZ@[`{");
		for (k = 0; k <= strlen(s); k++) {
			up[k] = s[k] >= 'a' && s[k] <= 'z' ? s[k] - 32 : s[k];
			down[k] = s[k] >= 'A' && s[k] <= 'Z' ? s[k] + 32 : s[k];
		}
		put(&f, 1, s);
		call(&f, "rt_case", 1, at(&f, 0), at(&f, 1), 1);
		expect(&f, 0, up);
		call(&f, "rt_case", 1, at(&f, 0), at(&f, 1), 0);
		expect(&f, 0, down);
		put(&f, 0, s);
		call(&f, "rt_case", 1, at(&f, 0), at(&f, 0), 0);
		expect(&f, 0, down);
	}
	put(&f, 1, NULL);
	call(&f, "rt_case", 1, at(&f, 0), at(&f, 1), 1);
	expect(&f, 0, NULL);
	fix_end(&f);
}
END_TEST

/* substr() as DTrace defines it, character by character. */
static void want_substr(char *d, const char *s, int64_t index, int64_t remaining, int64_t size)
{
	int64_t len = strlen(s), i;

	if (index < 0) {
		index += len;
		if (index < 0 && index + remaining > 0) {
			remaining += index;
			index = 0;
		}
	}
	if (index >= len || index < 0)
		remaining = 0;
	else if (remaining < 0)
		remaining += len - index;
	else if (index + remaining > size)
		remaining = size - index;
	for (i = 0; i < remaining && s[i + index]; i++)
		d[i] = s[i + index];
	d[i > 0 ? i : 0] = '\0';
}

static void try_substr(struct fix *f, const char *s, int32_t index, int32_t n)
{
	char want[16600];

	put(f, 1, s);
	want_substr(want, s ? s : "", index, n, f->strsize);
	ck_assert_int_eq(call(f, "rt_substr", 1, at(f, 0), at(f, 1), index, n), strlen(want));
	expect(f, 0, want);
	/* Only the low half of the numbers counts, and the source may be where the result goes. */
	put(f, 0, s);
	call(f, "rt_substr", 1, at(f, 0), at(f, 0), (uint32_t)index, (uint32_t)n);
	expect(f, 0, want);
}

START_TEST(strings_substr)
{
	static const int32_t odd[] = {0, 1,  -1,     2,	      -2,	 7,	   8,
				      9, -8, 100000, -100000, INT32_MAX, INT32_MIN};
	static const char *const subjects[] = {NULL, "", "a", "foobar", "foobarba", "foobarbazqux"};
	struct fix f;
	char s[16600];

	fix_start(&f, sizes[_i]);
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		for (size_t k = 0; k < ARRAY_SIZE(odd); k++)
			for (size_t n = 0; n < ARRAY_SIZE(odd); n++)
				try_substr(&f, subjects[i], odd[k], odd[n]);
	for (int i = 0; i < ROUNDS; i++) {
		int len;

		text(&f, s, "abcdefghijk\xff\1");
		len = strlen(s) + 2;
		try_substr(&f, s, (int)rnd(&f, 2 * len + 1) - len,
			   rnd(&f, 4) ? (int)rnd(&f, 2 * len + 1) - len : INT32_MAX);
	}
	fix_end(&f);
}
END_TEST

static void want_basename(char *d, const char *s)
{
	size_t end = strlen(s), begin;

	while (end > 1 && s[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && s[begin - 1] != '/'; begin--)
		;
	if (end == 1 && *s == '/')
		begin = 0;
	sprintf(d, "%.*s", (int)(end - begin), s + begin);
	if (!*s)
		strcpy(d, ".");
}

static void want_dirname(char *d, const char *s)
{
	size_t end = strlen(s);

	while (end > 0 && s[end - 1] == '/')
		end--;
	while (end > 0 && s[end - 1] != '/')
		end--;
	while (end > 1 && s[end - 1] == '/')
		end--;
	sprintf(d, "%.*s", (int)end, s);
	if (!*d)
		strcpy(d, *s == '/' ? "/" : ".");
}

static void try_path(struct fix *f, const char *s)
{
	char base[16600], dir[16600];

	want_basename(base, s ? s : "");
	want_dirname(dir, s ? s : "");
	put(f, 1, s);
	call(f, "rt_basename", 1, at(f, 0), at(f, 1));
	expect(f, 0, base);
	call(f, "rt_dirname", 1, at(f, 0), at(f, 1));
	expect(f, 0, dir);
	put(f, 0, s);
	call(f, "rt_basename", 1, at(f, 0), at(f, 0));
	expect(f, 0, base);
}

START_TEST(strings_path)
{
	static const struct {
		const char *path, *base, *dir;
	} table[] = {
	    {NULL, ".", "."},	       {"", ".", "."},
	    {"/", "/", "/"},	       {"//", "/", "/"},
	    {"///", "/", "/"},	       {"usr", "usr", "."},
	    {"usr/", "usr", "."},      {"/usr", "usr", "/"},
	    {"/usr/", "usr", "/"},     {"/usr/lib", "lib", "/usr"},
	    {"a//b", "b", "a"},	       {"/a//b//", "b", "/a"},
	    {".", ".", "."},	       {"..", "..", "."},
	    {"//x", "x", "/"},	       {"./a", "a", "."},
	    {"a/b/c/d", "d", "a/b/c"},
	};
	struct fix f;
	char s[16600];

	fix_start(&f, sizes[_i]);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		put(&f, 1, table[i].path);
		call(&f, "rt_basename", 1, at(&f, 0), at(&f, 1));
		expect(&f, 0, table[i].base);
		call(&f, "rt_dirname", 1, at(&f, 0), at(&f, 1));
		expect(&f, 0, table[i].dir);
	}
	for (int i = 0; i < ROUNDS; i++) {
		try_path(&f, text(&f, s, "a/"));
		try_path(&f, text(&f, s, "abcdefgh/"));
		try_path(&f, text(&f, s, "/"));
		try_path(&f, text(&f, s, "a"));
	}
	fix_end(&f);
}
END_TEST

static void try_strtok(struct fix *f, const char *s, const char *delims)
{
	char copy[16600], *save, *tok = copy;
	int64_t pos = 0;

	put(f, 1, s);
	put(f, 2, delims);
	strcpy(copy, s);
	for (tok = strtok_r(copy, delims, &save); tok; tok = strtok_r(NULL, delims, &save)) {
		size_t end = tok - copy + strlen(tok);

		pos = call(f, "rt_strtok", 1, at(f, 0), at(f, 1), at(f, 2), pos);
		expect(f, 0, tok);
		ck_assert_int_eq(pos, end);
	}
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(call(f, "rt_strtok", 1, at(f, 0), at(f, 1), at(f, 2), pos), -1);
		expect(f, 0, NULL);
	}
}

START_TEST(strings_strtok)
{
	struct fix f;
	char s[16600], d[16600];

	fix_start(&f, sizes[_i]);
	try_strtok(&f, "", "");
	try_strtok(&f, "", "/");
	try_strtok(&f, "/a/b//c/", "/");
	try_strtok(&f, "a b\tc", " \t");
	try_strtok(&f, "abc", "");
	try_strtok(&f, "\xff\1\x80", "\1");
	try_strtok(&f, "-a/b", filled(&f, d, '-', "/"));
	try_strtok(&f, filled(&f, s, '-', "a/b"), d);
	put(&f, 1, NULL);
	ck_assert_int_eq(call(&f, "rt_strtok", 1, at(&f, 0), at(&f, 1), at(&f, 2), 0), -1);
	expect(&f, 0, NULL);
	put(&f, 0, "x");
	ck_assert_int_eq(call(&f, "rt_strtok", 1, at(&f, 0), at(&f, 1), at(&f, 2), -1), -1);
	expect(&f, 0, "x");
	for (int i = 0; i < ROUNDS / 4; i++) {
		text(&f, s, "abcde");
		text(&f, d, "defgh");
		d[rnd(&f, 3)] = '\0';
		try_strtok(&f, s, d);
		try_strtok(&f, s, "ab");
	}
	fix_end(&f);
}
END_TEST

Suite *rt_suite(void)
{
	Suite *s = suite_create("rt");
	TCase *each = tcase_create("sizes"), *one = tcase_create("names");

	tcase_set_timeout(each, 60);
	tcase_add_test(one, names_known);
	tcase_add_loop_test(each, bad_offsets, 0, NSIZES);
	tcase_add_loop_test(each, end_of_slot, 0, NSIZES);
	tcase_add_loop_test(each, strings_compare, 0, NSIZES);
	tcase_add_loop_test(each, strings_find, 0, NSIZES);
	tcase_add_loop_test(each, strings_match, 0, NSIZES);
	tcase_add_loop_test(each, strings_findchr, 0, NSIZES);
	tcase_add_loop_test(each, strings_case, 0, NSIZES);
	tcase_add_loop_test(each, strings_substr, 0, NSIZES);
	tcase_add_loop_test(each, strings_path, 0, NSIZES);
	tcase_add_loop_test(each, strings_strtok, 0, NSIZES);
	suite_add_tcase(s, one);
	suite_add_tcase(s, each);
	return s;
}
