/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel stacks by the kernel's own unwinding tables (ORC, x86-64): what the routines share with
 * the code that calls them. */
#ifndef DT_RT_ORC_H
#define DT_RT_ORC_H

#include <stdint.h>

#include "bpf/map.h"

/*
 * The memory of the map: a rule by address in each word, then where stacks begin, a word for each
 * probe, then a word for how the tables number registers, then counts of -x kstack=check.
 *
 * A rule's word, which is read and written at once: the low 32 bits of the address that the kernel
 * looks up (that before a return address), ORC_EXACT if it is of registers and not a return
 * address, and the rule: ORC_TRACER, its kind, and the offsets in words. 0 is no rule of any
 * address.
 */
enum { ORC_CACHE_BITS = 12, ORC_STARTS = 512, ORC_WINDOW = 512 };
enum {
	ORC_MEM_STARTS = 8 << ORC_CACHE_BITS,
	ORC_MEM_NUMBERS = ORC_MEM_STARTS + 8 * ORC_STARTS,
	ORC_MEM_COUNTS = ORC_MEM_NUMBERS + 8,
	ORC_MEM_SIZE = ORC_MEM_COUNTS + 8 * 3
};
enum { ORC_COUNT_FAST, ORC_COUNT_SLOW, ORC_COUNT_WRONG };

#define ORC_EXACT (1ull << 32)
enum { ORC_RULE_SHIFT = 33 };
enum { ORC_TRACER = 1, ORC_KIND_SHIFT = 1, ORC_KIND_MASK = 7 };
enum { ORC_SIZE_SHIFT = 4, ORC_SIZE_BITS = 13, ORC_FP_SHIFT = ORC_SIZE_SHIFT + ORC_SIZE_BITS };
enum orc_kind {
	ORC_SP, /* the base is the stack pointer plus the first offset; the return address is in the
		   word below, the caller's rbp so many words below as the second (0: unchanged) */
	ORC_BP, /* the same from rbp */
	ORC_REGS, /* there is a struct pt_regs; second offset 1: of an interrupted instruction */
	ORC_END,  /* the stack ends */
	ORC_OTHER /* bpf_get_stack() has to take the stack */
};

/* A start's word: the low half of the address in the caller, where ORC_START_SHIFT on has how far
 * from the context it is on the stack, in words and plus ORC_REACH. 0: it is not known yet. */
enum { ORC_START_SHIFT = 32, ORC_REACH = 32, ORC_TRIES_SHIFT = 48, ORC_TRIES = 100 };

/* Frames that are compared; what the routines return instead of a number of frames. */
enum { ORC_TRIED = 12, ORC_SLOW = -1, ORC_LEARN = -2 };

/*
 * In the slot: the frame that is next. exact: pc is not a return address; lead: 1 while tracer
 * frames are left out. It is the routines' own but for pc, sp, bp, exact and lead of rt_orc() and
 * context and lead of the others.
 */
struct orc_state {
	uint64_t pc, sp, bp, exact, lead;
	uint64_t context; /* its address */
	uint64_t to, left;
	uint64_t full;		       /* of rt_orc_learn() */
	uint64_t tried[ORC_TRIED + 1]; /* frames that it compares */
	uint64_t start, last;	       /* the window's first address, and the last word in it */
	uint64_t window[ORC_WINDOW / 8];
};

/* What is known of the kernel. */
struct rt_orc {
	bool known;
	bool has_tracers;      /* a routine "dt_machinery" is there: is an address in a tracer's? */
	bool tracers_unknown;  /* it knows of none: the kernel's symbols could not be read */
	struct map *mem;       /* ORC_MEM_SIZE bytes */
	uint64_t ips, entries; /* the tables, of n rows */
	uint32_t n;
	uint64_t text, text_end;
	uint64_t function;   /* where one begins, at which nothing is on the stack yet */
	uint64_t returns[4]; /* addresses that others replace return addresses with; 0: none */
	/* Where one begins that changes stacks before the kernel changes the current thread; 0: not
	 * known. */
	uint64_t switches;
	/* In the 16 bits at the end of an entry: */
	uint8_t type_shift, type_bits;
	uint8_t signal, end;	  /* bits; 0: there is none */
	uint8_t call, regs, ends; /* values of type; ends: where there is no bit end */
};

#endif
