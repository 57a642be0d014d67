/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/image/aggr_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct aggr_maps *aggr_memory_add(struct aggr_memory *mem, const struct aggfunc *func,
				  const int64_t *params, uint32_t key_size, bool with_sum)
{
	struct aggr_maps *m;
	int words = func->words(params);

	if (words <= 0)
		return NULL;
	m = xcalloc(1, sizeof(*m));
	m->id = mem->v.n;
	m->key_size = key_size;
	m->has_sum = with_sum && func->bucket;
	m->gen[0].fd = m->gen[1].fd = m->more[0].fd = m->more[1].fd = -1;
	m->words = words + m->has_sum;
	m->init = xcalloc(m->words, sizeof(*m->init));
	if (func->init)
		func->init(m->init, params);
	m->stride = ALIGN_UP((1 + m->words) * sizeof(int64_t), 64);
	vec_push(&mem->v, m);
	return m;
}

void aggr_memory_free(struct aggr_memory *mem)
{
	for (int i = 0; i < mem->fillings.n; i++)
		map_filled(mem->fillings.v[i]);
	vec_free(&mem->fillings);
	for (int i = 0; i < mem->v.n; i++) {
		for (int gen = 0; gen < 2; gen++) {
			map_close(&mem->v.v[i]->gen[gen]);
			map_close(&mem->v.v[i]->more[gen]);
		}
		free(mem->v.v[i]->init);
		free(mem->v.v[i]);
	}
	for (int i = 0; i < mem->outers.n; i++) {
		map_close(mem->outers.v[i]);
		free(mem->outers.v[i]);
	}
	vec_free(&mem->v);
	vec_free(&mem->outers);
	sync_free(mem->sync);
	mem->sync = NULL;
}

static struct map *find_outer(const struct aggr_memory *mem, const struct map *inner)
{
	for (int i = 0; i < mem->outers.n; i++) {
		const struct map *like = mem->outers.v[i]->inner;

		if (like->key_size == inner->key_size && like->value_size == inner->value_size &&
		    like->on_demand == inner->on_demand && like->max_entries == inner->max_entries)
			return mem->outers.v[i];
	}
	return NULL;
}

/* An array with two more places, which begin at at. The kernel takes only maps with the same flags
 * and with keys and values of the same size into one array; before Linux 5.10, with the same
 * capacity. */
static struct map *outer_for(struct aggr_memory *mem, struct map *inner, uint32_t *at)
{
	struct map *outer = find_outer(mem, inner);
	char name[32];

	if (!outer) {
		outer = xcalloc(1, sizeof(*outer));
		snprintf(name, sizeof(name), "dt_aggs%d", mem->outers.n);
		map_init(outer, name, BPF_MAP_TYPE_ARRAY_OF_MAPS, sizeof(uint32_t),
			 sizeof(uint32_t), 0);
		outer->inner = inner;
		vec_push(&mem->outers, outer);
	}
	*at = outer->max_entries;
	outer->max_entries += 2;
	return outer;
}

static void describe_map(const struct aggr_maps *m, struct map *map, const char *word, int gen,
			 uint32_t entries)
{
	char name[32];

	snprintf(name, sizeof(name), "dt_%s%u_%d", word, m->id, gen);
	map_init(map, name, BPF_MAP_TYPE_HASH, AGGR_KEY_HEAD + m->key_size,
		 m->words * sizeof(int64_t), entries);
}

enum { FILL_STEPS = 8 };

void aggr_maps_describe(struct aggr_memory *mem, struct aggr_maps *m, uint32_t entries, bool direct,
			uint32_t more_entries)
{
	if (!m->key_size)
		return;
	for (int i = 0; i < 2; i++) {
		describe_map(m, &m->gen[i], "agg", i, entries);
		describe_map(m, &m->more[i], "more", i, more_entries);
		m->more[i].on_demand = mem->on_demand;
	}
	if (!direct)
		m->outer = outer_for(mem, &m->gen[0], &m->outer_at);
	if (!more_entries)
		return;
	m->more_entries = more_entries;
	m->more_outer = outer_for(mem, &m->more[0], &m->more_at);
	for (m->fill_step = 1; m->fill_step * FILL_STEPS < entries;)
		m->fill_step *= 2;
}

uint32_t aggr_maps_size(const struct aggr_maps *m, int ncpus)
{
	enum { CACHE_LINE = 64 };

	if (m->key_size)
		return m->more_outer ? CACHE_LINE : 0;
	return 2u * ncpus * m->stride;
}

void aggr_maps_place(struct aggr_maps *m, struct map *in, uint32_t off)
{
	m->mem = in;
	m->mem_off = off;
}

uint32_t aggr_memory_place(struct aggr_memory *mem, struct map *in)
{
	uint32_t top = 0;

	for (int i = 0; i < mem->v.n; i++) {
		aggr_maps_place(mem->v.v[i], in, top);
		top += ALIGN_UP(aggr_maps_size(mem->v.v[i], mem->ncpus), 64);
	}
	return top;
}

int64_t *aggr_slot(const struct aggr_memory *mem, const struct aggr_maps *m, uint32_t gen, int cpu)
{
	return (int64_t *)((char *)m->mem->mem + m->mem_off +
			   ((size_t)gen * mem->ncpus + cpu) * m->stride);
}

volatile uint64_t *aggr_new_keys(const struct aggr_maps *m)
{
	return (uint64_t *)((char *)m->mem->mem + m->mem_off);
}

void aggr_slot_init(const struct aggr_maps *m, int64_t *slot)
{
	slot[0] = 0;
	memcpy(slot + 1, m->init, m->words * sizeof(*slot));
}
