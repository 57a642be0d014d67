/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Losses. */
#ifndef DT_DROPS_H
#define DT_DROPS_H

#include "libdt/dt.h"

struct dt;

/* Losses that were reported. */
struct lost {
	uint64_t total, of[DT_DROP_COUNT];
	uint64_t misses; /* firings that the kernel left out, not reported yet */
};

/* Reports what programs have dropped since the last call. */
void drops_report(struct dt *dt);
/* Reports totals that left 64 bits. */
void drops_report_wrapped(struct dt *dt);

#endif
