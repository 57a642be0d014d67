/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/unit.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SECOND 1000000000LL /* ns */

const struct time_unit time_units[TIME_UNITS] = {
    {"", 0},
    {"hz", 0},
    {"ns", 1},
    {"nsec", 1},
    {"us", 1000},
    {"usec", 1000},
    {"ms", 1000000},
    {"msec", 1000000},
    {"s", 1000000000},
    {"sec", 1000000000},
    {"m", 60000000000},
    {"min", 60000000000},
    {"h", 3600000000000},
    {"hour", 3600000000000},
    {"d", 86400000000000},
    {"day", 86400000000000},
};

int unit_digits(const char *value, int64_t *num, char **end)
{
	if (!isdigit((unsigned char)value[0]))
		return -EINVAL;
	errno = 0;
	*num = strtoll(value, end, 0);
	return errno ? -EOVERFLOW : 0;
}

int unit_size(const char *value, int64_t *num)
{
	static const char suffixes[] = "kmgt";
	const char *suffix;
	char *end;
	int err = unit_digits(value, num, &end);

	if (err || !*end)
		return err;
	suffix = strchr(suffixes, tolower((unsigned char)*end));
	if (!suffix || end[1])
		return -EINVAL;
	if (__builtin_mul_overflow(*num, 1LL << (10 * (suffix - suffixes + 1)), num))
		return -EOVERFLOW;
	return 0;
}

int unit_rate(const char *value, bool hertz, int64_t *num)
{
	char *end;
	int err = unit_digits(value, num, &end);

	if (err)
		return err;
	for (size_t i = 0; i < TIME_UNITS; i++) {
		if (strcasecmp(time_units[i].name, end))
			continue;
		if (time_units[i].ns)
			return __builtin_mul_overflow(*num, time_units[i].ns, num) ? -EOVERFLOW : 0;
		if (*num > SECOND || (*num && !hertz))
			return -EINVAL;
		*num = *num ? SECOND / *num : 0;
		return 0;
	}
	return -EINVAL;
}
