/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts records by time before they are printed (-x temporal). */
#ifndef DT_TEMPORAL_H
#define DT_TEMPORAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct temporal;

/*
 * A sorter without records. early: programs may read the clock before they reserve the record
 * that shows it; such a record may come up to TEMPORAL_EARLY_NS late and is still sorted.
 */
struct temporal *temporal_new(bool early);
void temporal_free(struct temporal *t);
enum { TEMPORAL_EARLY_NS = 10000000, TEMPORAL_SLACK_NS = 100000 };

/* Keeps a copy of a record of this time (CLOCK_MONOTONIC, ns). Records of equal times keep the
 * order in which they came. */
void temporal_take(struct temporal *t, uint64_t time, const void *data, size_t size);
/*
 * Before the ring is read: at time now (ns) records had been reserved up to the position
 * produced. Afterwards: how far the ring has been read. All records that are earlier than the time
 * which the two agree on are known then.
 */
void temporal_mark(struct temporal *t, uint64_t now, unsigned long produced);
void temporal_reached(struct temporal *t, unsigned long consumed);
/* Hands the records whose order is final to print, oldest first, until it returns nonzero, which
 * is returned; all: every record. */
int temporal_flush(struct temporal *t, bool all,
		   int (*print)(void *arg, const void *data, size_t size), void *arg);
/* Calls fn for each record that waits, oldest first, and keeps it. */
void temporal_each(const struct temporal *t, void (*fn)(void *arg, const void *data, size_t size),
		   void *arg);
/* The time at which the oldest record that waits can be printed; 0: none waits. */
uint64_t temporal_due(const struct temporal *t);

#endif
