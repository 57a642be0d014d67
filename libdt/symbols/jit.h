/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of just-in-time compilers, from /tmp/perf-PID.map: "7f12ab340000 1c0 name of the
 * function", a line for each, to which the process adds while it runs. Of several at an address the
 * last one counts. The files are untrusted.
 */
#ifndef DT_JIT_H
#define DT_JIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct jits;
struct foreign;
struct image_history;

/* images: which process has a number when; NULL: it does not change. */
struct jits *jits_new(struct foreign *foreign, struct image_history *images);
void jits_free(struct jits *js);
/* A process is there: its file is known to be its own when it has ended. */
void jits_see(struct jits *js, pid_t pid);
/* It has executed a program, at that time, of which images know already. */
void jits_exec(struct jits *js, pid_t pid, uint64_t time);
/*
 * The function of a process that an address is in, and how far into it. time: when it was met, as
 * for image_history_find(), whose answers may not be used after this. The name is valid until the
 * next call.
 */
bool jits_find(struct jits *js, pid_t pid, uint64_t addr, uint64_t time, const char **name,
	       uint64_t *off);

#endif
