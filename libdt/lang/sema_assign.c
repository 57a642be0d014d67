/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assignments, ++ and --. */
#include "libdt/lang/words.h"
#include "libdt/lang/sema_parts.h"

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

struct node *sema_incdec(struct sema *s, struct node *n)
{
	if (n->a->kind == N_AGG)
		sema_die(s, D_OP_LVAL, n, "operator %s may not be applied to an aggregation%s",
			 op_text(n->op), sym_count_hint(s, n));
	n->a = lvalue_for(s, n->a, type_int(s->types, 8, true));
	need_lvalue(s, n, n->a);
	if (!type_is_scalar(n->a->type) || type_base(n->a->type)->kind == T_ARRAY)
		sema_die(s, D_OP_SCALAR, n, "operator %s requires operand of scalar type",
			 op_text(n->op));
	n->type = n->a->type;
	n->aux = type_is_ptr(n->type) ? sema_pointer_step(s, n, n->a) : 1;
	return n;
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
		sema_need_int(s, n, n->b, D_OP_INT);
		n->b = sema_scaled(s, n->b, sema_pointer_step(s, n, n->a));
		return n;
	}
	sema_need_int(s, n, n->a, D_OP_ARITH);
	if ((n->op == OP_ADD || n->op == OP_SUB) && type_is_ptr(n->b->type) &&
	    type_is_void(type_base(n->b->type)->ref))
		sema_die(s, D_OP_VFPTR, n,
			 "operator %s= requires operands of known size, not \"%s\"", op_text(n->op),
			 sema_type_text(s, n->b->type));
	if (!type_is_int(n->b->type))
		sema_die(s, D_OP_INCOMPAT, n, "operands have incompatible types: \"%s\" %s= \"%s\"",
			 sema_type_text(s, n->a->type), op_text(n->op),
			 sema_type_text(s, n->b->type));
	t = n->op == OP_SHL || n->op == OP_SHR ? sema_promoted(s, n->a->type)
					       : sema_arith_type(s, n->a->type, n->b->type);
	n->b = sema_cast_to(s, n->b, t);
	sema_site(s, n);
	return n;
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

	if (!sym || sema_is_zero(n->b))
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

	if (sema_is_zero(n->b) || type_base(to)->kind != T_PTR || type_base(from)->kind != T_PTR ||
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
	n->b = sema_enumerator_as_int(s, xlate_whole(s, sema_expr(s, n->b)));
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
