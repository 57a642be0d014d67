/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/diag.h"

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

void diag_caret(struct loc loc, struct strbuf *out)
{
	int line, column, len;
	const char *text = loc_line(loc, &len);

	loc_pos(loc, &line, &column);
	sb_printf(out, "\n%5d | ", line);
	escape_add(out, text, len, ESCAPE_TEXT);
	sb_puts(out, "\n      | ");
	for (int i = 0; i < column - 1 && i < len; i++)
		sb_putc(out, text[i] == '\t' ? '\t' : ' ');
	sb_putc(out, '^');
	for (int i = 1; i < (int)loc.len && column - 1 + i < len; i++)
		sb_putc(out, '~');
}

/* The text of -n, which may have lines. */
static void put_program(struct strbuf *out, const char *text)
{
	sb_puts(out, "invalid probe specifier ");
	escape_add(out, text, strlen(text), ESCAPE_TEXT);
	sb_puts(out, ": ");
}

void diag_format(const struct diag *d, struct strbuf *out, bool tags, bool caret)
{
	const struct source *src = d->loc.src;
	int line, column, len;
	const char *file = loc_file(d->loc, &len);

	loc_pos(d->loc, &line, &column);
	if (src && src->kind == SOURCE_PROBE)
		put_program(out, src->name);
	else if (src && src->kind == SOURCE_LIBRARY)
		escape_printf(out, "failed to compile D library %s: ", src->name);
	else if (src)
		escape_printf(out, "failed to compile script %s: ", src->name);
	if (tags)
		sb_printf(out, "[%s] ", tag_name(d->tag));
	if (file && file != src->name)
		escape_printf(out, "\"%.*s\", line %d: ", len, file, line);
	else if (src && (src->kind != SOURCE_PROBE || memchr(src->text, '\n', src->len)))
		sb_printf(out, "line %d: ", line);
	if (d->where)
		sb_printf(out, "%s: ", d->where);
	sb_puts(out, sb_str(&d->msg));
	if (src && caret)
		diag_caret(d->loc, out);
}

enum { WORD_MAX = 63 };

int diag_distance(const char *a, const char *b)
{
	int rows[3][WORD_MAX + 2], la = (int)strnlen(a, WORD_MAX + 1),
				   lb = (int)strnlen(b, WORD_MAX + 1);
	int *two_up = rows[0], *up = rows[1], *row = rows[2], *spare;

	if (la > WORD_MAX || lb > WORD_MAX)
		return 1000;
	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		spare = two_up;
		two_up = up;
		up = row;
		row = spare;
		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			row[j] = up[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = MIN(row[j], MIN(up[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], two_up[j - 2] + 1);
		}
	}
	return row[lb];
}
