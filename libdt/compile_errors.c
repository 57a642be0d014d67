/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The errors of a program beside the first, at which its compilation has ended: of the same clause,
 * of what is not analysed yet, and of what has no syntax errors. What follows from another error is
 * not reported (lang/undeclared.c). Of programs without errors, those of definitions that nothing
 * uses.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/compile.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/match.h"
#include "libdt/plan/plan.h"
#include "libdt/report.h"
#include "libdt/session.h"

enum { ERRORS_MAX = 20, REPARSE_MAX = 4 << 20 /* bytes of the program */ };

/* A clause or declaration that may have errors beside the first error of the program. */
struct later {
	struct dt *dt;
	struct node *item; /* that, or one of a clause's descriptions */
	struct clause *clause;
	int default_field;
};

static void add_later(struct sema *s, void *arg)
{
	struct later *l = arg;

	(void)s;
	compile_item(l->dt, l->item, l->default_field);
}

static void match_later(struct sema *s, void *arg)
{
	struct later *l = arg;

	(void)s;
	match_description(l->dt, l->clause, l->item, l->default_field);
}

static void analyse_deferred(struct sema *s, void *arg)
{
	struct later *l = arg;

	sema_clause(s, l->clause, true);
}

/* Of what the analysis has read when it failed: a statement, a predicate, or a declaration. */
static bool is_consequence(struct dt *dt, const struct failure *why)
{
	const struct node *n = why->clause ? why->clause->node : dt->input->item;

	if (why->where && !strcmp(why->where, "in predicate"))
		n = n->a;
	else if (why->where && why->statement)
		n = why->statement->kind == N_IF ? why->statement->a : why->statement;
	else if (n && n->kind == N_CLAUSE)
		return false;
	if (n && undeclared_used(dt->sema, n->loc))
		return true;
	for (n = why->clause ? why->clause->node->list : NULL; n; n = n->next)
		if (undeclared_used(dt->sema, n->loc)) /* its provider's arguments are unknown */
			return true;
	return false;
}

static void report_next(struct dt *dt, const struct failure *why)
{
	if (dt->input->errors >= ERRORS_MAX)
		return;
	dt->diag.tag = why->tag;
	dt->diag.loc = why->loc;
	dt->diag.where = why->where;
	report_caught(dt);
	dt->diag.where = NULL;
}

static void report_failure(void *arg, const struct failure *why)
{
	struct dt *dt = arg;

	if (is_consequence(dt, why))
		return;
	if (why->loc.src && why->loc.src->kind == SOURCE_LIBRARY)
		return; /* it lacks what the clause with an error would have declared */
	report_next(dt, why);
}

/* Reports the errors of a clause after the one that ended its analysis. */
static void report_rest(struct later *l, const struct failure *first)
{
	struct dt *dt = l->dt;
	struct node *matching = dt->input->matching;
	struct failure why = *first, next = {0};

	l->clause = matching ? dt->plan->clauses.v[dt->plan->clauses.n - 1] : first->clause;
	if (!l->clause)
		return;
	if (matching) /* nothing is analysed yet */
		why.statement = NULL;
	for (struct node *n = matching ? matching->next : NULL; n; n = n->next) {
		l->item = n;
		if (!sema_attempt(dt->sema, match_later, l, &next))
			report_failure(dt, &next);
	}
	dt->input->matching = NULL;
	sema_rest(dt->sema, l->clause, &why, !matching, report_failure, dt);
}

static void lose_declaration(struct dt *dt, const struct node *item)
{
	undeclared_add(dt->sema, item);
	undeclared_pass_on(dt->sema, dt->input->program->result->list);
}

static void report_later(struct later *l, void (*fn)(struct sema *s, void *arg))
{
	struct dt *dt = l->dt;
	struct failure why = {0};

	if (sema_attempt(dt->sema, fn, l, &why))
		return;
	if (!why.unknown)
		report_failure(dt, &why);
	if (l->item && l->item->kind != N_CLAUSE)
		lose_declaration(dt, l->item);
	else
		report_rest(l, &why);
}

/* Of clauses that wait for others, from one on. */
static void report_deferred(struct later *l, int from, const struct failure *first)
{
	struct dt *dt = l->dt;

	for (int i = from; i < dt->input->deferred.n; i++) {
		l->clause = dt->input->deferred.v[i];
		if (l->clause != first->clause)
			report_later(l, analyse_deferred);
	}
}

/*
 * Reports the errors after the one that ended the compilation: of its clause, and of the items
 * from one on, which are not analysed yet. Not of a variable that is unknown because its assignment
 * or declaration has an error.
 */
static void report_later_errors(struct dt *dt, struct node *items, const struct failure *first,
				int default_field)
{
	struct parse *p = dt->input->program;
	struct later l = {.dt = dt, .default_field = default_field};
	int deferred = dt->input->deferred.n;
	struct node *next;

	if (dt->sema->in_library || setjmp(dt->diag.recover))
		return;
	sema_recover(dt->sema);
	dt->sema->parse = p;
	undeclared_pass_on(dt->sema, p->result->list);
	report_rest(&l, first);
	report_deferred(&l, 0, first);
	for (struct node *item = items; item && dt->input->errors < ERRORS_MAX; item = next) {
		next = item->next;
		dt->sema->parse = p;
		dt->input->item = l.item = item;
		report_later(&l, add_later);
	}
	l.item = NULL;
	report_deferred(&l, deferred, first);
}

/* Parses a text of the same length in the place of the program's. */
static bool parse_instead(struct dt *dt, struct source *src, const char *text)
{
	const char *whole = src->text;
	uint32_t nodes = dt->input->program->nodes; /* which the arena still has */

	if (setjmp(dt->diag.recover)) {
		src->text = whole;
		return false;
	}
	compile_parser(dt, src);
	dt->input->program->nodes = nodes;
	src->text = text;
	dt->input->program->result = parse_program(dt->input->program);
	src->text = whole;
	return true;
}

/* What a text has and the other of the same length has not. */
static const char *difference(struct arena *arena, const char *text, const char *other)
{
	char *left = arena_strndup(arena, text, strlen(text));

	for (char *s = left; *s; s++, other++)
		if (*s == *other)
			*s = ' ';
	return left;
}

/* Parses the program without the items that have syntax errors, of which the first is reported
 * already. Returns the text of these, or NULL when nothing can be parsed; names: those that their
 * declarations would have declared. */
static const char *parse_rest(struct dt *dt, struct source *src, const char **names)
{
	char *text = arena_strndup(dt->arena, src->text, src->len);
	const char *before, *item;
	enum removed what;
	bool first = true;

	/* each time takes the memory of the program again */
	for (*names = ""; dt->input->errors < ERRORS_MAX && src->len <= REPARSE_MAX &&
			  dt->input->program->nodes < PARSE_NODES_MAX;
	     first = false) {
		before = arena_strndup(dt->arena, text, src->len);
		what = parse_without(dt->input->program, dt->diag.loc, text);
		item = difference(dt->arena, before, text);
		/* it may have the error only because one of the names is no type */
		if (!first && !text_has_any_word(item, *names))
			report_caught(dt);
		if (what == REMOVED_NONE)
			return NULL;
		if (what == REMOVED_DECL)
			*names =
			    arena_printf(dt->arena, "%s%s", *names, parse_names(dt->arena, item));
		if (parse_instead(dt, src, text))
			return difference(dt->arena, src->text, text);
	}
	return NULL;
}

/* Reports the errors of items that have no syntax errors; not where descriptions without a body
 * may be the rest of anything. */
static void report_after_syntax(struct dt *dt, struct source *src, int default_field)
{
	const char *names, *unparsed = parse_rest(dt, src, &names);
	struct node *items;

	if (!unparsed || compile_bodiless(dt->input->program->result->list) ||
	    setjmp(dt->diag.recover))
		return;
	items = dt->input->program->result->list;
	compile_survey(dt, items, default_field, src->text);
	sema_set_unparsed(dt->sema, unparsed);
	undeclared_add_names(dt->sema, names);
	report_later_errors(dt, items, &(struct failure){0}, default_field);
}

void compile_report_rest(struct dt *dt, struct source *src, const struct failure *first,
			 int default_field)
{
	struct node *item = dt->input->item;
	bool in_clause = first->clause || dt->input->matching;

	if (dt->input->parsing) {
		report_after_syntax(dt, src, default_field);
		return;
	}
	if (!in_clause && (!item || item->kind == N_CLAUSE))
		return;
	if (!in_clause)
		undeclared_add(dt->sema, item);
	report_later_errors(dt, item ? item->next : NULL, first, default_field);
}

/* Definitions that nothing uses, while they are checked. */
struct unused {
	struct dt *dt;
	VEC(struct loc) reported;
};

static void report_unused(void *arg, const struct failure *why)
{
	struct unused *u = arg;

	for (int i = 0; i < u->reported.n; i++)
		if (u->reported.v[i].src == why->loc.src && u->reported.v[i].off == why->loc.off)
			return; /* both use the inline that has the error */
	vec_push(&u->reported, why->loc);
	report_next(u->dt, why);
}

int compile_check_unused(struct dt *dt)
{
	struct unused u = {.dt = dt};

	dt->input->errors = 0;
	sema_check_unused(dt->sema, report_unused, &u);
	vec_free(&u.reported);
	if (!dt->input->errors)
		return 0;
	dt->input->broken = true;
	return -1;
}
