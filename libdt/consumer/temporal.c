/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring has records in the order in which they were reserved. A program reads the clock after
 * it has reserved its record, so that a record may be stamped later than one after it, which
 * another CPU reserved meanwhile.
 *
 * When is the order of a record final? Let the ring's end be E at the time T. What is reserved
 * after E is stamped after T. So once all records before E have been read, all that are earlier
 * than T are known, and can be printed in order. This needs no guess how long a program may take:
 * a record that is not finished holds the reader back.
 *
 * The exception is a clock that was read before the record was reserved (in the predicate, or by
 * an earlier clause of the firing: timestamp is the same in all of them). For scripts that have
 * such records the time is T less TEMPORAL_EARLY_NS. Else it is less TEMPORAL_SLACK_NS, as
 * programs read a clock that differs slightly from clock_gettime(2).
 *
 * Records are nearly sorted: each is inserted from the end on. Their bytes are in chunks, freed
 * when the last record of one is printed.
 */
#include "libdt/consumer/temporal.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"

enum { CHUNK = 65536, SPARE_MAX = 64 };

struct chunk {
	struct chunk *next; /* of the spare ones */
	size_t used, size;
	uint32_t live;	 /* records that wait */
	uint64_t data[]; /* aligned as records are */
};

struct waiting {
	uint64_t time;
	struct chunk *chunk;
	uint32_t off, size;
};

struct temporal {
	VEC(struct waiting) v; /* from first on, by time */
	int first;
	struct chunk *last; /* the one that takes records; NULL: none yet */
	/* a list, of at most SPARE_MAX: memory that goes back to the system is faulted in
	 * again */
	struct chunk *spare;
	int nspare;
	uint64_t slack, horizon; /* all that are earlier than horizon are known */
	uint64_t mark_time;	 /* 0: there is no mark */
	unsigned long mark;
};

struct temporal *temporal_new(bool early)
{
	struct temporal *t = xcalloc(1, sizeof(*t));

	t->slack = early ? TEMPORAL_EARLY_NS : TEMPORAL_SLACK_NS;
	return t;
}

static void chunk_free(struct temporal *t, struct chunk *c)
{
	if (t->last == c)
		t->last = NULL;
	if (t->nspare == SPARE_MAX || c->size != CHUNK) {
		free(c);
		return;
	}
	c->used = 0;
	c->next = t->spare;
	t->spare = c;
	t->nspare++;
}

static void chunk_release(struct temporal *t, struct chunk *c)
{
	if (--c->live)
		return;
	if (c == t->last)
		c->used = 0;
	else
		chunk_free(t, c);
}

void temporal_free(struct temporal *t)
{
	if (!t)
		return;
	for (; t->first < t->v.n; t->first++)
		chunk_release(t, t->v.v[t->first].chunk);
	if (t->last)
		chunk_free(t, t->last);
	for (struct chunk *c = t->spare, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	vec_free(&t->v);
	free(t);
}

static struct chunk *chunk_for(struct temporal *t, size_t size)
{
	struct chunk *c = t->last;

	if (c && c->size - c->used >= size)
		return c;
	if (c && !c->live)
		chunk_free(t, c);
	c = t->spare;
	if (c && size <= CHUNK) {
		t->spare = c->next;
		t->nspare--;
	} else {
		c = xmalloc(sizeof(*c) + MAX(size, (size_t)CHUNK));
		c->size = MAX(size, (size_t)CHUNK);
		c->used = c->live = 0;
	}
	return t->last = c;
}

/* Where a record of this time belongs: after all that are not later. */
static int place(const struct temporal *t, uint64_t time)
{
	int low = t->first, high = t->v.n;

	if (high == low || t->v.v[high - 1].time <= time)
		return high;
	while (low < high) {
		int mid = low + (high - low) / 2;

		if (t->v.v[mid].time <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void temporal_take(struct temporal *t, uint64_t time, const void *data, size_t size)
{
	struct chunk *c = chunk_for(t, ALIGN_UP(size, 8));
	struct waiting w = {time, c, c->used, size};
	int at = place(t, time);

	memcpy((uint8_t *)c->data + c->used, data, size);
	c->used += ALIGN_UP(size, 8);
	c->live++;
	vec_push(&t->v, w);
	if (at < t->v.n - 1) {
		memmove(&t->v.v[at + 1], &t->v.v[at], (t->v.n - 1 - at) * sizeof(w));
		t->v.v[at] = w;
	}
}

void temporal_mark(struct temporal *t, uint64_t now, unsigned long produced)
{
	if (t->mark_time)
		return;
	t->mark_time = now;
	t->mark = produced;
}

void temporal_reached(struct temporal *t, unsigned long consumed)
{
	if (!t->mark_time || consumed < t->mark)
		return;
	t->horizon = t->mark_time - MIN(t->slack, t->mark_time);
	t->mark_time = 0;
}

int temporal_flush(struct temporal *t, bool all,
		   int (*print)(void *arg, const void *data, size_t size), void *arg)
{
	int rc = 0;

	while (!rc && t->first < t->v.n) {
		struct waiting w = t->v.v[t->first];

		if (!all && w.time > t->horizon)
			break;
		t->first++;
		rc = print(arg, (uint8_t *)w.chunk->data + w.off, w.size);
		chunk_release(t, w.chunk);
	}
	if (t->first > t->v.n / 2) {
		t->v.n -= t->first;
		memmove(t->v.v, t->v.v + t->first, t->v.n * sizeof(*t->v.v));
		t->first = 0;
	}
	return rc;
}

void temporal_each(const struct temporal *t, void (*fn)(void *arg, const void *data, size_t size),
		   void *arg)
{
	for (int i = t->first; i < t->v.n; i++)
		fn(arg, (const uint8_t *)t->v.v[i].chunk->data + t->v.v[i].off, t->v.v[i].size);
}

uint64_t temporal_due(const struct temporal *t)
{
	return t->first < t->v.n ? t->v.v[t->first].time + t->slack : 0;
}
