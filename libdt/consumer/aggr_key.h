/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of aggregations by value. printa() of several aggregations joins rows whose keys have the
 * same values, although columns may have other types and sizes in each: strings have the length of
 * the longest one that is used, stacks their number of frames, numbers their type.
 */
#ifndef DT_AGGR_KEY_H
#define DT_AGGR_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"
#include "libdt/consumer/fmt.h"

struct aggr;
struct aggr_col;
struct aggr_entry;

/* May columns of two aggregations be joined? Of scripts: */
bool aggr_cols_join(const struct aggr_col *a, const struct aggr_col *b);
/* And of recordings, where less is enough: types of keys may have changed after they were checked
 * in the script. */
bool aggr_cols_compare(const struct aggr_col *a, const struct aggr_col *b);

/* The columns that are compared as addresses, as some of n aggregations have a pointer there, to
 * be freed. */
bool *aggr_addresses(struct aggr *const *ags, int n);
/* The order of two keys, by values from a column on; 0 if they are the same. */
int aggr_key_compare(const bool *addresses, int first, const struct aggr_entry *x,
		     const struct aggr_entry *y);
/* Adds bytes that are equal for equal keys only. */
void aggr_key_add(const bool *addresses, const struct aggr_entry *e, struct strbuf *out);

/* Is it a number of at most 64 bits? */
bool aggr_col_is_number(const struct aggr_col *col);
/*
 * A column of an entry's key, as it is shown in rows whose first aggregation is another one: such a
 * number has the first aggregation's type, or if that is an integer of the other sign, its own
 * integer type; other values have their own types. number: space for it, which must live as long.
 */
struct value aggr_key_value(const struct aggr *first, const struct aggr_entry *e, int i,
			    int64_t *number);

#endif
