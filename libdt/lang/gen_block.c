/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: values that no register holds (structs, unions, stacks, arrays that are recorded or a
 * translator's). Such a value is in memory of ours, in memory that a number of D's points to (the
 * kernel's or the user's memory, read with a check that can fault), or nowhere, and then it is
 * all zeroes. A copy puts it where it is needed: a record, a key, a variable. A shorter value
 * (stack(5) in a variable of stack()) is followed by zeroes.
 *
 * What may fault is brought into the slot before a variable is touched: a fault leaves the
 * variable as it was.
 */
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

enum {
	UNROLLED = 128, /* bytes up to which stores are cheaper than a helper call */
	UNROLLED_MAX =
	    1048 /* where the helper is refused: the longest stack and what is beside it */
};

static struct block block_at(int ptr, int64_t off, uint32_t size)
{
	return (struct block){.kind = BLOCK_MEM, .ptr = ptr, .off = off, .size = size};
}

static int address(struct gen *g, int ptr, int64_t off)
{
	int p = gen_copy(g, ptr);

	if (off)
		ir_alui(g->ir, BPF_ADD, p, off);
	return p;
}

static bool wants_helper(const struct gen *g, uint32_t size)
{
	return size > (gen_lacks_reading(g) ? UNROLLED_MAX : UNROLLED);
}

/* The memory is ours and there: no check of the result. */
static void copy_by_helper(struct gen *g, int dst, int64_t off, int size, int src)
{
	ir_callv(g->ir, BPF_FUNC_probe_read_kernel, address(g, dst, off), gen_imm(g, size), src);
}

void gen_zero(struct gen *g, int ptr, int64_t off, uint32_t size)
{
	if (wants_helper(g, size) && off % 8 == 0) {
		copy_by_helper(g, ptr, off, size,
			       gen_literal(g, arena_alloc(g->arena, size), size));
		return;
	}
	for (int step; size; off += step, size -= step) {
		for (step = 8; off % step || (uint32_t)step > size;)
			step /= 2;
		ir_sti(g->ir, step, ptr, off, 0);
	}
}

/* Old kernels want stores into their own stack and keys at whole words; what is of odd size goes
 * by bytes at its end. */
static void copy_words(struct gen *g, const struct block *b, int ptr, int64_t off, uint32_t size)
{
	for (uint32_t at = 0; at < size;) {
		int step = size - at >= 8   ? 8
			   : size - at >= 4 ? 4
			   : size - at >= 2 ? 2
					    : 1,
		    v = ir_reg(g->ir);

		ir_ld(g->ir, step, v, b->ptr, b->off + at);
		ir_st(g->ir, step, ptr, off + at, v);
		at += step;
	}
}

static void read_number(struct gen *g, const struct block *b, int ptr, int64_t off, uint32_t size)
{
	int src = address(g, b->ptr, b->off);

	gen_fetch(g, b->space, address(g, ptr, off), gen_imm(g, size), src);
}

static void copy_block(struct gen *g, const struct block *b, int ptr, int64_t off, uint32_t size)
{
	uint32_t n = b->kind == BLOCK_ZERO ? 0 : MIN(b->size, size);

	if (b->kind == BLOCK_NUMBER)
		read_number(g, b, ptr, off, n);
	else if (wants_helper(g, n))
		copy_by_helper(g, ptr, off, n, address(g, b->ptr, b->off));
	else if (n)
		copy_words(g, b, ptr, off, n);
	if (size > n)
		gen_zero(g, ptr, off + n, size - n);
}

/* ptr + off where ptr is there, else zeroes. */
static struct block there_or_zero(struct gen *g, int ptr, int64_t off, uint32_t size)
{
	int p = ir_reg(g->ir), none = ir_label(g->ir);

	ir_mov(g->ir, p, gen_literal(g, arena_alloc(g->arena, size), size));
	ir_jcci(g->ir, BPF_JEQ, ptr, 0, none);
	ir_mov(g->ir, p, address(g, ptr, off));
	ir_place(g->ir, none);
	return block_at(p, 0, size);
}

static struct block in_temp(struct gen *g, struct node *n, uint32_t size)
{
	uint32_t off = gen_temp(g, size);

	gen_block_into(g, n, gen_slot(g), off, size);
	return block_at(gen_slot(g), off, size);
}

/* A variable that is only read is not made. */
static struct block variable(struct gen *g, struct node *n, uint32_t size)
{
	struct sym *sym = n->sym;
	struct place p;

	if (n->kind == N_INDEX && sym)
		return there_or_zero(g, gen_assoc_lookup(g, n), 0, size);
	if (n->kind == N_IDENT && sym->scope == SCOPE_SELF && g->self_state != 2)
		return there_or_zero(g, gen_self(g), sym->off, size);
	p = gen_place(g, n);
	return block_at(p.reg, p.off, size);
}

struct block gen_block(struct gen *g, struct node *n)
{
	uint32_t size = type_size(g->cg->types, n->type);
	const struct def *def = n->ref;
	struct place p;

	n = gen_chosen(g, n);
	if (n->kind == N_INT)
		return (struct block){.kind = BLOCK_ZERO, .size = size};
	if (n->kind == N_COMMA) {
		gen_effect(g, n->a);
		return gen_block(g, n->b);
	}
	if (n->kind == N_COND)
		return in_temp(g, n, size);
	if (n->kind == N_ASSIGN) {
		gen_block_assign(g, n);
		return gen_block(g, n->a);
	}
	if (gen_is_variable(n))
		return variable(g, n, size);
	if (def && def->gen_block)
		return def->gen_block(g, n);
	if (def) /* a builtin that gives its value's address */
		return (struct block){.kind = BLOCK_NUMBER, .ptr = gen_expr(g, n), .size = size};
	p = gen_place(g, n);
	return (struct block){.kind = p.kind == PLACE_MEM ? BLOCK_MEM : BLOCK_NUMBER,
			      .ptr = p.reg,
			      .off = p.off,
			      .size = size,
			      .space = p.space};
}

static void cond_into(struct gen *g, struct node *n, int ptr, int64_t off, uint32_t size)
{
	int other = ir_label(g->ir), done = ir_label(g->ir);
	struct region r;

	gen_branch(g, n->a, false, other);
	r = gen_enter(g);
	gen_block_into(g, n->b, ptr, off, size);
	gen_leave(g, r);
	ir_jmp(g->ir, done);
	ir_place(g->ir, other);
	r = gen_enter(g);
	gen_block_into(g, n->c, ptr, off, size);
	gen_leave(g, r);
	ir_place(g->ir, done);
}

void gen_block_into(struct gen *g, struct node *n, int ptr, int64_t off, uint32_t size)
{
	int site = g->site;
	struct block b;

	n = gen_chosen(g, n);
	g->site = n->site ? n->site : g->site;
	if (n->kind == N_COND) {
		cond_into(g, n, ptr, off, size);
	} else {
		b = gen_block(g, n);
		copy_block(g, &b, ptr, off, size);
	}
	g->site = site;
}

/* Zero: an element goes, a thread's variable that is not there stays so. */
static bool assign_zero(struct gen *g, struct node *lv, uint32_t size)
{
	int self, done;

	if (lv->kind == N_INDEX && lv->sym) {
		gen_assoc_delete(g, lv);
		return true;
	}
	if (lv->kind != N_IDENT || !lv->sym || lv->sym->scope != SCOPE_SELF)
		return false;
	self = gen_self(g);
	done = ir_label(g->ir);
	if (g->self_state != 2)
		ir_jcci(g->ir, BPF_JEQ, self, 0, done);
	gen_zero(g, self, lv->sym->off, size);
	ir_place(g->ir, done);
	return true;
}

/* A string into an array of char, as a translator's whole struct has them: cut where the array
 * ends, with its NUL. */
static void text_assign(struct gen *g, struct node *n)
{
	uint32_t size = type_size(g->cg->types, n->a->type);
	int src = gen_str_address(g, n->b);
	struct place p = gen_place(g, n->a);

	gen_zero(g, p.reg, p.off, size);
	ir_callv(g->ir, BPF_FUNC_probe_read_kernel_str, address(g, p.reg, p.off), gen_imm(g, size),
		 src);
}

void gen_block_assign(struct gen *g, struct node *n)
{
	uint32_t size = type_size(g->cg->types, n->a->type);
	struct block b;
	struct place p;

	if (type_is_string(n->b->type)) {
		text_assign(g, n);
		return;
	}
	if (n->b->kind == N_INT && assign_zero(g, n->a, size))
		return;
	b = gen_block(g, n->b);
	if (b.kind == BLOCK_NUMBER) {
		uint32_t temp = gen_temp(g, b.size);

		copy_block(g, &b, gen_slot(g), temp, b.size);
		b = block_at(gen_slot(g), temp, b.size);
	}
	p = gen_place(g, n->a);
	if (p.kind == PLACE_ADDR) /* through a pointer */
		p = gen_scratch_place(g, &p, size);
	copy_block(g, &b, p.reg, p.off, size);
}

/* Is there a stack: has it a first frame? */
void gen_block_branch(struct gen *g, struct node *n, bool sense, int label)
{
	struct block b = gen_block(g, n);
	int first = ir_reg(g->ir);

	ir_ld(g->ir, 8, first, b.ptr, b.off);
	ir_jcci(g->ir, sense ? BPF_JNE : BPF_JEQ, first, 0, label);
}
