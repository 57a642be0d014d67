/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files sema_*.c offer to each other and to the checks of builtins, beside sema.h. */
#ifndef DT_SEMA_PARTS_H
#define DT_SEMA_PARTS_H

#include "libdt/lang/def.h"
#include "libdt/lang/provdecl.h"
#include "libdt/lang/sema.h"
#include "libdt/lang/sym.h"
#include "libdt/lang/xlate.h"

/* An expression used as a truth value: scalar, or a string (not NULL). */
struct node *sema_condition(struct sema *s, struct node *n);
/* Converts an argument to the type of a parameter: strings, integers, pointers. */
struct node *sema_convert_arg(struct sema *s, struct node *n, const struct type *to);

/* Is it text of the user's own, a program or a file of -L? */
static inline bool sema_is_own(const struct sema *s, struct loc loc)
{
	return s->own_library || (loc.src && loc.src->kind != SOURCE_LIBRARY);
}

/* sema_clause.c */
/* Is it a variable that nothing analysed so far declares or assigns? */
bool sema_is_unknown(struct sema *s, const struct node *ident);
/* Infers the type of one that an assignment of the program has; dies when that must be analysed
 * first. */
void sema_unknown(struct sema *s, const struct node *ident);
/* The text of clauses that have syntax errors; after sema_note_assignments(). */
void sema_set_unparsed(struct sema *s, const char *text);
/* After an error of syntax: the variable may have another type in the clause that has it. */
void sema_check_parsed(struct sema *s, const struct node *ident);
/* The operand of a unary operator: a name that means nothing is a variable of type int64_t. */
struct node *sema_operand(struct sema *s, struct node *n);
/* The left side of an assignment of NULL: a new variable has the type of another value that the
 * program assigns to it, or int. */
struct node *sema_null_lvalue(struct sema *s, struct node *n);

/* sema_try.c */
struct failure {
	const struct node *unknown; /* the variable that is not known yet; NULL: another error */
	enum tag tag;
	struct loc loc;
	const char *where; /* as in struct diag */
	bool kernel_unavailable;
	struct clause *clause;	      /* where the analysis was; NULL: in none */
	const struct node *statement; /* as in struct sema */
};
/* May a clause whose probes are known have no such error? */
bool sema_forgives(const struct failure *why);
/*
 * Calls fn(s, arg) as in a clause without probes, and undoes it. False when that ended with an
 * error, unless the cause may be that a probe, what another kernel has, or a thread's variable
 * is missing; why then describes the error, and s->diag has its message.
 */
bool sema_check(struct sema *s, void (*fn)(struct sema *s, void *arg), void *arg,
		struct failure *why);
/* Checks the inlines and translators of the user's own programs and library files that nothing
 * uses. Calls report for the first error of each inline and of each member of a translator, while
 * s->diag has its message; members that use the same inline have the same error. */
void sema_check_unused(struct sema *s, void (*report)(void *arg, const struct failure *why),
		       void *arg);
/* Calls fn(s, arg). False when that ended with an error: then nothing of it stays but changes of
 * the tree, and what why says. */
bool sema_attempt(struct sema *s, void (*fn)(struct sema *s, void *arg), void *arg,
		  struct failure *why);
/* Before analysis changes a symbol; looking it up does it. An attempt that fails makes it again
 * what it was. */
void sema_save_sym(struct sema *s, struct sym *sym);
/* After an error, which has ended the analysis anywhere: other items can be analysed, for errors
 * that they have of their own. */
void sema_recover(struct sema *s);

/* sema_clause.c */
/*
 * Analyses what an error in a clause has left: the statements after the one where the analysis
 * was (first), and the predicate. Calls report for the first error of each, unless it follows
 * from another: the message is in the struct diag. Probes are all the clause's probes known?
 */
void sema_rest(struct sema *s, struct clause *c, const struct failure *first, bool probes,
	       void (*report)(void *arg, const struct failure *why), void *arg);

/* undeclared.c: names that declarations with errors would have declared */
/* Those of a declaration. */
void undeclared_add(struct sema *s, const struct node *item);
/* Names, with a blank after each, of text that was not parsed; not those that are known. */
void undeclared_add_names(struct sema *s, const char *names);
/* And what declarations of the program, and its assignments, make of them. */
void undeclared_pass_on(struct sema *s, const struct node *items);
/* Does the text there use one of them? */
bool undeclared_used(const struct sema *s, struct loc loc);

/* sema_op.c */
struct node *sema_unary(struct sema *s, struct node *n);
struct node *sema_binary(struct sema *s, struct node *n);
/* + - * / % and the bits, of operands that are typed. */
struct node *sema_arith(struct sema *s, struct node *n);
struct node *sema_cond(struct sema *s, struct node *n);
/* The value of a constant cut to a type's size and sign. */
int64_t int_fit(const struct type *t, uint64_t size, int64_t v);
/* Applies an operator to constants of the type; false when it faults (division by zero). */
bool int_apply(enum op op, bool is_signed, int64_t a, int64_t b, int64_t *result);
/* Dies, with that tag, unless the operand of n is an integer. */
void sema_need_int(struct sema *s, const struct node *n, const struct node *operand, enum tag tag);
/* The distance of two places that such a pointer may point to; void * counts bytes, as in gcc. */
uint64_t sema_pointer_step(struct sema *s, const struct node *n, const struct node *ptr);
/* An integer times that. */
struct node *sema_scaled(struct sema *s, struct node *n, uint64_t size);

/* sema_assign.c */
struct node *sema_assign(struct sema *s, struct node *n);
struct node *sema_incdec(struct sema *s, struct node *n);

/* sema_convert.c */
struct node *sema_cast(struct sema *s, struct node *n);
/* The value as that scalar type, as a cast has it. */
struct node *sema_cast_to(struct sema *s, struct node *n, const struct type *to);
/* A value as a string: text that a pointer points to, the constant 0 as NULL. */
struct node *sema_to_string(struct sema *s, struct node *n);
/* In C an enumerator is an int where it fits, whatever its enum is. */
struct node *sema_enumerator_as_int(struct sema *s, struct node *n);
/* C's usual arithmetic conversions of two operands; D's integers without a declaration are wide,
 * and make the result so. */
const struct type *sema_arith_type(struct sema *s, const struct type *a, const struct type *b);
const struct type *sema_promoted(struct sema *s, const struct type *t);
/* May a value be assigned to something of that type? */
bool sema_assignable(const struct type *to, const struct node *from);
/* The constant 0, which is NULL where a pointer or a string is wanted. */
bool sema_is_zero(const struct node *n);
/* A string, or a pointer to characters. */
bool sema_is_text(const struct node *n);

/* sema_place.c */
struct node *sema_index(struct sema *s, struct node *n);
struct node *sema_member(struct sema *s, struct node *n);
struct node *sema_sizeof(struct sema *s, struct node *n);
struct node *sema_offsetof(struct sema *s, struct node *n);
/* Is it a member of a stack value, or a part of one? Such can only be read. */
bool sema_is_of_stack(const struct node *n);
/* n->name is none of the type's members: dies. */
_Noreturn void sema_no_member(struct sema *s, const struct node *n, const struct type *t);
/* An array becomes a pointer to its first element, as in C; other values stay. */
struct node *sema_decay(struct sema *s, struct node *n);
/* Its address is taken. */
void sema_addressed(struct sema *s, struct node *n);
/* Where the place lies that an expression means: as type_space() has it, 0 for what is no place. */
unsigned sema_space(const struct node *n);
/* Its type, when the place is one of a pointer, gets the same address space for its target. */
void sema_inherit_space(struct sema *s, struct node *n);

/* spec_order.c: die when something may not follow what came before in the clause */
void spec_order_action(struct sema *s, struct node *n, const struct def *def);
void spec_order_destructive(struct sema *s, struct node *n, const struct def *def);
void spec_order_aggregation(struct sema *s, struct node *call);
/* Around the branches of an if: before the first, between the two (with the result of
 * spec_order_branch), after them. */
struct order spec_order_branch(struct sema *s);
struct order spec_order_else(struct sema *s, struct order before);
void spec_order_join(struct sema *s, struct order first);

/* inline.c: a copy of a tree with arguments, trees too, where the parameters stand. */
struct subst {
	const char *name;   /* whose parameters */
	struct node *parms; /* list of N_DECLTOR */
	struct node *args;  /* as many */
};
struct node *sema_subst(struct sema *s, const struct subst *b, const struct node *n);
void inline_declare(struct sema *s, struct node *item);
/* Types the definition of an inline (struct sym) with variables for arguments. */
void inline_check(struct sema *s, void *sym);
struct node *inline_expand(struct sema *s, struct sym *sym, struct node *n);

/* sema_place.c */
/* string + int: the text from there on, as it is with a char *; and string + int - int. NULL: it
 * is no such sum. */
struct node *sema_text_from(struct sema *s, struct node *n);
/* sema_pragma.c */
/* Is the module or provider of a "#pragma D depends_on" there? True for other kinds. */
bool sema_depend_met(struct sema *s, const char *kind, const char *name);
void sema_pragma(struct sema *s, struct node *item);
/* A clause uses a name: its stability is no better than what a pragma says of that. False when
 * none says anything. */
bool pragma_use(struct sema *s, const struct node *n, const char *name);
/* Or than what is known of it. */
void attr_use(struct sema *s, const struct node *n, struct attr attr, const char *kind,
	      const char *name);
/* Pragmas of the program that name nothing. */
void pragma_finish(struct sema *s);
/* "Evolving/Evolving/Common"; false when it is not like that. */
bool attr_parse(const char *text, struct attr *attr);

/* sema_stable.c */
/* Is any probe of the clause another one, seen otherwise? Then its arguments are expressions of
 * the other's. */
bool stable_has(const struct sema *s);
/* Argument i in the place of n, of type want. */
struct node *stable_argument(struct sema *s, struct node *n, int64_t i, const struct type *want);
/* Dies unless it is of one type, seen through one translator, for all probes of the clause. */
void stable_same(struct sema *s, const struct node *n);
/* What must hold before the clause: an N_CHOICE, or NULL. */
struct node *stable_condition(struct sema *s, struct clause *c);
/* sema_float.c */
/* Of arguments, those that are constants in floating point may be; the others are refused when
 * they get their types. */
void sema_floats(struct sema *s, struct node **list);
_Noreturn void sema_float_refuse(struct sema *s, const struct node *n);
/* sema_kernel.c */
/* `name, typed; address: "&" stands in front, for which it need not have a type. A function is
 * its address. */
struct node *kernel_symbol(struct sema *s, struct node *n, bool address);
/* Of a symbol that was found: a script that has a hidden one can be compiled only. */
struct ksym;
void sema_note_hidden(struct sema *s, const char *module, const char *name, const struct ksym *k);
/* The inline that a kernel symbol of other systems stands for here, or NULL. */
struct sym *kernel_foreign(struct sema *s, const struct node *n);
/* Is it a variable of the kernel's, or a part of one? */
bool sema_is_kernel(const struct node *n);
#endif
