/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that fail, and what a compilation reports. */
#ifndef DT_REPORT_H
#define DT_REPORT_H

#include "libdt/base/mem.h"

struct dt;

/* A call fails: sets the message of dt_error() and sends it. Returns -1. */
int report_error(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same from the diagnostic that ended a compilation. */
void report_caught(struct dt *dt);
/* Reports the compiler's new warnings as messages, too. */
void report_warnings(struct dt *dt);

#endif
