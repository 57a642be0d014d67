/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print(): a value as a tree. There are two forms. A value is
 *
 *	struct list_head {
 *	    struct list_head *next = 0xffff888100243e40
 *	    ...
 *
 * and what a pointer points to is its address and a C initialiser, in which members that are zero
 * are left out:
 *
 *	0xffff888100243e40 = *
 *	                                            (struct list_head) {
 *	                                             .next = (struct list_head *)0xffff888100243e40,
 *
 * That form is of another DTrace implementation, down to its columns. Scalars are written by the
 * same functions; struct form says what they write differently. A value may have been recorded in
 * part (-x printsize): "..." stands where the rest would be.
 */
#include "libdt/consumer/print_value.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "libdt/symbols/ksym.h"

/* ---- parts of values */

/* Bits are numbered from the low end of the bytes, as on all little-endian machines. */
static int64_t bit_field(const struct value *v, const struct member *m)
{
	const uint8_t *p = v->data;
	uint64_t n = 0;

	for (uint32_t i = 0; i < m->bits && i < 64; i++) {
		uint64_t bit = (uint64_t)m->bit_off + i;

		n |= (uint64_t)(p[bit / 8] >> (bit % 8) & 1) << i;
	}
	if (type_is_signed(m->type) && m->bits < 64 && n >> (m->bits - 1) & 1)
		n |= -(1ull << m->bits);
	return (int64_t)n;
}

bool value_member(struct fmt_ctx *ctx, const struct value *v, const struct member *m,
		  struct value *out, int64_t *bits)
{
	const struct type *t = type_base(m->type);
	uint64_t off = m->bit_off / 8, size = type_size(ctx->types, m->type);
	bool has_parts = type_is_sou(t) || t->kind == T_ARRAY;

	if (ctx->members == VALUE_MEMBERS_MAX)
		return false;
	ctx->members++;
	if (m->bits) {
		if (((uint64_t)m->bit_off + m->bits + 7) / 8 > v->size)
			return false;
		*bits = bit_field(v, m);
		*out =
		    (struct value){.type = m->type, .data = bits, .size = MIN(size, sizeof(*bits))};
		return true;
	}
	if (off > v->size || (size > v->size - off && (!has_parts || off == v->size)))
		return false;
	*out = (struct value){
	    .type = m->type, .data = (const char *)v->data + off, .size = MIN(size, v->size - off)};
	return true;
}

bool value_element(struct types *types, const struct value *v, uint64_t i, struct value *out)
{
	const struct type *of = type_base(v->type)->ref;
	uint64_t size = type_size(types, of);

	if (!size || i >= v->size / size)
		return false;
	*out = (struct value){.type = of, .data = (const char *)v->data + i * size, .size = size};
	return true;
}

static bool is_zero(const struct value *v)
{
	const uint8_t *p = v->data;

	for (uint32_t i = 0; i < v->size; i++)
		if (p[i])
			return false;
	return true;
}

bool value_is_text(const struct value *v)
{
	const struct type *t = type_base(v->type),
			  *of = t->kind == T_ARRAY ? type_base(t->ref) : NULL;
	const unsigned char *p = v->data;
	uint32_t len = value_strlen(v);

	if (!of || of->kind != T_INT || !of->name || strcmp(of->name, "char"))
		return false;
	for (uint32_t i = 0; i < len; i++)
		if (p[i] < 0x80 && !isprint(p[i]) && !isspace(p[i]))
			return false;
	return len || is_zero(v);
}

long double value_float(const struct value *v)
{
	long double ld = 0;
	double d;
	float f;

	if (v->size == sizeof(f)) {
		memcpy(&f, v->data, sizeof(f));
		ld = f;
	} else if (v->size == sizeof(d)) {
		memcpy(&d, v->data, sizeof(d));
		ld = d;
	} else if (v->size == sizeof(ld)) {
		memcpy(&ld, v->data, sizeof(ld));
	}
	return ld;
}

/* ---- print() */

#define INDENT 4
#define DEPTH_MAX 32

struct form {
	struct fmt_ctx *ctx;
	FILE *out;
	bool initialiser;
};

static void put_value(const struct form *f, const struct value *v, int depth);

static void new_line(const struct form *f, int depth)
{
	fprintf(f->out, "\n%*s", INDENT * depth, "");
}

static const char *type_name(const struct form *f, const struct type *t)
{
	const struct type *body = type_base(t);

	if (t->kind != T_TYPEDEF && type_is_sou(body) && !(body->name && *body->name))
		return body->kind == T_UNION ? "union" : "struct";
	return type_text(f->ctx->types, t);
}

/* "(struct list_head)" */
static void put_type(const struct form *f, const struct type *t)
{
	putc('(', f->out);
	escape_put(f->out, type_name(f, t));
	putc(')', f->out);
}

static void put_text(FILE *out, const struct value *v)
{
	struct strbuf sb = {0};

	text_escape(&sb, v->data, value_strlen(v));
	fprintf(out, "\"%s\"", sb_str(&sb));
	sb_free(&sb);
}

/* An initialiser has letters for plain char only. */
static bool is_letter(const struct form *f, const struct type *t)
{
	return t->flags & TF_CHAR && (!f->initialiser || (t->name && !strcmp(t->name, "char")));
}

static void put_int(const struct form *f, const struct value *v, const struct type *t)
{
	int64_t n = value_int(v);
	char text[VALUE_INT128];

	if (v->size > sizeof(n))
		fputs(value_int128(v, text), f->out);
	else if (is_letter(f, t) && v->size == 1 && isprint((unsigned char)n))
		fprintf(f->out, "'%c'", (int)n);
	else if (type_is_signed(t) || f->initialiser || (t->flags & TF_BOOL))
		fprintf(f->out, type_is_signed(t) ? "%" PRId64 : "%" PRIu64, n);
	else
		fprintf(f->out, "0x%" PRIx64, (uint64_t)n);
}

/* The name of the target says most about a pointer to a function, as in a table of operations. */
static void put_pointer(const struct form *f, const struct value *v, const struct type *t)
{
	uint64_t addr = value_int(v);
	const char *mod, *name;
	uint64_t off;

	if (!addr) {
		fputs("NULL", f->out);
	} else if (type_base(t->ref)->kind == T_FUNC &&
		   syms_find(f->ctx->syms, addr, &mod, &name, &off) && !off) {
		escape_put(f->out, mod);
		putc('`', f->out);
		escape_put(f->out, name);
	} else {
		fprintf(f->out, "0x%" PRIx64, addr);
	}
}

static void put_scalar(const struct form *f, const struct value *v)
{
	const struct type *t = type_base(v->type);
	const char *name;
	struct strbuf sb = {0};

	switch (t->kind) {
	case T_ENUM:
		name = value_enumerator(v);
		if (name)
			escape_put(f->out, name);
		else
			fprintf(f->out, "%" PRId64, value_int(v));
		break;
	case T_PTR:
		put_pointer(f, v, t);
		break;
	case T_FLOAT:
		fprintf(f->out, "%Lg", value_float(v));
		break;
	case T_STRING:
		put_text(f->out, v);
		break;
	case T_INT:
		put_int(f, v, t);
		break;
	case T_SYMADDR:
	case T_USYMADDR:
		value_symbol(f->ctx, v, &sb);
		escape_put(f->out, sb_str(&sb));
		sb_free(&sb);
		break;
	case T_STACK:
		value_stack(f->ctx, v, -1);
		break;
	default:
		fputs("?", f->out);
	}
}

static void put_member(const struct form *f, const struct member *m, const struct value *v,
		       int depth)
{
	bool named = m->name && *m->name;

	escape_put(f->out, type_name(f, m->type));
	if (named) {
		putc(' ', f->out);
		escape_put(f->out, m->name);
	}
	if (m->bits)
		fprintf(f->out, ":%u", m->bits);
	fputs(named ? " = " : " ", f->out);
	put_value(f, v, depth);
}

static void put_struct(const struct form *f, const struct value *v, int depth)
{
	const struct type *t = type_complete(f->ctx->types, type_base(v->type));

	putc('{', f->out);
	for (int i = 0; i < t->nmembers; i++) {
		const struct member *m = &t->members[i];
		struct value part;
		int64_t bits = 0;

		if (!type_is_sou(m->type) && !(m->name && *m->name))
			continue; /* padding */
		if (!value_member(f->ctx, v, m, &part, &bits)) {
			new_line(f, depth + 1);
			fputs("...", f->out);
			break;
		}
		new_line(f, depth + 1);
		put_member(f, m, &part, depth + 1);
	}
	new_line(f, depth);
	putc('}', f->out);
}

/* Elements stand side by side, except structs. Of equal ones at the end only the first is shown. */
static uint64_t last_different(const struct form *f, const struct value *v, uint64_t n)
{
	struct value a, b;

	while (n > 1 && value_element(f->ctx->types, v, n - 1, &a) &&
	       value_element(f->ctx->types, v, n - 2, &b) && !memcmp(a.data, b.data, a.size))
		n--;
	return n;
}

static void put_array(const struct form *f, const struct value *v, int depth)
{
	bool nested = type_is_sou(type_base(v->type)->ref);
	uint64_t n = type_base(v->type)->nelem, shown = n;
	struct value part;

	if (n && value_is_text(v)) {
		put_text(f->out, v);
		return;
	}
	if (n && value_element(f->ctx->types, v, n - 1, &part))
		shown = last_different(f, v, n);
	putc('[', f->out);
	for (uint64_t i = 0; i < shown; i++) {
		if (nested)
			new_line(f, depth + 1);
		else
			fputs(i ? ", " : " ", f->out);
		if (!value_element(f->ctx->types, v, i, &part)) {
			fputs("...", f->out);
			break;
		}
		put_value(f, &part, depth + 1);
		if (nested)
			putc(',', f->out);
	}
	if (shown < n)
		fprintf(f->out, "%s(%" PRIu64 " more of the same)", nested ? " " : ", ", n - shown);
	if (nested && n)
		new_line(f, depth);
	else
		putc(' ', f->out);
	putc(']', f->out);
}

static void put_value(const struct form *f, const struct value *v, int depth)
{
	const struct type *t = type_base(v->type);

	if (depth > DEPTH_MAX)
		fputs("...", f->out);
	else if (type_is_sou(t))
		put_struct(f, v, depth);
	else if (t->kind == T_ARRAY)
		put_array(f, v, depth);
	else
		put_scalar(f, v);
}

void value_tree(struct fmt_ctx *ctx, const struct value *v)
{
	struct form f = {.ctx = ctx, .out = ctx->out};

	ctx->members = 0;
	escape_put(f.out, type_name(&f, v->type));
	putc(' ', f.out);
	put_value(&f, v, 0);
	putc('\n', f.out);
}

/* ---- an initialiser */

#define MARGIN 44 /* columns before the outermost line */

struct lines {
	struct form f;
	/* braces that are not closed yet: they are when a line of less depth begins, since "..."
	 * comes before them */
	int open;
	bool cut; /* the rest of the value is not there */
};

static void put_part(struct lines *l, const struct member *m, const struct value *v, int depth);

static void close_to(struct lines *l, int depth)
{
	while (l->open > depth)
		fprintf(l->f.out, "%*s},\n", MARGIN + --l->open, "");
}

static void put_rest(struct lines *l, int depth)
{
	fprintf(l->f.out, "%*s...\n", MARGIN + depth, "");
	l->cut = true;
}

static bool has_more(const struct lines *l, int depth)
{
	return !l->cut && depth <= DEPTH_MAX;
}

static void put_members(struct lines *l, const struct value *v, int depth)
{
	struct types *types = l->f.ctx->types;
	const struct type *t = type_complete(types, type_base(v->type));

	fputs(" {\n", l->f.out);
	l->open = depth;
	for (int i = 0; i < t->nmembers && has_more(l, depth); i++) {
		const struct member *m = &t->members[i];
		struct value part;
		int64_t bits = 0;

		if (!type_is_sou(m->type) && !(m->name && *m->name))
			continue; /* padding */
		if (!value_member(l->f.ctx, v, m, &part, &bits))
			put_rest(l, depth);
		else if (!is_zero(&part) || (!m->bits && part.size < type_size(types, m->type)))
			put_part(l, m, &part, depth);
	}
}

/* The NUL that ends a text. */
static bool is_end(const struct lines *l, const struct value *v)
{
	const struct type *t = type_base(v->type);

	return t->kind == T_INT && is_letter(&l->f, t) && is_zero(v);
}

/* Of characters those before the NUL; of equal elements at the end only the first. False: the rest
 * of them is not there. */
static bool put_elements(struct lines *l, const struct value *v, int depth)
{
	uint64_t n = type_base(v->type)->nelem, shown = n;
	bool text = false, whole = true;
	struct value part;

	fputs(" [\n", l->f.out);
	l->open = depth;
	if (n && value_element(l->f.ctx->types, v, n - 1, &part))
		shown = last_different(&l->f, v, n);
	for (uint64_t i = 0; i < shown && !text && whole && has_more(l, depth); i++) {
		if (!value_element(l->f.ctx->types, v, i, &part))
			whole = false;
		else if (!(text = is_end(l, &part)))
			put_part(l, NULL, &part, depth);
	}
	close_to(l, depth);
	if (shown < n && !text && whole && !l->cut)
		fprintf(l->f.out, "%*s(%" PRIu64 " more of the same)\n", MARGIN + depth, "",
			n - shown);
	l->open = depth - 1;
	fprintf(l->f.out, "%*s]", MARGIN + depth - 1, "");
	return whole;
}

/* A member, or (m: NULL) an element or the whole. */
static void put_part(struct lines *l, const struct member *m, const struct value *v, int depth)
{
	FILE *out = l->f.out;
	bool whole = true;

	close_to(l, depth);
	fprintf(out, "%*s", MARGIN + depth, "");
	if (m && m->name && *m->name) {
		putc('.', out);
		escape_put(out, m->name);
		fputs(" = ", out);
	}
	put_type(&l->f, m ? m->type : v->type);
	if (type_is_sou(v->type)) {
		put_members(l, v, depth + 1);
		return;
	}
	if (type_base(v->type)->kind == T_ARRAY)
		whole = put_elements(l, v, depth + 1);
	else
		put_scalar(&l->f, v);
	fputs(depth ? ",\n" : "\n", out);
	if (!whole)
		put_rest(l, depth);
}

void value_pointee(struct fmt_ctx *ctx, uint64_t addr, const struct value *v)
{
	struct lines l = {.f = {.ctx = ctx, .out = ctx->out, .initialiser = true}};

	ctx->members = 0;
	fprintf(ctx->out, "0x%" PRIx64 " = *\n", addr);
	put_part(&l, NULL, v, 0);
	close_to(&l, 1);
	if (l.open)
		fprintf(ctx->out, "%*s}\n", MARGIN, "");
}
