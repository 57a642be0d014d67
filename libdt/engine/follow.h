/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes -x follow follows; programs keep the table (plan/follow.c). */
#ifndef DT_FOLLOW_H
#define DT_FOLLOW_H

#include <sys/types.h>

#include "libdt/image/program.h"

/* Once the maps are there: the first processes are in the table. 0 or -errno. */
int follow_begin(struct program_set *set);
/* The process whose probes fire in this one: a followed one's, or itself. */
pid_t follow_root(struct program_set *set, pid_t pid);

#endif
