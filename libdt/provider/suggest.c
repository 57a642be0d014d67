/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": one field of a description that matched nothing is left open, and the matches are
 * compared with what was written. The provider is tried first, as a wrong one hides the rest. One
 * or two matches, as entry and return, are suggested at any distance.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/base/nearest.h"
#include "libdt/provider/probe.h"

enum { NFIELDS = 4 };

struct search {
	int field;
	struct nearest nearest; /* to what was written there */
	const char *fits[3];	/* the first that differ */
	int nfits;
};

static const char **pdesc_field(struct pdesc *pd, int field)
{
	const char **fields[NFIELDS] = {&pd->prov, &pd->mod, &pd->func, &pd->name};

	return fields[field];
}

static void note_fit(struct search *s, const char *field)
{
	for (int i = 0; i < s->nfits; i++)
		if (!strcmp(s->fits[i], field))
			return;
	if (s->nfits < (int)ARRAY_SIZE(s->fits))
		s->fits[s->nfits++] = field;
}

static void consider_probe(void *arg, struct probe *p)
{
	struct search *s = arg;
	const char *field = probe_field(p, s->field);

	note_fit(s, field);
	if (*field)
		nearest_try(&s->nearest, field);
}

/* Of the providers only those are asked for their probes whose names are near. */
static void consider_providers(struct search *s, struct probes *ps, const struct pdesc *pd)
{
	for (const struct provider *const *p = providers; *p; p++) {
		struct pdesc theirs = *pd;
		struct nearest nearest = s->nearest;

		theirs.prov = (*p)->name;
		if (nearest_try(&nearest, theirs.prov) && probes_match(ps, &theirs, NULL, NULL))
			s->nearest = nearest;
	}
}

/* The description with one field replaced, in the shape a person would write; in quotes if it ends
 * with a colon, after which the question mark would be a pattern. */
static const char *spell(struct probes *ps, const struct pdesc *pd, int field, const char *text)
{
	struct pdesc fixed = *pd;
	struct strbuf sb = {0};
	const char *result;

	*pdesc_field(&fixed, field) = text;
	for (int i = 0; i < NFIELDS; i++) {
		const char *f = *pdesc_field(&fixed, i);

		if (sb.len || *f)
			sb_printf(&sb, "%s%s", f, i < NFIELDS - 1 ? ":" : "");
	}
	result = *fixed.name ? arena_strdup(probes_arena(ps), sb_str(&sb))
			     : arena_printf(probes_arena(ps), "\"%s\"", sb_str(&sb));
	sb_free(&sb);
	return result;
}

static const char *spell_fits(struct probes *ps, const struct pdesc *pd, const struct search *s)
{
	const char *one = spell(ps, pd, s->field, s->fits[0]);
	struct strbuf sb = {0};
	const char *result;

	if (s->nfits == 1)
		return one;
	sb_printf(&sb, "%s or %s", one, spell(ps, pd, s->field, s->fits[1]));
	result = arena_strdup(probes_arena(ps), sb_str(&sb));
	sb_free(&sb);
	return result;
}

struct fit {
	const struct pdesc *pd;
	bool found, others;
};

/* Stable providers match any function: then the field says nothing. */
static void consider_function(void *arg, struct probe *p)
{
	struct fit *f = arg;

	if (!*f->pd->func || glob_fits(f->pd->func, p->func))
		f->found = true;
	else
		f->others = true;
}

/* Descriptions that a person may have meant by fields too far to the right; how many. */
static int moved_left(const struct pdesc *pd, struct pdesc moved[2])
{
	const struct pdesc mod_func = {.prov = pd->mod,
				       .mod = "",
				       .func = pd->func,
				       .name = pd->name},
			   mod_to_func = {.prov = pd->mod, .mod = "", .func = pd->name, .name = ""},
			   mod_to_name = {.prov = pd->mod, .mod = "", .func = "", .name = pd->name},
			   to_name = {.prov = pd->func, .mod = "", .func = "", .name = pd->name},
			   to_func = {.prov = pd->func, .mod = "", .func = pd->name, .name = ""},
			   call = {.prov = "syscall", .mod = "", .func = pd->name, .name = ""};

	if (*pd->mod && *pd->func) { /* syscall:read:entry */
		moved[0] = mod_func;
		return 1;
	}
	if (*pd->mod) { /* syscall::read, io::start */
		moved[0] = mod_to_func;
		moved[1] = mod_to_name;
	} else { /* io:start, syscall:read; openat */
		moved[0] = to_name;
		moved[1] = *pd->func ? to_func : call;
	}
	return 2;
}

const char *probes_suggest_fields(struct probes *ps, const struct pdesc *pd)
{
	struct pdesc moved[2];
	int n = pd->id || *pd->prov ? 0 : moved_left(pd, moved);

	for (int i = 0; i < n; i++) {
		struct fit f = {.pd = &moved[i]};

		if (!*moved[i].prov || !glob_is_literal(moved[i].prov))
			continue;
		probes_match(ps, &moved[i], consider_function, &f);
		if (f.found && !f.others)
			return spell(ps, &moved[i], 0, moved[i].prov);
	}
	return NULL;
}

const char *probes_suggest(struct probes *ps, const struct pdesc *pd)
{
	for (int i = 0; i < NFIELDS && !pd->id; i++) {
		struct pdesc open = *pd;
		const char **field = pdesc_field(&open, i);
		struct search s = {.field = i};

		if (!glob_is_literal(*field))
			continue;
		s.nearest = nearest_within(*field, MAX(2, (int)strlen(*field) / 3 + 1));
		*field = "";
		if (i == 0)
			consider_providers(&s, ps, pd);
		else
			probes_match(ps, &open, consider_probe, &s);
		if (s.nearest.best && s.nearest.distance > 0)
			return spell(ps, pd, i, s.nearest.best);
		if (i == NFIELDS - 1 && (s.nfits == 1 || s.nfits == 2))
			return spell_fits(ps, pd, &s);
	}
	return NULL;
}
