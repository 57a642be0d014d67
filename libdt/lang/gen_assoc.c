/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associative arrays: hash maps, a second one among them where plan/arrays.c says so. */
#include "libdt/lang/gen_parts.h"

static struct key assoc_key(struct gen *g, struct sym *sym, struct node *list)
{
	struct key k = gen_key_buffer(g, sym->key.size);

	if (sym->scope == SCOPE_SELF)
		ir_st(g->ir, 8, k.ptr, k.off, gen_thread_key(g));
	gen_key_tuple(g, &k, 0, &sym->key, list);
	return k;
}

/* An array's map, for a change of its elements. */
static struct map *changed(struct gen *g, struct sym *sym)
{
	if (!probe_interrupts(g->probe))
		sym->any_context = true;
	return &sym->map;
}

/* Is the second map in use? Jumps to the label when not. */
static void if_no_second(struct gen *g, struct sym *sym, int label)
{
	int used = ir_reg(g->ir);

	ir_ld(g->ir, 8, used, gen_global_addr(g, sym->second_off), 0);
	ir_jcci(g->ir, BPF_JEQ, used, 0, label);
}

/* Puts an element that is in no map into the second one: the first is full. Register: 0, or why it
 * cannot be. */
static int insert_second(struct gen *g, struct sym *sym, const struct key *k, int value, int flags)
{
	ir_sti(g->ir, 8, gen_global_addr(g, sym->second_off), 0, 1);
	return gen_key_update(g, &sym->second, k, value, flags);
}

/* Verifier pointer to the element, or NULL. */
static int find_element(struct gen *g, struct sym *sym, const struct key *k)
{
	int p, there;

	if (!sym->has_second)
		return gen_key_lookup(g, &sym->map, k);
	p = ir_reg(g->ir);
	there = ir_label(g->ir);
	ir_mov(g->ir, p, gen_key_lookup(g, &sym->map, k));
	ir_jcci(g->ir, BPF_JNE, p, 0, there);
	if_no_second(g, sym, there);
	ir_mov(g->ir, p, gen_key_lookup(g, &sym->second, k));
	ir_place(g->ir, there);
	return p;
}

/* From both maps: another CPU may have put it into the first while it was in the second. */
static void delete_element(struct gen *g, struct sym *sym, const struct key *k)
{
	int done;

	gen_key_delete(g, changed(g, sym), k);
	if (!sym->has_second)
		return;
	done = ir_label(g->ir);
	if_no_second(g, sym, done);
	gen_key_delete(g, &sym->second, k);
	ir_place(g->ir, done);
}

/* The element, made of zeroes when it is not there; the sink when the maps are full. */
static int element_there(struct gen *g, struct sym *sym, const struct key *k)
{
	int p = ir_reg(g->ir), there = ir_label(g->ir), zeroes;

	ir_mov(g->ir, p, find_element(g, sym, k));
	ir_jcci(g->ir, BPF_JNE, p, 0, there);
	zeroes = gen_literal(g, arena_alloc(g->arena, sym->size), sym->size);
	gen_key_update(g, changed(g, sym), k, zeroes, BPF_NOEXIST);
	ir_mov(g->ir, p, gen_key_lookup(g, &sym->map, k));
	ir_jcci(g->ir, BPF_JNE, p, 0, there);
	if (sym->has_second) {
		insert_second(g, sym, k, zeroes, BPF_NOEXIST);
		ir_mov(g->ir, p, gen_key_lookup(g, &sym->second, k));
		ir_jcci(g->ir, BPF_JNE, p, 0, there);
	}
	gen_drop(g, DROP_DYNAMIC);
	ir_mov(g->ir, p, gen_sink(g));
	ir_place(g->ir, there);
	return p;
}

struct place gen_assoc_place(struct gen *g, struct node *n)
{
	struct key k = assoc_key(g, n->sym, n->list);

	return (struct place){.kind = PLACE_MEM,
			      .reg = element_there(g, n->sym, &k),
			      .type = n->type,
			      .key = k.ptr,
			      .key_off = k.off,
			      .element = n->sym->scope == SCOPE_SELF ? n->sym : NULL};
}

int gen_assoc_lookup(struct gen *g, struct node *n)
{
	struct key k = assoc_key(g, n->sym, n->list);

	return find_element(g, n->sym, &k);
}

void gen_assoc_delete(struct gen *g, struct node *n)
{
	struct key k = assoc_key(g, n->sym, n->list);

	delete_element(g, n->sym, &k);
}

void gen_assoc_tidy(struct gen *g, const struct place *p)
{
	struct key k = {p->key, p->key_off};
	int v, done;

	if (!p->element || p->type != p->element->type) /* not a member of it */
		return;
	done = ir_label(g->ir);
	v = gen_load(g, p);
	ir_jcci(g->ir, BPF_JNE, v, 0, done);
	delete_element(g, p->element, &k);
	ir_place(g->ir, done);
}

int gen_assoc_load(struct gen *g, struct node *n)
{
	struct key k = assoc_key(g, n->sym, n->list);
	int r, p, none = ir_label(g->ir);
	struct place at;

	if (type_is_sou(n->type) || type_base(n->type)->kind == T_ARRAY) {
		at = gen_assoc_place(g, n);
		return gen_address(g, at.reg);
	}
	p = find_element(g, n->sym, &k);
	r = gen_imm(g, 0);
	ir_jcci(g->ir, BPF_JEQ, p, 0, none);
	at = (struct place){.kind = PLACE_MEM, .reg = p, .type = n->type};
	ir_mov(g->ir, r, gen_load(g, &at));
	ir_place(g->ir, none);
	return r;
}

int gen_assoc_store(struct gen *g, struct node *lv, struct node *value)
{
	struct sym *sym = lv->sym;
	uint32_t size = type_size(g->cg->types, sym->type);
	int v = gen_expr(g, value), p, frame, space, missing, done, drop;
	struct key k = assoc_key(g, sym, lv->list);

	done = ir_label(g->ir);
	if (!gen_is_zero(value)) {
		int keep = ir_label(g->ir);

		if (value->kind != N_INT) {
			ir_jcci(g->ir, BPF_JNE, v, 0, keep);
			delete_element(g, sym, &k);
			ir_jmp(g->ir, done);
			ir_place(g->ir, keep);
		}
		missing = ir_label(g->ir);
		p = find_element(g, sym, &k);
		ir_jcci(g->ir, BPF_JEQ, p, 0, missing);
		ir_st(g->ir, size, p, 0, v);
		ir_jmp(g->ir, done);
		ir_place(g->ir, missing);
		frame = gen_frame(g, 8);
		ir_frame_st(g->ir, size, frame, 0, v);
		space = ir_reg(g->ir);
		ir_frame_addr(g->ir, space, frame, 0);
		drop = gen_key_update(g, changed(g, sym), &k, space, BPF_ANY);
		ir_jcci(g->ir, BPF_JEQ, drop, 0, done);
		if (sym->has_second)
			ir_jcci(g->ir, BPF_JEQ, insert_second(g, sym, &k, space, BPF_ANY), 0, done);
		gen_drop(g, DROP_DYNAMIC);
	} else {
		delete_element(g, sym, &k);
	}
	ir_place(g->ir, done);
	return v;
}
