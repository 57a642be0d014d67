/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/lang/misfit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/escape.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/provider/uproc.h"

/* So many files are named in warnings. */
enum { FILES_MAX = 8 };

/* What is asked of the probes: argN, or (typed) args[i], or args->name. */
struct use {
	int64_t i;
	const char *name; /* NULL: none */
	bool typed;
};

/* The less, the more its arguments are to be believed. */
enum rank { RANK_SYSTEM, RANK_OWN, RANK_FOREIGN, RANK_LATE, RANKS };

static bool is_own(uint32_t uid)
{
	const char *sudo = getenv("SUDO_UID");

	return !uid || uid == geteuid() || (sudo && strtoul(sudo, NULL, 10) == uid);
}

static enum rank rank_of(const struct probe *p)
{
	if (p->awaits)
		return RANK_LATE;
	if (!p->file || !p->file->foreign)
		return RANK_SYSTEM;
	return is_own(p->file->uid) ? RANK_OWN : RANK_FOREIGN;
}

/* Which of the probe's arguments is meant; -1: it has none. */
static int64_t index_in(const struct probe *p, const struct use *u)
{
	if (!u->name)
		return u->i;
	for (int i = 0; i < p->nargs; i++)
		if (p->args[i].name && !strcmp(p->args[i].name, u->name))
			return i;
	return -1;
}

static bool has_argument(struct sema *s, struct probe *p, const struct use *u)
{
	int64_t i;

	if (!u->typed && !p->provider->has_arg)
		return true;
	probe_args(s->probes, p);
	i = index_in(p, u);
	if (u->typed && (i < 0 || i >= p->nargs || p->args[i].unavailable_reason))
		return false;
	if (u->typed && p->args[i].from)
		i = p->args[i].from - 1;
	return !p->provider->has_arg || p->provider->has_arg(p, i);
}

static bool is_like(const struct probe *p, const struct probe *ref, const struct use *u)
{
	int64_t i = index_in(p, u);
	const struct probe_arg *a, *b;

	if (!u->typed)
		return true;
	if (i != index_in(ref, u))
		return false;
	a = &p->args[i];
	b = &ref->args[i];
	return a->from == b->from && type_same(a->type, b->type);
}

/* The most trusted probe that has the argument. */
static struct probe *reference(struct sema *s, const struct use *u)
{
	struct probe *ref = NULL;

	for (int i = 0; i < s->clause->probes.n; i++) {
		struct probe *p = s->clause->probes.v[i];

		if ((!ref || rank_of(p) < rank_of(ref)) && has_argument(s, p, u))
			ref = p;
	}
	return ref;
}

/* Each file is named once, and not all of very many. */
static void warn(struct sema *s, const struct node *n, const struct probe *p)
{
	struct diag *d = s->diag;
	struct strbuf text = {0};
	size_t key;
	int files = 0;

	escape_printf(&text,
		      "probes of %s, a file of user %" PRIu32 ", are left out:", p->file->path,
		      p->file->uid);
	key = text.len;
	for (int i = 0; i < d->warnings.n; i++) {
		const char *said = d->warned.s + d->warnings.v[i].at;

		files += strstr(said, ", are left out:") != NULL;
		if (!strncmp(said, text.s, key))
			files = FILES_MAX + 1;
	}
	escape_printf(&text, " the arguments of %s:%s:%s:%s do not fit those of other probes",
		      p->prov, p->mod, p->func, p->name);
	if (files < FILES_MAX)
		diag_warn(d, n->loc, "%s", text.s);
	else if (files == FILES_MAX)
		diag_warn(d, n->loc,
			  "probes of more files, of other users too, are left out: their "
			  "arguments do not fit, either");
	sb_free(&text);
}

/* The others keep their order, and so do these, after the end: an attempt at analysis that fails
 * restores the number (sema_try.c). */
static void leave_out(struct sema *s, const struct node *n, const struct use *u,
		      const struct probe *ref)
{
	struct probe **v = s->clause->probes.v;
	int count = s->clause->probes.n, kept = 0, nout = 0;
	struct probe **out = xcalloc(count, sizeof(struct probe *));

	for (int i = 0; i < count; i++)
		if (rank_of(v[i]) == RANK_FOREIGN &&
		    (!has_argument(s, v[i], u) || !is_like(v[i], ref, u))) {
			warn(s, n, v[i]);
			out[nout++] = v[i];
		} else {
			v[kept++] = v[i];
		}
	memcpy(v + kept, out, nout * sizeof(struct probe *));
	s->clause->probes.n = kept;
	free(out);
}

/* Where probes are others seen otherwise, a choice among the clause's probes may be made
 * already. */
static void check(struct sema *s, const struct node *n, struct use u)
{
	const struct probe *ref;
	bool foreign = false;

	if (!s->clause || s->at_hand || stable_has(s))
		return;
	for (int i = 0; i < s->clause->probes.n && !foreign; i++)
		foreign = rank_of(s->clause->probes.v[i]) == RANK_FOREIGN;
	ref = foreign ? reference(s, &u) : NULL;
	if (ref)
		leave_out(s, n, &u, ref);
}

void misfit_argn(struct sema *s, const struct node *n, int i)
{
	check(s, n, (struct use){.i = i});
}

void misfit_args(struct sema *s, const struct node *n, int64_t i)
{
	check(s, n, (struct use){.i = i, .typed = true});
}

void misfit_name(struct sema *s, const struct node *n, const char *name)
{
	check(s, n, (struct use){.name = name, .typed = true});
}
