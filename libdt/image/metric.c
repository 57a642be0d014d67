/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/image/metric.h"

#include <ctype.h>
#include <string.h>

#include "libdt/base/hash.h"

static size_t name_length(const char *s, bool colons)
{
	size_t n = 0;

	if (isdigit((unsigned char)*s))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || (colons && s[n] == ':'))
		n++;
	return n;
}

bool metric_is_name(const char *s)
{
	return *s && !s[name_length(s, true)];
}

static bool is_reserved(const char *s, size_t len)
{
	return (len >= 2 && !memcmp(s, "__", 2)) || (len == 2 && !memcmp(s, "le", 2)) ||
	       (len == 8 && !memcmp(s, "quantile", 8));
}

bool metric_is_label(const char *s, size_t len)
{
	return len && name_length(s, false) >= len && !is_reserved(s, len);
}

bool metric_are_labels(const char *s)
{
	struct hash seen = {0};
	bool good = true;

	for (;;) {
		size_t n = name_length(s, false);

		good = n && (!s[n] || s[n] == ',') && !is_reserved(s, n) && !hash_get(&seen, s, n);
		if (!good || !s[n])
			break;
		hash_put(&seen, s, n, &seen);
		s += n + 1;
	}
	hash_free(&seen);
	return good;
}

int metric_label_count(const char *s)
{
	int n = 1;

	for (; *s; s++)
		n += *s == ',';
	return n;
}
