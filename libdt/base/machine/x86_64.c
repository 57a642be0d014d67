/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64: registers, calling convention (System V); the instructions are in x86len.c. */
#include <ctype.h>
#include <elf.h>
#include <linux/audit.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/machine/x86len.h"
#include "libdt/base/mem.h"

/* Words of struct pt_regs. */
enum { RBP = 4, RBX, R11, R10, R9, R8, RAX, RCX, RDX, RSI, RDI, ORIG_RAX };
enum { RIP = 16, CS, FLAGS, RSP, SS, WORDS };

enum { INTS = 6, FLOATS = 8 };

/* ---- calling convention */

/* In so many registers of both kinds if there are as many, else in memory. */
static int take(struct args_taken *taken, int ints, int floats, uint64_t size, bool wide)
{
	int at = taken->ints;

	if (taken->ints + ints > INTS || taken->floats + floats > FLOATS)
		return args_on_stack(taken, INTS, size, wide);
	taken->ints += ints;
	taken->floats += floats;
	return at;
}

static int place_struct(struct args_taken *taken, const struct call_value *v)
{
	const struct value_parts *p = &v->parts;
	int ints = 0, floats = 0, words = (int)((v->size + 7) / 8);

	if (v->size > 16 || p->odd || p->long_double)
		return args_on_stack(taken, INTS, v->size, v->aligned_16);
	for (int i = 0; i < words; i++) {
		ints += p->integer[i];
		floats += !p->integer[i] && p->floating[i];
	}
	return ints + floats ? take(taken, ints, floats, v->size, false) : taken->ints;
}

static int place(struct args_taken *taken, const struct call_value *v)
{
	if (v->is_struct)
		return place_struct(taken, v);
	if (v->is_float && v->parts.long_double)
		return args_on_stack(taken, INTS, v->size, true);
	if (v->is_float)
		return take(taken, 0, 1, v->size, v->size > 8);
	return v->size <= 8 ? take(taken, 1, 0, 8, false) : take(taken, 2, 0, v->size, true);
}

static bool result_in_memory(const struct call_value *v)
{
	const struct value_parts *p = &v->parts;

	return v->is_struct && (v->size > 16 || p->odd ||
				(p->long_double && (p->integer[0] || p->floating[0] ||
						    p->integer[1] || p->floating[1])));
}

/* ---- instructions */

/* A jump to a register that the instruction in front of it added to is by a table of offsets. */
static enum way way(const struct machine_code *c, int64_t *distance)
{
	const uint8_t *code = c->code + c->at;
	int reg;

	switch (x86_way(code, c->len, distance)) {
	case X86_RETURN:
		return RETURNS;
	case X86_MEMORY:
		return CALLS;
	case X86_JUMP:
		return JUMPS;
	case X86_BRANCH:
		return BRANCHES;
	case X86_REGISTER:
		reg = x86_jumps_to(code, c->len);
		return reg < 0 || x86_adds_to(c->code + c->before, c->at - c->before) == reg
			   ? GOES_ON
			   : UNKNOWN;
	default:
		return GOES_ON;
	}
}

/* With a lock prefix, and of the vector extensions. */
static bool doubtful(const uint8_t *code)
{
	static const uint8_t first[] = {0xf0, 0xc4, 0xc5, 0x62, 0xf4, 0xcc};

	return memchr(first, *code, sizeof(first)) != NULL;
}

/* ---- operands of static probes */

struct reg {
	const char *name;
	int offset, shift;
};

/* Names of the same register by width share an offset. */
static const struct reg x86_regs[] = {
    {"r15", 0, 0},   {"r14", 8, 0},   {"r13", 16, 0},  {"r12", 24, 0},	{"rbp", 32, 0},
    {"ebp", 32, 0},  {"bp", 32, 0},   {"bpl", 32, 0},  {"rbx", 40, 0},	{"ebx", 40, 0},
    {"bx", 40, 0},   {"bl", 40, 0},   {"bh", 40, 8},   {"r11", 48, 0},	{"r10", 56, 0},
    {"r9", 64, 0},   {"r8", 72, 0},   {"rax", 80, 0},  {"eax", 80, 0},	{"ax", 80, 0},
    {"al", 80, 0},   {"ah", 80, 8},   {"rcx", 88, 0},  {"ecx", 88, 0},	{"cx", 88, 0},
    {"cl", 88, 0},   {"ch", 88, 8},   {"rdx", 96, 0},  {"edx", 96, 0},	{"dx", 96, 0},
    {"dl", 96, 0},   {"dh", 96, 8},   {"rsi", 104, 0}, {"esi", 104, 0}, {"si", 104, 0},
    {"sil", 104, 0}, {"rdi", 112, 0}, {"edi", 112, 0}, {"di", 112, 0},	{"dil", 112, 0},
    {"rip", 128, 0}, {"rsp", 152, 0}, {"esp", 152, 0}, {"sp", 152, 0},	{"spl", 152, 0},
};

/* r8 to r15 have their widths as suffixes: r8d, r8w, r8b. */
static bool same_x86(const char *name, int len, const char *reg)
{
	int n = strlen(reg);

	if (len == n)
		return !strncmp(name, reg, n);
	return reg[0] == 'r' && isdigit((unsigned char)reg[1]) && len == n + 1 &&
	       !strncmp(name, reg, n) && strchr("dwb", name[n]);
}

static bool x86_reg(const char **p, int *offset, int *shift)
{
	int len = 0;

	if (**p != '%')
		return false;
	while (isalnum((unsigned char)(*p)[1 + len]))
		len++;
	for (unsigned i = 0; i < ARRAY_SIZE(x86_regs); i++) {
		if (!same_x86(*p + 1, len, x86_regs[i].name))
			continue;
		*offset = x86_regs[i].offset;
		if (shift)
			*shift = x86_regs[i].shift;
		*p += 1 + len;
		return true;
	}
	return false;
}

/* A sum of numbers and at most one name, as the assembler wrote them: "8+g-4". */
static bool x86_sum(const char **p, const struct sdtarg_env *env, int64_t *sum, bool *named)
{
	char name[128];
	int64_t part;
	size_t len;

	for (*sum = 0, *named = false; **p && **p != '(';) {
		if (operand_number(p, &part)) {
			*sum += part;
			continue;
		}
		*p += **p == '+';
		len = strcspn(*p, "+-(");
		if (*named || !len || len >= sizeof(name) || !env->distance)
			return false;
		memcpy(name, *p, len);
		name[len] = '\0';
		if (!env->distance(env->arg, name, &part))
			return false;
		*sum += part;
		*named = true;
		*p += len;
	}
	return true;
}

/* "disp(base,index,scale)" */
static bool x86_memory(const char *p, const struct sdtarg_env *env, struct sdtarg *a)
{
	int64_t scale = 1;
	bool named;

	if (!x86_sum(&p, env, &a->value, &named) || *p++ != '(')
		return false;
	if (*p != ',' && !x86_reg(&p, &a->reg, NULL))
		return false;
	/* the program counter is where the probe is, from which distances are */
	if (named != (a->reg == RIP * 8))
		return false;
	if (*p == ',') {
		p++;
		if (!x86_reg(&p, &a->index, NULL))
			return false;
		if (*p == ',') {
			p++;
			if (!operand_number(&p, &scale) ||
			    (scale != 1 && scale != 2 && scale != 4 && scale != 8))
				return false;
		}
	}
	a->scale = scale;
	a->kind = SDTARG_MEM;
	return !strcmp(p, ")");
}

static bool operand(const char *p, const struct sdtarg_env *env, struct sdtarg *a)
{
	if (*p == '$') {
		p++;
		a->kind = SDTARG_CONST;
		return operand_number(&p, &a->value) && !*p;
	}
	if (*p == '%') {
		a->kind = SDTARG_REG;
		return x86_reg(&p, &a->reg, &a->shift) && !*p;
	}
	return x86_memory(p, env, a);
}

const struct machine machine_x86_64 = {
    .name = "x86_64",
    .defined = "__amd64",
    .elf = EM_X86_64,
    .static_probe = {R_X86_64_64, 0x90, 1, "$0"},
    .audit = AUDIT_ARCH_X86_64,
    /* code and stack segment share their words with other members from Linux 6.7 on */
    .regs = {.pc = RIP,
	     .sp = RSP,
	     .fp = RBP,
	     .result = RAX,
	     .result2 = RDX,
	     .status = FLAGS,
	     .link = -1,
	     .nargs = INTS,
	     .args = {RDI, RSI, RDX, RCX, R8, R9},
	     .words = WORDS,
	     .ptrace_words = 27,
	     .size = WORDS * 8,
	     .first = 0,
	     .loadable = ~(1ull << CS | 1ull << SS)},
    .calls = {.number = ORIG_RAX * 8,
	      .number_size = 4, /* the kernel takes an int, from Linux 5.14 on */
	      .args = {{RDI * 8, RSI * 8, RDX * 8, R10 * 8, R8 * 8, R9 * 8},
		       {RBX * 8, RCX * 8, RDX * 8, RSI * 8, RDI * 8, RBP * 8}},
	      .mode = CS * 8, /* 0x33 for 64 bits, 0x23 for 32 */
	      .mode_bit = 4,
	      .native = true,
	      .flags = "status",
	      .flags_bit = 1, /* TS_COMPAT */
	      .call = RAX,
	      .restart = ORIG_RAX,
	      .prefix = "__x64_sys_"},
    /* at a struct ucontext, its registers 40 bytes on */
    .unwind = {.known = true,
	       .sp = 7,
	       .fp = 6,
	       .ra = 16,
	       .base = 3,
	       .third = RBX,
	       .signal_pc = 168,
	       .signal_sp = 160,
	       .signal_fp = 120,
	       .signal_third = 128},
    /* int3, syscall */
    .debug = {.trap = 0xcc, .trap_mask = 0xff, .pc_behind = 1, .call = 0x050f, .call_mask = 0xffff},
    .pages = {.shift = 12, .mask = 0x80, .table = 0, .five_levels = "la57"},
    .place = place,
    .result_in_memory = result_in_memory,
    .length = x86_length,
    .way = way,
    .doubtful = doubtful,
    .mistaken = x86_mistaken,
    .operand = operand,
};
