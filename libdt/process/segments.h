/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which part of an object a mapping shows, and how far the process's addresses lie above the
 * object's own (the bias).
 *
 * The offset in the file alone does not say it: linkers that do not pad the file (lld, and so
 * Rust's default) have the kernel map one page of it several times, once for each segment that
 * begins or ends in the page, at different addresses. The permissions of the mapping choose the
 * segment; where they leave several (constant data and data that became read-only after
 * relocation), the one that agrees with the other mappings of the file does.
 */
#ifndef DT_SEGMENTS_H
#define DT_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"
#include "libdt/process/proc_maps.h"

struct segment {
	uint64_t addr, off, filesz, memsz;
	bool code, write;
};

struct segments {
	VEC(struct segment) v;
	bool fixed; /* linked to its addresses (ET_EXEC): the bias is 0 */
};

void segments_free(struct segments *s);
/* A copy, to be freed. */
struct segments segments_copy(const struct segments *s);
/*
 * The bias by a mapping of the object's file, and by its neighbours in the list that it is of
 * (NULL: there is none). False when no segment can be there.
 */
bool segments_bias(const struct segments *s, const struct proc_maps *in, const struct mapping *m,
		   uint64_t *bias);
/*
 * The mapping of the file that anonymous memory belongs to: the .bss follows an object's data.
 * NULL: none. segments_has() checks whether the object reaches that far.
 */
const struct mapping *segments_owner(const struct proc_maps *in, const struct mapping *m);
/* Is an address of the object in one of its segments, as memory has them? */
bool segments_has(const struct segments *s, uint64_t addr);

#endif
