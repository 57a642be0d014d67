/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON: each line is an object, alone or in an array; and in a page that shows it (report.js). */
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/consumer/writer.h"

static void put_character(struct strbuf *out, const char *s, size_t n)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
	const char *p = *s ? strchr(plain, *s) : NULL;
	uint32_t character;

	utf8_decode(s, n, &character);
	if (p)
		sb_printf(out, "\\%c", letter[p - plain]);
	else if ((unsigned char)*s < ' ' || *s == 0x7f)
		sb_printf(out, "\\u%04x", *s);
	else if (utf8_is_control(character))
		sb_printf(out, "\\u%04x", character);
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

/* In a page --------------------------------------------------------------- */

/*
 * The lines are the text of an element, which nothing in them may end: "<" is part of strings
 * only, where it has another spelling. The page is one without its foot too, as a dtrace leaves it
 * that is killed; therefore its script comes first. It may load nothing and send nothing.
 */
static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action "
    "'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>dtrace</title>\n<style>\n"
#include "libdt/consumer/frame_colours.inc"
#include "libdt/consumer/report_style.inc"
    "</style>\n<script>\n"
#include "libdt/consumer/report.inc"
    "</script>\n</head>\n<body>\n"
    "<noscript>This page draws its records by a script, which is turned off here.</noscript>\n"
    "<script type=\"application/json\" id=\"records\">\n";

static void put_in_page(FILE *out, const char *text, size_t len)
{
	const char *end = text + len, *p;

	for (; (p = memchr(text, '<', end - text)); text = p + 1) {
		fwrite(text, 1, p - text, out);
		fputs("\\u003c", out);
	}
	fwrite(text, 1, end - text, out);
}

/* Numbers of the page's script have 53 bits; longer ones are strings of digits. */
static void put_page_scalar(struct writer *w, const char *key, const char *s, size_t len, bool text)
{
	bool integer = s && len > 15 && strspn(s, "-0123456789") == len;

	put_scalar(w, key, s, len, text || integer);
}

const struct writer_form writer_html = {
    .head = page_head,
    .foot = "</script>\n</body>\n</html>\n",
    .frames = true,
    .line = put_line,
    .open = put_open,
    .close = put_close,
    .scalar = put_page_scalar,
    .character = put_character,
    .put = put_in_page,
};
