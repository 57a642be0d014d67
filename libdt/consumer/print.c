/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values by their types: trace(), and the keys of aggregations. */
#include "libdt/consumer/fmt.h"
#include "libdt/consumer/folded.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"
#include "libdt/consumer/print_value.h"

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

const char *value_int128(const struct value *v, char *text)
{
	uint64_t half[2] = {0, 0}; /* the low one first, as all machines of dt have it */

	memcpy(half, v->data, MIN(v->size, sizeof(half)));
	if (half[1])
		snprintf(text, VALUE_INT128, "0x%" PRIx64 "%016" PRIx64, half[1], half[0]);
	else
		snprintf(text, VALUE_INT128, "0x%" PRIx64, half[0]);
	return text;
}

struct value value_recorded(const struct type *type, const void *data, uint32_t size)
{
	struct value v = {.type = type, .data = data, .size = size}, narrow = v;

	if (!type_is_wide(type) || size != 8)
		return v;
	narrow.type = type_narrow(type);
	narrow.size = type_base(narrow.type)->size;
	return value_int(&narrow) == value_int(&v) ? narrow : v;
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

enum escape value_escape(const struct fmt_ctx *ctx, const struct value *v)
{
	switch (v->origin) {
	case TEXT_SCRIPT:
		return ESCAPE_NONE;
	case TEXT_NAME:
		return ESCAPE_NAME;
	case TEXT_MEMORY:
		break;
	}
	return ctx->escape;
}

enum escape fmt_escape(FILE *out, bool raw)
{
	return !raw && isatty(fileno(out)) ? ESCAPE_TEXT : ESCAPE_NONE;
}

int fmt_columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

/* Escapes as a name what was added to out since it had len bytes. */
static void escape_since(struct strbuf *out, size_t len)
{
	size_t n = out->len - len;
	char *name;

	if (!n || escape_clean(out->s + len, n, ESCAPE_NAME) == n)
		return;
	name = xstrdup(out->s + len);
	out->len = len;
	escape_add(out, name, strlen(name), ESCAPE_NAME);
	free(name);
}

void text_escape(struct strbuf *out, const char *s, size_t len)
{
	static const char plain[] = "\a\b\f\n\r\t\v\\\"", letter[] = "abfnrtv\\\"";

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

static void print_cgroup(struct fmt_ctx *ctx, uint64_t id, bool container, struct strbuf *out)
{
	const char *path = cgroups_path(ctx->cgroups, id);

	if (path && container)
		cgroup_container(path, out);
	else if (path)
		sb_puts(out, path);
	else
		sb_printf(out, "%llu", (unsigned long long)id);
}

/* " file.c:12" */
static void add_line(struct fmt_ctx *ctx, pid_t pid, uint64_t addr, struct strbuf *out)
{
	const char *file, *slash;
	int line;

	if (!usyms_line(ctx->usyms, pid, addr, &file, &line))
		return;
	slash = strrchr(file, '/');
	sb_printf(out, " %s:%d", slash && slash[1] ? slash + 1 : file, line);
}

void value_user_address(struct fmt_ctx *ctx, pid_t pid, uint64_t addr, struct strbuf *out)
{
	usyms_print(ctx->usyms, pid, addr, USYM_NAME, out);
	add_line(ctx, pid, addr, out);
}

static void symbol_name(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out)
{
	const struct type *t = type_base(v->type);

	if (t->kind == T_USYMADDR)
		usyms_print(ctx->usyms, word(v, 0), word(v, 1), (enum usym_how)t->nelem, out);
	else if (t->kind == T_SYMADDR && (t->nelem == SYM_CGROUP || t->nelem == SYM_CONTAINER))
		print_cgroup(ctx, word(v, 0), t->nelem == SYM_CONTAINER, out);
	else
		syms_print(ctx->syms, t->kind == T_SYMADDR ? word(v, 0) : (uint64_t)value_int(v),
			   t->kind == T_SYMADDR ? (enum sym_how)t->nelem : SYM_NAME, out);
}

void value_symbol(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out)
{
	const struct type *t = type_base(v->type);

	if (t->kind == T_USYMADDR && (enum usym_how)t->nelem == USYM_NAME)
		value_user_address(ctx, word(v, 0), word(v, 1), out);
	else
		symbol_name(ctx, v, out);
}

static bool is_user(const struct value *v)
{
	return type_base(v->type)->flags & TF_USERLAND;
}

int value_frames(const struct value *v)
{
	uint32_t first = is_user(v), n = first;

	while ((n + 1) * sizeof(uint64_t) <= v->size && word(v, n))
		n++;
	return (int)(n - first);
}

void value_frame_name(struct fmt_ctx *ctx, const struct value *v, int n, struct strbuf *out)
{
	size_t len = out->len;

	if (is_user(v))
		usyms_print(ctx->usyms, word(v, 0), word(v, n + 1), USYM_NAME, out);
	else
		syms_print(ctx->syms, word(v, n), SYM_NAME, out);
	escape_since(out, len);
}

void value_frame_line(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out)
{
	for (int i = 0; i < value_frames(v); i++) {
		size_t begin;

		if (i)
			sb_putc(out, ';');
		begin = out->len;
		value_frame_name(ctx, v, i, out);
		for (; begin < out->len; begin++)
			out->s[begin] = folded_character(out->s[begin]);
	}
}

void value_frame_function(struct fmt_ctx *ctx, const struct value *v, int n, struct strbuf *out)
{
	size_t len = out->len;
	const char *offset;

	value_frame_name(ctx, v, n, out);
	offset = out->len > len ? strstr(out->s + len, "+0x") : NULL;
	if (!offset)
		return;
	out->len = offset - out->s;
	out->s[out->len] = '\0';
}

/* A return address is after the call, and may belong to another line or to another function. */
uint64_t value_frame_place(const struct value *v, int n)
{
	return word(v, n + is_user(v)) - (n > 0);
}

void value_stack(struct fmt_ctx *ctx, const struct value *v, int indent)
{
	int n = value_frames(v);
	struct strbuf sb = {0};

	if (indent < 0)
		indent = ctx->stackindent;
	putc('\n', ctx->out);
	for (int i = 0; i < n; i++) {
		sb.len = 0;
		value_frame_name(ctx, v, i, &sb);
		if (is_user(v))
			add_line(ctx, word(v, 0), value_frame_place(v, i), &sb);
		escape_since(&sb, 0);
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

	if (!size)
		return;
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

/* Are bytes text? Printing characters, and then nothing but NULs, if any, as trace() has always
 * judged. */
static bool looks_like_text(const struct value *v)
{
	const unsigned char *p = v->data;
	uint32_t len = strnlen(v->data, v->size);

	if (!v->size || (!len && v->size > 1 && !is_char_array(type_base(v->type))))
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
		return looks_like_text(v) ? SHAPE_TEXT : SHAPE_BYTES;
	}
}

/* The columns of a way to print. Integers are by their size: of 1, 2, 4, and 8 bytes. */
struct columns {
	const char *text_before;
	int text_width, symbol_width;
	struct {
		const char *before;
		int width;
	} ints[4], wide; /* wide: of 8 bytes without a sign */
	const char *float_before;
};

static const struct columns trace_columns = {
    "  ", 33, 50, {{" ", 3}, {" ", 5}, {" ", 10}, {" ", 19}}, {" ", 20}, " ",
};
static const struct columns quiet_columns = {
    "", 0, 50, {{"", 0}, {"", 0}, {"", 0}, {"", 0}}, {"", 0}, "",
};
static const struct columns key_columns = {
    "  ", KEY_TEXT_WIDTH, KEY_TEXT_WIDTH, {{" ", 3}, {" ", 5}, {" ", 8}, {" ", 16}}, {" ", 16}, " ",
};

static void print_int(FILE *out, const struct value *v, const struct columns *c)
{
	int at = v->size == 1 ? 0 : v->size == 2 ? 1 : v->size == 4 ? 2 : 3;

	if (type_is_signed(v->type))
		fprintf(out, "%s%*" PRId64, c->ints[at].before, c->ints[at].width, value_int(v));
	else if (at == 3)
		fprintf(out, "%s%*" PRIu64, c->wide.before, c->wide.width, (uint64_t)value_int(v));
	else
		fprintf(out, "%s%*" PRIu64, c->ints[at].before, c->ints[at].width,
			(uint64_t)value_int(v));
}

static void print_symbol(struct fmt_ctx *ctx, const struct value *v, int width)
{
	struct strbuf sb = {0};

	value_symbol(ctx, v, &sb);
	escape_since(&sb, 0);
	fprintf(ctx->out, "  %-*s", width, sb_str(&sb));
	sb_free(&sb);
}

static void print_text(struct fmt_ctx *ctx, const struct value *v, const struct columns *c)
{
	enum escape how = value_escape(ctx, v);
	uint32_t len = value_strlen(v);
	struct strbuf sb = {0};

	if (escape_clean(v->data, len, how) == len) {
		fprintf(ctx->out, "%s%-*.*s", c->text_before, c->text_width, (int)len,
			(const char *)v->data);
		return;
	}
	escape_add(&sb, v->data, len, how);
	fprintf(ctx->out, "%s%-*s", c->text_before, c->text_width, sb_str(&sb));
	sb_free(&sb);
}

static void print_shape(struct fmt_ctx *ctx, const struct value *v, enum shape shape,
			const struct columns *c)
{
	switch (shape) {
	case SHAPE_INT:
		print_int(ctx->out, v, c);
		break;
	case SHAPE_FLOAT:
		fprintf(ctx->out, "%s%Lg", c->float_before, value_float(v));
		break;
	case SHAPE_TEXT:
		print_text(ctx, v, c);
		break;
	case SHAPE_SYMBOL:
		print_symbol(ctx, v, c->symbol_width);
		break;
	case SHAPE_STACK:
		value_stack(ctx, v, -1);
		break;
	case SHAPE_BYTES:
		value_dump(ctx, v->data, v->size);
		break;
	}
}

/* A record has no more of a string than its expression can make. */
static void dump_text(struct fmt_ctx *ctx, const struct value *v, uint32_t raw_size)
{
	char *whole;

	if (!type_is_string(v->type) || v->size >= raw_size) {
		value_dump(ctx, v->data, v->size);
		return;
	}
	whole = xcalloc(1, raw_size);
	memcpy(whole, v->data, v->size);
	value_dump(ctx, whole, raw_size);
	free(whole);
}

void value_trace(struct fmt_ctx *ctx, const struct value *v, bool quiet, uint32_t raw_size)
{
	enum shape shape = shape_of(v);

	if (raw_size && shape == SHAPE_TEXT)
		dump_text(ctx, v, raw_size);
	else
		print_shape(ctx, v, shape, quiet ? &quiet_columns : &trace_columns);
}

void value_key(struct fmt_ctx *ctx, const struct value *v, int text_width)
{
	struct columns c = key_columns;

	c.text_width = c.symbol_width = text_width;
	print_shape(ctx, v, shape_of(v), &c);
}

int value_key_columns(struct fmt_ctx *ctx, const struct value *v, int *text)
{
	enum shape shape = shape_of(v);
	struct strbuf sb = {0};
	int len;

	*text = -1;
	if (shape == SHAPE_STACK || shape == SHAPE_BYTES)
		return -1;
	if (shape == SHAPE_SYMBOL) {
		value_symbol(ctx, v, &sb);
		escape_since(&sb, 0);
	} else {
		value_word(ctx, v, &sb);
	}
	len = sb.len;
	sb_free(&sb);
	if (shape == SHAPE_INT)
		return 1 + MAX(len, v->size == 1 ? 3 : v->size == 2 ? 5 : v->size == 4 ? 8 : 16);
	if (shape == SHAPE_FLOAT)
		return 1 + len;
	*text = len;
	return 2 + MAX(len, KEY_TEXT_WIDTH);
}

void value_word(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out)
{
	const uint8_t *p = v->data;
	size_t len = out->len;

	switch (shape_of(v)) {
	case SHAPE_INT:
		sb_printf(out, type_is_signed(v->type) ? "%" PRId64 : "%" PRIu64, value_int(v));
		break;
	case SHAPE_FLOAT:
		sb_printf(out, "%Lg", value_float(v));
		break;
	case SHAPE_TEXT:
		escape_add(out, v->data, value_strlen(v), value_escape(ctx, v));
		break;
	case SHAPE_SYMBOL:
		symbol_name(ctx, v, out);
		escape_since(out, len);
		break;
	case SHAPE_STACK:
		if (value_frames(v))
			value_frame_name(ctx, v, 0, out);
		break;
	case SHAPE_BYTES:
		for (uint32_t i = 0; i < v->size; i++)
			sb_printf(out, "%02x", p[i]);
		break;
	}
}
