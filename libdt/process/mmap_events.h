/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that processes map as code (PERF_RECORD_MMAP2), at an exec and when libraries are loaded;
 * and the fork, exec and exit of processes. Each event costs the process some microseconds; there
 * is no other overhead.
 */
#ifndef DT_MMAP_EVENTS_H
#define DT_MMAP_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/process/proc_maps.h"

struct foreign;
struct mmap_events;

enum mmap_event_kind {
	MMAP_EVENT_LOST, /* some were lost on the way (once for each time) */
	MMAP_EVENT_MAP,
	MMAP_EVENT_FORK, /* and only with lives: */
	MMAP_EVENT_EXEC,
	MMAP_EVENT_EXIT,
};

struct mmap_event {
	enum mmap_event_kind kind;
	uint64_t time;	    /* CLOCK_MONOTONIC */
	pid_t pid, parent;  /* parent: of MMAP_EVENT_FORK */
	struct mapping map; /* of MMAP_EVENT_MAP */
};

/*
 * On that many CPUs. lives: also fork, exec and exit, what the kernel itself maps ("[vdso]"), and
 * memory that no file is known of, whose path is "".
 * at_once: each event wakes the waiting process, else only many do. NULL with errno.
 */
struct mmap_events *mmap_events_new(int ncpus, bool lives, bool at_once);
void mmap_events_free(struct mmap_events *w);
/* Readable when there is something, or much. */
int mmap_events_fd(const struct mmap_events *w);
/* The next event, in the order of time, valid until the next call; false: there is none now. */
bool mmap_events_next(struct mmap_events *w, struct mmap_event *e);
/* The time up to which all events have been reported. */
uint64_t mmap_events_until(const struct mmap_events *w);
/* Calls fn with each file that any process has mapped as code now; many processes may have the
 * same. */
void mmap_events_all(struct foreign *f, void (*fn)(void *arg, pid_t pid, const struct mapping *m),
		     void *arg);

#endif
