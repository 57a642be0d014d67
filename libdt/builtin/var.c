/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builtin variables that do not come from the probe's arguments. */
#include <string.h>

#include "libdt/symbols/ksym.h"
#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/provider/prov.h"

/* A value that a helper without arguments packs with another: the upper or lower half. */
static int half_of(struct gen *g, struct node *n, int helper, bool upper)
{
	int r = gen_memo_find(g, n->ref, 0);

	if (r >= 0)
		return r;
	r = gen_copy(g, ir_call_const(g->ir, helper, 0, NULL));
	if (upper)
		ir_alui(g->ir, BPF_RSH, r, 32);
	else
		ir_zext(g->ir, r, 32);
	gen_memo_add(g, n->ref, 0, r);
	return r;
}

static int gen_pid(struct gen *g, struct node *n)
{
	return half_of(g, n, BPF_FUNC_get_current_pid_tgid, true);
}

static int gen_tid(struct gen *g, struct node *n)
{
	return half_of(g, n, BPF_FUNC_get_current_pid_tgid, false);
}

static int gen_uid(struct gen *g, struct node *n)
{
	return half_of(g, n, BPF_FUNC_get_current_uid_gid, false);
}

static int gen_gid(struct gen *g, struct node *n)
{
	return half_of(g, n, BPF_FUNC_get_current_uid_gid, true);
}

/* That of the unified hierarchy: its directory's inode. */
static int gen_cgroup(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0);

	if (r < 0) {
		r = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_cgroup_id, 0, NULL));
		gen_memo_add(g, n->ref, 0, r);
	}
	return r;
}

/* The same number, printed as what it is of. */
static void check_container(struct sema *s, struct node *n)
{
	n->type = (struct type *)type_symaddr(s->types, SYM_CONTAINER);
}

static int gen_ppid(struct gen *g, struct node *n)
{
	static const char *const path[] = {"real_parent", "tgid"};
	int r = gen_memo_find(g, n->ref, 0);

	if (r < 0) {
		r = gen_task_field(g, path, 2);
		gen_memo_add(g, n->ref, 0, r);
	}
	return r;
}

static int gen_cpu_var(struct gen *g, struct node *n)
{
	(void)n;
	return gen_cpu(g);
}

/* Linux's NUMA nodes correspond to the locality groups of illumos. */
static int gen_lgrp(struct gen *g, struct node *n)
{
	(void)n;
	return gen_copy(g, ir_call(g->ir, BPF_FUNC_get_numa_node_id, 0, NULL));
}

static int gen_timestamp_var(struct gen *g, struct node *n)
{
	if (!strcmp(opt_text(g->cg->opts, OPT_CLOCK), "tai") && feat(g->cg->feats, FEAT_BPF) &&
	    !feat(g->cg->feats, FEAT_KTIME_TAI))
		diag_die(g->cg->diag, D_UNSUPPORTED, n->loc,
			 "-x clock=tai needs a kernel that has this clock for programs (6.1)");
	return gen_timestamp(g);
}

/* For what we write in D ourselves and must not leap. */
static int gen_monotonic_var(struct gen *g, struct node *n)
{
	(void)n;
	return gen_monotonic(g);
}

static int gen_vtimestamp_var(struct gen *g, struct node *n)
{
	(void)n;
	return gen_vtimestamp(g);
}

/* The monotonic clock plus what dtrace keeps up to date as the difference to the time of day. */
static int gen_walltimestamp(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0), p;

	if (r >= 0)
		return r;
	p = ir_reg(g->ir);
	r = ir_reg(g->ir);
	ir_map_mem(g->ir, p, &g->set->maps.ctl, offsetof(struct ctl, wall));
	ir_ld(g->ir, 8, r, p, 0);
	ir_alu(g->ir, BPF_ADD, r, gen_monotonic(g));
	gen_memo_add(g, n->ref, 0, r);
	return r;
}

static void execname_str(struct gen *g, struct node *n, const struct str_dest *d)
{
	int p = gen_copy(g, d->ptr);

	(void)n;
	/* 6.1 does not clear the bytes after the name */
	gen_zero(g, d->ptr, d->off, MIN(d->bound, 16));
	if (d->off)
		ir_alui(g->ir, BPF_ADD, p, d->off);
	ir_callv(g->ir, BPF_FUNC_get_current_comm, p, gen_imm(g, MIN(d->bound, 16)));
}

static uint32_t execname_bound(struct sema *s, struct node *n)
{
	(void)s;
	(void)n;
	return 16;
}

/* Which probe ------------------------------------------------------------- */

static int field_of(const struct node *n)
{
	const char *name = ((const struct def *)n->ref)->name;

	return !strcmp(name, "probeprov") || !strcmp(name, "dt_probeprov") ? 0
	       : !strcmp(name, "probemod")				   ? 1
	       : !strcmp(name, "probefunc")				   ? 2
									   : 3;
}

/* The longest name among the clause's probes, known while the clause is at hand. */
static void check_probe_name(struct sema *s, struct node *n)
{
	n->aux = 2;
	for (int i = 0; s->clause && i < s->clause->probes.n; i++) {
		const struct probe *p = s->clause->probes.v[i];

		n->aux =
		    MAX(n->aux,
			(int64_t)(p->awaits ? LATE_NAME : strlen(probe_field(p, field_of(n)))) + 1);
	}
}

/* A static probe of all processes ("shop*") has the name that it has in the process that fired
 * (libdt/lib/types.d). */
static void check_probeprov(struct sema *s, struct node *n)
{
	bool of_all = false;

	for (int i = 0; s->clause && i < s->clause->probes.n; i++)
		of_all |= usdt_is_of_all(s->clause->probes.v[i]);
	if (!of_all) {
		check_probe_name(s, n);
		return;
	}
	n->a = node_new(s->parse, N_IDENT, n->loc);
	n->a->name = "dt_provider_here";
	n->a = sema_expr(s, n->a);
	n->flags |= NF_REPLACED;
}

static uint32_t probe_name_bound(struct sema *s, struct node *n)
{
	(void)s;
	return n->aux;
}

static int probe_text(struct gen *g, int field, int out)
{
	int at = ir_reg(g->ir), text = ir_reg(g->ir);

	ir_ld(g->ir, 4, at, gen_probe_row(g, out),
	      offsetof(struct name_row, at) + field * sizeof(uint32_t));
	ir_jcci(g->ir, BPF_JGE, at, g->set->names.last, out);
	ir_alui(g->ir, BPF_LSH, at, 3);
	ir_map_mem(g->ir, text, &g->set->names.map, probe_names_pool(&g->set->names));
	ir_alu(g->ir, BPF_ADD, text, at);
	return text;
}

static void probe_name_str(struct gen *g, struct node *n, const struct str_dest *d)
{
	int f = field_of(n), out;
	struct str s;

	if (g->probe_index < 0) {
		const char *text = probe_field(g->probe, f);

		s = (struct str){.ptr = g->ctx,
				 .bound = strlen(text) + 1,
				 .lit = text,
				 .lit_len = strlen(text),
				 .slot_off = -1};
		gen_str_copy(g, &s, d);
		return;
	}
	out = ir_label(g->ir);
	s = (struct str){
	    .ptr = probe_text(g, f, out), .bound = g->set->names.width[f], .slot_off = -1};
	gen_str_copy(g, &s, d);
	ir_place(g->ir, out);
}

static int gen_id(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0);

	if (r < 0) {
		r = gen_probe_number(g, offsetof(struct name_row, id), g->probe->id);
		gen_memo_add(g, n->ref, 0, r);
	}
	return r;
}

/* An enabled probe is a probe and a clause: the id above, the clause's number from 1 below. */
static int gen_epid(struct gen *g, struct node *n)
{
	int r = gen_copy(g, gen_id(g, n));

	ir_alui(g->ir, BPF_LSH, r, 32);
	ir_alui(g->ir, BPF_OR, r, g->clause->index + 1);
	return r;
}

/* Where we are ------------------------------------------------------------ */

/* Interrupt level. Timers interrupt; tracepoints run wherever they are met, and the count of
 * nested interrupts is in memory of the CPU's that the kernel does not let us name on x86; there
 * they are taken to be 0. */
static int gen_ipl(struct gen *g, struct node *n)
{
	(void)n;
	return gen_imm(g, g->hook_kind == HOOK_PERF ? 2 : 0);
}

static void check_curthread(struct sema *s, struct node *n)
{
	const struct type *t = type_find(s->types, "vmlinux", "struct task_struct *");

	if (!t)
		sema_die(s, D_TYPE_ERR, n, "curthread needs the kernel's types: %s",
			 types_kernel_error(s->types) ? types_kernel_error(s->types)
						      : "there is no struct task_struct");
	n->type = (struct type *)t;
}

static int gen_curthread(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0);

	if (r < 0) {
		r = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_task, 0, NULL));
		gen_memo_add(g, n->ref, 0, r);
	}
	return r;
}

const struct def defs_var[] = {
    {"pid", DEF_VAR, "pid_t", .gen = gen_pid, .help = "process id"},
    {"tid", DEF_VAR, "id_t", .gen = gen_tid, .help = "thread id"},
    {"ppid", DEF_VAR, "pid_t", .gen = gen_ppid, .help = "parent's process id"},
    {"uid", DEF_VAR, "uid_t", .gen = gen_uid, .help = "real user id"},
    {"gid", DEF_VAR, "gid_t", .gen = gen_gid, .help = "real group id"},
    {"cgroup", DEF_VAR, "uint64_t", DEF_YIELDS, .gen = gen_cgroup,
     .help = "number of the control group; see cgroupid()"},
    {"container", DEF_VAR, NULL, DEF_YIELDS, .check = check_container, .gen = gen_cgroup,
     .help = "container or service of the process, by its control group"},
    {"execname", DEF_VAR, "string", DEF_FILLS, .gen_str = execname_str, .bound = execname_bound,
     .help = "name of the thread, at most 15 characters"},
    {"cpu", DEF_VAR, "processorid_t", .gen = gen_cpu_var, .help = "CPU number"},
    {"lgrp", DEF_VAR, "int", .gen = gen_lgrp, .help = "NUMA node of the CPU"},
    {"timestamp", DEF_VAR, "uint64_t", DEF_TIME | DEF_CLOCK, .gen = gen_timestamp_var,
     .help = "ns since boot, the same during a firing; see -x clock"},
    {"dt_monotonic", DEF_VAR, "uint64_t", DEF_CLOCK, .gen = gen_monotonic_var,
     .help = "timestamp, whatever -x clock says"},
    {"walltimestamp", DEF_VAR, "int64_t", DEF_TIME | DEF_CLOCK, .gen = gen_walltimestamp,
     .help = "ns since 1970"},
    {"vtimestamp", DEF_VAR, "uint64_t", DEF_CLOCK, .gen = gen_vtimestamp_var,
     .help = "ns the thread has had a CPU"},
    {"probeprov", DEF_VAR, "string", .check = check_probeprov, .gen_str = probe_name_str,
     .bound = probe_name_bound, .help = "provider"},
    {"dt_probeprov", DEF_VAR, "string", .check = check_probe_name, .gen_str = probe_name_str,
     .bound = probe_name_bound, .help = "provider of the probe, as descriptions name it"},
    {"probemod", DEF_VAR, "string", .check = check_probe_name, .gen_str = probe_name_str,
     .bound = probe_name_bound, .help = "module"},
    {"probefunc", DEF_VAR, "string", .check = check_probe_name, .gen_str = probe_name_str,
     .bound = probe_name_bound, .help = "function"},
    {"probename", DEF_VAR, "string", .check = check_probe_name, .gen_str = probe_name_str,
     .bound = probe_name_bound, .help = "name"},
    {"id", DEF_VAR, "uint_t", .gen = gen_id, .help = "number of the probe"},
    {"epid", DEF_VAR, "uint64_t", .gen = gen_epid,
     .help = "number of the enabled probe: probe and clause"},
    {"ipl", DEF_VAR, "uint_t", .gen = gen_ipl, .help = "interrupt level: 0 task, 2 interrupt"},
    {"curthread", DEF_VAR, NULL, DEF_PRIVATE, .check = check_curthread, .gen = gen_curthread,
     .help = "the thread's struct task_struct"},
    {0},
};
