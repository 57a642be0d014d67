/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree as S-expressions: statements and what is above them take a line each, expressions are in
 * one line. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "grammar/scan.h"

struct dump {
	FILE *out;
	const char *(*type_text)(void *arg, const struct type *);
	void *arg;
};

static void expr(struct dump *d, const struct node *n);

static void put_quoted(struct dump *d, const char *s, size_t len)
{
	putc('"', d->out);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = s[i];

		if (c == '"' || c == '\\')
			fprintf(d->out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", d->out);
		else if (isprint(c))
			putc(c, d->out);
		else
			fprintf(d->out, "\\%03o", c);
	}
	putc('"', d->out);
}

static void put_type(struct dump *d, const struct node *decltor)
{
	struct strbuf sb = {0};

	node_put_type(&sb, decltor);
	put_quoted(d, sb_str(&sb), sb.len);
	sb_free(&sb);
}

/* The type that semantic analysis found. */
static void put_found(struct dump *d, const struct node *n)
{
	if (n->type && d->type_text)
		fprintf(d->out, " <%s>", d->type_text(d->arg, n->type));
}

static double node_double(const struct node *n)
{
	double v;

	memcpy(&v, &n->value, sizeof(v));
	return v;
}

static void put_int(struct dump *d, const struct node *n)
{
	static const char *const suffix[] = {"", "u", "l", "ul", "ll", "ull"};

	if (n->is_char || n->is_macro)
		fputs(n->is_char ? "(char " : "(macro ", d->out);
	if (n->is_float)
		fprintf(d->out, "%#.17g", node_double(n));
	else if (n->decimal)
		fprintf(d->out, "%" PRIu64 "%s", n->value, suffix[n->suffix]);
	else
		fprintf(d->out, "0x%" PRIx64 "%s", n->value, suffix[n->suffix]);
	if (n->is_char || n->is_macro)
		putc(')', d->out);
}

static void put_ident(struct dump *d, const struct node *n)
{
	static const char *const scope[] = {"", "self->", "this->", "`"};

	if (n->scope == SCOPE_KERNEL && n->module)
		fputs(n->module, d->out);
	fprintf(d->out, "%s%s", scope[n->scope], n->name ? n->name : "?");
}

static void list(struct dump *d, const struct node *n)
{
	for (; n; n = n->next) {
		putc(' ', d->out);
		expr(d, n);
	}
}

static void child(struct dump *d, const struct node *n)
{
	if (!n)
		return;
	putc(' ', d->out);
	expr(d, n);
}

static const char *unary_name(enum op op)
{
	switch (op) {
	case OP_NEG:
		return "neg";
	case OP_PLUS:
		return "plus";
	case OP_DEREF:
		return "deref";
	case OP_ADDR:
		return "addr";
	case OP_POSTINC:
		return "post++";
	case OP_POSTDEC:
		return "post--";
	default:
		return op_text(op);
	}
}

/* The word after the parenthesis of an expression. */
static void put_head(struct dump *d, const struct node *n)
{
	switch (n->kind) {
	case N_AGG:
		fprintf(d->out, "@ %s%s", n->name, n->keyed ? " []" : "");
		break;
	case N_INDEX:
		fputs("index", d->out);
		break;
	case N_CALL:
		fprintf(d->out, "call%s%s", n->name ? " " : "", n->name ? n->name : "");
		break;
	case N_UNARY:
		fputs(unary_name(n->op), d->out);
		break;
	case N_ASSIGN:
		fprintf(d->out, "%s=", op_text(n->op));
		break;
	case N_COND:
		putc('?', d->out);
		break;
	case N_COMMA:
		putc(',', d->out);
		break;
	case N_CAST:
		fputs("cast", d->out);
		break;
	case N_SIZEOF:
		fputs("sizeof", d->out);
		break;
	case N_OFFSETOF:
		fputs(n->b ? "container_of" : "offsetof", d->out);
		break;
	case N_STRINGOF:
		fputs("stringof", d->out);
		break;
	case N_XLATE:
		fputs("xlate", d->out);
		break;
	case N_CHOICE:
		fputs("choice", d->out);
		break;
	default:
		fputs(op_text(n->op), d->out);
	}
}

static void expr(struct dump *d, const struct node *n)
{
	bool typed = n->type && d->type_text && n->kind <= N_IDENT;

	if (typed)
		putc('(', d->out);
	switch (n->kind) {
	case N_INT:
		put_int(d, n);
		break;
	case N_STR:
		fputs(n->is_macro ? "(macro " : "", d->out);
		put_quoted(d, n->str ? n->str : "", n->len);
		fputs(n->is_macro ? ")" : "", d->out);
		break;
	case N_IDENT:
		put_ident(d, n);
		break;
	default:
		putc('(', d->out);
		put_head(d, n);
	}
	put_found(d, n);
	if (n->kind <= N_IDENT) {
		fputs(typed ? ")" : "", d->out);
		return;
	}
	if (n->decl) {
		putc(' ', d->out);
		put_type(d, n->decl);
	}
	child(d, n->a);
	child(d, n->b);
	child(d, n->c);
	list(d, n->list);
	if (n->kind == N_MEMBER && n->name)
		fprintf(d->out, " %s", n->name);
	putc(')', d->out);
}

static void node(struct dump *d, const struct node *n, int indent);

static void nodes(struct dump *d, const struct node *n, int indent)
{
	for (; n; n = n->next) {
		putc('\n', d->out);
		node(d, n, indent);
	}
}

static void named_expr(struct dump *d, const char *name, const struct node *n, int indent)
{
	if (!n)
		return;
	fprintf(d->out, "\n%*s(%s", indent, "", name);
	child(d, n);
	putc(')', d->out);
}

static void named_block(struct dump *d, const char *name, const struct node *n, int indent)
{
	if (!n)
		return;
	fprintf(d->out, "\n%*s(%s", indent, "", name);
	nodes(d, n->list, indent + 2);
	putc(')', d->out);
}

/* Sizes of arrays that the text of a type does not show. */
static void put_sizes(struct dump *d, const struct node *decltor)
{
	for (const struct node *m = decltor->list; m; m = m->next)
		if (m->kind == N_MOD && m->a && m->a->kind != N_INT && m->a->kind != N_IDENT) {
			fputs(" (size", d->out);
			child(d, m->a);
			putc(')', d->out);
		}
}

static void put_decltor(struct dump *d, const struct node *n)
{
	putc(' ', d->out);
	put_type(d, n);
	put_sizes(d, n);
	if (n->a) {
		fputs(" (bits", d->out);
		child(d, n->a);
		putc(')', d->out);
	}
}

static const char *storage_text(enum storage s)
{
	static const char *const text[] = {"",	      " self",	  " this", " extern",
					   " static", " typedef", " auto", " register"};

	return text[s];
}

static void put_decl(struct dump *d, const struct node *n, int indent)
{
	const struct node bare = {.kind = N_DECLTOR, .base = n->base};

	fprintf(d->out, "(decl%s", storage_text(n->base->storage));
	if (!n->list)
		put_decltor(d, &bare);
	for (const struct node *m = n->list; m; m = m->next)
		put_decltor(d, m);
	nodes(d, n->base->list, indent + 2);
}

static void put_params(struct dump *d, const struct node *n)
{
	for (; n; n = n->next)
		put_decltor(d, n);
}

static void put_probe(struct dump *d, const struct node *n)
{
	fprintf(d->out, "(probe %s", n->name);
	put_params(d, n->list);
	if (n->keyed)
		fputs(" :", d->out);
	put_params(d, n->list2);
}

static void put_pdesc(struct dump *d, const struct node *n)
{
	fputs("(pdesc ", d->out);
	if (n->has_id)
		fprintf(d->out, "%" PRIu64, n->value);
	else
		put_quoted(d, n->str, n->len);
}

static void put_top(struct dump *d, const struct node *n, int indent)
{
	switch (n->kind) {
	case N_PROGRAM:
		fputs("(program", d->out);
		nodes(d, n->list, indent + 2);
		break;
	case N_CLAUSE:
		fputs("(clause", d->out);
		nodes(d, n->list, indent + 2);
		named_expr(d, "pred", n->a, indent + 2);
		named_block(d, "body", n->b, indent + 2);
		break;
	case N_PDESC:
		put_pdesc(d, n);
		break;
	case N_INLINE:
		fputs("(inline", d->out);
		put_decltor(d, n->decl);
		child(d, n->a);
		break;
	case N_XLATOR:
		fputs("(translator", d->out);
		put_decltor(d, n->decl);
		put_decltor(d, n->decl2);
		nodes(d, n->list, indent + 2);
		break;
	case N_XMEMBER:
		fprintf(d->out, "(%s", n->name);
		child(d, n->a);
		break;
	case N_PROVIDER:
		fprintf(d->out, "(provider %s", n->name);
		nodes(d, n->list, indent + 2);
		break;
	case N_PRAGMA:
		fprintf(d->out, "(pragma %s ", n->name);
		put_quoted(d, n->str, n->len);
		break;
	default:
		break;
	}
	putc(')', d->out);
}

static void put_enumerator(struct dump *d, const struct node *n)
{
	fprintf(d->out, "(enumerator %s", n->name);
	child(d, n->a);
	putc(')', d->out);
}

static void put_statement(struct dump *d, const struct node *n, int indent)
{
	switch (n->kind) {
	case N_EXPR:
		fputs("(expr", d->out);
		child(d, n->a);
		break;
	case N_IF:
		fputs("(if", d->out);
		child(d, n->a);
		named_block(d, "then", n->b, indent + 2);
		named_block(d, "else", n->c, indent + 2);
		break;
	case N_BLOCK:
		fputs("(block", d->out);
		nodes(d, n->list, indent + 2);
		break;
	default:
		fputs("(empty", d->out);
	}
	putc(')', d->out);
}

static void node(struct dump *d, const struct node *n, int indent)
{
	fprintf(d->out, "%*s", indent, "");
	switch (n->kind) {
	case N_DECL:
		put_decl(d, n, indent);
		putc(')', d->out);
		break;
	case N_PROBE:
		put_probe(d, n);
		putc(')', d->out);
		break;
	case N_DECLTOR:
		fputs("(type", d->out);
		put_decltor(d, n);
		putc(')', d->out);
		break;
	case N_ENUMERATOR:
		put_enumerator(d, n);
		break;
	case N_EXPR:
	case N_IF:
	case N_BLOCK:
	case N_EMPTY:
		put_statement(d, n, indent);
		break;
	default:
		if (n->kind < N_EXPR)
			expr(d, n);
		else
			put_top(d, n, indent);
	}
}

void node_dump(const struct node *n, FILE *out, int indent,
	       const char *(*type_text)(void *arg, const struct type *), void *arg)
{
	struct dump d = {out, type_text, arg};

	if (!n)
		return;
	node(&d, n, indent);
	putc('\n', out);
}
