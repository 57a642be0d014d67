/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ends the process of a caller: no memory, or a table of the library's own that is wrong. It
 * is the one thing that the library writes to the standard error. */
#ifndef DT_FATAL_H
#define DT_FATAL_H

#include "libdt/base/mem.h"

_Noreturn void fatal(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
