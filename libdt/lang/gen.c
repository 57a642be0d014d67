/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: one short function for each kind of node that semantic analysis leaves. */
#include "libdt/lang/gen.h"

#include <string.h>

#include "libdt/lang/gen_parts.h"

/* Operators --------------------------------------------------------------- */

/* x = |x|, and returns the sign as 0 or -1. */
static int absolute(struct gen *g, int x)
{
	int sign = gen_copy(g, x);

	ir_alui(g->ir, BPF_ARSH, sign, 63);
	ir_alu(g->ir, BPF_XOR, x, sign);
	ir_alu(g->ir, BPF_SUB, x, sign);
	return sign;
}

static void divide(struct gen *g, enum op op, bool is_signed, int a, int b)
{
	int sa, sb, d;

	gen_fault_if(g, BPF_JEQ, b, 0, FAULT_DIVZERO, -1, 0);
	if (!is_signed) {
		ir_alu(g->ir, op == OP_DIV ? BPF_DIV : BPF_MOD, a, b);
		return;
	}
	d = gen_copy(g, b);
	sa = absolute(g, a);
	sb = absolute(g, d);
	ir_alu(g->ir, op == OP_DIV ? BPF_DIV : BPF_MOD, a, d);
	if (op == OP_DIV)
		ir_alu(g->ir, BPF_XOR, sa, sb);
	ir_alu(g->ir, BPF_XOR, a, sa);
	ir_alu(g->ir, BPF_SUB, a, sa);
}

/* Division by a constant: no check, and signs only of the dividend. */
static bool divide_const(struct gen *g, enum op op, bool is_signed, int a, const struct node *b)
{
	int sa;

	if ((op != OP_DIV && op != OP_MOD) || b->kind != N_INT || (int64_t)b->value <= 0 ||
	    b->value > INT32_MAX)
		return false;
	if (!is_signed) {
		ir_alui(g->ir, op == OP_DIV ? BPF_DIV : BPF_MOD, a, b->value);
		return true;
	}
	sa = absolute(g, a);
	ir_alui(g->ir, op == OP_DIV ? BPF_DIV : BPF_MOD, a, b->value);
	ir_alu(g->ir, BPF_XOR, a, sa);
	ir_alu(g->ir, BPF_SUB, a, sa);
	return true;
}

static int alu_of(enum op op, bool is_signed)
{
	switch (op) {
	case OP_ADD:
		return BPF_ADD;
	case OP_SUB:
		return BPF_SUB;
	case OP_MUL:
		return BPF_MUL;
	case OP_AND:
		return BPF_AND;
	case OP_OR:
		return BPF_OR;
	case OP_XOR:
		return BPF_XOR;
	case OP_SHL:
		return BPF_LSH;
	default:
		return is_signed ? BPF_ARSH : BPF_RSH;
	}
}

/* a = a op b in a type; a is a register of its own. */
static void apply(struct gen *g, enum op op, const struct type *t, int a, struct node *b)
{
	bool is_signed = type_is_signed(t);

	if (divide_const(g, op, is_signed, a, b))
		goto fit;
	if (op == OP_DIV || op == OP_MOD) {
		divide(g, op, is_signed, a, gen_expr(g, b));
	} else if (b->kind == N_INT && (int64_t)b->value == (int32_t)b->value) {
		int64_t imm = b->value;

		if (op == OP_SHL || op == OP_SHR)
			imm &= 63;
		ir_alui(g->ir, alu_of(op, is_signed), a, imm);
	} else {
		ir_alu(g->ir, alu_of(op, is_signed), a, gen_expr(g, b));
	}
fit:
	if (op != OP_AND && op != OP_OR && op != OP_XOR && op != OP_SHR && op != OP_MOD)
		gen_fit(g, a, t);
}

static int truth(struct gen *g, struct node *n)
{
	int r = gen_imm(g, 0), done = ir_label(g->ir);

	gen_branch(g, n, false, done);
	ir_movi(g->ir, r, 1);
	ir_place(g->ir, done);
	return r;
}

static int expr_binary(struct gen *g, struct node *n)
{
	int a;

	if (op_is_truth(n->op))
		return truth(g, n);
	a = gen_copy(g, gen_expr(g, n->a));
	apply(g, n->op, n->type, a, n->b);
	return a;
}

/* ++ and -- where the value is unused, and += -= of such: one atomic addition in memory. */
static bool add_in_place(struct gen *g, struct node *n, const struct place *p, int amount)
{
	uint64_t size = type_size(g->cg->types, p->type);

	if (!(n->flags & NF_VOID_CONTEXT) || p->kind != PLACE_MEM || p->bits ||
	    (size != 4 && size != 8) || type_base(p->type)->flags & TF_BOOL)
		return false;
	ir_atomic(g->ir, BPF_ADD, size, p->reg, p->off, amount);
	return true;
}

static int expr_incdec(struct gen *g, struct node *n)
{
	bool post = n->op == OP_POSTINC || n->op == OP_POSTDEC;
	int64_t by = n->op == OP_PREINC || n->op == OP_POSTINC ? n->aux : -n->aux;
	struct place p = gen_place(g, n->a);
	int old, v;

	if (p.kind == PLACE_NONE)
		return gen_imm(g, 0);
	if (add_in_place(g, n, &p, gen_imm(g, by))) {
		if (by < 0)
			gen_assoc_tidy(g, &p);
		return gen_imm(g, 0);
	}
	old = gen_load(g, &p);
	v = gen_copy(g, old);
	ir_alui(g->ir, BPF_ADD, v, by);
	gen_fit(g, v, p.type);
	gen_store(g, &p, v);
	if (by < 0)
		gen_assoc_tidy(g, &p);
	return post ? old : v;
}

static int expr_unary(struct gen *g, struct node *n)
{
	struct place p;
	int r;

	switch (n->op) {
	case OP_NEG:
		r = gen_copy(g, gen_expr(g, n->a));
		ir_neg(g->ir, r);
		gen_fit(g, r, n->type);
		return r;
	case OP_NOT:
		r = gen_copy(g, gen_expr(g, n->a));
		ir_alui(g->ir, BPF_XOR, r, -1);
		gen_fit(g, r, n->type);
		return r;
	case OP_LNOT:
		return truth(g, n);
	case OP_ADDR:
		return gen_addr_of(g, n->a);
	case OP_DEREF:
		p = gen_place(g, n);
		return gen_load(g, &p);
	default:
		return expr_incdec(g, n);
	}
}

/* Whether evaluating it may change a variable. */
static bool assigns(const struct node *n)
{
	bool does;

	if (!n)
		return false;
	does = n->kind == N_ASSIGN ||
	       (n->kind == N_UNARY && (n->op == OP_PREINC || n->op == OP_PREDEC ||
				       n->op == OP_POSTINC || n->op == OP_POSTDEC));
	for (const struct node *arg = n->list; arg && !does; arg = arg->next)
		does = assigns(arg);
	return does || assigns(n->a) || assigns(n->b) || assigns(n->c);
}

static int assign_compound(struct gen *g, struct node *n)
{
	bool linear = n->op == OP_ADD || n->op == OP_SUB;
	struct place p;
	int v, amount = -1;

	/* the right side first: it may fault */
	if (linear && n->flags & NF_VOID_CONTEXT && gen_is_variable(n->a) && !assigns(n->b)) {
		amount = gen_copy(g, gen_expr(g, n->b));
		if (n->op == OP_SUB)
			ir_neg(g->ir, amount);
	}
	p = gen_place(g, n->a);
	if (amount >= 0 && add_in_place(g, n, &p, amount)) {
		if (n->op == OP_SUB)
			gen_assoc_tidy(g, &p);
		return amount;
	}
	if (amount >= 0) {
		v = gen_load(g, &p);
		ir_alu(g->ir, BPF_ADD, v, amount);
	} else {
		v = gen_copy(g, gen_load(g, &p));
		gen_fit(g, v, n->b->type);
		apply(g, n->op, type_is_ptr(n->type) ? n->type : n->b->type, v, n->b);
	}
	gen_fit(g, v, p.type);
	gen_store(g, &p, v);
	if (n->op != OP_ADD)
		gen_assoc_tidy(g, &p);
	return v;
}

static int expr_assign(struct gen *g, struct node *n)
{
	struct place p;
	int v;

	if (n->a->kind == N_AGG) {
		gen_aggregate(g, n);
		return -1;
	}
	if (type_is_string(n->type)) {
		gen_str_assign(g, n);
		return -1;
	}
	if (n->op != OP_NONE)
		return assign_compound(g, n);
	if (type_in_memory(n->type)) {
		gen_block_assign(g, n);
		return -1;
	}
	if (n->a->kind == N_INDEX && n->a->sym)
		return gen_assoc_store(g, n->a, n->b);
	if (n->a->kind == N_IDENT && n->a->sym && n->a->sym->scope == SCOPE_SELF)
		return gen_self_store(g, n->a->sym, n->b);
	v = gen_expr(g, n->b);
	p = gen_place(g, n->a);
	gen_store(g, &p, v);
	return v;
}

static int expr_cond(struct gen *g, struct node *n)
{
	int other = ir_label(g->ir), done = ir_label(g->ir), r = -1;
	bool value = type_is_word(n->type) && !(n->flags & NF_VOID_CONTEXT);
	struct region region;

	gen_branch(g, n->a, false, other);
	if (value)
		r = ir_reg(g->ir);
	region = gen_enter(g);
	if (value)
		ir_mov(g->ir, r, gen_expr(g, n->b));
	else
		gen_effect(g, n->b);
	gen_leave(g, region);
	ir_jmp(g->ir, done);
	ir_place(g->ir, other);
	region = gen_enter(g);
	if (value)
		ir_mov(g->ir, r, gen_expr(g, n->c));
	else
		gen_effect(g, n->c);
	gen_leave(g, region);
	ir_place(g->ir, done);
	return r;
}

static int expr_cast(struct gen *g, struct node *n)
{
	int r;

	if (type_is_void(n->type)) {
		gen_effect(g, n->a);
		return -1;
	}
	if (type_is_string(n->a->type))
		r = gen_str_address(g, n->a);
	else
		r = gen_copy(g, gen_expr(g, n->a));
	if (type_size(g->cg->types, n->type) < 8 &&
	    (type_size(g->cg->types, n->a->type) > type_size(g->cg->types, n->type) ||
	     type_base(n->type)->flags & TF_BOOL ||
	     type_is_signed(n->a->type) != type_is_signed(n->type)))
		gen_fit(g, r, n->type);
	return r;
}

static int kernel_value(struct gen *g, struct node *n)
{
	struct place p = gen_place(g, n);

	return type_is_scalar(n->type) && type_base(n->type)->kind != T_ARRAY ? gen_load(g, &p)
									      : p.reg;
}

/* Its frames end before the first 0. */
static int stack_depth(struct gen *g, struct node *n)
{
	struct block b = gen_block(g, n->a);
	bool user = type_base(n->a->type)->flags & TF_USERLAND;
	int count = gen_imm(g, 0), done = ir_label(g->ir);

	for (uint32_t at = user ? 8 : 0; at < b.size; at += 8) {
		int frame = ir_reg(g->ir);

		ir_ld(g->ir, 8, frame, b.ptr, b.off + at);
		ir_jcci(g->ir, BPF_JEQ, frame, 0, done);
		ir_alui(g->ir, BPF_ADD, count, 1);
	}
	ir_place(g->ir, done);
	return count;
}

static int expr_any(struct gen *g, struct node *n)
{
	const struct def *def = n->ref;
	struct place p;

	switch (n->kind) {
	case N_INT:
		return gen_imm(g, n->value);
	case N_IDENT:
	case N_CALL:
		if (def)
			return def->gen(g, n);
		if (n->kind == N_IDENT && n->scope == SCOPE_KERNEL)
			return kernel_value(g, n);
		return gen_var_load(g, n->sym);
	case N_INDEX:
		if (def)
			return def->gen(g, n);
		if (n->sym)
			return gen_assoc_load(g, n);
		/* fall through */
	case N_MEMBER:
		if (n->flags & NF_DEPTH)
			return stack_depth(g, n);
		if (type_base(n->type)->kind == T_ARRAY || type_is_sou(n->type))
			return gen_addr_of(g, n);
		p = gen_place(g, n);
		return gen_load(g, &p);
	case N_UNARY:
		if (n->op == OP_DEREF && type_is_sou(n->type))
			return gen_addr_of(g, n);
		return expr_unary(g, n);
	case N_BINARY:
		return expr_binary(g, n);
	case N_ASSIGN:
		return expr_assign(g, n);
	case N_COND:
		return expr_cond(g, n);
	case N_COMMA:
		gen_effect(g, n->a);
		return gen_expr(g, n->b);
	case N_CAST:
		return expr_cast(g, n);
	default:
		return gen_imm(g, 0);
	}
}

/* Is it the probe that fires, or one of all processes whose clause that one has? */
static bool is_meant(const struct gen *g, const struct probe *p)
{
	const struct probe *at = g->probe;

	while (at && at != p)
		at = at->of_all;
	return at;
}

struct node *gen_chosen(struct gen *g, struct node *n)
{
	struct node *e;

	while (n->kind == N_CHOICE) {
		e = n->list;
		for (int i = 0; e->next && !is_meant(g, g->clause->probes.v[i]); i++)
			e = e->next;
		n = e;
	}
	return n;
}

int gen_expr(struct gen *g, struct node *n)
{
	int saved = g->site, r;

	n = gen_chosen(g, n);

	if (n->site)
		g->site = n->site;
	/* a string's value as a number: is it there? */
	if (type_is_string(n->type) && n->kind != N_ASSIGN) {
		r = gen_str_address(g, n);
	} else {
		r = expr_any(g, n);
	}
	g->site = saved;
	return r;
}

void gen_effect(struct gen *g, struct node *n)
{
	n = gen_chosen(g, n);
	n->flags |= NF_VOID_CONTEXT;
	if (n->flags & NF_ACTION) {
		const struct act *act = gen_act(g, n);

		gen_record(g, act, 0, n);
		gen_act_done(g, act);
	} else if (type_is_string(n->type) && n->kind != N_ASSIGN) {
		if (n->kind == N_CALL || n->kind == N_COND || n->kind == N_COMMA)
			gen_str(g, n);
	} else if (!type_is_stack(n->type) || n->kind == N_ASSIGN || n->kind == N_COND ||
		   n->kind == N_COMMA) {
		gen_expr(g, n);
	}
}

/* Branches ---------------------------------------------------------------- */

int gen_condition(struct gen *g, int r)
{
	int copy;

	if (!g->many)
		return r;
	copy = gen_copy(g, r);
	ir_unlink(g->ir, copy);
	return copy;
}

static int jump_of(enum op op, bool is_signed)
{
	switch (op) {
	case OP_EQ:
		return BPF_JEQ;
	case OP_NE:
		return BPF_JNE;
	case OP_LT:
		return is_signed ? BPF_JSLT : BPF_JLT;
	case OP_LE:
		return is_signed ? BPF_JSLE : BPF_JLE;
	case OP_GT:
		return is_signed ? BPF_JSGT : BPF_JGT;
	default:
		return is_signed ? BPF_JSGE : BPF_JGE;
	}
}

static enum op opposite(enum op op)
{
	static const enum op table[][2] = {{OP_EQ, OP_NE}, {OP_LT, OP_GE}, {OP_GT, OP_LE}};

	for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
		if (table[i][0] == op)
			return table[i][1];
		if (table[i][1] == op)
			return table[i][0];
	}
	return op;
}

static void branch_compare(struct gen *g, struct node *n, bool sense, int label)
{
	enum op op = sense ? n->op : opposite(n->op);
	bool is_signed = type_is_signed(n->a->type);
	int a;

	if (type_is_string(n->a->type)) {
		gen_str_compare(g, op, n->a, n->b, label);
		return;
	}
	a = gen_condition(g, gen_expr(g, n->a));
	if (n->b->kind == N_INT)
		ir_jcci(g->ir, jump_of(op, is_signed), a, n->b->value, label);
	else
		ir_jcc(g->ir, jump_of(op, is_signed), a, gen_condition(g, gen_expr(g, n->b)),
		       label);
}

static void branch_logical(struct gen *g, struct node *n, bool sense, int label)
{
	bool both = (n->op == OP_LAND) == sense; /* both operands have to agree before we jump */
	struct region region;
	int skip;

	if (!both) {
		gen_branch(g, n->a, sense, label);
		region = gen_enter(g);
		gen_branch(g, n->b, sense, label);
		gen_leave(g, region);
		return;
	}
	skip = ir_label(g->ir);
	gen_branch(g, n->a, !sense, skip);
	region = gen_enter(g);
	gen_branch(g, n->b, sense, label);
	gen_leave(g, region);
	ir_place(g->ir, skip);
}

void gen_branch(struct gen *g, struct node *n, bool sense, int label)
{
	int saved = g->site;

	n = gen_chosen(g, n);
	if (n->site)
		g->site = n->site;
	if (n->kind == N_INT) {
		if (!!n->value == sense)
			ir_jmp(g->ir, label);
	} else if (n->kind == N_UNARY && n->op == OP_LNOT) {
		gen_branch(g, n->a, !sense, label);
	} else if (n->kind == N_BINARY && (n->op == OP_LAND || n->op == OP_LOR)) {
		branch_logical(g, n, sense, label);
	} else if (n->kind == N_BINARY && n->op == OP_LXOR) {
		int a = truth(g, n->a), b = truth(g, n->b);

		ir_jcc(g->ir, sense ? BPF_JNE : BPF_JEQ, a, b, label);
	} else if (n->kind == N_BINARY && op_is_truth(n->op)) {
		branch_compare(g, n, sense, label);
	} else if (type_is_string(n->type)) {
		gen_str_branch(g, n, sense, label);
	} else if (type_is_stack(n->type)) {
		gen_block_branch(g, n, sense, label);
	} else {
		ir_jcci(g->ir, sense ? BPF_JNE : BPF_JEQ, gen_condition(g, gen_expr(g, n)), 0,
			label);
	}
	g->site = saved;
}
