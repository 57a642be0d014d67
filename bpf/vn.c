/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Value numbering. Each register holds a value with a number; equal numbers are equal values.
 * Instructions are walked along the tree of dominators, so what a block knows holds in the
 * blocks it dominates, less what was set in between; the undo log takes back what a subtree
 * learnt. Over that: copies and constants are propagated, operations folded, an expression whose
 * value some register still holds becomes a copy, and address arithmetic goes into the offset of
 * loads and stores.
 *
 * The verifier sets two rules. A conditional jump refines the register it tests, and old kernels
 * do not refine its copies: so the operands of jumps stay as written, and from there on the
 * register tested stands for its value. And nothing is ever computed again that was computed
 * before: only constants and addresses are.
 */
#include <stdlib.h>
#include <string.h>

#include "bpf/ins.h"
#include "libdt/base/hash.h"

enum value_kind { ANY, CONST, MAP, MAP_MEM, FRAME, SUM };

struct value {
	enum value_kind kind;
	int64_t imm; /* CONST; offset of MAP_MEM, FRAME (from r10), SUM */
	struct map *map;
	int base;  /* SUM: the value that imm is added to */
	int bits;  /* higher ones are zero */
	int sbits; /* it is the sign extension of this many */
};

enum state { VALUE, STAMP, HOLDER, SINCE, NSTATES };

struct undo {
	enum state which;
	int index, old;
};

struct vn {
	struct ir *ir;
	struct arena *mem;
	struct flow *flow;
	VEC(struct value) values; /* number 0 is none */
	/* VALUE: register -> value, true when STAMP, the time it was set, is after SINCE.
	   HOLDER: value -> a virtual register that holds it, when that register's value says so
	   too. */
	int *state[NSTATES];
	int holder_cap, now;
	VEC(struct undo) log;
	struct hash exprs, anchors;
};

/* What makes two computations the same; all bytes count. */
struct expr {
	int kind, op, w, size, a, b, off, args[5];
	int64_t imm;
	struct map *map;
};

static void set_state(struct vn *vn, enum state which, int index, int value)
{
	struct undo u = {which, index, vn->state[which][index]};

	ir_vec_push(vn->mem, &vn->log, u);
	vn->state[which][index] = value;
}

static void undo_to(struct vn *vn, int mark)
{
	while (vn->log.n > mark) {
		struct undo *u = &vn->log.v[--vn->log.n];

		vn->state[u->which][u->index] = u->old;
	}
}

static int new_value(struct vn *vn, struct value v)
{
	ir_vec_push(vn->mem, &vn->values, v);
	vn->state[HOLDER] =
	    ir_grow(vn->mem, vn->state[HOLDER], vn->values.n - 1, &vn->holder_cap, sizeof(int));
	vn->state[HOLDER][vn->values.n - 1] = REG_NONE;
	return vn->values.n - 1;
}

static int new_any(struct vn *vn, int bits, int sbits)
{
	return new_value(vn, (struct value){.kind = ANY, .bits = bits, .sbits = sbits});
}

static bool holds(struct vn *vn, int reg, int value)
{
	return reg >= 0 && vn->state[VALUE][reg] == value &&
	       vn->state[STAMP][reg] > vn->state[SINCE][0];
}

/* A virtual register that holds the value now, or REG_NONE. */
static int holder(struct vn *vn, int value)
{
	int reg = vn->state[HOLDER][value];

	return holds(vn, reg, value) ? reg : REG_NONE;
}

static void set_reg(struct vn *vn, int reg, int value)
{
	set_state(vn, VALUE, reg, value);
	set_state(vn, STAMP, reg, ++vn->now);
	if (reg >= IR_VIRTUAL && holder(vn, value) == REG_NONE)
		set_state(vn, HOLDER, value, reg);
}

static int frame_value(struct vn *vn, int64_t off);

static int value_of(struct vn *vn, int reg)
{
	if (reg == IR_FP)
		return frame_value(vn, 0);
	if (!vn->state[VALUE][reg] || !holds(vn, reg, vn->state[VALUE][reg]))
		set_reg(vn, reg, new_any(vn, 64, 64));
	return vn->state[VALUE][reg];
}

static struct value *info(struct vn *vn, int value)
{
	return &vn->values.v[value];
}

/* The number of an expression; made from v when it is new. */
static int number(struct vn *vn, const struct expr *e, struct value v)
{
	void **known = hash_ref(&vn->exprs, e, sizeof(*e));

	if (!*known)
		*known = (void *)(intptr_t)new_value(vn, v);
	return (intptr_t)*known;
}

static int bits_of(uint64_t x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static int const_value(struct vn *vn, int64_t imm)
{
	struct expr e = {.kind = INS_MOVI, .imm = imm};
	int sbits = 65 - __builtin_clzll((imm < 0 ? ~imm : imm) | 1);

	return number(
	    vn, &e,
	    (struct value){.kind = CONST, .imm = imm, .bits = bits_of(imm), .sbits = sbits});
}

static int frame_value(struct vn *vn, int64_t off)
{
	struct expr e = {.kind = INS_FRAME, .imm = off};

	return number(vn, &e, (struct value){.kind = FRAME, .imm = off, .bits = 64, .sbits = 64});
}

static int map_value(struct vn *vn, const struct ins *in)
{
	struct expr e = {.kind = in->kind, .imm = in->imm, .map = in->map};
	struct value v = {.imm = in->imm, .map = in->map, .bits = 64, .sbits = 64};

	v.kind = in->kind == INS_MAP ? MAP : MAP_MEM;
	return number(vn, &e, v);
}

/* Value plus constant. */
static int sum_value(struct vn *vn, int value, int64_t imm)
{
	struct value *v = info(vn, value), sum = {.kind = SUM, .bits = 64, .sbits = 64};
	struct expr e = {.kind = INS_ALUI, .op = BPF_ADD, .a = value, .imm = imm};

	if (v->kind == CONST)
		return const_value(vn, (uint64_t)v->imm + imm);
	if (v->kind == FRAME)
		return frame_value(vn, v->imm + imm);
	if (v->kind == SUM) {
		e.a = v->base;
		e.imm = (uint64_t)v->imm + imm;
	}
	if (e.imm == 0)
		return e.a;
	sum.base = e.a;
	sum.imm = e.imm;
	if (e.imm > 0)
		sum.bits = MIN(MAX(info(vn, e.a)->bits, bits_of(e.imm)) + 1, 64);
	sum.sbits = MIN(sum.bits + 1, 64);
	return number(vn, &e, sum);
}

static bool is_const(struct vn *vn, int value, int64_t *imm)
{
	*imm = info(vn, value)->imm;
	return info(vn, value)->kind == CONST;
}

/* ---- arithmetic ---- */

/* How many bits a result may have. */
static int result_bits(const struct ins *in, int x, int y)
{
	int n = 64;

	switch (in->op) {
	case BPF_AND:
		n = MIN(x, y);
		break;
	case BPF_OR:
	case BPF_XOR:
		n = MAX(x, y);
		break;
	case BPF_ADD:
		n = MAX(x, y) + 1;
		break;
	case BPF_MUL:
		n = x + y;
		break;
	case BPF_DIV:
	case BPF_MOD:
		n = x;
		break;
	case BPF_RSH:
		n = in->kind == INS_ALUI ? MAX(x - (int)in->imm, 0) : x;
		break;
	case BPF_LSH:
		n = in->kind == INS_ALUI ? x + (int)in->imm : 64;
		break;
	}
	return MIN(n, in->w ? 32 : 64);
}

static void become_nop(struct ins *in)
{
	in->kind = INS_NOP;
	in->dst = in->src = REG_NONE;
}

static void become_movi(struct ins *in, int64_t imm)
{
	in->kind = INS_MOVI;
	in->src = REG_NONE;
	in->imm = imm;
}

static void become_mov(struct ins *in, int src)
{
	in->kind = INS_MOV;
	in->src = src;
	in->pure = false;
}

/* A constant second operand goes into the instruction where it fits. */
static void take_immediate(struct ins *in, int64_t y)
{
	bool shift = in->op == BPF_LSH || in->op == BPF_RSH || in->op == BPF_ARSH;

	if (in->w)
		y = (int32_t)y;
	if (shift)
		y &= in->w ? 31 : 63;
	if (in->op == BPF_AND && y == 0xffffffff) {
		in->kind = INS_MOVW;
		in->src = in->dst;
		return;
	}
	if (y != (int32_t)y || (y == 0 && (in->op == BPF_DIV || in->op == BPF_MOD)))
		return;
	in->kind = INS_ALUI;
	in->src = REG_NONE;
	in->imm = y;
}

/* Cheaper operations for some constants. */
static void reduce(struct ins *in)
{
	uint64_t y = in->w ? (uint32_t)in->imm : (uint64_t)in->imm;
	bool power = y && !(y & (y - 1));

	if (in->op == BPF_SUB && in->imm != INT32_MIN) {
		in->op = BPF_ADD;
		in->imm = -in->imm;
	} else if (power && (in->op == BPF_MUL || in->op == BPF_DIV)) {
		in->op = in->op == BPF_MUL ? BPF_LSH : BPF_RSH;
		in->imm = bits_of(y) - 1;
	} else if (power && in->op == BPF_MOD && y <= 1U << 31) {
		in->op = BPF_AND;
		in->imm = y - 1;
	}
}

/* Does "x op imm" leave x as it is? */
static bool is_neutral(const struct ins *in, const struct value *x)
{
	uint64_t y = in->w ? (uint32_t)in->imm : (uint64_t)in->imm;

	if (in->w && x->bits > 32)
		return false;
	switch (in->op) {
	case BPF_ADD:
	case BPF_SUB:
	case BPF_OR:
	case BPF_XOR:
	case BPF_LSH:
	case BPF_RSH:
		return y == 0;
	case BPF_ARSH:
		return y == 0 && !in->w;
	case BPF_MUL:
	case BPF_DIV:
		return y == 1;
	case BPF_AND:
		return x->bits == 0 || !(~y << (64 - x->bits));
	default:
		return false;
	}
}

static bool is_zero(const struct ins *in)
{
	return in->imm == 0 && (in->op == BPF_MUL || in->op == BPF_AND);
}

static bool commutes(int op)
{
	return op == BPF_ADD || op == BPF_MUL || op == BPF_AND || op == BPF_OR || op == BPF_XOR;
}

/* dst now has a value that may be held already: then the instruction becomes a copy. */
static void settle(struct vn *vn, struct ins *in, int value)
{
	int64_t imm;
	int h = holder(vn, value);

	if (is_const(vn, value, &imm)) {
		if (holds(vn, in->dst, value))
			become_nop(in);
		else
			become_movi(in, imm);
	} else if (holds(vn, in->dst, value)) {
		become_nop(in);
	} else if (h != REG_NONE) {
		become_mov(in, h);
	}
	if (in->kind != INS_NOP)
		set_reg(vn, in->dst, value);
}

static void number_immediate(struct vn *vn, struct ins *in, int x)
{
	struct expr e = {.kind = INS_ALUI, .op = in->op, .w = in->w, .a = x, .imm = in->imm};
	struct value *xv = info(vn, x), v = {.kind = ANY, .sbits = 64};
	int ybits = bits_of(in->w ? (uint32_t)in->imm : (uint64_t)in->imm);

	if (is_zero(in)) {
		settle(vn, in, const_value(vn, 0));
	} else if (is_neutral(in, xv)) {
		become_nop(in);
	} else if (in->op == BPF_ADD && !in->w) {
		settle(vn, in, sum_value(vn, x, in->imm));
	} else {
		v.bits = result_bits(in, xv->bits, ybits);
		v.sbits = MIN(v.bits + 1, 64);
		settle(vn, in, number(vn, &e, v));
	}
}

static void number_alu(struct vn *vn, struct ins *in)
{
	int x = value_of(vn, in->dst), y = in->kind == INS_ALU ? value_of(vn, in->src) : 0;
	struct expr e = {.kind = INS_ALU, .op = in->op, .w = in->w, .a = x, .b = y};
	int64_t cx, cy = in->imm;
	struct value v = {.kind = ANY, .sbits = 64};

	if ((in->kind == INS_ALUI || is_const(vn, y, &cy)) && is_const(vn, x, &cx)) {
		settle(vn, in, const_value(vn, fold_alu(in->op, in->w, cx, cy)));
		return;
	}
	if (x == y && !in->w && (in->op == BPF_SUB || in->op == BPF_XOR)) {
		settle(vn, in, const_value(vn, 0));
		return;
	}
	if (in->kind == INS_ALU && is_const(vn, y, &cy))
		take_immediate(in, cy);
	if (in->kind == INS_MOVW)
		return; /* the caller looks again */
	if (in->kind == INS_ALUI) {
		reduce(in);
		number_immediate(vn, in, x);
		return;
	}
	if (commutes(in->op) && e.a > e.b) {
		e.a = y;
		e.b = x;
	}
	v.bits = result_bits(in, info(vn, x)->bits, info(vn, y)->bits);
	v.sbits = MIN(v.bits + 1, 64);
	settle(vn, in, number(vn, &e, v));
}

/* NEG, BSWAP, SEXT, MOVW. */
static void number_unary(struct vn *vn, struct ins *in)
{
	int x = value_of(vn, in->kind == INS_MOVW ? in->src : in->dst), n = in->imm;
	struct expr e = {.kind = in->kind, .a = x, .imm = in->kind == INS_NEG ? 0 : in->imm};
	struct value *xv = info(vn, x), v = {.kind = ANY, .bits = 64, .sbits = 64};
	int64_t c;

	switch (in->kind) {
	case INS_NEG:
		if (is_const(vn, x, &c)) {
			settle(vn, in, const_value(vn, -(uint64_t)c));
			return;
		}
		break;
	case INS_BSWAP:
		if (is_const(vn, x, &c)) {
			settle(vn, in, const_value(vn, fold_bswap(c, n)));
			return;
		}
		v.bits = n;
		break;
	case INS_SEXT:
		if (is_const(vn, x, &c) || xv->sbits <= n) {
			settle(vn, in, is_const(vn, x, &c) ? const_value(vn, fold_sext(c, n)) : x);
			return;
		}
		v.sbits = n;
		break;
	default:
		if (is_const(vn, x, &c) || xv->bits <= 32) {
			if (in->src != in->dst)
				become_mov(in, in->src);
			settle(vn, in, is_const(vn, x, &c) ? const_value(vn, (uint32_t)c) : x);
			return;
		}
		e.imm = 0;
		v.bits = 32;
	}
	if (v.bits < 64)
		v.sbits = v.bits + 1;
	settle(vn, in, number(vn, &e, v));
}

/* The value is the same, but another register must not stand for it. */
static void number_unlink(struct vn *vn, struct ins *in)
{
	int x = value_of(vn, in->dst);
	int64_t c;

	if (is_const(vn, x, &c))
		settle(vn, in, x);
	else
		set_reg(vn, in->dst, new_any(vn, info(vn, x)->bits, info(vn, x)->sbits));
}

/* ---- copies, addresses, memory ---- */

/* Constants and addresses are made where they are wanted; an address of memory only for a call. */
static bool make_again(struct vn *vn, struct ins *in, int value)
{
	struct value *v = info(vn, value);

	if (v->kind == CONST) {
		become_movi(in, v->imm);
		return true;
	}
	if (v->kind == MAP || v->kind == FRAME || (v->kind == MAP_MEM && in->dst < IR_VIRTUAL)) {
		if (v->kind == FRAME && v->imm == 0)
			return false;
		in->kind = v->kind == MAP ? INS_MAP : v->kind == FRAME ? INS_FRAME : INS_MAP_MEM;
		in->src = REG_NONE;
		in->map = v->map;
		in->imm = v->imm;
		return true;
	}
	return false;
}

static void number_mov(struct vn *vn, struct ins *in)
{
	int value = value_of(vn, in->src), h = holder(vn, value);

	if (holds(vn, in->dst, value)) {
		become_nop(in);
		return;
	}
	if (!make_again(vn, in, value) && h != REG_NONE)
		in->src = h;
	set_reg(vn, in->dst, value);
}

/* Names a value by the register that stands for it. */
static int stand_in(struct vn *vn, int reg)
{
	int h;

	if (reg < IR_VIRTUAL)
		return reg;
	h = holder(vn, value_of(vn, reg));
	return h == REG_NONE ? reg : h;
}

/*
 * Of the addresses of one map's memory the one that the others are reached from; value itself
 * when there is none.
 */
static int anchor(struct vn *vn, int value)
{
	struct map *map = info(vn, value)->map;
	void **known = hash_ref(&vn->anchors, &map, sizeof(map));

	if (!*known || holder(vn, (intptr_t)*known) == REG_NONE)
		*known = (void *)(intptr_t)value;
	return (intptr_t)*known;
}

/* Moves what was added to an address into the offset. */
static void fold_address(struct vn *vn, int *reg, int *off)
{
	int value, h;
	int64_t sum = *off;
	struct value *v;

	if (*reg < IR_VIRTUAL)
		return;
	value = value_of(vn, *reg);
	v = info(vn, value);
	h = holder(vn, value);
	if (v->kind == FRAME) {
		h = IR_FP;
		sum += v->imm;
	} else if (v->kind == SUM && v->imm == (int32_t)v->imm && holder(vn, v->base) != REG_NONE) {
		h = holder(vn, v->base);
		sum += v->imm;
	} else if (v->kind == MAP_MEM) {
		int a = anchor(vn, value);

		h = holder(vn, a);
		sum += v->imm - info(vn, a)->imm;
	}
	if (h == REG_NONE || sum != (int16_t)sum)
		return;
	*reg = h;
	*off = sum;
}

static void number_load(struct vn *vn, struct ins *in)
{
	struct expr e = {.kind = INS_LD, .size = in->size};
	struct value v = {.kind = ANY, .bits = in->size * 8, .sbits = MIN(in->size * 8 + 1, 64)};

	fold_address(vn, &in->src, &in->off);
	if (!in->pure) {
		set_reg(vn, in->dst, new_value(vn, v));
		return;
	}
	e.a = value_of(vn, in->src);
	e.imm = in->off;
	if (info(vn, e.a)->kind == SUM) {
		e.imm += info(vn, e.a)->imm;
		e.a = info(vn, e.a)->base;
	}
	settle(vn, in, number(vn, &e, v));
}

static void number_store(struct vn *vn, struct ins *in)
{
	int64_t c;

	fold_address(vn, &in->dst, &in->off);
	if (in->kind == INS_STI)
		return;
	if (is_const(vn, value_of(vn, in->src), &c) && (in->size < 8 || c == (int32_t)c)) {
		in->kind = INS_STI;
		in->src = REG_NONE;
		in->imm = (int32_t)c;
		return;
	}
	in->src = stand_in(vn, in->src);
}

static void number_atomic(struct vn *vn, struct ins *in)
{
	fold_address(vn, &in->dst, &in->off);
	if (in->imm == BPF_CMPXCHG)
		set_reg(vn, IR_R0, new_any(vn, 64, 64));
	else if (in->imm & BPF_FETCH)
		set_reg(vn, in->src, new_any(vn, 64, 64));
	else
		in->src = stand_in(vn, in->src);
}

/* ---- jumps and calls ---- */

/* A condition that is known. */
static void decide(struct ins *in, bool taken)
{
	int label = in->label;

	become_nop(in);
	in->label = label;
	in->imm = 0;
	if (taken)
		in->kind = INS_JMP;
}

/* From here on the register that was tested stands for its value. */
static void prefer(struct vn *vn, int reg)
{
	if (reg >= IR_VIRTUAL)
		set_state(vn, HOLDER, value_of(vn, reg), reg);
}

static void number_jcc(struct vn *vn, struct ins *in)
{
	int x = value_of(vn, in->dst), y;
	int64_t cx, cy = in->imm;
	bool known;

	if (in->kind == INS_JCC) {
		y = value_of(vn, in->src);
		if (is_const(vn, x, &cx) && !is_const(vn, y, &cy)) {
			int reg = in->dst;

			in->dst = in->src;
			in->src = reg;
			in->op = cond_swap(in->op);
			x = y;
			y = value_of(vn, in->src);
		}
		if (x == y && in->op != BPF_JSET) {
			decide(in, fold_cond(in->op, 0, 0));
			return;
		}
		if (is_const(vn, y, &cy) && cy == (int32_t)cy) {
			in->kind = INS_JCCI;
			in->src = REG_NONE;
			in->imm = cy;
		}
	}
	known = is_const(vn, x, &cx) &&
		(in->kind == INS_JCCI || is_const(vn, value_of(vn, in->src), &cy));
	if (known) {
		decide(in, fold_cond(in->op, cx, cy));
		return;
	}
	prefer(vn, in->dst);
	if (in->kind == INS_JCC)
		prefer(vn, in->src);
}

static void number_call(struct vn *vn, struct ins *in)
{
	struct expr e = {.kind = in->kind, .imm = in->imm};
	struct value any = {.kind = ANY, .bits = 64, .sbits = 64};
	int value = 0;

	if (in->pure) {
		for (int i = 0; i < in->nargs; i++)
			e.args[i] = value_of(vn, i + 1);
		value = number(vn, &e, any);
		if (holder(vn, value) != REG_NONE) {
			in->dst = IR_R0;
			become_mov(in, holder(vn, value));
			set_reg(vn, IR_R0, value);
			return;
		}
	}
	for (int r = 0; r <= 5; r++)
		set_reg(vn, r, r || !value ? new_value(vn, any) : value);
}

static void number_ins(struct vn *vn, struct ins *in)
{
	switch (in->kind) {
	case INS_MOV:
		number_mov(vn, in);
		break;
	case INS_MOVI:
		settle(vn, in, const_value(vn, in->imm));
		break;
	case INS_ALU:
		in->src = stand_in(vn, in->src);
		/* fall through */
	case INS_ALUI:
		number_alu(vn, in);
		if (in->kind == INS_MOVW)
			number_unary(vn, in);
		break;
	case INS_MOVW:
		if (in->src != in->dst)
			in->src = stand_in(vn, in->src);
		/* fall through */
	case INS_NEG:
	case INS_BSWAP:
	case INS_SEXT:
		number_unary(vn, in);
		break;
	case INS_UNLINK:
		number_unlink(vn, in);
		break;
	case INS_LD:
		number_load(vn, in);
		break;
	case INS_ST:
	case INS_STI:
		number_store(vn, in);
		break;
	case INS_ATOMIC:
		number_atomic(vn, in);
		break;
	case INS_JCC:
	case INS_JCCI:
		number_jcc(vn, in);
		break;
	case INS_CALL:
	case INS_CALL_FUNC:
		number_call(vn, in);
		break;
	case INS_MAP:
		set_reg(vn, in->dst, map_value(vn, in));
		break;
	case INS_MAP_MEM:
		settle(vn, in, map_value(vn, in));
		break;
	case INS_FRAME:
		set_reg(vn, in->dst, frame_value(vn, in->imm));
		break;
	}
}

/* ---- the walk ---- */

enum { REGION_MAX = 256 };

/*
 * Forgets what the blocks between two set; false when that is unknown. Every path from dom
 * to b must lie there.
 */
static bool forget_between(struct vn *vn, int dom, int b)
{
	if (dom >= b || b - dom > REGION_MAX)
		return false;
	for (int k = dom + 1; k <= b; k++)
		for (int p = 0; p < vn->flow->blocks[k].npred; p++) {
			int pred = vn->flow->blocks[k].pred[p];

			if (pred < dom || pred >= b)
				return false;
		}
	for (int i = vn->flow->blocks[dom].end; i < vn->flow->blocks[b].start; i++) {
		int regs[8], n = ins_defs(&vn->ir->ins.v[i], regs);

		for (int k = 0; k < n; k++)
			set_state(vn, VALUE, regs[k], 0);
	}
	return true;
}

static void number_block(struct vn *vn, int dom, int b)
{
	struct block *bl = &vn->flow->blocks[b];

	if ((bl->npred != 1 || bl->pred[0] != dom) && (dom < 0 || !forget_between(vn, dom, b)))
		set_state(vn, SINCE, 0, ++vn->now);
	for (int i = bl->start; i < bl->end; i++)
		number_ins(vn, &vn->ir->ins.v[i]);
}

/* Depth first over the tree of dominators. */
static void walk(struct vn *vn)
{
	struct flow *f = vn->flow;
	int *idom = flow_dominators(f);
	int *child = arena_alloc(vn->mem, sizeof(int) * (f->n + 1));
	int *sibling = arena_alloc(vn->mem, sizeof(int) * (f->n + 1));
	int *mark = arena_alloc(vn->mem, sizeof(int) * (f->n + 1));

	/* Block 0 has no parent, so 0 ends the lists. */
	for (int b = f->n - 1; b > 0; b--) {
		sibling[b] = child[idom[b]];
		child[idom[b]] = b;
	}
	for (int b = 0, dom = -1;;) {
		mark[b] = vn->log.n;
		number_block(vn, dom, b);
		if (child[b]) {
			dom = b;
			b = child[b];
			continue;
		}
		while (b && !sibling[b]) {
			undo_to(vn, mark[b]);
			b = idom[b];
		}
		if (!b)
			break;
		undo_to(vn, mark[b]);
		dom = idom[b];
		b = sibling[b];
	}
}

void vn_run(struct ir *ir)
{
	struct vn vn = {.ir = ir, .mem = arena_new()};

	vn.flow = flow_build(ir, vn.mem);
	vn.state[VALUE] = arena_alloc(vn.mem, sizeof(int) * ir->nregs);
	vn.state[STAMP] = arena_alloc(vn.mem, sizeof(int) * ir->nregs);
	vn.state[SINCE] = arena_alloc(vn.mem, sizeof(int));
	new_value(&vn, (struct value){.kind = ANY, .bits = 64, .sbits = 64});
	walk(&vn);
	hash_free(&vn.exprs);
	hash_free(&vn.anchors);
	arena_free(vn.mem);
}
