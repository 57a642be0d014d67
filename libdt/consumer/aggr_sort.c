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

struct order {
	struct aggr *const *ags;
	int64_t *none; /* for keys that an aggregation has not */
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

static int compare_ints(const struct aggr_col *col, const uint8_t *a, const uint8_t *b)
{
	struct value va = {.type = col->type, .data = a, .size = col->size};
	struct value vb = {.type = col->type, .data = b, .size = col->size};
	int64_t x = value_int(&va), y = value_int(&vb);

	if (type_is_signed(col->type))
		return x < y ? -1 : x > y;
	return (uint64_t)x < (uint64_t)y ? -1 : (uint64_t)x > (uint64_t)y;
}

/* Addresses, one after another, as numbers. */
static int compare_words(const struct aggr_col *col, const uint8_t *a, const uint8_t *b)
{
	for (uint32_t off = 0; off + 8 <= col->size; off += 8) {
		uint64_t x, y;

		memcpy(&x, a + off, 8);
		memcpy(&y, b + off, 8);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static int compare_col(const struct aggr_col *col, const uint8_t *a, const uint8_t *b)
{
	const struct type *t = type_base(col->type);

	a += col->off;
	b += col->off;
	switch (t->kind) {
	case T_INT:
	case T_ENUM:
	case T_PTR:
		return col->size <= 8 ? compare_ints(col, a, b) : memcmp(a, b, col->size);
	case T_STRING:
		return strncmp((const char *)a, (const char *)b, col->size);
	case T_SYMADDR:
	case T_USYMADDR:
	case T_STACK:
		return compare_words(col, a, b);
	default:
		return memcmp(a, b, col->size);
	}
}

static int compare_keys(const struct order *o, struct aggr_entry *const *a,
			struct aggr_entry *const *b)
{
	const struct aggr_entry *x = any_entry(a, o->n), *y = any_entry(b, o->n);
	const struct aggr *ag = x->ag;
	int start = o->keypos > 0 && o->keypos < ag->ncols ? o->keypos : 0;

	for (int i = 0; i < ag->ncols; i++) {
		int at = (start + i) % ag->ncols;
		int diff = compare_col(&ag->cols[at], x->key, y->key);

		if (diff)
			return diff;
	}
	return memcmp(x->key, y->key, ag->key_size);
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

static void sort_rows(struct aggr *const *ags, int n, const struct aggr_sort *sort,
		      struct aggr_entry **rows, size_t count)
{
	struct order o = {
	    .ags = ags,
	    .none = aggr_none(ags, n),
	    .n = n,
	    .pos = sort->pos > 0 && sort->pos < n ? sort->pos : 0,
	    .keypos = sort->keypos,
	    .sort = sort,
	};

	qsort_r(rows, count, n * sizeof(*rows), compare_rows, &o);
	free(o.none);
}

/* Puts the entries of one aggregation into the rows of their keys. index: key -> row number plus
 * one. */
static size_t join(struct aggr *ag, int at, int n, struct hash *index, struct aggr_entry **rows,
		   size_t count)
{
	for (size_t i = 0; i < ag->totals.n; i++) {
		struct aggr_entry *e = ag->totals.entries[i].value;
		void **row;

		if (!e)
			continue;
		row = hash_ref(index, e->key, ag->key_size);
		if (!*row)
			*row = (void *)(uintptr_t)++count;
		rows[((uintptr_t)*row - 1) * n + at] = e;
	}
	return count;
}

int aggr_rows(struct aggr *const *ags, int n, const struct aggr_sort *sort,
	      struct aggr_entry ***out)
{
	struct aggr_entry **rows;
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
			count = join(ags[i], i, n, &index, rows, count);
		hash_free(&index);
	}
	if (count > 1)
		sort_rows(ags, n, sort, rows, count);
	return (int)count;
}
