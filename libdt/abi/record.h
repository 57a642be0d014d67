/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that programs write to the ring buffer. A record is struct rec_header, struct
 * rec_thread and struct rec_process where they are wanted, then the data of the clause's actions at
 * the offsets that semantic analysis gave them (image/schema.h). An action that may be skipped
 * (inside if, ?:, &&, ||) has a byte in the record that is set if it was carried out.
 */
#ifndef DT_RECORD_H
#define DT_RECORD_H

#include <stddef.h>
#include <stdint.h>

/* What begins each record in the ring; error records follow it with struct rec_error. */
struct rec_header {
	uint32_t clause; /* index of the clause, or one of REC_... */
	uint32_t probe;	 /* index among the enabled probes */
	uint32_t cpu;
	uint32_t spec; /* tag of the speculation that it belongs to; 0: none */
	uint64_t time; /* CLOCK_MONOTONIC ns; 0 unless the clause needs it */
};
#define REC_ERROR 0xffffffffu
#define REC_PROCESS 0xfffffffeu /* a process that user addresses are of: its id is in probe */
#define REC_SPEC_END \
	0xfffffffdu /* the end of a speculation: a header only; probe: 1 committed, 0 discarded */

#define REC_REPORT 0xfffffffcu /* of dtrace's own, among the records that are sorted */
#define REC_FILLS 0xfffffffbu  /* wakes dtrace: an aggregation has many new keys; a header only */

/* With -x flowthread and oformat=perfetto: follows the header. */
struct rec_thread {
	uint32_t tid;  /* 0: the CPU's idle thread */
	uint32_t task; /* bits of the task's address, to detect a reused id */
};

/* For dt_on_event() and oformat=perfetto: follows these. */
struct rec_process {
	uint32_t tid, pid; /* 0: the CPU's idle thread */
	char comm[16];
};

struct rec_error {
	uint32_t clause, site; /* site: index in the clause's table of places */
	uint32_t fault, pad;   /* enum fault */
	uint64_t value;	       /* address, divisor, index, ... */
};

/* Values of ERROR's arg4, the same in all DTrace implementations. */
enum fault {
	FAULT_UNKNOWN,
	FAULT_BADADDR,
	FAULT_BADALIGN,
	FAULT_ILLOP,
	FAULT_DIVZERO,
	FAULT_NOSCRATCH,
	FAULT_KPRIV,
	FAULT_UPRIV,
	FAULT_TUPOFLOW,
	FAULT_BADSTACK,
	FAULT_BADSIZE,
	FAULT_BADINDEX,
	FAULT_LIBRARY = 1000,
};

/* Data of actions begins on a multiple of 8 bytes, and programs store some fields in pairs. */
_Static_assert(sizeof(struct rec_header) == 24, "without holes: programs write each field");
_Static_assert(sizeof(struct rec_thread) == 8, "programs store it as one number");
_Static_assert(sizeof(struct rec_process) == 24, "tid and pid are stored as one number");
_Static_assert(sizeof(struct rec_error) == 24, "without holes");
_Static_assert(offsetof(struct rec_header, spec) == offsetof(struct rec_header, cpu) + 4,
	       "programs store the CPU with 8 bytes, which clears spec");
_Static_assert(offsetof(struct rec_error, pad) == offsetof(struct rec_error, fault) + 4,
	       "programs store the fault with 8 bytes");

#endif
