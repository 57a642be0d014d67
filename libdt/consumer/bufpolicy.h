/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are kept until tracing ends: -x bufpolicy=ring and fill. */
#ifndef DT_BUFPOLICY_H
#define DT_BUFPOLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bufpolicy;

/* ring: the newest size bytes of records are kept; else the oldest. */
struct bufpolicy *bufpolicy_new(uint64_t size, bool ring);
void bufpolicy_free(struct bufpolicy *h);
/* Keeps a copy. */
void bufpolicy_take(struct bufpolicy *h, const void *data, size_t size);
/* Policy fill, and a record did not fit: nothing is kept any more. */
bool bufpolicy_full(const struct bufpolicy *h);
/* Hands what is kept to print, oldest first, until it returns nonzero, which is returned. Nothing
 * is kept then. */
int bufpolicy_flush(struct bufpolicy *h, int (*print)(void *arg, const void *data, size_t size),
		    void *arg);
/* Records that are larger than a ring as a whole, since the last call. */
uint64_t bufpolicy_drops(struct bufpolicy *h);

#endif
