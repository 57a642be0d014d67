/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers with suffixes, as options have them: sizes ("4m"), times and rates ("10ms", "5hz"). */
#ifndef DT_UNIT_H
#define DT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

struct time_unit {
	const char *name;
	int64_t ns; /* 0: times a second */
};

/* The first is "": what no suffix means. */
enum { TIME_UNITS = 16 };
extern const struct time_unit time_units[TIME_UNITS];

/* A number without sign, decimal, octal or hexadecimal; end is set to the character after it. 0,
 * -EINVAL or -EOVERFLOW, as of those below. */
int unit_digits(const char *value, int64_t *num, char **end);
/* Bytes, or k, m, g, t of them. */
int unit_size(const char *value, int64_t *num);
/* A period in ns, in a unit of time or, if hertz may be used, as its reciprocal. */
int unit_rate(const char *value, bool hertz, int64_t *num);

#endif
