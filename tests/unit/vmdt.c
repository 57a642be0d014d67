/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/vmdt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/consume/consume.h"
#include "libdt/session.h"
#include "tests/unit/bpfvm.h"

enum { NCPUS = 4, STEPS = 100000000 };

/* What a program reserved in the ring. */
struct reserved {
	uint64_t *data;
	uint32_t size;
	bool submitted, ended;
};

struct machine {
	struct vmdt *result;
	struct dt *dt;
	struct bpfvm vm;
	struct hash elems; /* map and key -> value */
	VEC(void *) memory;
	VEC(struct reserved) ring;
	uint32_t ring_used;
	struct strbuf faults;
	FILE *out;
};

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
	if (!map->name[0])
		return;
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
		if (!map->mem)
			return hash_helper(m, id, map, r);
		break;
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

static void init_slots(const struct aggr *ag)
{
	for (int i = 0; !ag->key_size && i < 2 * NCPUS && ag->func->init; i++)
		ag->func->init((int64_t *)((char *)ag->mem->mem + ag->mem_off + i * ag->stride) + 1,
			       ag->params);
}

static void make_maps(struct machine *m)
{
	struct shared *sh = &m->dt->plan.sh;
	struct map *mem[] = {&sh->ctl, &sh->globals, &sh->lits, &sh->probetab, &sh->clocks};

	for (unsigned i = 0; i < ARRAY_SIZE(mem); i++)
		map_memory(m, mem[i], mem[i]->value_size);
	if (m->dt->aggrs->v.n)
		map_memory(m, &sh->aggmem, sh->aggmem.value_size);
	map_memory(m, &sh->scratch,
		   (size_t)ALIGN_UP(sh->scratch.value_size, 8) * sh->scratch.max_entries);
	for (int i = 0; i < m->dt->aggrs->v.n; i++)
		init_slots(m->dt->aggrs->v.v[i]);
	m->dt->aggrs->generation = &dt_ctl(m->dt)->generation;
}

static void drop_maps(struct machine *m)
{
	struct shared *sh = &m->dt->plan.sh;
	struct map *mem[] = {&sh->ctl,	  &sh->globals, &sh->lits,   &sh->probetab,
			     &sh->clocks, &sh->aggmem,	&sh->scratch};

	for (unsigned i = 0; i < ARRAY_SIZE(mem); i++) {
		mem[i]->mem = NULL;
		mem[i]->mem_size = 0;
	}
	m->dt->aggrs->generation = NULL;
}

/* A snapshot: the other generation begins, and what the programs counted in this one is taken. */
static void snapshot(struct machine *m)
{
	struct aggrs *as = m->dt->aggrs;
	uint32_t old = dt_ctl(m->dt)->generation;

	dt_ctl(m->dt)->generation = !old;
	for (int i = 0; i < as->v.n; i++) {
		struct aggr *ag = as->v.v[i];
		const struct map *map = &ag->gen[old];

		for (int cpu = 0; !ag->key_size && cpu < NCPUS; cpu++) {
			int64_t *slot = (int64_t *)((char *)ag->mem->mem + ag->mem_off +
						    (old * NCPUS + cpu) * ag->stride);

			if (slot[0])
				aggr_merge(as, ag, "", cpu, slot + 1);
			slot[0] = 0;
		}
		for (size_t j = 0; ag->key_size && j < m->elems.n; j++) {
			const struct hash_entry *e = &m->elems.entries[j];

			if (e->key && !memcmp(e->key, &map, sizeof(map)))
				aggr_merge(as, ag, (const uint8_t *)e->key + sizeof(map) + 8, 0,
					   e->value);
		}
	}
	as->snapshot_ns = UINT64_MAX;
}

/* Running ----------------------------------------------------------------- */

static void refuse(struct machine *m, const char *what, const char *why)
{
	snprintf(m->result->message, sizeof(m->result->message), "%s: %s", what, why);
	m->result->refused = m->result->message;
}

static void run_program(struct machine *m, const struct planned *pl, const uint64_t args[12])
{
	VEC(struct code *) funcs = {0};

	vec_push(&funcs, pl->code);
	for (int i = 0; i < pl->prog.funcs.n; i++)
		vec_push(&funcs, pl->prog.funcs.v[i]);
	m->vm.funcs = funcs.v;
	m->vm.nfuncs = funcs.n;
	bpfvm_run(&m->vm, pl->code, 1, (uint64_t[]){(uintptr_t)args});
	if (m->vm.error)
		refuse(m, "the program is wrong", m->vm.error);
	for (int i = 0; i < m->ring.n && !m->vm.error; i++)
		if (!m->ring.v[i].ended)
			refuse(m, "the program is wrong", "a record does not end");
	vec_free(&funcs);
}

static void on_error(void *arg, const struct rec_header *h, const struct rec_error *e)
{
	struct machine *m = arg;

	(void)h;
	sb_printf(&m->faults, "fault %u in clause %u\n", (unsigned)e->fault, e->clause + 1);
}

static void consume_records(struct machine *m)
{
	for (int i = 0; i < m->ring.n && !m->result->refused; i++) {
		struct reserved *rec = &m->ring.v[i];
		struct rec_header *h = (struct rec_header *)rec->data;

		if (!rec->submitted)
			continue;
		h->time = h->time ? h->time : 1; /* nothing asks the kernel for a snapshot */
		if (consume_record(m->dt->consume, rec->data, rec->size) < 0)
			refuse(m, "the consumer", "refuses a record");
	}
	m->ring.n = 0;
	m->ring_used = 0;
}

static void fire(struct machine *m, const char *name)
{
	uint64_t args[12] = {0};

	bpfvm_region(&m->vm, args, sizeof(args), false);
	for (int i = 0; i < m->dt->plan.programs.n && !m->result->refused; i++) {
		const struct planned *pl = m->dt->plan.programs.v[i];

		if (pl->hook == HOOK_RUN && !pl->support && !strcmp(pl->probes.v[0]->name, name))
			run_program(m, pl, args);
	}
	for (int i = m->vm.nregions - 1; i >= 0; i--)
		if (m->vm.regions[i].start == (uintptr_t)args)
			m->vm.regions[i] = m->vm.regions[--m->vm.nregions];
	snapshot(m);
	consume_records(m);
}

static void report_losses(struct machine *m)
{
	for (int kind = 0; kind < DROP_COUNT; kind++) {
		uint64_t n = 0;

		for (int cpu = 0; cpu < NCPUS; cpu++)
			n += dt_ctl(m->dt)->cpus[cpu].drops[kind];
		if (n)
			fprintf(m->out, "%llu drops of kind %d\n", (unsigned long long)n, kind);
	}
	for (int cpu = 0; cpu < NCPUS; cpu++)
		if (dt_ctl(m->dt)->cpus[cpu].busy)
			refuse(m, "the program is wrong", "a scratch slot stays taken");
}

static void warn(void *arg, const char *text)
{
	fprintf(((struct machine *)arg)->out, "warning: %s\n", text);
}

static void run(struct machine *m)
{
	struct consume *c = xcalloc(1, sizeof(*c));
	struct dt *dt = m->dt;

	make_maps(m);
	dt->consume = c;
	consume_init(c, m->out, stderr, &dt->opts, dt->types, dt->aggrs);
	c->clauses = dt->plan.clauses.v;
	c->nclauses = dt->plan.clauses.n;
	c->probes = dt->plan.sh.probes.v;
	c->nprobes = dt->plan.sh.probes.n;
	c->wall = &dt_ctl(dt)->wall;
	c->on_warning = warn;
	c->on_warning_arg = c->on_error_arg = m;
	c->on_error = on_error;
	fire(m, "BEGIN");
	dt_ctl(dt)->stopped = STOP_ENDED;
	fire(m, "END");
	fputs(sb_str(&m->faults), m->out);
	report_losses(m);
	c->wall = NULL;
	drop_maps(m);
}

static bool compile(struct machine *m, const char *text, const char *const *opts)
{
	static const char *const first[] = {"btfpath", "none",	"ncpus", "4", "nofeat",
					    "all",     "quiet", NULL,	 NULL};
	const char *const *lists[] = {first, opts};

	for (int i = 0; i < 2; i++)
		for (const char *const *o = lists[i]; o && *o; o += 2)
			if (dt_setopt(m->dt, o[0], o[1])) {
				refuse(m, "option", dt_error(m->dt));
				return false;
			}
	if (dt_program(m->dt, DT_SCRIPT, text, "script") < 0 || dt_check(m->dt) < 0) {
		refuse(m, "does not compile", dt_error(m->dt));
		return false;
	}
	return true;
}

void vmdt_run(struct vmdt *v, const char *text, const char *const *opts)
{
	struct machine m = {.result = v, .dt = dt_open()};
	size_t len;

	memset(v, 0, sizeof(*v));
	m.out = open_memstream(&v->out, &len);
	m.vm = (struct bpfvm){.helper = helper,
			      .max_steps = STEPS,
			      .time = 1000000,
			      .pid_tgid = (uint64_t)getpid() << 32 | getpid(),
			      .uid_gid = (uint64_t)getgid() << 32 | getuid(),
			      .comm = "vmdt"};
	m.vm.helper_arg = &m;
	if (compile(&m, text, opts))
		run(&m);
	fclose(m.out);
	dt_close(m.dt);
	bpfvm_done(&m.vm);
	hash_free(&m.elems);
	for (int i = 0; i < m.memory.n; i++)
		free(m.memory.v[i]);
	vec_free(&m.memory);
	vec_free(&m.ring);
	sb_free(&m.faults);
}

void vmdt_done(struct vmdt *v)
{
	free(v->out);
	v->out = NULL;
}
