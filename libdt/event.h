/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records and aggregations as the API hands them out. All memory is an arena's. */
#ifndef DT_EVENT_H
#define DT_EVENT_H

#include "libdt/base/src.h"
#include "libdt/dt.h"

struct aggr;
struct arena;
struct value;

/* event.c. Before records are read: they go to the receiver of dt_on_event(), if there is one. 0,
 * or -1 with a message. */
int event_start(struct dt *dt);
void event_free(struct dt *dt);

/* event_value.c. name: its expression's text, or NULL. */
struct dt_value *event_value(struct dt *dt, struct arena *a, const struct value *v,
			     const char *name);
/* The text of an expression; NULL for nowhere. */
const char *event_name(struct arena *a, struct loc loc);

/* event_aggr.c. The rows that one printa() of these aggregations prints, *n of them. */
const struct dt_row *const *event_rows(struct dt *dt, struct arena *a, struct aggr *const *ags,
				       int nags, int *n);

#endif
