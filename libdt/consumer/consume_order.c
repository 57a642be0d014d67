/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a record is printed: at once, when its turn in the order of time has come, when its
 * speculation is committed, or when tracing ends (-x bufpolicy). What it prints is in consume.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/bufpolicy.h"
#include "libdt/consumer/consume.h"
#include "libdt/consumer/recorder.h"
#include "libdt/consumer/spec.h"
#include "libdt/consumer/temporal.h"
#include "libdt/symbols/usym.h"

/* What is reported to programs while records wait: a record as they are, which never was in the
 * ring. */
struct report {
	struct rec_header h;
	const char *tag; /* consume_report()'s */
	uint64_t n;
	int cpu;
	char message[];
};

static int write_report(struct consume *c, const struct report *r)
{
	static const char *const others[] = {REPORT_FAILURE, REPORT_NOTE, REPORT_PROCESS,
					     REPORT_WARNING};

	for (unsigned i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(r->tag, others[i])) {
			consume_write_note(c, r->h.time, r->tag, r->message);
			return 0;
		}
	consume_write_drop(c, r->h.time, r->tag, r->n, r->cpu, r->message);
	return 0;
}

void consume_report(struct consume *c, uint64_t time, const char *tag, uint64_t n, int cpu,
		    const char *message)
{
	size_t size = sizeof(struct report) + strlen(message) + 1;
	struct report *r;

	if (c->recorder)
		recorder_report(c->recorder, time, tag, n, cpu, message);
	if (!consume_writes(c))
		return;
	r = xcalloc(1, size);
	r->h = (struct rec_header){.clause = REC_REPORT, .time = time};
	r->tag = tag;
	r->n = n;
	r->cpu = cpu;
	strcpy(r->message, message);
	if (c->temporal)
		temporal_take(c->temporal, r->h.time, r, size);
	else
		write_report(c, r);
	free(r);
}

static void error_record(struct consume *c, const struct rec_header *h)
{
	if (c->on_error)
		c->on_error(c->on_error_arg, h, (const struct rec_error *)(h + 1));
}

static int find_error(const struct schema *s)
{
	for (int i = 0; i < s->probes.n; i++)
		if (!strcmp(s->probes.v[i]->name, "ERROR") &&
		    !strcmp(s->probes.v[i]->prov, "dtrace"))
			return i + 1;
	return -1;
}

bool consume_fires_error(struct consume *c)
{
	if (!c->error_probe)
		c->error_probe = find_error(c->schema);
	return c->error_probe > 0;
}

bool consume_is_error(struct consume *c, uint32_t probe)
{
	return consume_fires_error(c) && probe + 1 == (uint32_t)c->error_probe;
}

/* A record whose turn has come: it is printed now, or at the end. 1: ERROR has fired. */
static int emit(void *arg, const void *data, size_t size)
{
	struct consume *c = arg;
	const struct rec_header *h = data;

	if (h->clause == REC_ERROR) {
		consume_print_waiting(c);
		error_record(c, h);
		return c->error ?: c->temporal && consume_fires_error(c);
	}
	if (h->clause == REC_REPORT)
		return write_report(c, data);
	if (!c->hold)
		return consume_print_record(c, data, size);
	bufpolicy_take(c->hold, data, size);
	return c->error;
}

/* A record that is to be printed: now, or when its turn in the order of time has come. */
static int deliver(struct consume *c, uint64_t time, const void *data, size_t size)
{
	if (!c->temporal)
		return emit(c, data, size);
	temporal_take(c->temporal, time, data, size);
	return c->error;
}

void consume_ordered(struct consume *c, bool early)
{
	c->temporal = temporal_new(early);
}

void consume_drain_begin(struct consume *c, uint64_t now, unsigned long produced)
{
	if (!c->temporal)
		return;
	if (c->recorder)
		recorder_drain_begin(c->recorder, now, produced);
	temporal_mark(c->temporal, now, produced);
}

int consume_drain_end(struct consume *c, unsigned long consumed)
{
	int rc;

	if (!c->temporal)
		return consume_print_waiting(c);
	if (c->recorder)
		recorder_drain_end(c->recorder, consumed, temporal_due(c->temporal));
	temporal_reached(c->temporal, consumed);
	rc = temporal_flush(c->temporal, false, emit, c);
	return rc ?: consume_print_waiting(c);
}

int consume_drain_all(struct consume *c)
{
	int rc;

	if (!c->temporal)
		return consume_print_waiting(c);
	if (c->recorder)
		recorder_mark(c->recorder, CHUNK_FLUSH);
	rc = temporal_flush(c->temporal, true, emit, c);
	return rc ?: consume_print_waiting(c);
}

int consume_drain_rest(struct consume *c)
{
	int rc;

	do {
		rc = consume_drain_all(c);
	} while (rc > 0);
	return rc;
}

uint64_t consume_due(const struct consume *c)
{
	return c->temporal ? temporal_due(c->temporal) : 0;
}

int consume_release(struct consume *c)
{
	struct bufpolicy *h = c->hold;
	int err;

	if (c->recorder)
		recorder_mark(c->recorder, CHUNK_RELEASE);
	if (!h)
		return 0;
	c->hold = NULL;
	err = bufpolicy_flush(h, consume_print_record, c) ?: consume_print_waiting(c);
	bufpolicy_free(h);
	return err;
}

struct committed {
	struct consume *c;
	uint64_t time;
};

static int deliver_committed(void *arg, const void *data, size_t size)
{
	const struct committed *committed = arg;

	return deliver(committed->c, committed->time, data, size);
}

int consume_spec_end(struct consume *c, uint32_t tag, bool commit, uint64_t time)
{
	struct committed committed = {c, time};

	return specs_end(c->specs, tag, commit, deliver_committed, &committed);
}

int consume_left_end(struct consume *c, uint32_t tag, bool commit, uint64_t time)
{
	if (c->recorder)
		recorder_spec_end(c->recorder, tag, commit, time);
	return consume_spec_end(c, tag, commit, time);
}

void consume_retire(struct consume *c, unsigned long produced, unsigned long consumed)
{
	if (c->recorder && specs_known(c->specs))
		recorder_retire(c->recorder, produced, consumed);
	specs_retire(c->specs, produced, consumed);
}

/* ERROR's records have the time of the fault, as later clauses of the firing may have. They come
 * first. */
static uint64_t sorting_time(struct consume *c, const struct rec_header *h)
{
	return h->time - (c->temporal && consume_is_error(c, h->probe));
}

int consume_record(void *arg, const void *data, size_t size)
{
	struct consume *c = arg;
	const struct rec_header *h = data;

	if (size < sizeof(*h))
		return -EINVAL;
	if (h->clause == REC_FILLS)
		return 0;
	if (c->recorder)
		recorder_record(c->recorder, data, size);
	if (h->clause == REC_ERROR)
		return size < sizeof(*h) + sizeof(struct rec_error)
			   ? -EINVAL
			   : deliver(c, sorting_time(c, h), data, size);
	if (h->clause == REC_SPEC_END)
		return consume_spec_end(c, h->spec, h->probe, h->time);
	if (h->clause == REC_PROCESS) {
		usyms_see(c->fmt.usyms, h->probe);
		if (c->on_process)
			c->on_process(c->on_process_arg, h->probe);
		return 0;
	}
	if (!schema_fits(c->schema, h, size))
		return -EINVAL;
	if (h->spec && specs_take(c->specs, h->spec, h, size) != SPEC_PRINT) /* it waits */
		return c->error;
	return deliver(c, sorting_time(c, h), data, size);
}
