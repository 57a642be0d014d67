/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings: where they are, how they get somewhere else, how they compare. Layout: bpf/rt.h. */
#include <string.h>

#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

#define SMALL_STRING 64 /* temporaries up to this size live on the stack, not in the scratch slot */

/* The first size bytes of a literal as it lies in memory: text, NUL, zeroes; the mark of the
 * empty string. */
static void literal_bytes(const char *text, uint32_t len, uint8_t *out, uint32_t size)
{
	memset(out, 0, size);
	if (len >= size)
		len = size - 1;
	len = strnlen(text, len);
	memcpy(out, text, len);
	out[len] = 0;
	if (!len && size > 1)
		out[1] = 1;
}

int gen_zeroes(struct gen *g)
{
	uint32_t size = ALIGN_UP(g->cg->strsize, 8) + 16;
	void *zero = arena_alloc(g->arena, size);

	return gen_literal(g, zero, size);
}

static struct str str_at(int ptr, int off, uint32_t bound)
{
	return (struct str){.ptr = ptr, .off = off, .bound = bound, .slot_off = -1};
}

static struct str str_literal(struct gen *g, const char *text, uint32_t len)
{
	uint32_t size = ALIGN_UP(len + 1, 8) + 8;
	uint8_t *bytes = arena_alloc(g->arena, size);
	struct str s;

	literal_bytes(text, len, bytes, size);
	s = str_at(gen_literal(g, bytes, size), 0, len + 1);
	s.lit = text;
	s.lit_len = len;
	return s;
}

struct str_dest gen_temp_str(struct gen *g)
{
	uint32_t off = gen_temp(g, ALIGN_UP(g->cg->strsize, 8) + 8);

	return (struct str_dest){gen_slot(g), off, g->cg->strsize, true, .slot_off = off};
}

static struct str_dest temp_for(struct gen *g, uint32_t bound)
{
	struct str_dest d = {.bound = bound, .padded = true, .slot_off = -1, .zeroed = true};
	int size = ALIGN_UP(MAX(bound, 2), 8), frame;

	if (bound > SMALL_STRING || g->spill)
		return gen_temp_str(g);
	frame = gen_frame(g, size);
	for (int i = 0; i < size; i += 8)
		ir_frame_sti(g->ir, 8, frame, i, 0);
	d.ptr = ir_reg(g->ir);
	ir_frame_addr(g->ir, d.ptr, frame, 0);
	return d;
}

static struct str str_of(const struct str_dest *d)
{
	struct str s = str_at(d->ptr, d->off, d->bound);

	s.slot_off = d->slot_off;
	return s;
}

struct str gen_str(struct gen *g, struct node *n)
{
	struct str_dest d;

	n = gen_chosen(g, n);
	switch (n->kind) {
	case N_STR:
		return str_literal(g, n->str, MIN(n->len, g->sema->strsize - 1));
	case N_INT: {
		struct str s = str_at(gen_zeroes(g), 0, 1);

		s.is_null = true;
		return s;
	}
	case N_COMMA:
		gen_effect(g, n->a);
		return gen_str(g, n->b);
	case N_CAST:
		return gen_str(g, n->a);
	case N_ASSIGN:
		gen_str_assign(g, n);
		return gen_str(g, n->a);
	default:
		break;
	}
	if (gen_is_variable(n))
		return gen_var_str(g, n);
	d = temp_for(g, sema_bound(g->sema, n));
	gen_str_into(g, n, &d);
	return str_of(&d);
}

struct str gen_str_slot(struct gen *g, struct node *n)
{
	struct str_dest d;

	n = gen_chosen(g, n);
	if (n->kind == N_STR || n->kind == N_INT || gen_is_variable(n) ||
	    sema_bound(g->sema, n) <= SMALL_STRING) {
		struct str s = gen_str(g, n);

		if (s.slot_off >= 0)
			return s;
		d = gen_temp_str(g);
		gen_str_copy(g, &s, &d);
		return str_of(&d);
	}
	d = gen_temp_str(g);
	gen_str_into(g, n, &d);
	return str_of(&d);
}

/* Writes constant bytes with the widest stores that fit. */
static void store_bytes(struct gen *g, int ptr, int off, const uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size;) {
		int step = size - i >= 8 ? 8 : size - i >= 4 ? 4 : size - i >= 2 ? 2 : 1;
		int64_t v = 0;

		memcpy(&v, bytes + i, step);
		if (v == (int32_t)v)
			ir_sti(g->ir, step, ptr, off + i, v);
		else
			ir_st(g->ir, step, ptr, off + i, gen_imm(g, v));
		i += step;
	}
}

static void literal_into(struct gen *g, const char *text, uint32_t len, const struct str_dest *d)
{
	uint32_t size = MIN(len + 1, d->bound);
	uint8_t *bytes;

	if (d->padded)
		size = ALIGN_UP(MAX(size, 2), 8);
	bytes = arena_alloc(g->arena, size + 8);
	literal_bytes(text, MIN(len, d->bound - 1), bytes, size);
	if (size <= 128) {
		store_bytes(g, d->ptr, d->off, bytes, size);
	} else {
		struct str s = str_literal(g, text, len);

		s.lit = NULL;
		gen_str_copy(g, &s, d);
	}
}

void gen_str_null(struct gen *g, const struct str_dest *d)
{
	if (d->no_null)
		gen_fault_always(g, FAULT_BADADDR, -1, 0);
	else
		ir_sti(g->ir, d->padded ? 8 : 1, d->ptr, d->off, 0);
}

static int dest_addr(struct gen *g, const struct str_dest *d)
{
	int p = gen_copy(g, d->ptr);

	if (d->off)
		ir_alui(g->ir, BPF_ADD, p, d->off);
	return p;
}

/* Zeroes after the text of len bytes, NUL included. (The stack cannot be written at a place that
 * varies.) */
static void pad_zero(struct gen *g, const struct str_dest *d, int len)
{
	int p;

	if (d->zeroed)
		return;
	p = gen_copy(g, d->ptr);
	ir_alu(g->ir, BPF_ADD, p, len);
	ir_sti(g->ir, 8, p, d->off, 0);
}

void gen_str_padded(struct gen *g, const struct str_dest *d, int len)
{
	int done;

	if (!d->padded)
		return;
	done = ir_label(g->ir);
	pad_zero(g, d, len);
	ir_jcci(g->ir, BPF_JNE, len, 1, done);
	ir_sti(g->ir, 8, d->ptr, d->off, TEXT_EMPTY);
	ir_place(g->ir, done);
}

/* After a text without a byte: NULL stays NULL, or faults; everything else is empty. */
static void copy_empty(struct gen *g, const struct str *s, const struct str_dest *d)
{
	int first, null;

	if (d->no_null)
		gen_str_check(g, s);
	if (!d->padded)
		return;
	if (d->no_null) {
		ir_sti(g->ir, 8, d->ptr, d->off, TEXT_EMPTY);
		return;
	}
	first = ir_reg(g->ir);
	null = ir_label(g->ir);
	ir_ld(g->ir, 2, first, s->ptr, s->off);
	ir_jcci(g->ir, BPF_JEQ, first, TEXT_NULL, null);
	ir_movi(g->ir, first, TEXT_EMPTY);
	ir_place(g->ir, null);
	ir_st(g->ir, 8, d->ptr, d->off, first);
}

enum { WORDS_MAX = 512 }; /* bytes that are copied without a helper */

bool gen_lacks_reading(const struct gen *g)
{
	return g->cg->feats && feat(g->cg->feats, FEAT_BPF) &&
	       !feat(g->cg->feats, FEAT_READ_KERNEL);
}

/* Goes on at label when a word has a byte that is 0. */
static void if_ends(struct gen *g, int word, int label)
{
	int less = gen_copy(g, word), not = gen_copy(g, word), low = ir_reg(g->ir);

	ir_movi(g->ir, low, 0x0101010101010101);
	ir_alu(g->ir, BPF_SUB, less, low);
	ir_alui(g->ir, BPF_XOR, not, -1);
	ir_alu(g->ir, BPF_AND, less, not );
	ir_movi(g->ir, low, (int64_t)0x8080808080808080);
	ir_alu(g->ir, BPF_AND, less, low);
	ir_jcci(g->ir, BPF_JNE, less, 0, label);
}

/*
 * On kernels whose memory is not to be read the helper that copies a string is refused, also
 * where the memory is our own. Word by word, up to that with the NUL, which zeroes follow,
 * or the mark of the empty string.
 */
static void copy_words(struct gen *g, const struct str *s, const struct str_dest *d)
{
	uint32_t n = MIN(s->bound, d->bound), off = 0;
	int done = ir_label(g->ir), some = ir_label(g->ir), word = ir_reg(g->ir);

	ir_ld(g->ir, 1, word, s->ptr, s->off);
	ir_jcci(g->ir, BPF_JNE, word, 0, some);
	ir_sti(g->ir, 1, d->ptr, d->off, 0);
	copy_empty(g, s, d);
	ir_jmp(g->ir, done);
	ir_place(g->ir, some);
	for (; off + 8 <= n; off += 8) {
		ir_ld(g->ir, 8, word, s->ptr, s->off + off);
		ir_st(g->ir, 8, d->ptr, d->off + off, word);
		if_ends(g, word, done);
	}
	for (; off < n; off++) {
		ir_ld(g->ir, 1, word, s->ptr, s->off + off);
		ir_st(g->ir, 1, d->ptr, d->off + off, word);
	}
	if (s->bound > d->bound)
		ir_sti(g->ir, 1, d->ptr, d->off + n - 1, 0);
	ir_place(g->ir, done);
}

void gen_str_copy(struct gen *g, const struct str *s, const struct str_dest *d)
{
	int done, len, src;

	if (s->is_null) {
		gen_str_null(g, d);
		return;
	}
	if (s->lit) {
		literal_into(g, s->lit, s->lit_len, d);
		return;
	}
	if (gen_lacks_reading(g) && MIN(s->bound, d->bound) <= WORDS_MAX) {
		copy_words(g, s, d);
		return;
	}
	done = ir_label(g->ir);
	src = gen_copy(g, s->ptr);
	if (s->off)
		ir_alui(g->ir, BPF_ADD, src, s->off);
	len = ir_callv(g->ir, BPF_FUNC_probe_read_kernel_str, dest_addr(g, d), gen_imm(g, d->bound),
		       src);
	if (d->padded) {
		ir_jcci(g->ir, BPF_JSLE, len, 0, done);
		pad_zero(g, d, len);
	}
	if (d->padded || d->no_null) {
		ir_jcci(g->ir, BPF_JNE, len, 1, done);
		copy_empty(g, s, d);
	}
	ir_place(g->ir, done);
}

static int read_text(struct gen *g, unsigned space, const struct str_dest *d, int size, int addr)
{
	return ir_callv(g->ir,
			space == TF_USERLAND   ? BPF_FUNC_probe_read_user_str
			: space == TF_ANYWHERE ? BPF_FUNC_probe_read_str
					       : BPF_FUNC_probe_read_kernel_str,
			dest_addr(g, d), size >= 0 ? size : gen_imm(g, d->bound), addr);
}

/* Of an empty text of a user's, kernels before 6.2 say that it has 0 bytes. */
void gen_str_fetch(struct gen *g, int addr, unsigned space, int size, const struct str_dest *d)
{
	int len = read_text(g, space, d, size, addr), there;

	if (space && g->may_sleep) {
		there = ir_label(g->ir);
		len = gen_copy(g, len);
		ir_jcci(g->ir, BPF_JSGE, len, 0, there);
		gen_bring_in(g, addr, d->bound);
		ir_mov(g->ir, len, read_text(g, space, d, size, addr));
		ir_place(g->ir, there);
	}
	gen_fault_read(g, space ? BPF_JSLT : BPF_JSLE, len, 0, space, addr);
	if (space && d->padded) {
		int some = ir_label(g->ir);

		len = gen_copy(g, len);
		ir_jcci(g->ir, BPF_JNE, len, 0, some);
		ir_movi(g->ir, len, 1);
		ir_place(g->ir, some);
	}
	gen_str_padded(g, d, len);
}

/*
 * Text at an address: in the kernel, or in the user's memory. Programs' probes have addresses of
 * theirs in plain numbers (arg0), where the number itself says whose it is.
 */
static void stringof_into(struct gen *g, struct node *n, const struct str_dest *d)
{
	bool number = type_is_int(n->a->type) && hook_is_user(g->hook_kind);
	unsigned space = number ? TF_ANYWHERE : type_space(n->a->type);
	int addr = gen_expr(g, n->a), site = g->site;

	g->site = n->site ? n->site : g->site;
	gen_str_fetch(g, addr, space, -1, d);
	g->site = site;
}

/* Copies a string of D's by a pointer to it: a member, an element. */
static void copy_pointed_text(struct gen *g, struct node *n, const struct str_dest *d)
{
	struct place p = gen_place(g, n);
	int addr = gen_copy(g, p.reg), site = g->site, some;

	if (p.off)
		ir_alui(g->ir, BPF_ADD, addr, p.off);
	g->site = n->site ? n->site : g->site;
	gen_str_fetch(g, addr, p.space, -1, d);
	if ((d->padded || d->no_null) && !p.space) {
		some = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JNE, gen_read_kernel(g, addr, 0, 2, false), 0, some);
		gen_str_null(g, d);
		ir_place(g->ir, some);
	}
	g->site = site;
}

static void cond_into(struct gen *g, struct node *n, const struct str_dest *d)
{
	int other = ir_label(g->ir), done = ir_label(g->ir);
	struct region r;

	gen_branch(g, n->a, false, other);
	r = gen_enter(g);
	gen_str_into(g, n->b, d);
	gen_leave(g, r);
	ir_jmp(g->ir, done);
	ir_place(g->ir, other);
	r = gen_enter(g);
	gen_str_into(g, n->c, d);
	gen_leave(g, r);
	ir_place(g->ir, done);
}

void gen_str_into(struct gen *g, struct node *n, const struct str_dest *d)
{
	const struct def *def;
	int site = g->site;
	struct str s;

	n = gen_chosen(g, n);
	def = n->ref;
	if (n->kind == N_COND) {
		cond_into(g, n, d);
	} else if (n->kind == N_STRINGOF) {
		stringof_into(g, n, d);
	} else if ((n->kind == N_CALL || n->kind == N_IDENT || n->kind == N_INDEX) && def &&
		   def->gen_str) {
		g->site = n->site ? n->site : g->site;
		def->gen_str(g, n, d);
	} else if (n->kind == N_COMMA) {
		gen_effect(g, n->a);
		gen_str_into(g, n->b, d);
	} else if ((n->kind == N_MEMBER || n->kind == N_INDEX || n->kind == N_UNARY) &&
		   !gen_is_variable(n)) {
		copy_pointed_text(g, n, d);
	} else {
		s = gen_str(g, n);
		g->site = n->site ? n->site : g->site;
		gen_str_copy(g, &s, d);
	}
	g->site = site;
}

void gen_str_is_null(struct gen *g, const struct str *s, int label)
{
	int first;

	if (s->lit)
		return;
	if (s->is_null) {
		ir_jmp(g->ir, label);
		return;
	}
	first = ir_reg(g->ir);
	ir_ld(g->ir, 2, first, s->ptr, s->off);
	ir_jcci(g->ir, BPF_JEQ, first, 0, label);
}

void gen_str_check(struct gen *g, const struct str *s)
{
	int first;

	if (s->lit)
		return;
	if (s->is_null) {
		gen_fault_always(g, FAULT_BADADDR, -1, 0);
		return;
	}
	first = ir_reg(g->ir);
	ir_ld(g->ir, 2, first, s->ptr, s->off);
	gen_fault_if(g, BPF_JEQ, first, 0, FAULT_BADADDR, -1, 0);
}

int gen_str_address(struct gen *g, struct node *n)
{
	struct str s;
	int r, p, null;

	n = gen_chosen(g, n);
	if (n->kind == N_INT)
		return gen_imm(g, n->value);
	s = gen_str(g, n);
	if (s.slot_off < 0 && !s.lit && !gen_is_variable(n) && n->kind != N_ASSIGN)
		s = gen_str_slot(g, n); /* the stack is gone when the address is used */
	r = gen_imm(g, 0);
	null = ir_label(g->ir);
	gen_str_is_null(g, &s, null);
	p = gen_copy(g, s.ptr);
	if (s.off)
		ir_alui(g->ir, BPF_ADD, p, s.off);
	ir_mov(g->ir, r, gen_address(g, p));
	ir_place(g->ir, null);
	return r;
}

/* Comparison -------------------------------------------------------------- */

/* A variable that may have no value yet: it is equal to NULL and to "". */
static bool maybe_unassigned(struct gen *g, struct node *n)
{
	n = gen_chosen(g, n);
	while (n->kind == N_COMMA || n->kind == N_CAST)
		n = gen_chosen(g, n->kind == N_COMMA ? n->b : n->a);
	return n->kind == N_IDENT && n->sym && n->sym->scope == SCOPE_GLOBAL;
}

/* Jumps to label when the text (does not) equal the literal: word by word. */
static void equal_literal(struct gen *g, struct node *n, const char *text, uint32_t len, bool equal,
			  int label)
{
	struct str s = gen_str(g, n);
	uint32_t size = ALIGN_UP(MAX(len + 1, 2), 8);
	uint8_t *bytes = arena_alloc(g->arena, size);
	int differ = equal ? ir_label(g->ir) : label, same = equal ? label : ir_label(g->ir);

	literal_bytes(text, len, bytes, size);
	for (uint32_t i = 0; i < size; i += 8) {
		int w = ir_reg(g->ir);
		int64_t v;

		if (len + 1 > MIN(s.bound, g->sema->strsize)) { /* longer than the other can be */
			if (!equal)
				ir_jmp(g->ir, label);
			return;
		}
		memcpy(&v, bytes + i, 8);
		ir_ld(g->ir, 8, w, s.ptr, s.off + i);
		if (!len && maybe_unassigned(g, n))
			ir_jcci(g->ir, BPF_JEQ, w, TEXT_UNASSIGNED, same);
		ir_jcci(g->ir, BPF_JNE, w, v, differ);
	}
	if (equal)
		ir_jmp(g->ir, label);
	ir_place(g->ir, equal ? differ : same);
}

static void equal_null(struct gen *g, struct node *n, bool equal, int label)
{
	struct str s = gen_str(g, n);
	int first, differ;

	if (s.lit || s.is_null) {
		if (s.is_null == equal)
			ir_jmp(g->ir, label);
		return;
	}
	first = ir_reg(g->ir);
	ir_ld(g->ir, 2, first, s.ptr, s.off);
	if (!maybe_unassigned(g, n)) {
		ir_jcci(g->ir, equal ? BPF_JEQ : BPF_JNE, first, TEXT_NULL, label);
		return;
	}
	differ = ir_label(g->ir);
	ir_jcci(g->ir, BPF_JEQ, first, TEXT_NULL, equal ? label : differ);
	ir_jcci(g->ir, equal ? BPF_JEQ : BPF_JNE, first, TEXT_UNASSIGNED, label);
	ir_place(g->ir, differ);
}

/* Nothing is below NULL. */
static void compare_null(struct gen *g, enum op op, struct node *n, int label)
{
	if (op == OP_LT || op == OP_GE) {
		gen_str(g, n);
		if (op == OP_GE)
			ir_jmp(g->ir, label);
		return;
	}
	equal_null(g, n, op == OP_EQ || op == OP_LE, label);
}

void gen_str_compare(struct gen *g, enum op op, struct node *a, struct node *b, int label)
{
	static const int jumps[] = {[OP_EQ] = BPF_JEQ,	[OP_NE] = BPF_JNE,  [OP_LT] = BPF_JSLT,
				    [OP_LE] = BPF_JSLE, [OP_GT] = BPF_JSGT, [OP_GE] = BPF_JSGE};
	struct str sa, sb;
	int r;

	if (a->kind == N_STR || a->kind == N_INT) { /* constants to the right */
		static const enum op swapped[] = {
		    [OP_EQ] = OP_EQ, [OP_NE] = OP_NE, [OP_LT] = OP_GT,
		    [OP_LE] = OP_GE, [OP_GT] = OP_LT, [OP_GE] = OP_LE};
		struct node *t = a;

		a = b;
		b = t;
		op = swapped[op];
	}
	if (b->kind == N_INT) {
		compare_null(g, op, a, label);
		return;
	}
	if (b->kind == N_STR && (op == OP_EQ || op == OP_NE) &&
	    (b->len <= 128 || b->len >= g->sema->strsize) && !memchr(b->str, 0, b->len)) {
		equal_literal(g, a, b->str, b->len, op == OP_EQ, label);
		return;
	}
	sa = gen_str_slot(g, a);
	sb = gen_str_slot(g, b);
	r = gen_routine(g, "rt_strcmp", 3,
			(int[]){gen_slot_no(g), gen_imm(g, sa.slot_off), gen_imm(g, sb.slot_off)});
	ir_jcci(g->ir, jumps[op], r, 0, label);
}

void gen_str_branch(struct gen *g, struct node *n, bool sense, int label)
{
	if (n->kind == N_STR) {
		if (sense)
			ir_jmp(g->ir, label);
		return;
	}
	equal_null(g, n, !sense, label);
}
