/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the text of a program to analysed clauses: parsing, matching, analysis. The border of
 * diagnostics is here. */
#include <stdlib.h>
#include <string.h>

#include "grammar/hint.h"
#include "libdt/advise.h"
#include "libdt/compile.h"
#include "libdt/lang/cpp.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/macro.h"
#include "libdt/match.h"
#include "libdt/plan/plan.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"
#include "libdt/report.h"
#include "libdt/session.h"

int compile_caught(struct dt *dt)
{
	dt->input->errors = 0;
	report_caught(dt);
	dt->diag.where = NULL;
	dt->input->broken = true;
	return -1;
}

/* What the grammar asks --------------------------------------------------- */

static bool is_type(void *arg, const char *name)
{
	struct dt *dt = arg;

	return type_is_name(dt->types, name);
}

static void pragma_option(void *arg, struct loc loc, const char *text)
{
	struct dt *dt = arg;
	char *name = arena_strdup(dt->arena, text), *value = strchr(name, '='), why[200] = "";
	const char *blank = strpbrk(text, " \t");
	int err, which;

	if (value)
		*value++ = '\0';
	which = opt_find(name);
	if (blank && which >= 0 && opt_kind(which) != OPT_STRING && opt_kind(which) != OPT_LIST)
		diag_die(&dt->diag, D_PRAGMA_MALFORM, loc,
			 "superfluous arguments specified for #pragma option: \"%s\"", text);
	dt->opts.from = OPT_FROM_PROGRAM;
	err = opts_set(&dt->opts, name, value, why, sizeof(why));
	dt->opts.from = OPT_FROM_COMMAND;
	if (err && strpbrk(text, " \t"))
		diag_die(&dt->diag, D_PRAGMA_MALFORM, loc,
			 "superfluous arguments specified for #pragma D option: %s", text);
	if (err)
		diag_die(&dt->diag, D_PRAGMA_OPTSET, loc, "failed to set option '%s'%s%s%s: %s",
			 name, value ? " to '" : "", value ? value : "", value ? "'" : "", why);
	if (dt->sema->parse)
		dt->sema->parse->defaultargs = opt_on(&dt->opts, OPT_DEFAULTARGS);
	if (!sema_set_strsize(dt->sema))
		diag_die(&dt->diag, D_PRAGMA_OPTSET, loc,
			 "failed to set option '%s': structures with strings of another size were "
			 "declared before",
			 name);
}

/* Clauses ----------------------------------------------------------------- */

/* A program that a probe needs in front of its clauses. */
static void add_before(struct dt *dt, const char *text)
{
	struct parse *was = dt->sema->parse, *p = arena_alloc(dt->arena, sizeof(*p));
	void **seen = hash_ref(&dt->input->before, text, strlen(text));

	if (*seen)
		return;
	*seen = dt;
	*p = *was;
	p->src = source_new(dt->arena, SOURCE_LIBRARY, "libdt/provider", text, strlen(text));
	p->result = NULL;
	dt->sema->parse = p;
	for (struct node *item = parse_program(p)->list, *next; item; item = next) {
		next = item->next;
		compile_item(dt, item, 3);
	}
	dt->sema->parse = was;
}

/* Moves the clause to the end again, after those that were added with it. */
static void move_back(struct dt *dt, struct clause *c)
{
	struct clause **v = dt->plan->clauses.v;
	int last = dt->plan->clauses.n - 1;

	for (int i = c->index; i < last; i++) {
		v[i] = v[i + 1];
		v[i]->index = i;
	}
	v[last] = c;
	c->index = last;
}

static int add_clause(struct dt *dt, struct node *item, int default_field)
{
	struct clause *c = arena_alloc(dt->arena, sizeof(*c));
	int waits = 0;

	c->node = item;
	c->implied = dt->sema->parse->src->kind == SOURCE_LIBRARY;
	c->index = dt->plan->clauses.n;
	vec_push(&dt->plan->clauses, c);
	match_descriptions(dt, c, default_field);
	for (int i = 0; i < c->probes.n; i++)
		waits += c->probes.v[i]->awaits != NULL;
	for (int i = 0; i < c->probes.n; i++)
		if (stable_prologue(c->probes.v[i]))
			add_before(dt, stable_prologue(c->probes.v[i]));
	move_back(dt, c);
	if (!sema_clause(dt->sema, c, false))
		vec_push(&dt->input->deferred, c);
	return c->probes.n - waits;
}

int compile_item(struct dt *dt, struct node *item, int default_field)
{
	if (item->kind == N_CLAUSE)
		return add_clause(dt, item, default_field);
	sema_item(dt->sema, item);
	return 0;
}

/* One of the deferred clauses, the first that can be analysed; when none can, the first with what
 * is known. */
static void add_deferred(struct dt *dt)
{
	int at = 0;

	while (at < dt->input->deferred.n &&
	       !sema_clause(dt->sema, dt->input->deferred.v[at], false))
		at++;
	if (at == dt->input->deferred.n)
		at = 0, sema_clause(dt->sema, dt->input->deferred.v[at], true);
	memmove(&dt->input->deferred.v[at], &dt->input->deferred.v[at + 1],
		(dt->input->deferred.n - at - 1) * sizeof(dt->input->deferred.v[0]));
	dt->input->deferred.n--;
}

static const char *name_type(void *arg, const struct type *t)
{
	return type_text(arg, t);
}

static void dump_tree(struct dt *dt, struct node *tree, const char *stage)
{
	const char *dump = opt_text(&dt->opts, OPT_DUMP);
	bool typed = !strcmp(stage, "typed");
	FILE *out = dt->streams[DT_STREAM_DUMP];

	if (out &&
	    ((dump && strstr(dump, stage)) || opt_num(&dt->opts, OPT_TREE) & (typed ? 2 : 1)))
		node_dump(tree, out, 0, typed ? name_type : NULL, typed ? dt->types : NULL);
}

static bool same_desc(const struct compat_desc *a, const struct compat_desc *b)
{
	return !strcmp(a->func, b->func) && !strcmp(a->name, b->name);
}

/* -x compat, determined once for each program. */
static void choose_compat(struct dt *dt, const struct node *list, int default_field,
			  const char *text)
{
	const char *mode = opt_text(&dt->opts, OPT_COMPAT);
	VEC(struct compat_desc) descs = {0};
	struct pdesc pd;

	dt->input->compat = NULL;
	advise_upcoming(dt, text);
	if (!strcmp(mode, "off") || default_field >= MATCH_IDS)
		return;
	for (const struct node *item = list; item; item = item->next)
		for (const struct node *n = item->kind == N_CLAUSE ? item->list : NULL; n;
		     n = n->next)
			if (!n->has_id && pdesc_parse(dt->arena, n->str, default_field, &pd) &&
			    !strcmp(pd.prov, "syscall")) {
				struct compat_desc d = {pd.func, pd.name};

				if (!descs.n || !same_desc(&d, &descs.v[descs.n - 1]))
					vec_push(&descs, d);
			}
	dt->input->compat = arena_alloc(dt->arena, sizeof(*dt->input->compat));
	compat_choose(dt->arena, dt->input->compat, descs.v, descs.n, sb_str(&dt->input->texts),
		      !strcmp(mode, "on"));
	advise_widened(dt);
	vec_free(&descs);
}

const struct node *compile_bodiless(const struct node *item)
{
	while (item && (item->kind != N_CLAUSE || item->a || item->b))
		item = item->next;
	return item;
}

void compile_survey(struct dt *dt, struct node *list, int default_field, const char *text)
{
	choose_compat(dt, list, default_field, text);
	sema_note_assignments(dt->sema, list);
}

/* Descriptions alone are a clause on the command line. In a script they are words that were meant
 * to be something else. */
static void need_bodies(struct dt *dt, const struct node *list)
{
	const struct node *bare = compile_bodiless(list), *last;
	const char *word;

	if (!bare)
		return;
	for (last = bare->list; last->next;)
		last = last->next;
	word = hint_keyword(last->loc.src->text + last->loc.off);
	diag_die(&dt->diag, D_SYNTAX, bare->list->loc,
		 "expected predicate and/or actions following probe description%s%s%s",
		 word ? "; did you mean " : "", word ? word : "", word ? "?" : "");
}

struct parse *compile_parser(struct dt *dt, struct source *src)
{
	struct parse *p = arena_alloc(dt->arena, sizeof(*p));

	*p = (struct parse){
	    .arena = dt->arena,
	    .trees = dt->sema->trees,
	    .diag = &dt->diag,
	    .src = src,
	    .is_type = is_type,
	    .macro_arg = macro_text,
	    .arg = dt,
	    .defaultargs = opt_on(&dt->opts, OPT_DEFAULTARGS),
	    .pragma_option = pragma_option,
	};
	dt->sema->parse = dt->input->program = p;
	return p;
}

static int program(struct dt *dt, struct source *src, int default_field)
{
	struct parse *p = compile_parser(dt, src);
	int matched = 0;

	dt->input->parsing = true;
	p->result = parse_program(p);
	dt->input->parsing = false;
	dump_tree(dt, p->result, "tree");
	if (!p->result->list && !opt_on(&dt->opts, OPT_EMPTY))
		diag_die(&dt->diag, D_EMPTY, (struct loc){src, src->len, 0},
			 "empty D program translation unit");
	if (src->kind == SOURCE_FILE)
		need_bodies(dt, p->result->list);
	compile_survey(dt, p->result->list, default_field, src->text);
	dt->input->deferred.n = 0;
	for (struct node *item = p->result->list, *next; item; item = next) {
		next = item->next;
		dt->input->item = item;
		matched += compile_item(dt, item, default_field);
	}
	dt->input->item = NULL;
	while (dt->input->deferred.n)
		add_deferred(dt);
	dump_tree(dt, p->result, "typed");
	return matched;
}

/* What the preprocessor makes of a program; NULL when it fails. */
static const char *preprocess(struct dt *dt, enum dt_program_kind kind, const char *text,
			      const char *name)
{
	struct strbuf out = {0}, why = {0}, said = {0};
	bool script = kind == DT_SCRIPT;
	int err = cpp_run(&dt->opts, text, strlen(text), script ? name : NULL, &out, &why);

	if (err) {
		if (script)
			sb_printf(&said, "failed to compile script %s: ", name);
		else
			diag_put_program(&said, name);
		report_error(dt, "%s%s", sb_str(&said), sb_str(&why));
	}
	text = err ? NULL : arena_strndup(dt->arena, sb_str(&out), out.len);
	sb_free(&out);
	sb_free(&why);
	sb_free(&said);
	return text;
}

void dt_announce(struct dt *dt, const char *text)
{
	advise_upcoming(dt, text);
}

int dt_program(struct dt *dt, enum dt_program_kind kind, const char *text, const char *name)
{
	static const int fields[] = {
	    [DT_PROBE_PROVIDER] = 0, [DT_PROBE_MODULE] = 1,	[DT_PROBE_FUNCTION] = 2,
	    [DT_PROBE_NAME] = 3,     [DT_PROBE_ID] = MATCH_IDS, [DT_SCRIPT] = 3};
	struct failure why;
	struct source *src;
	int matched;

	if (dt->going)
		return report_error(dt, "tracing has begun already");
	if (compile_open(dt) < 0)
		return -1;
	if (kind != DT_SCRIPT)
		name = text;
	/* UTF-8's byte order mark, as some editors write it */
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	if (opt_on(&dt->opts, OPT_CPP) && !(text = preprocess(dt, kind, text, name)))
		return -1;
	src = source_new(dt->arena, kind == DT_SCRIPT ? SOURCE_FILE : SOURCE_PROBE, name, text,
			 strlen(text));
	vec_push(&dt->input->sources, src);
	dt->input->item = dt->input->matching = NULL;
	dt->input->deferred.n = 0;
	dt->input->parsing = false;
	dt->sema->unparsed = dt->sema->undeclared = NULL;
	dt->sema->clause = NULL;
	if (setjmp(dt->diag.recover)) {
		why = (struct failure){.where = dt->diag.where,
				       .clause = dt->sema->clause,
				       .statement = dt->sema->statement};
		compile_caught(dt);
		compile_report_rest(dt, src, &why, fields[kind]);
		report_warnings(dt);
		return -1;
	}
	matched = program(dt, src, fields[kind]);
	report_warnings(dt);
	return matched;
}
