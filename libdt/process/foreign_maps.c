/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lists of the mappings of processes, within the limits of time and memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/process/foreign_int.h"

/*
 * Lists of mappings: the most text of one; the time that each has at least, which is all that each
 * has while all together have exceeded theirs (foreign_time.h). The number of a user's processes is
 * not limited: while a user other than root has exceeded the account, lists are short, which
 * suffices for most processes; beyond twice that there are none. When tracing has ended, an account
 * has MAPS_REST_NS for all that remains, and all have twice that.
 */
enum {
	MAPS_MAX = 64 << 20,
	MAPS_MIN = 1 << 20,
	MAPS_SHORT = 64 << 10,
	MAPS_NS = 20000000,
	MAPS_REST_NS = 500000000,
};

static void report_maps(struct foreign *f, pid_t pid, enum proc_maps_cut cut,
			const struct proc_maps_limits *limits)
{
	char text[200];
	int n;

	if (cut == PROC_MAPS_WHOLE || f->reported_maps)
		return;
	f->reported_maps = true;
	n = snprintf(text, sizeof(text),
		     "symbols of some processes are omitted: reading the mappings of process %d ",
		     pid);
	if (cut == PROC_MAPS_TIME)
		snprintf(text + n, sizeof(text) - n, FOREIGN_TOO_LONG,
			 FOREIGN_TOO_LONG_ARGS(f->ns));
	else
		snprintf(text + n, sizeof(text) - n, "ended after %" PRIu64 " MB or %d mappings",
			 limits->bytes >> 20, PROC_MAPS_MAX);
	f->report(f->arg, text);
}

/* What is left of a user's account limits its process's list. False: there is none. */
static bool limit_user(struct foreign *f, uint32_t uid, bool ended, struct proc_maps_limits *limits)
{
	int64_t most, left = foreign_time_left(&f->time, uid, FOREIGN_LISTS, f->ns, &most);

	if (ended && (foreign_account(&f->time, uid)->spent[FOREIGN_LISTS].rest > MAPS_REST_NS ||
		      f->time.all.spent[FOREIGN_LISTS].rest > MAPS_REST_NS * 2ull))
		return false;
	if (ended)
		limits->ns = MIN(limits->ns, (uint64_t)MAPS_REST_NS);
	if (left > 0)
		limits->ns = MIN(limits->ns, MAX((uint64_t)left, (uint64_t)MAPS_NS));
	else
		*limits = (struct proc_maps_limits){.bytes = MAPS_SHORT, .ns = MAPS_NS};
	return left > -most;
}

static void report_lists(struct foreign *f, uint32_t uid)
{
	char text[200];

	if (f->reported_maps)
		return;
	f->reported_maps = true;
	snprintf(text, sizeof(text),
		 "symbols or probes of some processes are omitted: reading the mappings of the "
		 "processes of user %" PRIu32 " " FOREIGN_TOO_LONG,
		 uid, FOREIGN_TOO_LONG_ARGS(f->ns));
	f->report(f->arg, text);
}

/* A process that has ended has none, and those of others may not be ours to read. */
static void report_unread(struct foreign *f, pid_t pid, int err)
{
	char text[200];

	if (!foreign_is_machines(-err) || f->reported_maps)
		return;
	f->reported_maps = true;
	snprintf(text, sizeof(text),
		 "symbols or probes of some processes are omitted: failed to read the mappings of "
		 "process %d: %s",
		 pid, strerror(err));
	f->report(f->arg, text);
}

struct proc_maps *foreign_maps(struct foreign *f, pid_t pid)
{
	struct proc_maps_limits limits = {0};
	uint64_t begun = clock_ns(CLOCK_MONOTONIC), took;
	uint32_t uid = foreign_payer(pid);
	bool limited = uid && uid != FOREIGN_GONE && uid != geteuid(), ended = foreign_ended(f),
	     cut_short;
	enum proc_maps_cut cut;
	struct proc_maps *m;

	if (!f)
		return proc_maps_read(pid, &limits, &cut);
	limits.bytes = MIN(MAX(f->size / 4, (uint64_t)MAPS_MIN), (uint64_t)MAPS_MAX);
	limits.ns = foreign_time_exceeded(&f->time, FOREIGN_LISTS, f->ns)
			? MAPS_NS
			: MAX(f->ns, (uint64_t)MAPS_NS);
	if (limited && !limit_user(f, uid, ended, &limits)) {
		report_lists(f, uid);
		errno = ETIMEDOUT;
		return NULL;
	}
	cut_short = limited && limits.ns < f->ns;
	m = proc_maps_read(pid, &limits, &cut);
	if (!m)
		report_unread(f, pid, errno);
	took = clock_ns(CLOCK_MONOTONIC) - begun;
	foreign_time_spend(&f->time, uid, FOREIGN_LISTS, took, ended && limited);
	if (cut && cut_short)
		report_lists(f, uid);
	report_maps(f, pid, cut, &limits);
	return m;
}

void foreign_omit_files(struct foreign *f, pid_t pid, int most)
{
	char text[200];

	if (!f || f->reported_files)
		return;
	f->reported_files = true;
	snprintf(text, sizeof(text),
		 "symbols of some files are omitted: process %d has mapped more than %d files as "
		 "code",
		 pid, most);
	f->report(f->arg, text);
}

void foreign_omit_rest(struct foreign *f, pid_t pid, int err)
{
	char text[200];
	int n =
	    snprintf(text, sizeof(text), "what process %d has not mapped yet is omitted: ", pid);

	if (err == -ETIMEDOUT)
		snprintf(text + n, sizeof(text) - n, "its start " FOREIGN_TOO_LONG,
			 FOREIGN_TOO_LONG_ARGS(f->ns));
	else
		snprintf(text + n, sizeof(text) - n, "failed to follow its start: %s",
			 err == -EREMOTE
			     ? "its program is on a FUSE file system or a user's overlay"
			     : strerror(-err));
	f->report(f->arg, text);
}
