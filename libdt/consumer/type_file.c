/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/type_file.h"

#include <stdlib.h>
#include <string.h>

/* Limits of what is loaded. Kernels' types are far below them. */
enum { DEPTH_MAX = 100, PARTS_MAX = 1 << 20, BYTES_MAX = 1 << 28 };

enum { ROW_LEAST = 16 }; /* bytes of a row in the file, at the least */

static const uint32_t nothing = UINT32_MAX; /* a reference to no type */

void type_file_free(struct type_file *f)
{
	vec_free(&f->rows);
	hash_free(&f->numbers);
}

/* Saving ------------------------------------------------------------------ */

struct type_key {
	const struct type *type;
	uint64_t shallow;
};

/* What a type is made of; in what is shallow all is. */
static void
each_part(struct type_file *f, const struct type *t, bool shallow,
	  void (*fn)(struct type_file *f, const struct type *t, bool shallow, int depth), int depth)
{
	bool pointer = t->kind == T_PTR || t->kind == T_FUNC;

	if (t->plain)
		fn(f, t->plain, shallow, depth);
	if (t->ref)
		fn(f, t->ref, shallow || pointer, depth);
	for (int i = 0; i < t->nparams; i++)
		fn(f, t->params[i], true, depth);
	for (int i = 0; i < t->nmembers && !shallow && !t->plain; i++)
		fn(f, t->members[i].type, false, depth);
}

static void add(struct type_file *f, const struct type *t, bool shallow, int depth)
{
	struct type_key key = {t, shallow};

	if (hash_get(&f->numbers, &key, sizeof(key)) || depth > DEPTH_MAX / 2)
		return;
	if (!shallow)
		type_complete(f->types, t);
	if (t->kind != T_FWD || !shallow)
		each_part(f, t, shallow, add, depth + 1);
	vec_push(&f->rows, ((struct type_row){.type = t, .shallow = shallow}));
	hash_put(&f->numbers, &key, sizeof(key), (void *)(uintptr_t)f->rows.n);
}

void type_file_add(struct type_file *f, const struct type *t)
{
	add(f, t, false, 0);
}

static uint32_t number_of(const struct type_file *f, const struct type *t, bool shallow)
{
	struct type_key key = {t, shallow};
	uintptr_t number = t ? (uintptr_t)hash_get(&f->numbers, &key, sizeof(key)) : 0;

	return number ? number - 1 : nothing;
}

/* Both -------------------------------------------------------------------- */

/* A reference of a row to one before it. */
static void pack_ref(struct type_file *f, struct pack *p, struct type_row *row,
		     const struct type **t, bool shallow)
{
	uint32_t n = pack_loads(p) ? 0 : number_of(f, *t, shallow);
	const struct type_row *to;

	PACK(p, &n);
	if (!pack_loads(p))
		return;
	*t = NULL;
	pack_require(p, n == nothing || n < (uint32_t)f->rows.n);
	if (p->bad || n == nothing)
		return;
	to = &f->rows.v[n];
	*t = to->type;
	row->depth = MAX(row->depth, to->depth + 1);
	row->parts = MIN(row->parts + to->parts, PARTS_MAX + 1);
	pack_require(p, row->depth <= DEPTH_MAX && row->parts <= PARTS_MAX);
}

static void pack_members(struct type_file *f, struct pack *p, struct type_row *row, struct type *t)
{
	struct member *members;
	int n = row->shallow ? 0 : t->nmembers;

	pack_count(p, &n, 13);
	members = pack_loads(p) ? arena_alloc(p->arena, (n + 1) * sizeof(*members)) : NULL;
	for (int i = 0; i < n && !p->bad; i++) {
		struct member m = {0};

		if (!members)
			m = t->members[i];
		pack_text(p, &m.name);
		pack_ref(f, p, row, &m.type, false);
		PACK(p, &m.bit_off);
		PACK(p, &m.bits);
		pack_require(p, m.type && m.bits <= 64 && m.bit_off <= t->size * 8);
		if (members)
			members[i] = m;
	}
	if (!members)
		return;
	t->members = members;
	t->nmembers = p->bad ? 0 : n;
}

static void pack_enums(struct pack *p, const struct type_row *row, struct type *t)
{
	struct enumerator *enums;
	int n = row->shallow ? 0 : t->nenums;

	pack_count(p, &n, 12);
	enums = pack_loads(p) ? arena_alloc(p->arena, (n + 1) * sizeof(*enums)) : NULL;
	for (int i = 0; i < n && !p->bad; i++) {
		struct enumerator e = {0};

		if (!enums)
			e = t->enums[i];
		pack_text(p, &e.name);
		PACK(p, &e.value);
		pack_require(p, e.name);
		if (enums)
			enums[i] = e;
	}
	if (!enums)
		return;
	t->enums = enums;
	t->nenums = p->bad ? 0 : n;
}

static void pack_params(struct type_file *f, struct pack *p, struct type_row *row, struct type *t)
{
	const struct type **params;
	int n = t->nparams;

	pack_count(p, &n, 4);
	params = pack_loads(p) ? arena_alloc(p->arena, (n + 1) * sizeof(*params)) : NULL;
	for (int i = 0; i < n && !p->bad; i++) {
		const struct type *param = params ? NULL : t->params[i];

		pack_ref(f, p, row, &param, true);
		pack_require(p, param);
		if (params)
			params[i] = param;
	}
	if (!params)
		return;
	t->params = params;
	t->nparams = p->bad ? 0 : n;
}

/* Loading ----------------------------------------------------------------- */

static bool is_int(const struct type *t)
{
	return t->kind == T_INT || t->kind == T_ENUM;
}

/* A wide integer, which may stand for the narrow one in ref. */
static bool wide_holds(const struct type *t)
{
	return is_int(t) && t->size == 8 && t->ref && is_int(type_base(t->ref)) &&
	       type_base(t->ref)->size <= 8;
}

/* Its size is that of its elements; 0 where they are strings, whose size is -x strsize. */
static bool array_holds(struct type *t)
{
	const struct type *of = t->ref ? type_base(t->ref) : NULL;

	if (!of || t->nelem > BYTES_MAX || (of->size && t->nelem > BYTES_MAX / of->size))
		return false;
	t->size = of->size * t->nelem;
	return of->size || of->kind != T_ARRAY || !t->nelem;
}

/* What the functions that print values rely on. */
static bool holds(struct type *t)
{
	static const uint8_t most[] = {
	    [T_INT] = 16, [T_ENUM] = 8, [T_FLOAT] = 16, [T_PTR] = 8, [T_SYMADDR] = 16,
	};
	bool wants_ref =
	    t->kind == T_PTR || t->kind == T_ARRAY || t->kind == T_TYPEDEF || t->kind == T_FUNC;

	if (t->kind > T_AGG || t->kind == T_ASSOC || t->size > BYTES_MAX ||
	    (t->kind < ARRAY_SIZE(most) && most[t->kind] && t->size > most[t->kind]))
		return false;
	if (t->flags & TF_WIDE)
		return wide_holds(t);
	if (t->kind == T_ARRAY)
		return array_holds(t);
	return t->ref || !wants_ref;
}

static void pack_type(struct type_file *f, struct pack *p, struct type_row *row, struct type *t)
{
	uint32_t kind = t->kind, fwd = t->fwd;
	bool pointer;

	PACK(p, &kind);
	PACK(p, &t->flags);
	PACK(p, &t->size);
	PACK(p, &t->nelem);
	PACK(p, &fwd);
	pack_text(p, &t->name);
	pack_require(p, kind <= T_AGG && fwd <= T_AGG);
	if (p->bad)
		return;
	t->kind = kind;
	t->fwd = fwd;
	t->flags &= ~TF_INCOMPLETE;
	pointer = t->kind == T_PTR || t->kind == T_FUNC;
	pack_ref(f, p, row, &t->plain, row->shallow);
	pack_ref(f, p, row, &t->ref, row->shallow || pointer);
	pack_params(f, p, row, t);
	pack_members(f, p, row, t);
	pack_enums(p, row, t);
	pack_require(p, holds(t));
}

static void save_row(struct type_file *f, struct pack *p, struct type_row *row)
{
	struct type t = *row->type;

	t.flags &= ~TF_INCOMPLETE;
	t.size = t.kind == T_STRING ? 0 : t.size;
	if (row->shallow && t.kind == T_FWD)
		t.ref = NULL;
	if (t.kind == T_ARRAY && t.nelem && !type_size(f->types, &t))
		t.nelem = type_base(t.ref)->kind == T_ARRAY ? 0 : t.nelem;
	if (t.plain)
		t.nmembers = t.nenums = 0;
	if (t.kind == T_ASSOC || t.kind == T_DYN || t.kind == T_AGG)
		t = (struct type){.kind = T_VOID, .name = "void"};
	pack_type(f, p, row, &t);
}

void type_file_pack(struct type_file *f, struct pack *p)
{
	int n = f->rows.n;

	pack_count(p, &n, ROW_LEAST);
	for (int i = 0; i < n && !p->bad; i++) {
		struct type_row row = {.depth = 1, .parts = 1};
		struct type *t;

		if (!pack_loads(p)) {
			save_row(f, p, &f->rows.v[i]);
			continue;
		}
		t = arena_alloc(p->arena, sizeof(*t));
		pack_type(f, p, &row, t);
		row.type = t;
		vec_push(&f->rows, row);
	}
}

void type_file_ref(struct type_file *f, struct pack *p, const struct type **t)
{
	struct type_row whole = {0};

	pack_ref(f, p, &whole, t, false);
	pack_require(p, *t);
}
