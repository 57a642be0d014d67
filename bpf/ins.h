/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of struct ir, shared only by the files that build, optimise, allocate and encode.
 */
#ifndef DT_INS_H
#define DT_INS_H

#include "bpf/ir.h"

enum ins_kind {
	INS_NOP,
	INS_LABEL,     /* label */
	INS_MOV,       /* dst = src */
	INS_MOVW,      /* dst = low 32 bits of src */
	INS_MOVI,      /* dst = imm */
	INS_ALU,       /* dst op= src */
	INS_ALUI,      /* dst op= imm, which fits 32 bits */
	INS_NEG,       /* dst = -dst */
	INS_BSWAP,     /* dst = low imm bits of dst in big endian */
	INS_SEXT,      /* dst = low imm bits of dst, sign-extended */
	INS_UNLINK,    /* dst = dst, see ir_unlink() */
	INS_LD,	       /* dst = *(src + off) */
	INS_ST,	       /* *(dst + off) = src */
	INS_STI,       /* *(dst + off) = imm */
	INS_ATOMIC,    /* op imm on *(dst + off) with src */
	INS_JMP,       /* goto label */
	INS_JCC,       /* if (dst op src) goto label */
	INS_JCCI,      /* if (dst op imm) goto label */
	INS_CALL,      /* r0 = helper imm (r1 ... ) */
	INS_CALL_FUNC, /* r0 = func (r1 ... ) */
	INS_MAP,       /* dst = map */
	INS_MAP_MEM,   /* dst = memory of map + imm */
	INS_FRAME,     /* dst = fp + imm */
	INS_RELOAD,    /* dst = stack slot of register src */
	INS_SPILL,     /* stack slot of register dst = src */
	INS_EXIT,      /* return r0 */
};

enum { REG_NONE = -1, NMACHINE = 10 /* r0-r9 can be allocated */, STACK_SLOTS = 64 };

struct ins {
	uint8_t kind;
	uint8_t op;    /* BPF_ADD ..., BPF_JEQ ... */
	uint8_t size;  /* of memory, in bytes */
	uint8_t nargs; /* of calls */
	bool w;	       /* 32-bit arithmetic */
	bool pure;     /* load of constant memory, call of a constant helper */
	bool remat;    /* made again by the allocator in place of a reload */
	int dst, src;  /* registers or REG_NONE */
	int off;
	int label;
	int64_t imm;
	struct map *map;
	const char *func;
	struct loc loc;
};

struct frame {
	int slot, nslots; /* in units of 8 bytes, counted from the frame pointer down */
	bool freed;
};

/* Vectors here live in an arena of its own: grown by ir_vec_push, and freed when the code is
 * made. */
struct ir {
	struct arena *mem, *out; /* out: of the caller, for the code */
	const char *name, *error;
	int nargs, args[5];
	int memory; /* bytes that the first argument points to; 0: it is a scalar */
	int nregs, nlabels;
	struct loc loc;
	VEC(struct ins) ins;
	VEC(struct frame) frames;
	uint64_t slots_used; /* by frames that are taken now */
	int nslots;	     /* high water of frames, then of spills too */
	int nspills;
};

void *ir_grow(struct arena *mem, void *v, int n, int *cap, size_t size);
#define ir_vec_push(mem, vec, elem)                                                       \
	((vec)->v = ir_grow((mem), (vec)->v, (vec)->n, &(vec)->cap, sizeof((vec)->v[0])), \
	 (vec)->v[(vec)->n++] = (elem))

void ir_fail(struct ir *ir, const char *error);

/*
 * What an instruction does to registers. Machine registers that it names implicitly are in the
 * masks.
 */
struct roles {
	bool dst_use, dst_def, src_use, src_def;
	uint16_t uses, defs;
};
extern const struct roles ins_kind_roles[]; /* of the kind alone */

/* Here, for passes ask these of each instruction again and again. */
static inline struct roles ins_roles(const struct ins *in)
{
	struct roles r = ins_kind_roles[in->kind];

	if (in->kind == INS_CALL || in->kind == INS_CALL_FUNC)
		r.uses = ((1 << in->nargs) - 1) << 1;
	if (in->kind == INS_ATOMIC && in->imm == BPF_CMPXCHG)
		r.uses = r.defs = 1;
	else if (in->kind == INS_ATOMIC && (in->imm & BPF_FETCH))
		r.src_def = true;
	return r;
}

static inline int ins_add_mask(uint16_t mask, int *regs, int n)
{
	for (; mask; mask &= mask - 1)
		regs[n++] = __builtin_ctz(mask);
	return n;
}

/* All of them: up to 8 registers each, the frame pointer left out. */
static inline int ins_uses(const struct ins *in, int regs[8])
{
	struct roles r = ins_roles(in);
	int n = 0;

	if (r.dst_use && in->dst != IR_FP)
		regs[n++] = in->dst;
	if (r.src_use && in->src != IR_FP)
		regs[n++] = in->src;
	return ins_add_mask(r.uses, regs, n);
}

static inline int ins_defs(const struct ins *in, int regs[8])
{
	struct roles r = ins_roles(in);
	int n = 0;

	if (r.dst_def)
		regs[n++] = in->dst;
	if (r.src_def)
		regs[n++] = in->src;
	return ins_add_mask(r.defs, regs, n);
}

static inline bool ins_is_jump(const struct ins *in)
{
	return in->kind == INS_JMP || in->kind == INS_JCC || in->kind == INS_JCCI;
}

/* No effect but on its dst (or r0, for a constant call). */
bool ins_is_pure(const struct ins *in);

/* optimize.c: operations on constants, as the machine does them. */
int64_t fold_alu(int op, bool w, int64_t x, int64_t y);
int64_t fold_sext(int64_t x, int bits);
int64_t fold_bswap(int64_t x, int bits);
bool fold_cond(int op, uint64_t x, uint64_t y);
/* The opposite condition, or -1 when there is none (BPF_JSET). */
int cond_invert(int cond);
/* The condition that holds for (y, x) where the one given holds for (x, y). */
int cond_swap(int cond);

/* flow.c: blocks and liveness. All memory is from the arena given. */
struct block {
	int start, end; /* instructions [start, end) */
	int succ[2], nsucc;
	int *pred, npred;
	int depth;		      /* of loops around it */
	uint64_t *live_in, *live_out; /* bit sets over flow.global */
};

struct flow {
	struct arena *mem;
	struct block *blocks;
	int n;
	/* Registers that live across blocks have an index here, others -1. */
	int *index, nglobal;
	int *global; /* index -> register */
	int nwords;
};

/* Threads jumps, removes what cannot be reached and what jumps to the next instruction; packs. */
void flow_clean(struct ir *ir);
struct flow *flow_build(struct ir *ir, struct arena *mem);
void flow_live(struct flow *f, struct ir *ir);
/* The first member from g on of a set of globals, as live_out is; -1: there is none. */
int flow_next(const struct flow *f, const uint64_t *set, int g);
/*
 * The immediate dominator of each block but the first. All blocks must be reachable: after
 * flow_clean.
 */
int *flow_dominators(struct flow *f);

void opt_run(struct ir *ir);
void vn_run(struct ir *ir);
void ra_run(struct ir *ir);
struct code *asm_run(struct ir *ir);

#endif
