/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A separate process without privileges and with limited run time, for libraries that parse
 * untrusted files but trust their input. */
#ifndef DT_SANDBOX_H
#define DT_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * In the process: it reads and prints nothing, ^C and ^\ do not end it (they are for dtrace),
 * other signals do as by default, and of its files, beyond the first three, these two stay open.
 */
void sandbox_quiet(int a, int b);
/* In the process: a program that it executes has none of the descriptors from this one on, such as
 * those that root's shell had open. */
void sandbox_close_on_exec(int from);
/* In the process: makes it end with its parent, drops root's user and group, changes to /, disables
 * core dumps, and limits CPU seconds and the size of written files. 0 seconds: no limit. 0 or
 * -errno. */
int sandbox_enter(int cpu_seconds, long long file_max);
/* In the process: lowers a limit of its memory (RLIMIT_AS, RLIMIT_DATA) to so many bytes. Without
 * effect in a build with AddressSanitizer. */
void sandbox_memory(int resource, uint64_t most);
/* In the process: it may take so many more bytes of address space. */
void sandbox_limit(uint64_t more);
/*
 * In the process: from now on the kernel refuses system calls, by EPERM, except those that use
 * memory and open files, receive and send on them, make memory files, and, with opens, open files
 * for reading. To be called after sandbox_enter(). Without effect where the kernel has no filters
 * or the machine is unknown.
 */
void sandbox_filter(bool opens);
/* In the parent: kills the process and waits for its end, but not for long: one that hangs in a
 * file system ends when that responds. */
void sandbox_end(pid_t pid);
/* In the parent: does it run, or want to, instead of waiting for something? */
bool sandbox_is_running(pid_t pid);
/* In the parent: on a busy machine processes may not have had the CPU time (ns) that they may take,
 * though they want it and are late. *since: 0 when it is asked first. */
bool sandbox_is_starved(const pid_t *pids, int n, uint64_t *since, uint64_t ns);
/*
 * In the parent: how long an answer is waited for: until that time (ns of CLOCK_MONOTONIC), and, on
 * a busy machine, up to ten times as long while the process has not had ns of CPU time since cpu
 * (0: since it is asked first). pid 0: the process is not known.
 */
struct patience {
	uint64_t until, last, ns, cpu;
	pid_t pid;
};
struct patience sandbox_patience(pid_t pid, uint64_t ns);
/* It is time: is it to be waited for longer, until another time? */
bool sandbox_extend(struct patience *p);

#endif
