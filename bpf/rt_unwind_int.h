/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of user stacks. */
#ifndef DT_RT_UNWIND_INT_H
#define DT_RT_UNWIND_INT_H

#include "bpf/rt_build.h"
#include "bpf/rt_unwind.h"

/* A routine that works on a struct unwind_state of the slot: its arguments are the slot, the
 * state, and perhaps others. */
struct step {
	struct rtb b;
	int state;	  /* pointer to struct unwind_state */
	int sp, fp;	  /* registers with the frame's, 0: they are loaded at each use */
	int end, unknown; /* labels: the stack ends; the code has no rule */
};

/* Where the code is in which the frame is: a return address may be the first of another
 * function. Sets the state. */
int step_load(struct step *s);
int step_field(struct step *s, int off); /* a new register with a word of the state */
/* A new register: all ones when x < y, else 0; neither is so large that the difference has no
 * sign. */
int step_below(struct rtb *b, int x, int y);

/* rt_unwind_rule.c: which rule is for an address. */
/* Pointer to the process's struct unwind_space; goes to unknown when it has none. */
int rule_find_space(struct rtb *b, int unknown);
/* A new register with the rule when the code is in the mapping of the code before, and the cache
 * has the rule; else goes to miss. */
int rule_cached(struct step *s, int addr, int miss);
/* The same, where the cache has none by the search. */
int rule_known(struct step *s, int addr);

#endif
