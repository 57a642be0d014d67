/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routines that compare strings and search in them.
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
 * text may begin anywhere in a string. Where there are no global functions this is a loop within a
 * loop of the caller, which loads as long as returning comes first.
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
	p = rtb_inside(&b, ir_arg(ir, 1));
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

/* Not at the end of the string: only an empty needle is there, and it is found at the start. */
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
	ir_jcc(ir, BPF_JGT, left, i, loop);
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

/* Of long strings: the hay from an offset on, so many bytes of it; or its position to go down
 * from. */
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
	int loop = ir_label(ir), more = ir_label(ir), i = rtb_imm(&s->b, 0), r, n = ir_reg(ir),
	    at = ir_reg(ir);

	ir_place(ir, loop);
	ir_mov(ir, at, s->hay_off);
	ir_mov(ir, n, last ? s->start : s->len);
	if (!last) {
		ir_alu(ir, BPF_ADD, at, s->start);
		ir_alu(ir, BPF_SUB, n, s->start);
		ir_jcci(ir, BPF_JSLT, n, 0, s->b.fail);
	}
	r = rtb_copy(&s->b, ir_call_func(ir, last ? "rt_rfind_part" : "rt_find_part", 4,
					 (int[]){s->slot, at, s->needle_off, n}));
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
	int down = ir_label(ir), loop = ir_label(ir), more = ir_label(ir), i = rtb_imm(&c->b, 0),
	    at, r;

	off = rtb_copy(&c->b, off);
	ir_jcci(ir, BPF_JNE, last, 0, down);
	ir_ret(ir, rtb_parts(&c->b, "rt_findchr_part", 4,
			     (int[]){slot, off, byte, rtb_imm(&c->b, 0)}, 1 << 1, true));
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

const struct rt_def rt_find_defs[] = {
    {"rt_strcmp", build_strcmp},
    {"rt_strcmp_part", build_strcmp},
    {"rt_match", build_match},
    {"rt_match_part", build_match},
    {"rt_find", build_find},
    {"rt_find_part", build_find_part},
    {"rt_rfind", build_rfind},
    {"rt_rfind_part", build_rfind_part},
    {"rt_findchr", build_findchr},
    {"rt_findchr_part", build_findchr},
    {"rt_lastchr_part", build_lastchr_part},
    {NULL, NULL},
};
