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
	m->gen[0].fd = m->gen[1].fd = -1;
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
	for (int i = 0; i < mem->v.n; i++) {
		map_close(&mem->v.v[i]->gen[0]);
		map_close(&mem->v.v[i]->gen[1]);
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

/* The kernel takes only maps with keys and values of the same size into one array. */
static struct map *outer_for(struct aggr_memory *mem, struct map *inner)
{
	char name[32];
	struct map *outer;

	for (int i = 0; i < mem->outers.n; i++) {
		outer = mem->outers.v[i];
		if (outer->inner->key_size == inner->key_size &&
		    outer->inner->value_size == inner->value_size &&
		    outer->inner->max_entries == inner->max_entries)
			return outer;
	}
	outer = xcalloc(1, sizeof(*outer));
	snprintf(name, sizeof(name), "dt_aggs%d", mem->outers.n);
	map_init(outer, name, BPF_MAP_TYPE_ARRAY_OF_MAPS, sizeof(uint32_t), sizeof(uint32_t), 0);
	outer->inner = inner;
	vec_push(&mem->outers, outer);
	return outer;
}

void aggr_maps_describe(struct aggr_memory *mem, struct aggr_maps *m, uint32_t entries, bool direct)
{
	char name[32];

	if (!m->key_size)
		return;
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "dt_agg%u_%d", m->id, i);
		map_init(&m->gen[i], name, BPF_MAP_TYPE_HASH, AGGR_KEY_HEAD + m->key_size,
			 m->words * sizeof(int64_t), entries);
	}
	if (direct)
		return;
	m->outer = outer_for(mem, &m->gen[0]);
	m->outer_at = m->outer->max_entries;
	m->outer->max_entries += 2;
}

uint32_t aggr_maps_size(const struct aggr_maps *m, int ncpus)
{
	return m->key_size ? 0 : 2u * ncpus * m->stride;
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
		if (mem->v.v[i]->key_size)
			continue;
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

void aggr_slot_init(const struct aggr_maps *m, int64_t *slot)
{
	slot[0] = 0;
	memcpy(slot + 1, m->init, m->words * sizeof(*slot));
}
