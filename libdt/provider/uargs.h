/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the arguments of a program's function are, by its type: which of arg0, arg1, ... each
 * is. */
#ifndef DT_UARGS_H
#define DT_UARGS_H

#include "libdt/provider/probe.h"

/* Those at entry, and what args[] of a return has; into the arena. machine: EM_*. Return how
 * many. */
int uargs_entry(struct types *types, struct arena *a, int machine, const struct kernel_func *f,
		const struct probe_arg **out);
int uargs_return(struct types *types, struct arena *a, const struct kernel_func *f,
		 const struct probe_arg **out);

#endif
