/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions by hand, and functions made of them. */
#ifndef DT_TEST_BPFINSN_H
#define DT_TEST_BPFINSN_H

#include <linux/bpf.h>
#include <string.h>

#include "bpf/insn.h"
#include "bpf/ir.h"

#define ALU(op, dst, imm) INSN(BPF_ALU64 | (op) | BPF_K, dst, 0, 0, imm)
#define ALUR(op, dst, src) INSN(BPF_ALU64 | (op) | BPF_X, dst, src, 0, 0)
#define LDX8(dst, src, off) INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define STX8(dst, off, src) INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define ST8(dst, off, imm) INSN(BPF_ST | BPF_MEM | BPF_DW, dst, 0, off, imm)
#define ADD8(dst, off, src) INSN(BPF_STX | BPF_XADD | BPF_DW, dst, src, off, BPF_ADD)
#define JCCI(op, dst, imm, off) INSN(BPF_JMP | (op) | BPF_K, dst, 0, off, imm)
#define JMP(off) INSN(BPF_JMP | BPF_JA, 0, 0, off, 0)
#define IMM64(dst) INSN(BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, 0), INSN(0, 0, 0, 0, 0)

static inline struct code *code_make(struct arena *a, const char *name,
				     const struct bpf_insn *insns, int n)
{
	struct code *c = arena_alloc(a, sizeof(*c));

	c->name = name;
	c->nargs = 1;
	c->insns.v = arena_alloc(a, n * sizeof(*insns));
	c->insns.n = n;
	memcpy(c->insns.v, insns, n * sizeof(*insns));
	return c;
}

#define CODE(a, name, ...)                                       \
	code_make((a), (name), (struct bpf_insn[]){__VA_ARGS__}, \
		  ARRAY_SIZE(((struct bpf_insn[]){__VA_ARGS__})))

/* These push onto vectors in the arena, of at most 16. */
static inline void code_reloc(struct arena *a, struct code *c, struct reloc r)
{
	if (!c->relocs.v)
		c->relocs.v = arena_alloc(a, 16 * sizeof(r));
	c->relocs.v[c->relocs.n++] = r;
}

static inline void code_line(struct arena *a, struct code *c, int insn, struct loc loc)
{
	if (!c->lines.v)
		c->lines.v = arena_alloc(a, 16 * sizeof(struct line));
	c->lines.v[c->lines.n++] = (struct line){insn, loc};
}

#endif
