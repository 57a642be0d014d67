/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs on behalf of variables rather than of probes.
 *
 * self-> without storage in the task: a hash keyed by thread, whose entry goes when the thread
 * ends.
 *
 * vtimestamp: the time a thread has had a CPU. The scheduler's own sum is updated by ticks, and
 * the part since then is on a clock that programs cannot read, so we account ourselves: at each
 * switch the outgoing thread is given what passed since it came in. One word in each thread, one
 * in each CPU.
 *
 * ustack() by tables: a process that executes another file is one that nothing is known of.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/gen_parts.h"
#include "libdt/plan/parts.h"

void plan_support_new(struct plan *p, struct ir *ir, const char *tracepoint)
{
	struct program *pl = program_new(p->set, HOOK_RAWTP);
	struct code *code = ir_finish(ir, NULL, 0);

	if (code->error)
		diag_die(p->cg.diag, D_COMPILE, (struct loc){0}, "%s: %s", tracepoint, code->error);
	pl->support = true;
	pl->target.name = tracepoint;
	pl->code = code;
	prog_init(&pl->prog, "dt_support", hook_get(HOOK_RAWTP)->prog_type);
	pl->prog.main = code;
}

/* 1: programs that may fire while a map is locked stay away from this CPU, as if a slot was
 * taken; -1: no more. */
static void hold_back(struct plan *p, struct ir *ir, int part, int sign)
{
	int one;

	if (!p->cg.locks)
		return;
	one = ir_reg(ir);
	ir_movi(ir, one, sign * (1 << SCRATCH_SLOTS));
	ir_atomic(ir, BPF_ADD, 8, part, offsetof(struct ctl_cpu, busy), one);
}

static void delete (struct ir *ir, struct map *map, int frame)
{
	int key = ir_reg(ir), m = ir_reg(ir);

	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, map);
	ir_callv(ir, BPF_FUNC_map_delete_elem, m, key);
}

/* At a tracepoint what these maps have of the current thread's id goes, or of the process's. */
static void forget_at(struct plan *p, const char *tracepoint, bool process, struct map **maps,
		      int n)
{
	struct ir *ir = ir_new(p->cg.arena, "dt_forget", 1);
	int frame = ir_frame(ir, 8), id = ir_reg(ir), part, out = ir_label(ir);

	ir_arg(ir, 0);
	ir_mov(ir, id, ir_call(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	if (process)
		ir_alui(ir, BPF_RSH, id, 32);
	else
		ir_zext(ir, id, 32);
	ir_frame_st(ir, 8, frame, 0, id);
	part = gen_cpu_part(ir, &p->cg, ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL), out);
	hold_back(p, ir, part, 1);
	for (int i = 0; i < n; i++)
		delete (ir, maps[i], frame);
	hold_back(p, ir, part, -1);
	ir_place(ir, out);
	ir_reti(ir, 0);
	plan_support_new(p, ir, tracepoint);
}

/* sched_switch: what passed since this CPU's last switch belongs to the thread that goes. It is
 * still current. */
static void time_on_cpu(struct plan *p)
{
	struct codegen *cg = &p->cg;
	struct ir *ir = ir_new(cg->arena, "dt_on_cpu", 1);
	struct gen g = {.cg = cg, .set = cg->set, .ir = ir, .cpu = -1};
	int now, part, since = ir_reg(ir), sum, out = ir_label(ir), fresh = ir_label(ir), cpu,
		       spent;

	g.ctx = ir_arg(ir, 0);
	now = ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL);
	cpu = ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
	part = gen_cpu_part(ir, cg, cpu, out);
	ir_ld(ir, 8, since, part, offsetof(struct ctl_cpu, oncpu));
	ir_st(ir, 8, part, offsetof(struct ctl_cpu, oncpu), now);
	ir_jcci(ir, BPF_JEQ, since, 0, fresh);
	spent = ir_reg(ir);
	ir_mov(ir, spent, now);
	ir_alu(ir, BPF_SUB, spent, since);
	hold_back(p, ir, part, 1);
	sum = gen_vtime_sum(&g, cpu);
	hold_back(p, ir, part, -1);
	ir_jcci(ir, BPF_JEQ, sum, 0, out);
	ir_atomic(ir, BPF_ADD, 8, sum, 0, spent);
	ir_place(ir, fresh);
	ir_place(ir, out);
	ir_reti(ir, 0);
	vec_free(&g.memos);
	plan_support_new(p, ir, "sched_switch");
}

void plan_support(struct plan *p)
{
	if (p->cg.uses_self && !gen_self_in_tasks(&p->cg))
		forget_at(p, "sched_process_exit", false, (struct map *[]){&p->set->maps.self}, 1);
	if (p->set->uses_unwind)
		forget_at(p, "sched_process_exec", true,
			  (struct map *[]){&p->set->maps.unwind_spaces, &p->set->maps.processes},
			  2);
	if (p->cg.uses_vtime)
		time_on_cpu(p);
	plan_follow_support(p);
}
