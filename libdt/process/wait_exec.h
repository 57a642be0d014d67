/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The next process of a name, caught when it starts (-W). */
#ifndef DT_WAIT_EXEC_H
#define DT_WAIT_EXEC_H

#include <sys/types.h>

struct wait_exec;
struct feats;
struct strbuf;

/* What is wrong with a name, a sentence; NULL: nothing. */
const char *wait_exec_refuses(const char *name);
/* From here on the process does not get away. NULL: *err is -errno, and why has what the verifier
 * says. */
struct wait_exec *wait_exec_new(const char *name, struct feats *feats, int *err,
				struct strbuf *why);
/*
 * Sleeps until a process of that name has executed its program: its pid; it stands still, by
 * SIGSTOP, before its first instruction. 0: a signal came.
 */
pid_t wait_exec_next(struct wait_exec *aw);
/* The process that it returned is not wanted: waits for another one from here on. */
void wait_exec_again(struct wait_exec *aw);
/* Resumes a process that was caught and not yet returned by wait_exec_next(). */
void wait_exec_free(struct wait_exec *aw);

#endif
