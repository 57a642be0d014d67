/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was lost, as it is reported. */
#include <string.h>
#include <time.h>

#include "libdt/base/clock.h"
#include "libdt/consumer/bufpolicy.h"
#include "libdt/consumer/consume.h"
#include "libdt/consumer/spec.h"
#include "libdt/drops.h"
#include "libdt/engine/programs.h"
#include "libdt/message.h"
#include "libdt/session.h"

struct drop_text {
	const char *one, *many;
	enum dt_drop kind;
	bool per_cpu;
};

static void print_drop(struct dt *dt, enum dt_drop kind, uint64_t n, int cpu, const char *text)
{
	static const char *const tags[] = {
	    [DT_DROP_PRINCIPAL] = "DTRACEDROP_PRINCIPAL",
	    [DT_DROP_AGGREGATION] = "DTRACEDROP_AGGREGATION",
	    [DT_DROP_DYNAMIC] = "DTRACEDROP_DYNAMIC",
	    [DT_DROP_NESTED] = "DTRACEDROP_NESTED",
	    [DT_DROP_SPECULATION] = "DTRACEDROP_SPEC",
	    [DT_DROP_SPECULATION_UNAVAILABLE] = "DTRACEDROP_SPECUNAVAIL",
	    [DT_DROP_ERROR] = "DTRACEDROP_DBLERROR",
	    [DT_DROP_OVERFLOW] = "DTRACEDROP_OVERFLOW",
	};

	dt->lost->total += n;
	dt->lost->of[kind] += n;
	message_send(dt, &(struct dt_message){.severity = DT_MSG_DROP,
					      .tag = tags[kind],
					      .text = text,
					      .drop = kind,
					      .count = n,
					      .cpu = cpu});
}

static void report_drop(struct dt *dt, const struct drop_text *text, uint64_t n, int cpu)
{
	struct strbuf sb = {0};

	if (!n)
		return;
	sb_printf(&sb, "%llu %s", (unsigned long long)n, n == 1 ? text->one : text->many);
	if (text->per_cpu)
		sb_printf(&sb, " on CPU %d", cpu);
	print_drop(dt, text->kind, n, text->per_cpu ? cpu : -1, sb.s);
	sb_free(&sb);
}

/* Nothing is missing there, but a number is wrong: once for each aggregation. */
void drops_report_wrapped(struct dt *dt)
{
	for (int i = 0; i < dt->aggrs->v.n; i++) {
		const struct aggr *ag = dt->aggrs->v.v[i];
		struct strbuf sb = {0};

		if (!ag->wrapped)
			continue;
		sb_printf(&sb, "a total of @%s did not fit in 64 bits, and wrapped",
			  strcmp(ag->name, "_") ? ag->name : "");
		print_drop(dt, DT_DROP_OVERFLOW, 1, -1, sb.s);
		sb_free(&sb);
	}
}

void drops_report(struct dt *dt)
{
	static const struct drop_text texts[] = {
	    [DROP_PRINCIPAL] = {"drop", "drops", DT_DROP_PRINCIPAL, true},
	    [DROP_AGGREGATION] = {"aggregation drop", "aggregation drops", DT_DROP_AGGREGATION,
				  true},
	    [DROP_DYNAMIC] = {"dynamic variable drop", "dynamic variable drops", DT_DROP_DYNAMIC,
			      false},
	    [DROP_NESTED] = {"drop of a nested firing", "drops of nested firings", DT_DROP_NESTED,
			     false},
	    [DROP_ERROR] = {"error in ERROR probe enabling", "errors in ERROR probe enabling",
			    DT_DROP_ERROR, false},
	    [DROP_SPECULATION] = {"failed speculation (no speculative buffer available)",
				  "failed speculations (no speculative buffer available)",
				  DT_DROP_SPECULATION_UNAVAILABLE, false},
	};
	static const struct drop_text large = {"drop of a record that is larger than bufsize",
					       "drops of records that are larger than bufsize",
					       DT_DROP_PRINCIPAL, false};
	static const struct drop_text missed = {
	    "drop of a firing that came while a program ran on its CPU",
	    "drops of firings that came while programs ran on their CPUs", DT_DROP_NESTED, false};
	static const struct drop_text spec = {"speculative drop", "speculative drops",
					      DT_DROP_SPECULATION, false};
	static const struct drop_text full = {
	    "aggregation drop: a new key at the limit of -x maxmem",
	    "aggregation drops: new keys at the limit of -x maxmem", DT_DROP_AGGREGATION, false};
	uint64_t n[DROP_COUNT], sum[DROP_COUNT] = {0};

	if (!dt->going)
		return;
	for (int cpu = 0; cpu < dt->set->ncpus; cpu++) {
		if (!programs_drops(dt->set, cpu, n))
			continue;
		for (int i = 0; i < DROP_COUNT; i++)
			if (texts[i].per_cpu)
				report_drop(dt, &texts[i], n[i], cpu);
			else
				sum[i] += n[i];
	}
	for (int i = 0; i < DROP_COUNT; i++)
		report_drop(dt, &texts[i], sum[i], 0);
	report_drop(dt, &full, dt->aggrs->refused, 0);
	dt->aggrs->refused = 0;
	report_drop(dt, &spec, specs_drops(dt->consume->specs), 0);
	report_drop(dt, &missed, dt->lost->misses, 0); /* known when tracing has stopped */
	dt->lost->misses = 0;
	if (dt->consume->hold)
		report_drop(dt, &large, bufpolicy_drops(dt->consume->hold), 0);
}

uint64_t dt_drops(const struct dt *dt)
{
	return dt ? dt->lost->total : 0;
}

uint64_t dt_drops_of(const struct dt *dt, enum dt_drop kind)
{
	return dt && (unsigned)kind < DT_DROP_COUNT ? dt->lost->of[kind] : 0;
}
