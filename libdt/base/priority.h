/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short work of the calling thread that must not wait for the processes that are traced: the thread
 * has a higher priority meanwhile, where it may have that and runs with no lower one (nice). What
 * makes the work may be another user's, so at most a twentieth of the time passes like that, after
 * a tenth of a second at the beginning.
 */
#ifndef DT_PRIORITY_H
#define DT_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

/* As sched_setattr(2) has it, for which older C libraries have no header. */
struct priority_of_thread {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t realtime;
	uint64_t runtime, deadline, period;
};

struct priority {
	uint64_t begin_ns;		 /* of the first time */
	uint64_t since_ns;		 /* when it was raised; 0: it is not */
	uint64_t raised_ns;		 /* all times together that have ended */
	struct priority_of_thread usual; /* when it is not raised */
};

enum { PRIORITY_RAISED = -15 }; /* a nice value */

/* Is there urgent work from now on? To be called again when a part of it is done. */
void priority_set(struct priority *p, bool urgent);
/* May it be raised, or stay so, at this time of CLOCK_MONOTONIC in nanoseconds? */
bool priority_allows(const struct priority *p, uint64_t now);

#endif
