/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -F: lines indented by entry and return, for each CPU or, with -x flowthread, for each thread. */
#ifndef DT_FLOWINDENT_H
#define DT_FLOWINDENT_H

#include <stdint.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/image/schema.h"

/* What a probe is in the tree. */
enum flow_kind { FLOW_NONE, FLOW_IN, FLOW_OUT };
enum flow_kind flow_kind(const struct probe_desc *p);
/* The length of the probe's name before this suffix; 0: it has another end. */
size_t flow_stem(const struct probe_desc *p, const char *suffix);
/* Is this record of the firing that the thread's record before is of, by a second clause? */
static inline bool flow_same_firing(const struct rec_header *last, const struct rec_header *h)
{
	return last->probe == h->probe && last->clause < h->clause;
}

/* All zero is one that has seen nothing. */
struct flows {
	struct hash by; /* CPU or thread -> struct flow */
};

/* What the column header says; thread: the lines are those of -x flowthread. */
void flow_header(bool thread, struct strbuf *out);
/*
 * Adds the beginning of a record's line, "  0  -> read", and goes on from there. As on Solaris the
 * first clause of an entry has the arrow, and the last of a return; the others are between them,
 * "  0    | read:entry". more: another record of the firing follows. thread: as the record has it
 * (struct rec_thread), NULL for trees by CPU.
 */
void flow_line(struct flows *fs, const struct probe_desc *p, const struct rec_header *h,
	       const struct rec_thread *thread, bool more, struct strbuf *out);
void flows_free(struct flows *fs);

#endif
