/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calling conventions of C (libdt/base/machine/). argN are the integer registers in their order
 * and then the words of the stack; a probe sees no others. So what matters of a parameter is how
 * many of each it takes, for that moves the following ones: numbers in floating point take none,
 * structures one or two or words of the stack, and a structure that is returned in memory takes
 * the first register for where that is on some machines.
 */
#include "libdt/provider/uargs.h"

#include <string.h>

#include "libdt/base/machine/machine.h"

/* LOOKS_MAX: structures of a value, also those without a size, of which a file's author can nest
 * any number. */
enum { DEPTH_MAX = 16, SCALARS_MAX = 64, LOOKS_MAX = 1000 };

static const char no_float[] =
    "it is a floating-point number, whose registers the kernel does not provide";
static const char no_struct[] = "it is a structure that is passed by value";
static const char no_wide[] = "it is wider than a register";
static const char no_place[] =
    "its location is unknown, because an earlier parameter or the result has an unknown type";

struct state {
	struct types *types;
	const struct machine *machine;
	struct args_taken taken;
};

/* On x86-64 of 80 bits: other numbers of 16 bytes are in the registers of vectors. */
static bool is_long_double(const struct type *t)
{
	return t->kind == T_FLOAT && t->size > 8 && t->name && !strcmp(t->name, "long double");
}

/* Its type is as wide as what was declared, and begins where the bit-field does. */
static void look_at_bits(uint64_t bit_off, uint32_t bits, struct value_parts *p)
{
	p->float_size = 0;
	p->scalars++;
	if (bit_off + bits > 128)
		p->odd = true;
	else
		p->integer[bit_off / 64] = p->integer[(bit_off + bits - 1) / 64] = true;
}

static void look_at_scalar(const struct type *t, uint64_t size, uint64_t off, struct value_parts *p)
{
	bool floating = t->kind == T_FLOAT;

	p->odd |= size > 16 || off % size != 0;
	p->float_size = floating && (!p->scalars || p->float_size == size) ? size : 0;
	p->scalars++;
	p->floats += floating;
	p->long_double |= is_long_double(t);
	if (!is_long_double(t))
		(floating ? p->floating : p->integer)[off / 8 % 2] = true;
	if (size > 8 && !floating)
		p->integer[1] = true;
}

/* looks: how many types were looked at. */
static void look(struct types *types, const struct type *t, uint64_t off, struct value_parts *p,
		 int depth, int *looks)
{
	uint64_t size = type_size(types, t);

	t = type_complete(types, t);
	if (depth > DEPTH_MAX || p->scalars > SCALARS_MAX || off > 16 || size > 16 - off ||
	    ++*looks > LOOKS_MAX) {
		p->odd = true;
	} else if (type_is_sou(t)) {
		for (int i = 0; i < t->nmembers && *looks <= LOOKS_MAX; i++) {
			const struct member *m = &t->members[i];

			if (m->bits)
				look_at_bits(off * 8 + m->bit_off, m->bits, p);
			else
				look(types, m->type, off + m->bit_off / 8, p, depth + 1, looks);
		}
	} else if (t->kind == T_ARRAY) {
		for (uint64_t i = 0; i < t->nelem && i <= SCALARS_MAX && *looks <= LOOKS_MAX; i++)
			look(types, t->ref, off + i * type_size(types, t->ref), p, depth + 1,
			     looks);
	} else if (size) {
		look_at_scalar(t, size, off, p);
	}
}

/* What the convention of the machine looks at. */
static struct call_value value_of(struct types *types, const struct type *t)
{
	const struct type *whole = type_complete(types, t);
	struct call_value v = {.size = type_size(types, t),
			       .is_struct = type_is_sou(whole),
			       .is_float = whole->kind == T_FLOAT,
			       .aligned_16 = type_align(types, t) >= 16};
	int looks = 0;

	if (v.size <= 16)
		look(types, t, 0, &v.parts, 0, &looks);
	return v;
}

static int place(struct state *s, const struct type *t, const char **lack)
{
	struct call_value v = value_of(s->types, t);

	*lack = v.is_struct ? no_struct : v.is_float ? no_float : v.size > 8 ? no_wide : NULL;
	return s->machine->place(&s->taken, &v);
}

/* Is it known where one goes? Of C's, no array is passed: that is a vector. */
static bool is_known(struct types *types, const struct type *t)
{
	const struct type *whole = type_complete(types, t);

	return type_size(types, t) && whole->kind != T_FWD && whole->kind != T_ARRAY &&
	       (whole->kind != T_FLOAT || whole->size <= 16);
}

int uargs_entry(struct types *types, struct arena *a, int machine, const struct kernel_func *f,
		const struct probe_arg **out)
{
	const struct type *t = f->type;
	struct probe_arg *args = arena_alloc(a, (t->nparams + 1) * sizeof(*args));
	struct state s = {.types = types, .machine = machine_of(machine)};
	bool lost = !s.machine ||
		    (s.machine->result_in_memory && type_complete(types, t->ref)->kind == T_FWD);

	*out = args;
	if (!lost && s.machine->result_in_memory) {
		struct call_value result = value_of(types, t->ref);

		s.taken.ints = s.machine->result_in_memory(&result);
	}
	for (int i = 0; i < t->nparams; i++) {
		args[i].name = *f->names[i] ? f->names[i] : NULL;
		args[i].type = t->params[i];
		lost |= !is_known(types, t->params[i]);
		args[i].unavailable_reason = lost ? no_place : NULL;
		if (!lost)
			args[i].from =
			    (uint8_t)(place(&s, t->params[i], &args[i].unavailable_reason) + 1);
		if (s.taken.words > 100)
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
