/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sampling of firings. The essay is at the head of libdt/budget.c. */
#include "libdt/lang/sample.h"

#include <stddef.h>

#include "libdt/abi/sample.h"
#include "libdt/lang/def.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sym.h"

/* Which clauses ------------------------------------------------------------ */

struct look {
	struct clause *c;
	struct hash seen; /* trees share nodes */
};

static void refuse(struct look *l, const char *why, struct loc loc)
{
	if (l->c->sampling == SAMPLE_NEVER)
		return;
	l->c->sampling = SAMPLE_NEVER;
	l->c->unsampled = why;
	l->c->unsampled_at = loc;
}

/* What lives no longer than the firing may change if the whole firing is left out. */
static void change_own(struct look *l)
{
	if (l->c->sampling == SAMPLE_ANY)
		l->c->sampling = SAMPLE_WHOLE;
}

static void look_call(struct look *l, const struct node *n)
{
	const struct def *def = n->ref;

	if (def->kind == DEF_ACT || def->flags & DEF_DESTRUCTIVE)
		refuse(l, "has actions other than aggregations", n->loc);
	if (def->flags & DEF_WRITES)
		change_own(l);
	if (def->flags & DEF_KEEPS)
		refuse(l, "calls a function that keeps state", n->loc);
}

static void look_assign(struct look *l, const struct node *n)
{
	const struct node *v = n->a;

	while (v->kind == N_INDEX || (v->kind == N_MEMBER && v->op == OP_DOT))
		v = v->a;
	if (v->kind == N_IDENT && v->sym && v->sym->kind == SYM_VAR && v->sym->scope == SCOPE_THIS)
		change_own(l);
	else
		refuse(l, "assigns variables", n->loc);
}

static void look_aggregation(struct look *l, const struct node *agg, const struct node *call)
{
	const struct def *def = call->ref;

	vec_push(&l->c->sampled_aggs, agg->sym);
	if (!def->agg->scales)
		refuse(l, "has min( ) or max( ), which cannot be estimated", call->loc);
}

static bool first_time(struct look *l, const struct node *n)
{
	if (hash_get(&l->seen, &n, sizeof(n)))
		return false;
	hash_put(&l->seen, &n, sizeof(n), l);
	return true;
}

static bool is_step(const struct node *n)
{
	return n->kind == N_UNARY && (n->op == OP_PREINC || n->op == OP_PREDEC ||
				      n->op == OP_POSTINC || n->op == OP_POSTDEC);
}

static void look(struct look *l, const struct node *n)
{
	for (; n && first_time(l, n); n = n->next) {
		if (n->kind == N_SIZEOF || n->kind == N_OFFSETOF)
			continue;
		if (n->kind == N_ASSIGN && n->a->kind == N_AGG) {
			look_aggregation(l, n->a, n->b);
			look(l, n->a->list);
			look(l, n->b->list);
			continue;
		}
		if (n->kind == N_ASSIGN || is_step(n))
			look_assign(l, n);
		if (n->kind == N_CALL && n->ref)
			look_call(l, n);
		look(l, n->a);
		look(l, n->b);
		look(l, n->c);
		look(l, n->list);
	}
}

void sample_classify(struct clause *c)
{
	struct look l = {.c = c};

	c->sampling = SAMPLE_ANY;
	if (c->records)
		refuse(&l, "records data", c->node->loc);
	else if (c->layout.acts.n)
		refuse(&l, "has actions other than aggregations", c->node->loc);
	look(&l, c->counts);
	look(&l, c->pred);
	look(&l, c->body);
	hash_free(&l.seen);
}

enum sample_scope sample_scope(struct clause *const *clauses, int n)
{
	int any = 0, whole = 0;

	for (int i = 0; i < n; i++) {
		any += clauses[i]->sampling == SAMPLE_ANY;
		whole += clauses[i]->sampling == SAMPLE_WHOLE;
	}
	return any + whole == n ? SAMPLE_ALL : any ? SAMPLE_SOME : SAMPLE_NONE;
}

/* The code ----------------------------------------------------------------- */

enum { GAPS = 256, ONE = 1 << 16 };

/* Exponentially distributed gaps in ascending order, in units of their mean, with 16 bits after
 * the point: the expected order statistics, whose mean is exactly 1. */
static int gap_table(struct gen *g)
{
	uint32_t gaps[GAPS];
	double sum = 0;

	for (int i = 0; i < GAPS; i++) {
		sum += 1.0 / (GAPS - i);
		gaps[i] = (uint32_t)(sum * ONE + 0.5);
	}
	return gen_literal(g, gaps, sizeof(gaps));
}

/* How many firings to leave out next, N - 1 on average. The fraction is rounded up or
 * down by chance, so that the average is exact. */
static int next_gap(struct gen *g)
{
	struct ir *ir = g->ir;
	int draw = gen_copy(g, ir_call(ir, BPF_FUNC_get_prandom_u32, 0, NULL)),
	    index = gen_copy(g, draw), at = gap_table(g), gap = ir_reg(ir), most = ir_reg(ir);

	ir_alui(ir, BPF_AND, index, GAPS - 1);
	ir_alui(ir, BPF_MUL, index, sizeof(uint32_t));
	ir_alu(ir, BPF_ADD, at, index);
	ir_ld(ir, 4, gap, at, 0);
	ir_movi(ir, most, 1);
	ir_alu(ir, BPF_LSH, most, g->sample_shift);
	ir_alui(ir, BPF_SUB, most, 1);
	ir_alu(ir, BPF_MUL, gap, most);
	ir_alui(ir, BPF_RSH, draw, 16);
	ir_zext(ir, draw, 16);
	ir_alu(ir, BPF_ADD, gap, draw);
	ir_alui(ir, BPF_RSH, gap, 16);
	return gap;
}

/* Where this CPU's struct sample_gap of the program is. */
static int gap_place(struct gen *g, int out)
{
	struct ir *ir = g->ir;
	int cpu = gen_copy(g, ir_call_const(ir, BPF_FUNC_get_smp_processor_id, 0, NULL)),
	    p = ir_reg(ir);

	ir_jcci(ir, BPF_JGE, cpu, g->set->ncpus, out);
	ir_alui(ir, BPF_MUL, cpu, sample_stride(g->cg->sample_rows));
	ir_map_mem(ir, p, &g->set->maps.sampling,
		   sample_rates(g->cg->sample_rows) +
		       g->cg->sample_row * sizeof(struct sample_gap));
	ir_alu(ir, BPF_ADD, p, cpu);
	return p;
}

void sample_draw(struct gen *g, int out)
{
	struct ir *ir = g->ir;
	int at = ir_reg(ir), left = ir_reg(ir), weight = ir_reg(ir), counts = ir_label(ir),
	    every = ir_label(ir), gap, p;

	g->sample_shift = ir_reg(ir);
	ir_map_mem(ir, at, &g->set->maps.sampling, g->cg->sample_row * sizeof(uint32_t));
	ir_ld(ir, 4, g->sample_shift, at, 0);
	if (g->sample_scope == SAMPLE_SOME) {
		g->sample_skip = ir_reg(ir);
		ir_movi(ir, g->sample_skip, 0);
	}
	ir_jcci(ir, BPF_JEQ, g->sample_shift, 0, every);
	p = gap_place(g, out);
	ir_ld(ir, 4, left, p, offsetof(struct sample_gap, left));
	ir_jcci(ir, BPF_JEQ, left, 0, counts);
	ir_alui(ir, BPF_SUB, left, 1);
	ir_st(ir, 4, p, offsetof(struct sample_gap, left), left);
	if (g->sample_scope == SAMPLE_SOME)
		ir_movi(ir, g->sample_skip, 1);
	ir_jmp(ir, g->sample_scope == SAMPLE_SOME ? every : out);
	ir_place(ir, counts);
	ir_ld(ir, 4, weight, p, offsetof(struct sample_gap, shift));
	ir_st(ir, 4, p, offsetof(struct sample_gap, shift), g->sample_shift);
	gap = next_gap(g);
	ir_st(ir, 4, p, offsetof(struct sample_gap, left), gap);
	ir_mov(ir, g->sample_shift, weight);
	ir_place(ir, every);
}

void sample_clause(struct gen *g, const struct clause *c)
{
	g->sampled = g->sample_scope == SAMPLE_ALL ||
		     (g->sample_scope == SAMPLE_SOME && c->sampling == SAMPLE_ANY);
	if (!g->sampled || g->sample_scope == SAMPLE_ALL)
		return;
	ir_jcci(g->ir, BPF_JNE, g->sample_skip, 0, g->l_next);
	gen_may_leave(g);
}

int sample_scaled(struct gen *g, int r)
{
	if (!g->sampled)
		return r;
	r = gen_copy(g, r);
	ir_alu(g->ir, BPF_LSH, r, g->sample_shift);
	return r;
}

void sample_scaled_pair(struct gen *g, int *low, int *high)
{
	int carry, back;

	if (!g->sampled)
		return;
	carry = gen_copy(g, *low); /* its upper bits: a shift by 64 is none, so by 1 and the rest */
	ir_alui(g->ir, BPF_RSH, carry, 1);
	back = gen_copy(g, g->sample_shift);
	ir_alui(g->ir, BPF_XOR, back, 63); /* 63 - shift */
	ir_alu(g->ir, BPF_RSH, carry, back);
	*low = sample_scaled(g, *low);
	*high = sample_scaled(g, *high);
	ir_alu(g->ir, BPF_OR, *high, carry);
}
