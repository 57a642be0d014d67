/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that come while tracing goes on, for descriptions that wait for them (-Z), and processes
 * that go, for the names of their addresses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/engine/programs.h"
#include "libdt/late_attach.h"
#include "libdt/late_probe.h"
#include "libdt/loop.h"
#include "libdt/message.h"
#include "libdt/process/dlstop.h"
#include "libdt/process/foreign.h"
#include "libdt/process/mmap_events.h"
#include "libdt/process/object.h"
#include "libdt/process/proc.h"
#include "libdt/session.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/usym.h"

/* A file that a process has mapped. */
struct late_file {
	pid_t pid;
	uint64_t time;	    /* when, CLOCK_MONOTONIC */
	struct mapping map; /* with a path of its own */
};

struct late_attach {
	struct mmap_events *events; /* NULL: they cannot be had */
	/* of commands whose libraries are to be met before they run */
	VEC(struct dlstop *) stops;
	VEC(struct late_file) files; /* to be met */
	struct hash met; /* those that were looked at: device, inode, process -> struct met */
	bool full;	 /* no more probes can be enabled, which was reported */
	int notes;	 /* files that were reported, or counted */
	bool lost;	 /* events: the files of all processes are to be looked at, and ... */
	uint64_t all_ns; /* not before then */
};

/* So many files are reported, the others are counted. */
enum { NOTES_MAX = 8 };
/* Looking at all processes takes a tenth of the time at most, unless that would be rarer than
 * this: processes map files faster than we can see. */
enum { ALL_SHARE = 10 };
#define ALL_NS 5000000000

static void forget(struct dt *dt)
{
	for (int i = 0; i < dt->late->files.n; i++)
		free((char *)dt->late->files.v[i].map.path);
	vec_free(&dt->late->files);
}

/* A file that was met. It may be another one under the same number when it is mapped after that. */
struct met {
	/* changed: 0: it is new whenever it is met. looked_ns: CLOCK_MONOTONIC */
	uint64_t changed, looked_ns;
	bool reported; /* that it cannot be reached */
};

/* Those of more are forgotten, the ones that were met first before others: when they are mapped
 * again they are searched again. */
enum { MET_MAX = 16384 };

static void forget_first(struct late_attach *late)
{
	size_t left = MET_MAX / 4;

	for (size_t i = 0; i < late->met.n && left; i++) {
		struct hash_entry *e = &late->met.entries[i];

		if (!e->key)
			continue;
		free(e->value);
		hash_remove(&late->met, e->key, e->len);
		left--;
	}
}

static struct met *met_new(struct late_attach *late, const uint64_t key[3], size_t size)
{
	struct met *met = xcalloc(1, sizeof(*met));

	if (late->met.live >= MET_MAX)
		forget_first(late);
	hash_put(&late->met, key, size, met);
	return met;
}

/* Does a file that a process has mapped need to be searched? One that could not be read is tried
 * again, too: the next process may live longer. */
static struct met *find_new(struct dt *dt, const struct late_file *c)
{
	uint64_t key[3] = {c->map.dev, c->map.inode, late_probe_process(dt, c->pid)},
		 now = clock_ns(CLOCK_MONOTONIC), when;
	struct met *met = hash_get(&dt->late->met, key, sizeof(key));
	struct foreign_version v;
	bool known, found;

	if (met && met->changed && c->time <= met->looked_ns)
		return NULL;
	found = !foreign_version(dt->foreign, c->pid, &c->map, &v);
	if (found && v.size < OBJECT_MIN)
		return NULL;
	when = found ? v.changed : 0;
	/* the process is gone, and with it the way to read the file */
	if (met && met->changed && !when)
		return NULL;
	if (!met)
		met = met_new(dt->late, key, sizeof(key));
	known = when && met->changed == when;
	met->changed = when;
	met->looked_ns = now;
	return known ? NULL : met;
}

/* With -x cgroup, processes outside of the group do not; those that a
 * description names may join it later. */
static bool may_fire(struct dt *dt, pid_t pid)
{
	return dt->set->cgroup < 0 || late_probe_process(dt, pid) ||
	       cgroups_contain(dt->cgroups, dt->set->cgroup, pid);
}

/* Users map as many files as they like. */
__attribute__((format(printf, 2, 3))) static void note(struct dt *dt, const char *fmt, ...)
{
	struct strbuf text = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&text, fmt, ap);
	va_end(ap);
	if (dt->late->notes++ < NOTES_MAX)
		message(dt, DT_MSG_NOTE, sb_str(&text));
	else
		message_debug(dt, "%s", sb_str(&text));
	sb_free(&text);
}

/* Its process was gone before its probes were in, and by another it may be reached. */
static void try_again(struct dt *dt, struct met *met, const char *path)
{
	met->changed = 0;
	if (!met->reported)
		note(dt, "%s was unmapped before its probes were enabled", path);
	else
		message_debug(dt, "%s was unmapped again", path);
	met->reported = true;
}

/* A process has mapped a file as code: enables the probes in it that descriptions match. */
static void meet(struct dt *dt, const struct late_file *c)
{
	struct late_refusal r;
	const char *why, *what, *path = c->map.path;
	char limit[100];
	struct met *met;
	int n;

	met = !dt->late->full && late_probe_awaits_from(dt, c->pid) && may_fire(dt, c->pid)
		  ? find_new(dt, c)
		  : NULL;
	if (!met)
		return;
	n = late_probe_meet(dt, c->pid, &c->map, &r);
	if (n)
		message_debug(dt, "%d probes in %s", n, path);
	if (!r.refused)
		return;
	if (r.failed && r.err == -ENOENT) {
		try_again(dt, met, path);
		return;
	}
	dt->late->full = !r.failed && r.most == dt->set->late_max;
	snprintf(
	    limit, sizeof(limit),
	    r.most < dt->set->late_max
		? "too many late probes in files of one user (limit %u); name fewer in descriptions"
		: "too many late probes (limit %u); name fewer in descriptions",
	    r.most);
	what = r.failed ? programs_explain(r.failed, r.err, &why) : limit;
	note(dt, "%s%d probes of %s could not be enabled: %s%s", r.cut ? "at least " : "",
	     r.refused, path, what, r.failed ? why : "");
}

struct meet_arg {
	struct dt *dt;
	uint64_t time;
};

static void meet_one(void *arg, pid_t pid, const struct mapping *m)
{
	const struct meet_arg *all = arg;

	meet(all->dt, &(struct late_file){pid, all->time, *m});
}

/* Searches the files that any process has mapped now. */
static void meet_all(struct dt *dt)
{
	struct meet_arg all = {dt, clock_ns(CLOCK_MONOTONIC)};
	uint64_t now;

	mmap_events_all(dt->foreign, meet_one, &all);
	now = clock_ns(CLOCK_MONOTONIC);
	dt->late->lost = false;
	dt->late->all_ns = now + MIN((now - all.time) * ALL_SHARE, (uint64_t)ALL_NS);
}

/* Whether addresses of processes are recorded, and are to have names. */
static bool follows_lives(const struct dt *dt)
{
	return dt->usyms && dt->set->maps.processes.name[0];
}

/*
 * Reads the events so far; later ones are left, or a flood of them would keep us here forever.
 * Mapped files are only queued: we may be in the middle of a record.
 */
static uint64_t pull(void *arg)
{
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	struct dt *dt = arg;
	struct mmap_event e = {.time = 0};

	while (e.time <= began && mmap_events_next(dt->late->events, &e)) {
		if (follows_lives(dt))
			usyms_event(dt->usyms, &e);
		if (!late_probe_awaits(dt))
			continue;
		dt->late->lost |= e.kind == MMAP_EVENT_LOST;
		if (e.kind != MMAP_EVENT_MAP || !e.map.inode)
			continue;
		e.map.path = xstrdup(e.map.path);
		vec_push(&dt->late->files, ((struct late_file){e.pid, e.time, e.map}));
	}
	return e.time > began ? e.time : mmap_events_until(dt->late->events);
}

void late_attach_watch(struct dt *dt)
{
	bool files = late_probe_awaits(dt), lives = follows_lives(dt);

	if (!files && !lives)
		return;
	dt->late = xcalloc(1, sizeof(*dt->late));
	dt->late->events = mmap_events_new(dt->set->ncpus, lives, files);
	if (!dt->late->events && files &&
	    opt_on(&dt->opts, OPT_ZDEFS)) /* others hardly need them */
		message_note(dt, "probes of files that are mapped later will not be seen: %s",
			     strerror(errno));
	else if (!dt->late->events)
		message_debug(dt, "addresses of processes that exit may lack names: %s",
			      strerror(errno));
	if (dt->late->events && lives)
		usyms_follow(dt->usyms, pull, dt);
}

static bool is_watching(const struct dt *dt)
{
	return dt->late && dt->late->events;
}

int late_attach_fd(const struct dt *dt)
{
	return is_watching(dt) ? mmap_events_fd(dt->late->events) : -1;
}

/* Commands wait at their loads of libraries until these were met. */
static void stop_at_loads(struct dt *dt)
{
	pid_t pid;
	int err;

	for (int i = 0; (pid = proc_command(dt->procs, i)); i++) {
		struct dlstop *d = late_probe_awaits_from(dt, pid)
				       ? dlstop_new(dt->foreign, pid, dt->feats, &err)
				       : NULL;

		if (d)
			vec_push(&dt->late->stops, d);
		else
			message_debug(
			    dt,
			    "process %d does not wait for the probes of libraries that it loads",
			    (int)pid);
	}
}

void late_attach_find(struct dt *dt)
{
	if (!is_watching(dt) || !late_probe_awaits(dt))
		return;
	meet_all(dt);
	stop_at_loads(dt);
}

bool late_attach_stops(const struct dt *dt)
{
	return dt->late && dt->late->stops.n;
}

/* at_once: a command waits for its probes. */
static void meet_queued(struct dt *dt, bool at_once)
{
	if (follows_lives(dt))
		usyms_catch_up(dt->usyms);
	else
		pull(dt);
	for (int i = 0; i < dt->late->files.n && !loop_ended(dt); i++)
		meet(dt, &dt->late->files.v[i]);
	forget(dt);
	if (dt->late->lost && (at_once || clock_ns(CLOCK_MONOTONIC) >= dt->late->all_ns))
		meet_all(dt);
}

void late_attach_run(struct dt *dt)
{
	uint64_t stopped = 0;

	if (!is_watching(dt))
		return;
	for (int i = 0; i < dt->late->stops.n && i < 64; i++)
		stopped |= (uint64_t)dlstop_caught(dt->late->stops.v[i]) << i;
	meet_queued(dt, stopped);
	for (int i = 0; i < dt->late->stops.n && i < 64; i++)
		if (stopped >> i & 1)
			dlstop_go(dt->late->stops.v[i]);
}

void late_attach_end(struct dt *dt)
{
	int more = dt->late ? dt->late->notes - NOTES_MAX : 0;

	if (more > 0)
		message_note(dt, "probes of %d more files could not be enabled", more);
}

void late_attach_free(struct dt *dt)
{
	if (!dt->late)
		return;
	for (int i = 0; i < dt->late->stops.n; i++)
		dlstop_free(dt->late->stops.v[i]);
	vec_free(&dt->late->stops);
	mmap_events_free(dt->late->events);
	for (size_t i = 0; i < dt->late->met.n; i++)
		free(dt->late->met.entries[i].value);
	hash_free(&dt->late->met);
	forget(dt);
	free(dt->late);
}
