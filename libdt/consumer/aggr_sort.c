/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of rows. By value, then by key, or with aggsortkey the other way round; both wrap:
 * aggsortpos and aggsortkeypos say which value and which column come first, and those after them
 * break ties, then those before. Rows of several aggregations are joined by key; where one has no
 * such key it counts as no event.
 */
#include "libdt/consumer/aggr.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr_key.h"

struct order {
	struct aggr *const *ags;
	int64_t *none; /* for keys that an aggregation has not */
	const bool *addresses;
	int n, pos, keypos;
	const struct aggr_sort *sort;
};

static struct aggr_entry *any_entry(struct aggr_entry *const *row, int n)
{
	for (int i = 0; i < n; i++)
		if (row[i])
			return row[i];
	return NULL;
}

/* Keys that differ without an effect on their values have an order too. */
static int compare_keys(const struct order *o, struct aggr_entry *const *a,
			struct aggr_entry *const *b)
{
	const struct aggr_entry *x = any_entry(a, o->n), *y = any_entry(b, o->n);
	int first = o->keypos > 0 && o->keypos < x->ag->ncols ? o->keypos : 0;
	int diff = aggr_key_compare(o->addresses, first, x, y);

	if (diff)
		return diff;
	if (x->ag != y->ag)
		return x->ag->id < y->ag->id ? -1 : 1;
	return memcmp(x->key, y->key, x->ag->key_size);
}

static int compare_values(const struct order *o, struct aggr_entry *const *a,
			  struct aggr_entry *const *b)
{
	for (int i = 0; i < o->n; i++) {
		int at = (o->pos + i) % o->n;
		const struct aggr *ag = o->ags[at];
		int diff = ag->func->compare(a[at] ? a[at]->value : o->none,
					     b[at] ? b[at]->value : o->none, ag);

		if (diff)
			return diff;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct order *o = arg;
	int diff = o->sort->key ? compare_keys(o, a, b) : compare_values(o, a, b);

	if (!diff)
		diff = o->sort->key ? compare_values(o, a, b) : compare_keys(o, a, b);
	return o->sort->rev ? -diff : diff;
}

static void sort_rows(struct aggr *const *ags, int n, const bool *addresses,
		      const struct aggr_sort *sort, struct aggr_entry **rows, size_t count)
{
	struct order o = {
	    .ags = ags,
	    .none = aggr_none(ags, n),
	    .addresses = addresses,
	    .n = n,
	    .pos = sort->pos > 0 && sort->pos < n ? sort->pos : 0,
	    .keypos = sort->keypos,
	    .sort = sort,
	};

	qsort_r(rows, count, n * sizeof(*rows), compare_rows, &o);
	free(o.none);
}

/* Puts the entries of one aggregation into the rows of their keys. index: key -> row number plus
 * one. A row has one entry of it, even if a recording has keys that differ in unused bytes only. */
static size_t join(struct aggr *ag, int at, int n, const bool *addresses, struct hash *index,
		   struct aggr_entry **rows, size_t count)
{
	struct strbuf key = {0};

	for (size_t i = 0; i < ag->totals.n; i++) {
		struct aggr_entry *e = ag->totals.entries[i].value;
		void **row;

		if (!e)
			continue;
		key.len = 0;
		aggr_key_add(addresses, e, &key);
		row = hash_ref(index, sb_str(&key), key.len);
		if (!*row || rows[((uintptr_t)*row - 1) * n + at])
			*row = (void *)(uintptr_t)++count;
		rows[((uintptr_t)*row - 1) * n + at] = e;
	}
	sb_free(&key);
	return count;
}

int aggr_rows(struct aggr *const *ags, int n, const struct aggr_sort *sort,
	      struct aggr_entry ***out)
{
	struct aggr_entry **rows;
	bool *addresses = aggr_addresses(ags, n);
	struct hash index = {0};
	size_t most = 0, count = 0;

	for (int i = 0; i < n; i++)
		most += ags[i]->totals.live;
	*out = rows = xcalloc(most * n, sizeof(*rows));
	if (n == 1) {
		for (size_t i = 0; i < ags[0]->totals.n; i++)
			if (ags[0]->totals.entries[i].value)
				rows[count++] = ags[0]->totals.entries[i].value;
	} else {
		for (int i = 0; i < n; i++)
			count = join(ags[i], i, n, addresses, &index, rows, count);
		hash_free(&index);
	}
	if (count > 1)
		sort_rows(ags, n, addresses, sort, rows, count);
	free(addresses);
	return (int)count;
}
