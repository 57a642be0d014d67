/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwinding rows of a file in the form that programs in the kernel search (bpf/rt_unwind.h).
 * A file has hundreds of thousands of rows but some hundred distinct rules, and most addresses
 * differ in their low half only: a row takes 4 bytes.
 */
#ifndef DT_UNWIND_TABLE_H
#define DT_UNWIND_TABLE_H

#include <stdint.h>

#include "libdt/base/mem.h"
#include "libdt/process/cfi.h"
#include "libdt/process/segments.h"

struct unwind_table {
	VEC(uint32_t) words; /* indices count from the first of these */
	uint32_t nblocks;
	uint64_t base; /* address of the first block */
};

/*
 * The rows of code only, by what the file says is mapped as code; none when the index of blocks
 * would be out of proportion to them, as of two rows that are 4 GB apart. To be freed with
 * cfi_free().
 */
struct cfi unwind_table_rows(const struct segments *s, const struct cfi_row *rows, int n);
/* Rows that are not in ascending order are skipped. */
void unwind_table_pack(struct unwind_table *t, const struct cfi_row *rows, int n);
void unwind_table_free(struct unwind_table *t);

#endif
