/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that reads what may be anybody's, by means that trust it, lives apart: without rights, and not for ever. */
#ifndef DT_SANDBOX_H
#define DT_SANDBOX_H

#include <stdint.h>

/*
 * In the process: it reads and prints nothing, ^C and ^\ do not end it (they are for dtrace), other signals do as by default, and of its
 * files, beyond the first three, these two stay open.
 */
void sandbox_quiet(int a, int b);
/* In the process: it goes when its parent does, is nobody if it was root, is in /, dumps no core, has so many seconds of CPU and writes files
   up to so many bytes. 0 seconds: no limit. 0 or -errno. */
int sandbox_enter(int cpu_seconds, long long file_max);
/* In the process: it may take so many more bytes of address space. */
void sandbox_limit(uint64_t more);

#endif
