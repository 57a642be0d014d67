/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of a program set: their sizes, by the script and its options. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/lang/def.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/plan/parts.h"
#include "libdt/provider/rate.h"

static uint32_t power_of_two(uint64_t v, uint64_t min, uint64_t max)
{
	uint64_t p = min;

	while (p < v && p < max)
		p *= 2;
	return p;
}

enum { RING_MAX = 1 << 30, RING_TRANSPORT = 4 << 20, RING_SELDOM = 100 << 10 };

static bool ring_is_set(const struct opts *o)
{
	return o->v[OPT_BUFSIZE].set &&
	       (o->detached || !strcmp(opt_text(o, OPT_BUFPOLICY), "switch"));
}

static uint32_t ring_size(struct plan *p)
{
	const struct opts *o = p->cg.opts;
	bool set = ring_is_set(o);
	uint64_t want = set ? opt_num(o, OPT_BUFSIZE) : RING_TRANSPORT;

	/* bufsize is meant for each CPU; one ring serves all, and few scripts fill it, so it
	 * grows slowly. */
	p->ring_cut = set && want > (uint64_t)RING_MAX / p->set->ncpus;
	want = p->ring_cut ? RING_MAX : want * (set ? p->set->ncpus : MAX(p->set->ncpus / 4, 1));
	return power_of_two(want, sysconf(_SC_PAGESIZE), RING_MAX);
}

/* How often a probe may fire in a second, at least 1; UINT64_MAX: that is not known. */
static uint64_t firings(const struct probe *pr)
{
	struct rate r;

	if (!strcmp(pr->prov, "dtrace") && strcmp(pr->name, "ERROR"))
		return 1;
	if (strcmp(pr->prov, "profile") || rate_parse(pr->name, &r) != RATE_OK || !r.tick)
		return UINT64_MAX;
	return 1 + 1000000000 / r.period_ns;
}

/*
 * How much of the ring a clause fills while nothing is read for some seconds: a record or an error
 * each time. UINT64_MAX: that is not known.
 */
static uint64_t ring_part(const struct clause *c)
{
	enum { SECONDS = 16, OVERHEAD = 128, SLOWEST = 1000 };
	uint64_t sum = 0;

	if (!c->records && !c->faults)
		return 0;
	for (int i = 0; i < c->probes.n; i++) {
		uint64_t n = firings(probe_base(c->probes.v[i]));

		if (n > SLOWEST)
			return UINT64_MAX;
		sum += n * SECONDS * (c->layout.size + OVERHEAD);
	}
	return sum;
}

/* Where only BEGIN, END and slow timers write records, a small ring is enough. */
static uint64_t ring_needed(const struct plan *p)
{
	const struct codegen *cg = &p->cg;
	uint64_t need = RING_SELDOM, part;

	if (cg->opts->detached || p->set->late_max || gen_routine_wanted(cg, "dt_process") ||
	    gen_routine_wanted(cg, "dt_spec_end"))
		return RING_MAX;
	for (int i = 0; i < p->clauses.n && need < RING_MAX; i++) {
		part = ring_part(p->clauses.v[i]);
		need = part < RING_MAX ? need + part : RING_MAX;
	}
	return need;
}

void plan_fit_ring(struct plan *p)
{
	struct map *ring = &p->set->maps.ring;
	uint32_t page = sysconf(_SC_PAGESIZE);

	if (!p->set->uses_ring) { /* but for notices of tables that fill up */
		ring->max_entries = page;
		p->ring_cut = false;
	} else if (!ring_is_set(p->cg.opts)) {
		uint32_t size = power_of_two(ring_needed(p), page, RING_MAX);

		p->ring_fitted = size < ring->max_entries;
		if (p->ring_fitted)
			ring->max_entries = size;
	}
}

static uint32_t clamp(uint64_t v, uint32_t lo, uint32_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

static int keyed_aggregations(const struct plan *p)
{
	int n = 0;

	for (int i = 0; i < p->cg.syms->all.n; i++)
		n += p->cg.syms->all.v[i]->kind == SYM_AGG && p->cg.syms->all.v[i]->keyed;
	return n;
}

int plan_maps_named(const struct plan *p)
{
	int n = 12 + 2 * keyed_aggregations(p);

	for (int i = 0; i < p->cg.syms->all.n; i++)
		if (p->cg.syms->all.v[i]->kind == SYM_ASSOC)
			n += p->cg.syms->all.v[i]->has_second ? 2 : 1;
	return n;
}

/* Those with keys and values of the same sizes share one array of maps. */
static int aggregation_sizes(const struct plan *p)
{
	const struct aggr_memory *mem = &p->set->counts;
	int n = 0;

	for (int i = 0, k; i < mem->v.n; i++) {
		const struct aggr_maps *m = mem->v.v[i];

		for (k = 0; k < i; k++)
			if (mem->v.v[k]->key_size == m->key_size && mem->v.v[k]->words == m->words)
				break;
		n += m->key_size && k == i;
	}
	return n;
}

bool plan_memory_grows(const struct plan *p, enum opt size)
{
	const struct opts *o = p->cg.opts;

	return !o->v[size].set && !o->v[OPT_MAXMEM].set && !o->detached &&
	       feat(p->cg.feats, FEAT_FUNC_MEMORY);
}

/* New keys of a table that grows are added by functions. */
static bool tables_grow(const struct plan *p)
{
	return keyed_aggregations(p) && plan_memory_grows(p, OPT_AGGSIZE) &&
	       !p->cg.opts->v[OPT_MAXCPU].set &&
	       plan_maps_named(p) + aggregation_sizes(p) <= MAPS_OF_A_PROGRAM;
}

/* Of each map that the kernel takes the memory for when it makes it. Many aggregations share what a
 * few have, unless the size was asked for, and of large elements have fewer: most of the time that
 * a map takes is that of its memory. */
static uint32_t first_entries(const struct plan *p, uint64_t elem, bool grow)
{
	enum { GROWING = 1 << 10, MANY_MOST = 192 << 10 };
	const struct opts *o = p->cg.opts;
	uint64_t size = opt_num(o, OPT_AGGSIZE);
	int n = keyed_aggregations(p), full = grow ? 4 : 16;

	if (grow) /* there is a second map, too */
		size = MIN(MAX(size / 4, GROWING * elem), size);
	if (!o->v[OPT_AGGSIZE].set && n > full)
		size = MIN(size * full / n, grow ? (uint64_t)MANY_MOST : size);
	return clamp(size / elem, 64, 1 << 22);
}

enum { GROWTH_LEAST = 256 << 20, GROWTH_MOST = 1 << 30 };

/* Of all second maps. */
static uint64_t growth_limit(void)
{
	uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);

	return MIN(MAX(bytes / 8, (uint64_t)GROWTH_LEAST), (uint64_t)GROWTH_MOST);
}

static bool all_spare_maps(const struct plan *p)
{
	for (int i = 0; i < p->set->probes.n; i++)
		if (!probe_spares_maps(p->set->probes.v[i]))
			return false;
	return true;
}

uint32_t plan_on_demand_entries(uint64_t maps, uint64_t elem)
{
	enum { ALL_ENTRIES = 1 << 17, MOST = 1 << 16, LEAST = 1 << 13 };

	return MIN(clamp(ALL_ENTRIES / maps, LEAST, MOST), GROWTH_LEAST / maps / (2 * elem));
}

/* Of a second map at first: enough for keys at full speed until there is a larger one; or, if it
 * has its memory from the start, both maps have what a table has that does not grow. */
static uint32_t second_entries(const struct plan *p, uint64_t elem, uint32_t first, bool on_demand)
{
	return on_demand ? plan_on_demand_entries(2 * keyed_aggregations(p), elem) : first * 3;
}

/* What the consumer knows of an aggregation. */
static void describe_aggregation(struct plan *p, const struct sym *sym)
{
	struct aggr_desc d = {.name = sym->name,
			      .func = sym->func->agg,
			      .cols = sym->key.cols,
			      .ncols = sym->key.n,
			      .key_size = sym->key.size,
			      .metric = hash_gets(&p->cg.syms->metrics, sym->name)};

	memcpy(d.params, sym->params, sizeof(d.params));
	vec_push(&p->set->schema.aggs, d);
}

static void add_aggregation(struct plan *p, struct sym *sym)
{
	sym->counts = aggr_memory_add(&p->set->counts, sym->func->agg, sym->params, sym->key.size,
				      p->metrics);
	if (!sym->counts) /* the function's check() refuses such parameters */
		diag_die(p->cg.diag, D_AGG_FUNC, sym->loc, "%s( ) has no buckets", sym->func->name);
	describe_aggregation(p, sym);
	if (sym->keyed)
		sym->init_off = codegen_literal(&p->cg, sym->counts->init,
						sym->counts->words * sizeof(*sym->counts->init), 8);
}

static void make_aggregations(struct plan *p)
{
	struct aggr_memory *mem = &p->set->counts;
	bool direct = plan_maps_named(p) <= MAPS_OF_A_PROGRAM, grow;

	/* its id is sym->index, by which records name it: both count in this order */
	for (int i = 0; i < p->cg.syms->all.n; i++)
		if (p->cg.syms->all.v[i]->kind == SYM_AGG)
			add_aggregation(p, p->cg.syms->all.v[i]);
	grow = tables_grow(p);
	mem->growth = growth_limit();
	mem->on_demand = grow && all_spare_maps(p);
	for (int i = 0; i < mem->v.n; i++) {
		struct aggr_maps *m = mem->v.v[i];
		uint64_t elem = 64 + 8 + m->key_size + m->words * 8ull;
		uint32_t first = first_entries(p, elem, grow);

		aggr_maps_describe(mem, m, first, direct,
				   grow ? second_entries(p, elem, first, mem->on_demand) : 0);
	}
	map_init_memory(&p->set->maps.aggmem, "dt_aggs",
			MAX(aggr_memory_place(mem, &p->set->maps.aggmem), 8));
}

/* Why the routine, which knows the registers and frames of some machines, cannot be used; NULL: it
 * can. Walked again at each frame, it would be too much for the verifier. */
static const char *no_unwind_tables(struct plan *p)
{
	if (!machine_here->unwind.known)
		return "is for x86-64 and aarch64";
	if (feat(p->cg.feats, FEAT_BPF) && !feat(p->cg.feats, FEAT_GLOBAL_FUNC))
		return "needs a kernel with global functions (Linux 5.6)";
	return NULL;
}

/* Tables are not filled where no dtrace runs. */
static bool has_unwind_tables(struct plan *p, const char *how)
{
	const char *why = strcmp(how, "fp") ? no_unwind_tables(p) : NULL;

	if (!strcmp(how, "fp") || (!strcmp(how, "auto") && (p->cg.opts->detached || why)))
		return false;
	if (why)
		diag_die(p->cg.diag, D_UNSUPPORTED, (struct loc){0}, "-x unwind=eh %s", why);
	return true;
}

enum {
	UNWIND_SPACES = 256, /* processes at the same time */
	UNWIND_FILES = 4096, /* of all processes */
};

static void describe_unwind(struct plan *p)
{
	const struct opts *o = p->cg.opts;
	struct program_set *set = p->set;
	uint32_t n = 1 << 13;

	if (!has_unwind_tables(p, opt_text(o, OPT_UNWIND)))
		return;
	while (n < 1 << 28 && n * 4ll < opt_num(o, OPT_UNWINDSIZE))
		n *= 2;
	set->unwinds = true;
	map_init_memory(&set->maps.unwind_rows, "dt_unwind_rows", n * sizeof(uint32_t));
	map_init(&set->maps.unwind_spaces, "dt_unwind_maps", BPF_MAP_TYPE_HASH, 8,
		 sizeof(struct unwind_space), UNWIND_SPACES);
	map_init(&set->maps.unwind_files, "dt_unwind_files", BPF_MAP_TYPE_HASH,
		 sizeof(struct unwind_file_key), sizeof(struct unwind_file), UNWIND_FILES);
	map_init_memory(&set->maps.unwind_cache, "dt_unwind_cache",
			sizeof(struct unwind_entry) << UNWIND_CACHE_BITS);
	set->unwind = (struct rt_unwind){.rows = &set->maps.unwind_rows,
					 .spaces = &set->maps.unwind_spaces,
					 .files = &set->maps.unwind_files,
					 .cache = &set->maps.unwind_cache,
					 .machine = machine_here,
					 .signature_bits = machine_signature_bits(),
					 .nwords = n};
}

void plan_describe_maps(struct plan *p)
{
	struct codegen *cg = &p->cg;
	struct program_set *set = p->set;
	uint32_t largest;

	map_init_memory(&cg->set->maps.ctl, "dt_ctl",
			sizeof(struct ctl) + cg->set->ncpus * sizeof(struct ctl_cpu));
	map_init(&cg->set->maps.ring, "dt_ring", BPF_MAP_TYPE_RINGBUF, 0, 0, ring_size(p));
	largest = MAX(plan_describe_arrays(p), cg->storage->self_size);
	cg->sink_off = cg->storage->globals_size;
	map_init_memory(&cg->set->maps.globals, "dt_globals",
			plan_place_arrays(p, cg->sink_off + ALIGN_UP(largest, 8) + 8));
	/* a probe that few scripts need */
	if (cg->storage->self_size && gen_self_in_tasks(cg))
		map_init_task_storage(&cg->set->maps.self, "dt_self",
				      MAX(cg->storage->self_size, 8));
	else
		map_init(&cg->set->maps.self, "dt_self", BPF_MAP_TYPE_HASH, 8,
			 MAX(cg->storage->self_size, 8),
			 clamp(opt_num(cg->opts, OPT_DYNVARSIZE) / (72 + cg->storage->self_size),
			       64, 1 << 20));
	map_init(&cg->set->maps.scratch, "dt_scratch", BPF_MAP_TYPE_ARRAY, 4, 8,
		 cg->set->ncpus * SCRATCH_SLOTS);
	map_init_memory(&cg->set->maps.lits, "dt_lits", 8);
	cg->set->maps.lits.rdonly = true;
	map_init_memory(&cg->set->maps.clocks, "dt_clocks",
			MAX(cg->nclocks, 1) * cg->set->ncpus * 8);
	if (cg->set->has_cgroup)
		map_init(&cg->set->maps.cgroups, "dt_cgroups", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, 1);
	cg->builtins->describe_maps(cg);
	describe_unwind(p);
	cg->sample_rows = MAX(set->programs.n, 1);
	if (opt_text(cg->opts, OPT_MAXCPU))
		map_init_memory(&set->maps.sampling, "dt_sampling",
				sample_memory(cg->sample_rows, set->ncpus));
	plan_late(p);
	probe_names_init(&set->names, set->probes.v, set->probes.n, set->late_max);
	make_aggregations(p);
}

/* Strings that the script has not assigned yet. */
static void mark_unassigned(struct codegen *cg, struct map *globals)
{
	static const uint16_t mark = TEXT_UNASSIGNED;
	char *init = NULL;

	for (int i = 0; i < cg->syms->all.n; i++) {
		const struct sym *sym = cg->syms->all.v[i];

		if (sym->kind != SYM_VAR || sym->scope != SCOPE_GLOBAL ||
		    !type_is_string(sym->type))
			continue;
		if (!init)
			init = arena_alloc(cg->arena, globals->value_size);
		memcpy(init + sym->off, &mark, sizeof(mark));
	}
	globals->init = init;
}

void plan_fill_maps(struct plan *p)
{
	struct codegen *cg = &p->cg;
	struct shared_maps *maps = &p->set->maps;

	plan_fit_arrays(p);
	maps->scratch.value_size = p->rt.slot_size;
	maps->lits.value_size = ALIGN_UP(MAX(cg->lit_bytes.len, 8), 8);
	sb_add(&cg->lit_bytes, "\0\0\0\0\0\0\0", 8);
	maps->lits.init = cg->lit_bytes.s;
	mark_unassigned(cg, &maps->globals);
	probe_names_fill(&p->set->names, cg->arena);
}
