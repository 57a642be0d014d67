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

/* The second maps of a table that grows, as far as there is memory for them. */
static void create_second(struct aggr_memory *mem, struct aggr_maps *m)
{
	for (int gen = 0; gen < 2 && m->more_outer; gen++) {
		uint64_t size = map_memory_size(&m->more[gen]);

		if (size > mem->growth || map_create(&m->more[gen]))
			return;
		mem->growth -= size;
	}
}

static int create_keyed(struct aggr_memory *mem, struct aggr_maps *m)
{
	int rc = map_create(&m->gen[0]);

	rc = rc ? rc : map_create(&m->gen[1]);
	if (!rc)
		create_second(mem, m);
	return rc;
}

/*
 * Creates an array with all of its maps. They get into it at once, because the kernel waits for a
 * grace period each time that such an array is changed; and second maps while the start goes on.
 */
static int create_outer(struct aggr_memory *mem, struct map *outer)
{
	uint32_t n = 0, *keys = xcalloc(outer->max_entries, sizeof(*keys));
	int *fds = xcalloc(outer->max_entries, sizeof(*fds)), rc = map_create(outer);
	bool later = false;

	for (int i = 0; i < 2 * mem->v.n; i++) {
		const struct aggr_maps *m = mem->v.v[i / 2];
		bool second = m->more_outer == outer;
		int gen = i % 2, fd = second ? m->more[gen].fd : m->gen[gen].fd;

		if ((!second && m->outer != outer) || fd < 0)
			continue;
		later |= second;
		keys[n] = gen + (second ? m->more_at : m->outer_at);
		fds[n++] = fd;
	}
	if (!rc && n && later)
		vec_push(&mem->fillings, map_fill(outer, keys, fds, n));
	else if (!rc && n)
		rc = map_update_all(outer, keys, fds, n);
	free(keys);
	free(fds);
	return rc;
}

/* A second map that did not get into its array. */
static void close_missing(struct aggr_maps *m)
{
	uint32_t at, id;

	for (int gen = 0; gen < 2 && m->more_outer; gen++) {
		at = m->more_at + gen;
		if (map_lookup(m->more_outer, &at, &id))
			map_close(&m->more[gen]);
	}
}

static void wait_for_fillings(struct aggr_memory *mem)
{
	int rc = 0;

	while (mem->fillings.n)
		rc = map_filled(mem->fillings.v[--mem->fillings.n]) ?: rc;
	if (!rc)
		return;
	for (int i = 0; i < mem->v.n; i++)
		close_missing(mem->v.v[i]);
	mem->growth = 0; /* not again */
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

	mem->settled = true;
	if (mem->v.n && !mem->sync) {
		mem->sync = sync_new();
		if (!mem->sync)
			return -errno;
	}
	for (int i = 0; i < mem->v.n && !rc; i++)
		rc = mem->v.v[i]->key_size ? create_keyed(mem, mem->v.v[i])
					   : create_slots(mem, mem->v.v[i]);
	for (int i = 0; i < mem->outers.n && !rc; i++)
		rc = create_outer(mem, mem->outers.v[i]);
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
	for (int i = 0; i < mem->v.n; i++)
		if (mem->v.v[i]->more_outer)
			*aggr_new_keys(mem->v.v[i]) = 0;
	__atomic_store_n(mem->generation, !*old, __ATOMIC_SEQ_CST);
	rc = sync_wait(mem->sync);
	mem->settled = !rc && wait_for_sleepers(mem, whole ? WHOLE_PATIENCE_NS : PATIENCE_NS);
	return !rc && whole && !mem->settled ? -EBUSY : rc;
}

/* Growing --------------------------------------------------------------------- */

enum {
	FULL_PERCENT = 10,
	GROWTH_FACTOR = 6,
	CALM_READS = 32, /* so often not one percent was filled */
	MOST_ENTRIES = 1 << 22,
};

static uint64_t capacity(const struct aggr_maps *m, uint32_t gen)
{
	return m->gen[gen].max_entries + (m->more[gen].fd >= 0 ? m->more[gen].max_entries : 0ull);
}

static int percent_of(const struct aggr_maps *m, uint32_t gen, uint64_t n)
{
	return n * 100 / capacity(m, gen);
}

/* Another second map in place of one that is empty, to which no program is on its way. */
static int replace_second(struct aggr_maps *m, uint32_t gen, struct map *map)
{
	uint32_t at = m->more_at + gen;
	int rc = map_create(map);

	if (!rc && (rc = map_update(m->more_outer, &at, &map->fd, BPF_ANY)))
		map_close(map);
	if (rc)
		return rc;
	map_close(&m->more[gen]);
	m->more[gen] = *map;
	return 0;
}

/* Where there is no memory for so many entries, half of them, and so on. */
static void resize(struct aggr_memory *mem, struct aggr_maps *m, uint32_t gen, uint64_t entries)
{
	struct map map = m->more[gen];
	uint64_t had = map_memory_size(&map), size;
	bool larger = entries > map.max_entries;

	wait_for_fillings(mem);
	if (m->more[gen].fd < 0)
		return;
	map.fd = -1;
	map.max_entries = MIN(entries, (uint64_t)MOST_ENTRIES);
	while ((size = map_memory_size(&map)) > mem->growth + had)
		map.max_entries /= 2;
	if (larger && map.max_entries <= m->more[gen].max_entries)
		return;
	if (replace_second(m, gen, &map))
		mem->growth = 0;
	else
		mem->growth += had - size;
}

/* The generation that programs write may soon be full: the other one, which is to take its place at
 * once, is to last for longer. */
static void grow_next(struct aggr_memory *mem, struct aggr_maps *m, uint32_t live)
{
	if (mem->settled && capacity(m, !live) <= capacity(m, live))
		resize(mem, m, !live, GROWTH_FACTOR * capacity(m, live));
}

bool snapshot_fill(struct aggr_memory *mem)
{
	bool fills = false;

	for (int i = 0; i < mem->v.n; i++) {
		struct aggr_maps *m = mem->v.v[i];
		uint32_t live = *mem->generation & 1;
		uint64_t keys;

		if (!m->more_outer || (keys = *aggr_new_keys(m)) < m->fill_step)
			continue;
		wait_for_fillings(mem);
		if (percent_of(m, live, keys) < FULL_PERCENT)
			continue;
		grow_next(mem, m, live);
		fills = true;
	}
	return fills;
}

/* Reading ----------------------------------------------------------------------- */

struct reading {
	struct aggr_memory *mem;
	const struct snapshot_rows *rows; /* NULL: they are only removed */
	bool remove;
	struct aggr_maps *m;
	uint64_t n;
};

/* After a generation was emptied. */
static void note_fill(struct reading *r, uint32_t gen)
{
	struct aggr_maps *m = r->m;
	int percent = percent_of(m, gen, r->n);

	r->mem->fill = MAX(r->mem->fill, percent);
	m->calm = percent ? 0 : m->calm + 1;
	if (!m->more_outer || !r->mem->settled)
		return;
	if (percent >= FULL_PERCENT)
		resize(r->mem, m, gen, GROWTH_FACTOR * capacity(m, gen));
	else if (m->calm >= CALM_READS && m->more[gen].max_entries > m->more_entries)
		resize(r->mem, m, gen, m->more_entries);
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
	while ((n = map_drain(map, &started, token, keys, values, max)) > 0) {
		r->n += n;
		for (int i = 0; i < n; i++)
			read_element(r, keys + (size_t)i * map->key_size,
				     values + (size_t)i * map->value_size);
	}
	free(token);
	free(keys);
	free(values);
	return n;
}

static int read_map(struct reading *r, struct map *map)
{
	return r->remove ? drain_map(r, map) : map_each(map, read_element, r);
}

/* Both maps of the table, even if one of them cannot be read. */
static int read_table(struct reading *r, uint32_t gen)
{
	int rc = read_map(r, &r->m->gen[gen]), more = 0;

	if (r->m->more[gen].fd >= 0)
		more = read_map(r, &r->m->more[gen]);
	if (rc || more)
		r->mem->settled = false;
	else if (r->remove)
		note_fill(r, gen);
	return rc ? rc : more;
}

static int read_all(struct aggr_memory *mem, uint32_t gen, const struct snapshot_rows *rows,
		    bool remove)
{
	int error = 0, rc;

	for (int i = 0; i < mem->v.n; i++) {
		struct reading r = {mem, rows, remove, mem->v.v[i], 0};

		if (!r.m->key_size) {
			read_slots(&r, gen);
			continue;
		}
		rc = read_table(&r, gen);
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
