/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Libraries that a command loads while it runs (dlopen()) are attached to before they run: the
 * dynamic linker calls _dl_debug_state() for debuggers when it has mapped them, and a program of
 * ours stops the command there (SIGSTOP) until dtrace has looked at what was mapped.
 */
#ifndef DT_DLSTOP_H
#define DT_DLSTOP_H

#include <stdbool.h>
#include <sys/types.h>

#include "bpf/feat.h"

struct dlstop;
struct foreign;

/* A process of ours that has its dynamic linker mapped. NULL with -errno in *err where it is not
 * or the kernel does not let us. */
struct dlstop *dlstop_new(struct foreign *f, pid_t pid, struct feats *feats, int *err);
/* Has it been stopped since the last call? Then dlstop_go() must follow. */
bool dlstop_caught(struct dlstop *d);
void dlstop_go(struct dlstop *d);
/* Lets the process go on when it is stopped. */
void dlstop_free(struct dlstop *d);

#endif
