/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a static probe's arguments are: the text of its note, in the assembler's operands.
 * "-4@%edi" is a signed 32-bit number in a register, "8@-24(%rbp)" 8 bytes in memory, "4@$7" a
 * constant; on aarch64 "8@x1", "4@[sp, 12]", "4@7".
 */
#ifndef DT_SDTARG_H
#define DT_SDTARG_H

#include <stdbool.h>
#include <stdint.h>

enum sdtarg_kind { SDTARG_CONST, SDTARG_REG, SDTARG_MEM, SDTARG_UNKNOWN };

struct sdtarg {
	enum sdtarg_kind kind;
	int size; /* bytes: 1, 2, 4, 8 */
	bool is_signed;
	int64_t value;	  /* the constant; the displacement */
	int reg, index;	  /* offsets in struct pt_regs; -1: none */
	int scale;	  /* of the index */
	int shift;	  /* a register's bits above which it is: 8 for %ah */
	const char *text; /* as the note says it, len bytes */
	int len;
};

#define SDTARG_MAX 12

/*
 * What the texts need besides: which machine (EM_*), and how far from the probe's instruction a
 * variable is, for "g+8(%rip)"; distance may be NULL, or say false.
 */
struct sdtarg_env {
	int machine;
	bool (*distance)(void *arg, const char *name, int64_t *distance);
	void *arg;
};

/* The arguments of a note; those that are not understood are SDTARG_UNKNOWN. Returns how many. */
int sdtarg_parse(const char *text, const struct sdtarg_env *env, struct sdtarg args[SDTARG_MAX]);

#endif
