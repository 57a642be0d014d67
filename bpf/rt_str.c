/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routines that make strings of strings: case, parts, the names of paths, tokens. What compares
 * and searches is in rt_find.c, with how words are read.
 */
#include "bpf/rt_build.h"

/*
 * A letter c has 7 bits, c + 0x80 - first carries into 0x80, and c + 0x7f - last does not. 0x80 >>
 * 2 is what upper and lower case differ in.
 */
static void case_word(struct rtb *b, int w, int from_first, int from_last)
{
	struct ir *ir = b->ir;
	int low = rtb_copy(b, w), t = ir_reg(ir);

	ir_alu(ir, BPF_AND, low, b->ones);
	ir_mov(ir, t, low);
	ir_alu(ir, BPF_ADD, t, from_first);
	ir_alu(ir, BPF_ADD, low, from_last);
	ir_alu(ir, BPF_XOR, t, low);
	ir_mov(ir, low, b->ones);
	ir_alu(ir, BPF_OR, low, w);
	ir_alui(ir, BPF_XOR, low, -1);
	ir_alu(ir, BPF_AND, t, low);
	ir_alui(ir, BPF_RSH, t, 2);
	ir_alu(ir, BPF_XOR, w, t);
}

static struct code *build_case(struct rt *rt, const char *name)
{
	static const uint64_t each = 0x0101010101010101;
	struct rtb b;
	int loop, end, d, s, i, w, t, from_first, from_last;
	struct code *parts = rtb_in_parts(rt, name, 4, 1 << 1 | 1 << 2, false, -1);
	struct ir *ir;

	if (parts)
		return parts;
	rtb_start(&b, rt, name, 4);
	ir = b.ir;
	loop = ir_label(ir), end = ir_label(ir), w = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	d = rtb_str(&b, ir_arg(ir, 1));
	s = rtb_str(&b, ir_arg(ir, 2));
	i = rtb_imm(&b, 0);
	from_first = rtb_imm(&b, (0x80 - 'A') * each);
	from_last = rtb_imm(&b, (0x7f - 'Z') * each);
	ir_jcci(ir, BPF_JEQ, ir_arg(ir, 3), 0, loop);
	ir_movi(ir, from_first, (0x80 - 'a') * each);
	ir_movi(ir, from_last, (0x7f - 'z') * each);
	ir_place(ir, loop);
	ir_ld(ir, 8, w, s, 0);
	t = rtb_zeros(&b, w);
	case_word(&b, w, from_first, from_last);
	ir_st(ir, 8, d, 0, w);
	ir_jcci(ir, BPF_JNE, t, -1, end);
	ir_alui(ir, BPF_ADD, s, 8);
	ir_alui(ir, BPF_ADD, d, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	ir_place(ir, end);
	ir_reti(ir, 0);
	return rtb_finish(&b, -1);
}

/*
 * index and n become what D's substr() takes of a string of len bytes: index <= len, 0 <= n <= len
 * - index.
 */
static void substr_range(struct rtb *b, int len, int index, int n)
{
	struct ir *ir = b->ir;
	int inside = ir_label(ir), empty = ir_label(ir), cut = ir_label(ir), done = ir_label(ir),
	    space;

	ir_jcci(ir, BPF_JSGE, index, 0, inside);
	ir_alu(ir, BPF_ADD, index, len);
	ir_jcci(ir, BPF_JSGE, index, 0, inside);
	ir_alu(ir, BPF_ADD, n, index); /* what is before the beginning is lost */
	ir_jcci(ir, BPF_JSLE, n, 0, empty);
	ir_movi(ir, index, 0);
	ir_place(ir, inside);
	ir_jcc(ir, BPF_JSGE, index, len, empty);
	space = rtb_copy(b, len);
	ir_alu(ir, BPF_SUB, space, index);
	ir_jcci(ir, BPF_JSGE, n, 0, cut);
	ir_alu(ir, BPF_ADD, n, space);
	ir_jcci(ir, BPF_JSLT, n, 0, empty);
	ir_place(ir, cut);
	ir_jcc(ir, BPF_JSLE, n, space, done);
	ir_mov(ir, n, space);
	ir_jmp(ir, done);
	ir_place(ir, empty);
	ir_movi(ir, index, 0);
	ir_movi(ir, n, 0);
	ir_place(ir, done);
}

static struct code *build_substr(struct rt *rt, const char *name)
{
	struct rtb b;
	int dst, src, len, index, n;
	struct ir *ir;

	rtb_start(&b, rt, name, 5);
	ir = b.ir;
	index = ir_arg(ir, 3), n = ir_arg(ir, 4);
	rtb_slot(&b, ir_arg(ir, 0));
	dst = rtb_str(&b, ir_arg(ir, 1));
	src = rtb_str(&b, ir_arg(ir, 2));
	len = rtb_strlen(&b, src);
	ir_sext(ir, index, 32);
	ir_sext(ir, n, 32);
	substr_range(&b, len, index, n);
	rtb_copy_out(&b, dst, src, index, n, b.strsize);
	rtb_ret_cell(&b, 0);
	return rtb_finish(&b, -1);
}

/*
 * A path is components with slashes between them. One pass, 8 bytes at a time and without a branch,
 * keeps three of the words seen so far, each as offset << 16 | set << 8 | set, a set having a bit
 * for each byte of the word:
 *	first	the last word in which a component begins: bytes that are no slashes, and bytes that
 *		begin a component
 *	before	the last word before that one with bytes that are no slashes (the low set is empty)
 *	last	the last word with any such bytes, perhaps first again (the low set is empty)
 * So the last component begins at the highest low bit of first, and ends after the highest bit of
 * last. What is before it ends in first, or else in before.
 */
struct path {
	struct rtb b;
	int dst, src;
	int first, before, last;
};

/* The bits of a word's bytes that are neither slashes nor at or after the end. */
static int path_set(struct path *s, int word, int zeros, int slashes)
{
	struct ir *ir = s->b.ir;
	int r;

	ir_alu(ir, BPF_XOR, word, slashes);
	r = rtb_zeros(&s->b, word);
	rtb_first(&s->b, zeros); /* 0 when there is no end, so that everything is before it */
	rtb_before(&s->b, zeros);
	ir_alu(ir, BPF_AND, r, zeros);
	ir_alui(ir, BPF_RSH, r, 7);
	ir_alui(ir, BPF_AND, r, 0x0101010101010101);
	ir_alui(ir, BPF_MUL, r, 0x0102040810204080); /* moves bit 8k to bit 56 + k */
	ir_alui(ir, BPF_RSH, r, 56);
	return r;
}

/* dst = when ? value : dst; value is spoilt. */
static void path_select(struct path *s, int dst, int when, int value)
{
	struct ir *ir = s->b.ir;
	int mask = rtb_copy(&s->b, when);

	ir_neg(ir, mask);
	ir_alui(ir, BPF_ARSH, mask, 63);
	ir_alu(ir, BPF_XOR, value, dst);
	ir_alu(ir, BPF_AND, value, mask);
	ir_alu(ir, BPF_XOR, dst, value);
}

/*
 * Takes the word with this set into account; carry is 1 when the byte before is no slash, and
 * updated.
 */
static void path_word(struct path *s, int set, int carry, int i)
{
	struct ir *ir = s->b.ir;
	int begins = rtb_copy(&s->b, set), word, both;

	ir_alui(ir, BPF_LSH, begins, 1);
	ir_alu(ir, BPF_OR, begins, carry);
	ir_alui(ir, BPF_XOR, begins, -1);
	ir_alu(ir, BPF_AND, begins, set);
	path_select(s, s->before, begins, rtb_copy(&s->b, s->last));
	word = rtb_copy(&s->b, i);
	ir_alui(ir, BPF_LSH, word, 8);
	ir_alu(ir, BPF_OR, word, set);
	ir_alui(ir, BPF_LSH, word, 8);
	both = rtb_copy(&s->b, word);
	ir_alu(ir, BPF_OR, both, begins);
	path_select(s, s->first, begins, both);
	path_select(s, s->last, set, word);
	ir_mov(ir, carry, set);
	ir_alui(ir, BPF_RSH, carry, 7);
}

/* Goes through the words of the string at src, which is i bytes into the whole one. */
static void path_words(struct path *s, int carry, int i, int end)
{
	struct rtb *b = &s->b;
	struct ir *ir = b->ir;
	int loop = ir_label(ir), p = rtb_copy(b, s->src), w = ir_reg(ir), n = rtb_imm(b, 0),
	    slashes, zeros, ended, set;

	slashes = rtb_imm(b, 0x0101010101010101 * '/');
	ir_place(ir, loop);
	ir_ld(ir, 8, w, p, 0);
	zeros = rtb_zeros(b, w);
	ended = rtb_copy(b, zeros);
	set = path_set(s, w, zeros, slashes);
	path_word(s, set, carry, i);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_alui(ir, BPF_ADD, n, 8);
	ir_jcci(ir, BPF_JNE, ended, -1, end);
	ir_jcci(ir, BPF_JLT, n, b->span, loop);
}

/* Of long strings: what path_words() needs is in cells. */
static struct code *build_words_part(struct rt *rt, const char *name)
{
	struct path s;
	struct rtb *b = &s.b;
	int *const words[] = {&s.first, &s.before, &s.last}, end, carry, done;
	struct ir *ir;

	rtb_start(b, rt, name, 3);
	ir = b->ir, end = ir_label(ir), done = ir_label(ir), carry = ir_reg(ir);
	rtb_slot(b, ir_arg(ir, 0));
	s.src = rtb_str(b, ir_arg(ir, 1));
	for (int i = 0; i < 3; i++) {
		*words[i] = ir_reg(ir);
		ir_ld(ir, 8, *words[i], b->priv, PRIV_CELL + 8 * i);
	}
	ir_ld(ir, 8, carry, b->priv, PRIV_CELL + 8 * 3);
	path_words(&s, carry, rtb_copy(b, ir_arg(ir, 2)), end);
	for (int i = 0; i < 3; i++)
		rtb_put(b, i, *words[i]);
	rtb_put(b, 3, carry);
	rtb_more(b);
	ir_place(ir, end);
	for (int i = 0; i < 3; i++)
		rtb_put(b, i, *words[i]);
	ir_place(ir, done);
	ir_reti(ir, 0);
	return rtb_finish(b, -1);
}

/* What basename and dirname begin with. */
static void path_start(struct path *s, struct rt *rt, const char *name)
{
	struct rtb *b = &s->b;
	struct ir *ir;
	int end;

	rtb_start(b, rt, name, 3);
	ir = b->ir;
	end = ir_label(ir);
	rtb_slot(b, ir_arg(ir, 0));
	s->dst = rtb_str(b, ir_arg(ir, 1));
	s->src = rtb_str(b, ir_arg(ir, 2));
	if (b->whole) {
		for (int i = 0; i < 4; i++)
			ir_sti(ir, 8, b->priv, PRIV_CELL + 8 * i, 0);
		rtb_parts(b, "rt_words_part", 3,
			  (int[]){ir_arg(ir, 0), rtb_copy(b, ir_arg(ir, 2)), rtb_imm(b, 0)},
			  1 << 1 | 1 << 2, false);
		return;
	}
	s->first = rtb_imm(b, 0);
	s->before = rtb_imm(b, 0);
	s->last = rtb_imm(b, 0);
	path_words(s, rtb_imm(b, 0), rtb_imm(b, 0), end);
	ir_place(ir, end);
	rtb_put(b, 0, s->first);
	rtb_put(b, 1, s->before);
	rtb_put(b, 2, s->last);
}

/*
 * Loads a word of the pass from its cell, and turns it into the position of the highest bit of one
 * of its sets; there must be one.
 */
static int path_pos(struct path *s, int cell, int set, int set_shift)
{
	struct ir *ir = s->b.ir;
	int pos = ir_reg(ir), k = ir_reg(ir);

	ir_ld(ir, 8, pos, s->b.priv, PRIV_CELL + 8 * cell);
	ir_alui(ir, BPF_RSH, pos, 16);
	ir_alui(ir, BPF_RSH, set, set_shift);
	ir_alui(ir, BPF_AND, set, 0xff);
	rtb_high_bit(&s->b, set, k, 8);
	ir_alu(ir, BPF_ADD, pos, k);
	return pos;
}

/* Ends the function for a path without what is asked for. */
static void path_ret_none(struct path *s)
{
	struct ir *ir = s->b.ir;
	int c = ir_reg(ir), slash = ir_label(ir);

	ir_ld(ir, 1, c, s->src, 0);
	ir_jcci(ir, BPF_JEQ, c, '/', slash);
	rtb_ret_word(&s->b, s->dst, TEXT_DOT, 1);
	ir_place(ir, slash);
	rtb_ret_word(&s->b, s->dst, TEXT_SLASH, 1);
}

static struct code *build_basename(struct rt *rt, const char *name)
{
	struct path s;
	int some, begin, end, word;
	struct ir *ir;

	path_start(&s, rt, name);
	ir = s.b.ir;
	some = ir_label(ir), word = ir_reg(ir);
	ir_ld(ir, 8, word, s.b.priv, PRIV_CELL + 8 * 0);
	ir_jcci(ir, BPF_JNE, word, 0, some);
	path_ret_none(&s);
	ir_place(ir, some);
	begin = path_pos(&s, 0, word, 0);
	ir_ld(ir, 8, word, s.b.priv, PRIV_CELL + 8 * 2);
	end = path_pos(&s, 2, word, 8);
	ir_alui(ir, BPF_ADD, end, 1);
	ir_alu(ir, BPF_SUB, end, begin);
	rtb_copy_out(&s.b, s.dst, s.src, begin, end, s.b.strsize);
	rtb_ret_cell(&s.b, 0);
	return rtb_finish(&s.b, -1);
}

/*
 * Takes the last component out of the set of first; what is left of it, or else before, has the
 * end.
 */
static struct code *build_dirname(struct rt *rt, const char *name)
{
	struct path s;
	int some, earlier, found, k, set, begin, end, t;
	struct ir *ir;

	path_start(&s, rt, name);
	ir = s.b.ir;
	some = ir_label(ir), earlier = ir_label(ir), found = ir_label(ir);
	set = ir_reg(ir), end = ir_reg(ir), k = ir_reg(ir), begin = ir_reg(ir);
	ir_ld(ir, 8, set, s.b.priv, PRIV_CELL + 8 * 0);
	ir_mov(ir, begin, set);
	ir_alui(ir, BPF_AND, begin, 0xff);
	ir_jcci(ir, BPF_JEQ, begin, 0, earlier);
	rtb_high_bit(&s.b, begin, k, 8);
	ir_alui(ir, BPF_RSH, set, 8);
	t = rtb_imm(&s.b, 1);
	ir_alu(ir, BPF_LSH, t, k);
	ir_alui(ir, BPF_SUB, t, 1);
	ir_alui(ir, BPF_AND, t, 0xff);
	ir_alu(ir, BPF_AND, set, t);
	ir_jcci(ir, BPF_JEQ, set, 0, earlier);
	ir_mov(ir, end, path_pos(&s, 0, set, 0));
	ir_jmp(ir, found);
	ir_place(ir, earlier);
	ir_ld(ir, 8, set, s.b.priv, PRIV_CELL + 8 * 1);
	ir_jcci(ir, BPF_JNE, set, 0, some);
	path_ret_none(&s);
	ir_place(ir, some);
	ir_mov(ir, end, path_pos(&s, 1, set, 8));
	ir_place(ir, found);
	ir_alui(ir, BPF_ADD, end, 1);
	begin = rtb_imm(&s.b, 0);
	rtb_copy_out(&s.b, s.dst, s.src, begin, end, s.b.strsize);
	rtb_ret_cell(&s.b, 0);
	return rtb_finish(&s.b, -1);
}

/* Puts into the table which bytes are delimiters, and that 0 is the end. */
static void tok_put(struct rtb *b, int delims, int done)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), next = ir_label(ir), i = rtb_imm(b, 0), c = ir_reg(ir), p;

	ir_place(ir, loop);
	ir_ld(ir, 1, c, delims, 0);
	ir_jcci(ir, BPF_JNE, c, 0, next);
	ir_sti(ir, 1, b->priv, PRIV_TABLE, 2);
	ir_jmp(ir, done);
	ir_place(ir, next);
	p = rtb_copy(b, b->priv);
	ir_alu(ir, BPF_ADD, p, c);
	ir_sti(ir, 1, p, PRIV_TABLE, 1);
	ir_alui(ir, BPF_ADD, delims, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b->span, loop);
}

/* Of long strings: the delimiters from an offset on. */
static struct code *build_table_part(struct rt *rt, const char *name)
{
	struct rtb b;
	int done;

	rtb_start(&b, rt, name, 2);
	done = ir_label(b.ir);
	rtb_slot(&b, ir_arg(b.ir, 0));
	tok_put(&b, rtb_str(&b, ir_arg(b.ir, 1)), done);
	rtb_more(&b);
	ir_place(b.ir, done);
	ir_reti(b.ir, 0);
	return rtb_finish(&b, -1);
}

/* The table says of each byte: 0 part of a token, 1 delimiter, 2 end. */
static void tok_table(struct rtb *b, int slot, int off)
{
	struct ir *ir = b->ir;
	int done = ir_label(ir);

	for (int k = 0; k < 256; k += 8)
		ir_sti(ir, 8, b->priv, PRIV_TABLE + k, 0);
	if (b->whole) {
		rtb_parts(b, "rt_table_part", 2, (int[]){slot, rtb_copy(b, off)}, 1 << 1, false);
		return;
	}
	tok_put(b, rtb_str(b, off), done);
	ir_jmp(ir, b->fail);
	ir_place(ir, done);
}

/*
 * Goes on from index while the table has 1 (delimiters) or 0 (a token) for the bytes of s; returns
 * a register with where it stopped, and leaves in kind what the table has for that byte. Uses cells
 * 2 and 3.
 */
static int tok_scan_parts(struct rtb *b, int slot, int off, int index, int kind, bool delimiters)
{
	struct ir *ir = b->ir;
	int at = rtb_copy(b, off), end = rtb_copy(b, index);

	ir_alu(ir, BPF_ADD, at, index);
	ir_alu(ir, BPF_ADD, end,
	       rtb_parts(b, "rt_scan_part", 3, (int[]){slot, at, rtb_imm(b, delimiters)}, 1 << 1,
			 true));
	rtb_put(b, 2, end);
	end = ir_reg(ir);
	rtb_get(b, 2, end, b->strsize - 1);
	ir_ld(ir, 8, kind, b->priv, PRIV_CELL + 8 * 3);
	return end;
}

/* Of long strings: from an offset on, while the table has this for the bytes. */
static struct code *build_scan_part(struct rt *rt, const char *name)
{
	struct rtb b;
	int loop, next, i, p, c, t, kind;
	struct ir *ir;

	rtb_start(&b, rt, name, 3);
	ir = b.ir, loop = ir_label(ir), next = ir_label(ir), c = ir_reg(ir), kind = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	p = rtb_str(&b, ir_arg(ir, 1));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	ir_ld(ir, 1, c, p, 0);
	t = rtb_copy(&b, b.priv);
	ir_alu(ir, BPF_ADD, t, c);
	ir_ld(ir, 1, kind, t, PRIV_TABLE);
	ir_jcc(ir, BPF_JEQ, kind, ir_arg(ir, 2), next);
	rtb_put(&b, 3, kind);
	ir_ret(ir, i);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, p, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	return rtb_finish(&b, -1);
}

static int tok_scan(struct rtb *b, int s, int index, int kind, bool delimiters)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), next = ir_label(ir), done = ir_label(ir);
	int i = rtb_imm(b, 0), p = rtb_copy(b, s), c = ir_reg(ir), t, end;

	ir_alu(ir, BPF_ADD, p, index);
	ir_place(ir, loop);
	ir_ld(ir, 1, c, p, 0);
	t = rtb_copy(b, b->priv);
	ir_alu(ir, BPF_ADD, t, c);
	ir_ld(ir, 1, kind, t, PRIV_TABLE);
	ir_jcci(ir, BPF_JEQ, kind, delimiters, next);
	end = rtb_copy(b, index);
	ir_alu(ir, BPF_ADD, end, i);
	rtb_put(b, 2, end);
	rtb_put(b, 3, kind);
	ir_jmp(ir, done);
	ir_place(ir, next);
	ir_alui(ir, BPF_ADD, p, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b->strsize, loop);
	ir_jmp(ir, b->fail);
	ir_place(ir, done);
	end = ir_reg(ir);
	rtb_get(b, 2, end, b->strsize - 1);
	ir_ld(ir, 8, kind, b->priv, PRIV_CELL + 8 * 3);
	return end;
}

/* The result waits in a cell while the token is copied. */
static struct code *build_strtok(struct rt *rt, const char *name)
{
	struct rtb b;
	int dst, src, pos, kind, begin, end, some, n;
	struct ir *ir;

	rtb_start(&b, rt, name, 5);
	ir = b.ir;
	some = ir_label(ir), kind = ir_reg(ir), pos = ir_arg(ir, 4);
	rtb_slot(&b, ir_arg(ir, 0));
	dst = rtb_str(&b, ir_arg(ir, 1));
	src = rtb_str(&b, ir_arg(ir, 2));
	tok_table(&b, ir_arg(ir, 0), ir_arg(ir, 3));
	ir_jcci(ir, BPF_JGT, pos, b.strsize - 1, b.fail);
	begin = b.whole ? tok_scan_parts(&b, ir_arg(ir, 0), ir_arg(ir, 2), pos, kind, true)
			: tok_scan(&b, src, pos, kind, true);
	ir_jcci(ir, BPF_JNE, kind, 2, some);
	rtb_ret_word(&b, dst, TEXT_NULL, -1);
	ir_place(ir, some);
	end = b.whole ? tok_scan_parts(&b, ir_arg(ir, 0), ir_arg(ir, 2), begin, kind, false)
		      : tok_scan(&b, src, begin, kind, false);
	n = rtb_copy(&b, end);
	ir_alu(ir, BPF_SUB, n, begin);
	rtb_put(&b, 3, end);
	rtb_copy_out(&b, dst, src, begin, n, b.strsize);
	rtb_ret_cell(&b, 3);
	return rtb_finish(&b, -1);
}

const struct rt_def rt_str_defs[] = {
    {"rt_case", build_case},	       {"rt_case_part", build_case},
    {"rt_substr", build_substr},       {"rt_basename", build_basename},
    {"rt_dirname", build_dirname},     {"rt_words_part", build_words_part},
    {"rt_strtok", build_strtok},       {"rt_table_part", build_table_part},
    {"rt_scan_part", build_scan_part}, {NULL, NULL},
};
