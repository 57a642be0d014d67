/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which firings a program is for: one hook may serve many probes, and a probe may be one process's
 * (with -x follow also its descendants'), one of several modes (32-bit calls), a CPU's or a control
 * group's. All other firings leave the program.
 */
#include "libdt/lang/gen_parts.h"

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

/* -x follow: verifier pointer to the process of which a process is a descendant, or NULL. */
static int look_up_followed(struct gen *g, int process)
{
	struct ir *ir = g->ir;
	int frame = ir_frame(ir, 8), key = ir_reg(ir), m = ir_reg(ir), found;

	ir_frame_st(ir, 8, frame, 0, process);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, &g->set->maps.followed);
	found = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
	return found;
}

static int current_process(struct gen *g)
{
	int process = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));

	ir_alui(g->ir, BPF_RSH, process, 32);
	return process;
}

/* -x follow: does the firing come from the probe's process or a descendant? */
static void only_followed(struct gen *g, int process, int out)
{
	struct ir *ir = g->ir;
	int root = ir_reg(ir), found = look_up_followed(g, current_process(g));

	ir_jcci(ir, BPF_JEQ, found, 0, out);
	ir_ld(ir, 8, root, found, 0);
	ir_jcc(ir, BPF_JNE, root, process, out);
}

/* The same without children: probes are in all processes because this one has no first thread. */
static void only_process(struct gen *g, int process, int out)
{
	ir_jcc(g->ir, BPF_JNE, current_process(g), process, out);
}

/* Probes that are in all processes (struct target's only) fire in those that they are for. Of a
 * program with many probes the cookie has the process in its upper half; 0: any. */
static void only_meant(struct gen *g, int out)
{
	void (*only)(struct gen * g, int process, int out) =
	    g->set->follows ? only_followed : only_process;
	int process, any;

	if (!(g->set->follows && (hook_is_user(g->hook_kind) || g->hook_kind == HOOK_PERF)) &&
	    !(g->set->leaderless && hook_is_user(g->hook_kind)))
		return;
	if (g->nprobes > 1 || g->probe->awaits) {
		process = gen_copy(g, g->probe_index);
		ir_alui(g->ir, BPF_RSH, process, 32);
		any = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JEQ, process, 0, any);
		only(g, process, out);
		ir_place(g->ir, any);
		g->probe_index = gen_copy(g, g->probe_index);
		ir_zext(g->ir, g->probe_index, 32);
	} else if (g->probe->target.only) {
		only(g, gen_imm(g, g->probe->target.only), out);
	}
}

/* The one whose probes fire here: with -x follow that from which the process comes, or 0. */
static int followed_process(struct gen *g, int process)
{
	struct ir *ir = g->ir;
	int root, found, none;

	if (!g->set->follows)
		return process;
	root = ir_reg(ir);
	none = ir_label(ir);
	ir_movi(ir, root, 0);
	found = look_up_followed(g, process);
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

void gen_find_probe(struct gen *g, struct map *table, int part_no, int out)
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
	only_meant(g, out);
	leave_others(g, out);
	if (g->probe->awaits) {
		find_late_row(g, out);
		leave_late_others(g, out);
	}
	if (base->provider->guard)
		ir_jcci(g->ir, BPF_JEQ, base->provider->guard(g, base), 0, out);
}

void gen_only_cpus(struct gen *g, int out)
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

void gen_only_cgroup(struct gen *g, int out)
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
