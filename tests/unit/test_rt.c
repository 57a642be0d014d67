/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The routines in the interpreter, against libc and against what is written here by the
 * definitions. Whatever a string does not define is filled with noise, so that a routine which
 * looks at it is found out, and whatever a routine has no business to write must come out
 * unchanged. Each test runs for several sizes of strings.
 */
#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/rt.h"
#include "libdt/base/mem.h"
#include "tests/unit/bpfvm.h"

static const int sizes[] = {16, 24, 64, 256, 1024};

enum { NSTRINGS = 4, SLOTS = 2, ROUNDS = 800 };

/* A routine's world. */
struct fix {
	struct arena *arena;
	struct map map;
	struct rt rt;
	struct bpfvm vm;
	struct code *funcs[2];
	int strsize;
	unsigned seed;
	uint8_t *mem, *before, *slot;
};

static const char *const names[] = {
    "rt_strcmp",  "rt_match",	"rt_find",     "rt_rfind",     "rt_findchr",
    "rt_case",	  "rt_substr",	"rt_basename", "rt_dirname",   "rt_strtok",
    "rt_strtoll", "rt_lltostr", "rt_quantize", "rt_progenyof",
};

static unsigned rnd(struct fix *f, unsigned below)
{
	return (unsigned)rand_r(&f->seed) % below;
}

static uint64_t rnd64(struct fix *f)
{
	uint64_t v =
	    (uint64_t)rand_r(&f->seed) << 62 ^ (uint64_t)rand_r(&f->seed) << 31 ^ rand_r(&f->seed);

	return v >> rnd(f, 64);
}

static uint32_t at(const struct fix *f, int n)
{
	return n * RT_STRING(f->strsize);
}

static void noise(struct fix *f, uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1 + rnd(f, 255);
}

static void fix_start(struct fix *f, int strsize)
{
	memset(f, 0, sizeof(*f));
	f->strsize = strsize;
	f->seed = 1 + strsize;
	f->arena = arena_new();
	f->rt.arena = f->arena;
	f->rt.scratch = &f->map;
	f->rt.strsize = strsize;
	f->rt.slot_size = NSTRINGS * RT_STRING(strsize) + RT_PRIVATE(strsize);
	f->map.type = BPF_MAP_TYPE_ARRAY;
	f->map.key_size = 4;
	f->map.value_size = f->rt.slot_size;
	f->map.max_entries = SLOTS;
	f->map.fd = -1;
	f->mem = f->map.mem = xmalloc(SLOTS * f->rt.slot_size);
	f->before = xmalloc(SLOTS * f->rt.slot_size);
	f->slot = f->mem + f->rt.slot_size;
	f->map.mem_size = SLOTS * f->rt.slot_size;
	noise(f, f->mem, f->map.mem_size);
	f->vm.funcs = f->funcs;
	f->vm.nfuncs = 2;
	f->vm.helper = bpfvm_helpers;
	f->vm.helper_arg = &f->vm;
	f->funcs[1] = rt_build(&f->rt, "rt_match");
}

static void fix_end(struct fix *f)
{
	bpfvm_done(&f->vm);
	free(f->mem);
	free(f->before);
	arena_free(f->arena);
}

/* NULL: D's NULL. */
static void put(struct fix *f, int n, const char *s)
{
	uint8_t *p = f->slot + at(f, n);
	size_t len = s ? strlen(s) : 0;

	ck_assert_int_lt(len, f->strsize);
	noise(f, p, RT_STRING(f->strsize));
	memcpy(p, s ? s : "", len);
	memset(p + len, 0, 8 - len % 8);
	if (s && !*s)
		p[1] = 1;
}

/* The string, after a check of its form; NULL for D's NULL. */
static const char *get(struct fix *f, int n)
{
	const uint8_t *p = f->slot + at(f, n);
	size_t len = strnlen((const char *)p, f->strsize);

	ck_assert_int_lt(len, f->strsize);
	for (size_t i = len; i % 8 || i == len; i++)
		ck_assert_msg(!p[i] || (!len && i == 1 && p[i] == 1), "string %d: byte %zu of %zu",
			      n, i, len);
	return len || p[1] ? (const char *)p : NULL;
}

static void expect(struct fix *f, int n, const char *s)
{
	const char *have = get(f, n);

	if (s)
		ck_assert_ptr_nonnull(have);
	else
		ck_assert_ptr_null(have);
	if (s)
		ck_assert_str_eq(have, s);
}

#define call(f, name, ...)                                                                         \
	call_args((f), (name), sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})
/* The first string is the only one that a routine may change. */
static int64_t call_args(struct fix *f, const char *name, int n, const uint64_t *args)
{
	size_t from = f->slot - f->mem, dst = RT_STRING(f->strsize);
	int64_t r;

	f->funcs[0] = rt_build(&f->rt, name);
	ck_assert_ptr_nonnull(f->funcs[0]);
	ck_assert_msg(!f->funcs[0]->error, "%s: %s", name, f->funcs[0]->error);
	memcpy(f->before, f->mem, f->map.mem_size);
	r = bpfvm_run(&f->vm, f->funcs[0], n, args);
	ck_assert_msg(!f->vm.error, "%s: %s: %s", name, f->vm.error, f->vm.message);
	ck_assert_mem_eq(f->mem, f->before, from);
	ck_assert_mem_eq(f->slot + dst, f->before + from + dst, (NSTRINGS - 1) * dst);
	return r;
}

/* A random string over an alphabet; often short, sometimes as long as can be. */
static char *text(struct fix *f, char *s, const char *alphabet)
{
	int most = f->strsize - 1, n = rnd(f, 8) ? rnd(f, MIN(most, 24) + 1) : rnd(f, most + 1);

	if (!rnd(f, 16))
		n = most;
	for (int i = 0; i < n; i++)
		s[i] = alphabet[rnd(f, strlen(alphabet))];
	s[n] = '\0';
	return s;
}

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
	char a[2048], b[2048];

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
	char hay[2048], needle[2048];

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
	char a[2048], b[2048];

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
	char s[2048];

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
	char all[256], s[2048], up[2048], down[2048];

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
	char want[2048];

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
	char s[2048];

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
	char base[2048], dir[2048];

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
	char s[2048];

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
	char copy[2048], *save, *tok = copy;
	int64_t pos = 0;

	put(f, 1, s);
	put(f, 2, delims);
	strcpy(copy, s);
	for (tok = strtok_r(copy, delims, &save); tok; tok = strtok_r(NULL, delims, &save)) {
		size_t end = tok - copy + strlen(tok);

		pos = call(f, "rt_strtok", 1, at(f, 0), at(f, 1), at(f, 2), pos);
		expect(f, 0, tok);
		ck_assert_int_eq(pos, s[end] ? end + 1 : end);
	}
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(call(f, "rt_strtok", 1, at(f, 0), at(f, 1), at(f, 2), pos), -1);
		expect(f, 0, NULL);
	}
}

START_TEST(strings_strtok)
{
	struct fix f;
	char s[2048], d[2048];

	fix_start(&f, sizes[_i]);
	try_strtok(&f, "", "");
	try_strtok(&f, "", "/");
	try_strtok(&f, "/a/b//c/", "/");
	try_strtok(&f, "a b\tc", " \t");
	try_strtok(&f, "abc", "");
	try_strtok(&f, "\xff\1\x80", "\1");
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
	char s[2048];

	fix_start(&f, sizes[_i]);
	for (int base = -1; base <= 37; base++) {
		for (size_t i = 0; i < ARRAY_SIZE(corners); i++)
			try_strtoll(&f, corners[i], base);
		for (size_t i = 0; i < ARRAY_SIZE(wide) && f.strsize > 32; i++)
			try_strtoll(&f, wide[i], base);
	}
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

static int want_quantize(int64_t v)
{
	int k = 0;

	if (!v)
		return 63;
	for (uint64_t n = v < 0 ? 0 - (uint64_t)v : (uint64_t)v; n > 1; n /= 2)
		k++;
	return v > 0 ? 64 + k : MAX(62 - k, 0);
}

START_TEST(numbers_quantize)
{
	struct fix f;

	fix_start(&f, 16);
	for (int k = 0; k < 64; k++)
		for (int d = -2; d <= 2; d++) {
			int64_t v = (1ULL << k) + d;

			ck_assert_int_eq(call(&f, "rt_quantize", v), want_quantize(v));
			v = 0 - (uint64_t)v;
			ck_assert_int_eq(call(&f, "rt_quantize", v), want_quantize(v));
		}
	ck_assert_int_eq(call(&f, "rt_quantize", INT64_MIN), 0);
	ck_assert_int_eq(call(&f, "rt_quantize", INT64_MAX), 126);
	for (int i = 0; i < 20000; i++) {
		int64_t v = rnd(&f, 2) ? rnd64(&f) : -rnd64(&f);

		ck_assert_int_eq(call(&f, "rt_quantize", v), want_quantize(v));
	}
	fix_end(&f);
}
END_TEST

/* Orders as llquantize(factor, low, high, steps) has them, for parameters that fit. */
static int make_orders(struct rt_order *o, uint64_t factor, int low, int high, uint64_t steps,
		       int *side)
{
	uint64_t lo = 1, m = steps / factor;
	int n = 0;

	for (int i = 0; i < low; i++)
		lo *= factor;
	*side = 0;
	for (int i = low; i <= high; i++, n++) {
		o[n] = (struct rt_order){.lo = lo, .width = MAX(lo / m, 1), .first = *side + 1};
		if (__builtin_mul_overflow(lo, factor, &o[n].end))
			o[n].end = UINT64_MAX;
		*side += MIN(lo, m) * (factor - 1);
		lo = o[n].end;
	}
	return n;
}

static int want_llquantize(int64_t v, const struct rt_order *o, int n, int side)
{
	uint64_t m = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	int k = m < o[0].lo ? 0 : side + 1;

	for (int i = 0; i < n; i++)
		if (m >= o[i].lo && m < o[i].end)
			k = o[i].first + (int)((m - o[i].lo) / o[i].width);
	return v < 0 ? side + 1 - k : side + 1 + k;
}

START_TEST(numbers_llquantize)
{
	static const struct {
		int factor, low, high, steps;
	} params[] = {{10, 0, 6, 20},  {10, 3, 3, 10}, {2, 0, 63, 2}, {10, 0, 18, 100},
		      {10, 2, 19, 10}, {3, 1, 5, 9},   {2, 62, 62, 8}};
	struct rt_order orders[64];
	struct fix f;

	fix_start(&f, 16);
	for (size_t i = 0; i < ARRAY_SIZE(params); i++) {
		char name[32];
		int side, n = make_orders(orders, params[i].factor, params[i].low, params[i].high,
					  params[i].steps, &side);
		struct code *c;

		snprintf(name, sizeof(name), "rt_llq_%zu", i);
		c = rt_build_llquantize(&f.rt, name, orders, n, side);
		ck_assert_ptr_null(c->error);
		ck_assert_ptr_eq(rt_build(&f.rt, name), c);
		for (int k = 0; k < 64; k++)
			for (int d = -2; d <= 2; d++) {
				int64_t v = (k < n ? orders[k].lo : 1ULL << k) + d,
					neg = 0 - (uint64_t)v;

				ck_assert_int_eq(call(&f, name, v),
						 want_llquantize(v, orders, n, side));
				ck_assert_int_eq(call(&f, name, neg),
						 want_llquantize(neg, orders, n, side));
			}
		for (int k = 0; k < 5000; k++) {
			int64_t v = rnd(&f, 2) ? rnd64(&f) : -rnd64(&f);

			ck_assert_int_eq(call(&f, name, v), want_llquantize(v, orders, n, side));
		}
		ck_assert_int_eq(call(&f, name, INT64_MIN),
				 want_llquantize(INT64_MIN, orders, n, side));
		ck_assert_int_eq(call(&f, name, 0), side + 1);
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
	tasks[5].tgid = 1; /* nobody looks beyond init */
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

Suite *rt_suite(void)
{
	Suite *s = suite_create("rt");
	TCase *each = tcase_create("sizes"), *one = tcase_create("numbers");
	const int n = ARRAY_SIZE(sizes);

	tcase_set_timeout(each, 60);
	tcase_set_timeout(one, 60);
	tcase_add_loop_test(each, bad_offsets, 0, n);
	tcase_add_loop_test(each, end_of_slot, 0, n);
	tcase_add_loop_test(each, strings_compare, 0, n);
	tcase_add_loop_test(each, strings_find, 0, n);
	tcase_add_loop_test(each, strings_match, 0, n);
	tcase_add_loop_test(each, strings_findchr, 0, n);
	tcase_add_loop_test(each, strings_case, 0, n);
	tcase_add_loop_test(each, strings_substr, 0, n);
	tcase_add_loop_test(each, strings_path, 0, n);
	tcase_add_loop_test(each, strings_strtok, 0, n);
	tcase_add_loop_test(each, strings_strtoll, 0, n);
	tcase_add_loop_test(each, strings_lltostr, 0, n);
	tcase_add_test(one, names_known);
	tcase_add_test(one, numbers_quantize);
	tcase_add_test(one, numbers_llquantize);
	tcase_add_test(one, numbers_progenyof);
	suite_add_tcase(s, each);
	suite_add_tcase(s, one);
	return s;
}
