/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of machines where calls leave the return address in a register (aarch64). Differences to
 * x86-64, whose calls push it (rt_unwind.c):
 *
 * - The return address is anywhere in the frame, and in the first one perhaps in the register yet.
 * - It may be signed: the highest bits, which are the same in all addresses of code, are a
 *   signature, and are cleared.
 * - Code that signals' handlers return to has no call frame information: the kernel took it away
 *   for the sake of debuggers that compare instructions. So does this, where code has no rule.
 * - Frame pointers lead to pairs of the caller's frame pointer and return address, wherever in
 *   their frames these are. So code without a rule does not say what the caller's stack pointer
 *   is, only a bound of it: but where the caller keeps such a pair its rule says the way from that
 *   to the base. A caller that keeps none is gone through by the frame pointer, too.
 * - In the first frame code without a rule may be such that calls nothing and saves nothing: of the
 *   vdso, whose rules the kernel took away, of a PLT, or written by hand. Frame pointers lead past
 *   its caller then. What is in the register is its caller if that is not the return address of
 *   the pair, and has a rule: code that called something has an address of its own there.
 */
#include <stddef.h>

#include "bpf/rt_unwind_int.h"
#include "libdt/base/machine/machine.h"

enum { USUAL_MAX = (1 << CFI_GUESS_SHIFT) - 1 }; /* rules up to it save the return address */

/* What is known of sp in a frame whose pc is a return address (unwind_state.third). */
enum { SP_KNOWN, SP_BOUND, SP_LIKELY };

/* A new register: all ones when a bit of the rule is set, else 0. */
static int has_bit(struct step *s, int rule, uint32_t bit)
{
	int r = rtb_copy(&s->b, rule);

	ir_alui(s->b.ir, BPF_LSH, r, __builtin_clz(bit) + 32);
	ir_alui(s->b.ir, BPF_ARSH, r, 63);
	return r;
}

static int offset_words(struct step *s, int rule)
{
	return step_rule_off(s, rule, CFI_LINK_OFF_BITS);
}

/* Where the first of the saved words is: base - n, or base - offset + n. */
static int saved_at(struct step *s, int rule, int base)
{
	struct ir *ir = s->b.ir;
	int at = rtb_copy(&s->b, base), n = rtb_copy(&s->b, rule),
	    more = has_bit(s, rule, CFI_FROM_REG), off = offset_words(s, rule);

	ir_alui(ir, BPF_RSH, n, CFI_FP_SHIFT);
	ir_alui(ir, BPF_AND, n, CFI_FP_MASK);
	ir_alui(ir, BPF_LSH, n, 3);
	ir_alui(ir, BPF_LSH, off, 3);
	ir_alu(ir, BPF_SUB, at, n);
	ir_alui(ir, BPF_LSH, n, 1);
	ir_alu(ir, BPF_SUB, n, off);
	ir_alu(ir, BPF_AND, n, more);
	ir_alu(ir, BPF_ADD, at, n);
	return at;
}

/* Where the return address is: in the word after the frame pointer's, if that is there. */
static int return_at(struct step *s, int rule, int saved)
{
	struct ir *ir = s->b.ir;
	int at = rtb_copy(&s->b, saved), alone = has_bit(s, rule, CFI_ONE);

	ir_alui(ir, BPF_AND, alone, 8);
	ir_alui(ir, BPF_ADD, at, 8);
	ir_alu(ir, BPF_SUB, at, alone);
	return at;
}

static void without_signature(struct step *s, int pc)
{
	int bits = s->b.rt->unwind->signature_bits;

	if (!bits)
		return;
	ir_alui(s->b.ir, BPF_LSH, pc, bits);
	ir_alui(s->b.ir, BPF_RSH, pc, bits);
}

static void from_window(struct step *s, int rule, int saved, int fp, int pc, int miss)
{
	struct ir *ir = s->b.ir;
	int alone = ir_label(ir);

	ir_mov(ir, pc, step_window_word(s, return_at(s, rule, saved), 0, miss));
	ir_mov(ir, fp, step_fp(s));
	ir_jcci(ir, BPF_JNE, has_bit(s, rule, CFI_ONE), 0, alone);
	ir_mov(ir, fp, step_window_word(s, saved, 0, miss));
	ir_place(ir, alone);
}

static void from_process(struct step *s, int rule, int saved, int fp, int pc)
{
	struct ir *ir = s->b.ir;
	int alone = ir_label(ir), done = ir_label(ir), words[2];

	ir_jcci(ir, BPF_JNE, has_bit(s, rule, CFI_ONE), 0, alone);
	step_user_words(s, saved, 0, 2, words, s->end);
	ir_mov(ir, fp, words[0]);
	ir_mov(ir, pc, words[1]);
	ir_jmp(ir, done);
	ir_place(ir, alone);
	ir_mov(ir, pc, step_user_word(s, saved, 0));
	ir_mov(ir, fp, step_fp(s));
	ir_place(ir, done);
}

int link_usual(struct step *s, int rule, int fp, int pc, int out)
{
	struct ir *ir = s->b.ir;
	int base;

	ir_jcci(ir, BPF_JGT, rule, USUAL_MAX, out);
	base = step_base(s, step_kind(s, rule), offset_words(s, rule), out);
	ir_jcc(ir, BPF_JLE, base, step_sp(s), out);
	from_window(s, rule, saved_at(s, rule, base), fp, pc, out);
	without_signature(s, pc);
	return base;
}

/* known: what is of the caller's sp. */
static void go_on(struct step *s, int base, int fp, int pc, int known, int result)
{
	without_signature(s, pc);
	step_set(s, step_return_address(s, base, pc), base, fp, 0);
	ir_st(s->b.ir, 8, s->state, offsetof(struct unwind_state, third), known);
	step_put(s);
	ir_reti(s->b.ir, result);
}

/* The return address is in its register, which only the frame has where nothing was called. */
static void by_register(struct step *s, int rule, int base, int saved)
{
	struct ir *ir = s->b.ir;
	int fp = rtb_copy(&s->b, step_fp(s)), same = ir_label(ir),
	    pc = rtb_copy(&s->b, step_field(s, offsetof(struct unwind_state, third)));

	ir_jcci(ir, BPF_JEQ, step_field(s, offsetof(struct unwind_state, exact)), 0, s->end);
	ir_jcci(ir, BPF_JEQ, has_bit(s, rule, CFI_ONE), 0, same);
	ir_mov(ir, fp, step_user_word(s, saved, 0));
	ir_place(ir, same);
	go_on(s, base, fp, pc, rtb_imm(&s->b, SP_KNOWN), STEP_ON);
}

/* What a rule is for code whose frame begins at a stack pointer of which only a bound is known:
 * one that keeps no pair is as none. */
static void without_sp(struct step *s, int rule, int known)
{
	struct ir *ir = s->b.ir;
	int as_is = ir_label(ir), none = ir_label(ir);

	ir_jcci(ir, BPF_JNE, known, SP_BOUND, as_is);
	ir_jcci(ir, BPF_JNE, step_kind(s, rule), CFI_SP, as_is);
	ir_jcci(ir, BPF_JNE, has_bit(s, rule, CFI_ONE), 0, none);
	ir_jcci(ir, BPF_JEQ, has_bit(s, rule, CFI_LINK), 0, as_is);
	ir_place(ir, none);
	ir_movi(ir, rule, CFI_UNKNOWN);
	ir_place(ir, as_is);
}

/* Code that has no rule: goes to signal when it is what handlers return to, and when it has left
 * everything where it was returns from the function. */
static void known_otherwise(struct step *s, int guess, int signal)
{
	struct ir *ir = s->b.ir;
	int no = ir_label(ir), other = ir_label(ir), code,
	    wanted = rtb_imm(&s->b, (int64_t)s->b.rt->unwind->machine->unwind.sigreturn);

	ir_jcci(ir, BPF_JEQ, guess, 0, no);
	step_user_words(s, step_field(s, offsetof(struct unwind_state, pc)), 0, 1, &code, other);
	ir_jcc(ir, BPF_JEQ, code, wanted, signal);
	ir_place(ir, other);
	ir_jcci(ir, BPF_JEQ, step_field(s, offsetof(struct unwind_state, exact)), 0, no);
	ir_jcci(ir, BPF_JEQ,
		ir_call_func(ir, "rt_unwind_leaf", 2, (int[]){ir_arg(ir, 0), ir_arg(ir, 1)}), 0,
		no);
	ir_reti(ir, STEP_ON);
	ir_place(ir, no);
}

/* The base and the saved words of a frame whose pair the frame pointer leads to. */
static void by_pair(struct step *s, int rule, int known, int base, int saved)
{
	struct ir *ir = s->b.ir;
	int off = rtb_copy(&s->b, step_fp(s)), as_is = ir_label(ir);

	ir_jcci(ir, BPF_JEQ, known, SP_KNOWN, as_is);
	ir_jcci(ir, BPF_JNE, step_kind(s, rule), CFI_SP, as_is);
	ir_jcci(ir, BPF_JNE, has_bit(s, rule, CFI_ONE), 0, as_is);
	ir_alu(ir, BPF_SUB, off, saved);
	ir_alu(ir, BPF_ADD, base, off);
	ir_alu(ir, BPF_ADD, saved, off);
	ir_place(ir, as_is);
}

/* The return address is in the stack. guess: all ones when the code has no rule, else 0. */
static void by_memory(struct step *s, int rule, int guess, int base, int saved)
{
	struct ir *ir = s->b.ir;
	int there = ir_label(ir), process = ir_label(ir), fp = ir_reg(ir), pc = ir_reg(ir), off;

	/* the loop over frames does not know bounds */
	ir_jcci(ir, BPF_JNE, guess, 0, process);
	off = return_at(s, rule, saved);
	ir_alu(ir, BPF_SUB, off, step_field(s, offsetof(struct unwind_state, window_start)));
	ir_jcci(ir, BPF_JLE, off, UNWIND_WINDOW - 8, there);
	step_window_fill(s, base, saved, 0, process);
	ir_place(ir, there);
	from_window(s, rule, saved, fp, pc, process);
	go_on(s, base, fp, pc, rtb_imm(&s->b, SP_KNOWN), STEP_WINDOW);
	ir_place(ir, process);
	from_process(s, rule, saved, fp, pc);
	ir_alui(ir, BPF_AND, guess, SP_BOUND);
	go_on(s, base, fp, pc, guess, STEP_ON);
}

void link_apply(struct step *s, int rule)
{
	struct ir *ir = s->b.ir;
	int known = rtb_copy(&s->b, step_field(s, offsetof(struct unwind_state, third))),
	    own = rtb_copy(&s->b, rule), returned = ir_label(ir), special = ir_label(ir),
	    signal = ir_label(ir), go = ir_label(ir), above = ir_label(ir), memory = ir_label(ir),
	    base = ir_reg(ir), saved, kind, guess;

	step_note_guess(s, rule);
	ir_jcci(ir, BPF_JEQ, step_field(s, offsetof(struct unwind_state, exact)), 0, returned);
	ir_movi(ir, known, SP_KNOWN);
	ir_place(ir, returned);
	without_sp(s, own, known);
	guess = has_bit(s, own, 1u << CFI_GUESS_SHIFT);
	known_otherwise(s, guess, signal);
	kind = step_kind(s, own);
	ir_mov(ir, base, step_base(s, kind, offset_words(s, own), special));
	ir_jmp(ir, go);
	ir_place(ir, special);
	ir_jcci(ir, BPF_JEQ, kind, CFI_END, s->end);
	ir_place(ir, signal);
	step_signal(s);
	step_put(s);
	ir_reti(ir, STEP_ON);
	ir_place(ir, go);
	saved = saved_at(s, own, base);
	by_pair(s, own, known, base, saved);
	/* the stack grows, or this is none; functions that call nothing may take nothing of it */
	ir_jcc(ir, BPF_JGT, base, step_sp(s), above);
	ir_jcc(ir, BPF_JNE, base, step_sp(s), s->end);
	ir_jcci(ir, BPF_JEQ, has_bit(s, own, CFI_LINK), 0, s->end);
	ir_place(ir, above);
	ir_jcci(ir, BPF_JEQ, has_bit(s, own, CFI_LINK), 0, memory);
	by_register(s, own, base, saved);
	ir_place(ir, memory);
	by_memory(s, own, guess, base, saved);
}

/* rt_unwind_leaf(slot, state): 1 when the first frame's caller is in the register, and has become
 * the next frame. */
static struct code *build_leaf(struct rt *rt, const char *name)
{
	int pc, lr, word, rule, sp, unread, is_caller;
	struct step s = {0};
	struct ir *ir;

	if (!rt->unwind || rt->unwind->machine->regs.link < 0)
		return NULL;
	rtb_start(&s.b, rt, name, 2);
	ir = s.b.ir, s.end = s.b.fail, unread = ir_label(ir), is_caller = ir_label(ir);
	step_load(&s);
	pc = rtb_copy(&s.b, step_field(&s, offsetof(struct unwind_state, pc)));
	sp = rtb_copy(&s.b, step_sp(&s));
	lr = rtb_copy(&s.b, step_field(&s, offsetof(struct unwind_state, third)));
	without_signature(&s, lr);
	step_user_words(&s, step_fp(&s), 8, 1, &word, unread);
	without_signature(&s, word);
	ir_jcc(ir, BPF_JEQ, word, lr, s.b.fail);
	ir_place(ir, unread);
	step_set(&s, step_return_address(&s, sp, lr), sp, step_fp(&s), 0);
	rule = rtb_copy(
	    &s.b, ir_call_func(ir, "rt_unwind_rule", 2, (int[]){ir_arg(ir, 0), ir_arg(ir, 1)}));
	ir_jcci(ir, BPF_JEQ, has_bit(&s, rule, 1u << CFI_GUESS_SHIFT), 0, is_caller);
	ir_st(ir, 8, s.state, offsetof(struct unwind_state, pc), pc);
	ir_sti(ir, 8, s.state, offsetof(struct unwind_state, exact), 1);
	ir_reti(ir, 0);
	ir_place(ir, is_caller);
	ir_sti(ir, 8, s.state, offsetof(struct unwind_state, third), SP_LIKELY);
	step_put(&s);
	ir_reti(ir, 1);
	return rtb_finish(&s.b, 0);
}

const struct rt_def rt_unwind_link_defs[] = {
    {"rt_unwind_leaf", build_leaf},
    {NULL, NULL},
};
