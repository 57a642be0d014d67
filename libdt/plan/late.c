/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With -Z: probes of files that no process has mapped when tracing begins.
 *
 * What will come is not known when programs are made and verified: neither which of the script's
 * descriptions a probe will fit, nor what it is called, nor where its arguments are. So there is
 * one program for all that may come on a hook, with every clause that waits; a row of a map,
 * which dtrace writes when a probe is met, says which of the clauses are the probe's and how its
 * arguments are fetched. Then the probe has only to be attached.
 *
 * A place may match descriptions of one process and of all processes (app123, app*), whose probes
 * the kernel runs in an order of its own. As for files that are mapped (plan/choose.c), the probe
 * of the process then has the clauses of both, and the row of the other one says that it does not
 * fire in that process.
 *
 * Where attaching carries no cookie (before 5.15), that program is loaded again for each probe,
 * with the number of its row in a map of its own.
 */
#include <string.h>

#include "libdt/plan/parts.h"

enum {
	LATE_MAX = 4096,
	LATE_MAX_EXEC = 32768,
	MAP_BYTES = (4 << 20) - 4096 /* kernels take no more for one value, up to 5.10 */
};

void plan_late(struct plan *p)
{
	struct codegen *cg = &p->cg;
	uint32_t most = 0;

	for (int i = 0; i < p->set->programs.n; i++)
		if (p->set->programs.v[i]->late)
			most = MAX(most, (uint32_t)p->set->programs.v[i]->clauses.n);
	if (!most)
		return;
	cg->set->late_max = LATE_MAX;
	cg->set->late_first = cg->set->probes.n;
	cg->set->late_row_size = late_words(most) * 8 + sizeof(struct late_processes) +
				 LATE_ARGS * sizeof(struct late_arg);
	if (!strcmp(opt_text(cg->opts, OPT_EVALTIME), "exec")) /* all libraries are yet to come */
		cg->set->late_max =
		    MAX(LATE_MAX, MIN(LATE_MAX_EXEC, MAP_BYTES / cg->set->late_row_size));
	map_init_memory(&cg->set->maps.late, "dt_late", cg->set->late_max * cg->set->late_row_size);
}

void plan_late_program(struct plan *p, struct program *pl)
{
	if (hook_dispatch(p->cg.feats, pl->hook) == DISPATCH_COOKIE)
		return;
	map_init_memory(&pl->table, "dt_number", sizeof(pl->number));
	pl->table.init = &pl->number;
	pl->has_table = true;
}
