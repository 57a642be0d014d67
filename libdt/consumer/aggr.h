/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Totals of aggregations. The kernel's maps are a short-term buffer; totals live here, in user
 * space, keyed by the bytes of the tuple. aggrs_snapshot() adds what was counted since the last
 * one. So snapshots are never torn, and clear() and trunc() act on totals without losing what is
 * counted meanwhile.
 */
#ifndef DT_AGGR_H
#define DT_AGGR_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/hash.h"
#include "libdt/consumer/fmt.h"
#include "libdt/image/aggregation.h"
#include "libdt/type/type.h"

struct aggr_entry {
	const uint8_t *key; /* key_size bytes, the tuple only */
	int64_t *value;
	int64_t **cpus; /* with aggpercpu: the same for each CPU that counted, NULL for others */
	int ncpus;
	uint64_t updated_ns; /* when the last snapshot that had events of it began */
	struct aggr *ag;
	struct aggrs *of;
};

struct aggr {
	const char *name; /* without @; "_" for the unnamed */
	uint32_t id;
	const struct aggfunc *func;
	int64_t params[6];
	int words;
	int extra; /* words after these: 1 where the sum of a distribution's values is kept */
	/* clear() keeps its totals, because readers expect a counter (oformat=openmetrics) */
	bool cumulative;
	const struct metric_spec *metric; /* #pragma D metric; NULL: none */
	struct aggr_col *cols;
	int ncols;
	uint32_t key_size; /* bytes of the tuple, 0 when it has none */
	int64_t normal;	   /* 1 unless normalize() */
	uint32_t clears;   /* how often all of it began anew: clear(), trunc() */
	bool printed;	   /* rows of it were printed: not again at exit */
	bool wrapped;	   /* a sum has left 64 bits */
	/* -x maxcpu: one firing in so many counts now, and the most since it began anew; 0: 1 */
	uint32_t sampled_now, sampled;
	struct hash totals; /* tuple -> struct aggr_entry * */
};

/* All aggregations of a session. */
struct aggrs {
	VEC(struct aggr *) v;
	int ncpus;
	struct usyms *usyms;	 /* the same by ufunc() and umod() */
	struct syms *syms;	 /* for keys by func() and mod(); may be NULL */
	struct cgroups *cgroups; /* the same by cgroup_path() */
	uint64_t snapshot_ns;	 /* CLOCK_MONOTONIC when the last snapshot began */
	uint64_t now_ns;	 /* the same of the one that is being taken */
	uint64_t expire_ns;	 /* keys without an event for so long are removed; 0: never */
	uint64_t swept_ns;	 /* when they were looked for */
	uint64_t expired;	 /* how many were removed */
	/* of totals: the most, 0: any number; those there are; and how often a key did not fit */
	uint64_t max_bytes, bytes, refused;
	/*
	 * What a snapshot adds, with its key as it is in the totals, and its end; NULL:
	 * nothing is called. take: adds what was counted, and is what a snapshot does;
	 * 0 or -errno. The source of the totals sets it.
	 */
	void (*on_row)(void *arg, const struct aggr *ag, const void *key, int cpu,
		       const int64_t *value);
	void (*on_snapshot)(void *arg, const struct aggrs *as);
	void *on_arg;
	int (*take)(void *arg);
	void *take_arg;
	bool percpu; /* totals for each CPU are wanted too */
	/* Before aggr_add(): counts, sums and distributions are cumulative, and distributions have
	 * the sum of their values. */
	bool metrics;
};

/* ncpus: possible CPUs, that is one more than the highest number. */
struct aggrs *aggrs_new(int ncpus);
void aggrs_free(struct aggrs *as);
/* Adds one. The name and the columns are copied; the function and the metric stay the caller's.
 * NULL: the params make no sense (struct aggfunc, words). */
struct aggr *aggr_add(struct aggrs *as, const struct aggr_desc *d);
/* v divided by what normalize() gave, which is not 0. */
int64_t aggr_quotient(int64_t v, int64_t normal);
/* How many int64_t a value has in the kernel and in entries, where one follows (aggr.c). */
static inline int aggr_words(const struct aggr *ag)
{
	return ag->words + ag->extra;
}

/* Zeroes, to be freed: the value of any of n aggregations for a key that it has not. */
int64_t *aggr_none(struct aggr *const *ags, int n);
/* Has an entry no event since it was cleared, of a function whose value of no event is not 0? */
static inline bool aggr_total_empty(const struct aggr_entry *e)
{
	return e->value[aggr_words(e->ag)];
}

/* Brings totals up to now: all that programs counted before the call is in them. 0 or -errno. */
int aggrs_snapshot(struct aggrs *as);
/*
 * Adds what a program counted under a key on a CPU to the totals, as a snapshot does. Here it is
 * seen when a total leaves 64 bits. What one CPU sums up between two snapshots is not looked
 * after in the kernel: that costs each firing 3 to 5 ns.
 */
void aggr_merge(struct aggrs *as, struct aggr *ag, const void *key, int cpu, const int64_t *value);
/* The same of a key as it is in the totals, where those that print the same are one. */
void aggr_merge_row(struct aggrs *as, struct aggr *ag, const void *key, int cpu,
		    const int64_t *value);
/* What took a snapshot has added all of it. */
void aggrs_snapshot_end(struct aggrs *as);
/* aggrs_snapshot(), unless the last snapshot began after the time t_ns (CLOCK_MONOTONIC) of the
 * record that asks; 0: always. */
int aggrs_snapshot_since(struct aggrs *as, uint64_t t_ns);

/* Removes the keys that had no event for expire_ns before now_ns. */
void aggrs_expire(struct aggrs *as);
/* Values to init; keys stay. Nothing if cumulative. */
void aggr_clear(struct aggr *ag);
/* keeps n largest (n > 0), -n smallest (n < 0), none (0) */
void aggr_trunc(struct aggr *ag, int64_t n);
int aggr_normalize(struct aggr *ag, int64_t factor); /* 1: denormalize; 0 is -EINVAL */

/* From now on one firing in so many is counted, for all. */
void aggr_sample(struct aggr *ag, uint32_t of);

/* Sorting options, read at each print. */
struct aggr_sort {
	bool key, rev;
	int keypos, pos;
};
/* Entries in printing order: by value, then by key; options as in DTrace (aggsortkey,
 * aggsortkeypos, aggsortpos, aggsortrev). With several aggregations: joined by key; entry i of
 * aggregation j is out[i * n + j], NULL where it has no such key. Returns the number of rows;
 * *out is malloc'ed. */
int aggr_rows(struct aggr *const *ags, int n, const struct aggr_sort *sort,
	      struct aggr_entry ***out);

/*
 * printa(@a, ...) without a format, and what is printed at exit; and with one. Only rows: the
 * newline that dtrace prints before what it prints at exit is not from here. With a format, %@
 * takes one aggregation after another, the last one again and again. 0 or -errno.
 */
int aggr_print(struct fmt_ctx *ctx, struct aggr *const *ags, int n, const struct aggr_sort *sort);
int aggr_printf(struct fmt_ctx *ctx, const struct fmt *f, struct aggr *const *ags, int n,
		const struct aggr_sort *sort);

/* aggr_draw.c: a distribution, a row for each bucket. */
void aggr_draw(struct fmt_ctx *ctx, const int64_t *v, const struct aggr *ag);
/* All rows of an aggregation with a bar for each (agghist), or a distribution in a line
 * (aggpack). False: it has another kind. */
bool aggr_draw_rows(struct fmt_ctx *ctx, struct aggr *ag, struct aggr_entry *const *rows,
		    int count);

/* aggr_fold.c: is there a stack among the keys? */
/* A column of an entry's key. */
struct value aggr_col_value(const struct aggr_col *col, const uint8_t *key);
bool aggr_has_stack(const struct aggr *ag);
/* Whose a frame of a flame graph is; a key that is no stack is a frame too. */
enum aggr_frame { FRAME_KEY, FRAME_USER, FRAME_KERNEL };
/* What gets the rows of an aggregation: the frames of each, the outermost first, and then its
 * value. */
struct aggr_frames {
	void (*frame)(void *arg, const char *name, enum aggr_frame kind);
	void (*end)(void *arg, int64_t value);
	void *arg;
};
void aggr_frames(struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort,
		 const struct aggr_frames *to);
/* "key;outermost;...;innermost value" for flame graphs. 0 or -errno. */
int aggr_fold(struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort);

#endif
