/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With -Z: probes of files that no process has mapped when tracing begins.
 *
 * What will come is not known when programs are made and verified: neither which of the script's
 * descriptions a probe will fit, nor what it is called, nor where its arguments are. So there is
 * one program for all that may come on a hook, with every clause that waits; a row of a map,
 * which dtrace writes when a probe is met, says which of the clauses are the probe's and how its
 * arguments are fetched. Then the probe has only to be attached.
 *
 * Where attaching carries no cookie (before 5.15), that program is loaded again for each probe,
 * with the number of its row in a map of its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/provider/uproc.h"
#include "libdt/run/plan_int.h"

enum {
	LATE_MAX = 4096,
	LATE_MAX_EXEC = 32768,
	MAP_BYTES = (4 << 20) - 4096 /* kernels take no more for one value, up to 5.10 */
};

bool plan_awaits(const struct plan *p)
{
	for (int i = 0; i < p->programs.n; i++)
		if (p->programs.v[i]->late)
			return true;
	return false;
}

bool plan_awaits_from(struct plan *p, pid_t pid)
{
	pid = plan_followed(p, pid);
	for (int i = 0; i < p->sh.probes.n && (uint32_t)i < p->sh.late_first; i++) {
		const struct probe *probe = p->sh.probes.v[i];

		if (probe->awaits && (!probe->target.pid || probe->target.pid == pid))
			return true;
	}
	return false;
}

pid_t plan_awaits_process(struct plan *p, pid_t pid)
{
	pid = plan_followed(p, pid);
	for (int i = 0; i < p->sh.probes.n && (uint32_t)i < p->sh.late_first; i++)
		if (p->sh.probes.v[i]->awaits && p->sh.probes.v[i]->target.pid == pid)
			return pid;
	return 0;
}

void plan_late(struct plan *p)
{
	struct shared *sh = &p->sh;
	uint32_t most = 0;

	for (int i = 0; i < p->programs.n; i++)
		if (p->programs.v[i]->late)
			most = MAX(most, (uint32_t)p->programs.v[i]->clauses.n);
	if (!most)
		return;
	sh->late_max = LATE_MAX;
	sh->late_first = sh->probes.n;
	sh->late_row_size = late_words(most) * 8 + LATE_ARGS * sizeof(struct late_arg);
	if (!strcmp(opt_text(sh->opts, OPT_EVALTIME), "exec")) /* all libraries are yet to come */
		sh->late_max = MAX(LATE_MAX, MIN(LATE_MAX_EXEC, MAP_BYTES / sh->late_row_size));
	map_init_memory(&sh->late, "dt_late", sh->late_max * sh->late_row_size);
}

void plan_late_program(struct plan *p, struct planned *pl)
{
	if (hook_dispatch(p->sh.feats, pl->hook) == DISPATCH_COOKIE)
		return;
	map_init_memory(&pl->table, "dt_number", sizeof(pl->number));
	pl->table.init = &pl->number;
	pl->has_table = true;
}

/* What a mapping brings to one program. */
struct meeting {
	struct plan *p;
	struct planned *pl;
	const struct enabled *standin;
	struct late_refusal *refusal;
	int first; /* of the probes given to the program, that are new */
};

static uint8_t *row_of(const struct shared *sh, uint32_t index)
{
	return (uint8_t *)sh->late.mem + (size_t)(index - sh->late_first) * sh->late_row_size;
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
	struct shared *sh = &m->p->sh;
	struct late_arg args[LATE_ARGS] = {0};

	probe->index = sh->probes.n;
	if (probe->index >= sh->late_first + sh->late_max || !plan_name(m->p, probe)) {
		refuse(m, NULL, -ENOSPC);
		return false;
	}
	probe->enabled = true;
	probe->records = m->standin->probe->records;
	if (m->pl->probes.v[0]->provider->late_args)
		m->pl->probes.v[0]->provider->late_args(m->standin->probe, probe, args);
	memcpy(row_of(sh, probe->index) + sh->late_row_size - sizeof(args), args, sizeof(args));
	vec_push(&sh->probes, probe);
	vec_push(&m->p->schema.probes, &probe->desc);
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

	if (probe->hook != standin->hook || probe->is_entry != standin->is_entry ||
	    probe->is_return != standin->is_return)
		return;
	if (!is_new(m, probe) && (probe->enabled || !enter(m, probe)))
		return;
	probe->target.all |= opt_on(m->p->sh.opts, OPT_FOLLOW) && probe->target.pid;
	words = (uint64_t *)row_of(&m->p->sh, probe->index);
	for (int i = 0; i < m->pl->clauses.n; i++)
		for (int j = 0; j < m->standin->clauses.n; j++)
			if (m->pl->clauses.v[i] == m->standin->clauses.v[j])
				words[i / 64] |= 1ull << i % 64;
}

/* A program of the probe's own. What is attached keeps it. */
static int attach_own(struct meeting *m, const struct probe *probe)
{
	struct prog own = m->pl->prog;
	int rc;

	own.fd = -1;
	map_close(&m->pl->table);
	m->pl->number = probe->index;
	rc = prog_load(&own, m->p->sh.feats, NULL, false);
	if (!rc) {
		rc = hook_attach(m->pl->hook, own.fd, &probe->target, 0, &m->p->links);
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
		rc = plan_attach_more(m->p, m->pl, m->first, errors);
	for (int i = 0; i < n; i++)
		if (rc || errors[i])
			refuse(m, m->pl->targets.v[m->first + i], rc ? rc : errors[i]);
	free(errors);
}

int plan_meet(struct plan *p, pid_t pid, const struct mapping *mapping, struct late_refusal *r)
{
	struct probes *ps = p->sh.sema->probes;
	int before = p->sh.probes.n;

	*r = (struct late_refusal){0};
	if (!uproc_narrow(ps, plan_followed(p, pid), pid, mapping))
		return 0;
	for (int i = 0; i < p->programs.n; i++) {
		struct planned *pl = p->programs.v[i];
		struct meeting m = {.p = p, .pl = pl, .refusal = r, .first = pl->targets.n};

		for (int j = 0; pl->late && j < pl->probes.n; j++) {
			m.standin = &p->enabled.v[pl->probes.v[j]->index];
			probes_match(ps, pl->probes.v[j]->awaits, on_match, &m);
		}
		if (pl->late)
			attach(&m);
	}
	uproc_widen(ps, p->sh.probes.n > before);
	return p->sh.probes.n - before;
}
