/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file of BTF, of the kernel or of a program, as types. */
#ifndef DT_BTF_FILE_H
#define DT_BTF_FILE_H

#include "libdt/type/raw.h"
#include "libdt/type/types.h"

enum index_sort { INDEX_TYPES, INDEX_FUNCS, INDEX_VARS, INDEX_CONSTS, INDEX_SORTS };

/* What names are searched for besides types and functions: a tracepoint's is that of its typedef,
 * btf_trace_NAME. */
#define KIND_VAR ((enum type_kind)(T_AGG + 1))
#define KIND_TRACEPOINT ((enum type_kind)(T_AGG + 2))

/* Ids by the hashes of names. Open addressing; 0 is an empty slot. parts: of INDEX_CONSTS, the
 * number of the enumerator in the record of a slot. */
struct index {
	int searches;
	uint32_t *slots, *parts;
	uint32_t mask;
};

/* Types by id, of those that were converted: a few hundred of a hundred thousand. The same way. */
struct converted {
	struct {
		uint32_t id;
		const struct type *type;
	} * slots;
	uint32_t mask, n;
};

/* Of a module, ids go on from those of vmlinux. */
struct btf_file {
	struct types *types;
	const char *module;
	struct btf_raw *raw; /* NULL: it has none */
	struct btf_file *base;
	bool is_user; /* a program's: its pointers point into its own memory */
	struct converted converted;
	struct index index[INDEX_SORTS];
};

/* raw is the file's from now on. */
struct btf_file *btf_file_new(struct types *t, const char *module, struct btf_raw *raw,
			      struct btf_file *base);
void btf_file_free(struct btf_file *f);
/* The record of that name; 0 when there is none. kind: T_STRUCT, ... T_TYPEDEF, T_FUNC, KIND_VAR,
 * KIND_TRACEPOINT. */
uint32_t btf_file_find(struct btf_file *f, enum type_kind kind, const char *name);
/* The name nearest to that one, for "did you mean"; NULL: none is near. */
const char *btf_file_similar(struct btf_file *f, enum type_kind kind, const char *name);
const struct type *btf_file_type(struct btf_file *f, uint32_t id);
bool btf_file_enumerator(struct btf_file *f, const char *name, int64_t *value,
			 const struct type **type);
/* False when the record is no function. */
bool btf_file_func(struct btf_file *f, uint32_t id, struct kernel_func *out);
/* Of a typedef btf_trace_NAME, what the tracepoint passes; NULL. */
const struct type *btf_file_tracepoint(struct btf_file *f, uint32_t id);

#endif
