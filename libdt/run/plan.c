/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/run/plan.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libdt/builtin/builtin.h"
#include "libdt/image/metric.h"
#include "libdt/lang/def.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/run/plan_int.h"
#include "libdt/run/unwind.h"

void plan_init(struct plan *p, struct arena *a, struct diag *d, struct types *types,
	       struct feats *feats, struct opts *opts, struct sema *sema,
	       struct syms_of_script *syms)
{
	memset(p, 0, sizeof(*p));
	p->sh.arena = a;
	p->sh.diag = d;
	p->sh.types = types;
	p->sh.feats = feats;
	p->sh.opts = opts;
	p->sh.sema = sema;
	p->sh.syms = syms;
}

/* Memory ------------------------------------------------------------------ */

static uint32_t power_of_two(uint64_t v, uint64_t min, uint64_t max)
{
	uint64_t p = min;

	while (p < v && p < max)
		p *= 2;
	return p;
}

/*
 * The ring size for a script that has only BEGIN and END; 0 for other scripts. The ring is read
 * after each of the two has fired, and each clause stores at most one record or error.
 */
static uint64_t ring_of_begin(const struct plan *p)
{
	uint64_t all = 32768;

	for (int i = 0; i < p->sh.probes.n; i++)
		if (strcmp(p->sh.probes.v[i]->name, "BEGIN") &&
		    strcmp(p->sh.probes.v[i]->name, "END"))
			return 0;
	for (int i = 0; i < p->clauses.n; i++)
		all += 2 * (p->clauses.v[i]->layout.size + 128ull);
	return all;
}

enum { RING_MAX = 1 << 30, RING_TRANSPORT = 4 << 20 };

static uint32_t ring_size(struct plan *p)
{
	const struct opts *o = p->sh.opts;
	bool set =
	    o->v[OPT_BUFSIZE].set && (o->detached || !strcmp(opt_text(o, OPT_BUFPOLICY), "switch"));
	uint64_t want = set ? opt_num(o, OPT_BUFSIZE) : RING_TRANSPORT, least = ring_of_begin(p);

	if (least && !set)
		return power_of_two(least, sysconf(_SC_PAGESIZE), RING_MAX);

	/* bufsize is meant for each CPU; one ring serves all, and few scripts fill it, so it
	 * grows slowly. */
	p->ring_cut = set && want > (uint64_t)RING_MAX / p->sh.ncpus;
	want = p->ring_cut ? RING_MAX : want * (set ? p->sh.ncpus : MAX(p->sh.ncpus / 4, 1));
	return power_of_two(want, sysconf(_SC_PAGESIZE), RING_MAX);
}

static uint32_t clamp(uint64_t v, uint32_t lo, uint32_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* May programs name both maps of each aggregation? The kernel takes 64 maps a program; a dozen
 * are ours. */
static bool few_maps(const struct plan *p)
{
	int n = 12;

	for (int i = 0; i < p->sh.syms->all.n; i++) {
		const struct sym *sym = p->sh.syms->all.v[i];

		n += sym->kind == SYM_AGG && sym->keyed ? 2 : sym->kind == SYM_ASSOC;
	}
	return n <= 64;
}

/* What the consumer knows of an aggregation. */
static void describe_aggregation(struct plan *p, const struct sym *sym)
{
	struct aggr_desc d = {.name = sym->name,
			      .func = sym->func->agg,
			      .cols = sym->key.cols,
			      .ncols = sym->key.n,
			      .key_size = sym->key.size,
			      .metric = hash_gets(&p->sh.syms->metrics, sym->name)};

	memcpy(d.params, sym->params, sizeof(d.params));
	vec_push(&p->schema.aggs, d);
}

static void make_aggregations(struct plan *p)
{
	const struct opts *o = p->sh.opts;
	bool direct = few_maps(p);
	uint32_t size;

	for (int i = 0; i < p->sh.syms->all.n; i++) {
		struct sym *sym = p->sh.syms->all.v[i];
		struct aggr_maps *counts;
		uint64_t elem;

		if (sym->kind != SYM_AGG)
			continue;
		counts = aggr_memory_add(&p->counts, sym->func->agg, sym->params, sym->key.size,
					 p->metrics);
		if (!counts)
			diag_die(p->sh.diag, D_AGG_FUNC, sym->loc,
				 "%s( ): too many buckets: change its parameters", sym->func->name);
		/* its id is sym->index, by which records name it: both count in this order */
		sym->counts = counts;
		counts->direct = direct;
		describe_aggregation(p, sym);
		elem = 64 + 8 + sym->key.size + counts->words * 8ull;
		aggr_maps_describe(counts, clamp(opt_num(o, OPT_AGGSIZE) / elem, 64, 1 << 22));
		if (sym->keyed)
			sym->init_off = shared_literal(&p->sh, counts->init,
						       counts->words * sizeof(*counts->init), 8);
	}
	size = aggr_memory_place(&p->counts, &p->sh.aggmem);
	map_init_memory(&p->sh.aggmem, "dt_aggs", MAX(size, 8));
}

static void describe_assocs(struct plan *p, uint32_t *largest)
{
	for (int i = 0; i < p->sh.syms->all.n; i++) {
		struct sym *sym = p->sh.syms->all.v[i];
		uint64_t elem = 64 + sym->key.size + sym->size;

		*largest = MAX(*largest, sym->size);
		if (sym->kind != SYM_ASSOC)
			continue;
		map_init(&sym->map, "dt_assoc", BPF_MAP_TYPE_HASH, sym->key.size, sym->size,
			 clamp(opt_num(p->sh.opts, OPT_DYNVARSIZE) / elem, 16, 1 << 22));
		sym->has_map = true;
	}
}

static size_t pool_size(size_t len)
{
	return ALIGN_UP(len + 1, 8) + 8;
}

/* Puts a text into the pool in the layout of bpf/rt.h; where it is, in words of 8 bytes. */
static uint32_t pool_text(struct shared *sh, const char *text, int field)
{
	size_t len = strlen(text), size = pool_size(len);
	void **at = hash_ref(&sh->name_seen, text, len);

	sh->name_width[field] = MAX(sh->name_width[field], size);
	if (!*at) {
		*at = (void *)(sh->name_pool.len / 8 + 1);
		sb_add(&sh->name_pool, text, len);
		for (size_t i = len; i < size; i++)
			sb_putc(&sh->name_pool, !len && i == 1);
	}
	return (uintptr_t)*at - 1;
}

uint32_t name_rows(const struct shared *sh)
{
	return sh->late_max ? sh->late_first + sh->late_max : (uint32_t)MAX(sh->probes.n, 1);
}

uint32_t name_pool_start(const struct shared *sh)
{
	return name_rows(sh) * sizeof(*sh->name_rows);
}

/* Bytes for the names of all probes that are enabled later. */
enum { LATE_NAMES = 256 << 10 };

/*
 * The names of the enabled probes, where programs that serve many find them: for each probe a row
 * of struct name_row, and after the rows a pool of texts, each once, since 50,000 probes share most
 * of theirs.
 */
static void describe_probe_names(struct plan *p)
{
	struct shared *sh = &p->sh;
	uint32_t longest = 0;

	sh->name_rows = xcalloc(name_rows(sh), sizeof(*sh->name_rows));
	for (int i = 0; i < sh->probes.n; i++) {
		sh->name_rows[i].id = sh->probes.v[i]->id;
		sh->name_rows[i].where = sh->probes.v[i]->where;
		for (int f = 0; f < 4; f++)
			sh->name_rows[i].at[f] = pool_text(sh, probe_field(sh->probes.v[i], f), f);
	}
	sh->name_last = (sh->name_pool.len + (sh->late_max ? LATE_NAMES : 0)) / 8;
	for (int f = 0; f < 4; f++) {
		sh->name_width[f] = MAX(sh->name_width[f], sh->late_max ? pool_size(LATE_NAME) : 0);
		longest = MAX(longest, sh->name_width[f]);
	}
	/* any text may be read as the longest */
	map_init_memory(&sh->probetab, "dt_probes",
			name_pool_start(sh) + sh->name_last * 8 + longest);
	sh->probetab.rdonly = !sh->late_max;
}

bool plan_name(struct plan *p, const struct probe *probe)
{
	struct shared *sh = &p->sh;
	uint8_t *mem = sh->probetab.mem;
	size_t before = sh->name_pool.len, most = 4 * pool_size(LATE_NAME);
	struct name_row row = {.id = probe->id, .where = probe->where};

	if (!mem) /* no program asks for them */
		return true;
	if (before + most > sh->name_last * 8ull)
		return false;
	for (int f = 0; f < 4; f++)
		row.at[f] = pool_text(
		    sh, arena_printf(sh->arena, "%.*s", LATE_NAME, probe_field(probe, f)), f);
	if (sh->name_pool.len > before)
		memcpy(mem + name_pool_start(sh) + before, sh->name_pool.s + before,
		       sh->name_pool.len - before);
	memcpy(mem + probe->index * sizeof(row), &row, sizeof(row));
	return true;
}

static void fill_probe_names(struct plan *p)
{
	struct shared *sh = &p->sh;
	uint8_t *bytes = arena_alloc(sh->arena, sh->probetab.value_size);

	if (sh->probes.n)
		memcpy(bytes, sh->name_rows, sh->probes.n * sizeof(*sh->name_rows));
	if (sh->name_pool.len)
		memcpy(bytes + name_pool_start(sh), sh->name_pool.s, sh->name_pool.len);
	sh->probetab.init = bytes;
}

static void describe_maps(struct plan *p)
{
	struct shared *sh = &p->sh;
	uint32_t largest = 64;

	map_init_memory(&sh->ctl, "dt_ctl",
			sizeof(struct ctl) + sh->ncpus * sizeof(struct ctl_cpu));
	map_init(&sh->ring, "dt_ring", BPF_MAP_TYPE_RINGBUF, 0, 0, ring_size(p));
	describe_assocs(p, &largest);
	largest = MAX(largest, sh->syms->self_size);
	sh->sink_off = sh->syms->globals_size;
	map_init_memory(&sh->globals, "dt_globals", sh->sink_off + ALIGN_UP(largest, 8) + 8);
	/* a probe that few scripts need */
	if (sh->syms->self_size && feat(sh->feats, FEAT_TASK_STORAGE))
		map_init_task_storage(&sh->self, "dt_self", MAX(sh->syms->self_size, 8));
	else
		map_init(&sh->self, "dt_self", BPF_MAP_TYPE_HASH, 8, MAX(sh->syms->self_size, 8),
			 clamp(opt_num(sh->opts, OPT_DYNVARSIZE) / (72 + sh->syms->self_size), 64,
			       1 << 20));
	map_init(&sh->scratch, "dt_scratch", BPF_MAP_TYPE_ARRAY, 4, 8, sh->ncpus * SCRATCH_SLOTS);
	map_init_memory(&sh->lits, "dt_lits", 8);
	sh->lits.rdonly = true;
	map_init_memory(&sh->clocks, "dt_clocks", MAX(sh->nclocks, 1) * sh->ncpus * 8);
	if (sh->has_cgroup)
		map_init(&sh->cgroups, "dt_cgroups", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, 1);
	spec_describe_maps(sh);
	unwind_describe(sh, sh->opts);
	plan_late(p);
	describe_probe_names(p);
}

/* Programs ---------------------------------------------------------------- */

static void make_table(struct plan *p, struct planned *pl)
{
	uint32_t n = probe_base(pl->probes.v[0])->provider->nselect;

	pl->table_bytes = arena_alloc(p->sh.arena, n * sizeof(*pl->table_bytes));
	for (int i = 0; i < pl->probes.n; i++)
		for (int mode = 0; mode < 2; mode++)
			if (pl->probes.v[i]->select[mode] != SELECT_NONE)
				pl->table_bytes[pl->probes.v[i]->select[mode]].probe[mode] =
				    pl->probes.v[i]->index + 1;
	map_init_memory(&pl->table, "dt_select", n * sizeof(*pl->table_bytes));
	pl->table.rdonly = true;
	pl->table.init = pl->table_bytes;
	pl->has_table = true;
}

/* Filled when the program is loaded. */
static void make_addresses(struct planned *pl)
{
	map_init(&pl->table, "dt_where", BPF_MAP_TYPE_HASH, 8, 4, pl->probes.n * HOOK_ADDRESSES);
	pl->has_table = true;
}

static struct code *finished(struct plan *p, struct code *code, FILE *dump, unsigned stages)
{
	if (code->error)
		diag_die(p->sh.diag, D_COMPILE,
			 code->lines.n ? code->lines.v[0].loc : (struct loc){0},
			 "the program cannot be generated: %s", code->error);
	if (dump && stages & 8)
		code_list(code, dump, true);
	return code;
}

static struct code *finish(struct plan *p, struct ir *ir, FILE *dump, unsigned stages)
{
	return finished(p, ir_finish(ir, dump, stages & 7), dump, stages);
}

/* Beyond these the verifier may have too much to look at, or no stack is left for the routines. */
enum { LARGE_PROGRAM = 4000, LARGE_FRAME = 384 };
/* Kernels as old as those without atomic operations that return a value forget the bounds of what
 * was spilled. */
enum { LARGE_PROGRAM_OLD = 1000 };

static struct code *generate(struct plan *p, struct planned *pl, FILE *dump, unsigned stages)
{
	int large = feat(p->sh.feats, FEAT_ATOMIC_FETCH) ? LARGE_PROGRAM : LARGE_PROGRAM_OLD;
	struct code *code;
	struct ir *ir;

	for (int spill = 0;; spill++) {
		ir = gen_program(&p->sh, pl->hook, pl->clauses.v, pl->clauses.n, pl->probes.v,
				 pl->probes.n, &pl->table, spill, &pl->prog.may_sleep);
		code = ir_finish(ir, dump, stages & 7);
		if (spill && code->error && pl->clauses.n > 1)
			diag_die(p->sh.diag, D_COMPILE, pl->clauses.v[0]->node->loc,
				 "the %d clauses of %s:%s:%s:%s are too much for one BPF program "
				 "(%s): distribute them over several dtrace commands",
				 pl->clauses.n, pl->probes.v[0]->prov, pl->probes.v[0]->mod,
				 pl->probes.v[0]->func, pl->probes.v[0]->name, code->error);
		if (spill ||
		    (!code->error && code->insns.n <= large && code->frame_size <= LARGE_FRAME))
			return finished(p, code, dump, stages);
		if (dump && stages)
			fprintf(dump, "too large: compiling again, with variables in memory\n");
	}
}

static void make_program(struct plan *p, struct planned *pl, FILE *dump, unsigned stages)
{
	if (probe_base(pl->probes.v[0])->provider->selector && pl->probes.n > 1)
		make_table(p, pl);
	else if (pl->late)
		plan_late_program(p, pl);
	else if (pl->probes.n > 1 && hook_dispatch(p->sh.feats, pl->hook) == DISPATCH_ADDRESS)
		make_addresses(pl);
	prog_init(&pl->prog, "dt_prog", hook_get(pl->hook)->prog_type);
	pl->prog.attach_type = hook_get(pl->hook)->attach_type;
	pl->prog.attach_btf_id = pl->btf_id;
	if (hook_is_trampoline(pl->hook))
		pl->prog.attach_btf_fd = modbtf_fd(&p->modules, pl->probes.v[0]->target.group);
	pl->code = generate(p, pl, dump, stages);
	pl->prog.main = pl->code;
}

static void link_routines(struct plan *p)
{
	static const struct {
		const char *name;
		struct ir *(*make)(struct shared *sh);
	} makers[] = {
	    {"dt_drop", gen_drop_routine},
	    {"dt_error", gen_error_routine},
	    {"dt_machinery", gen_machinery_routine},
	    {"dt_process", gen_process_routine},
	    {"dt_spec_claim", gen_spec_claim_routine},
	    {"dt_speculation", gen_speculation_routine},
	    {"dt_speculating", gen_speculating_routine},
	    {"dt_spec_end", gen_spec_end_routine},
	};
	struct code *routines[ARRAY_SIZE(makers)] = {NULL};

	for (unsigned i = 0; i < ARRAY_SIZE(makers); i++) {
		if (i > 1 && !gen_routine_wanted(&p->sh, makers[i].name))
			continue;
		routines[i] = finish(p, makers[i].make(&p->sh), NULL, 0);
		routines[i]->is_global = true;
	}
	for (int i = 0; i < p->programs.n; i++) {
		struct planned *pl = p->programs.v[i];

		for (unsigned r = 0; r < ARRAY_SIZE(routines); r++)
			if (routines[r])
				prog_add(&pl->prog, routines[r]);
		rt_link(&p->rt, &pl->prog);
	}
}

/* -x cpu: a clock on another CPU would never be seen. */
static void move_clocks(struct shared *sh)
{
	bool one = sh->ncpu_ranges == 1 && sh->cpus[0].first == sh->cpus[0].last;

	for (int i = 0; i < sh->probes.n && sh->ncpu_ranges; i++) {
		struct target *t = &sh->probes.v[i]->target;

		/* What samples all CPUs may go on so; the program looks. */
		if (sh->probes.v[i]->hook == HOOK_PERF && (one || t->cpu >= 0))
			t->cpu = sh->cpus[0].first;
	}
}

/* Does a clause of ERROR surely end tracing? Before programs are made, what can fault is not
 * known. */
static bool error_ends(const struct plan *p)
{
	for (int i = 0; i < p->clauses.n; i++) {
		const struct clause *c = p->clauses.v[i];

		if (c->pred || c->counts || c->faults || !c->probes.n ||
		    strcmp(c->probes.v[0]->prov, "dtrace") || strcmp(c->probes.v[0]->name, "ERROR"))
			continue;
		for (int j = 0; j < c->layout.acts.n; j++)
			if (!strcmp(c->layout.acts.v[j]->name, "exit") &&
			    c->layout.acts.v[j]->cond_off < 0)
				return true;
	}
	return false;
}

void plan_make(struct plan *p, FILE *dump, unsigned stages)
{
	struct shared *sh = &p->sh;

	if (p->made)
		return;
	p->made = true;
	sh->ncpus = p->counts.ncpus;
	if (opt_text(sh->opts, OPT_CPU))
		sh->ncpu_ranges = opt_cpus(opt_text(sh->opts, OPT_CPU), sh->cpus);
	sh->has_cgroup = opt_text(sh->opts, OPT_CGROUP);
	sh->cgroup = -1;
	sh->strsize = ALIGN_UP(MAX(opt_num(sh->opts, OPT_STRSIZE), 16), 8);
	sema_finish(sh->sema);
	plan_enable(p);
	plan_follow(p);
	move_clocks(sh);
	plan_choose(p);
	describe_maps(p);
	make_aggregations(p);
	p->rt = (struct rt){.arena = sh->arena,
			    .scratch = &sh->scratch,
			    .strsize = sh->strsize,
			    .feats = sh->feats,
			    .unwind = sh->unwinds ? &sh->unwind : NULL};
	sh->rt = &p->rt;
	for (int i = 0; i < p->clauses.n; i++)
		vec_push(&p->schema.layouts, &p->clauses.v[i]->layout);
	sh->error_ends = error_ends(p);
	for (int i = 0; i < p->programs.n; i++)
		make_program(p, p->programs.v[i], dump, stages);
	sh->error_ends = error_ends(p);
	plan_support(p);
	if (sh->tracer_frame_hooks)
		gen_machinery_table(sh);
	/* Now the sizes are known that all programs share. */
	p->rt.slot_size = ALIGN_UP(sh->slot_size, 8) + RT_PRIVATE(sh->strsize);
	sh->scratch.value_size = p->rt.slot_size;
	sh->lits.value_size = ALIGN_UP(MAX(sh->lit_bytes.len, 8), 8);
	sb_add(&sh->lit_bytes, "\0\0\0\0\0\0\0", 8);
	sh->lits.init = sh->lit_bytes.s;
	fill_probe_names(p);
	link_routines(p);
}

/* Running ----------------------------------------------------------------- */

/* Programs that dtrace runs itself (BEGIN, END, ERROR) run on the CPUs of -x cpu, too. Whether
 * there was something to change. */
static bool bind_to_cpus(const struct shared *sh, cpu_set_t *before)
{
	cpu_set_t wanted;

	CPU_ZERO(&wanted);
	for (int i = 0; i < sh->ncpu_ranges; i++)
		for (int cpu = sh->cpus[i].first; cpu <= sh->cpus[i].last && cpu < CPU_SETSIZE;
		     cpu++)
			CPU_SET(cpu, &wanted);
	return sh->ncpu_ranges && !sched_getaffinity(0, sizeof(*before), before) &&
	       !sched_setaffinity(0, sizeof(wanted), &wanted);
}

int plan_fire(struct plan *p, const char *name, const uint64_t *args, int nargs)
{
	if (p->runner)
		return p->runner(p->runner_arg, name, args, nargs);
	for (int i = 0; i < p->programs.n; i++) {
		struct planned *pl = p->programs.v[i];
		cpu_set_t before;
		bool bound;
		int err;

		if (pl->hook != HOOK_RUN || pl->support || strcmp(pl->probes.v[0]->name, name))
			continue;
		bound = bind_to_cpus(&p->sh, &before);
		err = prog_run(&pl->prog, args, nargs, NULL);
		if (bound)
			sched_setaffinity(0, sizeof(before), &before);
		if (err)
			return err;
	}
	return 0;
}

bool plan_drops(struct plan *p, int cpu, uint64_t drops[DROP_COUNT])
{
	struct ctl *ctl = p->sh.ctl.mem;
	uint64_t *at;
	bool any = false;

	if (!ctl)
		return false;
	at = ctl->cpus[cpu].drops;
	for (int i = 0; i < DROP_COUNT; i++) {
		if (p->drops_reported) {
			uint64_t now = __atomic_load_n(&at[i], __ATOMIC_RELAXED);

			drops[i] = now - p->drops_reported[cpu][i];
			p->drops_reported[cpu][i] = now;
		} else {
			drops[i] = __atomic_exchange_n(&at[i], 0, __ATOMIC_RELAXED);
		}
		any |= drops[i] != 0;
	}
	return any;
}

/* Counts the statements that begin at or before an offset of the text. */
static int statements_before(const struct node *list, uint32_t off)
{
	int n = 0;

	for (; list && list->loc.off <= off; list = list->next) {
		n += list->kind != N_BLOCK;
		if (list->kind == N_BLOCK)
			n += statements_before(list->list, off);
		else if (list->kind == N_IF)
			n += statements_before(list->b, off) + statements_before(list->c, off);
	}
	return n;
}

static int first_instruction(const struct code *code, struct loc loc)
{
	const struct line *best = NULL;

	for (int i = 0; i < code->lines.n; i++) {
		const struct line *l = &code->lines.v[i];

		if (l->loc.src == loc.src && l->loc.off <= loc.off &&
		    loc.off < l->loc.off + l->loc.len && (!best || l->loc.off > best->loc.off))
			best = l;
	}
	return best ? best->insn : 0;
}

void plan_place(const struct plan *p, const struct clause *c, const struct probe *probe,
		struct loc loc, int *statement, int *pc)
{
	*statement = *pc = 0;
	if (c->body)
		*statement = statements_before(c->body->list, loc.off);
	for (int i = 0; i < p->programs.n && !*pc; i++) {
		const struct planned *pl = p->programs.v[i];

		for (int j = 0; j < pl->targets.n && !*pc; j++)
			if (pl->targets.v[j] == probe)
				*pc = first_instruction(pl->code, loc);
	}
}

uint64_t plan_misses(struct plan *p)
{
	uint64_t sum = 0;

	for (int i = 0; i < p->programs.n; i++) {
		struct planned *pl = p->programs.v[i];
		uint64_t now = prog_misses(&pl->prog);

		sum += now - pl->misses;
		pl->misses = now;
	}
	return sum;
}

/* Few scripts have so many arrays and aggregations that it has to be counted. */
const struct planned *plan_excess_maps(const struct plan *p, int *maps)
{
	enum { OF_OTHERS = 20, OF_EACH = 2 }; /* at the most */
	int many = OF_OTHERS;

	for (int i = 0; i < p->sh.syms->all.n; i++)
		many +=
		    p->sh.syms->all.v[i]->kind == SYM_ASSOC || p->sh.syms->all.v[i]->kind == SYM_AGG
			? OF_EACH
			: 0;
	for (int i = 0; many > PROG_MAPS_MAX && i < p->programs.n; i++) {
		*maps = prog_maps(&p->programs.v[i]->prog);
		if (*maps > PROG_MAPS_MAX)
			return p->programs.v[i];
	}
	return NULL;
}

void plan_dump(const struct plan *p, FILE *out)
{
	for (int i = 0; i < p->programs.n; i++) {
		const struct planned *pl = p->programs.v[i];

		if (!pl->targets.n && !pl->support && !pl->late)
			continue;
		fprintf(out, "program %d: %s%s, clauses", i, hook_get(pl->hook)->name,
			pl->support ? " (support)" : "");
		for (int j = 0; j < pl->clauses.n; j++)
			fprintf(out, " %u", pl->clauses.v[j]->index);
		fprintf(out, ", %d probes, %d instructions\n", pl->probes.n,
			pl->code ? pl->code->insns.n : 0);
		for (int j = 0; j < pl->probes.n; j++)
			fprintf(out, "\t%s:%s:%s:%s\n", pl->probes.v[j]->prov, pl->probes.v[j]->mod,
				pl->probes.v[j]->func, pl->probes.v[j]->name);
	}
}

static void planned_free(struct planned *pl)
{
	prog_close(&pl->prog);
	if (pl->has_table)
		map_close(&pl->table);
	vec_free(&pl->clauses);
	vec_free(&pl->probes);
	vec_free(&pl->targets);
	free(pl);
}

/* What of a clause is not in the arena. */
static void clause_free(struct clause *c)
{
	vec_free(&c->probes);
	vec_free(&c->layout.acts);
	vec_free(&c->sites);
	vec_free(&c->descriptions);
}

void plan_free(struct plan *p)
{
	struct shared *sh = &p->sh;
	struct map *maps[] = {&sh->ctl,		  &sh->ring,	     &sh->globals,
			      &sh->lits,	  &sh->self,	     &sh->aggmem,
			      &sh->probetab,	  &sh->scratch,	     &sh->vtime,
			      &sh->clocks,	  &sh->specs,	     &sh->spec_tags,
			      &sh->processes,	  &sh->followed,     &sh->unwind_rows,
			      &sh->unwind_spaces, &sh->unwind_files, &sh->unwind_cache,
			      &sh->late,	  &sh->cgroups,	     &sh->sockets};

	for (int i = 0; i < p->programs.n; i++)
		planned_free(p->programs.v[i]);
	vec_free(&p->programs);
	if (p->made && sh->cgroup >= 0)
		close(sh->cgroup);
	if (p->made)
		for (unsigned i = 0; i < ARRAY_SIZE(maps); i++)
			if (maps[i]->name[0])
				map_close(maps[i]);
	for (int i = 0; p->sh.syms && i < p->sh.syms->all.n; i++)
		if (p->sh.syms->all.v[i]->has_map)
			map_close(&p->sh.syms->all.v[i]->map);
	for (int i = 0; i < p->enabled.n; i++)
		vec_free(&p->enabled.v[i].clauses);
	vec_free(&p->enabled);
	modbtf_free(&p->modules);
	free(sh->name_rows);
	sb_free(&sh->name_pool);
	hash_free(&sh->name_seen);
	hash_free(&sh->lit_index);
	sb_free(&sh->lit_bytes);
	vec_free(&sh->probes);
	schema_free(&p->schema);
	aggr_memory_free(&p->counts);
	vec_free(&sh->routines);
	for (int i = 0; i < p->clauses.n; i++)
		clause_free(p->clauses.v[i]);
	vec_free(&p->clauses);
}
