/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables, and texts in them and in arrays. */
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

/* Nothing needs to know where it is. */
static bool is_word(const struct sym *sym)
{
	return !sym->addressed && type_is_word(sym->type) && type_base(sym->type)->kind != T_ARRAY;
}

static bool is_reg_var(const struct gen *g, const struct sym *sym)
{
	return !g->spill && sym->scope == SCOPE_THIS && is_word(sym);
}

/*
 * Where there are many clauses, words of the thread's variables are read and written by functions
 * that the verifier looks at once. With pointers to them it has two states more in each clause; and
 * since 6.18 it goes through the whole program each time that a function returns a pointer.
 */
static bool is_self_word(const struct gen *g, const struct sym *sym)
{
	return g->calls && !g->self_state && sym->scope == SCOPE_SELF && is_word(sym) &&
	       gen_self_in_tasks(g->cg);
}

int gen_global_addr(struct gen *g, uint32_t off)
{
	int r = ir_reg(g->ir);

	ir_map_mem(g->ir, r, &g->set->maps.globals, off);
	return r;
}

int gen_sink(struct gen *g)
{
	return gen_global_addr(g, g->cg->sink_off);
}

/* The thread's variables, made now if they are not there; the sink when that fails. */
static int self_there(struct gen *g)
{
	int there;

	if (g->self_state == 2)
		return g->self;
	there = ir_label(g->ir);
	if (g->self_state)
		ir_jcci(g->ir, BPF_JNE, g->self, 0, there);
	ir_mov(g->ir, g->self, gen_self_lookup(g, true));
	ir_jcci(g->ir, BPF_JNE, g->self, 0, there);
	gen_drop(g, DROP_DYNAMIC);
	ir_mov(g->ir, g->self, gen_sink(g));
	ir_place(g->ir, there);
	g->self_state = 2;
	return g->self;
}

static int this_reg(struct gen *g, struct sym *sym)
{
	return g->this_regs[sym->index];
}

struct place gen_var_place(struct gen *g, struct sym *sym)
{
	struct place p = {.kind = PLACE_MEM, .type = sym->type};

	if (is_reg_var(g, sym)) {
		p.kind = PLACE_REG;
		p.reg = this_reg(g, sym);
	} else if (sym->scope == SCOPE_THIS) {
		p.reg = gen_slot(g);
		p.off = g->this_base + sym->off;
	} else if (sym->scope == SCOPE_GLOBAL) {
		p.reg = gen_global_addr(g, sym->off);
	} else if (is_self_word(g, sym)) {
		p.kind = PLACE_SELF;
		p.off = sym->off;
	} else {
		g->want_self = true;
		p.reg = self_there(g);
		p.off = sym->off;
	}
	return p;
}

int gen_var_load(struct gen *g, struct sym *sym)
{
	struct place p;
	int self, r, none;

	if (type_base(sym->type)->kind == T_ARRAY || type_is_sou(sym->type)) {
		p = gen_var_place(g, sym);
		r = gen_copy(g, p.reg);
		ir_alui(g->ir, BPF_ADD, r, p.off);
		return gen_address(g, r);
	}
	if (sym->scope != SCOPE_SELF || g->self_state == 2 || is_self_word(g, sym)) {
		p = gen_var_place(g, sym);
		return gen_load(g, &p);
	}
	self = gen_self(g);
	r = gen_imm(g, 0);
	none = ir_label(g->ir);
	ir_jcci(g->ir, BPF_JEQ, self, 0, none);
	p = (struct place){.kind = PLACE_MEM, .reg = self, .off = sym->off, .type = sym->type};
	ir_mov(g->ir, r, gen_load(g, &p));
	ir_place(g->ir, none);
	return r;
}

bool gen_is_zero(const struct node *n)
{
	return n->kind == N_INT && n->value == 0;
}

int gen_self_store(struct gen *g, struct sym *sym, struct node *value)
{
	struct place p;
	int v, skip = -1, state = 0;

	v = gen_expr(g, value);
	if (gen_is_zero(value) && g->self_state != 2 &&
	    !is_self_word(g, sym)) { /* what is not there is zero already */
		skip = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JEQ, gen_self(g), 0, skip);
		state = g->self_state;
		g->self_state = 2;
	}
	p = gen_var_place(g, sym);
	gen_store(g, &p, v);
	if (skip >= 0) {
		ir_place(g->ir, skip);
		g->self_state = state;
	}
	return v;
}

/* Strings ----------------------------------------------------------------- */

static struct str text_at(struct gen *g, int ptr, int off)
{
	return (struct str){.ptr = ptr, .off = off, .bound = g->cg->strsize, .slot_off = -1};
}

/* ptr + off when ptr is there, else NULL's text. */
static struct str text_or_null(struct gen *g, int ptr, int off)
{
	int p = ir_reg(g->ir), none = ir_label(g->ir);

	ir_mov(g->ir, p, gen_zeroes(g));
	ir_jcci(g->ir, BPF_JEQ, ptr, 0, none);
	ir_mov(g->ir, p, ptr);
	if (off)
		ir_alui(g->ir, BPF_ADD, p, off);
	ir_place(g->ir, none);
	return text_at(g, p, 0);
}

struct str gen_var_str(struct gen *g, struct node *n)
{
	struct sym *sym = n->sym;
	struct place p;
	struct str s;

	if (n->kind == N_INDEX && sym)
		return text_or_null(g, gen_assoc_lookup(g, n), 0);
	if (sym && sym->scope == SCOPE_SELF && g->self_state != 2)
		return text_or_null(g, gen_self(g), sym->off);
	p = gen_place(g, n);
	s = text_at(g, p.reg, p.off);
	if (sym && sym->scope == SCOPE_THIS)
		s.slot_off = p.off;
	return s;
}

/* Assigning NULL: an element goes, a thread's variable that is not there stays so. */
static bool assign_null(struct gen *g, struct node *lv)
{
	struct sym *sym = lv->sym;
	int self, done;

	if (lv->kind == N_INDEX && sym) {
		gen_assoc_delete(g, lv);
		return true;
	}
	if (lv->kind != N_IDENT || !sym || sym->scope != SCOPE_SELF)
		return false;
	self = gen_self(g);
	done = ir_label(g->ir);
	if (g->self_state != 2)
		ir_jcci(g->ir, BPF_JEQ, self, 0, done);
	ir_sti(g->ir, 8, self, sym->off, 0);
	ir_place(g->ir, done);
	return true;
}

/* The text is made first and stored last: it may be made of the variable itself, and a fault must
 * leave that as it was. Only builtin variables go straight in: they read nothing and do not
 * fault. */
void gen_str_assign(struct gen *g, struct node *n)
{
	struct node *lv = n->a;
	bool direct = n->b->kind == N_IDENT && n->b->ref,
	     this_var = lv->sym && lv->sym->scope == SCOPE_THIS;
	struct str s = {0};
	struct place p;
	struct str_dest d;

	if (n->b->kind == N_INT && assign_null(g, lv))
		return;
	if (!direct)
		s = gen_str(g, n->b);
	if (gen_is_variable(n->b)) { /* x = x, a[k] = a[j] */
		d = gen_temp_str(g);
		gen_str_copy(g, &s, &d);
		s = (struct str){
		    .ptr = d.ptr, .off = d.off, .bound = d.bound, .slot_off = d.slot_off};
	}
	p = gen_place(g, lv);
	if (p.kind == PLACE_ADDR) /* through a pointer */
		p = gen_scratch_place(g, &p, type_size(g->cg->types, lv->type));
	d = (struct str_dest){p.reg, p.off, g->sema->strsize, true,
			      .slot_off = this_var ? p.off : -1};
	if (direct)
		gen_str_into(g, n->b, &d);
	else
		gen_str_copy(g, &s, &d);
}
