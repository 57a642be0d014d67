/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A clause of a script, and the layout of the record that it writes.
 *
 * A record is one piece of the ring: struct rec_header, struct rec_thread where it is wanted,
 * then the data of the clause's actions at the offsets which semantic analysis gave them. An
 * action that may be skipped (inside if, ?:, &&, ||) has a byte in the record that is set if
 * it was carried out.
 */
#ifndef DT_CLAUSE_H
#define DT_CLAUSE_H

#include "grammar/node.h"
#include "libdt/base/mem.h"
#include "libdt/consume/aggr.h"
#include "libdt/consume/fmt.h"
#include "libdt/provider/probe.h"

struct def;

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

/* With -x flowthread: follows the header. */
struct rec_thread {
	uint32_t tid;  /* 0: the CPU's idle thread */
	uint32_t task; /* bits of the task's address, to detect a reused id */
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
const char *fault_text(enum fault f);

/* One recorded value. */
struct rec {
	const struct type *type;
	uint32_t off, size;
	enum text_origin origin;
	struct loc name; /* the expression's text, which names the value; nowhere for constants */
};

/* One recorded action. */
struct act {
	const struct def *def;
	struct rec *recs;
	int nrecs;
	struct fmt *fmt;
	struct aggr_use **aggs; /* aggregations named in its arguments */
	int naggs;
	int64_t imm;
	int32_t cond_off; /* offset of its byte; -1: always carried out */
	struct loc loc;
	struct node *node;
};

struct sym;
/* An aggregation as used by an action: its symbol; the aggr is made by the plan. */
struct aggr_use {
	struct sym *sym;
};

struct clause {
	uint32_t index; /* in program order over all scripts */
	struct node *node;
	struct node *counts;	    /* which firings are its probes' at all: an N_CHOICE, or NULL */
	struct node *pred;	    /* typed, or NULL */
	struct node *body;	    /* N_BLOCK, or NULL for the default action */
	VEC(struct probe *) probes; /* what its descriptions matched, each once */
	/* its descriptions with four fields, provider:module:function:name, or identifiers */
	VEC(const char *) descriptions;
	VEC(struct act *) acts;
	uint32_t size;	     /* of its record, header included; 0 when it records nothing */
	bool records;	     /* writes a record (also the default action, which has no data) */
	bool needs_time;     /* its records are stamped */
	bool shows_time;     /* it reads the time at which it fires */
	bool records_thread; /* struct rec_thread follows the record's header */
	bool has_attr;	     /* it uses inlines whose stability was declared: the least of them */
	struct attr attr;
	bool implied; /* a probe of another clause brought it along: the script does not have it */
	bool faults;  /* a part of it can fault; known when its program is made */
	bool ends_specs;       /* has commit() or discard() */
	bool returns;	       /* has return(): the traced function does not run */
	bool returns_any;      /* and the value may be 0, as far as is known before it fires */
	bool uses_regs;	       /* regs[]: the program has to be called with them */
	bool uses_args;	       /* arg0.., args[]: depends on the probe's argument signature */
	VEC(struct loc) sites; /* places that can fault */
};

#endif
