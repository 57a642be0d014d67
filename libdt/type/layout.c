/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bodies of structs, unions and enums, and where the members lie: as gcc puts them on this
 * machine, for a D struct describes memory that a C program laid out.
 *
 * A declared struct without a body is a T_FWD under its tag. Its body, when it comes, turns that
 * very type into the struct, so that pointers made before point to it. Without a body in D it is
 * the kernel's, which is looked up on first use: many declarations are never used.
 */
#include "libdt/type/types.h"

#include <inttypes.h>
#include <string.h>

#include "grammar/node.h"
#include "libdt/base/machine/machine.h"

#define die(env, tag, node, ...) diag_die((env)->diag, tag, (node)->loc, __VA_ARGS__)

/* A struct being laid out; places are in bits. */
struct layout {
	struct decl_env *env;
	bool is_union;
	bool packed;   /* no padding between members */
	uint32_t most; /* their alignment at most: of "#pragma pack" */
	uint64_t at, size;
	uint32_t align; /* bytes */
	struct member *members;
	int n;
};

/* Names are compared each with each. */
#define MEMBERS_MAX 8192

static enum type_kind tag_kind(const struct node *spec)
{
	return spec->spec == SPEC_STRUCT ? T_STRUCT : spec->spec == SPEC_UNION ? T_UNION : T_ENUM;
}

/* Structs, unions and enums share one space of tags. */
static void check_tag(struct decl_env *env, struct node *spec)
{
	static const enum type_kind kinds[] = {T_STRUCT, T_UNION, T_ENUM};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct type *old;

		old = hash_gets(&types_scope(env->types)->names,
				type_tag_key(env->types, kinds[i], spec->name));
		if (!old)
			continue;
		if (kinds[i] != tag_kind(spec) && env->types->bodies)
			continue; /* within a structure: a scope of its own */
		if (kinds[i] != tag_kind(spec))
			die(env, D_DECL_TYPERED, spec, "%s is redeclared as another kind of type",
			    spec->name);
		if (old->kind != T_FWD && spec->has_body)
			die(env, D_DECL_TYPERED, spec, "%s is redeclared: it has a body already",
			    type_text(env->types, old));
	}
}

/* The type that a body is about to fill. */
static struct type *declared(struct decl_env *env, struct node *spec)
{
	struct types *t = env->types;
	enum type_kind kind = tag_kind(spec);
	struct type *type;

	if (!spec->name) {
		type = type_alloc(t, T_FWD, NULL);
		type->fwd = kind;
		return type;
	}
	check_tag(env, spec);
	type = hash_gets(&types_scope(t)->names, type_tag_key(t, kind, spec->name));
	if (!type) {
		type = type_fwd(t, kind, NULL, spec->name);
		if (type->ref) { /* already resolved to the kernel's */
			type = type_alloc(t, T_FWD, spec->name);
			type->fwd = kind;
		}
		hash_puts(&types_scope(t)->names, type_tag_key(t, kind, spec->name), type);
	}
	return type;
}

/*
 * Without a body: D's, else resolved on first use, when there may be a body.
 * Only an enum must be known now, for its size.
 */
static const struct type *reference(struct decl_env *env, struct node *spec)
{
	struct types *t = env->types;
	enum type_kind kind = tag_kind(spec);
	const struct type *type;

	if (!spec->module)
		check_tag(env, spec);
	if (spec->module || kind == T_ENUM) {
		type = type_find(t, spec->module, type_tag_key(t, kind, spec->name));
		if (!type && spec->module)
			type_missing(env, spec, type_tag_key(t, kind, spec->name), "");
		if (!type)
			die(env, D_DECL_BADTYPE, spec, "failed to resolve type %s",
			    type_tag_key(t, kind, spec->name));
		return type;
	}
	type = types_named(t, type_tag_key(t, kind, spec->name));
	return type ? type : type_fwd(t, kind, NULL, spec->name);
}

/* Members */

static void add_member(struct layout *l, struct node *at, const char *name, const struct type *type,
		       uint64_t bit_off, uint32_t bits)
{
	if (bit_off > (uint64_t)INT32_MAX)
		die(l->env, D_DECL_ARRBIG, at, "struct is too large");
	if (l->n == MEMBERS_MAX)
		die(l->env, D_DECL_ARRBIG, at, "struct has more than %d members", l->n);
	l->members[l->n++] = (struct member){name, type, bit_off, bits};
}

/* Where the next member goes, when it takes that many bits. */
static uint64_t take(struct layout *l, uint64_t align, uint64_t bits)
{
	uint64_t off = l->is_union ? 0 : ALIGN_UP(l->at, align);

	l->at = off + bits;
	l->size = MAX(l->size, l->at);
	return off;
}

/* A member may be packed by itself. */
static bool is_packed(const struct layout *l, const struct node *d)
{
	return l->packed || ((d->quals | d->base->quals) & QUAL_PACKED);
}

/* In bytes, without attributes. */
static uint32_t plain_align(const struct layout *l, const struct type *type)
{
	return MIN(type_align(l->env->types, type), l->most);
}

/* In bytes; 0: no attribute asks for it. */
static uint32_t asked_align(const struct layout *l, struct node *d)
{
	uint32_t asked = type_declared_align(l->env, d);

	return MIN(asked, l->most);
}

/* What an attribute asks for is never less than what the member has without. */
static uint32_t align_member(struct layout *l, struct node *d, const struct type *type)
{
	uint32_t align = is_packed(l, d) ? 1 : plain_align(l, type);
	uint32_t asked = asked_align(l, d);

	align = MAX(align, asked);
	l->align = MAX(l->align, align);
	return align;
}

static void plain_member(struct layout *l, struct node *d, const char *name,
			 const struct type *type)
{
	struct decl_env *env = l->env;
	const struct type *base = type_complete(env->types, type);
	uint64_t size = type_size(env->types, type);

	switch (base->kind) {
	case T_FUNC:
		die(env, D_DECL_FUNCTYPE, d, "member may not be a function: %s", name);
	case T_ASSOC:
		die(env, D_DECL_ASSOC, d, "member may not be an associative array: %s", name);
	case T_VOID:
	case T_FWD:
		die(env, D_DECL_INCOMPLETE, d, "member has incomplete type %s: %s",
		    type_text(env->types, type), name ? name : "");
	default:
		break;
	}
	if (size > INT32_MAX)
		die(env, D_DECL_ARRBIG, d, "struct is too large");
	while (base->kind == T_ARRAY)
		base = type_base(base->ref);
	env->types->string_placed |= base->kind == T_STRING;
	add_member(l, d, name, type, take(l, align_member(l, d, type) * 8ull, size * 8), 0);
}

/*
 * A bit-field goes on where the last one ended, unless it would touch more units of its type than
 * one. An unnamed one takes space but aligns the struct on some machines only; one of width 0
 * ends the unit.
 */
static void bit_field(struct layout *l, struct node *d, const struct type *type)
{
	struct decl_env *env = l->env;
	uint64_t unit = type_size(env->types, type) * 8, align, asked, off;
	int64_t bits;

	if (!type_is_int(type))
		die(env, D_DECL_BFTYPE, d, "invalid type for bit-field: %s",
		    type_text(env->types, type));
	if (!env->fold(env->arg, d->a, &bits) || bits < 0)
		die(env, D_DECL_BFCONST, d->a,
		    "positive integral constant expression expected as bit-field width");
	if (!bits && d->name)
		die(env, D_DECL_BFCONST, d->a, "bit-field of width 0 may not have a name: %s",
		    d->name);
	if ((uint64_t)bits > unit)
		die(env, D_DECL_BFSIZE, d->a, "bit-field has an invalid width: %" PRId64, bits);
	align = plain_align(l, type) * 8ull;
	asked = asked_align(l, d) * 8ull;
	off = l->is_union ? 0 : l->at;
	if (!is_packed(l, d) && (d->name || machine_here->unnamed_bits_align))
		l->align = MAX(l->align, align / 8);
	if (d->name || machine_here->unnamed_bits_align)
		l->align = MAX(l->align, asked / 8);
	if (!bits) {
		l->at = ALIGN_UP(off, align);
		return;
	}
	if (asked)
		off = ALIGN_UP(off, asked);
	if (!is_packed(l, d) && (off % align + bits + align - 1) / align > unit / align)
		off = ALIGN_UP(off, align);
	l->at = off + bits;
	l->size = MAX(l->size, l->at);
	if (d->name)
		add_member(l, d, d->name, type, off, bits);
}

/* The members of an anonymous one are members of this one. */
static bool has_name(const struct member *members, int n, const char *name, int depth)
{
	for (int i = 0; i < n; i++) {
		const struct type *t = type_base(members[i].type);

		if (members[i].name
			? !strcmp(members[i].name, name)
			: depth < TYPE_DEPTH && has_name(t->members, t->nmembers, name, depth + 1))
			return true;
	}
	return false;
}

static void check_name(struct layout *l, struct node *at, const char *name)
{
	if (has_name(l->members, l->n, name, 0))
		die(l->env, D_UNKNOWN, at, "member %s is declared twice", name);
}

static void check_names_of(struct layout *l, struct node *at, const struct type *type, int depth)
{
	type = type_base(type);
	for (int i = 0; i < type->nmembers && depth < TYPE_DEPTH; i++) {
		if (type->members[i].name)
			check_name(l, at, type->members[i].name);
		else
			check_names_of(l, at, type->members[i].type, depth + 1);
	}
}

static void member_decl(struct layout *l, struct node *decl)
{
	struct node *spec = decl->base;
	const struct type *type;

	if (spec->storage != STORAGE_NONE)
		die(l->env, D_DECL_CLASS, decl, "member may not have a storage class");
	if (!decl->list) { /* "union { ... };", but "struct foo { ... };" declares only */
		type = type_of_spec(l->env, spec);
		if (!type_is_sou(type) || (spec->name && spec->spec != SPEC_NAME))
			return;
		check_names_of(l, decl, type, 0);
		plain_member(l, decl, NULL, type);
		return;
	}
	for (struct node *d = decl->list; d; d = d->next) {
		type = type_of_member(l->env, d, !d->next && !decl->next);
		if (d->name)
			check_name(l, d, d->name);
		if (d->a)
			bit_field(l, d, type);
		else
			plain_member(l, d, d->name, type);
	}
}

static void sou_body(struct decl_env *env, struct type *type, struct node *spec)
{
	struct layout l = {.env = env,
			   .is_union = spec->spec == SPEC_UNION,
			   .packed = spec->quals & QUAL_PACKED_BODY,
			   .most = spec->value ? spec->value : UINT32_MAX,
			   .align = 1};
	struct arena *a = env->types->arena;
	uint32_t asked = type_asked_align(env, spec->a);
	int n = 0;

	for (struct node *m = spec->list; m; m = m->next)
		n += m->list ? node_count(m->list) : 1;
	l.members = arena_alloc(a, MIN(n, MEMBERS_MAX) * sizeof(*l.members));
	type->flags |=
	    TF_INCOMPLETE; /* it has a body of its own: not to be taken for the kernel's */
	env->types->bodies++;
	for (struct node *m = spec->list; m; m = m->next)
		member_decl(&l, m);
	env->types->bodies--;
	for (int i = 0; i < l.n; i++)
		if (l.members[i].name)
			l.members[i].name = arena_strdup(a, l.members[i].name);
	l.align = MAX(l.align, asked);
	type->members = l.members;
	type->nmembers = l.n;
	type->size = ALIGN_UP(ALIGN_UP(l.size, 8) / 8, l.align);
	type->align = l.align;
	type->flags &= ~TF_INCOMPLETE;
	type->kind = tag_kind(spec);
}

/* Enumerators */

static void declare_enumerator(struct decl_env *env, struct node *e, const struct type *type,
			       int64_t value)
{
	struct types *t = env->types;
	struct type_const *old = hash_gets(&types_scope(t)->consts, e->name), *c;

	if (old && (old->value != value || old->type == type))
		die(env, D_DECL_IDRED, e, "enumerator %s is redeclared", e->name);
	c = arena_alloc(t->arena, sizeof(*c));
	c->type = type;
	c->value = value;
	hash_puts(&types_scope(t)->consts, e->name, c);
}

/* An enumerator has 32 bits: those of an int, or of an unsigned int where its constant is one, as
 * 0x80000000 is. */
static bool too_wide(const struct node *e, int64_t value)
{
	bool is_long = e->a && e->a->kind == N_INT && e->a->decimal && e->a->suffix != SUFFIX_U;

	return value < INT32_MIN || value > (is_long ? INT32_MAX : (int64_t)UINT32_MAX);
}

/* C headers, which -C brings in, have enumerators of 64 bits where the compiler takes them
 * (linux/perf_event.h). */
static bool is_included(struct loc loc)
{
	int len;
	const char *file = loc_file(loc, &len);

	return file && file != loc.src->name;
}

/* The least number of bytes, from least_size on, that has these numbers. */
static uint32_t enum_size(int64_t least, int64_t most, uint32_t least_size)
{
	for (uint32_t size = least_size; size < 8; size *= 2) {
		int64_t half = (int64_t)1 << (size * 8 - 1);

		if (least >= -half && most <= (least < 0 ? half - 1 : 2 * half - 1))
			return size;
	}
	return 8;
}

static void enum_body(struct decl_env *env, struct type *type, struct node *spec)
{
	struct enumerator *enums;
	int64_t next = 0, least = 0, most = 0;
	int n = 0;

	enums = arena_alloc(env->types->arena, node_count(spec->list) * sizeof(*enums));
	type->kind = T_ENUM; /* its constants may be of those before */
	type->flags = TF_SIGNED;
	type->size = 4;
	for (struct node *e = spec->list; e; e = e->next, n++) {
		if (e->a && !env->fold(env->arg, e->a, &next))
			die(env, D_DECL_ENCONST, e->a,
			    "enumerator %s must be assigned to an integral constant expression",
			    e->name);
		if ((too_wide(e, next) || (!e->a && n && next == (int64_t)INT32_MAX + 1)) &&
		    !is_included(e->loc))
			die(env, D_DECL_ENOFLOW, e, "enumerator %s overflows INT_MAX", e->name);
		declare_enumerator(env, e, type, next);
		enums[n].name = arena_strdup(env->types->arena, e->name);
		enums[n].value = next;
		least = MIN(least, next);
		most = MAX(most, next);
		next = (int64_t)((uint64_t)next + 1);
	}
	type->enums = enums;
	type->nenums = n;
	type->flags = least < 0 ? TF_SIGNED : 0;
	type->size = enum_size(least, most, spec->quals & QUAL_PACKED_BODY ? 1 : 4);
}

const struct type *type_of_tagged(struct decl_env *env, struct node *spec)
{
	struct type *type;

	if (!spec->has_body)
		return reference(env, spec);
	type = declared(env, spec);
	if (spec->spec == SPEC_ENUM)
		enum_body(env, type, spec);
	else
		sou_body(env, type, spec);
	return type;
}
