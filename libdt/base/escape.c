/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t utf8_decode(const char *text, size_t len, uint32_t *character)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c, least;
	size_t n;

	*character = s[0];
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
	if (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*character = c;
	return n;
}

size_t utf8_length(const char *text, size_t len)
{
	uint32_t character;

	return utf8_decode(text, len, &character);
}

bool utf8_is_control(uint32_t c)
{
	return (c >= 0x80 && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* How many bytes at s are a character that stays as it is; 0 when the byte is to be escaped. */
static size_t clean_character(const char *s, size_t len, enum escape how)
{
	unsigned char c = *s;
	uint32_t character;
	size_t n;

	if (c >= 0x20 && c < 0x7f)
		return 1;
	if (c < 0x80)
		return how == ESCAPE_TEXT && (c == '\n' || c == '\t');
	n = utf8_decode(s, len, &character);
	return n && utf8_is_control(character) ? 0 : n;
}

/* Whether eight bytes are all printable ASCII. */
static bool clean_word(const char *s)
{
	static const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
	uint64_t w, del;

	memcpy(&w, s, sizeof(w));
	del = w ^ (ones * 0x7f);
	return !(((w - ones * 0x20) | (del - ones) | w) & highs);
}

size_t escape_clean(const char *s, size_t len, enum escape how)
{
	size_t i = 0, n;

	if (how == ESCAPE_NONE)
		return len;
	while (i < len) {
		if (len - i >= 8 && clean_word(s + i)) {
			i += 8;
			continue;
		}
		n = clean_character(s + i, len - i, how);
		if (!n)
			break;
		i += n;
	}
	return i;
}

void escape_add(struct strbuf *out, const char *s, size_t len, enum escape how)
{
	for (;;) {
		size_t n = escape_clean(s, len, how);

		sb_add(out, s, n);
		if (n == len)
			break;
		sb_printf(out, "\\%03o", (unsigned char)s[n]);
		s += n + 1;
		len -= n + 1;
	}
}

void escape_put(FILE *out, const char *s)
{
	size_t len = strlen(s);
	struct strbuf sb = {0};

	if (escape_clean(s, len, ESCAPE_NAME) == len) {
		fputs(s, out);
		return;
	}
	escape_add(&sb, s, len, ESCAPE_NAME);
	fputs(sb_str(&sb), out);
	sb_free(&sb);
}

/* Formats ----------------------------------------------------------------- */

/* One conversion: its text without stars, for the C library. */
struct spec {
	char text[64];
	size_t len;
	int width, prec; /* 0, -1: none */
	bool left;
	unsigned
	    longs; /* how many l; z, j and t count as two, all have 64 bits or those of a long */
	bool long_double;
	char letter;
};

static void spec_add(struct spec *c, const char *s, size_t n)
{
	if (c->len + n >= sizeof(c->text))
		abort(); /* formats are ours */
	memcpy(c->text + c->len, s, n);
	c->len += n;
	c->text[c->len] = '\0';
}

/* The number at *fmt, or the argument that a star stands for, which is given as what it was. */
static int spec_number(struct spec *c, const char **fmt, int arg)
{
	char digits[16], *end;
	int n = arg;

	if (**fmt == '*')
		++*fmt;
	else
		n = strtol(*fmt, &end, 10), *fmt = end;
	spec_add(c, digits, snprintf(digits, sizeof(digits), "%d", n));
	return n;
}

static void spec_lengths(struct spec *c, const char **fmt)
{
	for (; **fmt && strchr("hlzjtL", **fmt); ++*fmt) {
		c->longs += strchr("zjt", **fmt) ? 2 : **fmt == 'l';
		c->long_double |= **fmt == 'L';
		spec_add(c, *fmt, 1);
	}
}

/* Text in its field, as C's %s has it: the precision is of what comes in, the width of what goes
 * out. */
static void add_field(struct strbuf *out, const struct spec *c, const char *s, enum escape how)
{
	struct strbuf sb = {0};
	int width = abs(c->width);

	if (!s)
		s = "(null)";
	escape_add(&sb, s, c->prec >= 0 ? strnlen(s, c->prec) : strlen(s), how);
	if (sb.len < (size_t)width && !c->left)
		sb_printf(out, "%*s", width - (int)sb.len, "");
	sb_add(out, sb_str(&sb), sb.len);
	if (sb.len < (size_t)width && c->left)
		sb_printf(out, "%*s", width - (int)sb.len, "");
	sb_free(&sb);
}

/* A va_list in a struct can be handed on and goes on where it was. */
struct args {
	va_list ap;
};

static void add_conversion(struct strbuf *out, const struct spec *c, struct args *a,
			   enum escape how)
{
	char one[2] = "";

	switch (c->letter) {
	case 's':
		add_field(out, c, va_arg(a->ap, const char *), how);
		break;
	case 'c':
		one[0] = (char)va_arg(a->ap, int);
		add_field(out, c, one, how);
		break;
	case 'p':
		sb_printf(out, c->text, va_arg(a->ap, void *));
		break;
	case 'e':
	case 'f':
	case 'g':
		if (c->long_double)
			sb_printf(out, c->text, va_arg(a->ap, long double));
		else
			sb_printf(out, c->text, va_arg(a->ap, double));
		break;
	default:
		if (c->longs > 1)
			sb_printf(out, c->text, va_arg(a->ap, long long));
		else if (c->longs)
			sb_printf(out, c->text, va_arg(a->ap, long));
		else
			sb_printf(out, c->text, va_arg(a->ap, int));
	}
}

void escape_vprintf(struct strbuf *out, const char *fmt, va_list ap)
{
	enum escape how = strcmp(fmt, "%s") ? ESCAPE_NAME : ESCAPE_TEXT;
	struct args a;

	va_copy(a.ap, ap);
	for (;;) {
		size_t n = strcspn(fmt, "%");
		struct spec c = {.text = "%", .len = 1, .prec = -1};

		sb_add(out, fmt, n);
		fmt += n;
		if (!*fmt)
			break;
		if (*++fmt == '%') {
			sb_putc(out, *fmt++);
			continue;
		}
		for (; *fmt && strchr("-+ #0'", *fmt); fmt++) {
			c.left |= *fmt == '-';
			spec_add(&c, fmt, 1);
		}
		if (*fmt == '*' || (*fmt >= '1' && *fmt <= '9'))
			c.width = spec_number(&c, &fmt, *fmt == '*' ? va_arg(a.ap, int) : 0);
		c.left |= c.width < 0;
		if (*fmt == '.') {
			spec_add(&c, fmt++, 1);
			c.prec = spec_number(&c, &fmt, *fmt == '*' ? va_arg(a.ap, int) : 0);
		}
		spec_lengths(&c, &fmt);
		c.letter = *fmt++;
		spec_add(&c, &c.letter, 1);
		add_conversion(out, &c, &a, how);
	}
	va_end(a.ap);
}

void escape_printf(struct strbuf *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(out, fmt, ap);
	va_end(ap);
}
