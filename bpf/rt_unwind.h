/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that the unwinding routine reads; libdt/run/unwind.c fills them in. */
#ifndef DT_RT_UNWIND_H
#define DT_RT_UNWIND_H

#include <stdint.h>

#include "bpf/map.h"

/*
 * A row: where it begins (the low 32 bits, an address of the object) and the rule from there on:
 * kind, in how many words below the base the caller's frame pointer is (0: it is unchanged), and
 * the base's offset in words.
 */
enum { CFI_FP_SHIFT = 2, CFI_FP_MASK = 0xff, CFI_OFF_SHIFT = 10 };
enum cfi_kind {
	CFI_SP, /* the base is the stack pointer plus the offset */
	CFI_FP, /* ... the frame pointer */
	/*
	 * Offset 0: the frame of a signal; below CFI_KEPT a PLT: as CFI_SP, 8, and 16 from so
	 * many bytes in 16 on; from there on: the base is after the word which the stack pointer
	 * and (offset - CFI_KEPT - 1) words lead to.
	 */
	CFI_SPECIAL,
	CFI_END, /* offset 0: the stack ends here */
};
enum {
	CFI_KEPT = 16,
	CFI_UNKNOWN = CFI_END | 1 << CFI_OFF_SHIFT /* it goes on by the frame pointer */
};
enum { UNWIND_ROW_BITS = 20, UNWIND_ROWS_MAX = (1 << UNWIND_ROW_BITS) - 1 }; /* of one object */

/* A mapping: addresses from start to end, of which those of the object are bias less, and the
 * rows. */
struct unwind_part {
	uint64_t start, end, bias;
	uint32_t first, n;
};

/* A process, by its id in the map of spaces. The first part is one of no addresses from 0 on, the
 * last ones begin beyond all. */
enum { UNWIND_PARTS = 256, UNWIND_FRAMES = 127 };
struct unwind_space {
	uint64_t id; /* below 2^32; another one each time that the parts change */
	struct unwind_part parts[UNWIND_PARTS];
};

/* The registers that it begins with, in the slot; exact: pc is not a return address; stray: set
 * to 1 when a frame was in no part; guessed: set to 1 when the first one had no rule. The routine
 * itself finds trampoline, where functions with return probes return to, and the space's id. */
struct unwind_state {
	uint64_t pc, sp, fp, exact, stray, guessed, trampoline, space;
};

/*
 * A rule that a search found. All CPUs share the entries and write them without a lock, and a
 * probe may interrupt another's write: check is the address plus UNWIND_CHECK times the word of
 * rule and id, so that halves of two entries match no address.
 */
enum { UNWIND_CACHE_BITS = 12, UNWIND_ENTRY_BITS = 4 };
#define UNWIND_HASH 0x9e3779b97f4a7c15
#define UNWIND_CHECK 0xc2b2ae3d27d4eb4f
struct unwind_entry {
	uint32_t rule, space; /* id of the space, 0: none */
	uint64_t check;
};

/*
 * Where the kernel keeps what return probes have replaced on the stack: offsets in struct
 * task_struct (of mm and utask), mm_struct, xol_area, uprobe_task and return_instance.
 */
struct rt_returns {
	bool known;
	uint32_t task_mm, mm_area, area_vaddr;
	uint32_t task_utask, utask_first, stack, address, next;
};

struct rt_unwind {
	struct map *rows; /* memory of nrows, a power of two */
	struct map *spaces;
	struct map *cache; /* memory of 2^UNWIND_CACHE_BITS entries */
	uint32_t nrows;
	struct rt_returns returns;
};

#endif
