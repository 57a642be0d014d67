/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -x oformat=perfetto: records as events of a timeline, in the Trace Event Format (JSON). */
#ifndef DT_TIMELINE_H
#define DT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aggr;
struct consume;
struct rec_header;
struct timeline;

struct timeline *timeline_new(void);
void timeline_free(struct timeline *t);
/* Begins the event of a record, up to the array that its actions are written to, and writes what
 * has to come before it: names, and ends of slices whose return is missing. */
void timeline_record(struct consume *c, const struct rec_header *h);
/* Completes that event. Is it to be written? Not if nothing but counters came of its actions. */
bool timeline_record_end(struct consume *c);
/* Text that an action of that record printed: the first one names the event. */
void timeline_text(struct timeline *t, const char *s, size_t len);
/* Begins an event of dtrace's own track, up to the members of its arguments. */
void timeline_message(struct consume *c, const char *type, uint64_t ns);
/* The document ends, and tracing goes on: ends open slices. They begin again in the next
 * document, with the next record of their threads. */
void timeline_pause(struct consume *c);
/* Writes events with the numbers of those of the aggregations that are counters. Are all? */
bool timeline_counters(struct consume *c, struct aggr *const *ags, int n);

#endif
