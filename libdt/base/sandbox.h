/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A separate process without privileges and with limited run time, for libraries that parse
 * untrusted files but trust their input. */
#ifndef DT_SANDBOX_H
#define DT_SANDBOX_H

#include <stdint.h>

/*
 * In the process: it reads and prints nothing, ^C and ^\ do not end it (they are for dtrace),
 * other signals do as by default, and of its files, beyond the first three, these two stay open.
 */
void sandbox_quiet(int a, int b);
/* In the process: makes it end with its parent, drops root's user and group, changes to /, disables
 * core dumps, and limits CPU seconds and the size of written files. 0 seconds: no limit. 0 or
 * -errno. */
int sandbox_enter(int cpu_seconds, long long file_max);
/* In the process: it may take so many more bytes of address space. */
void sandbox_limit(uint64_t more);

#endif
