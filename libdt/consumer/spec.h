/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer's half of speculations: records that wait for their commit. See
 * builtin/act_spec.c. */
#ifndef DT_SPEC_H
#define DT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct specs;

/* size: the most bytes of records that one speculation may hold. */
struct specs *specs_new(uint64_t size);
void specs_free(struct specs *s);

/* What becomes of a record that carries a tag. */
enum spec_verdict {
	SPEC_HELD, /* kept (copied), or counted as dropped when the limit is reached */
	/* its speculation was committed while it was written: it is the caller's to print now */
	SPEC_PRINT,
	SPEC_GONE, /* its speculation was discarded */
};
enum spec_verdict specs_take(struct specs *s, uint32_t tag, const void *data, size_t size);
/*
 * A speculation ends: committed, its records go to print in the order in which they came, until
 * one returns nonzero, which is returned. What has ended already stays as it is.
 */
int specs_end(struct specs *s, uint32_t tag, bool commit,
	      int (*print)(void *arg, const void *data, size_t size), void *arg);
/*
 * Forgets the outcome of speculations whose last record has been read: produced and consumed are
 * positions of the ring, before which records have been begun and read.
 */
void specs_retire(struct specs *s, unsigned long produced, unsigned long consumed);
/* Records dropped because of the limit, since the last call. */
uint64_t specs_drops(struct specs *s);
/* How many speculations are known, for tests. */
size_t specs_known(const struct specs *s);

#endif
