/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What readers of a detached session leave to the next one, in two files, each of which is replaced
 * as a whole. A reader may be killed at any time:
 *
 * Totals. A snapshot leaves the old generation in the kernel's maps until the file has the totals
 * with it, under the next number. Then the generation is removed, and after that the number is in
 * ctl.removed. The generation that programs write is exchanged only while the two numbers are the
 * same. So where the file has the greater number, the next reader removes the old generation.
 *
 * Position. The file says up to where the ring was printed, and has the records that were read but
 * wait for their turn in the order of time. It is written when the output is, and only then is the
 * memory of the ring free. A reader that is killed between the two has printed records that the
 * next one prints again; none is lost.
 */
#ifndef DT_STATE_H
#define DT_STATE_H

#include "libdt/abi/control.h"
#include "libdt/consumer/aggr.h"
#include "libdt/record/pack.h"

struct position {
	uint64_t ring; /* of the ring: records before it were read */
	uint64_t misses;
	bool exited; /* exit() was met; its argument: */
	int32_t status;
	int ncpus;
	uint64_t (*drops)[DROP_COUNT]; /* reported so far, of each CPU; owned */
	struct strbuf held;	       /* records: a size, then the record, up to 8 bytes */
};

/* Saves to, or loads from, a pack; the rest is as in pack.h. Aggregations have what normalize()
 * said. p->ncpus and p->drops are set before. */
void state_pack_position(struct position *pos, struct aggrs *as, struct pack *p);
/* The same of totals, which are empty when they are loaded, and their number. */
void state_pack_totals(uint64_t *number, struct aggrs *as, struct pack *p);
void state_free(struct position *pos);

#endif
