/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x oformat=csv: aggregations as tables for spreadsheets. A line is a key and its values, or one
 * bucket of its distribution; the first column is the time, so that what a tick prints again and
 * again is one table. A table with other columns than the one before has a head of its own, after
 * an empty line. Firings are none of it: they have no columns in common.
 */
#include "libdt/consumer/consume.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr.h"
#include "libdt/consumer/aggr_key.h"

/* One table. A comma follows each cell; the last one becomes the line's end. */
struct table {
	struct consume *c;
	struct aggr *const *ags;
	int n;
	char time[WRITER_DATE];
	enum escape escape; /* of texts among the keys */
	struct strbuf line;
};

static void put_cell(struct strbuf *line, const char *s)
{
	bool quoted = s[strcspn(s, ",\"\r\n")];

	if (quoted)
		sb_putc(line, '"');
	for (; *s; s++) {
		if (*s == '"')
			sb_putc(line, '"');
		sb_putc(line, *s);
	}
	sb_puts(line, quoted ? "\"," : ",");
}

static void put_number(struct strbuf *line, int64_t n)
{
	sb_printf(line, "%" PRId64 ",", n);
}

static void end_line(struct table *t)
{
	t->line.s[t->line.len - 1] = '\n';
	fwrite(t->line.s, 1, t->line.len, t->c->sink);
	t->line.len = 0;
}

/* Else it is a table of buckets, and of one aggregation. */
static bool is_number(const struct aggr *ag)
{
	return ag->func->scalar;
}

/* The head ---------------------------------------------------------------- */

static void put_key_name(struct strbuf *line, const struct aggr_col *col, int i)
{
	char *name = col->name.src && col->name.len ? xasprintf("%.*s", (int)col->name.len,
								col->name.src->text + col->name.off)
						    : xasprintf("key%d", i + 1);

	put_cell(line, name);
	free(name);
}

static const char *value_name(const struct aggr *ag)
{
	if (strcmp(ag->name, "_"))
		return ag->name;
	return is_number(ag) ? ag->func->name : "count";
}

static void put_head(struct table *t)
{
	struct strbuf *line = &t->line;

	put_cell(line, "time");
	for (int i = 0; i < t->ags[0]->ncols; i++)
		put_key_name(line, &t->ags[0]->cols[i], i);
	if (t->c->aggrs->percpu)
		put_cell(line, "cpu");
	if (!is_number(t->ags[0])) {
		put_cell(line, "low");
		put_cell(line, "high");
	}
	for (int i = 0; i < t->n; i++)
		put_cell(line, value_name(t->ags[i]));
}

/* Unless the table that was printed last goes on. */
static void begin_table(struct table *t)
{
	struct consume_file *file = t->c->file;
	struct strbuf *last = &file->columns;

	put_head(t);
	if (!file->begun || t->line.len != last->len || memcmp(t->line.s, last->s, last->len)) {
		last->len = 0;
		sb_add(last, t->line.s, t->line.len);
		if (file->begun)
			putc('\n', t->c->sink);
		end_line(t);
	}
	file->begun = true;
	t->line.len = 0;
}

/* Rows -------------------------------------------------------------------- */

static void put_key(struct table *t, const struct aggr_entry *e, int i)
{
	int64_t number;
	struct value v = aggr_key_value(t->ags[0], e, i, &number);
	struct fmt_ctx ctx = t->c->fmt;
	struct strbuf text = {0};

	ctx.escape = t->escape;
	if (type_base(v.type)->kind == T_STACK)
		value_frame_line(&t->c->fmt, &v, &text); /* one cell */
	else
		value_word(&ctx, &v, &text);
	put_cell(&t->line, sb_str(&text));
	sb_free(&text);
}

static void begin_row(struct table *t, const struct aggr_entry *e, int cpu)
{
	put_cell(&t->line, t->time);
	for (int i = 0; i < e->ag->ncols; i++)
		put_key(t, e, i);
	if (cpu >= 0)
		put_number(&t->line, cpu);
	else if (t->c->aggrs->percpu)
		put_cell(&t->line, "");
}

/* An end of the values' range itself is none of the bucket's. */
static void put_end(struct strbuf *line, int64_t v)
{
	if (v == INT64_MIN || v == INT64_MAX)
		put_cell(line, "");
	else
		put_number(line, v);
}

/* From the first bucket that has something to the last, so that they can be drawn. */
static void put_buckets(struct table *t, const struct aggr_entry *e, const int64_t *v, int cpu)
{
	const struct aggr *ag = e->ag;
	int64_t low, high;
	int last = ag->words - 1, i = 0;

	while (last > 0 && !v[last])
		last--;
	while (i < last && !v[i])
		i++;
	for (; i <= last; i++) {
		begin_row(t, e, cpu);
		ag->func->range(i, ag, &low, &high);
		put_end(&t->line, low);
		put_end(&t->line, high);
		put_number(&t->line, aggr_quotient(v[i], ag->normal));
		end_line(t);
	}
}

/* cpu < 0: of all together. NULL: it has none there. */
static const int64_t *value_at(const struct aggr_entry *e, int cpu)
{
	if (!e || cpu < 0)
		return e ? e->value : NULL;
	return cpu < e->ncpus ? e->cpus[cpu] : NULL;
}

/* Keys that are joined may be missing from some of the aggregations. */
static void put_row(struct table *t, struct aggr_entry *const *row, int cpu)
{
	const struct aggr_entry *e = NULL;

	for (int i = 0; i < t->n && !e; i++)
		e = value_at(row[i], cpu) ? row[i] : NULL;
	if (!e)
		return;
	if (!is_number(t->ags[0])) {
		put_buckets(t, e, value_at(e, cpu), cpu);
		return;
	}
	begin_row(t, e, cpu);
	for (int i = 0; i < t->n; i++) {
		const int64_t *v = value_at(row[i], cpu);

		if (v)
			put_number(&t->line, t->ags[i]->func->scalar(v, t->ags[i]));
		else
			put_cell(&t->line, "");
	}
	end_line(t);
}

static void put_table(struct consume *c, struct aggr *const *ags, int n,
		      const struct aggr_sort *sort)
{
	struct table t = {
	    .c = c,
	    .ags = ags,
	    .n = n,
	    .escape = fmt_escape(c->sink, opt_on(c->opts, OPT_RAWBYTES)),
	};
	struct aggr_entry **rows;
	int count = aggr_rows(ags, n, sort, &rows);

	consume_date(c, c->aggrs->snapshot_ns, t.time);
	if (t.time[0]) { /* without what spreadsheets do not take for a part of a date */
		t.time[10] = ' ';
		t.time[23] = '\0';
	}
	if (count)
		begin_table(&t);
	for (int r = 0; r < count; r++)
		for (int cpu = -1; cpu < (c->aggrs->percpu ? c->aggrs->ncpus : 0); cpu++)
			put_row(&t, rows + (size_t)r * n, cpu);
	for (int i = 0; i < n && count; i++)
		ags[i]->printed = true;
	free(rows);
	sb_free(&t.line);
}

/* Numbers stand side by side; distributions cannot. */
int consume_csv(struct consume *c, struct aggr *const *ags, int n)
{
	struct aggr_sort sort = consume_sort(c);
	bool joined = true;

	for (int i = 0; i < n; i++)
		joined &= is_number(ags[i]);
	if (joined)
		put_table(c, ags, n, &sort);
	for (int i = 0; i < n && !joined; i++)
		put_table(c, &ags[i], 1, &sort);
	return fmt_error(c->sink);
}
