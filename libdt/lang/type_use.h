/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that programs use. */
#ifndef DT_TYPE_USE_H
#define DT_TYPE_USE_H

#include "libdt/lang/clause.h"
#include "libdt/lang/sym.h"

/* Either kind, each type once, in the order of the text. What they reach is not among them. */
struct type_use {
	struct types *types;
	VEC(const struct type *) of_c; /* the kernel's and programs', and C's own */
	VEC(const struct type *) of_d; /* what the script and the D library declare, and D's own */
	struct hash seen;
};

/* Of analysed clauses and the variables that the script declares. */
void type_use_collect(struct type_use *u, struct clause *const *clauses, int nclauses,
		      const struct syms_of_script *syms);
void type_use_free(struct type_use *u);

#endif
