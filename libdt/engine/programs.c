/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program for one function that the kernel refuses hands its probe to the one that serves the
 * whole group (see plan/choose.c), when it is loaded or when it is attached.
 */
#include "libdt/engine/programs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/sys.h"
#include "libdt/engine/follow.h"
#include "libdt/process/foreign.h"

static void refuse(struct program *pl, int err)
{
	pl->refused = err;
	vec_push(&pl->fallback->targets, pl->targets.v[0]);
	pl->targets.n = 0;
	prog_close(&pl->prog);
}

/* -x cgroup; no program asks for it where all fire for the whole system. */
static int choose_cgroup(struct program_set *set)
{
	uint32_t key = 0;

	return set->has_cgroup && set->maps.cgroups.fd >= 0
		   ? map_update(&set->maps.cgroups, &key, &set->cgroup, BPF_ANY)
		   : 0;
}

int programs_load(struct program_set *set, struct strbuf *log, bool verbose,
		  struct program **failed)
{
	int err = 0;

	*failed = NULL;
	/* those for one function first, for they may be refused */
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < set->programs.n; i++) {
			struct program *pl = set->programs.v[i];

			if ((pl->fallback ? 0 : 1) != pass ||
			    (!pl->targets.n && !pl->support && !pl->late))
				continue;
			err = prog_load(&pl->prog, set->feats,
					pl->fallback && !verbose ? NULL : log, verbose);
			if (err && pl->fallback) {
				refuse(pl, err);
			} else if (err) {
				*failed = pl;
				return err;
			}
		}
	}
	if (set->follows && (err = follow_begin(set)))
		return err;
	return choose_cgroup(set);
}

struct attaching {
	struct program_set *set;
	const struct programs_watch *watch;
	const char *what;
	int done, of;
	int reported; /* of the last report */
};

static bool on_target(void *arg, int done)
{
	struct attaching *a = arg;

	a->reported = a->done + done;
	return !a->watch || a->watch->fn(a->watch->arg, a->what, a->done + done, a->of);
}

/* The table in which a program without cookies looks its probes up. */
static int fill_addresses(struct program *pl)
{
	uint64_t addrs[HOOK_ADDRESSES];
	int rc = 0;

	for (int i = 0; i < pl->targets.n && !rc; i++) {
		const struct probe *probe = pl->targets.v[i];
		int n = hook_addresses(&probe->target, addrs);

		for (int k = 0; k < n && !rc; k++)
			rc = map_update(&pl->table, &addrs[k], &probe->index, BPF_ANY);
	}
	return rc;
}

/* What became of the targets. Functions may be left out, unless they were asked for by name (or
 * none is left: see lost()). */
static int settle(struct program_set *set, struct program *pl, const struct hook_job *job,
		  struct probe **failed)
{
	int bad = 0;

	for (int i = 0; i < job->n; i++)
		bad += job->errors[i] != 0;
	for (int i = 0; i < job->n && bad; i++) {
		struct probe *probe = pl->targets.v[i];

		if (!job->errors[i])
			continue;
		if (!(probe_is_function(probe) || probe_is_user(probe)) || probe->named) {
			*failed = probe;
			return job->errors[i];
		}
		if (!set->left_out++) {
			set->first_left_out = probe;
			set->first_error = job->errors[i];
		}
		if (bad == job->n)
			pl->error = job->errors[i];
	}
	return 0;
}

/* A program all of whose targets were left out, and there is no other for the same clauses, as
 * for returns beside entries: 0 or -errno. */
static int lost(struct program_set *set, struct probe **failed)
{
	for (int i = 0; i < set->programs.n; i++) {
		struct program *pl = set->programs.v[i];
		bool any = !pl->error;

		for (int j = 0; j < set->programs.n && !any; j++) {
			const struct program *other = set->programs.v[j];

			any = other->targets.n && !other->error &&
			      other->clauses.v[0] == pl->clauses.v[0];
		}
		if (any)
			continue;
		*failed = pl->targets.v[0];
		return pl->error;
	}
	return 0;
}

/* Fills in what is attached where: the probes from the n-th on. */
static void describe(const struct program_set *set, struct program *pl, int n, struct hook_job *job,
		     const struct target **targets, uint64_t *cookies)
{
	for (int i = 0; i < job->n; i++) {
		targets[i] = &pl->targets.v[n + i]->target;
		cookies[i] = pl->targets.v[n + i]->index | (uint64_t)targets[i]->only << 32;
	}
	job->targets = targets;
	job->cookies = cookies;
	job->patience_ns = set->patience_ns;
	job->fuse = set->fuse;
}

static bool is_watchpoint(const struct probe *probe)
{
	return probe->hook == HOOK_PERF && probe->target.perf &&
	       probe->target.perf->type == PERF_TYPE_BREAKPOINT;
}

static int attach_all(struct attaching *a, struct program *pl, struct probe **failed)
{
	struct hook_job job = {
	    .prog_fd = pl->prog.fd,
	    .n = pl->targets.n,
	    .watch = on_target,
	    .arg = a,
	};
	struct feats *feats = a->set->feats;
	const struct target **targets;
	uint64_t *cookies;
	int rc = 0;

	if (pl->one_target)
		job.n = 1;
	targets = xcalloc(job.n, sizeof(*targets));
	cookies = xcalloc(job.n, sizeof(*cookies));
	job.errors = xcalloc(job.n, sizeof(*job.errors));
	describe(a->set, pl, 0, &job, targets, cookies);
	if (pl->probes.n == 1 || pl->one_target ||
	    hook_dispatch(feats, pl->hook) != DISPATCH_COOKIE)
		job.cookies = NULL;
	if (pl->probes.n > 1 && hook_dispatch(feats, pl->hook) == DISPATCH_ADDRESS)
		rc = fill_addresses(pl);
	*failed = pl->targets.v[0];
	if (!rc && (pl->hook == HOOK_KPROBE || pl->hook == HOOK_KRETPROBE) &&
	    !feat(feats, FEAT_KPROBE))
		rc = -EOPNOTSUPP;
	if (!rc && is_watchpoint(pl->targets.v[0]) && !feat(feats, FEAT_WATCHPOINT))
		rc = -EOPNOTSUPP;
	if (!rc)
		rc = hook_attach_many(pl->hook, &job, &a->set->links);
	if (!rc)
		rc = settle(a->set, pl, &job, failed);
	free(job.errors);
	free(cookies);
	free(targets);
	return rc;
}

int programs_attach_more(struct program_set *set, struct program *pl, int first, int *errors)
{
	struct hook_job job = {
	    .prog_fd = pl->prog.fd,
	    .n = pl->targets.n - first,
	    .errors = errors,
	};
	const struct target **targets = xcalloc(job.n, sizeof(*targets));
	uint64_t *cookies = xcalloc(job.n, sizeof(*cookies));
	int rc;

	describe(set, pl, first, &job, targets, cookies);
	if (hook_dispatch(set->feats, pl->hook) != DISPATCH_COOKIE)
		job.cookies = NULL;
	rc = hook_attach_many(pl->hook, &job, &set->links);
	free(cookies);
	free(targets);
	return rc;
}

static int attach_one(struct attaching *a, struct program *pl)
{
	int rc = hook_attach(pl->hook, pl->prog.fd, &pl->targets.v[0]->target, 0, &a->set->links);

	if (rc) {
		refuse(pl, rc);
		return prog_load(&pl->fallback->prog, a->set->feats, NULL, false);
	}
	return on_target(a, 1) ? 0 : -EINTR;
}

static int attach(struct attaching *a, struct program *pl, struct probe **failed)
{
	int rc;

	if (pl->support)
		return hook_attach(pl->hook, pl->prog.fd, &pl->target, 0, &a->set->links);
	*failed = pl->targets.v[0];
	rc = pl->fallback ? attach_one(a, pl) : attach_all(a, pl, failed);
	a->done += pl->targets.n;
	return rc;
}

/*
 * Our own bookkeeping first, then what may be refused. Programs on one target run in the order of
 * their clauses: some hooks run them in the order in which they were attached, some in the reverse
 * order.
 */
enum { TURNS = 4 };

static int turn(const struct program *pl)
{
	return pl->support ? 0 : pl->fallback ? 1 : pl->probes.v[0]->first ? 2 : 3;
}

static bool newest_first(const struct program_set *set, enum hook_kind hook)
{
	return hook_get(hook)->newest_first || (hook == HOOK_KRMULTI && set->returns_newest);
}

/* The i-th program to attach: those of hooks that run the newest first in reverse order. NULL:
 * there is none at this number. */
static struct program *nth_to_attach(const struct program_set *set, int i)
{
	int n = set->programs.n;
	struct program *pl = set->programs.v[i < n ? i : 2 * n - 1 - i];

	return newest_first(set, pl->hook) == (i >= n) ? pl : NULL;
}

int programs_attach(struct program_set *set, const struct programs_watch *watch,
		    struct probe **failed)
{
	struct attaching a = {set, watch, "attaching", 0, 0, 0};
	int rc = 0;

	*failed = NULL;
	for (int i = 0; i < set->programs.n; i++)
		if (set->programs.v[i]->hook != HOOK_RUN)
			a.of += set->programs.v[i]->targets.n;
	for (int pass = 0; pass < TURNS; pass++) {
		for (int i = 0; i < 2 * set->programs.n && !rc; i++) {
			struct program *pl = nth_to_attach(set, i);

			if (pl && pl->hook != HOOK_RUN && turn(pl) == pass &&
			    (pl->targets.n || pl->support))
				rc = attach(&a, pl, failed);
		}
	}
	if (!rc && a.reported < a.of) /* one attachment may serve many probes */
		on_target(&a, 0);
	if (!rc)
		rc = lost(set, failed);
	set->nfunctions = a.of;
	return rc;
}

static void on_detached(void *arg, int done)
{
	on_target(arg, done);
}

void programs_detach(struct program_set *set, const struct programs_watch *watch)
{
	struct attaching a = {set, watch, "detaching", 0, set->links.fds.n, 0};

	hook_detach_watched(&set->links, on_detached, &a);
}

static const char *explain_user(const struct probe *probe, int err, const char **why)
{
	if (probe->target.mistaken)
		*why = "the kernel would decode a vector instruction there as another one";
	else if (err == -SYS_ENOTSUPP)
		*why = "the kernel cannot step over its first instruction";
	else if (err == -EINVAL)
		*why = "no instruction begins there, the file is not mapped as code, or another "
		       "tracer has it with another semaphore";
	else if (err == -EREMOTE)
		*why = "it is on a FUSE file system or a user's overlay, which can stop all "
		       "processes that fork (-x fuse permits it)";
	else if (err == -ETIMEDOUT)
		*why = foreign_refusal(err);
	return "this place of the program cannot be traced: ";
}

const char *programs_explain(const struct probe *probe, int err, const char **why)
{
	static const struct {
		int err;
		const char *text;
	} reasons[] = {
	    {-EOPNOTSUPP, "this kernel has no kprobes"},
	    {-ENOENT, "the kernel has no such function"},
	    {-ESRCH, "the kernel has no such function that can be traced"},
	    {-EADDRNOTAVAIL, "several functions have this name"},
	    {-EINVAL, "the kernel does not allow probes there"},
	    {-EILSEQ, "no instruction begins there"},
	    {-EBUSY, "it has another attachment"},
	};

	*why = strerror(-err);
	if (probe_is_user(probe))
		return explain_user(probe, err, why);
	if (!probe_is_function(probe))
		return "";
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].err == err)
			*why = reasons[i].text;
	return probe->target.offset ? "this instruction cannot be traced: "
				    : "this function cannot be traced: ";
}

/* Running ----------------------------------------------------------------- */

/* Programs that dtrace runs itself (BEGIN, END, ERROR) run on the CPUs of -x cpu, too. Whether
 * there was something to change. */
static bool bind_to_cpus(const struct program_set *set, cpu_set_t *before)
{
	cpu_set_t wanted;

	CPU_ZERO(&wanted);
	for (int i = 0; i < set->ncpu_ranges; i++)
		for (int cpu = set->cpus[i].first; cpu <= set->cpus[i].last && cpu < CPU_SETSIZE;
		     cpu++)
			CPU_SET(cpu, &wanted);
	return set->ncpu_ranges && !sched_getaffinity(0, sizeof(*before), before) &&
	       !sched_setaffinity(0, sizeof(wanted), &wanted);
}

int programs_fire(struct program_set *set, const char *name, const uint64_t *args, int nargs)
{
	if (set->runner)
		return set->runner(set->runner_arg, name, args, nargs);
	for (int i = 0; i < set->programs.n; i++) {
		struct program *pl = set->programs.v[i];
		cpu_set_t before;
		bool bound;
		int err;

		if (pl->hook != HOOK_RUN || pl->support || strcmp(pl->probes.v[0]->name, name))
			continue;
		bound = bind_to_cpus(set, &before);
		err = prog_run(&pl->prog, args, nargs, NULL);
		if (bound)
			sched_setaffinity(0, sizeof(before), &before);
		if (err)
			return err;
	}
	return 0;
}

bool programs_drops(struct program_set *set, int cpu, uint64_t drops[DROP_COUNT])
{
	struct ctl *ctl = set->maps.ctl.mem;
	uint64_t *at;
	bool any = false;

	if (!ctl)
		return false;
	at = ctl->cpus[cpu].drops;
	for (int i = 0; i < DROP_COUNT; i++) {
		if (set->drops_reported) {
			uint64_t now = __atomic_load_n(&at[i], __ATOMIC_RELAXED);

			drops[i] = now - set->drops_reported[cpu][i];
			set->drops_reported[cpu][i] = now;
		} else {
			drops[i] = __atomic_exchange_n(&at[i], 0, __ATOMIC_RELAXED);
		}
		any |= drops[i] != 0;
	}
	return any;
}

uint64_t programs_misses(struct program_set *set)
{
	uint64_t sum = 0;

	for (int i = 0; i < set->programs.n; i++) {
		struct program *pl = set->programs.v[i];
		uint64_t now = prog_misses(&pl->prog);

		sum += now - pl->misses;
		pl->misses = now;
	}
	return sum;
}
