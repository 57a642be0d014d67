/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calling conventions of C: System V's for x86-64, and AArch64's. argN are the integer registers in
 * their order and then the words of the stack; a probe sees no others. So what matters of a
 * parameter is how many of each it takes, for that moves the following ones: numbers in floating
 * point take none, structures one or two or words of the stack, and a structure that is returned in
 * memory takes the first register for where that is (x86-64).
 */
#include "libdt/provider/uargs.h"

#include <elf.h>
#include <string.h>

enum { DEPTH_MAX = 16, SCALARS_MAX = 64 };

static const char no_float[] =
    "it is a floating-point number, whose registers the kernel does not provide";
static const char no_struct[] = "it is a structure that is passed by value";
static const char no_wide[] = "it is wider than a register";
static const char no_place[] =
    "its location is unknown, because an earlier parameter or the result has an unknown type";

/* What a value is made of: integers or not, in each of its 8-byte words. */
struct parts {
	bool integer[2], floating[2];
	bool x87, odd; /* odd: not aligned, or too much to look at */
	int scalars;
	uint64_t float_size; /* of all, when each is in floating point and of this size; else 0 */
};

struct state {
	struct types *types;
	bool arm;
	int ints, floats, words; /* registers and words of the stack that are taken */
};

/* x86-64's, of 80 bits: other numbers of 16 bytes are in the registers of vectors. */
static bool is_x87(const struct type *t)
{
	return t->kind == T_FLOAT && t->size > 8 && t->name && !strcmp(t->name, "long double");
}

/* Its type is as wide as what was declared, and begins where the bit-field does. */
static void look_at_bits(uint64_t bit_off, uint32_t bits, struct parts *p)
{
	p->float_size = 0;
	p->scalars++;
	if (bit_off + bits > 128)
		p->odd = true;
	else
		p->integer[bit_off / 64] = p->integer[(bit_off + bits - 1) / 64] = true;
}

static void look_at_scalar(const struct type *t, uint64_t size, uint64_t off, struct parts *p)
{
	bool floating = t->kind == T_FLOAT;

	p->odd |= size > 16 || off % size != 0;
	p->float_size = floating && (!p->scalars || p->float_size == size) ? size : 0;
	p->scalars++;
	p->x87 |= is_x87(t);
	if (!is_x87(t))
		(floating ? p->floating : p->integer)[off / 8 % 2] = true;
	if (size > 8 && !floating)
		p->integer[1] = true;
}

static void look(struct types *types, const struct type *t, uint64_t off, struct parts *p,
		 int depth)
{
	uint64_t size = type_size(types, t);

	t = type_complete(types, t);
	if (depth > DEPTH_MAX || p->scalars > SCALARS_MAX || off + size > 16) {
		p->odd = true;
	} else if (type_is_sou(t)) {
		for (int i = 0; i < t->nmembers; i++) {
			const struct member *m = &t->members[i];

			if (m->bits)
				look_at_bits(off * 8 + m->bit_off, m->bits, p);
			else
				look(types, m->type, off + m->bit_off / 8, p, depth + 1);
		}
	} else if (t->kind == T_ARRAY) {
		for (uint64_t i = 0; i < t->nelem && i <= SCALARS_MAX; i++)
			look(types, t->ref, off + i * type_size(types, t->ref), p, depth + 1);
	} else if (size) {
		look_at_scalar(t, size, off, p);
	}
}

static int int_regs(const struct state *s)
{
	return s->arm ? 8 : 6;
}

/* On the stack; aligned to 16 bytes when wide. Returns which argN its first word is. */
static int on_stack(struct state *s, uint64_t size, bool wide)
{
	int at;

	s->words = wide ? ALIGN_UP(s->words, 2) : s->words;
	at = int_regs(s) + s->words;
	s->words += (int)((MIN(size, 1u << 20) + 7) / 8);
	return at;
}

/* In so many registers of both kinds if there are as many, else in memory. Returns which argN it
 * is when it is in one. */
static int take(struct state *s, int ints, int floats, uint64_t size, bool wide)
{
	int at = s->ints;

	if (s->ints + ints > int_regs(s) || s->floats + floats > 8) {
		if (s->arm && ints) /* none of the following is in a register either */
			s->ints = int_regs(s);
		if (s->arm && floats)
			s->floats = 8;
		return on_stack(s, size, wide);
	}
	s->ints += ints;
	s->floats += floats;
	return at;
}

static void struct_x86(struct state *s, const struct type *t, uint64_t size)
{
	struct parts p = {0};
	int ints = 0, floats = 0, words = (int)((size + 7) / 8);

	if (size <= 16)
		look(s->types, t, 0, &p, 0);
	if (size > 16 || p.odd || p.x87) {
		on_stack(s, size, type_align(s->types, t) >= 16);
		return;
	}
	for (int i = 0; i < words; i++) {
		ints += p.integer[i];
		floats += !p.integer[i] && p.floating[i];
	}
	if (ints + floats)
		take(s, ints, floats, size, false);
}

static void struct_arm(struct state *s, const struct type *t, uint64_t size)
{
	struct parts p = {0};

	if (size <= 16)
		look(s->types, t, 0, &p, 0);
	if (p.float_size && p.scalars <= 4)
		take(s, 0, p.scalars, size, false);
	else if (size > 16) /* a copy's address */
		take(s, 1, 0, 8, false);
	else
		take(s, (int)((size + 7) / 8), 0, size, false);
}

static int place(struct state *s, const struct type *t, const char **lack)
{
	uint64_t size = type_size(s->types, t);

	t = type_complete(s->types, t);
	if (type_is_sou(t)) {
		*lack = no_struct;
		if (s->arm)
			struct_arm(s, t, size);
		else
			struct_x86(s, t, size);
		return 0;
	}
	if (t->kind == T_FLOAT) {
		*lack = no_float;
		if (is_x87(t) && !s->arm)
			return on_stack(s, size, true);
		return take(s, 0, 1, size, size > 8);
	}
	if (size <= 8)
		return take(s, 1, 0, 8, false);
	*lack = no_wide;
	if (s->arm)
		s->ints = ALIGN_UP(s->ints, 2);
	return take(s, 2, 0, size, true);
}

/* Is it known where one goes? Of C's, no array is passed: that is a vector. */
static bool is_known(struct types *types, const struct type *t)
{
	const struct type *whole = type_complete(types, t);

	return type_size(types, t) && whole->kind != T_FWD && whole->kind != T_ARRAY &&
	       (whole->kind != T_FLOAT || whole->size <= 16);
}

/* Is it returned in memory of the caller's, whose address takes a register of the arguments'? */
static bool returns_in_memory(struct types *types, const struct type *t)
{
	struct parts p = {0};

	if (!type_is_sou(t))
		return false;
	if (type_size(types, t) <= 16)
		look(types, t, 0, &p, 0);
	return type_size(types, t) > 16 || p.odd ||
	       (p.x87 && (p.integer[0] || p.floating[0] || p.integer[1] || p.floating[1]));
}

int uargs_entry(struct types *types, struct arena *a, int machine, const struct kernel_func *f,
		const struct probe_arg **out)
{
	const struct type *t = f->type;
	struct probe_arg *args = arena_alloc(a, (t->nparams + 1) * sizeof(*args));
	struct state s = {.types = types, .arm = machine == EM_AARCH64};
	bool lost = !s.arm && type_complete(types, t->ref)->kind == T_FWD;

	*out = args;
	s.ints = !s.arm && returns_in_memory(types, t->ref);
	for (int i = 0; i < t->nparams; i++) {
		args[i].name = *f->names[i] ? f->names[i] : NULL;
		args[i].type = t->params[i];
		lost |= !is_known(types, t->params[i]);
		args[i].unavailable_reason = lost ? no_place : NULL;
		if (!lost)
			args[i].from =
			    (uint8_t)(place(&s, t->params[i], &args[i].unavailable_reason) + 1);
		if (s.words > 100)
			lost = true;
		if (args[i].unavailable_reason)
			args[i].from = 0;
	}
	return t->nparams;
}

/* args[0] is the offset of the return instruction, which is unknown. */
int uargs_return(struct types *types, struct arena *a, const struct kernel_func *f,
		 const struct probe_arg **out)
{
	struct probe_arg *args = arena_alloc(a, 2 * sizeof(*args));
	const struct type *t = f->type->ref;

	*out = args;
	args[0].type = type_int(types, 4, true);
	args[1].type = t;
	if (type_is_void(t))
		return 1;
	if (type_is_sou(t))
		args[1].unavailable_reason = "it is a structure";
	else if (type_base(t)->kind == T_FLOAT)
		args[1].unavailable_reason = no_float;
	else if (type_size(types, t) > 8)
		args[1].unavailable_reason = no_wide;
	return 2;
}
