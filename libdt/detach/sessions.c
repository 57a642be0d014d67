/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of detached sessions. */
#include <time.h>

#include "libdt/detach/detach.h"
#include "libdt/session.h"

static void put_session(void *arg, const struct store *p, bool busy)
{
	static const char *const states[] = {
	    [STORE_READY] = "tracing",
	    [STORE_INCOMPLETE] = "incomplete",
	    [STORE_STALE] = "stale",
	    [STORE_UNPINNED] = "unpinned",
	};
	char date[32] = "-", probes[16] = "-";
	time_t seconds = p->started / 1000000000;
	struct tm tm;

	if (p->state != STORE_INCOMPLETE && localtime_r(&seconds, &tm)) {
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
		snprintf(probes, sizeof(probes), "%d", p->probes);
	}
	fprintf(arg, "%-20s %-10s %7s  %s\n", p->name, busy ? "busy" : states[p->state], probes,
		date);
}

int sessions_list(struct dt *dt, FILE *out)
{
	struct strbuf why = {0};
	int rc;

	out = dt_output(dt, out);
	fprintf(out, "%-20s %-10s %7s  %s\n", "NAME", "STATE", "PROBES", "SINCE");
	rc = store_each(put_session, out, &why);
	if (rc < 0)
		dt_fail(dt, "failed to list detached sessions: %s", sb_str(&why));
	sb_free(&why);
	return rc;
}
