/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routines on the kernel's own things: the clock, paths of files. */
#include "bpf/rt_build.h"

/*
 * Waiting is looking at the clock again and again. The verifier walks a loop round by round but a
 * global function only once, so a loop of calls of a loop costs it the sum of both and runs for
 * their product: three of CHILL_ROUNDS are half a second if a look takes 4 ns, and it takes more.
 */
enum { CHILL_ROUNDS = 512, CHILL_ROUNDS_STATIC = 20 };

/* A loop of so many rounds that returns 1 as soon as look(), which is a register, says that it is
 * time. */
static struct code *chill_loop(struct rt *rt, const char *name, int (*look)(struct rtb *b))
{
	bool global = !rt->feats || feat(rt->feats, FEAT_GLOBAL_FUNC);
	int loop, next, i;
	struct rtb b;

	rtb_start(&b, rt, name, 1);
	loop = ir_label(b.ir), next = ir_label(b.ir);
	i = rtb_imm(&b, 0);
	ir_place(b.ir, loop);
	ir_jcci(b.ir, BPF_JEQ, look(&b), 0, next);
	ir_reti(b.ir, 1);
	ir_place(b.ir, next);
	ir_alui(b.ir, BPF_ADD, i, 1);
	ir_jcci(b.ir, BPF_JLT, i, global ? CHILL_ROUNDS : CHILL_ROUNDS_STATIC, loop);
	ir_jmp(b.ir, b.fail);
	return rtb_finish(&b, 0);
}

/* 1 when the clock has reached the argument. */
static int look_at_clock(struct rtb *b)
{
	int now = rtb_copy(b, ir_call(b->ir, BPF_FUNC_ktime_get_ns, 0, NULL));

	ir_alu(b->ir, BPF_SUB, now, ir_arg(b->ir, 0));
	ir_alui(b->ir, BPF_RSH, now, 63);
	ir_alui(b->ir, BPF_XOR, now, 1);
	return now;
}

static int look_often(struct rtb *b)
{
	return ir_call_func(b->ir, "rt_chill_few", 1, (int[]){ir_arg(b->ir, 0)});
}

static int look_for_long(struct rtb *b)
{
	return ir_call_func(b->ir, "rt_chill_many", 1, (int[]){ir_arg(b->ir, 0)});
}

static struct code *build_chill_few(struct rt *rt, const char *name)
{
	return chill_loop(rt, name, look_at_clock);
}

static struct code *build_chill_many(struct rt *rt, const char *name)
{
	return chill_loop(rt, name, look_often);
}

static struct code *build_chill(struct rt *rt, const char *name)
{
	return chill_loop(rt, name, look_for_long);
}

const struct rt_def rt_kern_defs[] = {
    {"rt_chill_few", build_chill_few},
    {"rt_chill_many", build_chill_many},
    {"rt_chill", build_chill},
    {NULL, NULL},
};
