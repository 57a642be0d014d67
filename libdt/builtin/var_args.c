/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe's arguments: arg0 to arg9, args[], args->name, errno. */
#include <errno.h>
#include <string.h>

#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/misfit.h"
#include "libdt/lang/sema_parts.h"

static int fetch(struct gen *g, const struct node *n)
{
	return gen_arg(g, n->flags & NF_BELOW, n->aux);
}

/* Puts what an argument is in the place of n, where probes are others seen otherwise; false: it
 * is the probe's own. */
static bool seen_otherwise(struct sema *s, struct node *n, int64_t i, const struct type *type)
{
	if (s->below)
		n->flags |= NF_BELOW;
	if (!stable_has(s))
		return false;
	n->a = stable_argument(s, n, i, type);
	n->flags |= NF_REPLACED;
	return true;
}

static void check_argn(struct sema *s, struct node *n)
{
	n->aux = n->name[3] - '0';
	if (!s->clause)
		return;
	s->clause->uses_args = true;
	for (int p = 0; p < s->clause->probes.n; p++)
		if (s->clause->probes.v[p]->provider->proc_maps_args)
			probe_args(s->probes, s->clause->probes.v[p]);
	misfit_argn(s, n, n->aux);
	seen_otherwise(s, n, n->aux, n->type);
}

static int gen_argn(struct gen *g, struct node *n)
{
	return fetch(g, n);
}

static void need_types(struct sema *s, struct node *n, struct probe *probe)
{
	probe_args(s->probes, probe);
	if (!probe->nargs && probe->no_args)
		sema_die(s, D_ARGS_NONE, n,
			 "the types of the arguments of %s:%s:%s:%s are not known: %s", probe->prov,
			 probe->mod, probe->func, probe->name, probe->no_args);
}

/* The p-th probe whose arguments count; NULL: it stands for probes that are enabled later, and the
 * existing probes decide. */
static struct probe *probe_at(const struct sema *s, int p)
{
	struct probe *probe = s->at_hand ? s->at_hand : s->clause->probes.v[p];

	return probe->awaits && !s->clause->probes.v[0]->awaits ? NULL : probe;
}

/* args[n] must mean the same in all probes of the clause. */
static const struct probe_arg *typed_arg(struct sema *s, struct node *n, int64_t i)
{
	const struct probe_arg *arg = NULL;

	if (!s->clause)
		sema_die(s, D_ARGS_NONE, n, "args[ ] may not be referenced outside of a clause");
	misfit_args(s, n, i);
	for (int p = 0; p < (s->at_hand ? 1 : s->clause->probes.n); p++) {
		struct probe *probe = probe_at(s, p);

		if (!probe)
			continue;
		need_types(s, n, probe);
		if (i < 0 || i >= probe->nargs)
			sema_die(s, D_ARGS_IDX, n,
				 "index %lld is out of range for %s:%s:%s:%s args[ ]", (long long)i,
				 probe->prov, probe->mod, probe->func, probe->name);
		if (probe->args[i].unavailable_reason)
			sema_die(s, D_UNSUPPORTED, n,
				 "args[%lld] of %s:%s:%s:%s is unavailable: %s", (long long)i,
				 probe->prov, probe->mod, probe->func, probe->name,
				 probe->args[i].unavailable_reason);
		if (arg && arg->from != probe->args[i].from)
			sema_die(s, D_ARGS_MULTI, n,
				 "args[%lld] may not be referenced because it is not at the same "
				 "position in all probes of the clause",
				 (long long)i);
		if (arg && !type_same(arg->type, probe->args[i].type))
			sema_die(s, D_ARGS_MULTI, n,
				 "args[ ] may not be referenced because the probe description "
				 "matches probes whose args[%lld] differ: "
				 "%s and %s",
				 (long long)i, sema_type_text(s, arg->type),
				 sema_type_text(s, probe->args[i].type));
		arg = &probe->args[i];
	}
	if (!arg)
		sema_die(s, D_ARGS_NONE, n,
			 "args[ ] may not be referenced because no probe is matched");
	s->clause->uses_args = true;
	return arg;
}

static void check_args(struct sema *s, struct node *n)
{
	const struct probe_arg *arg;
	int64_t i;

	if (n->kind != N_INDEX)
		sema_die(s, D_IDENT_BADREF, n,
			 "args needs a subscript: args[0], or the name of an argument: args->name");
	i = sema_const(s, n->list, D_ARGS_TYPE, "the subscript of args[ ]");
	arg = typed_arg(s, n, i);
	n->aux = arg->from ? arg->from - 1 : i;
	n->type = (struct type *)arg->type;
	if (type_is_string(n->type))
		sema_site(s, n);
	seen_otherwise(s, n, i, n->type);
}

static int gen_args(struct gen *g, struct node *n)
{
	int r = gen_copy(g, fetch(g, n));

	if (type_is_int(n->type))
		gen_fit(g, r, n->type);
	return r;
}

/* Dynamic strings of tracepoints, strings that programs pass: the argument is where the text is. */
static void args_str(struct gen *g, struct node *n, const struct str_dest *d)
{
	int site = g->site;

	g->site = n->site ? n->site : g->site;
	gen_str_fetch(g, fetch(g, n), type_space(n->type), -1, d);
	g->site = site;
}

/* "; it has filename and flags", or "" where arguments have no names. */
static const char *argument_names(struct arena *a, const struct probe *probe)
{
	const char *names = "";
	int named = 0, n = 0;

	for (int i = 0; i < probe->nargs; i++)
		named += probe->args[i].name != NULL;
	for (int i = 0; i < probe->nargs; i++)
		if (probe->args[i].name)
			names = arena_printf(a, "%s%s%s", names,
					     !n++	  ? "; it has "
					     : n == named ? " and "
							  : ", ",
					     probe->args[i].name);
	return names;
}

static struct node *args_by_name(struct sema *s, struct node *n)
{
	struct clause *c = s->clause;
	struct node *index;
	int at = -1;

	if (!c || !c->probes.n)
		sema_die(s, D_ARGS_NONE, n, "args may not be referenced here");
	misfit_name(s, n, n->name);
	for (int p = 0; p < (s->at_hand ? 1 : c->probes.n); p++) {
		struct probe *probe = probe_at(s, p);
		int found = -1;

		if (!probe)
			continue;
		need_types(s, n, probe);
		for (int i = 0; i < probe->nargs; i++)
			if (probe->args[i].name && !strcmp(probe->args[i].name, n->name))
				found = i;
		if (found < 0)
			sema_die(s, D_ARGS_IDX, n, "%s:%s:%s:%s has no argument named %s%s",
				 probe->prov, probe->mod, probe->func, probe->name, n->name,
				 argument_names(s->arena, probe));
		if (at >= 0 && found != at)
			sema_die(s, D_ARGS_MULTI, n,
				 "args->%s is not at the same position in all probes of the clause",
				 n->name);
		at = found;
	}
	index = node_new(s->parse, N_INDEX, n->loc);
	index->a = n->a;
	index->list = sema_int(s, n, at, type_int(s->types, 4, true));
	return sema_expr(s, index);
}

/* Codes by which the kernel says that a signal interrupted a call, which programs see as EINTR if
 * the call is not restarted; ENOIOCTLCMD, between them, is none. */
enum { ERESTARTSYS = 512, ENOIOCTLCMD = 515, ERESTART_RESTARTBLOCK = 516 };

static void interrupted_is_eintr(struct gen *g, int r)
{
	int done = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JLT, r, ERESTARTSYS, done);
	ir_jcci(g->ir, BPF_JGT, r, ERESTART_RESTARTBLOCK, done);
	ir_jcci(g->ir, BPF_JEQ, r, ENOIOCTLCMD, done);
	ir_movi(g->ir, r, EINTR);
	ir_place(g->ir, done);
}

/* errno of a system call that failed; otherwise 0. */
static int gen_errno(struct gen *g, struct node *n)
{
	const struct probe *probe = probe_base(g->probe);
	int raw, r, ok, r2;

	(void)n;
	if (strcmp(probe->provider->name, "syscall") || !probe->is_return)
		return gen_imm(g, 0);
	raw = gen_copy(g, syscall_raw_return(g));
	r = gen_imm(g, 0);
	ok = ir_label(g->ir);
	r2 = gen_copy(g, raw);
	ir_neg(g->ir, r2);
	ir_jcci(g->ir, BPF_JSLE, r2, 0, ok);
	ir_jcci(g->ir, BPF_JSGE, r2, 4096, ok);
	ir_mov(g->ir, r, r2);
	interrupted_is_eintr(g, r);
	ir_place(g->ir, ok);
	return r;
}

static void check_errno(struct sema *s, struct node *n)
{
	(void)n;
	if (s->clause)
		s->clause->uses_args = true;
}

/* args[1] or arg1, made as if it stood in the script. */
static struct node *returned(struct sema *s, struct node *n, bool typed)
{
	struct node *v = node_new(s->parse, N_IDENT, n->loc), *index;

	v->name = typed ? "args" : "arg1";
	if (!typed)
		return v;
	index = node_new(s->parse, N_INDEX, n->loc);
	index->a = v;
	index->list = sema_int(s, n, 1, type_int(s->types, 4, true));
	return index;
}

/* An int result is the lower half of its register: the type decides, where it is known. */
static void check_retval(struct sema *s, struct node *n)
{
	const struct type *type;
	bool typed;

	for (int i = 0; s->clause && i < s->clause->probes.n; i++) {
		const struct probe *p = s->clause->probes.v[i];

		if (!probe_base(p)->is_return)
			sema_die(
			    s, D_ARGS_NONE, n,
			    "retval is available in return probes only; %s:%s:%s:%s is not one",
			    p->prov, p->mod, p->func, p->name);
	}
	typed =
	    sema_try(s, returned(s, n, true), &type) && (type_is_int(type) || type_is_ptr(type));
	n->a = sema_expr(s, returned(s, n, typed));
	n->flags |= NF_REPLACED;
}

#define ARG(n)                                                                       \
	{                                                                            \
		"arg" #n, DEF_VAR, "int64_t", .check = check_argn, .gen = gen_argn,  \
					      .help = "argument " #n " of the probe" \
	}

const struct def defs_args[] = {
    ARG(0),
    ARG(1),
    ARG(2),
    ARG(3),
    ARG(4),
    ARG(5),
    ARG(6),
    ARG(7),
    ARG(8),
    ARG(9),
    {"args", DEF_VAR, NULL, DEF_ARRAY, .check = check_args, .gen = gen_args, .gen_str = args_str,
     .member = args_by_name, .help = "the probe's arguments with their types"},
    {"retval", DEF_VAR, NULL, DEF_YIELDS, .check = check_retval,
     .help = "in probes at returns, what is returned"},
    {"errno", DEF_VAR, "int", .check = check_errno, .gen = gen_errno,
     .help = "error of the system call that returns"},
    {0},
};
