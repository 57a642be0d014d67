/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults of clauses: a message for each, with its place in the script; then the ERROR probes fire.
 *
 * A clause that faults at each firing would write a line for each: a million in seconds. So only
 * the first ones of a clause and probe (-x faultlimit) have a message of their own. After them a
 * line each second says how many more there were. ERROR probes and JSON records are of all.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/consumer/consume.h"
#include "libdt/engine/programs.h"
#include "libdt/expose.h"
#include "libdt/fault.h"
#include "libdt/fault_order.h"
#include "libdt/message.h"
#include "libdt/plan/plan.h"
#include "libdt/provider/prov.h"
#include "libdt/record.h"
#include "libdt/session.h"

#define MORE_NS 1000000000ull

/* Those of a clause and probe. */
struct fault_count {
	uint32_t clause; /* its index */
	const struct probe_desc *probe;
	uint64_t faults, more; /* more: since the last line */
	uint64_t reported_ns;  /* when that was */
};

struct faults {
	struct hash counts;		/* clause and probe -> struct fault_count */
	struct hash places;		/* clause and place: its line was shown */
	VEC(struct fault_count *) more; /* those with faults that no message was about */
	bool advised_dirfd, advised_page, advised_copyin;
};

/* A script that was written for open takes openat's directory, AT_FDCWD as a rule, for the path;
 * said with the first such fault. */
static void advise_dirfd(struct dt *dt, const struct probe_desc *p, const struct rec_error *e,
			 struct strbuf *sb)
{
	const char *path;

	if (dt->faults->advised_dirfd || e->fault != FAULT_BADADDR ||
	    (int32_t)e->value != AT_FDCWD || strcmp(p->prov, "syscall") ||
	    !strcmp(opt_text(&dt->opts, OPT_COMPAT), "on"))
		return;
	path = compat_path(p->func);
	if (!path)
		return;
	dt->faults->advised_dirfd = true;
	escape_printf(sb, "; that is AT_FDCWD: %s has the path in %s, with -x compat in arg0",
		      p->func, path);
}

/* Does the fault's value look like an address of a process? */
static bool is_of_process(const struct rec_error *e)
{
	return e->fault == FAULT_BADADDR && e->value >= 1 << 16 && e->value < 1ull << 48 &&
	       (int32_t)e->value != AT_FDCWD;
}

/* As *(int *)arg1 of a system call; said with the first such fault. True: that is the reason. */
static bool advise_copyin(struct dt *dt, const struct rec_error *e, const struct fault_site *site,
			  struct strbuf *sb)
{
	if (!site->of_kernel || !is_of_process(e))
		return false;
	if (!dt->faults->advised_copyin)
		sb_puts(sb, "; that is an address of the process: use copyin() or copyinstr()");
	dt->faults->advised_copyin = true;
	return true;
}

/* The arguments of a call may be in memory that the process has not used yet, as constants of a
 * program that has just begun. Said with the first such fault. */
static void advise_page(struct dt *dt, const struct probe_desc *p, const struct rec_error *e,
			struct strbuf *sb)
{
	if (dt->faults->advised_page || !is_of_process(e) || strcmp(p->prov, "syscall") ||
	    strcmp(p->name, "entry"))
		return;
	dt->faults->advised_page = true;
	sb_puts(sb, "; memory that the process has not used yet can be read in the return probe");
}

static void put_subject(struct strbuf *sb, uint32_t clause, const struct probe_desc *p)
{
	escape_printf(sb, "error in clause %u for probe ID %u (%s:%s:%s:%s): ", clause + 1, p->id,
		      p->prov, p->mod, p->func, p->name);
}

static void put_fault(struct dt *dt, struct strbuf *sb, const struct probe_desc *p,
		      const struct rec_error *e, const struct fault_site *site)
{
	put_subject(sb, e->clause, p);
	sb_puts(sb, fault_text(e->fault));
	if (e->fault != FAULT_DIVZERO)
		sb_printf(sb, e->fault == FAULT_BADADDR ? " (0x%llx)" : " (%lld)",
			  (unsigned long long)e->value);
	loc_put(sb, " at ", site->loc);
	advise_dirfd(dt, p, e, sb);
	if (!advise_copyin(dt, e, site, sb))
		advise_page(dt, p, e, sb);
}

static void report_more(struct dt *dt, struct fault_count *f, uint64_t now)
{
	struct strbuf sb = {0};

	put_subject(&sb, f->clause, f->probe);
	sb_printf(&sb, "%" PRIu64 " more", f->more);
	message_send(dt, &(struct dt_message){.severity = DT_MSG_FAULT,
					      .text = sb.s,
					      .clause = f->clause + 1,
					      .count = f->more});
	sb_free(&sb);
	f->more = 0;
	f->reported_ns = now;
}

void fault_report_more(struct dt *dt, bool all)
{
	uint64_t now;
	int n = 0;

	if (!dt->faults || !dt->faults->more.n)
		return;
	now = clock_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < dt->faults->more.n; i++) {
		struct fault_count *f = dt->faults->more.v[i];

		if (all || now - f->reported_ns >= MORE_NS)
			report_more(dt, f, now);
		else
			dt->faults->more.v[n++] = f;
	}
	dt->faults->more.n = n;
}

/* The line of source, with the first fault of a place, where errors have it. */
static void put_source(struct dt *dt, struct strbuf *sb, const struct rec_error *e, struct loc loc)
{
	uint64_t key = (uint64_t)e->clause << 32 | e->site;
	void **shown;

	if (!dt->messages->carets || !loc.src)
		return;
	shown = hash_ref(&dt->faults->places, &key, sizeof(key));
	if (!*shown)
		diag_caret(loc, dt->messages->colour, dt->messages->columns, sb);
	*shown = dt;
}

static void send(struct dt *dt, const char *text, const struct probe_desc *p,
		 const struct rec_error *e, struct loc loc)
{
	struct dt_probe probe = message_probe(p);
	struct strbuf shown = {0};
	struct dt_message m = {
	    .severity = DT_MSG_FAULT,
	    .probe = &probe,
	    .clause = e->clause + 1,
	    .fault = e->fault,
	    .value = e->value,
	};

	sb_puts(&shown, text);
	put_source(dt, &shown, e, loc);
	m.text = shown.s;
	message_receive(dt, m, loc);
	sb_free(&shown);
}

/* Has the fault a message of its own? */
static bool is_reported(struct dt *dt, uint32_t clause, const struct probe_desc *p)
{
	uint64_t key = (uint64_t)clause << 32 | p->id, limit = opt_num(&dt->opts, OPT_FAULTLIMIT);
	void **at = hash_ref(&dt->faults->counts, &key, sizeof(key));
	struct fault_count *f = *at;

	if (!f) {
		*at = f = xcalloc(1, sizeof(*f));
		f->clause = clause;
		f->probe = p;
	}
	if (f->faults++ < limit || !limit) {
		f->reported_ns = clock_ns(CLOCK_MONOTONIC);
		return true;
	}
	if (!f->more++)
		vec_push(&dt->faults->more, f);
	return false;
}

void fault_free(struct dt *dt)
{
	if (!dt->faults)
		return;
	for (size_t i = 0; i < dt->faults->counts.n; i++)
		free(dt->faults->counts.entries[i].value);
	hash_free(&dt->faults->counts);
	hash_free(&dt->faults->places);
	vec_free(&dt->faults->more);
	free(dt->faults);
}

void fault_report(struct dt *dt, const struct rec_header *h, const struct rec_error *e,
		  const struct probe_desc *p, const struct fault_site *site)
{
	struct strbuf sb = {0};
	bool reported;

	if (!dt->faults)
		dt->faults = xcalloc(1, sizeof(*dt->faults));
	reported = is_reported(dt, e->clause, p);
	if (reported || dt->record || consume_writes(dt->consume))
		put_fault(dt, &sb, p, e, site);
	record_fault(dt, sb.s, site->loc, reported);
	if (reported) {
		fflush(dt->consume->sink);
		send(dt, sb.s, p, e, site->loc);
	}
	if (consume_writes(dt->consume))
		consume_write_fault(dt->consume, h, e, site->loc, sb.s);
	sb_free(&sb);
}

void fault_met(void *arg, const struct rec_header *h, const struct rec_error *e)
{
	struct dt *dt = arg;
	const struct clause *c =
	    e->clause < (unsigned)dt->plan->clauses.n ? dt->plan->clauses.v[e->clause] : NULL;
	const struct probe *p =
	    h->probe < (unsigned)dt->set->probes.n ? dt->set->probes.v[h->probe] : NULL;
	struct fault_site site = {0};
	uint64_t args[6];
	int statement = 0;

	if (!c || !p) {
		record_fault(dt, NULL, (struct loc){0}, false);
		return;
	}
	if (e->site < (unsigned)c->sites.n) {
		const struct clause_site *s = &c->sites.v[e->site];

		site = (struct fault_site){s->loc, s->of_kernel};
		statement = s->statement;
	}
	if (!strcmp(p->prov, "dtrace") && !strcmp(p->name, "ERROR")) {
		__atomic_fetch_add(&session_ctl(dt)->cpus[0].drops[DROP_ERROR], 1,
				   __ATOMIC_RELAXED);
		record_fault(dt, NULL, site.loc, false);
		return;
	}
	expose_fault(dt, e->fault);
	fault_report(dt, h, e, &p->desc, &site);
	args[0] = 0;
	args[1] = (uint64_t)p->id << 32 | (c->index + 1);
	args[2] = statement;
	args[3] = plan_instruction(dt->plan, p, site.loc);
	args[4] = e->fault;
	args[5] = e->value;
	programs_fire(dt->set, "ERROR", args, 6);
	if (consume_fires_error(dt->consume))
		fault_order_fired(dt, h->time);
}
