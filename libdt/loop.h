/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session does while it traces. */
#ifndef DT_LOOP_H
#define DT_LOOP_H

#include <stdio.h>

struct dt;

/* What changes outside of the programs and they read: the time of day, and what is going on. */
void dt_set_clocks(struct dt *dt);
/* Prints what the ring has. As ring_drain(). */
int dt_drain_all(struct dt *dt, FILE *out);

#endif
