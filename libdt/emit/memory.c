/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scratch slot's memory:
 *
 *	a word			for gen_address()
 *	this-> variables	strings and structs
 *	a word that nothing uses, so that reads in front of the dynamic area fault
 *	the dynamic area	alloca(), copyin()
 *	statics			what functions keep for the whole firing
 *	temporaries		until the end of a statement
 *	the routines' own	(bpf/rt.h)
 */
#include "libdt/emit/emit.h"

int gen_slot(struct gen *g)
{
	g->want_slot = true;
	return g->slot;
}

int gen_slot_no(struct gen *g)
{
	g->want_slot = true;
	return g->slot_no;
}

uint32_t gen_temp(struct gen *g, uint32_t size)
{
	uint32_t off = ALIGN_UP(g->temp_top, 8);

	g->want_slot = true;
	g->temp_top = off + ALIGN_UP(size, 8);
	g->temp_max = MAX(g->temp_max, g->temp_top);
	return off;
}

int gen_frame(struct gen *g, int size)
{
	int f = ir_frame(g->ir, size);

	vec_push(&g->frames, f);
	return f;
}

/* A verifier pointer goes through memory of our own and comes back as a number. */
int gen_address(struct gen *g, int ptr)
{
	int r = ir_reg(g->ir);

	ir_st(g->ir, 8, gen_slot(g), 0, ptr);
	ir_ld(g->ir, 8, r, g->slot, 0);
	return r;
}

int gen_slot_address(struct gen *g)
{
	static const char key[] = "slot address";
	int r = gen_memo_find(g, key, 0);

	if (r < 0) {
		r = gen_address(g, gen_slot(g));
		gen_memo_add(g, key, 0, r);
	}
	return r;
}

/* Each allocation is made once in a firing: those of constant size add up to space that always
 * suffices. */
static void note_size(struct gen *g, const struct node *size)
{
	if (size->kind != N_INT)
		g->want_slack = true;
	else if (size->value <= DYN_MAX - g->dyn_fixed)
		g->dyn_fixed += ALIGN_UP(size->value, 8);
}

/* The last word, the first that is not the caller's in it, is cleared: what is copied into it is
 * text that ends. */
static void end_text(struct gen *g, int end)
{
	int last = gen_copy(g, end);

	ir_alu(g->ir, BPF_ADD, last, gen_slot(g));
	ir_sti(g->ir, 8, last, (int)g->dyn_base - 8, 0);
}

static int allocate(struct gen *g, const struct node *size_arg, int size, bool text)
{
	int off = ir_reg(g->ir), end;

	gen_slot(g);
	g->want_alloc = true;
	note_size(g, size_arg);
	if (text)
		g->dyn_fixed += 8; /* the NUL is no part of what the script asks for */
	gen_fault_if(g, BPF_JGT, size, g->dyn_size, FAULT_NOSCRATCH, size, 0);
	ir_mov(g->ir, off, g->alloc_off);
	end = gen_copy(g, off);
	ir_alu(g->ir, BPF_ADD, end, size);
	ir_alui(g->ir, BPF_ADD, end, text ? 8 : 7);
	ir_alui(g->ir, BPF_AND, end, -8);
	gen_fault_if(g, BPF_JGT, end, g->dyn_size, FAULT_NOSCRATCH, size, 0);
	ir_mov(g->ir, g->alloc_off, end);
	/* The sum's check says nothing to the verifier about its parts. */
	if (size_arg->kind != N_INT)
		gen_fault_if(g, BPF_JGT, off, g->dyn_size, FAULT_NOSCRATCH, size, 0);
	else if (size_arg->value <= g->dyn_size)
		gen_fault_if(g, BPF_JGT, off, g->dyn_size - size_arg->value, FAULT_NOSCRATCH, size,
			     0);
	ir_alui(g->ir, BPF_ADD, off, g->dyn_base);
	if (text)
		end_text(g, end);
	return off;
}

int gen_alloca(struct gen *g, const struct node *size_arg, int size)
{
	return allocate(g, size_arg, size, false);
}

int gen_alloca_text(struct gen *g, const struct node *size_arg, int size)
{
	return allocate(g, size_arg, size, true);
}

/* Where it is is known in the second pass; the first one collects. */
uint32_t gen_static(struct gen *g, const void *key, uint32_t size)
{
	struct slot_static s = {key, g->static_size};

	gen_slot(g);
	for (int i = 0; i < g->statics.n; i++)
		if (g->statics.v[i].key == key)
			return g->static_base + g->statics.v[i].off;
	vec_push(&g->statics, s);
	g->static_size += ALIGN_UP(MAX(size, 16), 8);
	return g->static_base + s.off;
}

void gen_mem_begin(struct gen *g)
{
	if (g->want_alloc) {
		g->alloc_off = ir_reg(g->ir);
		ir_movi(g->ir, g->alloc_off, 0);
	}
	for (int i = 0; i < g->statics.n; i++) {
		ir_sti(g->ir, 8, g->slot, g->static_base + g->statics.v[i].off, 0);
		ir_sti(g->ir, 8, g->slot, g->static_base + g->statics.v[i].off + 8, 0);
	}
}

struct memory {
	int ptr, number;    /* the verifier's pointer to it, and the same as a number */
	int64_t first, end; /* offsets */
	bool
	    /* its end is the dynamic area's, of which only what this firing has allocated so far
	     * is the script's */
	    dynamic;
};

/*
 * The verifier is content with the area's end, which is checked too; this check is the script's.
 * Numbers are added to constants, not constants to copies of numbers: 6.12 ties such a copy to
 * what it is of, and after the comparison forgets the bounds of both.
 */
static void check_allocated(struct gen *g, int off, int bytes, int beyond)
{
	int end = gen_copy(g, bytes), top = gen_imm(g, g->dyn_base);

	ir_alu(g->ir, BPF_ADD, end, off);
	ir_alu(g->ir, BPF_ADD, top, g->alloc_off);
	ir_jcc(g->ir, BPF_JGT, end, top, beyond);
}

/* Where at is the address of bytes in that memory, to becomes a pointer there, and found is gone
 * to. */
static void try_memory(struct gen *g, int at, uint32_t bytes, const struct memory *m, int to,
		       int found)
{
	int off = gen_copy(g, at), next = ir_label(g->ir);

	if (m->end - bytes < m->first)
		return;
	ir_alu(g->ir, BPF_SUB, off, m->number);
	if (m->first)
		ir_jcci(g->ir, BPF_JLT, off, m->first, next);
	ir_jcci(g->ir, BPF_JGT, off, m->end - bytes, next);
	if (m->dynamic)
		check_allocated(g, off, gen_imm(g, bytes), next);
	ir_mov(g->ir, to, m->ptr);
	ir_alu(g->ir, BPF_ADD, to, off);
	ir_jmp(g->ir, found);
	ir_place(g->ir, next);
}

/* The firing's own: its variables, when the address of some is taken, and after them the dynamic
 * area. */
static struct memory slot_memory(struct gen *g)
{
	return (struct memory){gen_slot(g), gen_slot_address(g),
			       g->cg->storage->addressed[SCOPE_THIS] ? g->this_base : g->dyn_base,
			       (int64_t)g->dyn_base + (g->want_alloc ? g->dyn_size : 0),
			       g->want_alloc};
}

static struct memory globals_memory(struct gen *g)
{
	static const char key[] = "globals' address";
	int ptr = ir_reg(g->ir), number = gen_memo_find(g, key, 0);

	ir_map_mem(g->ir, ptr, &g->set->maps.globals, 0);
	if (number < 0) {
		number = gen_address(g, ptr);
		gen_memo_add(g, key, 0, number);
	}
	return (struct memory){ptr, number, 0, g->cg->storage->globals_size, false};
}

/* What a pointer of D's may point to where it is written: bytes of the firing's memory, or of
 * variables whose address is taken. */
static int writable(struct gen *g, int at, uint32_t bytes)
{
	const struct var_storage *ss = g->cg->storage;
	int to = ir_reg(g->ir), found = ir_label(g->ir), none = ir_label(g->ir);
	struct memory slot = slot_memory(g), globals, self;

	if (ss->addressed[SCOPE_GLOBAL])
		globals = globals_memory(g);
	try_memory(g, at, bytes, &slot, to, found);
	if (ss->addressed[SCOPE_GLOBAL])
		try_memory(g, at, bytes, &globals, to, found);
	if (ss->addressed[SCOPE_SELF]) {
		g->want_self = true;
		ir_jcci(g->ir, BPF_JEQ, g->self, 0, none);
		self = (struct memory){g->self, gen_address(g, g->self), 0, ss->self_size, false};
		try_memory(g, at, bytes, &self, to, found);
		ir_place(g->ir, none);
	}
	gen_fault_here(g, FAULT_BADADDR, at);
	ir_place(g->ir, found);
	return to;
}

/*
 * A read that touches the dynamic area stays within what this firing has allocated: what is above
 * is free, or another firing's. The rest of the slot may be read: strings have addresses.
 */
void gen_check_read(struct gen *g, int addr, int size)
{
	int off, passed, beyond;

	if (!g->want_alloc)
		return;
	off = gen_copy(g, addr);
	passed = ir_label(g->ir);
	beyond = ir_label(g->ir);
	ir_alu(g->ir, BPF_SUB, off, gen_slot_address(g));
	ir_alui(g->ir, BPF_SUB, off, g->dyn_base - DYN_GUARD);
	ir_jcci(g->ir, BPF_JGE, off, DYN_GUARD + g->dyn_size, passed);
	ir_jcci(g->ir, BPF_JLT, off, DYN_GUARD, beyond);
	ir_alu(g->ir, BPF_ADD, off, size);
	ir_alui(g->ir, BPF_SUB, off, DYN_GUARD);
	ir_jcc(g->ir, BPF_JLE, off, g->alloc_off, passed);
	ir_place(g->ir, beyond);
	gen_fault_here(g, FAULT_BADADDR, addr);
	ir_place(g->ir, passed);
}

/* Of varying size, into the dynamic area only: the verifier learns that offset and size are each
 * within it, and it is there twice then; that of the sum is ours. */
int gen_scratch_ptr(struct gen *g, int addr, int size, uint32_t bytes)
{
	int at = gen_copy(g, addr), off = gen_copy(g, at), beyond = ir_label(g->ir),
	    ok = ir_label(g->ir), ptr;

	if (size < 0)
		return writable(g, at, bytes);
	g->want_alloc = g->want_slack = true;
	ir_alu(g->ir, BPF_SUB, off, gen_slot_address(g));
	gen_fault_if(g, BPF_JLT, off, g->dyn_base, FAULT_BADADDR, at, 0);
	gen_fault_if(g, BPF_JGT, off, (int64_t)g->dyn_base + g->dyn_size, FAULT_BADADDR, at, 0);
	gen_fault_if(g, BPF_JGT, size, g->dyn_size, FAULT_BADSIZE, size, 0);
	check_allocated(g, off, size, beyond);
	ir_jmp(g->ir, ok);
	ir_place(g->ir, beyond);
	gen_fault_here(g, FAULT_BADADDR, at);
	ir_place(g->ir, ok);
	ptr = gen_copy(g, gen_slot(g));
	ir_alu(g->ir, BPF_ADD, ptr, off);
	return ptr;
}

/* The lowest free bit of this CPU's busy word becomes ours. Interrupts nest and, on new kernels,
 * tasks preempt each other in the middle of programs, so it is claimed atomically where the
 * kernel can; where it cannot, programs only nest, and an interrupting program has restored the
 * word before we go on. */
void gen_slot_claim(struct gen *g, int part, int busy_out)
{
	struct ir *ir = g->ir;
	bool atomic = feat(g->cg->feats, FEAT_ATOMIC_FETCH);
	int old = ir_reg(ir), got = ir_label(ir), idx, key, frame, m;

	g->slot_bit = ir_reg(ir);
	for (int try = 0; try < (atomic ? 3 : 1); try++) {
		int again = ir_label(ir), next = ir_reg(ir);

		ir_ld(ir, 8, old, part, offsetof(struct ctl_cpu, busy));
		if (g->cg->locks && feat(g->cg->feats, FEAT_SLEEPABLE_UPROBE)) {
			ir_ld(ir, 8, next, part, offsetof(struct ctl_cpu, asleep));
			ir_alu(ir, BPF_OR, old, next);
		}
		ir_mov(ir, next, old);
		ir_alui(ir, BPF_ADD, next, 1);
		ir_mov(ir, g->slot_bit, old);
		ir_alui(ir, BPF_XOR, g->slot_bit, -1);
		ir_alu(ir, BPF_AND, g->slot_bit, next);
		ir_jcci(ir, BPF_JGE, g->slot_bit, 1 << SCRATCH_SLOTS, busy_out);
		if (!atomic) {
			ir_alu(ir, BPF_OR, old, g->slot_bit);
			ir_st(ir, 8, part, offsetof(struct ctl_cpu, busy), old);
			ir_jmp(ir, got);
			continue;
		}
		ir_mov(ir, old, g->slot_bit);
		ir_atomic(ir, BPF_OR | BPF_FETCH, 8, part, offsetof(struct ctl_cpu, busy), old);
		ir_alu(ir, BPF_AND, old, g->slot_bit);
		ir_jcci(ir, BPF_JEQ, old, 0, got);
		ir_place(ir, again);
	}
	if (atomic)
		ir_jmp(ir, busy_out);
	ir_place(ir, got);
	/* one bit of eight to a number below eight, by a de Bruijn sequence */
	idx = gen_copy(g, g->slot_bit);
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
	ir_map(ir, m, &g->set->maps.scratch);
	g->slot = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_frame_free(ir, frame);
}

void gen_slot_release(struct gen *g, int part)
{
	int v = gen_copy(g, g->slot_bit);

	if (feat(g->cg->feats, FEAT_ATOMIC_FETCH)) {
		ir_alui(g->ir, BPF_XOR, v, -1);
		ir_atomic(g->ir, BPF_AND, 8, part, offsetof(struct ctl_cpu, busy), v);
	} else {
		int old = ir_reg(g->ir);

		ir_ld(g->ir, 8, old, part, offsetof(struct ctl_cpu, busy));
		ir_alu(g->ir, BPF_XOR, old, v);
		ir_st(g->ir, 8, part, offsetof(struct ctl_cpu, busy), old);
	}
}
