/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inlines: a name, with or without parameters, that stands for an expression.
 *
 * Nothing is typed where an inline is declared: each use copies the tree as the grammar left it,
 * puts the arguments where the parameters stand, and types the copy in the place of its use, so
 * that constants fold there and a builtin variable means the probe at hand. Translators (xlate.c)
 * are expanded by the same means.
 */
#include <string.h>

#include "libdt/lang/lib.h"
#include "libdt/lang/sema_parts.h"

/* Inlines within inlines double what they copy: more than this many nodes is a program gone
 * wrong. */
#define NODES_MAX 500000

static struct node *clone(struct sema *s, const struct subst *b, const struct node *n);

/* An argument where the parameter stands: of the parameter's type, evaluated at each use. */
static struct node *argument(struct sema *s, const struct subst *b, struct node *parm,
			     const struct node *arg, int i)
{
	const struct type *want = type_of_decl(&s->decl_env, parm);
	struct node *n = sema_expr(s, clone(s, NULL, arg));

	if (!type_is_sou(n->type))
		n = sema_decay(s, n);
	if (!sema_assignable(want, n))
		sema_die(s, D_PROTO_ARG, n,
			 "%s[ ] argument #%d is incompatible with prototype:\n\tprototype: %s\n\t "
			 "argument: %s",
			 b->name, i, sema_type_text(s, want), sema_type_text(s, n->type));
	return type_is_sou(want) ? n : sema_convert(s, n, want);
}

static struct node *clone_list(struct sema *s, const struct subst *b, const struct node *list)
{
	struct node *head = NULL, **at = &head;

	for (const struct node *n = list; n; n = n->next) {
		*at = clone(s, b, n);
		at = &(*at)->next;
	}
	return head;
}

static struct node *clone(struct sema *s, const struct subst *b, const struct node *n)
{
	const struct node *arg = b ? b->args : NULL;
	struct node *c, *p = b ? b->parms : NULL;
	int i = 1;

	if (!n)
		return NULL;
	if (n->kind == N_IDENT && n->scope == SCOPE_GLOBAL)
		for (; p && arg; p = p->next, arg = arg->next, i++)
			if (p->name && !strcmp(p->name, n->name))
				return argument(s, b, p, arg, i);
	if (++s->cloned > NODES_MAX)
		sema_die(s, D_COMPILE, n,
			 "the program is too large: more than %d expressions, with those that "
			 "inlines and translators stand for",
			 NODES_MAX);
	c = arena_alloc(s->trees, sizeof(*c));
	*c = *n;
	c->next = NULL;
	c->a = clone(s, b, n->a);
	c->b = clone(s, b, n->b);
	c->c = clone(s, b, n->c);
	c->list = clone_list(s, b, n->list);
	return c;
}

struct node *sema_subst(struct sema *s, const struct subst *b, const struct node *n)
{
	return clone(s, b, n);
}

/* The inline's own type: known when it is first used. */
static const struct type *inline_type(struct sema *s, struct sym *sym)
{
	sema_save_sym(s, sym);
	if (!sym->type)
		sym->type = type_of_decl(&s->decl_env, sym->decl);
	return sym->type;
}

struct node *inline_expand(struct sema *s, struct sym *sym, struct node *n)
{
	struct subst b = {sym->name, sym->parms, n->kind != N_IDENT ? n->list : NULL};
	const struct type *type = inline_type(s, sym);
	bool call = n->kind != N_IDENT, declared;
	struct loc use = s->use;
	struct node *expr;

	if (sym->busy)
		sema_die(s, D_INLINE_PARM, n, "inline %s refers to itself", sym->name);
	if (call != (sym->parms != NULL))
		sema_die(s, D_INLINE_PARM, n, "inline %s %s", sym->name,
			 call ? "takes no arguments" : "needs its arguments");
	if (call && node_count(n->list) != node_count(sym->parms))
		sema_die(s, D_PROTO_LEN, n, "%s[ ] prototype mismatch: %d args passed, %d expected",
			 sym->name, node_count(n->list), node_count(sym->parms));
	declared = pragma_use(s, n, sym->name);
	expr = clone(s, &b, sym->expr);
	sym->busy = sym->used = true;
	if (!use.src)
		s->use = n->loc;
	s->vouched += declared;
	expr = sema_expr(s, expr);
	s->vouched -= declared;
	sym->busy = false;
	if (!type_is_sou(expr->type))
		expr = sema_decay(s, expr);
	if (!type_is_void(type) && !sema_assignable(type, expr))
		sema_die(s, D_OP_INCOMPAT, n,
			 "inline %s definition uses incompatible types: \"%s\" = \"%s\"", sym->name,
			 sema_type_text(s, type), sema_type_text(s, expr->type));
	if (type_is_scalar(type) || type_is_string(type))
		expr = sema_convert(s, expr, type);
	s->use = use;
	expr->loc = n->loc;
	if (!sym->own)
		sema_mark_name(expr);
	return expr;
}

static void check_parms(struct sema *s, struct sym *sym)
{
	for (struct node *p = sym->parms; p; p = p->next)
		for (struct node *q = sym->parms; q != p; q = q->next)
			if (p->name && q->name && !strcmp(p->name, q->name))
				sema_die(s, D_DECL_PROTO_NAME, p, "parameter %s is declared twice",
					 p->name);
}

static const char *const kinds[] = {
    [DEF_VAR] = "built-in variable",
    [DEF_SUB] = "function",
    [DEF_ACT] = "action",
    [DEF_AGG] = "aggregating function",
};

void inline_declare(struct sema *s, struct node *item)
{
	struct node *d = item->decl, *mod = d->list;
	struct sym *sym = sym_find(s, SCOPE_GLOBAL, d->name);
	const struct def *def = s->in_library ? NULL : def_find(s->builtins, d->name);

	if (def && !(def->flags & DEF_YIELDS))
		sema_die(s, D_DECL_IDRED, d,
			 "identifier redefined: %s\n\t current: inline definition\n"
			 "\tprevious: %s",
			 d->name, kinds[def->kind]);
	if (item->decl->base->storage != STORAGE_NONE)
		sema_die(s, D_DECL_BADCLASS, d, "an inline may not have a storage class: %s",
			 d->name);
	if (sym && s->in_library) /* the program's word counts */
		return;
	if (sym && !sym->library)
		sema_die(s, D_DECL_IDRED, d, "identifier redefined: %s", d->name);
	sym = sym_add(s, SYM_INLINE, SCOPE_GLOBAL, d->name, d->loc);
	sym->expr = item->a;
	sym->decl = d;
	if (mod && (mod->op == MOD_ASSOC || mod->op == MOD_FUNC)) {
		sym->parms = mod->list;
		d->list = mod->next;
		check_parms(s, sym);
	}
	if (!s->in_library)
		inline_type(s, sym);
}

void inline_check(struct sema *s, void *arg)
{
	struct sym *sym = arg;
	struct node *n = node_new(s->parse, sym->parms ? N_CALL : N_IDENT, sym->loc),
		    **at = &n->list;

	n->name = sym->name;
	for (struct node *p = sym->parms; p; p = p->next, at = &(*at)->next) {
		struct node typed = {.loc = p->loc,
				     .type = (struct type *)type_of_decl(&s->decl_env, p)};

		*at = sema_hidden(s, &typed);
	}
	inline_expand(s, sym, n);
}
