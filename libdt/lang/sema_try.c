/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Analysis that can be undone: of a clause in one order or the other, and exists(expression),
 * whether it has a type on this kernel.
 *
 * Analysis ends with the first error by a jump to the border of diagnostics. Here a border of our
 * own is put in its place during the attempt, and when it fails (of exists() always) all that the
 * analysis may have left is removed: variables that an assignment made, and what a use determined
 * about keys, places and actions of the clause. The tree itself is not used again. A symbol is
 * saved when the attempt first looks it up: scripts may have thousands.
 *
 * What a file of the D library declared when a name of it was met stays: the file is read once.
 * An error in such a file does not belong to the attempt, and goes on to the outer handler.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/lib.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/lang/xlate.h"

/* A symbol as it was. */
struct saved {
	struct sym *sym, was;
	struct aggr_col *cols;
};

struct undo {
	struct arena *mem; /* has all of it */
	struct sema sema;
	struct clause clause;
	struct diag diag;
	VEC(struct saved) saved; /* of those that the attempt met */
	int nsyms;
	bool in_library;	 /* the scope of types */
	VEC(struct node *) busy; /* translators' members that are being expanded */
};

static void *copy(struct undo *u, const void *from, size_t size)
{
	return from ? memcpy(arena_alloc(u->mem, MAX(size, 1)), from, size) : NULL;
}

/* Calls back for each member of a translator. */
static void each_member(struct syms_of_script *ss, void (*f)(struct undo *u, struct node *m),
			struct undo *u)
{
	for (int i = 0; i < ss->xlators.n; i++)
		for (struct node *m = ss->xlators.v[i]->node->list; m; m = m->next)
			f(u, m);
}

static void note_busy(struct undo *u, struct node *m)
{
	if (m->flags & NF_BUSY)
		vec_push(&u->busy, m);
}

static void clear_busy(struct undo *u, struct node *m)
{
	(void)u;
	m->flags &= ~NF_BUSY;
}

static struct undo *save(struct sema *s)
{
	struct syms_of_script *ss = s->syms;
	struct arena *mem = arena_part(s->arena);
	struct undo *u = arena_alloc(mem, sizeof(*u));

	u->mem = mem;
	each_member(ss, note_busy, u);
	u->sema = *s;
	u->in_library = types_in_library(s->types);
	if (s->clause)
		u->clause = *s->clause;
	u->diag = *s->diag;
	u->nsyms = ss->all.n;
	s->undo = u;
	s->attempt = ++ss->attempts;
	return u;
}

static void add_saved(struct undo *u, struct sym *sym, const struct sym *was,
		      const struct aggr_col *cols)
{
	struct saved saved = {sym, *was, copy(u, cols, was->key.n * sizeof(*cols))};

	vec_push(&u->saved, saved);
}

void sema_save_sym(struct sema *s, struct sym *sym)
{
	if (sym->attempt == s->attempt)
		return;
	if (s->undo)
		add_saved(s->undo, sym, sym, sym->key.cols);
	sym->attempt = s->attempt;
}

/* Forgets the symbols from the n-th on that are not to be kept. */
static void forget(struct syms_of_script *ss, int n, bool (*keep)(const struct sym *sym))
{
	for (int i = n; i < ss->all.n; i++) {
		struct sym *sym = ss->all.v[i];

		sym->busy = false;
		if (keep(sym))
			ss->all.v[n++] = sym;
		else
			hash_remove(sym->kind == SYM_AGG ? &ss->aggs : &ss->table[sym->scope],
				    sym->name, strlen(sym->name));
	}
	ss->all.n = n;
}

static bool is_of_library(const struct sym *sym)
{
	return sym->library;
}

static void restore_syms(struct syms_of_script *ss, struct undo *u)
{
	for (int i = 0; i < u->saved.n; i++) {
		const struct saved *one = &u->saved.v[i];

		*one->sym = one->was;
		if (one->cols)
			memcpy(one->was.key.cols, one->cols, one->was.key.n * sizeof(*one->cols));
	}
	forget(ss, u->nsyms, is_of_library);
	each_member(ss, clear_busy, u);
	for (int i = 0; i < u->busy.n; i++)
		u->busy.v[i]->flags |= NF_BUSY;
	vec_free(&u->busy);
}

/* Arrays that grew stay where they are; only what is in them is forgotten. */
static void restore_clause(struct clause *c, const struct clause *was)
{
	struct clause now = *c;

	*c = *was;
	c->layout.acts = now.layout.acts;
	c->layout.acts.n = was->layout.acts.n;
	c->sites = now.sites;
	c->sites.n = was->sites.n;
}

static void restore(struct sema *s, struct undo *u)
{
	struct diag now = *s->diag;
	uint32_t cloned = s->cloned;

	restore_syms(s->syms, u);
	if (u->sema.clause) /* else the attempt was about a whole clause, which goes */
		restore_clause(u->sema.clause, &u->clause);
	*s->diag = u->diag;
	s->diag->msg = now.msg;
	s->diag->warnings = now.warnings;
	s->diag->warnings.n = u->diag.warnings.n;
	s->diag->warned = now.warned;
	s->diag->warned.len = u->diag.warned.len;
	*s = u->sema;
	types_enter(s->types, u->in_library);
	s->cloned = cloned;
	vec_free(&u->saved);
	arena_free(u->mem);
}

/* The new analysis stays: only the border of diagnostics is the outer one again, and an attempt
 * that this one is a part of has to undo it, too. */
static void keep(struct sema *s, struct undo *u)
{
	memcpy(&s->diag->recover, &u->diag.recover, sizeof(s->diag->recover));
	s->undo = u->sema.undo;
	s->attempt = u->sema.attempt;
	for (int i = 0; i < u->saved.n; i++) {
		const struct saved *one = &u->saved.v[i];

		if (s->undo && one->was.attempt != s->attempt)
			add_saved(s->undo, one->sym, &one->was, one->cols);
		one->sym->attempt = s->attempt;
	}
	vec_free(&u->busy);
	vec_free(&u->saved);
	arena_free(u->mem);
}

bool sema_attempt(struct sema *s, void (*fn)(struct sema *s, void *arg), void *arg,
		  struct failure *why)
{
	struct undo *u = save(s);

	s->unknown = NULL;
	s->kernel_unavailable = false;
	if (setjmp(s->diag->recover)) {
		if (s->in_library || s->diag->tag == D_PRAGMA_DEPEND) {
			keep(s, u);
			longjmp(s->diag->recover, 1);
		}
		why->unknown = s->unknown;
		why->tag = s->diag->tag;
		why->loc = s->diag->loc;
		why->where = s->diag->where;
		why->kernel_unavailable = s->kernel_unavailable;
		why->clause = s->clause;
		why->statement = s->statement;
		restore(s, u);
		return false;
	}
	fn(s, arg);
	keep(s, u);
	return true;
}

/* Did no error come between its name and the types of its keys? */
static bool has_keys(const struct sym *sym)
{
	for (int i = 0; i < sym->key.n; i++)
		if (!sym->key.cols[i].type)
			return false;
	return true;
}

void sema_recover(struct sema *s)
{
	s->clause = NULL;
	s->recovers = true;
	s->at_hand = NULL;
	s->use = (struct loc){0};
	s->vouched = s->cond_depth = s->expr_depth = 0;
	s->infers = s->inferring = s->in_pred = s->trying = s->below = false;
	for (int i = 0; i < s->assignments.n; i++)
		s->assignments.v[i].tried = false;
	forget(s->syms, 0, has_keys);
	each_member(s->syms, clear_busy, NULL);
}

struct trial {
	struct node *expr;
	const struct type *type;
};

static void try_expr(struct sema *s, void *arg)
{
	struct trial *t = arg;

	t->type = sema_expr(s, t->expr)->type;
}

bool sema_try(struct sema *s, struct node *n, const struct type **type)
{
	struct undo *u = save(s);
	struct trial t = {.expr = n};
	struct failure why;
	bool ok;

	s->trying = true;
	s->vouched++; /* asking is not using */
	ok = sema_attempt(s, try_expr, &t, &why);
	restore(s, u);
	*type = t.type;
	return ok;
}

bool sema_forgives(const struct failure *why)
{
	static const enum tag tags[] = {
	    D_ARGS_NONE, D_ARGS_TYPE, D_ARGS_IDX,    D_ARGS_MULTI,  D_ACT_RETURN, D_VAR_UNDEF,
	    D_VAR_UNSUP, D_TYPE_ERR,  D_SYM_NOTYPES, D_UNSUPPORTED, D_COMPILE,
	};

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (why->tag == tags[i])
			return true;
	if (why->kernel_unavailable)
		return true;
	return why->tag == D_IDENT_UNDEF && why->loc.src &&
	       memchr(why->loc.src->text + why->loc.off, '`', why->loc.len);
}

bool sema_check(struct sema *s, void (*fn)(struct sema *s, void *arg), void *arg,
		struct failure *why)
{
	struct clause *c = arena_alloc(s->arena, sizeof(*c)), *was = s->clause;
	struct undo *u;
	bool ok;

	c->node = node_new(s->parse, N_CLAUSE, (struct loc){0});
	s->clause = c;
	u = save(s);
	s->vouched++;
	ok = sema_attempt(s, fn, arg, why);
	restore(s, u);
	vec_free(&c->layout.acts);
	vec_free(&c->sites);
	s->clause = was;
	return ok || sema_forgives(why);
}

void sema_check_unused(struct sema *s, void (*report)(void *arg, const struct failure *why),
		       void *arg)
{
	struct failure why;

	if (!s->parse) {
		s->parse = arena_alloc(s->arena, sizeof(*s->parse));
		*s->parse = (struct parse){.arena = s->arena, .trees = s->trees, .diag = s->diag};
	}
	lib_read_own(s);
	for (int i = 0; i < s->syms->all.n; i++) {
		struct sym *sym = s->syms->all.v[i];

		if (sym->kind == SYM_INLINE && sym->own && !sym->used &&
		    !sema_check(s, inline_check, sym, &why))
			report(arg, &why);
	}
	xlators_check(s, report, arg);
}
