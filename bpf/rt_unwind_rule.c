/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rule by which the caller of a frame is found, for the address of the frame's code. Stacks
 * pass through the same code again and again, so rules are kept in a cache by address. Where it
 * has none, a routine finds it: which file is the code in (a binary search among the process's
 * mappings), and which of the file's rows is for it (another one). Searches have no branches but
 * at their start, so that there are few paths through them.
 *
 * A process that dtrace has not looked at yet, as a compile job that lives for milliseconds, has
 * no list of mappings here (no space): then the kernel's own is read, and the table is found by
 * the file (rt_vma.c). Frames that follow each other are mostly in the same mapping, which is
 * kept. The same is done for code that a process has mapped since dtrace looked.
 */
#include <stddef.h>

#include "bpf/rt_unwind_int.h"
#include "bpf/rt_vma.h"

enum { SKIP_BITS = 2 }; /* of the size of a table: where a search begins */

/* Pointer to the process's struct unwind_space. */
int rule_find_space(struct rtb *b, int unknown)
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
		yes = step_below(b, addr, key);
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
		yes = step_below(b, at, end);
		no = step_below(b, low, start);
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
	ir_jcc(ir, BPF_JGE, at, n, s->unknown);
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

/* Goes to out when the address is in another mapping than the code before. */
static void leave_mapping(struct step *s, int addr, int out)
{
	struct ir *ir = s->b.ir;

	ir_jcc(ir, BPF_JLT, addr, step_field(s, offsetof(struct unwind_state, here.part.start)),
	       out);
	ir_jcc(ir, BPF_JGE, addr, step_field(s, offsetof(struct unwind_state, here.part.end)), out);
}

int rule_cached(struct step *s, int addr, int miss)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int id = step_field(s, offsetof(struct unwind_state, here.id)), word = ir_reg(ir),
	    check = ir_reg(ir), rule = ir_reg(ir), rel = rtb_copy(b, addr), at;

	leave_mapping(s, addr, miss);
	ir_alu(ir, BPF_SUB, rel, step_field(s, offsetof(struct unwind_state, here.part.bias)));
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

int rule_known(struct step *s, int addr)
{
	struct ir *ir = s->b.ir;
	int rule = ir_reg(ir), search = ir_label(ir), done = ir_label(ir);

	ir_mov(ir, rule, rule_cached(s, addr, search));
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
	ir_ret(ir, rule_cached(s, addr, search));
	ir_place(ir, search);
}

static void keep_rule(struct step *s, int addr, int rule)
{
	struct ir *ir = s->b.ir;
	int id = step_field(s, offsetof(struct unwind_state, here.id)), word = rtb_copy(&s->b, id),
	    rel = rtb_copy(&s->b, addr), at;

	ir_alu(ir, BPF_SUB, rel, step_field(s, offsetof(struct unwind_state, here.part.bias)));
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
	int part = find_part(s, rule_find_space(b, b->fail), addr), end = ir_reg(ir), r,
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
	ir = b->ir, s.unknown = ir_label(ir), keep = ir_label(ir), ready = ir_label(ir),
	files = ir_label(ir), rule = ir_reg(ir);
	w = (struct where){ir_reg(ir), ir_reg(ir), ir_reg(ir)};
	addr = step_load(&s);
	ir_jcci(ir, BPF_JEQ, step_field(&s, offsetof(struct unwind_state, has_space)), 0, files);
	search_space(&s, &w, addr, s.unknown);
	ir_jmp(ir, ready);
	ir_place(ir, files);
	enter_mapping(&s, addr);
	load_part(&s, &w, s.state, offsetof(struct unwind_state, here.part));
	ir_place(ir, ready);
	rel = rtb_copy(b, addr);
	ir_alu(ir, BPF_SUB, rel, w.bias);
	ir_mov(ir, rule, find_rule(&s, w.first, w.n, rel));
	ir_jmp(ir, keep);
	ir_place(ir, s.unknown);
	ir_movi(ir, rule, CFI_UNKNOWN);
	ir_place(ir, keep);
	keep_rule(&s, addr, rule);
	ir_ret(ir, rule);
	return rtb_finish(b, CFI_UNKNOWN);
}

const struct rt_def rt_unwind_rule_defs[] = {
    {"rt_unwind_rule", build_rule},
    {NULL, NULL},
};
