/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer's end of a BPF ring buffer. */
#ifndef DT_RING_H
#define DT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map;

struct ring; /* one mapped ring buffer and an epoll handle */

/* map is a created BPF_MAP_TYPE_RINGBUF, which must outlive the ring. NULL and errno on failure. */
struct ring *ring_open(struct map *map);
void ring_close(struct ring *r);
/*
 * Hands each finished record to fn, in order, until those that were there at the call are done, a
 * record is not finished yet, or fn returns nonzero, which is then returned (make it negative, to
 * distinguish it from a count). A record is freed for reuse after fn returned, some KB late.
 * Returns the number of records otherwise (0: nothing there).
 */
int ring_drain(struct ring *r, int (*fn)(void *arg, const void *data, size_t size), void *arg);
/*
 * For readers that may be killed: records are not freed while they are drained, only by
 * ring_release(), which frees what fn has had. ring_seek() goes on at a position of
 * ring_consumed(), which a reader before this one has reached, unless the ring is freed up to a
 * later one. False: the ring has no such position.
 */
void ring_hold(struct ring *r);
void ring_release(struct ring *r);
bool ring_seek(struct ring *r, unsigned long pos);
/* Positions, in bytes since the ring was made: up to where records have been begun, and up to
 * where fn has had them. */
unsigned long ring_produced(const struct ring *r);
unsigned long ring_consumed(const struct ring *r);
/* Capacity in bytes of records with their headers. */
size_t ring_size(const struct ring *r);
/*
 * Waits up to timeout ms (-1: for ever) for a wake-up by a program. 1 woken or a record is there
 * already, 0 timed out, -EINTR. What the caller wrote to shared memory before ("I sleep") is
 * visible to programs before this looks for records: it starts with a full memory barrier.
 */
int ring_wait(struct ring *r, int timeout_ms);
/*
 * For callers that poll other things too: readable when a program woke us. Before they poll they
 * call ring_wait(r, 0) and do not sleep when it says 1.
 */
int ring_fd(const struct ring *r);

#endif
