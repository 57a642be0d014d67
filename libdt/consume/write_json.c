/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON: each line is an object, alone or in an array. */
#include <string.h>

#include "libdt/consume/writer.h"

static void put_character(struct strbuf *out, const char *s, size_t n)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
	const char *p = *s ? strchr(plain, *s) : NULL;

	if (p)
		sb_printf(out, "\\%c", letter[p - plain]);
	else if ((unsigned char)*s < ' ' || *s == 0x7f)
		sb_printf(out, "\\u%04x", *s);
	/* C1: commands to a terminal */
	else if (n == 2 && *s == '\xc2' && (unsigned char)s[1] < 0xa0)
		sb_printf(out, "\\u%04x", (unsigned char)s[1]);
	else
		sb_add(out, s, n);
}

static void quote(struct writer *w, const char *s, size_t len)
{
	sb_putc(&w->sb, '"');
	writer_characters(w, s, len);
	sb_putc(&w->sb, '"');
}

static void put_key(struct writer *w, const char *key)
{
	if (w->comma)
		sb_putc(&w->sb, ',');
	w->comma = true;
	if (!key)
		return;
	quote(w, key, strlen(key));
	sb_putc(&w->sb, ':');
}

static void put_open(struct writer *w, const char *key, bool array)
{
	put_key(w, key);
	sb_putc(&w->sb, array ? '[' : '{');
	w->comma = false;
}

static void put_close(struct writer *w, const char *key, bool array)
{
	(void)key;
	sb_putc(&w->sb, array ? ']' : '}');
	w->comma = true;
}

static void put_scalar(struct writer *w, const char *key, const char *s, size_t len, bool text)
{
	put_key(w, key);
	if (text)
		quote(w, s, len);
	else
		sb_puts(&w->sb, s ? s : "null");
}

static void put_line(struct writer *w, const char *type)
{
	writer_object(w, NULL);
	if (type)
		writer_string(w, "type", type);
}

const struct writer_form writer_json = {
    .line = put_line,
    .open = put_open,
    .close = put_close,
    .scalar = put_scalar,
    .character = put_character,
};

/* A comma begins a line, so that each line that is written is complete. */
const struct writer_form writer_events = {
    .head = "[\n",
    .between = ",",
    .foot = "]\n",
    .line = put_line,
    .open = put_open,
    .close = put_close,
    .scalar = put_scalar,
    .character = put_character,
};
