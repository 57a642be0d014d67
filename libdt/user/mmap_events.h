/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who maps which file as code, as the kernel tells it (PERF_RECORD_MMAP2): at an exec, and when libraries are loaded; and the lives of
 * processes: fork, exec, exit. It costs those who do so some microseconds each time, and nobody else anything.
 */
#ifndef DT_MAPWATCH_H
#define DT_MAPWATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/user/proc_maps.h"

struct mapwatch;

enum mapwatch_kind {
	MAPWATCH_LOST, /* some were lost on the way (once for each time) */
	MAPWATCH_MAP,
	MAPWATCH_FORK, /* and only with lives: */
	MAPWATCH_EXEC,
	MAPWATCH_EXIT,
};

struct mapwatch_event {
	enum mapwatch_kind kind;
	uint64_t time;	    /* CLOCK_MONOTONIC */
	pid_t pid, parent;  /* parent: of MAPWATCH_FORK */
	struct mapping map; /* of MAPWATCH_MAP */
};

/*
 * On that many CPUs. lives: also fork, exec and exit, and what the kernel itself maps ("[vdso]"). at_once: whoever sleeps on it is woken
 * by each event, else when there are many. NULL with errno.
 */
struct mapwatch *mapwatch_new(int ncpus, bool lives, bool at_once);
void mapwatch_free(struct mapwatch *w);
/* Readable when there is something, or much. */
int mapwatch_fd(const struct mapwatch *w);
/* The next event, in the order of time, valid until the next call; false: there is none now. */
bool mapwatch_next(struct mapwatch *w, struct mapwatch_event *e);
/* After that: all that came to pass until then was told. */
uint64_t mapwatch_until(const struct mapwatch *w);
/* Calls fn with each file that any process has mapped as code now; many processes may have the same. */
void mapwatch_all(void (*fn)(void *arg, pid_t pid, const struct mapping *m), void *arg);

#endif
