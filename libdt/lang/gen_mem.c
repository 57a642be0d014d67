/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scratch slot's memory:
 *
 *	a word			for gen_address()
 *	this-> variables	strings and structs
 *	the dynamic area	alloca(), copyin()
 *	statics			what functions keep for the whole firing
 *	temporaries		until the end of a statement
 *	the routines' own	(bpf/rt.h)
 */
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_int.h"

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

int gen_alloca(struct gen *g, int size, uint32_t *max)
{
	int off = ir_reg(g->ir), end;

	gen_slot(g);
	g->want_alloc = true;
	*max = g->dyn_size;
	gen_fault_if(g, BPF_JGT, size, g->dyn_size, FAULT_NOSCRATCH, size, 0);
	ir_mov(g->ir, off, g->alloc_off);
	end = gen_copy(g, off);
	ir_alu(g->ir, BPF_ADD, end, size);
	ir_alui(g->ir, BPF_ADD, end, 7);
	ir_alui(g->ir, BPF_AND, end, -8);
	gen_fault_if(g, BPF_JGT, end, g->dyn_size, FAULT_NOSCRATCH, size, 0);
	ir_mov(g->ir, g->alloc_off, end);
	/* The sum's check says nothing to the verifier about its parts. */
	gen_fault_if(g, BPF_JGT, off, g->dyn_size, FAULT_NOSCRATCH, size, 0);
	ir_alui(g->ir, BPF_ADD, off, g->dyn_base);
	return off;
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

/* The verifier learns that offset and size are each within the area, which is there twice; the sum's check is ours. */
int gen_scratch_ptr(struct gen *g, int addr, int size, uint32_t bytes)
{
	int at = gen_copy(g, addr), off = gen_copy(g, at), ptr;
	int64_t end = (int64_t)g->dyn_base + g->dyn_size;

	g->want_alloc = true;
	ir_alu(g->ir, BPF_SUB, off, gen_slot_address(g));
	gen_fault_if(g, BPF_JLT, off, g->dyn_base, FAULT_BADADDR, at, 0);
	gen_fault_if(g, BPF_JGT, off, end - (size < 0 ? bytes : 0), FAULT_BADADDR, at, 0);
	if (size >= 0) {
		int sum = gen_copy(g, off);

		gen_fault_if(g, BPF_JGT, size, g->dyn_size, FAULT_BADADDR, at, 0);
		ir_alu(g->ir, BPF_ADD, sum, size);
		gen_fault_if(g, BPF_JGT, sum, end, FAULT_BADADDR, at, 0);
	}
	ptr = gen_copy(g, gen_slot(g));
	ir_alu(g->ir, BPF_ADD, ptr, off);
	return ptr;
}
