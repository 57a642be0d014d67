/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A clause: its predicate, the record that its actions fill, its statements, and after them what a
 * fault in one of them does: the record is discarded, an error recorded, and the next clause goes
 * on.
 */
#include <string.h>

#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sample.h"

/* Records ----------------------------------------------------------------- */

struct act *gen_act(struct gen *g, struct node *call)
{
	return g->clause->layout.acts.v[call->aux];
}

void gen_record(struct gen *g, const struct act *act, int i, struct node *n)
{
	const struct rec *rec = &act->recs[i];

	if (type_is_string(rec->type)) {
		struct str_dest d = {g->rec, rec->off, rec->size, .slot_off = -1, .no_null = true};

		gen_str_into(g, n, &d);
	} else if (type_in_memory(rec->type)) {
		gen_block_into(g, n, g->rec, rec->off, rec->size);
	} else {
		ir_st(g->ir, rec->size, g->rec, rec->off, gen_expr(g, n));
	}
}

void gen_act_done(struct gen *g, const struct act *act)
{
	if (act->cond_off >= 0)
		ir_sti(g->ir, 1, g->rec, act->cond_off, 1);
}

/* struct rec_process */
static void record_process(struct gen *g, int rec, uint32_t off)
{
	uint32_t comm = off + offsetof(struct rec_process, comm);
	int p;

	ir_st(g->ir, 8, rec, off, ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	gen_zero(g, rec, comm, sizeof(((struct rec_process *)0)->comm));
	p = gen_copy(g, rec);
	ir_alui(g->ir, BPF_ADD, p, comm);
	ir_callv(g->ir, BPF_FUNC_get_current_comm, p,
		 gen_imm(g, sizeof(((struct rec_process *)0)->comm)));
}

static void record_begin(struct gen *g, struct clause *c, int thread)
{
	int full = ir_label(g->ir), ok = ir_label(g->ir), rec;

	gen_may_leave(g);
	g->set->early |= gen_clock_read(g);
	rec = gen_ring_reserve(g->ir, g->cg, c->layout.size);
	ir_jcci(g->ir, BPF_JNE, rec, 0, ok);
	ir_place(g->ir, full);
	gen_drop(g, DROP_PRINCIPAL);
	ir_jmp(g->ir, g->l_next);
	ir_place(g->ir, ok);
	g->rec = rec;
	ir_sti(g->ir, 4, rec, offsetof(struct rec_header, clause), c->index);
	if (g->probe_index >= 0)
		ir_st(g->ir, 4, rec, offsetof(struct rec_header, probe), g->probe_index);
	else
		ir_sti(g->ir, 4, rec, offsetof(struct rec_header, probe), g->probe->index);
	ir_st(g->ir, 8, rec, offsetof(struct rec_header, cpu), gen_cpu(g));
	if (c->needs_time)
		ir_st(g->ir, 8, rec, offsetof(struct rec_header, time), gen_monotonic(g));
	else
		ir_sti(g->ir, 8, rec, offsetof(struct rec_header, time), 0);
	if (c->layout.has_thread)
		ir_st(g->ir, 8, rec, sizeof(struct rec_header), gen_thread_recorded(g, thread));
	if (c->layout.has_process)
		record_process(g, rec,
			       sizeof(struct rec_header) +
				   (c->layout.has_thread ? sizeof(struct rec_thread) : 0));
	for (int i = 0; i < c->layout.acts.n; i++)
		if (c->layout.acts.v[i]->cond_off >= 0)
			ir_sti(g->ir, 1, rec, c->layout.acts.v[i]->cond_off, 0);
}

void gen_record_drop(struct gen *g, int rec)
{
	ir_callv(g->ir, BPF_FUNC_ringbuf_discard, rec, gen_imm(g, BPF_RB_NO_WAKEUP));
}

/* Statements and clauses -------------------------------------------------- */

static void statement_end(struct gen *g, uint32_t temp_top)
{
	for (int i = 0; i < g->frames.n; i++)
		ir_frame_free(g->ir, g->frames.v[i]);
	g->frames.n = 0;
	g->temp_top = temp_top;
}

static void statements(struct gen *g, struct node *list);

static void statement_if(struct gen *g, struct node *n)
{
	int other = ir_label(g->ir), done = ir_label(g->ir);
	uint32_t top = g->temp_top;
	struct region r;

	gen_branch(g, n->a, false, other);
	statement_end(g, top);
	r = gen_enter(g);
	statements(g, n->b->list);
	gen_leave(g, r);
	ir_jmp(g->ir, done);
	ir_place(g->ir, other);
	if (n->c) {
		r = gen_enter(g);
		statements(g, n->c->list);
		gen_leave(g, r);
	}
	ir_place(g->ir, done);
}

static void statements(struct gen *g, struct node *list)
{
	for (struct node *n = list; n; n = n->next) {
		uint32_t top = g->temp_top;

		ir_loc(g->ir, n->loc);
		if (n->kind == N_EXPR)
			gen_effect(g, n->a);
		else if (n->kind == N_IF)
			statement_if(g, n);
		else if (n->kind == N_BLOCK)
			statements(g, n->list);
		statement_end(g, top);
	}
}

/* The firing's time, where records are sorted: 0 when it was not read yet, and dt_error() reads
 * the clock. */
static int time_of_fault(struct gen *g)
{
	if (!g->set->ordered)
		return gen_imm(g, 0);
	g->set->early |= gen_clock_read(g);
	if (g->time.begins >= 0)
		return g->time.begins;
	g->time.uses++;
	return g->time.reg >= 0 ? g->time.reg : gen_imm(g, 0);
}

static void clause_faults(struct gen *g, struct clause *c, int rec)
{
	int with_rec = ir_label(g->ir), plain = ir_label(g->ir);
	int kind = ir_reg(g->ir), value = ir_reg(g->ir), site = ir_reg(g->ir), probe, args[4];
	bool any_rec = false, any_plain = false;

	for (int i = 0; i < g->stubs.n; i++) {
		struct fault_stub *s = &g->stubs.v[i];

		ir_place(g->ir, s->label);
		ir_movi(g->ir, kind, s->fault);
		if (s->value >= 0)
			ir_mov(g->ir, value, s->value);
		else
			ir_movi(g->ir, value, s->imm);
		ir_movi(g->ir, site, s->site);
		if (s->of_kernel)
			c->sites.v[s->site].of_kernel = true;
		ir_jmp(g->ir, s->has_rec ? with_rec : plain);
		any_rec |= s->has_rec;
		any_plain |= !s->has_rec;
	}
	if (any_rec) {
		ir_place(g->ir, with_rec);
		gen_record_drop(g, rec);
	}
	if (any_plain || any_rec)
		ir_place(g->ir, plain);
	ir_alui(g->ir, BPF_LSH, kind, 32);
	ir_alu(g->ir, BPF_OR, site, kind);
	probe = gen_copy(g, g->probe_index >= 0 ? g->probe_index : gen_imm(g, g->probe->index));
	ir_alui(g->ir, BPF_LSH, probe, 32);
	ir_alui(g->ir, BPF_OR, probe, c->index);
	memcpy(args, (int[]){probe, site, value, time_of_fault(g)}, sizeof(args));
	gen_routine(g, "dt_error", 4, args);
	gen_want_routine(g->cg, "dt_drop");
	g->stubs.n = 0;
}

/* Is this clause the late probe's? What its arguments are the stand-in knows that the clause
 * has. */
static void late_clause(struct gen *g, struct clause *c, int n)
{
	int word = ir_reg(g->ir);

	for (int i = 0; i < g->nprobes; i++)
		for (int j = 0; j < c->probes.n; j++)
			if (c->probes.v[j] == g->probes[i])
				g->probe = g->probes[i];
	ir_ld(g->ir, 8, word, g->late_row, n / 64 * 8);
	ir_alui(g->ir, BPF_RSH, word, n % 64);
	ir_alui(g->ir, BPF_AND, word, 1);
	ir_jcci(g->ir, BPF_JEQ, word, 0, g->l_next);
	gen_may_leave(g);
}

void gen_clause(struct gen *g, struct clause *c, int n)
{
	uint32_t top = g->temp_top;
	int rec, thread = -1;

	g->clause = c;
	g->loc = c->node->loc;
	g->site = 0;
	g->rec = -1;
	g->conditional = false;
	g->l_next = ir_label(g->ir);
	ir_loc(g->ir, c->node->loc);
	if (g->late_row >= 0)
		late_clause(g, c, n);
	sample_clause(g, c);
	if (c->counts) {
		gen_branch(g, c->counts, false, g->l_next);
		gen_may_leave(g);
	}
	if (c->pred) {
		ir_loc(g->ir, c->pred->loc);
		gen_branch(g, c->pred, false, g->l_next);
		gen_may_leave(g);
	}
	if (c->thread)
		thread = gen_expr(g, c->thread);
	statement_end(g, top);
	if (c->records)
		record_begin(g, c, thread);
	if (c->body)
		statements(g, c->body->list);
	rec = g->rec;
	ir_loc(g->ir, c->node->loc);
	if (c->records)
		ir_callv(g->ir, BPF_FUNC_ringbuf_submit, rec, gen_wake_flags(g->ir, g->cg));
	g->rec = -1;
	c->faults = g->stubs.n;
	if (g->stubs.n) {
		ir_jmp(g->ir, g->l_next);
		clause_faults(g, c, rec);
	}
	ir_place(g->ir, g->l_next);
	if (g->conditional) {
		g->memos.n = MIN(g->memos.n, g->memo_floor);
		g->self_state = MIN(g->self_state, 1);
	}
}
