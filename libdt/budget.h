/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -x maxcpu: a limit on the CPU time of tracing. The functions do nothing without the option. */
#ifndef DT_BUDGET_H
#define DT_BUDGET_H

#include <stdint.h>

struct dt;

/* Before programs run: has the kernel count their time. 0 or -1. */
int budget_start(struct dt *dt);
/* Measures and decides when it is time for that; lowers *next to when it is again. */
void budget_work(struct dt *dt, uint64_t now, uint64_t *next);
/* When tracing has ended, before aggregations are printed: reports which of them are estimates. */
void budget_end(struct dt *dt);
void budget_free(struct dt *dt);

#endif
