/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes: making them, chaining them, and the source spelling of operators and types. */
#include "grammar/node.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/hint.h"
#include "grammar/scan.h"

struct node *node_new(struct parse *p, enum node_kind kind, struct loc loc)
{
	struct node *n;

	if (p->parsing && ++p->nodes > PARSE_NODES_MAX)
		diag_die(p->diag, D_COMPILE, loc,
			 "the program is too large: more than %d expressions, statements and "
			 "declarations",
			 PARSE_NODES_MAX);
	n = arena_alloc(p->trees ? p->trees : p->arena, sizeof(*n));
	n->kind = kind;
	n->loc = loc;
	n->depth = 1;
	return n;
}

void list_add(struct node_list *l, struct node *n)
{
	if (l->tail)
		l->tail->next = n;
	else
		l->head = n;
	l->tail = n;
}

int node_count(const struct node *list)
{
	int n = 0;

	for (; list; list = list->next)
		n++;
	return n;
}

static unsigned max_depth(const struct node *list)
{
	unsigned depth = 0;

	for (; list; list = list->next)
		depth = MAX(depth, list->depth);
	return depth;
}

struct node *node_done(struct parse *p, struct node *n)
{
	const struct node *one[] = {n->a, n->b, n->c, n->decl, n->decl2, n->base};
	unsigned depth = MAX(max_depth(n->list), max_depth(n->list2));

	for (size_t i = 0; i < ARRAY_SIZE(one); i++)
		if (one[i])
			depth = MAX(depth, one[i]->depth);
	n->depth = depth + 1;
	if (n->depth > NODE_DEPTH_MAX)
		parse_too_deep(p, n->loc);
	return n;
}

struct node *node_op(struct parse *p, struct loc loc, enum node_kind kind, enum op op,
		     struct node *a, struct node *b)
{
	struct node *n = node_new(p, kind, loc);

	n->op = op;
	n->a = a;
	n->b = b;
	return node_done(p, n);
}

_Noreturn void parse_syntax(struct parse *p, struct loc loc)
{
	const char *s = p->src->text + loc.off;
	size_t len = MIN(loc.len, strcspn(s, "\n"));

	while (loc.off + len < p->src->len && (s[len] & 0xc0) == 0x80) /* the rest of a character */
		len++;
	if (loc.off >= p->src->len || !loc.len)
		diag_die(p->diag, D_SYNTAX, loc, "syntax error near end-of-input%s", hint_end(p));
	diag_die(p->diag, D_SYNTAX, loc, "syntax error near \"%.*s\"%s%s", (int)MIN(len, 60), s,
		 len > 60 ? "..." : "", hint_syntax(p, loc));
}

_Noreturn void parse_too_deep(struct parse *p, struct loc loc)
{
	diag_die(p->diag, D_SYNTAX, loc, "the program is nested too deeply here");
}

const char *op_text(enum op op)
{
	static const char *const text[] = {
	    [OP_NONE] = "",	 [OP_ADD] = "+",      [OP_SUB] = "-",	  [OP_MUL] = "*",
	    [OP_DIV] = "/",	 [OP_MOD] = "%",      [OP_AND] = "&",	  [OP_OR] = "|",
	    [OP_XOR] = "^",	 [OP_SHL] = "<<",     [OP_SHR] = ">>",	  [OP_LAND] = "&&",
	    [OP_LOR] = "||",	 [OP_LXOR] = "^^",    [OP_EQ] = "==",	  [OP_NE] = "!=",
	    [OP_LT] = "<",	 [OP_LE] = "<=",      [OP_GT] = ">",	  [OP_GE] = ">=",
	    [OP_NEG] = "-",	 [OP_PLUS] = "+",     [OP_NOT] = "~",	  [OP_LNOT] = "!",
	    [OP_DEREF] = "*",	 [OP_ADDR] = "&",     [OP_PREINC] = "++", [OP_PREDEC] = "--",
	    [OP_POSTINC] = "++", [OP_POSTDEC] = "--", [OP_DOT] = ".",	  [OP_ARROW] = "->",
	    [MOD_PTR] = "*",	 [MOD_ARRAY] = "[]",  [MOD_ASSOC] = "[]", [MOD_FUNC] = "()",
	};

	return (unsigned)op < ARRAY_SIZE(text) ? text[op] : "";
}

/* Types as written */

static void put_quals(struct strbuf *sb, unsigned quals)
{
	static const char *const names[] = {"const ", "volatile ", "restrict ", "userland "};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (quals & 1u << i)
			sb_puts(sb, names[i]);
}

static void put_tag(struct strbuf *sb, const struct node *spec, const char *keyword)
{
	if (spec->module)
		sb_printf(sb, "%s`", spec->module);
	sb_puts(sb, keyword);
	if (spec->name)
		sb_printf(sb, "%s%s", *keyword ? " " : "", spec->name);
	if (spec->has_body)
		sb_puts(sb, " {...}");
}

static void put_words(struct strbuf *sb, const struct node *spec)
{
	static const char *const names[] = {
	    [SPEC_CHAR] = "char",     [SPEC_INT128] = "__int128", [SPEC_BOOL] = "_Bool",
	    [SPEC_FLOAT] = "float",   [SPEC_DOUBLE] = "double",	  [SPEC_VOID] = "void",
	    [SPEC_STRING] = "string",
	};
	bool attributes = spec->has_signed || spec->has_unsigned || spec->has_short || spec->longs;

	sb_puts(sb, spec->has_signed ? "signed " : spec->has_unsigned ? "unsigned " : "");
	sb_puts(sb, spec->has_short    ? "short "
		    : spec->longs == 2 ? "long long "
		    : spec->longs      ? "long "
				       : "");
	if (spec->spec != SPEC_INT)
		sb_puts(sb, names[spec->spec]);
	else if (spec->has_int || !attributes)
		sb_puts(sb, "int");
	else
		sb->s[--sb->len] = '\0';
}

static void put_spec(struct strbuf *sb, const struct node *spec)
{
	put_quals(sb, spec->quals);
	switch (spec->spec) {
	case SPEC_NAME:
		put_tag(sb, spec, "");
		break;
	case SPEC_STRUCT:
		put_tag(sb, spec, "struct");
		break;
	case SPEC_UNION:
		put_tag(sb, spec, "union");
		break;
	case SPEC_ENUM:
		put_tag(sb, spec, "enum");
		break;
	default:
		put_words(sb, spec);
	}
}

static void put_params(struct strbuf *sb, const struct node *mod)
{
	sb_putc(sb, mod->op == MOD_FUNC ? '(' : '[');
	for (const struct node *n = mod->list; n; n = n->next) {
		if (n != mod->list)
			sb_puts(sb, ", ");
		if (n->is_macro)
			sb_putc(sb, '[');
		node_put_type(sb, n);
		if (n->is_macro)
			sb_putc(sb, ']');
	}
	if (mod->varargs)
		sb_puts(sb, mod->list ? ", ..." : "...");
	sb_putc(sb, mod->op == MOD_FUNC ? ')' : ']');
}

static void put_size(struct strbuf *sb, const struct node *size)
{
	if (!size)
		sb_puts(sb, "[]");
	else if (size->kind == N_INT)
		sb_printf(sb, "[%" PRIu64 "]", size->value);
	else if (size->kind == N_IDENT)
		sb_printf(sb, "[%s]", size->name);
	else
		sb_puts(sb, "[...]");
}

/* C's declarators read inside out: pointers to the left of the name, the rest to its right. */
void node_put_type(struct strbuf *sb, const struct node *decltor)
{
	const struct node *mods[MODIFIERS_MAX];
	int n = 0;

	for (const struct node *m = decltor->list; m && n < MODIFIERS_MAX; m = m->next)
		mods[n++] = m;
	put_spec(sb, decltor->base);
	if (n || decltor->name)
		sb_putc(sb, ' ');
	for (int i = n - 1; i >= 0; i--) {
		if (mods[i]->op == MOD_PTR)
			sb_putc(sb, '*');
		else if (i && mods[i - 1]->op == MOD_PTR)
			sb_putc(sb, '(');
		put_quals(sb, mods[i]->quals);
	}
	if (decltor->name)
		sb_puts(sb, decltor->name);
	for (int i = 0; i < n; i++) {
		if (mods[i]->op == MOD_PTR)
			continue;
		if (i && mods[i - 1]->op == MOD_PTR)
			sb_putc(sb, ')');
		if (mods[i]->op == MOD_ARRAY)
			put_size(sb, mods[i]->a);
		else
			put_params(sb, mods[i]);
	}
}
