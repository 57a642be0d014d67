/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an aggregation adds to, in which of its maps. */
#include <stdlib.h>

#include "libdt/lang/gen_parts.h"

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
	ir_callv(g->ir, BPF_FUNC_map_update_elem, m, gen_key_addr(g, k), init,
		 gen_imm(g, BPF_NOEXIST));
	ir_mov(g->ir, v, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, gen_key_addr(g, k)));
	ir_jcci(g->ir, BPF_JEQ, v, 0, fail);
}

/* The value of a key goes into v: jumps to there with it, else the map's register is m. */
static void find_value(struct gen *g, struct map *map, int m, const struct key *k, int v, int there)
{
	ir_mov(g->ir, v, gen_key_lookup(g, map, k));
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
	ir_mov(g->ir, v, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, gen_key_addr(g, k)));
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
	struct key k = gen_key_buffer(g, 8 + sym->key.size);

	ir_st(g->ir, 8, k.ptr, k.off, gen_cpu(g));
	gen_key_tuple(g, &k, 8, &sym->key, list);
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
	ir_mov(g->ir, v, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, gen_key_addr(g, k)));
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
		vec_push(&g->cg->own_routines, aggregation_routine(g->cg, name, sym, call, what));
	}
	args[AGG_KEY] = gen_key_addr(g, key);
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
