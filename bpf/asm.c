/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From instructions with machine registers to struct bpf_insn. */
#include <string.h>

#include "bpf/ins.h"

struct enc {
	struct ir *ir;
	struct code *code;
	int *at;	/* label -> instruction of the machine */
	VEC(int) jumps; /* pairs: machine instruction, label */
};

static void put(struct enc *e, int code, int dst, int src, int off, int32_t imm)
{
	struct bpf_insn insn = {.code = code, .off = off, .imm = imm};

	insn.dst_reg = dst == REG_NONE ? 0 : dst;
	insn.src_reg = src == REG_NONE ? 0 : src;
	ir_vec_push(e->ir->mem, &e->code->insns, insn);
}

static void put_imm64(struct enc *e, int dst, int src, uint64_t imm)
{
	put(e, BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, (int32_t)imm);
	put(e, 0, 0, 0, 0, (int32_t)(imm >> 32));
}

static void put_reloc(struct enc *e, enum reloc_kind kind, const struct ins *in)
{
	struct reloc r = {.kind = kind, .insn = e->code->insns.n};

	r.map = in->map;
	r.func = in->func;
	if (kind == RELOC_MAP_MEM)
		r.off = in->imm;
	ir_vec_push(e->ir->mem, &e->code->relocs, r);
}

static int size_code(int size)
{
	switch (size) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		return BPF_DW;
	}
}

static void put_sext(struct enc *e, int dst, int bits)
{
	put(e, BPF_ALU64 | BPF_LSH | BPF_K, dst, 0, 0, 64 - bits);
	put(e, BPF_ALU64 | BPF_ARSH | BPF_K, dst, 0, 0, 64 - bits);
}

static void put_movi(struct enc *e, int dst, int64_t imm)
{
	if (imm == (int32_t)imm)
		put(e, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
	else if (imm == (int64_t)(uint32_t)imm)
		put(e, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 0, (int32_t)imm);
	else
		put_imm64(e, dst, 0, imm);
}

static void put_frame(struct enc *e, int dst, int64_t off)
{
	put(e, BPF_ALU64 | BPF_MOV | BPF_X, dst, IR_FP, 0, 0);
	if (off)
		put(e, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, off);
}

static void put_jump(struct enc *e, const struct ins *in, int code)
{
	ir_vec_push(e->ir->mem, &e->jumps, e->code->insns.n);
	ir_vec_push(e->ir->mem, &e->jumps, in->label);
	if (in->kind == INS_JMP)
		put(e, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	else
		put(e, BPF_JMP | code, in->dst, in->src, 0, in->kind == INS_JCCI ? in->imm : 0);
}

static void put_call(struct enc *e, const struct ins *in)
{
	if (in->kind == INS_CALL) {
		put(e, BPF_JMP | BPF_CALL, 0, 0, 0, in->imm);
		return;
	}
	put_reloc(e, RELOC_CALL, in);
	put(e, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, -1);
}

static void put_ins(struct enc *e, const struct ins *in)
{
	int alu = in->w ? BPF_ALU : BPF_ALU64, size = size_code(in->size);

	switch (in->kind) {
	case INS_LABEL:
		e->at[in->label] = e->code->insns.n;
		break;
	case INS_MOV:
		put(e, BPF_ALU64 | BPF_MOV | BPF_X, in->dst, in->src, 0, 0);
		break;
	case INS_MOVW:
		put(e, BPF_ALU | BPF_MOV | BPF_X, in->dst, in->src, 0, 0);
		break;
	case INS_MOVI:
		put_movi(e, in->dst, in->imm);
		break;
	case INS_ALU:
		put(e, alu | in->op | BPF_X, in->dst, in->src, 0, 0);
		break;
	case INS_ALUI:
		put(e, alu | in->op | BPF_K, in->dst, 0, 0, in->imm);
		break;
	case INS_NEG:
		put(e, BPF_ALU64 | BPF_NEG, in->dst, 0, 0, 0);
		break;
	case INS_BSWAP:
		put(e, BPF_ALU | BPF_END | BPF_TO_BE, in->dst, 0, 0, in->imm);
		break;
	case INS_SEXT:
		put_sext(e, in->dst, in->imm);
		break;
	case INS_UNLINK: /* arithmetic ends what makes it equal to another register */
		put(e, BPF_ALU64 | BPF_XOR | BPF_K, in->dst, 0, 0, 0);
		break;
	case INS_LD:
		put(e, BPF_LDX | BPF_MEM | size, in->dst, in->src, in->off, 0);
		break;
	case INS_ST:
		put(e, BPF_STX | BPF_MEM | size, in->dst, in->src, in->off, 0);
		break;
	case INS_STI:
		put(e, BPF_ST | BPF_MEM | size, in->dst, 0, in->off, in->imm);
		break;
	case INS_ATOMIC:
		put(e, BPF_STX | BPF_ATOMIC | size, in->dst, in->src, in->off, in->imm);
		break;
	case INS_JMP:
		put_jump(e, in, 0);
		break;
	case INS_JCC:
		put_jump(e, in, in->op | BPF_X);
		break;
	case INS_JCCI:
		put_jump(e, in, in->op | BPF_K);
		break;
	case INS_CALL:
	case INS_CALL_FUNC:
		put_call(e, in);
		break;
	case INS_MAP:
		put_reloc(e, RELOC_MAP, in);
		put_imm64(e, in->dst, BPF_PSEUDO_MAP_FD, 0);
		break;
	case INS_MAP_MEM:
		put_reloc(e, RELOC_MAP_MEM, in);
		put_imm64(e, in->dst, BPF_PSEUDO_MAP_VALUE, (uint64_t)in->imm << 32);
		break;
	case INS_FRAME:
		put_frame(e, in->dst, in->imm);
		break;
	case INS_EXIT:
		put(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		break;
	}
}

static void note_line(struct enc *e, struct loc loc)
{
	struct code *code = e->code;
	struct line line = {code->insns.n, loc}, *last;

	last = code->lines.n ? &code->lines.v[code->lines.n - 1] : NULL;
	if (last ? last->loc.src == loc.src && last->loc.off == loc.off && last->loc.len == loc.len
		 : !loc.src)
		return;
	if (last && last->insn == line.insn)
		last->loc = loc;
	else
		ir_vec_push(e->ir->mem, &code->lines, line);
}

static void resolve_jumps(struct enc *e)
{
	for (int k = 0; k < e->jumps.n; k += 2) {
		int from = e->jumps.v[k], off = e->at[e->jumps.v[k + 1]] - from - 1;

		if (off != (int16_t)off)
			ir_fail(e->ir, "function too large");
		e->code->insns.v[from].off = off;
	}
}

static void *copy(struct arena *a, const void *from, size_t size)
{
	return size ? memcpy(arena_alloc(a, size), from, size) : NULL;
}

/* The code outlives the memory that it was made in. */
static void keep(struct enc *e)
{
	struct arena *out = e->ir->out;
	struct code *c = e->code;

	c->insns.v = copy(out, c->insns.v, c->insns.n * sizeof(*c->insns.v));
	c->relocs.v = copy(out, c->relocs.v, c->relocs.n * sizeof(*c->relocs.v));
	c->lines.v = copy(out, c->lines.v, c->lines.n * sizeof(*c->lines.v));
}

struct code *asm_run(struct ir *ir)
{
	struct enc e = {.ir = ir, .code = arena_alloc(ir->out, sizeof(struct code))};

	e.code->name = ir->name;
	e.code->nargs = ir->nargs;
	e.code->memory = ir->memory;
	e.at = arena_alloc(ir->mem, sizeof(int) * (ir->nlabels + 1));
	for (int i = 0; i < ir->ins.n && !ir->error; i++) {
		const struct ins *in = &ir->ins.v[i];

		if (in->kind != INS_LABEL)
			note_line(&e, in->loc);
		put_ins(&e, in);
	}
	if (!ir->error)
		resolve_jumps(&e);
	e.code->frame_size = ir->nslots * 8;
	e.code->nspills = ir->nspills;
	e.code->error = ir->error;
	keep(&e);
	return e.code;
}
