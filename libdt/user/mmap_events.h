/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who maps which file as code, as the kernel tells it (PERF_RECORD_MMAP2): at an exec, and when libraries are loaded; and the lives of
 * processes: fork, exec, exit. It costs those who do so some microseconds each time, and nobody else anything.
 */
#ifndef DT_MMAP_EVENTS_H
#define DT_MMAP_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/user/proc_maps.h"

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
 * On that many CPUs. lives: also fork, exec and exit, and what the kernel itself maps ("[vdso]"). at_once: whoever sleeps on it is woken
 * by each event, else when there are many. NULL with errno.
 */
struct mmap_events *mmap_events_new(int ncpus, bool lives, bool at_once);
void mmap_events_free(struct mmap_events *w);
/* Readable when there is something, or much. */
int mmap_events_fd(const struct mmap_events *w);
/* The next event, in the order of time, valid until the next call; false: there is none now. */
bool mmap_events_next(struct mmap_events *w, struct mmap_event *e);
/* After that: all that came to pass until then was told. */
uint64_t mmap_events_until(const struct mmap_events *w);
/* Calls fn with each file that any process has mapped as code now; many processes may have the same. */
void mmap_events_all(void (*fn)(void *arg, pid_t pid, const struct mapping *m), void *arg);

#endif
