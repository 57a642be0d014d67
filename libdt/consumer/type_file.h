/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of recorded values in a file: a table in which each type stands after those that it is made
 * of. What a pointer points to has a name and no members, because no value of it is recorded. So
 * the table has no cycles, though a kernel's types have.
 */
#ifndef DT_TYPE_FILE_H
#define DT_TYPE_FILE_H

#include "libdt/base/hash.h"
#include "libdt/record/pack.h"
#include "libdt/type/type.h"

struct type_row {
	const struct type *type;
	bool shallow;	       /* saving: without members */
	uint32_t depth, parts; /* loaded: of the tree below it, itself included */
};

/* All zero, but for types. */
struct type_file {
	struct types *types;
	VEC(struct type_row) rows;
	struct hash numbers; /* saving: type and shallow -> its number */
};

void type_file_free(struct type_file *f);
/* Adds a type of recorded values to the table that is to be saved. */
void type_file_add(struct type_file *f, const struct type *t);
/* Saves the table, or loads one: its types are in the pack's arena. */
void type_file_pack(struct type_file *f, struct pack *p);
/* A reference to one of its types. */
void type_file_ref(struct type_file *f, struct pack *p, const struct type **t);

#endif
