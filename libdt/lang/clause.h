/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A clause of a script. */
#ifndef DT_CLAUSE_H
#define DT_CLAUSE_H

#include "grammar/node.h"
#include "libdt/base/mem.h"
#include "libdt/image/schema.h"
#include "libdt/provider/probe.h"

struct sema;

/* A check of a call that is made when the clause has types. */
struct late_check {
	struct late_check *next;
	void (*check)(struct sema *s, struct node *n);
	struct node *n;
};

/* Whether -x maxcpu may leave the clause out of firings: lang/sample.h. */
enum sample_class {
	SAMPLE_NEVER,
	SAMPLE_ANY,   /* by itself */
	SAMPLE_WHOLE, /* with all clauses of the firing: it changes what lives as long as that */
};

/* A place that can fault. */
struct clause_site {
	struct loc loc;
	/* set by the plan: which statement holds it, from 1 in the order of the text, 0: the
	 * predicate */
	int statement;
	/* set as programs are made: it reads the kernel's memory, not a process's */
	bool of_kernel;
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
	struct layout layout; /* of its record */
	/* -x flowthread with -x nspid: the thread's number that its records have; or NULL */
	struct node *thread;
	bool records;	  /* writes a record (also the default action, which has no data) */
	bool needs_time;  /* its records are stamped */
	bool shows_time;  /* it reads the time at which it fires */
	bool reads_clock; /* the same, or that of the thread */
	bool has_attr;	  /* it uses inlines whose stability was declared: the least of them */
	struct attr attr;
	bool implied; /* a probe of another clause brought it along: the script does not have it */
	bool faults;  /* a part of it can fault; known when its program is made */
	bool returns; /* has return(): the traced function does not run */
	bool returns_any;	 /* and the value may be 0, as far as is known before it fires */
	struct late_check *late; /* the last call first */
	bool uses_regs;		 /* regs[]: the program has to be called with them */
	bool uses_args;		 /* arg0.., args[]: depends on the probe's argument signature */
	VEC(struct clause_site) sites;
	enum sample_class sampling;
	const char *unsampled; /* SAMPLE_NEVER: why, "assigns variables"; and where */
	struct loc unsampled_at;
	VEC(struct sym *) sampled_aggs; /* what it adds to; filled with sampling */
};

/* Calls fn once for each node of an analysed clause, a node before those below it. */
void clause_each_node(const struct clause *c, void (*fn)(void *arg, const struct node *n),
		      void *arg);

#endif
