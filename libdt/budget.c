/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit on the CPU time that tracing takes (-x maxcpu).
 *
 * A script that runs for days on many machines meets loads that it was not tried with. This
 * limit keeps what it costs within bounds, and says what the output is worth then.
 *
 * What is measured. The run time of all programs of the session, which the kernel counts while a
 * descriptor is open (BPF_ENABLE_STATS, Linux 5.8), and the CPU time of this process. Their sum is
 * compared with a share of the time of all online CPUs: a limit on the machine's work, which is
 * what its owner can spare, and which means the same on machines of any size.
 *
 * The counting costs more than most programs do: two readings of the clock for each run of any
 * program of the system, 30 to 70 ns. So it is on for a tenth of the time only, twice a second for
 * 50 ms; and what a program that does nothing would have been charged is subtracted. The descriptor
 * ends with dtrace, whatever ends it. Not in the sum, since the kernel counts none of it: how it
 * gets to a program (a breakpoint in a process costs a microsecond), and what programs displace
 * from caches. In the sum, though it costs nothing: the time for which a program is preempted.
 *
 * What is done. Of the programs that may be sampled, the most expensive is sampled at half its
 * rate, again and again until the rest fits: one firing in N is carried out, and the others leave
 * the program at its first instructions. N is a power of two, up to 1024; a firing that is left out
 * still costs some ns, so a larger N would save nothing. What aggregating functions add up is
 * multiplied by N when it is added, so that totals are estimates whatever N was meanwhile.
 *
 * Which firings: the gaps between those that count are random numbers, exponentially distributed
 * with the mean N - 1. Each N-th firing would, of a load that alternates between two keys, see only
 * one of them. A random number for each firing would be as good, but costs 40 ns, more than
 * count(); a gap costs that once, and the firings in it decrement a word of their CPU. Gaps of that
 * distribution have no memory: however far one has come when N changes, the firing that ends it
 * counts as the N with which it was drawn, and the estimate stays without bias. Of n firings that
 * were carried out, the standard error of the count is a part of 1 / sqrt(n): 1% of 10,000. (A
 * program that interrupts another one of its CPU between the reading of the word and its writing
 * undoes a part of a gap. That is rare enough.)
 *
 * Which clauses may be left out of a firing (lang/sample.c):
 *
 * - Those that only aggregate, with count(), sum(), avg(), stddev() and distributions, whose words
 *   are sums over firings. They may read variables: clauses that assign them are not left out.
 * - Those that also assign clause-local variables, or fill memory of alloca(), if all clauses of
 *   the probe are left out together: nothing sees these afterwards.
 * - Not those that assign other variables: the end of a pair would miss its beginning, or find an
 *   old one. Not those that record, speculate, or act on processes: what they do cannot be
 *   multiplied. And not those with min() and max(), whose results cannot be estimated.
 *
 * So a limit may not be kept. That is reported, with the clause that is to blame, rather than
 * enforced by breaking the script.
 *
 * What it brings. A run costs fixed + rest / N: leaving it out is not free, and clauses that are
 * not sampled run always. Two measurements at different N give the two, and N is not raised for
 * less than a small part of the limit. The machine's other work disturbs measurements, so what was
 * learnt counts less with each one that is above the limit.
 *
 * Hysteresis. Raising N aims at three quarters of what is left for programs. N falls again when for
 * two seconds the doubled cost of a program fits into these, whatever of it is thought to be fixed.
 * As doubling the rate at most doubles the cost, a constant load does not make N oscillate.
 *
 * Rejected: throttling by a token bucket in each program (exact to the millisecond, but totals of
 * bursts are then guesses, and the common case pays for two more memory accesses); detaching
 * expensive probes (pairs break); sampling with the perf subsystem's throttle, which reports
 * nothing.
 */
#include "libdt/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/consumer/consume.h"
#include "libdt/lang/sema.h"
#include "libdt/lang/sym.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/session.h"

enum {
	EVERY_NS = 500000000, /* between two measurements, */
	WINDOW_NS = 50000000, /* each as long */
	PATIENCE = 4,	      /* measurements until N falls, or an overrun is reported */
	MAX_SHIFT = 10,	      /* N is 1 << shift */
	LEAST_PART = 8, /* of the limit: programs get it even if dtrace alone exceeds the limit */
	FEW_RUNS = 200, /* in a measurement, which say nothing about one of them */
	WORTH = 64,	/* as a part of the limit, what is too little to sample for */
	PROGRAMS_NAMED = 3 /* in one report */
};

#define DOUBT 0.8 /* of the learnt cost, with each measurement above the limit */

struct spent {
	struct program *pl;
	uint64_t ns, runs; /* when the measurement began */
	double cost;	   /* percent of all CPU time */
	double fixed;	   /* of that, the part which N does not change, as far as is known */
	uint32_t shift, before;
	/* ns of a run at the last measurement, 0: unknown, and its N; of them, those that are
	 * fixed */
	double per_run, fixed_run;
	uint32_t seen;
};

struct budget {
	int counting; /* the descriptor; -1: no measurement is under way */
	int cpus;
	double limit;			/* percent */
	double floor;			/* ns of a run that are the counting's */
	uint64_t began_ns, own_ns, own; /* of the measurement; of this process's time */
	VEC(struct spent) programs;
	double dtrace, fixed, sampled; /* costs, in percent */
	int calm, over;		       /* measurements in a row */
	bool over_reported;	       /* and it is still so */
};

/* Reports --------------------------------------------------------------------- */

static void warn(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void warn(struct dt *dt, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	message(dt, DT_MSG_WARNING, sb_str(&sb));
	sb_free(&sb);
}

static char *name_of(const struct program *pl)
{
	const struct probe *p = pl->probes.v[0];
	char *more = pl->probes.n > 1 ? xasprintf(" and %d more probe%s", pl->probes.n - 1,
						  pl->probes.n > 2 ? "s" : "")
				      : NULL;
	char *name =
	    xasprintf("%s:%s:%s:%s%s", p->prov, p->mod, p->func, p->name, more ? more : "");

	free(more);
	return name;
}

static void report_changed(struct dt *dt, const struct spent *s, double cost)
{
	const char *limit = opt_text(&dt->opts, OPT_MAXCPU);
	char *name = name_of(s->pl);

	if (!s->shift)
		warn(dt, "-x maxcpu=%s: all firings of %s are counted again", limit, name);
	else
		warn(dt,
		     "-x maxcpu=%s: one of %u firings of %s is counted, as %u; tracing took %.2f%% "
		     "of CPU time",
		     limit, 1U << s->shift, name, 1U << s->shift, cost);
	free(name);
}

static void report_changes(struct dt *dt, double cost)
{
	struct budget *b = dt->budget;
	int more = 0;

	for (int i = 0, named = 0; i < b->programs.n; i++) {
		struct spent *s = &b->programs.v[i];

		if (s->shift == s->before)
			continue;
		if (named++ < PROGRAMS_NAMED)
			report_changed(dt, s, cost);
		else
			more++;
	}
	if (more)
		warn(dt, "-x maxcpu=%s: the sampling of %d more programs has changed",
		     opt_text(&dt->opts, OPT_MAXCPU), more);
}

/* The clause that is not sampled of the program that costs most of those. */
static const struct clause *blamed(const struct budget *b)
{
	const struct program *pl = NULL;
	double cost = 0;

	for (int i = 0; i < b->programs.n; i++) {
		const struct spent *s = &b->programs.v[i];

		if (s->pl->sampling == SAMPLE_ALL || s->pl->support || s->cost <= cost)
			continue;
		cost = s->cost;
		pl = s->pl;
	}
	for (int i = 0; pl && i < pl->clauses.n; i++)
		if (pl->clauses.v[i]->sampling == SAMPLE_NEVER)
			return pl->clauses.v[i];
	return NULL;
}

static void report_over(struct dt *dt)
{
	const struct budget *b = dt->budget;
	const struct clause *c = blamed(b);
	struct strbuf place = {0};

	if (c)
		loc_put(&place, " at ", c->unsampled_at);
	warn(dt,
	     "-x maxcpu=%s is exceeded: tracing takes %.2f%% of CPU time, of which dtrace takes "
	     "%.2f%%%s%s%s%s%s",
	     opt_text(&dt->opts, OPT_MAXCPU), b->fixed + b->sampled, b->dtrace,
	     c ? "; a clause that costs much is not sampled, because it " : "",
	     c ? c->unsampled : "", c ? sb_str(&place) : "",
	     !c && b->sampled > b->fixed ? "; the rest is the cost of firings that are not counted"
					 : "",
	     b->dtrace > b->limit / 2 ? "; print less, or less often, to reduce what dtrace takes"
				      : "");
	sb_free(&place);
}

/* What is sampled --------------------------------------------------------------- */

static uint32_t factor_of(const struct budget *b, const struct aggr *ag)
{
	uint32_t most = 1;

	for (int i = 0; i < b->programs.n; i++) {
		const struct spent *s = &b->programs.v[i];

		for (int j = 0; j < s->pl->clauses.n && most < 1U << s->shift; j++) {
			const struct clause *c = s->pl->clauses.v[j];

			for (int k = 0; k < c->sampled_aggs.n; k++)
				if ((uint32_t)c->sampled_aggs.v[k]->index == ag->id &&
				    (s->pl->sampling == SAMPLE_ALL || c->sampling == SAMPLE_ANY))
					most = 1U << s->shift;
		}
	}
	return most;
}

/* Aggregations know their factor from before it is used until it is not used any more. */
static void set_factors(struct dt *dt)
{
	for (int i = 0; i < dt->aggrs->v.n; i++) {
		struct aggr *ag = dt->aggrs->v.v[i];
		uint32_t of = factor_of(dt->budget, ag);

		if (of != MAX(ag->sampled_now, 1))
			consume_sampled(dt->consume, ag, of);
	}
}

static void set_rates(struct dt *dt)
{
	struct budget *b = dt->budget;
	uint32_t *rates = dt->set->maps.sampling.mem;

	for (int i = 0; rates && i < b->programs.n; i++)
		__atomic_store_n(&rates[b->programs.v[i].pl->sample_row], b->programs.v[i].shift,
				 __ATOMIC_RELAXED);
}

static struct spent *most_expensive(struct budget *b)
{
	struct spent *most = NULL;

	for (int i = 0; i < b->programs.n; i++) {
		struct spent *s = &b->programs.v[i];

		if (s->pl->sampling != SAMPLE_NONE && s->shift < MAX_SHIFT &&
		    s->cost - s->fixed > b->limit / WORTH &&
		    (!most || s->cost - s->fixed > most->cost - most->fixed))
			most = s;
	}
	return most;
}

static void sample_more(struct budget *b, double aim)
{
	double sum = b->sampled, saved;
	struct spent *s;

	while (sum > aim && (s = most_expensive(b))) {
		saved = (s->cost - s->fixed) / 2;
		s->shift++;
		s->cost -= saved;
		sum -= saved;
	}
}

static struct spent *cheapest(struct budget *b)
{
	struct spent *least = NULL;

	for (int i = 0; i < b->programs.n; i++) {
		struct spent *s = &b->programs.v[i];

		if (s->shift && (!least || s->cost < least->cost))
			least = s;
	}
	return least;
}

static bool sample_less(struct budget *b, double aim)
{
	double sum = b->sampled;
	struct spent *s;
	bool any = false;

	while ((s = cheapest(b)) && sum + s->cost <= aim) {
		s->shift--;
		sum += s->cost;
		s->cost *= 2;
		any = true;
	}
	return any;
}

/* Measuring ----------------------------------------------------------------------- */

static uint64_t own_time(void)
{
	struct rusage r;

	if (getrusage(RUSAGE_SELF, &r))
		return 0;
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000000ull +
	       (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1000ull;
}

static void measure_begin(struct budget *b, uint64_t now)
{
	b->counting = sys_count_time();
	b->began_ns = now;
	for (int i = 0; i < b->programs.n; i++)
		prog_time(&b->programs.v[i].pl->prog, &b->programs.v[i].ns, &b->programs.v[i].runs);
}

/* What a run costs is fixed + rest / N: two measurements at different N give both. */
static void learn_fixed(struct spent *s, double per_run)
{
	double n = 1U << s->shift, seen = 1U << s->seen,
	       fixed = n == seen ? s->fixed_run : (per_run * n - s->per_run * seen) / (n - seen);

	if (s->per_run > 0 && n != seen)
		s->fixed_run = MAX(fixed, 0);
	s->per_run = per_run;
	s->seen = s->shift;
}

static void measure_program(const struct budget *b, struct spent *s, uint64_t window)
{
	uint64_t ns, runs, n;
	double time;

	prog_time(&s->pl->prog, &ns, &runs);
	n = runs < s->runs ? 0 : runs - s->runs; /* less than before: it was loaded anew */
	time = n ? (ns - s->ns) - n * b->floor : 0;
	time = MAX(time, 0);
	if (n >= FEW_RUNS)
		learn_fixed(s, time / n);
	s->cost = 100 * time / window / b->cpus;
	s->fixed = MIN(100 * n * s->fixed_run / window / b->cpus, s->cost);
	s->before = s->shift;
}

static void measure_end(struct budget *b, uint64_t now)
{
	uint64_t own = own_time();

	b->dtrace = 100.0 * (own - b->own) / (now - b->own_ns) / b->cpus;
	b->own = own;
	b->own_ns = now;
	b->fixed = b->dtrace;
	b->sampled = 0;
	for (int i = 0; i < b->programs.n; i++) {
		struct spent *s = &b->programs.v[i];

		measure_program(b, s, now - b->began_ns);
		*(s->pl->sampling == SAMPLE_NONE ? &b->fixed : &b->sampled) += s->cost;
	}
	close(b->counting);
	b->counting = -1;
}

/* Measurements are noisy: what was learnt is tried again as long as the limit is exceeded. */
static void doubt_fixed(struct budget *b)
{
	for (int i = 0; i < b->programs.n; i++) {
		b->programs.v[i].fixed *= DOUBT;
		b->programs.v[i].fixed_run *= DOUBT;
	}
}

static void decide(struct dt *dt)
{
	struct budget *b = dt->budget;
	double cost = b->fixed + b->sampled, room = MAX(b->limit - b->fixed, b->limit / LEAST_PART),
	       aim = room * 3 / 4;

	message_debug(dt, "tracing takes %.3f%% of CPU time, of which dtrace takes %.3f%%", cost,
		      b->dtrace);
	b->calm = b->sampled > aim ? 0 : b->calm + 1;
	b->over = cost > b->limit ? b->over + 1 : 0;
	if (b->sampled > room) {
		doubt_fixed(b);
		sample_more(b, aim);
	}
	if (b->calm >= PATIENCE && sample_less(b, aim))
		b->calm = 0;
	report_changes(dt, cost);
	for (int i = 0; i < b->programs.n; i++)
		if (b->programs.v[i].shift != b->programs.v[i].before)
			b->over = 0; /* let us see what it does */
	if (!b->over && cost <= b->limit)
		b->over_reported = false;
	if (b->over >= PATIENCE && !b->over_reported) {
		b->over_reported = true;
		report_over(dt);
	}
	set_factors(dt);
	set_rates(dt);
}

void budget_work(struct dt *dt, uint64_t now, uint64_t *next)
{
	struct budget *b = dt->budget;
	uint64_t due;

	if (!b)
		return;
	if (b->counting >= 0 && now >= b->began_ns + WINDOW_NS) {
		measure_end(b, now);
		decide(dt);
	} else if (b->counting < 0 && now >= b->began_ns + EVERY_NS) {
		measure_begin(b, now);
	}
	due = b->began_ns + (b->counting < 0 ? EVERY_NS : WINDOW_NS);
	*next = MIN(*next, due);
}

int budget_start(struct dt *dt)
{
	struct budget *b;
	int fd, cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!opt_text(&dt->opts, OPT_MAXCPU))
		return 0;
	fd = sys_count_time();
	if (fd < 0)
		return report_error(
		    dt,
		    "failed to set -x maxcpu: the kernel does not count the time of "
		    "programs: %s",
		    strerror(-fd));
	b = dt->budget = xcalloc(1, sizeof(*b));
	b->floor = prog_time_floor();
	close(fd);
	b->counting = -1;
	b->cpus = MAX(cpus, 1);
	b->limit = (double)opt_num(&dt->opts, OPT_MAXCPU) / PERCENT;
	b->own_ns = b->began_ns = clock_ns(CLOCK_MONOTONIC);
	b->own = own_time();
	for (int i = 0; i < dt->set->programs.n; i++)
		vec_push(&b->programs, ((struct spent){.pl = dt->set->programs.v[i]}));
	message_debug(dt, "counting the time of programs takes %d ns of each run", (int)b->floor);
	return 0;
}

void budget_end(struct dt *dt)
{
	for (int i = 0; dt->budget && i < dt->aggrs->v.n; i++) {
		const struct aggr *ag = dt->aggrs->v.v[i];

		if (ag->sampled > 1)
			warn(dt,
			     "@%s is an estimate: with -x maxcpu, one of up to %u firings was "
			     "counted",
			     strcmp(ag->name, "_") ? ag->name : "", ag->sampled);
	}
}

void budget_free(struct dt *dt)
{
	if (!dt->budget)
		return;
	if (dt->budget->counting >= 0)
		close(dt->budget->counting);
	vec_free(&dt->budget->programs);
	free(dt->budget);
}
