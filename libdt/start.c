/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts tracing: loads maps and programs into the kernel, inspects the traced processes, and
 * enables all probes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/ring.h"
#include "libdt/budget.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/detach/detach.h"
#include "libdt/engine/direct_map.h"
#include "libdt/engine/programs.h"
#include "libdt/engine/signals.h"
#include "libdt/engine/snapshot.h"
#include "libdt/engine/sysstat.h"
#include "libdt/engine/unwind.h"
#include "libdt/event.h"
#include "libdt/expose.h"
#include "libdt/fault.h"
#include "libdt/late_attach.h"
#include "libdt/late_probe.h"
#include "libdt/loop.h"
#include "libdt/memory.h"
#include "libdt/message.h"
#include "libdt/plan/plan.h"
#include "libdt/preamble.h"
#include "libdt/process/pidns.h"
#include "libdt/process/proc.h"
#include "libdt/process/wait_exec.h"
#include "libdt/provider/uproc.h"
#include "libdt/record.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/start.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/srcline.h"
#include "libdt/symbols/usym.h"
#include "libdt/totals.h"

/* When the kernel does not let us use BPF at all, or lacks what all programs need, that is the
 * message. */
static bool fail_no_bpf(struct dt *dt, int err)
{
	struct strbuf why = {0};
	/* what a limit or the machine refuses says nothing about the kernel's features */
	bool known =
	    err != -EMFILE && err != -ENFILE && err != -ENOMEM &&
	    (((err == -EPERM || err == -EACCES || err == -ENOSYS) && feat_why_no_bpf(&why)) ||
	     feats_why_unsupported(dt->feats, true, &why));

	if (known)
		report_error(dt, "%s", sb_str(&why));
	sb_free(&why);
	return known;
}

/* Any user's process may have the name, and a tracer or an end before it is taken: then it is
 * another one that is waited for. */
static pid_t wait_for(struct dt *dt, struct wait_exec *aw, const char *name)
{
	struct strbuf why = {0};
	bool reported = false;
	pid_t pid;

	while ((pid = wait_exec_next(aw)) && proc_take(dt->procs, pid, &why) < 0) {
		sb_printf(&why, "; waiting for another process called %s", name);
		if (!reported)
			message_warning(dt, sb_str(&why));
		reported = true;
		sb_free(&why);
		wait_exec_again(aw);
	}
	return pid;
}

pid_t dt_await(struct dt *dt, const char *name)
{
	const char *bad = wait_exec_refuses(name);
	struct strbuf why = {0};
	struct wait_exec *aw;
	pid_t pid = -1;
	int err;

	if (refuse_processes(dt) < 0)
		return -1;
	if (bad)
		return report_error(dt, "failed to wait for a process called '%s': %s", name, bad);
	aw = wait_exec_new(name, dt->feats, &err, &why);
	if (aw) {
		if (!opt_on(&dt->opts, OPT_QUIET))
			message_note(dt, "waiting for a process called %s", name);
		pid = wait_for(dt, aw, name);
		wait_exec_free(aw);
	} else if (!fail_no_bpf(dt, err)) {
		report_error(dt, "failed to wait for a process called '%s': %s", name,
			     strerror(-err));
		if (why.len)
			sb_printf(&dt->messages->error, "\n%s", sb_str(&why));
	}
	sb_free(&why);
	return pid;
}

enum { OLD_KEY_MAX = 512 }; /* what kernels before 5.11 take */

static bool key_has_stack(const struct tuple *key)
{
	for (int i = 0; i < key->n; i++)
		if (key->cols[i].type && key->cols[i].type->kind == T_STACK)
			return true;
	return false;
}

/* Did the kernel refuse a map, or the program that uses it, because of its keys? Reports that. */
static bool fail_key(struct dt *dt, int err)
{
	for (int i = 0; err == -E2BIG && i < dt->script->all.n; i++) {
		const struct sym *sym = dt->script->all.v[i];
		bool agg = sym->kind == SYM_AGG;
		uint32_t size = sym->key.size + (agg ? 8 : 0);

		if ((!agg && sym->kind != SYM_ASSOC) || size <= OLD_KEY_MAX)
			continue;
		report_error(
		    dt, "the keys of %s%s have %u bytes, and this kernel has a limit of %d: use %s",
		    agg ? "@" : "", strcmp(sym->name, "_") ? sym->name : "", size, OLD_KEY_MAX,
		    key_has_stack(&sym->key) ? "fewer frames, as in ustack(20) or by -x "
					       "ustackframes=20 and stackframes=20"
					     : "fewer strings or a smaller strsize");
		return true;
	}
	return false;
}

enum { LOG_LINES = 12 }; /* of the verifier's log, unless all of it is wanted */

/* The verifier gives up on programs with too many branches or steps, however valid. */
static bool log_too_complex(const char *log)
{
	return strstr(log, "jumps is too complex") || strstr(log, "BPF program is too large. P");
}

/* How a program becomes simpler. Of a few clauses that are too much, strings are: their functions
 * are loops. */
static const char *simpler(struct dt *dt, const struct program *pl)
{
	enum { MANY = 500 };

	if (pl && pl->clauses.n >= MANY)
		return arena_printf(dt->arena, "; use fewer clauses than %d at this probe",
				    pl->clauses.n);
	return "; use a smaller strsize, or fewer string functions at this probe";
}

/* The last lines of the log, which have the instruction and the reason. */
static const char *log_tail(const char *log, size_t len)
{
	for (int lines = 0; len; len--)
		if (log[len - 1] == '\n' && log[len] && ++lines == LOG_LINES)
			break;
	return log + len;
}

static int fail_load(struct dt *dt, int err, const struct strbuf *log, const struct program *pl)
{
	bool whole = opt_on(&dt->opts, OPT_VERIFIERLOG);
	bool complex;

	if (err == -EAGAIN)
		return report_error(dt, "interrupted while programs were loaded");
	if (fail_no_bpf(dt, err) || (!log->len && fail_key(dt, err)))
		return -1;
	if (strstr(sb_str(log), "helper bpf_probe_write_user") ||
	    strstr(sb_str(log), "unknown func bpf_probe_write_user"))
		return report_error(dt,
				    "copyout( ) and copyoutstr( ) are refused: this kernel forbids "
				    "writing to processes (lockdown)");
	if (feat(dt->feats, FEAT_BPF) && !feat(dt->feats, FEAT_READ_KERNEL) &&
	    strstr(sb_str(log), "probe_read"))
		return report_error(
		    dt,
		    "failed to load the program of %s:%s:%s:%s: it reads the kernel's memory, "
		    "which this kernel forbids%s",
		    pl ? pl->probes.v[0]->prov : "", pl ? pl->probes.v[0]->mod : "",
		    pl ? pl->probes.v[0]->func : "", pl ? pl->probes.v[0]->name : "",
		    feat_locked_down() ? " (lockdown=confidentiality; integrity allows it)" : "");
	complex = log_too_complex(sb_str(log));
	report_error(dt, "failed to load the program of %s:%s:%s:%s: %s%s",
		     pl && pl->probes.n ? pl->probes.v[0]->prov : "dtrace",
		     pl && pl->probes.n ? pl->probes.v[0]->mod : "",
		     pl && pl->probes.n ? pl->probes.v[0]->func : "",
		     pl && pl->probes.n ? pl->probes.v[0]->name : "support",
		     complex ? "it is too complex for the kernel's verifier" : strerror(-err),
		     complex	? simpler(dt, pl)
		     : log->len ? "; the verifier's log (-x bpflog prints all of it) ends with"
				: "");
	if (log->len && (whole || !complex))
		sb_printf(&dt->messages->error, "\n%s",
			  whole ? log->s : log_tail(log->s, log->len));
	return -1;
}

/*
 * The ring, where its size was chosen: a smaller one will do if the kernel has not so much,
 * unless bufresize=manual. (Of the size that is usual the kernel makes it with the programs.)
 */
static int make_ring(struct dt *dt)
{
	struct map *ring = &dt->set->maps.ring;
	const char *asked = opt_text(&dt->opts, OPT_BUFSIZE);
	bool manual = !strcmp(opt_text(&dt->opts, OPT_BUFRESIZE), "manual"),
	     lowered = dt->plan->ring_cut;
	int err;

	if (!dt->opts.v[OPT_BUFSIZE].set || !dt->set->uses_ring)
		return 0;
	while ((err = manual && lowered ? -ENOMEM : map_create(ring)) == -ENOMEM && !manual &&
	       ring->max_entries > 65536) {
		ring->max_entries /= 2;
		lowered = true;
	}
	if (err)
		return fail_no_bpf(dt, err)
			   ? -1
			   : report_error(dt, "failed to create a buffer of -x bufsize=%s: %s",
					  asked, strerror(-err));
	if (lowered && !opt_on(&dt->opts, OPT_QUIETRESIZE))
		message_note(dt, "buffer size lowered to %um for all CPUs",
			     ring->max_entries >> 20);
	return 0;
}

/* -x cgroup. Where programs are only compiled the group need not exist. */
static bool open_cgroup(struct dt *dt)
{
	const char *word = opt_text(&dt->opts, OPT_CGROUP), *why;

	if (!word)
		return true;
	dt->set->cgroup = cgroups_open(dt->cgroups, word, dt->arena, &why);
	if (dt->set->cgroup < 0)
		report_error(dt, "failed to set -x cgroup: %s", why);
	return dt->set->cgroup >= 0;
}

static int fail_aggregations(struct dt *dt, int err)
{
	if (fail_key(dt, err))
		return -1;
	if (err == -ENOMEM)
		return report_error(dt,
				    "failed to create the maps of aggregations: %s; %s are needed: "
				    "use a smaller aggsize",
				    strerror(-err), memory_of_aggregations(dt));
	return report_error(dt, "failed to create the maps of aggregations: %s", strerror(-err));
}

static int load(struct dt *dt)
{
	struct strbuf log = {0};
	struct program *failed;
	struct program_set *set = dt->set;
	int err;

	if (feats_why_unsupported(dt->feats, false, &log)) {
		report_error(dt, "%s", sb_str(&log));
		sb_free(&log);
		return -1;
	}
	set->patience_ns = opt_num(&dt->opts, OPT_FOREIGNTIME);
	set->fuse = opt_on(&dt->opts, OPT_FUSE);
	if (memory_start(dt) < 0)
		return -1;
	err = map_create(&set->maps.ctl);
	if (!err)
		err = dt->aggrs->v.n ? map_create(&set->maps.aggmem) : 0;
	if (err)
		return fail_no_bpf(dt, err)
			   ? -1
			   : report_error(dt, "failed to create a BPF map: %s", strerror(-err));
	totals_begin(dt, set->sleepers, NULL);
	if (dt->aggrs->v.n && (err = snapshot_create(&dt->set->counts)))
		return fail_aggregations(dt, err);
	if (!open_cgroup(dt))
		return -1;
	dt->aggrs->expire_ns = opt_num(&dt->opts, OPT_AGGEXPIRE);
	if (make_ring(dt) < 0)
		return -1;
	err = programs_load(dt->set, &log, opt_on(&dt->opts, OPT_VERIFIERLOG), &failed);
	if (err)
		fail_load(dt, err, &log, failed);
	else if (log.len)
		message(dt, DT_MSG_VERIFIER, log.s);
	sb_free(&log);
	return err ? -1 : 0;
}

/* Records that wait come first: making tables can take seconds on a slow machine, and names need
 * what disappears with a process and its parents. */
static void on_process(void *arg, pid_t number)
{
	struct dt *dt = arg;
	pid_t pid = dt->pidns ? pidns_here(dt->pidns, number) : number;

	if (pid)
		unwind_see_later(dt->unwinder, pid, number);
}

bool start_make_tables(struct dt *dt)
{
	int left;

	do
		left = unwind_see_next(dt->unwinder);
	while (left && !loop_ended(dt) &&
	       (!dt->ring || ring_produced(dt->ring) == ring_consumed(dt->ring)));
	return left;
}

static void see_process(struct dt *dt, pid_t pid)
{
	pid_t number = dt->pidns ? pidns_kernel(dt->pidns, pid) : pid;

	if (number)
		unwind_see(dt->unwinder, pid, number);
}

/* What is known of before anything fires. */
static void see_processes(struct dt *dt)
{
	pid_t pid, last = 0;

	dt->unwinder = unwind_new(dt->set, dt->foreign, &dt->diag);
	for (int i = 0; (pid = proc_nth(dt->procs, i)); i++)
		see_process(dt, pid);
	for (int i = 0; i < dt->set->probes.n; i++) {
		pid = dt->set->probes.v[i]->target.pid;
		if (pid && pid != last && pid != proc_target(dt->procs))
			see_process(dt, pid);
		last = pid;
		if (dt->set->probes.v[i]->hook == HOOK_URETPROBE)
			proc_suspect(dt->procs,
				     " (an exception does not pass a function whose return "
				     "address a probe replaces; see -x pidret)");
	}
}

/* What does not change, for programs that want it. */
static void set_topology(struct dt *dt)
{
	struct ctl_cpu *at = session_ctl(dt)->cpus;

	for (int cpu = 0; dt->set->uses_topology && cpu < dt->set->ncpus; cpu++)
		sysstat_of_cpu(cpu, &at[cpu].chip, &at[cpu].node);
}

/* Only programs that read pages want to know where they are. */
static void set_pages(struct dt *dt)
{
	struct ctl *ctl = session_ctl(dt);

	if (dt->set->uses_pages) {
		ctl->pages = direct_map_base(dt->feats, &dt->layout);
		message_debug(
		    dt, ctl->pages ? "pages are at %#llx" : "cannot determine the address of pages",
		    (unsigned long long)ctl->pages);
	}
	if (dt->set->uses_direct) {
		ctl->direct = direct_map_direct(dt->feats, &dt->layout, &ctl->table_bits);
		message_debug(dt,
			      ctl->direct ? "memory is at %#llx"
					  : "cannot determine the address of memory",
			      (unsigned long long)ctl->direct);
	}
}

static void report_lines(void *arg, const char *text)
{
	struct dt *dt = arg;

	record_warning(dt, text);
	consume_warn(dt->consume, "%s", text);
}

static bool has_ended(void *arg)
{
	struct dt *dt = arg;

	return dt->stopped || *(volatile uint32_t *)&session_ctl(dt)->stopped;
}

void start_srclines(struct dt *dt)
{
	struct srclines_user user = {report_lines, has_ended, dt};

	if (opt_on(&dt->opts, OPT_SRCLINES))
		usyms_report_lines(dt->usyms, opt_text(&dt->opts, OPT_ADDR2LINEPATH), &user);
}

static int start_consumer(struct dt *dt, FILE *out)
{
	struct program_set *set = dt->set;

	if (set->maps.ring.fd >= 0 && set->uses_ring) {
		dt->ring = ring_open(&set->maps.ring);
		if (!dt->ring)
			return report_error(dt, "failed to map the ring buffer: %s",
					    strerror(errno));
	}
	if (session_make_consumer(dt, out) < 0)
		return -1;
	dt->consume->fmt.target = proc_target(dt->procs);
	if (dt->pidns && dt->consume->fmt.target)
		dt->consume->fmt.target = pidns_kernel(dt->pidns, dt->consume->fmt.target);
	if (dt->usyms && dt->consume->fmt.target)
		usyms_see(dt->usyms, dt->consume->fmt.target);
	start_srclines(dt);
	dt->consume->schema = &dt->set->schema;
	dt->consume->wall = &session_ctl(dt)->wall;
	if (event_start(dt) < 0)
		return -1;
	if (set->ordered)
		consume_ordered(dt->consume, set->early);
	dt->consume->on_error = fault_met;
	dt->consume->on_error_arg = dt;
	dt->consume->on_process = on_process;
	dt->consume->on_process_arg = dt;
	see_processes(dt);
	if (record_start(dt, record_silent(dt)) < 0)
		return -1;
	return expose_start(dt);
}

static void debug_programs(struct dt *dt)
{
	for (int i = 0; i < dt->set->programs.n; i++) {
		const struct program *pl = dt->set->programs.v[i];

		message_debug(dt, "program %d: %d probes, %d instructions", i, pl->probes.n,
			      pl->code ? pl->code->insns.n : 0);
	}
}

/* Attempts that failed and had a fallback were not reported: shows them with -x debug. */
static void debug_refusals(struct dt *dt)
{
	for (int i = 0; i < dt->set->programs.n; i++) {
		const struct program *pl = dt->set->programs.v[i];

		if (pl->refused)
			message_debug(dt, "%s of %s: %s", hook_get(pl->hook)->name,
				      pl->probes.v[0]->func, strerror(-pl->refused));
	}
}

/* The provider may know better than the error does what is wrong. */
static int fail_attach(struct dt *dt, int err, const struct probe *p)
{
	const char *why = NULL, *what = p ? programs_explain(p, err, &why) : "";

	if (p && p->provider->refused && p->provider->refused(dt->probes, p, -err))
		why = p->provider->refused(dt->probes, p, -err);
	return report_error(dt, "failed to enable %s:%s:%s:%s: %s%s", p ? p->prov : "dt",
			    p ? p->mod : "", p ? p->func : "", p ? p->name : "", what,
			    why ? why : strerror(-err));
}

static void warn_left_out(struct dt *dt)
{
	const struct probe *p = dt->set->first_left_out;
	const char *why = "";

	if (dt->set->first_error == -ETIMEDOUT || dt->set->first_error == -EREMOTE)
		programs_explain(p, dt->set->first_error, &why);
	diag_warn(&dt->diag, (struct loc){0},
		  "%d of %d functions cannot be traced, among them %s`%s%s%s", dt->set->left_out,
		  dt->set->nfunctions, p->mod, p->func, *why ? ": " : "", why);
}

/*
 * All probes begin to fire at the same time, when the last of them is in its place: otherwise a
 * script that counts arrivals and departures would stay wrong forever. 0, also when it was
 * interrupted: *all is false then.
 */
static int attach(struct dt *dt, bool *all)
{
	struct programs_watch w = {message_progress, dt};
	struct probe *failed;
	int err;

	__atomic_store_n(&session_ctl(dt)->stopped, STOP_ATTACHING, __ATOMIC_SEQ_CST);
	err = programs_attach(dt->set, &w, &failed);
	__atomic_store_n(&session_ctl(dt)->stopped, 0, __ATOMIC_SEQ_CST);
	*all = err != -EINTR;
	if (!err && dt->set->left_out)
		warn_left_out(dt);
	return err && err != -EINTR ? fail_attach(dt, err, failed) : 0;
}

int dt_go(struct dt *dt, FILE *out)
{
	bool all = true;
	int err;

	if (dt->going)
		return report_error(dt, "tracing has begun already");
	out = session_output(dt, out);
	if (!out || !session_output(dt, NULL))
		return report_error(dt, "cannot open /dev/null: %s", strerror(errno));
	if (dt_check(dt) < 0 || compile_check_cpus(dt) < 0)
		return -1;
	if (!dt->plan->clauses.n)
		return report_error(dt, opt_on(&dt->opts, OPT_EMPTY) ? "no probes matched"
								     : "no probes specified");
	if (dt->sema->destructive && !opt_on(&dt->opts, OPT_DESTRUCTIVE))
		return report_error(
		    dt, "could not enable tracing: Destructive actions not allowed: %s( ) needs -w",
		    dt->sema->destructive);
	if (dt->sema->hidden)
		return report_error(dt,
				    "failed to resolve %s: the kernel hides the addresses of its "
				    "symbols (sysctl kernel.kptr_restrict)",
				    dt->sema->hidden);
	if (leave_begin(dt) < 0)
		return -1;
	dt->signals = signals_open(dt->set);
	debug_programs(dt);
	proc_reach(dt->procs, compile_stage(dt), dt->foreign);
	if (load(dt) < 0)
		return -1;
	if (budget_start(dt) < 0)
		return -1;
	message_debug(dt, "loaded");
	types_programs_end(dt->types);
	uproc_end_types(dt->probes);
	loop_set_clocks(dt);
	set_topology(dt);
	set_pages(dt);
	if (!dt->detach) {
		late_attach_watch(dt);
		if (start_consumer(dt, out) < 0)
			return -1;
	}
	dt->opts.going = true;
	dt->loop->last_aggr = dt->started_ns;
	dt->going = true;
	err = programs_fire(dt->set, "BEGIN", NULL, 0);
	if (err)
		return report_error(dt, "failed to run BEGIN: %s", strerror(-err));
	/* Its records are the first in the ring: dt_work() prints them, and runs its commands,
	 * when all probes are on. */
	if (!session_ctl(dt)->stopped && attach(dt, &all) < 0)
		return -1;
	message_debug(dt, all ? "attached" : "attached in part");
	debug_refusals(dt);
	if (dt->detach)
		return all ? leave_finish(dt) : report_error(dt, "interrupted while attaching");
	if (!session_ctl(dt)->stopped) {
		if (compile_stage(dt) == STAGE_EXEC && late_probe_awaits(dt))
			proc_advance(dt->procs, dt->foreign);
		late_attach_find(dt);
	}
	err = preamble_trace(dt);
	if (err)
		return report_error(dt, "failed to print: %s", strerror(-err));
	message_stream(dt);
	if (all && !session_ctl(dt)->stopped)
		proc_go(dt->procs, compile_stage(dt));
	compile_release(dt);
	return 0;
}
