/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals of aggregations: what snapshots merge into, and what clear(), trunc() and
 * normalize() do to it. */
#include "libdt/consumer/aggr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/image/metric.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"

struct aggrs *aggrs_new(int ncpus)
{
	struct aggrs *as = xcalloc(1, sizeof(*as));

	as->ncpus = ncpus;
	return as;
}

static void entry_free(struct aggr_entry *e)
{
	for (int i = 0; e && i < e->ncpus; i++)
		free(e->cpus[i]);
	if (e)
		free(e->cpus);
	free(e);
}

void aggrs_free(struct aggrs *as)
{
	if (!as)
		return;
	for (int i = 0; i < as->v.n; i++) {
		struct aggr *ag = as->v.v[i];

		for (size_t j = 0; j < ag->totals.n; j++)
			entry_free(ag->totals.entries[j].value);
		hash_free(&ag->totals);
		free((char *)ag->name);
		free(ag->cols);
		free(ag);
	}
	vec_free(&as->v);
	free(as);
}

struct aggr *aggr_add(struct aggrs *as, const struct aggr_desc *d)
{
	const struct aggfunc *func = d->func;
	struct aggr *ag = xcalloc(1, sizeof(*ag));

	memcpy(ag->params, d->params, sizeof(ag->params));
	ag->words = func->words(ag->params);
	if (ag->words <= 0) {
		free(ag);
		return NULL;
	}
	ag->extra = as->metrics && func->bucket;
	ag->metric = d->metric;
	ag->cumulative =
	    as->metrics && (func->bucket || func->additive) && !(d->metric && d->metric->gauge);
	ag->name = xstrdup(d->name);
	ag->id = as->v.n;
	ag->func = func;
	ag->cols = xcalloc(d->ncols, sizeof(*d->cols));
	if (d->ncols)
		memcpy(ag->cols, d->cols, d->ncols * sizeof(*d->cols));
	ag->ncols = d->ncols;
	ag->key_size = d->key_size;
	ag->normal = 1;
	vec_push(&as->v, ag);
	return ag;
}

/* A total has a word more: 1 while it has no event, if the function's value of none is not 0. Its
 * other words are 0 then, which is printed; any number may be of an event (min() of INT64_MAX). */
static size_t total_bytes(const struct aggr *ag)
{
	return (aggr_words(ag) + 1) * sizeof(int64_t);
}

static void clear_total(const struct aggr *ag, int64_t *total)
{
	memset(total, 0, total_bytes(ag));
	total[aggr_words(ag)] = ag->func->init != NULL;
}

static void merge_total(const struct aggr *ag, int64_t *total, const int64_t *value)
{
	int64_t *no_event = &total[aggr_words(ag)];

	if (*no_event)
		ag->func->init(total, ag->params);
	*no_event = 0;
	ag->func->merge(total, value, aggr_words(ag));
}

int64_t *aggr_none(struct aggr *const *ags, int n)
{
	int words = 1;

	for (int i = 0; i < n; i++)
		words = MAX(words, ags[i]->words);
	return xcalloc(words, sizeof(int64_t));
}

/* With its key and its place in the table, about. */
static uint64_t entry_bytes(const struct aggr *ag)
{
	enum { TABLE = 64 };

	return sizeof(struct aggr_entry) + total_bytes(ag) + ag->key_size + TABLE;
}

/* NULL: it does not fit. */
static struct aggr_entry *entry_new(struct aggrs *as, struct aggr *ag, const void *key)
{
	struct aggr_entry *e;

	if (as->max_bytes && as->bytes + entry_bytes(ag) > as->max_bytes) {
		as->refused++;
		return NULL;
	}
	as->bytes += entry_bytes(ag);
	e = xcalloc(1, sizeof(*e) + total_bytes(ag));
	e->of = as;
	e->ag = ag;
	e->value = (int64_t *)(e + 1);
	clear_total(ag, e->value);
	e->key = hash_put(&ag->totals, key, ag->key_size, e);
	return e;
}

/* Does a column's address stand for the function or module that it is in? Keys that print the
 * same are one. And a control group is looked at while it is there. */
static bool is_symbol(const struct aggr_col *col)
{
	const struct type *t = type_base(col->type);

	return (t->kind == T_SYMADDR && t->nelem != SYM_NAME && col->size >= sizeof(uint64_t)) ||
	       (t->kind == T_USYMADDR && t->nelem != USYM_NAME &&
		col->size >= 2 * sizeof(uint64_t));
}

static bool has_symbols(const struct aggr *ag)
{
	for (int i = 0; i < ag->ncols; i++)
		if (is_symbol(&ag->cols[i]))
			return true;
	return false;
}

static void canonical_key(struct aggrs *as, const struct aggr *ag, uint8_t *key)
{
	for (int i = 0; i < ag->ncols; i++) {
		const struct aggr_col *col = &ag->cols[i];
		const struct type *t = type_base(col->type);
		uint64_t words[2] = {0};

		if (!is_symbol(col))
			continue;
		memcpy(words, key + col->off, MIN(col->size, sizeof(words)));
		if (t->kind == T_SYMADDR && (t->nelem == SYM_CGROUP || t->nelem == SYM_CONTAINER))
			cgroups_path(as->cgroups, words[0]);
		else if (t->kind == T_USYMADDR)
			words[1] = usyms_canon(as->usyms, words[0], words[1], t->nelem);
		else
			words[0] = syms_canon(as->syms, words[0], t->nelem);
		memcpy(key + col->off, words, MIN(col->size, sizeof(words)));
	}
}

static void merge_cpu(struct aggrs *as, struct aggr_entry *e, int cpu, const int64_t *value)
{
	struct aggr *ag = e->ag;

	if (cpu < 0 || cpu >= as->ncpus)
		return;
	if (!e->cpus) {
		as->bytes += as->ncpus * sizeof(*e->cpus);
		e->cpus = xcalloc(as->ncpus, sizeof(*e->cpus));
		e->ncpus = as->ncpus;
	}
	if (!e->cpus[cpu]) {
		as->bytes += total_bytes(ag);
		e->cpus[cpu] = xmalloc(total_bytes(ag));
		clear_total(ag, e->cpus[cpu]);
	}
	merge_total(ag, e->cpus[cpu], value);
}

static bool leaves_64_bits(const struct aggr *ag, const int64_t *into, const int64_t *from)
{
	unsigned sums = ag->func->sums;
	bool any =
	    ag->extra && __builtin_add_overflow(into[ag->words], from[ag->words], &(int64_t){0});

	for (int i = 0; i < ag->words && sums >> i; i++)
		any |= (sums >> i & 1) && __builtin_add_overflow(into[i], from[i], &(int64_t){0});
	return any;
}

void aggr_merge_row(struct aggrs *as, struct aggr *ag, const void *key, int cpu,
		    const int64_t *value)
{
	struct aggr_entry *e = hash_get(&ag->totals, key, ag->key_size);

	if (!e)
		e = entry_new(as, ag, key);
	if (!e)
		return;
	if (as->on_row)
		as->on_row(as->on_arg, ag, key, cpu, value);
	ag->wrapped |= leaves_64_bits(ag, e->value, value);
	merge_total(ag, e->value, value);
	e->updated_ns = as->now_ns;
	if (as->percpu)
		merge_cpu(as, e, cpu, value);
}

void aggr_merge(struct aggrs *as, struct aggr *ag, const void *key, int cpu, const int64_t *value)
{
	uint8_t *copy = NULL;

	if (has_symbols(ag)) {
		copy = xmalloc(ag->key_size);
		memcpy(copy, key, ag->key_size);
		canonical_key(as, ag, copy);
		key = copy;
	}
	aggr_merge_row(as, ag, key, cpu, value);
	free(copy);
}

int aggrs_snapshot(struct aggrs *as)
{
	return as->v.n ? as->take(as->take_arg) : 0;
}

int aggrs_snapshot_since(struct aggrs *as, uint64_t t_ns)
{
	return t_ns && as->snapshot_ns > t_ns ? 0 : aggrs_snapshot(as);
}

void aggrs_snapshot_end(struct aggrs *as)
{
	aggrs_expire(as);
	if (as->on_snapshot)
		as->on_snapshot(as->on_arg, as);
}

void aggr_sample(struct aggr *ag, uint32_t of)
{
	ag->sampled_now = of;
	ag->sampled = MAX(ag->sampled, of);
}

static void begin_anew(struct aggr *ag)
{
	ag->clears++;
	ag->sampled = ag->sampled_now;
}

void aggr_clear(struct aggr *ag)
{
	if (ag->cumulative)
		return;
	begin_anew(ag);
	for (size_t i = 0; i < ag->totals.n; i++) {
		struct aggr_entry *e = ag->totals.entries[i].value;

		if (e)
			clear_total(ag, e->value);
		for (int cpu = 0; e && cpu < e->ncpus; cpu++)
			if (e->cpus[cpu])
				clear_total(ag, e->cpus[cpu]);
	}
}

static void remove_entry(struct aggr *ag, struct aggr_entry *e)
{
	uint64_t bytes = entry_bytes(ag) + e->ncpus * sizeof(*e->cpus);

	for (int i = 0; i < e->ncpus; i++)
		bytes += e->cpus[i] ? total_bytes(ag) : 0;
	e->of->bytes -= bytes;
	hash_remove(&ag->totals, e->key, ag->key_size);
	entry_free(e);
}

/* In the order of the keys' insertion: removing one does not move the others. */
static void expire(struct aggrs *as, struct aggr *ag)
{
	for (size_t i = 0; ag->key_size && i < ag->totals.n; i++) {
		struct aggr_entry *e = ag->totals.entries[i].value;

		if (!e || as->now_ns - e->updated_ns < as->expire_ns)
			continue;
		remove_entry(ag, e);
		as->expired++;
	}
}

void aggrs_expire(struct aggrs *as)
{
	enum { SWEEPS = 8 }; /* a key stays an eighth of its time too long at most */

	if (!as->expire_ns || as->now_ns - as->swept_ns < as->expire_ns / SWEEPS)
		return;
	as->swept_ns = as->now_ns;
	for (int i = 0; i < as->v.n; i++)
		expire(as, as->v.v[i]);
}

void aggr_trunc(struct aggr *ag, int64_t n)
{
	static const struct aggr_sort by_value;
	struct aggr_entry **rows;
	uint64_t keep = n < 0 ? -(uint64_t)n : (uint64_t)n;
	int count = aggr_rows(&ag, 1, &by_value, &rows), from = 0, to = count;

	if (keep >= (uint64_t)count)
		from = to = 0;
	else if (n >= 0)
		to = count - (int)keep;
	else
		from = (int)keep;
	for (int i = from; i < to; i++)
		remove_entry(ag, rows[i]);
	if (!keep)
		begin_anew(ag);
	free(rows);
}

int64_t aggr_quotient(int64_t v, int64_t normal)
{
	if (normal == -1)
		return 0 - (uint64_t)v; /* the least number has no opposite */
	return v / normal;
}

int aggr_normalize(struct aggr *ag, int64_t factor)
{
	if (!factor)
		return -EINVAL;
	ag->normal = factor;
	return 0;
}

struct value aggr_col_value(const struct aggr_col *col, const uint8_t *key)
{
	struct value v = value_recorded(col->type, key + col->off, col->size);

	v.origin = col->has_names && !col->has_memory ? TEXT_NAME : TEXT_MEMORY;
	return v;
}
