/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory by number, and where lvalues are: loading from places and storing into them. */
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

enum { PAGE = 4096 }; /* where they are larger, some are asked for twice */

/* Memory of the kernel or the user, by number ----------------------------- */

/*
 * A page of the process that is not in memory: a program that may sleep has it brought in, after
 * the quick way failed. A record that was begun stays open meanwhile, and later ones wait.
 * Returns a register that is not 0 when it cannot be read.
 */
static int try_fetch(struct gen *g, unsigned space, int to, int size, int addr)
{
	int r = ir_callv(g->ir,
			 space == TF_USERLAND	? BPF_FUNC_probe_read_user
			 : space == TF_ANYWHERE ? BPF_FUNC_probe_read
						: BPF_FUNC_probe_read_kernel,
			 to, size, addr);
	int there;

	if (!space || !g->may_sleep)
		return r;
	g->sleeps = true;
	there = ir_label(g->ir);
	r = gen_copy(g, r);
	ir_jcci(g->ir, BPF_JEQ, r, 0, there);
	ir_mov(g->ir, r, ir_callv(g->ir, BPF_FUNC_copy_from_user, to, size, addr));
	ir_place(g->ir, there);
	return r;
}

/*
 * Probes on locks are left out while a program has a slot, for the sake of our own maps' locks:
 * not for as long as it sleeps. The bit is always in one of the words. (Kernels whose programs
 * sleep have the atomic operations.)
 */
static void fall_asleep(struct gen *g, bool asleep)
{
	int clear;

	if (!g->sh->locks || !g->want_slot)
		return;
	ir_atomic(g->ir, BPF_OR, 8, g->part,
		  asleep ? offsetof(struct ctl_cpu, asleep) : offsetof(struct ctl_cpu, busy),
		  g->slot_bit);
	clear = gen_copy(g, g->slot_bit);
	ir_alui(g->ir, BPF_XOR, clear, -1);
	ir_atomic(g->ir, BPF_AND, 8, g->part,
		  asleep ? offsetof(struct ctl_cpu, busy) : offsetof(struct ctl_cpu, asleep),
		  clear);
}

void gen_bring_in(struct gen *g, int addr, uint32_t bytes)
{
	int frame = ir_frame(g->ir, 8), to = ir_reg(g->ir), at = gen_copy(g, addr);

	g->sleeps = true;
	fall_asleep(g, true);
	for (uint32_t off = 0; off < bytes + PAGE - 1; off += PAGE) {
		ir_frame_addr(g->ir, to, frame, 0);
		ir_callv(g->ir, BPF_FUNC_copy_from_user, gen_copy(g, to), gen_imm(g, 1),
			 gen_copy(g, at));
		ir_alui(g->ir, BPF_AND, at, -PAGE);
		ir_alui(g->ir, BPF_ADD, at, PAGE);
	}
	fall_asleep(g, false);
	ir_frame_free(g->ir, frame);
}

void gen_fetch(struct gen *g, unsigned space, int to, int size, int addr)
{
	if (space != TF_USERLAND)
		gen_check_read(g, addr, size);
	gen_fault_if(g, BPF_JNE, try_fetch(g, space, to, size, addr), 0, FAULT_BADADDR, addr, 0);
}

static int read_mem(struct gen *g, int addr, int64_t off, int size, unsigned space, bool fault)
{
	int frame = ir_frame(g->ir, 8), at = ir_reg(g->ir), dst = ir_reg(g->ir), r,
	    v = ir_reg(g->ir), len;

	ir_mov(g->ir, at, addr);
	if (off)
		ir_alui(g->ir, BPF_ADD, at, off);
	len = gen_imm(g, size);
	if (fault && space != TF_USERLAND)
		gen_check_read(g, at, len);
	ir_frame_addr(g->ir, dst, frame, 0);
	r = try_fetch(g, space, dst, len, at);
	if (fault)
		gen_fault_if(g, BPF_JNE, r, 0, FAULT_BADADDR, at, 0);
	ir_frame_ld(g->ir, size, v, frame, 0);
	ir_frame_free(g->ir, frame);
	return v;
}

int gen_read_kernel(struct gen *g, int addr, int off, int size, bool is_signed)
{
	int v = read_mem(g, addr, off, size, 0, true);

	if (is_signed && size < 8)
		ir_sext(g->ir, v, size * 8);
	return v;
}

int gen_read_user(struct gen *g, int addr, int off, int size)
{
	return read_mem(g, addr, off, size, TF_USERLAND, true);
}

/* Adds a register that was saved (its offset plus one is in which) times scale (-1: once) to v. */
static void add_saved(struct gen *g, int v, int which, int scale)
{
	int frame = ir_frame(g->ir, 8), none = ir_label(g->ir), to = ir_reg(g->ir),
	    from = ir_reg(g->ir), r = ir_reg(g->ir);

	ir_jcci(g->ir, BPF_JEQ, which, 0, none);
	ir_mov(g->ir, from, g->ctx);
	ir_alu(g->ir, BPF_ADD, from, which);
	ir_alui(g->ir, BPF_SUB, from, 1);
	ir_frame_addr(g->ir, to, frame, 0);
	ir_frame_sti(g->ir, 8, frame, 0, 0);
	ir_callv(g->ir, BPF_FUNC_probe_read_kernel, to, gen_imm(g, 8), from);
	ir_frame_ld(g->ir, 8, r, frame, 0);
	if (scale >= 0)
		ir_alu(g->ir, BPF_MUL, r, scale);
	ir_alu(g->ir, BPF_ADD, v, r);
	ir_place(g->ir, none);
	ir_frame_free(g->ir, frame);
}

static int late_word(struct gen *g, int n, size_t member, int size)
{
	int r = ir_reg(g->ir);

	ir_ld(g->ir, size, r, g->late_row,
	      g->sh->late_row_size - (LATE_ARGS - n) * sizeof(struct late_arg) + member);
	return r;
}

static void fetch_late(struct gen *g, int v, int size)
{
	enum { WIDEST = 16 };
	int frame = ir_frame(g->ir, WIDEST), itself = ir_label(g->ir), to = ir_reg(g->ir);

	ir_jcci(g->ir, BPF_JEQ, size, 0, itself);
	ir_alui(g->ir, BPF_AND, size, WIDEST - 1);
	ir_frame_sti(g->ir, 8, frame, 0, 0);
	ir_frame_sti(g->ir, 8, frame, 8, 0);
	ir_frame_addr(g->ir, to, frame, 0);
	gen_fetch(g, TF_USERLAND, to, size, v);
	ir_frame_ld(g->ir, 8, v, frame, 0);
	ir_place(g->ir, itself);
	ir_frame_free(g->ir, frame);
}

int gen_late_arg(struct gen *g, int n)
{
	int v = late_word(g, n, offsetof(struct late_arg, value), 8), cut,
	    positive = ir_label(g->ir), done = ir_label(g->ir);

	gen_fault_if(g, BPF_JNE, late_word(g, n, offsetof(struct late_arg, lacks), 1), 0,
		     FAULT_ILLOP, -1, n);
	add_saved(g, v, late_word(g, n, offsetof(struct late_arg, reg), 2), -1);
	add_saved(g, v, late_word(g, n, offsetof(struct late_arg, index), 2),
		  late_word(g, n, offsetof(struct late_arg, scale), 4));
	fetch_late(g, v, late_word(g, n, offsetof(struct late_arg, memory), 4));
	ir_alu(g->ir, BPF_RSH, v, late_word(g, n, offsetof(struct late_arg, shift), 1));
	cut = late_word(g, n, offsetof(struct late_arg, cut), 1);
	ir_alu(g->ir, BPF_LSH, v, cut);
	ir_jcci(g->ir, BPF_JEQ, late_word(g, n, offsetof(struct late_arg, is_signed), 1), 0,
		positive);
	ir_alu(g->ir, BPF_ARSH, v, cut);
	ir_jmp(g->ir, done);
	ir_place(g->ir, positive);
	ir_alu(g->ir, BPF_RSH, v, cut);
	ir_place(g->ir, done);
	return v;
}

int gen_peek_kernel(struct gen *g, int addr, int off, int size)
{
	return read_mem(g, addr, off, size, 0, false);
}

/* Places ------------------------------------------------------------------ */

static int take_bits(struct gen *g, int v, const struct place *p)
{
	int left = 64 - p->bit_off - p->bits;

	if (left)
		ir_alui(g->ir, BPF_LSH, v, left);
	ir_alui(g->ir, type_is_signed(p->type) ? BPF_ARSH : BPF_RSH, v, 64 - p->bits);
	return v;
}

/* A bit-field that no unit of its type's size holds: byte by byte. */
static int load_crossing(struct gen *g, const struct place *p)
{
	struct place byte = *p;
	int v = gen_imm(g, 0), b;

	byte.type = type_int(g->sh->types, 1, false);
	byte.bits = 0;
	for (int shift = -(int)p->bit_off; shift < (int)p->bits; shift += 8, byte.off++) {
		b = gen_load(g, &byte);
		ir_alui(g->ir, shift < 0 ? BPF_RSH : BPF_LSH, b, shift < 0 ? -shift : shift);
		ir_alu(g->ir, BPF_OR, v, b);
	}
	if (p->bits < 64)
		ir_alui(g->ir, BPF_LSH, v, 64 - p->bits);
	ir_alui(g->ir, type_is_signed(p->type) ? BPF_ARSH : BPF_RSH, v, 64 - p->bits);
	return v;
}

int gen_load(struct gen *g, const struct place *p)
{
	uint64_t size = type_size(g->sh->types, p->type);
	int v;

	if (p->bit_off + p->bits > size * 8)
		return load_crossing(g, p);
	if (p->kind == PLACE_NONE)
		return gen_imm(g, 0);
	if (p->kind == PLACE_REG)
		return gen_copy(g, p->reg);
	if (p->kind == PLACE_ADDR) {
		v = read_mem(g, p->reg, p->off, size, p->space, true);
	} else {
		v = ir_reg(g->ir);
		ir_ld(g->ir, size, v, p->reg, p->off);
	}
	if (p->bits)
		return take_bits(g, v, p);
	if (type_is_signed(p->type) && size < 8)
		ir_sext(g->ir, v, size * 8);
	return v;
}

/* value's bits put among the others of the unit that is there. */
static int merge_bits(struct gen *g, const struct place *p, int value)
{
	struct place whole = *p;
	uint64_t mask = (p->bits == 64 ? ~0ull : (1ull << p->bits) - 1) << p->bit_off;
	int old, v = gen_copy(g, value), m;

	whole.bits = 0;
	whole.type = type_int(g->sh->types, type_size(g->sh->types, p->type), false);
	old = gen_load(g, &whole);
	ir_alui(g->ir, BPF_LSH, v, p->bit_off);
	m = gen_imm(g, mask);
	ir_alu(g->ir, BPF_AND, v, m);
	m = gen_imm(g, ~mask);
	ir_alu(g->ir, BPF_AND, old, m);
	ir_alu(g->ir, BPF_OR, old, v);
	return old;
}

struct place gen_scratch_place(struct gen *g, const struct place *p, uint32_t size)
{
	struct place to = {.kind = PLACE_MEM, .type = p->type};
	int at = gen_copy(g, p->reg);

	if (p->off)
		ir_alui(g->ir, BPF_ADD, at, p->off);
	to.reg = gen_scratch_ptr(g, at, -1, size);
	return to;
}

void gen_store(struct gen *g, const struct place *p, int value)
{
	uint64_t size = type_size(g->sh->types, p->type);

	if (p->kind == PLACE_REG) {
		ir_mov(g->ir, p->reg, value);
		return;
	}
	if (p->bits)
		value = merge_bits(g, p, value);
	if (p->kind == PLACE_MEM)
		ir_st(g->ir, size, p->reg, p->off, value);
	else if (p->kind == PLACE_ADDR)
		ir_st(g->ir, size, gen_scratch_place(g, p, size).reg, 0, value);
}

static struct place element_place(struct gen *g, struct node *n)
{
	const struct type *at = type_base(n->a->type);
	uint64_t size = type_size(g->sh->types, n->type);
	struct place p = {.type = n->type};
	int i;

	/* in D's own memory: bounds are ours to check */
	if (at->kind == T_ARRAY && (gen_is_variable(n->a) || sema_is_of_stack(n->a))) {
		p = gen_place(g, n->a);
		p.type = n->type;
		i = gen_expr(g, n->b);
		gen_fault_if(g, BPF_JGE, i, at->nelem, FAULT_BADINDEX, i, 0);
		if (p.kind == PLACE_MEM) {
			int ptr = gen_copy(g, p.reg), scaled = gen_copy(g, i);

			gen_bounded(g, scaled, at->nelem - 1);
			ir_alui(g->ir, BPF_MUL, scaled, size);
			ir_alu(g->ir, BPF_ADD, ptr, scaled);
			p.reg = ptr;
		}
		return p;
	}
	p.kind = PLACE_ADDR;
	p.space = sema_space(n);
	if (at->kind == T_ARRAY)
		p.reg = gen_copy(g, gen_addr_of(g, n->a));
	else if (type_is_string(at))
		p.reg = gen_copy(g, gen_str_address(g, n->a));
	else
		p.reg = gen_copy(g, gen_expr(g, n->a));
	if (n->b->kind == N_INT) {
		p.off = n->b->value * size;
		if (p.off == (int32_t)p.off)
			return p;
		p.off = 0;
	}
	i = gen_copy(g, gen_expr(g, n->b));
	ir_alui(g->ir, BPF_MUL, i, size);
	ir_alu(g->ir, BPF_ADD, p.reg, i);
	return p;
}

static struct place member_place(struct gen *g, struct node *n)
{
	struct place p;

	if (type_base(n->a->type)->kind == T_STACK) {
		struct block b = gen_block(g, n->a);

		p = (struct place){.kind = PLACE_MEM, .reg = b.ptr, .off = b.off};
	} else if (n->op == OP_ARROW) {
		p = (struct place){
		    .kind = PLACE_ADDR, .reg = gen_expr(g, n->a), .space = sema_space(n)};
	} else {
		p = gen_place(g, n->a);
	}
	p.type = n->type;
	p.off += n->aux;
	if (n->flags & NF_BITFIELD) {
		p.bit_off = (uint32_t)n->aux2;
		p.bits = n->aux2 >> 32;
	}
	return p;
}

/* Where this CPU's own is: its offset is added. */
static int percpu_address(struct gen *g, struct node *n)
{
	static const char key[] = "per-CPU offset";
	int at = gen_imm(g, n->aux), off = gen_memo_find(g, key, 0);

	if (!n->aux2)
		return at;
	if (off < 0) {
		int table = gen_copy(g, gen_cpu(g));

		ir_alui(g->ir, BPF_LSH, table, 3);
		ir_alu(g->ir, BPF_ADD, table, gen_imm(g, n->aux2));
		off = gen_read_kernel(g, table, 0, 8, false);
		gen_memo_add(g, key, 0, off);
	}
	ir_alu(g->ir, BPF_ADD, at, off);
	return at;
}

static struct place kernel_place(struct gen *g, struct node *n)
{
	return (struct place){.kind = PLACE_ADDR,
			      .reg =
				  n->flags & NF_PERCPU ? percpu_address(g, n) : gen_imm(g, n->aux),
			      .type = n->type};
}

struct place gen_place(struct gen *g, struct node *n)
{
	int saved = g->site;
	struct place p;

	n = gen_chosen(g, n);
	if (n->site)
		g->site = n->site;
	if (n->kind == N_IDENT && n->sym)
		p = gen_var_place(g, n->sym);
	else if (n->kind == N_IDENT && n->scope == SCOPE_KERNEL)
		p = kernel_place(g, n);
	else if (n->kind == N_INDEX && n->sym)
		p = gen_assoc_place(g, n);
	else if (n->kind == N_INDEX)
		p = element_place(g, n);
	else if (n->kind == N_MEMBER)
		p = member_place(g, n);
	else if (n->kind == N_UNARY && n->op == OP_DEREF)
		p = (struct place){.kind = PLACE_ADDR,
				   .reg = type_is_string(n->a->type) ? gen_str_address(g, n->a)
								     : gen_expr(g, n->a),
				   .type = n->type,
				   .space = sema_space(n)};
	else /* a struct that some builtin gave by its address */
		p = (struct place){.kind = PLACE_ADDR, .reg = gen_expr(g, n), .type = n->type};
	g->site = saved;
	return p;
}

/* Is it a variable of D, or a part of one? */
bool gen_is_variable(const struct node *n)
{
	if (n->kind == N_MEMBER && n->op == OP_DOT)
		return gen_is_variable(n->a);
	if (n->kind == N_INDEX && !n->sym && !n->ref)
		return type_base(n->a->type)->kind == T_ARRAY && gen_is_variable(n->a);
	return (n->kind == N_IDENT || n->kind == N_INDEX) && n->sym;
}

int gen_addr_of(struct gen *g, struct node *n)
{
	struct place p;
	int r;

	if (n->kind == N_IDENT && n->ref)
		return gen_expr(g, n);
	if (n->kind == N_INDEX && n->ref)
		return gen_expr(g, n);
	p = gen_place(g, n);
	if (p.kind == PLACE_NONE || p.kind == PLACE_REG)
		return gen_imm(g, 0);
	r = gen_copy(g, p.reg);
	if (p.off)
		ir_alui(g->ir, BPF_ADD, r, p.off);
	return p.kind == PLACE_MEM ? gen_address(g, r) : r;
}
