/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each aggregation is a family of metrics, and its keys are labels:
 *
 *	count, sum		counter
 *	min, max, avg, stddev	gauge
 *	quantize ...		histogram, whose bounds (le) are the largest values of the buckets
 *
 * Readers compute rates between two reads. So counters never fall, and a histogram has all its
 * bounds from the first read on: one that appeared later would lack what it counted before.
 * Buckets of negative values are the exception; they appear with the first negative value. The
 * format has neither a sum nor a count for histograms with negative bounds.
 *
 * Several keys can have the same labels: functions by address, bytes that are not UTF-8. Readers
 * refuse a page with two such lines, so the values of these keys are merged.
 */
#include "libdt/consumer/metrics.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "dtrace_"

enum kind { KIND_COUNTER, KIND_GAUGE, KIND_HISTOGRAM };

static const char *const kind_names[] = {"counter", "gauge", "histogram"};
/* What is added to a family's name in its lines. */
static const char *const suffixes[][5] = {
    [KIND_COUNTER] = {"", "_total", "_created"},
    [KIND_GAUGE] = {""},
    [KIND_HISTOGRAM] = {"", "_bucket", "_count", "_sum", "_created"},
};

struct page {
	struct strbuf *out;
	const struct metrics *m;
	struct fmt_ctx ctx;
	struct hash taken; /* names of lines and families */
};

struct family {
	struct page *page;
	struct aggr *ag;
	enum kind kind;
	char *name;
	int64_t scale;
	VEC(char *) labels; /* names */
	struct hash rows;   /* text of labels -> value */
	int first;	    /* the lowest bucket that is shown */
	bool negative;	    /* it has bounds below 0 */
};

/* Names ------------------------------------------------------------------- */

/* The n-th name of a list; *len is 0 when there is none. */
static const char *nth_label(const char *s, int n, size_t *len)
{
	*len = 0;
	while (s && n-- > 0) {
		s = strchr(s, ',');
		s = s ? s + 1 : NULL;
	}
	if (s)
		*len = strcspn(s, ",");
	return s;
}

/* The name that the script's text gives a key: an identifier. */
static const char *key_name(const struct aggr_col *col, size_t *len)
{
	const char *s = col->name.src ? col->name.src->text + col->name.off : "";

	*len = col->name.src ? col->name.len : 0;
	if (!*len || !metric_is_label(s, *len))
		*len = 0;
	return s;
}

static bool has_label(const struct family *f, const char *s, size_t len)
{
	for (int i = 0; i < f->labels.n; i++)
		if (strlen(f->labels.v[i]) == len && !memcmp(f->labels.v[i], s, len))
			return true;
	return false;
}

static void add_labels(struct family *f)
{
	const struct metric_spec *spec = f->ag->metric;
	const char *list = spec && spec->labels ? spec->labels : f->page->m->labels;

	for (int i = 0; i < f->ag->ncols; i++) {
		size_t len;
		const char *s = nth_label(list, i, &len);

		if (!len)
			s = key_name(&f->ag->cols[i], &len);
		if (!len || has_label(f, s, len))
			vec_push(&f->labels, xasprintf("key%d", i));
		else
			vec_push(&f->labels, xasprintf("%.*s", (int)len, s));
	}
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static bool is_free(const struct page *p, enum kind kind, const char *name)
{
	bool free_name = true;

	for (size_t i = 0; i < ARRAY_SIZE(suffixes[kind]) && suffixes[kind][i]; i++) {
		char *line = xasprintf("%s%s", name, suffixes[kind][i]);

		free_name &= !hash_gets(&p->taken, line);
		free(line);
	}
	return free_name;
}

/* Takes the name, or where another family has it, that with a number. */
static char *take_name(struct page *p, enum kind kind, const char *base, const char *unit)
{
	char *name = NULL;

	for (int i = 1;; i++) {
		const char *end = unit ? unit : "";

		name = i == 1 ? xasprintf("%s%s%s", base, *end ? "_" : "", end)
			      : xasprintf("%s_%d%s%s", base, i, *end ? "_" : "", end);
		if (is_free(p, kind, name))
			break;
		free(name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(suffixes[kind]) && suffixes[kind][i]; i++) {
		char *line = xasprintf("%s%s", name, suffixes[kind][i]);

		hash_puts(&p->taken, line, p);
		free(line);
	}
	return name;
}

static char *family_name(struct page *p, const struct aggr *ag, enum kind kind)
{
	const struct metric_spec *spec = ag->metric;
	const char *unit = spec ? spec->unit : NULL;
	char *base = spec && spec->name	      ? xstrdup(spec->name)
		     : !strcmp(ag->name, "_") ? xasprintf(PREFIX "%s", ag->func->name)
					      : xasprintf(PREFIX "%s", ag->name),
	     *tail = unit ? xasprintf("_%s", unit) : xstrdup("_"), *name;

	if (kind == KIND_COUNTER && ends_with(base, "_total"))
		base[strlen(base) - strlen("_total")] = '\0';
	if (unit && ends_with(base, tail))
		base[strlen(base) - strlen(tail)] = '\0';
	name = take_name(p, kind, base, unit);
	free(tail);
	free(base);
	return name;
}

/* Text -------------------------------------------------------------------- */

/* A label's value or a help text. Characters that a terminal would take for commands, and bytes
 * that are not UTF-8, are U+FFFD. */
static void put_text(struct strbuf *out, const char *s, size_t len, bool quotes)
{
	while (len) {
		uint32_t c;
		size_t n = utf8_decode(s, len, &c);

		if (*s == '\n')
			sb_puts(out, "\\n");
		else if (*s == '\\' || (*s == '"' && quotes))
			sb_printf(out, "\\%c", *s);
		else if (!n || c < ' ' || (c >= 0x7f && c < 0xa0))
			sb_puts(out, "\xef\xbf\xbd");
		else
			sb_add(out, s, n);
		n = MAX(n, 1);
		s += n;
		len -= n;
	}
}

/* The shortest decimal that is read as the same double. */
static void put_double(struct strbuf *out, double d)
{
	char text[40];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			break;
	}
	sb_puts(out, text);
}

static void put_value(struct strbuf *out, int64_t v, int64_t scale)
{
	if (scale <= 1)
		sb_printf(out, "%" PRId64, v);
	else
		put_double(out, (double)((long double)v / scale));
}

/* OpenMetrics requires a point in whole numbers here. */
static void put_bound(const struct family *f, int64_t high)
{
	struct strbuf *out = f->page->out;
	size_t len = out->len;

	put_value(out, high, f->scale);
	if (f->page->m->openmetrics && !strpbrk(out->s + len, ".e"))
		sb_puts(out, ".0");
}

static void put_head(struct page *p, const char *name, enum kind kind, const char *help,
		     const char *unit)
{
	const char *end = kind == KIND_COUNTER && !p->m->openmetrics ? "_total" : "";

	sb_printf(p->out, "# HELP %s%s ", name, end);
	put_text(p->out, help, strlen(help), p->m->openmetrics);
	sb_printf(p->out, "\n# TYPE %s%s %s\n", name, end, kind_names[kind]);
	if (unit && p->m->openmetrics)
		sb_printf(p->out, "# UNIT %s %s\n", name, unit);
}

/* Rows -------------------------------------------------------------------- */

static void key_text(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out)
{
	if (type_base(v->type)->kind == T_STACK)
		value_frame_line(ctx, v, out);
	else
		value_word(ctx, v, out);
}

/* a="x",b="y" */
static void row_labels(struct family *f, const struct aggr_entry *e, struct strbuf *out)
{
	for (int i = 0; i < f->ag->ncols; i++) {
		const struct aggr_col *col = &f->ag->cols[i];
		struct value v = aggr_col_value(col, e->key);
		struct strbuf text = {0};

		key_text(&f->page->ctx, &v, &text);
		sb_printf(out, "%s%s=\"", i ? "," : "", f->labels.v[i]);
		put_text(out, sb_str(&text), text.len, true);
		sb_putc(out, '"');
		sb_free(&text);
	}
}

static int64_t *new_value(const struct aggr *ag)
{
	int64_t *v = xcalloc(aggr_words(ag), sizeof(*v));

	if (ag->func->init)
		ag->func->init(v, ag->params);
	return v;
}

static int64_t *row_value(struct family *f, const char *labels)
{
	void **at = hash_ref(&f->rows, labels, strlen(labels));

	if (!*at)
		*at = new_value(f->ag);
	return *at;
}

/* Has a row a number that its type excludes? */
static bool is_invalid(const struct family *f, const int64_t *v)
{
	bool bad = f->kind == KIND_COUNTER && v[0] < 0;

	for (int i = 0; f->kind == KIND_HISTOGRAM && i < f->ag->words; i++)
		bad |= v[i] < 0;
	return bad;
}

static void collect(struct family *f)
{
	struct strbuf labels = {0};

	for (size_t i = 0; i < f->ag->totals.n; i++) {
		const struct aggr_entry *e = f->ag->totals.entries[i].value;

		if (!e || aggr_total_empty(e))
			continue;
		labels.len = 0;
		row_labels(f, e, &labels);
		f->ag->func->merge(row_value(f, sb_str(&labels)), e->value, aggr_words(f->ag));
	}
	/* What has not happened yet has happened 0 times. */
	if (!f->ag->ncols && f->kind != KIND_GAUGE)
		row_value(f, "");
	sb_free(&labels);
}

static void put_line(struct family *f, const char *suffix, const char *labels)
{
	sb_printf(f->page->out, "%s%s%s%s%s ", f->name, suffix, *labels ? "{" : "", labels,
		  *labels ? "}" : "");
}

static int64_t bucket_high(const struct family *f, int bucket)
{
	int64_t low, high;

	f->ag->func->range(bucket, f->ag, &low, &high);
	return high;
}

/* Buckets of negative values are shown from the lowest that a row has. */
static void find_first(struct family *f)
{
	const struct aggr *ag = f->ag;
	int zero = 0;

	while (zero < ag->words - 1 && bucket_high(f, zero) < 0)
		zero++;
	f->first = zero;
	for (size_t r = 0; r < f->rows.n; r++)
		for (int i = 0; i < f->first; i++)
			if (((int64_t *)f->rows.entries[r].value)[i])
				f->first = i;
	f->negative = f->first < zero;
}

static void put_histogram(struct family *f, const char *labels, const int64_t *v)
{
	struct strbuf *out = f->page->out;
	const struct aggr *ag = f->ag;
	const struct metric_spec *spec = ag->metric;
	uint64_t total = 0;

	for (int i = 0; i < f->first; i++)
		total += v[i];
	for (int i = f->first; i < ag->words - 1; i++) {
		int64_t high = bucket_high(f, i);

		total += v[i];
		if (high == INT64_MAX ||
		    (spec && spec->has_range && (high < spec->low || high > spec->high)))
			continue;
		sb_printf(out, "%s_bucket{%s%sle=\"", f->name, labels, *labels ? "," : "");
		put_bound(f, high);
		sb_printf(out, "\"} %" PRIu64 "\n", total);
	}
	total += v[ag->words - 1];
	sb_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", f->name, labels,
		  *labels ? "," : "", total);
	if (f->negative || !ag->extra || v[ag->words] < 0)
		return;
	put_line(f, "_count", labels);
	sb_printf(out, "%" PRIu64 "\n", total);
	put_line(f, "_sum", labels);
	put_value(out, v[ag->words], f->scale);
	sb_putc(out, '\n');
}

/* By Newton, from above; libm would be a library for this alone. */
static long double square_root(long double x)
{
	long double root = MAX(x, 1), next;

	if (x <= 0)
		return 0;
	while ((next = (root + x / root) / 2) < root)
		root = next;
	return root;
}

/* The exact quotient, where printa() has whole numbers. */
static void put_gauge(struct family *f, const char *labels, const int64_t *v)
{
	struct strbuf *out = f->page->out;
	const struct aggfunc *func = f->ag->func;
	long double scale = MAX(f->scale, 1), avg;

	if (func->is_empty && func->is_empty(v) && !func->additive)
		return;
	put_line(f, "", labels);
	if (func->shows == AGGR_MEAN || func->shows == AGGR_DEVIATION) {
		avg = (long double)v[1] / v[0];
		if (func->shows == AGGR_DEVIATION) {
			unsigned __int128 squares =
			    (unsigned __int128)(uint64_t)v[3] << 64 | (uint64_t)v[2];

			avg = square_root((long double)squares / v[0] - avg * avg);
		}
		put_double(out, (double)(avg / scale));
	} else {
		put_value(out, v[0], func->shows == AGGR_COUNT ? 1 : f->scale);
	}
	sb_putc(out, '\n');
}

static void put_row(struct family *f, const char *labels, const int64_t *v)
{
	if (is_invalid(f, v)) {
		if (f->page->m->on_negative)
			f->page->m->on_negative(f->page->m->on_negative_arg, f->ag);
	} else if (f->kind == KIND_HISTOGRAM) {
		put_histogram(f, labels, v);
	} else if (f->kind == KIND_GAUGE) {
		put_gauge(f, labels, v);
	} else {
		put_line(f, "_total", labels);
		put_value(f->page->out, v[0], f->ag->func->shows == AGGR_COUNT ? 1 : f->scale);
		sb_putc(f->page->out, '\n');
	}
}

static void put_family(struct page *p, struct aggr *ag)
{
	const struct metric_spec *spec = ag->metric;
	struct family f = {.page = p, .ag = ag};
	char *help = spec && spec->help ? xstrdup(spec->help)
					: xasprintf("%s() of the aggregation @%s", ag->func->name,
						    strcmp(ag->name, "_") ? ag->name : "");

	f.kind = ag->func->bucket				? KIND_HISTOGRAM
		 : ag->func->additive && !(spec && spec->gauge) ? KIND_COUNTER
								: KIND_GAUGE;
	f.name = family_name(p, ag, f.kind);
	f.scale = spec ? spec->scale : 0;
	add_labels(&f);
	collect(&f);
	if (f.kind == KIND_HISTOGRAM)
		find_first(&f);
	put_head(p, f.name, f.kind, help, spec ? spec->unit : NULL);
	for (size_t i = 0; i < f.rows.n; i++) {
		put_row(&f, f.rows.entries[i].key, f.rows.entries[i].value);
		free(f.rows.entries[i].value);
	}
	hash_free(&f.rows);
	for (int i = 0; i < f.labels.n; i++)
		free(f.labels.v[i]);
	vec_free(&f.labels);
	free(f.name);
	free(help);
	ag->printed = true;
}

/* Of the tracer ----------------------------------------------------------- */

static void put_own(struct page *p, const struct metric_own *own)
{
	enum kind kind = own->gauge ? KIND_GAUGE : KIND_COUNTER;
	char *name = take_name(p, kind, own->name, NULL);

	put_head(p, name, kind, own->help, NULL);
	for (int i = 0; i < own->n; i++)
		sb_printf(p->out, "%s%s{%s=\"%s\"} %" PRIu64 "\n", name, own->gauge ? "" : "_total",
			  own->label, own->values[i], own->counts[i]);
	free(name);
}

static void put_tracer(struct page *p)
{
	/* OpenMetrics has a type for this, which readers of the older format refuse */
	char *info = take_name(p, KIND_GAUGE, "dt_info", NULL),
	     *start = take_name(p, KIND_GAUGE, "dt_start_time", "seconds");

	put_head(p, info, KIND_GAUGE, "Version of the tracer.", NULL);
	sb_printf(p->out, "%s{version=\"%s\"} 1\n", info, p->m->version);
	put_head(p, start, KIND_GAUGE, "When tracing began, in seconds since 1970.", "seconds");
	sb_printf(p->out, "%s %" PRIu64 ".%03" PRIu64 "\n", start, p->m->start_ns / 1000000000,
		  p->m->start_ns / 1000000 % 1000);
	for (int i = 0; i < p->m->n_own; i++)
		put_own(p, &p->m->own[i]);
	free(start);
	free(info);
}

const char *metrics_type(bool openmetrics)
{
	return openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
			   : "text/plain; version=0.0.4; charset=utf-8";
}

void metrics_write(struct strbuf *out, const struct metrics *m, struct fmt_ctx *ctx,
		   struct aggrs *as)
{
	struct page p = {.out = out, .m = m, .ctx = *ctx};

	p.ctx.escape = ESCAPE_NONE;
	put_tracer(&p);
	for (int i = 0; i < as->v.n; i++)
		put_family(&p, as->v.v[i]);
	if (m->openmetrics)
		sb_puts(out, "# EOF\n");
	hash_free(&p.taken);
}
