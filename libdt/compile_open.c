/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What compiling and listing need: types, probes, symbols, and how these ask the session. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/builtin/builtin.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/lang/lib.h"
#include "libdt/lang/provdecl.h"
#include "libdt/loop.h"
#include "libdt/message.h"
#include "libdt/plan/plan.h"
#include "libdt/process/foreign.h"
#include "libdt/process/pidns.h"
#include "libdt/process/proc.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/uproc.h"
#include "libdt/record.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"

/* Enough CPUs for the highest number that can come up. */
static int possible_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	FILE *f = fopen("/sys/devices/system/cpu/possible", "r");
	int last = -1, a, b;

	while (f && fscanf(f, "%d", &a) == 1) {
		last = MAX(last, a);
		if (fscanf(f, "-%d", &b) == 1)
			last = MAX(last, b);
		if (fgetc(f) != ',')
			break;
	}
	if (f)
		fclose(f);
	return last >= 0 ? last + 1 : n > 0 ? n : 1;
}

/* A directory of -L that cannot be read is an error at once; its files are read when they are
 * needed. */
static int check_libdirs(struct dt *dt)
{
	const char *lists[] = {opt_text(&dt->opts, OPT_LIBDIR), opt_text(&dt->opts, OPT_SYSLIBDIR)};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const char *s = lists[i]; s && *s;) {
			const char *dir = arena_strndup(dt->arena, s, strcspn(s, "\n")),
				   *why = lib_dir_error(dir);

			if (why)
				return report_error(dt, "failed to open D library directory %s: %s",
						    dir, why);
			s += strlen(dir) + (s[strlen(dir)] == '\n');
		}
	return 0;
}

enum stage compile_stage(const struct dt *dt)
{
	static const char *const names[] = {"exec", "preinit", "postinit", "main"};
	const char *want = opt_text(&dt->opts, OPT_EVALTIME);
	int i = STAGE_MAIN;

	while (i > 0 && strcmp(names[i], want))
		i--;
	return i;
}

/* Commands of -c have their libraries mapped when a provider looks. */
static void meet_process(void *arg)
{
	struct dt *dt = arg;

	proc_reach(dt->procs, compile_stage(dt), dt->foreign);
}

static pid_t nth_process(void *arg, int n)
{
	struct dt *dt = arg;

	return proc_nth(dt->procs, n);
}

/* A group that does not exist is an error when tracing begins, and none where scripts are only
 * compiled or listed. */
static bool each_member(void *arg, probes_member_fn *fn, void *to)
{
	struct dt *dt = arg;
	const char *word = opt_text(&dt->opts, OPT_CGROUP), *why;
	int group = word ? cgroups_open(dt->cgroups, word, dt->arena, &why) : -1;

	if (word && group < 0 && !dt->input->advised_cgroup)
		message_note(dt, "-x cgroup: %s: programs of all processes are searched", why);
	dt->input->advised_cgroup |= word && group < 0;
	if (group < 0)
		return false;
	cgroup_processes(group, fn, to);
	close(group);
	return true;
}

static pid_t kernel_number(void *pidns, pid_t here)
{
	return pidns_kernel(pidns, here);
}

static pid_t process_here(void *pidns, pid_t kernel)
{
	return pidns_here(pidns, kernel);
}

/* "pid" is $target, or any process seen so far; "pid123"; either may be followed by
 * "`libfoo.so". */
static struct user_types *program_types(void *arg, const char *module, int i)
{
	const char *object = strchr(module, '`');
	struct dt *dt = arg;
	pid_t pid = (pid_t)strtol(module + 3, NULL, 10);

	return uproc_types(dt->probes, pid ? pid : proc_target(dt->procs), object ? object + 1 : "",
			   i);
}

static uint32_t type_id(void *types, const char *name, bool tracepoint)
{
	return tracepoint ? type_tracepoint_id(types, name)
			  : type_kernel_func_id(types, "vmlinux", name);
}

/* A device would never end, a FIFO never begin. */
static int check_ksympath(struct dt *dt)
{
	const char *path = opt_text(&dt->opts, OPT_KSYMPATH);
	int err = path ? syms_refuses(path) : 0;

	if (!err)
		return 0;
	return report_error(dt, "failed to read the kernel's symbols from %s: %s", path,
			    err == -ENOTSUP ? "not a regular file" : strerror(-err));
}

static void report_foreign(void *arg, const char *text)
{
	struct dt *dt = arg;

	record_warning(dt, text);
	if (dt->consume)
		consume_warn(dt->consume, "%s", text);
	else
		diag_warn(&dt->diag, (struct loc){0}, "%s", text);
}

void compile_open_symbols(struct dt *dt)
{
	dt->foreign = foreign_new(opt_num(&dt->opts, OPT_FOREIGNSIZE),
				  opt_num(&dt->opts, OPT_FOREIGNTIME), report_foreign, dt);
	foreign_on_ended(dt->foreign, loop_ended, dt);
	dt->aggrs->syms = dt->syms = syms_new(opt_text(&dt->opts, OPT_KSYMPATH), dt->feats);
	dt->usyms = opt_on(&dt->opts, OPT_NORESOLVE) ? NULL : usyms_new(dt->foreign);
	dt->aggrs->usyms = dt->usyms;
	dt->aggrs->cgroups = dt->cgroups = cgroups_new();
}

static bool kernel_offset(void *types, const char *type, const char *path, uint64_t *off)
{
	return type_kernel_offset(types, type, path, off);
}

static uint32_t page_scale(void *types)
{
	return type_page_scale(types);
}

int compile_open(struct dt *dt)
{
	const char *nofeat = opt_text(&dt->opts, OPT_NOFEAT);
	const char *btf = opt_text(&dt->opts, OPT_BTFPATH);

	if (dt->types)
		return 0;
	if (nofeat && feats_disable(dt->feats, nofeat) < 0)
		return report_error(dt, "failed to set -x nofeat: unknown feature in %s", nofeat);
	if (check_libdirs(dt) < 0 || check_ksympath(dt) < 0)
		return -1;
	if (!dt->opts.v[OPT_BTFPATH].set && feat_is_off(dt->feats, FEAT_BTF))
		btf = "none";
	dt->types = types_new(false, btf);
	dt->layout = (struct kernel_layout){kernel_offset, dt->types, page_scale};
	feats_ask(dt->feats, dt->opts.v[OPT_BTFPATH].set ? NULL : type_id, dt->types);
	dt->probes = probes_new(dt->arena, dt->types, dt->feats);
	probes_set_opts(dt->probes, &dt->opts);
	dt->aggrs = aggrs_new(opt_num(&dt->opts, OPT_NCPUS) > 0 ? opt_num(&dt->opts, OPT_NCPUS)
								: possible_cpus());
	compile_open_symbols(dt);
	probes_set_foreign(dt->probes, dt->foreign);
	probes_on_process(dt->probes, meet_process, dt);
	probes_set_processes(dt->probes, nth_process, dt);
	probes_set_members(dt->probes, each_member, dt);
	types_set_programs(dt->types, program_types, dt);
	dt->pidns = pidns_own() ? pidns_new(dt->feats, &dt->layout) : NULL;
	if (dt->pidns) {
		usyms_number(dt->usyms, process_here, dt->pidns);
		probes_on_number(dt->probes, kernel_number, dt->pidns);
	}
	probes_set_syms(dt->probes, dt->syms);
	sema_init(dt->sema, dt->arena, &dt->diag, dt->types, dt->probes, dt->feats, &dt->opts,
		  dt->script);
	probes_on_args(dt->probes, provdecl_args, dt->sema);
	lib_init(dt->sema);
	dt->sema->ksyms = dt->syms;
	dt->sema->builtins = &builtins;
	program_set_cpus(dt->set, dt->aggrs->ncpus);
	plan_init(dt->plan, &(struct codegen){.arena = dt->arena,
					      .diag = &dt->diag,
					      .types = dt->types,
					      .feats = dt->feats,
					      .opts = &dt->opts,
					      .sema = dt->sema,
					      .syms = dt->script,
					      .storage = &dt->script->storage,
					      .ksyms = dt->syms,
					      .builtins = &builtins,
					      .set = dt->set});
	return 0;
}

int compile_check_cpus(struct dt *dt)
{
	int have = possible_cpus();

	if (dt->aggrs->ncpus >= have)
		return 0;
	return report_error(dt, "cannot trace %d CPUs with -x ncpus=%d", have, dt->aggrs->ncpus);
}

void compile_release(struct dt *dt)
{
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		struct clause *c = dt->plan->clauses.v[i];

		c->node = c->counts = c->pred = c->body = NULL;
	}
	dt->sema->parse = dt->input->program = NULL;
	arena_free(dt->sema->trees);
	dt->sema->trees = NULL;
#ifdef __GLIBC__
	malloc_trim(0); /* they lie between what stays */
#endif
}

void compile_free(struct dt *dt)
{
	for (int i = 0; i < 3; i++)
		hash_free(&dt->script->table[i]);
	hash_free(&dt->script->aggs);
	vec_free(&dt->script->all);
	vec_free(&dt->script->xlators);
	provdecls_free(dt->script);
	vec_free(&dt->script->pragmas);
	hash_free(&dt->script->metrics);
	vec_free(&dt->script->measured);
	sema_forget_assignments(dt->sema);
	vec_free(&dt->input->deferred);
	vec_free(&dt->input->sources);
	lib_free(dt->sema);
	hash_free(&dt->input->before);
	sb_free(&dt->input->texts);
	sb_free(&dt->diag.msg);
	sb_free(&dt->diag.warned);
	vec_free(&dt->diag.warnings);
}
