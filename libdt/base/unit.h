/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suffixes of times and rates: "ms", "hz". */
#ifndef DT_UNIT_H
#define DT_UNIT_H

#include <stdint.h>

struct time_unit {
	const char *name;
	int64_t ns; /* 0: times a second */
};

/* The first is "": what no suffix means. */
enum { TIME_UNITS = 16 };
extern const struct time_unit time_units[TIME_UNITS];

#endif
