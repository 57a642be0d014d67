/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consume/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*
 * How many bytes at s are one character of UTF-8: 0 when they are none. Overlong forms, surrogates and what is
 * above U+10FFFF are none.
 */
static size_t utf8_length(const unsigned char *s, size_t len)
{
	uint32_t c, least;
	size_t n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] < 0xe0)
		n = 2, c = s[0] & 0x1f, least = 0x80;
	else if (s[0] >= 0xe0 && s[0] < 0xf0)
		n = 3, c = s[0] & 0x0f, least = 0x800;
	else if (s[0] >= 0xf0 && s[0] < 0xf5)
		n = 4, c = s[0] & 0x07, least = 0x10000;
	else
		return 0;
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

static void escape(struct strbuf *out, unsigned char c)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
	const char *p = c ? strchr(plain, c) : NULL;

	if (p)
		sb_printf(out, "\\%c", letter[p - plain]);
	else if (c < ' ' || c == 0x7f)
		sb_printf(out, "\\u%04x", c);
	else
		sb_putc(out, c);
}

static void quote(struct strbuf *out, const char *s, size_t len)
{
	sb_putc(out, '"');
	while (len) {
		size_t n = utf8_length((const unsigned char *)s, len);

		if (n == 1)
			escape(out, *s);
		else if (n)
			sb_add(out, s, n);
		else
			sb_puts(out, "\xef\xbf\xbd");
		n = MAX(n, 1);
		s += n;
		len -= n;
	}
	sb_putc(out, '"');
}

static void begin(struct json *j, const char *key)
{
	if (j->comma)
		sb_putc(&j->sb, ',');
	j->comma = true;
	if (!key)
		return;
	quote(&j->sb, key, strlen(key));
	sb_putc(&j->sb, ':');
}

void json_open(struct json *j, const char *key, char open)
{
	begin(j, key);
	sb_putc(&j->sb, open);
	j->comma = false;
}

void json_close(struct json *j, char close)
{
	sb_putc(&j->sb, close);
	j->comma = true;
}

void json_int(struct json *j, const char *key, int64_t n)
{
	begin(j, key);
	sb_printf(&j->sb, "%" PRId64, n);
}

void json_uint(struct json *j, const char *key, uint64_t n)
{
	begin(j, key);
	sb_printf(&j->sb, "%" PRIu64, n);
}

void json_hex(struct json *j, const char *key, uint64_t n)
{
	begin(j, key);
	sb_printf(&j->sb, "\"0x%" PRIx64 "\"", n);
}

void json_text(struct json *j, const char *key, const char *s, size_t len)
{
	begin(j, key);
	quote(&j->sb, s, len);
}

void json_bytes(struct json *j, const char *key, const uint8_t *p, size_t n)
{
	struct strbuf sb = {0};

	for (size_t i = 0; i < n; i++)
		sb_printf(&sb, "%02x", p[i]);
	json_string(j, key, sb_str(&sb));
	sb_free(&sb);
}

void json_string(struct json *j, const char *key, const char *s)
{
	json_text(j, key, s, strlen(s));
}

void json_bool(struct json *j, const char *key, bool b)
{
	begin(j, key);
	sb_puts(&j->sb, b ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	begin(j, key);
	sb_puts(&j->sb, "null");
}

void json_float(struct json *j, const char *key, long double d)
{
	begin(j, key);
	if (isfinite(d))
		sb_printf(&j->sb, "%.17Lg", d);
	else
		sb_puts(&j->sb, "null");
}
