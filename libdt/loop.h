/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session does while it traces. */
#ifndef DT_LOOP_H
#define DT_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct dt;

/* What is done at rates. */
struct loop {
	uint64_t last_aggr, last_status, last_read; /* ns, CLOCK_MONOTONIC */
	int64_t aggr_every;	   /* ns between two reads of aggregations, as they fill */
	bool stop_seen, quiet_end; /* a clause has ended tracing; the reader of the output has */
	bool interrupted;	   /* dt_interrupted() */
	uint64_t asked_ns;	   /* when the receiver of messages was asked for a signal */
	bool asking, ending;	   /* it is being asked; one has come */
};

/* What changes outside of the programs and they read: the time of day, and what is going on. */
void loop_set_clocks(struct dt *dt);
/* Has tracing ended, or is it to end, so that what remains is to be quick? arg: a struct dt. Loops
 * that may take long ask this: also the receiver of messages, a few times a second. */
bool loop_ended(void *arg);
/* Prints what the ring has. As ring_drain(). */
int loop_drain(struct dt *dt, FILE *out);

#endif
