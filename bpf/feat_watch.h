/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe of FEAT_WATCHPOINT, for feat.c. */
#ifndef DT_FEAT_WATCH_H
#define DT_FEAT_WATCH_H

#include <stdbool.h>

/* Makes an access that is watched, with a program of perf events attached. True: it is made and
 * counted. Also true where all watchpoints are taken (ENOSPC): then the CPU has some. */
bool feat_watch(int prog);

#endif
