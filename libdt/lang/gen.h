/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code generation: typed trees to IR. One struct gen makes one program: a list of clauses for one
 * hook.
 *
 * Values. An integer or a pointer of D is a number in a register, extended to 64 bits as its type
 * says. What the verifier calls a pointer (context, map memory, record, scratch) is never a D
 * value: it is an address inside struct place or struct str, and gen_address() turns it into a
 * number where D asks for one.
 *
 * Strings are text in memory, laid out as bpf/rt.h says. An expression of type string is either
 * somewhere already (variable, literal) or is produced into a destination (struct str_dest), so
 * that copyinstr() as a printf argument is one helper call straight into the record.
 *
 * Faults. A check that fails jumps to a stub which loads the fault and its value and goes to the
 * end of the clause, where the record is discarded and an error record written; then the next
 * clause runs.
 */
#ifndef DT_GEN_H
#define DT_GEN_H

#include "libdt/emit/emit.h"
#include "libdt/lang/clause.h"
#include "libdt/lang/sema.h"

struct str {
	int ptr; /* register with a verifier pointer */
	int off;
	uint32_t bound;	 /* bytes that may be read from it; its size as a string with NUL */
	const char *lit; /* literal text, when it is one */
	uint32_t lit_len;
	bool is_null; /* the constant NULL */
	int slot_off; /* >= 0: it lies in the scratch slot at this offset */
};

struct str_dest {
	int ptr, off;	/* verifier pointer and offset */
	uint32_t bound; /* maximum size of the text with its NUL */
	/*
	 * Must follow the layout of bpf/rt.h (there are 8 bytes more after bound, rounded up to
	 * 8); otherwise only the text and its NUL are wanted (records, zeroed keys).
	 */
	bool padded;
	int slot_off; /* >= 0: lies in the scratch slot at this offset */
	bool
	    /* all of it is zero before text is put there, so nothing needs to be cleared after
	     * that */
	    zeroed;
	bool
	    /* NULL is a fault: it is recorded or a key, where nothing distinguishes it from "" */
	    no_null;
};

enum place_kind {
	PLACE_REG,  /* a this-> scalar: reg is it */
	PLACE_MEM,  /* verifier pointer reg + off */
	PLACE_ADDR, /* number reg + off: kernel or user memory; written only where it is scratch */
	PLACE_SELF, /* a word of the thread's variables, at off: functions read and write it */
	PLACE_NONE, /* nowhere: reads as zero */
};

struct place {
	enum place_kind kind;
	int reg;
	int64_t off;
	const struct type *type;
	unsigned space; /* of a number: as type_space() has it */
	/* bit-field when bits != 0; in packed structs it may end past its type's size */
	uint32_t bit_off, bits;
	struct sym *element; /* of this array, one of the thread's own; its key: */
	int key, key_off;
};

/* Where a struct, a stack, an array is. */
enum block_kind {
	BLOCK_MEM,    /* verifier pointer ptr + off */
	BLOCK_NUMBER, /* number ptr + off: kernel or user memory; reading it may fault */
	BLOCK_ZERO,
};

struct block {
	enum block_kind kind;
	int ptr;
	int64_t off;
	uint32_t size;
	unsigned space; /* of a number */
};

/*
 * The program for its clauses and probes. Returns the main function's IR; sleeps: it is one that
 * may sleep. spill, not of a program with parts: for what is too large otherwise. It is slower, but
 * its stack does not grow with the program, and as the verifier does not follow values through the
 * slot, paths that differ in nothing but a variable's value are one path to it.
 */
struct ir *gen_program(struct codegen *cg, struct program *pl, bool spill, bool *sleeps);

/* Expressions. */
int gen_expr(struct gen *g, struct node *n);	/* scalar value */
void gen_effect(struct gen *g, struct node *n); /* for its effects only */
/*
 * The register to test for a condition that no access relies on, such as those of D. In a program
 * of many clauses it is a copy, of which alone the verifier learns the outcome: values that live as
 * long as the firing (pid, arg0, this->x) are compared in many predicates, and it would follow each
 * of the values that they compare with through all later clauses.
 */
int gen_condition(struct gen *g, int r);
/* jump when truth of n == sense */
void gen_branch(struct gen *g, struct node *n, bool sense, int label);
struct place gen_place(struct gen *g, struct node *n); /* where an lvalue is */
int gen_load(struct gen *g, const struct place *p);
void gen_store(struct gen *g, const struct place *p, int value);
/* Address of an lvalue, array or struct as a number. */
int gen_addr_of(struct gen *g, struct node *n);

/* Of an N_CHOICE the tree for the probe at hand; other nodes as they are. */
struct node *gen_chosen(struct gen *g, struct node *n);
/* Strings. */
struct str gen_str(struct gen *g, struct node *n); /* somewhere in memory */
struct str gen_str_slot(struct gen *g,
			struct node *n); /* in the scratch slot (slot_off >= 0): for routines */
void gen_str_into(struct gen *g, struct node *n, const struct str_dest *d);
void gen_str_copy(struct gen *g, const struct str *s, const struct str_dest *d);
/* Reserves space for a string in the slot, until the end of the statement. */
struct str_dest gen_temp_str(struct gen *g);
/* Text at a number, in such a place, at most size bytes of it, NUL included (register of
 * 1..d->bound; -1: d->bound); a bad address faults. */
void gen_str_fetch(struct gen *g, int addr, unsigned space, int size, const struct str_dest *d);
/* After a helper that put n bytes (NUL included, in register len, 1 <= len <= bound) at d: pads
 * as d wants. */
void gen_str_padded(struct gen *g, const struct str_dest *d, int len);
void gen_str_null(struct gen *g, const struct str_dest *d); /* a fault where d may not be NULL */
/* Jumps to label when the string is NULL (a fault for most functions: see gen_str_check). */
void gen_str_is_null(struct gen *g, const struct str *s, int label);
/* Faults with FAULT_BADADDR 0 when the string is NULL. */
void gen_str_check(struct gen *g, const struct str *s);

/* Blocks: values in memory (gen_block.c). */
struct block gen_block(struct gen *g, struct node *n);
void gen_block_into(struct gen *g, struct node *n, int ptr, int64_t off, uint32_t size);
void gen_zero(struct gen *g, int ptr, int64_t off, uint32_t size);

/* Record fields (of the act in n->aux... set by act_new). */
struct act *gen_act(struct gen *g, struct node *call);
/* Evaluates an expression into recorded value i of the action. */
void gen_record(struct gen *g, const struct act *act, int i, struct node *n);
/* Marks an action as carried out, when it needs that. */
void gen_act_done(struct gen *g, const struct act *act);

#endif
