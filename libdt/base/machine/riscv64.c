/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * riscv64: registers, calling convention (LP64D) and instructions, those of the extension for
 * compressed code among them.
 */
#include <elf.h>
#include <linux/audit.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"

#ifndef AUDIT_ARCH_RISCV64 /* headers before Linux 5.0 */
#define AUDIT_ARCH_RISCV64 (EM_RISCV | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE)
#endif

/* Numbers of registers, which are also their words in struct pt_regs; 0 is the program counter. */
enum { PC, RA, SP, T0 = 5, S0 = 8, A0 = 10, A1, A2, A3, A4, A5, A7 = 17 };
enum { STATUS = 32, ORIG_A0 = 35, WORDS };

enum { INTS = 8, FLOATS = 8 };
enum { FLAG_RVC = 1, FLAG_DOUBLE = 4 }; /* EF_RISCV_* */

/* ---- calling convention */

/* In so many integer registers, of which the last may lack: the rest is on the stack then. */
static int take_ints(struct args_taken *taken, int words, bool wide)
{
	int at = taken->ints, rest;

	if (at == INTS)
		return args_on_stack(taken, INTS, words * 8, wide);
	rest = MAX(at + words - INTS, 0);
	taken->ints += words - rest;
	if (rest)
		args_on_stack(taken, INTS, rest * 8, false);
	return at;
}

/* A structure of one or two members of which at least one is in floating point has a register for
 * each, if there are enough of both kinds. */
static bool take_members(struct args_taken *taken, const struct value_parts *p)
{
	int ints = p->scalars - p->floats;

	if (!p->floats || p->scalars > 2 || p->long_double || p->odd || taken->ints + ints > INTS ||
	    taken->floats + p->floats > FLOATS)
		return false;
	taken->ints += ints;
	taken->floats += p->floats;
	return true;
}

static int place(struct args_taken *taken, const struct call_value *v)
{
	int at = taken->ints;

	if (v->is_struct && v->size > 16) /* a copy's address */
		return take_ints(taken, 1, false);
	if (v->is_struct && take_members(taken, &v->parts))
		return at;
	if (v->is_float && v->size <= 8 && taken->floats < FLOATS) {
		taken->floats++;
		return at;
	}
	return take_ints(taken, (int)((MIN(v->size, 1u << 20) + 7) / 8),
			 v->size > 8 && v->aligned_16);
}

static bool result_in_memory(const struct call_value *v)
{
	return v->is_struct && v->size > 16;
}

/* ---- instructions */

static uint32_t half_at(const uint8_t *code)
{
	return code[0] | code[1] << 8;
}

static uint32_t field(uint32_t insn, int low, int bits)
{
	return insn >> low & ((1u << bits) - 1);
}

static int64_t sign_extend(uint32_t value, int bits)
{
	return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

/* Longer ones than 4 bytes are not in use. */
static int length(const uint8_t *code, size_t n)
{
	int len = n < 2 || !half_at(code)  ? 0
		  : (*code & 3) != 3	   ? 2
		  : (*code & 0x1f) != 0x1f ? 4
					   : 0;

	return (size_t)len <= n ? len : 0;
}

enum { OP_AUIPC = 0x17, OP_ADD = 0x33, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6f };

/* Does the instruction add a register to this one? */
static bool adds_to(const uint8_t *code, uint32_t reg)
{
	uint32_t insn;

	if ((*code & 3) == 2) /* c.add; without a second register it is c.jalr */
		return field(half_at(code), 12, 4) == 9 && field(half_at(code), 7, 5) == reg &&
		       field(half_at(code), 2, 5);
	if ((*code & 3) != 3)
		return false;
	insn = machine_word(code);
	return (insn & 0xfe00707f) == OP_ADD && field(insn, 7, 5) == reg;
}

/* A jump to an address in a register, plus a number. auipc in front of it makes the address fixed,
 * an addition is that of a table of offsets. */
static enum way way_register(const struct machine_code *c, uint32_t reg, int64_t add,
			     int64_t *distance)
{
	const uint8_t *before = c->code + c->before;
	uint32_t insn;

	if (reg == RA || reg == T0)
		return add ? UNKNOWN : RETURNS;
	if (!c->at)
		return UNKNOWN;
	if ((*before & 0x7f) == OP_AUIPC) {
		insn = machine_word(before);
		if (field(insn, 7, 5) != reg)
			return UNKNOWN;
		*distance = (int32_t)(insn & 0xfffff000) + add - (int64_t)(c->at - c->before);
		return JUMPS;
	}
	return adds_to(before, reg) ? GOES_ON : UNKNOWN;
}

static enum way way_short(const struct machine_code *c, int64_t *distance)
{
	uint32_t insn = half_at(c->code + c->at), kind = (insn & 3) << 3 | field(insn, 13, 3);

	switch (kind) {
	case 1 << 3 | 5: /* c.j */
		*distance = sign_extend(field(insn, 12, 1) << 11 | field(insn, 8, 1) << 10 |
					    field(insn, 9, 2) << 8 | field(insn, 6, 1) << 7 |
					    field(insn, 7, 1) << 6 | field(insn, 2, 1) << 5 |
					    field(insn, 11, 1) << 4 | field(insn, 3, 3) << 1,
					12);
		return JUMPS;
	case 1 << 3 | 6: /* c.beqz, c.bnez */
	case 1 << 3 | 7:
		*distance = sign_extend(field(insn, 12, 1) << 8 | field(insn, 5, 2) << 6 |
					    field(insn, 2, 1) << 5 | field(insn, 10, 2) << 3 |
					    field(insn, 3, 2) << 1,
					9);
		return BRANCHES;
	case 2 << 3 | 4: /* c.jr; with bit 12 c.jalr and c.add, with a second register c.mv */
		if (!field(insn, 12, 1) && !field(insn, 2, 5))
			return way_register(c, field(insn, 7, 5), 0, distance);
		return GOES_ON;
	default:
		return GOES_ON;
	}
}

static enum way way(const struct machine_code *c, int64_t *distance)
{
	uint32_t insn;

	if (c->len == 2)
		return way_short(c, distance);
	insn = machine_word(c->code + c->at);
	switch (insn & 0x7f) {
	case OP_JAL:
		*distance = sign_extend(field(insn, 31, 1) << 20 | field(insn, 12, 8) << 12 |
					    field(insn, 20, 1) << 11 | field(insn, 21, 10) << 1,
					21);
		return field(insn, 7, 5) ? GOES_ON : JUMPS; /* with a register it is a call */
	case OP_BRANCH:
		*distance = sign_extend(field(insn, 31, 1) << 12 | field(insn, 7, 1) << 11 |
					    field(insn, 25, 6) << 5 | field(insn, 8, 4) << 1,
					13);
		return BRANCHES;
	case OP_JALR:
		if (field(insn, 7, 5))
			return GOES_ON;
		return way_register(c, field(insn, 15, 5), sign_extend(field(insn, 20, 12), 12),
				    distance);
	default:
		return GOES_ON;
	}
}

/* Fences, atomic instructions, those of the system, and ebreak in two bytes. */
static bool doubtful(const uint8_t *code)
{
	uint32_t op = *code & 0x7f;

	return op == 0x0f || op == 0x2f || op == 0x73 || half_at(code) == 0x9002;
}

/* ---- operands of static probes: "a0", "-20(s0)", "7" */

static bool reg(const char **p, int *offset)
{
	static const char *const names[] = {NULL, "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
					    "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
					    "a6", "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
					    "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
	size_t len = strcspn(*p, ")");

	for (size_t i = 1; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) != len || strncmp(*p, names[i], len) != 0)
			continue;
		*offset = (int)i * 8;
		*p += len;
		return true;
	}
	return false;
}

static bool operand(const char *p, const struct sdtarg_env *env, struct sdtarg *a)
{
	(void)env;
	a->kind = SDTARG_REG;
	if (reg(&p, &a->reg))
		return !*p;
	a->kind = SDTARG_CONST;
	if (*p != '(' && !operand_number(&p, &a->value))
		return false;
	if (!*p)
		return true;
	a->kind = SDTARG_MEM;
	return *p++ == '(' && reg(&p, &a->reg) && !strcmp(p, ")");
}

const struct machine machine_riscv64 = {
    .name = "riscv64",
    .defined = "__riscv",
    .elf = EM_RISCV,
    .elf_flags = FLAG_RVC | FLAG_DOUBLE,
    .static_probe = {R_RISCV_64, 0x13, 4, "0"},
    .audit = AUDIT_ARCH_RISCV64,
    .regs = {.pc = PC,
	     .sp = SP,
	     .fp = S0,
	     .result = A0,
	     .result2 = A1,
	     .status = STATUS,
	     .link = RA,
	     .nargs = INTS,
	     .args = {A0, A1, A2, A3, A4, A5, A5 + 1, A7},
	     .words = WORDS,
	     .ptrace_words = 32,
	     .size = WORDS * 8,
	     .first = 300},
    /* the first argument's register has the result, too: the kernel keeps what it was */
    .calls = {.number = A7 * 8,
	      .number_size = 8,
	      .args = {{ORIG_A0 * 8, A1 * 8, A2 * 8, A3 * 8, A4 * 8, A5 * 8},
		       {ORIG_A0 * 8, A1 * 8, A2 * 8, A3 * 8, A4 * 8, A5 * 8}},
	      .mode = STATUS * 8, /* UXL: 2 for 64 bits */
	      .mode_bit = 33,
	      .native = true,
	      .flags = "flags",
	      .flags_bit = 11, /* TIF_32BIT */
	      .call = A7,
	      .restart = -1,
	      .prefix = "__riscv_sys_"},
    /* ebreak, ecall */
    .debug = {.trap = 0x00100073, .trap_mask = ~0u, .call = 0x00000073, .call_mask = ~0u},
    .pages = {.shift = 10, .mask = 0xe, .table = 0, .five_levels = "sv57"},
    .place = place,
    .result_in_memory = result_in_memory,
    .length = length,
    .way = way,
    .doubtful = doubtful,
    .operand = operand,
};
