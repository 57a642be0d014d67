/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory by number, and where lvalues are: loading from places and storing into them. */
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

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

	byte.type = type_int(g->cg->types, 1, false);
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
	uint64_t size = type_size(g->cg->types, p->type);
	int v;

	if (p->bit_off + p->bits > size * 8)
		return load_crossing(g, p);
	if (p->kind == PLACE_NONE)
		return gen_imm(g, 0);
	if (p->kind == PLACE_REG)
		return gen_copy(g, p->reg);
	if (p->kind == PLACE_SELF) {
		v = gen_self_get(g, p->off, size);
	} else if (p->kind == PLACE_ADDR) {
		v = gen_read(g, p->reg, p->off, size, p->space, true);
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
	whole.type = type_int(g->cg->types, type_size(g->cg->types, p->type), false);
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
	uint64_t size = type_size(g->cg->types, p->type);

	if (p->kind == PLACE_REG) {
		ir_mov(g->ir, p->reg, value);
		return;
	}
	if (p->bits)
		value = merge_bits(g, p, value);
	if (p->kind == PLACE_MEM)
		ir_st(g->ir, size, p->reg, p->off, value);
	else if (p->kind == PLACE_SELF)
		gen_self_set(g, p->off, size, value);
	else if (p->kind == PLACE_ADDR)
		ir_st(g->ir, size, gen_scratch_place(g, p, size).reg, 0, value);
}

static struct place element_place(struct gen *g, struct node *n)
{
	const struct type *at = type_base(n->a->type);
	uint64_t size = type_size(g->cg->types, n->type);
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
