/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all of code generation leans on: literals, values remembered, faults, drops, routines. */
#include <stddef.h>
#include <string.h>

#include "libdt/emit/emit.h"
#include "libdt/type/type.h"

int gen_ctl_addr(struct ir *ir, struct codegen *cg, uint32_t off)
{
	int p = ir_reg(ir);

	ir_map_mem(ir, p, &cg->set->maps.ctl, off);
	return p;
}

struct ir *gen_ir(struct gen *g)
{
	return g->ir;
}

int gen_ctx(struct gen *g)
{
	return g->ctx;
}

int gen_imm(struct gen *g, int64_t v)
{
	int r = ir_reg(g->ir);

	ir_movi(g->ir, r, v);
	return r;
}

/* Literals ---------------------------------------------------------------- */

uint32_t codegen_literal(struct codegen *cg, const void *bytes, uint32_t len, uint32_t align)
{
	uintptr_t at = (uintptr_t)hash_get(&cg->lit_index, bytes, len);

	if (at)
		return at - 1;
	while (cg->lit_bytes.len % align)
		sb_putc(&cg->lit_bytes, 0);
	at = cg->lit_bytes.len;
	sb_add(&cg->lit_bytes, bytes, len);
	hash_put(&cg->lit_index, bytes, len, (void *)(at + 1));
	return at;
}

int gen_literal(struct gen *g, const void *bytes, uint32_t len)
{
	int r = ir_reg(g->ir);

	ir_map_mem(g->ir, r, &g->set->maps.lits, codegen_literal(g->cg, bytes, len, 8));
	return r;
}

/* Memos and regions ------------------------------------------------------- */

int gen_memo_find(struct gen *g, const void *key, int64_t sub)
{
	for (int i = 0; i < g->memos.n; i++)
		if (g->memos.v[i].key == key && g->memos.v[i].sub == sub)
			return g->memos.v[i].reg;
	return -1;
}

void gen_memo_add(struct gen *g, const void *key, int64_t sub, int reg)
{
	struct memo m = {key, sub, reg};

	vec_push(&g->memos, m);
}

void gen_memo_drop(struct gen *g, const void *key)
{
	for (int i = 0; i < g->memos.n; i++)
		if (g->memos.v[i].key == key)
			g->memos.v[i].key = NULL;
}

void gen_may_leave(struct gen *g)
{
	if (g->conditional)
		return;
	g->conditional = true;
	g->memo_floor = g->memos.n;
}

struct region gen_enter(struct gen *g)
{
	return (struct region){g->memos.n, g->self_state, g->conditional};
}

void gen_leave(struct gen *g, struct region r)
{
	g->memos.n = r.floor;
	g->memo_floor = MIN(g->memo_floor, r.floor);
	g->self_state = r.self_state;
}

/* Faults and drops -------------------------------------------------------- */

static int fault_stub(struct gen *g, enum fault f, int value, int64_t value_imm)
{
	struct fault_stub stub = {.label = ir_label(g->ir),
				  .fault = f,
				  .value = value,
				  .imm = value_imm,
				  .site = g->site,
				  .has_rec = g->rec >= 0};

	gen_may_leave(g);
	vec_push(&g->stubs, stub);
	return stub.label;
}

void gen_fault_if(struct gen *g, int cond, int a, int64_t i, enum fault f, int value,
		  int64_t value_imm)
{
	ir_jcci(g->ir, cond, a, i, fault_stub(g, f, value, value_imm));
}

void gen_fault_read(struct gen *g, int cond, int a, int64_t imm, unsigned space, int addr)
{
	gen_fault_if(g, cond, a, imm, FAULT_BADADDR, addr, 0);
	g->stubs.v[g->stubs.n - 1].of_kernel = !space;
}

void gen_fault_here(struct gen *g, enum fault f, int value)
{
	ir_jmp(g->ir, fault_stub(g, f, value, 0));
}

void gen_fault_always(struct gen *g, enum fault f, int value, int64_t value_imm)
{
	int on = ir_label(g->ir);

	/* A jump that the optimiser does not see through, so that what follows stays reachable. */
	ir_jcci(g->ir, BPF_JEQ, g->ctx, 0, on);
	ir_jmp(g->ir, fault_stub(g, f, value, value_imm));
	ir_place(g->ir, on);
}

bool gen_routine_wanted(const struct codegen *cg, const char *name)
{
	for (int i = 0; i < cg->routines.n; i++)
		if (!strcmp(cg->routines.v[i], name))
			return true;
	return false;
}

void gen_want_routine(struct codegen *cg, const char *name)
{
	if (!gen_routine_wanted(cg, name))
		vec_push(&cg->routines, name);
}

int gen_routine(struct gen *g, const char *name, int nargs, const int *args)
{
	gen_want_routine(g->cg, name);
	return ir_call_func(g->ir, name, nargs, args);
}

void gen_drop(struct gen *g, enum drop kind)
{
	gen_routine(g, "dt_drop", 1, (int[]){gen_imm(g, kind)});
}

/* Which flags a record is submitted with: wake dtrace only when it sleeps, and then once. */
int gen_wake_flags(struct ir *ir, struct codegen *cg)
{
	int p = gen_ctl_addr(ir, cg, offsetof(struct ctl, sleeping)), asleep = ir_reg(ir),
	    flags = ir_reg(ir), awake = ir_label(ir);

	ir_movi(ir, flags, BPF_RB_NO_WAKEUP);
	ir_ld(ir, 4, asleep, p, 0);
	ir_jcci(ir, BPF_JEQ, asleep, 0, awake);
	ir_sti(ir, 4, p, 0, 0);
	ir_movi(ir, flags, BPF_RB_FORCE_WAKEUP);
	ir_place(ir, awake);
	return flags;
}

int gen_ring_reserve(struct ir *ir, struct codegen *cg, uint32_t size)
{
	int m = ir_reg(ir), sz = ir_reg(ir), zero = ir_reg(ir);

	cg->set->uses_ring = true;
	ir_map(ir, m, &cg->set->maps.ring);
	ir_movi(ir, sz, size);
	ir_movi(ir, zero, 0);
	return ir_callv(ir, BPF_FUNC_ringbuf_reserve, m, sz, zero);
}

int gen_ring_header(struct ir *ir, struct codegen *cg, uint32_t kind, int full)
{
	int rec = gen_ring_reserve(ir, cg, sizeof(struct rec_header));

	ir_jcci(ir, BPF_JEQ, rec, 0, full);
	ir_sti(ir, 8, rec, 0, 0);
	ir_sti(ir, 8, rec, 8, 0);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, clause), (int32_t)kind);
	ir_sti(ir, 8, rec, offsetof(struct rec_header, time), 0);
	return rec;
}

int gen_pages(struct gen *g)
{
	int p = gen_ctl_addr(g->ir, g->cg, offsetof(struct ctl, pages)), r = ir_reg(g->ir);

	g->set->uses_pages = true;
	ir_ld(g->ir, 8, r, p, 0);
	return r;
}

int gen_cpu_part(struct ir *ir, struct codegen *cg, int cpu, int out)
{
	int p, off = ir_reg(ir);

	ir_jcci(ir, BPF_JGE, cpu, cg->set->ncpus, out);
	ir_mov(ir, off, cpu);
	ir_alui(ir, BPF_MUL, off, sizeof(struct ctl_cpu));
	p = gen_ctl_addr(ir, cg, offsetof(struct ctl, cpus));
	ir_alu(ir, BPF_ADD, p, off);
	return p;
}

/* dt_drop(kind): counts a loss on this CPU. */
struct ir *gen_drop_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_drop", 1);
	int kind = ir_arg(ir, 0), cpu, p, one = ir_reg(ir), out = ir_label(ir);

	cpu = ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
	ir_jcci(ir, BPF_JGE, kind, DROP_COUNT, out);
	p = gen_cpu_part(ir, cg, cpu, out);
	ir_alui(ir, BPF_MUL, kind, 8);
	ir_alu(ir, BPF_ADD, p, kind);
	ir_movi(ir, one, 1);
	ir_atomic(ir, BPF_ADD, 8, p, offsetof(struct ctl_cpu, drops), one);
	ir_place(ir, out);
	ir_reti(ir, 0);
	return ir;
}

/* dt_error(clause | probe << 32, site | fault << 32, value, time): writes an error record. Time
 * 0: it is now. */
struct ir *gen_error_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_error", 4);
	int arg[4], rec, cpu, full = ir_label(ir), known = ir_label(ir), time, stop = ir_reg(ir);
	int base = sizeof(struct rec_header);

	for (int i = 0; i < 4; i++)
		arg[i] = ir_arg(ir, i);
	rec = gen_ring_reserve(ir, cg, sizeof(struct rec_header) + sizeof(struct rec_error));
	ir_jcci(ir, BPF_JEQ, rec, 0, full);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, clause), (int32_t)REC_ERROR);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, spec), 0);
	ir_st(ir, 4, rec, base + offsetof(struct rec_error, clause), arg[0]);
	ir_alui(ir, BPF_RSH, arg[0], 32);
	ir_st(ir, 4, rec, offsetof(struct rec_header, probe), arg[0]);
	ir_st(ir, 4, rec, base + offsetof(struct rec_error, site), arg[1]);
	ir_alui(ir, BPF_RSH, arg[1], 32);
	ir_st(ir, 8, rec, base + offsetof(struct rec_error, fault), arg[1]);
	ir_st(ir, 8, rec, base + offsetof(struct rec_error, value), arg[2]);
	cpu = ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
	ir_st(ir, 4, rec, offsetof(struct rec_header, cpu), cpu);
	time = arg[3];
	ir_jcci(ir, BPF_JNE, time, 0, known);
	ir_mov(ir, time, ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL));
	ir_place(ir, known);
	ir_st(ir, 8, rec, offsetof(struct rec_header, time), time);
	ir_callv(ir, BPF_FUNC_ringbuf_submit, rec, gen_wake_flags(ir, cg));
	if (cg->error_ends) {
		ir_map_mem(ir, stop, &cg->set->maps.ctl, offsetof(struct ctl, stopped));
		ir_sti(ir, 4, stop, 0, STOP_ENDED);
	}
	ir_reti(ir, 0);
	ir_place(ir, full);
	rec = ir_reg(ir);
	ir_movi(ir, rec, DROP_PRINCIPAL);
	ir_call_func(ir, "dt_drop", 1, &rec);
	ir_reti(ir, 0);
	return ir;
}

/* dt_fills(): wakes dtrace, because the table of an aggregation may soon be full. */
struct ir *gen_fills_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_fills", 0);
	int none = ir_label(ir), rec = gen_ring_header(ir, cg, REC_FILLS, none);

	ir_callv(ir, BPF_FUNC_ringbuf_submit, rec, gen_wake_flags(ir, cg));
	ir_place(ir, none);
	ir_reti(ir, 0);
	return ir;
}

/* Numbers ---------------------------------------------------------------- */

/* Cuts a register to the size and sign of a type. */
void gen_fit(struct gen *g, int r, const struct type *t)
{
	uint64_t size = type_size(g->cg->types, t);

	if (type_is_ptr(t) || type_is_string(t) || size >= 8)
		return;
	if (type_base(t)->flags & TF_BOOL) {
		int done = ir_label(g->ir);

		ir_jcci(g->ir, BPF_JEQ, r, 0, done);
		ir_movi(g->ir, r, 1);
		ir_place(g->ir, done);
	} else if (type_is_signed(t)) {
		ir_sext(g->ir, r, size * 8);
	} else {
		ir_zext(g->ir, r, size * 8);
	}
}

void gen_bounded(struct gen *g, int r, uint64_t most)
{
	ir_alui(g->ir, BPF_AND, r, most ? (int64_t)(UINT64_MAX >> __builtin_clzll(most)) : 0);
}

void gen_at_most(struct gen *g, int r, uint32_t most)
{
	int fits = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JLE, r, most, fits);
	ir_movi(g->ir, r, most);
	ir_place(g->ir, fits);
}

int gen_copy(struct gen *g, int r)
{
	int c = ir_reg(g->ir);

	ir_mov(g->ir, c, r);
	return c;
}

const struct opts *gen_opts(struct gen *g)
{
	return g->cg->opts;
}

int gen_cpu(struct gen *g)
{
	if (g->cpu < 0) /* fetched in the prologue in the second pass */
		g->want_cpu = true;
	return g->cpu < 0 ? g->ctx : g->cpu;
}

/* The probe ---------------------------------------------------------------- */

unsigned gen_modes(const struct gen *g)
{
	unsigned modes = 0;

	for (int i = 0; i < g->nprobes; i++)
		for (int mode = 0; mode < 2; mode++)
			if (probe_base(g->probes[i])->select[mode] != SELECT_NONE)
				modes |= 1 << mode;
	return modes;
}

int gen_probe_row(struct gen *g, int out)
{
	int row = ir_reg(g->ir), off = gen_copy(g, g->probe_index);

	ir_jcci(g->ir, BPF_JGE, off, g->set->names.nrows, out);
	ir_alui(g->ir, BPF_MUL, off, sizeof(struct name_row));
	ir_map_mem(g->ir, row, &g->set->names.map, 0);
	ir_alu(g->ir, BPF_ADD, row, off);
	return row;
}

int gen_probe_number(struct gen *g, size_t at, uint32_t own)
{
	int r = gen_imm(g, own), row, out;

	if (g->probe_index < 0)
		return r;
	out = ir_label(g->ir);
	row = gen_probe_row(g, out);
	ir_ld(g->ir, 4, r, row, at);
	ir_place(g->ir, out);
	return r;
}

int gen_probe_where(struct gen *g)
{
	return gen_probe_number(g, offsetof(struct name_row, where), g->probe->where);
}
