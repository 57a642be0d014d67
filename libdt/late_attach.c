/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that come while tracing goes on, for descriptions that wait for them (-Z), and processes that go, for the names of their addresses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/clock.h"
#include "libdt/run/dlstop.h"
#include "libdt/session.h"
#include "libdt/user/foreign.h"
#include "libdt/user/mmap_events.h"

static void forget(struct dt *dt)
{
	for (int i = 0; i < dt->late_files.n; i++)
		free((char *)dt->late_files.v[i].map.path);
	vec_free(&dt->late_files);
}

/* A file that was met. It may be another one under the same number when it is mapped after that. */
struct met {
	uint64_t changed,
	    looked_ns; /* changed: 0: it is new whenever it is met. looked_ns: CLOCK_MONOTONIC */
	bool told;     /* that it cannot be reached */
};

/* When a file was changed last; 0 when nobody can tell. */
static uint64_t changed(struct dt *dt, pid_t pid, const struct mapping *m)
{
	struct foreign_version v;

	return foreign_version(dt->foreign, pid, m, &v) ? 0 : v.changed;
}

/* Is there anything new in a file that somebody has mapped? One that could not be looked at is tried again, too: by somebody who stays longer. */
static struct met *find_new(struct dt *dt, const struct late_file *c)
{
	uint64_t key[3] = {c->map.dev, c->map.inode, plan_awaits_process(&dt->plan, c->pid)},
		 now = clock_ns(CLOCK_MONOTONIC), when;
	struct met **met = (struct met **)hash_ref(&dt->mapped, key, sizeof(key));
	bool known;

	if (*met && (*met)->changed && c->time <= (*met)->looked_ns)
		return NULL;
	when = changed(dt, c->pid, &c->map);
	if (*met && (*met)->changed &&
	    !when) /* who mapped it is gone, and with it whatever were new */
		return NULL;
	if (!*met)
		*met = xcalloc(1, sizeof(**met));
	known = when && (*met)->changed == when;
	(*met)->changed = when;
	(*met)->looked_ns = now;
	return known ? NULL : *met;
}

/* Its process was gone before its probes were in, and by another it may be reached. */
static void try_again(struct dt *dt, struct met *met, const char *path)
{
	met->changed = 0;
	if (!met->told)
		dt_note(dt, "%s went before its probes were enabled", path);
	else
		dt_debug(dt, "%s went again", path);
	met->told = true;
}

/* A file that somebody has mapped as code: what it has of what was asked for is traced from now on. */
static void meet(struct dt *dt, const struct late_file *c)
{
	struct late_refusal r;
	const char *why, *what, *path = c->map.path;
	struct met *met;
	int n;

	met = plan_awaits_from(&dt->plan, c->pid) ? find_new(dt, c) : NULL;
	if (!met)
		return;
	n = plan_meet(&dt->plan, c->pid, &c->map, &r);
	dt->consume->probes = dt->plan.sh.probes.v;
	dt->consume->nprobes = dt->plan.sh.probes.n;
	if (n)
		dt_debug(dt, "%d probes in %s", n, path);
	if (!r.refused)
		return;
	if (r.failed && r.err == -ENOENT) {
		try_again(dt, met, path);
		return;
	}
	what = r.failed ? plan_explain(r.failed, r.err, &why) : "there is no room for more of them";
	dt_note(dt, "%d probes of %s could not be enabled: %s%s", r.refused, path, what,
		r.failed ? why : "");
}

struct everybody {
	struct dt *dt;
	uint64_t time;
};

static void meet_one(void *arg, pid_t pid, const struct mapping *m)
{
	const struct everybody *all = arg;

	meet(all->dt, &(struct late_file){pid, all->time, *m});
}

/* What anybody has mapped now. */
static void meet_all(struct dt *dt)
{
	struct everybody all = {dt, clock_ns(CLOCK_MONOTONIC)};

	mmap_events_all(meet_one, &all);
}

/* Whether addresses of processes are recorded, and are to have names. */
static bool follows_lives(const struct dt *dt)
{
	return dt->usyms && dt->plan.sh.processes.name[0];
}

/*
 * What came to pass until now. Where more comes meanwhile than can be told there would be no end. Files that were mapped wait until they can be
 * met: this may be in the middle of a record.
 */
static uint64_t pull(void *arg)
{
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	struct dt *dt = arg;
	struct mmap_event e = {.time = 0};

	while (e.time <= began && mmap_events_next(dt->mapwatch, &e)) {
		if (follows_lives(dt))
			usyms_event(dt->usyms, &e);
		if (!plan_awaits(&dt->plan) ||
		    (e.kind != MMAP_EVENT_LOST && (e.kind != MMAP_EVENT_MAP || !e.map.inode)))
			continue;
		e.map.path = e.kind == MMAP_EVENT_MAP ? xstrdup(e.map.path)
						      : NULL; /* NULL: some were lost */
		vec_push(&dt->late_files, ((struct late_file){e.pid, e.time, e.map}));
	}
	return e.time > began ? e.time : mmap_events_until(dt->mapwatch);
}

void late_attach_watch(struct dt *dt)
{
	bool files = plan_awaits(&dt->plan), lives = follows_lives(dt);

	if (!files && !lives)
		return;
	dt->mapwatch = mmap_events_new(dt->plan.sh.ncpus, lives, files);
	if (!dt->mapwatch && files && opt_on(&dt->opts, OPT_ZDEFS)) /* others hardly need them */
		dt_note(dt, "probes of files that are mapped later will not be seen: %s",
			strerror(errno));
	else if (!dt->mapwatch)
		dt_debug(dt, "mappings of processes that end are not told: %s", strerror(errno));
	if (dt->mapwatch && lives)
		usyms_follow(dt->usyms, pull, dt);
}

/* Commands wait at their loads of libraries until these were met. */
static void stop_at_loads(struct dt *dt)
{
	pid_t pid;
	int err;

	for (int i = 0; (pid = proc_command(dt->procs, i)); i++) {
		struct dlstop *d = plan_awaits_from(&dt->plan, pid)
				       ? dlstop_new(dt->foreign, pid, dt->feats, &err)
				       : NULL;

		if (d)
			vec_push(&dt->dlstops, d);
		else
			dt_debug(
			    dt,
			    "process %d does not wait for the probes of libraries that it loads",
			    (int)pid);
	}
}

void late_attach_find(struct dt *dt)
{
	if (!dt->mapwatch || !plan_awaits(&dt->plan))
		return;
	meet_all(dt);
	stop_at_loads(dt);
}

bool late_attach_stops(const struct dt *dt)
{
	return dt->dlstops.n;
}

static void meet_told(struct dt *dt)
{
	if (follows_lives(dt))
		usyms_catch_up(dt->usyms);
	else
		pull(dt);
	for (int i = 0; i < dt->late_files.n; i++) {
		const struct late_file *c = &dt->late_files.v[i];

		if (c->map.path)
			meet(dt, c);
		else
			meet_all(dt);
	}
	forget(dt);
}

void late_attach_run(struct dt *dt)
{
	uint64_t stopped = 0;

	if (!dt->mapwatch)
		return;
	for (int i = 0; i < dt->dlstops.n && i < 64; i++)
		stopped |= (uint64_t)dlstop_caught(dt->dlstops.v[i]) << i;
	meet_told(dt);
	for (int i = 0; i < dt->dlstops.n && i < 64; i++)
		if (stopped >> i & 1)
			dlstop_go(dt->dlstops.v[i]);
}

void late_attach_free(struct dt *dt)
{
	for (int i = 0; i < dt->dlstops.n; i++)
		dlstop_free(dt->dlstops.v[i]);
	vec_free(&dt->dlstops);
	mmap_events_free(dt->mapwatch);
	for (size_t i = 0; i < dt->mapped.n; i++)
		free(dt->mapped.entries[i].value);
	hash_free(&dt->mapped);
	forget(dt);
}
