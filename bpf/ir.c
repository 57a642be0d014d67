/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building functions, and what one may ask about an instruction. */
#include "bpf/ir.h"

#include <limits.h>
#include <string.h>

#include "bpf/ins.h"

#define MAX_REGS 200000
#define MAX_INS 1000000
#define TEXT(number) TEXT_(number)
#define TEXT_(number) #number

void *ir_grow(struct arena *mem, void *v, int n, int *cap, size_t size)
{
	int old = *cap;

	if (n < old)
		return v;
	*cap = old ? old * 2 : 16;
	return arena_grow(mem, v, (size_t)old * size, (size_t)*cap * size);
}

void ir_fail(struct ir *ir, const char *error)
{
	if (!ir->error)
		ir->error = error;
}

static struct ins *emit(struct ir *ir, int kind)
{
	struct ins in = {
	    .kind = kind, .dst = REG_NONE, .src = REG_NONE, .label = -1, .loc = ir->loc};

	if (ir->ins.n >= MAX_INS) {
		ir_fail(ir, "more than " TEXT(MAX_INS) " instructions");
		ir->ins.n--;
	}
	ir_vec_push(ir->mem, &ir->ins, in);
	return &ir->ins.v[ir->ins.n - 1];
}

static struct ins *emit_regs(struct ir *ir, int kind, int dst, int src)
{
	struct ins *in = emit(ir, kind);

	in->dst = dst;
	in->src = src;
	return in;
}

struct ir *ir_new(struct arena *a, const char *name, int nargs)
{
	struct ir *ir = arena_alloc(a, sizeof(*ir));

	ir->mem = arena_part(a);
	ir->out = a;
	ir->name = arena_strdup(a, name);
	ir->nargs = nargs;
	ir->nregs = IR_VIRTUAL;
	for (int i = 0; i < nargs; i++) {
		ir->args[i] = ir_reg(ir);
		ir_mov(ir, ir->args[i], i + 1);
	}
	return ir;
}

void ir_drop(struct ir *ir)
{
	arena_free(ir->mem);
	ir->mem = NULL;
}

int ir_reg(struct ir *ir)
{
	if (ir->nregs >= MAX_REGS) {
		ir_fail(ir, "more than " TEXT(MAX_REGS) " virtual registers");
		return IR_VIRTUAL;
	}
	return ir->nregs++;
}

int ir_label(struct ir *ir)
{
	return ir->nlabels++;
}

void ir_place(struct ir *ir, int label)
{
	emit(ir, INS_LABEL)->label = label;
}

void ir_loc(struct ir *ir, struct loc loc)
{
	ir->loc = loc;
}

int ir_arg(struct ir *ir, int n)
{
	if (n < 0 || n >= ir->nargs) {
		ir_fail(ir, "no such argument");
		return IR_VIRTUAL;
	}
	return ir->args[n];
}

int ir_arg_memory(struct ir *ir, int bytes)
{
	ir->memory = bytes;
	return ir_arg(ir, 0);
}

void ir_mov(struct ir *ir, int dst, int src)
{
	emit_regs(ir, INS_MOV, dst, src);
}

void ir_movi(struct ir *ir, int dst, int64_t imm)
{
	emit_regs(ir, INS_MOVI, dst, REG_NONE)->imm = imm;
}

static void emit_alu(struct ir *ir, int op, int dst, int src, bool w)
{
	struct ins *in = emit_regs(ir, INS_ALU, dst, src);

	in->op = op;
	in->w = w;
}

/*
 * The verifier refuses immediate divisors of 0 and shifts beyond the width; registers do have a
 * meaning there.
 */
static void emit_alui(struct ir *ir, int op, int dst, int64_t imm, bool w)
{
	struct ins *in;

	if (op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH)
		imm &= w ? 31 : 63;
	if (imm == 0 && op == BPF_DIV) {
		ir_movi(ir, dst, 0);
		return;
	}
	if (imm == 0 && op == BPF_MOD) {
		if (w)
			ir_zext(ir, dst, 32);
		return;
	}
	if (imm != (int32_t)imm) {
		int r = ir_reg(ir);

		ir_movi(ir, r, imm);
		emit_alu(ir, op, dst, r, w);
		return;
	}
	in = emit_regs(ir, INS_ALUI, dst, REG_NONE);
	in->op = op;
	in->imm = imm;
	in->w = w;
}

void ir_alu(struct ir *ir, int op, int dst, int src)
{
	emit_alu(ir, op, dst, src, false);
}

void ir_alui(struct ir *ir, int op, int dst, int64_t imm)
{
	emit_alui(ir, op, dst, imm, false);
}

void ir_aluw(struct ir *ir, int op, int dst, int src)
{
	emit_alu(ir, op, dst, src, true);
}

void ir_aluwi(struct ir *ir, int op, int dst, int32_t imm)
{
	emit_alui(ir, op, dst, imm, true);
}

void ir_neg(struct ir *ir, int dst)
{
	emit_regs(ir, INS_NEG, dst, REG_NONE);
}

void ir_bswap(struct ir *ir, int dst, int bits)
{
	emit_regs(ir, INS_BSWAP, dst, REG_NONE)->imm = bits;
}

void ir_sext(struct ir *ir, int dst, int bits)
{
	if (bits < 64)
		emit_regs(ir, INS_SEXT, dst, REG_NONE)->imm = bits;
}

void ir_unlink(struct ir *ir, int dst)
{
	emit_regs(ir, INS_UNLINK, dst, REG_NONE);
}

void ir_zext(struct ir *ir, int dst, int bits)
{
	if (bits == 32)
		emit_regs(ir, INS_MOVW, dst, dst);
	else if (bits < 32)
		ir_alui(ir, BPF_AND, dst, (1 << bits) - 1);
}

/* The machine's offsets have 16 bits: what is more is added to the base, in steps that neighbours
 * share. */
static int near_base(struct ir *ir, int base, int off)
{
	int near;

	if (off == (int16_t)off)
		return base;
	near = ir_reg(ir);
	ir_mov(ir, near, base);
	ir_alui(ir, BPF_ADD, near, (int64_t)off - (int16_t)off);
	return near;
}

static struct ins *emit_mem(struct ir *ir, int kind, int size, int dst, int src, int off)
{
	struct ins *in;

	if (kind == INS_LD)
		src = near_base(ir, src, off);
	else
		dst = near_base(ir, dst, off);
	in = emit_regs(ir, kind, dst, src);
	in->size = size;
	in->off = (int16_t)off;
	return in;
}

void ir_ld(struct ir *ir, int size, int dst, int base, int off)
{
	emit_mem(ir, INS_LD, size, dst, base, off);
}

void ir_ld_const(struct ir *ir, int size, int dst, int base, int off)
{
	emit_mem(ir, INS_LD, size, dst, base, off)->pure = true;
}

int ir_ctx_word(struct ir *ir, int which)
{
	int r = ir_reg(ir);

	ir_ld_const(ir, 8, r, ir_arg(ir, 0), 8 * which);
	return r;
}

void ir_st(struct ir *ir, int size, int base, int off, int src)
{
	emit_mem(ir, INS_ST, size, base, src, off);
}

void ir_sti(struct ir *ir, int size, int base, int off, int32_t imm)
{
	emit_mem(ir, INS_STI, size, base, REG_NONE, off)->imm = imm;
}

void ir_atomic(struct ir *ir, int op, int size, int base, int off, int src)
{
	emit_mem(ir, INS_ATOMIC, size, base, src, off)->imm = op;
}

void ir_cmpxchg(struct ir *ir, int size, int dst, int base, int off, int expect, int src)
{
	ir_mov(ir, IR_R0, expect);
	emit_mem(ir, INS_ATOMIC, size, base, src, off)->imm = BPF_CMPXCHG;
	ir_mov(ir, dst, IR_R0);
}

void ir_jmp(struct ir *ir, int label)
{
	emit(ir, INS_JMP)->label = label;
}

void ir_jcc(struct ir *ir, int cond, int a, int b, int label)
{
	struct ins *in = emit_regs(ir, INS_JCC, a, b);

	in->op = cond;
	in->label = label;
}

void ir_jcci(struct ir *ir, int cond, int a, int64_t imm, int label)
{
	struct ins *in;

	if (imm != (int32_t)imm) {
		int r = ir_reg(ir);

		ir_movi(ir, r, imm);
		ir_jcc(ir, cond, a, r, label);
		return;
	}
	in = emit_regs(ir, INS_JCCI, a, REG_NONE);
	in->op = cond;
	in->imm = imm;
	in->label = label;
}

/*
 * The arguments move in order, so one that is already in r1-r5 must not be overwritten before
 * its turn.
 */
static struct ins *emit_call(struct ir *ir, int kind, int nargs, const int *args, int *result)
{
	int call;

	if (nargs < 0 || nargs > 5) {
		ir_fail(ir, "too many arguments");
		nargs = 0;
	}
	for (int i = 0; i < nargs; i++) {
		if (args[i] >= 1 && args[i] <= i)
			ir_fail(ir, "call argument is in a register of another argument");
		ir_mov(ir, i + 1, args[i]);
	}
	call = ir->ins.n;
	emit(ir, kind)->nargs = nargs;
	*result = ir_reg(ir);
	ir_mov(ir, *result, IR_R0);
	return &ir->ins.v[MIN(call, ir->ins.n - 1)];
}

int ir_call(struct ir *ir, int helper, int nargs, const int *args)
{
	int result;

	emit_call(ir, INS_CALL, nargs, args, &result)->imm = helper;
	return result;
}

int ir_call_const(struct ir *ir, int helper, int nargs, const int *args)
{
	int result;
	struct ins *in = emit_call(ir, INS_CALL, nargs, args, &result);

	in->imm = helper;
	in->pure = true;
	return result;
}

int ir_call_func(struct ir *ir, const char *func, int nargs, const int *args)
{
	int result;

	emit_call(ir, INS_CALL_FUNC, nargs, args, &result)->func = arena_strdup(ir->out, func);
	return result;
}

void ir_map(struct ir *ir, int dst, struct map *map)
{
	emit_regs(ir, INS_MAP, dst, REG_NONE)->map = map;
}

void ir_map_mem(struct ir *ir, int dst, struct map *map, uint32_t off)
{
	struct ins *in = emit_regs(ir, INS_MAP_MEM, dst, REG_NONE);

	in->map = map;
	in->imm = off;
}

/* First fit, from the frame pointer down. */
int ir_frame(struct ir *ir, int size)
{
	int n = ALIGN_UP(MAX(size, 1), 8) / 8, slot;
	struct frame f = {0};

	if (size < 0 || n > STACK_SLOTS) {
		ir_fail(ir, "stack frame too large");
		n = 1;
	}
	for (slot = 0; slot + n <= STACK_SLOTS; slot++) {
		uint64_t mask = (n == 64 ? ~0ULL : (1ULL << n) - 1) << slot;

		if (!(ir->slots_used & mask)) {
			ir->slots_used |= mask;
			break;
		}
	}
	if (slot + n > STACK_SLOTS) {
		ir_fail(ir, "stack frame too large");
		slot = 0;
	}
	f.slot = slot;
	f.nslots = n;
	ir->nslots = MAX(ir->nslots, slot + n);
	ir_vec_push(ir->mem, &ir->frames, f);
	return ir->frames.n - 1;
}

static struct frame *frame_of(struct ir *ir, int frame)
{
	if (frame < 0 || frame >= ir->frames.n) {
		ir_fail(ir, "no such frame");
		return NULL;
	}
	return &ir->frames.v[frame];
}

void ir_frame_free(struct ir *ir, int frame)
{
	struct frame *f = frame_of(ir, frame);

	if (!f || f->freed)
		return;
	f->freed = true;
	ir->slots_used &= ~((f->nslots == 64 ? ~0ULL : (1ULL << f->nslots) - 1) << f->slot);
}

/* Offset from the frame pointer of size bytes at off of a frame. */
static int frame_off(struct ir *ir, int frame, int off, int size)
{
	struct frame *f = frame_of(ir, frame);

	if (!f)
		return -8;
	if (off < 0 || off + size > f->nslots * 8)
		ir_fail(ir, "access beyond the stack frame");
	return off - 8 * (f->slot + f->nslots);
}

void ir_frame_addr(struct ir *ir, int dst, int frame, int off)
{
	int fp_off = frame_off(ir, frame, off, 0);

	emit_regs(ir, INS_FRAME, dst, REG_NONE)->imm = fp_off;
}

void ir_frame_ld(struct ir *ir, int size, int dst, int frame, int off)
{
	ir_ld(ir, size, dst, IR_FP, frame_off(ir, frame, off, size));
}

void ir_frame_st(struct ir *ir, int size, int frame, int off, int src)
{
	ir_st(ir, size, IR_FP, frame_off(ir, frame, off, size), src);
}

void ir_frame_sti(struct ir *ir, int size, int frame, int off, int32_t imm)
{
	ir_sti(ir, size, IR_FP, frame_off(ir, frame, off, size), imm);
}

void ir_ret(struct ir *ir, int src)
{
	ir_mov(ir, IR_R0, src);
	emit(ir, INS_EXIT);
}

void ir_reti(struct ir *ir, int32_t imm)
{
	ir_movi(ir, IR_R0, imm);
	emit(ir, INS_EXIT);
}

const struct roles ins_kind_roles[] = {
    [INS_MOV] = {.dst_def = true, .src_use = true},
    [INS_MOVW] = {.dst_def = true, .src_use = true},
    [INS_MOVI] = {.dst_def = true},
    [INS_ALU] = {.dst_use = true, .dst_def = true, .src_use = true},
    [INS_ALUI] = {.dst_use = true, .dst_def = true},
    [INS_NEG] = {.dst_use = true, .dst_def = true},
    [INS_BSWAP] = {.dst_use = true, .dst_def = true},
    [INS_SEXT] = {.dst_use = true, .dst_def = true},
    [INS_UNLINK] = {.dst_use = true, .dst_def = true},
    [INS_LD] = {.dst_def = true, .src_use = true},
    [INS_ST] = {.dst_use = true, .src_use = true},
    [INS_STI] = {.dst_use = true},
    [INS_ATOMIC] = {.dst_use = true, .src_use = true},
    [INS_JCC] = {.dst_use = true, .src_use = true},
    [INS_JCCI] = {.dst_use = true},
    [INS_CALL] = {.defs = 0x3f},
    [INS_CALL_FUNC] = {.defs = 0x3f},
    [INS_MAP] = {.dst_def = true},
    [INS_MAP_MEM] = {.dst_def = true},
    [INS_FRAME] = {.dst_def = true},
    [INS_RELOAD] = {.dst_def = true, .src_use = true},
    [INS_SPILL] = {.dst_def = true, .src_use = true},
    [INS_EXIT] = {.uses = 1},
};

bool ins_is_pure(const struct ins *in)
{
	switch (in->kind) {
	case INS_MOV:
	case INS_MOVW:
	case INS_MOVI:
	case INS_ALU:
	case INS_ALUI:
	case INS_NEG:
	case INS_BSWAP:
	case INS_SEXT:
	case INS_UNLINK:
	case INS_LD:
	case INS_MAP:
	case INS_MAP_MEM:
	case INS_FRAME:
	case INS_RELOAD:
	case INS_SPILL:
		return true;
	case INS_CALL:
		return in->pure;
	default:
		return false;
	}
}

int ir_count(const struct ir *ir)
{
	return ir->ins.n;
}

static struct code *finish(struct ir *ir, FILE *dump, unsigned mask, bool optimise)
{
	struct code *code;

	if (mask & 1)
		ir_dump(ir, dump, 0);
	flow_clean(ir);
	if (optimise && !ir->error)
		opt_run(ir);
	if (mask & 2)
		ir_dump(ir, dump, 1);
	if (!ir->error)
		ra_run(ir);
	if (mask & 4)
		ir_dump(ir, dump, 2);
	code = asm_run(ir);
	ir_drop(ir);
	return code;
}

struct code *ir_finish(struct ir *ir, FILE *dump, unsigned mask)
{
	return finish(ir, dump, dump ? mask : 0, true);
}

struct code *ir_finish_plain(struct ir *ir)
{
	return finish(ir, NULL, 0, false);
}
