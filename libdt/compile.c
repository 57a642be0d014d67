/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From texts to a plan: parsing, matching, analysis. The border of diagnostics is here. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/lang/provdecl.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/lang/type_use.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"
#include "libdt/lang/cpp.h"
#include "libdt/session.h"
#include "libdt/type/ctf.h"
#include "libdt/usdt/usdt.h"

int compile_caught(struct dt *dt)
{
	dt->input.errors = 0;
	report_caught(dt);
	dt->diag.where = NULL;
	dt->input.broken = true;
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
	if (dt->sema.parse)
		dt->sema.parse->defaultargs = opt_on(&dt->opts, OPT_DEFAULTARGS);
	if (!sema_set_strsize(&dt->sema))
		diag_die(&dt->diag, D_PRAGMA_OPTSET, loc,
			 "failed to set option '%s': structures with strings of another size were "
			 "declared before",
			 name);
}

/* Clauses ----------------------------------------------------------------- */

static int add_item(struct dt *dt, struct node *item, int default_field);

/* A program that a probe needs in front of its clauses. */
static void add_before(struct dt *dt, const char *text)
{
	struct parse *was = dt->sema.parse, *p = arena_alloc(dt->arena, sizeof(*p));
	void **seen = hash_ref(&dt->input.before, text, strlen(text));

	if (*seen)
		return;
	*seen = dt;
	*p = *was;
	p->src = source_new(dt->arena, SOURCE_LIBRARY, "libdt/provider", text, strlen(text));
	p->result = NULL;
	dt->sema.parse = p;
	for (struct node *item = parse_program(p)->list, *next; item; item = next) {
		next = item->next;
		add_item(dt, item, 3);
	}
	dt->sema.parse = was;
}

/* Moves the clause to the end again, after those that were added with it. */
static void move_back(struct dt *dt, struct clause *c)
{
	struct clause **v = dt->plan.clauses.v;
	int last = dt->plan.clauses.n - 1;

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
	c->implied = dt->sema.parse->src->kind == SOURCE_LIBRARY;
	c->index = dt->plan.clauses.n;
	vec_push(&dt->plan.clauses, c);
	match_descriptions(dt, c, default_field);
	for (int i = 0; i < c->probes.n; i++)
		waits += c->probes.v[i]->awaits != NULL;
	for (int i = 0; i < c->probes.n; i++)
		if (stable_prologue(c->probes.v[i]))
			add_before(dt, stable_prologue(c->probes.v[i]));
	move_back(dt, c);
	if (!sema_clause(&dt->sema, c, false))
		vec_push(&dt->input.deferred, c);
	return c->probes.n - waits;
}

/* Returns how many probes a clause has now; 0 for declarations. */
static int add_item(struct dt *dt, struct node *item, int default_field)
{
	if (item->kind == N_CLAUSE)
		return add_clause(dt, item, default_field);
	sema_item(&dt->sema, item);
	return 0;
}

/* One of the deferred clauses, the first that can be analysed; when none can, the first with what
 * is known. */
static void add_deferred(struct dt *dt)
{
	int at = 0;

	while (at < dt->input.deferred.n &&
	       !sema_clause(&dt->sema, dt->input.deferred.v[at], false))
		at++;
	if (at == dt->input.deferred.n)
		at = 0, sema_clause(&dt->sema, dt->input.deferred.v[at], true);
	memmove(&dt->input.deferred.v[at], &dt->input.deferred.v[at + 1],
		(dt->input.deferred.n - at - 1) * sizeof(dt->input.deferred.v[0]));
	dt->input.deferred.n--;
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

/* -x compat, determined once for each program. */
static void choose_compat(struct dt *dt, const struct node *list, int default_field,
			  const char *text)
{
	const char *mode = opt_text(&dt->opts, OPT_COMPAT);
	VEC(struct compat_desc) descs = {0};
	struct pdesc pd;

	dt->input.compat = NULL;
	advise_upcoming(dt, text);
	if (!strcmp(mode, "off") || default_field >= MATCH_IDS)
		return;
	for (const struct node *item = list; item; item = item->next)
		for (const struct node *n = item->kind == N_CLAUSE ? item->list : NULL; n;
		     n = n->next)
			if (!n->has_id && pdesc_parse(dt->arena, n->str, default_field, &pd) &&
			    !strcmp(pd.prov, "syscall")) {
				struct compat_desc d = {pd.func, pd.name};

				vec_push(&descs, d);
			}
	dt->input.compat = arena_alloc(dt->arena, sizeof(*dt->input.compat));
	compat_choose(dt->arena, dt->input.compat, descs.v, descs.n, sb_str(&dt->input.texts),
		      !strcmp(mode, "on"));
	advise_widened(dt);
	vec_free(&descs);
}

static const struct node *without_body(const struct node *item)
{
	while (item && (item->kind != N_CLAUSE || item->a || item->b))
		item = item->next;
	return item;
}

/* Descriptions alone are a clause on the command line. In a script they are words that were meant
 * to be something else. */
static void need_bodies(struct dt *dt, const struct node *list)
{
	const struct node *bare = without_body(list);

	if (bare)
		diag_die(&dt->diag, D_SYNTAX, bare->list->loc,
			 "expected predicate and/or actions following probe description");
}

static struct parse *parse_begin(struct dt *dt, struct source *src)
{
	struct parse *p = arena_alloc(dt->arena, sizeof(*p));

	*p = (struct parse){
	    .arena = dt->arena,
	    .trees = dt->sema.trees,
	    .diag = &dt->diag,
	    .src = src,
	    .is_type = is_type,
	    .macro_arg = macro_text,
	    .arg = dt,
	    .defaultargs = opt_on(&dt->opts, OPT_DEFAULTARGS),
	    .pragma_option = pragma_option,
	};
	dt->sema.parse = dt->input.program = p;
	return p;
}

static int program(struct dt *dt, struct source *src, int default_field)
{
	struct parse *p = parse_begin(dt, src);
	int matched = 0;

	dt->input.parsing = true;
	p->result = parse_program(p);
	dt->input.parsing = false;
	dump_tree(dt, p->result, "tree");
	if (!p->result->list && !opt_on(&dt->opts, OPT_EMPTY))
		diag_die(&dt->diag, D_EMPTY, (struct loc){src, src->len, 0},
			 "empty D program translation unit");
	if (src->kind == SOURCE_FILE)
		need_bodies(dt, p->result->list);
	choose_compat(dt, p->result->list, default_field, src->text);
	sema_note_assignments(&dt->sema, p->result->list);
	dt->input.deferred.n = 0;
	for (struct node *item = p->result->list, *next; item; item = next) {
		next = item->next;
		dt->input.rest = item->kind == N_CLAUSE ? next : NULL;
		matched += add_item(dt, item, default_field);
	}
	while (dt->input.deferred.n)
		add_deferred(dt);
	dump_tree(dt, p->result, "typed");
	return matched;
}

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
	add_item(l->dt, l->item, l->default_field);
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

	if (dt->input.errors >= ERRORS_MAX)
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
	struct node *matching = dt->input.matching;
	struct failure why = *first, next = {0};

	l->clause = matching ? dt->plan.clauses.v[dt->plan.clauses.n - 1] : first->clause;
	if (!l->clause)
		return;
	if (matching) /* nothing is analysed yet */
		why.statement = NULL;
	for (struct node *n = matching ? matching->next : NULL; n; n = n->next) {
		l->item = n;
		if (!sema_attempt(&dt->sema, match_later, l, &next))
			report_failure(dt, &next);
	}
	dt->input.matching = NULL;
	sema_rest(&dt->sema, l->clause, &why, !matching, report_failure, dt);
}

static bool report_later(struct later *l, void (*fn)(struct sema *s, void *arg))
{
	struct dt *dt = l->dt;
	struct failure why = {0};

	if (sema_attempt(&dt->sema, fn, l, &why))
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

	for (int i = from; i < dt->input.deferred.n; i++) {
		l->clause = dt->input.deferred.v[i];
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
	int deferred = dt->input.deferred.n;
	bool good = true;
	struct node *next;

	if (dt->sema.in_library || setjmp(dt->diag.recover))
		return;
	sema_recover(&dt->sema);
	dt->sema.parse = p;
	report_rest(&l, first);
	report_deferred(&l, 0, first);
	for (struct node *item = dt->input.rest; item && good && dt->input.errors < ERRORS_MAX;
	     item = next) {
		next = item->next;
		dt->sema.parse = p;
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
	parse_begin(dt, src);
	src->text = text;
	dt->input.program->result = parse_program(dt->input.program);
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

	while (dt->input.errors < ERRORS_MAX &&
	       parse_without(dt->input.program, dt->diag.loc, text)) {
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

	if (!unparsed || without_body(dt->input.program->result->list) || setjmp(dt->diag.recover))
		return;
	dt->input.rest = dt->input.program->result->list;
	choose_compat(dt, dt->input.rest, default_field, src->text);
	sema_note_assignments(&dt->sema, dt->input.rest);
	sema_set_unparsed(&dt->sema, unparsed);
	report_later_errors(dt, dt->input.program, &(struct failure){0}, default_field);
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
		dt_fail(dt, "%s%s", sb_str(&said), sb_str(&why));
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
		return dt_fail(dt, "tracing has begun already");
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
	vec_push(&dt->input.sources, src);
	dt->input.rest = dt->input.matching = NULL;
	dt->input.deferred.n = 0;
	dt->input.parsing = false;
	dt->sema.unparsed = NULL;
	dt->sema.clause = NULL;
	if (setjmp(dt->diag.recover)) {
		why = (struct failure){.where = dt->diag.where,
				       .clause = dt->sema.clause,
				       .statement = dt->sema.statement};
		compile_caught(dt);
		if (dt->input.parsing)
			report_after_syntax(dt, src, fields[kind]);
		else if (why.clause || dt->input.matching)
			report_later_errors(dt, dt->input.program, &why, fields[kind]);
		report_warnings(dt);
		return -1;
	}
	matched = program(dt, src, fields[kind]);
	report_warnings(dt);
	return matched;
}

/* Several programs have the arguments in common, so the message names only a single one. */
static int extraneous(struct dt *dt, int arg)
{
	const struct source *src = dt->input.sources.n == 1 ? dt->input.sources.v[0] : NULL;
	struct strbuf program = {0};

	if (src)
		diag_put_source(src, &program);
	dt_fail(dt, "%s%sextraneous argument '%s' ($%d is not referenced)", sb_str(&program),
		opt_on(&dt->opts, OPT_ERRTAGS) ? "[D_MACRO_UNUSED] " : "", dt->input.argv[arg],
		arg);
	sb_free(&program);
	return -1;
}

/* Each macro argument has to be used by some program. */
static int check_args(struct dt *dt)
{
	if (opt_on(&dt->opts, OPT_ARGREF))
		return 0;
	for (int i = 1; i < dt->input.argc; i++)
		if (!dt->input.arg_used[i])
			return extraneous(dt, i);
	return 0;
}

/* -x cpu */
static bool has_cpus(struct dt *dt)
{
	const char *text = opt_text(&dt->opts, OPT_CPU);
	struct cpu_range ranges[CPU_RANGES];
	int n = text ? opt_cpus(text, ranges) : 0;

	for (int i = 0; i < n; i++)
		if (ranges[i].last >= dt->aggrs->ncpus) {
			dt_fail(dt, "failed to set -x cpu: there is no CPU %d", ranges[i].last);
			return false;
		}
	return true;
}

static unsigned dump_stages(const struct dt *dt)
{
	const char *dump = opt_text(&dt->opts, OPT_DUMP);

	if (!dump)
		return 0;
	return (strstr(dump, "ir") ? 2 : 0) | (strstr(dump, "ra") ? 4 : 0) |
	       (strstr(dump, "bpf") ? 8 : 0);
}

/* D's own names are stable; what a clause says through its arguments is as stable as the
 * provider's arguments. */
static struct attr statements(const struct clause *c)
{
	struct attr a = {STAB_STABLE, STAB_STABLE, CLASS_COMMON};

	for (int i = 0; c->uses_args && i < c->probes.n; i++)
		a = attr_min(a, c->probes.v[i]->provider->attr_args);
	if (c->has_attr)
		a = attr_min(a, c->attr);
	return a;
}

static struct attr descriptions(const struct clause *c)
{
	struct attr a = {STAB_STANDARD, STAB_STANDARD, CLASS_COMMON};

	for (int j = 0; j < c->probes.n; j++)
		a = attr_min(a, probe_attr(c->probes.v[j]));
	return a;
}

/* -x amin: what the program uses must be that stable. */
static void check_least(struct dt *dt)
{
	const char *text = opt_text(&dt->opts, OPT_AMIN);
	struct attr least = {0};

	if (text && !attr_parse(text, &least))
		diag_die(&dt->diag, D_ATTR_MIN, (struct loc){0},
			 "failed to set -x amin: '%s' is not of the form Evolving/Evolving/Common",
			 text);
	for (int i = 0; text && i < dt->plan.clauses.n; i++) {
		const struct clause *c = dt->plan.clauses.v[i];
		struct attr a = attr_min(descriptions(c), statements(c));

		if (c->probes.n && !c->implied &&
		    (a.name < least.name || a.data < least.data || a.class < least.class))
			diag_die(
			    &dt->diag, D_ATTR_MIN, c->node->list->loc,
			    "attributes of the clause (%s/%s/%s) are less than predefined minimum",
			    stability_name(a.name), stability_name(a.data), depclass_name(a.class));
	}
}

/* -x ctypes and dtypes: a file each. */
static int write_types(struct dt *dt)
{
	struct type_use u = {.types = dt->types};
	const char *c = opt_text(&dt->opts, OPT_CTYPES), *d = opt_text(&dt->opts, OPT_DTYPES),
		   *path = c;
	char *why = NULL;

	if (!c && !d)
		return 0;
	type_use_collect(&u, dt->plan.clauses.v, dt->plan.clauses.n, &dt->script);
	if (c)
		why = ctf_write_types(dt->types, u.of_c.v, u.of_c.n, c);
	if (d && !why)
		why = ctf_write_types(dt->types, u.of_d.v, u.of_d.n, path = d);
	type_use_free(&u);
	if (why)
		dt_fail(dt, "failed to write types to %s: %s", path, why);
	free(why);
	return why ? -1 : 0;
}

/* Records have a time where each line shows it, and where they are sorted: by default, a script
 * that shows no time gets the order of the ring. */
static void stamp_records(struct dt *dt)
{
	const char *temporal = opt_text(&dt->opts, OPT_TEMPORAL);
	bool timed = consume_timed(&dt->opts), shown = timed;

	for (int i = 0; i < dt->plan.clauses.n; i++)
		shown |= dt->plan.clauses.v[i]->shows_time;
	dt->set.ordered = strcmp(temporal, "auto") ? !strcmp(temporal, "on") : shown;
	for (int i = 0; i < dt->plan.clauses.n; i++)
		dt->plan.clauses.v[i]->needs_time |= timed || dt->set.ordered;
}

static int check_maps(struct dt *dt)
{
	const struct probe *p;
	const struct program *pl;
	int maps;

	pl = plan_excess_maps(&dt->plan, &maps);
	if (!pl)
		return 0;
	p = pl->probes.v[0];
	return dt_fail(dt,
		       "the clauses of %s:%s:%s:%s need %d BPF maps, and the kernel takes %d for a "
		       "program: use fewer associative arrays "
		       "and aggregations at one probe",
		       p->prov, p->mod, p->func, p->name, maps, PROG_MAPS_MAX);
}

int compile_prepare(struct dt *dt)
{
	const char *dump = opt_text(&dt->opts, OPT_DUMP);
	FILE *out = dt->streams[DT_STREAM_DUMP];

	if (compile_open(dt) < 0 || check_args(dt) < 0)
		return -1;
	if (dt->input.prepared)
		return 0;
	if (dt->input.broken) /* what was analysed in part cannot be generated */
		return dt_fail(dt, "a program of this session did not compile");
	if (!has_cpus(dt))
		return -1;
	if (setjmp(dt->diag.recover))
		return compile_caught(dt);
	dt->aggrs->metrics = consume_metrics(&dt->opts);
	dt->aggrs->percpu = opt_on(&dt->opts, OPT_AGGPERCPU);
	stamp_records(dt);
	sema_check_unused(&dt->sema);
	check_least(dt);
	if (!dt->test) /* its probes are not those of this machine */
		advise(dt);
	if (write_types(dt) < 0)
		return -1;
	dt->plan.metrics = dt->aggrs->metrics;
	plan_make(&dt->plan, dump ? out : NULL, dump_stages(dt));
	totals_describe(dt);
	if (out && dump && strstr(dump, "plan"))
		plan_dump(&dt->plan, out);
	if (check_maps(dt) < 0)
		return -1;
	if (expose_check(dt) < 0)
		return -1;
	dt->input.prepared = true;
	return 0;
}

int dt_check(struct dt *dt)
{
	int err = compile_prepare(dt);

	report_warnings(dt);
	return err;
}

int dt_listing(struct dt *dt, FILE *out)
{
	if (compile_prepare(dt) < 0)
		return -1;
	for (int i = 0; opt_num(&dt->opts, OPT_DISASM) && i < dt->set.programs.n; i++) {
		struct program *pl = dt->set.programs.v[i];

		if (!pl->targets.n && !pl->support)
			continue;
		if (pl->probes.n == 1)
			fprintf(out, "\nProgram for %s:%s:%s:%s\n", pl->probes.v[0]->prov,
				pl->probes.v[0]->mod, pl->probes.v[0]->func, pl->probes.v[0]->name);
		else
			fprintf(out, "\nProgram for %d probes\n", pl->probes.n);
		code_list(pl->code, out, true);
	}
	if (opt_num(&dt->opts, OPT_DISASM))
		sym_list(&dt->script, dt->types, out);
	return 0;
}

static void list_never(const struct clause *c, FILE *out)
{
	const char *title = "\n\tProbes That Never Fire\n";

	for (int i = 0; i < c->probes.n; i++) {
		const struct probe *p = c->probes.v[i];

		if (!p->unsupported)
			continue;
		fprintf(out, "%s\t\t%s:%s:%s:%s: %s\n", title, p->prov, p->mod, p->func, p->name,
			p->unsupported);
		title = "";
	}
}

int dt_stability(struct dt *dt, FILE *out)
{
	if (dt->going)
		return dt_fail(dt, "tracing has begun already");
	for (int i = 0; i < dt->plan.clauses.n; i++) {
		struct clause *c = dt->plan.clauses.v[i];
		struct attr a = descriptions(c);

		if (!c->probes.n)
			continue;
		fputs("\nStability attributes for description ", out);
		escape_put(out, c->node->list->str ? c->node->list->str : "");
		fputs(":\n", out);
		fprintf(out,
			"\n\tMinimum Probe Description Attributes\n\t\tIdentifier Names: "
			"%s\n\t\tData Semantics:   %s\n"
			"\t\tDependency Class: %s\n",
			stability_name(a.name), stability_name(a.data), depclass_name(a.class));
		list_never(c, out);
		a = statements(c);
		fprintf(out,
			"\n\tMinimum Statement Attributes\n\t\tIdentifier Names: %s\n\t\tData "
			"Semantics:   %s\n"
			"\t\tDependency Class: %s\n",
			stability_name(a.name), stability_name(a.data), depclass_name(a.class));
	}
	return 0;
}

/* Building programs with static probes ------------------------------------ */

/* Those which the programs declare, not the library. */
static int declared(struct dt *dt, struct provdecl ***provs)
{
	int n = 0;

	*provs = arena_alloc(dt->arena, (dt->script.providers.n + 1) * sizeof(**provs));
	for (int i = 0; i < dt->script.providers.n; i++)
		if (!dt->script.providers.v[i]->library)
			(*provs)[n++] = dt->script.providers.v[i];
	return n;
}

static int finish_usdt(struct dt *dt, int rc, struct strbuf *why)
{
	if (rc)
		dt_fail(dt, "%s", sb_str(why));
	sb_free(why);
	return rc;
}

int dt_header(struct dt *dt, FILE *out)
{
	struct provdecl **provs;
	struct strbuf why = {0};
	int n = declared(dt, &provs);

	if (!n)
		return dt_fail(dt, "no provider is declared");
	return finish_usdt(dt, usdt_header(&dt->sema, provs, n, out, &why), &why);
}

int dt_link(struct dt *dt, char *const *objects, int nobjects, const char *path)
{
	struct provdecl **provs;
	struct strbuf why = {0};
	int n = declared(dt, &provs);

	if (!n)
		message(dt, DT_MSG_WARNING, "no provider is declared: the object has no probes");
	return finish_usdt(dt, usdt_object(&dt->sema, provs, n, objects, nobjects, path, &why),
			   &why);
}
