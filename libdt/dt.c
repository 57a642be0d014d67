/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The API, and the order of the phases. */
#include "libdt/dt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "libdt/base/clock.h"
#include "libdt/budget.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/detach/detach.h"
#include "libdt/drops.h"
#include "libdt/engine/programs.h"
#include "libdt/engine/unwind.h"
#include "libdt/event.h"
#include "libdt/expose.h"
#include "libdt/fault.h"
#include "libdt/fault_order.h"
#include "libdt/late_attach.h"
#include "libdt/loop.h"
#include "libdt/message.h"
#include "libdt/plan/plan.h"
#include "libdt/poller.h"
#include "libdt/process/foreign.h"
#include "libdt/process/pidns.h"
#include "libdt/process/proc.h"
#include "libdt/record.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"

struct ctl *session_ctl(struct dt *dt)
{
	return dt->set->maps.ctl.mem;
}

struct dt *dt_open(void)
{
	struct dt *dt = xcalloc(1, sizeof(*dt));

	dt->opened_ns = clock_ns(CLOCK_MONOTONIC);
	dt->arena = arena_new();
	dt->messages = arena_alloc(dt->arena, sizeof(*dt->messages));
	dt->input = arena_alloc(dt->arena, sizeof(*dt->input));
	dt->script = arena_alloc(dt->arena, sizeof(*dt->script));
	dt->sema = arena_alloc(dt->arena, sizeof(*dt->sema));
	dt->plan = arena_alloc(dt->arena, sizeof(*dt->plan));
	dt->set = arena_alloc(dt->arena, sizeof(*dt->set));
	dt->lost = arena_alloc(dt->arena, sizeof(*dt->lost));
	dt->loop = arena_alloc(dt->arena, sizeof(*dt->loop));
	opts_init(&dt->opts);
	dt->feats = feats_new();
	program_set_init(dt->set, dt->feats);
	dt->signals = -1;
	dt->procs = procs_new();
	return dt;
}

void dt_close(struct dt *dt)
{
	if (!dt)
		return;
	programs_detach(dt->set, &(struct programs_watch){message_progress, dt});
	ring_close(dt->ring);
	if (dt->signals >= 0)
		close(dt->signals);
	poller_free(dt->poller);
	late_attach_free(dt);
	expose_free(dt);
	budget_free(dt);
	if (dt->consume)
		consume_free(dt->consume);
	free(dt->consume);
	record_free(dt);
	leave_free(dt);
	plan_free(dt->plan);
	program_set_free(dt->set);
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
	sb_free(&dt->messages->error);
	sb_free(&dt->messages->error_lines);
	sb_free(&dt->messages->warnings);
	vec_free(&dt->messages->waiting);
	arena_free(dt->arena);
	if (dt->nowhere)
		fclose(dt->nowhere);
	free(dt);
}

void dt_carets(struct dt *dt, bool on, bool colour)
{
	dt->messages->carets = on;
	dt->messages->columns = on ? fmt_columns(STDERR_FILENO) : 0;
	dt->messages->colour = colour;
}

int dt_setopt(struct dt *dt, const char *name, const char *value)
{
	char why[200] = "";
	int err = opts_set(&dt->opts, name, value, why, sizeof(why));

	if (!err)
		return 0;
	report_error(dt, "failed to set -x %s: %s", name, why);
	return err == -ENOENT ? -2 : -1;
}

static void note_ignored(void *arg, const char *name)
{
	message_note(arg, "DTRACE_OPT_%s is ignored with these rights (use -x %s)", name, name);
}

int dt_environment(struct dt *dt)
{
	char why[200] = "";

	if (opts_environment(&dt->opts, note_ignored, dt, why, sizeof(why)) < 0)
		return report_error(dt, "failed to set an option by the environment: %s", why);
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
	dt->input->argc = argc;
	dt->input->argv = arena_alloc(dt->arena, (argc + 1) * sizeof(*dt->input->argv));
	dt->input->arg_used = arena_alloc(dt->arena, argc + 1);
	for (int i = 0; i < argc; i++)
		dt->input->argv[i] = arena_strdup(dt->arena, argv[i]);
}

/* Streams ----------------------------------------------------------------- */

void dt_set_stream(struct dt *dt, enum dt_stream which, FILE *out)
{
	if ((unsigned)which < DT_STREAM_COUNT)
		dt->streams[which] = out;
}

FILE *session_output(struct dt *dt, FILE *out)
{
	if (record_silent(dt))
		out = NULL;
	if (!out && !dt->nowhere)
		dt->nowhere = fopen("/dev/null", "we");
	return out ? out : dt->nowhere;
}

int session_make_consumer(struct dt *dt, FILE *out)
{
	struct consume *c = dt->consume = xcalloc(1, sizeof(*c));
	struct strbuf why = {0};
	int err;

	consume_init(c, out, session_output(dt, dt->streams[DT_STREAM_ASIDE]), &dt->opts, dt->types,
		     dt->aggrs);
	c->on_warning = message_warning;
	c->on_warning_arg = dt;
	err = consume_read_base(c, &why);
	if (err)
		report_error(dt, "failed to set -x flamebase: %s", sb_str(&why));
	sb_free(&why);
	return err;
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
		report_error(dt, "%s", sb_str(&why));
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
		report_error(dt, "%s", sb_str(&why));
	sb_free(&why);
	return err ? -1 : 0;
}

int dt_status(const struct dt *dt)
{
	int status = dt && dt->consume ? dt->consume->status : 0;

	if (!dt)
		return 0;
	if (!status && opt_on(&dt->opts, OPT_CMDSTATUS))
		status = proc_status(dt->procs);
	return !status && dt->lost->total && opt_on(&dt->opts, OPT_STRICT) ? 1 : status;
}
