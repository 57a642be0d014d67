/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Optimisation between building and register allocation: value numbering (vn.c), then removal of
 * dead code.
 */
#include "bpf/ins.h"

/* ---- constants, as the machine computes them ---- */

static uint64_t fold64(int op, uint64_t x, uint64_t y)
{
	switch (op) {
	case BPF_ADD:
		return x + y;
	case BPF_SUB:
		return x - y;
	case BPF_MUL:
		return x * y;
	case BPF_DIV:
		return y ? x / y : 0;
	case BPF_MOD:
		return y ? x % y : x;
	case BPF_OR:
		return x | y;
	case BPF_AND:
		return x & y;
	case BPF_XOR:
		return x ^ y;
	case BPF_LSH:
		return x << (y & 63);
	case BPF_RSH:
		return x >> (y & 63);
	default:
		return (int64_t)x >> (y & 63);
	}
}

int64_t fold_alu(int op, bool w, int64_t x, int64_t y)
{
	if (!w)
		return fold64(op, x, y);
	if (op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH)
		y &= 31;
	if (op == BPF_ARSH)
		return (uint32_t)((int32_t)x >> y);
	return (uint32_t)fold64(op, (uint32_t)x, (uint32_t)y);
}

bool fold_cond(int op, uint64_t x, uint64_t y)
{
	switch (op) {
	case BPF_JEQ:
		return x == y;
	case BPF_JNE:
		return x != y;
	case BPF_JGT:
		return x > y;
	case BPF_JGE:
		return x >= y;
	case BPF_JLT:
		return x < y;
	case BPF_JLE:
		return x <= y;
	case BPF_JSGT:
		return (int64_t)x > (int64_t)y;
	case BPF_JSGE:
		return (int64_t)x >= (int64_t)y;
	case BPF_JSLT:
		return (int64_t)x < (int64_t)y;
	case BPF_JSLE:
		return (int64_t)x <= (int64_t)y;
	default:
		return x & y;
	}
}

int64_t fold_sext(int64_t x, int bits)
{
	return (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
}

int64_t fold_bswap(int64_t x, int bits)
{
	switch (bits) {
	case 16:
		return __builtin_bswap16(x);
	case 32:
		return __builtin_bswap32(x);
	default:
		return __builtin_bswap64(x);
	}
}

int cond_invert(int cond)
{
	switch (cond) {
	case BPF_JEQ:
		return BPF_JNE;
	case BPF_JNE:
		return BPF_JEQ;
	case BPF_JGT:
		return BPF_JLE;
	case BPF_JLE:
		return BPF_JGT;
	case BPF_JGE:
		return BPF_JLT;
	case BPF_JLT:
		return BPF_JGE;
	case BPF_JSGT:
		return BPF_JSLE;
	case BPF_JSLE:
		return BPF_JSGT;
	case BPF_JSGE:
		return BPF_JSLT;
	case BPF_JSLT:
		return BPF_JSGE;
	default:
		return -1;
	}
}

int cond_swap(int cond)
{
	switch (cond) {
	case BPF_JGT:
		return BPF_JLT;
	case BPF_JLT:
		return BPF_JGT;
	case BPF_JGE:
		return BPF_JLE;
	case BPF_JLE:
		return BPF_JGE;
	case BPF_JSGT:
		return BPF_JSLT;
	case BPF_JSLT:
		return BPF_JSGT;
	case BPF_JSGE:
		return BPF_JSLE;
	case BPF_JSLE:
		return BPF_JSGE;
	default:
		return cond;
	}
}

/* ---- dead code ---- */

/* How many low bits of a register are needed from here on; 0 when it is dead. */
struct needs {
	uint8_t *of;
};

static int mask_bits(int64_t imm)
{
	return imm < 0 ? 64 : imm ? 64 - __builtin_clzll(imm) : 0;
}

/* Of the operands of an instruction whose result is needed to so many bits. */
static int operand_bits(const struct ins *in, int need)
{
	if (need > 32 && in->w)
		need = 32;
	switch (in->kind) {
	case INS_MOV:
	case INS_NEG:
		return need;
	case INS_MOVW:
		return MIN(need, 32);
	case INS_SEXT:
	case INS_BSWAP:
		return MIN((int)in->imm, 64);
	case INS_ALU:
	case INS_ALUI:
		break;
	default:
		return 64;
	}
	switch (in->op) {
	case BPF_AND:
		return in->kind == INS_ALUI ? MIN(need, mask_bits(in->imm)) : need;
	case BPF_ADD:
	case BPF_SUB:
	case BPF_MUL:
	case BPF_OR:
	case BPF_XOR:
		return need;
	case BPF_LSH:
		return in->kind == INS_ALUI ? MAX(need - (int)in->imm, 0) : 64;
	default:
		return in->w && in->op != BPF_LSH ? 32 : 64;
	}
}

static void need(struct needs *needs, int reg, int bits)
{
	if (reg != REG_NONE && reg != IR_FP && bits > needs->of[reg])
		needs->of[reg] = bits;
}

/*
 * An extension whose upper bits are unused, or a mask that keeps all used bits, has no effect.
 */
static bool changes_nothing(const struct ins *in, int needed)
{
	switch (in->kind) {
	case INS_SEXT:
		return needed <= in->imm;
	case INS_MOVW:
		return needed <= 32 && in->dst == in->src;
	case INS_ALUI:
		return in->op == BPF_AND && needed < 64 &&
		       ((uint64_t)~in->imm << (64 - needed)) == 0 && (!in->w || needed <= 32);
	default:
		return false;
	}
}

static void note_needs(struct needs *needs, const struct ins *in, int needed)
{
	struct roles r = ins_roles(in);
	int bits = MAX(operand_bits(in, needed), 1),
	    src = bits; /* what is read must have been written */

	if (in->kind == INS_ST)
		src = in->size * 8;
	else if (in->kind == INS_ALU && in->op == BPF_LSH)
		bits = src = 64;
	if (r.dst_use)
		need(needs, in->dst, bits);
	if (r.src_use)
		need(needs, in->src, src);
	for (unsigned uses = r.uses; uses; uses &= uses - 1)
		need(needs, __builtin_ctz(uses), 64);
}

static bool remove_in_block(struct ir *ir, struct block *bl, struct needs *needs)
{
	bool changed = false;

	for (int i = bl->end - 1; i >= bl->start; i--) {
		struct ins *in = &ir->ins.v[i];
		int regs[8], n = ins_defs(in, regs), needed = 0;

		for (int k = 0; k < n; k++)
			needed = MAX(needed, needs->of[regs[k]]);
		if (n && ins_is_pure(in) && (!needed || changes_nothing(in, needed))) {
			in->kind = INS_NOP;
			changed = true;
			continue;
		}
		for (int k = 0; k < n; k++)
			needs->of[regs[k]] = 0;
		note_needs(needs, in, needed);
	}
	return changed;
}

/* The upper half of something, signed: one shift instead of three. */
static void join_shifts(struct ir *ir)
{
	for (int i = 0; i + 1 < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i], *next = in + 1;

		if (in->kind == INS_ALUI && in->op == BPF_RSH && !in->w && next->kind == INS_SEXT &&
		    next->dst == in->dst && in->imm + next->imm == 64) {
			in->op = BPF_ARSH;
			next->kind = INS_NOP;
		}
	}
}

static bool remove_unneeded(struct ir *ir)
{
	struct arena *mem = arena_new();
	struct flow *f = flow_build(ir, mem);
	struct needs needs = {arena_alloc(mem, ir->nregs)};
	bool changed = false;

	flow_live(f, ir);
	for (int b = 0; b < f->n; b++) {
		struct block *bl = &f->blocks[b];

		for (int g = flow_next(f, bl->live_out, 0); g >= 0;
		     g = flow_next(f, bl->live_out, g + 1))
			needs.of[f->global[g]] = 64;
		changed |= remove_in_block(ir, bl, &needs);
		for (int g = flow_next(f, bl->live_out, 0); g >= 0;
		     g = flow_next(f, bl->live_out, g + 1))
			needs.of[f->global[g]] = 0;
		for (int i = bl->start; i < bl->end; i++) {
			int regs[8], n = ins_uses(&ir->ins.v[i], regs);

			for (int k = 0; k < n; k++)
				needs.of[regs[k]] = 0;
		}
	}
	arena_free(mem);
	return changed;
}

enum { ROUNDS = 2 };

void opt_run(struct ir *ir)
{
	for (int round = 0; round < ROUNDS && !ir->error; round++) {
		vn_run(ir);
		flow_clean(ir);
		/* Each pass uncovers what only the last one's leavings needed: a few are enough. */
		for (int pass = 0; pass < 4 && !ir->error && remove_unneeded(ir); pass++)
			flow_clean(ir);
		join_shifts(ir);
	}
}
