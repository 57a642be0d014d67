/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of a session: commands started for it (-c), and running ones it watches (-p). */
#ifndef DT_PROC_H
#define DT_PROC_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "libdt/process/evaltime.h"

struct procs;
struct strbuf;

struct procs *procs_new(void);
/* Ends commands that have not ended (SIGKILL), unless they are to be kept; processes of others
 * stay. */
void procs_free(struct procs *ps);
/* Commands go on when their session ends. */
void proc_keep(struct procs *ps);

/* Changes to the environment of commands: name=value and names, with newlines between them; NULL:
 * none. Not copied. */
void proc_environment(struct procs *ps, const char *set, const char *unset);
/*
 * Starts a command, held at the first instruction of its new image until proc_go(). The line is
 * split by proc_split() and the program looked for along PATH: there is no shell. Its pid, or
 * -errno and a sentence in why. The thread that calls this must call proc_go() too (ptrace).
 */
pid_t proc_run(struct procs *ps, const char *command, struct strbuf *why);
/* Watches a running process; it is neither stopped nor traced. 0, or -errno and a sentence in
 * why. */
int proc_grab(struct procs *ps, pid_t pid, struct strbuf *why);
/*
 * Takes over a process that wait_exec_next() has stopped: held as a command is, until proc_go(),
 * but it stays when we end. 0, or -errno and a sentence in why, and it goes on.
 */
int proc_take(struct procs *ps, pid_t pid, struct strbuf *why);
/* Lets commands that are held run up to a stage of their start, where they are held again; once
 * for each. By the same thread. */
void proc_reach(struct procs *ps, enum stage stage, struct foreign *foreign);
/*
 * Those that are held at STAGE_EXEC are executed anew, as by proc_go(), and are held again at the
 * next stage: their libraries are mapped.
 */
void proc_advance(struct procs *ps, struct foreign *foreign);
/* Lets the commands go, from the stage that they were taken to; STAGE_EXEC: they are executed
 * anew, so that probes see that, too. */
void proc_go(struct procs *ps, enum stage stage);
/* What tracing may have to do with it when a command aborts: a text that follows the line which
 * says so. */
void proc_suspect(struct procs *ps, const char *why);
/*
 * Counts the processes that have ended since the last call, without waiting. Adds a line for each
 * to news ("pid 12 has exited"), which may be NULL.
 */
int proc_poll(struct procs *ps, struct strbuf *news);
/* The status of the command that ended last: 0 to 255, 128 and a signal's number; 0: none has. */
int proc_status(const struct procs *ps);
/* There are some, and all have ended. */
bool proc_all_done(const struct procs *ps);
/* The n-th one's pid; 0: there are fewer. */
pid_t proc_nth(const struct procs *ps, int n);
/* The same of those that we have started and that run. */
pid_t proc_command(const struct procs *ps, int n);
/* The first one's pid: $target. 0 when there is none. */
pid_t proc_target(const struct procs *ps);
/*
 * Fills fds, at most max, with what becomes readable when a process ends. *timeout_ms is lowered
 * when there are processes that can only be looked at from time to time (-1: no limit yet).
 */
int proc_fds(const struct procs *ps, struct pollfd *fds, int max, int *timeout_ms);

/*
 * Words of a command line, NULL-terminated, to be freed as one block; NULL when a quote is not
 * closed. Blanks separate; '...' is literal; within "..." a backslash escapes " and \; outside it
 * escapes anything.
 */
char **proc_split(const char *line);

#endif
