/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process's stack by the tables that dtrace made of its files' call frame information. A step from one frame to its
 * caller is a routine of its own, so that the verifier walks it once: which file is the code in (a binary search among the
 * process's mappings), which rule holds there (another one in the file's rows), and what the caller's registers are
 * by that. Searches have no branches, so that there is one path through them.
 *
 * Code without a rule, of just-in-time compilers and assemblers, has frame pointers or ends the stack.
 */
#include <stddef.h>

#include "bpf/rt_build.h"
#include "bpf/rt_unwind.h"

#if defined(__x86_64__)

enum { STEP_END, STEP_ON, STEP_UNKNOWN = -1 };

enum { RETURNS_MAX = 64 }; /* as many as the kernel lets a thread have */

/* Where a signal's handler returns to, the stack pointer is at its struct ucontext. */
enum { SIGNAL_FP = 120, SIGNAL_SP = 160, SIGNAL_PC = 168 };

struct step {
	struct rtb b;
	int state; /* pointer to struct unwind_state */
	int to;	   /* pointer to where the frame goes */
	int pc, sp, fp;
	int end, guess; /* labels: the stack ends; it goes on by frame pointers */
};

static int field(struct step *s, int off)
{
	int r = ir_reg(s->b.ir);

	ir_ld(s->b.ir, 8, r, s->state, off);
	return r;
}

/* A new register: all ones when a < b, else 0; neither is so large that the difference has no sign. */
static int below(struct rtb *b, int x, int y)
{
	int r = rtb_copy(b, x);

	ir_alu(b->ir, BPF_SUB, r, y);
	ir_alui(b->ir, BPF_ARSH, r, 63);
	return r;
}

/* The word at an address; goes to bad when it cannot be read. */
static int word_at(struct rtb *b, int helper, int base, int off, int bad)
{
	int addr = rtb_copy(b, base), at = ir_reg(b->ir), r = ir_reg(b->ir), rc, frame = ir_frame(b->ir, 8);

	ir_alui(b->ir, BPF_ADD, addr, off);
	ir_frame_sti(b->ir, 8, frame, 0, 0);
	ir_frame_addr(b->ir, at, frame, 0);
	rc = ir_callv(b->ir, helper, at, rtb_imm(b, 8), addr);
	ir_jcci(b->ir, BPF_JNE, rc, 0, bad);
	ir_frame_ld(b->ir, 8, r, frame, 0);
	ir_frame_free(b->ir, frame);
	return r;
}

/* The process's; the stack ends where it cannot be read. */
static int user_word(struct step *s, int base, int off)
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

/* rt_unwind_trampoline(): where the process's functions with return probes return to; 0: there are none. */
static struct code *build_trampoline(struct rt *rt, const char *name)
{
	const struct rt_returns *o = rt->unwind ? &rt->unwind->returns : NULL;
	struct rtb b;
	int r;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 1);
	if (!o->known)
		return rtb_finish(&b, 0);
	r = kernel_word(&b, current_task(&b), o->task_mm);
	ir_jcci(b.ir, BPF_JEQ, r, 0, b.fail);
	r = kernel_word(&b, r, o->mm_area);
	ir_jcci(b.ir, BPF_JEQ, r, 0, b.fail);
	ir_ret(b.ir, kernel_word(&b, r, o->area_vaddr));
	return rtb_finish(&b, 0);
}

/* rt_unwind_return(where): the return address that a return probe has replaced at this address of the stack; or 0. */
static struct code *build_return(struct rt *rt, const char *name)
{
	const struct rt_returns *o = rt->unwind ? &rt->unwind->returns : NULL;
	int at, loop, found, i;
	struct rtb b;

	if (!o)
		return NULL;
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
	ir_jcc(b.ir, BPF_JEQ, kernel_word(&b, at, o->stack), ir_arg(b.ir, 0), found);
	ir_mov(b.ir, at, kernel_word(&b, at, o->next));
	ir_alui(b.ir, BPF_ADD, i, 1);
	ir_jcci(b.ir, BPF_JLT, i, RETURNS_MAX, loop);
	ir_jmp(b.ir, b.fail);
	ir_place(b.ir, found);
	ir_ret(b.ir, kernel_word(&b, at, o->address));
	return rtb_finish(&b, 0);
}

/* Pointer to the process's struct unwind_space. */
static int find_space(struct step *s, int unknown)
{
	struct ir *ir = s->b.ir;
	int frame = ir_frame(ir, 8), key = ir_reg(ir), m = ir_reg(ir), pid, r;

	pid = rtb_copy(&s->b, ir_call(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	ir_alui(ir, BPF_RSH, pid, 32);
	ir_frame_st(ir, 8, frame, 0, pid);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, s->b.rt->unwind->spaces);
	r = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
	ir_jcci(ir, BPF_JEQ, r, 0, unknown);
	return r;
}

/* Pointer to the last part that begins at or below an address; the first one begins at 0. */
static int find_part(struct step *s, int space, int addr)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int pos = rtb_imm(b, 0), at, key, yes;

	for (int bit = UNWIND_PARTS / 2; bit; bit /= 2) {
		at = rtb_copy(b, pos), key = ir_reg(ir);
		ir_alui(ir, BPF_ADD, at, bit);
		ir_alui(ir, BPF_AND, at, UNWIND_PARTS - 1);
		ir_alui(ir, BPF_MUL, at, sizeof(struct unwind_part));
		ir_alu(ir, BPF_ADD, at, space);
		ir_ld(ir, 8, key, at, offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, start));
		yes = below(b, addr, key);
		ir_alui(ir, BPF_XOR, yes, -1);
		ir_alui(ir, BPF_AND, yes, bit);
		ir_alu(ir, BPF_ADD, pos, yes);
	}
	ir_alui(ir, BPF_AND, pos, UNWIND_PARTS - 1);
	ir_alui(ir, BPF_MUL, pos, sizeof(struct unwind_part));
	ir_alu(ir, BPF_ADD, pos, space);
	return pos;
}

/* The row at an index, of which the verifier shall know that it is in the memory. */
static int load_row(struct step *s, int index)
{
	struct rtb *b = &s->b;
	int at = rtb_copy(b, index), rows = ir_reg(b->ir), r = ir_reg(b->ir);

	ir_alui(b->ir, BPF_AND, at, b->rt->unwind->nrows - 1);
	ir_alui(b->ir, BPF_LSH, at, 3);
	ir_map_mem(b->ir, rows, b->rt->unwind->rows, 0);
	ir_alu(b->ir, BPF_ADD, rows, at);
	ir_ld(b->ir, 8, r, rows, 0);
	return r;
}

/* The rule for an address of the object: of the last of n rows from first on that begins at or below it. */
static int find_rule(struct step *s, int first, int n, int addr)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int pos = rtb_copy(b, first), end = rtb_copy(b, first), row, at, yes, no, start;

	ir_alu(ir, BPF_ADD, end, n);
	for (int bit = 1 << (UNWIND_ROW_BITS - 1); bit; bit /= 2) {
		at = rtb_copy(b, pos);
		ir_alui(ir, BPF_ADD, at, bit);
		start = load_row(s, at);
		ir_zext(ir, start, 32);
		yes = below(b, at, end);
		no = below(b, addr, start);
		ir_alui(ir, BPF_XOR, no, -1);
		ir_alu(ir, BPF_AND, yes, no);
		ir_alui(ir, BPF_AND, yes, bit);
		ir_alu(ir, BPF_ADD, pos, yes);
	}
	row = load_row(s, pos);
	start = rtb_copy(b, row);
	ir_zext(ir, start, 32);
	ir_jcc(ir, BPF_JGT, start, addr, s->guess);
	ir_alui(ir, BPF_RSH, row, 32);
	return row;
}

static void set_registers(struct step *s, int pc, int sp, int fp, int exact)
{
	struct ir *ir = s->b.ir;

	ir_jcci(ir, BPF_JEQ, pc, 0, s->end);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, pc), pc);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, sp), sp);
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, fp), fp);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, exact), exact);
}

/* An address below the stack pointer's: the stack grows, or this is none. */
static void check_base(struct step *s, int base)
{
	ir_jcc(s->b.ir, BPF_JLE, base, s->sp, s->end);
}

/* The code has no rule: the caller's frame pointer and the return address are where the frame pointer points to. */
static void by_frame_pointer(struct step *s)
{
	struct ir *ir = s->b.ir;
	int base = rtb_copy(&s->b, s->fp), guessed = field(s, offsetof(struct unwind_state, guessed)), pc, fp;

	ir_alu(ir, BPF_OR, guessed, field(s, offsetof(struct unwind_state, exact)));
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, guessed), guessed);
	ir_alui(ir, BPF_ADD, base, 16);
	check_base(s, base);
	pc = user_word(s, base, -8);
	fp = user_word(s, base, -16);
	set_registers(s, pc, base, fp, 0);
}

static void by_signal(struct step *s)
{
	int pc = user_word(s, s->sp, SIGNAL_PC), fp = user_word(s, s->sp, SIGNAL_FP), sp = user_word(s, s->sp, SIGNAL_SP);

	set_registers(s, pc, sp, fp, 1);
}

/* Below the base; or what was there before a return probe. */
static int return_address(struct step *s, int base)
{
	struct rtb *b = &s->b;
	int pc = rtb_copy(b, user_word(s, base, -8)), where = rtb_copy(b, base), own = ir_label(b->ir);

	ir_jcc(b->ir, BPF_JNE, pc, field(s, offsetof(struct unwind_state, trampoline)), own);
	ir_alui(b->ir, BPF_SUB, where, 8);
	ir_mov(b->ir, pc, ir_call_func(b->ir, "rt_unwind_return", 1, &where));
	ir_place(b->ir, own);
	return pc;
}

/* base is a register plus rule's offset, but for what has been added already. */
static void by_rule(struct step *s, int rule, int base)
{
	struct ir *ir = s->b.ir;
	int where = rtb_copy(&s->b, rule), fp = ir_reg(ir), pc, kept = ir_label(ir), at;

	check_base(s, base);
	pc = return_address(s, base);
	ir_alui(ir, BPF_RSH, where, CFI_FP_SHIFT);
	ir_alui(ir, BPF_AND, where, CFI_FP_MASK);
	ir_alui(ir, BPF_LSH, where, 3);
	ir_mov(ir, fp, s->fp);
	ir_jcci(ir, BPF_JEQ, where, 0, kept);
	at = rtb_copy(&s->b, base);
	ir_alu(ir, BPF_SUB, at, where);
	ir_mov(ir, fp, user_word(s, at, 0));
	ir_place(ir, kept);
	set_registers(s, pc, base, fp, 0);
}

/* A PLT's entry has pushed a word when it is n bytes or more into its 16. */
static int plt_base(struct step *s, int n)
{
	struct rtb *b = &s->b;
	int at = rtb_copy(b, s->pc), base = rtb_copy(b, s->sp), more;

	ir_alui(b->ir, BPF_AND, at, 15);
	more = below(b, at, n);
	ir_alui(b->ir, BPF_XOR, more, -1);
	ir_alui(b->ir, BPF_AND, more, 8);
	ir_alui(b->ir, BPF_ADD, base, 8);
	ir_alu(b->ir, BPF_ADD, base, more);
	return base;
}

/* Ends the function: it can go on. */
static void put_frame(struct step *s)
{
	ir_st(s->b.ir, 8, s->to, 0, field(s, offsetof(struct unwind_state, pc)));
	ir_reti(s->b.ir, STEP_ON);
}

/* Code that aligns its stack keeps the stack pointer that it had in a word of its frame. */
static int kept_base(struct step *s, int off)
{
	struct rtb *b = &s->b;
	int at = rtb_copy(b, off), base;

	ir_alui(b->ir, BPF_SUB, at, CFI_KEPT + 1);
	ir_alui(b->ir, BPF_LSH, at, 3);
	ir_alu(b->ir, BPF_ADD, at, s->sp);
	base = rtb_copy(b, user_word(s, at, 0));
	ir_alui(b->ir, BPF_ADD, base, 8);
	return base;
}

static void apply(struct step *s, int rule)
{
	struct ir *ir = s->b.ir;
	int kind = rtb_copy(&s->b, rule), off = rtb_copy(&s->b, rule), base = ir_reg(ir);
	int special = ir_label(ir), plt = ir_label(ir), go = ir_label(ir), plain = ir_label(ir), end = ir_label(ir), kept = ir_label(ir);

	ir_alui(ir, BPF_AND, kind, 3);
	ir_alui(ir, BPF_RSH, off, CFI_OFF_SHIFT);
	ir_jcci(ir, BPF_JEQ, kind, CFI_END, end);
	ir_jcci(ir, BPF_JEQ, kind, CFI_SPECIAL, special);
	ir_mov(ir, base, s->sp);
	ir_jcci(ir, BPF_JEQ, kind, CFI_SP, plain);
	ir_mov(ir, base, s->fp);
	ir_place(ir, plain);
	ir_alui(ir, BPF_LSH, off, 3);
	ir_alu(ir, BPF_ADD, base, off);
	ir_jmp(ir, go);
	ir_place(ir, special);
	ir_jcci(ir, BPF_JGE, off, CFI_KEPT, kept);
	ir_jcci(ir, BPF_JNE, off, 0, plt);
	by_signal(s);
	put_frame(s);
	ir_place(ir, kept);
	ir_mov(ir, base, kept_base(s, off));
	ir_jmp(ir, go);
	ir_place(ir, plt);
	ir_mov(ir, base, plt_base(s, off));
	ir_place(ir, go);
	by_rule(s, rule, base);
	put_frame(s);
	ir_place(ir, end);
	ir_jcci(ir, BPF_JNE, off, 0, s->guess);
	ir_jmp(ir, s->end);
}

/* rt_unwind_step(slot, state, to): the caller's registers, and its frame to an offset. */
static struct code *build_step(struct rt *rt, const char *name)
{
	int unknown, space, part, addr, first, n, end, stray;
	struct step s = {0};
	struct rtb *b = &s.b;
	struct ir *ir;

	if (!rt->unwind)
		return NULL;
	rtb_start(b, rt, name, 3);
	ir = b->ir, s.end = ir_label(ir), s.guess = ir_label(ir), unknown = ir_label(ir), stray = ir_label(ir);
	rtb_slot(b, ir_arg(ir, 0));
	s.state = rtb_at(b, b->slot, ir_arg(ir, 1), rt->slot_size - sizeof(struct unwind_state));
	s.to = rtb_at(b, b->slot, ir_arg(ir, 2), rt->slot_size - 8);
	space = find_space(&s, unknown);
	s.pc = field(&s, offsetof(struct unwind_state, pc));
	s.sp = field(&s, offsetof(struct unwind_state, sp));
	s.fp = field(&s, offsetof(struct unwind_state, fp));
	addr = rtb_copy(b, s.pc); /* a return address may be the first of another function */
	ir_alui(ir, BPF_SUB, addr, 1);
	ir_alu(ir, BPF_ADD, addr, field(&s, offsetof(struct unwind_state, exact)));
	part = find_part(&s, space, addr);
	first = ir_reg(ir), n = ir_reg(ir), end = ir_reg(ir);
	ir_ld(ir, 8, end, part, offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, end));
	ir_jcc(ir, BPF_JGE, addr, end, stray);
	ir_ld(ir, 4, first, part, offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, first));
	ir_ld(ir, 4, n, part, offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, n));
	ir_jcci(ir, BPF_JEQ, n, 0, s.guess);
	ir_ld(ir, 8, end, part, offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, bias));
	ir_alu(ir, BPF_SUB, addr, end);
	apply(&s, find_rule(&s, first, n, addr));
	ir_place(ir, stray);
	ir_sti(ir, 8, s.state, offsetof(struct unwind_state, stray), 1);
	ir_place(ir, s.guess);
	by_frame_pointer(&s);
	put_frame(&s);
	ir_place(ir, unknown);
	ir_reti(ir, STEP_UNKNOWN);
	ir_place(ir, s.end);
	ir_reti(ir, STEP_END);
	return rtb_finish(b, STEP_END);
}

static struct code *build_unwind(struct rt *rt, const char *name)
{
	int slot, state, to, n, count, loop, out, unknown, r, pc, p;
	struct rtb b;
	struct ir *ir;

	if (!rt->unwind)
		return NULL;
	rtb_start(&b, rt, name, 4);
	ir = b.ir, slot = ir_arg(ir, 0), state = ir_arg(ir, 1), n = ir_arg(ir, 3);
	loop = ir_label(ir), out = ir_label(ir), unknown = ir_label(ir);
	rtb_slot(&b, slot);
	to = rtb_copy(&b, ir_arg(ir, 2));
	p = rtb_at(&b, b.slot, state, rt->slot_size - sizeof(struct unwind_state));
	pc = ir_reg(ir);
	ir_ld(ir, 8, pc, p, offsetof(struct unwind_state, pc));
	r = ir_call_func(ir, "rt_unwind_trampoline", 1, &slot);
	ir_st(ir, 8, p, offsetof(struct unwind_state, trampoline), r);
	p = rtb_at(&b, b.slot, to, rt->slot_size - 8);
	ir_st(ir, 8, p, 0, pc);
	count = rtb_imm(&b, 1);
	rtb_put(&b, 0, count);
	ir_place(ir, loop);
	ir_jcc(ir, BPF_JGE, count, n, out);
	ir_alui(ir, BPF_ADD, to, 8);
	r = ir_call_func(ir, "rt_unwind_step", 3, (int[]){slot, state, to});
	ir_jcci(ir, BPF_JSLT, r, 0, unknown);
	ir_jcci(ir, BPF_JEQ, r, STEP_END, out);
	ir_alui(ir, BPF_ADD, count, 1);
	rtb_put(&b, 0, count);
	ir_jcci(ir, BPF_JLT, count, UNWIND_FRAMES, loop);
	ir_place(ir, out);
	rtb_ret_cell(&b, 0);
	ir_place(ir, unknown);
	ir_reti(ir, -1);
	return rtb_finish(&b, -1);
}

#else

static struct code *build_step(struct rt *rt, const char *name)
{
	(void)rt, (void)name;
	return NULL;
}

static struct code *build_unwind(struct rt *rt, const char *name)
{
	return build_step(rt, name);
}

static struct code *build_return(struct rt *rt, const char *name)
{
	return build_step(rt, name);
}

static struct code *build_trampoline(struct rt *rt, const char *name)
{
	return build_step(rt, name);
}

#endif

const struct rt_def rt_unwind_defs[] = {
    {"rt_unwind", build_unwind},
    {"rt_unwind_step", build_step},
    {"rt_unwind_return", build_return},
    {"rt_unwind_trampoline", build_trampoline},
    {NULL, NULL},
};
