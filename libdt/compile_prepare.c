/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the clauses of all programs to a plan. */
#include <stdlib.h>
#include <string.h>

#include "libdt/advise.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/expose.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/lang/type_use.h"
#include "libdt/plan/plan.h"
#include "libdt/provider/prov.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/stability.h"
#include "libdt/totals.h"
#include "libdt/type/ctf.h"

/* Several programs have the arguments in common, so the message names only a single one. */
static int extraneous(struct dt *dt, int arg)
{
	const struct source *src = dt->input->sources.n == 1 ? dt->input->sources.v[0] : NULL;
	struct strbuf program = {0};

	if (src)
		diag_put_source(src, &program);
	report_error(dt, "%s%sextraneous argument '%s' ($%d is not referenced)", sb_str(&program),
		     opt_on(&dt->opts, OPT_ERRTAGS) ? "[D_MACRO_UNUSED] " : "",
		     dt->input->argv[arg], arg);
	sb_free(&program);
	return -1;
}

/* Each macro argument has to be used by some program. */
static int check_args(struct dt *dt)
{
	if (opt_on(&dt->opts, OPT_ARGREF))
		return 0;
	for (int i = 1; i < dt->input->argc; i++)
		if (!dt->input->arg_used[i])
			return extraneous(dt, i);
	return 0;
}

/* -x cpu */
static bool has_cpus(struct dt *dt)
{
	const char *text = opt_text(&dt->opts, OPT_CPU);
	struct cpu_range ranges[CPU_RANGES];
	int n = text ? opt_cpus(text, ranges) : 0;

	for (int i = 0; i < n; i++)
		if (ranges[i].last >= dt->aggrs->ncpus) {
			report_error(dt, "failed to set -x cpu: there is no CPU %d",
				     ranges[i].last);
			return false;
		}
	return true;
}

static unsigned dump_stages(const struct dt *dt)
{
	const char *dump = opt_text(&dt->opts, OPT_DUMP);

	if (!dump)
		return 0;
	return (strstr(dump, "ir") ? 2 : 0) | (strstr(dump, "ra") ? 4 : 0) |
	       (strstr(dump, "bpf") ? 8 : 0);
}

/* -x ctypes and dtypes: a file each. */
static int write_types(struct dt *dt)
{
	struct type_use u = {.types = dt->types};
	const char *c = opt_text(&dt->opts, OPT_CTYPES), *d = opt_text(&dt->opts, OPT_DTYPES),
		   *path = c;
	char *why = NULL;

	if (!c && !d)
		return 0;
	type_use_collect(&u, dt->plan->clauses.v, dt->plan->clauses.n, dt->script);
	if (c)
		why = ctf_write_types(dt->types, u.of_c.v, u.of_c.n, c);
	if (d && !why)
		why = ctf_write_types(dt->types, u.of_d.v, u.of_d.n, path = d);
	type_use_free(&u);
	if (why)
		report_error(dt, "failed to write types to %s: %s", path, why);
	free(why);
	return why ? -1 : 0;
}

/* Records have a time where each line shows it, and where they are sorted: by default, a script
 * that shows no time gets the order of the ring. */
static void stamp_records(struct dt *dt)
{
	const char *temporal = opt_text(&dt->opts, OPT_TEMPORAL);
	bool timed = consume_timed(&dt->opts), shown = timed;

	for (int i = 0; i < dt->plan->clauses.n; i++)
		shown |= dt->plan->clauses.v[i]->shows_time;
	dt->set->ordered = strcmp(temporal, "auto") ? !strcmp(temporal, "on") : shown;
	for (int i = 0; i < dt->plan->clauses.n; i++)
		dt->plan->clauses.v[i]->needs_time |= timed || dt->set->ordered;
}

static int check_maps(struct dt *dt)
{
	const struct probe *p;
	const struct program *pl;
	int maps;

	pl = plan_excess_maps(dt->plan, &maps);
	if (!pl)
		return 0;
	p = pl->probes.v[0];
	return report_error(
	    dt,
	    "the clauses of %s:%s:%s:%s need %d BPF maps, and the kernel takes %d for a "
	    "program: use fewer associative arrays "
	    "and aggregations at one probe",
	    p->prov, p->mod, p->func, p->name, maps, PROG_MAPS_MAX);
}

int compile_prepare(struct dt *dt)
{
	const char *dump = opt_text(&dt->opts, OPT_DUMP);
	FILE *out = dt->streams[DT_STREAM_DUMP];

	if (compile_open(dt) < 0 || check_args(dt) < 0)
		return -1;
	if (dt->input->prepared)
		return 0;
	if (dt->input->broken) /* what was analysed in part cannot be generated */
		return report_error(dt, "a program of this session did not compile");
	if (!has_cpus(dt))
		return -1;
	if (setjmp(dt->diag.recover))
		return compile_caught(dt);
	dt->aggrs->metrics = consume_metrics(&dt->opts);
	dt->aggrs->percpu = opt_on(&dt->opts, OPT_AGGPERCPU);
	stamp_records(dt);
	if (compile_check_unused(dt) < 0)
		return -1;
	stability_check(dt);
	if (!dt->test) /* its probes are not those of this machine */
		advise(dt);
	if (write_types(dt) < 0)
		return -1;
	dt->plan->metrics = dt->aggrs->metrics;
	plan_make(dt->plan, dump ? out : NULL, dump_stages(dt));
	totals_describe(dt);
	if (out && dump && strstr(dump, "plan"))
		plan_dump(dt->plan, out);
	if (check_maps(dt) < 0)
		return -1;
	if (expose_check(dt) < 0)
		return -1;
	dt->input->prepared = true;
	return 0;
}

int dt_check(struct dt *dt)
{
	int err = compile_prepare(dt);

	report_warnings(dt);
	return err;
}

int dt_listing(struct dt *dt, FILE *out)
{
	if (compile_prepare(dt) < 0)
		return -1;
	for (int i = 0; opt_num(&dt->opts, OPT_DISASM) && i < dt->set->programs.n; i++) {
		struct program *pl = dt->set->programs.v[i];

		if (!pl->targets.n && !pl->support)
			continue;
		if (pl->probes.n == 1)
			fprintf(out, "\nProgram for %s:%s:%s:%s\n", pl->probes.v[0]->prov,
				pl->probes.v[0]->mod, pl->probes.v[0]->func, pl->probes.v[0]->name);
		else
			fprintf(out, "\nProgram for %d probes\n", pl->probes.n);
		code_list(pl->code, out, true);
	}
	if (opt_num(&dt->opts, OPT_DISASM))
		sym_list(dt->script, dt->types, out);
	return 0;
}
