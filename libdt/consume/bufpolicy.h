/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are kept until tracing ends: -x bufpolicy=ring and fill. */
#ifndef DT_HOLD_H
#define DT_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hold;

/* ring: the newest size bytes of records are kept; else the oldest. */
struct hold *hold_new(uint64_t size, bool ring);
void hold_free(struct hold *h);
/* Keeps a copy. */
void hold_take(struct hold *h, const void *data, size_t size);
/* Not a ring, and a record found no room: nothing is kept any more. */
bool hold_full(const struct hold *h);
/* Hands what is kept to print, oldest first, until it returns nonzero, which is returned. Nothing is kept then. */
int hold_flush(struct hold *h, int (*print)(void *arg, const void *data, size_t size), void *arg);
/* Records that are larger than a ring as a whole, since the last call. */
uint64_t hold_drops(struct hold *h);

#endif
