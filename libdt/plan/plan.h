/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: which probes are enabled by which clauses, and which programs that makes. Probes with
 * the same ordered list of clauses share a program where their hook can distinguish them (attach
 * cookie, or a table from a selector such as the system call's number); otherwise each has its own.
 * What it makes is a program set and a schema.
 */
#ifndef DT_PLAN_H
#define DT_PLAN_H

#include "bpf/modbtf.h"
#include "libdt/lang/clause.h"
#include "libdt/lang/gen.h"

struct enabled {
	struct probe *probe;
	VEC(struct clause *) clauses;
};

struct plan {
	struct codegen cg;
	struct program_set *set;
	VEC(struct clause *) clauses;
	struct rt rt;
	VEC(struct enabled) enabled; /* by index of the probe */
	struct modbtf modules;
	bool metrics; /* distributions have the sum of their values */
	bool made;
	bool crowded, crowded_known; /* more groups of system calls than an event takes programs */
	bool ring_cut;		     /* more was asked for than the ring can be */
	bool ring_fitted;	     /* it is smaller than usual, because few records come */
};

/* What of struct codegen is the session's (set included) is filled in. */
void plan_init(struct plan *p, const struct codegen *cg);
void plan_free(struct plan *p);
/* Makes maps and programs, for as many CPUs as the set has; dies on what cannot be compiled. dump:
 * stages of -x dump. */
void plan_make(struct plan *p, FILE *dump, unsigned stages);
/* Where the code of a place begins in the program of the probe; 0: that is not known. For ERROR. */
int plan_instruction(const struct plan *p, const struct probe *probe, struct loc loc);
/* The first program that refers to more maps than the kernel takes, and how many; NULL: there is
 * none. */
const struct program *plan_excess_maps(const struct plan *p, int *maps);
/* Readable text of the plan, for -x dump=plan. */
void plan_dump(const struct plan *p, FILE *out);

#endif
