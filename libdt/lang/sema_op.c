/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operators that compute a value: which types they take, and what is known without running. */
#include <string.h>

#include "libdt/lang/words.h"
#include "libdt/symbols/ksym.h"
#include "libdt/lang/sema_parts.h"

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

void sema_need_int(struct sema *s, const struct node *n, const struct node *operand, enum tag tag)
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
uint64_t sema_pointer_step(struct sema *s, const struct node *n, const struct node *ptr)
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

struct node *sema_scaled(struct sema *s, struct node *n, uint64_t size)
{
	struct node *m;

	n = sema_cast_to(s, n, type_int(s->types, 8, true));
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
		size = sema_pointer_step(s, n, n->a);
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
		n->b = sema_scaled(s, n->b, sema_pointer_step(s, n, n->a));
	else
		n->a = sema_scaled(s, n->a, sema_pointer_step(s, n, n->b));
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
	sema_need_int(s, n, n->a, int_only ? D_OP_INT : D_OP_ARITH);
	sema_need_int(s, n, n->b, int_only ? D_OP_INT : D_OP_ARITH);
	t = result_type(s, n->op, sema_arith_type(s, n->a->type, n->b->type));
	n->a = sema_cast_to(s, n->a, t);
	n->b = sema_cast_to(s, n->b, t);
	n->type = (struct type *)t;
	if (n->op == OP_DIV || n->op == OP_MOD)
		sema_site(s, n);
	return fold_binary(s, n, t);
}

static struct node *shift(struct sema *s, struct node *n)
{
	sema_need_int(s, n, n->a, D_OP_INT);
	sema_need_int(s, n, n->b, D_OP_INT);
	n->type = (struct type *)result_type(s, n->op, sema_promoted(s, n->a->type));
	n->a = sema_cast_to(s, n->a, n->type);
	n->b = sema_cast_to(s, n->b, type_int(s->types, 8, false));
	return fold_binary(s, n, n->type);
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
		   ? sema_cast_to(s, n, narrow)
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
		if (!(sema_is_text(n->a) || sema_is_zero(n->a) || type_is_ptr(n->a->type)) ||
		    !(sema_is_text(n->b) || sema_is_zero(n->b) || type_is_ptr(n->b->type)))
			sema_die(s, D_OP_INCOMPAT, n,
				 "operands have incompatible types: \"%s\" %s \"%s\"%s",
				 sema_type_text(s, n->a->type), op_text(n->op),
				 sema_type_text(s, n->b->type),
				 n->a->is_char || n->b->is_char ? " (strings take double quotes)"
								: "");
		n->a = sema_to_string(s, n->a);
		n->b = sema_to_string(s, n->b);
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
		t = sema_arith_type(s, n->a->type, n->b->type);
	n->a = sema_cast_to(s, compared(s, n->a, t), t);
	n->b = sema_cast_to(s, compared(s, n->b, t), t);
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
	n->a = sema_enumerator_as_int(s, operand(s, n, n->a));
	n->b = sema_enumerator_as_int(s, operand(s, n, n->b));
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
	n->a = sema_enumerator_as_int(s, sema_decay(s, n->a));
	sema_need_int(s, n, n->a, n->op == OP_NOT ? D_OP_INT : D_OP_ARITH);
	t = n->a->type;
	if (n->op == OP_NOT && !type_is_signed(t)) /* no more bits than its type has */
		t = type_narrow(t);
	n->type = (struct type *)result_type(s, n->op, sema_promoted(s, t));
	n->a = sema_cast_to(s, n->a, n->type);
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
		return sema_incdec(s, n);
	default:
		return unary_arith(s, n);
	}
}

/* The common type of the arms of "?:", or NULL. */
static const struct type *cond_type(struct sema *s, const struct node *b, const struct node *c)
{
	if (type_is_void(b->type) || type_is_void(c->type))
		return type_void(s->types);
	if (type_is_string(b->type) || type_is_string(c->type)) {
		bool ok =
		    (sema_is_text(b) || sema_is_zero(b)) && (sema_is_text(c) || sema_is_zero(c));

		return ok ? type_string(s->types) : NULL;
	}
	if (type_is_int(b->type) && type_is_int(c->type))
		return sema_arith_type(s, b->type, c->type);
	if (type_is_view(b->type) && type_is_view(c->type) && !type_same(b->type, c->type))
		return NULL;
	if (type_is_ptr(b->type) && (sema_is_zero(c) || type_is_ptr(c->type)))
		return type_is_void(type_base(b->type)->ref) && type_is_ptr(c->type) ? c->type
										     : b->type;
	if (type_is_ptr(c->type) && sema_is_zero(b))
		return c->type;
	if (type_is_ptr(b->type) && type_is_int(c->type))
		return b->type;
	if (type_is_stack(b->type) && type_is_stack(c->type) && type_same(b->type, c->type))
		return type_base(b->type)->nelem >= type_base(c->type)->nelem ? b->type : c->type;
	if ((type_is_stack(b->type) && sema_is_zero(c)) ||
	    (type_is_stack(c->type) && sema_is_zero(b)))
		return type_is_stack(b->type) ? b->type : c->type;
	return type_same(b->type, c->type) ? b->type : NULL;
}

static struct node *cond_arm(struct sema *s, struct node *n)
{
	n = sema_enumerator_as_int(s, xlate_whole(s, sema_expr(s, n)));
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
		return sema_to_string(s, null);
	return type_base(t)->kind == T_PTR ? sema_cast_to(s, null, t) : null;
}

/* "?:" of a constant is one of its arms; of numbers it has the type that both arms give, as in
 * C. */
static struct node *cond_fold(struct sema *s, struct node *live, struct node *dead)
{
	live = sema_expr(s, live);
	if (sema_is_zero(live) && type_is_ptr(live->type))
		return null_like(s, live, dead);
	if (!type_is_int(live->type) || !is_plain(s, dead))
		return live;
	dead = sema_expr(s, dead);
	return type_is_int(dead->type)
		   ? sema_cast_to(s, live, sema_arith_type(s, live->type, dead->type))
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
		n->b = sema_to_string(s, n->b);
		n->c = sema_to_string(s, n->c);
	} else if (type_is_scalar(t)) {
		n->b = sema_cast_to(s, n->b, t);
		n->c = sema_cast_to(s, n->c, t);
	}
	n->type = (struct type *)t;
	return n;
}
