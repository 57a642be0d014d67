/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes and symbols of files that processes map, and of processes that end, during tracing. */
#ifndef DT_LATE_ATTACH_H
#define DT_LATE_ATTACH_H

#include <stdbool.h>

struct dt;

/* Before probes fire: begins to record mmap events, for files that are mapped during
 * tracing, and for processes that have exited when their addresses are symbolised. */
void late_attach_watch(struct dt *dt);
/* What came since the descriptions were looked at; what has come since the last call. */
void late_attach_find(struct dt *dt);
void late_attach_run(struct dt *dt);
/* What becomes readable when it has something to do; -1: nothing. */
int late_attach_fd(const struct dt *dt);
/* Do commands wait for late_attach_run() when they load libraries? */
bool late_attach_stops(const struct dt *dt);
/* At the end of tracing: counts the files that were not reported. */
void late_attach_end(struct dt *dt);
void late_attach_free(struct dt *dt);

#endif
