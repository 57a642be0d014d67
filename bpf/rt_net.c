/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text. The text grows in the private part; where it has got to is kept in a cell, so
 * that what was written before makes no difference to the verifier. Characters of a group are
 * always all made, side by side in a register, and shifted so that leading zeros fall out.
 */
#include "bpf/rt_build.h"

/* Where the text ends; of rt_inet6 its arguments, and the groups that "::" stands for. */
enum { CELL_END, CELL_HI = 2, CELL_LO, CELL_ZERO, CELL_REST };
enum { TEXT_MOST = 48 };

/* Writes 4 characters at the end, of which count (a register) stay. Uses up count. */
static void append(struct rtb *b, int chars, int count)
{
	struct ir *ir = b->ir;
	int end = ir_reg(ir), p;

	rtb_get(b, CELL_END, end, TEXT_MOST);
	p = rtb_at(b, b->priv, end, TEXT_MOST);
	ir_st(ir, 4, p, PRIV_TABLE, chars);
	ir_alu(ir, BPF_ADD, end, count);
	rtb_put(b, CELL_END, end);
}

static void append_char(struct rtb *b, char c)
{
	append(b, rtb_imm(b, c), rtb_imm(b, 1));
}

/* A new register: 1 when n is above the limit. */
static int above(struct rtb *b, int n, int limit)
{
	int r = rtb_imm(b, limit);

	ir_alu(b->ir, BPF_SUB, r, n);
	ir_alui(b->ir, BPF_RSH, r, 63);
	return r;
}

/* Shifts leading zeros out: of most characters, those that n (its value) needs, which are at
 * least 1. */
static void append_digits(struct rtb *b, int chars, int n, int most, int base)
{
	struct ir *ir = b->ir;
	int count = rtb_imm(b, 1), drop, limit = base - 1;

	for (int i = 1; i < most; i++, limit = limit * base + base - 1)
		ir_alu(ir, BPF_ADD, count, above(b, n, limit));
	drop = rtb_imm(b, most);
	ir_alu(ir, BPF_SUB, drop, count);
	ir_alui(ir, BPF_LSH, drop, 3);
	ir_alu(ir, BPF_RSH, chars, drop);
	append(b, chars, count);
}

/* A byte in decimal. */
static void append_byte(struct rtb *b, int n)
{
	struct ir *ir = b->ir;
	int chars = rtb_copy(b, n), tens = rtb_copy(b, n), ones = rtb_copy(b, n);

	ir_alui(ir, BPF_DIV, chars, 100);
	ir_alui(ir, BPF_DIV, tens, 10);
	ir_alui(ir, BPF_MOD, tens, 10);
	ir_alui(ir, BPF_MOD, ones, 10);
	ir_alui(ir, BPF_LSH, tens, 8);
	ir_alui(ir, BPF_LSH, ones, 16);
	ir_alu(ir, BPF_OR, chars, tens);
	ir_alu(ir, BPF_OR, chars, ones);
	ir_alui(ir, BPF_OR, chars, 0x303030);
	append_digits(b, chars, n, 3, 10);
}

/* A byte for each of the low digits of n, as a lower-case hexadecimal digit; the highest comes
 * first. */
static int hex_chars(struct rtb *b, int n, int digits)
{
	struct ir *ir = b->ir;
	const int64_t each = digits == 2 ? 0x0101 : 0x01010101;
	int chars = rtb_imm(b, 0), letters;

	for (int i = 0; i < digits; i++) {
		int d = rtb_copy(b, n);

		ir_alui(ir, BPF_RSH, d, 4 * (digits - 1 - i));
		ir_alui(ir, BPF_AND, d, 15);
		ir_alui(ir, BPF_LSH, d, 8 * i);
		ir_alu(ir, BPF_OR, chars, d);
	}
	letters = rtb_copy(b, chars);
	ir_alui(ir, BPF_ADD, letters, each * 6);
	ir_alui(ir, BPF_RSH, letters, 4);
	ir_alui(ir, BPF_AND, letters, each);
	ir_alui(ir, BPF_MUL, letters, 'a' - '0' - 10);
	ir_alu(ir, BPF_ADD, chars, letters);
	ir_alui(ir, BPF_ADD, chars, each * '0');
	return chars;
}

/* The 32 bits as they lie in memory. */
static void append_inet4(struct rtb *b, int addr)
{
	for (int i = 0; i < 4; i++) {
		int n = rtb_copy(b, addr);

		ir_alui(b->ir, BPF_RSH, n, 8 * i);
		ir_alui(b->ir, BPF_AND, n, 0xff);
		if (i)
			append_char(b, '.');
		append_byte(b, n);
	}
}

static void start(struct rtb *b, struct rt *rt, const char *name, int nargs, int *dst)
{
	rtb_start(b, rt, name, nargs);
	rtb_slot(b, ir_arg(b->ir, 0));
	*dst = rtb_str(b, ir_arg(b->ir, 1));
	ir_sti(b->ir, 8, b->priv, PRIV_CELL + 8 * CELL_END, 0);
}

/* The text becomes the string at dst, truncated to its size. */
static struct code *finish(struct rtb *b, int dst, int most)
{
	int n = ir_reg(b->ir), fits = ir_label(b->ir), from = rtb_imm(b, 0);

	rtb_get(b, CELL_END, n, 64);
	ir_jcci(b->ir, BPF_JLT, n, b->strsize, fits);
	ir_movi(b->ir, n, b->strsize - 1);
	ir_place(b->ir, fits);
	rtb_copy_out(b, dst, b->priv, from, n, most);
	rtb_ret_cell(b, 0);
	return rtb_finish(b, -1);
}

static struct code *build_inet4(struct rt *rt, const char *name)
{
	struct rtb b;
	int dst;

	start(&b, rt, name, 3, &dst);
	append_inet4(&b, ir_arg(b.ir, 2));
	return finish(&b, dst, 15);
}

/* A new register with group i of the address. */
static int group(struct rtb *b, int i)
{
	int n = ir_reg(b->ir);

	ir_ld(b->ir, 8, n, b->priv, PRIV_CELL + 8 * (i < 4 ? CELL_HI : CELL_LO));
	ir_alui(b->ir, BPF_RSH, n, 16 * (i % 4));
	ir_bswap(b->ir, n, 16);
	return n;
}

/*
 * The first of the longest runs of at least two zero groups: where it begins, 8 when there is none,
 * and where it ends. Bit i of zeros is group i; the bits of at are where a run of len begins.
 */
static void longest_run(struct rtb *b, int *begin, int *end)
{
	struct ir *ir = b->ir;
	int zeros = rtb_imm(b, 0), at, best = rtb_imm(b, 0x100), len = rtb_imm(b, 0),
	    done = ir_label(ir), t;

	for (int i = 0; i < 8; i++) {
		t = above(b, group(b, i), 0);
		ir_alui(ir, BPF_XOR, t, 1);
		ir_alui(ir, BPF_LSH, t, i);
		ir_alu(ir, BPF_OR, zeros, t);
	}
	at = rtb_copy(b, zeros);
	for (int n = 2; n <= 8; n++) {
		t = rtb_copy(b, zeros);
		ir_alui(ir, BPF_RSH, t, n - 1);
		ir_alu(ir, BPF_AND, at, t);
		ir_jcci(ir, BPF_JEQ, at, 0, done);
		ir_mov(ir, best, at);
		ir_movi(ir, len, n);
	}
	ir_place(ir, done);
	t = rtb_copy(b, best);
	ir_neg(ir, t);
	ir_alu(ir, BPF_AND, best, t);
	*begin = ir_reg(ir);
	rtb_high_bit(b, best, *begin, 16);
	*end = rtb_copy(b, *begin);
	ir_alu(ir, BPF_ADD, *end, len);
}

/* Registers with the run, as unknown numbers of 0 to 8. */
static void get_run(struct rtb *b, int *begin, int *end)
{
	*begin = ir_reg(b->ir), *end = ir_reg(b->ir);
	rtb_get(b, CELL_ZERO, *begin, 8);
	rtb_get(b, CELL_REST, *end, 8);
}

/* Appends group i (the second argument): a routine, so that eight of them are compiled and
 * verified once. */
static struct code *build_inet6_group(struct rt *rt, const char *name)
{
	int whole, first, low, done, i, n, begin, end;
	struct rtb b;
	struct ir *ir;

	rtb_start(&b, rt, name, 2);
	ir = b.ir;
	whole = ir_label(ir), first = ir_label(ir), low = ir_label(ir), done = ir_label(ir);
	i = rtb_copy(&b, ir_arg(ir, 1)), n = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	get_run(&b, &begin, &end);
	ir_jcc(ir, BPF_JGT, begin, i, whole);
	ir_jcc(ir, BPF_JLE, end, i, whole);
	ir_jcc(ir, BPF_JNE, begin, i, done);
	append_char(&b, ':');
	ir_jmp(ir, done);
	ir_place(ir, whole);
	ir_jcci(ir, BPF_JEQ, i, 0, first);
	append_char(&b, ':');
	ir_place(ir, first);
	ir_ld(ir, 8, n, b.priv, PRIV_CELL + 8 * CELL_LO);
	ir_jcci(ir, BPF_JGT, i, 3, low);
	ir_ld(ir, 8, n, b.priv, PRIV_CELL + 8 * CELL_HI);
	ir_place(ir, low);
	ir_alui(ir, BPF_AND, i, 3);
	ir_alui(ir, BPF_LSH, i, 4);
	ir_alu(ir, BPF_RSH, n, i);
	ir_bswap(ir, n, 16);
	append_digits(&b, hex_chars(&b, n, 4), n, 4, 16);
	ir_place(ir, done);
	ir_reti(ir, 0);
	return rtb_finish(&b, -1);
}

static void append_groups(struct rtb *b, int from, int to)
{
	for (int i = from; i < to; i++)
		ir_jcci(b->ir, BPF_JNE,
			ir_call_func(b->ir, "rt_inet6_group", 2,
				     (int[]){ir_arg(b->ir, 0), rtb_imm(b, i)}),
			0, b->fail);
}

/* Jumps to plain unless the address is like "::ffff:1.2.3.4" or "::1.2.3.4". */
static void not_mapped(struct rtb *b, int plain)
{
	struct ir *ir = b->ir;
	int mapped = ir_label(ir), begin, end;

	get_run(b, &begin, &end);
	ir_jcci(ir, BPF_JNE, begin, 0, plain);
	ir_jcci(ir, BPF_JEQ, end, 6, mapped);
	ir_jcci(ir, BPF_JNE, end, 5, plain);
	ir_jcci(ir, BPF_JNE, group(b, 5), 0xffff, plain);
	ir_place(ir, mapped);
}

static struct code *build_inet6(struct rt *rt, const char *name)
{
	int dst, begin, end, plain, done, v4;
	struct rtb b;

	start(&b, rt, name, 4, &dst);
	plain = ir_label(b.ir), done = ir_label(b.ir), v4 = ir_reg(b.ir);
	rtb_put(&b, CELL_HI, ir_arg(b.ir, 2));
	rtb_put(&b, CELL_LO, ir_arg(b.ir, 3));
	longest_run(&b, &begin, &end);
	rtb_put(&b, CELL_ZERO, begin);
	rtb_put(&b, CELL_REST, end);
	append_groups(&b, 0, 6);
	not_mapped(&b, plain);
	append_char(&b, ':');
	ir_ld(b.ir, 8, v4, b.priv, PRIV_CELL + 8 * CELL_LO);
	ir_alui(b.ir, BPF_RSH, v4, 32);
	append_inet4(&b, v4);
	ir_jmp(b.ir, done);
	ir_place(b.ir, plain);
	append_groups(&b, 6, 8);
	get_run(&b, &begin, &end);
	ir_jcci(b.ir, BPF_JEQ, begin, 8, done);
	ir_jcci(b.ir, BPF_JNE, end, 8, done);
	append_char(&b, ':');
	ir_place(b.ir, done);
	return finish(&b, dst, 45);
}

enum { HEX_MOST = 20 }; /* bytes of an address of InfiniBand */

static struct code *build_hex(struct rt *rt, const char *name)
{
	int dst, src, out, i, n, loop, done;
	struct rtb b;

	start(&b, rt, name, 4, &dst);
	loop = ir_label(b.ir), done = ir_label(b.ir);
	src = rtb_str(&b, ir_arg(b.ir, 2));
	out = rtb_copy(&b, b.priv);
	i = rtb_imm(&b, 0);
	ir_place(b.ir, loop);
	n = ir_reg(b.ir);
	ir_ld(b.ir, 1, n, src, 0);
	n = hex_chars(&b, n, 2);
	ir_alui(b.ir, BPF_OR, n, ':' << 16);
	ir_st(b.ir, 4, out, 0, n);
	ir_alui(b.ir, BPF_ADD, src, 1);
	ir_alui(b.ir, BPF_ADD, out, 3);
	ir_alui(b.ir, BPF_ADD, i, 1);
	ir_jcci(b.ir, BPF_JLT, i, HEX_MOST, loop);
	ir_place(b.ir, done);
	n = ir_arg(b.ir, 3);
	ir_jcci(b.ir, BPF_JGT, n, HEX_MOST, b.fail);
	ir_jcci(b.ir, BPF_JEQ, n, 0, b.fail);
	ir_alui(b.ir, BPF_MUL, n, 3);
	ir_alui(b.ir, BPF_SUB, n, 1);
	rtb_put(&b, CELL_END, n);
	return finish(&b, dst, 3 * HEX_MOST);
}

const struct rt_def rt_net_defs[] = {
    {"rt_inet4", build_inet4},
    {"rt_inet6", build_inet6},
    {"rt_inet6_group", build_inet6_group},
    {"rt_hex", build_hex},
    {NULL, NULL},
};
