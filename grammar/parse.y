/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of D: C's expressions and declarations, and clauses around them.
 *
 * C's grammar is only free of conflicts when types and other names are distinct tokens, and D adds
 * probe descriptions, predicates between slashes, and a last statement without its semicolon. All
 * of that is decided by the lexer (lex.l, lookahead.c), which knows where it is without asking
 * the parser, so that one token of lookahead is never read in a wrong mode and nothing here needs
 * a conflict to be expected.
 *
 * Nothing is freed: nodes, the parser's stack and the scanner's buffers are in the arena, for an
 * error leaves through diag_die().
 */
%code requires {
#include "grammar/scan.h"
}

%code provides {
int yylex(YYSTYPE *val, struct loc *loc, struct parse *p);
}

%code {
#include <string.h>

#define YYMALLOC(size) arena_alloc(p->arena, (size))
#define YYFREE(mem) ((void)(mem))
#define YYMAXDEPTH 20000
#define YYLLOC_DEFAULT(to, rhs, n)                                                                 \
	do {                                                                                       \
		if (n) {                                                                           \
			(to) = loc_span(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n));                       \
		} else {                                                                           \
			(to) = YYRHSLOC(rhs, 0);                                                   \
			(to).off += (to).len;                                                      \
			(to).len = 0;                                                              \
		}                                                                                  \
	} while (0)

static void yyerror(struct loc *loc, struct parse *p, const char *msg)
{
	if (!strcmp(msg, "memory exhausted"))
		parse_too_deep(p, *loc);
	parse_syntax(p, *loc);
}

static struct node *name_node(struct parse *p, enum node_kind kind, struct loc loc,
			      const char *name)
{
	struct node *n = node_new(p, kind, loc);

	n->name = name;
	return n;
}

static struct node *ident(struct parse *p, struct loc loc, const char *name, enum scope scope)
{
	struct node *n = name_node(p, N_IDENT, loc, name);

	n->scope = scope;
	return n;
}

static struct node *unary(struct parse *p, struct loc loc, enum op op, struct node *a)
{
	return node_op(p, loc, N_UNARY, op, a, NULL);
}

static struct node *binary(struct parse *p, struct loc loc, struct node *a, enum op op,
			   struct node *b)
{
	return node_op(p, loc, N_BINARY, op, a, b);
}

static struct node *joined(struct parse *p, struct loc loc, const struct node *a,
			   const struct node *b)
{
	struct node *n = node_new(p, N_STR, loc);
	char *bytes = arena_alloc(p->arena, a->len + b->len + 1);

	memcpy(bytes, a->str, a->len);
	memcpy(bytes + a->len, b->str, b->len);
	n->str = bytes;
	n->len = a->len + b->len;
	return n;
}

/* @a[keys] is one node; everything else in front of brackets is indexed. */
static struct node *subscript(struct parse *p, struct loc loc, struct node *a, struct node *keys)
{
	struct node *n = a;

	if (a->kind != N_AGG || a->keyed || a->paren) {
		n = node_new(p, N_INDEX, loc);
		n->a = a;
	}
	n->loc = loc;
	n->keyed = n->kind == N_AGG;
	n->list = keys;
	return node_done(p, n);
}

static struct node *call(struct parse *p, struct loc loc, struct node *f, struct node *args)
{
	struct node *n = node_new(p, N_CALL, loc);

	if (f->kind == N_IDENT && f->scope == SCOPE_GLOBAL && !f->paren)
		n->name = f->name;
	else
		n->b = f;
	n->list = args;
	return node_done(p, n);
}

static struct node *member(struct parse *p, struct loc loc, struct node *a, enum op op,
			   const char *name)
{
	struct node *n = node_op(p, loc, N_MEMBER, op, a, NULL);

	n->name = name;
	return n;
}

static struct node *typed(struct parse *p, struct loc loc, enum node_kind kind, struct node *decl,
			  struct node *a)
{
	struct node *n = node_new(p, kind, loc);

	n->decl = decl;
	n->a = a;
	return node_done(p, n);
}

static struct node *block(struct parse *p, struct loc loc, struct node *list)
{
	struct node *n = node_new(p, N_BLOCK, loc);

	n->list = list;
	return node_done(p, n);
}

static struct node *branch(struct parse *p, struct loc loc, struct node *cond, struct node *yes,
			   struct node *no)
{
	struct node *n = node_new(p, N_IF, loc);

	n->a = cond;
	n->b = yes;
	n->c = no;
	return node_done(p, n);
}

static struct node *as_block(struct parse *p, struct node *stmt)
{
	return stmt->kind == N_BLOCK ? stmt : block(p, stmt->loc, stmt);
}

/* A block among statements has no scope of its own in D, so only its statements count. */
static void add_statement(struct node_list *l, struct node *stmt)
{
	struct node *next;

	if (stmt->kind != N_BLOCK) {
		list_add(l, stmt);
		return;
	}
	for (stmt = stmt->list; stmt; stmt = next) {
		next = stmt->next;
		stmt->next = NULL;
		list_add(l, stmt);
	}
}

/* The lexer made a semicolon out of "}": valid after an expression, not after "if (x)". */
static struct node *empty(struct parse *p, struct loc loc)
{
	if (loc.src->text[loc.off] == '}')
		parse_syntax(p, loc);
	return node_new(p, N_EMPTY, loc);
}

static struct node *clause(struct parse *p, struct loc loc, struct node *pdescs, struct node *pred,
			   struct node *body)
{
	struct node *n = node_new(p, N_CLAUSE, loc);

	n->list = pdescs;
	n->a = pred;
	n->b = body;
	return node_done(p, n);
}

static struct node *probe(struct parse *p, struct loc loc, const char *name, struct node *in,
			  struct node *out)
{
	struct node *n = name_node(p, N_PROBE, loc, name);

	n->list = in;
	n->list2 = out;
	return node_done(p, n);
}

static void set_optional(struct node *params)
{
	for (; params; params = params->next)
		params->is_macro = true;
}

/* A keyword with what an attribute after it says of the type. */
static struct token attributed(struct parse *p, struct loc loc, struct token keyword,
			       struct node *attribute)
{
	keyword.attributes = keyword.attributes ? spec_join(p, keyword.attributes, attribute, loc)
						: attribute;
	return keyword;
}

static struct node *xlator(struct parse *p, struct loc loc, struct node *out, struct node *in,
			   struct node *members)
{
	struct node *n = node_new(p, N_XLATOR, loc);

	n->decl = out;
	n->decl2 = in;
	n->name = in->name;
	n->list = members;
	return node_done(p, n);
}

/* Pragmas may stand anywhere, also inside clauses; in the program they come where their text
 * began. */
static struct node *program(struct parse *p, struct loc loc, struct node *items)
{
	struct node *pragmas = p->lexer->pragmas.head, **from;
	struct node_list all = {0};
	struct node *n = node_new(p, N_PROGRAM, loc);

	while (items || pragmas) {
		from = !items || (pragmas && pragmas->loc.off < items->loc.off) ? &pragmas : &items;
		n->a = *from;
		*from = n->a->next;
		n->a->next = NULL;
		list_add(&all, n->a);
	}
	n->a = NULL;
	n->list = all.head;
	return node_done(p, n);
}
}

%define api.pure full
%define api.location.type {struct loc}
%locations
%parse-param {struct parse *p}
%lex-param {struct parse *p}
%expect 0

%union {
	struct node *node;
	struct node_list list;
	struct token tok;
	enum op op;
	unsigned quals;
}

/* What to parse; the lexer returns one of them first. */
%token START_PROGRAM START_TYPE START_PROTOTYPE

%token <node> PDESC INT STR KERNEL
%token <tok> IDENT TYPE AGG
%token PRED_OPEN PRED_CLOSE

/* Words of declarations, whose token is the word. */
%token <tok> W_VOID W_CHAR W_SHORT W_INT W_INT128 W_LONG W_FLOAT W_DOUBLE
%token <tok> W_SIGNED W_UNSIGNED W_BOOL W_STRING
%token <tok> W_CONST W_VOLATILE W_RESTRICT W_USERLAND
%token <tok> W_AUTO W_EXTERN W_REGISTER W_STATIC W_TYPEDEF W_SELF W_THIS
%token <tok> W_STRUCT W_UNION W_ENUM
/* GNU C's attributes; others are skipped. W_ALIGNED has an argument. */
%token <tok> W_PACKED W_ALIGNED W_ALIGNED_MOST
%token W_INLINE W_TRANSLATOR W_PROVIDER W_PROBE
%token W_IF W_ELSE W_SIZEOF W_OFFSETOF W_CONTAINER_OF W_STRINGOF W_XLATE
/* Reserved, without a meaning. */
%token W_RESERVED

%token ARROW "->" INC "++" DEC "--" ELLIPSIS "..."
%token SHL "<<" SHR ">>" LE "<=" GE ">=" EQ "==" NE "!=" LAND "&&" LOR "||" LXOR "^^"
%token <op> ASSIGN_OP

%type <node> start item declaration inline translator provider probe clause predicate body xmember
%type <node> statement type_name declarator direct_declarator abstract direct_abstract param
%type <node> specs spec_item tagged attribute attributed_declarator
%type <node> member_decl member_declarator bit_field enumerator prototype
%type <node> proto_declarator
%type <node> in_decl proto_name
%type <node> primary string postfix unary cast mul add shift relational equality band bxor bor
%type <node> land lxor lor
%type <node> conditional assignment expression offset_path
%type <list> program items pdescs statements declarators member_decls member_declarators enumerators
%type <list> enum_list params params_opt args args_opt xmembers probes proto_item proto_list
%type <tok> word record enumeration
%type <op> unary_op
%type <quals> quals

%precedence THEN
%precedence W_ELSE

%%

start:
	START_PROGRAM program		{ p->result = program(p, @$, $2.head); $$ = NULL; }
|	START_TYPE type_name		{ p->result = $2; $$ = NULL; }
|	START_PROTOTYPE prototype	{ p->result = $2; $$ = NULL; }
;

program:
	items
;

items:
	%empty				{ $$ = (struct node_list){0}; }
|	items item			{ $$ = $1; list_add(&$$, $2); }
|	items ';'
;

item:
	declaration
|	inline
|	translator
|	provider
|	clause
;

/* Clauses */

clause:
	pdescs				{ $$ = clause(p, @$, $1.head, NULL, NULL); }
|	pdescs predicate		{ $$ = clause(p, @$, $1.head, $2, NULL); }
|	pdescs body			{ $$ = clause(p, @$, $1.head, NULL, $2); }
|	pdescs predicate body		{ $$ = clause(p, @$, $1.head, $2, $3); }
;

pdescs:
	PDESC				{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	pdescs ',' PDESC		{ $$ = $1; list_add(&$$, $3); }
;

predicate:
	PRED_OPEN expression PRED_CLOSE	{ $$ = $2; }
;

body:
	'{' statements '}'		{ $$ = block(p, @$, $2.head); }
;

statements:
	%empty				{ $$ = (struct node_list){0}; }
|	statements statement		{ $$ = $1; add_statement(&$$, $2); }
;

statement:
	';'				{ $$ = empty(p, @1); }
|	expression ';'			{ $$ = node_op(p, @1, N_EXPR, OP_NONE, $1, NULL); }
|	body
|	W_IF '(' expression ')' statement %prec THEN
					{ $$ = branch(p, @$, $3, as_block(p, $5), NULL); }
|	W_IF '(' expression ')' statement W_ELSE statement
					{
						$$ = branch(p, @$, $3, as_block(p, $5),
							as_block(p, $7));
					}
;

/* Expressions */

primary:
	IDENT				{ $$ = ident(p, @1, $1.name, SCOPE_GLOBAL); }
|	KERNEL
|	W_SELF "->" IDENT		{ $$ = ident(p, @$, $3.name, SCOPE_SELF); }
|	W_THIS "->" IDENT		{ $$ = ident(p, @$, $3.name, SCOPE_THIS); }
|	AGG				{ $$ = name_node(p, N_AGG, @1, $1.name); }
|	INT
|	string
|	'(' expression ')'		{ $$ = $2; $$->paren = true; }
;

/* As in C, those that stand side by side are one. */
string:
	STR
|	string STR			{ $$ = joined(p, @$, $1, $2); }
;

postfix:
	primary
|	postfix '[' args ']'		{ $$ = subscript(p, @$, $1, $3.head); }
|	postfix '(' args_opt ')'	{ $$ = call(p, @$, $1, $3.head); }
|	postfix '.' IDENT		{ $$ = member(p, @$, $1, OP_DOT, $3.name); }
|	postfix "->" IDENT		{ $$ = member(p, @$, $1, OP_ARROW, $3.name); }
|	postfix "++"			{ $$ = unary(p, @$, OP_POSTINC, $1); }
|	postfix "--"			{ $$ = unary(p, @$, OP_POSTDEC, $1); }
|	W_OFFSETOF '(' type_name ',' offset_path ')'
					{
						$$ = typed(p, @$, N_OFFSETOF, $3, $5);
						$$->name = $5->name;
					}
|	W_CONTAINER_OF '(' assignment ',' type_name ',' offset_path ')'
					{
						$$ = typed(p, @$, N_OFFSETOF, $5, $7);
						$$->name = $7->name;
						$$->b = $3;
					}
|	W_XLATE '<' type_name '>' '(' expression ')'
					{ $$ = typed(p, @$, N_XLATE, $3, $6); }
;

offset_path:
	IDENT				{ $$ = member(p, @$, NULL, OP_DOT, $1.name); }
|	offset_path '.' IDENT		{ $$ = member(p, @$, $1, OP_DOT, $3.name); }
|	offset_path '[' expression ']'	{ $$ = subscript(p, @$, $1, $3); }
;

args_opt:
	%empty				{ $$ = (struct node_list){0}; }
|	args
;

args:
	assignment			{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	args ',' assignment		{ $$ = $1; list_add(&$$, $3); }
;

unary:
	postfix
|	"++" unary			{ $$ = unary(p, @$, OP_PREINC, $2); }
|	"--" unary			{ $$ = unary(p, @$, OP_PREDEC, $2); }
|	unary_op cast			{ $$ = unary(p, @$, $1, $2); }
|	W_SIZEOF unary			{ $$ = typed(p, @$, N_SIZEOF, NULL, $2); }
|	W_SIZEOF '(' type_name ')'	{ $$ = typed(p, @$, N_SIZEOF, $3, NULL); }
|	W_STRINGOF cast			{ $$ = typed(p, @$, N_STRINGOF, NULL, $2); }
;

unary_op:
	'-'				{ $$ = OP_NEG; }
|	'+'				{ $$ = OP_PLUS; }
|	'~'				{ $$ = OP_NOT; }
|	'!'				{ $$ = OP_LNOT; }
|	'*'				{ $$ = OP_DEREF; }
|	'&'				{ $$ = OP_ADDR; }
;

cast:
	unary
|	'(' type_name ')' cast		{ $$ = typed(p, @$, N_CAST, $2, $4); }
;

mul:
	cast
|	mul '*' cast			{ $$ = binary(p, @$, $1, OP_MUL, $3); }
|	mul '/' cast			{ $$ = binary(p, @$, $1, OP_DIV, $3); }
|	mul '%' cast			{ $$ = binary(p, @$, $1, OP_MOD, $3); }
;

add:
	mul
|	add '+' mul			{ $$ = binary(p, @$, $1, OP_ADD, $3); }
|	add '-' mul			{ $$ = binary(p, @$, $1, OP_SUB, $3); }
;

shift:
	add
|	shift "<<" add			{ $$ = binary(p, @$, $1, OP_SHL, $3); }
|	shift ">>" add			{ $$ = binary(p, @$, $1, OP_SHR, $3); }
;

relational:
	shift
|	relational '<' shift		{ $$ = binary(p, @$, $1, OP_LT, $3); }
|	relational '>' shift		{ $$ = binary(p, @$, $1, OP_GT, $3); }
|	relational "<=" shift		{ $$ = binary(p, @$, $1, OP_LE, $3); }
|	relational ">=" shift		{ $$ = binary(p, @$, $1, OP_GE, $3); }
;

equality:
	relational
|	equality "==" relational	{ $$ = binary(p, @$, $1, OP_EQ, $3); }
|	equality "!=" relational	{ $$ = binary(p, @$, $1, OP_NE, $3); }
;

band:
	equality
|	band '&' equality		{ $$ = binary(p, @$, $1, OP_AND, $3); }
;

bxor:
	band
|	bxor '^' band			{ $$ = binary(p, @$, $1, OP_XOR, $3); }
;

bor:
	bxor
|	bor '|' bxor			{ $$ = binary(p, @$, $1, OP_OR, $3); }
;

land:
	bor
|	land "&&" bor			{ $$ = binary(p, @$, $1, OP_LAND, $3); }
;

lxor:
	land
|	lxor "^^" land			{ $$ = binary(p, @$, $1, OP_LXOR, $3); }
;

lor:
	lxor
|	lor "||" lxor			{ $$ = binary(p, @$, $1, OP_LOR, $3); }
;

/* As in C++, the last arm may be an assignment: "x ? @a = count() : @b = count()". */
conditional:
	lor
|	lor '?' expression ':' assignment
	{
		$$ = node_new(p, N_COND, @$);
		$$->a = $1;
		$$->b = $3;
		$$->c = $5;
		node_done(p, $$);
	}
;

assignment:
	conditional
|	unary '=' assignment		{ $$ = node_op(p, @$, N_ASSIGN, OP_NONE, $1, $3); }
|	unary ASSIGN_OP assignment	{ $$ = node_op(p, @$, N_ASSIGN, $2, $1, $3); }
;

expression:
	assignment
|	expression ',' assignment	{ $$ = node_op(p, @$, N_COMMA, OP_NONE, $1, $3); }
;

/* Declarations */

declaration:
	specs ';'			{ $$ = decl_new(p, @$, $1, NULL); }
|	specs declarators ';'		{ $$ = decl_new(p, @$, $1, $2.head); }
;

declarators:
	attributed_declarator		{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	declarators ',' attributed_declarator	{ $$ = $1; list_add(&$$, $3); }
;

attributed_declarator:
	declarator
|	attributed_declarator attribute	{ $$ = decl_attribute(p, $1, $2); }
;

attribute:
	W_PACKED			{ $$ = spec_attribute(p, @1, &$1, NULL); }
|	W_ALIGNED_MOST			{ $$ = spec_attribute(p, @1, &$1, NULL); }
|	W_ALIGNED '(' conditional ')'	{ $$ = spec_attribute(p, @1, &$1, $3); }
;

specs:
	spec_item
|	specs spec_item			{ $$ = spec_join(p, $1, $2, @2); }
;

spec_item:
	word				{ $$ = spec_word(p, @1, &$1); }
|	tagged
|	attribute
;

word:
	TYPE | W_VOID | W_CHAR | W_SHORT | W_INT | W_INT128 | W_LONG | W_FLOAT | W_DOUBLE
|	W_SIGNED | W_UNSIGNED
|	W_BOOL | W_STRING | W_CONST | W_VOLATILE | W_RESTRICT | W_USERLAND
|	W_AUTO | W_EXTERN | W_REGISTER | W_STATIC | W_TYPEDEF | W_SELF | W_THIS
;

tagged:
	record IDENT			{ $$ = spec_tagged(p, @$, &$1, &$2, NULL); }
|	record IDENT '{' member_decls '}'
					{ $$ = spec_tagged(p, @$, &$1, &$2, &$4); }
|	record '{' member_decls '}'	{ $$ = spec_tagged(p, @$, &$1, NULL, &$3); }
|	enumeration IDENT		{ $$ = spec_tagged(p, @$, &$1, &$2, NULL); }
|	enumeration IDENT '{' enum_list '}'
					{ $$ = spec_tagged(p, @$, &$1, &$2, &$4); }
|	enumeration '{' enum_list '}'	{ $$ = spec_tagged(p, @$, &$1, NULL, &$3); }
;

record:
	W_STRUCT
|	W_UNION
|	record attribute		{ $$ = attributed(p, @2, $1, $2); }
;

enumeration:
	W_ENUM
|	enumeration attribute		{ $$ = attributed(p, @2, $1, $2); }
;

member_decls:
	%empty				{ $$ = (struct node_list){0}; }
|	member_decls member_decl	{ $$ = $1; list_add(&$$, $2); }
|	member_decls ';'
;

member_decl:
	specs ';'			{ $$ = decl_member(p, @$, $1, NULL); }
|	specs member_declarators ';'	{ $$ = decl_member(p, @$, $1, $2.head); }
;

member_declarators:
	member_declarator		{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	member_declarators ',' member_declarator
					{ $$ = $1; list_add(&$$, $3); }
;

member_declarator:
	attributed_declarator
|	bit_field
;

bit_field:
	attributed_declarator ':' conditional	{ $$ = $1; $$->a = $3; }
|	':' conditional			{ $$ = node_new(p, N_DECLTOR, @$); $$->a = $2; }
|	bit_field attribute		{ $$ = decl_attribute(p, $1, $2); }
;

enum_list:
	enumerators
|	enumerators ','
;

enumerators:
	enumerator			{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	enumerators ',' enumerator	{ $$ = $1; list_add(&$$, $3); }
;

enumerator:
	IDENT				{ $$ = name_node(p, N_ENUMERATOR, @1, $1.name); }
|	IDENT '=' conditional
	{
		$$ = name_node(p, N_ENUMERATOR, @$, $1.name);
		$$->a = $3;
		node_done(p, $$);
	}
;

quals:
	%empty				{ $$ = 0; }
|	quals W_CONST			{ $$ = $1 | QUAL_CONST; }
|	quals W_VOLATILE		{ $$ = $1 | QUAL_VOLATILE; }
|	quals W_RESTRICT		{ $$ = $1 | QUAL_RESTRICT; }
|	quals W_USERLAND		{ $$ = $1 | QUAL_USERLAND; }
;

declarator:
	direct_declarator
|	'*' quals declarator		{ $$ = decl_pointer(p, @1, $2, $3); }
;

direct_declarator:
	IDENT				{ $$ = name_node(p, N_DECLTOR, @1, $1.name); }
|	KERNEL				{ $$ = decl_scoped(p, $1); }
|	'(' declarator ')'		{ $$ = $2; }
|	direct_declarator '[' ']'	{ $$ = decl_array(p, @2, $1, NULL); }
|	direct_declarator '[' conditional ']'
					{ $$ = decl_array(p, @2, $1, $3); }
|	direct_declarator '[' params ']'
					{ $$ = decl_assoc(p, @2, $1, $3.head); }
|	direct_declarator '(' params_opt ')'
					{ $$ = decl_function(p, @2, $1, $3.head, false); }
|	direct_declarator '(' params ',' "..." ')'
					{ $$ = decl_function(p, @2, $1, $3.head, true); }
|	direct_declarator '(' "..." ')'	{ $$ = decl_function(p, @2, $1, NULL, true); }
;

abstract:
	direct_abstract
|	'*' quals
					{
						$$ = decl_pointer(p, @1, $2, node_new(p,
							N_DECLTOR, @1));
					}
|	'*' quals abstract		{ $$ = decl_pointer(p, @1, $2, $3); }
;

direct_abstract:
	'(' abstract ')'		{ $$ = $2; }
|	'[' ']'				{ $$ = decl_array(p, @1, NULL, NULL); }
|	'[' conditional ']'		{ $$ = decl_array(p, @1, NULL, $2); }
|	'[' params ']'			{ $$ = decl_assoc(p, @1, NULL, $2.head); }
|	'(' params_opt ')'		{ $$ = decl_function(p, @1, NULL, $2.head, false); }
|	'(' params ',' "..." ')'	{ $$ = decl_function(p, @1, NULL, $2.head, true); }
|	direct_abstract '[' ']'		{ $$ = decl_array(p, @2, $1, NULL); }
|	direct_abstract '[' conditional ']'
					{ $$ = decl_array(p, @2, $1, $3); }
|	direct_abstract '[' params ']'	{ $$ = decl_assoc(p, @2, $1, $3.head); }
|	direct_abstract '(' params_opt ')'
					{ $$ = decl_function(p, @2, $1, $3.head, false); }
|	direct_abstract '(' params ',' "..." ')'
					{ $$ = decl_function(p, @2, $1, $3.head, true); }
;

type_name:
	specs				{ $$ = decl_declarator(p, @$, $1, NULL); }
|	specs abstract			{ $$ = decl_declarator(p, @$, $1, $2); }
;

params_opt:
	%empty				{ $$ = (struct node_list){0}; }
|	params
;

params:
	param				{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	params ',' param		{ $$ = $1; list_add(&$$, $3); }
;

param:
	specs				{ $$ = decl_param(p, @$, $1, NULL); }
|	specs declarator		{ $$ = decl_param(p, @$, $1, $2); }
|	specs abstract			{ $$ = decl_param(p, @$, $1, $2); }
;

/* D's own declarations */

inline:
	W_INLINE specs attributed_declarator '=' assignment ';'
	{
		$$ = typed(p, @$, N_INLINE, decl_declarator(p, @3, $2, $3), $5);
		$$->name = $3->name;
	}
;

translator:
	W_TRANSLATOR type_name '<' in_decl '>' '{' xmembers '}' ';'
					{ $$ = xlator(p, @$, $2, $4, $7.head); }
;

in_decl:
	specs declarator		{ $$ = decl_declarator(p, @$, $1, $2); }
;

xmembers:
	%empty				{ $$ = (struct node_list){0}; }
|	xmembers xmember		{ $$ = $1; list_add(&$$, $2); }
;

xmember:
	IDENT '=' assignment ';'
					{
						$$ = typed(p, @$, N_XMEMBER, NULL, $3);
						$$->name = $1.name;
					}
;

provider:
	W_PROVIDER IDENT '{' probes '}' ';'
	{
		$$ = name_node(p, N_PROVIDER, @$, $2.name);
		$$->list = $4.head;
		node_done(p, $$);
	}
;

probes:
	%empty				{ $$ = (struct node_list){0}; }
|	probes probe			{ $$ = $1; list_add(&$$, $2); }
;

probe:
	W_PROBE IDENT ';'		{ $$ = name_node(p, N_PROBE, @$, $2.name); }
|	W_PROBE IDENT '(' params_opt ')' ';'
					{ $$ = probe(p, @$, $2.name, $4.head, NULL); }
|	W_PROBE IDENT '(' params_opt ')' ':' '(' params_opt ')' ';'
					{
						$$ = probe(p, @$, $2.name, $4.head, $8.head);
						$$->keyed = true;
					}
|	W_PROBE IDENT '(' params_opt ':' params_opt ')' ';'
					{
						$$ = probe(p, @$, $2.name, $4.head, $6.head);
						$$->keyed = true;
					}
;

/* Prototypes in tables of functions: "string([char *], int base, [int, int], @, ...)" */

prototype:
	specs proto_declarator		{ $$ = decl_declarator(p, @$, $1, $2); }
;

proto_declarator:
	'*' quals proto_declarator	{ $$ = decl_pointer(p, @1, $2, $3); }
|	proto_name '(' ')'		{ $$ = decl_function(p, @2, $1, NULL, false); }
|	proto_name '(' proto_list ')'	{ $$ = decl_function(p, @2, $1, $3.head, false); }
|	proto_name '(' proto_list ',' "..." ')'
					{ $$ = decl_function(p, @2, $1, $3.head, true); }
|	proto_name '(' "..." ')'	{ $$ = decl_function(p, @2, $1, NULL, true); }
;

proto_name:
	%empty				{ $$ = NULL; }
|	IDENT				{ $$ = name_node(p, N_DECLTOR, @1, $1.name); }
;

proto_list:
	proto_item
|	proto_list ',' proto_item	{ $$ = $1; $$.tail->next = $3.head; $$.tail = $3.tail; }
;

proto_item:
	param				{ $$ = (struct node_list){0}; list_add(&$$, $1); }
|	'[' params ']'			{ $$ = $2; set_optional($2.head); }
;

%%

static struct node *parse(struct parse *p, int start)
{
	p->start = start;
	p->parsing = true;
	lex_begin(p);
	yyparse(p);
	p->parsing = false;
	return p->result;
}

struct node *parse_program(struct parse *p)
{
	return parse(p, START_PROGRAM);
}

struct node *parse_type(struct parse *p)
{
	return parse(p, START_TYPE);
}

struct node *parse_prototype(struct parse *p)
{
	return parse(p, START_PROTOTYPE);
}
