/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the plan. */
#ifndef DT_PLAN_PARTS_H
#define DT_PLAN_PARTS_H

#include "libdt/plan/plan.h"

/* choose.c: which probes are enabled, by which clauses; which programs with which hooks that
 * makes. */
void plan_enable(struct plan *p);
void plan_choose(struct plan *p);
/* -x maxcpu: which programs are sampled, when clauses are typed. */
void plan_choose_sampled(struct plan *p);

/* merge.c: programs of one target with different clauses become parts of one; and, where those turn
 * out too large for one, programs of half of the parts each, the second one at the end. */
void plan_merge(struct plan *p);
void plan_split(struct plan *p, struct program *pl);

/* maps.c: describes the maps; and, when all programs are made, gives those their sizes and contents
 * that depend on them. */
void plan_describe_maps(struct plan *p);
void plan_fill_maps(struct plan *p);
/* When it is known what writes to the ring: makes it smaller where that is seldom. */
void plan_fit_ring(struct plan *p);

/* support.c: programs of our own that variables need (threads that end, time on CPU). */
void plan_support(struct plan *p);
void plan_support_new(struct plan *p, struct ir *ir, const char *tracepoint);

/* late.c: reserves rows for probes of files that are mapped later; and, of a program for them, what
 * distinguishes them without cookies. */
void plan_late(struct plan *p);
void plan_late_program(struct plan *p, struct program *pl);

/* follow.c: -x follow. Which probes it is for; its programs. */
void plan_follow(struct plan *p);
void plan_follow_support(struct plan *p);

#endif
