/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The maps of associative arrays.
 *
 * An array takes memory as elements come, where all that add to it run with interrupts enabled.
 * Where they are disabled, as in timers and tracepoints, the kernel has only a few elements ready
 * on each CPU, and gets more when interrupts are enabled again. So an array that is used there has
 * a first map with all of its memory from the start (-x dynvarsize), and a second one, for what
 * comes when the first is full. Programs look into the second only when a word says that something
 * was put there: an array that stays small costs what it did without.
 *
 * Where a probe may fire in an NMI or while the kernel takes memory, there is only the first.
 */
#include <stdlib.h>

#include "libdt/plan/parts.h"

/* The two worst places of a clause's probes. */
struct context {
	bool uninterrupted; /* interrupts are disabled */
	bool locks;	    /* taking memory may need what is locked */
};

static void note_array(void *arg, const struct node *n)
{
	const struct context *at = arg;

	if (!n->sym || n->sym->kind != SYM_ASSOC)
		return;
	n->sym->any_context |= at->uninterrupted;
	n->sym->fixed |= at->locks;
}

static struct sym *array_at(const struct plan *p, int i)
{
	struct sym *sym = p->cg.syms->all.v[i];

	return sym->kind == SYM_ASSOC ? sym : NULL;
}

static bool has_arrays(const struct plan *p)
{
	for (int i = 0; i < p->cg.syms->all.n; i++)
		if (array_at(p, i))
			return true;
	return false;
}

static void find_contexts(struct plan *p)
{
	for (int i = 0; i < p->clauses.n; i++) {
		const struct clause *c = p->clauses.v[i];
		struct context at = {false, false};

		for (int j = 0; j < c->probes.n; j++) {
			at.uninterrupted |= !probe_interrupts(c->probes.v[j]);
			at.locks |= !probe_spares_maps(c->probes.v[j]);
		}
		if (at.uninterrupted)
			clause_each_node(c, note_array, &at);
	}
}

static uint64_t element_bytes(const struct sym *sym)
{
	return 64 + sym->key.size + sym->size;
}

static bool wants_second(const struct sym *sym)
{
	return sym->any_context && !sym->fixed;
}

static int count_second(const struct plan *p)
{
	int n = 0;

	for (int i = 0; i < p->cg.syms->all.n; i++)
		n += array_at(p, i) && wants_second(array_at(p, i));
	return n;
}

static void describe_second(struct sym *sym, int n)
{
	map_init(&sym->second, "dt_assoc2", BPF_MAP_TYPE_HASH, sym->key.size, sym->size,
		 plan_on_demand_entries(n, element_bytes(sym)));
	sym->second.on_demand = true;
	sym->has_second = true;
}

uint32_t plan_describe_arrays(struct plan *p)
{
	bool grow = plan_memory_grows(p, OPT_DYNVARSIZE);
	uint32_t largest = 64;
	int64_t n;
	int seconds;

	if (grow && has_arrays(p))
		find_contexts(p);
	seconds = count_second(p);
	grow = grow && plan_maps_named(p) + seconds <= MAPS_OF_A_PROGRAM;
	for (int i = 0; i < p->cg.syms->all.n; i++) {
		struct sym *sym = array_at(p, i);

		largest = MAX(largest, p->cg.syms->all.v[i]->size);
		if (!sym)
			continue;
		n = opt_num(p->cg.opts, OPT_DYNVARSIZE) / element_bytes(sym);
		map_init(&sym->map, "dt_assoc", BPF_MAP_TYPE_HASH, sym->key.size, sym->size,
			 MIN(MAX(n, 16), 1 << 22));
		sym->has_map = true;
		if (grow && wants_second(sym))
			describe_second(sym, seconds);
	}
	return largest;
}

uint32_t plan_place_arrays(struct plan *p, uint32_t off)
{
	for (int i = 0; i < p->cg.syms->all.n; i++)
		if (array_at(p, i) && array_at(p, i)->has_second) {
			array_at(p, i)->second_off = off;
			off += 8;
		}
	return off;
}

void plan_fit_arrays(struct plan *p)
{
	VEC(struct map *) arrays = {0};

	for (int i = 0; i < p->cg.syms->all.n && plan_memory_grows(p, OPT_DYNVARSIZE); i++)
		if (array_at(p, i) && !array_at(p, i)->any_context)
			vec_push(&arrays, &array_at(p, i)->map);
	for (int i = 0; i < arrays.n; i++) {
		struct map *m = arrays.v[i];
		uint32_t n = plan_on_demand_entries(arrays.n, 64 + m->key_size + m->value_size);

		m->on_demand = true;
		m->max_entries = MAX(m->max_entries, n);
	}
	vec_free(&arrays);
}
