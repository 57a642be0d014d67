/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a D program. The grammar builds it and knows no types: names are names. Semantic
 * analysis (libdt/lang) fills in type, sym and ref, and rewrites nodes in place until the sugar
 * is gone.
 *
 * Children are in fixed places (a, b, c) or in lists chained by next. Nodes live until tracing has
 * begun, what they refer to as long as the session.
 */
#ifndef DT_NODE_H
#define DT_NODE_H

#include <stdbool.h>
#include <stdio.h>

#include "libdt/base/diag.h"
#include "libdt/base/mem.h"
#include "libdt/base/src.h"

enum node_kind {
	/* Expressions */
	N_INT,	 /* value; suffix gives the type of the literal; with is_float: lang/sema_float.c */
	N_STR,	 /* str, len: the bytes with escapes resolved; may contain NULs */
	N_IDENT, /* name, scope; for SCOPE_KERNEL also module (may be NULL): `name, mod`name */
	N_AGG,	 /* @name: name ("_" for @); list = keys or NULL; keyed: written as @a[] */
	N_INDEX, /* a[list] */
	/* name(list); a is NULL. b is set when a call of something else than a name: error in
	 * sema */
	N_CALL,
	N_MEMBER, /* a.name or a->name; op is '.' or OP_ARROW */
	/* op a: OP_NEG OP_PLUS OP_NOT OP_LNOT OP_DEREF OP_ADDR OP_PREINC OP_PREDEC OP_POSTINC
	 * OP_POSTDEC */
	N_UNARY,
	N_BINARY, /* a op b */
	N_ASSIGN, /* a op= b; op is OP_NONE for plain "=" */
	N_COND,	  /* a ? b : c */
	N_COMMA,  /* a, b */
	N_CAST,	  /* (decl) a */
	N_SIZEOF, /* a, or decl when a type was named */
	/* decl, name (a path such as "a.b[1].c" kept as nodes in a: N_MEMBER chain on a NULL
	 * base); b: container_of(b, decl, a) */
	N_OFFSETOF,
	N_STRINGOF, /* a */
	N_XLATE,    /* xlate <decl>(a) */
	N_CHOICE,   /* made by sema only: list = a tree for each probe of the clause */

	/* Statements; chained by next in a block */
	/* a; (a block within a block is spliced into it, so N_BLOCK is the body of a clause or an
	 * N_IF) */
	N_EXPR,
	N_IF,	 /* a, b = then (N_BLOCK), c = else (N_BLOCK or NULL) */
	N_BLOCK, /* list */
	N_EMPTY, /* ; */

	/* Top level; chained by next in a program */
	/* list of N_PDESC; a = predicate or NULL; b = N_BLOCK, or NULL when there is no body */
	N_CLAUSE,
	/* str = the text of one probe description, macros expanded; or has_id and value for a
	 * number */
	N_PDESC,
	N_DECL, /* a declaration: list of N_DECLTOR (NULL in "struct s {...};"); base = N_SPEC */
	/* inline decl = a; decl = N_DECLTOR; parameters are its first modifier, a MOD_ASSOC */
	N_INLINE,
	N_XLATOR,   /* translator decl < decl2 > { list of N_XMEMBER }; name = the name in decl2 */
	N_XMEMBER,  /* name = a; */
	N_PROVIDER, /* provider name { list of N_PROBE } */
	N_PROBE,    /* probe name(list) : (list2) of N_DECLTOR; keyed when the ':' was written */
	/* #pragma D name str: str is the rest of the line, trimmed; in the order of the text */
	N_PRAGMA,
	N_PROGRAM, /* list */

	/* Types, as written */
	/* declaration specifiers: quals, sign, size words, kind of base; see struct node; a = the
	 * alignment of a body or NULL, value = that of its members at most or 0, list2 =
	 * alignments of what is declared */
	N_SPEC,
	/* a declarator or abstract one: name (NULL if abstract), base = N_SPEC, list = modifiers,
	 * outermost first; a = a bit-field's width or NULL, list2 = alignments */
	N_DECLTOR,
	/* one modifier: op = MOD_PTR, MOD_ARRAY (a = size or NULL), MOD_ASSOC (list of N_DECLTOR
	 * keys), MOD_FUNC (list of N_DECLTOR, varargs) */
	N_MOD,
	N_ENUMERATOR, /* name, a = value or NULL */
};

enum op {
	OP_NONE,
	/* binary */
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_SHL,
	OP_SHR,
	OP_LAND,
	OP_LOR,
	OP_LXOR,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	/* unary */
	OP_NEG,
	OP_PLUS,
	OP_NOT,
	OP_LNOT,
	OP_DEREF,
	OP_ADDR,
	OP_PREINC,
	OP_PREDEC,
	OP_POSTINC,
	OP_POSTDEC,
	/* member */
	OP_DOT,
	OP_ARROW,
	/* modifiers of declarators */
	MOD_PTR,
	MOD_ARRAY,
	MOD_ASSOC,
	MOD_FUNC,
};

/* && || ^^ and comparisons: 0 or 1. */
static inline bool op_is_truth(enum op op)
{
	return op >= OP_LAND && op <= OP_GE;
}

enum scope {
	SCOPE_GLOBAL, /* a plain name */
	SCOPE_SELF,   /* self->name */
	SCOPE_THIS,   /* this->name */
	SCOPE_KERNEL, /* `name or module`name */
};

enum int_suffix { SUFFIX_NONE, SUFFIX_U, SUFFIX_L, SUFFIX_UL, SUFFIX_LL, SUFFIX_ULL };

/* N_SPEC: one of these is the base; SPEC_NAME covers typedef names (name, and module for
 * mod`name). */
enum spec_base {
	SPEC_INT, /* from sign/size words, also plain "int" and none at all */
	SPEC_CHAR,
	SPEC_INT128,
	SPEC_BOOL,
	SPEC_FLOAT,
	SPEC_DOUBLE,
	SPEC_VOID,
	SPEC_STRING,
	SPEC_NAME,
	/* name or NULL; has_body with members: list of N_DECL (their declarators may have bits in
	 * a) */
	SPEC_STRUCT,
	SPEC_UNION,
	SPEC_ENUM, /* list of N_ENUMERATOR */
};

enum storage {
	STORAGE_NONE,
	STORAGE_SELF,
	STORAGE_THIS,
	STORAGE_EXTERN,
	STORAGE_STATIC,
	STORAGE_TYPEDEF,
	STORAGE_AUTO,
	STORAGE_REGISTER
};
enum qual {
	QUAL_CONST = 1,
	QUAL_VOLATILE = 2,
	QUAL_RESTRICT = 4,
	QUAL_USERLAND = 8,
	QUAL_PACKED = 16,     /* what is declared */
	QUAL_PACKED_BODY = 32 /* the type of the body */
};

struct type;
struct sym;
struct lexer;
struct name_entry;

struct node {
	enum node_kind kind;
	enum op op;
	struct loc loc;
	struct node *next; /* in a list */

	struct node *a, *b, *c;
	/* arguments, keys, statements, members; list2: the second list where there are two */
	struct node *list, *list2;
	struct node *decl, *decl2; /* N_DECLTOR */
	struct node *base;	   /* N_SPEC */

	const char *name;
	const char *module;
	const char *str;
	uint32_t len;
	uint64_t value;
	enum scope scope;
	enum int_suffix suffix;
	bool keyed;	/* N_AGG: brackets were written; N_PROBE: a colon was */
	uint16_t depth; /* of the tree below; bounded, so that walking a tree may recurse */
	bool has_id;	/* N_PDESC: value is a probe number */
	bool is_float;	/* N_INT: a constant in floating point; value is a double's bits */
	bool is_char;	/* N_INT: from a character constant */
	bool decimal;	/* N_INT: written in decimal (decides its type, as in C) */
	bool is_macro;	/* N_INT, N_STR: from a macro argument */
	bool paren;	/* expression was in parentheses */

	/* N_SPEC */
	enum spec_base spec;
	enum storage storage;
	unsigned quals; /* enum qual; on N_SPEC, N_DECLTOR, and N_MOD of kind MOD_PTR */
	bool has_signed, has_unsigned, has_short, has_int;
	int longs; /* how many "long" */
	bool has_body;
	bool varargs; /* MOD_FUNC */

	/* Filled by semantic analysis; the grammar leaves them zero. */
	struct type *type;
	struct sym *sym;
	const void *ref;
	uint32_t flags;
	int site;    /* number of its place among the clause's places that can fault */
	int64_t aux; /* data that a def's check() passes to its gen() */
	int64_t aux2;
};

/*
 * One parse. The caller fills the first part; parse_program() returns the tree or does not return
 * (diag_die). is_type answers whether a name is a type, also "mod`name" and "`name" (the grammar
 * remembers the typedefs of the script itself); it is asked only where the text alone does not
 * suffice, as in "(x)-1". macro_arg returns the text of $N or of a named macro variable, NULL when
 * there is none (name is "1", "pid", "target", ...), and marks it as used, so that unused
 * arguments can be reported.
 */
struct parse {
	struct arena *arena;
	struct arena *trees; /* of the nodes; NULL: the same */
	struct diag *diag;
	const struct source *src;
	bool (*is_type)(void *arg, const char *name);
	const char *(*macro_arg)(void *arg, const char *name);
	void *arg;
	bool
	    /* the macro that is asked for stands in a text (of a description), not in an
	     * expression */
	    in_text;
	bool defaultargs; /* a missing $N is 0, a missing $$N is "" */
	/* "#pragma D option X" is passed on as it is parsed, because defaultargs must act at
	 * once; every other pragma becomes N_PRAGMA. May be NULL. */
	void (*pragma_option)(void *arg, struct loc loc, const char *text);

	/* the grammar's own */
	struct lexer *lexer;
	struct name_entry **declared; /* typedefs and variables */
	struct node *result;
	int start; /* what to parse: a token of parse.y */
	bool parsing;
	uint32_t nodes; /* that were made in parsing; the caller may begin with those of another */
};

/* A program is not larger: a node takes many times the memory of its text. */
#define PARSE_NODES_MAX 1000000

/* Trees are never deeper, whatever the script. */
#define NODE_DEPTH_MAX 1000

/* A whole program: N_PROGRAM. Never returns NULL. All memory is from the arenas. */
struct node *parse_program(struct parse *p);
enum removed { REMOVED_NONE, REMOVED_CLAUSE, REMOVED_DECL };
/*
 * After an error of parse_program(): overwrites with blanks the clause, declaration or pragma that
 * has it, in text, a copy of the source's. What remains can be parsed, by a struct parse whose
 * lexer, declared and result are NULL. REMOVED_NONE: there is no such item, and other errors would
 * probably be consequences.
 */
enum removed parse_without(struct parse *p, struct loc error, char *text);
/* The names that the text of a declaration has, not those of members; a blank follows each. */
const char *parse_names(struct arena *a, const char *text);
/* A type name such as "struct foo *" or "int [4]": N_DECLTOR. */
struct node *parse_type(struct parse *p);
/* A prototype "string(const char *, int, [int])", of tables of functions: N_DECLTOR whose first
 * modifier is MOD_FUNC; parameters in brackets have is_macro set (they are optional); "@" is
 * SPEC_NAME "@"; "..." sets varargs. */
struct node *parse_prototype(struct parse *p);

struct node *node_new(struct parse *p, enum node_kind kind, struct loc loc);
int node_count(const struct node *list);
const char *op_text(enum op op);
/* S-expression dump, for -x dump=tree and goldens; type_text names a type, given arg; may be
 * NULL. */
void node_dump(const struct node *n, FILE *out, int indent,
	       const char *(*type_text)(void *arg, const struct type *), void *arg);

#endif
