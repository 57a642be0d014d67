/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel stacks on x86-64, by the tables that the kernel's own unwinder uses (ORC).
 *
 * bpf_get_stack() takes 2.5 us for the stack of a system call: it begins at its own frame, asks
 * for each address whether it is in a BPF program, and searches the tables for each frame. Here a
 * walk begins at a frame that is known by the hook, reads the stack with one call, and has the
 * rules of addresses in a cache that all CPUs share.
 *
 * The tables have two rows for each range of addresses: where it begins (relative to the row's own
 * place), and an entry of 6 bytes that says from which register the frame's base is computed and
 * where rbp was saved. The kernel's build sorts them, and they never change. A rule that is not in
 * the cache is searched there by reading the kernel's memory, some 20 words.
 *
 * The walk must come to the same as bpf_get_stack(). So it knows only frames of the kernel's own
 * text whose base is the stack pointer or rbp plus an offset, interrupted code, and the ends of
 * stacks: registers of user mode, and what the tables mark as an end. For everything else
 * (modules, BPF programs and trampolines, return addresses that kretprobes or the function graph
 * tracer have replaced, changes of the stack for interrupts) it gives up and the caller asks
 * bpf_get_stack().
 *
 * Where it starts. Kprobes have the registers. Tracepoints of perf events have some that lead to
 * the function which they are in. The context of raw tracepoints and of fentry programs is memory
 * on the stack, of bpf_trace_run2() or a trampoline. Near it, always in the same distance, is the
 * return address that the call of the program (or trampoline) left. The first firings take the
 * stack with bpf_get_stack(), whose frames have that address, and look where it is; a place is
 * remembered when the walk from there gives the other frames. Each firing checks that the address
 * is there. In the word below is rbp, which the program (or trampoline) saves first.
 *
 * Rejected: to follow rbp, which the kernel's functions use as any other register; and to load the
 * words of the stack through typed pointers without a call, which takes kernel functions of 6.2.
 */
#include <stddef.h>

#include "bpf/rt_orc_int.h"

#define ORC_HASH 0x9e3779b97f4a7c15

enum { PAGE = 4096, ROW_MAX = 8, ROUNDS = 48 };

/* What rt_orc_step() returns: the stack has ended; it goes on; another has to take it. */
enum { STEP_END, STEP_ON, STEP_OTHER };

int walk_field(struct walk *w, size_t off)
{
	int r = ir_reg(w->b.ir);

	ir_ld(w->b.ir, 8, r, w->state, off);
	return r;
}

void walk_set(struct walk *w, size_t off, int reg)
{
	ir_st(w->b.ir, 8, w->state, off, reg);
}

void walk_begin(struct walk *w, struct rt *rt, const char *name, int nargs)
{
	rtb_start(&w->b, rt, name, nargs);
	w->other = ir_label(w->b.ir);
	rtb_slot(&w->b, ir_arg(w->b.ir, 0));
	w->state =
	    rtb_at(&w->b, w->b.slot, ir_arg(w->b.ir, 1), rt->slot_size - sizeof(struct orc_state));
}

static void walk_load(struct walk *w)
{
	w->pc = walk_field(w, offsetof(struct orc_state, pc));
	w->sp = walk_field(w, offsetof(struct orc_state, sp));
	w->bp = walk_field(w, offsetof(struct orc_state, bp));
}

/* Address of the word of the cache for an address and ORC_EXACT or not. */
int orc_cache_word(struct rtb *b, int key)
{
	int at = rtb_copy(b, key), r = ir_reg(b->ir);

	ir_alu(b->ir, BPF_MUL, at, rtb_imm(b, (int64_t)ORC_HASH));
	ir_alui(b->ir, BPF_RSH, at, 64 - ORC_CACHE_BITS);
	ir_alui(b->ir, BPF_LSH, at, 3);
	ir_map_mem(b->ir, r, b->rt->orc->mem, 0);
	ir_alu(b->ir, BPF_ADD, r, at);
	return r;
}

/* exact: -1: it is a return address */
int orc_key(struct rtb *b, int pc, int exact)
{
	int key = rtb_copy(b, pc), bit;

	ir_alui(b->ir, BPF_SUB, key, 1);
	if (exact >= 0)
		ir_alu(b->ir, BPF_ADD, key, exact);
	ir_zext(b->ir, key, 32);
	if (exact >= 0) {
		bit = rtb_copy(b, exact);
		ir_alui(b->ir, BPF_LSH, bit, 32);
		ir_alu(b->ir, BPF_OR, key, bit);
	}
	return key;
}

/* A new register with the rule; goes to miss when the cache has none. */
static int cached_rule(struct rtb *b, int key, int miss)
{
	int rule = ir_reg(b->ir), same;

	ir_ld(b->ir, 8, rule, orc_cache_word(b, key), 0);
	same = rtb_copy(b, rule);
	ir_alu(b->ir, BPF_XOR, same, key);
	ir_alui(b->ir, BPF_LSH, same, 64 - ORC_RULE_SHIFT);
	ir_jcci(b->ir, BPF_JNE, same, 0, miss);
	ir_alui(b->ir, BPF_RSH, rule, ORC_RULE_SHIFT);
	return rule;
}

int orc_bits(struct rtb *b, int word, int shift, int mask)
{
	int r = rtb_copy(b, word);

	if (shift)
		ir_alui(b->ir, BPF_RSH, r, shift);
	ir_alui(b->ir, BPF_AND, r, mask);
	return r;
}

/* An offset of a rule, in bytes. */
static int offset_of(struct rtb *b, int rule, int shift)
{
	int r = orc_bits(b, rule, shift, (1 << ORC_SIZE_BITS) - 1);

	ir_alui(b->ir, BPF_LSH, r, 3);
	return r;
}

/* Goes to out when an address is not in the kernel's text. */
void orc_check_text(struct rtb *b, int pc, int out)
{
	int at = rtb_copy(b, pc), size = rtb_imm(b, b->rt->orc->text_end - b->rt->orc->text);

	ir_alu(b->ir, BPF_SUB, at, rtb_imm(b, b->rt->orc->text));
	ir_jcc(b->ir, BPF_JGE, at, size, out);
}

/* r becomes the word at an address plus off; goes to miss when it is not in the window. */
void walk_word(struct walk *w, int r, int addr, int off, int miss)
{
	struct ir *ir = w->b.ir;
	int at = rtb_copy(&w->b, addr), p = ir_reg(ir);

	if (off)
		ir_alui(ir, BPF_ADD, at, off);
	ir_alu(ir, BPF_SUB, at, walk_field(w, offsetof(struct orc_state, start)));
	ir_jcc(ir, BPF_JGT, at, walk_field(w, offsetof(struct orc_state, last)), miss);
	ir_alui(ir, BPF_AND, at, ORC_WINDOW - 8); /* which it is, but the verifier cannot know */
	ir_mov(ir, p, w->state);
	ir_alu(ir, BPF_ADD, p, at);
	ir_ld(ir, 8, r, p, offsetof(struct orc_state, window));
}

/* The base of a frame by its rule; kind: ORC_SP or ORC_BP. */
static int frame_base(struct walk *w, int rule, int kind)
{
	struct ir *ir = w->b.ir;
	int base = rtb_copy(&w->b, w->sp), by_sp = ir_label(ir);

	ir_jcci(ir, BPF_JEQ, kind, ORC_SP, by_sp);
	ir_mov(ir, base, w->bp);
	ir_place(ir, by_sp);
	ir_alu(ir, BPF_ADD, base, offset_of(&w->b, rule, ORC_SIZE_SHIFT));
	return base;
}

/* In how many bytes (8 or 0) p is to advance for a frame, which is 0 if it is a leading one of a
 * tracer's; lead becomes 0 with the first other one. */
static int advance(struct walk *w, int rule, int lead)
{
	struct ir *ir = w->b.ir;
	int r = ir_reg(ir);

	ir_alu(ir, BPF_AND, lead, rule);
	ir_alui(ir, BPF_AND, lead, ORC_TRACER);
	ir_mov(ir, r, lead);
	ir_alui(ir, BPF_XOR, r, 1);
	ir_alui(ir, BPF_LSH, r, 3);
	return r;
}

/*
 * rt_orc_row(slot, state): the frames that follow from the window and the cache alone. A frame is
 * stored when its caller is known.
 */
static struct code *build_row(struct rt *rt, const char *name)
{
	int p, to, left, lead, i, n, loop, out, pc, bp, rule, kind, base, where, same, more;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 2);
	ir = w.b.ir, loop = ir_label(ir), out = ir_label(ir);
	ir_jcci(ir, BPF_JNE, walk_field(&w, offsetof(struct orc_state, exact)), 0, w.b.fail);
	walk_load(&w);
	lead = walk_field(&w, offsetof(struct orc_state, lead));
	left = walk_field(&w, offsetof(struct orc_state, left));
	to = walk_field(&w, offsetof(struct orc_state, to));
	p = rtb_at(&w.b, w.b.slot, to, rt->slot_size - 8 * (ROW_MAX + 1));
	i = rtb_imm(&w.b, 0);
	ir_place(ir, loop);
	ir_jcci(ir, BPF_JEQ, left, 0, out);
	rule = cached_rule(&w.b, orc_key(&w.b, w.pc, -1), out);
	kind = orc_bits(&w.b, rule, ORC_KIND_SHIFT, ORC_KIND_MASK);
	ir_jcci(ir, BPF_JGT, kind, ORC_BP, out);
	base = frame_base(&w, rule, kind);
	ir_jcc(ir, BPF_JLE, base, w.sp, out);
	pc = ir_reg(ir), bp = ir_reg(ir), same = ir_label(ir);
	walk_word(&w, pc, base, -8, out);
	ir_mov(ir, bp, w.bp);
	where = offset_of(&w.b, rule, ORC_FP_SHIFT);
	ir_jcci(ir, BPF_JEQ, where, 0, same);
	ir_neg(ir, where);
	ir_alu(ir, BPF_ADD, where, base);
	walk_word(&w, bp, where, 0, out);
	ir_place(ir, same);
	orc_check_text(&w.b, pc, out);
	ir_st(ir, 8, p, 0, w.pc);
	more = advance(&w, rule, lead);
	ir_alu(ir, BPF_ADD, p, more);
	n = rtb_copy(&w.b, more);
	ir_alui(ir, BPF_RSH, n, 3);
	ir_alu(ir, BPF_SUB, left, n);
	ir_mov(ir, w.pc, pc);
	ir_mov(ir, w.sp, base);
	ir_mov(ir, w.bp, bp);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, ROW_MAX, loop);
	ir_place(ir, out);
	walk_set(&w, offsetof(struct orc_state, pc), w.pc);
	walk_set(&w, offsetof(struct orc_state, sp), w.sp);
	walk_set(&w, offsetof(struct orc_state, bp), w.bp);
	walk_set(&w, offsetof(struct orc_state, lead), lead);
	n = walk_field(&w, offsetof(struct orc_state, left));
	walk_set(&w, offsetof(struct orc_state, left), left);
	ir_alu(ir, BPF_SUB, n, left);
	ir_alui(ir, BPF_LSH, n, 3);
	to = walk_field(&w, offsetof(struct orc_state, to));
	ir_alu(ir, BPF_ADD, to, n);
	walk_set(&w, offsetof(struct orc_state, to), to);
	return rtb_finish(&w.b, 0);
}

/* Reads the window from an address on, as far as its page reaches, for no stack ends within one.
 * */
void walk_fill(struct walk *w, int from)
{
	struct rtb *b = &w->b;
	struct ir *ir = b->ir;
	int size = rtb_copy(b, from), to = rtb_copy(b, w->state), last, all = ir_label(ir);

	ir_alui(ir, BPF_AND, size, PAGE - 1);
	ir_neg(ir, size);
	ir_alui(ir, BPF_ADD, size, PAGE);
	walk_set(w, offsetof(struct orc_state, start), from);
	last = rtb_copy(b, size);
	ir_alui(ir, BPF_SUB, last, 8);
	ir_jcci(ir, BPF_JLT, last, ORC_WINDOW - 8, all);
	ir_movi(ir, last, ORC_WINDOW - 8);
	ir_place(ir, all);
	walk_set(w, offsetof(struct orc_state, last), last);
	ir_alui(ir, BPF_AND, last, ORC_WINDOW - 8);
	ir_alui(ir, BPF_ADD, last, 8);
	ir_alui(ir, BPF_ADD, to, offsetof(struct orc_state, window));
	ir_jcci(ir, BPF_JNE, ir_callv(ir, BPF_FUNC_probe_read_kernel, to, last, from), 0, w->other);
}

/* A new register with a word of the stack, from the window if it is there. */
static int stack_word(struct walk *w, int addr, int off)
{
	struct rtb *b = &w->b;
	struct ir *ir = b->ir;
	int r = ir_reg(ir), read = ir_label(ir), done = ir_label(ir), frame = ir_frame(ir, 8),
	    to = ir_reg(ir), at = rtb_copy(b, addr), rc;

	walk_word(w, r, addr, off, read);
	ir_jmp(ir, done);
	ir_place(ir, read);
	if (off)
		ir_alui(ir, BPF_ADD, at, off);
	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, to, frame, 0);
	rc = ir_callv(ir, BPF_FUNC_probe_read_kernel, to, rtb_imm(b, 8), at);
	ir_jcci(ir, BPF_JNE, rc, 0, w->other);
	ir_frame_ld(ir, 8, r, frame, 0);
	ir_place(ir, done);
	ir_frame_free(ir, frame);
	return r;
}

/* The frame is stored. */
static void put_frame(struct walk *w, int rule)
{
	struct ir *ir = w->b.ir;
	int to = walk_field(w, offsetof(struct orc_state, to)),
	    left = walk_field(w, offsetof(struct orc_state, left)),
	    lead = walk_field(w, offsetof(struct orc_state, lead)), more,
	    p = rtb_at(&w->b, w->b.slot, to, w->b.rt->slot_size - 8);

	ir_st(ir, 8, p, 0, w->pc);
	more = advance(w, rule, lead);
	ir_alu(ir, BPF_ADD, to, more);
	ir_alui(ir, BPF_RSH, more, 3);
	ir_alu(ir, BPF_SUB, left, more);
	walk_set(w, offsetof(struct orc_state, to), to);
	walk_set(w, offsetof(struct orc_state, left), left);
	walk_set(w, offsetof(struct orc_state, lead), lead);
}

/* The frame of a call. Ends the function. */
static void step_call(struct walk *w, int rule, int kind)
{
	struct rtb *b = &w->b;
	struct ir *ir = b->ir;
	int base = frame_base(w, rule, kind), off = rtb_copy(b, base), pc, bp,
	    where = offset_of(b, rule, ORC_FP_SHIFT), same = ir_label(ir), read = ir_label(ir);

	ir_jcc(ir, BPF_JLE, base, w->sp, w->other);
	/* large frames leave the window as it is */
	ir_alu(ir, BPF_SUB, off, w->sp);
	ir_jcci(ir, BPF_JGT, off, ORC_WINDOW / 2, read);
	pc = ir_reg(ir);
	{
		int full = ir_label(ir);

		walk_word(w, pc, base, -8, full);
		ir_jmp(ir, read);
		ir_place(ir, full);
		walk_fill(w, w->sp);
	}
	ir_place(ir, read);
	ir_mov(ir, pc, stack_word(w, base, -8));
	orc_check_text(b, pc, w->other);
	bp = rtb_copy(b, w->bp);
	ir_jcci(ir, BPF_JEQ, where, 0, same);
	ir_neg(ir, where);
	ir_alu(ir, BPF_ADD, where, base);
	ir_mov(ir, bp, stack_word(w, where, 0));
	ir_place(ir, same);
	put_frame(w, rule);
	walk_set(w, offsetof(struct orc_state, pc), pc);
	walk_set(w, offsetof(struct orc_state, sp), base);
	walk_set(w, offsetof(struct orc_state, bp), bp);
	ir_sti(ir, 8, w->state, offsetof(struct orc_state, exact), 0);
	ir_reti(ir, STEP_ON);
}

/* The frame is code that interrupts or system calls enter; goes to end when that was in user mode.
 * Ends the function. */
static void step_regs(struct walk *w, int rule, int end)
{
	struct rtb *b = &w->b;
	struct ir *ir = b->ir;
	int regs = rtb_copy(b, w->sp), pc;

	ir_alu(ir, BPF_ADD, regs, offset_of(b, rule, ORC_SIZE_SHIFT));
	ir_jcci(ir, BPF_JNE, orc_bits(b, stack_word(w, regs, REGS_CS), 0, 3), 0, end);
	ir_jcci(ir, BPF_JEQ, offset_of(b, rule, ORC_FP_SHIFT), 0, w->other);
	pc = rtb_copy(b, stack_word(w, regs, REGS_IP));
	orc_check_text(b, pc, w->other);
	put_frame(w, rule);
	walk_set(w, offsetof(struct orc_state, sp), stack_word(w, regs, REGS_SP));
	walk_set(w, offsetof(struct orc_state, bp), stack_word(w, regs, REGS_BP));
	walk_set(w, offsetof(struct orc_state, pc), pc);
	ir_sti(ir, 8, w->state, offsetof(struct orc_state, exact), 1);
	ir_reti(ir, STEP_ON);
}

/* rt_orc_step(slot, state): stores the frame, and finds its caller. */
static struct code *build_step(struct rt *rt, const char *name)
{
	int exact, rule, kind, search, found, end, regs;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 2);
	ir = w.b.ir, search = ir_label(ir), found = ir_label(ir), end = ir_label(ir);
	regs = ir_label(ir), rule = ir_reg(ir);
	walk_load(&w);
	exact = walk_field(&w, offsetof(struct orc_state, exact));
	ir_alui(ir, BPF_AND, exact, 1);
	ir_mov(ir, rule, cached_rule(&w.b, orc_key(&w.b, w.pc, exact), search));
	ir_jmp(ir, found);
	ir_place(ir, search);
	ir_mov(ir, rule, ir_call_func(ir, "rt_orc_rule", 2, (int[]){w.pc, exact}));
	ir_zext(ir, rule, 32);
	ir_place(ir, found);
	kind = orc_bits(&w.b, rule, ORC_KIND_SHIFT, ORC_KIND_MASK);
	ir_jcci(ir, BPF_JEQ, kind, ORC_END, end);
	ir_jcci(ir, BPF_JEQ, kind, ORC_REGS, regs);
	ir_jcci(ir, BPF_JGT, kind, ORC_BP, w.other);
	step_call(&w, rule, kind);
	ir_place(ir, regs);
	step_regs(&w, rule, end);
	ir_place(ir, end);
	put_frame(&w, rule);
	ir_reti(ir, STEP_END);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, STEP_OTHER);
}

/* Words from p on become 0: as many as of n are left after from. */
static void clear_rest(struct rtb *b, int p, int from, int n)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), done = ir_label(ir), i = rtb_imm(b, 0), left = rtb_copy(b, n),
	    at = rtb_copy(b, p);

	ir_alu(ir, BPF_SUB, left, from);
	ir_place(ir, loop);
	ir_jcc(ir, BPF_JSGE, i, left, done);
	ir_sti(ir, 8, at, 0, 0);
	ir_alui(ir, BPF_ADD, at, 8);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, STACK_FRAMES, loop);
	ir_place(ir, done);
}

/*
 * rt_orc(slot, state, to, n): from the frame in the state on, at most n frames, to an offset;
 * words after them up to n become 0. Returns how many, ORC_SLOW when bpf_get_stack() has to take
 * the stack.
 */
static struct code *build_orc(struct rt *rt, const char *name)
{
	int args[2], i, r, n, p, loop, out, count;
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 4);
	ir = w.b.ir, loop = ir_label(ir), out = ir_label(ir);
	args[0] = ir_arg(ir, 0), args[1] = ir_arg(ir, 1), n = ir_arg(ir, 3);
	walk_set(&w, offsetof(struct orc_state, to), ir_arg(ir, 2));
	walk_set(&w, offsetof(struct orc_state, left), n);
	i = rtb_imm(&w.b, 0);
	ir_place(ir, loop);
	ir_call_func(ir, "rt_orc_row", 2, args);
	ir_jcci(ir, BPF_JEQ, walk_field(&w, offsetof(struct orc_state, left)), 0, out);
	r = ir_call_func(ir, "rt_orc_step", 2, args);
	ir_jcci(ir, BPF_JEQ, r, STEP_END, out);
	ir_jcci(ir, BPF_JNE, r, STEP_ON, w.b.fail);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, ROUNDS, loop);
	ir_jmp(ir, w.b.fail);
	ir_place(ir, out);
	count = rtb_copy(&w.b, n);
	ir_alu(ir, BPF_SUB, count, walk_field(&w, offsetof(struct orc_state, left)));
	p = rtb_at(&w.b, w.b.slot, walk_field(&w, offsetof(struct orc_state, to)),
		   rt->slot_size - 8 * (STACK_FRAMES + 1));
	clear_rest(&w.b, p, count, n);
	ir_ret(ir, count);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, ORC_SLOW);
}

void walk_ret(struct walk *w)
{
	struct ir *ir = w->b.ir;

	ir_ret(ir,
	       ir_call_func(ir, "rt_orc", 4,
			    (int[]){ir_arg(ir, 0), ir_arg(ir, 1), ir_arg(ir, 2), ir_arg(ir, 3)}));
}

/* rt_orc_regs(slot, state, to, n): the same from the registers of an instruction, pc, sp and bp.
 * */
static struct code *build_regs(struct rt *rt, const char *name)
{
	struct walk w;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	walk_begin(&w, rt, name, 4);
	ir = w.b.ir;
	ir_sti(ir, 8, w.state, offsetof(struct orc_state, start), 0);
	ir_sti(ir, 8, w.state, offsetof(struct orc_state, last), 0);
	ir_sti(ir, 8, w.state, offsetof(struct orc_state, lead), 0);
	orc_check_text(&w.b, walk_field(&w, offsetof(struct orc_state, pc)), w.b.fail);
	walk_ret(&w);
	ir_place(ir, w.other);
	return rtb_finish(&w.b, ORC_SLOW);
}

const struct rt_def rt_orc_defs[] = {
    {"rt_orc", build_orc},
    {"rt_orc_row", build_row},
    {"rt_orc_step", build_step},
    {"rt_orc_regs", build_regs},
    {NULL, NULL},
};
