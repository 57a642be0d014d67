/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of arrays and aggregations: tuples of values, built where a map may read them. */
#include <string.h>

#include "libdt/lang/gen_parts.h"

struct key gen_key_buffer(struct gen *g, uint32_t size)
{
	struct key k = {.off = 0};

	if (size > 128 || g->spill) {
		k.off = gen_temp(g, size);
		k.ptr = gen_slot(g);
		return k;
	}
	k.ptr = ir_reg(g->ir);
	ir_frame_addr(g->ir, k.ptr, gen_frame(g, MAX(size, 8)), 0);
	return k;
}

static void zero(struct gen *g, const struct key *k, uint32_t off, uint32_t size)
{
	gen_zero(g, k->ptr, k->off + off, size);
}

static void key_string(struct gen *g, const struct key *k, uint32_t off, const struct aggr_col *col,
		       struct node *n)
{
	const struct def *def = n->kind == N_IDENT || n->kind == N_CALL ? n->ref : NULL;
	struct str_dest d = {k->ptr, k->off + off, MIN(col->size, g->sema->strsize), .slot_off = -1,
			     .no_null = true};

	if (n->kind == N_STR) {
		uint8_t *bytes = arena_alloc(g->arena, col->size);

		memcpy(bytes, n->str, MIN(n->len, d.bound - 1));
		for (uint32_t i = 0; i < col->size; i += 8) {
			int64_t v;

			memcpy(&v, bytes + i, 8);
			if (v == (int32_t)v)
				ir_sti(g->ir, 8, d.ptr, d.off + i, v);
			else
				ir_st(g->ir, 8, d.ptr, d.off + i, gen_imm(g, v));
		}
		return;
	}
	if (!def || !(def->flags & DEF_FILLS))
		zero(g, k, off, col->size);
	else
		zero(g, k, off + sema_bound(g->sema, n), col->size - sema_bound(g->sema, n));
	gen_str_into(g, n, &d);
}

void gen_key_tuple(struct gen *g, const struct key *k, uint32_t start, const struct tuple *tu,
		   struct node *list)
{
	uint32_t at = 0;

	for (int i = 0; list; list = list->next, i++) {
		const struct aggr_col *col = &tu->cols[i];
		uint32_t off = col->off;

		if (off > at && at)
			zero(g, k, start + at, off - at);
		if (type_is_string(col->type)) {
			key_string(g, k, start + off, col, list);
		} else if (type_in_memory(col->type)) {
			gen_block_into(g, list, k->ptr, k->off + start + off, col->size);
		} else {
			ir_st(g->ir, col->size, k->ptr, k->off + start + off, gen_expr(g, list));
		}
		at = off + col->size;
	}
	if (tu->size > at)
		zero(g, k, start + at, tu->size - at);
}

int gen_key_addr(struct gen *g, const struct key *k)
{
	int p = gen_copy(g, k->ptr);

	if (k->off)
		ir_alui(g->ir, BPF_ADD, p, k->off);
	return p;
}

int gen_key_lookup(struct gen *g, struct map *map, const struct key *k)
{
	int m = ir_reg(g->ir);

	ir_map(g->ir, m, map);
	return ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, gen_key_addr(g, k));
}

int gen_key_update(struct gen *g, struct map *map, const struct key *k, int value, int flags)
{
	int m = ir_reg(g->ir);

	ir_map(g->ir, m, map);
	return ir_callv(g->ir, BPF_FUNC_map_update_elem, m, gen_key_addr(g, k), value,
			gen_imm(g, flags));
}

void gen_key_delete(struct gen *g, struct map *map, const struct key *k)
{
	int m = ir_reg(g->ir);

	ir_map(g->ir, m, map);
	ir_callv(g->ir, BPF_FUNC_map_delete_elem, m, gen_key_addr(g, k));
}
