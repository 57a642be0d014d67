/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process whose first thread has ended while others run (pthread_exit() in main()): under its own
 * number /proc shows no mappings, program, root or namespaces, so that it could hide from tracing.
 * Under the number of a thread that runs it does.
 */
#ifndef DT_TASK_H
#define DT_TASK_H

#include <stdbool.h>
#include <sys/types.h>

/* The number under which /proc shows what a process has: pid itself, a thread's when the first one
 * has ended; pid when there is none. 0 stays 0. */
pid_t task_shown(pid_t pid);
/* Has a thread ended? Also of one that is waited for. */
bool task_has_ended(pid_t tid);

#endif
