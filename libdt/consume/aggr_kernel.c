/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's side of aggregations: two generations of maps and slots. A program reads the
 * generation word once and works on that generation. A snapshot writes the other number, waits
 * until the programs that read the old one have returned, and then owns the old generation:
 * nothing is counted twice, lost, or half.
 *
 * The kernel's grace period does not wait for programs that may sleep (for a page of the
 * process). Those have a bit set from before they read the word until they return.
 */
#include "libdt/consume/aggr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/pin.h"
#include "libdt/base/clock.h"
#include "libdt/user/usym.h"

#define KEY_HEAD 8 /* cpu and padding before the tuple */
#define BATCH_BYTES (1u << 20)

void aggr_describe_maps(struct aggr *ag, uint32_t entries)
{
	char name[32];

	if (!ag->key_size)
		return;
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "dt_agg%u_%d", ag->id, i);
		map_init(&ag->gen[i], name, BPF_MAP_TYPE_HASH, KEY_HEAD + ag->key_size,
			 aggr_words(ag) * sizeof(int64_t), entries);
	}
	snprintf(name, sizeof(name), "dt_agg%u", ag->id);
	map_init(&ag->outer, name, BPF_MAP_TYPE_ARRAY_OF_MAPS, sizeof(uint32_t), sizeof(uint32_t),
		 2);
	ag->outer.inner = &ag->gen[0];
}

uint32_t aggr_memory_size(const struct aggr *ag, int ncpus)
{
	return ag->key_size ? 0 : 2u * ncpus * ag->stride;
}

void aggr_place(struct aggr *ag, struct map *mem, uint32_t off)
{
	ag->mem = mem;
	ag->mem_off = off;
}

uint32_t aggrs_place(struct aggrs *as, struct map *mem)
{
	uint32_t top = 0;

	for (int i = 0; i < as->v.n; i++) {
		if (as->v.v[i]->key_size)
			continue;
		aggr_place(as->v.v[i], mem, top);
		top += ALIGN_UP(aggr_memory_size(as->v.v[i], as->ncpus), 64);
	}
	return top;
}

static int64_t *slot_of(const struct aggrs *as, const struct aggr *ag, uint32_t gen, int cpu)
{
	return (int64_t *)((char *)ag->mem->mem + ag->mem_off +
			   ((size_t)gen * as->ncpus + cpu) * ag->stride);
}

static void init_slot(const struct aggr *ag, int64_t *slot)
{
	memset(slot, 0, (1 + aggr_words(ag)) * sizeof(*slot));
	if (ag->func->init)
		ag->func->init(slot + 1, ag->params);
}

static int create_keyed(struct aggr *ag)
{
	int rc = 0;

	for (uint32_t i = 0; i < 2 && !rc; i++)
		rc = map_create(&ag->gen[i]);
	if (rc || ag->direct)
		return rc;
	rc = map_create(&ag->outer);
	for (uint32_t i = 0; i < 2 && !rc; i++)
		rc = map_update(&ag->outer, &i, &ag->gen[i].fd, BPF_ANY);
	return rc;
}

static int create_slots(const struct aggrs *as, const struct aggr *ag)
{
	if (!ag->mem || !ag->mem->mem ||
	    ag->mem_off + (uint64_t)aggr_memory_size(ag, as->ncpus) > ag->mem->mem_size)
		return -EINVAL;
	for (int i = 0; i < 2 * as->ncpus; i++)
		init_slot(ag, slot_of(as, ag, 0, i));
	return 0;
}

int aggrs_create(struct aggrs *as)
{
	int rc = 0;

	if (as->v.n && !as->sync) {
		as->sync = sync_new();
		if (!as->sync)
			return -errno;
	}
	for (int i = 0; i < as->v.n && !rc; i++)
		rc = as->v.v[i]->key_size ? create_keyed(as->v.v[i]) : create_slots(as, as->v.v[i]);
	return rc;
}

/* Pins --------------------------------------------------------------------- */

enum { PIN_PATH = 4096 };

static const char *pin_path(char *path, const char *dir, const struct aggr *ag, int gen)
{
	snprintf(path, PIN_PATH, "%s/aggr%u_%d", dir, ag->id, gen);
	return path;
}

int aggr_pin(const struct aggr *ag, const char *dir)
{
	char path[PIN_PATH];
	int rc = 0;

	for (int i = 0; i < 2 && ag->key_size && !rc; i++)
		rc = pin_save(ag->gen[i].fd, pin_path(path, dir, ag, i));
	return rc;
}

/* The map of a generation, as the schema says that it is. */
static int open_pin(struct aggr *ag, const char *dir, int i)
{
	struct map *m = &ag->gen[i];
	uint32_t key_size = KEY_HEAD + ag->key_size, value_size = aggr_words(ag) * sizeof(int64_t);
	char path[PIN_PATH];
	int rc = pin_open(pin_path(path, dir, ag, i));

	rc = rc < 0 ? rc : map_adopt(m, rc, false);
	if (!rc && (m->type != BPF_MAP_TYPE_HASH || m->key_size != key_size ||
		    m->value_size != value_size))
		rc = -EINVAL;
	return rc;
}

int aggr_open_pins(struct aggr *ag, const char *dir)
{
	int rc = 0;

	if (!ag->key_size)
		return 0;
	ag->outer.inner = &ag->gen[0]; /* these are to be closed */
	ag->outer.fd = ag->gen[0].fd = ag->gen[1].fd = -1;
	for (int i = 0; i < 2 && !rc; i++)
		rc = open_pin(ag, dir, i);
	return rc;
}

/* Snapshots ----------------------------------------------------------------- */

/* What is done with that which a generation has. */
enum { TO_MERGE = 1, TO_REMOVE = 2 }; /* added to the totals, removed from the kernel's memory */

static void walk_slots(struct aggrs *as, struct aggr *ag, uint32_t gen, int what)
{
	for (int cpu = 0; cpu < as->ncpus; cpu++) {
		int64_t *slot = slot_of(as, ag, gen, cpu);

		if (!slot[0])
			continue;
		if (what & TO_MERGE)
			aggr_merge(as, ag, "", cpu, slot + 1);
		if (what & TO_REMOVE)
			init_slot(ag, slot);
	}
}

static void merge_element(struct aggrs *as, struct aggr *ag, const char *key, const void *value)
{
	uint32_t cpu;

	memcpy(&cpu, key, sizeof(cpu));
	aggr_merge(as, ag, key + KEY_HEAD, cpu, value);
}

struct reading {
	struct aggrs *as;
	struct aggr *ag;
	uint64_t n;
};

static int read_element(void *arg, const void *key, const void *value)
{
	struct reading *r = arg;

	merge_element(r->as, r->ag, key, value);
	r->n++;
	return 0;
}

static int read_map(struct aggrs *as, struct aggr *ag, uint32_t gen)
{
	struct reading r = {.as = as, .ag = ag};
	int rc = map_each(&ag->gen[gen], read_element, &r);

	as->fill = MAX(as->fill, (int)(r.n * 100 / ag->gen[gen].max_entries));
	return rc;
}

/* Removes all elements. merge: they are added to the totals. */
static int drain_map(struct aggrs *as, struct aggr *ag, uint32_t gen, bool merge)
{
	struct map *m = &ag->gen[gen];
	uint32_t max = BATCH_BYTES / (m->key_size + m->value_size),
		 token_size = MAX(m->key_size, 8u);
	char *keys, *values, *token = xcalloc(1, token_size);
	bool started = false;
	uint64_t total = 0;
	int n;

	max = MIN(MAX(max, 16u), MAX(m->max_entries, 16u));
	keys = xmalloc((size_t)max * m->key_size);
	values = xmalloc((size_t)max * m->value_size);
	for (; (n = map_drain(m, &started, token, keys, values, max)) > 0; total += n)
		for (int i = 0; i < n && merge; i++)
			merge_element(as, ag, keys + (size_t)i * m->key_size,
				      values + (size_t)i * m->value_size);
	as->fill = MAX(as->fill, (int)(total * 100 / m->max_entries));
	free(token);
	free(keys);
	free(values);
	return n;
}

enum { PATIENCE_NS = 100000000, COMMIT_PATIENCE_NS = 2000000000, POLL_NS = 20000 };

/* A bit moves between the two words, and is set in the other one before it is cleared in this. */
static uint64_t under_way(const struct aggrs *as, const uint64_t *word)
{
	uint64_t busy = __atomic_load_n(word, __ATOMIC_SEQ_CST),
		 asleep = __atomic_load_n(word + as->asleep, __ATOMIC_SEQ_CST);

	return busy | asleep | __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/*
 * Until each bit that is set was seen clear once. What sleeps longer is left alone: the time
 * between its reading the word and the update is not where it sleeps, and what it adds is taken
 * when its generation is the old one again. False: there is such a program.
 */
static bool wait_for_sleepers(const struct aggrs *as)
{
	uint64_t until =
	    clock_ns(CLOCK_MONOTONIC) + (as->commit ? COMMIT_PATIENCE_NS : PATIENCE_NS);
	bool all = true;

	for (int cpu = 0; as->busy && cpu < as->ncpus; cpu++) {
		const uint64_t *word = as->busy + (size_t)cpu * as->busy_step;
		uint64_t left = under_way(as, word);

		while (left && clock_ns(CLOCK_MONOTONIC) < until) {
			nanosleep(&(struct timespec){0, POLL_NS}, NULL);
			left &= under_way(as, word);
		}
		all &= !left;
	}
	return all;
}

/* Of a generation that no program writes any more. */
static int walk(struct aggrs *as, uint32_t gen, int what)
{
	int error = 0;

	for (int i = 0; i < as->v.n; i++) {
		struct aggr *ag = as->v.v[i];
		int rc = 0;

		if (!ag->key_size)
			walk_slots(as, ag, gen, what);
		else if (what & TO_REMOVE)
			rc = drain_map(as, ag, gen, what & TO_MERGE);
		else
			rc = read_map(as, ag, gen);
		error = error ? error : rc;
	}
	return error;
}

/* For readers that may be killed at any time. */
static int take_committed(struct aggrs *as, uint32_t gen)
{
	int rc = walk(as, gen, TO_MERGE);

	if (!rc)
		rc = as->commit(as->commit_arg);
	if (!rc)
		rc = walk(as, gen, TO_REMOVE);
	if (!rc)
		as->removed(as->commit_arg);
	return rc;
}

int aggrs_remove_old(struct aggrs *as)
{
	return walk(as, !(*as->generation & 1), TO_REMOVE);
}

int aggrs_snapshot(struct aggrs *as)
{
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	uint32_t old;
	int rc;

	if (!as->v.n)
		return 0;
	if (as->take)
		return as->take(as->take_arg);
	old = *as->generation & 1;
	__atomic_store_n(as->generation, !old, __ATOMIC_SEQ_CST);
	rc = sync_wait(as->sync);
	if (rc)
		return rc; /* the old generation is taken by the snapshot after the next */
	if (!wait_for_sleepers(as) && as->commit)
		return -EBUSY;	   /* the same */
	usyms_catch_up(as->usyms); /* with all that was counted */
	as->fill = 0;
	as->now_ns = began;
	rc = as->commit ? take_committed(as, old) : walk(as, old, TO_MERGE | TO_REMOVE);
	if (!rc)
		as->snapshot_ns = began;
	aggrs_snapshot_end(as);
	return rc;
}

int aggrs_snapshot_since(struct aggrs *as, uint64_t t_ns)
{
	return t_ns && as->snapshot_ns > t_ns ? 0 : aggrs_snapshot(as);
}
