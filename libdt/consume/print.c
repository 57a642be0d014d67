/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values by their types: trace(), and the keys of aggregations. */
#include "libdt/consume/fmt.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "libdt/consume/ksym.h"

int64_t value_int(const struct value *v)
{
	bool is_signed = type_is_signed(v->type);
	int64_t n = 0;

	if (v->size > 8)
		return 0;
	memcpy(&n, v->data, v->size);
	if (is_signed && v->size && v->size < 8) {
		int unused = 64 - 8 * v->size;

		n = (int64_t)((uint64_t)n << unused) >> unused;
	}
	return n;
}

uint32_t value_strlen(const struct value *v)
{
	return strnlen(v->data, v->size);
}

const char *value_enumerator(const struct value *v)
{
	const struct type *t = type_base(v->type);
	int64_t n = value_int(v);

	for (int i = 0; i < t->nenums; i++)
		if (t->enums[i].value == n)
			return t->enums[i].name;
	return NULL;
}

void text_escape(struct strbuf *out, const char *s, size_t len)
{
	static const char plain[] = "\a\b\f\n\r\t\v\\", letter[] = "abfnrtv\\";

	for (size_t i = 0; i < len; i++) {
		const char *p = s[i] ? strchr(plain, s[i]) : NULL;

		if (p)
			sb_printf(out, "\\%c", letter[p - plain]);
		else if (!s[i])
			sb_puts(out, "\\0");
		else if (s[i] < ' ' || s[i] > '~')
			sb_printf(out, "\\%03o", (unsigned char)s[i]);
		else
			sb_putc(out, s[i]);
	}
}

static uint64_t word(const struct value *v, uint32_t i)
{
	uint64_t n = 0;

	if ((i + 1) * sizeof(n) <= v->size)
		memcpy(&n, (const char *)v->data + i * sizeof(n), sizeof(n));
	return n;
}

void value_symbol(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out)
{
	const struct type *t = type_base(v->type);

	if (t->kind == T_USYMADDR) /* names of user space come with the processes */
		syms_print(NULL, word(v, 1), SYM_NAME, out);
	else
		syms_print(ctx->syms, t->kind == T_SYMADDR ? word(v, 0) : (uint64_t)value_int(v), v->how,
			   out);
}

void value_stack(struct fmt_ctx *ctx, const struct value *v, int indent)
{
	bool user = type_base(v->type)->flags & TF_USERLAND;
	struct strbuf sb = {0};

	if (indent < 0)
		indent = ctx->stackindent;
	putc('\n', ctx->out);
	for (uint32_t i = user; (i + 1) * 8 <= v->size && word(v, i); i++) {
		sb.len = 0;
		syms_print(user ? NULL : ctx->syms, word(v, i), SYM_NAME, &sb);
		fprintf(ctx->out, "%*s%s\n", indent, "", sb.s);
	}
	sb_free(&sb);
}

static void dump_row(FILE *out, const uint8_t *p, uint32_t off, uint32_t n)
{
	fprintf(out, "%10x:", off);
	for (uint32_t i = 0; i < 16; i++)
		if (i < n)
			fprintf(out, " %02x", p[i]);
		else
			fputs("   ", out);
	fputs("  ", out);
	for (uint32_t i = 0; i < n; i++)
		putc(p[i] < ' ' || p[i] > '~' ? '.' : p[i], out);
	putc('\n', out);
}

void value_dump(struct fmt_ctx *ctx, const void *data, uint32_t size)
{
	const uint8_t *p = data;

	fputs("\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n",
	      ctx->out);
	for (uint32_t off = 0; off < size; off += 16)
		dump_row(ctx->out, p + off, off, MIN(size - off, 16u));
}

static bool is_char_array(const struct type *t)
{
	const struct type *of = t->kind == T_ARRAY ? type_base(t->ref) : NULL;

	return of && of->kind == T_INT && of->size == 1;
}

/* Is a byte array text? Printing characters, and then nothing but NULs, as trace() has always judged. */
static bool looks_like_text(const struct value *v)
{
	const unsigned char *p = v->data;
	uint32_t len = value_strlen(v);

	if (len == v->size)
		return false;
	for (uint32_t i = 0; i < len; i++)
		if (!isprint(p[i]) && !isspace(p[i]) && p[i] != '\b' && p[i] != '\a')
			return false;
	for (uint32_t i = len; i < v->size; i++)
		if (p[i])
			return false;
	return true;
}

/* The ways in which a value prints in columns. */
enum shape { SHAPE_INT, SHAPE_FLOAT, SHAPE_TEXT, SHAPE_SYMBOL, SHAPE_STACK, SHAPE_BYTES };

static enum shape shape_of(const struct value *v)
{
	const struct type *t = type_base(v->type);

	switch (t->kind) {
	case T_INT:
	case T_ENUM:
	case T_PTR:
		return v->size <= 8 ? SHAPE_INT : type_is_charptr(t) ? SHAPE_TEXT : SHAPE_BYTES;
	case T_FLOAT:
		return SHAPE_FLOAT;
	case T_STRING:
		return SHAPE_TEXT;
	case T_SYMADDR:
	case T_USYMADDR:
		return SHAPE_SYMBOL;
	case T_STACK:
		return SHAPE_STACK;
	default:
		return is_char_array(t) && looks_like_text(v) ? SHAPE_TEXT : SHAPE_BYTES;
	}
}

static void print_text(FILE *out, const struct value *v, const char *before, int width)
{
	fprintf(out, "%s%-*.*s", before, width, (int)value_strlen(v), (const char *)v->data);
}

static void print_symbol(struct fmt_ctx *ctx, const struct value *v)
{
	struct strbuf sb = {0};

	value_symbol(ctx, v, &sb);
	fprintf(ctx->out, "  %-50s", sb_str(&sb));
	sb_free(&sb);
}

static void print_float(FILE *out, const struct value *v)
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
	fprintf(out, "%Lg", ld);
}

static void print_int(FILE *out, const struct value *v, const char *before, int width)
{
	int64_t n = value_int(v);

	if (type_is_signed(v->type))
		fprintf(out, "%s%*" PRId64, before, width, n);
	else
		fprintf(out, "%s%*" PRIu64, before, width, (uint64_t)n);
}

/* Columns by the size of an integer. */
static int trace_width(const struct value *v)
{
	bool is_signed = type_is_signed(v->type);

	switch (v->size) {
	case 1:
		return 3;
	case 2:
		return 5;
	case 4:
		return 10;
	default:
		return is_signed ? 19 : 20;
	}
}

void value_trace(struct fmt_ctx *ctx, const struct value *v, bool quiet, bool rawbytes)
{
	enum shape shape = shape_of(v);

	if (rawbytes && shape == SHAPE_TEXT)
		shape = SHAPE_BYTES;
	switch (shape) {
	case SHAPE_INT:
		print_int(ctx->out, v, quiet ? "" : " ", quiet ? 0 : trace_width(v));
		break;
	case SHAPE_FLOAT:
		fputs(quiet ? "" : " ", ctx->out);
		print_float(ctx->out, v);
		break;
	case SHAPE_TEXT:
		print_text(ctx->out, v, quiet ? "" : "  ", quiet ? 0 : 33);
		break;
	case SHAPE_SYMBOL:
		print_symbol(ctx, v);
		break;
	case SHAPE_STACK:
		value_stack(ctx, v, -1);
		break;
	case SHAPE_BYTES:
		value_dump(ctx, v->data, v->size);
		break;
	}
}

static void key_int(FILE *out, const struct value *v)
{
	switch (v->size) {
	case 1:
		print_int(out, v, "", 3);
		break;
	case 2:
		print_int(out, v, "", 5);
		break;
	case 4:
		print_int(out, v, " ", 8);
		break;
	default:
		print_int(out, v, " ", 16);
	}
}

void value_key(struct fmt_ctx *ctx, const struct value *v)
{
	switch (shape_of(v)) {
	case SHAPE_INT:
		key_int(ctx->out, v);
		break;
	case SHAPE_FLOAT:
		fputc(' ', ctx->out);
		print_float(ctx->out, v);
		break;
	case SHAPE_TEXT:
		print_text(ctx->out, v, "  ", 50);
		break;
	case SHAPE_SYMBOL:
		print_symbol(ctx, v);
		break;
	case SHAPE_STACK:
		value_stack(ctx, v, -1);
		break;
	case SHAPE_BYTES:
		value_dump(ctx, v->data, v->size);
		break;
	}
}
