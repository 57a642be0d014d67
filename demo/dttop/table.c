/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "demo/dttop/table.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct table *table;
	struct group *groups;
	int n, capacity;
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

static void forget(struct group *groups, int n)
{
	for (int i = 0; i < n; i++)
		free(groups[i].key);
	free(groups);
}

void table_free(struct table *t)
{
	forget(t->groups, t->ngroups);
	for (int i = 0; i < t->depth; i++)
		free(t->chosen[i]);
	for (int i = 0; i < t->nnames; i++)
		free(t->names[i]);
}

/* Rows -------------------------------------------------------------------- */

/* A stack has a line for each frame: in one line, the innermost first. */
static char *key_text(const struct dt_row *row, int n)
{
	const char *from = n < row->aggregation->nkeys ? row->keys[n]->text : "(all)";
	char *text = must(strdup(from)), *to = text;

	from += strspn(from, " \n");
	while (*from) {
		size_t len = strcspn(from, "\n");

		memmove(to, from, len);
		to += len;
		from += len + strspn(from + len, " \n");
		if (*from)
			*to++ = ' ';
	}
	*to = '\0';
	return text;
}

static bool is_chosen(const struct table *t, const struct dt_row *row)
{
	bool same = true;

	for (int i = 0; i < t->depth && same; i++) {
		char *key = key_text(row, i);

		same = !strcmp(key, t->chosen[i]);
		free(key);
	}
	return same;
}

static int find_name(struct table *t, const char *name)
{
	for (int i = 0; i < t->nnames; i++)
		if (!strcmp(t->names[i], name))
			return i;
	if (t->nnames == NAMES_MAX)
		return -1;
	t->names[t->nnames] = must(strdup(name));
	return t->nnames++;
}

static int take_row(void *arg, const struct dt_row *row)
{
	struct reading *r = arg;
	struct table *t = r->table;
	const struct dt_aggregation *agg = row->aggregation;
	struct group g = {.value = row->value, .count = 1};

	if (find_name(t, agg->name) != t->which)
		return 0;
	strncpy(t->function, agg->function, sizeof(t->function) - 1);
	t->nkeys = agg->nkeys < KEYS_MAX ? agg->nkeys : KEYS_MAX;
	if (!is_chosen(t, row))
		return 0;
	g.key = key_text(row, t->depth);
	if (!strcmp(agg->function, "avg") && row->nraw > 1)
		g.count = row->raw[0];
	if (r->n == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 64;
		r->groups = must(realloc(r->groups, r->capacity * sizeof(g)));
	}
	r->groups[r->n++] = g;
	return 0;
}

/* Groups ------------------------------------------------------------------ */

bool table_adds(const struct table *t)
{
	static const char *const others[] = {"avg", "min", "max", "stddev"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(t->function, others[i]))
			return false;
	return true;
}

/* Standard deviations cannot be combined: the largest stands for all. */
static void combine(const struct table *t, struct group *to, const struct group *from)
{
	int64_t count = to->count + from->count;

	if (table_adds(t))
		to->value += from->value;
	else if (!strcmp(t->function, "avg"))
		to->value =
		    count ? ((double)to->value * to->count + (double)from->value * from->count) /
				count
			  : 0;
	else if ((from->value < to->value) == !strcmp(t->function, "min"))
		to->value = from->value;
	to->count = count;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct group *)a)->key, ((const struct group *)b)->key);
}

static void sort_by_key(struct group *groups, int n)
{
	if (n)
		qsort(groups, n, sizeof(*groups), by_key);
}

static void join(const struct table *t, struct reading *r)
{
	int n = 0;

	sort_by_key(r->groups, r->n);
	for (int i = 0; i < r->n; i++) {
		if (n && !strcmp(r->groups[n - 1].key, r->groups[i].key)) {
			combine(t, &r->groups[n - 1], &r->groups[i]);
			free(r->groups[i].key);
		} else {
			r->groups[n++] = r->groups[i];
		}
	}
	r->n = n;
}

/* Compares with the reading before it. A value that fell was cleared, and began anew. */
static void update(const struct table *t, struct group *g, const struct group *was, double passed)
{
	int64_t before = was ? was->value : 0;

	if (was)
		memcpy(g->history, was->history + 1, (HISTORY - 1) * sizeof(*g->history));
	if (passed > 0)
		g->rate = (g->value - (g->value < before ? 0 : before)) / passed;
	g->history[HISTORY - 1] = table_adds(t) ? g->rate : g->value;
}

int table_read(struct table *t, struct dt *dt, double now)
{
	struct reading r = {.table = t};
	int rc = dt_aggregations(dt, take_row, &r);

	join(t, &r);
	sort_by_key(t->groups, t->ngroups);
	for (int i = 0, old = 0; i < r.n; i++) {
		while (old < t->ngroups && strcmp(t->groups[old].key, r.groups[i].key) < 0)
			old++;
		update(t, &r.groups[i],
		       old < t->ngroups && !strcmp(t->groups[old].key, r.groups[i].key)
			   ? &t->groups[old]
			   : NULL,
		       t->last ? now - t->last : 0);
	}
	forget(t->groups, t->ngroups);
	t->groups = r.groups;
	t->ngroups = r.n;
	t->last = now;
	table_sort(t);
	return rc;
}

static int compare(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_value(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = (x->value < y->value) - (x->value > y->value);

	return order ? order : by_key(a, b);
}

static int by_rate(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = compare(x->rate, y->rate);

	return order ? order : by_value(a, b);
}

void table_sort(struct table *t)
{
	static int (*const orders[])(const void *a, const void *b) = {
	    [ORDER_KEY] = by_key, [ORDER_VALUE] = by_value, [ORDER_RATE] = by_rate};
	int n = t->ngroups;

	if (n)
		qsort(t->groups, n, sizeof(*t->groups), orders[t->order]);
	for (int i = 0; t->reverse && i < n / 2; i++) {
		struct group g = t->groups[i];

		t->groups[i] = t->groups[n - 1 - i];
		t->groups[n - 1 - i] = g;
	}
}

/* Views ------------------------------------------------------------------- */

static void clear(struct table *t)
{
	forget(t->groups, t->ngroups);
	t->groups = NULL;
	t->ngroups = 0;
	t->last = 0;
}

void table_enter(struct table *t, int group)
{
	if (group >= t->ngroups || t->depth + 1 >= t->nkeys)
		return;
	t->chosen[t->depth++] = must(strdup(t->groups[group].key));
	clear(t);
}

void table_leave(struct table *t)
{
	if (!t->depth)
		return;
	free(t->chosen[--t->depth]);
	clear(t);
}

void table_next(struct table *t)
{
	while (t->depth)
		table_leave(t);
	if (t->nnames)
		t->which = (t->which + 1) % t->nnames;
	*t->function = '\0';
	clear(t);
}
