/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations of a session: what the engine takes out of the kernel becomes the consumer's. */
#ifndef DT_TOTALS_H
#define DT_TOTALS_H

#include <stdbool.h>

struct dt;

/*
 * Where this process may be killed and another goes on (libdt/detach/): a snapshot leaves the old
 * generation in the kernel's maps until commit() has stored the totals, which have it; then it
 * removes it, and calls removed().
 */
struct totals_commit {
	int (*commit)(void *arg); /* 0 or -errno */
	void (*removed)(void *arg);
	void *arg;
};

/* When programs are made: the consumer gets the aggregations of the schema. */
void totals_describe(struct dt *dt);
/* When the control memory is there: snapshots take what programs count. sleepers: those that may
 * sleep have aggregations. commit: NULL, or as above; -EBUSY is a snapshot's error then, too. */
void totals_begin(struct dt *dt, bool sleepers, const struct totals_commit *commit);
/* Whenever the session is awake: tables that fill up grow. Is it time for a snapshot? */
bool totals_fill(struct dt *dt);

#endif
