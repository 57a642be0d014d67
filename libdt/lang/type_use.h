/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that programs use. */
#ifndef DT_USED_H
#define DT_USED_H

#include "libdt/lang/clause.h"
#include "libdt/lang/sym.h"

/* Either kind, each type once, in the order of the text. What they reach is not among them. */
struct used {
	struct types *types;
	VEC(const struct type *) of_c; /* the kernel's and programs', and C's own */
	VEC(const struct type *) of_d; /* what the script and the D library declare, and D's own */
	struct hash seen;	       /* types and nodes */
};

/* Of analysed clauses and the variables that the script declares. */
void used_collect(struct used *u, struct clause *const *clauses, int nclauses, const struct syms_of_script *syms);
void used_free(struct used *u);

#endif
