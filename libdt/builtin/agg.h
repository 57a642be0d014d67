/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The aggregating functions as the consumer sees them, and the arithmetic of their buckets. The
 * functions here are the reference for the BPF code, which must compute the same.
 *
 * Words of a value (int64_t each). "Starts as" is what a fresh slot in the kernel must hold
 * before its first event; it is also the value of no events, so that merging an untouched slot
 * changes nothing.
 *
 *	count		[n]
 *	sum		[sum]
 *	min		[min]			starts as INT64_MAX
 *	max		[max]			starts as INT64_MIN
 *	avg		[n, sum]
 *	stddev          [n, sum, low, high]     low and high: the sum of squares, unsigned 128
 *	bits; a slot
 *						belongs to one CPU, so carry from low into high is
 *						enough
 *	quantize	[127 buckets]		quantize_bucket()
 *	lquantize       [levels + 2]            lquantize_bucket(): below, levels, at or above the
 *	limit
 *	llquantize	[2 * side + 3]		llquantize_bucket()
 *
 * All sums wrap; where the consumer notices that, it reports it (aggfunc.sums). A bucket is added
 * the increment (1 unless the script gives one; it may be negative).
 */
#ifndef DT_AGG_H
#define DT_AGG_H

#include <stdint.h>

#include "libdt/consumer/aggr.h"

extern const struct aggfunc aggfunc_count, aggfunc_sum, aggfunc_min, aggfunc_max, aggfunc_avg,
    aggfunc_stddev, aggfunc_quantize, aggfunc_lquantize, aggfunc_llquantize;

/* Merges by adding word by word, with wrap-around: what most functions do. */
void agg_add_merge(int64_t *into, const int64_t *from, int words);

/*
 * quantize: bucket 63 is zero; 64 + k holds [2^k, 2^(k+1)), k in 0..62; 62 - k holds (-2^(k+1),
 * -2^k], and INT64_MIN, for which k would be 63, is in bucket 0 with k = 62.
 */
enum { QUANTIZE_ZERO = 63, QUANTIZE_BUCKETS = 127 };
int quantize_bucket(int64_t v);
/* What a bucket is labelled with: the end of its range that is nearer to zero. */
int64_t quantize_value(int bucket);

/*
 *lquantize: params are base, limit, step (0 is taken as 1). levels = (limit - base) / step.
 *Bucket 0 is v < base; 1 + i is [base + i * step, base + (i + 1) * step); levels + 1 is the rest.
 *In code:
 *	v < base (signed) ? 0 : MIN(((uint64_t)v - (uint64_t)base) / step (unsigned), levels) + 1
 */
int64_t lquantize_levels(const int64_t *params); /* -1: no sensible parameters */
int lquantize_bucket(int64_t v, const int64_t *params);

/*
 * llquantize: params are factor, low, high, steps; factor divides steps, and steps a power of
 * factor. With m = steps / factor, each order from low to high covers [lo, lo * factor), lo =
 * factor^order, in buckets of width (lo > m ? lo / m : 1), thus in n buckets.
 *side is the sum of all n. Both signs have the same buckets, laid out from the lowest value to
 *the highest:
 *	0			v <= -factor^(high + 1)
 *	1 ..			negative values, each bucket labelled with its end nearer to zero
 *	side + 1 (middle)	-factor^low < v < factor^low
 *	..			positive values
 *	2 * side + 2		v >= factor^(high + 1)
 * That is middle + k for v >= 0 and middle - k for v < 0, where k comes from |v| as uint64_t: 0
 * below factor^low; first + (|v| - lo) / width in an order (first: 1 + the n of the orders
 * before); side + 1 above.
 */
struct llquantize_order {
	uint64_t lo, width;
	/* where the first bucket would begin: a multiple of width, 0 when the order begins within
	 * it */
	uint64_t origin;
	uint64_t end; /* lo * factor; UINT64_MAX when that overflows: then every |v| is below it */
	int first, n;
};
int llquantize_side(const int64_t *params); /* -1: no sensible parameters */
/* The orders, params[1] to params[2]; false when there is none such. */
bool llquantize_order(const int64_t *params, int order, struct llquantize_order *o);
int llquantize_bucket(int64_t v, const int64_t *params);

#endif
