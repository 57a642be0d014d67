/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer's end of a BPF ring buffer. */
#ifndef DT_RING_H
#define DT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map;

struct ring; /* one mapped ring buffer and an epoll handle */

/* map is a created BPF_MAP_TYPE_RINGBUF. NULL and errno on failure. */
struct ring *ring_open(struct map *map);
void ring_close(struct ring *r);
/*
 * Hands each finished record to fn, in order, until the ring is empty, a record is not finished yet,
 * or fn returns nonzero, which is then returned. The record is freed for reuse after fn returns.
 * Returns the number of records otherwise (0: nothing there).
 */
int ring_drain(struct ring *r, int (*fn)(void *arg, const void *data, size_t size), void *arg);
/* Waits up to timeout ms (-1: for ever) for a wake-up by a program. 1 woken, 0 timed out, -EINTR. */
int ring_wait(struct ring *r, int timeout_ms);
/* For callers that poll other things too. */
int ring_fd(const struct ring *r);

#endif
