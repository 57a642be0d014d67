/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * XML: what is a member in JSON is an element of that name here, an element of an array is an
 * <item>, and a line is an element of its type; a firing is a <probe>. All are in one
 * document, each in a line of its own. There are bytes that XML cannot carry, not even escaped.
 */
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/consumer/writer.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Readers would make blanks of bare ends of lines in attributes, and newlines of carriage
 * returns. */
static void put_character(struct strbuf *out, const char *s, size_t n)
{
	unsigned char c = *s;
	uint32_t character;

	utf8_decode(s, n, &character);
	if (c == '&')
		sb_puts(out, "&amp;");
	else if (c == '<')
		sb_puts(out, "&lt;");
	else if (c == '>')
		sb_puts(out, "&gt;");
	else if (c == '"')
		sb_puts(out, "&quot;");
	else if (c == '\n' || c == '\r' || c == '\t' || c == 0x7f)
		sb_printf(out, "&#%d;", c);
	else if (utf8_is_control(character))
		sb_printf(out, "&#%d;", (int)character);
	else if (c < ' ' || (n == 3 && !memcmp(s, "\xef\xbf", 2) && (unsigned char)s[2] >= 0xbe))
		sb_puts(out, REPLACEMENT);
	else
		sb_add(out, s, n);
}

/* Other languages' members may have names that no element can have. */
static bool is_element_name(const char *key)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
			  rest[] = "0123456789-.";
	size_t first = strspn(key, letters);

	while (first && key[first] && strchr(rest, key[first])) {
		first++;
		first += strspn(key + first, letters);
	}
	return first && !key[first];
}

static const char *element_name(const char *key)
{
	return !key ? "item" : is_element_name(key) ? key : "member";
}

static void put_begin(struct writer *w, const char *key)
{
	sb_printf(&w->sb, "<%s", element_name(key));
	if (!key || is_element_name(key))
		return;
	sb_puts(&w->sb, " name=\"");
	writer_characters(w, key, strlen(key));
	sb_putc(&w->sb, '"');
}

static void put_open(struct writer *w, const char *key, bool array)
{
	(void)array;
	put_begin(w, key);
	sb_putc(&w->sb, '>');
}

static void put_close(struct writer *w, const char *key, bool array)
{
	(void)array;
	sb_printf(&w->sb, "</%s>", element_name(key));
}

static void put_scalar(struct writer *w, const char *key, const char *s, size_t len, bool text)
{
	(void)text;
	put_begin(w, key);
	if (!len) {
		sb_puts(&w->sb, "/>");
		return;
	}
	sb_putc(&w->sb, '>');
	writer_characters(w, s, len);
	put_close(w, key, false);
}

static void put_line(struct writer *w, const char *type)
{
	writer_object(w, strcmp(type, "record") ? type : "probe");
}

const struct writer_form writer_xml = {
    .head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dtrace>\n<probes>\n",
    .foot = "</probes>\n</dtrace>\n",
    .flat = true,
    .line = put_line,
    .open = put_open,
    .close = put_close,
    .scalar = put_scalar,
    .character = put_character,
};
