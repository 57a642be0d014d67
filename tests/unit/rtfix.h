/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The world of a routine in the interpreter: a map of slots with strings at equal distances.
 * Whatever a string does not define is filled with noise, so that a routine which looks at it is
 * found out, and whatever a routine has no business to write must come out unchanged.
 */
#ifndef DT_TEST_RTFIX_H
#define DT_TEST_RTFIX_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/rt.h"
#include "libdt/base/mem.h"
#include "libdt/simulate/bpfvm.h"

/* Sizes of strings, one for each run of a looping test. */
static const int sizes[] = {16, 24, 64, 256, 512, 520, 1024, 8192};
enum { NSIZES = ARRAY_SIZE(sizes) };

enum { NSTRINGS = 4, SLOTS = 2, ROUNDS = 800 };

/* A routine's world. */
struct fix {
	struct arena *arena;
	struct map map;
	struct rt rt;
	struct bpfvm vm;
	struct code *funcs[24]; /* the one that is called, and those that others call */
	int strsize;
	unsigned seed;
	uint8_t *mem, *before, *slot;
};

static inline unsigned rnd(struct fix *f, unsigned below)
{
	return (unsigned)rand_r(&f->seed) % below;
}

static inline uint64_t rnd64(struct fix *f)
{
	uint64_t v =
	    (uint64_t)rand_r(&f->seed) << 62 ^ (uint64_t)rand_r(&f->seed) << 31 ^ rand_r(&f->seed);

	return v >> rnd(f, 64);
}

static inline uint32_t at(const struct fix *f, int n)
{
	return n * RT_STRING(f->strsize);
}

static inline void noise(struct fix *f, uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1 + rnd(f, 255);
}

static inline void fix_start(struct fix *f, int strsize)
{
	static const char *const called[] = {
	    "rt_match",	       "rt_cleanpath_step", "rt_json_step", "rt_inet6_group",
	    "rt_strcmp_part",  "rt_match_part",	    "rt_find_part", "rt_rfind_part",
	    "rt_findchr_part", "rt_lastchr_part",   "rt_case_part", "rt_words_part",
	    "rt_scan_part",    "rt_cleanpath_part", "rt_json_part", "rt_skip",
	    "rt_skip_part",    "rt_table_part"};

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
	f->vm.nfuncs = 1;
	f->vm.helper = bpfvm_helpers;
	f->vm.helper_arg = &f->vm;
	for (size_t i = 0; i < ARRAY_SIZE(called); i++)
		f->funcs[f->vm.nfuncs++] = rt_build(&f->rt, called[i]);
}

static inline void fix_end(struct fix *f)
{
	bpfvm_done(&f->vm);
	free(f->mem);
	free(f->before);
	arena_free(f->arena);
}

/* NULL: D's NULL. */
static inline void put(struct fix *f, int n, const char *s)
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
static inline const char *get(struct fix *f, int n)
{
	const uint8_t *p = f->slot + at(f, n);
	size_t len = strnlen((const char *)p, f->strsize);

	ck_assert_int_lt(len, f->strsize);
	for (size_t i = len; i % 8 || i == len; i++)
		ck_assert_msg(!p[i] || (!len && i == 1 && p[i] == 1), "string %d: byte %zu of %zu",
			      n, i, len);
	return len || p[1] ? (const char *)p : NULL;
}

static inline void expect(struct fix *f, int n, const char *s)
{
	const char *have = get(f, n);

	if (s)
		ck_assert_ptr_nonnull(have);
	else
		ck_assert_ptr_null(have);
	if (s)
		ck_assert_str_eq(have, s);
}

/* One byte again and again, and then the end. */
static inline char *filled(struct fix *f, char *s, char c, const char *end)
{
	int n = f->strsize - 1 - (int)strlen(end);

	memset(s, c, n);
	strcpy(s + n, end);
	return s;
}

#define call(f, name, ...) \
	call_args((f), (name), sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})
/* The first string is the only one that a routine may change. */
static inline int64_t call_args(struct fix *f, const char *name, int n, const uint64_t *args)
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
static inline char *text(struct fix *f, char *s, const char *alphabet)
{
	int most = f->strsize - 1, n = rnd(f, 8) ? rnd(f, MIN(most, 24) + 1) : rnd(f, most + 1);

	if (!rnd(f, 16))
		n = most;
	for (int i = 0; i < n; i++)
		s[i] = alphabet[rnd(f, strlen(alphabet))];
	s[n] = '\0';
	return s;
}

#endif
