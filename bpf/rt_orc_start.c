/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where kernel stacks begin (rt_orc.c), of hooks whose context is not the registers. */
#include <stddef.h>

#include "bpf/rt_orc_int.h"

#define KERNEL_HIGH 0xffffffff00000000

enum { PLACES = 4 }; /* most that are tried */

/* The verifier must see so many words after those which are cleared. */
_Static_assert(sizeof(struct orc_state) - offsetof(struct orc_state, tried) + RT_PRIVATE(16) >=
		   8 * (STACK_FRAMES + 1),
	       "frames that are tried are too near to the end of a slot");

/* Pointer to the word of a probe's start. */
static int start_word(struct rtb *b, int which)
{
	int at = rtb_copy(b, which), r = ir_reg(b->ir);

	ir_alui(b->ir, BPF_AND, at, ORC_STARTS - 1);
	ir_alui(b->ir, BPF_LSH, at, 3);
	ir_map_mem(b->ir, r, b->rt->orc->mem, ORC_MEM_STARTS);
	ir_alu(b->ir, BPF_ADD, r, at);
	return r;
}

/* The state's frame becomes that of the code at pc, whose call left its return address at a place.
 * The window begins a word below that. */
static void begin_above(struct walk *w, int pc, int place)
{
	struct ir *ir = w->b.ir;
	int sp = rtb_copy(&w->b, place);

	ir_alui(ir, BPF_ADD, sp, 8);
	walk_set(w, offsetof(struct orc_state, pc), pc);
	walk_set(w, offsetof(struct orc_state, sp), sp);
	walk_set(w, offsetof(struct orc_state, bp),
		 walk_field(w, offsetof(struct orc_state, window)));
	ir_sti(ir, 8, w->state, offsetof(struct orc_state, exact), 0);
}

static void window_below(struct walk *w, int place)
{
	int from = rtb_copy(&w->b, place);

	ir_alui(w->b.ir, BPF_SUB, from, 8);
	walk_fill(w, from);
}

/* Frames of tracers are to be left out, and it is not known which these are: not for us. */
static void need_tracers(struct walk *w)
{
	if (w->b.rt->orc->tracers_unknown)
		ir_jcci(w->b.ir, BPF_JNE, walk_field(w, offsetof(struct orc_state, lead)), 0,
			w->other);
}

/*
 * rt_orc_near(slot, state, to, n, which): as rt_orc(), of a probe whose context is on the stack;
 * if lead is set, the frames of tracers that come first are left out. ORC_LEARN when it is not
 * known where it begins.
 */
static struct code *build_near(struct rt *rt, const char *name)
{
	int word, place, pc, have, unknown;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 5);
	ir = w.b.ir, word = ir_reg(ir), have = ir_reg(ir), unknown = ir_label(ir);
	need_tracers(&w);
	ir_ld(ir, 8, word, start_word(&w.b, ir_arg(ir, 4)), 0);
	pc = rtb_copy(&w.b, word);
	ir_zext(ir, pc, 32);
	ir_jcci(ir, BPF_JEQ, pc, 0, unknown);
	ir_alu(ir, BPF_OR, pc, rtb_imm(&w.b, (int64_t)KERNEL_HIGH));
	place = orc_bits(&w.b, word, ORC_START_SHIFT, 2 * ORC_REACH - 1);
	ir_alui(ir, BPF_SUB, place, ORC_REACH);
	ir_alui(ir, BPF_LSH, place, 3);
	ir_alu(ir, BPF_ADD, place, walk_field(&w, offsetof(struct orc_state, context)));
	window_below(&w, place);
	walk_word(&w, have, place, 0, w.other);
	ir_jcc(ir, BPF_JNE, have, pc, unknown);
	begin_above(&w, pc, place);
	walk_ret(&w);
	ir_place(ir, unknown);
	ir_reti(ir, ORC_LEARN);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, ORC_SLOW);
}

/*
 * rt_orc_tp(slot, state, to, n): as rt_orc_near(), of a tracepoint of perf events: its context
 * begins with the address of registers that are made up. sp is the frame address of the function
 * which the tracepoint calls: there it saved rbp, and its return address, which is pc, is in the
 * word above.
 */
static struct code *build_tp(struct rt *rt, const char *name)
{
	int regs, pc, sp, have;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 4);
	ir = w.b.ir, pc = ir_reg(ir), sp = ir_reg(ir), have = ir_reg(ir);
	need_tracers(&w);
	regs =
	    rtb_copy(&w.b, orc_read(&w.b, walk_field(&w, offsetof(struct orc_state, context)), 8));
	ir_alui(ir, BPF_ADD, regs, REGS_IP);
	walk_fill(&w, regs);
	walk_word(&w, have, regs, REGS_CS - REGS_IP, w.other);
	ir_jcci(ir, BPF_JSET, have, 3, w.other);
	walk_word(&w, pc, regs, 0, w.other);
	walk_word(&w, sp, regs, REGS_SP - REGS_IP, w.other);
	orc_check_text(&w.b, pc, w.other);
	ir_alui(ir, BPF_ADD, sp, 8);
	window_below(&w, sp);
	walk_word(&w, have, sp, 0, w.other);
	ir_jcc(ir, BPF_JNE, have, pc, w.other);
	begin_above(&w, pc, sp);
	walk_ret(&w);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, ORC_SLOW);
}

/*
 * rt_orc_try(slot, state, frames, n, place): does the stack from a place on have the frames at an
 * offset, which are n, and (full: at least n)? 1 or 0.
 */
static struct code *build_try(struct rt *rt, const char *name)
{
	int p, q, i, n, r, to, most, loop, ok, x, y;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 5);
	ir = w.b.ir, loop = ir_label(ir), ok = ir_label(ir);
	n = ir_arg(ir, 3);
	ir_jcci(ir, BPF_JGT, n, ORC_TRIED, w.b.fail);
	p = rtb_at(&w.b, w.b.slot, ir_arg(ir, 2), rt->slot_size - 8 * ORC_TRIED);
	x = ir_reg(ir), y = ir_reg(ir);
	ir_ld(ir, 8, x, p, 0);
	window_below(&w, ir_arg(ir, 4));
	begin_above(&w, x, ir_arg(ir, 4));
	ir_sti(ir, 8, w.state, offsetof(struct orc_state, lead), 0);
	most = rtb_imm(&w.b, 1);
	ir_alu(ir, BPF_SUB, most, walk_field(&w, offsetof(struct orc_state, full)));
	ir_alu(ir, BPF_ADD, most, n);
	to = rtb_copy(&w.b, ir_arg(ir, 1));
	ir_alui(ir, BPF_ADD, to, offsetof(struct orc_state, tried));
	r = ir_call_func(ir, "rt_orc", 4, (int[]){ir_arg(ir, 0), ir_arg(ir, 1), to, most});
	ir_jcc(ir, BPF_JNE, r, n, w.b.fail);
	q = rtb_copy(&w.b, w.state);
	i = rtb_imm(&w.b, 0);
	ir_place(ir, loop);
	ir_jcc(ir, BPF_JGE, i, n, ok);
	ir_ld(ir, 8, x, p, 0);
	ir_ld(ir, 8, y, q, offsetof(struct orc_state, tried));
	ir_jcc(ir, BPF_JNE, x, y, w.b.fail);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, q, 8);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, ORC_TRIED, loop);
	ir_place(ir, ok);
	ir_reti(ir, 1);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, 0);
}

/* rt_orc_seek(word, from): the first address from there on, of 2 * ORC_REACH words, at which the
 * kernel's memory has a word; how far it is from there, in words. */
static struct code *build_seek(struct rt *rt, const char *name)
{
	int i, at, loop, next;
	struct rtb b;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	rtb_start(&b, rt, name, 2);
	ir = b.ir, loop = ir_label(ir), next = ir_label(ir);
	at = rtb_copy(&b, ir_arg(ir, 1));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	ir_jcc(ir, BPF_JNE, orc_read(&b, at, 8), ir_arg(ir, 0), next);
	ir_ret(ir, i);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, at, 8);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, 2 * ORC_REACH, loop);
	return rtb_finish(&b, 2 * ORC_REACH);
}

/*
 * rt_orc_learn(slot, state, frames, n, which): finds where the stack of a probe begins by n frames
 * (up to ORC_TRIED; if the state has full set, there may be more) that bpf_get_stack() returned,
 * from the one on that called the program (or trampoline). A start that it knew stays until it
 * finds another one: stacks may differ only below a frame that is not for us.
 */
static struct code *build_learn(struct rt *rt, const char *name)
{
	int word, tries, first, place, pos, i, loop, next, r, p;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 5);
	ir = w.b.ir, loop = ir_label(ir), next = ir_label(ir), word = ir_reg(ir);
	first = ir_reg(ir);
	ir_ld(ir, 8, word, start_word(&w.b, ir_arg(ir, 4)), 0);
	tries = rtb_copy(&w.b, word);
	ir_alui(ir, BPF_RSH, tries, ORC_TRIES_SHIFT);
	ir_jcci(ir, BPF_JGE, tries, ORC_TRIES, w.b.fail);
	ir_alui(ir, BPF_ADD, tries, 1);
	ir_alui(ir, BPF_LSH, tries, ORC_TRIES_SHIFT);
	ir_alui(ir, BPF_LSH, word, 64 - ORC_TRIES_SHIFT);
	ir_alui(ir, BPF_RSH, word, 64 - ORC_TRIES_SHIFT);
	ir_alu(ir, BPF_OR, word, tries);
	ir_st(ir, 8, start_word(&w.b, ir_arg(ir, 4)), 0, word);
	p = rtb_at(&w.b, w.b.slot, ir_arg(ir, 2), rt->slot_size - 8);
	ir_ld(ir, 8, first, p, 0);
	orc_check_text(&w.b, first, w.b.fail);
	place = walk_field(&w, offsetof(struct orc_state, context));
	ir_alui(ir, BPF_SUB, place, 8 * ORC_REACH);
	i = rtb_imm(&w.b, 0);
	ir_place(ir, loop);
	r = ir_call_func(ir, "rt_orc_seek", 2, (int[]){first, place});
	ir_zext(ir, r, 32);
	ir_alui(ir, BPF_LSH, r, 3);
	ir_alu(ir, BPF_ADD, place, r);
	pos = rtb_copy(&w.b, place);
	ir_alu(ir, BPF_SUB, pos, walk_field(&w, offsetof(struct orc_state, context)));
	ir_alui(ir, BPF_ADD, pos, 8 * ORC_REACH);
	ir_alui(ir, BPF_RSH, pos, 3);
	ir_jcci(ir, BPF_JGE, pos, 2 * ORC_REACH, w.b.fail);
	r = ir_call_func(
	    ir, "rt_orc_try", 5,
	    (int[]){ir_arg(ir, 0), ir_arg(ir, 1), ir_arg(ir, 2), ir_arg(ir, 3), place});
	ir_jcci(ir, BPF_JEQ, r, 0, next);
	ir_zext(ir, first, 32);
	ir_alu(ir, BPF_OR, tries, first);
	ir_alui(ir, BPF_LSH, pos, ORC_START_SHIFT);
	ir_alu(ir, BPF_OR, tries, pos);
	ir_st(ir, 8, start_word(&w.b, ir_arg(ir, 4)), 0, tries);
	ir_reti(ir, 1);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, place, 8);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, PLACES, loop);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, 0);
}

const struct rt_def rt_orc_start_defs[] = {
    {"rt_orc_near", build_near}, {"rt_orc_tp", build_tp},     {"rt_orc_learn", build_learn},
    {"rt_orc_try", build_try},	 {"rt_orc_seek", build_seek}, {NULL, NULL},
};
