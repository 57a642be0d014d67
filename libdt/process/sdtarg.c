/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/sdtarg.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"

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

static bool number(const char **p, int64_t *v)
{
	char *end;

	if (!isdigit((unsigned char)**p) &&
	    !((**p == '-' || **p == '+') && isdigit((unsigned char)(*p)[1])))
		return false;
	*v = (int64_t)strtoull(*p, &end, 0);
	*p = end;
	return true;
}

/* A sum of numbers and at most one name, as the assembler wrote them: "8+g-4". */
static bool x86_sum(const char **p, const struct sdtarg_env *env, int64_t *sum, bool *named)
{
	char name[128];
	int64_t part;
	size_t len;

	for (*sum = 0, *named = false; **p && **p != '(';) {
		if (number(p, &part)) {
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

enum { X86_PC = 128 };

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
	if (named != (a->reg == X86_PC))
		return false;
	if (*p == ',') {
		p++;
		if (!x86_reg(&p, &a->index, NULL))
			return false;
		if (*p == ',') {
			p++;
			if (!number(&p, &scale) ||
			    (scale != 1 && scale != 2 && scale != 4 && scale != 8))
				return false;
		}
	}
	a->scale = scale;
	a->kind = SDTARG_MEM;
	return !strcmp(p, ")");
}

static bool x86_operand(const char *p, const struct sdtarg_env *env, struct sdtarg *a)
{
	if (*p == '$') {
		p++;
		a->kind = SDTARG_CONST;
		return number(&p, &a->value) && !*p;
	}
	if (*p == '%') {
		a->kind = SDTARG_REG;
		return x86_reg(&p, &a->reg, &a->shift) && !*p;
	}
	return x86_memory(p, env, a);
}

static bool arm_reg(const char **p, int *offset)
{
	char *end;
	long n;

	if (!strncmp(*p, "sp", 2)) {
		*offset = 31 * 8;
		*p += 2;
		return true;
	}
	if ((**p != 'x' && **p != 'w') || !isdigit((unsigned char)(*p)[1]))
		return false;
	n = strtol(*p + 1, &end, 10);
	*p = end;
	*offset = n * 8;
	return n <= 30;
}

/* "x1", "[sp, 12]", "[x1]", "7" */
static bool arm_operand(const char *p, struct sdtarg *a)
{
	if (*p == '[') {
		p++;
		a->kind = SDTARG_MEM;
		if (!arm_reg(&p, &a->reg))
			return false;
		if (*p == ',') {
			p += 1 + strspn(p + 1, " #");
			if (!number(&p, &a->value))
				return false;
		}
		return !strcmp(p, "]");
	}
	a->kind = SDTARG_REG;
	if (arm_reg(&p, &a->reg))
		return !*p;
	a->kind = SDTARG_CONST;
	p += *p == '#';
	return number(&p, &a->value) && !*p;
}

/* "SIZE@OPERAND"; without a size it is a long. */
static bool parse_one(const char *text, const struct sdtarg_env *env, struct sdtarg *a)
{
	const char *at = strchr(text, '@');
	int64_t size = 8;

	if (at) {
		if (!number(&text, &size) || text != at) /* also 8f@: floating */
			return false;
		text = at + 1;
	}
	a->is_signed = size < 0;
	a->size = size < 0 ? -size : size;
	if (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8)
		return false;
	return env->machine == EM_X86_64 ? x86_operand(text, env, a)
					 : env->machine == EM_AARCH64 && arm_operand(text, a);
}

/* Where the argument at p ends: blanks within brackets are its own. */
static int argument_length(const char *p)
{
	int n = 0, depth = 0;

	for (; p[n] && (depth || !isspace((unsigned char)p[n])); n++)
		depth += (p[n] == '[' || p[n] == '(') - (p[n] == ']' || p[n] == ')');
	return n;
}

int sdtarg_parse(const char *text, const struct sdtarg_env *env, struct sdtarg args[SDTARG_MAX])
{
	int n = 0;

	for (;;) {
		struct sdtarg *a = &args[n];
		char one[128];

		while (isspace((unsigned char)*text))
			text++;
		if (!*text || n == SDTARG_MAX)
			return n;
		*a = (struct sdtarg){
		    .reg = -1, .index = -1, .scale = 1, .text = text, .len = argument_length(text)};
		if (a->len < (int)sizeof(one)) {
			memcpy(one, text, a->len);
			one[a->len] = '\0';
		}
		if (a->len >= (int)sizeof(one) || !parse_one(one, env, a))
			a->kind = SDTARG_UNKNOWN;
		text += a->len;
		n++;
	}
}
