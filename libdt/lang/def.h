/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions: everything that has a name in D without being declared by a script. One row each,
 * beside its functions, in libdt/builtin/: a builtin variable, a subroutine, an action, an
 * aggregating function. Adding one means adding a row there, and nothing else.
 */
#ifndef DT_DEF_H
#define DT_DEF_H

#include "grammar/node.h"
#include "libdt/base/diag.h"
#include "libdt/type/type.h"

struct act;
struct block;
struct aggfunc;
struct consume;
struct gen;
struct ir;
struct codegen;
struct writer;
struct sema;
struct str_dest;

enum def_kind { DEF_VAR, DEF_SUB, DEF_ACT, DEF_AGG };

enum def_flag {
	DEF_DESTRUCTIVE = 1, /* only with -w */
	/* a string whose bytes are all written, zeroes after the text up to its bound */
	DEF_FILLS = 2,
	/* check gets the arguments as they are written and replaces the call */
	DEF_UNTYPED = 16,
	/* what its value means is the system's own business: Stable/Private/Common */
	DEF_PRIVATE = 8,
	/* a name that other systems do not have: a script may use it for a variable or an inline */
	DEF_YIELDS = 32,
	DEF_PRINTS = 64, /* its arguments, which may be constants in floating point */
	/* action that changes what is printed later, or the world: carried out in any case */
	DEF_CARRIED = 256,
	DEF_WRITES = 512, /* memory of the firing: of alloca(), or of clause-local variables */
	DEF_KEEPS = 1024, /* state for later calls, in other clauses, too */
	DEF_CLOCK = 2048, /* reads a clock, which stands still in a firing */
	DEF_TIME = 128,	  /* shows when the probe fired: what prints it is sorted */
	DEF_ARRAY =
	    /* variable that is used with a subscript (args[], uregs[]); check gets the N_INDEX */
	4,
};

struct def {
	const char *name;
	enum def_kind kind;
	/* A variable's type, or the prototype of a function; parsed when first used. */
	const char *proto;
	unsigned flags;
	/*
	 * Looks at a use once the arguments have types and fit the prototype; may set n->type,
	 * n->aux, and for an action adds what it records (act_new). NULL when the prototype says
	 * all.
	 */
	void (*check)(struct sema *s, struct node *n);
	/* Emits code; returns the register with the value (-1 for an action). For all but
	 * strings. */
	int (*gen)(struct gen *g, struct node *n);
	/* For results of type string: emits code that puts the text into dest. */
	void (*gen_str)(struct gen *g, struct node *n, const struct str_dest *dest);
	/* For results that are blocks: where the value is. */
	struct block (*gen_block)(struct gen *g, struct node *n);
	/* Strings: the most bytes the result can have, NUL included; NULL or 0: strsize. */
	uint32_t (*bound)(struct sema *s, struct node *n);
	/* Actions: what the consumer does when it meets one in a record. 0 or -errno. */
	int (*print)(struct consume *c, const struct act *act, const uint8_t *data);
	/* The same for programs to read (json, xml): adds to the action's object. NULL: print,
	 * and the recorded values by their types. */
	int (*write)(struct consume *c, const struct act *act, const uint8_t *data,
		     struct writer *w);
	/* Variables with subscripts: "name->member". */
	struct node *(*member)(struct sema *s, struct node *n);
	/* Aggregating functions: for each constant argument the tag of the error that it differs
	 * from another use. NULL: D_AGG_REDEF. */
	const enum tag *param_tags;
	/* Aggregating functions: DEF_AGG's gen emits the update of g->agg_value by the
	 * arguments. */
	const struct aggfunc *agg;
	const char *help; /* one line */
};

/* A function of D that Linux cannot have: a sentence on it, and of a destructive action its
 * prototype, as wrong uses of those have errors of their own. */
struct def_missing {
	const char *name, *why, *proto;
};

/* A routine that programs may call. */
struct def_routine {
	const char *name;
	struct ir *(*make)(struct codegen *cg);
};

/* What the compiler is given of them (libdt/builtin/def.c); tables end with a row without a
 * name. */
struct builtins {
	const struct def *const *tables; /* ends with NULL */
	const struct def_missing *missing;
	const struct def_routine *routines;
	/* Describes maps of theirs, before programs are made. */
	void (*describe_maps)(struct codegen *cg);
	/* When all programs are made. */
	void (*finish)(struct codegen *cg);
};

/* NULL when there is none of that name. */
const struct def *def_find(const struct builtins *b, const char *name);
const struct def_missing *def_missing(const struct builtins *b, const char *name);
/* Whether a builtin variable keeps scripts from having one of that name. */
bool def_reserves(const struct builtins *b, const char *name);
/* The nearest name, for "did you mean", or NULL; of functions only, if it is called. */
const char *def_similar(const struct builtins *b, const char *name, bool called);

const struct type *def_type(struct sema *s, const struct def *def);

#endif
