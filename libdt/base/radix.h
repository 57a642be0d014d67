/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting by numbers, without comparisons. */
#ifndef DT_RADIX_H
#define DT_RADIX_H

#include <stdint.h>

/* The order of n keys, ascending, equal ones as they are: indices, to be freed. A pass over them
 * for each byte in which they differ; n: 1 or more. */
uint32_t *radix_order(const uint64_t *keys, uint32_t n);

#endif
