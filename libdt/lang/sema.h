/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Semantic analysis: names get meanings, expressions types, sugar goes. Afterwards these nodes
 * remain (and gen.c has one short function for each):
 *
 *	N_INT N_STR			constants
 *	N_IDENT				sym: a variable; or ref: a struct def of kind DEF_VAR; or
 *					scope SCOPE_KERNEL, aux = address
 *	N_INDEX				sym: element of an associative array, list = keys,
 *					converted to the key's types;
 *					otherwise a = pointer or array, b = index: element of it
 *	N_MEMBER			a = struct lvalue (op OP_DOT) or pointer (OP_ARROW), aux =
 *					byte offset, and for
 *					bit-fields flags NF_BITFIELD, aux2 = bit offset in low and
 *					width in high half
 *	N_CALL				ref: a def; list = arguments, converted to the prototype's
 *					types
 *	N_UNARY N_BINARY N_COND N_COMMA	operands converted to one type as C's rules say
 *	N_ASSIGN			a = lvalue or aggregation; compound ones keep their op
 *	N_CAST				integer, pointer and string conversions, explicit and
 *					implied
 *	N_STRINGOF			a = pointer or char array: its text
 *	N_XLATE				a = what is translated, ref = struct xlator: only under an
 *					N_MEMBER that is being typed
 *	N_EXPR N_IF N_BLOCK		statements
 */
#ifndef DT_SEMA_H
#define DT_SEMA_H

#include "libdt/lang/clause.h"
#include "libdt/lang/def.h"
#include "libdt/lang/sym.h"
#include "libdt/opt.h"
#include "libdt/provider/probe.h"

enum node_flag {
	NF_BITFIELD = 1,
	NF_VOID_CONTEXT = 2, /* the value is not used */
	NF_REPLACED = 4,     /* a check put something else in its place: a */
	NF_BUSY = 8,	     /* a translator's member that is being expanded */
	NF_BELOW = 32,	     /* an argument of what the probe is seen through */
	/* a function's value where a statement stands: it is recorded and printed */
	NF_ACTION = 16,
	NF_NAME = 256,	/* text that a translator or inline of the library makes of a name */
	NF_DEPTH = 128, /* N_MEMBER: how many frames the stack has */
	NF_FROM = 512,	/* N_CALL: of substr( ), made of string + int */
	/* kernel symbol of which each CPU has its own; aux2 = address of __per_cpu_offset, or
	 * 0 */
	NF_PERCPU = 64,
};

/* What a clause has done so far, as far as it matters to what may follow: see spec_order.c. */
struct order {
	unsigned all;	 /* on the way to here */
	unsigned branch; /* in this branch */
};

/* One that the program has: of what variable, and in which clause. */
struct assignment {
	const struct node *variable; /* N_IDENT */
	const struct node *node;
	const struct node *clause;
	int next;   /* number of the next one to the same variable, or -1 */
	bool tried; /* for the type that is being inferred */
};

struct sema {
	struct arena *arena;
	struct arena *trees; /* of nodes: a part of the arena, until tracing has begun */
	struct diag *diag;
	struct types *types;
	struct probes *probes;
	struct feats *feats;
	struct opts *opts;
	struct syms_of_script *syms;
	struct syms *ksyms; /* the kernel's symbols */
	const struct builtins *builtins;
	/* a symbol whose address the kernel hides: such a script can only be compiled */
	const char *hidden;
	struct parse *parse;	      /* for node_new */
	struct clause *clause;	      /* the one at hand, or NULL in declarations */
	const struct node *statement; /* of the clause: the last one whose analysis has begun */
	struct decl_env decl_env;
	struct order order;
	struct undo *undo;		      /* of the innermost attempt under way, or NULL */
	uint32_t attempt;		      /* its number, or 0 */
	VEC(struct assignment) assignments;   /* of the whole program at hand, in its order */
	struct hash assigned[SCOPE_THIS + 1]; /* name -> number of its first assignment + 1 */
	/* the variable that an error is about, as it is assigned nowhere yet */
	const struct node *unknown;
	/* text of clauses that have syntax errors, which may assign more, and names of variables
	 * whose types depend on them; or NULL */
	const char *unparsed;
	const char
	    *undeclared; /* names that declarations with errors would have declared, or NULL */
	bool infers;	 /* such a variable gets the type of an assignment that is analysed later */
	bool inferring;
	/* after an error: what makes an aggregation may be in a clause that has one */
	bool recovers;
	int cond_depth; /* inside something that may be skipped */
	int expr_depth; /* guards recursion */
	int vouched;	/* inside inlines whose stability is declared */
	bool in_pred;
	bool in_library;	 /* a file of the D library is being read */
	bool kernel_unavailable; /* the error is about a member that the kernel's type has not */
	bool own_library;	 /* one of the user's own, of -L */
	bool trying;		 /* for exists(): errors are not reported */
	struct library *library;
	/* whose arguments are meant; NULL: those of all the clause's probes */
	struct probe *at_hand;
	bool below;		 /* it is what a probe of the clause is seen through */
	struct loc use;		 /* inside an inline or translator: where the program uses it */
	uint32_t cloned;	 /* nodes that inlines and translators made */
	bool net_sysstats;	 /* and those of the network are among them */
	bool sysstats;		 /* dt_sysstat() is called: dtrace keeps them up to date */
	const char *destructive; /* the first destructive function that is called, or NULL */
	uint32_t strsize;
};

void sema_init(struct sema *s, struct arena *a, struct diag *d, struct types *types,
	       struct probes *probes, struct feats *feats, struct opts *opts,
	       struct syms_of_script *syms);
/* The items of a program whose clauses will be analysed. */
void sema_note_assignments(struct sema *s, struct node *items);
void sema_forget_assignments(struct sema *s);
/*
 * Analyses a clause whose probes are matched. False: it uses a variable that another clause of
 * the program assigns, which must be analysed before. With last it makes do with what it can see
 * of that clause.
 */
bool sema_clause(struct sema *s, struct clause *c, bool last);

/* For the checks of defs: */
/* Types an expression; the result may be another node. */
struct node *sema_expr(struct sema *s, struct node *n);
/* Whether an expression can be typed here, and its type (NULL: void); nothing of it stays, and
 * the tree must not be used any more. */
bool sema_try(struct sema *s, struct node *n, const struct type **type);
/* Takes over -x strsize; false when types depend on another size already. */
bool sema_set_strsize(struct sema *s);
/* Applies -x nspid to a list of expressions that are printed or keys, before sema_expr() of them:
 * replaces pid and tid. */
void sema_printed(struct sema *s, struct node *list);
/* A constant integer expression's value, or an error with this tag and text. */
int64_t sema_const(struct sema *s, struct node *n, enum tag tag, const char *what);
bool sema_is_const(const struct node *n);
struct node *sema_convert(struct sema *s, struct node *n, const struct type *to);
_Noreturn void sema_die(struct sema *s, enum tag tag, const struct node *n, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* The most bytes, NUL included, that a string expression can have. */
uint32_t sema_bound(struct sema *s, struct node *n);
/* Whose text a string expression is. */
enum text_origin sema_text_origin(const struct node *n);
/* What the library makes of a structure is a name where it is text. */
void sema_mark_name(struct node *n);
/* The n-th argument of a call, 0 the first; NULL when it is missing. */
struct node *call_arg(struct node *call, int n);

const char *sema_type_text(struct sema *s, const struct type *t);
struct node *sema_int(struct sema *s, const struct node *at, int64_t value,
		      const struct type *type);
/* Is it NULL, by that name and without a cast? */
bool sema_is_null(const struct node *n);
struct node *sema_effect(struct sema *s, struct node *n);
/* Gives the node a number by which a fault in it names its place. */
void sema_site(struct sema *s, struct node *n);
/* The same for a string that is recorded or a key: where NULL is a fault. */
void sema_string_site(struct sema *s, struct node *n);
/* One statement of a clause; s->statement is it then. */
void sema_statement(struct sema *s, struct node *n);
void sema_statements(struct sema *s, struct node *list);
/* Adds a check of a call, made after the clause's statements have types. */
void sema_check_late(struct sema *s, void (*check)(struct sema *s, struct node *n), struct node *n);

/* Adds an action to the clause's record; in conditional places it gets its byte. */
struct act *act_new(struct sema *s, struct node *call, const struct def *def);
/* Adds a recorded value of that type (strings: bound bytes) and returns its index. */
int act_record(struct sema *s, struct act *act, const struct type *type, uint32_t size);
/* Adds the value of an expression, and returns its index. */
int act_record_expr(struct sema *s, struct act *act, struct node *n);

#endif
