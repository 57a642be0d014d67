/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to lex.l, parse.y and their helpers. */
#ifndef DT_SCAN_H
#define DT_SCAN_H

#include "grammar/node.h"

/* Parentheses, brackets and braces open at once, and modifiers of one declarator. */
#define NEST_MAX 512
#define MODIFIERS_MAX 256

struct node_list {
	struct node *head, *tail;
};

/* A word: its token, so that words of one class can share a rule, its name, and the module of
 * mod`name. */
struct token {
	int kind;
	const char *name, *module;
	struct node *attributes; /* "struct __attribute__((packed))": an N_SPEC; NULL */
};

/* Where in a program the lexer is. */
enum context {
	CTX_TOP,    /* a declaration or a clause may begin */
	CTX_LIST,   /* after a comma between probe descriptions */
	CTX_PROBES, /* after a probe description */
	CTX_PRED,   /* in a predicate */
	CTX_BODY,   /* in the body of a clause */
	CTX_DECL,   /* in a declaration, inline, translator or provider */
};

/* The attributes at hand, "__attribute__((packed, aligned(8)))". */
struct attribute {
	uint32_t at, end; /* what is to be read of them; end 0: there were none */
	int depth;	  /* parentheses open at that place */
	uint32_t next;	  /* where the token of the next one ends; 0: it is not known */
	int token;	  /* of the next one; 0: none counts */
	bool open;	  /* the parser reads its argument */
	int paren;	  /* of the lexer, in front of it */
	int prev, prev2;
	bool seen_type;
};

/* What "#pragma pack(push)" keeps. */
struct pack {
	struct pack *before;
	uint32_t value;
};

struct lexer {
	void *scanner;
	uint32_t pos;		    /* of the token being read */
	uint32_t item, item_before; /* where the last two declarations or clauses begin */
	enum context ctx;
	int prev, prev2; /* the last two tokens */
	int pending;	 /* token to return before reading on */
	int paren;	 /* open ( and [ */
	/* a bit for each that is container_of's, until the comma in front of its type is
	 * passed */
	uint64_t of_parens;
	int brace;
	bool seen_type;	 /* the declaration at hand has its type: the next word is a name */
	bool after_star; /* and its qualifiers */
	bool in_enum;
	bool in_xlator;
	bool in_provider;
	bool code;	 /* in CTX_DECL: after "=", in a body of enumerators or of a translator */
	bool force_type; /* the next word was recognised as a type */
	bool system;	 /* the lines at hand are of a system's header, as cpp says */
	int skipped;	 /* open braces of the function that is being skipped */
	struct attribute attribute;
	uint32_t pack; /* of "#pragma pack"; 0: there is none */
	struct pack *pushed;
	struct node_list pragmas;
};

/* Of the innermost one; of more than 64 levels some share a bit, and only "struct x" is then known
 * to be a type. */
static inline uint64_t scan_paren_bit(const struct lexer *lx)
{
	return (uint64_t)1 << (lx->paren & 63);
}

/* lex.l */
void lex_begin(struct parse *p);

/* scan.c: text to values. s need not end; len does. */
/* A place in the text of the parse. */
struct loc scan_loc(struct parse *p, uint32_t off, uint32_t len);
struct node *scan_int(struct parse *p, struct loc loc, const char *s, size_t len);
/* A constant in floating point: its value has the bits of a double. */
struct node *scan_float(struct parse *p, struct loc loc, const char *s, size_t len);
struct node *scan_char(struct parse *p, struct loc loc, const char *s, size_t len);
struct node *scan_string(struct parse *p, struct loc loc, const char *s, size_t len);
struct node *scan_pdesc(struct parse *p, struct loc loc, const char *s, size_t len);
/* The text of a macro variable, without its $; NULL means a missing argument that defaultargs
 * allows. */
const char *scan_macro(struct parse *p, struct loc loc, const char *name, size_t len);
/* A macro in an expression whose text is a number, maybe negative. */
struct node *scan_macro_int(struct parse *p, struct loc loc, const char *text);
/* One whose text is neither a number nor a name: a string, without the double quotes around it. */
struct node *scan_macro_string(struct parse *p, struct loc loc, const char *text);
/* Expands the macro variables in a text. */
const char *scan_expand(struct parse *p, struct loc loc, const char *s, size_t len);
bool scan_is_ident(const char *s);
bool scan_is_int(const char *s);

/* lookahead.c: decisions that need to look ahead. */
size_t look_ident(const char *s);
/* The end of the string, character constant or comment that begins at s; s where none does. A
 * string that its line does not close is only the quote. */
const char *look_quoted(const char *s, const char *end);
/* const, volatile, restrict, userland */
bool look_qualifier(int token);
/* Whether c may stand in a name. */
bool look_ident_char(char c);
size_t look_pdesc(const char *s, size_t max);
/* The token of the next attribute that counts in a list of them up to end, and where the token
 * ends: for W_ALIGNED at the argument's parenthesis. 0: none; depth counts parentheses, from 0. */
int look_attribute(const char **s, const char *end, int *depth);
bool look_decl(struct parse *p, const char *s);
bool look_end_of_predicate(const char *s);
/* Whether a word that is no keyword, with the text after it, is a type here. */
bool look_type(struct parse *p, const char *name, const char *rest);
/* A name that the script has declared at its top. */
void look_declared(struct parse *p, const char *name, bool is_type);

/* pragma.c: one line that begins with #, without its newline. cpp's markers are noted in the
 * lexer. */
void pragma_line(struct parse *p, uint32_t off, const char *s, size_t len);

/* keyword.c: the token of a keyword, 0 when it is none. */
int keyword_token(const char *s, size_t len);
bool keyword_starts_decl(const char *s, size_t len);
/* The n-th keyword, or NULL; reserved: one that means nothing in D. */
const char *keyword_nth(int n, bool *reserved);

/* declarator.c: specifiers and declarators. */
struct node *spec_word(struct parse *p, struct loc loc, const struct token *tok);
/* __attribute__((packed)), aligned(align): of the type that a body is about, else of what is
 * declared. align may be NULL: what suits every type. */
struct node *spec_attribute(struct parse *p, struct loc loc, const struct token *tok,
			    struct node *align);
struct node *spec_tagged(struct parse *p, struct loc loc, const struct token *keyword,
			 const struct token *tag, const struct node_list *body);
struct node *spec_join(struct parse *p, struct node *spec, struct node *more, struct loc loc);
struct node *decl_new(struct parse *p, struct loc loc, struct node *spec, struct node *list);
struct node *decl_member(struct parse *p, struct loc loc, struct node *spec, struct node *list);
struct node *decl_declarator(struct parse *p, struct loc loc, struct node *spec,
			     struct node *decltor);
struct node *decl_param(struct parse *p, struct loc loc, struct node *spec, struct node *decltor);
/* Reports a name of the kernel's where a declared one must stand. */
_Noreturn struct node *decl_scoped(struct parse *p, const struct node *kernel);
/* A declarator with the attribute, which spec_attribute() made, after it. */
struct node *decl_attribute(struct parse *p, struct node *decltor, const struct node *attribute);
/* The modifiers; decltor may be NULL for an abstract one. */
struct node *decl_array(struct parse *p, struct loc loc, struct node *decltor, struct node *size);
struct node *decl_assoc(struct parse *p, struct loc loc, struct node *decltor, struct node *keys);
struct node *decl_pointer(struct parse *p, struct loc loc, unsigned quals, struct node *decltor);
struct node *decl_function(struct parse *p, struct loc loc, struct node *decltor,
			   struct node *params, bool varargs);

/* node.c */
void list_add(struct node_list *l, struct node *n);
/* Notes and bounds the depth of a node whose children are in place. Returns it. */
struct node *node_done(struct parse *p, struct node *n);
struct node *node_op(struct parse *p, struct loc loc, enum node_kind kind, enum op op,
		     struct node *a, struct node *b);

/* The source spelling of a declarator. */
void node_put_type(struct strbuf *sb, const struct node *decltor);

_Noreturn void parse_syntax(struct parse *p, struct loc loc);
_Noreturn void parse_too_deep(struct parse *p, struct loc loc);

#endif
