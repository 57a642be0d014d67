/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of records around ERROR, which fires later than the fault. */
#ifndef DT_FAULT_ORDER_H
#define DT_FAULT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt;

/* One record, for ring_drain(): it is printed now, or after those of ERROR. */
int fault_order_record(void *dt, const void *data, size_t size);
/* Prints what waited for records that have been read, or all. How many, or -errno. */
int fault_order_release(struct dt *dt, bool all);
/* ERROR has fired for a fault of this time (ns). */
void fault_order_fired(struct dt *dt, uint64_t time);
void fault_order_free(struct dt *dt);

#endif
