/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random D programs that are right, and what they print. The generator runs a model of D while it
 * writes: it knows each value that it writes an expression for.
 *
 * dgen.c has the statements and the program, dgen_num.c numbers, dgen_str.c strings, dgen_var.c
 * variables and keys.
 */
#ifndef DGEN_H
#define DGEN_H

#include "libdt/base/mem.h"

/*
 * The program of a seed. $1 is the process that calls getppid() once, by syscall(2), when tracing
 * goes on. After the line "=aggs" the order of what is printed is not known. text and want are
 * malloced.
 */
void dgen(uint64_t seed, char **text, char **want);

enum { I8, U8, I16, U16, I32, U32, I64, U64, NTYPES, STR = NTYPES };
enum { MAX_COLS = 4 };

/* A number that was written: its type, its value extended to 64 bits, how tightly its text
 * binds. */
struct num {
	int type;
	int64_t v;
	int prec;
	bool constant; /* may have been folded */
	bool wide;     /* may have 64 bits: an operation on ints; not below zero then */
};

/* A value of either kind; text NULL: the string NULL. */
struct val {
	int64_t num;
	const char *text;
};

/* In one statement a variable is either written once or read. */
struct use {
	unsigned read, written;
};

struct var {
	const char *name;
	int type, bits; /* bits: of a bit-field, or 0 */
	bool clause_local, set, global, member;
	struct val val;
	struct use use;
};

struct key {
	struct val v[MAX_COLS];
};

struct elem {
	struct key key;
	struct val val;
	int64_t count, sum, min, max; /* of aggregations */
};

/* An associative array or an aggregation. */
struct table {
	const char *name;
	int type, func, ncols, cols[MAX_COLS];
	struct use use;
	VEC(struct elem) elems;
};

struct dgen {
	struct arena *mem;
	uint64_t rng;
	struct strbuf d, out, want; /* the program; what the clause and what the program print */
	int dead;		    /* in code that is not run */
	unsigned stmt;		    /* number of the statement */
	int depth, budget;	    /* of expressions: how deep, how many in the statement */
	int names;
	uint32_t strsize;
	bool big;
	VEC(struct var *) vars;
	VEC(struct table *) arrays;
	VEC(struct table *) aggs;
	const char *tok;      /* what strtok() cuts */
	unsigned tok_stmt;    /* the statement with the last strtok() */
	const char *probe[4]; /* names of the probe that fires */
	bool faulted;
	/* strings without a value that were read: how many; and where the last one was written */
	int nunset;
	size_t unset_begin, unset_end;
};

/* A global string that was never assigned is "", but equal to NULL, too. */
static inline bool dgen_unset(const struct var *v)
{
	return v->global && !v->set;
}

/* dgen.c */
unsigned dgen_pick(struct dgen *g, unsigned n); /* below n */
bool dgen_chance(struct dgen *g, unsigned percent);
void dgen_put(struct dgen *g, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Puts text around what was written since at. */
void dgen_wrap(struct dgen *g, size_t at, const char *before, const char *after);
static inline bool dgen_live(const struct dgen *g)
{
	return !g->dead;
}

/* dgen_num.c */
extern const char *const dgen_types[NTYPES][4];
int dgen_size(int type);
bool dgen_signed(int type);
int64_t dgen_fit(int type, int64_t v);
struct num dgen_num(struct dgen *g, int depth);
/* As an operand of something that binds as tightly as prec. */
struct num dgen_operand(struct dgen *g, int depth, int prec);
/* An expression of that type and value. */
void dgen_exact(struct dgen *g, int type, int64_t v, int depth);
/* "x = ..." in one of its forms; the type and value of x. bits: as a statement of its own. */
struct num dgen_assign(struct dgen *g, int depth, bool statement);

/* dgen_str.c: the text, NULL only where that is allowed. */
const char *dgen_str(struct dgen *g, int depth, bool null_too);
struct num dgen_str_number(struct dgen *g, int depth);

/* dgen_var.c */
void dgen_declare(struct dgen *g);
const char *dgen_name(struct dgen *g, const char *prefix);
struct var *dgen_var_new(struct dgen *g, const char *name, int type);
/* A variable of strings or of numbers to read or to write; NULL: there is none now. */
struct var *dgen_var_read(struct dgen *g, bool string);
struct var *dgen_var_write(struct dgen *g, bool string, bool bits);
struct table *dgen_array(struct dgen *g, bool string, bool write);
/* Writes "[key, ...]" with values of the columns; a key that is there already is preferred. */
struct key dgen_key(struct dgen *g, const struct table *t, int depth);
struct elem *dgen_elem(struct dgen *g, struct table *t, const struct key *k, bool make);
struct table *dgen_table_new(struct dgen *g, const char *name, int type, int ncols);

#endif
