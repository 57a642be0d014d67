/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unwind tables: what .eh_frame says, and how programs of the kernel find it. */
#include <check.h>
#include <elf.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/engine/unwind_quota.h"
#include "libdt/engine/unwind_table.h"
#include "libdt/process/cfi.h"
#include "libdt/process/foreign.h"
#include "libdt/process/object.h"
#include "tests/unit/userfix.h"

/* The rule at an address. */
static uint32_t rule_at(struct object *o, uint64_t addr)
{
	int n;
	const struct cfi_row *rows = object_unwind(o, &n);
	uint32_t rule = CFI_UNKNOWN;

	for (int i = 0; i < n && rows[i].addr <= addr; i++)
		rule = rows[i].rule;
	return rule;
}

#define RULE(kind, fp, off) ((kind) | (fp) << CFI_FP_SHIFT | (off) << CFI_OFF_SHIFT)

/* A section at 0x1000: a CIE with augmentation, and functions at 0x2000, 0x2040 (with its own way
 * back), 0x3000 and 0x3020. */
START_TEST(frames)
{
	static const uint8_t section[] = {
	    0x14,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	    1,
	    'z',
	    'R',
	    0,
	    1,
	    0x78,
	    16,
	    1,
	    0x1b,
	    0x0c,
	    7,
	    8,
	    0x90,
	    1,
	    0,
	    0,
	    /* at 0x18, its begin at 0x1020: push %rbp; mov %rsp,%rbp; ...; leave, at 0x3f */
	    0x1c,
	    0,
	    0,
	    0,
	    0x1c,
	    0,
	    0,
	    0,
	    0xe0,
	    0x0f,
	    0,
	    0,
	    0x40,
	    0,
	    0,
	    0,
	    0,
	    0x41,
	    0x0e,
	    16,
	    0x86,
	    2,
	    0x43,
	    0x0d,
	    6,
	    0x7b,
	    0x0c,
	    7,
	    8,
	    0xc6,
	    0,
	    0,
	    /* at 0x38, begin at 0x1040: sub $1024 (two bytes of LEB), remember, lose the
		 * return address, recall */
	    0x1c,
	    0,
	    0,
	    0,
	    0x3c,
	    0,
	    0,
	    0,
	    0x00,
	    0x10,
	    0,
	    0,
	    0x20,
	    0,
	    0,
	    0,
	    0,
	    0x47,
	    0x0e,
	    0x88,
	    0x08,
	    0x41,
	    0x0a,
	    0x07,
	    16,
	    0x41,
	    0x0b,
	    0,
	    0,
	    0,
	    0,
	    0,
	    /* at 0x58, begin at 0x1060: a PLT's expression, from 11 bytes on */
	    0x20,
	    0,
	    0,
	    0,
	    0x5c,
	    0,
	    0,
	    0,
	    0xa0,
	    0x1f,
	    0,
	    0,
	    0x10,
	    0,
	    0,
	    0,
	    0,
	    0x0f,
	    11,
	    0x77,
	    8,
	    0x80,
	    0,
	    0x3f,
	    0x1a,
	    0x3b,
	    0x2a,
	    0x33,
	    0x24,
	    0x22,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	    /* at 0x7c, begin at 0x1084: the stack pointer is kept in a word above it */
	    0x18,
	    0,
	    0,
	    0,
	    0x80,
	    0,
	    0,
	    0,
	    0x9c,
	    0x1f,
	    0,
	    0,
	    0x10,
	    0,
	    0,
	    0,
	    0,
	    0x0f,
	    5,
	    0x77,
	    24,
	    6,
	    0x23,
	    8,
	    0x86,
	    3,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	};
	static const struct {
		uint32_t addr, rule;
	} want[] = {
	    {0x2000, RULE(CFI_SP, 0, 1)},
	    {0x2001, RULE(CFI_SP, 2, 2)},
	    {0x2004, RULE(CFI_FP, 2, 2)},
	    {0x203f, RULE(CFI_SP, 0, 1)}, /* and 0x2040 is the same */
	    {0x2047, RULE(CFI_SP, 0, 129)},
	    {0x2048, CFI_END},
	    {0x2049, RULE(CFI_SP, 0, 129)},
	    {0x2060, CFI_UNKNOWN},
	    {0x3000, RULE(CFI_SPECIAL, 0, 11)},
	    {0x3010, CFI_UNKNOWN},
	    {0x3020, RULE(CFI_SPECIAL, 3, CFI_KEPT + 1 + 3)},
	    {0x3030, CFI_UNKNOWN},
	};
	struct cfi cfi = {0};

	cfi_parse(&cfi, &machine_x86_64, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(want));
	for (int i = 0; i < cfi.rows.n; i++) {
		ck_assert_uint_eq(cfi.rows.v[i].addr, want[i].addr);
		ck_assert_uint_eq(cfi.rows.v[i].rule, want[i].rule);
	}
	cfi_free(&cfi);
	for (size_t len = 0; len < sizeof(section); len++) /* cut anywhere */
		cfi_parse(&cfi, &machine_x86_64, section, len, 0x1000);
	cfi_free(&cfi);
}
END_TEST

/* At 0x2000 a function that pushes %rbx, at 0x2040 one whose base is by %rbx: only with the latter
 * rules have rbx. */
START_TEST(frames_by_bx)
{
	/* clang-format off */
	static const uint8_t section[] = {
	    0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
	    0x0c, 7, 8, 0x90, 1, 0, 0,
	    0x14, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0x0f, 0, 0, 0x40, 0, 0, 0, 0,
	    0x41, 0x0e, 16, 0x83, 2, 0, 0,
	    0x18, 0, 0, 0, 0x34, 0, 0, 0, 0x08, 0x10, 0, 0, 0x20, 0, 0, 0, 0,
	    0x42, 0x0c, 3, 32, 0x83, 4, 0x44, 0x0c, 7, 8, 0xc3,
	};
	/* clang-format on */
	enum { SAVED = 1u << CFI_BX_SHIFT };
	static const struct cfi_row without[] = {
	    {0x2000, RULE(CFI_SP, 0, 1)},
	    {0x2001, RULE(CFI_SP, 0, 2)},
	    {0x2040, CFI_UNKNOWN},
	};
	static const struct cfi_row with[] = {
	    {0x2000, RULE(CFI_SP, 0, 1) | CFI_BX_KNOWN},
	    {0x2001, RULE(CFI_SP, 0, 2) | CFI_BX_KNOWN | 2 * SAVED},
	    {0x2040, RULE(CFI_SP, 0, 1) | CFI_BX_KNOWN},
	    {0x2042, RULE(CFI_SPECIAL, 0, CFI_BX + 4)},
	    {0x2046, RULE(CFI_SP, 0, 1) | CFI_BX_KNOWN},
	    {0x2060, CFI_UNKNOWN},
	};
	struct cfi cfi = {0};

	cfi_parse(&cfi, &machine_x86_64, section, 0x30, 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(without));
	ck_assert_mem_eq(cfi.rows.v, without, sizeof(without));
	cfi_parse(&cfi, &machine_x86_64, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(with));
	ck_assert_mem_eq(cfi.rows.v, with, sizeof(with));
	cfi_free(&cfi);
}
END_TEST

/* A section of functions for aarch64, some as gcc 12 writes them with -fomit-frame-pointer and
 * -mbranch-protection=standard. */
START_TEST(frames_aarch64)
{
	enum { FDE = 40, HEAD = 17, WANT = 4 };
	/* clang-format off */
	static const uint8_t cie[] = {
	    17, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0x03, 0x0c, 31, 0, 0,
	};
	static const struct {
		uint32_t addr, size;
		uint8_t program[FDE - HEAD];
		struct cfi_row want[WANT];
	} funcs[] = {
	    /* paciasp; stp x19, x30, [sp, -16]! */
	    {0x2000, 0x20,
	     {0x41, 0x2d, 0x41, 0x0e, 16, 0x93, 2, 0x9e, 1, 0x44, 0xde, 0xd3, 0x0e, 0, 0x41, 0x2d},
	     {{0x2000, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2008, RULE(CFI_SP, 1, 2) | CFI_ONE},
	      {0x2018, RULE(CFI_SP, 0, 0) | CFI_LINK}}},
	    /* large: the saved words are at its lower end */
	    {0x2040, 0x38,
	     {0x42, 0x0e, 0xa0, 0x27, 0x41, 0x93, 0xf4, 4, 0x9e, 0xf3, 4, 0x48, 0xd3, 0xde, 0x0e,
	      0},
	     {{0x2040, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2048, RULE(CFI_SP, 0, 628) | CFI_LINK},
	      {0x204c, RULE(CFI_SP, 1, 628) | CFI_ONE | CFI_FROM_REG},
	      {0x206c, RULE(CFI_SP, 0, 0) | CFI_LINK}}},
	    /* by the frame pointer */
	    {0x2080, 0x40,
	     {0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x42, 0x0d, 29, 0x42, 0x93, 2, 0x4a, 0xde, 0xdd,
	      0xd3, 0x0c, 31, 0},
	     {{0x2080, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2084, RULE(CFI_SP, 4, 4)},
	      {0x208c, RULE(CFI_FP, 4, 4)}, {0x20bc, RULE(CFI_SP, 0, 0) | CFI_LINK}}},
	    /* the dynamic linker's: a PLT has pushed the return address as the second word */
	    {0x2100, 0x20, {0x11, 30, 0x7f, 0x41, 0x0e, 0xd0, 1},
	     {{0x2100, RULE(CFI_SP, 1, 2) | CFI_ONE}, {0x2104, RULE(CFI_SP, 1, 28) | CFI_ONE}}},
	    {0x2140, 0x20, {0x41, 0x07, 30},
	     {{0x2140, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2144, CFI_END}}},
	    /* the frame pointer alone, and a signature with the program counter */
	    {0x21c0, 0x20, {0x41, 0x2c, 0x0e, 32, 0x9d, 2},
	     {{0x21c0, RULE(CFI_SP, 0, 0) | CFI_LINK},
	      {0x21c4, RULE(CFI_SP, 2, 4) | CFI_LINK | CFI_ONE}}},
	    /* no rules of ours: apart, too far from both ends, too large, an expression */
	    {0x2200, 0x20, {0x0e, 32, 0x9d, 4, 0x9e, 1, 0x41, 0xdd},
	     {{0x2204, RULE(CFI_SP, 1, 4) | CFI_ONE}}},
	    {0x2240, 0x20, {0x0e, 0x80, 0xf4, 3, 0x9d, 0xa0, 0x1f, 0x9e, 0x9f, 0x1f}, {{0}}},
	    {0x2280, 0x20, {0x0e, 0x80, 0x80, 0x80, 1, 0x41, 0x0e, 0xf8, 0xff, 0x7f},
	     {{0x2284, RULE(CFI_SP, 0, (1 << CFI_LINK_OFF_BITS) - 1) | CFI_LINK}}},
	    {0x22c0, 0x20, {0x0f, 2, 0x8f, 16}, {{0}}},
	};
	/* clang-format on */
	uint8_t section[sizeof(cie) + ARRAY_SIZE(funcs) * FDE] = {0}, *to = section + sizeof(cie);
	struct cfi_row want[(WANT + 1) * ARRAY_SIZE(funcs)];
	struct cfi cfi = {0};
	int n = 0;

	memcpy(section, cie, sizeof(cie));
	for (uint32_t i = 0; i < ARRAY_SIZE(funcs); i++, to += FDE) {
		uint32_t head[4] = {FDE - 4, (uint32_t)(to + 4 - section), funcs[i].addr,
				    funcs[i].size};

		memcpy(to, head, sizeof(head));
		memcpy(to + HEAD, funcs[i].program, sizeof(funcs[i].program));
		for (int k = 0; k < WANT && funcs[i].want[k].addr; k++)
			want[n++] = funcs[i].want[k];
		if (want[n - 1].rule != CFI_UNKNOWN)
			want[n++] = (struct cfi_row){funcs[i].addr + funcs[i].size, CFI_UNKNOWN};
	}
	cfi_parse(&cfi, &machine_aarch64, section, sizeof(section), 0x1000);
	for (int i = 0; i < MIN(n, cfi.rows.n); i++) {
		ck_assert_uint_eq(cfi.rows.v[i].addr, want[i].addr);
		ck_assert_uint_eq(cfi.rows.v[i].rule, want[i].rule);
	}
	ck_assert_int_eq(cfi.rows.n, n);
	cfi_parse(&cfi, &machine_x86_64, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, 0);
	cfi_free(&cfi);
}
END_TEST

START_TEST(frames_spoilt)
{
	char *why;
	struct object *o = object_open("/proc/self/exe", &why);
	const struct object_sym *s = sym_named(o, "user_test_function");
	const struct machine *machine = machine_of(object_machine(o));
	struct cfi cfi = {0};
	const uint8_t *data;
	unsigned seed = 1;
	uint64_t addr;
	uint8_t *copy;
	size_t len;

	if (!machine->unwind.known)
		machine = &machine_x86_64;
	/* at its entry */
	if (object_machine(o) == EM_X86_64)
		ck_assert_uint_eq(rule_at(o, s->addr), RULE(CFI_SP, 0, 1));
	else if (object_machine(o) == EM_AARCH64)
		ck_assert_uint_eq(rule_at(o, s->addr), RULE(CFI_SP, 0, 0) | CFI_LINK);
	data = object_section(o, ".eh_frame", &len, &addr);
	ck_assert_ptr_nonnull(data);
	len = MIN(len, 20000u);
	copy = malloc(len);
	for (int i = 0; i < 200; i++) {
		int unordered = 0;

		memcpy(copy, data, len);
		for (int k = 0; k < 1 + i; k++)
			copy[rand_r(&seed) % len] = rand_r(&seed);
		cfi_parse(&cfi, machine, copy, len, addr);
		for (int k = 1; k < cfi.rows.n; k++)
			unordered += cfi.rows.v[k - 1].addr >= cfi.rows.v[k].addr;
		ck_assert_int_eq(unordered, 0);
		cfi_free(&cfi);
	}
	free(copy);
	object_close(o);
}
END_TEST

/* The reader's rows are those of dtrace itself. */
START_TEST(frames_foreign)
{
	struct foreign *reader = foreign_new(256 << 20, 60000000000ull, no_report, NULL);
	struct foreign_file found;
	char path[PATH_MAX] = "", *why;
	struct object *own = object_open("/proc/self/exe", &why), *o;
	int n, n_own;
	const struct cfi_row *rows, *own_rows = object_unwind(own, &n_own);

	ck_assert_int_gt(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
	ck_assert_int_eq(foreign_find_here(reader, 0, path, &found), 0);
	o = object_open_file(reader, &found, &why);
	ck_assert_ptr_nonnull(o);
	rows = object_unwind(o, &n);
	ck_assert_int_eq(n, n_own);
	ck_assert_int_eq(n > 0, machine_of(object_machine(o))->unwind.known);
	ck_assert(!n || !memcmp(rows, own_rows, n * sizeof(*rows)));
	object_close(o);
	object_close(own);
	foreign_free(reader);
}
END_TEST

/* Functions in no order, and such that overlap. */
START_TEST(frames_order)
{
	enum { FUNCTIONS = 300, SIZE = 0x20, FDE = 24 };
	static const uint8_t cie[] = {13,  0,	0, 0, 0,    0,	0, 0,	1,
				      'z', 'R', 0, 1, 0x78, 16, 1, 0x1b};
	uint8_t data[sizeof(cie) + FUNCTIONS * FDE] = {0}, *to = data + sizeof(cie);
	struct cfi cfi = {0};
	uint32_t addr = 0x1000;

	memcpy(data, cie, sizeof(cie));
	for (uint32_t i = 0; i < FUNCTIONS; i++, to += FDE) {
		uint32_t place = 0x100000 + i * 77 % FUNCTIONS * SIZE,
			 size = i % 10 ? SIZE : SIZE + 8,
			 fde[4] = {FDE - 4, (uint32_t)(to + 4 - data),
				   place - (addr + (uint32_t)(to + 8 - data)), size};

		memcpy(to, fde, sizeof(fde));
		/* the base is the stack pointer plus so much, the return address 8 below */
		memcpy(&to[17], (uint8_t[]){0x0c, 7, 8 * (1 + i % 7), 0x90, 1}, 5);
	}
	cfi_parse(&cfi, &machine_x86_64, data, sizeof(data), addr);
	ck_assert_int_gt(cfi.rows.n, FUNCTIONS / 2);
	for (int i = 1; i < cfi.rows.n; i++) {
		ck_assert_uint_lt(cfi.rows.v[i - 1].addr, cfi.rows.v[i].addr);
		ck_assert_uint_ne(cfi.rows.v[i - 1].rule, cfi.rows.v[i].rule);
	}
	cfi_free(&cfi);
}
END_TEST

/* The rule that the routine in the kernel finds (bpf/rt_unwind.c). */
static uint32_t packed_rule(const struct unwind_table *t, uint64_t addr)
{
	uint64_t rel = addr - t->base, block = rel >> UNWIND_BLOCK_BITS;
	uint32_t low = rel & ((1 << UNWIND_BLOCK_BITS) - 1), at;

	if (block >= t->nblocks)
		return CFI_UNKNOWN;
	at = t->words.v[block];
	while (at < t->words.v[block + 1] &&
	       (t->words.v[at] & ((1 << UNWIND_BLOCK_BITS) - 1)) <= low)
		at++;
	return t->words.v[t->nblocks + 1 + (t->words.v[at - 1] >> UNWIND_BLOCK_BITS)];
}

static uint32_t rule_of_rows(const struct cfi_row *rows, int n, uint64_t addr)
{
	uint32_t rule = CFI_UNKNOWN;

	for (int i = 0; i < n && rows[i].addr <= addr; i++)
		rule = rows[i].rule;
	return rule;
}

START_TEST(frames_packed)
{
	enum { ROWS = 2000 };
	struct cfi_row rows[ROWS];
	struct unwind_table t;
	unsigned seed = 7;
	uint32_t addr = 0x412345;

	for (int i = 0; i < ROWS; i++) { /* blocks with many rows, with one, and with none */
		rows[i] = (struct cfi_row){addr, RULE(CFI_SP, i % 5, 1 + i % 50)};
		addr += i % 100 ? 1 + rand_r(&seed) % 300 : rand_r(&seed) % 300000;
	}
	unwind_table_pack(&t, rows, ROWS);
	ck_assert_uint_eq(t.base, 0x410000);
	ck_assert_int_lt(t.words.n, ROWS + 1000);
	for (int i = 0; i < ROWS; i++)
		for (int k = -1; k < 2; k++)
			ck_assert_uint_eq(packed_rule(&t, rows[i].addr + k),
					  rule_of_rows(rows, ROWS, rows[i].addr + k));
	ck_assert_uint_eq(packed_rule(&t, t.base), CFI_UNKNOWN);
	ck_assert_uint_eq(packed_rule(&t, rows[ROWS - 1].addr + 0x20000), CFI_UNKNOWN);
	unwind_table_free(&t);
	rows[5].addr = 7; /* not ascending: as if it was not there */
	unwind_table_pack(&t, rows, ROWS);
	ck_assert_uint_eq(packed_rule(&t, rows[4].addr), rows[4].rule);
	ck_assert_uint_eq(packed_rule(&t, rows[6].addr), rows[6].rule);
	unwind_table_free(&t);
	unwind_table_pack(&t, rows, 0);
	ck_assert_uint_eq(t.nblocks, 0);
	unwind_table_free(&t);
}
END_TEST

/* More rules than a row can number: those of the rest are unknown. */
START_TEST(frames_rules)
{
	enum { ROWS = UNWIND_RULES_MAX + 100 };
	struct cfi_row *rows = xcalloc(ROWS, sizeof(*rows));
	struct unwind_table t;

	for (uint32_t i = 0; i < ROWS; i++)
		rows[i] = (struct cfi_row){0x10 + i, RULE(CFI_SP, 0, 1 + i)};
	unwind_table_pack(&t, rows, ROWS);
	ck_assert_uint_eq(packed_rule(&t, 0x10), rows[0].rule);
	ck_assert_uint_eq(packed_rule(&t, 0x10 + 1000), rows[1000].rule);
	ck_assert_uint_eq(packed_rule(&t, 0x10 + ROWS - 1), CFI_UNKNOWN);
	unwind_table_free(&t);
	free(rows);
}
END_TEST

/* Rows where no code is are dropped, and all of a file whose index would be larger than what it
 * leads to. */
START_TEST(frames_sparse)
{
	enum { MANY = 20000 };
	static const struct cfi_row far[] = {{0x1000, RULE(CFI_SP, 0, 1)},
					     {0xfffff000, RULE(CFI_SP, 0, 2)}};
	struct segment parts[] = {
	    {.addr = 0, .filesz = 0x1000},
	    {.addr = 0x1000, .filesz = 0x1000, .memsz = 0x1000, .code = true},
	    {.addr = 0x10000000, .filesz = 0xf0000000, .memsz = 0xf0000000},
	};
	struct segments s = {.v = {.v = parts, .n = ARRAY_SIZE(parts)}};
	struct cfi_row *rows = xcalloc(MANY, sizeof(*rows));
	struct cfi cfi = unwind_table_rows(&s, far, 2);

	ck_assert_int_eq(cfi.rows.n, 1);
	ck_assert_uint_eq(cfi.rows.v[0].addr, 0x1000);
	cfi_free(&cfi);
	parts[2].code = true;
	cfi = unwind_table_rows(&s, far, 2);
	ck_assert_int_eq(cfi.rows.n, 0);
	for (uint32_t i = 0; i < MANY; i++) /* two in each block, in any order */
		rows[(i + 7) % MANY] = (struct cfi_row){0x10000000 + i * 0x8000, 1};
	cfi = unwind_table_rows(&s, rows, MANY);
	ck_assert_int_eq(cfi.rows.n, MANY);
	cfi_free(&cfi);
	free(rows);
}
END_TEST

/* Files of one user take all; what others need then is the user's that has the most. */
START_TEST(frames_shares)
{
	struct unwind_quota r = {.size = 1000};
	uint32_t first, victim;

	ck_assert(unwind_quota_take(&r, 0, 1, 100, &first) && first == 0);
	for (uint32_t i = 0; i < 9; i++)
		ck_assert(unwind_quota_take(&r, 7, 2 + i, 100, &first) && first == 900 - 100 * i);
	ck_assert(!unwind_quota_take(&r, 8, 20, 200, &first));
	ck_assert(!unwind_quota_has(&r, 1));
	ck_assert(!unwind_quota_victim(&r, 7, 1, &victim)); /* root's are not given up */
	ck_assert(unwind_quota_victim(&r, 0, 900, &victim) && victim == 7);
	ck_assert(!unwind_quota_victim(&r, 0, 901, &victim)); /* it would not help */
	ck_assert(!unwind_quota_victim(&r, 8, 900, &victim)); /* it would have as much */
	ck_assert(unwind_quota_victim(&r, 8, 200, &victim) && victim == 7);
	unwind_quota_drop(&r, 7, 5);
	ck_assert(unwind_quota_take(&r, 8, 20, 200, &first) && first == 800);
	ck_assert(unwind_quota_take(&r, 0, 21, 450, &first) && first == 100);
	/* 8 has 200 and 7 has 100, and 100 are free in a piece */
	ck_assert(!unwind_quota_victim(&r, 7, 160, &victim));
	ck_assert(!unwind_quota_victim(&r, 9, 250, &victim));
	ck_assert(unwind_quota_victim(&r, 9, 160, &victim) && victim == 8);
	unwind_quota_give(&r, 20, 0);
	ck_assert(!unwind_quota_victim(&r, 9, 160, &victim));
	unwind_quota_drop_table(&r, 20);
	ck_assert(unwind_quota_has(&r, 300) && !unwind_quota_has(&r, 301));
	unwind_quota_free(&r);
}
END_TEST

/* A program of a million steps that each of many functions goes through first: reading it has an
 * end. */
START_TEST(frames_long)
{
	enum { STEPS = 1 << 20, FUNCTIONS = 40000, FDE = 24 };
	static const uint8_t cie[] = {0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b};
	uint32_t size = sizeof(cie) + STEPS, len = 4 + size + FUNCTIONS * FDE;
	uint8_t *data = xcalloc(1, len), *to = data;
	struct cfi cfi = {0};

	memcpy(to, &size, 4);
	memcpy(to + 4, cie, sizeof(cie));
	to += 4 + size;
	for (int i = 0; i < FUNCTIONS; i++, to += FDE) {
		uint32_t fde[4] = {FDE - 4, (uint32_t)(to + 4 - data), 0x100, 0x10};

		memcpy(to, fde, sizeof(fde));
	}
	cfi_parse(&cfi, &machine_x86_64, data, len, 0x1000000);
	ck_assert_int_gt(cfi.rows.n, 0);
	ck_assert_int_lt(cfi.rows.n, FUNCTIONS);
	cfi_free(&cfi);
	free(data);
}
END_TEST

Suite *cfi_suite(void)
{
	Suite *s = suite_create("cfi");
	TCase *t = tcase_create("cfi");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, frames);
	tcase_add_test(t, frames_by_bx);
	tcase_add_test(t, frames_aarch64);
	tcase_add_test(t, frames_spoilt);
	tcase_add_test(t, frames_foreign);
	tcase_add_test(t, frames_long);
	tcase_add_test(t, frames_order);
	tcase_add_test(t, frames_packed);
	tcase_add_test(t, frames_rules);
	tcase_add_test(t, frames_shares);
	tcase_add_test(t, frames_sparse);
	suite_add_tcase(s, t);
	return s;
}
