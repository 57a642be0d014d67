/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/unwind_table.h"

#include <stdlib.h>

#include "bpf/rt_unwind.h"

enum {
	LOW = (1 << UNWIND_BLOCK_BITS) - 1,
	SLOT_BITS = 17, /* twice as many as there are rules */
	RULE_UNKNOWN = 0,
	/* Blocks that any table may have (64 MB of code); more only if it has as many rows. The
	 * largest libraries have one for 400 rows; Go's programs one for three, but few. */
	BLOCKS_MIN = 1024,
};

/* The distinct rules, each with its number. */
struct rules {
	VEC(uint32_t) v;
	uint32_t *slots; /* number plus one; 0: free */
};

static uint32_t rule_number(struct rules *r, uint32_t rule)
{
	uint32_t at = rule * 0x9e3779b1u >> (32 - SLOT_BITS);

	for (; r->slots[at]; at = (at + 1) % (1 << SLOT_BITS))
		if (r->v.v[r->slots[at] - 1] == rule)
			return r->slots[at] - 1;
	if (r->v.n == UNWIND_RULES_MAX)
		return RULE_UNKNOWN;
	vec_push(&r->v, rule);
	r->slots[at] = r->v.n;
	return r->v.n - 1;
}

/* Each row's number of its rule; a row without place has that of the last one. */
static void number_rules(struct rules *r, const struct cfi_row *rows, int n, uint16_t *numbers)
{
	r->slots = xcalloc(1 << SLOT_BITS, sizeof(*r->slots));
	rule_number(r, CFI_UNKNOWN);
	for (int i = 0; i < n; i++)
		numbers[i] = rule_number(r, rows[i].rule);
	free(r->slots);
}

/* At a segment's end, too, a row may end what is before it. */
static bool is_code(const struct segments *s, uint64_t addr)
{
	for (int i = 0; i < s->v.n; i++)
		if (s->v.v[i].code && addr - s->v.v[i].addr <= s->v.v[i].filesz)
			return true;
	return false;
}

struct cfi unwind_table_rows(const struct segments *s, const struct cfi_row *rows, int n)
{
	uint32_t first = UINT32_MAX, last = 0;
	struct cfi cfi = {0};

	for (int i = 0; i < n; i++) {
		if (!is_code(s, rows[i].addr))
			continue;
		first = MIN(first, rows[i].addr);
		last = MAX(last, rows[i].addr);
		vec_push(&cfi.rows, rows[i]);
	}
	if (cfi.rows.n &&
	    (last - first) >> UNWIND_BLOCK_BITS >= (uint32_t)MAX(BLOCKS_MIN, cfi.rows.n))
		cfi_free(&cfi);
	return cfi;
}

void unwind_table_pack(struct unwind_table *t, const struct cfi_row *rows, int n)
{
	uint16_t *numbers = xcalloc(MAX(n, 1), sizeof(*numbers));
	uint32_t begin, block = 0, last = 0;
	struct rules rules = {0};

	*t = (struct unwind_table){0};
	if (n) {
		t->base = rows[0].addr & ~(uint64_t)LOW;
		for (int i = 0; i < n; i++)
			last = MAX(last, rows[i].addr);
		t->nblocks = ((last - t->base) >> UNWIND_BLOCK_BITS) + 1;
	}
	number_rules(&rules, rows, n, numbers);
	begin = t->nblocks + 1 + rules.v.n + 1;
	for (uint32_t i = 0; i <= t->nblocks; i++)
		vec_push(&t->words, begin);
	for (int i = 0; i < rules.v.n; i++)
		vec_push(&t->words, rules.v.v[i]);
	vec_push(&t->words, RULE_UNKNOWN << UNWIND_BLOCK_BITS);
	last = t->base;
	for (int i = 0; i < n; i++) {
		if (rows[i].addr < last)
			continue;
		last = rows[i].addr;
		for (; block < (last - t->base) >> UNWIND_BLOCK_BITS; block++)
			t->words.v[block + 1] = t->words.n;
		vec_push(&t->words, (last & LOW) | (uint32_t)numbers[i] << UNWIND_BLOCK_BITS);
	}
	for (; block < t->nblocks; block++)
		t->words.v[block + 1] = t->words.n;
	vec_free(&rules.v);
	free(numbers);
}

void unwind_table_free(struct unwind_table *t)
{
	vec_free(&t->words);
}
