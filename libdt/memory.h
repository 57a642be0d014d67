/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -x maxmem: a limit on the memory of a session. */
#ifndef DT_MEMORY_H
#define DT_MEMORY_H

struct dt;

/* Before maps are created: refuses a session that needs more, and divides what is left among that
 * which grows. Nothing without the option. 0 or -1. */
int memory_start(struct dt *dt);
/* For a message: what the maps of aggregations need ("16.5m"). */
const char *memory_of_aggregations(struct dt *dt);

#endif
