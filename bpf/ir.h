/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The intermediate representation: BPF with infinitely many registers. r0-r10 are its
 * lowest-numbered ones (IR_R0..IR_FP); virtual registers come from ir_reg(). A register may be
 * assigned many times; there is no SSA. A function is built in order, then goes through
 * ir_finish(): value numbering inside basic blocks, constant folding, dead code, strength
 * reduction, liveness, linear scan with spilling, encoding.
 *
 * Errors of a builder call (too many registers, frame too large) stick to the function and are
 * reported once, by ir_finish().
 */
#ifndef DT_IR_H
#define DT_IR_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libdt/base/mem.h"
#include "libdt/base/src.h"

enum { IR_R0 = 0, IR_FP = 10, IR_VIRTUAL = 16 };

/* Kernel headers before 5.12 know only BPF_XADD, which is the BPF_ATOMIC that adds. */
#ifndef BPF_ATOMIC
#define BPF_ATOMIC 0xc0
#define BPF_FETCH 0x01
#define BPF_XCHG (0xe0 | BPF_FETCH)
#define BPF_CMPXCHG (0xf0 | BPF_FETCH)
#endif

struct map;
struct ir;

/* A function's finished code: instructions with what the loader has to fill in. */
enum reloc_kind {
	RELOC_MAP,     /* ld_imm64: the map's fd (BPF_PSEUDO_MAP_FD) */
	RELOC_MAP_MEM, /* ld_imm64: address of a map's memory plus offset (BPF_PSEUDO_MAP_VALUE) */
	RELOC_CALL,    /* call of another function of the program */
};

struct reloc {
	enum reloc_kind kind;
	int insn;
	struct map *map;
	uint32_t off;
	const char *func;
};

struct line {
	int insn;	/* from this instruction on ... */
	struct loc loc; /* ... the code belongs to this place */
};

struct code {
	const char *name; /* of the function; C identifier */
	int nargs;	  /* 0 to 5 scalars; the main function has 1, the context */
	int memory;	  /* bytes that the first argument points to; 0: it is a scalar, too */
	bool is_global;	  /* a routine, verified once */
	VEC(struct bpf_insn) insns;
	VEC(struct reloc) relocs;
	VEC(struct line) lines;
	/* Bytes of stack used, spills included. The kernel gives a chain of calls 512 bytes in
	 * all and rounds each function up to 32: leave routines what they need. A single function
	 * beyond 512 is an error here. */
	int frame_size;
	int nspills;
	const char *error; /* what stuck, or NULL */
};			   /* its vectors are in the arena: not to be pushed to or freed */

/* a: the code is made there, and lives as long. */
struct ir *ir_new(struct arena *a, const char *name, int nargs);
/* Of which no code is made: frees what is its own. */
void ir_drop(struct ir *ir);

int ir_reg(struct ir *ir);
int ir_label(struct ir *ir);
void ir_place(struct ir *ir, int label);
/* The D place of what is emitted from here on. */
void ir_loc(struct ir *ir, struct loc loc);
/* The virtual register that holds argument n (0-4). Copied from r1-r5 at the very start, so it
 * may be asked for anywhere. */
int ir_arg(struct ir *ir, int n);
/* The first argument is the address of so many bytes, which all have been written, or NULL; in
 * functions that are verified once, where the kernel has FEAT_FUNC_MEMORY. */
int ir_arg_memory(struct ir *ir, int bytes);

void ir_mov(struct ir *ir, int dst, int src);
void ir_movi(struct ir *ir, int dst, int64_t imm); /* any 64-bit constant */
/* dst = dst OP src; op is BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_MOD (unsigned), BPF_AND,
 * BPF_OR, BPF_XOR, BPF_LSH, BPF_RSH, BPF_ARSH. The w forms work on 32 bits and clear the upper
 * half. */
void ir_alu(struct ir *ir, int op, int dst, int src);
void ir_alui(struct ir *ir, int op, int dst, int64_t imm);
void ir_aluw(struct ir *ir, int op, int dst, int src);
void ir_aluwi(struct ir *ir, int op, int dst, int32_t imm);
void ir_neg(struct ir *ir, int dst);
/* BPF_END to big endian, of 16, 32, 64 bits; clears the rest */
void ir_bswap(struct ir *ir, int dst, int bits);
/* Sign- or zero-extends the low 8, 16 or 32 bits. */
void ir_sext(struct ir *ir, int dst, int bits);
void ir_zext(struct ir *ir, int dst, int bits);
/*
 * A register that is a copy: what the verifier learns of it by a jump from here on, it does not
 * learn of the original. Where many jumps test one register, it would otherwise follow each of the
 * values that they compare with through all later ones.
 */
void ir_unlink(struct ir *ir, int dst);

/* Memory: size is 1, 2, 4 or 8 bytes. ir_ld zero-extends. base may be IR_FP (use ir_frame for
 * offsets). */
void ir_ld(struct ir *ir, int size, int dst, int base, int off);
/* The same where memory never changes during the program (context, read-only maps): may be
 * fetched once. */
void ir_ld_const(struct ir *ir, int size, int dst, int base, int off);
/* The which-th word of 8 bytes of the context, which is the program's first argument; a new
 * register. */
int ir_ctx_word(struct ir *ir, int which);
void ir_st(struct ir *ir, int size, int base, int off, int src);
void ir_sti(struct ir *ir, int size, int base, int off, int32_t imm);
/* Atomics on 4 or 8 bytes: op is BPF_ADD, BPF_OR, BPF_AND, BPF_XOR, with BPF_FETCH or'ed in for a
 * result (left in src), BPF_XCHG, BPF_CMPXCHG (compares with and returns in r0: use
 * ir_cmpxchg). */
void ir_atomic(struct ir *ir, int op, int size, int base, int off, int src);
/* old = *(base+off); if (old == expect) *(base+off) = src; all atomically; result in dst. */
void ir_cmpxchg(struct ir *ir, int size, int dst, int base, int off, int expect, int src);

/* What follows a jump or a return without a label is dropped. A bound that was checked is known
 * to the verifier for the register that was compared, and for no copy made before; before 5.11 it
 * is lost when that register is spilled, so mask or compare close to the use. */
void ir_jmp(struct ir *ir, int label);
/* cond is BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT, BPF_JSGE, BPF_JSLT,
 * BPF_JSLE, BPF_JSET. */
void ir_jcc(struct ir *ir, int cond, int a, int b, int label);
void ir_jcci(struct ir *ir, int cond, int a, int64_t imm, int label);

/* Calls a helper (BPF_FUNC_*) with up to five registers; returns a register with the result,
 * which must not be read after helpers that return nothing. */
int ir_call(struct ir *ir, int helper, int nargs, const int *args);
#define ir_callv(ir, helper, ...)                                                  \
	ir_call((ir), (helper), (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), \
		(int[]){__VA_ARGS__})
/* Helpers without side effects whose result cannot change during the program (current pid, cpu,
 * ...): the second call in straight-line code is dropped. */
int ir_call_const(struct ir *ir, int helper, int nargs, const int *args);
/* Calls a routine by name, with scalars. The program must contain a function of that name. */
int ir_call_func(struct ir *ir, const char *func, int nargs, const int *args);

/* dst = map for a helper's map argument; made again rather than spilled. */
void ir_map(struct ir *ir, int dst, struct map *map);
/* dst = address of byte off in the memory of an array map with one element. */
void ir_map_mem(struct ir *ir, int dst, struct map *map, uint32_t off);

/* Takes size bytes (multiple of 8 is best) of the function's stack frame; returns a frame handle.
 * Frames are freed back by ir_frame_free for reuse by later takes. */
int ir_frame(struct ir *ir, int size);
void ir_frame_free(struct ir *ir, int frame);
/* dst = address of byte off of the frame. Frames begin undefined: the verifier refuses reads of
 * what was not written. */
void ir_frame_addr(struct ir *ir, int dst, int frame, int off);
void ir_frame_ld(struct ir *ir, int size, int dst, int frame, int off);
void ir_frame_st(struct ir *ir, int size, int frame, int off, int src);
void ir_frame_sti(struct ir *ir, int size, int frame, int off, int32_t imm);

/* Returns from the function: r0 = src, or a constant. */
void ir_ret(struct ir *ir, int src);
void ir_reti(struct ir *ir, int32_t imm);

/*
 * Readable text, one instruction a line: "v17 += 4", "if v17 s> 3 goto L2", "r0 = call 14()".
 * stage: 0 as built, 1 optimised, 2 with machine registers; it says so in the heading.
 */
void ir_dump(struct ir *ir, FILE *out, int stage);

/* Optimises, allocates registers and encodes; the result lives in the ir's arena. On error
 * code->error is set. dump, when not NULL, gets the text of each stage asked for in the mask (1
 * as built, 2 optimised, 4 allocated). */
struct code *ir_finish(struct ir *ir, FILE *dump, unsigned mask);
/* The same without optimisation: for tests that compare results before and after. */
struct code *ir_finish_plain(struct ir *ir);
/* The number of instructions as built, labels among them. */
int ir_count(const struct ir *ir);

/* Listing of machine code, one line an instruction, with D places as comments when lines is set
 * (for -S). */
void code_list(const struct code *code, FILE *out, bool lines);

#endif
