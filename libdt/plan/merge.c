/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes of one target with different clauses (syscall::read:entry and syscall::write:entry are
 * both the raw tracepoint sys_enter) share a program, too: its table says which part has the
 * clauses. Else each of a hundred programs runs at each system call, only to find that it is
 * another's, and each is verified with all that it begins and ends with.
 *
 * A few programs remain as they are. They know their probe without a table, and one does not claim
 * a scratch slot because another needs it.
 *
 * Not merged is what has a number of the selector that another probe has, too: such programs run
 * in the order of their clauses. And with -x maxcpu, which samples programs each by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/plan/parts.h"

/* A program of 32 parts is verified and checked for jumps in less time than its parts alone;
 * larger ones take longer, for the verifier moves and adjusts the rest of a program again and
 * again. */
enum { FEW = 4, MOST_PARTS = 32 };

/* How many enabled probes have a number of a target in a mode, and how many programs may be
 * merged; values are counts. */
static void count(struct hash *h, const char *key)
{
	void **slot = hash_ref(h, key, strlen(key));

	*slot = (void *)((uintptr_t)*slot + 1);
}

static uintptr_t count_of(struct hash *h, const char *key)
{
	return (uintptr_t)hash_gets(h, key);
}

static const char *number_key(struct strbuf *sb, const struct probe *probe, int mode)
{
	sb->len = 0;
	sb_printf(sb, "%s %d %u", probe->target.name, mode, probe->select[mode]);
	return sb_str(sb);
}

static void count_numbers(struct plan *p, struct hash *numbers)
{
	struct strbuf key = {0};

	for (int i = 0; i < p->set->probes.n; i++) {
		const struct probe *probe = p->set->probes.v[i];

		for (int mode = 0; mode < 2 && probe_base(probe)->provider->selector; mode++)
			if (probe->select[mode] != SELECT_NONE)
				count(numbers, number_key(&key, probe, mode));
	}
	sb_free(&key);
}

static bool may_merge(const struct program *pl, struct hash *numbers)
{
	const struct provider *base = probe_base(pl->probes.v[0])->provider;
	struct strbuf key = {0};
	bool may = base->selector && !base->guard && !pl->late;

	for (int i = 0; i < pl->probes.n && may; i++) {
		const struct probe *probe = pl->probes.v[i];

		may = !probe->nexcept;
		for (int mode = 0; mode < 2 && may; mode++)
			may = probe->select[mode] == SELECT_NONE ||
			      count_of(numbers, number_key(&key, probe, mode)) == 1;
	}
	sb_free(&key);
	return may;
}

/* Under which programs are merged. */
static const char *merge_key(struct strbuf *sb, const struct plan *p, const struct program *pl)
{
	const struct probe *probe = pl->probes.v[0];

	sb->len = 0;
	sb_printf(sb, "%d %u %s %p %d", pl->hook, pl->btf_id, probe->target.name,
		  (void *)(uintptr_t)probe_base(probe)->provider->selector,
		  p->set->has_cgroup && probe_is_systemwide(probe));
	return sb_str(sb);
}

/* In the order of the script, each once. */
static void add_clause(struct program *pl, struct clause *c)
{
	int at = pl->clauses.n;

	while (at && pl->clauses.v[at - 1]->index > c->index)
		at--;
	if (at && pl->clauses.v[at - 1] == c)
		return;
	vec_push(&pl->clauses, NULL);
	memmove(&pl->clauses.v[at + 1], &pl->clauses.v[at],
		(pl->clauses.n - 1 - at) * sizeof(*pl->clauses.v));
	pl->clauses.v[at] = c;
}

/* What the parts have is what the program has. */
static void join_parts(struct program *pl)
{
	pl->clauses.n = pl->probes.n = 0;
	for (int i = 0; i < pl->parts.n; i++) {
		const struct program_part *part = &pl->parts.v[i];

		for (int j = 0; j < part->clauses.n; j++)
			add_clause(pl, part->clauses.v[j]);
		for (int j = 0; j < part->probes.n; j++)
			vec_push(&pl->probes, part->probes.v[j]);
	}
}

/* The program's clauses and probes become a part of into, which may be itself. */
static void add_part(struct program *into, struct program *pl)
{
	struct program_part part = {0};

	for (int i = 0; i < pl->clauses.n; i++)
		vec_push(&part.clauses, pl->clauses.v[i]);
	for (int i = 0; i < pl->probes.n; i++)
		vec_push(&part.probes, pl->probes.v[i]);
	vec_push(&into->parts, part);
}

void plan_merge(struct plan *p)
{
	struct hash numbers = {0}, candidates = {0}, open = {0};
	struct program_set *set = p->set;
	struct strbuf key = {0};
	int kept = 0;

	if (opt_text(p->cg.opts, OPT_MAXCPU) || set->programs.n <= FEW)
		return;
	count_numbers(p, &numbers);
	for (int i = 0; i < set->programs.n; i++)
		if (may_merge(set->programs.v[i], &numbers))
			count(&candidates, merge_key(&key, p, set->programs.v[i]));
	for (int i = 0; i < set->programs.n; i++) {
		struct program *pl = set->programs.v[i], **into = NULL;

		merge_key(&key, p, pl);
		if (may_merge(pl, &numbers) && count_of(&candidates, sb_str(&key)) > FEW)
			into = (struct program **)hash_ref(&open, key.s, key.len);
		if (into && *into && (*into)->parts.n < MOST_PARTS) {
			add_part(*into, pl);
			program_free(pl);
			continue;
		}
		if (into) {
			add_part(pl, pl);
			*into = pl;
		}
		set->programs.v[kept++] = pl;
	}
	set->programs.n = kept;
	for (int i = 0; i < kept; i++) {
		struct program *pl = set->programs.v[i];

		if (pl->parts.n > 1)
			join_parts(pl);
		else if (pl->parts.n)
			program_drop_parts(pl);
	}
	sb_free(&key);
	hash_free(&numbers);
	hash_free(&candidates);
	hash_free(&open);
}

/* One part is a program without parts. */
static void settle(struct program *pl)
{
	join_parts(pl);
	if (pl->parts.n == 1)
		program_drop_parts(pl);
	pl->targets.n = 0;
	for (int i = 0; i < pl->probes.n; i++)
		vec_push(&pl->targets, pl->probes.v[i]);
	pl->has_table = false;
}

void plan_split(struct plan *p, struct program *pl)
{
	struct program *other = program_new(p->set, pl->hook);
	int half = pl->parts.n / 2;

	other->btf_id = pl->btf_id;
	other->one_target = pl->one_target;
	for (int i = half; i < pl->parts.n; i++)
		vec_push(&other->parts, pl->parts.v[i]);
	pl->parts.n = half;
	settle(pl);
	settle(other);
}
