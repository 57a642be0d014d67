/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which programs, with which hooks.
 *
 * Probes with the same ordered list of clauses share a program where their hook can distinguish
 * them. For functions of the kernel there are three ways, and the best depends on how many have the
 * same clauses:
 *
 *	fentry		a program for each function: cheapest to fire, but each is loaded and
 *			detached by itself
 *	kprobe.multi	one program and one link for all: 50,000 functions in seconds
 *	kprobe		one program, an event for each function: slow to attach, and slower to
 *			detach
 *
 * Code of programs is on uprobe.multi where the kernel has it: single uprobes take 110 ms each to
 * detach.
 *
 * So few functions have fentry, many kprobe.multi; where the kernel has no kprobe.multi, fentry
 * serves some more. Whether a function accepts fentry is known only after an attempt. Therefore a
 * program for all functions of a group is always generated, and serves those that fentry refused;
 * it is loaded only when there are any.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/provider/uproc.h"
#include "libdt/lang/sample.h"
#include "libdt/plan/parts.h"

/*
 * Detaching fentry takes a grace period each, under a lock: 150 ms in an emulated machine,
 * against 75 ms for a kprobe, whose closing overlaps, and 100 ms for a whole kprobe.multi. That
 * is what limits it.
 */
enum { FEW = 4, FEW_WITHOUT_MULTI = 8 };

static void enable(struct plan *p, struct probe *probe, struct clause *c)
{
	const struct probe *base = probe_base(probe);
	struct enabled e = {.probe = probe};

	if (!probe->enabled) {
		probe->enabled = true;
		probe->index = p->set->probes.n;
		if (probe->hook == HOOK_PERF)
			probe->clock = p->cg.nclocks++;
		probe->locks = base->provider->locks && base->provider->locks(base);
		p->cg.locks |= probe->locks;
		vec_push(&p->set->probes, probe);
		vec_push(&p->set->schema.probes, &probe->desc);
		vec_push(&p->enabled, e);
	}
	probe->records |= c->records;
	vec_push(&p->enabled.v[probe->index].clauses, c);
}

/* The clauses of both, in program order. */
static void add_clauses_of(struct enabled *e, const struct enabled *other)
{
	struct enabled both = {.probe = e->probe};
	int i = 0, j = 0;

	while (i < e->clauses.n || j < other->clauses.n) {
		struct clause *own = i < e->clauses.n ? e->clauses.v[i] : NULL,
			      *theirs = j < other->clauses.n ? other->clauses.v[j] : NULL;
		bool first = own && (!theirs || own->index <= theirs->index);

		vec_push(&both.clauses, first ? own : theirs);
		j += theirs && (!first || own == theirs);
		i += first;
	}
	vec_free(&e->clauses);
	*e = both;
}

/* The processes in which it fires. */
static struct pid_set processes_of(const struct plan *p, const struct probe *probe)
{
	pid_t pid = probe->target.pid;

	return pid ? (struct pid_set){PID_SET_ONE, probes_kernel_number(p->cg.sema->probes, pid)}
		   : probe->pids;
}

/* Does a fire in some of the processes of b, and in no others? */
static bool is_narrower(const struct plan *p, const struct probe *a, const struct probe *b)
{
	struct pid_set own = processes_of(p, a), other = processes_of(p, b);

	/* with -x follow of a process: those that come from it, too, whose numbers may be any */
	if (opt_on(p->cg.opts, OPT_FOLLOW) && (other.modulus || !a->target.pid))
		return false;
	return !b->target.pid && own.modulus > other.modulus && pid_set_has(other, own.rest);
}

static void except(struct plan *p, struct probe *of_all, struct pid_set own)
{
	struct pid_set *sets = arena_alloc(p->cg.arena, (of_all->nexcept + 1) * sizeof(*sets));

	memcpy(sets, of_all->except, of_all->nexcept * sizeof(*sets));
	sets[of_all->nexcept++] = own;
	of_all->except = sets;
}

static void join(struct plan *p, struct enabled *own, struct probe *of_all)
{
	struct probe *probe = own->probe;

	if (!probe->of_all || is_narrower(p, of_all, probe->of_all))
		probe->of_all = of_all;
	probe_args(p->cg.sema->probes, probe);
	add_clauses_of(own, &p->enabled.v[of_all->index]);
	except(p, of_all, processes_of(p, probe));
}

/*
 * A probe of one process (app123), or of some (app*3), where one of all processes (app*) stands:
 * the kernel runs programs that are attached to one instruction in an order of its own, and clauses
 * have the script's. So the probe of fewer processes has the clauses of both, and the other one
 * does not fire there.
 */
static void join_places(struct plan *p)
{
	int n = p->enabled.n, *next = arena_alloc(p->cg.arena, (n + 1) * sizeof(*next));
	struct hash places = {0}; /* -> the last probe of all processes there, plus one */

	for (int i = 0; i < n; i++) {
		struct probe *probe = p->enabled.v[i].probe;
		char *place;
		void **last;

		if (!probe->file || probe->target.pid)
			continue;
		place = uproc_place(p->cg.sema->probes, probe);
		last = hash_ref(&places, place, strlen(place));
		next[i + 1] = (intptr_t)*last;
		*last = (void *)(intptr_t)(i + 1);
		free(place);
	}
	for (int i = 0; places.n && i < n; i++) {
		struct enabled *own = &p->enabled.v[i];
		char *place;

		if (!own->probe->file || !processes_of(p, own->probe).modulus)
			continue;
		place = uproc_place(p->cg.sema->probes, own->probe);
		for (int at = (intptr_t)hash_gets(&places, place); at; at = next[at])
			if (is_narrower(p, own->probe, p->enabled.v[at - 1].probe))
				join(p, own, p->enabled.v[at - 1].probe);
		free(place);
	}
	hash_free(&places);
}

/*
 * The kernel takes one semaphore for an instruction of a file: with another one or none a second
 * probe there is refused (EINVAL). So a probe of the pid provider at the instruction of a static
 * probe names the semaphore of that, which is raised anyway.
 */
static void share_semaphores(struct plan *p)
{
	struct hash sites = {0};

	for (int i = 0; i < p->enabled.n; i++) {
		struct probe *probe = p->enabled.v[i].probe;
		char *site;

		if (!probe->file || !probe->target.semaphore)
			continue;
		site = uproc_site(p->cg.sema->probes, probe);
		hash_puts(&sites, site, probe);
		free(site);
	}
	for (int i = 0; sites.n && i < p->enabled.n; i++) {
		struct probe *probe = p->enabled.v[i].probe, *other;
		char *site;

		if (!probe->file || probe->target.semaphore)
			continue;
		site = uproc_site(p->cg.sema->probes, probe);
		other = hash_gets(&sites, site);
		if (other)
			probe->target.semaphore = other->target.semaphore;
		free(site);
	}
	hash_free(&sites);
}

/* Clauses in program order. */
void plan_enable(struct plan *p)
{
	for (int i = 0; i < p->clauses.n; i++)
		for (int j = 0; j < p->clauses.v[i]->probes.n; j++) {
			struct probe *probe = p->clauses.v[i]->probes.v[j];

			if (!probe->unsupported && (probe->named || !probe->recursive))
				enable(p, probe, p->clauses.v[i]);
		}
	join_places(p);
	share_semaphores(p);
}

static bool uses_args(const struct enabled *e)
{
	bool uses = false;

	for (int i = 0; i < e->clauses.n; i++)
		uses |= e->clauses.v[i]->uses_args;
	return uses;
}

/* Has one of its clauses the function return instead of running; perhaps with 0? */
static bool returns(const struct plan *p, const struct probe *probe, bool *any)
{
	const struct enabled *e = &p->enabled.v[probe->index];
	bool some = false;

	*any = false;
	for (int i = 0; i < e->clauses.n; i++) {
		some |= e->clauses.v[i]->returns;
		*any |= e->clauses.v[i]->returns_any;
	}
	return some;
}

/* Does a clause want the registers at the probe? */
static bool uses_regs(const struct plan *p, const struct probe *probe)
{
	const struct enabled *e = &p->enabled.v[probe->index];
	bool uses = false;

	for (int i = 0; i < e->clauses.n; i++)
		uses |= e->clauses.v[i]->uses_regs;
	return uses;
}

/*
 * A task can be preempted in a raw tracepoint's program since tracepoints are under SRCU (7.0), and
 * until it resumes the kernel skips other calls of that program on the CPU: with four busy threads
 * a third of the system calls, measured. The programs of perf events run to their end. The kernel's
 * BTF shows it: it has the tracepoints' SRCU (older kernels had that too, for idle CPUs), and the
 * kind of SRCU that they use.
 */
static bool raw_is_preempted(struct plan *p)
{
	struct types *types = p->cg.types;
	bool percpu;

	if (p->cg.preempted_known || p->cg.opts->v[OPT_BTFPATH].set)
		return p->cg.preempted;
	p->cg.preempted_known = true;
	p->cg.preempted = type_find(types, "vmlinux", "struct srcu_ctr") &&
			  type_kernel_var(types, "vmlinux", "tracepoint_srcu_srcu_data", &percpu);
	return p->cg.preempted;
}

/* A tracepoint whose record is not used is cheaper as a raw one: half the time for each firing, and
 * detached at once, where a perf event takes 75 ms. The raw tracepoint has the same name, and BTF
 * shows that it exists. */
static void cheapest_tracepoint(struct plan *p, struct enabled *e)
{
	struct probe *probe = e->probe;

	if (probe->hook == HOOK_TP && !probe->locks && !uses_args(e) &&
	    type_tracepoint(p->cg.types, probe->target.name) && !raw_is_preempted(p))
		probe->hook = HOOK_RAWTP;
}

/*
 * Which has the function return (whether it may, prov_fbt.c has found out). A fmod_ret program is
 * for all functions that may, and what is probed at their return sees the value; but it cannot
 * return 0. A kprobe can, where the kernel lets it.
 */
static enum hook_kind returning_hook(struct plan *p, const struct probe *probe, bool any)
{
	bool other_kernel = p->cg.opts->v[OPT_BTFPATH].set; /* for a kernel that may have both */
	bool by_program =
	    other_kernel || (probe->target.btf_id && feat(p->cg.feats, FEAT_FMOD_RET));
	bool by_kprobe =
	    probe->can_override && (other_kernel || feat(p->cg.feats, FEAT_OVERRIDE_RETURN));

	if (by_program && !by_kprobe && uses_regs(p, probe))
		diag_die(p->cg.diag, D_ACT_RETURN,
			 p->enabled.v[probe->index].clauses.v[0]->node->loc,
			 "%s:%s:%s:%s has clauses with return( ) and with regs[ ], which this "
			 "kernel does not have for one program",
			 probe->prov, probe->mod, probe->func, probe->name);
	return by_program && !(by_kprobe && (any || uses_regs(p, probe))) ? HOOK_FMODRET
									  : HOOK_KPROBE;
}

/* The hook of a program for all probes of a group. */
static enum hook_kind shared_hook(struct plan *p, const struct probe *probe)
{
	bool any;

	if (returns(p, probe, &any))
		return returning_hook(p, probe, any);
	if (probe_is_user(probe) && feat(p->cg.feats, FEAT_UPROBE_MULTI))
		return probe->hook == HOOK_UPROBE ? HOOK_UMULTI : HOOK_URMULTI;
	if (!probe_is_function(probe) || probe->target.offset ||
	    !feat(p->cg.feats, FEAT_KPROBE_MULTI) || uses_regs(p, probe))
		return probe->hook;
	return probe->hook == HOOK_KPROBE ? HOOK_KMULTI : HOOK_KRMULTI;
}

/* What programs read to distinguish returns without cookies; determined once. */
static bool know_where(struct plan *p)
{
	struct codegen *cg = &p->cg;
	uint64_t off;

	if (cg->where_tried)
		return cg->where_known;
	cg->where_tried = true;
	cg->where_known =
	    type_kernel_offset(cg->types, "struct kprobe", "addr", &off) && !hook_where(&cg->where);
	cg->where.kprobe_addr = off;
	return cg->where_known;
}

/* Can a program distinguish this probe from others on its hook? */
static bool can_share(struct plan *p, const struct probe *probe, enum hook_kind hook)
{
	if (hook == HOOK_RUN || hook == HOOK_PERF) /* rates are constants */
		return false;
	switch (hook_dispatch(p->cg.feats, hook)) {
	case DISPATCH_COOKIE:
		return true;
	case DISPATCH_ADDRESS:
		/* an instruction may be asked for twice, and begin a function */
		if (!probe->is_entry && !probe->is_return)
			return false;
		return probe->target.addr && (hook == HOOK_KPROBE || know_where(p));
	default:
		return false;
	}
}

/* The name under which probes share a program; probes with the same one do. */
static void group_name(struct plan *p, const struct enabled *e, struct strbuf *key)
{
	const struct probe *probe = e->probe;
	const struct provider *base = probe_base(probe)->provider;
	enum hook_kind hook = shared_hook(p, probe);

	/* which clauses what comes will have is not known: a program with all */
	if (probe->awaits) {
		sb_printf(key, "late %d %s %d%d", hook, probe->provider->name, probe->is_entry,
			  probe->is_return);
		return;
	}
	sb_printf(key, "%d %s %d%d", hook, probe->provider->name, probe->is_entry,
		  probe->is_return);
	if (base->selector)
		sb_printf(key, " %s", probe->target.name);
	else if (!can_share(p, probe, hook))
		sb_printf(key, " #%u", probe->id);
	/* what a row of a table says of argN is the same for all its calls */
	if (probe->base && base->selector)
		sb_printf(key, " row %p", probe->data);
	else if ((uses_args(e) && !probe->provider->uniform_args) || probe->base)
		sb_printf(key, " args #%u", probe->id);
	if (p->set->has_cgroup)
		sb_puts(key, probe_is_systemwide(probe) ? " all" : " group");
	if (probe->pids.modulus)
		sb_printf(key, " in %u/%u", probe->pids.rest, probe->pids.modulus);
	for (int i = 0; i < probe->nexcept; i++)
		sb_printf(key, " -%u/%u", probe->except[i].rest, probe->except[i].modulus);
	for (int i = 0; i < e->clauses.n; i++)
		sb_printf(key, " %u", e->clauses.v[i]->index);
}

/* A perf event takes 64 programs, other tracers' among them; a raw tracepoint any number. */
enum { MOST_ON_EVENT = 48 };

static bool is_crowded(struct plan *p)
{
	struct hash groups = {0};
	struct strbuf key = {0};

	for (int i = 0; i < p->enabled.n; i++)
		if (probe_base(p->enabled.v[i].probe)->provider->unpreempted) {
			key.len = 0;
			group_name(p, &p->enabled.v[i], &key);
			hash_put(&groups, key.s, key.len, p);
		}
	sb_free(&key);
	p->crowded = groups.n > MOST_ON_EVENT;
	p->crowded_known = true;
	hash_free(&groups);
	return p->crowded;
}

static void avoid_preemption(struct plan *p, struct probe *probe)
{
	const struct provider *provider = probe_base(probe)->provider;

	if (probe->hook == HOOK_RAWTP && provider->unpreempted && raw_is_preempted(p) &&
	    !(p->crowded_known ? p->crowded : is_crowded(p)))
		provider->unpreempted(p->cg.sema->probes, probe);
}

/* The type id of a tracepoint of the running kernel where its arguments may be loaded from, else
 * 0. */
static uint32_t typed_tracepoint(struct plan *p, const struct probe *probe)
{
	if (probe->hook != HOOK_RAWTP || !probe_base(probe)->provider->loads_typed ||
	    p->cg.opts->v[OPT_BTFPATH].set)
		return 0;
	if (!feat(p->cg.feats, FEAT_TP_BTF))
		return 0;
	return type_tracepoint_id(p->cg.types, probe->target.name);
}

static struct program *make(struct plan *p, const struct enabled *e)
{
	uint32_t typed = typed_tracepoint(p, e->probe);
	struct program *pl = program_new(p->set, typed ? HOOK_TPBTF : shared_hook(p, e->probe));

	pl->btf_id = pl->hook == HOOK_FMODRET ? e->probe->target.btf_id : typed;
	pl->one_target = probe_base(e->probe)->provider->selector;
	pl->late = e->probe->awaits;
	for (int i = 0; i < e->clauses.n; i++)
		vec_push(&pl->clauses, e->clauses.v[i]);
	return pl;
}

/* Those of another stand-in, too, in the order of the script. */
static void add_clauses(struct program *pl, const struct enabled *e)
{
	for (int i = 0; i < e->clauses.n; i++) {
		int at = pl->clauses.n;

		while (at && pl->clauses.v[at - 1]->index > e->clauses.v[i]->index)
			at--;
		if (at && pl->clauses.v[at - 1] == e->clauses.v[i])
			continue;
		vec_push(&pl->clauses, NULL);
		for (int j = pl->clauses.n - 1; j > at; j--)
			pl->clauses.v[j] = pl->clauses.v[j - 1];
		pl->clauses.v[at] = e->clauses.v[i];
	}
}

/* A program for this function alone, if the kernel takes one: its type has to be known. */
static bool try_fentry(struct plan *p, struct program *group, struct probe *probe)
{
	struct program *pl;

	if (probe->target.offset || probe->locks)
		return false;
	probe_args(p->cg.sema->probes, probe);
	if (!probe->target.btf_id || modbtf_fd(&p->modules, probe->target.group) < 0)
		return false;
	pl = make(p, &p->enabled.v[probe->index]);
	pl->hook = probe->hook == HOOK_KPROBE ? HOOK_FENTRY : HOOK_FEXIT;
	pl->btf_id = probe->target.btf_id;
	pl->fallback = group;
	vec_push(&pl->probes, probe);
	vec_push(&pl->targets, probe);
	return true;
}

/* Programs on fentry are preempted like those of raw tracepoints, kprobe.multi's are not: where
 * that happens, exactness is worth the few hundred nanoseconds. */
static bool wants_fentry(struct plan *p, const struct program *group)
{
	bool multi = feat(p->cg.feats, FEAT_KPROBE_MULTI), any;

	if (returns(p, group->probes.v[0], &any) || uses_regs(p, group->probes.v[0]))
		return false;
	if (!probe_is_function(group->probes.v[0]) || p->cg.opts->v[OPT_BTFPATH].set ||
	    (multi && raw_is_preempted(p)))
		return false;
	return group->probes.n <= (multi ? FEW : FEW_WITHOUT_MULTI) &&
	       feat(p->cg.feats, FEAT_FENTRY);
}

static void give(struct plan *p, struct program *group)
{
	bool fentry = wants_fentry(p, group);

	for (int i = 0; i < group->probes.n; i++)
		if (!fentry || !try_fentry(p, group, group->probes.v[i]))
			vec_push(&group->targets, group->probes.v[i]);
}

static bool needs_address(struct plan *p, const struct probe *probe)
{
	return probe_is_function(probe) && !probe->target.addr &&
	       hook_dispatch(p->cg.feats, shared_hook(p, probe)) == DISPATCH_ADDRESS;
}

/* Without cookies many functions can share a program only when their addresses are known; few
 * need not. */
static void find_addresses(struct plan *p)
{
	VEC(struct target *) unknown = {0};

	for (int i = 0; i < p->set->probes.n; i++)
		if (needs_address(p, p->set->probes.v[i]))
			vec_push(&unknown, &p->set->probes.v[i]->target);
	if (unknown.n > FEW_WITHOUT_MULTI || (unknown.n > 1 && !feat(p->cg.feats, FEAT_FENTRY)))
		hook_find_addresses(unknown.v, unknown.n);
	vec_free(&unknown);
}

void plan_choose(struct plan *p)
{
	struct hash groups = {0};
	struct strbuf key = {0};
	int n;

	find_addresses(p);
	for (int i = 0; i < p->enabled.n; i++) {
		struct enabled *e = &p->enabled.v[i];
		struct program **pl;

		cheapest_tracepoint(p, e);
		avoid_preemption(p, e->probe);
		key.len = 0;
		group_name(p, e, &key);
		pl = (struct program **)hash_ref(&groups, key.s, key.len);
		if (!*pl)
			*pl = make(p, e);
		else if ((*pl)->late)
			add_clauses(*pl, e);
		vec_push(&(*pl)->probes, e->probe);
	}
	sb_free(&key);
	hash_free(&groups);
	plan_merge(p);
	n = p->set->programs.n;
	for (int i = 0; i < n; i++)
		if (!p->set->programs.v[i]->late)
			give(p, p->set->programs.v[i]);
}

/* BEGIN, END and ERROR fire in dtrace, once. */
void plan_choose_sampled(struct plan *p)
{
	if (!opt_text(p->cg.opts, OPT_MAXCPU))
		return;
	for (int i = 0; i < p->clauses.n; i++)
		sample_classify(p->clauses.v[i]);
	for (int i = 0; i < p->set->programs.n; i++) {
		struct program *pl = p->set->programs.v[i];

		pl->sample_row = i;
		if (pl->hook != HOOK_RUN)
			pl->sampling = sample_scope(pl->clauses.v, pl->clauses.n);
	}
}
