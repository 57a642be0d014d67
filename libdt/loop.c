/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dtrace does while tracing goes on, and how it ends. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/ring.h"
#include "libdt/base/clock.h"
#include "libdt/budget.h"
#include "libdt/builtin/builtin.h"
#include "libdt/consumer/consume.h"
#include "libdt/drops.h"
#include "libdt/engine/programs.h"
#include "libdt/engine/signals.h"
#include "libdt/engine/sysstat.h"
#include "libdt/expose.h"
#include "libdt/fault.h"
#include "libdt/fault_order.h"
#include "libdt/lang/sema.h"
#include "libdt/late_attach.h"
#include "libdt/loop.h"
#include "libdt/message.h"
#include "libdt/poller.h"
#include "libdt/process/proc.h"
#include "libdt/record.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/start.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"
#include "libdt/totals.h"

/* What changes outside of the programs and they read: the time of day, and what is going on. */
void loop_set_clocks(struct dt *dt)
{
	struct ctl *ctl = session_ctl(dt);
	uint64_t mono = clock_ns(CLOCK_MONOTONIC), wall = clock_ns(CLOCK_REALTIME);

	if (!dt->started_ns) {
		dt->started_ns = mono;
		__atomic_store_n(&ctl->start, mono, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&ctl->wall, wall - mono, __ATOMIC_RELAXED);
	record_wall(dt);
	if (dt->sema->sysstats)
		sysstat_refresh(ctl->sysstats, dt->sema->net_sysstats);
}

/* Ends of speculations that found the ring full. */
static int left_ends(struct dt *dt)
{
	int err = 0, found;
	uint32_t tag;
	bool commit;

	for (int id = 1; !err && (found = spec_left_end(dt->set, id, &tag, &commit)) >= 0; id++)
		if (found) {
			err = consume_left_end(dt->consume, tag, commit, clock_ns(CLOCK_MONOTONIC));
			spec_free_id(dt->set, id);
		}
	return err;
}

/* What the ring has; *again: ERROR has fired, and its records are to be read. */
static int drain_once(struct dt *dt, bool *again)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC); /* before the ring's end is looked at */
	int n, left, err;

	consume_drain_begin(dt->consume, now, ring_produced(dt->ring));
	n = ring_drain(dt->ring, fault_order_record, dt);
	left = n < 0 ? 0 : fault_order_release(dt, false);
	err = n < 0 || left < 0 ? MIN(left, 0) : left_ends(dt);
	if (!err && n >= 0)
		err = consume_drain_end(dt->consume, ring_consumed(dt->ring));
	*again = err > 0 || (!err && left > 0);
	return err < 0 ? err : n < 0 ? n : n + left;
}

static int drain(struct dt *dt, FILE *out)
{
	int sum = 0, n;
	bool again;

	if (!dt->ring)
		return 0;
	consume_output(dt->consume, out);
	do {
		n = drain_once(dt, &again);
		sum += n;
	} while (n >= 0 && again);
	consume_retire(dt->consume, ring_produced(dt->ring), ring_consumed(dt->ring));
	return n < 0 ? n : sum;
}

int loop_drain(struct dt *dt, FILE *out)
{
	int n;

	do {
		n = drain(dt, out);
		if (!n) /* no record is unfinished any more */
			n = fault_order_release(dt, true);
		if (n || !consume_due(dt->consume))
			continue;
		n = consume_drain_all(dt->consume) ?: 1; /* ERROR probes may have fired meanwhile */
	} while (n > 0);
	return n;
}

static bool due(uint64_t *last, uint64_t now, int64_t every, uint64_t *next)
{
	uint64_t at = *last + every;

	if (now >= at) {
		*last = now;
		at = now + every;
		*next = MIN(*next, at);
		return true;
	}
	*next = MIN(*next, at);
	return false;
}

/*
 * Aggregations are read at aggrate where the script sets it. Otherwise its default is the longest
 * interval: they are read soon at first, then less and less often while they stay empty, and more
 * often when they fill up, so that many keys are not lost.
 */
static int64_t aggr_rate(struct dt *dt)
{
	int64_t rate = opt_num(&dt->opts, OPT_AGGRATE), every = dt->loop->aggr_every;

	if (dt->opts.v[OPT_AGGRATE].set)
		return rate;
	if (!every)
		every = 20000000;
	else if (dt->set->counts.fill >= 20)
		every = MAX(every / 8, 5000000);
	else if (dt->set->counts.fill < 5)
		every *= 2;
	return MIN(every, rate);
}

static int read_aggregations(struct dt *dt)
{
	int err = aggrs_snapshot(dt->aggrs);

	dt->loop->aggr_every = aggr_rate(dt);
	return err;
}

/* What is done at rates. Returns when the next of it is due. */
static uint64_t periodic(struct dt *dt, int *err)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), next = now + 1000000000ull;

	if (!dt->loop->aggr_every)
		dt->loop->aggr_every = aggr_rate(dt);
	if (totals_fill(dt))
		dt->loop->last_aggr = 0;
	if (dt->aggrs->v.n && due(&dt->loop->last_aggr, now, dt->loop->aggr_every, &next))
		*err = read_aggregations(dt);
	if (due(&dt->loop->last_status, now, opt_num(&dt->opts, OPT_STATUSRATE), &next)) {
		drops_report(dt);
		loop_set_clocks(dt);
	}
	budget_work(dt, now, &next);
	return next;
}

enum { STOPPED_MS = 5 }; /* how often to look whether a command waits for us */
enum { WAIT_FDS = 64 };
enum { ASK_NS = 50000000 };

bool loop_ended(void *arg)
{
	struct dt *dt = arg;
	struct loop *loop = dt->loop;
	const volatile struct ctl *ctl = session_ctl(dt);
	uint64_t now;

	if (!dt->going)
		return false;
	if (dt->stopped || ctl->stopped == STOP_ENDED)
		return true;
	now = clock_ns(CLOCK_MONOTONIC);
	if (now - loop->asked_ns >= ASK_NS && !loop->asking) {
		loop->asked_ns = now;
		loop->asking = true;
		message_receive(dt,
				(struct dt_message){.severity = DT_MSG_PROGRESS,
						    .tag = "tracing",
						    .text = "tracing",
						    .count = 1,
						    .of = 1},
				(struct loc){0});
		loop->asking = false;
	}
	return loop->ending;
}

/* What wakes us: a program, a change of a process, a signal. *until is lowered where we have to
 * look more often. */
static int wait_fds(struct dt *dt, struct pollfd *fds, uint64_t *until)
{
	int n = 0, limit = late_attach_stops(dt) ? STOPPED_MS : -1;

	if (dt->ring)
		fds[n++] = (struct pollfd){.fd = ring_fd(dt->ring), .events = POLLIN};
	if (late_attach_fd(dt) >= 0)
		fds[n++] = (struct pollfd){.fd = late_attach_fd(dt), .events = POLLIN};
	if (dt->signals >= 0)
		fds[n++] = (struct pollfd){.fd = dt->signals, .events = POLLIN};
	n += expose_fds(dt, fds + n, WAIT_FDS - n);
	n += proc_fds(dt->procs, fds + n, WAIT_FDS - n, &limit);
	if (limit >= 0)
		*until = MIN(*until, clock_ns(CLOCK_MONOTONIC) + limit * 1000000ull);
	return n;
}

static void sleep_until(struct dt *dt, uint64_t until)
{
	struct pollfd fds[WAIT_FDS];
	int n = wait_fds(dt, fds, &until);
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int64_t left = until > now ? until - now : 0;
	struct timespec ts = {left / 1000000000, left % 1000000000};

	ppoll(fds, n, &ts, NULL);
}

/* The error of dt_error() ends tracing: it is what comes last. */
static enum dt_work fail(struct dt *dt)
{
	message_failure(dt);
	consume_drain_all(dt->consume);
	return DT_WORK_ERROR;
}

static enum dt_work drain_error(struct dt *dt, int err)
{
	if (err == -EPIPE) { /* the reader closed the pipe: end as on exit() */
		dt->loop->quiet_end = true;
		return DT_WORK_DONE;
	}
	report_error(dt, "failed to print: %s", strerror(-err));
	return fail(dt);
}

/* Reports the processes that have ended; true when all processes of -c, -p and -W have. */
static bool processes_ended(struct dt *dt)
{
	struct strbuf news = {0}, text = {0};

	proc_poll(dt->procs, &news);
	for (char *at = news.len ? news.s : NULL, *line; (line = strsep(&at, "\n"));) {
		if (!*line)
			continue;
		escape_printf(&text, "%s", line);
		message(dt, DT_MSG_PROCESS, text.s);
		text.len = 0;
	}
	sb_free(&text);
	sb_free(&news);
	return proc_all_done(dt->procs);
}

/* 1: a signal has come that there is a probe for; or -errno. */
static int fire_signals(struct dt *dt)
{
	uint64_t args[2];
	const char *name = signals_next(dt->signals, args);

	return name ? programs_fire(dt->set, name, args, 2) ?: 1 : 0;
}

/*
 * Records are read as they come, or at switchrate where that is set; then earlier only when half
 * of the ring is full, or tracing stops. Returns for how many ns they are still gathered, which is
 * short: programs do not wake us meanwhile.
 */
static uint64_t gather_ns(struct dt *dt, uint64_t now)
{
	uint64_t rate = opt_num(&dt->opts, OPT_SWITCHRATE), since = now - dt->loop->last_read;
	size_t size = dt->ring ? ring_size(dt->ring) : 0;

	if (!size || !dt->opts.v[OPT_SWITCHRATE].set || since >= rate ||
	    ring_produced(dt->ring) == ring_consumed(dt->ring) ||
	    ring_produced(dt->ring) - ring_consumed(dt->ring) >= size / 2)
		return 0;
	return MIN(rate - since, size < 1 << 20 ? 1000000 : 5000000);
}

/* What comes after a turn that did not end tracing. */
struct rest {
	uint64_t pause; /* busy: ns for which records are gathered; 0: programs wake us */
	uint64_t until; /* then: the time at which something is due; 0: at once */
};

/* What is to be done now. */
static enum dt_work turn(struct dt *dt, FILE *out, struct rest *rest)
{
	uint32_t *sleeping;
	bool stopped;
	uint64_t next, now = clock_ns(CLOCK_MONOTONIC), gather;
	int n = 0, fired, err = 0;

	if (!dt->going || dt->stopped)
		return report_error(dt, "tracing has %s", dt->stopped ? "ended" : "not begun"),
		       DT_WORK_ERROR;
	out = session_output(dt, out);
	sleeping = &session_ctl(dt)->sleeping;
	__atomic_store_n(sleeping, 0, __ATOMIC_SEQ_CST);
	stopped = *(volatile uint32_t *)&session_ctl(dt)->stopped;
	gather = stopped ? 0 : gather_ns(dt, now);
	if (!gather) {
		n = drain(dt, out);
		dt->loop->last_read = now;
	}
	if (n < 0)
		return drain_error(dt, n);
	if (fflush(out))
		return drain_error(dt, -errno);
	if (dt->consume->exited || (dt->consume->hold && bufpolicy_full(dt->consume->hold)))
		return DT_WORK_DONE;
	*rest = (struct rest){.pause = gather ? gather : 1000000};
	/* exit() in a clause that faulted: its record never comes, but another CPU's may be on
	 * its way */
	if (stopped && !n) {
		if (dt->loop->stop_seen)
			return DT_WORK_DONE;
		dt->loop->stop_seen = true;
		return DT_WORK_GOING;
	}
	fired = stopped ? 0 : fire_signals(dt);
	if (fired < 0)
		return report_error(dt, "failed to run the probe of a signal: %s",
				    strerror(-fired)),
		       fail(dt);
	late_attach_run(dt);
	report_warnings(dt);
	fault_report_more(dt, false);
	if (processes_ended(dt))
		return DT_WORK_DONE;
	next = periodic(dt, &err);
	if (err)
		return report_error(dt, "failed to read aggregations: %s", strerror(-err)),
		       fail(dt);
	if (record_flush(dt) < 0)
		return fail(dt);
	expose_work(dt, &next);
	if (!gather)
		usyms_forget(dt->usyms, now);
	/* busy: a batch is cheaper than to wake up for each record */
	if (start_make_tables(dt) || n || fired || gather)
		return DT_WORK_GOING;
	__atomic_store_n(sleeping, 1, __ATOMIC_SEQ_CST);
	n = drain(dt, out); /* what came between the last look and the word */
	if (!n && consume_due(dt->consume))
		next = MIN(next, consume_due(dt->consume));
	*rest = (struct rest){.until = n ? 0 : next};
	if (n < 0)
		return drain_error(dt, n);
	return DT_WORK_GOING;
}

enum dt_work dt_work(struct dt *dt, FILE *out)
{
	struct rest rest;
	enum dt_work work = turn(dt, out, &rest);

	if (work != DT_WORK_GOING)
		return work;
	if (rest.pause)
		nanosleep(&(struct timespec){0, rest.pause}, NULL);
	else if (rest.until)
		sleep_until(dt, rest.until);
	__atomic_store_n(&session_ctl(dt)->sleeping, 0, __ATOMIC_SEQ_CST);
	return work;
}

int dt_fd(struct dt *dt)
{
	if (!dt->going || dt->stopped)
		return report_error(dt, "tracing has %s", dt->stopped ? "ended" : "not begun");
	if (!dt->poller)
		dt->poller = poller_new();
	if (!dt->poller || poller_set(dt->poller, NULL, 0, 0))
		return report_error(dt, "cannot make a descriptor to wait for: %s",
				    strerror(errno));
	return poller_fd(dt->poller);
}

enum dt_work dt_step(struct dt *dt, FILE *out)
{
	struct pollfd fds[WAIT_FDS];
	struct rest rest;
	enum dt_work work = turn(dt, out, &rest);
	int n, err;

	if (work != DT_WORK_GOING || !dt->poller)
		return work;
	if (rest.pause)
		rest.until = clock_ns(CLOCK_MONOTONIC) + rest.pause;
	n = rest.pause ? 0 : wait_fds(dt, fds, &rest.until);
	err = poller_set(dt->poller, fds, n, rest.until);
	if (err)
		return report_error(dt, "cannot wait: %s", strerror(-err)), fail(dt);
	return work;
}

int dt_end_document(struct dt *dt, FILE *out)
{
	int err;

	if (!dt->going || dt->stopped)
		return 0;
	consume_output(dt->consume, session_output(dt, out));
	err = consume_write_next(dt->consume);
	return err ? report_error(dt, "failed to print: %s", strerror(-err)) : 0;
}

/* A recording has the signal where tracing ends, which is after the record that we are at. */
void dt_interrupted(struct dt *dt)
{
	dt->loop->ending = true;
	if (dt->loop->asking)
		return;
	if (!dt->loop->interrupted)
		record_interrupt(dt);
	dt->loop->interrupted = true;
}

static int failed_to_stop(struct dt *dt, const char *what, int err)
{
	report_error(dt, "failed to %s: %s", what, strerror(-err));
	message_failure(dt);
	return -1;
}

/* -x kstack=check */
static void note_checked(struct dt *dt)
{
	const struct map *m = &dt->set->maps.orc;
	const uint64_t *n =
	    m->mem ? (const uint64_t *)((const char *)m->mem + ORC_MEM_COUNTS) : NULL;

	if (n && !strcmp(opt_text(&dt->opts, OPT_KSTACK), "check"))
		message_note(dt,
			     "kernel stacks: %" PRIu64 " by tables (%" PRIu64 " wrong), %" PRIu64
			     " by the kernel",
			     n[ORC_COUNT_FAST], n[ORC_COUNT_WRONG], n[ORC_COUNT_SLOW]);
}

int dt_stop(struct dt *dt, FILE *out)
{
	bool failed;
	int err, end;

	if (!dt || !dt->going || dt->stopped)
		return 0;
	out = session_output(dt, out);
	dt->stopped = true;
	dt->consume->error = 0; /* END runs all the same */
	__atomic_store_n(&session_ctl(dt)->stopped, STOP_ENDED, __ATOMIC_SEQ_CST);
	/* firings missed while detaching do not count */
	dt->lost->misses = programs_misses(dt->set);
	message_debug(dt, "stopping");
	programs_detach(dt->set, &(struct programs_watch){message_progress, dt});
	message_debug(dt, "detached");
	err = loop_drain(dt, out);
	if (dt->loop->quiet_end && err == -EPIPE)
		err = 0;
	drops_report(dt); /* drops are reported before the ring is freed */
	note_checked(dt);
	if (err >= 0)
		err = consume_release(dt->consume);
	end = programs_fire(dt->set, "END", NULL, 0);
	if (!end && err >= 0)
		err = loop_drain(dt, out);
	consume_output(dt->consume, out);
	dt->consume->ended = clock_ns(CLOCK_MONOTONIC);
	budget_end(dt);
	record_final(dt, true);
	if (err >= 0 && !consume_keeps_aside(dt->consume) && !consume_metrics(&dt->opts))
		consume_end_text(dt->consume);
	if (err >= 0)
		err = dt->aggrs->v.n ? aggrs_snapshot(dt->aggrs) : 0;
	if (!err && (record_silent(dt) || !consume_keeps_aside(dt->consume)))
		err = consume_aggregations(dt->consume);
	else if (!err) /* they are written at exit, and a replay in another format prints here */
		err = consume_look_up_aggregations(dt->consume);
	fault_report_more(dt, true);
	late_attach_end(dt);
	if (syms_error(dt->syms))
		message_note(
		    dt, "addresses of the kernel have no names: failed to read its symbols: %s",
		    strerror(-syms_error(dt->syms)));
	drops_report(dt);
	drops_report_wrapped(dt);
	consume_expired(dt->consume);
	if (!err)
		err = MIN(consume_drain_all(dt->consume), 0);
	if (!err && consume_writes(dt->consume) && !record_silent(dt))
		err = consume_write_exit(dt->consume, dt->lost->total);
	if (!err)
		err = expose_end(dt, out);
	if (fflush(out) && !err)
		err = -errno;
	failed = err < 0 && err != -EPIPE && !dt->loop->quiet_end;
	if (failed)
		failed_to_stop(dt, "print", err);
	else if (end)
		failed = failed_to_stop(dt, "run END", end);
	consume_restore(dt->consume);
	consume_write_close(dt->consume);
	return record_end(dt) < 0 || failed ? -1 : 0;
}
