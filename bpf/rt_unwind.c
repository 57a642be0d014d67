/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process's stack by the tables that dtrace made of its files' call frame information. The rule
 * for the code where a frame is (rt_unwind_rule.c) says what the caller's registers are.
 *
 * To read the process's memory takes a call of the kernel, which costs more than all else of a
 * step, however little it reads. So a step copies a window of the stack, from the words that it
 * wants up, into the slot, and the next frames are found in that: by a routine that calls nothing
 * and loops over frames while their words are in the window and their rules in the cache. Where
 * frames are large a window would have the words of one only, and a step reads just those; also
 * where a window cannot be read, as at the end of a stack.
 *
 * Steps and the loop are routines of their own, so that the verifier walks them once.
 *
 * Code without a rule, of just-in-time compilers and assemblers, has frame pointers or ends the
 * stack.
 */
#include <stddef.h>

#include "bpf/rt_unwind_int.h"
#include "bpf/rt_vma.h"
#include "bpf/sys.h"
#include "libdt/base/machine/machine.h"

/* in how many words below the base most functions keep the caller's frame pointer */
enum { BESIDE_RETURN = 2 };

/* A window is read when the frame has at most so many bytes. */
enum { NEAR = UNWIND_WINDOW / 2 };

enum { NO_BX_MAX = CFI_BX_KNOWN - 1 }; /* rules up to it are not CFI_BX_KNOWN */

enum { ROW_MAX = 16 }; /* frames that one call of the loop takes */

enum { RETURNS_MAX = 64 }; /* as many as the kernel lets a thread have */

/*
 * A step's frame must stay below 56 bytes: a function with more gets a stack of its own from 6.13
 * on (BPF_PRIV_STACK_MIN_SIZE), to which the kernel copies words 30 ns slower, as it checks where
 * they go. So the address of the code is not kept in a step.
 */

int step_field(struct step *s, int off)
{
	int r = ir_reg(s->b.ir);

	ir_ld(s->b.ir, 8, r, s->state, off);
	return r;
}

int step_below(struct rtb *b, int x, int y)
{
	int r = rtb_copy(b, x);

	ir_alu(b->ir, BPF_SUB, r, y);
	ir_alui(b->ir, BPF_ARSH, r, 63);
	return r;
}

static bool has_link(const struct rt *rt)
{
	return rt->unwind->machine->regs.link >= 0;
}

/* One or two words at an address; goes to bad when they cannot be read. */
static void words_at(struct rtb *b, int helper, int base, int off, int n, int *words, int bad)
{
	int addr = rtb_copy(b, base), at = ir_reg(b->ir), rc, frame = ir_frame(b->ir, n * 8);

	ir_alui(b->ir, BPF_ADD, addr, off);
	for (int i = 0; i < n; i++)
		ir_frame_sti(b->ir, 8, frame, i * 8, 0);
	ir_frame_addr(b->ir, at, frame, 0);
	rc = ir_callv(b->ir, helper, at, rtb_imm(b, n * 8), addr);
	ir_jcci(b->ir, BPF_JNE, rc, 0, bad);
	for (int i = 0; i < n; i++) {
		words[i] = ir_reg(b->ir);
		ir_frame_ld(b->ir, 8, words[i], frame, i * 8);
	}
	ir_frame_free(b->ir, frame);
}

static int word_at(struct rtb *b, int helper, int base, int off, int bad)
{
	int word;

	words_at(b, helper, base, off, 1, &word, bad);
	return word;
}

void step_user_words(struct step *s, int base, int off, int n, int *words, int bad)
{
	words_at(&s->b, BPF_FUNC_probe_read_user, base, off, n, words, bad);
}

int step_user_word(struct step *s, int base, int off)
{
	return word_at(&s->b, BPF_FUNC_probe_read_user, base, off, s->end);
}

static int kernel_word(struct rtb *b, int base, int off)
{
	return word_at(b, BPF_FUNC_probe_read_kernel, base, off, b->fail);
}

static int current_task(struct rtb *b)
{
	return rtb_copy(b, ir_call(b->ir, BPF_FUNC_get_current_task, 0, NULL));
}

/* rt_unwind_trampoline(): where the process's functions with return probes return to; 0: there
 * are none. */
static struct code *build_trampoline(struct rt *rt, const char *name)
{
	const struct rt_returns *o = rt->unwind ? &rt->unwind->returns : NULL;
	uint32_t path[3];
	struct rtb b;
	bool typed;
	int r, next;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 1);
	if (!o->known)
		return rtb_finish(&b, 0);
	path[0] = o->task_mm, path[1] = o->mm_area, path[2] = o->area_vaddr;
	/* typed pointers are followed without calls; NULL is 0 */
	typed = !rt->feats || feat(rt->feats, FEAT_TASK_PT_REGS);
	r = rtb_copy(&b, ir_call(b.ir,
				 typed ? SYS_FUNC_GET_CURRENT_TASK_BTF : BPF_FUNC_get_current_task,
				 0, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(path); i++) {
		if (typed) {
			next = ir_reg(b.ir);
			ir_ld(b.ir, 8, next, r, path[i]);
			r = next;
		} else {
			r = kernel_word(&b, r, path[i]);
		}
		ir_jcci(b.ir, BPF_JEQ, r, 0, b.fail);
	}
	ir_ret(b.ir, r);
	return rtb_finish(&b, 0);
}

/* rt_unwind_return(where): the return address that a return probe has replaced at this address of
 * the stack; or 0. Where the frame's base may be further up (rt_unwind_link.c) it is the first one
 * from there up: the kernel's list begins with the innermost function. */
static struct code *build_return(struct rt *rt, const char *name)
{
	const struct rt_returns *o = rt->unwind ? &rt->unwind->returns : NULL;
	int at, loop, found, i, is_found;
	struct rtb b;

	if (!o)
		return NULL;
	is_found = has_link(rt) ? BPF_JGE : BPF_JEQ;
	rtb_start(&b, rt, name, 1);
	if (!o->known)
		return rtb_finish(&b, 0);
	loop = ir_label(b.ir), found = ir_label(b.ir), at = ir_reg(b.ir);
	ir_mov(b.ir, at, kernel_word(&b, current_task(&b), o->task_utask));
	ir_jcci(b.ir, BPF_JEQ, at, 0, b.fail);
	ir_mov(b.ir, at, kernel_word(&b, at, o->utask_first));
	i = rtb_imm(&b, 0);
	ir_place(b.ir, loop);
	ir_jcci(b.ir, BPF_JEQ, at, 0, b.fail);
	ir_jcc(b.ir, is_found, kernel_word(&b, at, o->stack), ir_arg(b.ir, 0), found);
	ir_mov(b.ir, at, kernel_word(&b, at, o->next));
	ir_alui(b.ir, BPF_ADD, i, 1);
	ir_jcci(b.ir, BPF_JLT, i, RETURNS_MAX, loop);
	ir_jmp(b.ir, b.fail);
	ir_place(b.ir, found);
	ir_ret(b.ir, kernel_word(&b, at, o->address));
	return rtb_finish(&b, 0);
}

int step_sp(struct step *s)
{
	return s->sp ? s->sp : step_field(s, offsetof(struct unwind_state, sp));
}

int step_fp(struct step *s)
{
	return s->fp ? s->fp : step_field(s, offsetof(struct unwind_state, fp));
}

void step_set(struct step *s, int pc, int sp, int fp, int exact)
{
	struct ir *ir = s->b.ir;

	ir_jcci(ir, BPF_JEQ, pc, 0, s->end);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, pc), pc);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, sp), sp);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, fp), fp);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, exact), exact);
}

void step_signal(struct step *s)
{
	const struct machine_unwind *m = &s->b.rt->unwind->machine->unwind;
	int pc = step_user_word(s, step_sp(s), m->signal_pc),
	    fp = step_user_word(s, step_sp(s), m->signal_fp),
	    sp = step_user_word(s, step_sp(s), m->signal_sp),
	    third = step_user_word(s, step_sp(s), m->signal_third);

	ir_st(s->b.ir, 8, s->state, offsetof(struct unwind_state, third), third);
	step_set(s, pc, sp, fp, 1);
}

int step_return_address(struct step *s, int base, int word)
{
	struct rtb *b = &s->b;
	int pc = rtb_copy(b, word), where = rtb_copy(b, base), own = ir_label(b->ir);

	ir_jcc(b->ir, BPF_JNE, pc, step_field(s, offsetof(struct unwind_state, trampoline)), own);
	if (!has_link(s->b.rt))
		ir_alui(b->ir, BPF_SUB, where, 8);
	ir_mov(b->ir, pc, ir_call_func(b->ir, "rt_unwind_return", 1, &where));
	ir_place(b->ir, own);
	return pc;
}

static void step_no_window(struct step *s)
{
	int none = rtb_imm(&s->b, INT64_MAX); /* no address of a process is near that */

	ir_st(s->b.ir, 8, s->state, offsetof(struct unwind_state, window_start), none);
}

int step_window_word(struct step *s, int addr, int words, int miss)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int off = rtb_copy(b, addr), p = ir_reg(ir), r = ir_reg(ir),
	    below = words ? rtb_copy(b, words) : 0;

	ir_alu(ir, BPF_SUB, off, step_field(s, offsetof(struct unwind_state, window_start)));
	if (words) {
		ir_alui(ir, BPF_LSH, below, 3);
		ir_alu(ir, BPF_SUB, off, below);
	}
	ir_jcci(ir, BPF_JGT, off, UNWIND_WINDOW - 8, miss);
	ir_mov(ir, p, s->state);
	ir_alu(ir, BPF_ADD, p, off);
	ir_ld(ir, 8, r, p, offsetof(struct unwind_state, window));
	return r;
}

/* In how many words below the base the caller's frame pointer is. */
static int fp_words(struct step *s, int rule)
{
	int r = rtb_copy(&s->b, rule);

	ir_alui(s->b.ir, BPF_RSH, r, CFI_FP_SHIFT);
	ir_alui(s->b.ir, BPF_AND, r, CFI_FP_MASK);
	return r;
}

/* The caller's frame pointer and return address from the window. */
static void words_of_window(struct step *s, int where, int base, int fp, int pc, int miss)
{
	struct ir *ir = s->b.ir;
	int same = ir_label(ir);

	ir_mov(ir, pc, step_window_word(s, base, rtb_imm(&s->b, 1), miss));
	ir_mov(ir, fp, step_fp(s));
	ir_jcci(ir, BPF_JEQ, where, 0, same);
	ir_mov(ir, fp, step_window_word(s, base, where, miss));
	ir_place(ir, same);
}

/* The same from the process. */
static void words_of_process(struct step *s, int where, int base, int fp, int pc)
{
	struct ir *ir = s->b.ir;
	int apart = ir_label(ir), got = ir_label(ir), at, words[2];

	ir_jcci(ir, BPF_JNE, where, BESIDE_RETURN, apart);
	step_user_words(s, base, -8 * BESIDE_RETURN, 2, words, s->end);
	ir_mov(ir, fp, words[0]);
	ir_mov(ir, pc, words[1]);
	ir_jmp(ir, got);
	ir_place(ir, apart);
	ir_mov(ir, pc, step_user_word(s, base, -8));
	ir_mov(ir, fp, step_fp(s));
	ir_jcci(ir, BPF_JEQ, where, 0, got);
	ir_alui(ir, BPF_LSH, where, 3);
	at = rtb_copy(&s->b, base);
	ir_alu(ir, BPF_SUB, at, where);
	ir_mov(ir, fp, step_user_word(s, at, 0));
	ir_place(ir, got);
}

void step_window_fill(struct step *s, int base, int start, int words, int bad)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int size = rtb_copy(b, base), from = rtb_copy(b, start),
	    below = words ? rtb_copy(b, words) : 0, to = rtb_copy(b, s->state), some = ir_label(ir),
	    full = ir_label(ir);

	ir_alu(ir, BPF_SUB, size, step_sp(s));
	ir_jcc(ir, BPF_JGT, size, step_field(s, offsetof(struct unwind_state, near)), bad);
	if (words) {
		ir_jcci(ir, BPF_JNE, below, 0, some);
		ir_movi(ir, below, 1);
		ir_place(ir, some);
		ir_alui(ir, BPF_LSH, below, 3);
		ir_alu(ir, BPF_SUB, from, below);
	}
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, window_start), from);
	ir_alui(ir, BPF_ADD, to, offsetof(struct unwind_state, window));
	ir_jcci(ir, BPF_JEQ,
		ir_callv(ir, BPF_FUNC_probe_read_user, to, rtb_imm(b, UNWIND_WINDOW), from), 0,
		full);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, near), 0);
	step_no_window(s);
	ir_jmp(ir, bad);
	ir_place(ir, full);
}

/* Goes to yes when the word below the base is in the window. */
static void in_window(struct step *s, int base, int yes)
{
	struct ir *ir = s->b.ir;
	int off = rtb_copy(&s->b, base);

	ir_alu(ir, BPF_SUB, off, step_field(s, offsetof(struct unwind_state, window_start)));
	ir_alui(ir, BPF_SUB, off, 8);
	ir_jcci(ir, BPF_JLE, off, UNWIND_WINDOW - 8, yes);
}

void step_put(struct step *s)
{
	struct ir *ir = s->b.ir;
	int to = step_field(s, offsetof(struct unwind_state, to)),
	    left = step_field(s, offsetof(struct unwind_state, left)),
	    p = rtb_at(&s->b, s->b.slot, to, s->b.rt->slot_size - 8);

	ir_st(ir, 8, p, 0, step_field(s, offsetof(struct unwind_state, pc)));
	ir_alui(ir, BPF_ADD, to, 8);
	ir_alui(ir, BPF_SUB, left, 1);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, to), to);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, left), left);
}

/* The caller's rbx, where the rule has it. */
static void follow_bx(struct step *s, int rule, int base)
{
	struct ir *ir = s->b.ir;
	int where = rtb_copy(&s->b, rule), at = rtb_copy(&s->b, base), known = ir_label(ir),
	    same = ir_label(ir);

	ir_jcci(ir, BPF_JGT, rule, NO_BX_MAX, known);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, third), 0);
	ir_jmp(ir, same);
	ir_place(ir, known);
	ir_alui(ir, BPF_RSH, where, CFI_BX_SHIFT);
	ir_alui(ir, BPF_AND, where, CFI_BX_MASK);
	ir_jcci(ir, BPF_JEQ, where, 0, same);
	ir_alui(ir, BPF_LSH, where, 3);
	ir_alu(ir, BPF_SUB, at, where);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, third), step_user_word(s, at, 0));
	ir_place(ir, same);
}

/* base is a register plus the rule's offset. Ends the function. */
static void by_rule(struct step *s, int rule, int base)
{
	struct ir *ir = s->b.ir;
	int where = fp_words(s, rule), fp = ir_reg(ir), pc = ir_reg(ir), there = ir_label(ir),
	    process = ir_label(ir);

	/* below the stack pointer's: the stack grows, or this is none */
	ir_jcc(ir, BPF_JLE, base, step_sp(s), s->end);
	follow_bx(s, rule, base);
	in_window(s, base, there);
	/* from the lower one of the two words on */
	step_window_fill(s, base, base, where, process);
	ir_place(ir, there);
	words_of_window(s, where, base, fp, pc, process);
	step_set(s, step_return_address(s, base, pc), base, fp, 0);
	step_put(s);
	ir_reti(s->b.ir, STEP_WINDOW);
	ir_place(ir, process);
	words_of_process(s, where, base, fp, pc);
	step_set(s, step_return_address(s, base, pc), base, fp, 0);
	step_put(s);
	ir_reti(s->b.ir, STEP_ON);
}

/* A PLT's entry has pushed a word when it is n bytes or more into its 16. */
static int plt_base(struct step *s, int n)
{
	struct rtb *b = &s->b;
	int at = step_field(s, offsetof(struct unwind_state, pc)), base = rtb_copy(b, step_sp(s)),
	    more;

	ir_alui(b->ir, BPF_AND, at, 15);
	more = step_below(b, at, n);
	ir_alui(b->ir, BPF_XOR, more, -1);
	ir_alui(b->ir, BPF_AND, more, 8);
	ir_alui(b->ir, BPF_ADD, base, 8);
	ir_alu(b->ir, BPF_ADD, base, more);
	return base;
}

/* Code that aligns its stack keeps the stack pointer that it had in a word of its frame. */
static int kept_base(struct step *s, int off)
{
	struct rtb *b = &s->b;
	int at = rtb_copy(b, off), base;

	ir_alui(b->ir, BPF_SUB, at, CFI_KEPT + 1);
	ir_alui(b->ir, BPF_LSH, at, 3);
	ir_alu(b->ir, BPF_ADD, at, step_sp(s));
	base = rtb_copy(b, step_user_word(s, at, 0));
	ir_alui(b->ir, BPF_ADD, base, 8);
	return base;
}

/* The dynamic linker's code that finds a function when it is first called has its base in rbx. */
static int bx_base(struct step *s, int off)
{
	struct ir *ir = s->b.ir;
	int base = rtb_copy(&s->b, off), bx = step_field(s, offsetof(struct unwind_state, third));

	ir_jcci(ir, BPF_JEQ, bx, 0, s->end);
	ir_alui(ir, BPF_SUB, base, CFI_BX);
	ir_alui(ir, BPF_LSH, base, 3);
	ir_alu(ir, BPF_ADD, base, bx);
	return base;
}

int step_base(struct step *s, int kind, int off, int other)
{
	struct ir *ir = s->b.ir;
	int base = rtb_copy(&s->b, step_sp(s)), plain = ir_label(ir), by = rtb_copy(&s->b, off);

	ir_jcci(ir, BPF_JEQ, kind, CFI_SP, plain);
	ir_jcci(ir, BPF_JNE, kind, CFI_FP, other);
	ir_mov(ir, base, step_fp(s));
	ir_place(ir, plain);
	ir_alui(ir, BPF_LSH, by, 3);
	ir_alu(ir, BPF_ADD, base, by);
	return base;
}

int step_kind(struct step *s, int rule)
{
	int r = rtb_copy(&s->b, rule);

	ir_alui(s->b.ir, BPF_AND, r, 3);
	return r;
}

int step_rule_off(struct step *s, int rule, int bits)
{
	int r = rtb_copy(&s->b, rule);

	ir_alui(s->b.ir, BPF_RSH, r, CFI_OFF_SHIFT);
	ir_alui(s->b.ir, BPF_AND, r, (1 << bits) - 1);
	return r;
}

/* Of any rule, also one that has the words of rbx. */
static int any_rule_off(struct step *s, int rule)
{
	struct ir *ir = s->b.ir;
	int r = step_rule_off(s, rule, CFI_OFF_BITS), usual = ir_label(ir);

	ir_jcci(ir, BPF_JLE, rule, NO_BX_MAX, usual);
	ir_alui(ir, BPF_AND, r, (1 << CFI_BX_OFF_BITS) - 1);
	ir_place(ir, usual);
	return r;
}

void step_note_guess(struct step *s, int rule)
{
	struct ir *ir = s->b.ir;
	int guess = rtb_copy(&s->b, rule), guessed = offsetof(struct unwind_state, guessed);

	ir_alui(ir, BPF_RSH, guess, CFI_GUESS_SHIFT);
	ir_alu(ir, BPF_AND, guess, step_field(s, offsetof(struct unwind_state, exact)));
	ir_alu(ir, BPF_OR, guess, step_field(s, guessed));
	ir_st(ir, 8, s->state, guessed, guess);
}

/* Ends the function. */
static void apply(struct step *s, int rule)
{
	struct ir *ir = s->b.ir;
	int kind = step_kind(s, rule), off = any_rule_off(s, rule), base = ir_reg(ir),
	    special = ir_label(ir), plt = ir_label(ir), kept = ir_label(ir), by_bx = ir_label(ir),
	    go = ir_label(ir);

	step_note_guess(s, rule);
	ir_mov(ir, base, step_base(s, kind, off, special));
	ir_jmp(ir, go);
	ir_place(ir, special);
	ir_jcci(ir, BPF_JEQ, kind, CFI_END, s->end);
	ir_jcci(ir, BPF_JGE, off, CFI_BX, by_bx);
	ir_jcci(ir, BPF_JGE, off, CFI_KEPT, kept);
	ir_jcci(ir, BPF_JNE, off, 0, plt);
	step_signal(s);
	step_put(s);
	ir_reti(s->b.ir, STEP_ON);
	ir_place(ir, by_bx);
	ir_mov(ir, base, bx_base(s, off));
	ir_jmp(ir, go);
	ir_place(ir, kept);
	ir_mov(ir, base, kept_base(s, off));
	ir_jmp(ir, go);
	ir_place(ir, plt);
	ir_mov(ir, base, plt_base(s, off));
	ir_place(ir, go);
	by_rule(s, rule, base);
}

int step_load(struct step *s)
{
	struct rtb *b = &s->b;
	int addr;

	rtb_slot(b, ir_arg(b->ir, 0));
	s->state =
	    rtb_at(b, b->slot, ir_arg(b->ir, 1), b->rt->slot_size - sizeof(struct unwind_state));
	addr = step_field(s, offsetof(struct unwind_state, pc));
	ir_alui(b->ir, BPF_SUB, addr, 1);
	ir_alu(b->ir, BPF_ADD, addr, step_field(s, offsetof(struct unwind_state, exact)));
	return addr;
}

/* rt_unwind_step(slot, state): the caller's registers, and its frame. */
static struct code *build_step(struct rt *rt, const char *name)
{
	struct step s = {0};
	int addr;

	if (!rt->unwind)
		return NULL;
	rtb_start(&s.b, rt, name, 2);
	addr = step_load(&s);
	s.end = ir_label(s.b.ir);
	if (has_link(rt))
		link_apply(&s, rule_known(&s, addr));
	else
		apply(&s, rule_known(&s, addr));
	ir_place(s.b.ir, s.end);
	ir_reti(s.b.ir, STEP_END);
	return rtb_finish(&s.b, STEP_END);
}

/* A step of the loop, which is left where it is not as usual. */
static void usual_step(struct step *s, int addr, int to, int out)
{
	struct ir *ir = s->b.ir;
	int rule = rule_cached(s, addr, out), base, fp = ir_reg(ir), pc = ir_reg(ir);

	if (has_link(s->b.rt)) {
		base = link_usual(s, rule, fp, pc, out);
	} else {
		ir_jcci(ir, BPF_JGT, rule, NO_BX_MAX, out);
		base = step_base(s, step_kind(s, rule), step_rule_off(s, rule, CFI_OFF_BITS), out);
		ir_jcc(ir, BPF_JLE, base, step_sp(s), out);
		words_of_window(s, fp_words(s, rule), base, fp, pc, out);
	}
	ir_jcci(ir, BPF_JEQ, pc, 0, out);
	ir_jcc(ir, BPF_JEQ, pc, step_field(s, offsetof(struct unwind_state, trampoline)), out);
	ir_mov(ir, s->sp, base);
	ir_mov(ir, s->fp, fp);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, pc), pc);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, sp), base);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, fp), fp);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, third), 0);
	ir_st(ir, 8, to, 0, pc);
	ir_mov(ir, addr, pc);
	ir_alui(ir, BPF_SUB, addr, 1);
}

/* rt_unwind_row(slot, state): the frames that follow from the window and the cache alone. The
 * state is of a return address. */
static struct code *build_row(struct rt *rt, const char *name)
{
	struct step s = {0};
	struct ir *ir;
	int addr, to, p, left, i, loop, out;

	if (!rt->unwind)
		return NULL;
	rtb_start(&s.b, rt, name, 2);
	ir = s.b.ir, loop = ir_label(ir), out = ir_label(ir);
	addr = rtb_copy(&s.b, step_load(&s));
	s.sp = step_field(&s, offsetof(struct unwind_state, sp));
	s.fp = step_field(&s, offsetof(struct unwind_state, fp));
	left = step_field(&s, offsetof(struct unwind_state, left));
	to = step_field(&s, offsetof(struct unwind_state, to));
	p = rtb_at(&s.b, s.b.slot, to, rt->slot_size - 8 * ROW_MAX);
	i = rtb_imm(&s.b, 0);
	ir_place(ir, loop);
	ir_jcc(ir, BPF_JGE, i, left, out);
	usual_step(&s, addr, p, out);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, ROW_MAX, loop);
	ir_place(ir, out);
	left = step_field(&s, offsetof(struct unwind_state, left));
	to = step_field(&s, offsetof(struct unwind_state, to));
	ir_alu(ir, BPF_SUB, left, i);
	ir_alui(ir, BPF_LSH, i, 3);
	ir_alu(ir, BPF_ADD, to, i);
	ir_st(ir, 8, s.state, offsetof(struct unwind_state, to), to);
	ir_st(ir, 8, s.state, offsetof(struct unwind_state, left), left);
	ir_reti(ir, 0);
	return rtb_finish(&s.b, 0);
}

/* What is known of all the process's code, or goes to unknown. */
static void find_process(struct rtb *b, int p, int unknown)
{
	struct ir *ir = b->ir;
	int space, id = ir_reg(ir), here = offsetof(struct unwind_state, here);

	space = rule_find_space(b, unknown);
	ir_ld(ir, 8, id, space, offsetof(struct unwind_space, id));
	ir_st(ir, 8, p, here + offsetof(struct unwind_here, id), id);
	ir_sti(ir, 8, p, here + offsetof(struct unwind_here, part.start), 0);
	ir_sti(ir, 8, p, here + offsetof(struct unwind_here, part.end), -1);
	ir_sti(ir, 8, p, here + offsetof(struct unwind_here, part.bias), 0);
	ir_sti(ir, 8, p, offsetof(struct unwind_state, has_space), 1);
}

/* What is known of the mapping that the stack begins in; goes to none when it has no table. */
static void find_file(struct rtb *b, int state, int p, int pc, int none)
{
	struct ir *ir = b->ir;
	int at = rtb_copy(b, state), n = ir_reg(ir), r, known = ir_label(ir);

	ir_alui(ir, BPF_ADD, at, offsetof(struct unwind_state, here));
	r = ir_call_func(ir, "rt_vma_table", 3, (int[]){ir_arg(ir, 0), at, pc});
	ir_jcci(ir, BPF_JEQ, r, VMA_TABLE, known);
	ir_jcci(ir, BPF_JNE, r, VMA_FILE, none);
	ir_sti(ir, 8, p, offsetof(struct unwind_state, stray), UNWIND_FILE_NS);
	ir_jmp(ir, none);
	ir_place(ir, known);
	ir_ld(ir, 4, n, p, offsetof(struct unwind_state, here.part.n));
	ir_jcci(ir, BPF_JEQ, n, 0, none);
	ir_sti(ir, 8, p, offsetof(struct unwind_state, has_space), 0);
}

/* All frames after the first one, until the stack ends. */
static void take_frames(struct step *s)
{
	struct ir *ir = s->b.ir;
	int args[] = {ir_arg(ir, 0), ir_arg(ir, 1)}, loop = ir_label(ir), out = ir_label(ir),
	    next = ir_label(ir), i = rtb_imm(&s->b, 1), r;

	ir_place(ir, loop);
	ir_jcci(ir, BPF_JEQ, step_field(s, offsetof(struct unwind_state, left)), 0, out);
	r = ir_call_func(ir, "rt_unwind_step", 2, args);
	ir_jcci(ir, BPF_JEQ, r, STEP_END, out);
	ir_jcci(ir, BPF_JNE, r, STEP_WINDOW, next);
	ir_call_func(ir, "rt_unwind_row", 2, args);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, UNWIND_FRAMES, loop);
	ir_place(ir, out);
}

/* rt_unwind(slot, state, to, n): the stack's frames, at most n, to an offset; their number is
 * returned, or -1 when nothing is known of the process. */
static struct code *build_unwind(struct rt *rt, const char *name)
{
	int slot, state, begin, unknown, none, r, pc, n;
	struct step s = {0};
	struct rtb *b = &s.b;
	struct ir *ir;

	if (!rt->unwind)
		return NULL;
	rtb_start(b, rt, name, 4);
	ir = b->ir, slot = ir_arg(ir, 0), state = ir_arg(ir, 1);
	unknown = ir_label(ir), begin = ir_label(ir), none = ir_label(ir);
	rtb_slot(b, slot);
	s.state = rtb_at(b, b->slot, state, rt->slot_size - sizeof(struct unwind_state));
	pc = step_field(&s, offsetof(struct unwind_state, pc));
	find_process(b, s.state, unknown);
	ir_jmp(ir, begin);
	ir_place(ir, unknown);
	find_file(b, state, s.state, pc, none);
	ir_place(ir, begin);
	r = ir_call_func(ir, "rt_unwind_trampoline", 1, &slot);
	ir_st(ir, 8, s.state, offsetof(struct unwind_state, trampoline), r);
	ir_sti(ir, 8, s.state, offsetof(struct unwind_state, near), NEAR);
	step_no_window(&s);
	ir_st(ir, 8, s.state, offsetof(struct unwind_state, to), ir_arg(ir, 2));
	ir_st(ir, 8, s.state, offsetof(struct unwind_state, left), ir_arg(ir, 3));
	step_put(&s);
	take_frames(&s);
	n = rtb_copy(b, ir_arg(ir, 3));
	ir_alu(ir, BPF_SUB, n, step_field(&s, offsetof(struct unwind_state, left)));
	ir_ret(ir, n);
	ir_place(ir, none);
	ir_reti(ir, -1);
	return rtb_finish(b, -1);
}

const struct rt_def rt_unwind_defs[] = {
    {"rt_unwind", build_unwind},
    {"rt_unwind_step", build_step},
    {"rt_unwind_row", build_row},
    {"rt_unwind_return", build_return},
    {"rt_unwind_trampoline", build_trampoline},
    {NULL, NULL},
};
