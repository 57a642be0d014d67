/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a program: what comes before, between and behind its clauses.
 *
 *	stopped? wrong CPU?		-> out
 *	which probe			constant, attach cookie, or selector and table
 *	scratch slot			claimed if any clause needs it; it belongs to this invocation alone
 *	thread's variables		looked up once
 *	for each clause			predicate, record reserved, body, record submitted
 *	  its faults			record discarded, error record; the next clause goes on
 *	scratch slot given back
 *
 * Whether the slot and the thread's variables are wanted is known only when the clauses have been
 * generated; so they are generated twice when the first pass finds that they are.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/def.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_int.h"

static int imm(struct gen *g, int64_t v)
{
	int r = ir_reg(g->ir);

	ir_movi(g->ir, r, v);
	return r;
}

static int ctl_addr(struct ir *ir, struct shared *sh, uint32_t off)
{
	int p = ir_reg(ir);

	ir_map_mem(ir, p, &sh->ctl, off);
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

/* Literals ---------------------------------------------------------------------------------------------------- */

uint32_t shared_literal(struct shared *sh, const void *bytes, uint32_t len, uint32_t align)
{
	uintptr_t at = (uintptr_t)hash_get(&sh->lit_index, bytes, len);

	if (at)
		return at - 1;
	while (sh->lit_bytes.len % align)
		sb_putc(&sh->lit_bytes, 0);
	at = sh->lit_bytes.len;
	sb_add(&sh->lit_bytes, bytes, len);
	hash_put(&sh->lit_index, bytes, len, (void *)(at + 1));
	return at;
}

int gen_literal(struct gen *g, const void *bytes, uint32_t len)
{
	int r = ir_reg(g->ir);

	ir_map_mem(g->ir, r, &g->sh->lits, shared_literal(g->sh, bytes, len, 8));
	return r;
}

/* Memos and regions --------------------------------------------------------------------------------------------- */

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

/* From here on the clause may be left: what is remembered later is not there for the next clause. */
static void may_leave(struct gen *g)
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

/* Faults and drops ------------------------------------------------------------------------------------------------ */

static int fault_stub(struct gen *g, enum fault f, int value, int64_t value_imm)
{
	struct fault_stub stub = {ir_label(g->ir), f, value, value_imm, g->site, g->rec >= 0};

	may_leave(g);
	vec_push(&g->stubs, stub);
	return stub.label;
}

void gen_fault_if(struct gen *g, int cond, int a, int64_t i, enum fault f, int value, int64_t value_imm)
{
	ir_jcci(g->ir, cond, a, i, fault_stub(g, f, value, value_imm));
}

void gen_fault_always(struct gen *g, enum fault f, int value, int64_t value_imm)
{
	int on = ir_label(g->ir);

	/* A jump that the optimiser does not see through, so that what follows stays reachable. */
	ir_jcci(g->ir, BPF_JEQ, g->ctx, 0, on);
	ir_jmp(g->ir, fault_stub(g, f, value, value_imm));
	ir_place(g->ir, on);
}

static void want_routine(struct shared *sh, const char *name)
{
	for (int i = 0; i < sh->routines.n; i++)
		if (!strcmp(sh->routines.v[i], name))
			return;
	vec_push(&sh->routines, name);
}

int gen_routine(struct gen *g, const char *name, int nargs, const int *args)
{
	want_routine(g->sh, name);
	return ir_call_func(g->ir, name, nargs, args);
}

void gen_drop(struct gen *g, enum drop kind)
{
	gen_routine(g, "dt_drop", 1, (int[]){imm(g, kind)});
}

/* Which flags a record is submitted with: wake dtrace only when it sleeps, and then once. */
static int wake_flags(struct ir *ir, struct shared *sh)
{
	int p = ctl_addr(ir, sh, CTL_SLEEPING), asleep = ir_reg(ir), flags = ir_reg(ir), awake = ir_label(ir);

	ir_movi(ir, flags, BPF_RB_NO_WAKEUP);
	ir_ld(ir, 4, asleep, p, 0);
	ir_jcci(ir, BPF_JEQ, asleep, 0, awake);
	ir_sti(ir, 4, p, 0, 0);
	ir_movi(ir, flags, BPF_RB_FORCE_WAKEUP);
	ir_place(ir, awake);
	return flags;
}

static int ring_reserve(struct ir *ir, struct shared *sh, uint32_t size)
{
	int m = ir_reg(ir), sz = ir_reg(ir), zero = ir_reg(ir);

	sh->uses_ring = true;
	ir_map(ir, m, &sh->ring);
	ir_movi(ir, sz, size);
	ir_movi(ir, zero, 0);
	return ir_callv(ir, BPF_FUNC_ringbuf_reserve, m, sz, zero);
}

/* Address of this CPU's part of the control memory; jumps to out on a CPU that we do not know. */
int gen_cpu_part(struct ir *ir, struct shared *sh, int cpu, int out)
{
	int p, off = ir_reg(ir);

	ir_jcci(ir, BPF_JGE, cpu, sh->ncpus, out);
	ir_mov(ir, off, cpu);
	ir_alui(ir, BPF_MUL, off, CTL_CPU_SIZE);
	p = ctl_addr(ir, sh, CTL_CPUS);
	ir_alu(ir, BPF_ADD, p, off);
	return p;
}

/* dt_drop(kind): counts a loss on this CPU. */
struct ir *gen_drop_routine(struct shared *sh)
{
	struct ir *ir = ir_new(sh->arena, "dt_drop", 1);
	int kind = ir_arg(ir, 0), cpu, p, one = ir_reg(ir), out = ir_label(ir);

	cpu = ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
	ir_jcci(ir, BPF_JGE, kind, DROP_COUNT, out);
	p = gen_cpu_part(ir, sh, cpu, out);
	ir_alui(ir, BPF_MUL, kind, 8);
	ir_alu(ir, BPF_ADD, p, kind);
	ir_movi(ir, one, 1);
	ir_atomic(ir, BPF_ADD, 8, p, CTL_CPU_DROPS, one);
	ir_place(ir, out);
	ir_reti(ir, 0);
	return ir;
}

/* dt_error(clause, probe, site, fault, value): writes an error record. */
struct ir *gen_error_routine(struct shared *sh)
{
	struct ir *ir = ir_new(sh->arena, "dt_error", 5);
	int arg[5], rec, cpu, full = ir_label(ir), time;
	int base = sizeof(struct rec_header);

	for (int i = 0; i < 5; i++)
		arg[i] = ir_arg(ir, i);
	rec = ring_reserve(ir, sh, sizeof(struct rec_header) + sizeof(struct rec_error));
	ir_jcci(ir, BPF_JEQ, rec, 0, full);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, clause), (int32_t)REC_ERROR);
	ir_st(ir, 4, rec, offsetof(struct rec_header, probe), arg[1]);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, spare), 0);
	ir_st(ir, 4, rec, base + offsetof(struct rec_error, clause), arg[0]);
	ir_st(ir, 4, rec, base + offsetof(struct rec_error, site), arg[2]);
	ir_st(ir, 8, rec, base + offsetof(struct rec_error, fault), arg[3]);
	ir_st(ir, 8, rec, base + offsetof(struct rec_error, value), arg[4]);
	cpu = ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
	ir_st(ir, 4, rec, offsetof(struct rec_header, cpu), cpu);
	time = ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL);
	ir_st(ir, 8, rec, offsetof(struct rec_header, time), time);
	ir_callv(ir, BPF_FUNC_ringbuf_submit, rec, wake_flags(ir, sh));
	ir_reti(ir, 0);
	ir_place(ir, full);
	rec = ir_reg(ir);
	ir_movi(ir, rec, DROP_PRINCIPAL);
	ir_call_func(ir, "dt_drop", 1, &rec);
	ir_reti(ir, 0);
	return ir;
}

/* Scratch -------------------------------------------------------------------------------------------------------- */

/* The lowest free bit of this CPU's busy word becomes ours. Interrupts nest and, on new kernels, tasks
   preempt each other in the middle of programs, so it is claimed atomically where the kernel can; where it
   cannot, programs only nest, and who interrupts us has put the word back before we go on. */
static void claim_slot(struct gen *g, int part, int busy_out)
{
	struct ir *ir = g->ir;
	bool atomic = feat(g->sh->feats, FEAT_ATOMIC_FETCH);
	int old = ir_reg(ir), got = ir_label(ir), idx, key, frame, m;

	g->slot_bit = ir_reg(ir);
	for (int try = 0; try < (atomic ? 3 : 1); try++) {
		int again = ir_label(ir), next = ir_reg(ir);

		ir_ld(ir, 8, old, part, CTL_CPU_BUSY);
		ir_mov(ir, next, old);
		ir_alui(ir, BPF_ADD, next, 1);
		ir_mov(ir, g->slot_bit, old);
		ir_alui(ir, BPF_XOR, g->slot_bit, -1);
		ir_alu(ir, BPF_AND, g->slot_bit, next);
		ir_jcci(ir, BPF_JGE, g->slot_bit, 1 << SCRATCH_SLOTS, busy_out);
		if (!atomic) {
			ir_alu(ir, BPF_OR, old, g->slot_bit);
			ir_st(ir, 8, part, CTL_CPU_BUSY, old);
			ir_jmp(ir, got);
			continue;
		}
		ir_mov(ir, old, g->slot_bit);
		ir_atomic(ir, BPF_OR | BPF_FETCH, 8, part, CTL_CPU_BUSY, old);
		ir_alu(ir, BPF_AND, old, g->slot_bit);
		ir_jcci(ir, BPF_JEQ, old, 0, got);
		ir_place(ir, again);
	}
	if (atomic)
		ir_jmp(ir, busy_out);
	ir_place(ir, got);
	idx = gen_copy(g, g->slot_bit); /* one bit of eight to a number below eight, by a de Bruijn sequence */
	ir_alui(ir, BPF_MUL, idx, 0x1d);
	ir_alui(ir, BPF_RSH, idx, 5);
	ir_alui(ir, BPF_AND, idx, 7);
	g->slot_no = gen_copy(g, gen_cpu(g));
	ir_alui(ir, BPF_MUL, g->slot_no, SCRATCH_SLOTS);
	ir_alu(ir, BPF_ADD, g->slot_no, idx);
	frame = ir_frame(ir, 8);
	ir_frame_st(ir, 4, frame, 0, g->slot_no);
	key = ir_reg(ir);
	ir_frame_addr(ir, key, frame, 0);
	m = ir_reg(ir);
	ir_map(ir, m, &g->sh->scratch);
	g->slot = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
}

static void release_slot(struct gen *g, int part)
{
	int v = gen_copy(g, g->slot_bit);

	if (feat(g->sh->feats, FEAT_ATOMIC_FETCH)) {
		ir_alui(g->ir, BPF_XOR, v, -1);
		ir_atomic(g->ir, BPF_AND, 8, part, CTL_CPU_BUSY, v);
	} else {
		int old = ir_reg(g->ir);

		ir_ld(g->ir, 8, old, part, CTL_CPU_BUSY);
		ir_alu(g->ir, BPF_XOR, old, v);
		ir_st(g->ir, 8, part, CTL_CPU_BUSY, old);
	}
}

/* A field behind pointers from the current task: the offsets are the running kernel's. */
int gen_task_field(struct gen *g, const char *const *path, int npath)
{
	struct types *types = g->sh->types;
	const struct type *t = type_find(types, "vmlinux", "struct task_struct");
	int at = ir_call_const(g->ir, BPF_FUNC_get_current_task, 0, NULL);

	for (int i = 0; i < npath; i++) {
		const struct member *m = NULL;
		uint64_t bits = 0;

		t = t ? type_complete(types, type_base(t)) : NULL;
		if (t && t->kind == T_PTR)
			t = type_complete(types, type_base(t->ref));
		if (t && type_is_sou(t))
			m = type_member(types, t, path[i], &bits);
		if (!m)
			diag_die(g->sh->diag, D_SYM_NOTYPES, g->clause->node->loc,
				 "the kernel's type data are needed and have no %s: %s", path[i],
				 types_kernel_error(types) ? types_kernel_error(types) : "no such member");
		t = m->type;
		at = gen_peek_kernel(g, at, bits / 8, type_size(types, t));
	}
	return at;
}

/* Threads -------------------------------------------------------------------------------------------------------- */

int gen_cpu(struct gen *g)
{
	if (g->cpu < 0) /* fetched in the prologue in the second pass */
		g->want_cpu = true;
	return g->cpu < 0 ? g->ctx : g->cpu;
}

int gen_thread_key(struct gen *g)
{
	static const char key[] = "thread";
	int r = gen_memo_find(g, key, 0), idle;

	if (r >= 0)
		return r;
	r = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	idle = ir_label(g->ir);
	ir_zext(g->ir, r, 32);
	ir_jcci(g->ir, BPF_JNE, r, 0, idle);
	ir_mov(g->ir, r, gen_cpu(g)); /* the idle threads all have the id 0 */
	ir_alui(g->ir, BPF_ADD, r, 1);
	ir_alui(g->ir, BPF_LSH, r, 32);
	ir_place(g->ir, idle);
	gen_memo_add(g, key, 0, r);
	return r;
}

static int self_by_key(struct gen *g, bool create)
{
	int frame = ir_frame(g->ir, 8), key = ir_reg(g->ir), m = ir_reg(g->ir), r;

	ir_frame_st(g->ir, 8, frame, 0, gen_thread_key(g));
	ir_frame_addr(g->ir, key, frame, 0);
	if (create) {
		int m2 = ir_reg(g->ir), key2 = ir_reg(g->ir);

		ir_map(g->ir, m2, &g->sh->self);
		ir_frame_addr(g->ir, key2, frame, 0);
		ir_callv(g->ir, BPF_FUNC_map_update_elem, m2, key2, gen_literal(g, arena_alloc(g->arena, g->sh->syms->self_size), g->sh->syms->self_size),
			 imm(g, BPF_NOEXIST));
	}
	ir_map(g->ir, m, &g->sh->self);
	r = ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(g->ir, frame);
	return r;
}

int gen_self_lookup(struct gen *g, bool create)
{
	int task, m;

	g->sh->uses_self = true;
	if (!feat(g->sh->feats, FEAT_TASK_STORAGE))
		return self_by_key(g, create);
	task = ir_call_const(g->ir, BPF_FUNC_get_current_task_btf, 0, NULL);
	m = ir_reg(g->ir);
	ir_map(g->ir, m, &g->sh->self);
	return ir_callv(g->ir, BPF_FUNC_task_storage_get, m, task, imm(g, 0),
			imm(g, create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0));
}

static void describe_vtime(struct shared *sh)
{
	if (sh->vtime.name[0])
		return;
	if (feat(sh->feats, FEAT_TASK_STORAGE))
		map_init_task_storage(&sh->vtime, "dt_vtime", 8);
	else
		map_init(&sh->vtime, "dt_vtime", BPF_MAP_TYPE_HASH, 8, 8, 16384);
}

/* Time on CPU is kept like self->: in the task where the kernel can, else in a hash by thread. */
int gen_vtime_sum(struct gen *g, int cpu)
{
	int m = ir_reg(g->ir), frame, key, r, there, found;

	describe_vtime(g->sh);
	if (feat(g->sh->feats, FEAT_TASK_STORAGE)) {
		int task = ir_call_const(g->ir, BPF_FUNC_get_current_task_btf, 0, NULL);

		ir_map(g->ir, m, &g->sh->vtime);
		return ir_callv(g->ir, BPF_FUNC_task_storage_get, m, task, imm(g, 0), imm(g, BPF_LOCAL_STORAGE_GET_F_CREATE));
	}
	g->cpu = cpu;
	frame = ir_frame(g->ir, 16);
	key = ir_reg(g->ir);
	ir_frame_st(g->ir, 8, frame, 0, gen_thread_key(g));
	ir_frame_sti(g->ir, 8, frame, 8, 0);
	ir_frame_addr(g->ir, key, frame, 0);
	ir_map(g->ir, m, &g->sh->vtime);
	found = ir_reg(g->ir);
	there = ir_label(g->ir);
	ir_mov(g->ir, found, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key));
	ir_jcci(g->ir, BPF_JNE, found, 0, there);
	r = ir_reg(g->ir);
	ir_frame_addr(g->ir, r, frame, 8);
	ir_callv(g->ir, BPF_FUNC_map_update_elem, m, key, r, imm(g, BPF_NOEXIST));
	ir_mov(g->ir, found, ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key));
	ir_place(g->ir, there);
	return found;
}

int gen_vtimestamp(struct gen *g)
{
	static const char memo[] = "vtimestamp";
	int r = gen_memo_find(g, memo, 0), sum, since, part, none, known, now;

	if (r >= 0)
		return r;
	now = gen_timestamp(g); /* here, where it is fetched in any case */
	g->sh->uses_vtime = true;
	r = ir_reg(g->ir);
	none = ir_label(g->ir);
	known = ir_label(g->ir);
	sum = gen_vtime_sum(g, gen_cpu(g));
	ir_movi(g->ir, r, 0);
	ir_jcci(g->ir, BPF_JEQ, sum, 0, none);
	ir_ld(g->ir, 8, r, sum, 0);
	part = gen_cpu_part(g->ir, g->sh, gen_cpu(g), none);
	since = ir_reg(g->ir);
	ir_ld(g->ir, 8, since, part, CTL_CPU_ONCPU);
	ir_jcci(g->ir, BPF_JNE, since, 0, known); /* it has been running since before we began */
	ir_ld(g->ir, 8, since, ctl_addr(g->ir, g->sh, CTL_START), 0);
	ir_place(g->ir, known);
	ir_alu(g->ir, BPF_ADD, r, now);
	ir_alu(g->ir, BPF_SUB, r, since);
	ir_place(g->ir, none);
	gen_memo_add(g, memo, 0, r);
	return r;
}

/* The first use fetches it, wherever that is: in one firing it stands still. */
int gen_timestamp(struct gen *g)
{
	static const char key[] = "timestamp";
	int r = gen_memo_find(g, key, 0), known;

	if (r >= 0)
		return r;
	g->time_uses++;
	if (g->time < 0) {
		r = ir_call(g->ir, BPF_FUNC_ktime_get_ns, 0, NULL);
	} else {
		r = g->time;
		known = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JNE, r, 0, known);
		ir_mov(g->ir, r, ir_call(g->ir, BPF_FUNC_ktime_get_ns, 0, NULL));
		ir_place(g->ir, known);
	}
	gen_memo_add(g, key, 0, r);
	return r;
}

/* Records -------------------------------------------------------------------------------------------------------- */

struct act *gen_act(struct gen *g, struct node *call)
{
	return g->clause->acts.v[call->aux];
}

void gen_record(struct gen *g, const struct act *act, int i, struct node *n)
{
	const struct rec *rec = &act->recs[i];

	if (type_is_string(rec->type)) {
		struct str_dest d = {g->rec, rec->off, rec->size, false, -1, false};

		gen_str_into(g, n, &d);
	} else if (type_is_sou(rec->type) || type_base(rec->type)->kind == T_ARRAY) {
		int addr = gen_expr(g, n), dst = gen_copy(g, g->rec), r;

		ir_alui(g->ir, BPF_ADD, dst, rec->off);
		r = ir_callv(g->ir, BPF_FUNC_probe_read_kernel, dst, imm(g, rec->size), addr);
		gen_fault_if(g, BPF_JNE, r, 0, FAULT_BADADDR, addr, 0);
	} else {
		ir_st(g->ir, rec->size, g->rec, rec->off, gen_expr(g, n));
	}
}

void gen_act_done(struct gen *g, const struct act *act)
{
	if (act->cond_off >= 0)
		ir_sti(g->ir, 1, g->rec, act->cond_off, 1);
}

static void record_begin(struct gen *g, struct clause *c)
{
	int full = ir_label(g->ir), ok = ir_label(g->ir), rec;

	may_leave(g);
	rec = ring_reserve(g->ir, g->sh, c->size);
	ir_jcci(g->ir, BPF_JNE, rec, 0, ok);
	ir_place(g->ir, full);
	gen_drop(g, DROP_PRINCIPAL);
	ir_jmp(g->ir, g->l_next);
	ir_place(g->ir, ok);
	g->rec = rec;
	ir_sti(g->ir, 4, rec, offsetof(struct rec_header, clause), c->index);
	if (g->probe_index >= 0)
		ir_st(g->ir, 4, rec, offsetof(struct rec_header, probe), g->probe_index);
	else
		ir_sti(g->ir, 4, rec, offsetof(struct rec_header, probe), g->probe->index);
	ir_st(g->ir, 8, rec, offsetof(struct rec_header, cpu), gen_cpu(g));
	if (c->needs_time)
		ir_st(g->ir, 8, rec, offsetof(struct rec_header, time), gen_timestamp(g));
	else
		ir_sti(g->ir, 8, rec, offsetof(struct rec_header, time), 0);
	for (int i = 0; i < c->acts.n; i++)
		if (c->acts.v[i]->cond_off >= 0)
			ir_sti(g->ir, 1, rec, c->acts.v[i]->cond_off, 0);
}

/* Statements and clauses ------------------------------------------------------------------------------------------- */

static void statement_end(struct gen *g, uint32_t temp_top)
{
	for (int i = 0; i < g->frames.n; i++)
		ir_frame_free(g->ir, g->frames.v[i]);
	g->frames.n = 0;
	g->temp_top = temp_top;
}

static void statements(struct gen *g, struct node *list);

static void statement_if(struct gen *g, struct node *n)
{
	int other = ir_label(g->ir), done = ir_label(g->ir);
	uint32_t top = g->temp_top;
	struct region r;

	gen_branch(g, n->a, false, other);
	statement_end(g, top);
	r = gen_enter(g);
	statements(g, n->b->list);
	gen_leave(g, r);
	ir_jmp(g->ir, done);
	ir_place(g->ir, other);
	if (n->c) {
		r = gen_enter(g);
		statements(g, n->c->list);
		gen_leave(g, r);
	}
	ir_place(g->ir, done);
}

static void statements(struct gen *g, struct node *list)
{
	for (struct node *n = list; n; n = n->next) {
		uint32_t top = g->temp_top;

		ir_loc(g->ir, n->loc);
		if (n->kind == N_EXPR)
			gen_effect(g, n->a);
		else if (n->kind == N_IF)
			statement_if(g, n);
		else if (n->kind == N_BLOCK)
			statements(g, n->list);
		statement_end(g, top);
	}
}

static void clause_faults(struct gen *g, struct clause *c, int rec)
{
	int with_rec = ir_label(g->ir), plain = ir_label(g->ir);
	int kind = ir_reg(g->ir), value = ir_reg(g->ir), site = ir_reg(g->ir), probe, args[5];
	bool any_rec = false, any_plain = false;

	for (int i = 0; i < g->stubs.n; i++) {
		struct fault_stub *s = &g->stubs.v[i];

		ir_place(g->ir, s->label);
		ir_movi(g->ir, kind, s->fault);
		if (s->value >= 0)
			ir_mov(g->ir, value, s->value);
		else
			ir_movi(g->ir, value, s->imm);
		ir_movi(g->ir, site, s->site);
		ir_jmp(g->ir, s->has_rec ? with_rec : plain);
		any_rec |= s->has_rec;
		any_plain |= !s->has_rec;
	}
	if (any_rec) {
		ir_place(g->ir, with_rec);
		ir_callv(g->ir, BPF_FUNC_ringbuf_discard, rec, imm(g, BPF_RB_NO_WAKEUP));
	}
	if (any_plain || any_rec)
		ir_place(g->ir, plain);
	probe = g->probe_index >= 0 ? g->probe_index : imm(g, g->probe->index);
	memcpy(args, (int[]){imm(g, c->index), probe, site, kind, value}, sizeof(args));
	gen_routine(g, "dt_error", 5, args);
	want_routine(g->sh, "dt_drop");
	g->stubs.n = 0;
}

static void clause(struct gen *g, struct clause *c)
{
	int rec;

	g->clause = c;
	g->site = 0;
	g->rec = -1;
	g->conditional = false;
	g->l_next = ir_label(g->ir);
	g->temp_top = g->temp_base;
	ir_loc(g->ir, c->node->loc);
	if (c->pred) {
		ir_loc(g->ir, c->pred->loc);
		gen_branch(g, c->pred, false, g->l_next);
		may_leave(g);
	}
	statement_end(g, g->temp_base);
	if (c->records)
		record_begin(g, c);
	if (c->body)
		statements(g, c->body->list);
	rec = g->rec;
	ir_loc(g->ir, c->node->loc);
	if (c->records)
		ir_callv(g->ir, BPF_FUNC_ringbuf_submit, rec, wake_flags(g->ir, g->sh));
	g->rec = -1;
	if (g->stubs.n) {
		ir_jmp(g->ir, g->l_next);
		clause_faults(g, c, rec);
	}
	ir_place(g->ir, g->l_next);
	if (g->conditional) {
		g->memos.n = MIN(g->memos.n, g->memo_floor);
		g->self_state = MIN(g->self_state, 1);
	}
}

static void end_firing(struct gen *g, int part)
{
	if (g->want_slot)
		release_slot(g, part);
	ir_reti(g->ir, 0);
}

/* exit() ends tracing: the clauses that follow for the same firing do not run any more. END and ERROR come after
   exit(), and all of their clauses run. */
static void end_of_tracing(struct gen *g, const struct clause *c, int part, int release)
{
	bool exits = false, late = !strcmp(g->probe->prov, "dtrace") && strcmp(g->probe->name, "BEGIN");
	int p, stopped, next;

	for (int i = 0; i < c->acts.n; i++)
		exits |= !strcmp(c->acts.v[i]->def->name, "exit");
	if (!exits || late)
		return;
	p = ctl_addr(g->ir, g->sh, CTL_STOPPED);
	stopped = ir_reg(g->ir);
	ir_ld(g->ir, 4, stopped, p, 0);
	if (!g->spare) {
		ir_jcci(g->ir, BPF_JNE, stopped, 0, release);
		return;
	}
	next = ir_label(g->ir);
	ir_jcci(g->ir, BPF_JEQ, stopped, 0, next);
	end_firing(g, part);
	ir_place(g->ir, next);
}

/* Which of its probes a program fires for ------------------------------------------------------------------------------ */

static void find_probe(struct gen *g, struct map *table, int out)
{
	int sel, p, one;

	g->probe_index = -1;
	if (g->probe->provider->selector) {
		sel = g->probe->provider->selector(g, g->probe);
		if (g->nprobes == 1) {
			ir_jcci(g->ir, BPF_JNE, sel, g->probe->select, out);
			goto guard;
		}
		ir_jcci(g->ir, BPF_JGE, sel, g->probe->provider->nselect, out);
		one = gen_copy(g, sel);
		ir_alui(g->ir, BPF_MUL, one, 4);
		p = ir_reg(g->ir);
		ir_map_mem(g->ir, p, table, 0);
		ir_alu(g->ir, BPF_ADD, p, one);
		g->probe_index = ir_reg(g->ir);
		ir_ld(g->ir, 4, g->probe_index, p, 0);
		ir_jcci(g->ir, BPF_JEQ, g->probe_index, 0, out); /* 0: none; else index + 1 */
		ir_alui(g->ir, BPF_SUB, g->probe_index, 1);
	} else if (g->nprobes > 1) { /* the plan makes programs for many probes only where there are cookies */
		g->probe_index = g->hook->cookie(g->ir, g->ctx);
	}
guard:
	if (g->probe->provider->guard)
		ir_jcci(g->ir, BPF_JEQ, g->probe->provider->guard(g, g->probe), 0, out);
}

static void prologue(struct gen *g, struct map *table, int out)
{
	int p, v;

	if (g->hook_kind != HOOK_RUN) {
		p = ctl_addr(g->ir, g->sh, CTL_STOPPED);
		v = ir_reg(g->ir);
		ir_ld(g->ir, 4, v, p, 0);
		ir_jcci(g->ir, BPF_JNE, v, 0, out);
	}
	find_probe(g, table, out);
	if (g->sh->cpu_filter >= 0 && g->hook_kind != HOOK_RUN)
		g->want_cpu = true;
	if (g->want_cpu || g->want_slot) {
		g->cpu = ir_call_const(g->ir, BPF_FUNC_get_smp_processor_id, 0, NULL);
		ir_jcci(g->ir, BPF_JGE, g->cpu, g->sh->ncpus, out);
	}
	if (g->sh->cpu_filter >= 0 && g->hook_kind != HOOK_RUN)
		ir_jcci(g->ir, BPF_JNE, g->cpu, g->sh->cpu_filter, out);
}

struct ends {
	int out, release, busy; /* labels: nothing is held; the slot is; there is none */
};

static void place_ends(struct gen *g, const struct ends *e, int part)
{
	ir_place(g->ir, e->release);
	if (g->want_slot) {
		release_slot(g, part);
		ir_jmp(g->ir, e->out);
		ir_place(g->ir, e->busy);
		gen_drop(g, DROP_NESTED);
	}
	ir_place(g->ir, e->out);
	ir_reti(g->ir, 0);
}

/* Variables that begin as zeroes with each firing. */
static void clear_locals(struct gen *g)
{
	struct syms_of_script *ss = g->sh->syms;

	for (int i = 0; i < ss->all.n; i++) {
		struct sym *sym = ss->all.v[i];

		if (sym->kind != SYM_VAR || sym->scope != SCOPE_THIS)
			continue;
		g->this_regs[sym->index] = ir_reg(g->ir);
		ir_movi(g->ir, g->this_regs[sym->index], 0);
		if ((!type_is_scalar(sym->type) || g->spare) && g->want_slot)
			ir_sti(g->ir, 8, g->slot, g->this_base + sym->off, 0);
	}
}

/* Of a number that has been in the slot the verifier knows nothing. */
static void launder(struct gen *g, int reg)
{
	ir_st(g->ir, 8, gen_slot(g), 0, reg);
	ir_ld(g->ir, 8, reg, g->slot, 0);
}

/* Between two clauses: how the first one was gone through shall make no difference to the verifier in the second. */
static void forget_path(struct gen *g)
{
	if (g->time >= 0)
		launder(g, g->time);
	if (g->want_alloc)
		launder(g, g->alloc_off);
	if (g->want_self) {
		ir_mov(g->ir, g->self, gen_self_lookup(g, false));
		g->self_state = 1;
	}
}

/* A jump reaches 32767 instructions: the ends of a spare program are in front of its clauses. */
static void program(struct gen *g, struct clause *const *clauses, int n, struct map *table)
{
	struct ends e = {ir_label(g->ir), ir_label(g->ir), ir_label(g->ir)};
	int part = -1, body;

	g->ctx = ir_arg(g->ir, 0);
	ir_loc(g->ir, clauses[0]->node->loc);
	prologue(g, table, e.out);
	if (g->want_slot) {
		part = gen_cpu_part(g->ir, g->sh, g->cpu, e.out);
		claim_slot(g, part, e.busy);
		ir_jcci(g->ir, BPF_JEQ, g->slot, 0, e.release);
	}
	if (g->spare) {
		body = ir_label(g->ir);
		ir_jmp(g->ir, body);
		place_ends(g, &e, part);
		ir_place(g->ir, body);
	}
	gen_mem_begin(g);
	if (g->time >= 0) {
		g->time = ir_reg(g->ir);
		ir_movi(g->ir, g->time, 0);
	}
	clear_locals(g);
	if (g->want_self) {
		g->self = gen_copy(g, gen_self_lookup(g, false));
		g->self_state = 1;
	}
	for (int i = 0; i < n; i++) {
		clause(g, clauses[i]);
		if (i + 1 == n)
			break;
		end_of_tracing(g, clauses[i], part, e.release);
		if (g->spare)
			forget_path(g);
	}
	if (g->spare)
		end_firing(g, part);
	else
		place_ends(g, &e, part);
}

struct ir *gen_program(struct shared *sh, enum hook_kind hook, struct clause *const *clauses, int nclauses,
		       struct probe *const *probes, int nprobes, struct map *select_table, bool spare)
{
	struct gen g = {0};
	bool again;

	do {
		struct gen last = g;

		memset(&g, 0, sizeof(g));
		g.sh = sh;
		g.sema = sh->sema;
		g.arena = sh->arena;
		g.hook = hook_get(hook);
		g.hook_kind = hook;
		g.probe = probes[0];
		g.nprobes = nprobes;
		g.spare = spare;
		g.cpu = g.alloc_off = g.rec = -1;
		g.slot = g.slot_no = g.self = IR_FP; /* registers that are valid, until the second pass */
		g.alloc_off = IR_FP;
		g.time = last.time_uses > 1 ? IR_FP : -1;
		g.want_slot = last.want_slot;
		g.want_self = last.want_self;
		g.want_alloc = last.want_alloc;
		g.want_cpu = last.want_cpu;
		g.this_regs = arena_alloc(sh->arena, (sh->syms->all.n + 1) * sizeof(int));
		g.this_base = 8; /* the first word is gen_address()'s */
		g.dyn_base = ALIGN_UP(g.this_base + sh->syms->this_size, 8);
		g.dyn_size = ALIGN_UP(opt_num(sh->opts, OPT_SCRATCHSIZE), 8);
		/* An allocation's offset and size are each known to be at most dyn_size: twice the room, to the verifier. */
		g.static_base = g.dyn_base + (last.want_alloc ? 2 * g.dyn_size : 0);
		g.statics = last.statics;
		g.static_size = last.static_size;
		g.temp_base = g.temp_top = g.temp_max = g.static_base + g.static_size;
		g.ir = ir_new(sh->arena, arena_printf(sh->arena, "dt_%u", clauses[0]->index), 1);
		program(&g, clauses, nclauses, select_table);
		vec_free(&g.stubs);
		vec_free(&g.memos);
		vec_free(&g.frames);
		again = g.want_slot != last.want_slot || g.want_self != last.want_self || g.want_alloc != last.want_alloc ||
			g.want_cpu != last.want_cpu || g.static_size != last.static_size ||
			(g.time >= 0) != (g.time_uses > 1);
	} while (again);
	vec_free(&g.statics);
	if (g.want_slot)
		sh->slot_size = MAX(sh->slot_size, g.temp_max);
	return g.ir;
}
