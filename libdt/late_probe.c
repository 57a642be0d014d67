/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/late_probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/engine/follow.h"
#include "libdt/engine/programs.h"
#include "libdt/plan/plan.h"
#include "libdt/process/task.h"
#include "libdt/provider/uproc.h"
#include "libdt/session.h"

bool late_probe_awaits(const struct dt *dt)
{
	for (int i = 0; i < dt->set->programs.n; i++)
		if (dt->set->programs.v[i]->late)
			return true;
	return false;
}

bool late_probe_awaits_from(struct dt *dt, pid_t pid)
{
	pid = follow_root(dt->set, pid);
	for (int i = 0; i < dt->set->probes.n && (uint32_t)i < dt->set->late_first; i++) {
		const struct probe *probe = dt->set->probes.v[i];

		if (probe->awaits && (!probe->target.pid || probe->target.pid == pid))
			return true;
	}
	return false;
}

pid_t late_probe_process(struct dt *dt, pid_t pid)
{
	pid = follow_root(dt->set, pid);
	for (int i = 0; i < dt->set->probes.n && (uint32_t)i < dt->set->late_first; i++)
		if (dt->set->probes.v[i]->awaits && dt->set->probes.v[i]->target.pid == pid)
			return pid;
	return 0;
}

/* What a mapping brings to one program. */
struct meeting {
	struct program_set *set;
	const struct enabled *enabled; /* by index of the probe */
	struct program *pl;
	const struct enabled *standin;
	struct late_refusal *refusal;
	const struct uobj *file;
	uint32_t *left; /* rows that the file may still take */
	bool follow;	/* -x follow */
	const struct probes *probes;
	int first; /* of the probes given to the program, that are new */
};

static uint8_t *row_of(const struct program_set *set, uint32_t index)
{
	return (uint8_t *)set->maps.late.mem +
	       (size_t)(index - set->late_first) * set->late_row_size;
}

/* The part of its row that says in which processes it fires. */
static struct late_processes *processes_of(const struct program_set *set, const struct probe *probe)
{
	return (struct late_processes *)(row_of(set, probe->index) +
					 late_processes_at(set->late_row_size));
}

static void refuse(struct meeting *m, struct probe *probe, int err)
{
	m->refusal->refused++;
	m->refusal->failed = probe;
	m->refusal->err = err;
}

/* A probe that was not known: it gets a number, names and its arguments' places. */
static bool enter(struct meeting *m, struct probe *probe)
{
	struct program_set *set = m->set;
	struct late_arg args[LATE_ARGS] = {0};

	probe->index = set->probes.n;
	if (!*m->left || !probe_names_add(&set->names, probe)) {
		refuse(m, NULL, -ENOSPC);
		return false;
	}
	--*m->left;
	probe->enabled = true;
	probe->records = m->standin->probe->records;
	if (m->pl->probes.v[0]->provider->late_args)
		m->pl->probes.v[0]->provider->late_args(m->standin->probe, probe, args);
	memcpy(row_of(set, probe->index) + set->late_row_size - sizeof(args), args, sizeof(args));
	processes_of(set, probe)->pids = probe->pids;
	vec_push(&set->probes, probe);
	vec_push(&set->schema.probes, &probe->desc);
	vec_push(&m->pl->targets, probe);
	return true;
}

static bool is_new(const struct meeting *m, const struct probe *probe)
{
	for (int i = m->first; i < m->pl->targets.n; i++)
		if (m->pl->targets.v[i] == probe)
			return true;
	return false;
}

static void on_match(void *arg, struct probe *probe)
{
	struct meeting *m = arg;
	const struct probe *standin = m->standin->probe;
	uint64_t *words;

	if (probe->file != m->file || probe->hook != standin->hook ||
	    probe->is_entry != standin->is_entry || probe->is_return != standin->is_return)
		return;
	if (!is_new(m, probe) && (probe->enabled || !enter(m, probe)))
		return;
	if (m->follow)
		probe->target.only = probe->target.pid;
	else if (probe->target.pid && task_has_ended(probe->target.pid))
		probe->target.only = probes_kernel_number(m->probes, probe->target.pid);
	words = (uint64_t *)row_of(m->set, probe->index);
	for (int i = 0; i < m->pl->clauses.n; i++)
		for (int j = 0; j < m->standin->clauses.n; j++)
			if (m->pl->clauses.v[i] == m->standin->clauses.v[j])
				words[i / 64] |= 1ull << i % 64;
}

/* The bit of a process there; 0: it has none. */
static uint64_t bit_of(const struct program *pl, pid_t pid)
{
	pid_t at;

	for (int i = 0; i < LATE_PROCESSES; i++) {
		at = program_process(pl->probes.v, pl->probes.n, i);
		if (at == pid)
			return 1ull << i;
		if (!at)
			break;
	}
	return 0;
}

static void join(struct meeting *m, struct probe *own, struct probe *of_all)
{
	uint64_t bit = bit_of(m->pl, own->target.pid),
		 *words = (uint64_t *)row_of(m->set, own->index),
		 *theirs = (uint64_t *)row_of(m->set, of_all->index);

	if (!bit)
		return;
	for (uint32_t i = 0; i < late_words(m->pl->clauses.n); i++)
		words[i] |= theirs[i];
	own->of_all = of_all;
	processes_of(m->set, of_all)->except |= bit;
}

/* New probes of one process get the clauses of those of all processes at their places, which do
 * not fire in it: clauses run in the order of the script (plan/late.c). */
static void join_places(struct dt *dt, struct meeting *m)
{
	struct hash places = {0};

	if (m->first == m->pl->targets.n || !program_process(m->pl->probes.v, m->pl->probes.n, 0))
		return;
	for (int i = 0; i < m->pl->targets.n; i++) {
		struct probe *probe = m->pl->targets.v[i];
		bool all = !probe->target.pid && !probe->pids.modulus;
		char *place = all ? uproc_place(dt->probes, probe) : NULL;

		if (place)
			hash_puts(&places, place, probe);
		free(place);
	}
	for (int i = m->first; places.n && i < m->pl->targets.n; i++) {
		struct probe *own = m->pl->targets.v[i], *of_all;
		char *place = own->target.pid ? uproc_place(dt->probes, own) : NULL;

		of_all = place ? hash_gets(&places, place) : NULL;
		if (of_all)
			join(m, own, of_all);
		free(place);
	}
	hash_free(&places);
}

/* It could not be attached: the probe that it was joined with fires. */
static void part(struct meeting *m, const struct probe *own)
{
	if (own->of_all)
		processes_of(m->set, own->of_all)->except &= ~bit_of(m->pl, own->target.pid);
}

/* A program of the probe's own. What is attached keeps it. */
static int attach_own(struct meeting *m, const struct probe *probe)
{
	struct prog own = m->pl->prog;
	int rc;

	own.fd = -1;
	map_close(&m->pl->table);
	m->pl->number = probe->index;
	rc = prog_load(&own, m->set->feats, NULL, false);
	if (!rc) {
		rc = hook_attach(m->pl->hook, own.fd, &probe->target, 0, &m->set->links);
		close(own.fd);
	}
	return rc;
}

static void attach(struct meeting *m)
{
	int n = m->pl->targets.n - m->first, *errors = xcalloc(MAX(n, 1), sizeof(*errors)), rc = 0;

	if (m->pl->has_table)
		for (int i = 0; i < n; i++)
			errors[i] = attach_own(m, m->pl->targets.v[m->first + i]);
	else if (n)
		rc = programs_attach_more(m->set, m->pl, m->first, errors);
	for (int i = 0; i < n; i++)
		if (rc || errors[i]) {
			part(m, m->pl->targets.v[m->first + i]);
			refuse(m, m->pl->targets.v[m->first + i], rc ? rc : errors[i]);
		}
	free(errors);
}

static bool one_owner(const struct uobj *a, const struct uobj *b)
{
	return a->foreign && b->foreign && a->uid && b->uid ? a->uid == b->uid : a == b;
}

/* How many rows of the table a file may still take, and (most) it and others of its owner may have
 * at all. */
static uint32_t rows_left(const struct program_set *set, const struct uobj *file, uint32_t *most)
{
	uint32_t own = 0, others = 0;

	for (int i = set->late_first; i < set->probes.n; i++) {
		bool is_own = one_owner(set->probes.v[i]->file, file);

		own += is_own;
		others += !is_own;
	}
	*most = file->foreign ? (set->late_max - others) / 2 : set->late_max;
	return MIN(*most - MIN(*most, own), set->late_max - own - others);
}

int late_probe_meet(struct dt *dt, pid_t pid, const struct mapping *mapping, struct late_refusal *r)
{
	struct program_set *set = dt->set;
	int before = set->probes.n;
	const struct uobj *file;
	uint32_t left;

	*r = (struct late_refusal){0};
	if (!uproc_narrow(dt->probes, follow_root(set, pid), pid, mapping))
		return 0;
	file = uproc_only(dt->probes);
	left = rows_left(set, file, &r->most);
	for (int i = 0; i < set->programs.n; i++) {
		struct program *pl = set->programs.v[i];
		struct meeting m = {.set = set,
				    .enabled = dt->plan->enabled.v,
				    .pl = pl,
				    .refusal = r,
				    .file = file,
				    .left = &left,
				    .follow = opt_on(&dt->opts, OPT_FOLLOW),
				    .probes = dt->probes,
				    .first = pl->targets.n};

		for (int j = 0; pl->late && j < pl->probes.n; j++) {
			m.standin = &m.enabled[pl->probes.v[j]->index];
			probes_match(dt->probes, pl->probes.v[j]->awaits, on_match, &m);
		}
		if (pl->late) {
			join_places(dt, &m);
			attach(&m);
		}
	}
	r->cut = file->cut;
	uproc_widen(dt->probes, set->probes.n > before);
	return set->probes.n - before;
}
