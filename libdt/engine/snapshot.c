/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/pin.h"
#include "libdt/base/clock.h"

enum { BATCH_BYTES = 1 << 20 };

static int create_keyed(struct aggr_maps *m)
{
	int rc = map_create(&m->gen[0]);

	return rc ? rc : map_create(&m->gen[1]);
}

/* All at once: the kernel waits for a grace period each time that such an array is changed. */
static int fill_outer(const struct aggr_memory *mem, struct map *outer)
{
	uint32_t n = outer->max_entries, *keys = xcalloc(n, sizeof(*keys));
	int *fds = xcalloc(n, sizeof(*fds)), rc;

	for (int i = 0; i < mem->v.n; i++) {
		const struct aggr_maps *m = mem->v.v[i];

		for (uint32_t gen = 0; gen < 2 && m->outer == outer; gen++) {
			keys[m->outer_at + gen] = m->outer_at + gen;
			fds[m->outer_at + gen] = m->gen[gen].fd;
		}
	}
	rc = map_create(outer);
	if (!rc)
		rc = map_update_all(outer, keys, fds, n);
	free(keys);
	free(fds);
	return rc;
}

static int create_slots(const struct aggr_memory *mem, const struct aggr_maps *m)
{
	if (!m->mem || !m->mem->mem ||
	    m->mem_off + (uint64_t)aggr_maps_size(m, mem->ncpus) > m->mem->mem_size)
		return -EINVAL;
	for (int i = 0; i < 2 * mem->ncpus; i++)
		aggr_slot_init(m, aggr_slot(mem, m, 0, i));
	return 0;
}

int snapshot_create(struct aggr_memory *mem)
{
	int rc = 0;

	if (mem->v.n && !mem->sync) {
		mem->sync = sync_new();
		if (!mem->sync)
			return -errno;
	}
	for (int i = 0; i < mem->v.n && !rc; i++)
		rc = mem->v.v[i]->key_size ? create_keyed(mem->v.v[i])
					   : create_slots(mem, mem->v.v[i]);
	for (int i = 0; i < mem->outers.n && !rc; i++)
		rc = fill_outer(mem, mem->outers.v[i]);
	return rc;
}

/* Pins --------------------------------------------------------------------- */

enum { PIN_PATH = 4096 };

static const char *pin_path(char *path, const char *dir, const struct aggr_maps *m, int gen)
{
	snprintf(path, PIN_PATH, "%s/aggr%u_%d", dir, m->id, gen);
	return path;
}

int snapshot_pin(const struct aggr_maps *m, const char *dir)
{
	char path[PIN_PATH];
	int rc = 0;

	for (int i = 0; i < 2 && m->key_size && !rc; i++)
		rc = pin_save(m->gen[i].fd, pin_path(path, dir, m, i));
	return rc;
}

/* The map of a generation, as the schema says that it is. */
static int open_pin(struct aggr_maps *m, const char *dir, int i)
{
	struct map *map = &m->gen[i];
	uint32_t key_size = AGGR_KEY_HEAD + m->key_size, value_size = m->words * sizeof(int64_t);
	char path[PIN_PATH];
	int rc = pin_open(pin_path(path, dir, m, i));

	rc = rc < 0 ? rc : map_adopt(map, rc, false);
	if (!rc && (map->type != BPF_MAP_TYPE_HASH || map->key_size != key_size ||
		    map->value_size != value_size))
		rc = -EINVAL;
	return rc;
}

int snapshot_open_pins(struct aggr_maps *m, const char *dir)
{
	int rc = 0;

	if (!m->key_size)
		return 0;
	for (int i = 0; i < 2 && !rc; i++)
		rc = open_pin(m, dir, i);
	return rc;
}

/* Generations ----------------------------------------------------------------- */

enum { PATIENCE_NS = 100000000, WHOLE_PATIENCE_NS = 2000000000, POLL_NS = 20000 };

/* A bit moves between the two words, and is set in the other one before it is cleared in this. */
static uint64_t under_way(const struct aggr_memory *mem, const uint64_t *word)
{
	uint64_t busy = __atomic_load_n(word, __ATOMIC_SEQ_CST),
		 asleep = __atomic_load_n(word + mem->asleep, __ATOMIC_SEQ_CST);

	return busy | asleep | __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/*
 * Until each bit that is set was seen clear once. What sleeps longer is left alone: the time
 * between its reading the word and the update is not where it sleeps, and what it adds is taken
 * when its generation is the old one again. False: there is such a program.
 */
static bool wait_for_sleepers(const struct aggr_memory *mem, uint64_t patience)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + patience;
	bool all = true;

	for (int cpu = 0; mem->busy && cpu < mem->ncpus; cpu++) {
		const uint64_t *word = mem->busy + (size_t)cpu * mem->busy_step;
		uint64_t left = under_way(mem, word);

		while (left && clock_ns(CLOCK_MONOTONIC) < until) {
			nanosleep(&(struct timespec){0, POLL_NS}, NULL);
			left &= under_way(mem, word);
		}
		all &= !left;
	}
	return all;
}

int snapshot_turn(struct aggr_memory *mem, bool whole, uint32_t *old)
{
	int rc;

	*old = *mem->generation & 1;
	mem->fill = 0;
	__atomic_store_n(mem->generation, !*old, __ATOMIC_SEQ_CST);
	rc = sync_wait(mem->sync);
	if (!rc && !wait_for_sleepers(mem, whole ? WHOLE_PATIENCE_NS : PATIENCE_NS) && whole)
		rc = -EBUSY;
	return rc;
}

/* Reading ----------------------------------------------------------------------- */

struct reading {
	struct aggr_memory *mem;
	const struct snapshot_rows *rows; /* NULL: they are only removed */
	bool remove;
	struct aggr_maps *m;
	uint64_t n;
};

static void add_to_fill(struct reading *r, const struct map *map, uint64_t n)
{
	r->mem->fill = MAX(r->mem->fill, (int)(n * 100 / map->max_entries));
}

static void read_slots(struct reading *r, uint32_t gen)
{
	for (int cpu = 0; cpu < r->mem->ncpus; cpu++) {
		int64_t *slot = aggr_slot(r->mem, r->m, gen, cpu);

		if (!slot[0])
			continue;
		if (r->rows)
			r->rows->row(r->rows->arg, r->m->id, "", cpu, slot + 1);
		if (r->remove)
			aggr_slot_init(r->m, slot);
	}
}

static int read_element(void *arg, const void *key, const void *value)
{
	struct reading *r = arg;
	uint32_t cpu;

	memcpy(&cpu, key, sizeof(cpu));
	if (r->rows)
		r->rows->row(r->rows->arg, r->m->id, (const char *)key + AGGR_KEY_HEAD, cpu, value);
	r->n++;
	return 0;
}

/* Removes all elements. */
static int drain_map(struct reading *r, struct map *map)
{
	uint32_t max = BATCH_BYTES / (map->key_size + map->value_size),
		 token_size = MAX(map->key_size, 8u);
	char *keys, *values, *token = xcalloc(1, token_size);
	bool started = false;
	int n;

	max = MIN(MAX(max, 16u), MAX(map->max_entries, 16u));
	keys = xmalloc((size_t)max * map->key_size);
	values = xmalloc((size_t)max * map->value_size);
	while ((n = map_drain(map, &started, token, keys, values, max)) > 0)
		for (int i = 0; i < n; i++)
			read_element(r, keys + (size_t)i * map->key_size,
				     values + (size_t)i * map->value_size);
	free(token);
	free(keys);
	free(values);
	return n;
}

static int read_all(struct aggr_memory *mem, uint32_t gen, const struct snapshot_rows *rows,
		    bool remove)
{
	int error = 0;

	for (int i = 0; i < mem->v.n; i++) {
		struct reading r = {mem, rows, remove, mem->v.v[i], 0};
		struct map *map = &r.m->gen[gen];
		int rc = 0;

		if (!r.m->key_size) {
			read_slots(&r, gen);
			continue;
		}
		rc = remove ? drain_map(&r, map) : map_each(map, read_element, &r);
		add_to_fill(&r, map, r.n);
		error = error ? error : rc;
	}
	return error;
}

int snapshot_read(struct aggr_memory *mem, uint32_t gen, const struct snapshot_rows *rows)
{
	return read_all(mem, gen, rows, false);
}

int snapshot_take(struct aggr_memory *mem, uint32_t gen, const struct snapshot_rows *rows)
{
	return read_all(mem, gen, rows, true);
}

int snapshot_remove(struct aggr_memory *mem, uint32_t gen)
{
	return read_all(mem, gen, NULL, true);
}
