/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conversions: C's of numbers and pointers, D's of strings; casts; what may be assigned to what. */
#include "libdt/lang/sema_parts.h"

bool sema_is_zero(const struct node *n)
{
	return n->kind == N_INT && n->value == 0;
}

bool sema_is_text(const struct node *n)
{
	return type_is_string(n->type) || type_is_charptr(n->type);
}

/* A view stays one where a pointer of that type is wanted: only so it is known where its members
 * come from. */
static bool keeps_view(const struct node *n, const struct type *to)
{
	return type_is_view(n->type) && !type_is_view(to) && type_base(to)->kind == T_PTR &&
	       type_same(type_base(n->type)->ref, type_base(to)->ref);
}

/* A pointer that is cast to another one points to where it did. */
static const struct type *keep_space(struct sema *s, const struct node *n, const struct type *to)
{
	unsigned space = type_space(n->type);

	return space && type_base(to)->kind == T_PTR && type_space(to) != TF_USERLAND
		   ? type_in_space(s->types, to, space)
		   : to;
}

struct node *sema_cast_to(struct sema *s, struct node *n, const struct type *to)
{
	struct node *c;

	to = keep_space(s, n, to);
	if (n->type == to || keeps_view(n, to))
		return n;
	if (n->kind == N_INT && type_is_scalar(to)) {
		struct node *k = sema_int(s, n, n->value, to);

		if (type_is_int(to))
			k->value = int_fit(to, type_size(s->types, to), n->value);
		return k;
	}
	c = node_new(s->parse, N_CAST, n->loc);
	c->a = n;
	c->type = (struct type *)to;
	c->site = n->site;
	return c;
}

/* In C an enumerator is an int where it fits, whatever its enum is. */
struct node *sema_enumerator_as_int(struct sema *s, struct node *n)
{
	const struct type *t = type_int(s->types, 4, true);

	if (n->kind != N_INT || type_base(n->type)->kind != T_ENUM ||
	    (int64_t)n->value != (int32_t)n->value)
		return n;
	return sema_cast_to(s, n, t);
}

/* A value as a string: text that a pointer points to, the constant 0 as NULL. */
struct node *sema_to_string(struct sema *s, struct node *n)
{
	const struct type *str = type_string(s->types);
	struct node *c;

	if (type_is_string(n->type))
		return n;
	if (sema_is_zero(n))
		return sema_int(s, n, 0, str);
	c = node_new(s->parse, N_STRINGOF, n->loc);
	c->a = sema_decay(s, n);
	c->type = (struct type *)str;
	sema_site(s, c);
	return c;
}

struct node *sema_convert(struct sema *s, struct node *n, const struct type *to)
{
	if (type_is_string(to))
		return sema_to_string(s, n);
	return sema_cast_to(s, sema_decay(s, n), to);
}

struct node *sema_convert_arg(struct sema *s, struct node *n, const struct type *to)
{
	const struct type *t = type_base(to);

	/* "const char *" parameters of the string functions take D strings as they are. */
	if (type_is_charptr(t) && type_is_string(n->type))
		return n;
	if (type_is_charptr(t) && t->flags & TF_CONST)
		return sema_to_string(s, n);
	if (type_is_charptr(t) && type_base(t->ref)->kind == T_INT && t->ref->flags & TF_CONST)
		return sema_to_string(s, n);
	if (type_is_string(t))
		return sema_to_string(s, n);
	if (type_is_scalar(t))
		return sema_cast_to(s, n, to);
	return n;
}

/* The type C's usual arithmetic conversions give. */
static const struct type *usual_type(struct sema *s, const struct type *a, const struct type *b)
{
	uint64_t sa = type_size(s->types, a), sb = type_size(s->types, b), size = MAX(sa, sb);
	bool is_signed;

	if (size < 4)
		return type_int(s->types, 4, true);
	if (sa < 4)
		is_signed = type_is_signed(b) || sb < 4;
	else if (sb < 4)
		is_signed = type_is_signed(a);
	else if (sa == sb)
		is_signed = type_is_signed(a) && type_is_signed(b);
	else
		is_signed = type_is_signed(sa > sb ? a : b);
	return type_int(s->types, size, is_signed);
}

/* The same of operands of which one may be wide: so is the result. */
const struct type *sema_arith_type(struct sema *s, const struct type *a, const struct type *b)
{
	const struct type *t = usual_type(s, type_narrow(a), type_narrow(b));

	return type_is_wide(a) || type_is_wide(b) ? type_wide(s->types, t) : t;
}

const struct type *sema_promoted(struct sema *s, const struct type *t)
{
	return sema_arith_type(s, t, type_int(s->types, 1, true));
}

bool sema_assignable(const struct type *to, const struct node *from)
{
	const struct type *t = type_base(to), *f = type_base(from->type);

	if (type_is_string(t))
		return sema_is_text(from) || sema_is_zero(from);
	if (type_is_int(t))
		return type_is_int(f) || (type_is_ptr(f) && t->size == 8);
	if (t->kind == T_PTR && type_is_view(t) && type_is_view(f))
		return type_same(t, f);
	if (t->kind == T_PTR)
		return type_is_ptr(f) || sema_is_zero(from) ||
		       (type_is_charptr(t) && type_is_string(f));
	return type_same(t, f) ||
	       (sema_is_zero(from) && (type_is_block(t) || t->kind == T_SYMADDR));
}

struct node *sema_cast(struct sema *s, struct node *n)
{
	const struct type *to, *from;
	struct node *view;

	to = type_of_decl(&s->decl_env, n->decl);
	n->a = sema_expr(s, n->a);
	if (type_is_void(to)) {
		n->type = (struct type *)to;
		return n;
	}
	if (type_is_sou(to) && type_same(to, n->a->type) && n->a->kind != N_XLATE)
		return n->a;
	n->a = sema_decay(s, n->a);
	from = type_base(n->a->type);
	view = xlate_cast(s, n, to);
	if (view)
		return view;
	if (type_is_string(to)) {
		if (!type_is_string(from) && !type_is_ptr(from) && !type_is_int(from))
			sema_die(s, D_CAST_STR, n, "cannot cast expression of type %s to string",
				 sema_type_text(s, n->a->type));
		return sema_to_string(s, n->a);
	}
	if (!type_is_scalar(to) || type_base(to)->kind == T_ARRAY)
		sema_die(s, D_CAST_INVAL, n, "invalid cast expression: \"%s\" to a type of \"%s\"",
			 sema_type_text(s, n->a->type), sema_type_text(s, to));
	if (!type_is_scalar(from) && !type_is_string(from))
		sema_die(s, D_CAST_INVAL, n, "invalid cast expression: \"%s\" to a type of \"%s\"",
			 sema_type_text(s, n->a->type), sema_type_text(s, to));
	if (n->a->kind == N_INT || keeps_view(n->a, to))
		return sema_cast_to(s, n->a, to);
	n->type = (struct type *)keep_space(s, n->a, to);
	return n;
}
