/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations: from the grammar's trees of specifiers and modifiers to types. Bodies are in
 * layout.c. */
#include "libdt/type/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/node.h"
#include "libdt/base/fatal.h"
#include "libdt/base/nearest.h"

#define MODIFIERS_MAX 256
#define PARAMS_MAX 64
/* No object is larger. */
#define OBJECT_MAX INT32_MAX

#define die(env, tag, node, ...) diag_die((env)->diag, tag, (node)->loc, __VA_ARGS__)

enum place { PLACE_OBJECT, PLACE_PARAM, PLACE_LAST_MEMBER, PLACE_MEMBER };

/* The words of specifiers that do not go together. */
static void check_words(struct decl_env *env, struct node *s)
{
	bool sign = s->has_signed || s->has_unsigned;
	bool size = s->has_short || s->longs;

	if (s->has_signed && s->has_unsigned)
		die(env, D_DECL_SIGN, s, "invalid type declaration: both signed and unsigned");
	if (s->longs > 2)
		die(env, D_DECL_LONG2, s, "invalid type declaration: more than two longs");
	if ((s->has_short && s->longs) || (s->has_int && s->spec != SPEC_INT))
		die(env, D_DECL_COMBO, s, "invalid type combination");
	if (s->spec == SPEC_CHAR && size)
		die(env, D_DECL_CHARATTR, s,
		    "invalid type declaration: short and long may not be used with char type");
	if (s->spec == SPEC_VOID && (size || sign))
		die(env, D_DECL_VOIDATTR, s,
		    "invalid type declaration: attributes may not be used with void type");
	if (sign && s->spec != SPEC_INT && s->spec != SPEC_CHAR && s->spec != SPEC_INT128)
		die(env, D_DECL_SIGNINT, s,
		    "invalid type declaration: signed and unsigned may only be used with integer "
		    "type");
	if (size && s->spec != SPEC_INT && (s->spec != SPEC_DOUBLE || s->has_short || s->longs > 1))
		die(env, D_DECL_LONGINT, s,
		    "invalid type declaration: long and short may only be used with integer or "
		    "floating-point type");
}

static const struct type *words_type(struct decl_env *env, struct node *s)
{
	struct type_words w = {
	    .has_signed = s->has_signed,
	    .has_unsigned = s->has_unsigned,
	    .has_short = s->has_short,
	    .has_int = s->has_int,
	    .longs = s->longs,
	    .has_char = s->spec == SPEC_CHAR,
	    .has_int128 = s->spec == SPEC_INT128,
	    .has_bool = s->spec == SPEC_BOOL,
	    .has_float = s->spec == SPEC_FLOAT,
	    .has_double = s->spec == SPEC_DOUBLE,
	    .has_void = s->spec == SPEC_VOID,
	};

	return type_by_words(env->types, &w);
}

void type_missing(struct decl_env *env, struct node *spec, const char *name, const char *because)
{
	/* it may be overwritten while the reason is looked for */
	const char *key = arena_strdup(env->types->arena, name);
	const char *why = type_module_error(env->types, spec->module);

	die(env, D_DECL_BADTYPE, spec, "failed to resolve type %s`%s%s%s", spec->module, key,
	    why ? ": " : "", why ? why : because);
}

/* "; did you mean string?", or "" */
static const char *hint_name(struct decl_env *env, const char *name)
{
	struct nearest string = nearest_to(name);
	const char *near =
	    nearest_try(&string, "string") ? "string" : type_similar(env->types, T_TYPEDEF, name);

	return near ? arena_printf(env->types->arena, "; did you mean %s?", near) : "";
}

static const struct type *named_type(struct decl_env *env, struct node *s)
{
	const struct type *type = NULL;

	if (s->name[0] != '@')
		type = type_find(env->types, s->module, s->name);
	else
		type = type_special(env->types, T_DYN);
	if (!type && s->module)
		type_missing(env, s, s->name, ": unknown type name");
	if (!type)
		die(env, D_SYNTAX, s, "failed to resolve type %s: unknown type name%s", s->name,
		    hint_name(env, s->name));
	return type;
}

/* Several declarators share one specifier, whose body is declared once. */
const struct type *type_of_spec(struct decl_env *env, struct node *s)
{
	const struct type *type;
	unsigned flags = 0;
	bool was;

	if (s->type)
		return s->type;
	check_words(env, s);
	/* trees of the library are typed where the script uses them */
	was = types_enter(env->types, env->types->in_library ||
					  (s->loc.src && s->loc.src->kind == SOURCE_LIBRARY));
	switch (s->spec) {
	case SPEC_STRING:
		type = type_string(env->types);
		break;
	case SPEC_NAME:
		type = named_type(env, s);
		break;
	case SPEC_STRUCT:
	case SPEC_UNION:
	case SPEC_ENUM:
		type = type_of_tagged(env, s);
		break;
	default:
		type = words_type(env, s);
	}
	types_enter(env->types, was);
	if (s->quals & QUAL_CONST)
		flags |= TF_CONST;
	if (s->quals & QUAL_VOLATILE)
		flags |= TF_VOLATILE;
	s->type = (struct type *)type_qualified(env->types, type, flags);
	return s->type;
}

static const struct type *apply_pointer(struct decl_env *env, struct node *mod, bool userland,
					const struct type *to)
{
	const struct type *ptr;
	unsigned flags = 0;

	if (type_base(to)->kind == T_ASSOC)
		die(env, D_DECL_ASSOC, mod, "invalid declaration: pointer to associative array");
	ptr = type_ptr(env->types, to);
	if (userland || (mod->quals & QUAL_USERLAND))
		ptr = type_userland(env->types, ptr);
	/* a program's own, or what copyin() made of it */
	else if (type_base(to)->flags & TF_PROGRAM)
		ptr = type_in_space(env->types, ptr, TF_ANYWHERE);
	if (mod->quals & QUAL_CONST)
		flags |= TF_CONST;
	if (mod->quals & QUAL_VOLATILE)
		flags |= TF_VOLATILE;
	return type_qualified(env->types, ptr, flags);
}

static void check_element(struct decl_env *env, struct node *mod, const struct type *of)
{
	const struct type *base = type_complete(env->types, of);

	switch (base->kind) {
	case T_FUNC:
		die(env, D_DECL_ARRFUNC, mod, "array declaration may not be of functions");
	case T_ASSOC:
		die(env, D_DECL_ASSOC, mod, "invalid declaration: array of associative arrays");
	case T_VOID:
	case T_FWD:
		die(env, D_DECL_INCOMPLETE, mod, "array element has incomplete type %s",
		    type_text(env->types, of));
	case T_ARRAY:
		if (!base->nelem)
			die(env, D_DECL_ARRNULL, mod,
			    "array has an inner dimension without a size");
		break;
	default:
		break;
	}
}

static const struct type *apply_array(struct decl_env *env, struct node *mod, enum place place,
				      bool outermost, const struct type *of)
{
	bool may_be_open = outermost && place != PLACE_MEMBER;
	uint64_t size;
	int64_t n = 0;

	check_element(env, mod, of);
	if (!mod->a && may_be_open)
		return type_array(env->types, of, 0);
	if (!mod->a)
		die(env, D_DECL_ARRNULL, mod, "array declaration requires a size");
	if (!env->fold(env->arg, mod->a, &n) || n < 0)
		die(env, D_DECL_ARRSUB, mod->a,
		    "positive integral constant expression expected as array subscript");
	if (!n && place != PLACE_LAST_MEMBER && place != PLACE_MEMBER)
		die(env, D_DECL_ARRNULL, mod->a, "array declaration may not have size zero");
	if (__builtin_mul_overflow((uint64_t)n, MAX(type_size(env->types, of), 1), &size) ||
	    size > OBJECT_MAX)
		die(env, D_DECL_ARRBIG, mod->a, "array is too large");
	return type_array(env->types, of, n);
}

static const struct type *apply_assoc(struct decl_env *env, struct node *mod, const struct type *of)
{
	const struct type *keys[PARAMS_MAX];
	int n = 0;

	if (type_base(of)->kind == T_ASSOC || type_base(of)->kind == T_FUNC)
		die(env, D_DECL_ASSOC, mod, "associative array may not be of %s",
		    type_base(of)->kind == T_FUNC ? "functions" : "associative arrays");
	for (struct node *k = mod->list; k; k = k->next) {
		const struct type *key = type_of_decl(env, k);

		if (n == PARAMS_MAX)
			die(env, D_DECL_ASSOC, k, "associative array has more than %d keys", n);
		if (type_is_void(key) || type_base(key)->kind == T_ASSOC ||
		    type_base(key)->kind == T_FUNC)
			die(env, D_DECL_PROTO_TYPE, k, "invalid key type of associative array: %s",
			    type_text(env->types, key));
		keys[n++] = key;
	}
	return type_assoc(env->types, of, keys, n);
}

static const struct type *declarator(struct decl_env *env, struct node *d, enum place place);

/* What a parameter of that type is really given: arrays and functions are passed as pointers. */
static const struct type *param_type(struct decl_env *env, struct node *p)
{
	const struct type *type = declarator(env, p, PLACE_PARAM), *base = type_base(type);
	enum storage storage = p->base ? p->base->storage : STORAGE_NONE;

	if (storage != STORAGE_NONE && storage != STORAGE_REGISTER)
		die(env, D_DECL_PARMCLASS, p, "inappropriate storage class for function parameter");
	if (base->kind == T_ASSOC)
		die(env, D_DECL_PROTO_TYPE, p, "parameter may not be an associative array");
	if (base->kind == T_VOID)
		die(env, p->name ? D_DECL_PROTO_NAME : D_DECL_PROTO_VOID, p,
		    p->name ? "parameter %s may not be of type void"
			    : "void must be the only parameter%s",
		    p->name ? p->name : "");
	if (base->kind == T_ARRAY)
		type = type_ptr(env->types, base->ref);
	else if (base->kind == T_FUNC)
		type = type_ptr(env->types, type);
	return type_qualified(env->types, type, p->is_macro ? TF_OPTIONAL : 0);
}

static bool is_only_void(struct decl_env *env, struct node *p)
{
	return p && !p->next && !p->name && !p->list && p->base && p->base->spec == SPEC_VOID &&
	       type_is_void(type_of_spec(env, p->base));
}

static const struct type *apply_func(struct decl_env *env, struct node *mod,
				     const struct type *result)
{
	enum type_kind kind = type_base(result)->kind;
	const struct type *params[PARAMS_MAX];
	int n = 0;

	if (kind == T_FUNC || kind == T_ARRAY || kind == T_ASSOC)
		die(env, D_DECL_FUNCRET, mod, "function may not return %s",
		    kind == T_FUNC ? "a function" : "an array");
	for (struct node *p = mod->list; p && !is_only_void(env, mod->list); p = p->next) {
		if (n == PARAMS_MAX)
			die(env, D_DECL_PROTO_FORM, p, "function has more than %d parameters", n);
		params[n++] = param_type(env, p);
		for (struct node *q = mod->list; q != p; q = q->next)
			if (p->name && q->name && !strcmp(p->name, q->name))
				die(env, D_DECL_PROTO_NAME, p, "parameter %s is declared twice",
				    p->name);
	}
	return type_func(env->types, result, params, n, mod->varargs);
}

/* The modifiers are outermost first, so that the type is built from the last. */
static const struct type *declarator(struct decl_env *env, struct node *d, enum place place)
{
	const struct type *type =
	    d->base ? type_of_spec(env, d->base) : type_int(env->types, 4, true);
	bool userland = d->base && (d->base->quals & QUAL_USERLAND);
	struct node *mods[MODIFIERS_MAX];
	int n = 0;

	for (struct node *m = d->list; m; m = m->next) {
		if (n == MODIFIERS_MAX)
			die(env, D_DECL_COMBO, m, "declaration is too complex");
		mods[n++] = m;
	}
	if (userland && (!n || mods[n - 1]->op != MOD_PTR))
		type = type_userland(env->types, type);
	for (int i = n; i-- > 0;) {
		struct node *m = mods[i];

		switch (m->op) {
		case MOD_PTR:
			type = apply_pointer(env, m, userland && i == n - 1, type);
			break;
		case MOD_ARRAY:
			type = apply_array(env, m, place, i == 0, type);
			break;
		case MOD_ASSOC:
			type = apply_assoc(env, m, type);
			break;
		default:
			type = apply_func(env, m, type);
		}
	}
	return type;
}

/* Far more than a page; gcc takes no more either. */
enum { ALIGN_LIMIT = 1 << 28 };

uint32_t type_asked_align(struct decl_env *env, struct node *expression)
{
	int64_t align;

	if (!expression)
		return 0;
	if (expression->kind == N_INT) /* of all declarators after one specifier */
		align = (int64_t)expression->value;
	else if (!env->fold(env->arg, expression, &align))
		align = 0;
	if (align < 1 || align > ALIGN_LIMIT || (align & (align - 1)))
		die(env, D_UNKNOWN, expression, "an alignment is a power of 2 up to %d",
		    ALIGN_LIMIT);
	expression->kind = N_INT;
	expression->value = align;
	return align;
}

static uint32_t most_aligned(struct decl_env *env, struct node *list, uint32_t most)
{
	for (; list; list = list->next) {
		uint32_t align = type_asked_align(env, list);

		most = MAX(most, align);
	}
	return most;
}

uint32_t type_declared_align(struct decl_env *env, struct node *d)
{
	return most_aligned(env, d->list2, most_aligned(env, d->base->list2, 0));
}

const struct type *type_of_decl(struct decl_env *env, struct node *d)
{
	return declarator(env, d, PLACE_OBJECT);
}

const struct type *type_of_member(struct decl_env *env, struct node *d, bool last)
{
	return declarator(env, d, last ? PLACE_LAST_MEMBER : PLACE_MEMBER);
}

/* type_base() follows chains of typedefs to a limited depth, so a long chain is cut to its final
 * type. */
static const struct type *shallow(const struct type *type)
{
	const struct type *t = type;
	int n = 0;

	for (; t->kind == T_TYPEDEF && !t->plain; t = t->ref)
		n++;
	return n < TYPE_DEPTH ? type : t;
}

static void declare_typedef(struct decl_env *env, struct node *d)
{
	struct types *t = env->types;
	const struct type *type = declarator(env, d, PLACE_OBJECT);
	const struct type *old = hash_gets(&types_scope(t)->typedefs, d->name);

	if (type_base(type)->kind == T_ASSOC)
		die(env, D_DECL_ASSOC, d, "typedef may not be of an associative array");
	if (old && !type_same(old, type))
		die(env, D_DECL_IDRED, d, "type %s is redeclared: it was %s", d->name,
		    type_text(t, old->kind == T_TYPEDEF ? old->ref : old));
	if (old)
		return;
	type = type_typedef_aligned(t, d->name, shallow(type), type_declared_align(env, d));
	hash_puts(&types_scope(t)->typedefs, d->name, (void *)type);
	hash_puts(&types_scope(t)->names, d->name, (void *)type);
}

void type_declare(struct decl_env *env, struct node *decl)
{
	struct node *spec = decl->base;
	const struct type *type = type_of_spec(env, spec);

	/* "struct foo;" says that foo is D's. */
	if (!decl->list && type->kind == T_FWD && !type->ref && !type->plain)
		hash_puts(&types_scope(env->types)->names,
			  type_tag_key(env->types, type->fwd, type->name), (void *)type);
	if (spec->storage == STORAGE_TYPEDEF)
		for (struct node *d = decl->list; d; d = d->next)
			declare_typedef(env, d);
}

/* Prototypes */

static const struct {
	const char *name;
	enum type_kind kind;
} proto_names[] = {
    {"stack", T_STACK}, {"_symaddr", T_SYMADDR}, {"_usymaddr", T_USYMADDR}, {"_agg", T_AGG}};

static bool proto_is_type(void *arg, const char *name)
{
	struct types *t = arg;

	for (size_t i = 0; i < ARRAY_SIZE(proto_names); i++)
		if (!strcmp(name, proto_names[i].name))
			return true;
	return types_named(t, name) || !strcmp(name, "in6_addr_t");
}

static bool proto_fold(void *arg, struct node *expr, int64_t *value)
{
	(void)arg;
	*value = expr->value;
	return expr->kind == N_INT;
}

/* The names that only prototypes know are resolved before type_of_spec() looks for them. */
static void proto_special(struct types *t, struct node *d)
{
	for (size_t i = 0; d->base && d->base->spec == SPEC_NAME && i < ARRAY_SIZE(proto_names);
	     i++)
		if (!strcmp(d->base->name, proto_names[i].name))
			d->base->type = (struct type *)type_special(t, proto_names[i].kind);
	for (struct node *m = d->list; m; m = m->next)
		for (struct node *p = m->list; p; p = p->next)
			proto_special(t, p);
}

const struct type *type_prototype(struct types *t, const char *text)
{
	const struct type *type = hash_gets(&t->protos, text);
	struct diag d = {0};
	struct parse p = {.arena = t->arena,
			  .diag = &d,
			  .is_type = proto_is_type,
			  .arg = t,
			  .src = source_new(t->arena, SOURCE_LIBRARY, text, text, strlen(text))};
	struct decl_env env = {.types = t, .diag = &d, .fold = proto_fold};
	struct node *tree;

	if (type)
		return type;
	if (setjmp(d.recover))
		fatal("broken prototype \"%s\": %s", text, sb_str(&d.msg));
	tree = parse_prototype(&p);
	proto_special(t, tree);
	type = type_of_decl(&env, tree);
	hash_puts(&t->protos, text, (void *)type);
	return type;
}
