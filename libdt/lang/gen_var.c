/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables, tuples, associative arrays and aggregations. */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

static bool is_reg_var(const struct gen *g, const struct sym *sym)
{
	return !g->spill && !sym->addressed && sym->scope == SCOPE_THIS &&
	       type_is_word(sym->type) && type_base(sym->type)->kind != T_ARRAY;
}

static int global_addr(struct gen *g, uint32_t off)
{
	int r = ir_reg(g->ir);

	ir_map_mem(g->ir, r, &g->set->maps.globals, off);
	return r;
}

/* Memory that takes stores whose destination could not be made. */
static int sink(struct gen *g)
{
	return global_addr(g, g->cg->sink_off);
}

/* The thread's variables, made now if they are not there; the sink when that fails. */
static int self_there(struct gen *g)
{
	int there;

	if (g->self_state == 2)
		return g->self;
	there = ir_label(g->ir);
	if (g->self_state)
		ir_jcci(g->ir, BPF_JNE, g->self, 0, there);
	ir_mov(g->ir, g->self, gen_self_lookup(g, true));
	ir_jcci(g->ir, BPF_JNE, g->self, 0, there);
	gen_drop(g, DROP_DYNAMIC);
	ir_mov(g->ir, g->self, sink(g));
	ir_place(g->ir, there);
	g->self_state = 2;
	return g->self;
}

static int this_reg(struct gen *g, struct sym *sym)
{
	return g->this_regs[sym->index];
}

struct place gen_var_place(struct gen *g, struct sym *sym)
{
	struct place p = {.kind = PLACE_MEM, .type = sym->type};

	if (is_reg_var(g, sym)) {
		p.kind = PLACE_REG;
		p.reg = this_reg(g, sym);
	} else if (sym->scope == SCOPE_THIS) {
		p.reg = gen_slot(g);
		p.off = g->this_base + sym->off;
	} else if (sym->scope == SCOPE_GLOBAL) {
		p.reg = global_addr(g, sym->off);
	} else {
		g->want_self = true;
		p.reg = self_there(g);
		p.off = sym->off;
	}
	return p;
}

int gen_var_load(struct gen *g, struct sym *sym)
{
	struct place p;
	int self, r, none;

	if (type_base(sym->type)->kind == T_ARRAY || type_is_sou(sym->type)) {
		p = gen_var_place(g, sym);
		r = gen_copy(g, p.reg);
		ir_alui(g->ir, BPF_ADD, r, p.off);
		return gen_address(g, r);
	}
	if (sym->scope != SCOPE_SELF || g->self_state == 2) {
		p = gen_var_place(g, sym);
		return gen_load(g, &p);
	}
	self = gen_self(g);
	r = gen_imm(g, 0);
	none = ir_label(g->ir);
	ir_jcci(g->ir, BPF_JEQ, self, 0, none);
	p = (struct place){.kind = PLACE_MEM, .reg = self, .off = sym->off, .type = sym->type};
	ir_mov(g->ir, r, gen_load(g, &p));
	ir_place(g->ir, none);
	return r;
}

static bool is_zero(const struct node *n)
{
	return n->kind == N_INT && n->value == 0;
}

int gen_self_store(struct gen *g, struct sym *sym, struct node *value)
{
	struct place p;
	int v, skip = -1, state = 0;

	v = gen_expr(g, value);
	if (is_zero(value) && g->self_state != 2) { /* what is not there is zero already */
		skip = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JEQ, gen_self(g), 0, skip);
		state = g->self_state;
		g->self_state = 2;
	}
	p = gen_var_place(g, sym);
	gen_store(g, &p, v);
	if (skip >= 0) {
		ir_place(g->ir, skip);
		g->self_state = state;
	}
	return v;
}

/* Tuples ------------------------------------------------------------------ */

struct key {
	int ptr, off; /* where it was built */
};

static struct key key_buffer(struct gen *g, uint32_t size)
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

/* Builds the tuple after start bytes that the caller fills; all of it is written, gaps too. */
static void build_tuple(struct gen *g, const struct key *k, uint32_t start, const struct tuple *tu,
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

/* Associative arrays ------------------------------------------------------ */

static struct key assoc_key(struct gen *g, struct sym *sym, struct node *list)
{
	struct key k = key_buffer(g, sym->key.size);

	if (sym->scope == SCOPE_SELF)
		ir_st(g->ir, 8, k.ptr, k.off, gen_thread_key(g));
	build_tuple(g, &k, 0, &sym->key, list);
	return k;
}

static int key_addr(struct gen *g, const struct key *k)
{
	int p = gen_copy(g, k->ptr);

	if (k->off)
		ir_alui(g->ir, BPF_ADD, p, k->off);
	return p;
}

static int map_lookup_key(struct gen *g, struct map *map, const struct key *k)
{
	int m = ir_reg(g->ir);

	ir_map(g->ir, m, map);
	return ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key_addr(g, k));
}

static int map_update_key(struct gen *g, struct map *map, const struct key *k, int value, int flags)
{
	int m = ir_reg(g->ir);

	ir_map(g->ir, m, map);
	return ir_callv(g->ir, BPF_FUNC_map_update_elem, m, key_addr(g, k), value,
			gen_imm(g, flags));
}

static void map_delete_key(struct gen *g, struct map *map, const struct key *k)
{
	int m = ir_reg(g->ir);

	ir_map(g->ir, m, map);
	ir_callv(g->ir, BPF_FUNC_map_delete_elem, m, key_addr(g, k));
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

	ir_ld(g->ir, 8, used, global_addr(g, sym->second_off), 0);
	ir_jcci(g->ir, BPF_JEQ, used, 0, label);
}

/* Puts an element that is in no map into the second one: the first is full. Register: 0, or why it
 * cannot be. */
static int insert_second(struct gen *g, struct sym *sym, const struct key *k, int value, int flags)
{
	ir_sti(g->ir, 8, global_addr(g, sym->second_off), 0, 1);
	return map_update_key(g, &sym->second, k, value, flags);
}

/* Verifier pointer to the element, or NULL. */
static int find_element(struct gen *g, struct sym *sym, const struct key *k)
{
	int p, there;

	if (!sym->has_second)
		return map_lookup_key(g, &sym->map, k);
	p = ir_reg(g->ir);
	there = ir_label(g->ir);
	ir_mov(g->ir, p, map_lookup_key(g, &sym->map, k));
	ir_jcci(g->ir, BPF_JNE, p, 0, there);
	if_no_second(g, sym, there);
	ir_mov(g->ir, p, map_lookup_key(g, &sym->second, k));
	ir_place(g->ir, there);
	return p;
}

/* From both maps: another CPU may have put it into the first while it was in the second. */
static void delete_element(struct gen *g, struct sym *sym, const struct key *k)
{
	int done;

	map_delete_key(g, changed(g, sym), k);
	if (!sym->has_second)
		return;
	done = ir_label(g->ir);
	if_no_second(g, sym, done);
	map_delete_key(g, &sym->second, k);
	ir_place(g->ir, done);
}

/* The element, made of zeroes when it is not there; the sink when the maps are full. */
static int element_there(struct gen *g, struct sym *sym, const struct key *k)
{
	int p = ir_reg(g->ir), there = ir_label(g->ir), zeroes;

	ir_mov(g->ir, p, find_element(g, sym, k));
	ir_jcci(g->ir, BPF_JNE, p, 0, there);
	zeroes = gen_literal(g, arena_alloc(g->arena, sym->size), sym->size);
	map_update_key(g, changed(g, sym), k, zeroes, BPF_NOEXIST);
	ir_mov(g->ir, p, map_lookup_key(g, &sym->map, k));
	ir_jcci(g->ir, BPF_JNE, p, 0, there);
	if (sym->has_second) {
		insert_second(g, sym, k, zeroes, BPF_NOEXIST);
		ir_mov(g->ir, p, map_lookup_key(g, &sym->second, k));
		ir_jcci(g->ir, BPF_JNE, p, 0, there);
	}
	gen_drop(g, DROP_DYNAMIC);
	ir_mov(g->ir, p, sink(g));
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
	if (!is_zero(value)) {
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
		drop = map_update_key(g, changed(g, sym), &k, space, BPF_ANY);
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

/* Strings ----------------------------------------------------------------- */

static struct str text_at(struct gen *g, int ptr, int off)
{
	return (struct str){.ptr = ptr, .off = off, .bound = g->cg->strsize, .slot_off = -1};
}

/* ptr + off when ptr is there, else NULL's text. */
static struct str text_or_null(struct gen *g, int ptr, int off)
{
	int p = ir_reg(g->ir), none = ir_label(g->ir);

	ir_mov(g->ir, p, gen_zeroes(g));
	ir_jcci(g->ir, BPF_JEQ, ptr, 0, none);
	ir_mov(g->ir, p, ptr);
	if (off)
		ir_alui(g->ir, BPF_ADD, p, off);
	ir_place(g->ir, none);
	return text_at(g, p, 0);
}

struct str gen_var_str(struct gen *g, struct node *n)
{
	struct sym *sym = n->sym;
	struct place p;
	struct str s;

	if (n->kind == N_INDEX && sym) {
		struct key k = assoc_key(g, sym, n->list);

		return text_or_null(g, find_element(g, sym, &k), 0);
	}
	if (sym && sym->scope == SCOPE_SELF && g->self_state != 2)
		return text_or_null(g, gen_self(g), sym->off);
	p = gen_place(g, n);
	s = text_at(g, p.reg, p.off);
	if (sym && sym->scope == SCOPE_THIS)
		s.slot_off = p.off;
	return s;
}

/* Assigning NULL: an element goes, a thread's variable that is not there stays so. */
static bool assign_null(struct gen *g, struct node *lv)
{
	struct sym *sym = lv->sym;
	int self, done;

	if (lv->kind == N_INDEX && sym) {
		struct key k = assoc_key(g, sym, lv->list);

		delete_element(g, sym, &k);
		return true;
	}
	if (lv->kind != N_IDENT || !sym || sym->scope != SCOPE_SELF)
		return false;
	self = gen_self(g);
	done = ir_label(g->ir);
	if (g->self_state != 2)
		ir_jcci(g->ir, BPF_JEQ, self, 0, done);
	ir_sti(g->ir, 8, self, sym->off, 0);
	ir_place(g->ir, done);
	return true;
}

/* The text is made first and stored last: it may be made of the variable itself, and a fault must
 * leave that as it was. Only builtin variables go straight in: they read nothing and do not
 * fault. */
void gen_str_assign(struct gen *g, struct node *n)
{
	struct node *lv = n->a;
	bool direct = n->b->kind == N_IDENT && n->b->ref,
	     this_var = lv->sym && lv->sym->scope == SCOPE_THIS;
	struct str s = {0};
	struct place p;
	struct str_dest d;

	if (n->b->kind == N_INT && assign_null(g, lv))
		return;
	if (!direct)
		s = gen_str(g, n->b);
	if (gen_is_variable(n->b)) { /* x = x, a[k] = a[j] */
		d = gen_temp_str(g);
		gen_str_copy(g, &s, &d);
		s = (struct str){
		    .ptr = d.ptr, .off = d.off, .bound = d.bound, .slot_off = d.slot_off};
	}
	p = gen_place(g, lv);
	if (p.kind == PLACE_ADDR) /* through a pointer */
		p = gen_scratch_place(g, &p, type_size(g->cg->types, lv->type));
	d = (struct str_dest){p.reg, p.off, g->sema->strsize, true,
			      .slot_off = this_var ? p.off : -1};
	if (direct)
		gen_str_into(g, n->b, &d);
	else
		gen_str_copy(g, &s, &d);
}

/* Aggregations ------------------------------------------------------------ */

static const char generation_key[] = "generation";

static int generation(struct gen *g)
{
	int r = gen_memo_find(g, generation_key, 0), p;

	if (r >= 0)
		return r;
	g->aggregates = true;
	p = ir_reg(g->ir);
	r = ir_reg(g->ir);
	ir_map_mem(g->ir, p, &g->set->maps.ctl, offsetof(struct ctl, generation));
	ir_ld(g->ir, 4, r, p, 0);
	ir_alui(g->ir, BPF_AND, r, 1);
	if (!g->may_sleep) /* nothing that sleeps comes between reading it and the update */
		gen_memo_add(g, generation_key, 0, r);
	return r;
}

/*
 * The number of the CPU, to reckon addresses with. Where it was spilled, old kernels (6.1) forget
 * its bounds: they are checked again. Where the verifier knows them it takes the check out. In a
 * spill program it is asked for again.
 */
static int bounded_cpu(struct gen *g)
{
	int r = gen_copy(g, g->spill ? ir_call(g->ir, BPF_FUNC_get_smp_processor_id, 0, NULL)
				     : gen_cpu(g)),
	    ok = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JLT, r, g->set->ncpus, ok);
	ir_movi(g->ir, r, 0); /* cannot be */
	ir_place(g->ir, ok);
	return r;
}

/* The slot of this CPU and generation of an aggregation without keys. */
static int unkeyed_value(struct gen *g, const struct aggr_maps *counts)
{
	int p = ir_reg(g->ir), cpu = bounded_cpu(g), gen = gen_copy(g, generation(g));

	ir_alui(g->ir, BPF_MUL, gen, (int64_t)counts->stride * g->set->ncpus);
	ir_alui(g->ir, BPF_MUL, cpu, counts->stride);
	ir_map_mem(g->ir, p, counts->mem, counts->mem_off);
	ir_alu(g->ir, BPF_ADD, p, gen);
	ir_alu(g->ir, BPF_ADD, p, cpu);
	ir_sti(g->ir, 8, p, 0, 1); /* touched */
	return p;
}

/* Inserts a key and sets v to its value; jumps to fail when the map is full. */
static void insert_value(struct gen *g, int m, const struct key *k, uint32_t init_off, int v,
			 int fail)
{
	int init = ir_reg(g->ir);

	ir_map_mem(g->ir, init, &g->set->maps.lits, init_off);
	ir_callv(g->ir, BPF_FUNC_map_update_elem, m, key_addr(g, k), init, gen_imm(g, BPF_NOEXIST));
	ir_mov(g->ir, v, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key_addr(g, k)));
	ir_jcci(g->ir, BPF_JEQ, v, 0, fail);
}

/* The value of a key goes into v: jumps to there with it, else the map's register is m. */
static void find_value(struct gen *g, struct map *map, int m, const struct key *k, int v, int there)
{
	ir_mov(g->ir, v, map_lookup_key(g, map, k));
	ir_jcci(g->ir, BPF_JNE, v, 0, there);
	ir_map(g->ir, m, map);
}

/* The current generation's map out of an array that has both; jumps to none if it is not there. */
static int generation_map(struct gen *g, struct map *outer, uint32_t outer_at, int none)
{
	int frame = gen_frame(g, 8), idx = ir_reg(g->ir), m = ir_reg(g->ir), inner, at;

	at = gen_copy(g, generation(g));
	ir_alui(g->ir, BPF_ADD, at, outer_at);
	ir_frame_st(g->ir, 4, frame, 0, at);
	ir_frame_addr(g->ir, idx, frame, 0);
	ir_map(g->ir, m, outer);
	inner = ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, idx);
	ir_jcci(g->ir, BPF_JEQ, inner, 0, none);
	return inner;
}

/* The value that a key has in the second map goes into v: jumps to there with it, to full where
 * more keys have come than the first map holds. */
static void find_more(struct gen *g, const struct aggr_maps *counts, const struct key *k, int v,
		      int there, int full)
{
	int none = ir_label(g->ir), p = ir_reg(g->ir), n = ir_reg(g->ir), m;

	m = generation_map(g, counts->more_outer, counts->more_at, none);
	ir_mov(g->ir, v, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key_addr(g, k)));
	ir_jcci(g->ir, BPF_JNE, v, 0, there);
	ir_map_mem(g->ir, p, counts->mem, counts->mem_off);
	ir_ld(g->ir, 8, n, p, 0);
	ir_jcci(g->ir, BPF_JGE, n, counts->gen[0].max_entries, full);
	ir_place(g->ir, none);
}

static void count_new_key(struct gen *g, const struct aggr_maps *counts)
{
	int p = ir_reg(g->ir), n = ir_reg(g->ir), few = ir_label(g->ir);

	ir_map_mem(g->ir, p, counts->mem, counts->mem_off);
	ir_atomic(g->ir, BPF_ADD, 8, p, 0, gen_imm(g, 1));
	ir_ld(g->ir, 8, n, p, 0);
	ir_alui(g->ir, BPF_AND, n, counts->fill_step - 1);
	ir_jcci(g->ir, BPF_JNE, n, 0, few);
	gen_routine(g, "dt_fills", 0, NULL);
	ir_place(g->ir, few);
}

static void choose_map(struct gen *g, struct aggr_maps *counts, int m)
{
	int chosen = ir_label(g->ir);

	ir_map(g->ir, m, &counts->gen[0]);
	ir_jcci(g->ir, BPF_JEQ, generation(g), 0, chosen);
	ir_map(g->ir, m, &counts->gen[1]);
	ir_place(g->ir, chosen);
}

/* The CPU, four bytes of padding, and the keys as the script has them. */
static struct key build_key(struct gen *g, struct sym *sym, struct node *list)
{
	struct key k = key_buffer(g, 8 + sym->key.size);

	ir_st(g->ir, 8, k.ptr, k.off, gen_cpu(g));
	build_tuple(g, &k, 8, &sym->key, list);
	return k;
}

/* The value of a key that the map has not goes into v; jumps to fail where there is no place. The
 * first map is preferred: what is in the second one costs more each time. */
static void add_key(struct gen *g, struct sym *sym, const struct key *k, int m, int v, int fail)
{
	const struct aggr_maps *counts = sym->counts;
	int there = ir_label(g->ir), added = ir_label(g->ir), full;

	if (!counts->more_outer) {
		insert_value(g, m, k, sym->init_off, v, fail);
		return;
	}
	full = ir_label(g->ir);
	find_more(g, counts, k, v, there, full);
	insert_value(g, m, k, sym->init_off, v, full);
	ir_jmp(g->ir, added);
	ir_place(g->ir, full);
	m = generation_map(g, counts->more_outer, counts->more_at, fail);
	insert_value(g, m, k, sym->init_off, v, fail);
	ir_place(g->ir, added);
	count_new_key(g, counts);
	ir_place(g->ir, there);
}

/*
 * The value of a key in the current generation's map; jumps to missing where it has no such key,
 * with the map in m. A branch to code for each map is cheaper than a map of maps: the kernel
 * inlines the look-up of a map that it knows, and filling a map of maps waits for grace periods.
 * But a program may name only 64 maps.
 *
 * New keys are rare, so both maps share the code that inserts one. The kernel does not inline the
 * look-up there, because the map varies. That matters in large programs: for each look-up that it
 * inlines, the verifier moves and adjusts the rest of the program.
 */
static void find_key(struct gen *g, struct sym *sym, const struct key *k, int m, int v, int missing,
		     int fail)
{
	struct aggr_maps *counts = sym->counts;

	if (!counts->outer && !g->spill) {
		int second = ir_label(g->ir), found = ir_label(g->ir);

		ir_jcci(g->ir, BPF_JNE, gen_condition(g, generation(g)), 0, second);
		find_value(g, &counts->gen[0], m, k, v, found);
		ir_jmp(g->ir, missing);
		ir_place(g->ir, second);
		find_value(g, &counts->gen[1], m, k, v, found);
		ir_jmp(g->ir, missing);
		ir_place(g->ir, found);
		return;
	}
	if (!counts->outer)
		choose_map(g, counts, m);
	else
		ir_mov(g->ir, m, generation_map(g, counts->outer, counts->outer_at, fail));
	ir_mov(g->ir, v, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key_addr(g, k)));
	ir_jcci(g->ir, BPF_JEQ, v, 0, missing);
}

/* What is done with a key: its value is looked for in the map of the generation; it is added where
 * it was not found, or, without LOOK, known not to be there. */
enum { LOOK = 1, ADD = 2 };

static void call_routine(struct gen *g, struct sym *sym, struct node *call, const struct key *key,
			 unsigned what);

/* Adds to g->agg_value by g->agg_args. */
static void update_unkeyed(struct gen *g, struct sym *sym, struct node *call)
{
	const struct def *def = call->ref;

	g->agg_sym = sym;
	g->agg_value = unkeyed_value(g, sym->counts);
	g->agg_off = 8;
	def->gen(g, call);
}

/* The same for the value of a key; reports a drop where there is no place for it. Without ADD, new
 * keys are the routine's. */
static void update_keyed(struct gen *g, struct sym *sym, struct node *call, const struct key *key,
			 unsigned what)
{
	int missing = ir_label(g->ir), there = ir_label(g->ir), fail = ir_label(g->ir),
	    done = ir_label(g->ir), m = ir_reg(g->ir), v = ir_reg(g->ir);
	const struct def *def = call->ref;

	if (what & LOOK) {
		find_key(g, sym, key, m, v, missing, fail);
		ir_jmp(g->ir, there);
	} else {
		choose_map(g, sym->counts, m);
	}
	ir_place(g->ir, missing);
	if (what & ADD) {
		add_key(g, sym, key, m, v, fail);
	} else {
		call_routine(g, sym, call, key, ADD);
		ir_jmp(g->ir, done);
	}
	ir_place(g->ir, there);
	g->agg_sym = sym;
	g->agg_value = v;
	g->agg_off = 0;
	def->gen(g, call);
	ir_jmp(g->ir, done);
	ir_place(g->ir, fail);
	gen_drop(g, DROP_AGGREGATION);
	ir_place(g->ir, done);
}

enum { AGG_KEY, AGG_GENERATION, AGG_VALUE, AGG_INCREMENT, AGG_NARGS };

/* A function of these arguments that does it. */
static struct ir *aggregation_routine(struct codegen *cg, const char *name, struct sym *sym,
				      struct node *call, unsigned what)
{
	struct gen g = {.cg = cg, .set = cg->set, .sema = cg->sema, .arena = cg->arena};
	struct key key = {.off = 0};
	int there;

	g.ir = ir_new(cg->arena, name, AGG_NARGS);
	g.cpu = g.self = g.slot = g.slot_no = g.part = g.mode = g.rec = g.result = -1;
	there = ir_label(g.ir);
	ir_loc(g.ir, call->loc);
	key.ptr = ir_arg_memory(g.ir, 8 + sym->key.size);
	ir_jcci(g.ir, BPF_JNE, key.ptr, 0, there); /* always */
	ir_reti(g.ir, 0);
	ir_place(g.ir, there);
	gen_memo_add(&g, generation_key, 0, ir_arg(g.ir, AGG_GENERATION));
	g.agg_args[0] = ir_arg(g.ir, AGG_VALUE);
	g.agg_args[1] = ir_arg(g.ir, AGG_INCREMENT);
	update_keyed(&g, sym, call, &key, what);
	ir_reti(g.ir, 0);
	vec_free(&g.memos);
	vec_free(&g.frames);
	return g.ir;
}

static void call_routine(struct gen *g, struct sym *sym, struct node *call, const struct key *key,
			 unsigned what)
{
	char *name = arena_printf(g->arena, what & LOOK ? "dt_agg_%d" : "dt_new_%d", sym->index);
	int args[AGG_NARGS];

	if (!gen_routine_wanted(g->cg, name)) {
		gen_want_routine(g->cg, name);
		vec_push(&g->cg->agg_routines, aggregation_routine(g->cg, name, sym, call, what));
	}
	args[AGG_KEY] = key_addr(g, key);
	args[AGG_GENERATION] = generation(g);
	args[AGG_VALUE] = g->agg_args[0] >= 0 ? g->agg_args[0] : gen_imm(g, 0);
	args[AGG_INCREMENT] = g->agg_args[1] >= 0 ? g->agg_args[1] : gen_imm(g, call->aux);
	ir_call_func(g->ir, name, AGG_NARGS, args);
}

enum { ROUTINE_ADDS = 4 }; /* fewer cost more as a function */

/*
 * What many clauses add to is added to by a function: the verifier looks at it once, not in each
 * clause and for each way that leads there; and the kernel inlines its look-ups once.
 */
static bool in_routine(const struct gen *g, const struct sym *sym)
{
	return g->calls && sym->adds >= ROUTINE_ADDS && !g->sampled &&
	       feat(g->cg->feats, FEAT_FUNC_MEMORY);
}

/*
 * As on other systems the keys are evaluated before the value; only the clock is read before both,
 * so that a latency does not include the cost of its keys: a stack takes microseconds. The look-up
 * comes last: a fault in a key or the value creates no empty element.
 */
void gen_aggregate(struct gen *g, struct node *n)
{
	struct node *agg = n->a, *call = n->b;
	struct key key = {.off = 0};
	struct sym *sym = agg->sym;
	int i = 0;

	if (sym->keyed && call->list && g->clause->reads_clock)
		gen_timestamp(g);
	if (sym->keyed)
		key = build_key(g, sym, agg->list);
	g->agg_args[0] = g->agg_args[1] = -1;
	for (struct node *a = call->list; a && i < 2; a = a->next)
		if (a->kind != N_INT || a == call->list)
			g->agg_args[i++] = gen_expr(g, a);
	if (!sym->keyed)
		update_unkeyed(g, sym, call);
	else if (in_routine(g, sym))
		call_routine(g, sym, call, &key, LOOK | ADD);
	else
		update_keyed(g, sym, call, &key, sym->counts->more_outer ? LOOK : LOOK | ADD);
}
