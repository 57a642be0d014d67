/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operators: which types they take, C's conversions. */
#include <limits.h>
#include <string.h>

#include "libdt/lang/words.h"
#include "libdt/symbols/ksym.h"
#include "libdt/lang/sema_parts.h"

static bool is_null_const(const struct node *n)
{
	return n->kind == N_INT && n->value == 0;
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

static struct node *cast_to(struct sema *s, struct node *n, const struct type *to);

static struct node *cast_to(struct sema *s, struct node *n, const struct type *to)
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
static struct node *enumerator_as_int(struct sema *s, struct node *n)
{
	const struct type *t = type_int(s->types, 4, true);

	if (n->kind != N_INT || type_base(n->type)->kind != T_ENUM ||
	    (int64_t)n->value != (int32_t)n->value)
		return n;
	return cast_to(s, n, t);
}

/* A value as a string: text that a pointer points to, the constant 0 as NULL. */
static struct node *to_string(struct sema *s, struct node *n)
{
	const struct type *str = type_string(s->types);
	struct node *c;

	if (type_is_string(n->type))
		return n;
	if (is_null_const(n))
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
		return to_string(s, n);
	return cast_to(s, sema_decay(s, n), to);
}

struct node *sema_convert_arg(struct sema *s, struct node *n, const struct type *to)
{
	const struct type *t = type_base(to);

	/* "const char *" parameters of the string functions take D strings as they are. */
	if (type_is_charptr(t) && type_is_string(n->type))
		return n;
	if (type_is_charptr(t) && t->flags & TF_CONST)
		return to_string(s, n);
	if (type_is_charptr(t) && type_base(t->ref)->kind == T_INT && t->ref->flags & TF_CONST)
		return to_string(s, n);
	if (type_is_string(t))
		return to_string(s, n);
	if (type_is_scalar(t))
		return cast_to(s, n, to);
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
static const struct type *arith_type(struct sema *s, const struct type *a, const struct type *b)
{
	const struct type *t = usual_type(s, type_narrow(a), type_narrow(b));

	return type_is_wide(a) || type_is_wide(b) ? type_wide(s->types, t) : t;
}

/*
 * The type of an operation's result. What overflows an int is undefined in C, and D has always
 * computed in 64 bits: timestamp + secs * 1000000000 is what it says. So the result of what can
 * overflow is wide, until it is cast, or stored in a declared int.
 */
static const struct type *result_type(struct sema *s, enum op op, const struct type *t)
{
	bool overflows =
	    op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_SHL || op == OP_NEG;

	return overflows && type_size(s->types, t) == 4 && type_is_signed(t)
		   ? type_wide(s->types, t)
		   : t;
}

static const struct type *promoted(struct sema *s, const struct type *t)
{
	return arith_type(s, t, type_int(s->types, 1, true));
}

static void need_int(struct sema *s, const struct node *n, const struct node *operand, enum tag tag)
{
	bool text = type_is_string(operand->type) && n->op == OP_ADD;

	if (!type_is_int(operand->type))
		sema_die(s, tag, n, "operator %s requires operands of %s type%s", op_text(n->op),
			 tag == D_OP_INT ? "integral" : "arithmetic",
			 text ? "; strings are joined by strjoin(a, b)" : "");
}

static struct node *fold_binary(struct sema *s, struct node *n, const struct type *operand_type)
{
	int64_t r;

	if (!sema_is_const(n->a) || !sema_is_const(n->b))
		return n;
	if (!int_apply(n->op, type_is_signed(operand_type), n->a->value, n->b->value, &r))
		sema_die(s, D_DIV_ZERO, n, "expression contains division by zero");
	if (type_is_wide(n->type)) /* a constant is as wide as it has to be */
		n->type = (struct type *)type_int(s->types, r == (int32_t)r ? 4 : 8, true);
	return sema_int(s, n, int_fit(n->type, type_size(s->types, n->type), r), n->type);
}

/* The distance of two places that such a pointer may point to; void * counts bytes, as in gcc. */
static uint64_t pointer_step(struct sema *s, const struct node *n, const struct node *ptr)
{
	const struct type *to = type_complete(s->types, type_base(ptr->type)->ref);
	uint64_t size = type_size(s->types, to);

	if (type_base(to)->kind == T_FUNC || (!size && type_base(to)->kind == T_FWD))
		sema_die(s, D_OP_VFPTR, n,
			 "operator %s%s requires a pointer to a type of known size, not \"%s\"",
			 op_text(n->op), n->kind == N_ASSIGN ? "=" : "",
			 sema_type_text(s, ptr->type));
	return MAX(size, 1);
}

static struct node *scaled(struct sema *s, struct node *n, uint64_t size)
{
	struct node *m;

	n = cast_to(s, n, type_int(s->types, 8, true));
	if (size == 1)
		return n;
	if (n->kind == N_INT)
		return sema_int(s, n, n->value * size, n->type);
	m = node_new(s->parse, N_BINARY, n->loc);
	m->op = OP_MUL;
	m->a = n;
	m->b = sema_int(s, n, size, n->type);
	m->type = n->type;
	return m;
}

/* Pointer plus or minus integer, and the distance of two pointers. */
static struct node *pointer_arith(struct sema *s, struct node *n)
{
	bool pa = type_is_ptr(n->a->type), pb = type_is_ptr(n->b->type);

	if (xlate_is_array(n->a->type) && type_is_int(n->b->type))
		return xlate_advance(s, n, n->a, n->b);
	if (xlate_is_array(n->b->type) && type_is_int(n->a->type) && n->op == OP_ADD)
		return xlate_advance(s, n, n->b, n->a);
	if (type_is_view(n->a->type) || type_is_view(n->b->type))
		sema_die(s, D_XLATE_DYNAMIC, n,
			 "operator %s may not be applied to \"%s\", the result of a translator",
			 op_text(n->op),
			 sema_type_text(s, type_is_view(n->a->type) ? n->a->type : n->b->type));
	if (pa && pb) {
		struct node *d;
		uint64_t size;

		if (n->op != OP_SUB)
			sema_die(s, D_OP_INCOMPAT, n,
				 "operator %s may not be applied to two pointers", op_text(n->op));
		size = pointer_step(s, n, n->a);
		n->type = (struct type *)type_int(s->types, 8, true);
		if (size == 1)
			return n;
		d = node_new(s->parse, N_BINARY, n->loc);
		d->op = OP_DIV;
		d->a = n;
		d->b = sema_int(s, n, size, n->type);
		d->type = n->type;
		sema_site(s, d);
		return d;
	}
	if (!pa && n->op == OP_SUB)
		sema_die(s, D_OP_INCOMPAT, n,
			 "operator - may not subtract a pointer from an integer");
	if (!type_is_int(pa ? n->b->type : n->a->type))
		sema_die(s, D_OP_INCOMPAT, n, "operands have incompatible types: \"%s\" %s \"%s\"",
			 sema_type_text(s, n->a->type), op_text(n->op),
			 sema_type_text(s, n->b->type));
	n->type = pa ? n->a->type : n->b->type;
	if (pa)
		n->b = scaled(s, n->b, pointer_step(s, n, n->a));
	else
		n->a = scaled(s, n->a, pointer_step(s, n, n->b));
	return n;
}

struct node *sema_arith(struct sema *s, struct node *n)
{
	bool int_only = n->op == OP_MOD || n->op == OP_AND || n->op == OP_OR || n->op == OP_XOR;
	struct node *text = sema_text_from(s, n);
	const struct type *t;

	if (text)
		return text;
	if ((n->op == OP_ADD || n->op == OP_SUB) &&
	    (type_is_ptr(n->a->type) || type_is_ptr(n->b->type)))
		return pointer_arith(s, n);
	need_int(s, n, n->a, int_only ? D_OP_INT : D_OP_ARITH);
	need_int(s, n, n->b, int_only ? D_OP_INT : D_OP_ARITH);
	t = result_type(s, n->op, arith_type(s, n->a->type, n->b->type));
	n->a = cast_to(s, n->a, t);
	n->b = cast_to(s, n->b, t);
	n->type = (struct type *)t;
	if (n->op == OP_DIV || n->op == OP_MOD)
		sema_site(s, n);
	return fold_binary(s, n, t);
}

static struct node *shift(struct sema *s, struct node *n)
{
	need_int(s, n, n->a, D_OP_INT);
	need_int(s, n, n->b, D_OP_INT);
	n->type = (struct type *)result_type(s, n->op, promoted(s, n->a->type));
	n->a = cast_to(s, n->a, n->type);
	n->b = cast_to(s, n->b, type_int(s->types, 8, false));
	return fold_binary(s, n, n->type);
}

static bool stringish(const struct node *n)
{
	return type_is_string(n->type) || type_is_charptr(n->type);
}

/* $$1 that was not given (defaultargs): scripts ask for it with == "" and with == NULL, and both
 * must hold. */
static bool no_argument(const struct node *n)
{
	return n->kind == N_STR && n->is_macro && !n->len;
}

static struct node *fold_strings(struct sema *s, struct node *n)
{
	const struct type *t = type_int(s->types, 4, true);
	int64_t r = 0;
	int c;

	if ((n->a->kind != N_STR && n->a->kind != N_INT) ||
	    (n->b->kind != N_STR && n->b->kind != N_INT))
		return n;
	if (no_argument(n->a) || no_argument(n->b))
		c = (n->a->kind == N_STR && n->a->len) - (n->b->kind == N_STR && n->b->len);
	else if (n->a->kind == N_INT || n->b->kind == N_INT) /* NULL is below every string */
		c = (n->a->kind == N_STR) - (n->b->kind == N_STR);
	else
		c = strcmp(n->a->str, n->b->str);
	int_apply(n->op, true, c, 0, &r);
	return sema_int(s, n, r, t);
}

/* A constant compared with a wide value: -1 is what it is in the narrow type, as in C. */
static struct node *compared(struct sema *s, struct node *n, const struct type *t)
{
	const struct type *narrow = type_narrow(t);

	return sema_is_const(n) && (int64_t)n->value < 0 && type_is_wide(t) && !type_is_signed(t)
		   ? cast_to(s, n, narrow)
		   : n;
}

/* Names that dtrace looks up when it prints them. */
static void refuse_late_name(struct sema *s, const struct node *n)
{
	const struct type *t = type_base(n->type);
	bool of_group =
	    t->kind == T_SYMADDR && (t->nelem == SYM_CGROUP || t->nelem == SYM_CONTAINER);

	if (t->kind == T_SYMADDR || t->kind == T_USYMADDR)
		sema_die(s, D_OP_INCOMPAT, n, "%.*s has a name when it is printed: %s",
			 (int)n->loc.len, n->loc.src->text + n->loc.off,
			 of_group ? "use it as a key, or select processes with -x cgroup"
				  : "use it as a key, or compare its address");
}

static struct node *compare(struct sema *s, struct node *n)
{
	bool sa = type_is_string(n->a->type), sb = type_is_string(n->b->type);
	const struct type *t;

	n->type = (struct type *)type_int(s->types, 4, true);
	n->a = sema_decay(s, n->a);
	n->b = sema_decay(s, n->b);
	if (sa || sb) {
		refuse_late_name(s, n->a);
		refuse_late_name(s, n->b);
		if (!(stringish(n->a) || is_null_const(n->a) || type_is_ptr(n->a->type)) ||
		    !(stringish(n->b) || is_null_const(n->b) || type_is_ptr(n->b->type)))
			sema_die(s, D_OP_INCOMPAT, n,
				 "operands have incompatible types: \"%s\" %s \"%s\"%s",
				 sema_type_text(s, n->a->type), op_text(n->op),
				 sema_type_text(s, n->b->type),
				 n->a->is_char || n->b->is_char ? " (strings take double quotes)"
								: "");
		n->a = to_string(s, n->a);
		n->b = to_string(s, n->b);
		sema_site(s, n);
		return fold_strings(s, n);
	}
	if (!type_is_scalar(n->a->type) || !type_is_scalar(n->b->type))
		sema_die(s, D_OP_INCOMPAT, n, "operands have incompatible types: \"%s\" %s \"%s\"",
			 sema_type_text(s, n->a->type), op_text(n->op),
			 sema_type_text(s, n->b->type));
	if (type_is_ptr(n->a->type) || type_is_ptr(n->b->type))
		t = type_int(s->types, 8, false);
	else
		t = arith_type(s, n->a->type, n->b->type);
	n->a = cast_to(s, compared(s, n->a, t), t);
	n->b = cast_to(s, compared(s, n->b, t), t);
	return fold_binary(s, n, t);
}

/* The truth of a value: what && || ^^ ! ?: if and predicates look at. */
struct node *sema_condition(struct sema *s, struct node *n)
{
	n = sema_expr(s, n);
	if (type_base(n->type)->kind == T_ARRAY ||
	    (!type_is_word(n->type) && !type_is_stack(n->type)))
		sema_die(s, s->in_pred ? D_PRED_SCALAR : D_OP_SCALAR, n,
			 "%s must be of scalar type, not \"%s\"",
			 s->in_pred ? "predicate result" : "operand of a condition",
			 sema_type_text(s, n->type));
	return n;
}

static struct node *logical(struct sema *s, struct node *n)
{
	const struct type *t = type_int(s->types, 4, true);
	bool short_circuit = n->op != OP_LXOR;
	bool pred = s->in_pred;

	s->in_pred = false; /* strings are fine inside */
	n->type = (struct type *)t;
	n->a = sema_condition(s, n->a);
	s->in_pred = pred;
	if (short_circuit && sema_is_const(n->a)) {
		bool decided = n->op == OP_LAND ? !n->a->value : n->a->value;

		if (decided)
			return sema_int(s, n, n->op == OP_LOR, t);
	}
	s->in_pred = false;
	s->cond_depth += short_circuit;
	n->b = sema_condition(s, n->b);
	s->cond_depth -= short_circuit;
	s->in_pred = pred;
	if (sema_is_const(n->a) && sema_is_const(n->b)) {
		int64_t r = 0;

		int_apply(n->op, true, n->a->value, n->b->value, &r);
		return sema_int(s, n, r, t);
	}
	return n;
}

static struct node *operand(struct sema *s, const struct node *n, struct node *a)
{
	if (a->kind == N_AGG)
		sema_die(
		    s, D_OP_INCOMPAT, n,
		    "operator %s may not be applied to an aggregation: %s; D writes a value as a "
		    "variable: \"%s\"",
		    op_text(n->op), sym_agg_name(s, a), words_value(s->arena, a));
	return sema_expr(s, a);
}

struct node *sema_binary(struct sema *s, struct node *n)
{
	if (n->op == OP_LAND || n->op == OP_LOR || n->op == OP_LXOR)
		return logical(s, n);
	n->a = enumerator_as_int(s, operand(s, n, n->a));
	n->b = enumerator_as_int(s, operand(s, n, n->b));
	switch (n->op) {
	case OP_SHL:
	case OP_SHR:
		return shift(s, n);
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_LE:
	case OP_GT:
	case OP_GE:
		return compare(s, n);
	default:
		n->a = sema_decay(s, n->a);
		n->b = sema_decay(s, n->b);
		return sema_arith(s, n);
	}
}

static struct node *unary_arith(struct sema *s, struct node *n)
{
	const struct type *t;
	int64_t v;

	n->a = sema_operand(s, n->a);
	if (n->op == OP_LNOT) {
		n->type = (struct type *)type_int(s->types, 4, true);
		n->a = sema_condition(s, n->a);
		return sema_is_const(n->a) ? sema_int(s, n, !n->a->value, n->type) : n;
	}
	n->a = enumerator_as_int(s, sema_decay(s, n->a));
	need_int(s, n, n->a, n->op == OP_NOT ? D_OP_INT : D_OP_ARITH);
	t = n->a->type;
	if (n->op == OP_NOT && !type_is_signed(t)) /* no more bits than its type has */
		t = type_narrow(t);
	n->type = (struct type *)result_type(s, n->op, promoted(s, t));
	n->a = cast_to(s, n->a, n->type);
	if (n->op == OP_PLUS)
		return n->a;
	if (!sema_is_const(n->a))
		return n;
	v = n->op == OP_NEG ? 0 - n->a->value : ~n->a->value;
	if (type_is_wide(n->type))
		n->type = (struct type *)type_int(s->types, v == (int32_t)v ? 4 : 8, true);
	return sema_int(s, n, int_fit(n->type, type_size(s->types, n->type), v), n->type);
}

static struct node *unary_deref(struct sema *s, struct node *n)
{
	const struct type *t;

	n->a = sema_decay(s, sema_expr(s, n->a));
	t = type_base(n->a->type);
	if (type_is_view(t))
		return xlate_deref(s, n);
	if (type_is_string(t)) {
		n->type = (struct type *)type_find(s->types, "D", "char");
	} else {
		if (t->kind != T_PTR)
			sema_die(s, D_DEREF_NONPTR, n, "cannot dereference non-pointer type \"%s\"",
				 sema_type_text(s, n->a->type));
		if (type_is_void(t->ref))
			sema_die(s, D_DEREF_VOID, n, "cannot dereference pointer to void");
		if (type_base(t->ref)->kind == T_FUNC)
			sema_die(s, D_DEREF_FUNC, n, "cannot dereference pointer to function");
		type_complete(s->types, t->ref);
		n->type = (struct type *)t->ref;
		sema_inherit_space(s, n);
	}
	sema_site(s, n);
	return n;
}

static struct node *unary_addr(struct sema *s, struct node *n)
{
	if (n->a->kind == N_IDENT && n->a->scope == SCOPE_KERNEL)
		n->a = kernel_symbol(s, n->a, true);
	if (n->a->kind == N_AGG)
		sema_die(s, D_ADDROF_VAR, n, "cannot take the address of an aggregation: %s",
			 sym_agg_name(s, n->a));
	n->a = sema_expr(s, n->a);
	if (sema_is_of_stack(n->a))
		sema_die(s, D_ADDROF_LVAL, n, "members of a stack have no address");
	if (n->a->flags & NF_BITFIELD)
		sema_die(s, D_ADDROF_BITFIELD, n, "cannot take the address of a bit-field");
	if (n->a->kind == N_INDEX && n->a->sym)
		sema_die(s, D_ADDROF_VAR, n, "cannot take the address of a dynamic variable");
	if (n->a->kind != N_MEMBER && n->a->kind != N_INDEX && n->a->kind != N_IDENT &&
	    !(n->a->kind == N_UNARY && n->a->op == OP_DEREF))
		sema_die(s, D_ADDROF_LVAL, n, "operator & requires an lvalue");
	if (n->a->kind == N_IDENT && n->a->ref)
		sema_die(s, D_ADDROF_VAR, n, "cannot take the address of a built-in variable");
	sema_addressed(s, n->a);
	n->type = (struct type *)type_in_space(s->types, type_ptr(s->types, n->a->type),
					       sema_space(n->a));
	return n;
}

static bool is_lvalue(const struct node *n)
{
	return (n->kind == N_IDENT && n->sym) || n->kind == N_INDEX || n->kind == N_MEMBER ||
	       (n->kind == N_UNARY && n->op == OP_DEREF);
}

static void need_lvalue(struct sema *s, const struct node *n, const struct node *lv)
{
	if (sema_is_of_stack(lv))
		sema_die(s, D_OP_LVAL, n,
			 "operator %s requires modifiable lvalue as an operand: members of stacks "
			 "are read only",
			 n->kind == N_ASSIGN ? "=" : op_text(n->op));
	if (sema_is_kernel(lv))
		sema_die(s, D_OP_LVAL, n, "the kernel's variables cannot be written");
	if (lv->flags & NF_BITFIELD &&
	    (uint32_t)lv->aux2 + (uint64_t)(lv->aux2 >> 32) > type_size(s->types, lv->type) * 8)
		sema_die(s, D_OP_LVAL, n, "bit-fields of packed structs can only be read: %s",
			 lv->name);
	if (lv->kind == N_IDENT && lv->ref)
		sema_die(s, D_OP_WRITE, n,
			 "operator %s cannot be applied to read-only built-in variable %s",
			 op_text(n->op), lv->name);
	if (!is_lvalue(lv))
		sema_die(s, D_OP_LVAL, n, "operator %s can only be used with an lvalue",
			 n->kind == N_ASSIGN ? "=" : op_text(n->op));
}

static struct node *unary_incdec(struct sema *s, struct node *n)
{
	if (n->a->kind == N_AGG)
		sema_die(s, D_OP_LVAL, n, "operator %s may not be applied to an aggregation%s",
			 op_text(n->op), words_hint(s->arena, words_count(s->arena, n)));
	n->a = lvalue_for(s, n->a, type_int(s->types, 8, true));
	need_lvalue(s, n, n->a);
	if (!type_is_scalar(n->a->type) || type_base(n->a->type)->kind == T_ARRAY)
		sema_die(s, D_OP_SCALAR, n, "operator %s requires operand of scalar type",
			 op_text(n->op));
	n->type = n->a->type;
	n->aux = type_is_ptr(n->type) ? pointer_step(s, n, n->a) : 1;
	return n;
}

struct node *sema_unary(struct sema *s, struct node *n)
{
	switch (n->op) {
	case OP_DEREF:
		return unary_deref(s, n);
	case OP_ADDR:
		return unary_addr(s, n);
	case OP_PREINC:
	case OP_PREDEC:
	case OP_POSTINC:
	case OP_POSTDEC:
		return unary_incdec(s, n);
	default:
		return unary_arith(s, n);
	}
}

/* A value of type void says nothing of the variable's type. */
static void need_assigned(struct sema *s, const struct node *n)
{
	if (n->kind != N_IDENT || n->scope > SCOPE_THIS || sym_find(s, n->scope, n->name) ||
	    (n->scope == SCOPE_GLOBAL && def_reserves(s->builtins, n->name)))
		return;
	sema_die(s, D_VAR_UNDEF, n, "%s%s has not yet been declared or assigned",
		 n->scope == SCOPE_SELF	  ? "self->"
		 : n->scope == SCOPE_THIS ? "this->"
					  : "",
		 n->name);
}

/* a op= b on integers and pointers: b gets the type that the operation is done in. */
static struct node *assign_compound(struct sema *s, struct node *n)
{
	const struct type *t;

	n->b = sema_decay(s, sema_expr(s, n->b));
	if (type_is_void(n->b->type))
		need_assigned(s, n->a);
	n->a = lvalue_for(s, n->a, type_int(s->types, 8, true));
	need_lvalue(s, n, n->a);
	n->type = n->a->type;
	if (type_is_ptr(n->a->type) && (n->op == OP_ADD || n->op == OP_SUB)) {
		need_int(s, n, n->b, D_OP_INT);
		n->b = scaled(s, n->b, pointer_step(s, n, n->a));
		return n;
	}
	need_int(s, n, n->a, D_OP_ARITH);
	if ((n->op == OP_ADD || n->op == OP_SUB) && type_is_ptr(n->b->type) &&
	    type_is_void(type_base(n->b->type)->ref))
		sema_die(s, D_OP_VFPTR, n,
			 "operator %s= requires operands of known size, not \"%s\"", op_text(n->op),
			 sema_type_text(s, n->b->type));
	if (!type_is_int(n->b->type))
		sema_die(s, D_OP_INCOMPAT, n, "operands have incompatible types: \"%s\" %s= \"%s\"",
			 sema_type_text(s, n->a->type), op_text(n->op),
			 sema_type_text(s, n->b->type));
	t = n->op == OP_SHL || n->op == OP_SHR ? promoted(s, n->a->type)
					       : arith_type(s, n->a->type, n->b->type);
	n->b = cast_to(s, n->b, t);
	sema_site(s, n);
	return n;
}

bool sema_assignable(const struct type *to, const struct node *from)
{
	const struct type *t = type_base(to), *f = type_base(from->type);

	if (type_is_string(t))
		return stringish(from) || is_null_const(from);
	if (type_is_int(t))
		return type_is_int(f) || (type_is_ptr(f) && t->size == 8);
	if (t->kind == T_PTR && type_is_view(t) && type_is_view(f))
		return type_same(t, f);
	if (t->kind == T_PTR)
		return type_is_ptr(f) || is_null_const(from) ||
		       (type_is_charptr(t) && type_is_string(f));
	return type_same(t, f) ||
	       (is_null_const(from) && (type_is_block(t) || t->kind == T_SYMADDR));
}

/* A variable of stack(5) cannot hold stack(20); the other way round is padded with zeroes. */
static void stack_fits(struct sema *s, struct node *n)
{
	const struct type *to = type_base(n->a->type), *from = type_base(n->b->type);

	if (to->kind == T_STACK && from->kind == T_STACK && from->nelem > to->nelem)
		sema_die(s, D_OP_INCOMPAT, n,
			 "a stack of %llu frames does not fit a variable whose first value has "
			 "%llu: assign the longest first",
			 (unsigned long long)from->nelem, (unsigned long long)to->nelem);
}

/* "cpuinfo_t *c; ... c = curcpu": the first value says what the declared pointer is, unless it is
 * NULL. */
static void declared_as_view(struct node *n)
{
	const struct type *to = type_base(n->a->type), *from = type_base(n->b->type);
	struct sym *sym = n->a->kind == N_IDENT || n->a->kind == N_INDEX ? n->a->sym : NULL;

	if (!sym || is_null_const(n->b))
		return;
	if (sym->declared && !sym->settled && to->kind == T_PTR && !type_is_view(to) &&
	    type_is_view(from) && type_same(to->ref, from->ref)) {
		sym->type = n->b->type;
		n->a->type = n->b->type;
	}
	sym->settled = true;
}

/* What is read through a translator and what is read from memory do not mix: the type says how it
 * is done. */
static void check_view(struct sema *s, const struct node *n)
{
	const struct type *to = n->a->type, *from = n->b->type;

	if (is_null_const(n->b) || type_base(to)->kind != T_PTR || type_base(from)->kind != T_PTR ||
	    type_is_view(to) == type_is_view(from))
		return;
	if (type_is_view(to) || type_same(type_base(to)->ref, type_base(from)->ref))
		sema_die(s, D_XLATE_DYNAMIC, n,
			 "a variable cannot hold \"%s\" both as a pointer to memory and as the "
			 "result of a translator: remove its declaration; the first value decides",
			 sema_type_text(s, to));
}

/*
 * x = (char *)curpsinfo->pr_psargs: on other systems that points into the kernel, and may be
 * looked at later. Here a string lies in memory of the firing, so a variable that is not declared
 * otherwise is given the text. Strings in variables stay where they are.
 */
static struct node *pointed_text(const struct node *n)
{
	if (n->kind != N_CAST || !type_is_charptr(n->type) || !type_is_string(n->a->type))
		return NULL;
	return n->a->kind == N_IDENT && n->a->sym ? NULL : n->a;
}

/* The first action that "?:" chooses, or NULL. */
static const struct node *chosen_action(const struct node *n)
{
	const struct def *def = n->kind == N_CALL ? n->ref : NULL;
	const struct node *found;

	if (n->kind != N_COND)
		return def && def->kind == DEF_ACT ? n : NULL;
	found = chosen_action(n->b);
	return found ? found : chosen_action(n->c);
}

static void check_void(struct sema *s, const struct node *n)
{
	const struct node *action = n->kind == N_COND ? chosen_action(n) : NULL;

	if (!type_is_void(n->type) && !type_is_dyn(n->type))
		return;
	if (action)
		sema_die(s, D_OP_ACT, action,
			 "action %s( ) cannot be used in a conditional context", action->name);
	sema_die(s, D_OP_INCOMPAT, n, "a value of type %s cannot be assigned",
		 sema_type_text(s, n->type));
}

struct node *sema_assign(struct sema *s, struct node *n)
{
	struct node *text;

	if (n->a->kind == N_AGG)
		return agg_assign(s, n);
	if (n->a->kind == N_INDEX && n->a->a->kind == N_AGG)
		sema_die(s, D_AGG_MDIM, n,
			 "an aggregation has one list of keys: write %s[x, y] for %s[x][y]",
			 sym_agg_name(s, n->a->a), sym_agg_name(s, n->a->a));
	if (n->op != OP_NONE)
		return assign_compound(s, n);
	n->b = enumerator_as_int(s, xlate_whole(s, sema_expr(s, n->b)));
	stable_same(s, n->b);
	check_void(s, n->b);
	if (!type_is_block(n->b->type))
		n->b = sema_decay(s, n->b);
	text = pointed_text(n->b);
	n->a = sema_is_null(n->b) ? sema_null_lvalue(s, n->a)
				  : lvalue_for(s, n->a, text ? text->type : n->b->type);
	if (text && type_is_string(n->a->type))
		n->b = text;
	need_lvalue(s, n, n->a);
	if (type_base(n->a->type)->kind == T_ARRAY)
		sema_die(s, D_OP_ARRFUN, n,
			 "operator = may not be applied to operand of type \"%s\"",
			 sema_type_text(s, n->a->type));
	if (!sema_assignable(n->a->type, n->b))
		sema_die(s, D_OP_INCOMPAT, n, "operands have incompatible types: \"%s\" = \"%s\"",
			 sema_type_text(s, n->a->type), sema_type_text(s, n->b->type));
	declared_as_view(n);
	check_view(s, n);
	stack_fits(s, n);
	if (type_is_scalar(n->a->type) || type_is_string(n->a->type))
		n->b = sema_convert(s, n->b, n->a->type);
	n->type = n->a->type;
	sema_site(s, n);
	return n;
}

/* The common type of the arms of "?:", or NULL. */
static const struct type *cond_type(struct sema *s, const struct node *b, const struct node *c)
{
	if (type_is_void(b->type) || type_is_void(c->type))
		return type_void(s->types);
	if (type_is_string(b->type) || type_is_string(c->type)) {
		bool ok = (stringish(b) || is_null_const(b)) && (stringish(c) || is_null_const(c));

		return ok ? type_string(s->types) : NULL;
	}
	if (type_is_int(b->type) && type_is_int(c->type))
		return arith_type(s, b->type, c->type);
	if (type_is_view(b->type) && type_is_view(c->type) && !type_same(b->type, c->type))
		return NULL;
	if (type_is_ptr(b->type) && (is_null_const(c) || type_is_ptr(c->type)))
		return type_is_void(type_base(b->type)->ref) && type_is_ptr(c->type) ? c->type
										     : b->type;
	if (type_is_ptr(c->type) && is_null_const(b))
		return c->type;
	if (type_is_ptr(b->type) && type_is_int(c->type))
		return b->type;
	if (type_is_stack(b->type) && type_is_stack(c->type) && type_same(b->type, c->type))
		return type_base(b->type)->nelem >= type_base(c->type)->nelem ? b->type : c->type;
	if ((type_is_stack(b->type) && is_null_const(c)) ||
	    (type_is_stack(c->type) && is_null_const(b)))
		return type_is_stack(b->type) ? b->type : c->type;
	return type_same(b->type, c->type) ? b->type : NULL;
}

static struct node *cond_arm(struct sema *s, struct node *n)
{
	n = enumerator_as_int(s, xlate_whole(s, sema_expr(s, n)));
	return type_is_block(n->type) ? n : sema_decay(s, n);
}

/* An operand that can be typed without an error and without a trace. */
static bool is_plain(struct sema *s, const struct node *n)
{
	struct sym *sym;

	switch (n->kind) {
	case N_INT:
		return true;
	case N_CAST:
		return is_plain(s, n->a);
	case N_UNARY:
		return (n->op == OP_NEG || n->op == OP_NOT || n->op == OP_PLUS) &&
		       n->a->kind == N_INT;
	case N_IDENT:
		sym = sym_find(s, n->scope, n->name);
		return sym && sym->kind == SYM_VAR;
	default:
		return false;
	}
}

/* NULL where the other arm, if it can be typed, has a string or a pointer. */
static struct node *null_like(struct sema *s, struct node *null, struct node *dead)
{
	const struct type *t;

	if (!sema_try(s, dead, &t) || !t)
		return null;
	if (type_is_string(t))
		return to_string(s, null);
	return type_base(t)->kind == T_PTR ? cast_to(s, null, t) : null;
}

/* "?:" of a constant is one of its arms; of numbers it has the type that both arms give, as in
 * C. */
static struct node *cond_fold(struct sema *s, struct node *live, struct node *dead)
{
	live = sema_expr(s, live);
	if (is_null_const(live) && type_is_ptr(live->type))
		return null_like(s, live, dead);
	if (!type_is_int(live->type) || !is_plain(s, dead))
		return live;
	dead = sema_expr(s, dead);
	return type_is_int(dead->type) ? cast_to(s, live, arith_type(s, live->type, dead->type))
				       : live;
}

struct node *sema_cond(struct sema *s, struct node *n)
{
	bool pred = s->in_pred;
	const struct type *t;

	s->in_pred = false;
	n->a = sema_condition(s, n->a);
	s->in_pred = pred;
	if (sema_is_const(n->a)) /* folded before the types of the other arm are looked at */
		return cond_fold(s, n->a->value ? n->b : n->c, n->a->value ? n->c : n->b);
	s->cond_depth++;
	n->b = cond_arm(s, n->b);
	n->c = cond_arm(s, n->c);
	s->cond_depth--;
	t = cond_type(s, n->b, n->c);
	if (!t)
		sema_die(s, D_OP_INCOMPAT, n,
			 "operator ?: operands must have compatible types: \"%s\" : \"%s\"",
			 sema_type_text(s, n->b->type), sema_type_text(s, n->c->type));
	if (type_is_string(t)) {
		n->b = to_string(s, n->b);
		n->c = to_string(s, n->c);
	} else if (type_is_scalar(t)) {
		n->b = cast_to(s, n->b, t);
		n->c = cast_to(s, n->c, t);
	}
	n->type = (struct type *)t;
	return n;
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
		return to_string(s, n->a);
	}
	if (!type_is_scalar(to) || type_base(to)->kind == T_ARRAY)
		sema_die(s, D_CAST_INVAL, n, "invalid cast expression: \"%s\" to a type of \"%s\"",
			 sema_type_text(s, n->a->type), sema_type_text(s, to));
	if (!type_is_scalar(from) && !type_is_string(from))
		sema_die(s, D_CAST_INVAL, n, "invalid cast expression: \"%s\" to a type of \"%s\"",
			 sema_type_text(s, n->a->type), sema_type_text(s, to));
	if (n->a->kind == N_INT || keeps_view(n->a, to))
		return cast_to(s, n->a, to);
	n->type = (struct type *)keep_space(s, n->a, to);
	return n;
}
