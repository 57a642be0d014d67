/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process's stack by the tables that dtrace made of its files' call frame information. A step
 * from one frame to its caller is a routine of its own, so that the verifier walks it once: which
 * rule holds at the address, and what the caller's registers are by that. Stacks pass through the
 * same code again and again, so rules are kept in a cache by address. Where it has none, another
 * routine finds it: which file is the code in (a binary search among the process's mappings), and
 * which of the file's rows is for it (another one). Searches have no branches but at their start,
 * so that there are few paths through them.
 *
 * A process that dtrace has not looked at yet, as a compile job that lives for milliseconds, has
 * no list of mappings here (no space): then the kernel's own is read, and the table is found by
 * the file (rt_vma.c). Frames that follow each other are mostly in the same mapping, which is
 * kept. The same is done for code that a process has mapped since dtrace looked.
 *
 * A word of the process costs a call of the kernel's: the return address and the frame pointer
 * below it are read by one call.
 *
 * Code without a rule, of just-in-time compilers and assemblers, has frame pointers or ends the
 * stack.
 */
#include <stddef.h>

#include "bpf/rt_build.h"
#include "bpf/rt_unwind.h"
#include "bpf/rt_vma.h"

#if defined(__x86_64__)

enum { STEP_END, STEP_ON };

/* in how many words below the base most functions keep the caller's frame pointer */
enum { BESIDE_RETURN = 2 };

enum { SKIP_BITS = 2 }; /* of the size of a table: where a search begins */

enum { RETURNS_MAX = 64 }; /* as many as the kernel lets a thread have */

/* Where a signal's handler returns to, the stack pointer is at its struct ucontext. */
enum { SIGNAL_FP = 120, SIGNAL_SP = 160, SIGNAL_PC = 168 };

/*
 * A step's frame must stay below 56 bytes: a function with more gets a stack of its own from 6.13
 * on (BPF_PRIV_STACK_MIN_SIZE), to which the kernel copies words 30 ns slower, as it checks where
 * they go. So the address of the code is not kept here.
 */
struct step {
	struct rtb b;
	int state; /* pointer to struct unwind_state */
	int to;	   /* pointer to where the frame goes */
	int sp, fp;
	int end, guess; /* labels: the stack ends; it goes on by frame pointers */
};

static int field(struct step *s, int off)
{
	int r = ir_reg(s->b.ir);

	ir_ld(s->b.ir, 8, r, s->state, off);
	return r;
}

/* A new register: all ones when a < b, else 0; neither is so large that the difference has no
 * sign. */
static int below(struct rtb *b, int x, int y)
{
	int r = rtb_copy(b, x);

	ir_alu(b->ir, BPF_SUB, r, y);
	ir_alui(b->ir, BPF_ARSH, r, 63);
	return r;
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

/* rt_unwind_trampoline(): where the process's functions with return probes return to; 0: there
 * are none. */
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

/* rt_unwind_return(where): the return address that a return probe has replaced at this address of
 * the stack; or 0. */
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
static int find_space(struct rtb *b, int unknown)
{
	struct ir *ir = b->ir;
	int frame = ir_frame(ir, 8), key = ir_reg(ir), m = ir_reg(ir), pid, r;

	pid = rtb_copy(b, ir_call(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	ir_alui(ir, BPF_RSH, pid, 32);
	ir_frame_st(ir, 8, frame, 0, pid);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, b->rt->unwind->spaces);
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
		ir_ld(ir, 8, key, at,
		      offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, start));
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

/* The word at an index, of which the verifier shall know that it is in the memory. */
static int load_word(struct step *s, int index)
{
	struct rtb *b = &s->b;
	int at = rtb_copy(b, index), rows = ir_reg(b->ir), r = ir_reg(b->ir);

	ir_alui(b->ir, BPF_AND, at, b->rt->unwind->nwords - 1);
	ir_alui(b->ir, BPF_LSH, at, 2);
	ir_map_mem(b->ir, rows, b->rt->unwind->rows, 0);
	ir_alu(b->ir, BPF_ADD, rows, at);
	ir_ld(b->ir, 4, r, rows, 0);
	return r;
}

/* The last row of a block that begins at or below the low half of an address, or else the one
 * before the block; end: the first of the next block. */
static int find_row(struct step *s, int first, int end, int low)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int pos = rtb_copy(b, first), n = rtb_copy(b, end), at, yes, no, start,
	    enter[UNWIND_BLOCK_BITS];

	ir_alu(ir, BPF_SUB, n, first);
	ir_alui(ir, BPF_SUB, pos, 1);
	/* blocks have few rows: steps that are longer go */
	for (int k = 0; k < UNWIND_BLOCK_BITS; k += SKIP_BITS) {
		enter[k] = ir_label(ir);
		ir_jcci(ir, BPF_JLT, n, 1 << k, enter[k]);
	}
	for (int k = UNWIND_BLOCK_BITS - 1; k >= 0; k--) {
		int bit = 1 << k;

		at = rtb_copy(b, pos);
		ir_alui(ir, BPF_ADD, at, bit);
		start = load_word(s, at);
		ir_alui(ir, BPF_AND, start, (1 << UNWIND_BLOCK_BITS) - 1);
		yes = below(b, at, end);
		no = below(b, low, start);
		ir_alui(ir, BPF_XOR, no, -1);
		ir_alu(ir, BPF_AND, yes, no);
		ir_alui(ir, BPF_AND, yes, bit);
		ir_alu(ir, BPF_ADD, pos, yes);
		if (k % SKIP_BITS == 0)
			ir_place(ir, enter[k]);
	}
	return load_word(s, pos);
}

/* The rule of a table for an address less its bias; first and n as in struct unwind_part. */
static int find_rule(struct step *s, int first, int n, int addr)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int at = rtb_copy(b, addr), low = rtb_copy(b, addr), row, begin, end;

	ir_alui(ir, BPF_RSH, at, UNWIND_BLOCK_BITS);
	ir_jcc(ir, BPF_JGE, at, n, s->guess);
	ir_alui(ir, BPF_AND, low, (1 << UNWIND_BLOCK_BITS) - 1);
	ir_alu(ir, BPF_ADD, at, first);
	begin = load_word(s, at);
	ir_alui(ir, BPF_ADD, at, 1);
	end = load_word(s, at);
	row = find_row(s, begin, end, low);
	ir_alui(ir, BPF_RSH, row, UNWIND_BLOCK_BITS);
	ir_alu(ir, BPF_ADD, row, first);
	ir_alu(ir, BPF_ADD, row, n);
	ir_alui(ir, BPF_ADD, row, 1);
	return load_word(s, row);
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

/* The code has no rule: the caller's frame pointer and the return address are where the frame
 * pointer points to. */
static void by_frame_pointer(struct step *s)
{
	struct ir *ir = s->b.ir;
	int base = rtb_copy(&s->b, s->fp),
	    guessed = field(s, offsetof(struct unwind_state, guessed)), words[2];

	ir_alu(ir, BPF_OR, guessed, field(s, offsetof(struct unwind_state, exact)));
	ir_st(ir, 8, s->state, offsetof(struct unwind_state, guessed), guessed);
	ir_alui(ir, BPF_ADD, base, 16);
	check_base(s, base);
	words_at(&s->b, BPF_FUNC_probe_read_user, base, -16, 2, words, s->end);
	set_registers(s, words[1], base, words[0], 0);
}

static void by_signal(struct step *s)
{
	int pc = user_word(s, s->sp, SIGNAL_PC), fp = user_word(s, s->sp, SIGNAL_FP),
	    sp = user_word(s, s->sp, SIGNAL_SP);

	set_registers(s, pc, sp, fp, 1);
}

/* What was in the word below the base before a return probe, if one is there now. */
static int return_address(struct step *s, int base, int word)
{
	struct rtb *b = &s->b;
	int pc = rtb_copy(b, word), where = rtb_copy(b, base), own = ir_label(b->ir);

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
	int where = rtb_copy(&s->b, rule), fp = ir_reg(ir), pc = ir_reg(ir), apart = ir_label(ir),
	    go = ir_label(ir), at, words[2];

	check_base(s, base);
	ir_alui(ir, BPF_RSH, where, CFI_FP_SHIFT);
	ir_alui(ir, BPF_AND, where, CFI_FP_MASK);
	ir_jcci(ir, BPF_JNE, where, BESIDE_RETURN, apart);
	words_at(&s->b, BPF_FUNC_probe_read_user, base, -8 * BESIDE_RETURN, 2, words, s->end);
	ir_mov(ir, fp, words[0]);
	ir_mov(ir, pc, words[1]);
	ir_jmp(ir, go);
	ir_place(ir, apart);
	ir_mov(ir, pc, user_word(s, base, -8));
	ir_mov(ir, fp, s->fp);
	ir_jcci(ir, BPF_JEQ, where, 0, go);
	ir_alui(ir, BPF_LSH, where, 3);
	at = rtb_copy(&s->b, base);
	ir_alu(ir, BPF_SUB, at, where);
	ir_mov(ir, fp, user_word(s, at, 0));
	ir_place(ir, go);
	set_registers(s, return_address(s, base, pc), base, fp, 0);
}

/* A PLT's entry has pushed a word when it is n bytes or more into its 16. */
static int plt_base(struct step *s, int n)
{
	struct rtb *b = &s->b;
	int at = field(s, offsetof(struct unwind_state, pc)), base = rtb_copy(b, s->sp), more;

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
	int special = ir_label(ir), plt = ir_label(ir), go = ir_label(ir), plain = ir_label(ir),
	    end = ir_label(ir), kept = ir_label(ir);

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

/* Loads the registers; the result is the address of the code. A return address may be the first
 * of another function. */
static int load_state(struct step *s, int state)
{
	struct rtb *b = &s->b;
	int addr;

	rtb_slot(b, ir_arg(b->ir, 0));
	s->state = rtb_at(b, b->slot, state, b->rt->slot_size - sizeof(struct unwind_state));
	addr = field(s, offsetof(struct unwind_state, pc));
	ir_alui(b->ir, BPF_SUB, addr, 1);
	ir_alu(b->ir, BPF_ADD, addr, field(s, offsetof(struct unwind_state, exact)));
	return addr;
}

/* Pointer to the struct unwind_entry for an address, less the bias, by an id. */
static int find_entry(struct rtb *b, int id, int addr)
{
	int at = rtb_copy(b, id), r = ir_reg(b->ir);

	ir_alui(b->ir, BPF_LSH, at, 48);
	ir_alu(b->ir, BPF_ADD, at, addr);
	ir_alu(b->ir, BPF_MUL, at, rtb_imm(b, (int64_t)UNWIND_HASH));
	ir_alui(b->ir, BPF_RSH, at, 64 - UNWIND_CACHE_BITS);
	ir_alui(b->ir, BPF_LSH, at, UNWIND_ENTRY_BITS);
	ir_map_mem(b->ir, r, b->rt->unwind->cache, 0);
	ir_alu(b->ir, BPF_ADD, r, at);
	return r;
}

/* What struct unwind_entry's check is. */
static int check_word(struct rtb *b, int word, int addr)
{
	int r = rtb_copy(b, word);

	ir_alu(b->ir, BPF_MUL, r, rtb_imm(b, (int64_t)UNWIND_CHECK));
	ir_alu(b->ir, BPF_ADD, r, addr);
	return r;
}

/* Offset of a struct unwind_here, in the slot. */
static int here_at(struct step *s, size_t member)
{
	int at = rtb_copy(&s->b, ir_arg(s->b.ir, 1));

	ir_alui(s->b.ir, BPF_ADD, at, member);
	return at;
}

/* Goes on in a new register when the cache has the rule for an address, else to miss. */
static int cached_rule(struct step *s, int addr, int miss)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int id = field(s, offsetof(struct unwind_state, here.id)), word = ir_reg(ir),
	    check = ir_reg(ir), rule = ir_reg(ir), rel = rtb_copy(b, addr), at;

	ir_alu(ir, BPF_SUB, rel, field(s, offsetof(struct unwind_state, here.part.bias)));
	at = find_entry(b, id, rel);
	ir_ld(ir, 8, word, at, 0);
	ir_ld(ir, 8, check, at, offsetof(struct unwind_entry, check));
	ir_jcc(ir, BPF_JNE, check, check_word(b, word, rel), miss);
	ir_mov(ir, rule, word);
	ir_alui(ir, BPF_RSH, word, 32);
	ir_jcc(ir, BPF_JNE, word, id, miss);
	ir_zext(ir, rule, 32);
	return rule;
}

/* Goes to out when the address is in another mapping than the code before. */
static void leave_mapping(struct step *s, int addr, int out)
{
	struct ir *ir = s->b.ir;

	ir_jcc(ir, BPF_JLT, addr, field(s, offsetof(struct unwind_state, here.part.start)), out);
	ir_jcc(ir, BPF_JGE, addr, field(s, offsetof(struct unwind_state, here.part.end)), out);
}

/* The rule for an address: from the cache, or by the search. */
static int known_rule(struct step *s, int addr)
{
	struct ir *ir = s->b.ir;
	int rule = ir_reg(ir), search = ir_label(ir), done = ir_label(ir);

	leave_mapping(s, addr, search);
	ir_mov(ir, rule, cached_rule(s, addr, search));
	ir_jmp(ir, done);
	ir_place(ir, search);
	ir_mov(ir, rule,
	       ir_call_func(ir, "rt_unwind_rule", 2, (int[]){ir_arg(ir, 0), ir_arg(ir, 1)}));
	ir_zext(ir, rule, 32);
	ir_place(ir, done);
	return rule;
}

/* In a process without a space: finds the mapping that the code is in. Fails when it has no
 * table. */
static void enter_mapping(struct step *s, int addr)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int in = ir_label(ir), out = ir_label(ir), search = ir_label(ir), r;

	leave_mapping(s, addr, out);
	ir_jmp(ir, search);
	ir_place(ir, out);
	r = ir_call_func(
	    ir, "rt_vma_table", 3,
	    (int[]){ir_arg(ir, 0), here_at(s, offsetof(struct unwind_state, here)), addr});
	ir_jcci(ir, BPF_JEQ, r, VMA_TABLE, in);
	ir_jcci(ir, BPF_JNE, r, VMA_FILE, b->fail);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, stray), UNWIND_FILE_NS);
	ir_jmp(ir, b->fail);
	ir_place(ir, in);
	ir_ret(ir, cached_rule(s, addr, search));
	ir_place(ir, search);
}

static void keep_rule(struct step *s, int addr, int rule)
{
	struct ir *ir = s->b.ir;
	int id = field(s, offsetof(struct unwind_state, here.id)), word = rtb_copy(&s->b, id),
	    rel = rtb_copy(&s->b, addr), at;

	ir_alu(ir, BPF_SUB, rel, field(s, offsetof(struct unwind_state, here.part.bias)));
	at = find_entry(&s->b, id, rel);
	ir_alui(ir, BPF_LSH, word, 32);
	ir_alu(ir, BPF_OR, word, rule);
	ir_st(ir, 8, at, 0, word);
	ir_st(ir, 8, at, offsetof(struct unwind_entry, check), check_word(&s->b, word, rel));
}

/* Registers that the search begins with. */
struct where {
	int first, n, bias;
};

static void load_part(struct step *s, const struct where *w, int part, int off)
{
	struct ir *ir = s->b.ir;

	ir_ld(ir, 4, w->first, part, off + offsetof(struct unwind_part, first));
	ir_ld(ir, 4, w->n, part, off + offsetof(struct unwind_part, n));
	ir_ld(ir, 8, w->bias, part, off + offsetof(struct unwind_part, bias));
}

/* In a process with a space; goes to keep when the code has no rule, and that is for sure. */
static void search_space(struct step *s, const struct where *w, int addr, int guess)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int part = find_part(s, find_space(b, b->fail), addr), end = ir_reg(ir), r,
	    stray = ir_label(ir), done = ir_label(ir), file = ir_label(ir);

	ir_ld(ir, 8, end, part,
	      offsetof(struct unwind_space, parts) + offsetof(struct unwind_part, end));
	ir_jcc(ir, BPF_JGE, addr, end, stray);
	load_part(s, w, part, offsetof(struct unwind_space, parts));
	ir_jmp(ir, done);
	ir_place(ir, stray);
	r = rtb_copy(b,
		     ir_call_func(ir, "rt_vma_table", 3,
				  (int[]){ir_arg(ir, 0),
					  here_at(s, offsetof(struct unwind_state, found)), addr}));
	load_part(s, w, s->state, offsetof(struct unwind_state, found.part));
	ir_jcci(ir, BPF_JEQ, r, VMA_TABLE, done);
	ir_jcci(ir, BPF_JEQ, r, VMA_FILE, file);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, stray), UNWIND_STRAY_NS);
	ir_jcci(ir, BPF_JEQ, r, VMA_OTHER, guess);
	ir_jmp(ir, b->fail);
	ir_place(ir, file);
	ir_sti(ir, 8, s->state, offsetof(struct unwind_state, stray), UNWIND_FILE_NS);
	ir_jmp(ir, b->fail);
	ir_place(ir, done);
}

/* rt_unwind_rule(slot, state): the rule for the code where the stack is; of code that has none,
 * and of stray code, CFI_UNKNOWN. */
static struct code *build_rule(struct rt *rt, const char *name)
{
	int addr, keep, rule, rel, ready, files;
	struct step s = {0};
	struct rtb *b = &s.b;
	struct where w;
	struct ir *ir;

	if (!rt->unwind)
		return NULL;
	rtb_start(b, rt, name, 2);
	ir = b->ir, s.guess = ir_label(ir), keep = ir_label(ir), ready = ir_label(ir),
	files = ir_label(ir), rule = ir_reg(ir);
	w = (struct where){ir_reg(ir), ir_reg(ir), ir_reg(ir)};
	addr = load_state(&s, ir_arg(ir, 1));
	ir_jcci(ir, BPF_JEQ, field(&s, offsetof(struct unwind_state, has_space)), 0, files);
	search_space(&s, &w, addr, s.guess);
	ir_jmp(ir, ready);
	ir_place(ir, files);
	enter_mapping(&s, addr);
	load_part(&s, &w, s.state, offsetof(struct unwind_state, here.part));
	ir_place(ir, ready);
	rel = rtb_copy(b, addr);
	ir_alu(ir, BPF_SUB, rel, w.bias);
	ir_mov(ir, rule, find_rule(&s, w.first, w.n, rel));
	ir_jmp(ir, keep);
	ir_place(ir, s.guess);
	ir_movi(ir, rule, CFI_UNKNOWN);
	ir_place(ir, keep);
	keep_rule(&s, addr, rule);
	ir_ret(ir, rule);
	return rtb_finish(b, CFI_UNKNOWN);
}

/* rt_unwind_step(slot, state, to): the caller's registers, and its frame to an offset. */
static struct code *build_step(struct rt *rt, const char *name)
{
	struct step s = {0};
	struct rtb *b = &s.b;
	struct ir *ir;
	int addr;

	if (!rt->unwind)
		return NULL;
	rtb_start(b, rt, name, 3);
	ir = b->ir, s.end = ir_label(ir), s.guess = ir_label(ir);
	addr = load_state(&s, ir_arg(ir, 1));
	s.to = rtb_at(b, b->slot, ir_arg(ir, 2), rt->slot_size - 8);
	s.sp = field(&s, offsetof(struct unwind_state, sp));
	s.fp = field(&s, offsetof(struct unwind_state, fp));
	apply(&s, known_rule(&s, addr));
	ir_place(ir, s.guess);
	by_frame_pointer(&s);
	put_frame(&s);
	ir_place(ir, s.end);
	ir_reti(ir, STEP_END);
	return rtb_finish(b, STEP_END);
}

/* What is known of all the process's code, or goes to unknown. */
static void find_process(struct rtb *b, int p, int unknown)
{
	struct ir *ir = b->ir;
	int space, id = ir_reg(ir), here = offsetof(struct unwind_state, here);

	space = find_space(b, unknown);
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

static struct code *build_unwind(struct rt *rt, const char *name)
{
	int slot, state, to, n, count, loop, out, begin, unknown, none, r, pc, p;
	struct rtb b;
	struct ir *ir;

	if (!rt->unwind)
		return NULL;
	rtb_start(&b, rt, name, 4);
	ir = b.ir, slot = ir_arg(ir, 0), state = ir_arg(ir, 1), n = ir_arg(ir, 3);
	loop = ir_label(ir), out = ir_label(ir), unknown = ir_label(ir), begin = ir_label(ir),
	none = ir_label(ir);
	rtb_slot(&b, slot);
	to = rtb_copy(&b, ir_arg(ir, 2));
	p = rtb_at(&b, b.slot, state, rt->slot_size - sizeof(struct unwind_state));
	pc = ir_reg(ir);
	ir_ld(ir, 8, pc, p, offsetof(struct unwind_state, pc));
	find_process(&b, p, unknown);
	ir_jmp(ir, begin);
	ir_place(ir, unknown);
	find_file(&b, state, p, pc, none);
	ir_place(ir, begin);
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
	ir_jcci(ir, BPF_JEQ, r, STEP_END, out);
	ir_alui(ir, BPF_ADD, count, 1);
	rtb_put(&b, 0, count);
	ir_jcci(ir, BPF_JLT, count, UNWIND_FRAMES, loop);
	ir_place(ir, out);
	rtb_ret_cell(&b, 0);
	ir_place(ir, none);
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

static struct code *build_rule(struct rt *rt, const char *name)
{
	return build_step(rt, name);
}

#endif

const struct rt_def rt_unwind_defs[] = {
    {"rt_unwind", build_unwind},
    {"rt_unwind_step", build_step},
    {"rt_unwind_rule", build_rule},
    {"rt_unwind_return", build_return},
    {"rt_unwind_trampoline", build_trampoline},
    {NULL, NULL},
};
