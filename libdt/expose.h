/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations as metrics while tracing goes on: to a file that is replaced (dt_metrics_file()),
 * to clients (-x listen), or once at the end. */
#ifndef DT_EXPOSE_H
#define DT_EXPOSE_H

#include <poll.h>
#include <stdint.h>
#include <stdio.h>

struct dt;
struct expose;

/* Checks what the options and pragmas say, when all programs are compiled. 0 or -1. */
int expose_check(struct dt *dt);
/* Begins: listens, writes the file for the first time. 0 or -1. */
int expose_start(struct dt *dt);
/* Serves clients, and replaces the file when that is due: not later than at *next. */
void expose_work(struct dt *dt, uint64_t *next);
int expose_fds(struct dt *dt, struct pollfd *fds, int max);
/* Tracing has ended: the last page goes to the file, or to out if neither a file nor clients had
 * it. Clients are not served any longer. 0 or -errno of out. */
int expose_end(struct dt *dt, FILE *out);
void expose_free(struct dt *dt);
/* Counts a fault. */
void expose_fault(struct dt *dt, int fault);

#endif
