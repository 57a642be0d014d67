/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU, the thread and its storage, time. */
#include <string.h>

#include "bpf/sys.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

/* Below what kmalloc() has caches for (two pages of 4 KB), with the kernel's own fields. */
enum { LARGE_SELF = 8000 };

bool gen_self_in_tasks(const struct codegen *cg)
{
	return feat(cg->feats, FEAT_TASK_STORAGE) &&
	       (cg->storage->self_size <= LARGE_SELF || feat(cg->feats, FEAT_LARGE_TASK_STORAGE));
}

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

/* flags: a register */
static int self_in_task(struct ir *ir, struct map *self, int flags)
{
	int task = ir_call_const(ir, SYS_FUNC_GET_CURRENT_TASK_BTF, 0, NULL), m = ir_reg(ir),
	    zero = ir_reg(ir);

	ir_map(ir, m, self);
	ir_movi(ir, zero, 0);
	return ir_callv(ir, SYS_FUNC_TASK_STORAGE_GET, m, task, zero, flags);
}

static int create_flag(struct ir *ir, bool create)
{
	int flags = ir_reg(ir);

	ir_movi(ir, flags, create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	return flags;
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
	struct ir *ir;

	if (!*routine) {
		*routine = ir = ir_new(g->arena, name, 0);
		ir_loc(ir, g->loc);
		ir_ret(ir, self_in_task(ir, &g->set->maps.self, create_flag(ir, create)));
	}
	return ir_call_func(g->ir, name, 0, NULL);
}

int gen_self_lookup(struct gen *g, bool create)
{
	g->cg->uses_self = true;
	if (!gen_self_in_tasks(g->cg))
		return self_by_key(g, create);
	if (g->calls)
		return self_by_routine(g, create);
	return self_in_task(g->ir, &g->set->maps.self, create_flag(g->ir, create));
}

/* In a new routine: the address of the word at off of the thread's variables, NULL without any.
 * Jumps to out where no variable can be. */
static int self_word(struct gen *g, struct ir *ir, int off, uint32_t size, int flags, int out)
{
	ir_loc(ir, g->loc);
	ir_jcci(ir, BPF_JGT, off, g->cg->storage->self_size - size, out);
	return self_in_task(ir, &g->set->maps.self, flags);
}

/* dt_self_getSIZE(offset) */
static struct ir *get_routine(struct gen *g, const char *name, uint32_t size)
{
	struct ir *ir = ir_new(g->cg->arena, name, 1);
	int off = ir_arg(ir, 0), none = ir_label(ir), value = ir_reg(ir),
	    word = self_word(g, ir, off, size, create_flag(ir, false), none);

	ir_jcci(ir, BPF_JEQ, word, 0, none);
	ir_alu(ir, BPF_ADD, word, off);
	ir_ld(ir, size, value, word, 0);
	ir_ret(ir, value);
	ir_place(ir, none);
	ir_reti(ir, 0);
	return ir;
}

/* dt_self_setSIZE(offset, value): what is not there is zero already. */
static struct ir *set_routine(struct gen *g, const char *name, uint32_t size)
{
	struct ir *ir = ir_new(g->cg->arena, name, 2);
	int off = ir_arg(ir, 0), value = ir_arg(ir, 1), flags = create_flag(ir, false),
	    kind = ir_reg(ir), zero = ir_label(ir), there = ir_label(ir), out = ir_label(ir), word;

	ir_jcci(ir, BPF_JEQ, value, 0, zero);
	ir_movi(ir, flags, BPF_LOCAL_STORAGE_GET_F_CREATE);
	ir_place(ir, zero);
	word = self_word(g, ir, off, size, flags, out);
	ir_jcci(ir, BPF_JNE, word, 0, there);
	ir_jcci(ir, BPF_JEQ, value, 0, out);
	ir_movi(ir, kind, DROP_DYNAMIC);
	ir_call_func(ir, "dt_drop", 1, &kind);
	ir_reti(ir, 0);
	ir_place(ir, there);
	ir_alu(ir, BPF_ADD, word, off);
	ir_st(ir, size, word, 0, value);
	ir_place(ir, out);
	ir_reti(ir, 0);
	return ir;
}

static int call_word_routine(struct gen *g, bool set, uint32_t size, const int *args)
{
	char *name = arena_printf(g->arena, set ? "dt_self_set%u" : "dt_self_get%u", size);

	g->cg->uses_self = true;
	if (!gen_routine_wanted(g->cg, name)) {
		gen_want_routine(g->cg, name);
		vec_push(&g->cg->own_routines,
			 set ? set_routine(g, name, size) : get_routine(g, name, size));
	}
	return ir_call_func(g->ir, name, 1 + set, args);
}

int gen_self_get(struct gen *g, uint32_t off, uint32_t size)
{
	return gen_copy(g, call_word_routine(g, false, size, (int[]){gen_imm(g, off)}));
}

void gen_self_set(struct gen *g, uint32_t off, uint32_t size, int value)
{
	call_word_routine(g, true, size, (int[]){gen_imm(g, off), value});
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
