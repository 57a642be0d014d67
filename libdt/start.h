/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of tracing, and what follows it later. */
#ifndef DT_START_H
#define DT_START_H

#include <stdbool.h>

struct dt;

/* Makes the unwinding tables of processes that were met, while no records come; true: some are
 * left. */
bool start_make_tables(struct dt *dt);
/* With -x srclines: the consumer has source lines. */
void start_srclines(struct dt *dt);

#endif
