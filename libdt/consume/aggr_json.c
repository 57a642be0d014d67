/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations as JSON. */
#include <stdlib.h>
#include <string.h>

#include "libdt/builtin/agg.h"
#include "libdt/consume/aggr.h"
#include "libdt/consume/json.h"

static void put_buckets(struct json *j, const char *key, const int64_t *v, const struct aggr *ag)
{
	char label[48];

	json_open(j, key, '[');
	for (int i = 0; i < ag->words; i++) {
		if (!v[i])
			continue;
		json_open(j, NULL, '{');
		json_int(j, "value", ag->func->bucket(i, ag));
		ag->func->label(label, sizeof(label), i, ag);
		if (strchr("<>a", *label)) /* "< 0", "abs() < 1": no single number */
			json_string(j, "range", label);
		json_int(j, "count", agg_normal(v[i], ag->normal));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_result(struct json *j, const int64_t *v, const struct aggr *ag)
{
	if (ag->func->scalar)
		json_int(j, "value", ag->func->scalar(v, ag));
	else
		put_buckets(j, "buckets", v, ag);
}

static void put_cpus(struct json *j, const struct aggr_entry *e)
{
	json_open(j, "cpus", '[');
	for (int cpu = 0; cpu < e->ncpus; cpu++) {
		if (!e->cpus[cpu])
			continue;
		json_open(j, NULL, '{');
		json_int(j, "cpu", cpu);
		put_result(j, e->cpus[cpu], e->ag);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_row(struct json *j, struct fmt_ctx *ctx, const struct aggr_entry *e)
{
	json_open(j, NULL, '{');
	json_open(j, "keys", '[');
	for (int i = 0; i < e->ag->ncols; i++) {
		const struct aggr_col *col = &e->ag->cols[i];
		struct value v = {.type = col->type, .data = e->key + col->off, .size = col->size};

		json_value(j, NULL, ctx, &v);
	}
	json_close(j, ']');
	put_result(j, e->value, e->ag);
	if (e->cpus)
		put_cpus(j, e);
	json_close(j, '}');
}

/* The rows of all aggregations of a printa() are in one order, that of their joined keys. */
static void put_members(struct json *j, struct fmt_ctx *ctx, struct aggr *ag, struct aggr_entry *const *rows, int count, int step)
{
	json_string(j, "name", ag->name);
	json_string(j, "function", ag->func->name);
	json_open(j, "rows", '[');
	for (int r = 0; r < count; r++)
		if (rows[(size_t)r * step])
			put_row(j, ctx, rows[(size_t)r * step]);
	json_close(j, ']');
	ag->printed |= count != 0;
}

void json_aggregation(struct json *j, struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort)
{
	struct aggr_entry **rows;
	int count = aggr_rows(&ag, 1, sort, &rows);

	put_members(j, ctx, ag, rows, count, 1);
	free(rows);
}

void json_aggregations(struct json *j, struct fmt_ctx *ctx, struct aggr *const *ags, int n, const struct aggr_sort *sort)
{
	struct aggr_entry **rows;
	int count = aggr_rows(ags, n, sort, &rows);

	json_open(j, "aggregations", '[');
	for (int i = 0; i < n; i++) {
		json_open(j, NULL, '{');
		put_members(j, ctx, ags[i], rows + i, count, n);
		json_close(j, '}');
	}
	json_close(j, ']');
	free(rows);
}
