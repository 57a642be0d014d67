/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dt_on_event(): records as structures. The consumer carries out the actions of a record as for
 * text, with their output kept aside, and reports each; here they become a struct dt_event, which
 * lives until the next record. Nothing of this costs anything where no receiver is set: records
 * then have no process, and the consumer prints.
 */
#include "libdt/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/session.h"

struct events {
	void (*fn)(void *arg, const struct dt_event *e);
	void *arg;
	struct arena *arena; /* of the record at hand */
	struct dt_event event;
	struct dt_probe probe;
	VEC(const struct dt_action *) actions;
	char execname[sizeof(((struct rec_process *)0)->comm) + 1];
};

int dt_on_event(struct dt *dt, void (*fn)(void *arg, const struct dt_event *e), void *arg)
{
	if (!fn || dt->types || dt->test)
		return report_error(dt, fn ? "dt_on_event() must precede the first program"
					   : "dt_on_event() needs a function");
	if (!dt->events) {
		dt->events = xcalloc(1, sizeof(*dt->events));
		dt->events->arena = arena_new();
	}
	dt->events->fn = fn;
	dt->events->arg = arg;
	dt->opts.events = true;
	return 0;
}

void event_free(struct dt *dt)
{
	if (!dt->events)
		return;
	arena_free(dt->events->arena);
	vec_free(&dt->events->actions);
	free(dt->events);
}

/* Records ----------------------------------------------------------------- */

static void put_process(struct events *es, const struct rec_process *p)
{
	es->event.pid = es->event.tid = -1;
	if (!p)
		return;
	es->event.pid = (int)p->pid;
	es->event.tid = (int)p->tid;
	memcpy(es->execname, p->comm, sizeof(p->comm));
	es->event.execname = es->execname;
}

static void begin(void *arg, const struct rec_header *h)
{
	struct dt *dt = arg;
	struct events *es = dt->events;
	uint64_t wall = __atomic_load_n(dt->consume->wall, __ATOMIC_RELAXED);

	arena_reset(es->arena);
	es->actions.n = 0;
	es->probe = message_probe(dt->consume->schema->probes.v[h->probe]);
	es->event = (struct dt_event){
	    .size = sizeof(es->event),
	    .probe = &es->probe,
	    .clause = h->clause + 1,
	    .cpu = h->cpu,
	    .time = h->time,
	    .wall = wall ? h->time + wall : 0,
	};
	put_process(es, rec_process(dt->consume, h));
}

static void put_values(struct dt *dt, struct dt_action *to, const struct act *act,
		       const uint8_t *data)
{
	struct arena *a = dt->events->arena;
	const struct dt_value **values = arena_alloc(a, act->nrecs * sizeof(*values));

	for (int i = 0; i < act->nrecs; i++) {
		struct value v = rec_value(&act->recs[i], data);

		values[i] = event_value(dt, a, &v, event_name(a, act->recs[i].name));
	}
	to->values = values;
	to->nvalues = act->nrecs;
}

static void put_rows(struct dt *dt, struct dt_action *to, const struct act *act)
{
	struct arena *a = dt->events->arena;
	struct aggr **ags = arena_alloc(a, act->naggs * sizeof(*ags));

	for (int i = 0; i < act->naggs; i++)
		ags[i] = consume_agg(dt->consume, act->aggs[i]);
	to->rows = event_rows(dt, a, ags, act->naggs, &to->nrows);
}

static void action(void *arg, const struct act *act, const uint8_t *data, const char *text,
		   size_t len)
{
	struct dt *dt = arg;
	struct events *es = dt->events;
	struct dt_action *to = arena_alloc(es->arena, sizeof(*to));

	to->size = sizeof(*to);
	to->name = act->name;
	to->text = arena_strndup(es->arena, text, len);
	to->length = len;
	put_values(dt, to, act, data);
	if (act->naggs && !strcmp(act->name, "printa"))
		put_rows(dt, to, act);
	vec_push(&es->actions, to);
}

static void end(void *arg)
{
	struct dt *dt = arg;
	struct events *es = dt->events;

	es->event.actions = es->actions.v;
	es->event.nactions = es->actions.n;
	es->fn(es->arg, &es->event);
}

static const struct consume_events receiver = {begin, action, end};

int event_start(struct dt *dt)
{
	if (!dt->events)
		return 0;
	if (consume_oformat(&dt->opts) != OFORMAT_TEXT)
		return report_error(dt,
				    "failed to set -x oformat=%s: records go to the receiver of "
				    "dt_on_event()",
				    opt_text(&dt->opts, OPT_OFORMAT));
	if (consume_to_events(dt->consume, &receiver, dt))
		return report_error(dt, "cannot keep the text of actions: %s", strerror(errno));
	return 0;
}
