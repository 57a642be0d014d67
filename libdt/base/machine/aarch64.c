/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aarch64: registers, calling convention (AAPCS64) and instructions. */
#include <ctype.h>
#include <elf.h>
#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"

/* Words of struct pt_regs; those of x0 to x30 are their numbers. */
enum { FP = 29, LR, SP, PC, STATUS, ORIG_X0, SYSCALLNO };

enum { INTS = 8, FLOATS = 8 };

/* ---- calling convention */

/* In so many registers of both kinds if there are as many, else in memory, where all that follow
 * of that kind are then, too. */
static int take(struct args_taken *taken, int ints, int floats, uint64_t size, bool wide)
{
	int at = taken->ints;

	if (taken->ints + ints > INTS || taken->floats + floats > FLOATS) {
		taken->ints = ints ? INTS : taken->ints;
		taken->floats = floats ? FLOATS : taken->floats;
		return args_on_stack(taken, INTS, size, wide);
	}
	taken->ints += ints;
	taken->floats += floats;
	return at;
}

static int place(struct args_taken *taken, const struct call_value *v)
{
	const struct value_parts *p = &v->parts;

	if (v->is_struct) {
		if (p->float_size && p->scalars <= 4)
			return take(taken, 0, p->scalars, v->size, false);
		if (v->size > 16) /* a copy's address */
			return take(taken, 1, 0, 8, false);
		return take(taken, (int)((v->size + 7) / 8), 0, v->size, false);
	}
	if (v->is_float)
		return take(taken, 0, 1, v->size, v->size > 8);
	if (v->size <= 8)
		return take(taken, 1, 0, 8, false);
	taken->ints = ALIGN_UP(taken->ints, 2);
	return take(taken, 2, 0, v->size, true);
}

/* ---- instructions */

static int length(const uint8_t *code, size_t n)
{
	(void)code;
	return n >= 4 ? 4 : 0;
}

/* A field of an instruction that counts words: bits of it, from bit low on, signed. */
static int64_t words_of(uint32_t insn, int low, int bits)
{
	return ((int64_t)((uint64_t)insn << (64 - low - bits)) >> (64 - bits)) * 4;
}

/* Is it an addition (register, shifted or extended) of 64 bits to this register? */
static bool adds_to(uint32_t insn, uint32_t reg)
{
	return (insn & 0xff000000) == 0x8b000000 && (insn & 31) == reg;
}

static enum way way(const struct machine_code *c, int64_t *distance)
{
	uint32_t insn = machine_word(c->code + c->at);

	if ((insn & 0xfffffc1f) == 0xd65f0000) /* ret */
		return RETURNS;
	if ((insn & 0xfc000000) == 0x14000000) { /* b */
		*distance = words_of(insn, 0, 26);
		return JUMPS;
	}
	if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000) {
		*distance = words_of(insn, 5, 19); /* b.cond; cbz, cbnz */
		return BRANCHES;
	}
	if ((insn & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		*distance = words_of(insn, 5, 14);
		return BRANCHES;
	}
	if ((insn & 0xfffffc1f) == 0xd61f0000) /* br */
		return c->at && adds_to(machine_word(c->code + c->before), insn >> 5 & 31)
			   ? GOES_ON
			   : UNKNOWN;
	/* retaa, retab; braa and so on */
	return (insn & 0xfe000000) == 0xd6000000 && (insn & 0x00200000) == 0 ? UNKNOWN : GOES_ON;
}

/* Exclusive loads and stores, exceptions, what writes system registers, and branches that
 * authenticate. */
static bool doubtful(const uint8_t *code)
{
	static const struct {
		uint32_t mask, bits;
	} kinds[] = {{0x3f000000, 0x08000000},
		     {0xff000000, 0xd4000000},
		     {0xfff00000, 0xd5100000},
		     {0xfe000800, 0xd6000800}};
	uint32_t insn = machine_word(code);

	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((insn & kinds[i].mask) == kinds[i].bits)
			return true;
	return false;
}

/* ---- operands of static probes: "x1", "[sp, 12]", "[x1]", "7" */

static bool reg(const char **p, int *offset)
{
	char *end;
	long n;

	if (!strncmp(*p, "sp", 2)) {
		*offset = SP * 8;
		*p += 2;
		return true;
	}
	if ((**p != 'x' && **p != 'w') || !isdigit((unsigned char)(*p)[1]))
		return false;
	n = strtol(*p + 1, &end, 10);
	*p = end;
	*offset = n * 8;
	return n <= LR;
}

static bool operand(const char *p, const struct sdtarg_env *env, struct sdtarg *a)
{
	(void)env;
	if (*p == '[') {
		p++;
		a->kind = SDTARG_MEM;
		if (!reg(&p, &a->reg))
			return false;
		if (*p == ',') {
			p += 1 + strspn(p + 1, " #");
			if (!operand_number(&p, &a->value))
				return false;
		}
		return !strcmp(p, "]");
	}
	a->kind = SDTARG_REG;
	if (reg(&p, &a->reg))
		return !*p;
	a->kind = SDTARG_CONST;
	p += *p == '#';
	return operand_number(&p, &a->value) && !*p;
}

const struct machine machine_aarch64 = {
    .name = "aarch64",
    .defined = "__aarch64",
    .elf = EM_AARCH64,
    .static_probe = {R_AARCH64_ABS64, 0xd503201f, 4, "0"},
    .audit = AUDIT_ARCH_AARCH64,
    .unnamed_bits_align = true,
    .atomics = 1 << 8, /* HWCAP_ATOMICS */
    .regs = {.pc = PC,
	     .sp = SP,
	     .fp = FP,
	     .result = 0,
	     .result2 = 1,
	     .status = STATUS,
	     .link = LR,
	     .nargs = INTS,
	     .args = {0, 1, 2, 3, 4, 5, 6, 7},
	     .words = STATUS + 1,
	     .ptrace_words = STATUS + 1,
	     .size = 336,
	     .first = 200},
    .calls = {.number = SYSCALLNO * 8,
	      .number_size = 4,
	      .args = {{ORIG_X0 * 8, 8, 16, 24, 32, 40}, {ORIG_X0 * 8, 8, 16, 24, 32, 40}},
	      .mode = STATUS * 8, /* PSR_MODE32_BIT */
	      .mode_bit = 4,
	      .flags = "flags",
	      .flags_bit = 22, /* TIF_32BIT */
	      .call = 8,
	      .restart = -1,
	      .prefix = "__arm64_sys_"},
    /* struct ucontext is after 128 bytes of siginfo, its registers 176 bytes on, after a word;
     * mov x8, #139; svc #0 */
    .unwind = {.known = true,
	       .sp = 31,
	       .fp = 29,
	       .ra = 30,
	       .third = LR,
	       .signal_pc = 312 + PC * 8,
	       .signal_sp = 312 + SP * 8,
	       .signal_fp = 312 + FP * 8,
	       .signal_third = 312 + LR * 8,
	       .sigreturn = 0xd4000001d2801168,
	       .is_signed = true},
    /* brk, svc */
    .debug = {.trap = 0xd4200000, .trap_mask = ~0u, .call = 0xd4000001, .call_mask = ~0u},
    .pages = {.shift = 12, .mask = 2, .table = 2},
    .place = place,
    .length = length,
    .way = way,
    .doubtful = doubtful,
    .operand = operand,
};
