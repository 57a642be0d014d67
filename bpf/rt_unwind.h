/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that the unwinding routine reads; libdt/engine/unwind.c fills them in. */
#ifndef DT_RT_UNWIND_H
#define DT_RT_UNWIND_H

#include <stdint.h>

#include "bpf/map.h"

/*
 * A file's table, in words of the rows' memory. Its object's addresses are divided into blocks of
 * 64 KB, the first of which has the first row. For each block the index of its first row, and one
 * index more, which ends the last block; then the file's distinct rules; then the rows, ascending,
 * of which the first is before all blocks. A row holds from its address up to the next one's: the
 * low half is the low half of the address, the high half which of the rules it is.
 *
 * A rule: kind, in how many words below the base the caller's frame pointer is (0: it is
 * unchanged), and the base's offset in words. In files that have a CFI_BX (the dynamic linker),
 * rules of small offsets are CFI_BX_KNOWN: they have the words of the caller's rbx, too. After a
 * frame of another rule rbx is not known.
 *
 * Where calls leave the return address in a register (aarch64), functions save it anywhere in the
 * frame, mostly with the frame pointer in the word before it: in so many words below the base, or
 * (CFI_FROM_REG) above the register that the base is computed from, is the first of the two, or
 * (CFI_ONE) the return address alone. CFI_LINK: it is still in the register, and with CFI_ONE the
 * frame pointer is alone in that word.
 */
enum { UNWIND_BLOCK_BITS = 16, UNWIND_RULES_MAX = 1 << 16 };
enum { CFI_FP_SHIFT = 2, CFI_FP_MASK = 0xff, CFI_OFF_SHIFT = 10, CFI_OFF_BITS = 20 };
enum { CFI_BX_OFF_BITS = 12, CFI_BX_SHIFT = CFI_OFF_SHIFT + CFI_BX_OFF_BITS, CFI_BX_MASK = 0xff };
#define CFI_BX_KNOWN (1u << 31)
enum { CFI_LINK_OFF_BITS = 18, CFI_FROM_REG = 1 << 28, CFI_ONE = 1 << 29 };
#define CFI_LINK (1u << 31)
enum cfi_kind {
	CFI_SP, /* the base is the stack pointer plus the offset */
	CFI_FP, /* ... the frame pointer */
	/*
	 * Offset 0: the frame of a signal; below CFI_KEPT a PLT: as CFI_SP, 8, and 16 from so
	 * many bytes in 16 on; below CFI_BX: the base is after the word which the stack pointer
	 * and (offset - CFI_KEPT - 1) words lead to; from there on: rbx plus (offset - CFI_BX)
	 * words.
	 */
	CFI_SPECIAL,
	CFI_END, /* the stack ends here */
};
enum {
	CFI_KEPT = 16,
	CFI_BX = 1 << (CFI_OFF_BITS - 1),
	/* How most functions that have one set up a frame pointer; code without a rule is taken
	 * for the same, and CFI_GUESS says so. (On aarch64 the base is further up, but the two
	 * words are there.) */
	CFI_POINTER = CFI_FP | 2 << CFI_FP_SHIFT | 2 << CFI_OFF_SHIFT,
	CFI_GUESS_SHIFT = CFI_OFF_SHIFT + CFI_OFF_BITS,
	CFI_UNKNOWN = CFI_POINTER | 1 << CFI_GUESS_SHIFT,
};
enum { UNWIND_ROWS_MAX = (1 << 20) - 1 }; /* of one object */

/* A mapping: addresses from start to end, of which those since the first block are bias less;
 * where the table begins, and of how many blocks it is (0: there are no rows). */
struct unwind_part {
	uint64_t start, end, bias;
	uint32_t first, n;
};

/* A file that some process has mapped, and what it is for all processes. */
struct unwind_file_key {
	uint64_t dev, inode, modified; /* dev: as the kernel has it; ns. All 0: the vdso */
	uint64_t off;		       /* of the mapping, in the file */
};
struct unwind_file {
	uint64_t less; /* the bias is so much less than the mapping's start */
	uint32_t first, n;
	uint64_t id; /* as that of a space */
};

/* A process, by its id in the map of spaces. The first part is one of no addresses from 0 on, the
 * last ones begin beyond all. */
enum { UNWIND_PARTS = 256, UNWIND_FRAMES = 127, UNWIND_WINDOW = 512 };
struct unwind_space {
	uint64_t id; /* below 2^32; another one each time that the parts change */
	struct unwind_part parts[UNWIND_PARTS];
};

/* What is known of the process's code here: of a mapping, or (in a process with a space) of all. */
struct unwind_here {
	struct unwind_part part;
	uint64_t id; /* of the space or file: rules are cached by it and address less bias */
};

/*
 * The registers that it begins with, in the slot; exact: pc is not a return address; third: rbx, 0
 * when it is not known, or on aarch64 the link if exact is set, else what is known of sp
 * (rt_unwind_link.c). stray: set to when the process is to be looked at again, in ns since it was
 * last; guessed: set to 1 when the first frame had no rule. The rest is the routine's own:
 * trampoline is where functions with return probes return to, found is of stray code in a process
 * with a space.
 */
struct unwind_state {
	uint64_t pc, sp, fp, third, exact, stray, guessed, trampoline, has_space;
	struct unwind_here here, found;
	uint64_t to, left; /* where the next frame goes, in the slot; how many more may come */
	/* Memory of the process from window_start on; read for frames of at most near bytes. */
	uint64_t near, window_start, window[UNWIND_WINDOW / 8];
};

/* Code that is in no table: of no file, or of a file that was not looked at yet. */
enum { UNWIND_STRAY_NS = 100000000, UNWIND_FILE_NS = 10000000 };

/*
 * A rule that a search found. All CPUs share the entries and write them without a lock, and a
 * probe may interrupt another's write: check is the address plus UNWIND_CHECK times the word of
 * rule and id, so that halves of two entries match no address.
 */
enum { UNWIND_CACHE_BITS = 12, UNWIND_ENTRY_BITS = 4 };
#define UNWIND_HASH 0x9e3779b97f4a7c15
#define UNWIND_CHECK 0xc2b2ae3d27d4eb4f
struct unwind_entry {
	uint32_t rule, id; /* of the space or file, 0: none */
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

/*
 * Where the kernel keeps a process's mappings and their files: offsets, from the task on. The
 * mappings are in a maple tree, or (before 6.1) a red-black tree, whose root and links are these.
 */
struct rt_vmas {
	bool known, maple;
	uint32_t task_mm, mm_root, mm_vdso;
	uint32_t vma_node, node_left, node_right; /* of the red-black tree */
	uint32_t vma_start, vma_end, vma_page, vma_file;
	uint32_t file_inode, inode_number, inode_super, super_dev, inode_sec, inode_nsec;
	/* A file of overlayfs (since 6.8): the one that processes see is by its dentry. */
	bool has_backing;
	uint32_t file_mode, backing_dentry, dentry_inode;
};

struct machine;

struct rt_unwind {
	struct map *rows; /* memory of nwords words of 32 bits, a power of two */
	struct map *spaces;
	struct map *files;	       /* struct unwind_file_key -> struct unwind_file */
	struct map *cache;	       /* memory of 2^UNWIND_CACHE_BITS entries */
	const struct machine *machine; /* one whose unwind.known is set */
	int signature_bits;	       /* of return addresses, the highest ones: see machine.h */
	uint32_t nwords;
	struct rt_returns returns;
	struct rt_vmas vmas;
};

#endif
