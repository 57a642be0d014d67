/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which a clause is analysed.
 *
 * A variable without a declaration has the type of what is first assigned to it, so a use must be
 * analysed after the assignment, wherever the program has the two. The actions of a clause come
 * first and then its predicate: predicates ask for what the actions set ("/!self->seen/ {
 * self->seen = 1; }"). Where the actions use what only the predicate assigns, it is the other way
 * round. A clause that uses what only another clause assigns is deferred until all others are
 * analysed. What remains is a circle; there, a variable gets the type of the first assignment
 * that can be typed.
 *
 * NULL says nothing about a variable's type: one that is first assigned NULL has the type of
 * another value that is assigned to it, and is an int if there is none.
 *
 * An attempt works on a copy of the clause's trees and is undone when it fails (sema_try.c).
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/sema_parts.h"

static const struct node *assigned_variable(const struct node *n)
{
	bool unary = n->kind == N_UNARY && (n->op == OP_PREINC || n->op == OP_PREDEC ||
					    n->op == OP_POSTINC || n->op == OP_POSTDEC);
	const struct node *v = n->kind == N_ASSIGN || unary ? n->a : NULL;

	if (v && v->kind == N_INDEX)
		v = v->a;
	return v && v->kind == N_IDENT && v->scope <= SCOPE_THIS ? v : NULL;
}

static void note_assignments(struct sema *s, const struct node *clause, const struct node *n)
{
	if (!n)
		return;
	if (assigned_variable(n))
		vec_push(&s->assignments,
			 ((struct assignment){assigned_variable(n), n, clause, -1, false}));
	note_assignments(s, clause, n->a);
	note_assignments(s, clause, n->b);
	note_assignments(s, clause, n->c);
	for (const struct node *e = n->list; e; e = e->next)
		note_assignments(s, clause, e);
}

void sema_forget_assignments(struct sema *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->assigned); i++) {
		hash_free(&s->assigned[i]);
		s->assigned[i] = (struct hash){0};
	}
	vec_free(&s->assignments);
}

void sema_note_assignments(struct sema *s, struct node *items)
{
	sema_forget_assignments(s);
	for (struct node *item = items; item; item = item->next) {
		if (item->kind != N_CLAUSE)
			continue;
		note_assignments(s, item, item->a);
		note_assignments(s, item, item->b);
	}
	for (int i = s->assignments.n - 1; i >= 0; i--) {
		struct assignment *a = &s->assignments.v[i];
		const char *name = a->variable->name;
		void **first = hash_ref(&s->assigned[a->variable->scope], name, strlen(name));

		a->next = (int)(intptr_t)*first - 1;
		*first = (void *)(intptr_t)(i + 1);
	}
}

/* The first assignment to the variable, or -1; the others follow by next. */
static int first_assignment(const struct sema *s, const struct node *ident)
{
	return (int)(intptr_t)hash_gets(&s->assigned[ident->scope], ident->name) - 1;
}

/* Is it perhaps assigned in a clause that has a syntax error? Its type is not known then, whatever
 * other clauses assign. */
static bool is_unparsed(const struct sema *s, const struct node *ident)
{
	return s->unparsed && text_has_word(s->unparsed, ident->name);
}

static bool uses_unparsed(const struct sema *s, const struct node *n)
{
	if (!n)
		return false;
	if (n->kind == N_IDENT && n->scope <= SCOPE_THIS && is_unparsed(s, n) &&
	    (n->scope != SCOPE_GLOBAL || !def_reserves(s->builtins, n->name)))
		return true;
	for (const struct node *e = n->list; e; e = e->next)
		if (uses_unparsed(s, e))
			return true;
	return uses_unparsed(s, n->a) || uses_unparsed(s, n->b) || uses_unparsed(s, n->c);
}

/* What a clause assigns that uses such a variable has no known type either, and so on. */
void sema_set_unparsed(struct sema *s, const char *text)
{
	bool more = true;

	s->unparsed = text;
	while (more) {
		more = false;
		for (int i = 0; i < s->assignments.n; i++) {
			const struct assignment *a = &s->assignments.v[i];

			if (is_unparsed(s, a->variable) ||
			    !(uses_unparsed(s, a->clause->a) || uses_unparsed(s, a->clause->b)))
				continue;
			s->unparsed =
			    arena_printf(s->arena, "%s %s", s->unparsed, a->variable->name);
			more = true;
		}
	}
}

static bool is_assigned(const struct sema *s, const struct node *ident)
{
	return is_unparsed(s, ident) || first_assignment(s, ident) >= 0;
}

static bool is_variable(const struct sym *sym)
{
	return sym->kind == SYM_VAR || sym->kind == SYM_ASSOC;
}

bool sema_is_unknown(struct sema *s, const struct node *ident)
{
	const struct sym *sym;

	if (ident->scope > SCOPE_THIS || ident->loc.src->kind == SOURCE_LIBRARY)
		return false;
	sym = sym_find(s, ident->scope, ident->name);
	if (sym)
		return is_variable(sym) && !sym->declared && is_unparsed(s, ident);
	if (ident->scope != SCOPE_GLOBAL)
		return true;
	return !def_reserves(s->builtins, ident->name) && is_assigned(s, ident) &&
	       !sym_lookup(s, SCOPE_GLOBAL, ident->name);
}

/* The right side is analysed already if the clause is analysed itself, and not a copy. */
static bool assigns_null(const struct node *n)
{
	return n->kind == N_ASSIGN && ((n->b->kind == N_IDENT && n->b->scope == SCOPE_GLOBAL &&
					!strcmp(n->b->name, "NULL")) ||
				       (n->b->type && sema_is_null(n->b)));
}

/* The variable of one assignment, of the type of the right side. */
static void declare(struct sema *s, void *arg)
{
	const struct node *n = arg;
	const struct type *type = type_int(s->types, 8, true);

	if (assigns_null(n))
		type = type_int(s->types, 4, true);
	else if (n->kind == N_ASSIGN && n->op == OP_NONE)
		type = sema_expr(s, sema_subst(s, NULL, n->b))->type;
	if (!type_is_void(type))
		lvalue_for(s, sema_subst(s, NULL, n->a), type);
}

static void infer_by(struct sema *s, const struct node *ident, bool nulls)
{
	struct failure why;

	for (int i = first_assignment(s, ident); i >= 0 && !sym_find(s, ident->scope, ident->name);
	     i = s->assignments.v[i].next) {
		struct assignment *a = &s->assignments.v[i];

		if (a->tried || assigns_null(a->node) != nulls)
			continue;
		a->tried = true;
		sema_attempt(s, declare, (void *)a->node, &why);
	}
}

/* The right side may have variables that are inferred, too. Each assignment is tried once for the
 * one that is asked for. */
static bool infer(struct sema *s, const struct node *ident)
{
	bool outermost = !s->inferring;

	if (!s->infers)
		return false;
	s->inferring = true;
	infer_by(s, ident, false);
	infer_by(s, ident, true);
	for (int i = 0; outermost && i < s->assignments.n; i++)
		s->assignments.v[i].tried = false;
	s->inferring = !outermost;
	return sym_find(s, ident->scope, ident->name);
}

void sema_unknown(struct sema *s, const struct node *ident)
{
	if (!is_assigned(s, ident) || (!is_unparsed(s, ident) && infer(s, ident)))
		return;
	s->unknown = ident;
	if (ident->scope == SCOPE_GLOBAL)
		sema_die(s, D_IDENT_UNDEF, ident, "failed to resolve %s: Unknown variable name",
			 ident->name);
	sema_die(s, D_VAR_UNDEF, ident, "%s->%s has not yet been declared or assigned",
		 ident->scope == SCOPE_SELF ? "self" : "this", ident->name);
}

void sema_check_parsed(struct sema *s, const struct node *ident)
{
	if (is_unparsed(s, ident) && sema_is_unknown(s, ident))
		sema_unknown(s, ident);
}

/* Has the name no meaning at all? */
static bool is_nothing(struct sema *s, const struct node *ident)
{
	const struct type *type;
	int64_t value;

	if (sema_is_unknown(s, ident))
		return !infer(s, ident) && (s->infers || !is_assigned(s, ident));
	return ident->scope == SCOPE_GLOBAL && ident->loc.src->kind != SOURCE_LIBRARY &&
	       !sym_lookup(s, SCOPE_GLOBAL, ident->name) && !def_find(s->builtins, ident->name) &&
	       !def_missing(s->builtins, ident->name) && strcmp(ident->name, "NULL") &&
	       !type_enumerator(s->types, NULL, ident->name, &value, &type);
}

struct node *sema_operand(struct sema *s, struct node *n)
{
	const struct node *ident = n->kind == N_INDEX ? n->a : n;

	if (n->type || ident->kind != N_IDENT || !s->clause || !is_nothing(s, ident))
		return sema_expr(s, n);
	return lvalue_for(s, n, type_int(s->types, 8, true));
}

/* Declares the variable by an assignment of another value than NULL in this clause, or in the
 * others. Returns whether there are such assignments. */
static bool declare_by_value(struct sema *s, const struct node *ident, bool here)
{
	struct failure why;
	bool any = false;

	for (int i = first_assignment(s, ident); i >= 0 && !sym_find(s, ident->scope, ident->name);
	     i = s->assignments.v[i].next) {
		struct assignment *a = &s->assignments.v[i];

		if (a->tried || (a->clause == s->clause->node) != here ||
		    a->node->kind != N_ASSIGN || a->node->op != OP_NONE || assigns_null(a->node))
			continue;
		any = true;
		if (!here && !s->infers)
			break;
		a->tried = true;
		sema_attempt(s, declare, (void *)a->node, &why);
		a->tried = false;
	}
	return any;
}

struct node *sema_null_lvalue(struct sema *s, struct node *n)
{
	const struct node *ident = n->kind == N_INDEX ? n->a : n;

	if (!n->type && s->clause && ident->kind == N_IDENT && ident->scope <= SCOPE_THIS &&
	    !sym_find(s, ident->scope, ident->name)) {
		declare_by_value(s, ident, true);
		if (!sym_find(s, ident->scope, ident->name) && declare_by_value(s, ident, false) &&
		    !s->infers)
			sema_unknown(s, ident);
	}
	return lvalue_for(s, n, type_int(s->types, 4, true));
}

static bool other_clause_assigns(const struct sema *s, const struct node *ident)
{
	for (int i = first_assignment(s, ident); i >= 0; i = s->assignments.v[i].next)
		if (s->assignments.v[i].clause != s->clause->node)
			return true;
	return false;
}

/* Does the tree use a variable that is not known yet and that some clause assigns? */
static bool needs_order(struct sema *s, const struct node *n)
{
	if (!n)
		return false;
	if (n->kind == N_IDENT && n->scope <= SCOPE_THIS && !sym_find(s, n->scope, n->name) &&
	    is_assigned(s, n))
		return true;
	for (const struct node *e = n->list; e; e = e->next)
		if (needs_order(s, e))
			return true;
	return needs_order(s, n->a) || needs_order(s, n->b) || needs_order(s, n->c);
}

/* /x = 1/ is valid D, but hardly ever what is meant. */
static void warn_assigned(struct sema *s, const struct node *n)
{
	if (n->kind == N_ASSIGN && n->op == OP_NONE && sema_is_const(n->b))
		diag_warn(s->diag, n->loc,
			  "the predicate assigns a constant; a comparison is written ==");
}

static void predicate(struct sema *s)
{
	struct clause *c = s->clause;

	if (!c->node->a)
		return;
	s->diag->where = "in predicate";
	s->in_pred = true;
	c->pred = sema_condition(s, c->node->a);
	warn_assigned(s, c->pred);
	s->in_pred = false;
}

void sema_check_late(struct sema *s, void (*check)(struct sema *s, struct node *n), struct node *n)
{
	struct late_check *late = arena_alloc(s->arena, sizeof(*late));

	*late = (struct late_check){s->clause->late, check, n};
	s->clause->late = late;
}

static void actions(struct sema *s)
{
	struct clause *c = s->clause;

	s->diag->where = "in action list";
	c->body = c->node->b;
	if (c->body)
		sema_statements(s, c->body->list);
	for (struct late_check *late = c->late; late; late = late->next)
		late->check(s, late->n);
	if (!c->body || !c->body->list)
		c->records = true;
}

/* The number of a thread as its own PID namespace has it, where it is printed. */
static struct node *thread_number(struct sema *s, const struct clause *c)
{
	struct node *n = node_new(s->parse, N_IDENT, c->node->loc);

	n->name = "dt_nstid";
	return sema_expr(s, n);
}

static void analyse(struct sema *s, bool predicate_first)
{
	bool timeline = !strcmp(opt_text(s->opts, OPT_OFORMAT), "perfetto");
	struct clause *c = s->clause;

	s->cond_depth = s->expr_depth = 0;
	s->order = (struct order){0};
	s->statement = NULL;
	c->layout.has_thread = timeline || opt_on(s->opts, OPT_FLOWTHREAD);
	c->layout.has_process = timeline || s->opts->events;
	c->layout.size = layout_begin(&c->layout);
	vec_push(&c->sites, (struct clause_site){.loc = c->node->loc});
	c->counts = stable_condition(s, c);
	if (predicate_first)
		predicate(s);
	actions(s);
	if (!predicate_first)
		predicate(s);
	if (!c->records)
		c->layout.has_thread = c->layout.has_process = false;
	/* a timeline has tracks by the numbers that the machine has */
	c->thread = c->layout.has_thread && !timeline && opt_on(s->opts, OPT_NSPID)
			? thread_number(s, c)
			: NULL;
	c->layout.size = c->records ? ALIGN_UP(c->layout.size, 8) : 0;
	s->diag->where = NULL;
}

static void analyse_actions_first(struct sema *s, void *arg)
{
	(void)arg;
	analyse(s, false);
}

static void analyse_predicate_first(struct sema *s, void *arg)
{
	(void)arg;
	analyse(s, true);
}

/* One attempt on a copy of the trees; the node keeps the copy when it succeeds. */
static bool attempt(struct sema *s, bool predicate_first, struct failure *why)
{
	struct node *node = s->clause->node, *a = node->a, *b = node->b;

	node->a = sema_subst(s, NULL, a);
	node->b = sema_subst(s, NULL, b);
	if (sema_attempt(s, predicate_first ? analyse_predicate_first : analyse_actions_first, NULL,
			 why))
		return true;
	node->a = a;
	node->b = b;
	return false;
}

static bool in_order(struct sema *s, struct clause *c, bool last)
{
	struct failure why = {0};
	bool predicate_first;

	s->infers = last;
	if (!last && !needs_order(s, c->node->a) && !needs_order(s, c->node->b)) {
		analyse(s, false);
		return true;
	}
	if (attempt(s, false, &why))
		return true;
	predicate_first = why.unknown && c->node->a;
	if (predicate_first && attempt(s, true, &why))
		return true;
	if (!last && why.unknown && other_clause_assigns(s, why.unknown))
		return false;
	if (!last && why.unknown)
		return in_order(s, c, true);
	analyse(s, predicate_first); /* reports the error */
	return true;
}

bool sema_clause(struct sema *s, struct clause *c, bool last)
{
	bool done;

	s->clause = c;
	done = in_order(s, c, last);
	s->infers = false;
	s->clause = NULL;
	return done;
}

/* The errors after the first -------------------------------------------- */

/* A message of the clause; the others that say the same follow from it. */
struct said {
	const char *text;
	struct said *next;
};

struct rest {
	const struct node *last; /* the statement before those that are left; NULL: passed */
	bool probes;
	struct said *said;
	void (*report)(void *arg, const struct failure *why);
	void *arg;
};

static bool is_new(struct sema *s, struct rest *r, const char *text)
{
	struct said *one;

	for (one = r->said; one; one = one->next)
		if (!strcmp(one->text, text))
			return false;
	one = arena_alloc(s->arena, sizeof(*one));
	*one = (struct said){arena_strdup(s->arena, text), r->said};
	r->said = one;
	return true;
}

static void try_part(struct sema *s, struct rest *r, const char *where,
		     void (*fn)(struct sema *s, void *arg), void *arg)
{
	struct failure why = {0};

	s->diag->where = where;
	if (!sema_attempt(s, fn, arg, &why) && !why.unknown &&
	    (r->probes || !sema_forgives(&why)) && is_new(s, r, sb_str(&s->diag->msg)))
		r->report(r->arg, &why);
}

static void analyse_statement(struct sema *s, void *n)
{
	sema_statement(s, n);
}

static void analyse_condition(struct sema *s, void *arg)
{
	struct node *n = arg;

	s->statement = n;
	n->a = sema_condition(s, n->a);
}

static void analyse_predicate(struct sema *s, void *arg)
{
	(void)arg;
	predicate(s);
}

static void rest_of_list(struct sema *s, struct rest *r, struct node *list);

static void rest_of_if(struct sema *s, struct rest *r, struct node *n, bool left)
{
	struct order before, first;

	if (left)
		try_part(s, r, "in action list", analyse_condition, n);
	s->cond_depth++;
	before = spec_order_branch(s);
	if (!sema_is_const(n->a) || n->a->value)
		rest_of_list(s, r, n->b->list);
	first = spec_order_else(s, before);
	if (n->c && (!sema_is_const(n->a) || !n->a->value))
		rest_of_list(s, r, n->c->list);
	spec_order_join(s, first);
	s->cond_depth--;
}

static void rest_of_list(struct sema *s, struct rest *r, struct node *list)
{
	for (struct node *n = list; n; n = n->next) {
		bool left = !r->last;

		if (n == r->last)
			r->last = NULL;
		if (n->kind == N_IF)
			rest_of_if(s, r, n, left);
		else if (n->kind == N_BLOCK)
			rest_of_list(s, r, n->list);
		else if (left)
			try_part(s, r, "in action list", analyse_statement, n);
	}
}

void sema_rest(struct sema *s, struct clause *c, const struct failure *first, bool probes,
	       void (*report)(void *arg, const struct failure *why), void *arg)
{
	struct rest r = {first->statement, probes, NULL, report, arg};
	bool in_predicate = first->where && !strcmp(first->where, "in predicate");

	is_new(s, &r, sb_str(&s->diag->msg));
	s->clause = c;
	s->order = (struct order){0};
	if (c->node->b)
		rest_of_list(s, &r, c->node->b->list);
	if (!in_predicate)
		try_part(s, &r, "in predicate", analyse_predicate, NULL);
	s->diag->where = NULL;
	s->clause = NULL;
}
