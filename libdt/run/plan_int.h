/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the plan. */
#ifndef DT_PLAN_INT_H
#define DT_PLAN_INT_H

#include "libdt/run/plan.h"

/* choose.c: which probes are enabled, by which clauses; which programs with which hooks that
 * makes. */
void plan_enable(struct plan *p);
void plan_choose(struct plan *p);

/* Is the probe on a function of the kernel; on code of a program? */
bool plan_is_function(const struct probe *probe);
bool plan_is_user(const struct probe *probe);

/* support.c: programs of our own that variables need (threads that end, time on CPU). */
void plan_support(struct plan *p);
struct planned *plan_support_new(struct plan *p, struct ir *ir, const char *tracepoint);

/* late.c: reserves rows for probes of files that are mapped later; and, of a program for them, what
 * distinguishes them without cookies. */
void plan_late(struct plan *p);
void plan_late_program(struct plan *p, struct planned *pl);
/* plan.c: puts the names of a probe into its row. False: the table is full. */
bool plan_name(struct plan *p, const struct probe *probe);
/* attach.c: attaches a program that runs for the probes from the n-th given on. errors: of each,
 * 0 or -errno. 0, or -errno of all. */
int plan_attach_more(struct plan *p, struct planned *pl, int first, int *errors);

/* follow.c: -x follow. Which probes it is for; its programs; and, when maps are there, the first
 * processes. */
void plan_follow(struct plan *p);
void plan_follow_support(struct plan *p);
int plan_follow_begin(struct plan *p);
/* The process whose probes fire in this one: a followed one's, or itself. */
pid_t plan_followed(struct plan *p, pid_t pid);

#endif
