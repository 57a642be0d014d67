/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the profile provider: "profile-997hz", "tick-1sec", "tick-5000". */
#ifndef DT_RATE_H
#define DT_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum rate_status {
	RATE_OK,
	RATE_NAME,  /* no such name */
	RATE_SHORT, /* period below 200 us, or 0 */
	RATE_LONG,  /* period or number out of range */
};

struct rate {
	bool tick;
	unsigned unit; /* index into the list of units; as it was spelled */
	uint64_t n;
	bool padded; /* the number has zeros in front */
	uint64_t period_ns;
};

enum rate_status rate_parse(const char *name, struct rate *r);

#endif
