/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/totals.h"

#include <time.h>

#include "libdt/base/clock.h"
#include "libdt/consumer/consume.h"
#include "libdt/engine/snapshot.h"
#include "libdt/engine/unwind.h"
#include "libdt/session.h"
#include "libdt/symbols/usym.h"

void totals_describe(struct dt *dt)
{
	const struct schema *s = &dt->set->schema;

	for (int i = 0; i < s->aggs.n; i++)
		aggr_add(dt->aggrs, &s->aggs.v[i]);
}

static void merge_row(void *arg, uint32_t id, const void *key, int cpu, const int64_t *value)
{
	struct aggrs *as = arg;

	aggr_merge(as, as->v.v[id], key, cpu, value);
}

/* For readers that may be killed at any time. */
static int take_committed(struct dt *dt, uint32_t gen, const struct snapshot_rows *rows)
{
	const struct totals_commit *c = dt->commit;
	int rc = snapshot_read(&dt->set->counts, gen, rows);

	if (!rc)
		rc = c->commit(c->arg);
	if (!rc)
		rc = snapshot_remove(&dt->set->counts, gen);
	if (!rc)
		c->removed(c->arg);
	return rc;
}

/* The consumer's snapshot. */
static int take(void *arg)
{
	struct dt *dt = arg;
	struct aggrs *as = dt->aggrs;
	struct snapshot_rows rows = {merge_row, as};
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	uint32_t old;
	int rc = snapshot_turn(&dt->set->counts, dt->commit, &old);

	if (rc)
		return rc;
	usyms_catch_up(dt->usyms); /* with all that was counted */
	as->now_ns = began;
	rc = dt->commit ? take_committed(dt, old, &rows)
			: snapshot_take(&dt->set->counts, old, &rows);
	if (!rc)
		as->snapshot_ns = began;
	aggrs_snapshot_end(as);
	return rc;
}

void totals_begin(struct dt *dt, bool sleepers, const struct totals_commit *commit)
{
	struct aggr_memory *mem = &dt->set->counts;
	struct ctl *ctl = session_ctl(dt);

	dt->aggrs->take = take;
	dt->aggrs->take_arg = dt;
	dt->commit = commit;
	mem->generation = &ctl->generation;
	if (!sleepers)
		return;
	mem->busy = &ctl->cpus[0].busy;
	mem->busy_step = sizeof(struct ctl_cpu) / sizeof(uint64_t);
	mem->asleep =
	    (offsetof(struct ctl_cpu, asleep) - offsetof(struct ctl_cpu, busy)) / sizeof(uint64_t);
}

bool totals_fill(struct dt *dt)
{
	return snapshot_fill(&dt->set->counts);
}
