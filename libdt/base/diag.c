/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/diag.h"

#include <stdint.h>
#include <string.h>

#include "libdt/base/escape.h"

static const char *const tag_names[] = {
#define TAG(name) #name,
#include "libdt/base/diag.def"
#undef TAG
};

const char *tag_name(enum tag tag)
{
	return tag_names[tag];
}

_Noreturn void diag_die(struct diag *d, enum tag tag, struct loc loc, const char *fmt, ...)
{
	va_list ap;

	d->tag = tag;
	d->loc = loc;
	d->msg.len = 0;
	va_start(ap, fmt);
	escape_vprintf(&d->msg, fmt, ap);
	va_end(ap);
	longjmp(d->recover, 1);
}

void diag_warn(struct diag *d, struct loc loc, const char *fmt, ...)
{
	struct warning w = {loc, d->warned.len};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&d->warned, fmt, ap);
	va_end(ap);
	sb_putc(&d->warned, '\0');
	vec_push(&d->warnings, w);
}

/* How many columns of a terminal a character takes. */
static int char_columns(uint32_t c)
{
	static const struct {
		uint32_t first, last;
		int columns;
	} ranges[] = {
	    {0x300, 0x36f, 0},	   {0x200b, 0x200f, 0},	  {0xfe00, 0xfe0f, 0},
	    {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2},	  {0x3041, 0xa4cf, 2},
	    {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},	  {0xfe30, 0xfe6f, 2},
	    {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},	  {0x1f300, 0x1f64f, 2},
	    {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return ranges[i].columns;
	return 1;
}

/* Adds mark for each column that the text takes when it is printed from column *at on. */
static void put_columns(struct strbuf *out, const char *text, int len, char mark, int *at)
{
	struct strbuf shown = {0};
	uint32_t character;
	int columns;
	size_t n;

	escape_add(&shown, text, len, ESCAPE_TEXT);
	for (size_t i = 0; i < shown.len; i += n) {
		n = utf8_decode(shown.s + i, shown.len - i, &character);
		n = MAX(n, 1);
		columns = character == '\t' ? 8 - *at % 8 : char_columns(character);
		*at += columns;
		while (columns--)
			sb_putc(out, mark);
	}
	sb_free(&shown);
}

static int columns_of(const char *text, int len)
{
	struct strbuf marks = {0};
	int columns = 0;

	put_columns(&marks, text, len, ' ', &columns);
	sb_free(&marks);
	return columns;
}

/* Is this byte within a character of UTF-8? */
static bool continues(char c)
{
	return (c & 0xc0) == 0x80;
}

/* The bytes of the character that ends, or begins, at s; of max bytes there. */
static int char_before(const char *s, int max)
{
	int n = 1;

	while (n < max && continues(s[-n]))
		n++;
	return n;
}

static int char_after(const char *s, int max)
{
	int n = 1;

	while (n < max && continues(s[n]))
		n++;
	return n;
}

/* Which part of a line to print around the byte at column: from *from to *to, at most width
 * columns, two thirds of them before the place. */
static void clip(const char *text, int len, int column, int width, int *from, int *to)
{
	int used = 0, n;

	for (*from = column; *from > 0; *from -= n) {
		n = char_before(text + *from, *from);
		used += columns_of(text + *from - n, n);
		if (used > width * 2 / 3)
			break;
	}
	used = columns_of(text + *from, column - *from);
	for (*to = column; *to < len; *to += n) {
		n = char_after(text + *to, len - *to);
		used += columns_of(text + *to, n);
		if (used > width)
			break;
	}
}

void diag_caret(struct loc loc, bool colour, int columns, struct strbuf *out)
{
	enum { MARGIN = 8, DOTS = 3 };
	int line, column, len, marked, shown = MARGIN, from = 0, to;
	const char *text = loc_line(loc, &len), *before = "", *after = "";
	size_t at;

	loc_pos(loc, &line, &column);
	column = MIN(column - 1, len);
	to = len;
	if (columns > 2 * MARGIN + 2 * DOTS && columns_of(text, len) > columns - MARGIN) {
		clip(text, len, column, columns - MARGIN - 2 * DOTS, &from, &to);
		before = from ? "..." : "";
		after = to < len ? "..." : "";
	}
	text += from;
	column -= from;
	len = to - from;
	marked = MIN((int)loc.len, len - column);
	sb_printf(out, "\n%5d | %s", line, before);
	escape_add(out, text, len, ESCAPE_TEXT);
	sb_printf(out, "%s\n      | %*s", after, (int)strlen(before), "");
	shown += strlen(before);
	put_columns(out, text, column, ' ', &shown);
	sb_puts(out, colour ? "\033[1;31m" : "");
	at = out->len;
	put_columns(out, text + column, marked, '~', &shown);
	if (out->len == at)
		sb_putc(out, '~');
	out->s[at] = '^';
	sb_puts(out, colour ? "\033[0m" : "");
}

enum { PROGRAM_SHOWN = 60 };

void diag_put_program(struct strbuf *out, const char *text)
{
	size_t len = strlen(text), shown = strcspn(text, "\n");

	if (shown > PROGRAM_SHOWN)
		for (shown = PROGRAM_SHOWN; shown > 1 && (text[shown] & 0xc0) == 0x80; shown--)
			;
	sb_puts(out, "invalid probe specifier ");
	escape_add(out, text, shown, ESCAPE_TEXT);
	sb_puts(out, shown < len ? "...: " : ": ");
}

void diag_put_source(const struct source *src, struct strbuf *out)
{
	if (src->kind == SOURCE_PROBE)
		diag_put_program(out, src->name);
	else if (src->kind == SOURCE_LIBRARY)
		escape_printf(out, "failed to compile D library %s: ", src->name);
	else
		escape_printf(out, "failed to compile script %s: ", src->name);
}

void diag_format(const struct diag *d, struct strbuf *out, bool tags, bool line_follows)
{
	const struct source *src = d->loc.src;
	int line, column, len;
	const char *file = loc_file(d->loc, &len);

	loc_pos(d->loc, &line, &column);
	if (src && src->kind == SOURCE_PROBE && line_follows)
		sb_puts(out, "invalid probe specifier: ");
	else if (src)
		diag_put_source(src, out);
	if (tags)
		sb_printf(out, "[%s] ", tag_name(d->tag));
	if (file && file != src->name)
		escape_printf(out, "\"%.*s\", line %d: ", len, file, line);
	else if (src && (src->kind != SOURCE_PROBE || memchr(src->text, '\n', src->len)))
		sb_printf(out, "line %d: ", line);
	else if (d->where)
		sb_printf(out, "%s: ", d->where);
	sb_puts(out, sb_str(&d->msg));
}
