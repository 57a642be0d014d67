/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/vmdt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/compile.h"
#include "libdt/abi/control.h"
#include "libdt/consumer/aggr.h"
#include "libdt/consumer/consume.h"
#include "libdt/engine/programs.h"
#include "libdt/plan/plan.h"
#include "libdt/session.h"
#include "libdt/simulate/machine.h"

struct run {
	struct vmdt *result;
	struct dt *dt;
	struct strbuf faults;
	FILE *out;
};

static void refuse(struct run *r, const char *what, const char *why)
{
	snprintf(r->result->message, sizeof(r->result->message), "%s: %s", what, why);
	r->result->refused = r->result->message;
}

static void on_error(void *arg, const struct rec_header *h, const struct rec_error *e)
{
	struct run *r = arg;

	(void)h;
	sb_printf(&r->faults, "fault %u in clause %u\n", (unsigned)e->fault, e->clause + 1);
}

static void warn(void *arg, const char *text)
{
	fprintf(((struct run *)arg)->out, "warning: %s\n", text);
}

static void run(struct run *r)
{
	struct machine *m = machine_new(r->dt, r->out);
	struct machine_thread t = {getpid(), getpid(),		 getuid(),
				   getgid(), .execname = "vmdt", .time = 1000000};
	uint64_t args[MACHINE_ARGS] = {0};

	r->dt->consume->on_warning = warn;
	r->dt->consume->on_error = on_error;
	r->dt->consume->on_warning_arg = r->dt->consume->on_error_arg = r;
	machine_fire(m, &t, "dtrace", "", "", "BEGIN", args);
	session_ctl(r->dt)->stopped = STOP_ENDED;
	machine_fire(m, &t, "dtrace", "", "", "END", args);
	fputs(sb_str(&r->faults), r->out);
	for (int kind = 0; kind < DROP_COUNT; kind++)
		if (machine_drops(m, kind))
			fprintf(r->out, "%llu drops of kind %d\n",
				(unsigned long long)machine_drops(m, kind), kind);
	if (machine_error(m))
		refuse(r, "the run", machine_error(m));
	machine_free(m);
}

static bool compile(struct run *r, const char *text, const char *const *opts)
{
	static const char *const first[] = {"btfpath", "none",	"ncpus", "4", "nofeat",
					    "all",     "quiet", NULL,	 NULL};
	const char *const *lists[] = {first, opts};

	for (int i = 0; i < 2; i++)
		for (const char *const *o = lists[i]; o && *o; o += 2)
			if (dt_setopt(r->dt, o[0], o[1])) {
				refuse(r, "option", dt_error(r->dt));
				return false;
			}
	if (dt_program(r->dt, DT_SCRIPT, text, "script") < 0 || dt_check(r->dt) < 0) {
		refuse(r, "does not compile", dt_error(r->dt));
		return false;
	}
	return true;
}

void vmdt_run(struct vmdt *v, const char *text, const char *const *opts)
{
	struct run r = {.result = v, .dt = dt_open()};
	size_t len;

	memset(v, 0, sizeof(*v));
	r.out = open_memstream(&v->out, &len);
	if (compile(&r, text, opts))
		run(&r);
	fclose(r.out);
	dt_close(r.dt);
	sb_free(&r.faults);
}

void vmdt_done(struct vmdt *v)
{
	free(v->out);
	v->out = NULL;
}
