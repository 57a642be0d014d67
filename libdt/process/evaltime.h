/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a command runs before its probes are there (-x evaltime). At its exec only the dynamic
 * linker and the program are mapped; its libraries, whose functions and static probes a script
 * names, come later.
 */
#ifndef DT_EVALTIME_H
#define DT_EVALTIME_H

#include <stdint.h>
#include <stdbool.h>
#include <sys/types.h>

struct foreign;

enum stage {
	STAGE_EXEC,	/* the first instruction of the image */
	STAGE_PREINIT,	/* libraries are mapped, nothing of theirs has run */
	STAGE_POSTINIT, /* their initialisers have run: the program's entry */
	STAGE_MAIN,	/* main(); as POSTINIT where its address is unknown */
};

/* Of a command of the user's own: it takes as long as it takes. */
enum { EVALTIME_NO_LIMIT = -1 };
/*
 * Resumes a command that ptrace stopped at STAGE_EXEC until a stage, where it is stopped again.
 * Returns 0; 1 when it ended before, with its status (as of waitpid) in *status; or -errno, when it
 * is where it was or gone. limit_ns: how long it may take, or EVALTIME_NO_LIMIT; then
 * -ETIMEDOUT, and it is stopped where it is, unless it waits for something in the kernel that does
 * not come. With a limit it stays at STAGE_EXEC, and -EREMOTE is returned, when its code is on a
 * file system that a user serves (FUSE), which may never answer. foreign reads its files. Must be
 * called by the tracing thread.
 */
int evaltime_reach(pid_t pid, enum stage stage, struct foreign *f, int64_t limit_ns, int *status);
/* As waitpid(), but until a time of the monotonic clock (ns): 0, or -errno, then -ETIMEDOUT. */
int evaltime_wait(pid_t pid, int *status, int64_t until);
/*
 * Has a command that ptrace holds at STAGE_EXEC execute its file again, with these words, when it
 * goes on: what is traced by then sees an exec that nothing could see the first time. 0, or
 * -errno, and it goes on from where it is: one of 32 bits, or with more words than fit.
 */
int evaltime_exec(pid_t pid, char *const *words);
/* The same, and it is held again where the new image begins; as evaltime_reach(). */
int evaltime_exec_held(pid_t pid, char *const *words, int *status);
/* Where the dynamic linker of a process reports that its list of libraries has changed. */
struct linker {
	char *path; /* of its file, to be freed */
	uint64_t dev, inode;
	bool foreign;
	uint64_t off;	/* of the function in the file */
	uint64_t state; /* address of the list's */
};
/* False: it has none, or that is unknown. */
bool evaltime_linker(struct foreign *f, pid_t pid, struct linker *l);

#endif
