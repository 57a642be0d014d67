/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables by which programs in the kernel go through the stacks of processes whose code keeps
 * no frame pointers (bpf/rt_unwind.c), made of the call frame information of the files that a
 * process has mapped. A file's rows are made once and stay; a process's mappings are looked at
 * when it becomes known, and again when a stack went through code that was not among them. One
 * that executes another file is forgotten, and becomes known anew (plan/support.c).
 */
#ifndef DT_UNWIND_H
#define DT_UNWIND_H

#include <sys/types.h>

#include "libdt/image/program.h"

struct diag;
struct foreign;
struct unwinder;

/* diag: gets warnings. All must live as long as the result. */
struct unwinder *unwind_new(struct program_set *set, struct foreign *foreign, struct diag *diag);
void unwind_free(struct unwinder *u);
/* Looks at a process, if the programs that are loaded need it. number: the kernel's for it
 * (process/pidns.h). */
void unwind_see(struct unwinder *u, pid_t pid, pid_t number);
/* The same later: unwind_see_next() looks at the process that waits longest, if one does, and
 * returns how many are left. */
void unwind_see_later(struct unwinder *u, pid_t pid, pid_t number);
int unwind_see_next(struct unwinder *u);

#endif
