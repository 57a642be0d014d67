/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of routines, and what they are built with. */
#include "bpf/rt.h"

#include <string.h>

#include "bpf/prog.h"
#include "bpf/rt_build.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a word is its lowest");

/* What was built, so that each routine is built once for all programs. */
struct rt_built {
	struct rt_built *next;
	struct code *code;
};

static struct code *find_built(const struct rt *rt, const char *name)
{
	for (struct rt_built *r = rt->built; r; r = r->next)
		if (!strcmp(r->code->name, name))
			return r->code;
	return NULL;
}

static const struct rt_def *find_def(const char *name)
{
	static const struct rt_def *const families[] = {
	    rt_str_defs,    rt_find_defs,   rt_num_defs,	 rt_text_defs,
	    rt_net_defs,    rt_kern_defs,   rt_path_defs,	 rt_place_defs,
	    rt_packet_defs, rt_unwind_defs, rt_unwind_link_defs, rt_unwind_rule_defs,
	    rt_vma_defs,    rt_orc_defs,    rt_orc_rule_defs,	 rt_orc_start_defs};

	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		for (const struct rt_def *d = families[i]; d->name; d++)
			if (!strcmp(d->name, name))
				return d;
	return NULL;
}

struct code *rt_build(struct rt *rt, const char *name)
{
	struct code *code = find_built(rt, name);
	const struct rt_def *def;

	if (code)
		return code;
	def = find_def(name);
	return def ? def->build(rt, name) : NULL;
}

/* Adding to funcs while walking it reaches what the routines call in turn. */
void rt_link(struct rt *rt, struct prog *p)
{
	for (int i = -1; i < p->funcs.n; i++) {
		const struct code *from = i < 0 ? p->main : p->funcs.v[i];

		for (int k = 0; k < from->relocs.n; k++) {
			struct code *to;

			if (from->relocs.v[k].kind != RELOC_CALL)
				continue;
			to = rt_build(rt, from->relocs.v[k].func);
			if (to)
				prog_add(p, to);
		}
	}
}

static bool in_parts(const struct rt *rt)
{
	return rt->strsize > RT_PART;
}

static bool is_part(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && !strcmp(name + len - 5, "_part");
}

void rtb_more(struct rtb *b)
{
	if (b->part)
		ir_reti(b->ir, RTB_MORE);
}

int rtb_parts(struct rtb *b, const char *part, int nargs, const int *args, unsigned advance,
	      bool positions)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), end = ir_label(ir), on = ir_label(ir), done = ir_label(ir),
	    i = rtb_imm(b, 0), at = rtb_imm(b, 0);
	int r = ir_reg(ir), result = ir_reg(ir);

	ir_place(ir, loop);
	ir_mov(ir, r, ir_call_func(ir, part, nargs, args));
	ir_jcci(ir, BPF_JEQ, r, RTB_MORE, on);
	ir_jmp(ir, end);
	ir_place(ir, on);
	for (int k = 0; k < nargs; k++)
		if (advance & 1u << k)
			ir_alui(ir, BPF_ADD, args[k], RT_PART);
	ir_alui(ir, BPF_ADD, at, RT_PART);
	ir_alui(ir, BPF_ADD, i, RT_PART);
	ir_jcci(ir, BPF_JLE, i, b->strsize, loop);
	ir_jmp(ir, b->fail);
	ir_place(ir, end);
	if (positions) {
		ir_jcci(ir, BPF_JSLT, r, 0, done);
		ir_alu(ir, BPF_ADD, r, at);
	}
	ir_place(ir, done);
	rtb_put(b, 7, r); /* so that all rounds end in the same state */
	ir_ld(ir, 8, result, b->priv, PRIV_CELL + 8 * 7);
	return result;
}

struct code *rtb_in_parts(struct rt *rt, const char *name, int nargs, unsigned advance,
			  bool positions, int32_t fail)
{
	struct strbuf part = {0};
	struct rtb b;
	int args[5];

	if (!in_parts(rt) || is_part(name))
		return NULL;
	rtb_start(&b, rt, name, nargs);
	for (int i = 0; i < nargs; i++)
		args[i] = rtb_copy(&b, ir_arg(b.ir, i));
	rtb_slot(&b, args[0]);
	sb_printf(&part, "%s_part", name);
	ir_ret(b.ir,
	       rtb_parts(&b, arena_strdup(rt->arena, part.s), nargs, args, advance, positions));
	sb_free(&part);
	return rtb_finish(&b, fail);
}

void rtb_start(struct rtb *b, struct rt *rt, const char *name, int nargs)
{
	memset(b, 0, sizeof(*b));
	b->rt = rt;
	b->ir = ir_new(rt->arena, name, nargs);
	b->strsize = rt->strsize;
	b->last_off = (int64_t)rt->slot_size - RT_PRIVATE(rt->strsize);
	b->whole = in_parts(rt);
	b->part = is_part(name);
	b->span = b->whole ? RT_PART : rt->strsize;
	if (b->part) /* it may begin anywhere in a string */
		b->last_off += rt->strsize;
	b->fail = ir_label(b->ir);
	for (int i = 0; i < nargs; i++)
		ir_arg(b->ir, i);
}

struct code *rtb_finish(struct rtb *b, int32_t fail_value)
{
	struct rt *rt = b->rt;
	struct rt_built *r = arena_alloc(rt->arena, sizeof(*r));

	ir_place(b->ir, b->fail);
	ir_reti(b->ir, fail_value);
	r->code = ir_finish(b->ir, NULL, 0);
	r->code->is_global = !rt->feats || feat(rt->feats, FEAT_GLOBAL_FUNC);
	r->next = rt->built;
	rt->built = r;
	return r->code;
}

int rtb_imm(struct rtb *b, int64_t imm)
{
	int r = ir_reg(b->ir);

	ir_movi(b->ir, r, imm);
	return r;
}

int rtb_copy(struct rtb *b, int reg)
{
	int r = ir_reg(b->ir);

	ir_mov(b->ir, r, reg);
	return r;
}

void rtb_slot(struct rtb *b, int slot)
{
	struct ir *ir = b->ir;
	int key = ir_frame(ir, 8), map = ir_reg(ir), addr = ir_reg(ir);

	ir_frame_st(ir, 4, key, 0, slot);
	ir_map(ir, map, b->rt->scratch);
	ir_frame_addr(ir, addr, key, 0);
	b->slot = ir_callv(ir, BPF_FUNC_map_lookup_elem, map, addr);
	ir_frame_free(ir, key);
	ir_jcci(ir, BPF_JEQ, b->slot, 0, b->fail);
	b->priv = rtb_copy(b, b->slot);
	ir_alui(ir, BPF_ADD, b->priv, b->rt->slot_size - RT_PRIVATE(b->strsize));
	b->ones = rtb_imm(b, 0x7f7f7f7f7f7f7f7f);
}

int rtb_at(struct rtb *b, int base, int off, int64_t max)
{
	int p;

	ir_jcci(b->ir, BPF_JGT, off, max, b->fail);
	p = rtb_copy(b, base);
	ir_alu(b->ir, BPF_ADD, p, off);
	return p;
}

int rtb_str(struct rtb *b, int off)
{
	return rtb_at(b, b->slot, off, b->last_off);
}

int rtb_inside(struct rtb *b, int off)
{
	return rtb_at(b, b->slot, off, b->part ? b->last_off : b->last_off + b->strsize);
}

void rtb_put(struct rtb *b, int cell, int reg)
{
	ir_st(b->ir, 8, b->priv, PRIV_CELL + 8 * cell, reg);
}

void rtb_get(struct rtb *b, int cell, int reg, int64_t max)
{
	ir_ld(b->ir, 8, reg, b->priv, PRIV_CELL + 8 * cell);
	ir_jcci(b->ir, BPF_JGT, reg, max, b->fail);
}

int rtb_word(struct rtb *b, int which)
{
	int r = ir_reg(b->ir);

	ir_ld(b->ir, 8, r, b->priv, PRIV_TABLE + 8 * which);
	return r;
}

void rtb_set_word(struct rtb *b, int which, int reg)
{
	ir_st(b->ir, 8, b->priv, PRIV_TABLE + 8 * which, reg);
}

int rtb_peek(struct rtb *b, int addr, int off, int size)
{
	struct ir *ir = b->ir;
	int at = rtb_copy(b, addr), to = rtb_copy(b, b->priv), r;

	ir_alui(ir, BPF_ADD, at, off);
	ir_alui(ir, BPF_ADD, to, PRIV_PEEK);
	r = ir_callv(ir, BPF_FUNC_probe_read_kernel, to, rtb_imm(b, size), at);
	ir_jcci(ir, BPF_JNE, r, 0, b->fail);
	r = ir_reg(ir);
	ir_ld(ir, size, r, b->priv, PRIV_PEEK);
	return r;
}

/*
 * Adding 0x7f to the low seven bits carries into 0x80 unless they are zero, and never into the next
 * byte.
 */
int rtb_zeros(struct rtb *b, int word)
{
	int t = rtb_copy(b, word);

	ir_alu(b->ir, BPF_AND, t, b->ones);
	ir_alu(b->ir, BPF_ADD, t, b->ones);
	ir_alu(b->ir, BPF_OR, t, word);
	ir_alu(b->ir, BPF_OR, t, b->ones);
	return t;
}

void rtb_first(struct rtb *b, int zeros)
{
	int neg;

	ir_alui(b->ir, BPF_XOR, zeros, -1);
	neg = rtb_copy(b, zeros);
	ir_neg(b->ir, neg);
	ir_alu(b->ir, BPF_AND, zeros, neg);
}

/* 1 << 8k times the constant moves the constant's byte of value k to the top. */
void rtb_index(struct rtb *b, int first)
{
	ir_alui(b->ir, BPF_RSH, first, 7);
	ir_alui(b->ir, BPF_MUL, first, 0x0001020304050607);
	ir_alui(b->ir, BPF_RSH, first, 56);
}

void rtb_before(struct rtb *b, int first)
{
	ir_alui(b->ir, BPF_RSH, first, 7);
	ir_alui(b->ir, BPF_SUB, first, 1);
}

/* Halves, then a constant that has the answer for 0 to 15, 2 bits each. */
void rtb_high_bit(struct rtb *b, int n, int k, int bits)
{
	struct ir *ir = b->ir;
	int t = ir_reg(ir);

	ir_movi(ir, k, 0);
	for (bits /= 2; bits >= 4; bits /= 2) {
		int small = ir_label(ir);

		ir_mov(ir, t, n);
		ir_alui(ir, BPF_RSH, t, bits);
		ir_jcci(ir, BPF_JEQ, t, 0, small);
		ir_mov(ir, n, t);
		ir_alui(ir, BPF_ADD, k, bits);
		ir_place(ir, small);
	}
	ir_alui(ir, BPF_LSH, n, 1);
	ir_movi(ir, t, 0xffffaa50);
	ir_alu(ir, BPF_RSH, t, n);
	ir_alui(ir, BPF_AND, t, 3);
	ir_alu(ir, BPF_ADD, k, t);
}

/* Helpers do for long strings what a loop does faster for short ones; here the text is copied
 * onto itself. */
static int long_strlen(struct rtb *b, int ptr)
{
	int n = rtb_copy(b, ir_callv(b->ir, BPF_FUNC_probe_read_kernel_str, ptr,
				     rtb_imm(b, b->strsize), rtb_copy(b, ptr)));

	ir_alui(b->ir, BPF_SUB, n, 1);
	ir_jcci(b->ir, BPF_JGT, n, b->strsize - 1, b->fail);
	return n;
}

/* Text without a NUL comes out as strsize, which the check at the end refuses. */
int rtb_strlen(struct rtb *b, int ptr)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), end = ir_label(ir), done = ir_label(ir);
	int p = rtb_copy(b, ptr), i = rtb_imm(b, 0), w = ir_reg(ir), t;

	if (b->whole)
		return long_strlen(b, ptr);
	ir_place(ir, loop);
	ir_ld(ir, 8, w, p, 0);
	t = rtb_zeros(b, w);
	ir_jcci(ir, BPF_JNE, t, -1, end);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_jcci(ir, BPF_JLT, i, b->strsize, loop);
	ir_jmp(ir, b->fail);
	ir_place(ir, end);
	rtb_first(b, t);
	rtb_index(b, t);
	ir_alu(ir, BPF_ADD, t, i);
	rtb_put(b, 0, t);
	ir_jmp(ir, done);
	ir_place(ir, done);
	t = ir_reg(ir);
	rtb_get(b, 0, t, b->strsize - 1);
	return t;
}

/* Copies whole words, and then cuts: 8 zero bytes from the end on reach the next multiple of 8. */
void rtb_copy_out(struct rtb *b, int dst, int src, int from, int n, int max)
{
	struct ir *ir = b->ir;
	int start = ir_label(ir), some = ir_label(ir), loop = ir_label(ir), end = ir_label(ir);
	int done = ir_label(ir);
	int d, s, i, w = ir_reg(ir), pos = ir_reg(ir), count = ir_reg(ir), len = ir_reg(ir);

	max = MIN(max, b->strsize - 1);
	rtb_put(b, 0, n);
	rtb_put(b, 1, from);
	ir_jmp(ir, start);
	ir_place(ir, start);
	rtb_get(b, 0, count, max);
	rtb_get(b, 1, pos, MAX(b->strsize, PRIV_DIGITS));
	ir_jcci(ir, BPF_JNE, count, 0, some);
	ir_sti(ir, 8, dst, 0, TEXT_EMPTY);
	ir_jmp(ir, done);
	ir_place(ir, some);
	d = rtb_copy(b, dst);
	s = rtb_copy(b, src);
	ir_alu(ir, BPF_ADD, s, pos);
	if (b->whole && max > RT_PART) {
		ir_callv(ir, BPF_FUNC_probe_read_kernel, d, count, s);
		ir_jmp(ir, end);
	}
	i = rtb_imm(b, 0);
	ir_place(ir, loop);
	ir_ld(ir, 8, w, s, 0);
	ir_st(ir, 8, d, 0, w);
	ir_alui(ir, BPF_ADD, s, 8);
	ir_alui(ir, BPF_ADD, d, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_jcc(ir, BPF_JLE, count, i, end);
	ir_jcci(ir, BPF_JLT, i, MIN(max, b->span), loop);
	ir_place(ir, end);
	rtb_get(b, 0, len, max);
	d = rtb_copy(b, dst);
	ir_alu(ir, BPF_ADD, d, len);
	ir_sti(ir, 8, d, 0, 0);
	ir_place(ir, done);
}

void rtb_ret_cell(struct rtb *b, int cell)
{
	int r = ir_reg(b->ir);

	ir_ld(b->ir, 8, r, b->priv, PRIV_CELL + 8 * cell);
	ir_ret(b->ir, r);
}

void rtb_ret_word(struct rtb *b, int dst, int32_t word, int32_t r)
{
	ir_sti(b->ir, 8, dst, 0, word);
	ir_reti(b->ir, r);
}
