/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtrace -A: a session that goes on when its process ends. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/detach/description.h"
#include "libdt/detach/detach.h"
#include "libdt/detach/state.h"
#include "libdt/message.h"
#include "libdt/plan/plan.h"
#include "libdt/preamble.h"
#include "libdt/process/proc.h"
#include "libdt/report.h"
#include "libdt/session.h"

struct detach {
	const char *name;
	struct store store; /* name NULL: not made yet */
};

static int fail(struct dt *dt, const char *why)
{
	return report_error(dt, "failed to begin the detached session %s: %s", dt->detach->name,
			    why);
}

static int fail_number(struct dt *dt, int err)
{
	return fail(dt, strerror(-err));
}

int leave_prepare(struct dt *dt, const char *name)
{
	if (!store_is_name(name))
		return report_error(
		    dt,
		    "invalid name of a detached session: \"%s\" (at most 64 letters, "
		    "digits, - _ and ., the first a letter or digit)",
		    name);
	if (dt->detach || dt->types || proc_nth(dt->procs, 0))
		return report_error(
		    dt,
		    "failed to begin the detached session %s: the handle has a program "
		    "or process already",
		    name);
	dt->detach = xcalloc(1, sizeof(*dt->detach));
	dt->detach->name = arena_strdup(dt->arena, name);
	dt->opts.detached = true;
	return 0;
}

int leave_begin(struct dt *dt)
{
	struct strbuf why = {0};
	int rc;

	if (!dt->detach && dt->opts.v[OPT_NAME].set)
		return report_error(dt,
				    "-x name is the name of a detached session: it goes with -A, "
				    "-a or -x detach");
	if (!dt->detach)
		return 0;
	if (refuse_check(dt) < 0)
		return -1;
	rc = store_create(&dt->detach->store, dt->detach->name, &why);
	if (rc < 0)
		fail(dt, sb_str(&why));
	sb_free(&why);
	dt->set->links.pinnable = true;
	return rc;
}

static void make_preambles(struct dt *dt, struct description *d)
{
	struct strbuf json = {0}, xml = {0};

	preamble_text(dt, &writer_json, "json", &json);
	preamble_text(dt, &writer_xml, "xml", &xml);
	d->json = arena_strdup(dt->arena, sb_str(&json));
	d->xml = arena_strdup(dt->arena, sb_str(&xml));
	sb_free(&json);
	sb_free(&xml);
}

static struct sites sites_of(struct dt *dt, const struct clause *c)
{
	struct sites sites = {.n = c->sites.n};

	sites.v = arena_alloc(dt->arena, (sites.n + 1) * sizeof(*sites.v));
	for (int i = 0; i < sites.n; i++)
		sites.v[i] = (struct fault_site){c->sites.v[i].loc, c->sites.v[i].of_kernel};
	return sites;
}

static int write_description(struct dt *dt)
{
	int n = dt->plan->clauses.n, rc;
	struct sites *sites = arena_alloc(dt->arena, (n + 1) * sizeof(*sites));
	struct description d = {
	    .file =
		{
		    .schema = &dt->set->schema,
		    .aggrs = dt->aggrs,
		    .types = dt->types,
		    .ordered = dt->set->ordered,
		    .early = dt->set->early,
		    .opts = &dt->opts,
		},
	    .clauses = sites,
	    .sleepers = dt->set->sleepers,
	};
	struct strbuf sb = {0};
	struct pack p = {.out = &sb};

	for (int i = 0; i < n; i++)
		sites[i] = sites_of(dt, dt->plan->clauses.v[i]);
	make_preambles(dt, &d);
	description_pack(&d, &p);
	rc = store_write(&dt->detach->store, "description", &sb);
	schema_file_free(&d.file);
	sb_free(&sb);
	return rc;
}

/* Nothing was read, and nothing is counted yet that is not in the maps. */
static int write_state(struct dt *dt)
{
	struct position pos = {.ncpus = dt->aggrs->ncpus};
	struct strbuf sb = {0};
	struct pack p = {.out = &sb};
	uint64_t number = 0;
	int rc;

	pos.drops = xcalloc(pos.ncpus, sizeof(*pos.drops));
	state_pack_position(&pos, dt->aggrs, &p);
	rc = store_write(&dt->detach->store, "position", &sb);
	sb.len = 0;
	state_pack_totals(&number, dt->aggrs, &p);
	if (!rc)
		rc = store_write(&dt->detach->store, "totals", &sb);
	state_free(&pos);
	sb_free(&sb);
	return rc;
}

int leave_count_probes(const struct dt *dt)
{
	int n = 0;

	for (int i = 0; i < dt->set->probes.n; i++)
		n += dt->set->probes.v[i]->hook != HOOK_RUN;
	return n;
}

static void announce(struct dt *dt)
{
	const char *name = dt->detach->name;

	if (session_ctl(dt)->stopped)
		message_note(
		    dt,
		    "tracing of %s has ended by exit( ): dtrace -x detach=stop %s prints its "
		    "output",
		    name, name);
	else
		message_note(
		    dt,
		    "tracing goes on as %s: dtrace -a %s reads it, dtrace -x detach=stop %s "
		    "stops it",
		    name, name, name);
}

int leave_finish(struct dt *dt)
{
	struct store *store = &dt->detach->store;
	int rc = pins_save(dt, store);

	if (!rc)
		rc = write_description(dt);
	if (!rc)
		rc = write_state(dt);
	if (!rc)
		rc = store_complete(store, leave_count_probes(dt));
	if (rc)
		return fail_number(dt, rc);
	store_close(store);
	if (!opt_on(&dt->opts, OPT_QUIET))
		announce(dt);
	dt->stopped = true; /* here: there is nothing to stop */
	return 0;
}

/* What was not completed is removed. */
void leave_free(struct dt *dt)
{
	if (dt->detach && dt->detach->store.name)
		store_remove(&dt->detach->store);
	free(dt->detach);
}
