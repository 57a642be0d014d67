/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who maps which file as code, as the kernel tells it (PERF_RECORD_MMAP2): at an exec, and when libraries are loaded. It costs those who
 * map code some microseconds each time, and nobody else anything.
 */
#ifndef DT_MAPWATCH_H
#define DT_MAPWATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "libdt/user/maps.h"

struct mapwatch;

/* On that many CPUs. NULL with errno. */
struct mapwatch *mapwatch_new(int ncpus);
void mapwatch_free(struct mapwatch *w);
/* Readable when there is something. */
int mapwatch_fd(const struct mapwatch *w);
/*
 * The next mapping, valid until the next call; false: there is none now. *lost: some were lost on the way (once for each time), and pid and m are
 * not set.
 */
bool mapwatch_next(struct mapwatch *w, pid_t *pid, struct mapping *m, bool *lost);
/* Calls fn with each file that any process has mapped as code now; many processes may have the same. */
void mapwatch_all(void (*fn)(void *arg, pid_t pid, const struct mapping *m), void *arg);

#endif
