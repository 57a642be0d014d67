/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule of an address by the kernel's unwinding tables (rt_orc.c). */
#include "bpf/rt_orc_int.h"

/* Registers in the kernel's tables. The numbers of the last two differ: those since 7.0 (at the
 * latest 7.2) and those before. */
enum { REG_NONE = 0, REG_BP = 4 };
enum { OLD_SP = 5, OLD_PREV_SP = 1, NEW_SP = 3, NEW_PREV_SP = 8 };

/* What is known of them: a word of the map's memory. */
enum { NUMBERS_UNKNOWN, NUMBERS_OLD, NUMBERS_NEW, NUMBERS_OTHER };

/* Reads bytes at a number into 8 zero bytes: a new register with them. */
int orc_read(struct rtb *b, int addr, int n)
{
	struct ir *ir = b->ir;
	int frame = ir_frame(ir, 8), to = ir_reg(ir), r = ir_reg(ir);

	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, to, frame, 0);
	ir_callv(ir, BPF_FUNC_probe_read_kernel, to, rtb_imm(b, n), addr);
	ir_frame_ld(ir, 8, r, frame, 0);
	ir_frame_free(ir, frame);
	return r;
}

/* A new register with the index of the last row that begins at or below an address. Each round of
 * the loop decides a bit of it, without a branch. */
static int find_row(struct rtb *b, int addr)
{
	const struct rt_orc *o = b->rt->orc;
	struct ir *ir = b->ir;
	int pos = rtb_imm(b, 0), loop = ir_label(ir), bit, at, row, word, beyond, bits = 0;

	while (bits < 31 && 1u << bits < o->n)
		bits++;
	bit = rtb_imm(b, 1 << bits >> 1);
	ir_place(ir, loop);
	at = rtb_copy(b, pos), beyond = rtb_imm(b, o->n - 1);
	ir_alu(ir, BPF_ADD, at, bit);
	ir_alu(ir, BPF_SUB, beyond, at); /* negative: there is no such row */
	row = rtb_copy(b, at);
	ir_alui(ir, BPF_LSH, row, 2);
	ir_alu(ir, BPF_ADD, row, rtb_imm(b, o->ips));
	word = rtb_copy(b, orc_read(b, row, 4));
	ir_sext(ir, word, 32);
	ir_alu(ir, BPF_ADD, word, row);
	ir_neg(ir, word);
	ir_alu(ir, BPF_ADD, word, addr); /* negative: it begins above */
	ir_alu(ir, BPF_OR, word, beyond);
	ir_alui(ir, BPF_ARSH, word, 63);
	ir_alui(ir, BPF_XOR, word, -1);
	ir_alu(ir, BPF_AND, word, bit);
	ir_alu(ir, BPF_ADD, pos, word);
	ir_alui(ir, BPF_RSH, bit, 1);
	ir_jcci(ir, BPF_JNE, bit, 0, loop);
	return pos;
}

/* A new register with a signed offset of bytes as words; goes to bad when it is not of whole
 * words, or not from least on. */
static int entry_words(struct rtb *b, int entry, int shift, bool below, int least, int bad)
{
	struct ir *ir = b->ir;
	int r = rtb_copy(b, entry);

	ir_alui(ir, BPF_LSH, r, 48 - shift);
	ir_alui(ir, BPF_ARSH, r, 48);
	if (below)
		ir_neg(ir, r);
	ir_jcci(ir, BPF_JSET, r, 7, bad);
	ir_alui(ir, BPF_ARSH, r, 3);
	ir_jcci(ir, BPF_JSLT, r, least, bad);
	return r;
}

static void rule_add(struct rtb *b, int rule, int what, int shift)
{
	ir_alui(b->ir, BPF_LSH, what, shift);
	ir_alu(b->ir, BPF_OR, rule, what);
}

/* A new register with the entry of an address. */
static int find_entry(struct rtb *b, int addr)
{
	int row = rtb_copy(b, find_row(b, addr));

	ir_alui(b->ir, BPF_MUL, row, 6);
	ir_alu(b->ir, BPF_ADD, row, rtb_imm(b, b->rt->orc->entries));
	return orc_read(b, row, 6);
}

/*
 * rt_orc_numbers(): which numbers registers have. The kernel's types do not say it, but where a
 * function begins the base is the stack pointer plus 8, and rbp is what it was.
 */
static struct code *build_numbers(struct rt *rt, const char *name)
{
	int entry, at, r, done;
	struct rtb b;
	struct ir *ir;

	if (!rt->orc)
		return NULL;
	rtb_start(&b, rt, name, 0);
	ir = b.ir, done = ir_label(ir), at = ir_reg(ir);
	entry = rtb_copy(&b, find_entry(&b, rtb_imm(&b, rt->orc->function)));
	ir_alui(ir, BPF_LSH, entry, 24); /* without the type and what is beyond */
	ir_alui(ir, BPF_RSH, entry, 24);
	r = rtb_imm(&b, NUMBERS_OLD);
	ir_jcc(ir, BPF_JEQ, entry, rtb_imm(&b, 8 | (int64_t)OLD_SP << 32), done);
	ir_movi(ir, r, NUMBERS_NEW);
	ir_jcc(ir, BPF_JEQ, entry, rtb_imm(&b, 8 | (int64_t)NEW_SP << 32), done);
	ir_movi(ir, r, NUMBERS_OTHER);
	ir_place(ir, done);
	ir_map_mem(ir, at, rt->orc->mem, ORC_MEM_NUMBERS);
	ir_st(ir, 8, at, 0, r);
	ir_ret(ir, r);
	return rtb_finish(&b, NUMBERS_OTHER);
}

/* Registers with the numbers of two registers; goes to bad where they are not known. */
static void load_numbers(struct rtb *b, int sp, int prev_sp, int bad)
{
	struct ir *ir = b->ir;
	int which = ir_reg(ir), at = ir_reg(ir), known = ir_label(ir), done = ir_label(ir);

	ir_map_mem(ir, at, b->rt->orc->mem, ORC_MEM_NUMBERS);
	ir_ld(ir, 8, which, at, 0);
	ir_jcci(ir, BPF_JNE, which, NUMBERS_UNKNOWN, known);
	ir_mov(ir, which, ir_call_func(ir, "rt_orc_numbers", 0, NULL));
	ir_place(ir, known);
	ir_movi(ir, sp, OLD_SP);
	ir_movi(ir, prev_sp, OLD_PREV_SP);
	ir_jcci(ir, BPF_JEQ, which, NUMBERS_OLD, done);
	ir_jcci(ir, BPF_JNE, which, NUMBERS_NEW, bad);
	ir_movi(ir, sp, NEW_SP);
	ir_movi(ir, prev_sp, NEW_PREV_SP);
	ir_place(ir, done);
}

/* The rule of an entry of the tables. */
static int entry_rule(struct rtb *b, int entry)
{
	const struct rt_orc *o = b->rt->orc;
	struct ir *ir = b->ir;
	int rule = rtb_imm(b, ORC_OTHER << ORC_KIND_SHIFT), bad = ir_label(ir), call = ir_label(ir),
	    end = ir_label(ir), plain = ir_label(ir), by_sp = ir_label(ir), flags = ir_reg(ir),
	    sp_reg, bp_reg, type, kind = ir_reg(ir), size, where = ir_reg(ir), sp = ir_reg(ir),
	    prev_sp = ir_reg(ir);

	load_numbers(b, sp, prev_sp, bad);
	ir_mov(ir, flags, entry);
	ir_alui(ir, BPF_RSH, flags, 32);
	sp_reg = orc_bits(b, flags, 0, 15);
	bp_reg = orc_bits(b, flags, 4, 15);
	type = orc_bits(b, flags, o->type_shift, (1 << o->type_bits) - 1);
	if (o->end) {
		int some = ir_label(ir);

		ir_jcci(ir, BPF_JNE, sp_reg, REG_NONE, some);
		ir_jcci(ir, BPF_JSET, flags, 1 << o->end, end);
		ir_jmp(ir, bad);
		ir_place(ir, some);
	} else {
		ir_jcci(ir, BPF_JEQ, type, o->ends, end);
	}
	ir_jcci(ir, BPF_JEQ, type, o->call, call);
	ir_jcci(ir, BPF_JNE, type, o->regs, bad);
	ir_jcc(ir, BPF_JNE, sp_reg, sp, bad);
	ir_jcci(ir, BPF_JNE, bp_reg, REG_NONE, bad);
	size = entry_words(b, entry, 0, false, 0, bad);
	ir_movi(ir, where, 1);
	if (o->signal) {
		ir_mov(ir, where, flags);
		ir_alui(ir, BPF_RSH, where, o->signal);
		ir_alui(ir, BPF_AND, where, 1);
	}
	ir_movi(ir, rule, ORC_REGS << ORC_KIND_SHIFT);
	rule_add(b, rule, size, ORC_SIZE_SHIFT);
	rule_add(b, rule, where, ORC_FP_SHIFT);
	ir_jmp(ir, bad);
	ir_place(ir, call);
	if (o->signal)
		ir_jcci(ir, BPF_JSET, flags, 1 << o->signal, bad);
	ir_movi(ir, kind, ORC_SP << ORC_KIND_SHIFT);
	ir_jcc(ir, BPF_JEQ, sp_reg, sp, by_sp);
	ir_jcci(ir, BPF_JNE, sp_reg, REG_BP, bad);
	ir_movi(ir, kind, ORC_BP << ORC_KIND_SHIFT);
	ir_place(ir, by_sp);
	size = entry_words(b, entry, 0, false, 1, bad);
	ir_movi(ir, where, 0);
	ir_jcci(ir, BPF_JEQ, bp_reg, REG_NONE, plain);
	ir_jcc(ir, BPF_JNE, bp_reg, prev_sp, bad);
	ir_mov(ir, where, entry_words(b, entry, 16, true, 1, bad));
	ir_place(ir, plain);
	ir_mov(ir, rule, kind);
	rule_add(b, rule, size, ORC_SIZE_SHIFT);
	rule_add(b, rule, where, ORC_FP_SHIFT);
	ir_jmp(ir, bad);
	ir_place(ir, end);
	ir_movi(ir, rule, ORC_END << ORC_KIND_SHIFT);
	ir_place(ir, bad);
	return rule;
}

/* More than __switch_to() has in bytes. */
enum { SWITCHES_MAX = 2048 };

/* rt_orc_rule(pc, exact): the rule by the kernel's tables, which goes into the cache. */
static struct code *build_rule(struct rt *rt, const char *name)
{
	const struct rt_orc *o = rt->orc;
	int pc, exact, addr, rule, keep, word, known;
	struct rtb b;
	struct ir *ir;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 2);
	ir = b.ir, keep = ir_label(ir), known = ir_label(ir);
	pc = ir_arg(ir, 0), exact = rtb_copy(&b, ir_arg(ir, 1));
	ir_alui(ir, BPF_AND, exact, 1);
	orc_check_text(&b, pc, b.fail);
	rule = rtb_imm(&b, ORC_OTHER << ORC_KIND_SHIFT);
	for (unsigned i = 0; i < ARRAY_SIZE(o->returns); i++)
		if (o->returns[i])
			ir_jcc(ir, BPF_JEQ, pc, rtb_imm(&b, o->returns[i]), keep);
	if (o->switches) {
		int off = rtb_copy(&b, pc);

		ir_alu(ir, BPF_SUB, off, rtb_imm(&b, o->switches));
		ir_jcci(ir, BPF_JLT, off, SWITCHES_MAX, keep);
	}
	addr = rtb_copy(&b, pc);
	ir_alui(ir, BPF_SUB, addr, 1);
	ir_alu(ir, BPF_ADD, addr, exact);
	ir_mov(ir, rule, entry_rule(&b, find_entry(&b, addr)));
	if (o->has_tracers) {
		ir_jcci(ir, BPF_JNE, exact, 0, known);
		ir_alu(ir, BPF_OR, rule, ir_call_func(ir, "dt_machinery", 1, &pc));
		ir_place(ir, known);
	}
	ir_place(ir, keep);
	word = rtb_copy(&b, rule);
	ir_alui(ir, BPF_LSH, word, ORC_RULE_SHIFT);
	addr = orc_key(&b, pc, exact);
	ir_alu(ir, BPF_OR, word, addr);
	ir_st(ir, 8, orc_cache_word(&b, addr), 0, word);
	ir_ret(ir, rule);
	return rtb_finish(&b, ORC_OTHER << ORC_KIND_SHIFT);
}

const struct rt_def rt_orc_rule_defs[] = {
    {"rt_orc_rule", build_rule},
    {"rt_orc_numbers", build_numbers},
    {NULL, NULL},
};
