/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The API, and the order of the phases. */
#include "libdt/dt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/builtin/builtin.h"
#include "libdt/consume/consume.h"
#include "libdt/consume/ksym.h"
#include "libdt/event.h"
#include "libdt/poller.h"
#include "libdt/provider/prov.h"
#include "libdt/run/sysstat.h"
#include "libdt/run/pidns.h"
#include "libdt/run/proc.h"
#include "libdt/run/signals.h"
#include "libdt/session.h"
#include "libdt/user/mmap_events.h"

int dt_fail(struct dt *dt, const char *fmt, ...)
{
	va_list ap;

	dt->error.len = dt->error_lines.len = 0;
	va_start(ap, fmt);
	escape_vprintf(&dt->error, fmt, ap);
	va_end(ap);
	return -1;
}

void dt_on_progress(struct dt *dt, int (*fn)(void *arg, const char *what, int done, int of),
		    void *arg)
{
	dt->progress = fn;
	dt->progress_arg = arg;
}

struct ctl *dt_ctl(struct dt *dt)
{
	return dt->set.maps.ctl.mem;
}

enum { WATCH_NS = 50000000 };

/* Reports the progress of attaching and detaching. */
bool dt_watch(void *arg, const char *what, int done, int of)
{
	struct dt *dt = arg;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (now - dt->watched_ns >= WATCH_NS || done == of) {
		dt->watched_ns = now;
		usyms_catch_up(dt->usyms); /* its rings fill up meanwhile */
		if (dt->progress && dt->progress(dt->progress_arg, what, done, of))
			return false;
	}
	return true;
}

static void detach(struct dt *dt)
{
	struct programs_watch w = {dt_watch, dt};

	programs_detach(&dt->set, &w);
}

struct dt *dt_open(void)
{
	struct dt *dt = xcalloc(1, sizeof(*dt));

	dt->opened_ns = clock_ns(CLOCK_MONOTONIC);
	dt->arena = arena_new();
	opts_init(&dt->opts);
	dt->feats = feats_new();
	program_set_init(&dt->set, dt->feats);
	dt->signals = -1;
	dt->procs = procs_new();
	return dt;
}

void dt_close(struct dt *dt)
{
	if (!dt)
		return;
	detach(dt);
	ring_close(dt->ring);
	if (dt->signals >= 0)
		close(dt->signals);
	poller_free(dt->poller);
	late_attach_free(dt);
	expose_free(dt);
	if (dt->consume)
		consume_free(dt->consume);
	free(dt->consume);
	record_free(dt);
	leave_free(dt);
	plan_free(&dt->plan);
	program_set_free(&dt->set);
	if (dt->aggrs)
		aggrs_free(dt->aggrs);
	syms_free(dt->syms);
	usyms_free(dt->usyms);
	cgroups_free(dt->cgroups);
	replay_free(dt);
	reader_free(dt);
	unwind_free(dt->unwinder);
	if (dt->probes)
		probes_free(dt->probes);
	if (dt->types)
		types_free(dt->types);
	foreign_free(dt->foreign);
	fault_free(dt);
	fault_order_free(dt);
	event_free(dt);
	hash_free(&dt->type_names);
	script_test_free(dt);
	compile_free(dt);
	if (opt_on(&dt->opts, OPT_KEEPCMD))
		proc_keep(dt->procs);
	procs_free(dt->procs);
	pidns_free(dt->pidns);
	feats_free(dt->feats);
	opts_free(&dt->opts);
	sb_free(&dt->error);
	sb_free(&dt->error_lines);
	sb_free(&dt->warnings_out);
	arena_free(dt->arena);
	if (dt->nowhere)
		fclose(dt->nowhere);
	free(dt);
}

void dt_carets(struct dt *dt, bool on, bool colour)
{
	dt->carets = on;
	dt->caret_columns = on ? fmt_columns(STDERR_FILENO) : 0;
	dt->colour = colour;
}

int dt_setopt(struct dt *dt, const char *name, const char *value)
{
	char why[200] = "";
	int err = opts_set(&dt->opts, name, value, why, sizeof(why));

	if (!err)
		return 0;
	dt_fail(dt, "failed to set -x %s: %s", name, why);
	return err == -ENOENT ? -2 : -1;
}

static void note_ignored(void *arg, const char *name)
{
	dt_note(arg,
		"the environment may not set %s with these rights: DTRACE_OPT_%s is ignored (use "
		"-x %s)",
		name, name, name);
}

int dt_environment(struct dt *dt)
{
	char why[200] = "";

	if (opts_environment(&dt->opts, note_ignored, dt, why, sizeof(why)) < 0)
		return dt_fail(dt, "failed to set an option by the environment: %s", why);
	return getenv("DTRACE_DEBUG") ? dt_setopt(dt, "debug", NULL) : 0;
}

void dt_options(FILE *out)
{
	opts_help(out);
}

const char *dt_getopt(struct dt *dt, const char *name)
{
	int which = opt_find(name);

	return which < 0 ? NULL : dt->opts.v[which].text;
}

void dt_macro_args(struct dt *dt, int argc, char *const *argv)
{
	dt->argc = argc;
	dt->argv = arena_alloc(dt->arena, (argc + 1) * sizeof(*dt->argv));
	dt->arg_used = arena_alloc(dt->arena, argc + 1);
	for (int i = 0; i < argc; i++)
		dt->argv[i] = arena_strdup(dt->arena, argv[i]);
}

/* Streams ----------------------------------------------------------------- */

void dt_set_stream(struct dt *dt, enum dt_stream which, FILE *out)
{
	if ((unsigned)which < DT_STREAM_COUNT)
		dt->streams[which] = out;
}

FILE *dt_output(struct dt *dt, FILE *out)
{
	if (record_silent(dt))
		out = NULL;
	if (!out && !dt->nowhere)
		dt->nowhere = fopen("/dev/null", "we");
	return out ? out : dt->nowhere;
}

/* Processes --------------------------------------------------------------- */

pid_t dt_run(struct dt *dt, const char *command)
{
	struct strbuf why = {0};
	pid_t pid;

	if (refuse_processes(dt) < 0)
		return -1;
	proc_environment(dt->procs, opt_text(&dt->opts, OPT_SETENV),
			 opt_text(&dt->opts, OPT_UNSETENV));
	pid = proc_run(dt->procs, command, &why);

	if (pid < 0)
		dt_fail(dt, "%s", sb_str(&why));
	sb_free(&why);
	return pid < 0 ? -1 : pid;
}

int dt_grab(struct dt *dt, pid_t pid)
{
	struct strbuf why = {0};
	int err;

	if (refuse_processes(dt) < 0)
		return -1;
	err = proc_grab(dt->procs, pid, &why);
	if (err)
		dt_fail(dt, "%s", sb_str(&why));
	sb_free(&why);
	return err ? -1 : 0;
}

/* Working ----------------------------------------------------------------- */

/* What changes outside of the programs and they read: the time of day, and what is going on. */
void dt_set_clocks(struct dt *dt)
{
	struct ctl *ctl = dt_ctl(dt);
	uint64_t mono = clock_ns(CLOCK_MONOTONIC), wall = clock_ns(CLOCK_REALTIME);

	if (!dt->started_ns) {
		dt->started_ns = mono;
		__atomic_store_n(&ctl->start, mono, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&ctl->wall, wall - mono, __ATOMIC_RELAXED);
	record_wall(dt);
	if (dt->sema.sysstats)
		sysstat_refresh(ctl->sysstats, dt->sema.net_sysstats);
}

/* Ends of speculations that found the ring full. */
static int left_ends(struct dt *dt)
{
	int err = 0, found;
	uint32_t tag;
	bool commit;

	for (int id = 1; !err && (found = spec_left_end(&dt->set, id, &tag, &commit)) >= 0; id++)
		if (found) {
			err = consume_left_end(dt->consume, tag, commit, clock_ns(CLOCK_MONOTONIC));
			spec_free_id(&dt->set, id);
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

int dt_drain_all(struct dt *dt, FILE *out)
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

	dt->drops += n;
	dt->drops_of[kind] += n;
	message_send(dt, &(struct dt_message){.severity = DT_MSG_DROP,
					      .tag = tags[kind],
					      .text = text,
					      .drop = kind,
					      .count = n,
					      .cpu = cpu});
	consume_report(dt->consume, clock_ns(CLOCK_MONOTONIC), tags[kind], n, cpu, text);
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
void dt_report_wrapped(struct dt *dt)
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

void dt_report_drops(struct dt *dt)
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
	uint64_t n[DROP_COUNT], sum[DROP_COUNT] = {0};

	if (!dt->going)
		return;
	for (int cpu = 0; cpu < dt->set.ncpus; cpu++) {
		if (!programs_drops(&dt->set, cpu, n))
			continue;
		for (int i = 0; i < DROP_COUNT; i++)
			if (texts[i].per_cpu)
				report_drop(dt, &texts[i], n[i], cpu);
			else
				sum[i] += n[i];
	}
	for (int i = 0; i < DROP_COUNT; i++)
		report_drop(dt, &texts[i], sum[i], 0);
	report_drop(dt, &spec, specs_drops(dt->consume->specs), 0);
	report_drop(dt, &missed, dt->misses, 0); /* known when tracing has stopped */
	dt->misses = 0;
	if (dt->consume->hold)
		report_drop(dt, &large, bufpolicy_drops(dt->consume->hold), 0);
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
	int64_t rate = opt_num(&dt->opts, OPT_AGGRATE), every = dt->aggr_every;

	if (dt->opts.v[OPT_AGGRATE].set)
		return rate;
	if (!every)
		every = 20000000;
	else if (dt->set.counts.fill >= 20)
		every = MAX(every / 8, 5000000);
	else if (dt->set.counts.fill < 5)
		every *= 2;
	return MIN(every, rate);
}

static int read_aggregations(struct dt *dt)
{
	int err = aggrs_snapshot(dt->aggrs);

	dt->aggr_every = aggr_rate(dt);
	return err;
}

/* What is done at rates. Returns when the next of it is due. */
static uint64_t periodic(struct dt *dt, int *err)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), next = now + 1000000000ull;

	if (!dt->aggr_every)
		dt->aggr_every = aggr_rate(dt);
	if (dt->aggrs->v.n && due(&dt->last_aggr, now, dt->aggr_every, &next))
		*err = read_aggregations(dt);
	if (due(&dt->last_status, now, opt_num(&dt->opts, OPT_STATUSRATE), &next)) {
		dt_report_drops(dt);
		dt_set_clocks(dt);
	}
	return next;
}

enum { STOPPED_MS = 5 }; /* how often to look whether a command waits for us */
enum { WAIT_FDS = 64 };

/* What wakes us: a program, a change of a process, a signal. *until is lowered where we have to
 * look more often. */
static int wait_fds(struct dt *dt, struct pollfd *fds, uint64_t *until)
{
	int n = 0, limit = late_attach_stops(dt) ? STOPPED_MS : -1;

	if (dt->ring)
		fds[n++] = (struct pollfd){.fd = ring_fd(dt->ring), .events = POLLIN};
	if (dt->mapwatch)
		fds[n++] = (struct pollfd){.fd = mmap_events_fd(dt->mapwatch), .events = POLLIN};
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

static int drain_error(struct dt *dt, int err)
{
	if (err == -EPIPE)
		dt->quiet_end = true; /* the reader closed the pipe: end as on exit() */
	else
		dt_fail(dt, "failed to print: %s", strerror(-err));
	return DT_WORK_ERROR;
}

/* Reports the processes that have ended; true when all processes of -c, -p and -W have. */
static bool processes_ended(struct dt *dt)
{
	struct strbuf news = {0};

	proc_poll(dt->procs, &news);
	for (const char *at = sb_str(&news); *at && !opt_on(&dt->opts, OPT_QUIET);
	     at += strcspn(at, "\n") + 1)
		dt_note(dt, "%.*s", (int)strcspn(at, "\n"), at);
	if (news.len)
		consume_report(dt->consume, clock_ns(CLOCK_MONOTONIC), NULL, 0, -1, news.s);
	sb_free(&news);
	return proc_all_done(dt->procs);
}

/* 1: a signal has come that there is a probe for; or -errno. */
static int fire_signals(struct dt *dt)
{
	uint64_t args[2];
	const char *name = signals_next(dt->signals, args);

	return name ? programs_fire(&dt->set, name, args, 2) ?: 1 : 0;
}

/*
 * Records are read as they come, or at switchrate where that is set; then earlier only when half
 * of the ring is full, or tracing stops. Returns for how many ns they are still gathered, which is
 * short: programs do not wake us meanwhile.
 */
static uint64_t gather_ns(struct dt *dt, uint64_t now)
{
	uint64_t rate = opt_num(&dt->opts, OPT_SWITCHRATE), since = now - dt->last_read;
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
		return dt_fail(dt, "tracing has %s", dt->stopped ? "ended" : "not begun"),
		       DT_WORK_ERROR;
	out = dt_output(dt, out);
	sleeping = &dt_ctl(dt)->sleeping;
	__atomic_store_n(sleeping, 0, __ATOMIC_SEQ_CST);
	stopped = *(volatile uint32_t *)&dt_ctl(dt)->stopped;
	gather = stopped ? 0 : gather_ns(dt, now);
	if (!gather) {
		n = drain(dt, out);
		dt->last_read = now;
	}
	if (n < 0)
		return drain_error(dt, n), dt->quiet_end ? DT_WORK_DONE : DT_WORK_ERROR;
	if (fflush(out))
		return drain_error(dt, -errno), dt->quiet_end ? DT_WORK_DONE : DT_WORK_ERROR;
	if (dt->consume->exited || (dt->consume->hold && bufpolicy_full(dt->consume->hold)))
		return DT_WORK_DONE;
	*rest = (struct rest){.pause = gather ? gather : 1000000};
	/* exit() in a clause that faulted: its record never comes, but another CPU's may be on
	 * its way */
	if (stopped && !n) {
		if (dt->stop_seen)
			return DT_WORK_DONE;
		dt->stop_seen = true;
		return DT_WORK_GOING;
	}
	fired = stopped ? 0 : fire_signals(dt);
	if (fired < 0)
		return dt_fail(dt, "failed to run the probe of a signal: %s", strerror(-fired)),
		       DT_WORK_ERROR;
	late_attach_run(dt);
	report_warnings(dt);
	fault_report_more(dt, false);
	if (processes_ended(dt))
		return DT_WORK_DONE;
	next = periodic(dt, &err);
	if (err)
		return dt_fail(dt, "failed to read aggregations: %s", strerror(-err)),
		       DT_WORK_ERROR;
	if (record_flush(dt) < 0)
		return DT_WORK_ERROR;
	expose_work(dt, &next);
	if (n || fired || gather) /* busy: a batch is cheaper than to wake up for each record */
		return DT_WORK_GOING;
	__atomic_store_n(sleeping, 1, __ATOMIC_SEQ_CST);
	n = drain(dt, out); /* what came between the last look and the word */
	if (!n && consume_due(dt->consume))
		next = MIN(next, consume_due(dt->consume));
	*rest = (struct rest){.until = n ? 0 : next};
	if (n < 0)
		return drain_error(dt, n), dt->quiet_end ? DT_WORK_DONE : DT_WORK_ERROR;
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
	__atomic_store_n(&dt_ctl(dt)->sleeping, 0, __ATOMIC_SEQ_CST);
	return work;
}

int dt_fd(struct dt *dt)
{
	if (!dt->going || dt->stopped)
		return dt_fail(dt, "tracing has %s", dt->stopped ? "ended" : "not begun");
	if (!dt->poller)
		dt->poller = poller_new();
	if (!dt->poller || poller_set(dt->poller, NULL, 0, 0))
		return dt_fail(dt, "cannot make a descriptor to wait for: %s", strerror(errno));
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
		return dt_fail(dt, "cannot wait: %s", strerror(-err)), DT_WORK_ERROR;
	return work;
}

void dt_interrupted(struct dt *dt)
{
	record_interrupt(dt);
}

int dt_stop(struct dt *dt, FILE *out)
{
	int err;

	if (!dt || !dt->going || dt->stopped)
		return 0;
	out = dt_output(dt, out);
	dt->stopped = true;
	dt->consume->error = 0; /* END runs all the same */
	__atomic_store_n(&dt_ctl(dt)->stopped, STOP_ENDED, __ATOMIC_SEQ_CST);
	/* firings missed while detaching do not count */
	dt->misses = programs_misses(&dt->set);
	dt_debug(dt, "stopping");
	detach(dt);
	dt_debug(dt, "detached");
	err = dt_drain_all(dt, out);
	if (dt->quiet_end && err == -EPIPE)
		err = 0;
	dt_report_drops(dt); /* drops are reported before the ring is freed */
	if (err >= 0)
		err = consume_release(dt->consume);
	if (!programs_fire(&dt->set, "END", NULL, 0) && err >= 0)
		err = dt_drain_all(dt, out);
	consume_output(dt->consume, out);
	dt->consume->ended = clock_ns(CLOCK_MONOTONIC);
	record_final(dt, true);
	if (err >= 0 && !consume_keeps_aside(dt->consume) && !consume_metrics(&dt->opts))
		fputc('\n', dt->consume->out);
	if (err >= 0)
		err = dt->aggrs->v.n ? aggrs_snapshot(dt->aggrs) : 0;
	if (!err && (record_silent(dt) || !consume_keeps_aside(dt->consume)))
		err = consume_aggregations(dt->consume);
	fault_report_more(dt, true);
	dt_report_drops(dt);
	dt_report_wrapped(dt);
	consume_expired(dt->consume);
	if (!err)
		err = MIN(consume_drain_all(dt->consume), 0);
	if (!err && consume_writes(dt->consume) && !record_silent(dt))
		err = consume_write_exit(dt->consume, dt->drops);
	if (!err)
		err = expose_end(dt, out);
	if (fflush(out) && !err)
		err = -errno;
	consume_restore(dt->consume);
	consume_write_close(dt->consume);
	if (record_end(dt) < 0)
		return -1;
	if (err >= 0 || err == -EPIPE || dt->quiet_end)
		return 0;
	return dt_fail(dt, "failed to print: %s", strerror(-err));
}

int dt_status(const struct dt *dt)
{
	int status = dt && dt->consume ? dt->consume->status : 0;

	if (!dt)
		return 0;
	if (!status && opt_on(&dt->opts, OPT_CMDSTATUS))
		status = proc_status(dt->procs);
	return !status && dt->drops && opt_on(&dt->opts, OPT_STRICT) ? 1 : status;
}

uint64_t dt_drops(const struct dt *dt)
{
	return dt ? dt->drops : 0;
}

uint64_t dt_drops_of(const struct dt *dt, enum dt_drop kind)
{
	return dt && (unsigned)kind < DT_DROP_COUNT ? dt->drops_of[kind] : 0;
}
