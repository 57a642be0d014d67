/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The graph: making types so that equal ones are one.
 *
 * A derived type (pointer, array, typedef, ...) is found by its parts in one table, so that
 * comparing pointers compares types; structs, unions and enums are what their reader says they are.
 * A qualified type is a copy that remembers the plain one, so that its kind can be asked without
 * unwrapping it.
 */
#include "libdt/type/types.h"

#include <stdlib.h>
#include <string.h>

struct type_key {
	uint64_t size, nelem;
	const struct type *ref, *plain, *via;
	uint32_t kind, flags, align;
	uint32_t nparams, has_name;
};

struct type *type_alloc(struct types *t, enum type_kind kind, const char *name)
{
	struct type *n = arena_alloc(t->arena, sizeof(*n));

	n->kind = kind;
	if (name)
		n->name = arena_strdup(t->arena, name);
	return n;
}

/* The type that equals like; like's name and parameters are copied when it is new. */
static const struct type *intern(struct types *t, const struct type *like)
{
	struct type_key key;
	struct type *n;
	void **slot;

	memset(&key, 0, sizeof(key));
	key.size = like->kind == T_TYPEDEF || like->kind == T_ARRAY ? 0 : like->size;
	key.nelem = like->nelem;
	key.ref = like->ref;
	key.plain = like->plain;
	key.via = like->via;
	key.kind = like->kind;
	key.align = like->kind == T_TYPEDEF ? like->align : 0; /* else it follows from the rest */
	key.flags = like->flags;
	key.nparams = like->nparams;
	key.has_name = like->name && !like->plain;
	if (like->plain) { /* says all but the qualifiers, and may be completed in between */
		key.size = key.nelem = 0;
		key.ref = key.via = NULL;
		key.kind = 0;
		key.align = 0;
		key.flags &= TF_CONST | TF_VOLATILE | TF_OPTIONAL;
	}

	t->key.len = 0;
	sb_add(&t->key, &key, sizeof(key));
	if (like->nparams && !like->plain)
		sb_add(&t->key, like->params, like->nparams * sizeof(like->params[0]));
	if (key.has_name)
		sb_puts(&t->key, like->name);
	slot = hash_ref(&t->interned, t->key.s, t->key.len);
	n = *slot;
	if (n) {
		if (n->kind == like->kind)
			n->size = like->size; /* that of a struct which has got its body since */
		return n;
	}
	n = arena_alloc(t->arena, sizeof(*n));
	*n = *like;
	if (key.has_name)
		n->name = arena_strdup(t->arena, like->name);
	if (like->nparams && !like->plain) {
		size_t bytes = like->nparams * sizeof(like->params[0]);

		n->params = memcpy(arena_alloc(t->arena, bytes), like->params, bytes);
	}
	*slot = n;
	return n;
}

struct types *types_new(bool ilp32, const char *btf_path)
{
	struct types *t = xcalloc(1, sizeof(*t));

	t->arena = arena_new();
	t->ilp32 = ilp32;
	t->btf_path = btf_path ? xstrdup(btf_path) : NULL;
	types_builtin(t);
	return t;
}

static void scope_free(struct type_scope *s)
{
	hash_free(&s->names);
	hash_free(&s->typedefs);
	hash_free(&s->consts);
	hash_free(&s->fwds);
}

void types_free(struct types *t)
{
	if (!t)
		return;
	kernel_free(t->kernel);
	users_free(t);
	hash_free(&t->interned);
	scope_free(&t->script);
	scope_free(&t->library);
	hash_free(&t->protos);
	sb_free(&t->key);
	sb_free(&t->tag);
	arena_free(t->arena);
	free(t->btf_path);
	free(t);
}

struct arena *types_arena(struct types *t)
{
	return t->arena;
}

const struct type *type_intern_int(struct types *t, const char *name, uint64_t size, unsigned flags)
{
	return intern(t, &(struct type){.kind = T_INT, .name = name, .size = size, .flags = flags});
}

const struct type *type_intern_float(struct types *t, const char *name, uint64_t size)
{
	return intern(t, &(struct type){.kind = T_FLOAT, .name = name, .size = size});
}

const struct type *type_special(struct types *t, enum type_kind kind)
{
	return t->special[kind];
}

const struct type *type_stack(struct types *t, uint32_t nframes, bool userland)
{
	struct type like = *t->special[T_STACK];

	like.nelem = nframes + userland;
	like.size = like.nelem * sizeof(uint64_t);
	like.flags = userland ? TF_USERLAND : 0;
	return intern(t, &like);
}

static const struct type *symaddr(struct types *t, enum type_kind kind, int how)
{
	struct type like = *t->special[kind];

	like.nelem = how;
	return how ? intern(t, &like) : t->special[kind];
}

const struct type *type_symaddr(struct types *t, int how)
{
	return symaddr(t, T_SYMADDR, how);
}

const struct type *type_usymaddr(struct types *t, int how)
{
	return symaddr(t, T_USYMADDR, how);
}

const struct type *type_void(struct types *t)
{
	return t->special[T_VOID];
}

bool types_set_string(struct types *t, uint32_t size)
{
	if (t->string_placed && t->string_size != size)
		return false;
	t->string_size = size;
	return true;
}

const struct type *type_string(struct types *t)
{
	return t->special[T_STRING];
}

const struct type *type_ptr_sized(struct types *t, const struct type *to, unsigned size)
{
	return intern(t, &(struct type){.kind = T_PTR, .ref = to, .size = size});
}

const struct type *type_ptr(struct types *t, const struct type *to)
{
	return type_ptr_sized(t, to, t->ilp32 ? 4 : 8);
}

unsigned type_space(const struct type *t)
{
	return type_base(t)->flags & (TF_USERLAND | TF_ANYWHERE);
}

const struct type *type_in_space(struct types *t, const struct type *ptr, unsigned space)
{
	struct type like = *type_base(ptr);

	if ((like.kind != T_PTR && like.kind != T_STRING) || type_space(ptr) == space)
		return ptr;
	like.flags = (like.flags & ~(TF_USERLAND | TF_ANYWHERE)) | space;
	return intern(t, &like);
}

const struct type *type_userland(struct types *t, const struct type *ptr)
{
	return type_in_space(t, ptr, TF_USERLAND);
}

const struct type *type_view(struct types *t, const struct type *ptr, const struct type *via)
{
	struct type like = *type_base(ptr);

	like.via = via;
	return intern(t, &like);
}

const struct type *type_wide(struct types *t, const struct type *of)
{
	struct type like = *type_base(type_complete(t, of));

	if (!type_is_int(&like) || like.size >= 8)
		return of;
	like.size = 8;
	like.flags = (like.flags & TF_SIGNED) | TF_WIDE;
	like.ref = of;
	return intern(t, &like);
}

const struct type *type_narrow(const struct type *t)
{
	return type_is_wide(t) ? type_base(t)->ref : t;
}

bool type_is_wide(const struct type *t)
{
	return type_base(t)->flags & TF_WIDE;
}

const struct type *type_array(struct types *t, const struct type *of, uint64_t nelem)
{
	struct type like = {.kind = T_ARRAY, .ref = of, .nelem = nelem};

	if (__builtin_mul_overflow(type_base(of)->size, nelem, &like.size))
		like.size = 0;
	return intern(t, &like);
}

const struct type *type_assoc(struct types *t, const struct type *of,
			      const struct type *const *keys, int nkeys)
{
	return intern(t,
		      &(struct type){.kind = T_ASSOC, .ref = of, .params = keys, .nparams = nkeys});
}

const struct type *type_func(struct types *t, const struct type *result,
			     const struct type *const *params, int nparams, bool varargs)
{
	return intern(t, &(struct type){.kind = T_FUNC,
					.ref = result,
					.params = params,
					.nparams = nparams,
					.flags = varargs ? TF_VARARGS : 0});
}

const struct type *type_qualified(struct types *t, const struct type *of, unsigned flags)
{
	struct type like;

	flags &= TF_CONST | TF_VOLATILE | TF_OPTIONAL;
	if (!(flags & ~of->flags))
		return of;
	if (of->kind == T_ARRAY && (flags & ~TF_OPTIONAL)) { /* its elements are what is const */
		of = type_array(t, type_qualified(t, of->ref, flags & ~TF_OPTIONAL), of->nelem);
		return type_qualified(t, of, flags & TF_OPTIONAL);
	}
	flags |= of->flags & (TF_CONST | TF_VOLATILE | TF_OPTIONAL);
	if (of->plain)
		of = of->plain;
	like = *of;
	like.plain = of;
	like.flags |= flags;
	return intern(t, &like);
}

const struct type *type_typedef_aligned(struct types *t, const char *name, const struct type *of,
					uint32_t align)
{
	return intern(t, &(struct type){.kind = T_TYPEDEF,
					.name = name,
					.ref = of,
					.size = type_base(of)->size,
					.align = align});
}

const struct type *type_typedef(struct types *t, const char *name, const struct type *of)
{
	return type_typedef_aligned(t, name, of, 0);
}

struct type *type_fwd(struct types *t, enum type_kind kind, const char *module, const char *name)
{
	struct type *n;
	void **slot;

	t->key.len = 0;
	if (module)
		sb_printf(&t->key, "%s`", module);
	sb_puts(&t->key, type_tag_key(t, kind, name));
	slot = hash_ref(&types_scope(t)->fwds, t->key.s, t->key.len);
	if (*slot)
		return *slot;
	n = type_alloc(t, T_FWD, name);
	n->fwd = kind;
	n->flags |= t->in_library ? TF_LIBRARY : 0;
	n->module = module ? arena_strdup(t->arena, module) : NULL;
	*slot = n;
	return n;
}
