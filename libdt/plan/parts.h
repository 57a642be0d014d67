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
/* May tables have more than they begin with? Those whose size was asked for keep it, and so do
 * those which readers of their own empty. */
bool plan_memory_grows(const struct plan *p, enum opt size);
/* Elements of each of so many maps that take memory as elements come. Making many lists takes time;
 * and all together keep to the least limit, even if each element takes twice its size. */
uint32_t plan_on_demand_entries(uint64_t maps, uint64_t elem);
/* The maps that a program may name, if it names both maps of each aggregation. A dozen are ours. */
int plan_maps_named(const struct plan *p);
enum { MAPS_OF_A_PROGRAM = 64 }; /* the kernel takes no more */
/* When it is known what writes to the ring: makes it smaller where that is seldom. */
void plan_fit_ring(struct plan *p);

/* arrays.c: describes the maps of associative arrays and returns the size of their largest element;
 * gives them words of the globals' memory from off on, and returns where these end; and, when all
 * programs are made, determines which take memory as elements come. */
uint32_t plan_describe_arrays(struct plan *p);
uint32_t plan_place_arrays(struct plan *p, uint32_t off);
void plan_fit_arrays(struct plan *p);

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
