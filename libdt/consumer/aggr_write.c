/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations for programs to read. */
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr.h"
#include "libdt/consumer/writer.h"

static void put_buckets(struct writer *w, const char *key, const int64_t *v, const struct aggr *ag)
{
	int64_t low, high;
	char label[48];

	writer_array(w, key);
	for (int i = 0; i < ag->words; i++) {
		if (!v[i])
			continue;
		writer_object(w, NULL);
		writer_int(w, "value", ag->func->bucket(i, ag));
		ag->func->label(label, sizeof(label), i, ag);
		if (strchr("<>a", *label)) /* "< 0", "abs() < 1": no single number */
			writer_string(w, "range", label);
		ag->func->range(i, ag, &low, &high);
		writer_int(w, "low", low);
		writer_int(w, "high", high);
		writer_int(w, "count", aggr_quotient(v[i], ag->normal));
		writer_end(w);
	}
	writer_end(w);
}

static void put_result(struct writer *w, const int64_t *v, const struct aggr *ag)
{
	if (ag->func->scalar)
		writer_int(w, "value", ag->func->scalar(v, ag));
	else
		put_buckets(w, "buckets", v, ag);
}

static void put_cpus(struct writer *w, const struct aggr_entry *e)
{
	writer_array(w, "cpus");
	for (int cpu = 0; cpu < e->ncpus; cpu++) {
		if (!e->cpus[cpu])
			continue;
		writer_object(w, NULL);
		writer_int(w, "cpu", cpu);
		put_result(w, e->cpus[cpu], e->ag);
		writer_end(w);
	}
	writer_end(w);
}

static void put_row(struct writer *w, struct fmt_ctx *ctx, const struct aggr_entry *e)
{
	writer_object(w, NULL);
	writer_array(w, "keys");
	for (int i = 0; i < e->ag->ncols; i++) {
		const struct aggr_col *col = &e->ag->cols[i];
		struct value v = aggr_col_value(col, e->key);

		writer_value(w, NULL, ctx, &v);
	}
	writer_end(w);
	put_result(w, e->value, e->ag);
	if (e->cpus)
		put_cpus(w, e);
	writer_end(w);
}

/* Of what the keys are: expressions, or null for constants. */
static void put_columns(struct writer *w, const struct aggr *ag)
{
	writer_array(w, "columns");
	for (int i = 0; i < ag->ncols; i++) {
		struct loc name = ag->cols[i].name;

		if (name.src && name.len)
			writer_text(w, NULL, name.src->text + name.off, name.len);
		else
			writer_null(w, NULL);
	}
	writer_end(w);
}

/* The rows of all aggregations of a printa() are in one order, that of their joined keys. */
static void put_members(struct writer *w, struct fmt_ctx *ctx, struct aggr *ag,
			struct aggr_entry *const *rows, int count, int step)
{
	writer_string(w, "name", ag->name);
	writer_string(w, "function", ag->func->name);
	put_columns(w, ag);
	writer_uint(w, "clears", ag->clears);
	if (ag->sampled > 1)
		writer_uint(w, "sampled", ag->sampled);
	writer_array(w, "rows");
	for (int r = 0; r < count; r++)
		if (rows[(size_t)r * step])
			put_row(w, ctx, rows[(size_t)r * step]);
	writer_end(w);
	ag->printed |= count != 0;
}

void writer_aggregation(struct writer *w, struct fmt_ctx *ctx, struct aggr *ag,
			const struct aggr_sort *sort)
{
	struct aggr_entry **rows;
	int count = aggr_rows(&ag, 1, sort, &rows);

	put_members(w, ctx, ag, rows, count, 1);
	free(rows);
}

void writer_aggregations(struct writer *w, struct fmt_ctx *ctx, struct aggr *const *ags, int n,
			 const struct aggr_sort *sort)
{
	struct aggr_entry **rows;
	int count = aggr_rows(ags, n, sort, &rows);

	writer_array(w, "aggregations");
	for (int i = 0; i < n; i++) {
		writer_object(w, NULL);
		put_members(w, ctx, ags[i], rows + i, count, n);
		writer_end(w);
	}
	writer_end(w);
	free(rows);
}
