/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types as text. C writes a declarator around its name from the inside out, so that the text grows
 * at both ends: what is there already is the inner part, which a pointer prefixes and an array or a
 * function follows.
 */
#include "libdt/type/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_type(const struct type *t, const char *inner, struct strbuf *out, int depth);

static void put_quals(const struct type *t, struct strbuf *out)
{
	if (t->flags & TF_CONST)
		sb_puts(out, "const ");
	if (t->flags & TF_VOLATILE)
		sb_puts(out, "volatile ");
}

static void put_params(const struct type *t, struct strbuf *out, int depth)
{
	for (int i = 0; i < t->nparams; i++) {
		bool optional = t->params[i]->flags & TF_OPTIONAL;

		sb_puts(out, i ? ", " : "");
		if (out->len > 2000) { /* no honest function is that long */
			sb_puts(out, "...");
			return;
		}
		sb_puts(out, optional ? "[" : "");
		put_type(t->params[i], "", out, depth + 1);
		sb_puts(out, optional ? "]" : "");
	}
	if (t->flags & TF_VARARGS)
		sb_puts(out, t->nparams ? ", ..." : "...");
	else if (!t->nparams && t->kind == T_FUNC)
		sb_puts(out, "void");
}

static void put_pointer(const struct type *t, const char *inner, struct strbuf *out, int depth)
{
	const struct type *to = t->ref;
	bool paren = to->kind == T_ARRAY || to->kind == T_FUNC;
	struct strbuf sb = {0};

	sb_puts(&sb, paren ? "(*" : "*");
	sb_puts(&sb, t->flags & TF_CONST ? "const" : "");
	sb_puts(&sb,
		t->flags & TF_VOLATILE ? (t->flags & TF_CONST ? " volatile" : "volatile") : "");
	if ((t->flags & (TF_CONST | TF_VOLATILE)) && *inner && *inner != '[' && *inner != '(')
		sb_putc(&sb, ' ');
	sb_puts(&sb, inner);
	sb_puts(&sb, paren ? ")" : "");
	put_type(to, sb.s, out, depth + 1);
	sb_free(&sb);
}

static void put_suffixed(const struct type *t, const char *inner, struct strbuf *out, int depth)
{
	struct strbuf sb = {0};

	sb_puts(&sb, inner);
	if (t->kind == T_ARRAY && t->nelem) {
		sb_printf(&sb, "[%" PRIu64 "]", t->nelem);
	} else if (t->kind == T_ARRAY) {
		sb_puts(&sb, "[]");
	} else {
		sb_putc(&sb, t->kind == T_FUNC ? '(' : '[');
		put_params(t, &sb, depth);
		sb_putc(&sb, t->kind == T_FUNC ? ')' : ']');
	}
	put_type(t->ref, sb.s, out, depth + 1);
	sb_free(&sb);
}

static const char *tag_text(const struct type *t)
{
	switch (t->kind == T_FWD ? t->fwd : t->kind) {
	case T_STRUCT:
		return "struct ";
	case T_UNION:
		return "union ";
	case T_ENUM:
		return "enum ";
	default:
		return "";
	}
}

static void put_type(const struct type *t, const char *inner, struct strbuf *out, int depth)
{
	if (depth > TYPE_DEPTH) {
		sb_puts(out, "...");
		return;
	}
	if (t->flags & TF_WIDE)
		t = t->ref;
	switch (t->kind) {
	case T_PTR:
		put_pointer(t, inner, out, depth);
		return;
	case T_ARRAY:
	case T_ASSOC:
	case T_FUNC:
		put_suffixed(t, inner, out, depth);
		return;
	default:
		put_quals(t, out);
		sb_puts(out, tag_text(t));
		sb_puts(out, t->name && *t->name ? t->name : "(anonymous)");
		if (*inner)
			sb_putc(out, ' ');
		sb_puts(out, inner);
	}
}

const char *type_text(struct types *t, const struct type *type)
{
	struct strbuf sb = {0};
	const char *text;

	put_type(type, "", &sb, 0);
	text = arena_strdup(t->arena, sb_str(&sb));
	sb_free(&sb);
	return text;
}

static void indent(struct strbuf *out, int n)
{
	while (n--)
		sb_putc(out, '\t');
}

static bool is_anonymous_body(const struct type *t)
{
	return (t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_ENUM) &&
	       !(t->name && *t->name);
}

/* Of a description: structures without a name, each with several of another such, have more
 * members than a file has bytes. */
enum { DESCRIPTION_MAX = 1 << 20 };

static void put_body(struct types *types, const struct type *t, struct strbuf *out, int depth);

/* A member's type may be an array of a struct without a name, whose body then is written there. */
static void put_member(struct types *types, const struct member *m, struct strbuf *out, int depth)
{
	const struct type *t = m->type;
	struct strbuf name = {0};

	sb_puts(&name, m->name ? m->name : "");
	if (m->bits)
		sb_printf(&name, ":%u", m->bits);
	while (t->kind == T_ARRAY && depth < TYPE_DEPTH) {
		sb_printf(&name, t->nelem ? "[%" PRIu64 "]" : "[]", t->nelem);
		t = t->ref;
	}
	indent(out, depth);
	if (is_anonymous_body(type_complete(types, t)) && t->kind != T_TYPEDEF &&
	    depth < TYPE_DEPTH) {
		put_quals(t, out);
		put_body(types, type_complete(types, t), out, depth);
		if (name.len)
			sb_printf(out, " %s", name.s);
	} else {
		put_type(t, sb_str(&name), out, 0);
	}
	sb_puts(out, ";\n");
	sb_free(&name);
}

static void put_body(struct types *types, const struct type *t, struct strbuf *out, int depth)
{
	sb_puts(out, tag_text(t));
	if (t->name && *t->name)
		sb_printf(out, "%s ", t->name);
	sb_puts(out, "{\n");
	for (int i = 0; i < t->nmembers && out->len < DESCRIPTION_MAX; i++)
		put_member(types, &t->members[i], out, depth + 1);
	for (int i = 0; i < t->nenums && out->len < DESCRIPTION_MAX; i++) {
		indent(out, depth + 1);
		sb_printf(out, "%s = %" PRId64 "%s\n", t->enums[i].name, t->enums[i].value,
			  i + 1 < t->nenums ? "," : "");
	}
	indent(out, depth);
	sb_putc(out, '}');
}

void type_describe(struct types *t, const struct type *type, struct strbuf *out)
{
	const struct type *body = type_complete(t, type);

	if (type->kind == T_TYPEDEF) {
		sb_puts(out, "typedef ");
		if (is_anonymous_body(body) && type_base(type->ref) == type->ref)
			put_body(t, body, out, 0);
		else
			put_type(type->ref, "", out, 0);
		sb_printf(out, " %s", type->name);
	} else if (body->kind == T_STRUCT || body->kind == T_UNION || body->kind == T_ENUM) {
		put_body(t, body, out, 0);
	} else {
		put_type(type, "", out, 0);
	}
}
