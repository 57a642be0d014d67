/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script declares: variables, aggregations, inlines; where each is stored. */
#ifndef DT_SYM_H
#define DT_SYM_H

#include <stdio.h>

#include "bpf/map.h"
#include "grammar/node.h"
#include "libdt/base/hash.h"
#include "libdt/emit/emit.h"
#include "libdt/image/aggr_maps.h"
#include "libdt/provider/probe.h"

enum sym_kind { SYM_VAR, SYM_ASSOC, SYM_AGG, SYM_INLINE };

/* The layout of a tuple in an associative array's or aggregation's key. */
struct tuple {
	struct aggr_col *cols;
	int n;
	uint32_t size; /* multiple of 8, after layout */
};

struct sym {
	const char *name;
	enum sym_kind kind;
	enum scope scope;
	/* a variable's; an element's; NULL until the first assignment or use */
	const struct type *type;
	struct loc loc; /* where first met */
	bool declared;	/* by a declaration: its type is fixed */
	bool assigned;
	bool
	    /* a value other than NULL was assigned: what a declared pointer is does not change
	     * any more */
	    settled;
	bool addressed;	  /* its address is taken */
	bool own;	  /* of the user's own text: a program, or a library file of -L */
	bool used;	  /* SYM_INLINE: something was made of it */
	bool library;	  /* the D library's: a program may declare the name as something else */
	uint32_t attempt; /* that saved it last: sema_try.c */

	/* SYM_VAR: offset of its storage in the globals' memory or in the thread's; for this->,
	 * strings and structs have an offset in the scratch slot and scalars a register (gen
	 * keeps those). */
	uint32_t off, size;
	int index; /* among those of its scope; of an aggregation, among all */

	/* SYM_ASSOC and keyed SYM_AGG */
	struct tuple key;
	struct map map; /* SYM_ASSOC */
	bool has_map;
	bool any_context; /* programs that run with interrupts disabled add or remove elements */
	bool fixed;	  /* and where its memory must be there from the start: plan/arrays.c */
	/* SYM_ASSOC: what is more; and where in the globals' memory it says that it is in use */
	struct map second;
	bool has_second;
	uint32_t second_off;

	/* SYM_AGG */
	const struct def *func;
	int64_t params[6];
	int nparams;
	bool keyed;
	int adds; /* statements that add to it */
	struct aggr_maps *counts;
	uint32_t init_off; /* of the fresh value in the literals' memory */

	/* SYM_INLINE */
	struct node *expr;
	struct node *parms; /* list of N_DECLTOR */
	struct node *decl;  /* its own declarator: type is NULL until the first use */
	bool busy;	    /* being expanded: recursion is an error */
};

struct sema;
struct xlator;
struct provdecl;

/* "#pragma D attributes a/b/c name", or binding: of whatever has the name, now or later. */
struct pragma_name {
	const char *name, *pragma;
	struct loc loc;
	bool has_attr;
	struct attr attr;
};

/* The symbols of a session: one table for each scope, and what storage they take. */
struct syms_of_script {
	struct hash table[3]; /* by enum scope: global, self, this */
	struct hash aggs;
	VEC(struct sym *) all; /* in order of first appearance */
	VEC(struct xlator *) xlators;
	VEC(struct provdecl *) providers; /* declared: "provider n { ... };" */
	VEC(struct pragma_name) pragmas;
	struct hash metrics; /* name of an aggregation -> struct metric_spec (consumer/metrics.h) */
	/* by sizeof and offsetof, of which nothing but a number is left */
	VEC(const struct type *) measured;
	struct var_storage storage;
	uint32_t this_size;
	uint32_t attempts; /* so far */
};

/* The aggregation of this index. */
struct sym *sym_agg_nth(const struct syms_of_script *ss, int index);
/* The variables of the programs as a table, when there are any: for -S. Of an aggregation the
 * size is its key's. */
void sym_list(const struct syms_of_script *ss, struct types *types, FILE *out);

/* sym_lookup: for uses; an undeclared plain name may be the D library's. */
struct sym *sym_lookup(struct sema *s, enum scope scope, const char *name);
struct sym *sym_find(struct sema *s, enum scope scope, const char *name);
struct sym *sym_add(struct sema *s, enum sym_kind kind, enum scope scope, const char *name,
		    struct loc loc);
struct node *sym_use(struct sema *s, struct node *n, struct sym *sym);
struct node *assoc_use(struct sema *s, struct node *n, struct sym *sym);
/* The left side of an assignment whose right side has this type: declares what is new. */
struct node *lvalue_for(struct sema *s, struct node *n, const struct type *type);
struct node *agg_assign(struct sema *s, struct node *n);
/* The name of an N_AGG as the program writes it: "@a", or "@". */
const char *sym_agg_name(struct sema *s, const struct node *n);
/* What D writes for an operation on an aggregation that is none of D's, as the end of a message; ""
 * when nothing is known to be right. */
const char *sym_count_hint(struct sema *s, const struct node *n);

/* A top-level item other than a clause: declarations, inlines, translators, providers, pragmas. */
void sema_item(struct sema *s, struct node *item);
/* After all clauses: fixes the layout of tuples and the storage of variables. */
void sema_finish(struct sema *s);
/* An argument that must name an aggregation. */
struct sym *sema_agg_arg(struct sema *s, struct node *call, int argn, enum tag tag);

#endif
