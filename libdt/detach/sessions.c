/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of detached sessions. */
#include <time.h>

#include "libdt/consumer/consume.h"
#include "libdt/detach/detach.h"
#include "libdt/preamble.h"
#include "libdt/report.h"
#include "libdt/session.h"

struct list {
	FILE *out;
	bool json, begun;
};

static const char *state_of(const struct store *p, bool busy)
{
	static const char *const states[] = {
	    [STORE_READY] = "tracing",
	    [STORE_INCOMPLETE] = "incomplete",
	    [STORE_STALE] = "stale",
	    [STORE_UNPINNED] = "unpinned",
	};

	if (busy)
		return "busy";
	return p->state == STORE_READY && pins_exited(p) ? "ended" : states[p->state];
}

static void write_session(const struct list *l, const struct store *p, const char *state)
{
	struct writer w = {.form = &writer_json};
	char date[WRITER_DATE];

	writer_line(&w, "session");
	writer_uint(&w, "schema", WRITER_SCHEMA);
	writer_string(&w, "name", p->name);
	writer_string(&w, "state", state);
	if (p->state != STORE_INCOMPLETE) {
		writer_date(p->started, date);
		writer_uint(&w, "probes", p->probes);
		writer_string(&w, "since", date);
	}
	preamble_put(&w, l->out);
	writer_free(&w);
}

static void print_session(const struct list *l, const struct store *p, const char *state)
{
	char date[32] = "-", probes[16] = "-";
	time_t seconds = p->started / 1000000000;
	struct tm tm;

	if (p->state != STORE_INCOMPLETE && localtime_r(&seconds, &tm)) {
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
		snprintf(probes, sizeof(probes), "%d", p->probes);
	}
	fprintf(l->out, "%-20s %-10s %7s  %s\n", p->name, state, probes, date);
}

/* Not before it is known that there is a list. */
static void begin(struct list *l)
{
	if (!l->begun && !l->json)
		fprintf(l->out, "%-20s %-10s %7s  %s\n", "NAME", "STATE", "PROBES", "SINCE");
	l->begun = true;
}

static void put_session(void *arg, const struct store *p, bool busy)
{
	struct list *l = arg;

	begin(l);
	if (l->json)
		write_session(l, p, state_of(p, busy));
	else
		print_session(l, p, state_of(p, busy));
}

int sessions_list(struct dt *dt, FILE *out)
{
	struct list l = {.out = session_output(dt, out),
			 .json = consume_oformat(&dt->opts) == OFORMAT_JSON};
	struct strbuf why = {0};
	int rc = store_each(put_session, &l, &why);

	if (!rc)
		begin(&l);
	else
		report_error(dt, "failed to list detached sessions: %s", sb_str(&why));
	sb_free(&why);
	return rc;
}
