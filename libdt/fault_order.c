/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of ERROR probes, in the order of the firing.
 *
 * A fault is a record, and ERROR fires when the consumer meets it. By then the ring has the records
 * of later clauses of the same firing, and ERROR's come after these, although the fault came first.
 * So what lies in the ring between the two is kept here until ERROR's records have been printed. It
 * may have further faults, so that a record waits for several of them, but is copied only once.
 *
 * Records that are sorted by time need no such place: ERROR's get the time of the fault, and the
 * consumer prints nothing after a fault before they have been read (consume_drain_end()).
 */
#include <stdlib.h>
#include <string.h>

#include "bpf/ring.h"
#include "libdt/consumer/consume.h"
#include "libdt/engine/unwind.h"
#include "libdt/fault_order.h"
#include "libdt/session.h"

struct fault_order {
	unsigned long until; /* ERROR's records are before this place of the ring */
	uint64_t time;	     /* of the fault */
	struct strbuf kept;  /* records, each after its size */
	size_t first;	     /* the next one of them to be printed */
};

static bool is_of_error(const struct dt *dt, const struct rec_header *h, size_t size)
{
	return size >= sizeof(*h) &&
	       (h->clause == REC_ERROR || h->clause < (unsigned)dt->set->schema.layouts.n) &&
	       consume_is_error(dt->consume, h->probe);
}

/* One of ERROR's, which is as old as the fault. */
static int take_own(struct dt *dt, const void *data, size_t size)
{
	struct rec_header *own;
	int rc;

	if (!dt->consume->temporal)
		return consume_record(dt->consume, data, size);
	own = xmalloc(size);
	memcpy(own, data, size);
	own->time = dt->fault_order->time;
	rc = consume_record(dt->consume, own, size);
	free(own);
	return rc;
}

static void keep(struct fault_order *o, const void *data, size_t size)
{
	static const char zeroes[8];

	sb_add(&o->kept, &size, sizeof(size));
	sb_add(&o->kept, data, size);
	sb_add(&o->kept, zeroes, ALIGN_UP(size, 8) - size);
}

int fault_order_record(void *arg, const void *data, size_t size)
{
	struct dt *dt = arg;
	struct fault_order *o = dt->fault_order;
	bool waits = o && ring_consumed(dt->ring) < o->until;

	if (waits && is_of_error(dt, data, size))
		return take_own(dt, data, size);
	if (!o || dt->consume->temporal || (!waits && o->first == o->kept.len))
		return consume_record(dt->consume, data, size);
	keep(o, data, size);
	return 0;
}

int fault_order_release(struct dt *dt, bool all)
{
	struct fault_order *o = dt->fault_order;
	int n = 0, rc = 0;

	while (o && o->first < o->kept.len && rc >= 0 &&
	       (all || ring_consumed(dt->ring) >= o->until)) {
		const char *at = o->kept.s + o->first;
		size_t size;

		memcpy(&size, at, sizeof(size));
		o->first += sizeof(size) + ALIGN_UP(size, 8);
		rc = consume_record(dt->consume, at + sizeof(size), size);
		n++;
	}
	if (o && o->first == o->kept.len)
		o->first = o->kept.len = 0;
	return rc < 0 ? rc : n;
}

/* Programs may fill the ring faster than faults are processed: at that many bytes the order of
 * ERROR's records is given up, and the ring drops what it cannot hold. */
static bool is_full(const struct dt *dt, const struct fault_order *o)
{
	return o->kept.len >= ring_size(dt->ring);
}

void fault_order_fired(struct dt *dt, uint64_t time)
{
	if (!dt->ring)
		return;
	if (!dt->fault_order)
		dt->fault_order = xcalloc(1, sizeof(*dt->fault_order));
	dt->fault_order->time = time;
	if (!is_full(dt, dt->fault_order))
		dt->fault_order->until = ring_produced(dt->ring);
}

void fault_order_free(struct dt *dt)
{
	if (dt->fault_order)
		sb_free(&dt->fault_order->kept);
	free(dt->fault_order);
}
