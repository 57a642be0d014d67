/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/simulate/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/engine/unwind.h"
#include "libdt/fault.h"
#include "libdt/message.h"
#include "libdt/session.h"
#include "libdt/simulate/bpfvm.h"

enum { STEPS = 100000000 };

/* What a program reserved in the ring. */
struct reserved {
	uint64_t *data;
	uint32_t size;
	bool submitted, ended;
};

struct machine {
	struct dt *dt;
	int ncpus;
	struct bpfvm vm;
	struct hash elems; /* map and key -> value */
	VEC(void *) memory;
	VEC(struct reserved) ring;
	uint32_t ring_used;
	unsigned long consumed; /* records, for positions in the ring */
	const char *error;	/* text is in message; or NULL */
	char message[400];
};

static void fail(struct machine *m, const char *what, const char *why)
{
	if (m->error)
		return;
	snprintf(m->message, sizeof(m->message), "%s: %s", what, why);
	m->error = m->message;
}

static void *memory(struct machine *m, size_t size, bool region)
{
	void *p = xcalloc(1, ALIGN_UP(MAX(size, 8), 8));

	vec_push(&m->memory, p);
	if (region)
		bpfvm_region(&m->vm, p, ALIGN_UP(MAX(size, 8), 8), true);
	return p;
}

static void map_memory(struct machine *m, struct map *map, size_t size)
{
	map->mem = memory(m, size, false);
	map->mem_size = ALIGN_UP(MAX(size, 8), 8);
	if (map->init)
		memcpy(map->mem, map->init, map->value_size);
}

/* Helpers ----------------------------------------------------------------- */

static uint32_t elements(const struct machine *m, const struct map *map)
{
	uint32_t n = 0;

	for (size_t i = 0; i < m->elems.n; i++)
		n += m->elems.entries[i].key && !memcmp(m->elems.entries[i].key, &map, sizeof(map));
	return n;
}

/* The key in front of which its map stands. */
static size_t full_key(struct machine *m, const struct map *map, uint64_t at, uint8_t *key)
{
	if (map->key_size > 4096 || !bpfvm_read(&m->vm, at, key + sizeof(map), map->key_size))
		return 0;
	memcpy(key, &map, sizeof(map));
	return sizeof(map) + map->key_size;
}

static int64_t update(struct machine *m, struct map *map, const uint8_t *key, size_t len,
		      const uint64_t r[5])
{
	void *v = hash_get(&m->elems, key, len);

	if (v && r[3] == BPF_NOEXIST)
		return -EEXIST;
	if (!v && elements(m, map) >= map->max_entries)
		return -E2BIG;
	if (!v) {
		v = memory(m, map->value_size, true);
		hash_put(&m->elems, key, len, v);
	}
	bpfvm_read(&m->vm, r[2], v, map->value_size);
	return 0;
}

static int64_t hash_helper(struct machine *m, int id, struct map *map, const uint64_t r[5])
{
	uint8_t key[4096 + sizeof(map)];
	size_t len = full_key(m, map, r[1], key);
	void *v = len ? hash_get(&m->elems, key, len) : NULL;

	if (id == BPF_FUNC_map_lookup_elem)
		return (intptr_t)v;
	if (id == BPF_FUNC_map_update_elem)
		return len ? update(m, map, key, len, r) : -EFAULT;
	if (!v)
		return -ENOENT;
	hash_remove(&m->elems, key, len);
	return 0;
}

/* What an array of maps has there. */
static int64_t inner_map(struct machine *m, const struct map *outer, uint64_t at)
{
	const struct aggr_memory *counts = &m->dt->set->counts;
	uint32_t i;

	if (!bpfvm_read(&m->vm, at, &i, sizeof(i)))
		return 0;
	for (int k = 0; k < counts->v.n; k++) {
		struct aggr_maps *maps = counts->v.v[k];

		if (maps->outer == outer && i - maps->outer_at < ARRAY_SIZE(maps->gen))
			return (intptr_t)&maps->gen[i - maps->outer_at];
	}
	return 0;
}

static int64_t reserve(struct machine *m, const struct map *ring, uint32_t size)
{
	struct reserved rec = {.size = size};

	if (m->ring_used + size + 8 > ring->max_entries)
		return 0;
	m->ring_used += size + 8;
	rec.data = memory(m, size, true);
	memset(rec.data, 0xa5, size);
	vec_push(&m->ring, rec);
	return (intptr_t)rec.data;
}

static void end_record(struct machine *m, uint64_t at, bool submit)
{
	for (int i = 0; i < m->ring.n; i++) {
		struct reserved *rec = &m->ring.v[i];

		if ((uintptr_t)rec->data != at)
			continue;
		if (rec->ended)
			bpfvm_fail(&m->vm, "a record ends twice");
		rec->ended = true;
		rec->submitted = submit;
		return;
	}
	bpfvm_fail(&m->vm, "what ends is no record");
}

static int64_t helper(void *arg, int id, uint64_t r[5])
{
	struct machine *m = arg;
	struct map *map = (struct map *)(uintptr_t)r[0];

	switch (id) {
	case BPF_FUNC_map_lookup_elem:
	case BPF_FUNC_map_update_elem:
	case BPF_FUNC_map_delete_elem:
		if (map->type == BPF_MAP_TYPE_ARRAY_OF_MAPS && id == BPF_FUNC_map_lookup_elem)
			return inner_map(m, map, r[1]);
		if (!map->mem)
			return hash_helper(m, id, map, r);
		break;
	case BPF_FUNC_ktime_get_ns:
	case BPF_FUNC_ktime_get_boot_ns:
		return m->vm.time; /* a firing takes no time */
	case BPF_FUNC_ringbuf_reserve:
		return reserve(m, map, r[1]);
	case BPF_FUNC_ringbuf_submit:
	case BPF_FUNC_ringbuf_discard:
		end_record(m, r[0], id == BPF_FUNC_ringbuf_submit);
		return 0;
	}
	return bpfvm_helpers(&m->vm, id, r);
}

/* Maps -------------------------------------------------------------------- */

/* Calls fn for each map that is memory, with its size. */
static void each_memory(struct machine *m, void (*fn)(struct machine *m, struct map *map, size_t n))
{
	struct program_set *set = m->dt->set;
	struct map *maps[] = {&set->maps.ctl,	 &set->maps.globals, &set->maps.lits,
			      &set->names.map,	 &set->maps.clocks,  &set->maps.spec_tags,
			      &set->maps.aggmem, &set->maps.scratch};

	for (unsigned i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i]->name[0])
			fn(m, maps[i],
			   (size_t)ALIGN_UP(maps[i]->value_size, 8) * maps[i]->max_entries);
}

static void make_maps(struct machine *m)
{
	const struct aggr_memory *counts = &m->dt->set->counts;

	each_memory(m, map_memory);
	for (int i = 0; i < counts->v.n; i++)
		for (int k = 0; !counts->v.v[i]->key_size && k < 2 * counts->ncpus; k++)
			aggr_slot_init(counts->v.v[i], aggr_slot(counts, counts->v.v[i], 0, k));
}

static void drop_memory(struct machine *m, struct map *map, size_t size)
{
	(void)m;
	(void)size;
	map->mem = NULL;
	map->mem_size = 0;
}

static void drop_maps(struct machine *m)
{
	each_memory(m, drop_memory);
}

/* A snapshot: the other generation begins, and what the programs counted in this one is taken. */
static void snapshot(struct machine *m)
{
	struct aggrs *as = m->dt->aggrs;
	uint32_t old = session_ctl(m->dt)->generation;

	session_ctl(m->dt)->generation = !old;
	for (int i = 0; i < as->v.n; i++) {
		struct aggr *ag = as->v.v[i];
		const struct aggr_maps *counts = m->dt->set->counts.v.v[i];
		const struct map *map = &counts->gen[old];

		for (int cpu = 0; !ag->key_size && cpu < as->ncpus; cpu++) {
			int64_t *slot = aggr_slot(&m->dt->set->counts, counts, old, cpu);

			if (slot[0])
				aggr_merge(as, ag, "", cpu, slot + 1);
			slot[0] = 0;
		}
		for (size_t j = 0; ag->key_size && j < m->elems.n; j++) {
			const struct hash_entry *e = &m->elems.entries[j];

			if (!e->key || memcmp(e->key, &map, sizeof(map)))
				continue;
			aggr_merge(as, ag, (const uint8_t *)e->key + sizeof(map) + AGGR_KEY_HEAD, 0,
				   e->value);
			hash_remove(&m->elems, e->key, e->len);
		}
	}
	as->snapshot_ns = UINT64_MAX;
	aggrs_snapshot_end(as);
}

/* Running ----------------------------------------------------------------- */

static void run_program(struct machine *m, const struct program *pl, const uint64_t *args)
{
	VEC(struct code *) funcs = {0};

	vec_push(&funcs, pl->code);
	for (int i = 0; i < pl->prog.funcs.n; i++)
		vec_push(&funcs, pl->prog.funcs.v[i]);
	m->vm.funcs = funcs.v;
	m->vm.nfuncs = funcs.n;
	bpfvm_run(&m->vm, pl->code, 1, (uint64_t[]){(uintptr_t)args});
	if (m->vm.error)
		fail(m, "a program cannot run", m->vm.error);
	for (int i = 0; i < m->ring.n && !m->vm.error; i++)
		if (!m->ring.v[i].ended)
			fail(m, "a program is wrong", "a record does not end");
	vec_free(&funcs);
}

/* Records from the n-th on, of ERROR probes, are printed after the fault: at this place. */
static void move_up(struct machine *m, int to, int n)
{
	for (int i = n; i < m->ring.n; i++, to++) {
		struct reserved rec = m->ring.v[i];

		memmove(&m->ring.v[to + 1], &m->ring.v[to], (i - to) * sizeof(rec));
		m->ring.v[to] = rec;
	}
}

static void consume_records(struct machine *m)
{
	for (int i = 0; i < m->ring.n && !m->error; i++) {
		struct reserved rec = m->ring.v[i]; /* ERROR probes add to the ring */
		int before = m->ring.n;
		struct rec_header *h = (struct rec_header *)rec.data;

		if (!rec.submitted)
			continue;
		h->time = h->time ? h->time : 1; /* nothing asks the kernel for a snapshot */
		if (consume_record(m->dt->consume, rec.data, rec.size) < 0)
			fail(m, "the consumer", "refuses a record");
		move_up(m, i + 1, before);
	}
	m->consumed += m->ring.n;
	consume_retire(m->dt->consume, m->consumed, m->consumed);
	m->ring.n = 0;
	m->ring_used = 0;
}

static bool is_named(const struct program *pl, const char *const names[4])
{
	for (int i = 0; i < 4; i++)
		if (strcmp(probe_field(pl->probes.v[0], i), names[i]))
			return false;
	return true;
}

static void run_probe(struct machine *m, const char *const names[4], const uint64_t *args)
{
	bpfvm_region(&m->vm, args, MACHINE_ARGS * sizeof(*args), false);
	for (int i = 0; i < m->dt->set->programs.n && !m->error; i++) {
		const struct program *pl = m->dt->set->programs.v[i];

		if (pl->hook == HOOK_RUN && !pl->support && is_named(pl, names))
			run_program(m, pl, args);
	}
	for (int i = m->vm.nregions - 1; i >= 0; i--)
		if (m->vm.regions[i].start == (uintptr_t)args)
			m->vm.regions[i] = m->vm.regions[--m->vm.nregions];
	for (int cpu = 0; cpu < m->ncpus; cpu++)
		if (session_ctl(m->dt)->cpus[cpu].busy)
			fail(m, "a program is wrong", "a scratch slot stays taken");
}

/* The plan's runner: fault_met() fires ERROR. */
static int fire_error(void *arg, const char *name, const uint64_t *args, int nargs)
{
	uint64_t all[MACHINE_ARGS] = {0};

	memcpy(all, args, MIN(nargs, MACHINE_ARGS) * sizeof(*args));
	run_probe(arg, (const char *const[]){"dtrace", "", "", name}, all);
	return 0;
}

bool machine_fire(struct machine *m, const struct machine_thread *t, const char *prov,
		  const char *mod, const char *func, const char *name,
		  const uint64_t args[MACHINE_ARGS])
{
	m->vm.time = t->time;
	m->vm.pid_tgid = (uint64_t)t->pid << 32 | t->tid;
	m->vm.uid_gid = (uint64_t)t->gid << 32 | t->uid;
	m->vm.task = 0xffff800000000000 | (uint64_t)t->tid << 12;
	m->vm.comm = t->execname;
	run_probe(m, (const char *const[]){prov, mod, func, name}, args);
	if (!m->error)
		snapshot(m);
	consume_records(m);
	return !m->error;
}

bool machine_exited(const struct machine *m)
{
	return m->dt->consume->exited;
}

const char *machine_error(const struct machine *m)
{
	return m->error;
}

uint64_t machine_drops(const struct machine *m, int kind)
{
	uint64_t n = 0;

	for (int cpu = 0; cpu < m->ncpus; cpu++)
		n += session_ctl(m->dt)->cpus[cpu].drops[kind];
	return n;
}

uint64_t machine_string(struct machine *m, const char *s)
{
	size_t size = strlen(s) + 1;

	return (uintptr_t)memcpy(memory(m, size, true), s, size);
}

struct machine *machine_new(struct dt *dt, FILE *out)
{
	struct machine *m = xcalloc(1, sizeof(*m));
	struct consume *c = xcalloc(1, sizeof(*c));

	m->dt = dt;
	m->ncpus = dt->set->ncpus;
	m->vm = (struct bpfvm){.helper = helper, .helper_arg = m, .max_steps = STEPS};
	make_maps(m);
	dt->consume = c;
	consume_init(c, out, out, &dt->opts, dt->types, dt->aggrs);
	c->schema = &dt->set->schema;
	c->wall = &session_ctl(dt)->wall;
	c->on_warning = message_warning;
	c->on_error = fault_met;
	c->on_warning_arg = c->on_error_arg = dt;
	dt->set->runner = fire_error;
	dt->set->runner_arg = m;
	return m;
}

void machine_free(struct machine *m)
{
	m->dt->consume->wall = NULL;
	m->dt->set->runner = NULL;
	drop_maps(m);
	bpfvm_done(&m->vm);
	hash_free(&m->elems);
	for (int i = 0; i < m->memory.n; i++)
		free(m->memory.v[i]);
	vec_free(&m->memory);
	vec_free(&m->ring);
	free(m);
}
