/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/image/program.h"

#include <stdlib.h>
#include <unistd.h>

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

static void program_free(struct program *p)
{
	prog_close(&p->prog);
	if (p->has_table)
		map_close(&p->table);
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
	    &m->sampling};

	for (unsigned i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i]->name[0])
			map_close(maps[i]);
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
