/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What cannot go on without a dtrace that runs. Nothing of it is left out in silence:
 *
 * - processes that dtrace starts, stops or waits for (-c, -p, -W, -x follow), and files that are
 *   mapped later (-Z), because dtrace attaches to these when they come;
 * - probes that fire in dtrace: signals, and ERROR, of which a reader that is killed would run the
 *   clauses twice;
 * - actions that dtrace carries out when it reads the record. Hours later, those on aggregations
 *   would meet other totals; commands and files would be those of the reader's user; and what
 *   speculations hold would be lost with the reader;
 * - what dtrace refreshes in the programs' memory: statistics of the system, tables for ustack();
 * - the kernel's ring keeps the oldest records, and so cannot be -x bufpolicy=ring;
 * - attachments that the kernel cannot keep by themselves.
 *
 * Pins of links do not depend on the kind of the probe otherwise.
 */
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/detach/detach.h"
#include "libdt/late_probe.h"
#include "libdt/plan/plan.h"
#include "libdt/report.h"
#include "libdt/session.h"

static int refuse(struct dt *dt, const char *what, const char *why)
{
	return report_error(dt, "failed to detach: %s: %s", what, why);
}

static int check_options(struct dt *dt)
{
	const struct opts *o = &dt->opts;

	if (opt_text(o, OPT_RECORD))
		return refuse(dt, "-x record", "readers cannot record");
	if (consume_metrics(o) || opt_text(o, OPT_LISTEN))
		return refuse(dt, "metrics", "no dtrace is running to serve or write them");
	if (opt_text(o, OPT_MAXCPU))
		return refuse(dt, "-x maxcpu", "no dtrace is running to measure the cost");
	if (o->v[OPT_MAXMEM].set)
		return refuse(dt, "-x maxmem", "no dtrace is running to keep its totals below it");
	if (o->events)
		return refuse(dt, "dt_on_event( )", "readers print");
	if (!strcmp(opt_text(o, OPT_BUFPOLICY), "ring"))
		return refuse(dt, "-x bufpolicy=ring",
			      "the kernel's buffer keeps the oldest records; use fill");
	return 0;
}

int refuse_processes(struct dt *dt)
{
	return dt->detach ? refuse(dt, "-c, -p and -W", "dtrace resumes the processes when it ends")
			  : 0;
}

static int check_later(struct dt *dt)
{
	if (dt->set->follows)
		return refuse(dt, "-x follow", "dtrace must be running to attach to new processes");
	if (late_probe_awaits(dt))
		return refuse(dt, "-Z",
			      "dtrace must be running to attach to files that are mapped later");
	if (dt->pidns)
		return refuse(
		    dt, "a PID namespace",
		    "readers do not know the numbers of its processes; use the initial one");
	return 0;
}

static const struct {
	const char *name;
	bool end; /* END may have it */
	const char *why;
} actions[] = {
    {"printa", true, "a reader would print the totals of its own time"},
    {"clear", true, "a reader would clear what was counted since"},
    {"trunc", true, "a reader would remove what was counted since"},
    {"setopt", true, "each reader has options of its own (-x)"},
    {"system", false, "no dtrace is running to run the command"},
    {"freopen", false, "no dtrace is running to open the file"},
    {"ftruncate", false, "no dtrace is running to truncate the file"},
    {"speculate", false, "no dtrace is running to keep its records"},
    {"commit", false, "no dtrace is running to keep records"},
    {"discard", false, "no dtrace is running to keep records"},
};

static bool is_end(const struct clause *c)
{
	for (int i = 0; i < c->probes.n; i++)
		if (c->probes.v[i]->hook != HOOK_RUN || strcmp(c->probes.v[i]->name, "END"))
			return false;
	return true;
}

static int refuse_action(struct dt *dt, const struct act *act, const char *where, const char *why)
{
	struct strbuf place = {0};

	loc_put(&place, " at ", act->loc);
	report_error(dt, "failed to detach: %s( )%s%s: %s", act->name, where, sb_str(&place), why);
	sb_free(&place);
	return -1;
}

static int check_action(struct dt *dt, const struct clause *c, const struct act *act)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (strcmp(act->name, actions[i].name) || (actions[i].end && is_end(c)))
			continue;
		return refuse_action(dt, act, actions[i].end ? " outside of END" : "",
				     actions[i].why);
	}
	return 0;
}

static int check_clauses(struct dt *dt)
{
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];

		if (c->layout.ends_specs)
			return refuse(dt, "speculations",
				      "no dtrace is running to keep their records");
		for (int a = 0; a < c->layout.acts.n; a++)
			if (check_action(dt, c, c->layout.acts.v[a]) < 0)
				return -1;
	}
	if (dt->sema->sysstats)
		return refuse(dt, "statistics of the system", "a running dtrace must refresh them");
	if (dt->set->unwinds && dt->set->uses_unwind)
		return refuse(dt, "-x unwind=eh",
			      "dtrace must be running to make the tables of new processes; use fp");
	return 0;
}

/* Is it a probe on a perf event, which only a link keeps? */
static bool is_event(enum hook_kind hook)
{
	return hook == HOOK_TP || hook == HOOK_PERF || hook == HOOK_KPROBE ||
	       hook == HOOK_KRETPROBE || hook == HOOK_UPROBE || hook == HOOK_URETPROBE;
}

static int check_program(struct dt *dt, const struct program *pl)
{
	const struct probe *p = pl->support ? NULL : pl->probes.v[0];

	if (!p || (!pl->targets.n && pl->hook != HOOK_RUN))
		return 0;
	if (pl->hook == HOOK_RUN && strcmp(p->name, "BEGIN") && strcmp(p->name, "END"))
		return report_error(dt, "failed to detach: %s:::%s: it fires in a running dtrace",
				    p->prov, p->name);
	if (is_event(pl->hook) && !feat(dt->feats, FEAT_PERF_COOKIE))
		return report_error(
		    dt,
		    "failed to detach: %s:%s:%s:%s: this kernel keeps such a probe only "
		    "while dtrace runs (Linux 5.15 and later have links for perf events)",
		    p->prov, p->mod, p->func, p->name);
	return 0;
}

int refuse_check(struct dt *dt)
{
	if (check_options(dt) < 0 || check_later(dt) < 0 || check_clauses(dt) < 0)
		return -1;
	if (!leave_count_probes(dt) && opt_on(&dt->opts, OPT_ZDEFS))
		return refuse(dt, "-Z", "no probe matches, and none is attached later");
	for (int i = 0; i < dt->set->programs.n; i++)
		if (check_program(dt, dt->set->programs.v[i]) < 0)
			return -1;
	return 0;
}
