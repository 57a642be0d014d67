/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routines that make numbers of strings, strings of numbers, and numbers of numbers. */
#include "bpf/rt_build.h"

#include <string.h>

/* Cells of rt_strtoll; the first is of rt_skip, which it calls. */
enum { CELL_SKIP, CELL_POS, CELL_NEG, CELL_BASE, CELL_MOST, CELL_LIMIT };

/* Bits of a word for the bytes below 64 that rt_skip() goes past. */
#define SKIP_BLANKS (1LL << ' ' | 0x1f << '\t')
#define SKIP_ZEROS (1LL << '0')

static struct code *build_skip(struct rt *rt, const char *name)
{
	struct rtb b;
	int loop, next, p, c, i, small, hit;
	struct code *parts = rtb_in_parts(rt, name, 3, 1 << 1, true, 0);
	struct ir *ir;

	if (parts)
		return parts;
	rtb_start(&b, rt, name, 3);
	ir = b.ir, loop = ir_label(ir), next = ir_label(ir), c = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	p = rtb_inside(&b, ir_arg(ir, 1));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	ir_ld(ir, 1, c, p, 0);
	small = rtb_copy(&b, c);
	ir_alui(ir, BPF_SUB, small, 64);
	ir_alui(ir, BPF_RSH, small, 63);
	ir_alui(ir, BPF_AND, c, 63);
	hit = rtb_copy(&b, ir_arg(ir, 2));
	ir_alu(ir, BPF_RSH, hit, c);
	ir_alu(ir, BPF_AND, hit, small);
	ir_jcci(ir, BPF_JNE, hit, 0, next);
	rtb_put(&b, CELL_SKIP, i);
	rtb_ret_cell(&b, CELL_SKIP);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, p, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	return rtb_finish(&b, 0);
}

/* Moves CELL_POS, a position in the string at off, past these bytes. */
static void skip(struct rtb *b, int slot, int off, int64_t bytes)
{
	struct ir *ir = b->ir;
	int at = ir_reg(ir), pos = ir_reg(ir);

	ir_ld(ir, 8, pos, b->priv, PRIV_CELL + 8 * CELL_POS);
	ir_mov(ir, at, off);
	ir_alu(ir, BPF_ADD, at, pos);
	ir_alu(ir, BPF_ADD, pos,
	       ir_call_func(ir, "rt_skip", 3, (int[]){slot, at, rtb_imm(b, bytes)}));
	rtb_put(b, CELL_POS, pos);
}

/* Goes past a sign; CELL_NEG becomes -1 or 0. */
static void take_sign(struct rtb *b, int s)
{
	struct ir *ir = b->ir;
	int sign = ir_label(ir), done = ir_label(ir);
	int pos = ir_reg(ir), c = ir_reg(ir), p;

	rtb_get(b, CELL_POS, pos, b->strsize - 1);
	p = rtb_copy(b, s);
	ir_alu(ir, BPF_ADD, p, pos);
	ir_ld(ir, 1, c, p, 0);
	ir_sti(ir, 8, b->priv, PRIV_CELL + 8 * CELL_NEG, 0);
	ir_jcci(ir, BPF_JEQ, c, '+', sign);
	ir_jcci(ir, BPF_JNE, c, '-', done);
	ir_sti(ir, 8, b->priv, PRIV_CELL + 8 * CELL_NEG, -1);
	ir_place(ir, sign);
	ir_alui(ir, BPF_ADD, pos, 1);
	rtb_put(b, CELL_POS, pos);
	ir_place(ir, done);
}

/* Goes past "0x" and finds what base 0 means; CELL_BASE becomes 2 to 36. */
static void take_base(struct rtb *b, int s, int base)
{
	struct ir *ir = b->ir;
	int prefix = ir_label(ir), plain = ir_label(ir), zero = ir_label(ir), done = ir_label(ir);
	int pos = ir_reg(ir), c = ir_reg(ir), p;

	rtb_get(b, CELL_POS, pos, b->strsize);
	p = rtb_copy(b, s);
	ir_alu(ir, BPF_ADD, p, pos);
	ir_ld(ir, 1, c, p, 0);
	ir_jcci(ir, BPF_JEQ, base, 0, prefix);
	ir_jcci(ir, BPF_JLT, base, 2, b->fail);
	ir_jcci(ir, BPF_JGT, base, 36, b->fail);
	ir_jcci(ir, BPF_JNE, base, 16, done);
	ir_place(ir, prefix);
	ir_jcci(ir, BPF_JNE, c, '0', plain);
	ir_ld(ir, 1, c, p, 1);
	ir_alui(ir, BPF_OR, c, 'x' - 'X');
	ir_jcci(ir, BPF_JNE, c, 'x', zero);
	ir_movi(ir, base, 16);
	ir_alui(ir, BPF_ADD, pos, 2);
	rtb_put(b, CELL_POS, pos);
	ir_jmp(ir, done);
	ir_place(ir, zero);
	ir_jcci(ir, BPF_JNE, base, 0, done);
	ir_movi(ir, base, 8);
	ir_place(ir, plain);
	ir_jcci(ir, BPF_JNE, base, 0, done);
	ir_movi(ir, base, 10);
	ir_place(ir, done);
	rtb_put(b, CELL_BASE, base);
}

/* c becomes the value of the digit or letter that it is, or 36 or more. Without a branch. */
static void take_digit(struct rtb *b, int c)
{
	struct ir *ir = b->ir;
	int digit = rtb_copy(b, c), mask;

	ir_alui(ir, BPF_SUB, digit, '0');
	ir_alui(ir, BPF_AND, digit, 0xff);
	ir_alui(ir, BPF_OR, c, 'a' - 'A');
	ir_alui(ir, BPF_SUB, c, 'a');
	ir_alui(ir, BPF_AND, c, 0xff);
	ir_alui(ir, BPF_ADD, c, 10);
	mask = rtb_copy(b, digit); /* c = digit < 10 ? digit : c */
	ir_alui(ir, BPF_SUB, mask, 10);
	ir_alui(ir, BPF_ARSH, mask, 63);
	ir_alu(ir, BPF_XOR, digit, c);
	ir_alu(ir, BPF_AND, digit, mask);
	ir_alu(ir, BPF_XOR, c, digit);
}

/* Ends the function with the number whose magnitude is in CELL_MOST. */
static void ret_number(struct rtb *b)
{
	struct ir *ir = b->ir;
	int r = ir_reg(ir), neg = ir_reg(ir);

	ir_ld(ir, 8, r, b->priv, PRIV_CELL + 8 * CELL_MOST);
	ir_ld(ir, 8, neg, b->priv, PRIV_CELL + 8 * CELL_NEG);
	ir_alu(ir, BPF_XOR, r, neg);
	ir_alu(ir, BPF_SUB, r, neg);
	ir_ret(ir, r);
}

/* Of a number of 63 bits or less, without zeros before it, and what follows. */
enum { MOST_DIGITS = 65 };

/*
 * Reads digits at p, the first of which is not 0. The greatest magnitude is in CELL_MOST: while the
 * number is at most that divided by base, another digit fits 64 bits. Constants of the loop are
 * loaded from their cells again and again, or the verifier would learn something new about them in
 * each round. Ends the function.
 */
static void take_digits(struct rtb *b, int p)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), digit = ir_label(ir), fits = ir_label(ir), next = ir_label(ir);
	int done = ir_label(ir), c = ir_reg(ir), acc = ir_reg(ir), t = ir_reg(ir);
	int i = rtb_imm(b, 0);

	ir_ld(ir, 8, acc, b->priv, PRIV_TABLE);
	ir_place(ir, loop);
	ir_ld(ir, 1, c, p, 0);
	take_digit(b, c);
	ir_ld(ir, 8, t, b->priv, PRIV_CELL + 8 * CELL_BASE);
	ir_jcc(ir, BPF_JLT, c, t, digit);
	rtb_put(b, CELL_MOST, acc);
	ir_jmp(ir, done);
	ir_place(ir, digit);
	ir_ld(ir, 8, t, b->priv, PRIV_CELL + 8 * CELL_LIMIT);
	ir_jcc(ir, BPF_JLE, acc, t, fits);
	ret_number(b);
	ir_place(ir, fits);
	ir_ld(ir, 8, t, b->priv, PRIV_CELL + 8 * CELL_BASE);
	ir_alu(ir, BPF_MUL, acc, t);
	ir_alu(ir, BPF_ADD, acc, c);
	ir_ld(ir, 8, t, b->priv, PRIV_CELL + 8 * CELL_MOST);
	ir_jcc(ir, BPF_JLE, acc, t, next);
	ret_number(b);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, p, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, MOST_DIGITS, loop);
	ir_jmp(ir, b->fail);
	ir_place(ir, done);
	ret_number(b);
}

static struct code *build_strtoll(struct rt *rt, const char *name)
{
	struct rtb b;
	int slot, off, s, p, pos, neg, base, most, limit;
	struct ir *ir;

	rtb_start(&b, rt, name, 3);
	ir = b.ir, slot = ir_arg(ir, 0), off = ir_arg(ir, 1);
	pos = ir_reg(ir), neg = ir_reg(ir), base = ir_reg(ir);
	rtb_slot(&b, slot);
	s = rtb_str(&b, off);
	ir_sti(ir, 8, b.priv, PRIV_CELL + 8 * CELL_POS, 0);
	skip(&b, slot, off, SKIP_BLANKS);
	take_sign(&b, s);
	take_base(&b, s, ir_arg(ir, 2));
	skip(&b, slot, off, SKIP_ZEROS);
	ir_ld(ir, 8, neg, b.priv, PRIV_CELL + 8 * CELL_NEG);
	ir_ld(ir, 8, base, b.priv, PRIV_CELL + 8 * CELL_BASE);
	rtb_get(&b, CELL_POS, pos, b.strsize + 2);
	p = rtb_copy(&b, s);
	ir_alu(ir, BPF_ADD, p, pos);
	most = rtb_imm(&b, INT64_MAX);
	ir_alu(ir, BPF_SUB, most, neg);
	rtb_put(&b, CELL_MOST, most);
	limit = rtb_copy(&b, most);
	ir_alu(ir, BPF_DIV, limit, base);
	rtb_put(&b, CELL_LIMIT, limit);
	ir_sti(ir, 8, b.priv, PRIV_TABLE, 0);
	take_digits(&b, p);
	return rtb_finish(&b, 0);
}

/* Leaves in cell 0 where the first digit is. n is unsigned; at least one digit comes out. */
static void put_digits(struct rtb *b, int n, int base)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), done = ir_label(ir);
	int i = rtb_imm(b, PRIV_DIGITS), p = rtb_copy(b, b->priv), d, q, t;

	ir_alui(ir, BPF_ADD, p, PRIV_DIGITS - 1);
	ir_place(ir, loop);
	q = rtb_copy(b, n);
	ir_alu(ir, BPF_DIV, q, base);
	t = rtb_copy(b, q);
	ir_alu(ir, BPF_MUL, t, base);
	d = rtb_copy(b, n);
	ir_alu(ir, BPF_SUB, d, t);
	t = rtb_imm(b, 9); /* 9 - d is negative for a letter */
	ir_alu(ir, BPF_SUB, t, d);
	/* A mask would do, but of an AND with -1 or 0 the verifier follows both cases. */
	ir_alui(ir, BPF_RSH, t, 63);
	ir_alui(ir, BPF_MUL, t, 'a' - '0' - 10);
	ir_alu(ir, BPF_ADD, d, t);
	ir_alui(ir, BPF_ADD, d, '0');
	ir_st(ir, 1, p, 0, d);
	ir_alui(ir, BPF_SUB, i, 1);
	ir_mov(ir, n, q);
	ir_jcci(ir, BPF_JEQ, n, 0, done);
	ir_alui(ir, BPF_SUB, p, 1);
	ir_jcci(ir, BPF_JGT, i, PRIV_DIGITS - 64, loop);
	ir_place(ir, done);
	rtb_put(b, 0, i);
}

/* Writes a character before what is there. */
static void put_before(struct rtb *b, char c)
{
	struct ir *ir = b->ir;
	int pos = ir_reg(ir), p;

	rtb_get(b, 0, pos, PRIV_DIGITS);
	ir_alui(ir, BPF_SUB, pos, 1);
	p = rtb_at(b, b->priv, pos, PRIV_DIGITS);
	ir_sti(ir, 1, p, 0, c);
	rtb_put(b, 0, pos);
}

/* "0x" for base 16, "0" for base 8 unless the number is 0 and so is its digit. */
static void put_prefix(struct rtb *b, int value, int base)
{
	struct ir *ir = b->ir;
	int hex = ir_label(ir), octal = ir_label(ir), zero = ir_label(ir), done = ir_label(ir);

	ir_jcci(ir, BPF_JEQ, base, 16, hex);
	ir_jcci(ir, BPF_JEQ, base, 8, octal);
	ir_jcci(ir, BPF_JNE, base, 10, done);
	ir_jcci(ir, BPF_JSGE, value, 0, done);
	put_before(b, '-');
	ir_jmp(ir, done);
	ir_place(ir, hex);
	put_before(b, 'x');
	ir_jmp(ir, zero);
	ir_place(ir, octal);
	ir_jcci(ir, BPF_JEQ, value, 0, done);
	ir_place(ir, zero);
	put_before(b, '0');
	ir_place(ir, done);
}

static struct code *build_lltostr(struct rt *rt, const char *name)
{
	struct rtb b;
	int plus, fits, dst, value, base, n, pos, len;
	struct ir *ir;

	rtb_start(&b, rt, name, 4);
	ir = b.ir;
	plus = ir_label(ir), fits = ir_label(ir), pos = ir_reg(ir);
	value = ir_arg(ir, 2), base = ir_arg(ir, 3);
	rtb_slot(&b, ir_arg(ir, 0));
	dst = rtb_str(&b, ir_arg(ir, 1));
	ir_jcci(ir, BPF_JLT, base, 2, b.fail);
	ir_jcci(ir, BPF_JGT, base, 36, b.fail);
	n = rtb_copy(&b, value);
	ir_jcci(ir, BPF_JNE, base, 10, plus);
	ir_jcci(ir, BPF_JSGE, n, 0, plus);
	ir_neg(ir, n);
	ir_place(ir, plus);
	rtb_put(&b, 1, n);
	n = ir_reg(ir);
	ir_ld(ir, 8, n, b.priv, PRIV_CELL + 8 * 1);
	put_digits(&b, n, base);
	put_prefix(&b, value, base);
	rtb_get(&b, 0, pos, PRIV_DIGITS);
	len = rtb_imm(&b, PRIV_DIGITS);
	ir_alu(ir, BPF_SUB, len, pos);
	ir_jcci(ir, BPF_JLT, len, b.strsize, fits);
	ir_movi(ir, len, b.strsize - 1);
	ir_place(ir, fits);
	rtb_copy_out(&b, dst, b.priv, pos, len, PRIV_DIGITS);
	rtb_ret_cell(&b, 0);
	return rtb_finish(&b, -1);
}

/* n and its sign: sign becomes -1 or 0, n its magnitude as an unsigned number. */
static void split_sign(struct rtb *b, int n, int sign)
{
	ir_mov(b->ir, sign, n);
	ir_alui(b->ir, BPF_ARSH, sign, 63);
	ir_alu(b->ir, BPF_XOR, n, sign);
	ir_alu(b->ir, BPF_SUB, n, sign);
}

/* 64 + k or 62 - k. 2^63, the magnitude of INT64_MIN, counts as 2^63 - 1. */
static struct code *build_quantize(struct rt *rt, const char *name)
{
	struct rtb b;
	int some, n, t, sign, k;
	struct ir *ir;

	rtb_start(&b, rt, name, 1);
	ir = b.ir;
	some = ir_label(ir), n = ir_arg(ir, 0), sign = ir_reg(ir), k = ir_reg(ir);
	ir_jcci(ir, BPF_JNE, n, 0, some);
	ir_reti(ir, 63);
	ir_place(ir, some);
	split_sign(&b, n, sign);
	t = rtb_copy(&b, n);
	ir_alui(ir, BPF_RSH, t, 63);
	ir_alu(ir, BPF_SUB, n, t);
	rtb_high_bit(&b, n, k, 64);
	ir_alui(ir, BPF_ADD, k, 1);
	ir_alu(ir, BPF_XOR, k, sign);
	ir_alu(ir, BPF_SUB, k, sign);
	ir_alui(ir, BPF_ADD, k, 63);
	ir_ret(ir, k);
	return rtb_finish(&b, 0);
}

struct llq {
	struct rtb b;
	const struct rt_order *orders;
	int n, sign, middle;
};

/* Returns middle plus or minus k. */
static void llq_ret(struct llq *q, int k)
{
	struct ir *ir = q->b.ir;

	ir_alu(ir, BPF_XOR, k, q->sign);
	ir_alu(ir, BPF_SUB, k, q->sign);
	ir_alui(ir, BPF_ADD, k, q->middle);
	ir_ret(ir, k);
}

/*
 * Finds by halves which of the orders first to last - 1 the magnitude v is in, and returns its
 * bucket.
 */
static void llq_search(struct llq *q, int v, int first, int last)
{
	struct ir *ir = q->b.ir;
	const struct rt_order *o = &q->orders[first];
	int mid = first + (last - first) / 2, above = ir_label(ir);

	if (last - first > 1) {
		ir_jcci(ir, BPF_JGE, v, (int64_t)q->orders[mid].lo, above);
		llq_search(q, v, first, mid);
		ir_place(ir, above);
		llq_search(q, v, mid, last);
		return;
	}
	if (o->origin)
		ir_alui(ir, BPF_SUB, v, (int64_t)o->origin);
	ir_alui(ir, BPF_DIV, v, (int64_t)o->width);
	ir_alui(ir, BPF_ADD, v, o->first);
	llq_ret(q, v);
}

struct code *rt_build_llquantize(struct rt *rt, const char *name, const struct rt_order *orders,
				 int n, int side)
{
	struct llq q = {.orders = orders, .n = n, .middle = side + 1};
	struct code *built = rt_build(rt, name);
	int low, high, v, k;
	struct ir *ir;

	if (built)
		return built;
	rtb_start(&q.b, rt, name, 1);
	ir = q.b.ir;
	low = ir_label(ir), high = ir_label(ir), v = ir_arg(ir, 0), q.sign = ir_reg(ir);
	split_sign(&q.b, v, q.sign);
	ir_jcci(ir, BPF_JLT, v, (int64_t)orders[0].lo, low);
	if (orders[n - 1].end != UINT64_MAX)
		ir_jcci(ir, BPF_JGE, v, (int64_t)orders[n - 1].end, high);
	llq_search(&q, v, 0, n);
	ir_place(ir, high);
	k = rtb_imm(&q.b, side + 1);
	llq_ret(&q, k);
	ir_place(ir, low);
	ir_reti(ir, q.middle);
	return rtb_finish(&q.b, q.middle);
}

/* Reads size bytes of a kernel structure into the frame, and from there into a new register. */
static int peek(struct rtb *b, int frame, int addr, int off, int size)
{
	struct ir *ir = b->ir;
	int at = rtb_copy(b, addr), to = ir_reg(ir), n = rtb_imm(b, size), r;

	ir_alu(ir, BPF_ADD, at, off);
	ir_frame_addr(ir, to, frame, 0);
	r = ir_callv(ir, BPF_FUNC_probe_read_kernel, to, n, at);
	ir_jcci(ir, BPF_JNE, r, 0, b->fail);
	ir_frame_ld(ir, size, r, frame, 0);
	return r;
}

/*
 * Up to the process that is its own parent, or to 1, whose parent is no process.
 */
static struct code *build_progenyof(struct rt *rt, const char *name)
{
	struct rtb b;
	int loop, found, frame, task, parent, id, i, pid, off_parent, off_tgid;
	struct ir *ir;

	rtb_start(&b, rt, name, 3);
	ir = b.ir;
	loop = ir_label(ir), found = ir_label(ir), frame = ir_frame(ir, 8);
	pid = ir_arg(ir, 0), off_parent = ir_arg(ir, 1), off_tgid = ir_arg(ir, 2);
	ir_zext(ir, pid, 32);
	task = ir_call(ir, BPF_FUNC_get_current_task, 0, NULL);
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	id = peek(&b, frame, task, off_tgid, 4);
	ir_jcc(ir, BPF_JEQ, id, pid, found);
	ir_jcci(ir, BPF_JLE, id, 1, b.fail);
	parent = peek(&b, frame, task, off_parent, 8);
	ir_jcc(ir, BPF_JEQ, parent, task, b.fail);
	ir_mov(ir, task, parent);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, 64, loop);
	ir_jmp(ir, b.fail);
	ir_place(ir, found);
	ir_reti(ir, 1);
	return rtb_finish(&b, 0);
}

const struct rt_def rt_num_defs[] = {
    {"rt_strtoll", build_strtoll},
    {"rt_skip", build_skip},
    {"rt_skip_part", build_skip},
    {"rt_lltostr", build_lltostr},
    {"rt_quantize", build_quantize},
    {"rt_progenyof", build_progenyof},
    {NULL, NULL},
};
