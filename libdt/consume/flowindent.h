/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -F: lines indented by entry and return, for each CPU or, with -x flowthread, for each thread. */
#ifndef DT_FLOWINDENT_H
#define DT_FLOWINDENT_H

#include <stdint.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/image/schema.h"

/* All zero is one that has seen nothing. */
struct flows {
	struct hash by; /* CPU or thread -> struct flow */
};

/* What the column header says; thread: the lines are those of -x flowthread. */
void flow_header(bool thread, struct strbuf *out);
/*
 * Adds the beginning of a record's line, "  0  -> read", and goes on from there. thread: as the
 * record has it (struct rec_thread), NULL for trees by CPU.
 */
void flow_line(struct flows *fs, const struct probe_desc *p, const struct rec_header *h,
	       const struct rec_thread *thread, struct strbuf *out);
void flows_free(struct flows *fs);

#endif
