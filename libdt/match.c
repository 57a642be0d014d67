/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the descriptions of a clause to its probes. A description that matches
 * nothing is an error, except under -Z, in the D library, and where a file that the process has
 * not mapped yet may have the probe.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/hint.h"
#include "libdt/compile.h"
#include "libdt/lang/sema.h"
#include "libdt/lang/words.h"
#include "libdt/match.h"
#include "libdt/process/proc.h"
#include "libdt/provider/prov.h"
#include "libdt/session.h"

static void add_probe(void *arg, struct probe *p)
{
	struct clause *c = arg;

	vec_push(&c->probes, p);
}

/* A description before a reason: in quotes if the colon after it would seem to be its own. */
static const char *explain(struct dt *dt, const char *text, const char *reason)
{
	size_t len = strlen(text);
	const char *quote = len && text[len - 1] == ':' ? "\"" : "";

	return arena_printf(dt->arena, "%s%s%s: %s", quote, text, quote, reason);
}

static void no_match(struct dt *dt, struct node *n, const struct pdesc *pd)
{
	const char *word = n->str ? hint_keyword(n->loc.src->text + n->loc.off) : NULL,
		   *moved = word ? word : probes_suggest_fields(dt->probes, pd),
		   *theirs = n->str && !moved ? words_probe(dt->arena, n->str) : NULL,
		   *lack = theirs || moved ? NULL : probes_unavailable(dt->probes, pd),
		   *near = lack	   ? NULL
			   : moved ? moved
				   : probes_suggest(dt->probes, pd);

	if (pd->id && pd->id == pd->id_last)
		diag_die(&dt->diag, D_PDESC_INVAL, n->loc,
			 "invalid probe identifier %" PRIu32 ": Unknown probe identifier", pd->id);
	if (pd->id)
		diag_die(&dt->diag, D_PDESC_ZERO, n->loc,
			 "probe identifiers %" PRIu32 "-%" PRIu32 " do not match any probes",
			 pd->id, pd->id_last);
	if (theirs)
		diag_die(&dt->diag, D_PDESC_ZERO, n->loc,
			 "probe description %s:%s:%s:%s does not match any probes%s", pd->prov,
			 pd->mod, pd->func, pd->name, words_hint(dt->arena, theirs));
	diag_die(&dt->diag, lack ? probes_unavailable_tag(dt->probes) : D_PDESC_ZERO, n->loc,
		 "probe description %s:%s:%s:%s does not match any probes%s%s%s", pd->prov, pd->mod,
		 pd->func, pd->name,
		 lack	? ": "
		 : near ? "; did you mean "
			: "",
		 lack	? lack
		 : near ? near
			: "",
		 near ? "?" : "");
}

/* Under -Z, and for -l: a description in the form of another tracer, or without a provider's empty
 * fields, matches nothing on any kernel. Not of four fields: -Z is for those of other systems. */
static void warn_of_form(struct dt *dt, const struct node *n, const struct pdesc *pd)
{
	const char *moved = probes_suggest_fields(dt->probes, pd), *theirs = NULL, *colon = n->str;

	for (int i = 0; colon && i < 3; i++)
		colon = strchr(colon, ':') ? strchr(colon, ':') + 1 : NULL;
	if (n->str && !moved && !colon)
		theirs = words_probe(dt->arena, n->str);
	if (moved)
		diag_warn(&dt->diag, n->loc, "%s does not match any probes; did you mean %s?",
			  n->str, moved);
	else if (theirs)
		diag_warn(&dt->diag, n->loc, "%s does not match any probes%s", n->str,
			  words_hint(dt->arena, theirs));
}

/* "5" or "5-9"; other text is a name. */
static void parse_ids(struct dt *dt, struct node *n, struct pdesc *pd)
{
	const char *text = n->str;
	int end = 0;

	if (strspn(text, "0123456789-") != strlen(text) || *text == '-' || strlen(text) > 20) {
		pd->name = text;
		return;
	}
	if (sscanf(text, "%" SCNu32 "%n-%" SCNu32 "%n", &pd->id, &end, &pd->id_last, &end) == 1)
		pd->id_last = pd->id;
	if (!pd->id)
		diag_die(&dt->diag, D_PDESC_INVAL, n->loc,
			 "invalid probe identifier 0: Unknown probe identifier");
	if (pd->id_last < pd->id || text[end])
		diag_die(&dt->diag, D_PDESC_INVAL, n->loc, "invalid probe identifiers \"%s\"",
			 text);
}

/* Are the others that were matched with it by providers of the same name, which know the name
 * otherwise (syscall::stat64:)? */
static bool is_alone(const struct clause *c, int first, int at)
{
	const struct probe *p = c->probes.v[at];

	for (int i = first; i < c->probes.n; i++)
		if (i != at && (c->probes.v[i]->provider == p->provider ||
				strcmp(c->probes.v[i]->prov, p->prov)))
			return false;
	return true;
}

/* What was asked for by itself, and not only because a glob has it among others. */
static void note_named(struct clause *c, int first)
{
	bool recursive = true;

	for (int i = first; i < c->probes.n; i++)
		recursive &= c->probes.v[i]->recursive;
	for (int i = first; i < c->probes.n; i++)
		if (recursive || is_alone(c, first, i))
			c->probes.v[i]->named = true;
}

/* Is it about one process, a command or one that is watched? Its number ends the provider's
 * name. */
static bool is_of_target(const struct dt *dt, const char *prov)
{
	size_t digits = strlen(prov);
	pid_t pid;

	while (digits && isdigit((unsigned char)prov[digits - 1]))
		digits--;
	for (int i = 0; (pid = proc_nth(dt->procs, i)); i++)
		if (digits && atoi(prov + digits) == pid)
			return true;
	return false;
}

/*
 * Does a description mean probes of files that the process maps later, without -Z? Where nothing
 * but the program is mapped yet (-x evaltime=exec) all do; else functions and static probes of any
 * file, or of files that fit a pattern, may be in one that dlopen() loads.
 */
static bool means_later_files(const struct dt *dt, const struct pdesc *pd)
{
	if (pd->id || !strcmp(pd->mod, "a.out") || !strcmp(pd->func, "-") ||
	    !is_of_target(dt, pd->prov))
		return false;
	if (compile_stage(dt) == STAGE_EXEC)
		return true;
	return !*pd->mod || !glob_is_literal(pd->mod);
}

/* For output that describes the clause. */
static void add_description(struct dt *dt, struct clause *c, const struct pdesc *pd)
{
	const char *text;

	if (!pd->id)
		text =
		    arena_printf(dt->arena, "%s:%s:%s:%s", pd->prov, pd->mod, pd->func, pd->name);
	else if (pd->id == pd->id_last)
		text = arena_printf(dt->arena, "%" PRIu32, pd->id);
	else
		text = arena_printf(dt->arena, "%" PRIu32 "-%" PRIu32, pd->id, pd->id_last);
	vec_push(&c->descriptions, text);
}

/* A number as the text of -P, -m or -f is an identifier in D, which these do not take. */
static void check_id(struct dt *dt, const struct node *n, int default_field)
{
	static const char *const kinds[] = {"providers", "modules", "functions"};

	if (n->loc.src->kind == SOURCE_PROBE && default_field < (int)ARRAY_SIZE(kinds))
		diag_die(&dt->diag, D_PDESC_INVAL, n->loc,
			 "probe identifier %" PRId64 " not permitted when specifying %s",
			 (int64_t)n->value, kinds[default_field]);
	if (n->value <= 0 || n->value > UINT32_MAX)
		diag_die(&dt->diag, D_PDESC_INVAL, n->loc,
			 "invalid probe identifier %" PRId64 ": Unknown probe identifier",
			 (int64_t)n->value);
}

void match_description(struct dt *dt, struct clause *c, struct node *n, int default_field)
{
	struct pdesc pd = {.prov = "", .mod = "", .func = "", .name = ""};
	int matched, first;
	bool later;

	if (n->has_id) {
		check_id(dt, n, default_field);
		pd.id = pd.id_last = n->value;
	} else if (default_field == MATCH_IDS) {
		parse_ids(dt, n, &pd);
	} else if (!pdesc_parse(dt->arena, n->str, default_field, &pd)) {
		diag_die(&dt->diag, D_PDESC_INVAL, n->loc,
			 "invalid probe description \"%s\": Overspecified probe description",
			 n->str);
	}
	if (n->loc.src->kind != SOURCE_LIBRARY)
		pd.compat = dt->input->compat;
	add_description(dt, c, &pd);
	first = c->probes.n;
	matched = probes_match(dt->probes, &pd, add_probe, c);
	note_named(c, first);
	later = means_later_files(dt, &pd);
	if (opt_on(&dt->opts, OPT_ZDEFS) || (later && (matched || compile_stage(dt) == STAGE_EXEC)))
		probes_await(dt->probes, &pd, add_probe, c);
	later = later && compile_stage(dt) == STAGE_EXEC;
	if (!matched && !dt->input->unavailable_reason && n->loc.src->kind != SOURCE_LIBRARY &&
	    probes_unavailable(dt->probes, &pd))
		dt->input->unavailable_reason =
		    explain(dt, n->str, probes_unavailable(dt->probes, &pd));
	if (!matched && !later && !opt_on(&dt->opts, OPT_ZDEFS) &&
	    n->loc.src->kind != SOURCE_LIBRARY)
		no_match(dt, n, &pd);
	if (!matched && opt_on(&dt->opts, OPT_ZDEFS) && n->loc.src->kind != SOURCE_LIBRARY)
		warn_of_form(dt, n, &pd);
}

static int by_id(const void *a, const void *b)
{
	const struct probe *x = *(struct probe *const *)a, *y = *(struct probe *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* In order of their ids, each once, however many of the descriptions name it. */
static void sort_probes(struct clause *c)
{
	int n = 0;

	if (c->probes.n)
		qsort(c->probes.v, c->probes.n, sizeof(c->probes.v[0]), by_id);
	for (int i = 0; i < c->probes.n; i++)
		if (!n || c->probes.v[i] != c->probes.v[n - 1])
			c->probes.v[n++] = c->probes.v[i];
	c->probes.n = n;
}

/* Of equal descriptions only the first is matched: the others name the same probes. */
static void drop_equal(struct node *item)
{
	struct hash seen = {0};
	struct node **at = &item->list;

	while (*at) {
		struct node *d = *at;
		void **first = hash_ref(&seen, d->str, d->len);

		if (*first) {
			*at = d->next;
			continue;
		}
		*first = d;
		at = &d->next;
	}
	hash_free(&seen);
}

void match_descriptions(struct dt *dt, struct clause *c, int default_field)
{
	if (c->node->list->next)
		drop_equal(c->node);
	for (dt->input->matching = c->node->list; dt->input->matching;
	     dt->input->matching = dt->input->matching->next)
		match_description(dt, c, dt->input->matching, default_field);
	sort_probes(c);
}
