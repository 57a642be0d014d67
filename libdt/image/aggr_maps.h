/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps in which programs count for aggregations, in two generations (engine/snapshot.h). */
#ifndef DT_AGGR_MAPS_H
#define DT_AGGR_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/map.h"
#include "libdt/base/mem.h"
#include "libdt/image/aggregation.h"

/*
 * Where programs count for one. Keyed: gen[] are hash maps, whose keys are { uint32_t cpu; uint32_t
 * zero; tuple } and whose values are words int64_t; outer is an array of maps with gen[0] at
 * outer_at and gen[1] after it. Aggregations whose maps are alike share it. A program makes an
 * element with the value of init and its event already in it.
 *
 * A table that grows has second maps of the generations, more[]. Programs find them in the array
 * more_outer, at more_at and after it, where nothing is at first. A key is in one of the two maps
 * of its generation, or, if the second one came just then, in both: the reader merges what it
 * finds. At mem_off of the memory map mem is a uint64_t: the new keys since the last snapshot. At
 * multiples of fill_step programs call dt_fills().
 *
 * Unkeyed: mem is a memory map. At mem_off + (generation * ncpus + cpu) * stride is a CPU's slot:
 *	int64_t touched;	set to 1 by each event
 *	int64_t words[];	init when untouched
 */
struct aggr_maps {
	uint32_t id, key_size;
	int words;
	bool has_sum;  /* the last of them is the sum of a distribution's values */
	int64_t *init; /* the value of no events */
	struct map gen[2];
	struct map *outer; /* NULL: programs branch to one of gen[] instead */
	uint32_t outer_at;
	struct map more[2];
	struct map *more_outer;		/* NULL: it does not grow */
	uint32_t more_at, more_entries; /* how many second maps have at first */
	uint32_t fill_step;		/* a power of two */
	uint32_t calm;			/* how many snapshots in a row found it nearly empty */
	struct map *mem;
	uint32_t mem_off, stride;
};

enum { AGGR_KEY_HEAD = 8 }; /* CPU and padding before the tuple */

/* Those of all aggregations of a session, by number. */
struct aggr_memory {
	VEC(struct aggr_maps *) v;
	VEC(struct map *) outers;
	int ncpus; /* possible CPUs, that is one more than the highest number */
	/* word in memory shared with the programs: 0 or 1; set before a snapshot */
	volatile uint32_t *generation;
	/*
	 * Where programs on aggregations may sleep: words, busy_step of them for each CPU; of the
	 * first, or of the one asleep words after it, bits are set while programs are under way.
	 * NULL: none sleeps.
	 */
	const uint64_t *busy;
	uint32_t busy_step, asleep;
	struct sync *sync;		    /* made with the maps, unless set before */
	VEC(struct map_filling *) fillings; /* maps on their way into arrays */
	int fill;	 /* how full the fullest table was at the last snapshot, in percent */
	bool settled;	 /* the generation that the last snapshot took is empty and stays so */
	uint64_t growth; /* bytes of the kernel's memory that second maps may still take */
	bool on_demand;	 /* they take it as keys come */
};

/* Adds one with its own copy of what a fresh value is. with_sum: of a distribution the sum of its
 * values is kept, too. NULL when the parameters make no sense (see words). */
struct aggr_maps *aggr_memory_add(struct aggr_memory *mem, const struct aggfunc *func,
				  const int64_t *params, uint32_t key_size, bool with_sum);
/* Closes the maps. */
void aggr_memory_free(struct aggr_memory *mem);
/* Keyed: describes the maps; entries is the capacity of gen[], more_entries that of second maps at
 * first (0: it does not grow). direct: without outer. */
void aggr_maps_describe(struct aggr_memory *mem, struct aggr_maps *m, uint32_t entries, bool direct,
			uint32_t more_entries);
/* The bytes that it needs in a memory map (0 for keyed ones that do not grow), where they begin (a
 * multiple of 64). */
uint32_t aggr_maps_size(const struct aggr_maps *m, int ncpus);
void aggr_maps_place(struct aggr_maps *m, struct map *in, uint32_t off);
/* Places what they need one after another in a memory map; returns how many bytes. */
uint32_t aggr_memory_place(struct aggr_memory *mem, struct map *in);
/* The slot of a CPU, of one without keys; and its first contents. */
int64_t *aggr_slot(const struct aggr_memory *mem, const struct aggr_maps *m, uint32_t gen, int cpu);
void aggr_slot_init(const struct aggr_maps *m, int64_t *slot);
/* Of one that grows: the new keys since the last snapshot. */
volatile uint64_t *aggr_new_keys(const struct aggr_maps *m);

#endif
