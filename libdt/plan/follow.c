/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x follow: probes of a process fire in the children that it makes from now on, too, and in
 * theirs. (Watchpoints are on all processes anyhow, and only look.)
 *
 * The kernel puts a uprobe either into one process or into all that map the file. A child has its
 * parent's breakpoints, but the kernel takes those out again when it hits them first; and putting
 * in others once the child is heard of would come too late for what it does first. So the probes
 * are put into all processes, and the programs look whose firing it is: a table of the processes
 * that are followed has the one each comes from. A fork enters the child before it runs for the
 * first time, and the end of a process's last thread takes it out.
 *
 * They are put into all processes, too, where the process's first thread has ended: the kernel
 * identifies the process by that one's memory. There the programs compare the process's number.
 */
#include <string.h>

#include "libdt/lang/gen_parts.h"
#include "libdt/process/pidns.h"
#include "libdt/process/task.h"
#include "libdt/plan/parts.h"

enum { FOLLOWED_MAX = 32768 };

static void find_leaderless(struct program_set *set, const struct probes *probes)
{
	pid_t last = 0, number = 0;

	for (int i = 0; i < set->probes.n; i++) {
		struct target *t = &set->probes.v[i]->target;

		if (!t->pid || !probe_is_user(set->probes.v[i]))
			continue;
		if (t->pid != last)
			number = task_has_ended(t->pid) ? probes_kernel_number(probes, t->pid) : 0;
		last = t->pid;
		t->only = number;
		/* of one that awaits files it may end before they are mapped */
		set->leaderless |= number || set->probes.v[i]->awaits;
	}
}

void plan_follow(struct plan *p)
{
	struct codegen *cg = &p->cg;

	if (!opt_on(cg->opts, OPT_FOLLOW)) {
		find_leaderless(cg->set, cg->sema->probes);
		return;
	}
	if (pidns_own())
		diag_die(cg->diag, D_UNSUPPORTED, (struct loc){0}, "-x follow: " PIDNS_OWN);
	for (int i = 0; i < cg->set->probes.n; i++) {
		struct target *t = &cg->set->probes.v[i]->target;

		if (probe_is_user(cg->set->probes.v[i]) || cg->set->probes.v[i]->hook == HOOK_PERF)
			t->only = t->pid;
		cg->set->follows |= t->only != 0;
	}
	if (cg->set->follows)
		map_init(&cg->set->maps.followed, "dt_followed", BPF_MAP_TYPE_HASH, 8, 8,
			 FOLLOWED_MAX);
}

/* A member of one of the kernel's structures. */
static uint32_t offset(struct plan *p, const char *type, const char *member)
{
	struct types *types = p->cg.types;
	uint64_t off;

	if (!type_kernel_offset(types, type, member, &off))
		diag_die(p->cg.diag, D_UNSUPPORTED, (struct loc){0},
			 "-x follow needs the kernel's types: %s",
			 types_kernel_error(types) ? types_kernel_error(types) : member);
	return off;
}

/* Argument n of the tracepoint: a task. */
static int task(struct gen *g, int n)
{
	int r = ir_reg(g->ir);

	ir_ld_const(g->ir, 8, r, ir_arg(g->ir, 0), n * 8);
	return r;
}

static int current_process(struct ir *ir)
{
	int r = ir_reg(ir);

	ir_mov(ir, r, ir_call(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	ir_alui(ir, BPF_RSH, r, 32);
	return r;
}

static int lookup(struct ir *ir, struct map *map, int frame)
{
	int key = ir_reg(ir), m = ir_reg(ir);

	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, map);
	return ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
}

/* The parent is current. A thread, which is no process of its own, enters its own process again. */
static void on_fork(struct plan *p)
{
	struct codegen *cg = &p->cg;
	struct ir *ir = ir_new(cg->arena, "dt_fork", 1);
	struct gen g = {.cg = cg, .set = cg->set, .ir = ir, .cpu = -1};
	int frame = ir_frame(ir, 16), out = ir_label(ir), key = ir_reg(ir), value = ir_reg(ir),
	    m = ir_reg(ir), root = ir_reg(ir);
	int flags = ir_reg(ir), rc;

	ir_arg(ir, 0);
	ir_frame_st(ir, 8, frame, 0, current_process(ir));
	value = lookup(ir, &cg->set->maps.followed, frame);
	ir_jcci(ir, BPF_JEQ, value, 0, out);
	ir_ld(ir, 8, root, value, 0);
	ir_frame_st(ir, 8, frame, 8, root);
	ir_frame_st(ir, 8, frame, 0,
		    gen_peek_kernel(&g, task(&g, 1), offset(p, "struct task_struct", "tgid"), 4));
	ir_frame_addr(ir, key, frame, 0);
	value = ir_reg(ir);
	ir_frame_addr(ir, value, frame, 8);
	ir_map(ir, m, &cg->set->maps.followed);
	ir_movi(ir, flags, BPF_ANY);
	rc = ir_callv(ir, BPF_FUNC_map_update_elem, m, key, value, flags);
	ir_jcci(ir, BPF_JEQ, rc, 0, out);
	gen_drop(&g, DROP_DYNAMIC);
	ir_place(ir, out);
	ir_reti(ir, 0);
	plan_support_new(p, ir, "sched_process_fork");
}

static void on_exit_of_process(struct plan *p)
{
	struct codegen *cg = &p->cg;
	struct ir *ir = ir_new(cg->arena, "dt_process_exit", 1);
	struct gen g = {.cg = cg, .set = cg->set, .ir = ir, .cpu = -1};
	int frame = ir_frame(ir, 8), out = ir_label(ir), key = ir_reg(ir), m = ir_reg(ir), group;

	ir_arg(ir, 0);
	ir_frame_st(ir, 8, frame, 0, current_process(ir));
	ir_jcci(ir, BPF_JEQ, lookup(ir, &cg->set->maps.followed, frame), 0, out);
	group = gen_peek_kernel(&g, task(&g, 0), offset(p, "struct task_struct", "signal"), 8);
	ir_jcci(ir, BPF_JNE,
		gen_peek_kernel(&g, group, offset(p, "struct signal_struct", "live"), 4), 0, out);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, &cg->set->maps.followed);
	ir_callv(ir, BPF_FUNC_map_delete_elem, m, key);
	ir_place(ir, out);
	ir_reti(ir, 0);
	plan_support_new(p, ir, "sched_process_exit");
}

void plan_follow_support(struct plan *p)
{
	if (!p->set->follows)
		return;
	on_fork(p);
	on_exit_of_process(p);
}
