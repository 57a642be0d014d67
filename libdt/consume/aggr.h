/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregations. The kernel's maps are a short-term buffer in two generations; totals live here, in user
 * space, keyed by the bytes of the tuple. aggrs_snapshot() flips the generation, waits until no program
 * can write the old one, drains it and merges it. So snapshots are never torn, and clear() and trunc()
 * act on totals without losing what the kernel counts meanwhile.
 *
 * Values are arrays of int64_t whose meaning belongs to the aggregating function (struct aggfunc).
 */
#ifndef DT_AGGR_H
#define DT_AGGR_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/map.h"
#include "libdt/base/hash.h"
#include "libdt/consume/fmt.h"
#include "libdt/type/type.h"

struct aggr;
struct def;


/* How the consumer treats values of one aggregating function; lives beside the function's code generation in
   libdt/builtin/agg_*.c. params are the constants given in the script, in order (lquantize: base, limit, step;
   llquantize: factor, low, high, steps). words is how many int64_t a value has. */
struct aggfunc {
	const char *name;
	int (*words)(const int64_t *params);
	/* The value of no events at all (min: INT64_MAX ...); also what a fresh kernel slot starts with. NULL: zeroes. */
	void (*init)(int64_t *v, const int64_t *params);
	void (*merge)(int64_t *into, const int64_t *from, int words);
	/* One number that the sorting rules compare first (count: it; avg: average; quantize: weighted sum as in DTrace ...). */
	int (*compare)(const int64_t *a, const int64_t *b, const struct aggr *ag);
	/* Prints the value in the default layout: " %16lld" or the whole distribution. normal divides (>= 1). */
	void (*print)(struct fmt_ctx *ctx, const int64_t *v, const struct aggr *ag);
	/* The number that %@d prints, normalised. For distributions NULL: %@d prints the distribution. */
	int64_t (*scalar)(const int64_t *v, const struct aggr *ag);
	/* Had it no event since it was cleared? Such entries still print. NULL: word 0 is a count. */
	bool (*is_empty)(const int64_t *v);
};

struct aggr_col {
	const struct type *type;
	uint32_t off, size; /* in the key's bytes; strings are NUL-padded */
};

struct aggr_entry {
	const uint8_t *key; /* key_size bytes, the tuple only */
	int64_t *value;
	struct aggr *ag;
};

struct aggr {
	const char *name; /* without @; "_" for the unnamed */
	uint32_t id;
	const struct aggfunc *func;
	int64_t params[6];
	int words;
	struct aggr_col *cols;
	int ncols;
	uint32_t key_size;  /* bytes of the tuple, 0 when it has none */
	int64_t normal;	    /* 1 unless normalize() */
	bool printed;	    /* by a printa since the last change of mind: not again at exit */
	bool in_end;
	int64_t order;	    /* of first appearance */

	/* Kernel side. Keyed: outer is an array of maps with 2 elements, gen[] the hash maps in it, whose keys are
	   { uint32_t cpu; uint32_t pad; tuple } and whose values are words int64_t. Unkeyed: mem is a memory map that
	   holds at mem_off: 2 generations x ncpus x stride bytes. */
	struct map outer, gen[2];
	struct map *mem;
	uint32_t mem_off, stride;

	struct hash totals; /* tuple -> struct aggr_entry * */
};

/* All aggregations of a session. */
struct aggrs {
	VEC(struct aggr *) v;
	int ncpus;
	volatile uint32_t *generation; /* word in memory shared with the programs: 0 or 1 */
	uint64_t snapshot_ns; /* CLOCK_MONOTONIC when the last snapshot began */
	uint64_t drops;	      /* user side: none today */
};

struct aggrs *aggrs_new(int ncpus);
void aggrs_free(struct aggrs *as);
/* Adds one: cols are copied. params has 6 elements. */
struct aggr *aggr_add(struct aggrs *as, const char *name, const struct aggfunc *func, const int64_t *params,
		      const struct aggr_col *cols, int ncols, uint32_t key_size);
/* Describes the kernel maps (entries: room of each generation, for keyed ones) or, unkeyed, returns the bytes it needs in
   the shared memory map, to be placed by aggr_place. */
void aggr_describe_maps(struct aggr *ag, uint32_t entries);
uint32_t aggr_memory_size(const struct aggr *ag, int ncpus);
void aggr_place(struct aggr *ag, struct map *mem, uint32_t off);
/* Creates the maps and fills fresh slots with the function's init value. 0 or -errno. */
int aggrs_create(struct aggrs *as);

/* Brings totals up to now. 0 or -errno. */
int aggrs_snapshot(struct aggrs *as);
/* The same unless the last snapshot began after the time t_ns (CLOCK_MONOTONIC) of the record that asks. */
int aggrs_snapshot_since(struct aggrs *as, uint64_t t_ns);

void aggr_clear(struct aggr *ag);		      /* values to init; keys stay */
void aggr_trunc(struct aggr *ag, int64_t n); /* keeps n largest (n > 0), -n smallest (n < 0), none (0) */
void aggr_normalize(struct aggr *ag, int64_t factor); /* 1: denormalize */

/* Sorting options, read at each print. */
struct aggr_sort {
	bool key, rev;
	int keypos, pos;
};
/* Entries in printing order: by value, then by key; options as in DTrace (aggsortkey, aggsortkeypos, aggsortpos,
   aggsortrev). With several aggregations: joined by key; entry i of aggregation j is out[i * n + j], NULL where it has
   no such key. Returns the number of rows; *out is malloc'ed. */
int aggr_rows(struct aggr *const *ags, int n, const struct aggr_sort *sort, struct aggr_entry ***out);

/* printa(@a, ...) without a format, and what is printed at exit; and with one. */
int aggr_print(struct fmt_ctx *ctx, struct aggr *const *ags, int n, const struct aggr_sort *sort);
int aggr_printf(struct fmt_ctx *ctx, const struct fmt *f, struct aggr *const *ags, int n, const struct aggr_sort *sort);

#endif
