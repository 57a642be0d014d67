/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The next process of a name, caught when it starts (-W). */
#ifndef DT_AWAIT_H
#define DT_AWAIT_H

#include <sys/types.h>

struct await;
struct feats;
struct strbuf;

/* What is wrong with a name, a sentence; NULL: nothing. */
const char *await_refuses(const char *name);
/* From here on the process does not get away. NULL: *err is -errno, and why has what the verifier says. */
struct await *await_new(const char *name, struct feats *feats, int *err, struct strbuf *why);
/*
 * Sleeps until a process of that name has executed its program: its pid; it stands still, by SIGSTOP, before its first instruction.
 * 0: a signal came.
 */
pid_t await_next(struct await *aw);
/* A process that was caught and that await_next() has not told goes on. */
void await_free(struct await *aw);

#endif
