/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instructions of a function of an object: where each begins, and which of them leave it. */
#ifndef DT_CODE_H
#define DT_CODE_H

#include "libdt/base/hash.h"
#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"
#include "libdt/process/object.h"

/* The instructions of a function, up to the first that cannot be decoded: code may be followed by
 * data. */
struct insns {
	const struct machine *machine; /* NULL: one whose instructions are unknown */
	uint8_t *code;
	size_t size;	/* bytes that were read, from the function's beginning */
	size_t at, len; /* the current instruction */
};

/* Of at most the first upto bytes, which are also what is read of a function without size. Nothing
 * is to be freed when insns_next() is called until it returns false. */
struct insns insns_of(struct object *o, const struct object_sym *sym, uint64_t upto);
/* Moves to the next instruction, the first one at first. False after the last. */
bool insns_next(struct insns *in);

/* An instruction that ends the function. */
struct code_return {
	uint64_t addr;
	/* a jump to another function, which returns in place of this one: the result is not known
	 * yet */
	bool is_jump;
};

struct code_returns {
	VEC(struct code_return) v; /* in the order of the addresses, those of cold parts last */
	/* There are no others: each instruction could be decoded, and it is known where each jump
	 * leads. */
	bool complete;
	bool jumps; /* at least one is a jump */
};

/*
 * The cold parts (NAME.cold) that the compiler moved out of functions, by the names of these; what
 * two functions of one name have is left out. To be freed with hash_free(), before the object.
 */
void code_cold_parts(struct object *o, struct hash *parts);

/*
 * Where a function returns, its cold parts included: that of parts, for one that only exceptions
 * reach has no jump to it, and those that it jumps to. On machines that dt has no file for
 * (libdt/base/machine/) there are none, and they are not complete. To be freed with
 * vec_free(&r->v).
 */
void code_returns(struct object *o, const struct object_sym *sym, const struct hash *parts,
		  struct code_returns *r);

#endif
