/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script says of aggregations that are shown as metrics. */
#ifndef DT_METRIC_H
#define DT_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What lines "#pragma D metric NAME ..." say of an aggregation; all may be missing. */
struct metric_spec {
	const char *name, *help, *unit;
	const char *labels; /* separated by commas, one for each key */
	int64_t scale;	    /* values are divided by it; 0: they are not */
	bool gauge;	    /* a count or sum that may fall; clear() clears it */
	bool has_range;
	int64_t low, high; /* bounds of buckets outside are left out */
};

/* Is it the name of a metric, and a list of names of labels? */
bool metric_is_name(const char *s);
bool metric_are_labels(const char *s);
/* Are these len bytes one name of a label? */
bool metric_is_label(const char *s, size_t len);
/* How many names a list has. */
int metric_label_count(const char *s);

#endif
