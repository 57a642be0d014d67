/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a program: what comes before, between and after its clauses.
 *
 *	stopped? wrong CPU?		-> out
 *	which probe			gen_firing.c: constant, attach cookie, or selector and table
 *	scratch slot			claimed if any clause needs it; it belongs to this
 *					invocation alone
 *	thread's variables		looked up once
 *	each clause			gen_clause.c
 *	scratch slot given back
 *
 * Whether the slot and the thread's variables are wanted is known only when the clauses have been
 * generated; so they are generated twice when the first pass finds that they are.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sample.h"

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
	gen_find_probe(g, table, part_no, out);
	gen_only_cgroup(g, out);
	if (g->set->ncpu_ranges && g->hook_kind != HOOK_RUN)
		g->want_cpu = true;
	if (g->want_cpu || g->want_slot) {
		g->cpu = ir_call_const(g->ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
		ir_jcci(g->ir, BPF_JGE, g->cpu, g->set->ncpus, out);
	}
	if (g->set->ncpu_ranges && g->hook_kind != HOOK_RUN)
		gen_only_cpus(g, out);
}

/*
 * Since Linux 6.13 functions with large frames have memory of the CPU's for a stack, as the kernel
 * takes programs of this type not to be preempted. Those on code of processes are, and when the
 * next one on the CPU writes to the same memory, the first goes on with what it finds there: the
 * kernel crashes. A program that contains a tail call has its frames on the kernel's stack. This
 * one is never reached, which the verifier sees: it removes it.
 */
static void keep_off_private_stack(struct gen *g)
{
	uint64_t off;
	int bit, on;

	if (!hook_is_user(g->hook_kind) || !feat(g->cg->feats, FEAT_BTF) ||
	    !type_kernel_offset(g->cg->types, "struct bpf_prog_aux", "priv_stack_ptr", &off))
		return;
	on = ir_label(g->ir);
	bit = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_smp_processor_id, 0, NULL));
	ir_alui(g->ir, BPF_AND, bit, 1);
	ir_jcci(g->ir, BPF_JLE, bit, 1, on);
	ir_callv(g->ir, BPF_FUNC_tail_call, g->ctx);
	ir_place(g->ir, on);
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

/* The thread's variables once for all clauses; in a spill program once for each that has them,
 * unless memory of D is searched for an address. */
static void look_up_self(struct gen *g)
{
	if (g->want_self && (!g->spill || g->cg->storage->addressed[SCOPE_SELF]))
		gen_self(g);
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
	g->self_state = 0;
	look_up_self(g);
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
		gen_clause(g, clauses[i], i);
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
	keep_off_private_stack(g);
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
	if (g->want_self)
		g->self = ir_reg(g->ir);
	look_up_self(g);
	if (pl->parts.n)
		all_parts(g, pl, part_no, part, e.release);
	else {
		gen_early_args(g);
		all_clauses(g, pl->clauses.v, pl->clauses.n, part, e.release);
	}
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

/* Fewer clauses would cost the verifier more than it saves. */
enum { MANY_CLAUSES = 8 };
/* With fewer a call costs the firing more than it gains from less code. */
enum { CALL_CLAUSES = 40 };

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
		g.many = pl->clauses.n >= MANY_CLAUSES;
		g.calls = pl->clauses.n >= CALL_CLAUSES;
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
		memcpy(g.early_args, last.early_args, sizeof(g.early_args));
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
		again = (!pl->parts.n && g.late_row < 0 && gen_plan_early_args(&g)) ||
			g.want_slot != last.want_slot || g.want_self != last.want_self ||
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
