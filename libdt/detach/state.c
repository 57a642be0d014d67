/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/detach/state.h"

#include <stdlib.h>
#include <string.h>

void state_pack_position(struct position *pos, struct aggrs *as, struct pack *p)
{
	const void *held = pos->held.s;
	uint32_t len = pos->held.len;

	PACK(p, &pos->ring);
	PACK(p, &pos->misses);
	pack_bool(p, &pos->exited);
	PACK(p, &pos->status);
	for (int cpu = 0; cpu < pos->ncpus; cpu++)
		PACK(p, &pos->drops[cpu]);
	for (int i = 0; i < as->v.n; i++) {
		PACK(p, &as->v.v[i]->normal);
		pack_require(p, as->v.v[i]->normal != 0);
	}
	pack_block(p, &held, &len);
	if (pack_loads(p)) {
		pos->held.len = 0;
		if (len)
			sb_add(&pos->held, held, len);
	}
}

void state_free(struct position *pos)
{
	free(pos->drops);
	sb_free(&pos->held);
}

/* A row of the totals: of one CPU, or with cpu 0 of all. */
static void save_row(struct pack *p, const struct aggr *ag, const struct aggr_entry *e, int cpu,
		     const int64_t *value)
{
	uint64_t updated = e->updated_ns;

	PACK(p, &cpu);
	PACK(p, &updated);
	sb_add(p->out, e->key, ag->key_size);
	sb_add(p->out, value, aggr_words(ag) * sizeof(*value));
}

static int count_rows(const struct aggr *ag, bool percpu)
{
	int n = 0;

	for (size_t i = 0; i < ag->totals.n; i++) {
		const struct aggr_entry *e = ag->totals.entries[i].value;

		if (e && percpu && e->cpus)
			for (int cpu = 0; cpu < e->ncpus; cpu++)
				n += e->cpus[cpu] != NULL;
		else
			n += e != NULL;
	}
	return n;
}

static void save_rows(struct pack *p, const struct aggr *ag, bool percpu)
{
	for (size_t i = 0; i < ag->totals.n; i++) {
		const struct aggr_entry *e = ag->totals.entries[i].value;

		if (e && percpu && e->cpus)
			for (int cpu = 0; cpu < e->ncpus; cpu++) {
				if (e->cpus[cpu])
					save_row(p, ag, e, cpu, e->cpus[cpu]);
			}
		else if (e)
			save_row(p, ag, e, 0, e->value);
	}
}

static void load_row(struct pack *p, struct aggrs *as, struct aggr *ag)
{
	size_t size = aggr_words(ag) * sizeof(int64_t);
	int64_t *value = xmalloc(size);
	const uint8_t *key;
	int cpu = 0;

	PACK(p, &cpu);
	PACK(p, &as->now_ns);
	pack_require(p, (size_t)(p->end - p->at) >= ag->key_size + size);
	if (!p->bad) {
		key = p->at;
		p->at += ag->key_size;
		pack_bytes(p, value, size);
		aggr_merge_row(as, ag, key, cpu, value);
	}
	free(value);
}

void state_pack_totals(uint64_t *number, struct aggrs *as, struct pack *p)
{
	PACK(p, number);
	for (int i = 0; i < as->v.n; i++) {
		struct aggr *ag = as->v.v[i];
		int n = pack_loads(p) ? 0 : count_rows(ag, as->percpu);

		pack_bool(p, &ag->wrapped);
		pack_count(p, &n, 12);
		if (!pack_loads(p))
			save_rows(p, ag, as->percpu);
		for (int k = 0; k < n && pack_loads(p) && !p->bad; k++)
			load_row(p, as, ag);
	}
}
