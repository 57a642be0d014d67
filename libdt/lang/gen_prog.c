/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a program: what comes before, between and after its clauses.
 *
 *	stopped? wrong CPU?		-> out
 *	which probe			constant, attach cookie, or selector and table
 *	scratch slot			claimed if any clause needs it; it belongs to this
 *					invocation alone
 *	thread's variables		looked up once
 *	for each clause			predicate, record reserved, body, record submitted
 *	  its faults			record discarded, error record; the next clause goes on
 *	scratch slot given back
 *
 * Whether the slot and the thread's variables are wanted is known only when the clauses have been
 * generated; so they are generated twice when the first pass finds that they are.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/def.h"
#include "libdt/lang/gen.h"
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
	} else if (type_is_block(rec->type) || type_base(rec->type)->kind == T_ARRAY) {
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

/* The n-th of the program. */
static void clause(struct gen *g, struct clause *c, int n)
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

static void leave(struct gen *g)
{
	if (g->result >= 0)
		ir_ret(g->ir, g->result);
	else
		ir_reti(g->ir, 0);
}

static void end_firing(struct gen *g, int part)
{
	if (g->want_slot)
		gen_slot_release(g, part);
	leave(g);
}

/* exit() ends tracing, and so may a fault: the clauses that follow for the same firing do not run
 * any more. END and ERROR come after exit(), and all of their clauses run. */
static void end_of_tracing(struct gen *g, const struct clause *c, int part, int release)
{
	bool exits = g->cg->error_ends && c->faults,
	     late = !strcmp(g->probe->prov, "dtrace") &&
		    (!strcmp(g->probe->name, "END") || !strcmp(g->probe->name, "ERROR"));
	int p, stopped, next;

	for (int i = 0; i < c->layout.acts.n; i++)
		exits |= !strcmp(c->layout.acts.v[i]->name, "exit");
	if (!exits || late)
		return;
	p = gen_ctl_addr(g->ir, g->cg, offsetof(struct ctl, stopped));
	stopped = ir_reg(g->ir);
	ir_ld(g->ir, 4, stopped, p, 0);
	if (!g->spill) {
		ir_jcci(g->ir, BPF_JNE, stopped, 0, release);
		return;
	}
	next = ir_label(g->ir);
	ir_jcci(g->ir, BPF_JEQ, stopped, 0, next);
	end_firing(g, part);
	ir_place(g->ir, next);
}

/* Which of its probes a program fires for --------------------------------- */

static int probe_at_address(struct gen *g, struct map *table, int out)
{
	struct ir *ir = g->ir;
	int frame = ir_frame(ir, 8), key = ir_reg(ir), m = ir_reg(ir), index = ir_reg(ir), found,
	    known = ir_label(ir);

	ir_frame_st(ir, 8, frame, 0, g->hook->address(ir, g->ctx, &g->cg->where));
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, table);
	found = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
	ir_jcci(ir, BPF_JNE, found, 0, known);
	gen_drop(g, DROP_PRINCIPAL);
	ir_jmp(ir, out);
	ir_place(ir, known);
	ir_ld(ir, 4, index, found, 0);
	return index;
}

/* -x follow: does the firing come from the probe's process or a descendant? Of a program with
 * many probes the cookie has the process in its upper half; 0: any. */
static void only_followed(struct gen *g, int process, int out)
{
	struct ir *ir = g->ir;
	int frame = ir_frame(ir, 8), key = ir_reg(ir), m = ir_reg(ir), mine = ir_label(ir),
	    root = ir_reg(ir), found, own;

	own = gen_copy(g, ir_call_const(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	ir_jcci(ir, BPF_JEQ, process, 0, mine);
	ir_alui(ir, BPF_RSH, own, 32);
	ir_frame_st(ir, 8, frame, 0, own);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, &g->set->maps.followed);
	found = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
	ir_jcci(ir, BPF_JEQ, found, 0, out);
	ir_ld(ir, 8, root, found, 0);
	ir_jcc(ir, BPF_JNE, root, process, out);
	ir_place(ir, mine);
}

static void follow(struct gen *g, int out)
{
	int process;

	if (!g->set->follows || !(hook_is_user(g->hook_kind) || g->hook_kind == HOOK_PERF))
		return;
	if (g->nprobes > 1 || g->probe->awaits) {
		process = gen_copy(g, g->probe_index);
		ir_alui(g->ir, BPF_RSH, process, 32);
		only_followed(g, process, out);
		g->probe_index = gen_copy(g, g->probe_index);
		ir_zext(g->ir, g->probe_index, 32);
	} else if (g->probe->target.all) {
		only_followed(g, gen_imm(g, g->probe->target.pid), out);
	}
}

static int current_process(struct gen *g)
{
	int process = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));

	ir_alui(g->ir, BPF_RSH, process, 32);
	return process;
}

/* The one whose probes fire here: with -x follow that from which the process comes, or 0. */
static int followed_process(struct gen *g, int process)
{
	struct ir *ir = g->ir;
	int frame, key, m, root, found, none;

	if (!g->set->follows)
		return process;
	frame = ir_frame(ir, 8);
	key = ir_reg(ir);
	m = ir_reg(ir);
	root = ir_reg(ir);
	none = ir_label(ir);
	ir_movi(ir, root, 0);
	ir_frame_st(ir, 8, frame, 0, process);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, &g->set->maps.followed);
	found = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
	ir_jcci(ir, BPF_JEQ, found, 0, none);
	ir_ld(ir, 8, root, found, 0);
	ir_place(ir, none);
	return root;
}

/* Jumps when the process is in the set, or (BPF_JNE) when it is not. */
static void if_process(struct gen *g, int process, int jump, struct pid_set set, int label)
{
	if (set.modulus != PID_SET_ONE) {
		process = gen_copy(g, process);
		ir_alui(g->ir, BPF_MOD, process, set.modulus);
	}
	ir_jcci(g->ir, jump, process, set.rest, label);
}

/* Only in its processes, and not in those whose own probes have its clauses. */
static void leave_others(struct gen *g, int out)
{
	const struct probe *p = g->probe;
	int process;

	if (p->awaits || (!p->nexcept && !p->pids.modulus))
		return;
	process = current_process(g);
	if (p->pids.modulus)
		if_process(g, process, BPF_JNE, p->pids, out);
	if (p->nexcept)
		process = followed_process(g, process);
	for (int i = 0; i < p->nexcept; i++)
		if_process(g, process, BPF_JEQ, p->except[i], out);
}

/* Its number in the order of the enabled probes: by its cookie, or the program is the probe's
 * own. */
static int late_number(struct gen *g, struct map *table)
{
	int r, at;

	if (hook_dispatch(g->cg->feats, g->hook_kind) == DISPATCH_COOKIE)
		return g->hook->cookie(g->ir, g->ctx);
	r = ir_reg(g->ir);
	at = ir_reg(g->ir);
	ir_map_mem(g->ir, at, table, 0);
	ir_ld(g->ir, 4, r, at, 0);
	return r;
}

static void find_late_row(struct gen *g, int out)
{
	int off = gen_copy(g, g->probe_index);

	ir_jcci(g->ir, BPF_JLT, off, g->set->late_first, out);
	ir_alui(g->ir, BPF_SUB, off, g->set->late_first);
	ir_jcci(g->ir, BPF_JGE, off, g->set->late_max, out);
	ir_alui(g->ir, BPF_MUL, off, g->set->late_row_size);
	g->late_row = ir_reg(g->ir);
	ir_map_mem(g->ir, g->late_row, &g->set->maps.late, 0);
	ir_alu(g->ir, BPF_ADD, g->late_row, off);
}

static int load_late(struct gen *g, int size, size_t member)
{
	int r = ir_reg(g->ir);

	ir_ld(g->ir, size, r, g->late_row, late_processes_at(g->set->late_row_size) + member);
	return r;
}

/* Only in the processes that the row says. */
static void only_late_processes(struct gen *g, int process, int out)
{
	int in = ir_label(g->ir),
	    modulus = load_late(g, 4, offsetof(struct late_processes, pids.modulus));

	ir_jcci(g->ir, BPF_JEQ, modulus, 0, in);
	process = gen_copy(g, process);
	ir_alu(g->ir, BPF_MOD, process, modulus);
	ir_jcc(g->ir, BPF_JNE, process, load_late(g, 4, offsetof(struct late_processes, pids.rest)),
	       out);
	ir_place(g->ir, in);
}

/* Not where the process has a late probe of its own, with this one's clauses; and where the row
 * says so. */
static void leave_late_others(struct gen *g, int out)
{
	bool some = false;
	int process;
	pid_t pid;

	for (int i = 0; i < g->nprobes; i++)
		some |= g->probes[i]->pids.modulus;
	if (!some && !program_process(g->probes, g->nprobes, 0))
		return;
	process = current_process(g);
	if (some)
		only_late_processes(g, process, out);
	if (program_process(g->probes, g->nprobes, 0))
		process = followed_process(g, process);
	for (int i = 0; i < LATE_PROCESSES && (pid = program_process(g->probes, g->nprobes, i));
	     i++) {
		int word, next = ir_label(g->ir);

		ir_jcci(g->ir, BPF_JNE, process, probes_kernel_number(g->cg->sema->probes, pid),
			next);
		word = load_late(g, 8, offsetof(struct late_processes, except));
		ir_alui(g->ir, BPF_RSH, word, i);
		ir_alui(g->ir, BPF_AND, word, 1);
		ir_jcci(g->ir, BPF_JNE, word, 0, out);
		ir_place(g->ir, next);
	}
}

/* Whether it is the second mode: a register of its own, for of one that was tested the verifier
 * knows it ever after. Leaves in the mode in which none of the probes has a number. */
static int find_mode(struct gen *g, const struct probe *p, int out)
{
	int second;

	g->mode = gen_copy(g, p->provider->mode(g, p));
	second = gen_copy(g, g->mode);
	ir_alui(g->ir, BPF_AND, second, p->provider->mode_bit);
	if (gen_modes(g) != 3)
		ir_jcci(g->ir, gen_modes(g) == 1 ? BPF_JNE : BPF_JEQ, second, 0, out);
	return second;
}

/* The number first: most firings are of others, and what the mode is costs more. */
static void only_selected(struct gen *g, const struct probe *p, int sel, int out)
{
	const uint32_t *select = p->select;
	int ours = ir_label(g->ir), native = ir_label(g->ir), in = ir_label(g->ir);
	bool both = gen_modes(g) == 3 && select[0] != select[1];
	int second;

	if (both)
		ir_jcci(g->ir, BPF_JEQ, sel, select[0], ours);
	ir_jcci(g->ir, BPF_JNE, sel, select[both || select[0] == SELECT_NONE], out);
	ir_place(g->ir, ours);
	second = find_mode(g, p, out);
	if (both) {
		ir_jcci(g->ir, BPF_JEQ, second, 0, native);
		ir_jcci(g->ir, BPF_JNE, sel, select[1], out);
		ir_jmp(g->ir, in);
		ir_place(g->ir, native);
		ir_jcci(g->ir, BPF_JNE, sel, select[0], out);
	}
	ir_place(g->ir, in);
}

/* The same by the table: both modes' probes are in one word, so that an unused number
 * costs one look. */
static void look_selected(struct gen *g, const struct probe *p, int sel, struct map *table,
			  int part_no, int out)
{
	int at = ir_reg(g->ir), one, second, native = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JGE, sel, p->provider->nselect, out);
	one = gen_copy(g, sel);
	ir_alui(g->ir, BPF_MUL, one, sizeof(struct selected));
	ir_map_mem(g->ir, at, table, 0);
	ir_alu(g->ir, BPF_ADD, at, one);
	g->probe_index = ir_reg(g->ir);
	ir_ld(g->ir, 8, g->probe_index, at, 0);
	ir_jcci(g->ir, BPF_JEQ, g->probe_index, 0, out);
	if (part_no >= 0)
		ir_ld(g->ir, 8, part_no, at, offsetof(struct selected, part));
	second = find_mode(g, p, out);
	if (gen_modes(g) == 3)
		ir_jcci(g->ir, BPF_JEQ, second, 0, native);
	if (gen_modes(g) & 2)
		ir_alui(g->ir, BPF_RSH, g->probe_index, 32);
	if (gen_modes(g) & 2 && part_no >= 0)
		ir_alui(g->ir, BPF_RSH, part_no, 32);
	ir_place(g->ir, native);
	ir_zext(g->ir, g->probe_index, 32);
	if (part_no >= 0)
		ir_zext(g->ir, part_no, 32);
	if (gen_modes(g) == 3)
		ir_jcci(g->ir, BPF_JEQ, g->probe_index, 0, out);
	ir_alui(g->ir, BPF_SUB, g->probe_index, 1);
}

static void find_probe(struct gen *g, struct map *table, int part_no, int out)
{
	const struct probe *base = probe_base(g->probe);

	g->probe_index = g->late_row = -1;
	if (g->probe->awaits) {
		g->probe_index = late_number(g, table);
	} else if (base->provider->selector && g->nprobes == 1) {
		only_selected(g, base, base->provider->selector(g, base), out);
	} else if (base->provider->selector) {
		look_selected(g, base, base->provider->selector(g, base), table, part_no, out);
	} else if (g->nprobes > 1 &&
		   hook_dispatch(g->cg->feats, g->hook_kind) == DISPATCH_ADDRESS) {
		g->probe_index = probe_at_address(g, table, out);
	} else if (g->nprobes > 1) {
		g->probe_index = g->hook->cookie(g->ir, g->ctx);
	}
	follow(g, out);
	leave_others(g, out);
	if (g->probe->awaits) {
		find_late_row(g, out);
		leave_late_others(g, out);
	}
	if (base->provider->guard)
		ir_jcci(g->ir, BPF_JEQ, base->provider->guard(g, base), 0, out);
}

/* -x cpu */
static void choose_cpus(struct gen *g, int out)
{
	int in = ir_label(g->ir);

	for (int i = 0; i < g->set->ncpu_ranges; i++) {
		const struct cpu_range *r = &g->set->cpus[i];
		int next = ir_label(g->ir);

		if (r->first)
			ir_jcci(g->ir, BPF_JLT, g->cpu, r->first, next);
		ir_jcci(g->ir, BPF_JLE, g->cpu, r->last, in);
		ir_place(g->ir, next);
	}
	ir_jmp(g->ir, out);
	ir_place(g->ir, in);
}

/* -x cgroup: does the firing come from a process of the group or of one below? */
static void only_cgroup(struct gen *g, int out)
{
	int m, index, in;

	if (!g->set->has_cgroup || g->hook_kind == HOOK_RUN || probe_is_systemwide(g->probe))
		return;
	m = ir_reg(g->ir);
	index = ir_reg(g->ir);
	ir_map(g->ir, m, &g->set->maps.cgroups);
	ir_movi(g->ir, index, 0);
	in = ir_callv(g->ir, BPF_FUNC_current_task_under_cgroup, m, index);
	ir_jcci(g->ir, BPF_JNE, in, 1, out);
}

static void prologue(struct gen *g, struct map *table, int part_no, int out)
{
	int p, v;

	if (g->hook_kind != HOOK_RUN) {
		p = gen_ctl_addr(g->ir, g->cg, offsetof(struct ctl, stopped));
		v = ir_reg(g->ir);
		ir_ld(g->ir, 4, v, p, 0);
		ir_jcci(g->ir, BPF_JNE, v, 0, out);
	}
	if (g->sample_scope != SAMPLE_NONE)
		sample_draw(g, out);
	find_probe(g, table, part_no, out);
	only_cgroup(g, out);
	if (g->set->ncpu_ranges && g->hook_kind != HOOK_RUN)
		g->want_cpu = true;
	if (g->want_cpu || g->want_slot) {
		g->cpu = ir_call_const(g->ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
		ir_jcci(g->ir, BPF_JGE, g->cpu, g->set->ncpus, out);
	}
	if (g->set->ncpu_ranges && g->hook_kind != HOOK_RUN)
		choose_cpus(g, out);
}

struct ends {
	int out, release, busy; /* labels: nothing is held; the slot is; there is none */
};

static void place_ends(struct gen *g, const struct ends *e, int part)
{
	ir_place(g->ir, e->release);
	if (g->want_slot) {
		gen_slot_release(g, part);
		ir_jmp(g->ir, e->out);
		ir_place(g->ir, e->busy);
		gen_drop(g, DROP_NESTED);
	}
	ir_place(g->ir, e->out);
	leave(g);
}

/* Variables that begin as zeroes with each firing. */
static void clear_locals(struct gen *g)
{
	struct syms_of_script *ss = g->cg->syms;

	for (int i = 0; i < ss->all.n; i++) {
		struct sym *sym = ss->all.v[i];

		if (sym->kind != SYM_VAR || sym->scope != SCOPE_THIS)
			continue;
		g->this_regs[sym->index] = ir_reg(g->ir);
		ir_movi(g->ir, g->this_regs[sym->index], 0);
		if (!g->want_slot)
			continue;
		if (type_is_string(sym->type)) /* NULL */
			ir_sti(g->ir, 8, g->slot, g->this_base + sym->off, 0);
		else if (!type_is_word(sym->type) || g->spill || sym->addressed ||
			 type_base(sym->type)->kind == T_ARRAY)
			gen_zero(g, g->slot, g->this_base + sym->off, ALIGN_UP(sym->size, 8));
	}
}

/* Of a number that has been in the slot the verifier knows nothing. */
static void launder(struct gen *g, int reg)
{
	ir_st(g->ir, 8, gen_slot(g), 0, reg);
	ir_ld(g->ir, 8, reg, g->slot, 0);
}

/* Between two clauses: how the first one was gone through shall make no difference to the
 * verifier in the second. */
static void forget_path(struct gen *g)
{
	if (g->time.reg >= 0)
		launder(g, g->time.reg);
	if (g->shown.reg >= 0)
		launder(g, g->shown.reg);
	if (g->want_alloc)
		launder(g, g->alloc_off);
	if (g->result >= 0)
		launder(g, g->result);
	if (g->sample_scope != SAMPLE_NONE)
		launder(g, g->sample_shift);
	if (g->sample_scope == SAMPLE_SOME)
		launder(g, g->sample_skip);
	if (g->want_self) {
		ir_mov(g->ir, g->self, gen_self_lookup(g, false));
		g->self_state = 1;
	}
}

/* What our own programs lock is not traced: see provider/locks.c. */
static void leave_if_busy(struct gen *g, int part, int out)
{
	int busy = ir_reg(g->ir);

	ir_ld(g->ir, 8, busy, part, offsetof(struct ctl_cpu, busy));
	ir_jcci(g->ir, BPF_JNE, busy, 0, out);
}

static void no_reading(struct gen *g, struct reading *clock)
{
	if (clock->reg < 0)
		return;
	clock->reg = ir_reg(g->ir);
	ir_movi(g->ir, clock->reg, 0);
}

static void all_clauses(struct gen *g, struct clause *const *clauses, int n, int part, int release)
{
	for (int i = 0; i < n; i++) {
		clause(g, clauses[i], i);
		if (i + 1 == n)
			break;
		end_of_tracing(g, clauses[i], part, release);
		if (g->spill)
			forget_path(g);
	}
}

/* Jumps to one of the labels, by a number in a register from the first on to before the last. */
static void choose_part(struct gen *g, const int *labels, int part_no, int first, int last)
{
	int middle = first + (last - first) / 2, upper = ir_label(g->ir);

	if (last - first == 1) {
		ir_jmp(g->ir, labels[first]);
		return;
	}
	ir_jcci(g->ir, BPF_JGE, part_no, middle, upper);
	choose_part(g, labels, part_no, first, middle);
	ir_place(g->ir, upper);
	choose_part(g, labels, part_no, middle, last);
}

/* A part is a program of its own but for its beginning and end: what is known of the probe is what
 * its own probes have in common, and how often it reads the clock is its own affair. */
static void part_clauses(struct gen *g, const struct program_part *p, int part, int release)
{
	struct region r = gen_enter(g);
	int index = g->probe_index, time = g->time.uses, shown = g->shown.uses;

	g->probe = p->probes.v[0];
	g->probes = p->probes.v;
	g->nprobes = p->probes.n;
	if (g->nprobes == 1)
		g->probe_index = -1;
	g->time.uses = g->shown.uses = 0;
	all_clauses(g, p->clauses.v, p->clauses.n, part, release);
	g->time.uses = MAX(g->time.uses, time);
	g->shown.uses = MAX(g->shown.uses, shown);
	g->probe_index = index;
	gen_leave(g, r);
}

static void all_parts(struct gen *g, const struct program *pl, int part_no, int part, int release)
{
	int *labels = arena_alloc(g->arena, pl->parts.n * sizeof(*labels));

	for (int i = 0; i < pl->parts.n; i++)
		labels[i] = ir_label(g->ir);
	choose_part(g, labels, part_no, 0, pl->parts.n);
	for (int i = 0; i < pl->parts.n; i++) {
		ir_place(g->ir, labels[i]);
		part_clauses(g, &pl->parts.v[i], part, release);
		ir_jmp(g->ir, release);
	}
}

/* A jump reaches 32767 instructions: the ends of a spill program are in front of its clauses. */
static void program(struct gen *g, struct program *pl)
{
	struct ends e = {ir_label(g->ir), ir_label(g->ir), ir_label(g->ir)};
	/* register: the number of the part that has the probe */
	int part_no = pl->parts.n ? ir_reg(g->ir) : -1, part, body;

	g->ctx = ir_arg(g->ir, 0);
	ir_loc(g->ir, pl->clauses.v[0]->node->loc);
	if (g->hook_kind == HOOK_FMODRET) {
		g->result = ir_reg(g->ir);
		ir_movi(g->ir, g->result, 0);
	}
	prologue(g, &pl->table, part_no, e.out);
	g->time.begins = gen_memo_find(g, &g->time, 0);
	part = g->part = g->want_slot ? gen_cpu_part(g->ir, g->cg, g->cpu, e.out) : -1;
	if (g->want_slot) {
		if (g->locks)
			leave_if_busy(g, part, e.out);
		gen_slot_claim(g, part, e.busy);
		ir_jcci(g->ir, BPF_JEQ, g->slot, 0, e.release);
	}
	if (g->spill) {
		body = ir_label(g->ir);
		ir_jmp(g->ir, body);
		place_ends(g, &e, part);
		ir_place(g->ir, body);
	}
	gen_mem_begin(g);
	no_reading(g, &g->time);
	no_reading(g, &g->shown);
	clear_locals(g);
	if (g->want_self) {
		g->self = gen_copy(g, gen_self_lookup(g, false));
		g->self_state = 1;
	}
	if (pl->parts.n)
		all_parts(g, pl, part_no, part, e.release);
	else
		all_clauses(g, pl->clauses.v, pl->clauses.n, part, e.release);
	if (g->spill)
		end_firing(g, part);
	else
		place_ends(g, &e, part);
}

/* Space for variable sizes. Each slot of each CPU has it, and the same again for the verifier: on
 * many CPUs there is less unless the user sets it. */
static uint32_t scratch_size(const struct codegen *cg, bool varies)
{
	int64_t size = opt_num(cg->opts, OPT_SCRATCHSIZE);

	if (!cg->opts->v[OPT_SCRATCHSIZE].set)
		size = MIN(size, MAX(SCRATCH_MEMORY / (2 * SCRATCH_SLOTS * cg->set->ncpus), 4096));
	return ALIGN_UP(varies ? size : MIN(size, 4096), 8);
}

struct ir *gen_program(struct codegen *cg, struct program *pl, bool spill, bool *sleeps)
{
	struct gen g = {0};
	bool again, locks = false;

	for (int i = 0; i < pl->probes.n; i++)
		locks |= pl->probes.v[i]->locks;
	do {
		struct gen last = g;

		memset(&g, 0, sizeof(g));
		g.cg = cg;
		g.set = cg->set;
		g.sema = cg->sema;
		g.arena = cg->arena;
		g.hook = hook_get(pl->hook);
		g.hook_kind = pl->hook;
		g.probe = pl->probes.v[0];
		g.probes = pl->probes.v;
		g.nprobes = pl->probes.n;
		g.spill = spill;
		g.locks = locks;
		g.may_sleep = hook_is_user(pl->hook) && feat(cg->feats, FEAT_SLEEPABLE_UPROBE);
		if (cg->sample_row >= 0)
			g.sample_scope = sample_scope(pl->clauses.v, pl->clauses.n);
		g.cpu = g.mode = g.alloc_off = g.rec = g.result = -1;
		/* registers that are valid, until the second pass */
		g.slot = g.slot_no = g.self = IR_FP;
		g.alloc_off = IR_FP;
		g.time.reg = last.time.uses > 1 ? IR_FP : -1;
		g.shown.reg = last.shown.uses > 1 ? IR_FP : -1;
		/* By its slot dtrace sees that one which may sleep is under way:
		 * engine/snapshot.c. */
		g.want_slot = last.want_slot || cg->locks || (last.sleeps && last.aggregates);
		g.want_self = last.want_self;
		g.want_alloc = last.want_alloc;
		g.want_slack = last.want_slack;
		g.want_cpu = last.want_cpu;
		g.this_regs = arena_alloc(cg->arena, (cg->syms->all.n + 1) * sizeof(int));
		g.this_base = 8; /* the first word is gen_address()'s */
		g.dyn_base = ALIGN_UP(g.this_base + cg->syms->this_size, 8) + DYN_GUARD;
		g.dyn_size = scratch_size(cg, last.want_slack) + last.dyn_fixed;
		/* Of an allocation whose size varies, offset and size are each known to be at
		 * most dyn_size: twice that space, to the verifier. */
		g.static_base =
		    g.dyn_base + (last.want_alloc ? (last.want_slack ? 2 : 1) * g.dyn_size : 0);
		g.statics = last.statics;
		g.static_size = last.static_size;
		g.temp_top = g.temp_max = g.static_base + g.static_size;
		g.ir =
		    ir_new(cg->arena, arena_printf(cg->arena, "dt_%u", pl->clauses.v[0]->index), 1);
		program(&g, pl);
		vec_free(&g.stubs);
		vec_free(&g.memos);
		vec_free(&g.frames);
		again = g.want_slot != last.want_slot || g.want_self != last.want_self ||
			g.want_alloc != last.want_alloc || g.want_slack != last.want_slack ||
			g.dyn_fixed != last.dyn_fixed || g.want_cpu != last.want_cpu ||
			g.aggregates != last.aggregates || g.sleeps != last.sleeps ||
			g.static_size != last.static_size ||
			(g.time.reg >= 0) != (g.time.uses > 1) ||
			(g.shown.reg >= 0) != (g.shown.uses > 1);
		if (again)
			ir_drop(g.ir);
	} while (again);
	vec_free(&g.statics);
	*sleeps = g.sleeps;
	cg->set->sleepers |= g.sleeps && g.aggregates;
	if (g.want_slot)
		cg->slot_size = MAX(cg->slot_size, g.temp_max);
	return g.ir;
}
