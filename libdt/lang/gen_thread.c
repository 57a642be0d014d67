/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU, the thread and its storage, time. */
#include <string.h>

#include "bpf/sys.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

int gen_thread_key(struct gen *g)
{
	static const char key[] = "thread";
	int r = gen_memo_find(g, key, 0), idle;

	if (r >= 0)
		return r;
	r = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	idle = ir_label(g->ir);
	ir_zext(g->ir, r, 32);
	ir_jcci(g->ir, BPF_JNE, r, 0, idle);
	ir_mov(g->ir, r, gen_cpu(g)); /* the idle threads all have the id 0 */
	ir_alui(g->ir, BPF_ADD, r, 1);
	ir_alui(g->ir, BPF_LSH, r, 32);
	ir_place(g->ir, idle);
	gen_memo_add(g, key, 0, r);
	return r;
}

int gen_thread_recorded(struct gen *g, int number)
{
	static const char key[] = "thread recorded";
	int r = gen_memo_find(g, key, 0), task;

	if (r >= 0)
		return r;
	r = gen_copy(g, number >= 0 ? number
				    : ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	ir_zext(g->ir, r, 32);
	task = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_task, 0, NULL));
	ir_alui(g->ir, BPF_RSH, task, 6); /* tasks are aligned to at least that */
	ir_alui(g->ir, BPF_LSH, task, 32);
	ir_alu(g->ir, BPF_OR, r, task);
	gen_memo_add(g, key, 0, r);
	return r;
}

static int self_by_key(struct gen *g, bool create)
{
	int frame = ir_frame(g->ir, 8), key = ir_reg(g->ir), m = ir_reg(g->ir), r;

	ir_frame_st(g->ir, 8, frame, 0, gen_thread_key(g));
	ir_frame_addr(g->ir, key, frame, 0);
	if (create) {
		int m2 = ir_reg(g->ir), key2 = ir_reg(g->ir);

		ir_map(g->ir, m2, &g->set->maps.self);
		ir_frame_addr(g->ir, key2, frame, 0);
		ir_callv(g->ir, BPF_FUNC_map_update_elem, m2, key2,
			 gen_literal(g, arena_alloc(g->arena, g->cg->storage->self_size),
				     g->cg->storage->self_size),
			 gen_imm(g, BPF_NOEXIST));
	}
	ir_map(g->ir, m, &g->set->maps.self);
	r = ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(g->ir, frame);
	return r;
}

static int self_in_task(struct ir *ir, struct map *self, bool create)
{
	int task = ir_call_const(ir, SYS_FUNC_GET_CURRENT_TASK_BTF, 0, NULL), m = ir_reg(ir),
	    zero = ir_reg(ir), flags = ir_reg(ir);

	ir_map(ir, m, self);
	ir_movi(ir, zero, 0);
	ir_movi(ir, flags, create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	return ir_callv(ir, SYS_FUNC_TASK_STORAGE_GET, m, task, zero, flags);
}

/*
 * For many clauses it is a function. The kernel puts instructions of its own beside each of the two
 * calls, and moves the whole program for each: a tenth of the time to load a hundred clauses. The
 * function is not a global one, for it returns a pointer.
 */
static int self_by_routine(struct gen *g, bool create)
{
	struct ir **routine = &g->cg->self_routines[create];
	const char *name = create ? "dt_self_new" : "dt_self";

	if (!*routine) {
		*routine = ir_new(g->arena, name, 0);
		ir_loc(*routine, g->loc);
		ir_ret(*routine, self_in_task(*routine, &g->set->maps.self, create));
	}
	return ir_call_func(g->ir, name, 0, NULL);
}

int gen_self_lookup(struct gen *g, bool create)
{
	g->cg->uses_self = true;
	if (!feat(g->cg->feats, FEAT_TASK_STORAGE))
		return self_by_key(g, create);
	if (g->calls)
		return self_by_routine(g, create);
	return self_in_task(g->ir, &g->set->maps.self, create);
}

int gen_self(struct gen *g)
{
	g->want_self = true;
	if (!g->self_state) {
		ir_mov(g->ir, g->self, gen_self_lookup(g, false));
		g->self_state = 1;
	}
	return g->self;
}

static void describe_vtime(struct codegen *cg)
{
	if (cg->set->maps.vtime.name[0])
		return;
	if (feat(cg->feats, FEAT_TASK_STORAGE))
		map_init_task_storage(&cg->set->maps.vtime, "dt_vtime", 8);
	else
		map_init(&cg->set->maps.vtime, "dt_vtime", BPF_MAP_TYPE_HASH, 8, 8, 16384);
}

/* Time on CPU is kept like self->: in the task where the kernel can, else in a hash by thread. */
int gen_vtime_sum(struct gen *g, int cpu)
{
	int m = ir_reg(g->ir), frame, key, r, there, found;

	describe_vtime(g->cg);
	if (feat(g->cg->feats, FEAT_TASK_STORAGE)) {
		int task = ir_call_const(g->ir, SYS_FUNC_GET_CURRENT_TASK_BTF, 0, NULL);

		ir_map(g->ir, m, &g->set->maps.vtime);
		return ir_callv(g->ir, SYS_FUNC_TASK_STORAGE_GET, m, task, gen_imm(g, 0),
				gen_imm(g, BPF_LOCAL_STORAGE_GET_F_CREATE));
	}
	g->cpu = cpu;
	frame = ir_frame(g->ir, 16);
	key = ir_reg(g->ir);
	ir_frame_st(g->ir, 8, frame, 0, gen_thread_key(g));
	ir_frame_sti(g->ir, 8, frame, 8, 0);
	ir_frame_addr(g->ir, key, frame, 0);
	ir_map(g->ir, m, &g->set->maps.vtime);
	found = ir_reg(g->ir);
	there = ir_label(g->ir);
	ir_mov(g->ir, found, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key));
	ir_jcci(g->ir, BPF_JNE, found, 0, there);
	r = ir_reg(g->ir);
	ir_frame_addr(g->ir, r, frame, 8);
	ir_callv(g->ir, BPF_FUNC_map_update_elem, m, key, r, gen_imm(g, BPF_NOEXIST));
	ir_mov(g->ir, found, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key));
	ir_place(g->ir, there);
	return found;
}

int gen_vtimestamp(struct gen *g)
{
	static const char memo[] = "vtimestamp";
	int r = gen_memo_find(g, memo, 0), sum, since, part, none, known, now;

	if (r >= 0)
		return r;
	now = gen_monotonic(g); /* here, where it is fetched in any case */
	g->cg->uses_vtime = true;
	r = ir_reg(g->ir);
	none = ir_label(g->ir);
	known = ir_label(g->ir);
	sum = gen_vtime_sum(g, gen_cpu(g));
	ir_movi(g->ir, r, 0);
	ir_jcci(g->ir, BPF_JEQ, sum, 0, none);
	ir_ld(g->ir, 8, r, sum, 0);
	part = gen_cpu_part(g->ir, g->cg, gen_cpu(g), none);
	since = ir_reg(g->ir);
	ir_ld(g->ir, 8, since, part, offsetof(struct ctl_cpu, oncpu));
	ir_jcci(g->ir, BPF_JNE, since, 0, known); /* it has been running since before we began */
	ir_ld(g->ir, 8, since, gen_ctl_addr(g->ir, g->cg, offsetof(struct ctl, start)), 0);
	ir_place(g->ir, known);
	ir_alu(g->ir, BPF_ADD, r, now);
	ir_alu(g->ir, BPF_SUB, r, since);
	ir_place(g->ir, none);
	gen_memo_add(g, memo, 0, r);
	return r;
}
