/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about types. Nested types may come from hostile BTF, so that every walk is bounded. */
#include "libdt/type/types.h"

#include <string.h>

#include "libdt/base/nearest.h"

/* How many types one question looks at. */
#define WALK_MAX 10000

const struct type *type_base(const struct type *t)
{
	for (int i = 0; i < 4 * TYPE_DEPTH; i++) {
		if (t->plain)
			t = t->plain;
		else if (t->ref && (t->kind == T_TYPEDEF || t->kind == T_FWD))
			t = t->ref;
		else
			break;
	}
	return t;
}

/* D's own struct of that name: the program's or the library's. */
static const struct type *declared_tag(struct types *types, const struct type *fwd)
{
	bool was = types_enter(types, fwd->flags & TF_LIBRARY);
	const struct type *found = types_named(types, type_tag_key(types, fwd->fwd, fwd->name));

	if (!found && type_from_library(types, type_tag_key(types, fwd->fwd, fwd->name)))
		found = types_named(types, type_tag_key(types, fwd->fwd, fwd->name));
	types_enter(types, was);
	return found;
}

/* What a forward declaration turned out to be, or itself. The kernel's are looked for in the kernel
 * first. */
static const struct type *resolve(struct types *types, struct type *fwd)
{
	const struct type *found = NULL;

	if ((fwd->flags & TF_INCOMPLETE) || !fwd->name) /* its body is being read */
		return fwd;
	if (fwd->module)
		found = kernel_find(types, fwd->module, fwd->fwd, fwd->name);
	else
		found = declared_tag(types, fwd);
	if ((!found || type_base(found)->kind == T_FWD) && !type_module_is_program(fwd->module))
		found = kernel_find(types, NULL, fwd->fwd, fwd->name);
	if (!found || type_base(found) == fwd)
		return fwd;
	fwd->ref = found;
	return type_base(found);
}

const struct type *type_complete(struct types *types, const struct type *t)
{
	struct type *own;

	t = type_base(t);
	for (int i = 0; i < TYPE_DEPTH && t->kind == T_FWD; i++) {
		const struct type *to = resolve(types, (struct type *)t);

		if (to == t)
			break;
		t = to;
	}
	if (!(t->flags & TF_INCOMPLETE) || t->kind == T_FWD)
		return t;
	own = (struct type *)t; /* types are ours; only the others see them as constant */
	own->flags &= ~TF_INCOMPLETE;
	if (own->fill)
		own->fill(types, own);
	return t;
}

static uint64_t size_of(struct types *types, const struct type *t, int depth)
{
	uint64_t size;

	t = type_base(t);
	if (t->kind == T_FWD)
		t = type_complete(types, t);
	if (t->kind == T_STRING)
		return types->string_size;
	if (t->kind != T_ARRAY || depth > TYPE_DEPTH)
		return t->size;
	if (__builtin_mul_overflow(size_of(types, t->ref, depth + 1), t->nelem, &size))
		return 0;
	return size;
}

uint64_t type_size(struct types *types, const struct type *t)
{
	return size_of(types, t, 0);
}

static uint32_t align_of(struct types *types, const struct type *t, int depth);

/* The members do not say whether the struct is packed; one that is out of place does. */
static uint32_t struct_align(struct types *types, struct type *t, int depth)
{
	uint32_t most = 1;

	if (t->align)
		return t->align;
	t->align = 1; /* also when it contains itself, as only broken BTF can say */
	for (int i = 0; i < t->nmembers; i++) {
		const struct member *m = &t->members[i];
		uint32_t align = align_of(types, m->type, depth + 1);

		if (!m->bits && m->bit_off % (align * 8))
			return 1;
		most = MAX(most, align);
	}
	t->align = t->size % most ? 1 : most;
	return t->align;
}

/* What a typedef says; 0: nothing. */
static uint32_t typedef_align(const struct type *t)
{
	for (int i = 0; i < 4 * TYPE_DEPTH && (t->plain || t->kind == T_TYPEDEF); i++) {
		if (!t->plain && t->align)
			return t->align;
		t = t->plain ? t->plain : t->ref;
	}
	return 0;
}

static uint32_t align_of(struct types *types, const struct type *t, int depth)
{
	uint32_t word = types->ilp32 ? 4 : 16;

	if (depth > TYPE_DEPTH)
		return 1;
	if (typedef_align(t))
		return typedef_align(t);
	t = type_complete(types, t);
	switch (t->kind) {
	case T_ARRAY:
		return align_of(types, t->ref, depth + 1);
	case T_STRUCT:
	case T_UNION:
		return struct_align(types, (struct type *)t, depth);
	case T_PTR:
		return t->size;
	case T_INT:
	case T_FLOAT:
	case T_ENUM:
		if (!t->size || t->size > 16 || (t->size & (t->size - 1)))
			return t->size > word || t->size > 4 ? MIN(word, 4) : 1;
		return MIN(t->size, word);
	case T_STACK:
	case T_STRING:
	case T_SYMADDR:
	case T_USYMADDR:
		return 8;
	default:
		return 1;
	}
}

uint32_t type_align(struct types *types, const struct type *t)
{
	return align_of(types, t, 0);
}

static const struct member *find_member(struct types *types, const struct type *t, const char *name,
					uint64_t *bit_off, int *budget, int depth)
{
	t = type_complete(types, t);
	if ((t->kind != T_STRUCT && t->kind != T_UNION) || depth > TYPE_DEPTH || --*budget < 0)
		return NULL;
	for (int i = 0; i < t->nmembers; i++) {
		const struct member *m = &t->members[i];

		if (m->name && !strcmp(m->name, name)) {
			*bit_off += m->bit_off;
			return m;
		}
	}
	for (int i = 0; i < t->nmembers; i++) {
		const struct member *m = &t->members[i], *found;
		uint64_t off = *bit_off + m->bit_off;

		if ((m->name && *m->name) || m->bits)
			continue;
		found = find_member(types, m->type, name, &off, budget, depth + 1);
		if (found) {
			*bit_off = off;
			return found;
		}
	}
	return NULL;
}

/* Members of members without a name are among them. */
static void suggest_member(struct types *types, const struct type *t, struct nearest *near,
			   int *budget, int depth)
{
	t = type_base(type_complete(types, t));
	if (!type_is_sou(t) || depth > TYPE_DEPTH || --*budget < 0)
		return;
	for (int i = 0; i < t->nmembers; i++) {
		const struct member *m = &t->members[i];

		if (m->name && *m->name)
			nearest_try(near, m->name);
		else
			suggest_member(types, m->type, near, budget, depth + 1);
	}
}

const char *type_member_similar(struct types *types, const struct type *t, const char *name)
{
	struct nearest near = nearest_to(name);
	int budget = WALK_MAX;

	if (near.len >= 3)
		suggest_member(types, t, &near, &budget, 0);
	return near.best;
}

bool type_is_of_d(struct types *types, const struct type *t)
{
	while (t->kind == T_PTR || t->kind == T_ARRAY || t->kind == T_TYPEDEF) {
		if (t->kind == T_TYPEDEF && (hash_gets(&types->script.typedefs, t->name) == t ||
					     hash_gets(&types->library.typedefs, t->name) == t))
			return true;
		t = t->ref;
	}
	/* D's library declares the kernel's structures without a body */
	t = type_complete(types, t);
	switch (t->kind) {
	case T_STRUCT:
	case T_UNION:
	case T_ENUM:
	case T_FWD:
		return !t->module;
	case T_STRING:
	case T_STACK:
	case T_SYMADDR:
	case T_USYMADDR:
		return true;
	default:
		return false;
	}
}

const struct member *type_member(struct types *types, const struct type *t, const char *name,
				 uint64_t *bit_off)
{
	uint64_t off = 0;
	int budget = WALK_MAX;
	const struct member *m = *name ? find_member(types, t, name, &off, &budget, 0) : NULL;

	if (m && bit_off)
		*bit_off = off;
	return m;
}

bool type_is_view(const struct type *t)
{
	return type_base(t)->via;
}

const struct type *type_native(const struct type *t)
{
	return type_is_view(t) ? type_base(t)->via : t;
}

/* Numbers that do not fit into a register: unsigned __int128, long double. */
static bool exceeds_register(const struct type *t)
{
	t = type_base(t);
	return (t->kind == T_INT || t->kind == T_FLOAT) && t->size > 8;
}

bool type_is_int(const struct type *t)
{
	t = type_base(t);
	return (t->kind == T_INT && !exceeds_register(t)) || t->kind == T_ENUM;
}

bool type_is_signed(const struct type *t)
{
	return type_is_int(t) && (type_base(t)->flags & TF_SIGNED);
}

bool type_is_ptr(const struct type *t)
{
	t = type_base(t);
	return t->kind == T_PTR || t->kind == T_ARRAY;
}

bool type_is_scalar(const struct type *t)
{
	return type_is_int(t) || type_is_ptr(t);
}

bool type_is_word(const struct type *t)
{
	return type_is_scalar(t) || type_base(t)->kind == T_SYMADDR;
}

bool type_is_stack(const struct type *t)
{
	t = type_base(t);
	return t->kind == T_STACK || t->kind == T_USYMADDR;
}

bool type_is_block(const struct type *t)
{
	return type_is_sou(t) || type_is_stack(t) || exceeds_register(t);
}

bool type_in_memory(const struct type *t)
{
	return type_is_block(t) || type_base(t)->kind == T_ARRAY;
}

bool type_is_string(const struct type *t)
{
	return type_base(t)->kind == T_STRING;
}

/* uint8_t and similar types are bytes, although the C compiler makes them of char. */
static bool is_char(const struct type *t)
{
	static const char *const bytes[] = {"u8",     "s8",	 "__u8",   "__s8",
					    "int8_t", "uint8_t", "uchar_t"};

	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		if (t->plain) {
			t = t->plain;
			continue;
		}
		if (t->kind != T_TYPEDEF)
			return t->kind == T_INT && (t->flags & TF_CHAR);
		for (size_t i = 0; i < ARRAY_SIZE(bytes); i++)
			if (!strcmp(t->name, bytes[i]))
				return false;
		t = t->ref;
	}
	return false;
}

bool type_is_charptr(const struct type *t)
{
	return type_is_ptr(t) && is_char(type_base(t)->ref);
}

bool type_is_sou(const struct type *t)
{
	t = type_base(t);
	if (t->kind == T_FWD)
		return t->fwd == T_STRUCT || t->fwd == T_UNION;
	return t->kind == T_STRUCT || t->kind == T_UNION;
}

bool type_is_void(const struct type *t)
{
	return type_base(t)->kind == T_VOID;
}

bool type_is_dyn(const struct type *t)
{
	return type_base(t)->kind == T_DYN;
}

static bool same(const struct type *a, const struct type *b, int depth, int *budget);

static bool same_params(const struct type *a, const struct type *b, int depth, int *budget)
{
	if (a->nparams != b->nparams || ((a->flags ^ b->flags) & TF_VARARGS))
		return false;
	for (int i = 0; i < a->nparams; i++)
		if (!same(a->params[i], b->params[i], depth, budget))
			return false;
	return true;
}

/* A declared struct is the one of that name whose definition was read from another source. */
static bool same_tag(const struct type *a, const struct type *b)
{
	enum type_kind ka = a->kind == T_FWD ? a->fwd : a->kind;
	enum type_kind kb = b->kind == T_FWD ? b->fwd : b->kind;

	return ka == kb && a->name && b->name && !strcmp(a->name, b->name);
}

static bool same(const struct type *a, const struct type *b, int depth, int *budget)
{
	a = type_base(type_narrow(a));
	b = type_base(type_narrow(b));
	if (a == b)
		return true;
	if (a->kind == T_FWD || b->kind == T_FWD)
		return same_tag(a, b);
	if (a->kind != b->kind || depth > TYPE_DEPTH || --*budget < 0)
		return false;
	switch (a->kind) {
	case T_STRING:
	case T_VOID:
		return true;
	case T_SYMADDR:
	case T_USYMADDR: /* as names of the same kind */
		return a->nelem == b->nelem;
	case T_STACK:
		return !((a->flags ^ b->flags) & TF_USERLAND);
	case T_PTR:
		if (!a->via != !b->via || (a->via && !same(a->via, b->via, depth + 1, budget)))
			return false;
		return a->size == b->size && same(a->ref, b->ref, depth + 1, budget);
	case T_ARRAY:
		return a->nelem == b->nelem && same(a->ref, b->ref, depth + 1, budget);
	case T_ASSOC:
	case T_FUNC:
		return same(a->ref, b->ref, depth + 1, budget) &&
		       same_params(a, b, depth + 1, budget);
	default:
		return false;
	}
}

bool type_same(const struct type *a, const struct type *b)
{
	int budget = WALK_MAX;

	return same(a, b, 0, &budget);
}

static bool is_uintptr(const struct type *t)
{
	if (t->plain)
		t = t->plain;
	return t->kind == T_TYPEDEF && !strcmp(t->name, "uintptr_t");
}

static bool pointer_ok(const struct type *param, const struct type *arg)
{
	const struct type *to = type_base(type_narrow(type_base(param)->ref));
	const struct type *from = type_base(type_narrow(type_base(arg)->ref));

	if (to->kind == T_VOID || from->kind == T_VOID)
		return true;
	if (to->kind == T_INT &&
	    from->kind == T_INT) /* char * and unsigned char *, long and long long */
		return to->size == from->size;
	return type_same(to, from);
}

bool type_argument_ok(const struct type *param, const struct type *arg)
{
	if (type_is_dyn(param) || type_same(param, arg))
		return true;
	if (type_is_int(param) && type_is_int(arg))
		return true;
	if (type_base(param)->kind == T_FLOAT)
		return type_base(arg)->kind == T_FLOAT || type_is_int(arg);
	if (type_is_string(param) && type_is_ptr(arg))
		return type_is_charptr(arg);
	if (type_is_string(arg) && type_is_ptr(param)) /* an array of char */
		return type_is_charptr(param) || type_is_void(type_base(param)->ref);
	if (type_is_string(param) || type_is_string(arg))
		return type_is_string(param) && type_is_string(arg);
	if (is_uintptr(param) && type_is_ptr(arg))
		return true;
	if (type_is_ptr(param) && type_base(arg)->kind == T_FUNC)
		return type_same(type_base(param)->ref, arg) || type_is_void(type_base(param)->ref);
	return type_is_ptr(param) && type_is_ptr(arg) && pointer_ok(param, arg);
}
