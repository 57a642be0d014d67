/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routines on strings, but for those that make numbers of them or strings of numbers.
 *
 * They read words of 8 bytes wherever they can. A word may reach beyond the end of a string, into
 * bytes that mean nothing but are still in the slot: the private part at its end is longer than a
 * string.
 *
 * Searching: each position is compared with the first 8 bytes of the needle, masked when it is
 * shorter, so a short needle needs nothing else; for a longer one rt_match looks at the rest. This
 * is quadratic for needles like "aaaaaaaaab", but the table of Knuth, Morris and Pratt would cost
 * some 30 instructions a byte at every search, and as much at the verifier.
 */
#include "bpf/rt_build.h"

static struct code *build_strcmp(struct rt *rt, const char *name)
{
	struct rtb b;
	int loop, diff, equal, above, p, q, v, w, i, t;
	struct code *parts = rtb_in_parts(rt, name, 3, 1 << 1 | 1 << 2, false, 0);
	struct ir *ir;

	if (parts)
		return parts;
	rtb_start(&b, rt, name, 3);
	ir = b.ir;
	loop = ir_label(ir), diff = ir_label(ir), equal = ir_label(ir), above = ir_label(ir);
	v = ir_reg(ir), w = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	p = rtb_str(&b, ir_arg(ir, 1));
	q = rtb_str(&b, ir_arg(ir, 2));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	ir_ld(ir, 8, v, p, 0);
	ir_ld(ir, 8, w, q, 0);
	ir_jcc(ir, BPF_JNE, v, w, diff);
	t = rtb_zeros(&b, v);
	ir_jcci(ir, BPF_JNE, t, -1, equal);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, q, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	ir_place(ir, equal);
	ir_reti(ir, 0);
	ir_place(ir, diff);
	ir_bswap(ir, v, 64);
	ir_bswap(ir, w, 64);
	ir_jcc(ir, BPF_JGT, v, w, above);
	ir_reti(ir, -1);
	ir_place(ir, above);
	ir_reti(ir, 1);
	return rtb_finish(&b, 0);
}

/*
 * text may begin anywhere in a string, so it can be strsize further on than a string. Where there
 * are no global functions this is a loop within a loop of the caller, which loads as long as
 * returning comes first.
 */
static struct code *build_match(struct rt *rt, const char *name)
{
	struct rtb b;
	int loop, whole, same, no, p, q, v, w, i, t;
	struct code *parts = rtb_in_parts(rt, name, 3, 1 << 1 | 1 << 2, false, 0);
	struct ir *ir;

	if (parts)
		return parts;
	rtb_start(&b, rt, name, 3);
	ir = b.ir;
	loop = ir_label(ir), whole = ir_label(ir), same = ir_label(ir), no = ir_label(ir);
	v = ir_reg(ir), w = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	p = rtb_at(&b, b.slot, ir_arg(ir, 1), b.part ? b.last_off : b.last_off + b.strsize);
	q = rtb_str(&b, ir_arg(ir, 2));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	ir_ld(ir, 8, w, q, 0);
	ir_ld(ir, 8, v, p, 0);
	t = rtb_zeros(&b, w);
	ir_jcci(ir, BPF_JEQ, t, -1, whole);
	rtb_first(&b, t);
	rtb_before(&b, t);
	ir_alu(ir, BPF_XOR, v, w);
	ir_alu(ir, BPF_AND, v, t);
	ir_jcci(ir, BPF_JNE, v, 0, no);
	ir_reti(ir, 1);
	ir_place(ir, no);
	ir_reti(ir, 0);
	ir_place(ir, whole);
	ir_jcc(ir, BPF_JEQ, v, w, same);
	ir_reti(ir, 0);
	ir_place(ir, same);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, q, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	return rtb_finish(&b, 0);
}

/* What the four loops of a search have in common. */
struct search {
	struct rtb b;
	int slot, hay_off, needle_off;
	int hay;   /* pointer */
	int first; /* the needle's first word, masked */
	int mask;  /* its bytes: -1 for a long needle, 0 for an empty one */
	int len;   /* of the hay */
	int start; /* at most len */
	int plus;  /* what to add to start for the position that is looked at, or -1 */
};

static void search_needle(struct search *s)
{
	struct ir *ir = s->b.ir;
	int p = rtb_str(&s->b, s->needle_off), done = ir_label(ir);

	s->first = ir_reg(ir);
	ir_ld(ir, 8, s->first, p, 0);
	s->mask = rtb_zeros(&s->b, s->first);
	ir_jcci(ir, BPF_JEQ, s->mask, -1, done);
	rtb_first(&s->b, s->mask);
	rtb_before(&s->b, s->mask);
	ir_alu(ir, BPF_AND, s->first, s->mask);
	ir_place(ir, done);
}

/* Puts start between 0 and len; downwards from below 0 only an empty needle is found. */
static void search_clamp(struct search *s, bool last)
{
	struct ir *ir = s->b.ir;
	int low = ir_label(ir), ok = ir_label(ir);

	ir_jcci(ir, BPF_JSLT, s->start, 0, low);
	ir_jcc(ir, BPF_JSLE, s->start, s->len, ok);
	ir_mov(ir, s->start, s->len);
	ir_jmp(ir, ok);
	ir_place(ir, low);
	if (last)
		ir_jcci(ir, BPF_JNE, s->mask, 0, s->b.fail);
	ir_movi(ir, s->start, 0);
	ir_place(ir, ok);
	rtb_put(&s->b, 0, s->start);
	s->start = ir_reg(ir);
	rtb_get(&s->b, 0, s->start, s->b.strsize - 1);
}

static int search_at(struct search *s, int base)
{
	int r = rtb_copy(&s->b, base);

	ir_alu(s->b.ir, BPF_ADD, r, s->start);
	if (s->plus >= 0)
		ir_alu(s->b.ir, BPF_ADD, r, s->plus);
	return r;
}

/* Returns the position when the needle is there; w is the text's word. */
static void search_test(struct search *s, int w, bool is_long)
{
	struct ir *ir = s->b.ir;
	int next = ir_label(ir), at, r;

	if (!is_long)
		ir_alu(ir, BPF_AND, w, s->mask);
	ir_jcc(ir, BPF_JNE, w, s->first, next);
	if (is_long) {
		at = search_at(s, s->hay_off);
		r = ir_call_func(ir, "rt_match", 3, (int[]){s->slot, at, s->needle_off});
		ir_jcci(ir, BPF_JEQ, r, 0, next);
	}
	at = rtb_imm(&s->b, 0);
	ir_ret(ir, search_at(s, at));
	ir_place(ir, next);
}

/* Looks at the end of the string too: only an empty needle begins with a NUL. */
static void search_up(struct search *s, bool is_long)
{
	struct ir *ir = s->b.ir;
	int loop = ir_label(ir), more = ir_label(ir);
	int p, w = ir_reg(ir), i = rtb_imm(&s->b, 0), left = rtb_copy(&s->b, s->len);

	ir_alu(ir, BPF_SUB, left, s->start);
	p = rtb_copy(&s->b, s->hay);
	ir_alu(ir, BPF_ADD, p, s->start);
	ir_jcci(ir, BPF_JGT, left, s->b.strsize - 1, s->b.fail);
	s->plus = i;
	ir_place(ir, loop);
	ir_ld(ir, 8, w, p, 0);
	search_test(s, w, is_long);
	ir_alui(ir, BPF_ADD, p, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	if (s->b.part)
		ir_jcci(ir, BPF_JGE, i, s->b.span, more);
	ir_jcc(ir, BPF_JGE, left, i, loop);
	ir_jmp(ir, s->b.fail);
	ir_place(ir, more);
	rtb_more(&s->b);
}

/* Lowers start itself: a pointer would go to where the verifier sees it before the slot. */
static void search_down(struct search *s, bool is_long)
{
	struct ir *ir = s->b.ir;
	int loop = ir_label(ir), inside = ir_label(ir);
	int p, w = ir_reg(ir), i = rtb_imm(&s->b, 0);

	s->plus = -1;
	ir_place(ir, loop);
	ir_jcci(ir, BPF_JLT, s->start, s->b.strsize, inside);
	ir_reti(ir, -1);
	ir_place(ir, inside);
	p = rtb_copy(&s->b, s->hay);
	ir_alu(ir, BPF_ADD, p, s->start);
	ir_ld(ir, 8, w, p, 0);
	search_test(s, w, is_long);
	ir_alui(ir, BPF_SUB, s->start, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, s->b.part ? BPF_JLT : BPF_JLE, i, s->b.span, loop);
	rtb_more(&s->b);
	ir_jmp(ir, s->b.fail);
}

/* Of long strings: the hay from an offset on, so many bytes of it; or its position to go down from. */
static struct code *build_search_part(struct rt *rt, const char *name, bool last)
{
	struct search s;
	int is_long, some;
	struct ir *ir;

	rtb_start(&s.b, rt, name, 4);
	ir = s.b.ir;
	is_long = ir_label(ir), some = ir_label(ir);
	s.slot = ir_arg(ir, 0), s.hay_off = ir_arg(ir, 1);
	s.needle_off = ir_arg(ir, 2);
	rtb_slot(&s.b, s.slot);
	s.hay = rtb_str(&s.b, s.hay_off);
	s.start = last ? ir_arg(ir, 3) : rtb_imm(&s.b, 0);
	s.len = ir_arg(ir, 3);
	search_needle(&s);
	ir_jcci(ir, BPF_JEQ, s.mask, -1, is_long);
	ir_jcci(ir, BPF_JNE, s.mask, 0, some);
	ir_ret(ir, s.start);
	ir_place(ir, some);
	(last ? search_down : search_up)(&s, false);
	ir_place(ir, is_long);
	(last ? search_down : search_up)(&s, true);
	return rtb_finish(&s.b, -1);
}

/* Goes up: what is left of the hay is at hay + start. Goes down: start is lowered. */
static void search_parts(struct search *s, bool last)
{
	struct ir *ir = s->b.ir;
	int loop = ir_label(ir), more = ir_label(ir), i = rtb_imm(&s->b, 0), r, n = ir_reg(ir), at = ir_reg(ir);

	ir_place(ir, loop);
	ir_mov(ir, at, s->hay_off);
	ir_mov(ir, n, last ? s->start : s->len);
	if (!last) {
		ir_alu(ir, BPF_ADD, at, s->start);
		ir_alu(ir, BPF_SUB, n, s->start);
		ir_jcci(ir, BPF_JSLT, n, 0, s->b.fail);
	}
	r = rtb_copy(&s->b, ir_call_func(ir, last ? "rt_rfind_part" : "rt_find_part", 4, (int[]){s->slot, at, s->needle_off, n}));
	ir_jcci(ir, BPF_JEQ, r, RTB_MORE, more);
	ir_jcci(ir, BPF_JSLT, r, 0, s->b.fail);
	if (!last)
		ir_alu(ir, BPF_ADD, r, s->start);
	ir_ret(ir, r);
	ir_place(ir, more);
	ir_alui(ir, last ? BPF_SUB : BPF_ADD, s->start, RT_PART);
	ir_alui(ir, BPF_ADD, i, RT_PART);
	ir_jcci(ir, BPF_JLE, i, s->b.strsize, loop);
	ir_jmp(ir, s->b.fail);
}

static struct code *build_search(struct rt *rt, const char *name, bool last)
{
	struct search s;
	int is_long, some;
	struct ir *ir;

	rtb_start(&s.b, rt, name, 4);
	ir = s.b.ir;
	is_long = ir_label(ir), some = ir_label(ir);
	s.slot = ir_arg(ir, 0), s.hay_off = ir_arg(ir, 1);
	s.needle_off = ir_arg(ir, 2), s.start = ir_arg(ir, 3);
	rtb_slot(&s.b, s.slot);
	s.hay = rtb_str(&s.b, s.hay_off);
	s.len = rtb_strlen(&s.b, s.hay);
	search_needle(&s);
	search_clamp(&s, last);
	if (s.b.whole) {
		search_parts(&s, last);
		return rtb_finish(&s.b, -1);
	}
	ir_jcci(ir, BPF_JEQ, s.mask, -1, is_long);
	ir_jcci(ir, BPF_JNE, s.mask, 0, some);
	ir_ret(ir, s.start);
	ir_place(ir, some);
	(last ? search_down : search_up)(&s, false);
	ir_place(ir, is_long);
	(last ? search_down : search_up)(&s, true);
	return rtb_finish(&s.b, -1);
}

static struct code *build_find(struct rt *rt, const char *name)
{
	return build_search(rt, name, false);
}

static struct code *build_rfind(struct rt *rt, const char *name)
{
	return build_search(rt, name, true);
}

static struct code *build_find_part(struct rt *rt, const char *name)
{
	return build_search_part(rt, name, false);
}

static struct code *build_rfind_part(struct rt *rt, const char *name)
{
	return build_search_part(rt, name, true);
}

/* Looking for a character: the string, offset and address of a word, the character in all bytes. */
struct chr {
	struct rtb b;
	int s, i, p, chars;
};

/* What rtb_zeros says of the word at p, and of it with the character taken from each byte. */
static void chr_word(struct chr *c, int p, int *zeros, int *hits)
{
	int w = ir_reg(c->b.ir);

	ir_ld(c->b.ir, 8, w, p, 0);
	*zeros = rtb_zeros(&c->b, w);
	ir_alu(c->b.ir, BPF_XOR, w, c->chars);
	*hits = rtb_zeros(&c->b, w);
}

static void chr_next(struct chr *c, int loop)
{
	ir_alui(c->b.ir, BPF_ADD, c->p, 8);
	ir_alui(c->b.ir, BPF_ADD, c->i, 8);
	ir_jcci(c->b.ir, BPF_JLT, c->i, c->b.span, loop);
	rtb_more(&c->b);
	ir_jmp(c->b.ir, c->b.fail);
}

/* The first byte that is the character or the end; it is an answer when it is the character. */
static void chr_first(struct chr *c)
{
	struct ir *ir = c->b.ir;
	int loop = ir_label(ir), found = ir_label(ir), zeros, hits;

	ir_place(ir, loop);
	chr_word(c, c->p, &zeros, &hits);
	ir_alu(ir, BPF_AND, zeros, hits);
	ir_jcci(ir, BPF_JNE, zeros, -1, found);
	chr_next(c, loop);
	ir_place(ir, found);
	rtb_first(&c->b, zeros);
	ir_alui(ir, BPF_XOR, hits, -1);
	ir_alu(ir, BPF_AND, hits, zeros);
	ir_jcci(ir, BPF_JEQ, hits, 0, c->b.fail);
	rtb_index(&c->b, hits);
	ir_alu(ir, BPF_ADD, hits, c->i);
	ir_ret(ir, hits);
}

/* dst = hits as bits 0x80, without those from the end of the string on. */
static void chr_cut(struct chr *c, int zeros, int hits)
{
	struct ir *ir = c->b.ir;
	int whole = ir_label(ir);

	ir_alui(ir, BPF_XOR, hits, -1);
	ir_jcci(ir, BPF_JEQ, zeros, -1, whole);
	rtb_first(&c->b, zeros);
	rtb_before(&c->b, zeros);
	ir_alu(ir, BPF_AND, hits, zeros);
	ir_place(ir, whole);
}

/*
 * Remembers the last word with a hit, without a branch: best = hits ? i : best. The answer is in
 * that word.
 */
static void chr_last(struct chr *c)
{
	struct ir *ir = c->b.ir;
	int loop = ir_label(ir), end = ir_label(ir), done = ir_label(ir), none = ir_label(ir);
	int best = rtb_imm(&c->b, 0), zeros, hits, t, at = ir_reg(ir), p;

	ir_place(ir, loop);
	chr_word(c, c->p, &zeros, &hits);
	ir_jcci(ir, BPF_JNE, zeros, -1, end);
	ir_alui(ir, BPF_XOR, hits, -1);
	ir_alui(ir, BPF_RSH, hits, 1);
	ir_neg(ir, hits);
	ir_alui(ir, BPF_ARSH, hits, 63);
	t = rtb_copy(&c->b, best);
	ir_alu(ir, BPF_XOR, t, c->i);
	ir_alu(ir, BPF_AND, t, hits);
	ir_alu(ir, BPF_XOR, best, t);
	chr_next(c, loop);
	ir_place(ir, end);
	rtb_put(&c->b, 0, best);
	chr_cut(c, zeros, hits);
	ir_jcci(ir, BPF_JEQ, hits, 0, done);
	rtb_put(&c->b, 0, c->i);
	ir_place(ir, done);
	rtb_get(&c->b, 0, at, c->b.strsize - 8);
	p = rtb_copy(&c->b, c->s);
	ir_alu(ir, BPF_ADD, p, at);
	chr_word(c, p, &zeros, &hits);
	chr_cut(c, zeros, hits);
	ir_jcci(ir, BPF_JEQ, hits, 0, none);
	ir_bswap(ir, hits, 64); /* the last byte becomes the first; its bit stays 0x80 */
	t = rtb_copy(&c->b, hits);
	ir_neg(ir, t);
	ir_alu(ir, BPF_AND, hits, t);
	rtb_index(&c->b, hits);
	ir_alui(ir, BPF_ADD, at, 7);
	ir_alu(ir, BPF_SUB, at, hits);
	ir_ret(ir, at);
	ir_place(ir, none);
	ir_reti(ir, -1);
}

/* Of long strings: downwards from a position. */
static struct code *build_lastchr_part(struct rt *rt, const char *name)
{
	struct rtb b;
	int loop, inside, next, s, c = 0, at, i, p;
	struct ir *ir;

	rtb_start(&b, rt, name, 4);
	ir = b.ir, at = ir_arg(ir, 3);
	loop = ir_label(ir), inside = ir_label(ir), next = ir_label(ir), c = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	s = rtb_str(&b, ir_arg(ir, 1));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	ir_jcci(ir, BPF_JLT, at, b.strsize, inside);
	ir_reti(ir, -1);
	ir_place(ir, inside);
	p = rtb_copy(&b, s);
	ir_alu(ir, BPF_ADD, p, at);
	ir_ld(ir, 1, c, p, 0);
	ir_jcc(ir, BPF_JNE, c, ir_arg(ir, 2), next);
	ir_ret(ir, at);
	ir_place(ir, next);
	ir_alui(ir, BPF_SUB, at, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	return rtb_finish(&b, -1);
}

/* c is the byte. */
static void chr_parts(struct chr *c, int slot, int off, int byte, int last)
{
	struct ir *ir = c->b.ir;
	int down = ir_label(ir), loop = ir_label(ir), more = ir_label(ir), i = rtb_imm(&c->b, 0), at, r;

	off = rtb_copy(&c->b, off);
	ir_jcci(ir, BPF_JNE, last, 0, down);
	ir_ret(ir, rtb_parts(&c->b, "rt_findchr_part", 4, (int[]){slot, off, byte, rtb_imm(&c->b, 0)}, 1 << 1, true));
	ir_place(ir, down);
	at = rtb_copy(&c->b, rtb_strlen(&c->b, c->s));
	ir_place(ir, loop);
	r = rtb_copy(&c->b, ir_call_func(ir, "rt_lastchr_part", 4, (int[]){slot, off, byte, at}));
	ir_jcci(ir, BPF_JEQ, r, RTB_MORE, more);
	ir_ret(ir, r);
	ir_place(ir, more);
	ir_alui(ir, BPF_SUB, at, RT_PART);
	ir_alui(ir, BPF_ADD, i, RT_PART);
	ir_jcci(ir, BPF_JLE, i, c->b.strsize, loop);
	ir_jmp(ir, c->b.fail);
}

static struct code *build_findchr(struct rt *rt, const char *name)
{
	struct chr c;
	int length, last, n;
	struct ir *ir;

	rtb_start(&c.b, rt, name, 4);
	ir = c.b.ir;
	length = ir_label(ir), last = ir_label(ir);
	rtb_slot(&c.b, ir_arg(ir, 0));
	c.s = rtb_str(&c.b, ir_arg(ir, 1));
	c.chars = rtb_copy(&c.b, ir_arg(ir, 2));
	ir_alui(ir, BPF_AND, c.chars, 0xff);
	ir_jcci(ir, BPF_JEQ, c.chars, 0, length);
	if (c.b.whole && !c.b.part) {
		chr_parts(&c, ir_arg(ir, 0), ir_arg(ir, 1), c.chars, ir_arg(ir, 3));
		goto end;
	}
	ir_alui(ir, BPF_MUL, c.chars, 0x0101010101010101);
	c.p = rtb_copy(&c.b, c.s);
	c.i = rtb_imm(&c.b, 0);
	ir_jcci(ir, BPF_JNE, ir_arg(ir, 3), 0, last);
	chr_first(&c);
	ir_place(ir, last);
	if (!c.b.part)
		chr_last(&c);
end:
	ir_place(ir, length);
	n = rtb_strlen(&c.b, c.s);
	ir_ret(ir, n);
	return rtb_finish(&c.b, -1);
}

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
	    room;

	ir_jcci(ir, BPF_JSGE, index, 0, inside);
	ir_alu(ir, BPF_ADD, index, len);
	ir_jcci(ir, BPF_JSGE, index, 0, inside);
	ir_alu(ir, BPF_ADD, n, index); /* what is before the beginning is lost */
	ir_jcci(ir, BPF_JSLE, n, 0, empty);
	ir_movi(ir, index, 0);
	ir_place(ir, inside);
	ir_jcc(ir, BPF_JSGE, index, len, empty);
	room = rtb_copy(b, len);
	ir_alu(ir, BPF_SUB, room, index);
	ir_jcci(ir, BPF_JSGE, n, 0, cut);
	ir_alu(ir, BPF_ADD, n, room);
	ir_jcci(ir, BPF_JSLT, n, 0, empty);
	ir_place(ir, cut);
	ir_jcc(ir, BPF_JSLE, n, room, done);
	ir_mov(ir, n, room);
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
	int loop = ir_label(ir), p = rtb_copy(b, s->src), w = ir_reg(ir), n = rtb_imm(b, 0), slashes, zeros, ended, set;

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
		rtb_parts(b, "rt_words_part", 3, (int[]){ir_arg(ir, 0), rtb_copy(b, ir_arg(ir, 2)), rtb_imm(b, 0)},
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

/* The table says of each byte: 0 part of a token, 1 delimiter, 2 end. */
static void tok_table(struct rtb *b, int delims)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), next = ir_label(ir), done = ir_label(ir), i, c = ir_reg(ir), p;

	for (int k = 0; k < 256; k += 8)
		ir_sti(ir, 8, b->priv, PRIV_TABLE + k, 0);
	i = rtb_imm(b, 0);
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
	ir_jcci(ir, BPF_JLT, i, MIN(b->strsize, 2 * RT_PART), loop);
	if (b->whole) /* all bytes are in it by then, or nobody will miss one */
		ir_sti(ir, 1, b->priv, PRIV_TABLE, 2);
	else
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
	ir_alu(ir, BPF_ADD, end, rtb_parts(b, "rt_scan_part", 3, (int[]){slot, at, rtb_imm(b, delimiters)}, 1 << 1, true));
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
	int dst, src, delims, pos, kind, begin, end, some, n;
	struct ir *ir;

	rtb_start(&b, rt, name, 5);
	ir = b.ir;
	some = ir_label(ir), kind = ir_reg(ir), pos = ir_arg(ir, 4);
	rtb_slot(&b, ir_arg(ir, 0));
	dst = rtb_str(&b, ir_arg(ir, 1));
	src = rtb_str(&b, ir_arg(ir, 2));
	delims = rtb_str(&b, ir_arg(ir, 3));
	tok_table(&b, delims);
	ir_jcci(ir, BPF_JGT, pos, b.strsize - 1, b.fail);
	begin = b.whole ? tok_scan_parts(&b, ir_arg(ir, 0), ir_arg(ir, 2), pos, kind, true) : tok_scan(&b, src, pos, kind, true);
	ir_jcci(ir, BPF_JNE, kind, 2, some);
	rtb_ret_word(&b, dst, TEXT_NULL, -1);
	ir_place(ir, some);
	end = b.whole ? tok_scan_parts(&b, ir_arg(ir, 0), ir_arg(ir, 2), begin, kind, false) : tok_scan(&b, src, begin, kind, false);
	n = rtb_copy(&b, end);
	ir_alu(ir, BPF_SUB, n, begin);
	/* A delimiter is passed over (kind 1), the end is not (kind 2). */
	ir_alui(ir, BPF_ADD, end, 2);
	ir_alu(ir, BPF_SUB, end, kind);
	rtb_put(&b, 3, end);
	rtb_copy_out(&b, dst, src, begin, n, b.strsize);
	rtb_ret_cell(&b, 3);
	return rtb_finish(&b, -1);
}

const struct rt_def rt_str_defs[] = {
    {"rt_strcmp", build_strcmp},   {"rt_match", build_match},
    {"rt_strcmp_part", build_strcmp}, {"rt_match_part", build_match},
    {"rt_find_part", build_find_part}, {"rt_rfind_part", build_rfind_part},
    {"rt_case_part", build_case}, {"rt_findchr_part", build_findchr},
    {"rt_lastchr_part", build_lastchr_part}, {"rt_words_part", build_words_part},
    {"rt_scan_part", build_scan_part},
    {"rt_find", build_find},	   {"rt_rfind", build_rfind},
    {"rt_findchr", build_findchr}, {"rt_case", build_case},
    {"rt_substr", build_substr},
	{"rt_basename", build_basename},
	{"rt_dirname", build_dirname},
	{"rt_strtok", build_strtok},   {NULL, NULL},
};
