/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs count, taken out of the kernel. It is in two generations of maps and slots
 * (image/aggr_maps.h). A program reads the generation word once and works on that generation. A
 * snapshot writes the other number, waits until the programs that read the old one have returned,
 * and then owns the old generation: nothing is counted twice, lost, or half.
 *
 * The kernel's grace period does not wait for programs that may sleep (for a page of the process).
 * Those have a bit set from before they read the word until they return.
 *
 * When a tenth of a table that grows is filled, programs say so: the other generation gets a larger
 * second map and takes over, and this one gets a larger one when it was read. When a table has been
 * nearly empty for a while its second maps are as at first again.
 */
#ifndef DT_SNAPSHOT_H
#define DT_SNAPSHOT_H

#include "libdt/image/aggr_maps.h"

/* Gets what a generation has, row by row: of which aggregation, its key ("" where it has none) and
 * the CPU that counted. */
struct snapshot_rows {
	void (*row)(void *arg, uint32_t id, const void *key, int cpu, const int64_t *value);
	void *arg;
};

/* Creates the maps, puts them into their arrays, and fills slots; the memory map must have been
 * created. 0 or -errno. */
int snapshot_create(struct aggr_memory *mem);
/* The maps of a keyed one under names in a directory of a BPF file system: of those that
 * snapshot_create() has made, and to use them instead of creating them. 0 or -errno. */
int snapshot_pin(const struct aggr_maps *m, const char *dir);
int snapshot_open_pins(struct aggr_maps *m, const char *dir);

/*
 * Has programs count in the other generation from now on, and waits until none writes the old one.
 * whole: even those that sleep longer than they should; -EBUSY when one does. 0 or -errno: then
 * the old generation is the next but one's.
 */
int snapshot_turn(struct aggr_memory *mem, bool whole, uint32_t *old);
/* Tables that fill up grow. Is there one, so that it is time for a snapshot? */
bool snapshot_fill(struct aggr_memory *mem);
/* All that a generation has which no program writes: read, read and removed, removed. 0 or
 * -errno. */
int snapshot_read(struct aggr_memory *mem, uint32_t gen, const struct snapshot_rows *rows);
int snapshot_take(struct aggr_memory *mem, uint32_t gen, const struct snapshot_rows *rows);
int snapshot_remove(struct aggr_memory *mem, uint32_t gen);

#endif
