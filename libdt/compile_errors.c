/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The errors of a program beside the first, at which its compilation has ended: of the same clause,
 * of those that are not analysed yet, and of those without syntax errors.
 */
#include <string.h>

#include "libdt/compile.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/match.h"
#include "libdt/plan/plan.h"
#include "libdt/report.h"
#include "libdt/session.h"

enum { ERRORS_MAX = 20 };

/* A clause that may have errors beside the first error of the program. */
struct later {
	struct dt *dt;
	struct node *item; /* the clause, or one of its descriptions */
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

static void report_failure(void *arg, const struct failure *why)
{
	struct dt *dt = arg;

	if (dt->input->errors >= ERRORS_MAX)
		return;
	if (why->loc.src && why->loc.src->kind == SOURCE_LIBRARY)
		return; /* it lacks what the clause with an error would have declared */
	dt->diag.tag = why->tag;
	dt->diag.loc = why->loc;
	dt->diag.where = why->where;
	report_caught(dt);
	dt->diag.where = NULL;
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

static bool report_later(struct later *l, void (*fn)(struct sema *s, void *arg))
{
	struct dt *dt = l->dt;
	struct failure why = {0};

	if (sema_attempt(dt->sema, fn, l, &why))
		return true;
	if (!why.unknown)
		report_failure(dt, &why);
	report_rest(l, &why);
	return false;
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
 * Reports the errors after the one that ended the compilation: of its clause, and of those that
 * are not analysed yet. Not after an error in a declaration, of which most others would be
 * consequences; and no variable that is unknown because its assignment is in such a clause.
 */
static void report_later_errors(struct dt *dt, struct parse *p, const struct failure *first,
				int default_field)
{
	struct later l = {.dt = dt, .default_field = default_field};
	int deferred = dt->input->deferred.n;
	bool good = true;
	struct node *next;

	if (dt->sema->in_library || setjmp(dt->diag.recover))
		return;
	sema_recover(dt->sema);
	dt->sema->parse = p;
	report_rest(&l, first);
	report_deferred(&l, 0, first);
	for (struct node *item = dt->input->rest; item && good && dt->input->errors < ERRORS_MAX;
	     item = next) {
		next = item->next;
		dt->sema->parse = p;
		l.item = item;
		good = report_later(&l, add_later) || item->kind == N_CLAUSE;
	}
	report_deferred(&l, deferred, first);
}

/* Parses a text of the same length in the place of the program's. */
static bool parse_instead(struct dt *dt, struct source *src, const char *text)
{
	const char *whole = src->text;

	if (setjmp(dt->diag.recover)) {
		src->text = whole;
		return false;
	}
	compile_parser(dt, src);
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

/* Parses the program without the clauses that have syntax errors, of which the first is reported
 * already. Returns the text of these, or NULL when nothing can be parsed. */
static const char *parse_rest(struct dt *dt, struct source *src)
{
	char *text = arena_strndup(dt->arena, src->text, src->len);

	while (dt->input->errors < ERRORS_MAX &&
	       parse_without(dt->input->program, dt->diag.loc, text)) {
		if (parse_instead(dt, src, text))
			return difference(dt->arena, src->text, text);
		report_caught(dt);
	}
	return NULL;
}

/* Reports the errors of clauses that have no syntax errors; not where descriptions without a body
 * may be the rest of anything. */
static void report_after_syntax(struct dt *dt, struct source *src, int default_field)
{
	const char *unparsed = parse_rest(dt, src);

	if (!unparsed || compile_bodiless(dt->input->program->result->list) ||
	    setjmp(dt->diag.recover))
		return;
	dt->input->rest = dt->input->program->result->list;
	compile_survey(dt, dt->input->rest, default_field, src->text);
	sema_set_unparsed(dt->sema, unparsed);
	report_later_errors(dt, dt->input->program, &(struct failure){0}, default_field);
}

void compile_report_rest(struct dt *dt, struct source *src, const struct failure *first,
			 int default_field)
{
	if (dt->input->parsing)
		report_after_syntax(dt, src, default_field);
	else if (first->clause || dt->input->matching)
		report_later_errors(dt, dt->input->program, first, default_field);
}
