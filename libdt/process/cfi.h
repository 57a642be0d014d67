/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to get from a function to its caller where no frame pointer says it: the call frame
 * information of .eh_frame, which every x86-64 and aarch64 object has for C++'s exceptions, as a
 * table of places and rules that a program in the kernel can search.
 *
 * A rule holds from its address up to the next one's. The frame's base (CFA) is a register plus
 * an offset. On x86-64 the return address is in the word below it, and the caller's frame pointer
 * is where it was or in some word below the base. On aarch64 both are where they were or in some
 * words of the frame, which must be beside each other if both are saved. What is said by other
 * means, or of which nothing is said, is CFI_UNKNOWN. CFI_END is where the file says that the stack
 * ends.
 */
#ifndef DT_CFI_H
#define DT_CFI_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/rt_unwind.h"
#include "libdt/base/mem.h"

/* Two words: so a table is read. */
struct cfi_row {
	uint32_t addr; /* the object's own; greater ones are not in the table */
	uint32_t rule; /* enum cfi_kind and related ones in bpf/rt_unwind.h */
};

struct machine;

struct cfi {
	VEC(struct cfi_row) rows; /* ascending */
};

/* The rows of a section's bytes at an address, of an object for a machine whose unwind.known is
 * set. cfi: is empty, or has those of another one. */
void cfi_parse(struct cfi *cfi, const struct machine *machine, const uint8_t *data, size_t len,
	       uint64_t addr);
void cfi_free(struct cfi *cfi);

#endif
