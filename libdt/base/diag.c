/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/diag.h"

#include <string.h>

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
	sb_vprintf(&d->msg, fmt, ap);
	va_end(ap);
	longjmp(d->border, 1);
}

void diag_warn(struct diag *d, struct loc loc, const char *fmt, ...)
{
	int line, column;
	va_list ap;

	loc_pos(loc, &line, &column);
	if (loc.src && loc.src->kind == SOURCE_FILE)
		sb_printf(&d->warnings, "%s:%d: ", loc.src->name, line);
	va_start(ap, fmt);
	sb_vprintf(&d->warnings, fmt, ap);
	va_end(ap);
	sb_putc(&d->warnings, '\n');
}

static void format_caret(const struct diag *d, struct strbuf *out)
{
	int line, column, len;
	const char *text = loc_line(d->loc, &len);

	loc_pos(d->loc, &line, &column);
	sb_printf(out, "\n%5d | %.*s\n      | ", line, len, text);
	for (int i = 0; i < column - 1 && i < len; i++)
		sb_putc(out, text[i] == '\t' ? '\t' : ' ');
	sb_putc(out, '^');
	for (int i = 1; i < (int)d->loc.len && column - 1 + i < len; i++)
		sb_putc(out, '~');
}

void diag_format(const struct diag *d, struct strbuf *out, bool tags, bool caret)
{
	const struct source *src = d->loc.src;
	int line, column;

	loc_pos(d->loc, &line, &column);
	if (src && src->kind == SOURCE_PROBE)
		sb_printf(out, "invalid probe specifier %s: ", src->name);
	else if (src)
		sb_printf(out, "failed to compile script %s: ", src->name);
	if (tags)
		sb_printf(out, "[%s] ", tag_name(d->tag));
	if (src && (src->kind != SOURCE_PROBE || memchr(src->text, '\n', src->len)))
		sb_printf(out, "line %d: ", line);
	if (d->where)
		sb_printf(out, "%s: ", d->where);
	sb_puts(out, sb_str(&d->msg));
	if (src && caret)
		format_caret(d, out);
}
