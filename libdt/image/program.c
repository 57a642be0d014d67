/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/image/program.h"

#include <stdlib.h>
#include <unistd.h>

#include "libdt/base/hash.h"

void program_set_init(struct program_set *set, struct feats *feats)
{
	*set = (struct program_set){.feats = feats, .cgroup = -1};
}

void program_set_cpus(struct program_set *set, int ncpus)
{
	set->ncpus = set->counts.ncpus = ncpus;
}

struct program *program_new(struct program_set *set, enum hook_kind hook)
{
	struct program *p = xcalloc(1, sizeof(*p));

	p->hook = hook;
	p->prog.fd = -1;
	vec_push(&set->programs, p);
	return p;
}

void program_drop_parts(struct program *p)
{
	for (int i = 0; i < p->parts.n; i++) {
		vec_free(&p->parts.v[i].clauses);
		vec_free(&p->parts.v[i].probes);
	}
	vec_free(&p->parts);
}

void program_free(struct program *p)
{
	prog_close(&p->prog);
	if (p->has_table)
		map_close(&p->table);
	program_drop_parts(p);
	vec_free(&p->clauses);
	vec_free(&p->probes);
	vec_free(&p->targets);
	free(p);
}

static void close_maps(struct shared_maps *m)
{
	struct map *maps[] = {
	    &m->ctl,	       &m->ring,	 &m->globals,	   &m->lits,	  &m->scratch,
	    &m->self,	       &m->aggmem,	 &m->vtime,	   &m->clocks,	  &m->cgroups,
	    &m->sockets,       &m->processes,	 &m->specs,	   &m->spec_tags, &m->unwind_rows,
	    &m->unwind_spaces, &m->unwind_files, &m->unwind_cache, &m->followed,  &m->late,
	    &m->orc,	       &m->sampling};

	for (unsigned i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i]->name[0])
			map_close(maps[i]);
}

struct each_map {
	struct hash seen;
	void (*fn)(void *arg, const struct map *m);
	void *arg;
};

static void visit_map(struct each_map *e, const struct map *m)
{
	if (!m || hash_get(&e->seen, &m, sizeof(m)))
		return;
	hash_put(&e->seen, &m, sizeof(m), e);
	e->fn(e->arg, m);
}

static void visit_code(struct each_map *e, const struct code *code)
{
	for (int i = 0; code && i < code->relocs.n; i++)
		if (code->relocs.v[i].kind != RELOC_CALL)
			visit_map(e, code->relocs.v[i].map);
}

void program_set_maps(const struct program_set *set, void (*fn)(void *arg, const struct map *m),
		      void *arg)
{
	struct each_map e = {.fn = fn, .arg = arg};

	visit_map(&e, &set->maps.ctl);
	for (int i = 0; i < set->counts.v.n; i++) {
		visit_map(&e, &set->maps.aggmem);
		for (int j = 0; set->counts.v.v[i]->key_size && j < 2; j++)
			visit_map(&e, &set->counts.v.v[i]->gen[j]);
	}
	for (int i = 0; i < set->programs.n; i++) {
		const struct program *p = set->programs.v[i];

		if (!p->targets.n && !p->support && !p->late && p->hook != HOOK_RUN)
			continue;
		visit_code(&e, p->code);
		for (int j = 0; j < p->prog.funcs.n; j++)
			visit_code(&e, p->prog.funcs.v[j]);
	}
	hash_free(&e.seen);
}

void program_set_free(struct program_set *set)
{
	for (int i = 0; i < set->programs.n; i++)
		program_free(set->programs.v[i]);
	vec_free(&set->programs);
	vec_free(&set->probes);
	if (set->cgroup >= 0)
		close(set->cgroup);
	close_maps(&set->maps);
	probe_names_free(&set->names);
	aggr_memory_free(&set->counts);
	schema_free(&set->schema);
}

pid_t program_process(struct probe *const *standins, int nstandins, int n)
{
	bool all = false;
	pid_t nth = 0;

	for (int i = 0; i < nstandins; i++) {
		pid_t pid = standins[i]->target.pid;
		int same = 0;

		while (standins[same]->target.pid != pid)
			same++;
		all |= !pid && !standins[i]->pids.modulus;
		if (pid && same == i && !n--)
			nth = pid;
	}
	return all ? nth : 0;
}
