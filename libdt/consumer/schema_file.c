/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each function here is for one structure and both ways. What is loaded is checked for all that the
 * functions which print rely on: an action's recorded values are within its record and as many as
 * it takes, a format fits them, an aggregation is there.
 */
#include "libdt/consumer/schema_file.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr_key.h"
#include "libdt/opt.h"

enum { ARGS_MAX = 64, RECORD_MAX = 2 << 20, CPUS_MAX = 8192, KEY_MAX = 1 << 20 };
enum { STRSIZE_MAX = 1 << 24, INDENT_MAX = 4096 };

/* Options by which the consumer prints. */
static const enum opt kept[] = {
    OPT_AGGEXPIRE,  OPT_AGGHIST,    OPT_AGGPACK,     OPT_AGGPERCPU,	OPT_AGGSORTKEY,
    OPT_AGGSORTPOS, OPT_AGGSORTREV, OPT_AGGZOOM,     OPT_AGGSORTKEYPOS, OPT_BUFPOLICY,
    OPT_BUFSIZE,    OPT_DEMANGLE,   OPT_DROPTAGS,    OPT_ENCODING,	OPT_FLOWINDENT,
    OPT_FLOWTHREAD, OPT_OFORMAT,    OPT_PCAPSIZE,    OPT_QUIET,		OPT_RAWBYTES,
    OPT_SPECSIZE,   OPT_STRICT,	    OPT_STACKINDENT, OPT_STRSIZE,	OPT_TIMEFMT,
};

/* Sources ----------------------------------------------------------------- */

void schema_file_source(struct schema_file *f, struct loc loc)
{
	for (int i = 0; i < f->sources.n; i++)
		if (f->sources.v[i] == loc.src)
			return;
	if (loc.src)
		vec_push(&f->sources, loc.src);
}

/* The text stays as it is: a place in it is what JSON calls a value by. */
static void pack_script(struct schema_file *f, struct pack *p, const char **text, uint32_t *len)
{
	const void *data = *text;
	struct strbuf sb = {0};

	pack_block(p, &data, len);
	if (!pack_loads(p))
		return;
	escape_add(&sb, data, *len, f->escape);
	*len = sb.len;
	*text = arena_strndup(p->arena, sb_str(&sb), sb.len);
	sb_free(&sb);
}

/* On a terminal the script's control characters would be commands. Its length stays. */
static const char *load_source_text(const struct schema_file *f, struct arena *a, const char *text,
				    uint32_t len)
{
	char *copy = arena_strndup(a, text, len);

	if (escape_clean(copy, len, f->escape) < len)
		for (uint32_t i = 0; i < len; i++)
			if (copy[i] != '\n' && copy[i] != '\t' && (copy[i] < ' ' || copy[i] > '~'))
				copy[i] = '?';
	return copy;
}

static void pack_source(struct schema_file *f, struct pack *p, struct source *s)
{
	uint32_t kind = s->kind, len = s->len;
	const void *text = s->text;

	PACK(p, &kind);
	pack_text(p, &s->name);
	pack_block(p, &text, &len);
	PACK(p, &s->first_line);
	pack_require(p, kind <= SOURCE_LIBRARY && s->name && s->first_line > -(1 << 28) &&
			    s->first_line < 1 << 28 && (!len || !memchr(text, '\0', len)));
	if (!pack_loads(p) || p->bad)
		return;
	s->kind = kind;
	s->len = len;
	s->text = load_source_text(f, p->arena, text, len);
}

static void pack_sources(struct schema_file *f, struct pack *p)
{
	int n = f->sources.n;

	pack_count(p, &n, 16);
	for (int i = 0; i < n && !p->bad; i++) {
		struct source *s, copy;

		if (!pack_loads(p)) {
			copy = *f->sources.v[i];
			pack_source(f, p, &copy);
			continue;
		}
		s = arena_alloc(p->arena, sizeof(*s));
		s->lines = source_lines_new(p->arena);
		pack_source(f, p, s);
		vec_push(&f->sources, s);
	}
}

void schema_file_loc(struct schema_file *f, struct pack *p, struct loc *loc)
{
	int n = -1;

	for (int i = 0; i < f->sources.n && !pack_loads(p); i++)
		n = f->sources.v[i] == loc->src ? i : n;
	PACK(p, &n);
	PACK(p, &loc->off);
	PACK(p, &loc->len);
	if (!pack_loads(p))
		return;
	pack_require(p, n >= -1 && n < f->sources.n);
	loc->src = n < 0 || p->bad ? NULL : f->sources.v[n];
	pack_require(p, !loc->src ||
			    (loc->off <= loc->src->len && loc->len <= loc->src->len - loc->off));
	if (p->bad)
		*loc = (struct loc){0};
}

/* Formats ----------------------------------------------------------------- */

static void pack_piece(struct schema_file *f, struct pack *p, struct fmt_piece *piece)
{
	char letter = piece->conv ? piece->conv->letter : '\0';

	PACK(p, &letter);
	if (!letter) {
		pack_script(f, p, &piece->text, &piece->len);
		return;
	}
	piece->conv = conv_find(letter);
	pack_bool(p, &piece->left);
	pack_bool(p, &piece->zero);
	pack_bool(p, &piece->plus);
	pack_bool(p, &piece->space);
	pack_bool(p, &piece->alt);
	pack_bool(p, &piece->group);
	PACK(p, &piece->width);
	PACK(p, &piece->prec);
	pack_bool(p, &piece->star_width);
	pack_bool(p, &piece->star_prec);
	pack_bool(p, &piece->is_agg);
	PACK(p, &piece->percent);
	PACK(p, &piece->length);
	PACK(p, &piece->arg);
	PACK(p, &piece->width_arg);
	PACK(p, &piece->prec_arg);
	PACK(p, &piece->number);
	pack_require(p, piece->conv && piece->width >= -1 && piece->width < FMT_WIDE &&
			    piece->prec >= -1 && piece->prec < FMT_WIDE && piece->arg >= 0 &&
			    piece->percent >= 0 && piece->percent <= 100000 &&
			    !(piece->length & ~piece->conv->lengths) &&
			    (!piece->is_agg || piece->conv->agg));
}

static void pack_fmt(struct schema_file *f, struct pack *p, struct fmt **fmt)
{
	bool is = *fmt;
	int n;

	pack_bool(p, &is);
	if (!is || p->bad)
		return;
	if (pack_loads(p))
		*fmt = arena_alloc(p->arena, sizeof(**fmt));
	PACK(p, &(*fmt)->nargs);
	PACK(p, &(*fmt)->naggs);
	n = (*fmt)->npieces;
	pack_count(p, &n, 5);
	if (pack_loads(p))
		(*fmt)->pieces = arena_alloc(p->arena, (n + 1) * sizeof(*(*fmt)->pieces));
	for (int i = 0; i < n && !p->bad; i++) {
		struct fmt_piece piece = {0};

		if (!pack_loads(p))
			piece = (*fmt)->pieces[i];
		pack_piece(f, p, &piece);
		if (pack_loads(p))
			(*fmt)->pieces[i] = piece;
	}
	if (pack_loads(p))
		(*fmt)->npieces = p->bad ? 0 : n;
}

/* Does a conversion take an integer of any size? The type of a key may have become a larger one, or
 * a pointer, after the format was checked. */
static bool takes_number(const struct fmt_piece *piece, const struct type *t)
{
	static const struct type sizes[] = {{.kind = T_INT, .size = 4}, {.kind = T_INT, .size = 8}};
	struct fmt_piece any = {.conv = piece->conv};

	return (type_is_int(t) || t->kind == T_PTR) &&
	       (any.conv->check(&any, &sizes[0]) || any.conv->check(&any, &sizes[1]));
}

/* Is the i-th argument there, and of a type that the conversion takes? piece NULL: a number. */
static bool takes(const struct fmt_piece *piece, const struct type *const *types, int ntypes, int i)
{
	const struct type *t = i >= 0 && i < ntypes ? type_base(types[i]) : NULL;

	if (!t)
		return false;
	return piece ? takes_number(piece, t) || piece->conv->check(piece, t) : type_is_int(t);
}

/* The n-th %@ is of the n-th aggregation, or the last one. */
static bool takes_agg(const struct fmt_piece *piece, const struct aggrs *as, const struct act *act)
{
	const struct aggr *ag =
	    act->naggs ? as->v.v[act->aggs[MIN(piece->arg, act->naggs - 1)]] : NULL;

	return ag && (!piece->percent || ag->func->range);
}

static bool fmt_fits(const struct aggrs *as, const struct act *act, const struct type *const *types,
		     int ntypes)
{
	const struct fmt *fmt = act->fmt;

	if (fmt->nargs < 0 || fmt->nargs > ntypes)
		return false;
	for (int i = 0; i < fmt->npieces; i++) {
		const struct fmt_piece *p = &fmt->pieces[i];

		if (!p->conv)
			continue;
		if ((p->star_width && !takes(NULL, types, ntypes, p->width_arg)) ||
		    (p->star_prec && !takes(NULL, types, ntypes, p->prec_arg)))
			return false;
		if (p->is_agg ? !takes_agg(p, as, act) : !takes(p, types, ntypes, p->arg))
			return false;
	}
	return true;
}

/* Actions ----------------------------------------------------------------- */

static void pack_rec(struct schema_file *f, struct pack *p, struct rec *rec, uint32_t size)
{
	uint32_t origin = rec->origin;

	type_file_ref(&f->type_file, p, &rec->type);
	PACK(p, &rec->off);
	PACK(p, &rec->size);
	PACK(p, &origin);
	schema_file_loc(f, p, &rec->name);
	pack_require(p, rec->off <= size && rec->size <= size - rec->off && origin <= TEXT_NAME);
	if (pack_loads(p))
		rec->origin = origin == TEXT_SCRIPT && f->escape ? TEXT_MEMORY : origin;
}

static void pack_recs(struct schema_file *f, struct pack *p, struct act *act, uint32_t size)
{
	int n = act->nrecs;

	pack_count(p, &n, 28);
	pack_require(p, n <= ARGS_MAX);
	if (pack_loads(p))
		act->recs = arena_alloc(p->arena, (n + 1) * sizeof(*act->recs));
	for (int i = 0; i < n && !p->bad; i++)
		pack_rec(f, p, &act->recs[i], size);
	if (pack_loads(p))
		act->nrecs = p->bad ? 0 : n;
}

static void pack_agg_numbers(struct schema_file *f, struct pack *p, struct act *act)
{
	int n = act->naggs;

	pack_count(p, &n, sizeof(*act->aggs));
	if (pack_loads(p))
		act->aggs = arena_alloc(p->arena, (n + 1) * sizeof(*act->aggs));
	for (int i = 0; i < n && !p->bad; i++) {
		PACK(p, &act->aggs[i]);
		pack_require(p, act->aggs[i] < (uint32_t)f->aggrs->v.n);
	}
	if (pack_loads(p))
		act->naggs = p->bad ? 0 : n;
}

static bool keys_join(const struct aggr *a, const struct aggr *b)
{
	if (a->ncols != b->ncols)
		return false;
	for (int i = 0; i < a->ncols; i++)
		if (!aggr_cols_compare(&a->cols[i], &b->cols[i]))
			return false;
	return true;
}

/* Are the keys of all aggregations of a printa() joined, and does its format fit them? Numbers are
 * shown as the first aggregation has them (aggr_key_value()). */
static bool printa_fits(const struct aggrs *as, const struct act *act)
{
	const struct aggr *first = as->v.v[act->aggs[0]];
	const struct type *types[ARGS_MAX];

	for (int i = 1; i < act->naggs; i++)
		if (!keys_join(first, as->v.v[act->aggs[i]]))
			return false;
	for (int i = 0; act->fmt && i < act->naggs; i++) {
		const struct aggr_col *cols = as->v.v[act->aggs[i]]->cols;

		for (int k = 0; k < first->ncols; k++) {
			bool number =
			    aggr_col_is_number(&cols[k]) && aggr_col_is_number(&first->cols[k]);

			types[k] = number ? first->cols[k].type : cols[k].type;
		}
		if (!fmt_fits(as, act, types, first->ncols))
			return false;
	}
	return true;
}

/* How much an action takes; what is not here takes one value at least. */
static const struct {
	const char *name;
	int least, most; /* values */
	bool fmt, aggs;
} takers[] = {
    {"printf", 0, ARGS_MAX, true, false},  {"system", 0, ARGS_MAX, true, false},
    {"freopen", 0, ARGS_MAX, true, false}, {"ftruncate", 0, 0, false, false},
    {"speculate", 0, 0, false, false},	   {"printa", 0, 0, false, true},
    {"clear", 0, 0, false, true},	   {"denormalize", 0, 0, false, true},
    {"trunc", 0, 1, false, true},	   {"normalize", 1, 1, false, true},
    {"exit", 1, 1, false, false},	   {"trace", 1, 1, false, false},
    {"print", 1, 2, false, false},	   {"tracemem", 1, 2, false, false},
    {"setopt", 1, 2, false, false},	   {"pcap", 4, 4, false, false},
};

static bool act_fits(const struct aggrs *as, const struct act *act)
{
	const struct type *types[ARGS_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(takers); i++) {
		if (strcmp(takers[i].name, act->name))
			continue;
		if (act->nrecs < takers[i].least || act->nrecs > takers[i].most ||
		    (takers[i].fmt && !act->fmt) || (takers[i].aggs && !act->naggs))
			return false;
		if (!strcmp(act->name, "printa"))
			return printa_fits(as, act);
		for (int r = 0; r < act->nrecs; r++)
			types[r] = act->recs[r].type;
		return !act->fmt || fmt_fits(as, act, types, act->nrecs);
	}
	return act->nrecs == 1 && !act->fmt;
}

static void pack_act(struct schema_file *f, struct pack *p, struct act *act, uint32_t size)
{
	pack_text(p, &act->name);
	PACK(p, &act->cond_off);
	schema_file_loc(f, p, &act->loc);
	pack_recs(f, p, act, size);
	pack_agg_numbers(f, p, act);
	pack_fmt(f, p, &act->fmt);
	pack_require(p, act->name && act->cond_off >= -1 && act->cond_off < (int64_t)size);
	if (pack_loads(p) && !p->bad)
		pack_require(p, f->action(act) && act_fits(f->aggrs, act));
}

static void pack_layout(struct schema_file *f, struct pack *p, struct layout *l)
{
	int n = l->acts.n;

	PACK(p, &l->size);
	pack_bool(p, &l->has_thread);
	pack_bool(p, &l->has_process);
	pack_bool(p, &l->ends_specs);
	pack_require(p, l->size <= RECORD_MAX &&
			    (!(l->has_thread || l->has_process) || l->size >= layout_begin(l)));
	pack_count(p, &n, 20);
	if (pack_loads(p))
		l->acts.v = arena_alloc(p->arena, (n + 1) * sizeof(*l->acts.v));
	for (int i = 0; i < n && !p->bad; i++) {
		if (pack_loads(p))
			l->acts.v[i] = arena_alloc(p->arena, sizeof(*l->acts.v[i]));
		pack_act(f, p, l->acts.v[i], l->size);
	}
	if (pack_loads(p))
		l->acts.n = p->bad ? 0 : n;
}

static void pack_layouts(struct schema_file *f, struct pack *p)
{
	int n = f->schema->layouts.n;

	pack_count(p, &n, 10);
	for (int i = 0; i < n && !p->bad; i++) {
		struct layout copy, *l = &copy;

		if (pack_loads(p))
			l = arena_alloc(p->arena, sizeof(*l));
		else
			copy = *f->schema->layouts.v[i];
		pack_layout(f, p, l);
		if (pack_loads(p))
			vec_push(&f->schema->layouts, l);
	}
}

/* Probes ------------------------------------------------------------------ */

static void pack_probe(struct pack *p, struct probe_desc *d)
{
	PACK(p, &d->id);
	pack_text(p, &d->prov);
	pack_text(p, &d->mod);
	pack_text(p, &d->func);
	pack_text(p, &d->name);
	pack_bool(p, &d->is_return);
	pack_bool(p, &d->is_entry);
	pack_bool(p, &d->records);
	pack_require(p, d->prov && d->mod && d->func && d->name);
}

void schema_file_probes(struct schema *s, struct pack *p, int first)
{
	int n = s->probes.n - first;

	pack_count(p, &n, 23);
	for (int i = 0; i < n && !p->bad; i++) {
		struct probe_desc copy, *d = &copy;

		if (pack_loads(p))
			d = arena_alloc(p->arena, sizeof(*d));
		else
			copy = *s->probes.v[first + i];
		pack_probe(p, d);
		if (pack_loads(p) && !p->bad)
			vec_push(&s->probes, d);
	}
}

/* Aggregations ------------------------------------------------------------ */

static void pack_col(struct schema_file *f, struct pack *p, struct aggr_col *col, uint32_t size)
{
	type_file_ref(&f->type_file, p, &col->type);
	PACK(p, &col->off);
	PACK(p, &col->size);
	schema_file_loc(f, p, &col->name);
	pack_bool(p, &col->has_names);
	pack_bool(p, &col->has_memory);
	pack_require(p, col->off <= size && col->size <= size - col->off);
}

/* What of an aggregation is the compiler's: the rest comes from its function. */
struct saved_aggr {
	const char *name, *func;
	int64_t params[6];
	uint32_t key_size;
	int ncols;
	struct aggr_col cols[ARGS_MAX];
};

static void pack_aggr(struct schema_file *f, struct pack *p, struct saved_aggr *s)
{
	pack_text(p, &s->name);
	pack_text(p, &s->func);
	PACK(p, &s->params);
	PACK(p, &s->key_size);
	pack_count(p, &s->ncols, 22);
	pack_require(p, s->name && s->func && s->key_size <= KEY_MAX && s->ncols <= ARGS_MAX);
	for (int i = 0; i < s->ncols && !p->bad; i++)
		pack_col(f, p, &s->cols[i], s->key_size);
}

static void load_aggr(struct schema_file *f, struct pack *p)
{
	struct saved_aggr *s = xcalloc(1, sizeof(*s));
	const struct aggfunc *func;
	struct aggr_desc d;

	pack_aggr(f, p, s);
	func = p->bad ? NULL : f->aggfunc(s->func);
	d = (struct aggr_desc){
	    .name = s->name,
	    .func = func,
	    .cols = s->cols,
	    .ncols = s->ncols,
	    .key_size = s->key_size,
	};
	memcpy(d.params, s->params, sizeof(d.params));
	pack_require(p, func && aggr_add(f->aggrs, &d));
	free(s);
}

static void save_aggr(struct schema_file *f, struct pack *p, const struct aggr *ag)
{
	struct saved_aggr *s = xcalloc(1, sizeof(*s));

	s->name = ag->name;
	s->func = ag->func->name;
	memcpy(s->params, ag->params, sizeof(s->params));
	s->key_size = ag->key_size;
	s->ncols = MIN(ag->ncols, ARGS_MAX);
	if (s->ncols)
		memcpy(s->cols, ag->cols, s->ncols * sizeof(*s->cols));
	pack_aggr(f, p, s);
	free(s);
}

static void pack_aggrs(struct schema_file *f, struct pack *p)
{
	int n = f->aggrs->v.n;

	pack_count(p, &n, 64);
	for (int i = 0; i < n && !p->bad; i++)
		if (pack_loads(p))
			load_aggr(f, p);
		else
			save_aggr(f, p, f->aggrs->v.v[i]);
}

/* Options ----------------------------------------------------------------- */

static bool is_kept(int which)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (which == (int)kept[i])
			return true;
	return false;
}

/* Do sizes of records depend on it? */
static bool is_layout(int which)
{
	return which == OPT_STRSIZE || which == OPT_PCAPSIZE;
}

/* By their names, as their numbers are this version's. What the user sets for the replay counts. */
static void load_option(struct schema_file *f, struct pack *p, const char *name, const char *value)
{
	int which = opt_find(name);

	if (which < 0 || !is_kept(which) || (f->opts->v[which].set && !is_layout(which)))
		return;
	opts_set(f->opts, name, value, NULL, 0);
	pack_require(p, opt_num(f->opts, OPT_STRSIZE) <= STRSIZE_MAX &&
			    opt_num(f->opts, OPT_STACKINDENT) <= INDENT_MAX);
}

static void pack_options(struct schema_file *f, struct pack *p)
{
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kept) && !pack_loads(p); i++)
		n += f->opts->v[kept[i]].set;
	pack_count(p, &n, 8);
	for (size_t i = 0; i < ARRAY_SIZE(kept) && !pack_loads(p); i++) {
		const char *name = opt_name(kept[i]), *value = opt_text(f->opts, kept[i]);

		if (!f->opts->v[kept[i]].set)
			continue;
		pack_text(p, &name);
		pack_text(p, &value);
	}
	for (int i = 0; i < n && pack_loads(p) && !p->bad; i++) {
		const char *name = NULL, *value = NULL;

		pack_text(p, &name);
		pack_text(p, &value);
		if (name)
			load_option(f, p, name, value);
	}
}

/* ------------------------------------------------------------------------- */

/* All types and sources that the schema names. */
static void collect(struct schema_file *f)
{
	for (int i = 0; i < f->schema->layouts.n; i++)
		for (int a = 0; a < f->schema->layouts.v[i]->acts.n; a++) {
			const struct act *act = f->schema->layouts.v[i]->acts.v[a];

			schema_file_source(f, act->loc);
			for (int r = 0; r < act->nrecs; r++) {
				type_file_add(&f->type_file, act->recs[r].type);
				schema_file_source(f, act->recs[r].name);
			}
		}
	for (int i = 0; i < f->aggrs->v.n; i++)
		for (int c = 0; c < f->aggrs->v.v[i]->ncols; c++) {
			const struct aggr_col *col = &f->aggrs->v.v[i]->cols[c];

			type_file_add(&f->type_file, col->type);
			schema_file_source(f, col->name);
		}
}

void schema_file_pack(struct schema_file *f, struct pack *p)
{
	f->type_file.types = f->types;
	if (!pack_loads(p))
		collect(f);
	pack_bool(p, &f->ordered);
	pack_bool(p, &f->early);
	PACK(p, &f->target);
	pack_text(p, &f->zone);
	PACK(p, &f->aggrs->ncpus);
	pack_require(p, f->aggrs->ncpus > 0 && f->aggrs->ncpus <= CPUS_MAX);
	pack_options(f, p);
	pack_sources(f, p);
	type_file_pack(&f->type_file, p);
	pack_aggrs(f, p);
	pack_layouts(f, p);
	schema_file_probes(f->schema, p, 0);
}

void schema_file_free(struct schema_file *f)
{
	type_file_free(&f->type_file);
	vec_free(&f->sources);
}
