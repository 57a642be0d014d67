/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DT_CLOCK_H
#define DT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* What a clock of clock_gettime(2) shows, in nanoseconds. D's timestamp is CLOCK_MONOTONIC. */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#endif
