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

struct jits *jits_new(struct foreign *foreign);
void jits_free(struct jits *js);
/* A process is there: its file is known to be its own when it has ended. */
void jits_see(struct jits *js, pid_t pid);
/* The function of a process that an address is in, and how far into it. The name is valid until
 * the next call. */
bool jits_find(struct jits *js, pid_t pid, uint64_t addr, const char **name, uint64_t *off);

#endif
