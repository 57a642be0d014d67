/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/lang/def.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/plan/parts.h"

void plan_init(struct plan *p, const struct codegen *cg)
{
	memset(p, 0, sizeof(*p));
	p->cg = *cg;
	p->set = cg->set;
}

static void make_table(struct plan *p, struct program *pl)
{
	uint32_t n = probe_base(pl->probes.v[0])->provider->nselect;

	pl->table_bytes = arena_alloc(p->cg.arena, n * sizeof(*pl->table_bytes));
	for (int i = 0; i < pl->probes.n; i++)
		for (int mode = 0; mode < 2; mode++)
			if (pl->probes.v[i]->select[mode] != SELECT_NONE)
				pl->table_bytes[pl->probes.v[i]->select[mode]].probe[mode] =
				    pl->probes.v[i]->index + 1;
	for (int i = 0; i < pl->parts.n; i++)
		for (int j = 0; j < pl->parts.v[i].probes.n; j++)
			for (int mode = 0; mode < 2; mode++) {
				uint32_t number = pl->parts.v[i].probes.v[j]->select[mode];

				if (number != SELECT_NONE)
					pl->table_bytes[number].part[mode] = i;
			}
	map_init_memory(&pl->table, "dt_select", n * sizeof(*pl->table_bytes));
	pl->table.rdonly = true;
	pl->table.init = pl->table_bytes;
	pl->has_table = true;
}

/* Filled when the program is loaded. */
static void make_addresses(struct program *pl)
{
	map_init(&pl->table, "dt_where", BPF_MAP_TYPE_HASH, 8, 4, pl->probes.n * HOOK_ADDRESSES);
	pl->has_table = true;
}

static struct code *finished(struct plan *p, struct code *code, FILE *dump, unsigned stages)
{
	if (code->error)
		diag_die(p->cg.diag, D_COMPILE,
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

/*
 * Optimising and allocating registers take most of the time of a large program. They leave about
 * two thirds of the instructions that are generated, so a program of which that is more than the
 * limit need not be tried with its variables in registers.
 */
static bool surely_large(const struct ir *ir, int large, const struct program *pl)
{
	return pl->clauses.n > 1 && ir_count(ir) / 3 * 2 > large;
}

/* A jump of BPF reaches 32767 instructions: a clause must be shorter, and all clauses together may
 * be longer. */
static void too_large(struct plan *p, const struct program *pl, const char *error)
{
	const struct probe *pr = pl->probes.v[0];
	char *name =
	    arena_printf(p->cg.arena, "%s:%s:%s:%s", pr->prov, pr->mod, pr->func, pr->name);

	if (pl->clauses.n == 1)
		diag_die(p->cg.diag, D_COMPILE, pl->clauses.v[0]->node->loc,
			 "the clause of %s is too much for one BPF program (%s): distribute its "
			 "statements over several clauses",
			 name, error);
	diag_die(p->cg.diag, D_COMPILE, pl->clauses.v[0]->node->loc,
		 "the %d clauses of %s are too much for one BPF program (%s): distribute them over "
		 "several dtrace commands",
		 pl->clauses.n, name, error);
}

/* NULL: it has parts, and they are too many for one. */
static struct code *generate(struct plan *p, struct program *pl, FILE *dump, unsigned stages)
{
	int large = feat(p->cg.feats, FEAT_ATOMIC_FETCH) ? LARGE_PROGRAM : LARGE_PROGRAM_OLD;

	for (int spill = 0;; spill++) {
		struct ir *ir = gen_program(&p->cg, pl, spill, &pl->prog.may_sleep);
		bool tried = spill || !surely_large(ir, large, pl);
		struct code *code = tried ? ir_finish(ir, dump, stages & 7) : NULL;

		if (spill && code->error && pl->clauses.n)
			too_large(p, pl, code->error);
		if (spill || (tried && !code->error && code->insns.n <= large &&
			      code->frame_size <= LARGE_FRAME))
			return finished(p, code, dump, stages);
		if (!tried)
			ir_drop(ir);
		if (pl->parts.n)
			return NULL;
		if (dump && stages)
			fprintf(dump, "too large: compiling again, with variables in memory\n");
	}
}

static void make_program(struct plan *p, struct program *pl, FILE *dump, unsigned stages)
{
	if (probe_base(pl->probes.v[0])->provider->selector && pl->probes.n > 1)
		make_table(p, pl);
	else if (pl->late)
		plan_late_program(p, pl);
	else if (pl->probes.n > 1 && hook_dispatch(p->cg.feats, pl->hook) == DISPATCH_ADDRESS)
		make_addresses(pl);
	prog_init(&pl->prog, "dt_prog", hook_get(pl->hook)->prog_type);
	pl->prog.attach_type = hook_get(pl->hook)->attach_type;
	pl->prog.attach_btf_id = pl->btf_id;
	if (hook_is_trampoline(pl->hook))
		pl->prog.attach_btf_fd = modbtf_fd(&p->modules, pl->probes.v[0]->target.group);
	p->cg.sample_row = pl->sampling == SAMPLE_NONE ? -1 : pl->sample_row;
	pl->code = generate(p, pl, dump, stages);
	if (!pl->code) {
		plan_split(p, pl);
		make_program(p, pl, dump, stages);
	}
	pl->prog.main = pl->code;
}

static void add_routine(struct plan *p, struct ir *ir, bool global)
{
	struct code *code = finish(p, ir, NULL, 0);

	code->is_global = global;
	for (int i = 0; i < p->set->programs.n; i++)
		prog_add(&p->set->programs.v[i]->prog, code);
}

static void link_routines(struct plan *p)
{
	struct codegen *cg = &p->cg;

	add_routine(p, gen_drop_routine(cg), true);
	if (gen_routine_wanted(cg, "dt_error"))
		add_routine(p, gen_error_routine(cg), true);
	for (const struct def_routine *r = cg->builtins->routines; r->name; r++)
		if (gen_routine_wanted(cg, r->name))
			add_routine(p, r->make(cg), true);
	for (int i = 0; i < cg->own_routines.n; i++)
		add_routine(p, cg->own_routines.v[i], true);
	for (size_t i = 0; i < ARRAY_SIZE(cg->self_routines); i++)
		if (cg->self_routines[i])
			add_routine(p, cg->self_routines[i], false);
	plan_fit_ring(p);
	if (gen_routine_wanted(cg, "dt_fills"))
		add_routine(p, gen_fills_routine(cg), true);
	for (int i = 0; i < p->set->programs.n; i++)
		rt_link(&p->rt, &p->set->programs.v[i]->prog);
}

/* -x cpu: a clock on another CPU would never be seen. */
static void move_clocks(struct program_set *set)
{
	bool one = set->ncpu_ranges == 1 && set->cpus[0].first == set->cpus[0].last;

	for (int i = 0; i < set->probes.n && set->ncpu_ranges; i++) {
		struct target *t = &set->probes.v[i]->target;

		/* What samples all CPUs may go on so; the program looks. */
		if (set->probes.v[i]->hook == HOOK_PERF && (one || t->cpu >= 0))
			t->cpu = set->cpus[0].first;
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

static void number_statements(struct clause *c)
{
	for (int i = 0; i < c->sites.n && c->body; i++)
		c->sites.v[i].statement = statements_before(c->body->list, c->sites.v[i].loc.off);
}

/* Since Linux 6.14 they are on the function graph, which calls them as at the entry. Before, the
 * last to enter was the first to return. */
static bool returns_newest(const struct plan *p)
{
	uint64_t off;

	for (int i = 0; i < p->set->programs.n; i++)
		if (p->set->programs.v[i]->hook == HOOK_KRMULTI)
			return type_kernel_offset(p->cg.types, "struct fprobe", "hlist_array",
						  &off);
	return false;
}

void plan_make(struct plan *p, FILE *dump, unsigned stages)
{
	struct program_set *set = p->set;
	struct codegen *cg = &p->cg;

	if (p->made)
		return;
	p->made = true;
	if (opt_text(cg->opts, OPT_CPU))
		set->ncpu_ranges = opt_cpus(opt_text(cg->opts, OPT_CPU), set->cpus);
	set->has_cgroup = opt_text(cg->opts, OPT_CGROUP);
	set->nspec = opt_num(cg->opts, OPT_NSPEC);
	cg->strsize = ALIGN_UP(MAX(opt_num(cg->opts, OPT_STRSIZE), 16), 8);
	sema_finish(cg->sema);
	plan_enable(p);
	plan_follow(p);
	move_clocks(set);
	plan_choose(p);
	set->returns_newest = returns_newest(p);
	plan_describe_maps(p);
	p->rt = (struct rt){.arena = cg->arena,
			    .scratch = &set->maps.scratch,
			    .strsize = cg->strsize,
			    .feats = cg->feats,
			    .orc = &set->orc,
			    .unwind = set->unwinds ? &set->unwind : NULL};
	cg->rt = &p->rt;
	for (int i = 0; i < p->clauses.n; i++)
		vec_push(&set->schema.layouts, &p->clauses.v[i]->layout);
	cg->error_ends = error_ends(p);
	plan_choose_sampled(p);
	for (int i = 0; i < set->programs.n; i++)
		make_program(p, set->programs.v[i], dump, stages);
	cg->error_ends = error_ends(p);
	plan_support(p);
	cg->builtins->finish(cg);
	/* Now the sizes are known that all programs share. */
	p->rt.slot_size = ALIGN_UP(cg->slot_size, 8) + RT_PRIVATE(cg->strsize);
	plan_fill_maps(p);
	link_routines(p);
	for (int i = 0; i < p->clauses.n; i++)
		number_statements(p->clauses.v[i]);
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

int plan_instruction(const struct plan *p, const struct probe *probe, struct loc loc)
{
	for (int i = 0; i < p->set->programs.n; i++) {
		const struct program *pl = p->set->programs.v[i];
		int pc;

		for (int j = 0; j < pl->targets.n; j++)
			if (pl->targets.v[j] == probe && (pc = first_instruction(pl->code, loc)))
				return pc;
	}
	return 0;
}

/* Few scripts have so many arrays and aggregations that it has to be counted. */
const struct program *plan_excess_maps(const struct plan *p, int *maps)
{
	enum { OF_OTHERS = 20, OF_EACH = 2 }; /* at the most */
	int many = OF_OTHERS;

	for (int i = 0; i < p->cg.syms->all.n; i++)
		many +=
		    p->cg.syms->all.v[i]->kind == SYM_ASSOC || p->cg.syms->all.v[i]->kind == SYM_AGG
			? OF_EACH
			: 0;
	for (int i = 0; many > PROG_MAPS_MAX && i < p->set->programs.n; i++) {
		*maps = prog_maps(&p->set->programs.v[i]->prog);
		if (*maps > PROG_MAPS_MAX)
			return p->set->programs.v[i];
	}
	return NULL;
}

void plan_dump(const struct plan *p, FILE *out)
{
	if (p->ring_fitted)
		fprintf(out, "principal buffer: %u bytes\n", p->set->maps.ring.max_entries);
	for (int i = 0; i < p->set->programs.n; i++) {
		const struct program *pl = p->set->programs.v[i];

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

/* What of a clause is not in the arena. */
static void clause_free(struct clause *c)
{
	vec_free(&c->probes);
	vec_free(&c->layout.acts);
	vec_free(&c->sites);
	vec_free(&c->descriptions);
	vec_free(&c->sampled_aggs);
}

void plan_free(struct plan *p)
{
	struct codegen *cg = &p->cg;

	for (int i = 0; cg->syms && i < cg->syms->all.n; i++) {
		struct sym *sym = cg->syms->all.v[i];

		if (sym->has_map)
			map_close(&sym->map);
		if (sym->has_second)
			map_close(&sym->second);
	}
	for (int i = 0; i < p->enabled.n; i++)
		vec_free(&p->enabled.v[i].clauses);
	vec_free(&p->enabled);
	modbtf_free(&p->modules);
	hash_free(&cg->lit_index);
	sb_free(&cg->lit_bytes);
	vec_free(&cg->routines);
	vec_free(&cg->own_routines);
	for (int i = 0; i < p->clauses.n; i++)
		clause_free(p->clauses.v[i]);
	vec_free(&p->clauses);
}
