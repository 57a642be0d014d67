/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregations as a script has them. Values are arrays of int64_t whose meaning belongs to the
 * aggregating function (struct aggfunc).
 */
#ifndef DT_AGGREGATION_H
#define DT_AGGREGATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdt/base/src.h"

struct aggr; /* consumer/aggr.h */
struct fmt_ctx;
struct metric_spec; /* metric.h */
struct type;

/* What the value of an aggregating function is. */
enum aggr_shows { AGGR_NUMBER, AGGR_COUNT, AGGR_MEAN, AGGR_DEVIATION };

enum { AGGR_PARAMS = 6 };

/* How the consumer treats values of one aggregating function; lives beside the function's code
 * generation in libdt/builtin/agg_*.c. params are the constants given in the script, in order
 * (lquantize: base, limit, step; llquantize: factor, low, high, steps). words is how many int64_t
 * a value has. */
struct aggfunc {
	const char *name;
	int nparams;
	enum aggr_shows shows;
	int (*words)(const int64_t *params); /* -1: the params make no sense, or too many buckets */
	/* The value of no events at all (min: INT64_MAX ...); also what a fresh kernel slot
	 * starts with. NULL: zeroes. */
	void (*init)(int64_t *v, const int64_t *params);
	void (*merge)(int64_t *into, const int64_t *from, int words);
	/* One number that the sorting rules compare first (count: it; avg: average; quantize:
	 * weighted sum as in DTrace ...). */
	int (*compare)(const int64_t *a, const int64_t *b, const struct aggr *ag);
	/* Prints the value in the default layout: " %16lld" or the whole distribution. normal
	 * divides (>= 1). */
	void (*print)(struct fmt_ctx *ctx, const int64_t *v, const struct aggr *ag);
	/* The number that %@d prints, normalised. For distributions NULL: %@d prints the
	 * distribution. */
	int64_t (*scalar)(const int64_t *v, const struct aggr *ag);
	/* Distributions: the value that stands for a bucket, and what its row is labelled with. */
	int64_t (*bucket)(int bucket, const struct aggr *ag);
	void (*label)(char *text, size_t size, int bucket, const struct aggr *ag);
	/* Its least and its greatest value; INT64_MIN and INT64_MAX where there is no end. */
	void (*range)(int bucket, const struct aggr *ag, int64_t *low, int64_t *high);
	int (*middle)(const struct aggr *ag); /* the bucket that is shown when all are empty */
	/* bit i: word i is a sum of what the script gives, which may leave 64 bits */
	unsigned sums;
	/* a firing can count as several: each word is a sum over firings */
	bool scales;
	/* a scalar of which the sum over all keys says something: it can be drawn as bars */
	bool additive;
	/* Had it no event since it was cleared? Such entries still print. NULL: never, or any value
	 * may be that of an event (aggr_total_empty()). */
	bool (*is_empty)(const int64_t *v);
};

/* A component of a key. */
struct aggr_col {
	const struct type *type;
	uint32_t off, size; /* in the key's bytes; strings are NUL-padded */
	/* the expression's text where the program first has it; nowhere for constants */
	struct loc name;
	bool has_names, has_memory; /* what the program's keys are here: see enum text_origin */
};

/* What a script says of one. Records name it by its number. */
struct aggr_desc {
	const char *name; /* without @; "_" for the unnamed */
	const struct aggfunc *func;
	int64_t params[AGGR_PARAMS];
	const struct aggr_col *cols;
	int ncols;
	uint32_t key_size;		  /* bytes of the tuple, 0 when it has none */
	const struct metric_spec *metric; /* #pragma D metric; NULL: none */
};

#endif
