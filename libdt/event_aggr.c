/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations as the API has them: rows with typed keys, results and buckets with bounds. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/event.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/symbols/usym.h"

static struct dt_aggregation *describe(struct arena *a, const struct aggr *ag)
{
	struct dt_aggregation *to = arena_alloc(a, sizeof(*to));

	*to = (struct dt_aggregation){
	    .size = sizeof(*to),
	    .name = ag->name,
	    .function = ag->func->name,
	    .is_distribution = ag->func->bucket != NULL,
	    .params = ag->params,
	    .nparams = ag->func->nparams,
	    .nkeys = ag->ncols,
	    .normal = ag->normal,
	    .printed = ag->printed,
	    .sampled = MAX(ag->sampled, 1),
	};
	return to;
}

static void put_buckets(struct arena *a, struct dt_row *row, const int64_t *v,
			const struct aggr *ag)
{
	struct dt_bucket *buckets;
	int n = 0;

	for (int i = 0; i < ag->words; i++)
		n += v[i] != 0;
	buckets = arena_alloc(a, n * sizeof(*buckets));
	row->buckets = buckets;
	for (int i = 0; i < ag->words; i++) {
		struct dt_bucket *b = &buckets[row->nbuckets];

		if (!v[i])
			continue;
		ag->func->range(i, ag, &b->low, &b->high);
		b->count = aggr_quotient(v[i], ag->normal);
		row->value = (int64_t)((uint64_t)row->value + (uint64_t)v[i]);
		row->nbuckets++;
	}
	row->value = aggr_quotient(row->value, ag->normal);
}

static struct dt_row *make_row(struct dt *dt, struct arena *a, const struct dt_aggregation *of,
			       const struct aggr_entry *e)
{
	const struct aggr *ag = e->ag;
	struct dt_row *row = arena_alloc(a, sizeof(*row));
	const struct dt_value **keys = arena_alloc(a, ag->ncols * sizeof(*keys));

	row->size = sizeof(*row);
	row->aggregation = of;
	row->keys = keys;
	for (int i = 0; i < ag->ncols; i++) {
		struct value v = aggr_col_value(&ag->cols[i], e->key);

		keys[i] = event_value(dt, a, &v, event_name(a, ag->cols[i].name));
	}
	row->raw = e->value;
	row->nraw = ag->words;
	if (ag->func->scalar)
		row->value = ag->func->scalar(e->value, ag);
	else
		put_buckets(a, row, e->value, ag);
	return row;
}

const struct dt_row *const *event_rows(struct dt *dt, struct arena *a, struct aggr *const *ags,
				       int nags, int *n)
{
	struct aggr_sort sort = consume_sort(dt->consume);
	const struct dt_aggregation **of = arena_alloc(a, nags * sizeof(*of));
	struct aggr_entry **entries;
	int count = aggr_rows(ags, nags, &sort, &entries);
	const struct dt_row **rows = arena_alloc(a, (size_t)count * nags * sizeof(*rows));

	*n = 0;
	for (int i = 0; i < nags; i++)
		of[i] = describe(a, ags[i]);
	for (int i = 0; i < count * nags; i++)
		if (entries[i])
			rows[(*n)++] = make_row(dt, a, of[i % nags], entries[i]);
	free(entries);
	return rows;
}

/* Rows are made one at a time: there may be millions. */
static int walk(struct dt *dt, struct aggr *ag, int (*fn)(void *arg, const struct dt_row *row),
		void *arg)
{
	struct arena *a = arena_new(), *keep = arena_new();
	struct aggr_sort sort = consume_sort(dt->consume);
	const struct dt_aggregation *of = describe(keep, ag);
	struct aggr_entry **entries;
	int n = aggr_rows(&ag, 1, &sort, &entries), stop = 0;

	for (int i = 0; i < n && !stop; i++) {
		arena_reset(a);
		stop = fn(arg, make_row(dt, a, of, entries[i]));
	}
	free(entries);
	arena_free(a);
	arena_free(keep);
	return stop;
}

int dt_aggregations(struct dt *dt, int (*fn)(void *arg, const struct dt_row *row), void *arg)
{
	int err = dt->going ? aggrs_snapshot(dt->aggrs) : -EINVAL, stop = 0;

	if (err)
		return report_error(dt, "failed to read aggregations: %s",
				    dt->going ? strerror(-err) : "tracing has not begun");
	usyms_when(dt->usyms, 0);
	for (int i = 0; i < dt->aggrs->v.n && !stop; i++)
		stop = walk(dt, dt->aggrs->v.v[i], fn, arg);
	return 0;
}
