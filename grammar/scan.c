/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to values: integers, characters, strings, macro variables, probe descriptions. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/hint.h"
#include "grammar/parse.h"
#include "libdt/base/unit.h"

/* Bytes of a probe description, before and after its macro variables are expanded. */
#define EXPAND_MAX 4096

struct loc scan_loc(struct parse *p, uint32_t off, uint32_t len)
{
	return (struct loc){p->src, off, len};
}

/* Integers */

struct number {
	struct loc loc;
	const char *s;
	size_t len;
	const char *macro; /* NULL, or the name of the macro argument that it comes from */
};

static _Noreturn void int_overflow(struct parse *p, const struct number *num)
{
	if (num->macro)
		diag_die(p->diag, D_MACRO_OFLOW, num->loc,
			 "macro argument %s constant %.*s results in integer overflow", num->macro,
			 (int)MIN(num->len, 60), num->s);
	diag_die(p->diag, D_INT_OFLOW, num->loc,
		 "integer constant %.*s cannot be represented in any built-in integral type",
		 (int)MIN(num->len, 60), num->s);
}

static int digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* The number's base; moves *at past its prefix. */
static int int_base(const struct number *num, size_t *at)
{
	char c = num->len > 1 ? tolower((unsigned char)num->s[1]) : 0;

	*at = 0;
	if (num->s[0] != '0')
		return 10;
	if (c == 'x' || c == 'b') {
		*at = 2;
		return c == 'x' ? 16 : 2;
	}
	return isdigit((unsigned char)c) || c == '_' ? 8 : 10;
}

static const char *base_name(int base)
{
	return base == 16 ? "hexadecimal" : base == 8 ? "octal" : base == 2 ? "binary" : "decimal";
}

/* Reads digits, between which a "_" may stand. Returns where they end. */
static size_t int_digits(struct parse *p, const struct number *num, size_t at, int base,
			 uint64_t *value)
{
	size_t start = at;

	for (; at < num->len; at++) {
		int d = digit_value(num->s[at]);

		if (num->s[at] == '_' && at > start)
			continue;
		if (d >= base)
			break;
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, d, value))
			int_overflow(p, num);
	}
	if (at == start || num->s[at - 1] == '_' || (at < num->len && digit_value(num->s[at]) < 10))
		diag_die(p->diag, D_INT_DIGIT, num->loc, "invalid digit in %s constant %.*s",
			 base_name(base), (int)MIN(num->len, 60), num->s);
	return at;
}

static bool int_suffix(const char *s, size_t len, enum int_suffix *suffix)
{
	static const struct {
		const char *text;
		enum int_suffix suffix;
	} known[] = {
	    {"", SUFFIX_NONE}, {"u", SUFFIX_U},	  {"l", SUFFIX_L},     {"ul", SUFFIX_UL},
	    {"lu", SUFFIX_UL}, {"ll", SUFFIX_LL}, {"ull", SUFFIX_ULL}, {"llu", SUFFIX_ULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strlen(known[i].text) == len && !strncasecmp(s, known[i].text, len)) {
			*suffix = known[i].suffix;
			return true;
		}
	}
	return false;
}

/* A unit of time makes nanoseconds. Returns 0 when it is none. */
static uint64_t duration(const char *s, size_t len)
{
	for (int i = 0; i < TIME_UNITS; i++)
		if (strlen(time_units[i].name) == len && !memcmp(s, time_units[i].name, len))
			return time_units[i].ns;
	return 0;
}

static struct node *number_node(struct parse *p, const struct number *num)
{
	struct node *n = node_new(p, N_INT, num->loc);
	size_t at, rest;
	int base = int_base(num, &at);
	uint64_t unit;

	at = int_digits(p, num, at, base, &n->value);
	rest = num->len - at;
	n->decimal = base == 10;
	if (int_suffix(num->s + at, rest, &n->suffix))
		return n;
	unit = base == 10 ? duration(num->s + at, rest) : 0;
	if (!unit)
		diag_die(p->diag, D_SYNTAX, num->loc,
			 "invalid suffix \"%.*s\" of integer constant %.*s", (int)MIN(rest, 60),
			 num->s + at, (int)MIN(at, 60), num->s);
	if (__builtin_mul_overflow(n->value, unit, &n->value))
		int_overflow(p, num);
	return n;
}

struct node *scan_int(struct parse *p, struct loc loc, const char *s, size_t len)
{
	return number_node(p, &(struct number){loc, s, len, NULL});
}

struct node *scan_float(struct parse *p, struct loc loc, const char *s, size_t len)
{
	struct node *n = node_new(p, N_INT, loc);
	double d = strtod(arena_strndup(p->arena, s, len), NULL);

	if (isinf(d))
		diag_die(p->diag, D_SYNTAX, loc, "floating-point constant is too large: %.*s",
			 (int)MIN(len, 40), s);
	memcpy(&n->value, &d, sizeof(d));
	n->is_float = true;
	return n;
}

/* Characters and strings */

/* Up to max digits of a base; moves *at past them. */
static unsigned escape_digits(const char *s, size_t len, size_t *at, int base, int max)
{
	unsigned value = 0;

	for (; max-- && *at < len && digit_value(s[*at]) < base; ++*at)
		value = value * base + digit_value(s[*at]);
	return value & 0xff;
}

/* Is a character after a backslash part of an escape? Else the backslash stands for itself, as in
 * system("sed 's/\.$//'"). */
static bool is_escape(char c)
{
	return c && strchr("abfnrtvx01234567\\\"'?\n", c);
}

/* Resolves the escape after a backslash at s[*at]. Returns -1 for one that stands for nothing. */
static int escape(const char *s, size_t len, size_t *at)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	char c = s[*at];
	const char *found = strchr(from, c);

	if (c >= '0' && c <= '7')
		return escape_digits(s, len, at, 8, 3);
	++*at;
	if (c == 'x' && *at < len && isxdigit((unsigned char)s[*at]))
		return escape_digits(s, len, at, 16, 2);
	if (c == '\n')
		return -1;
	return found ? to[found - from] : (unsigned char)c;
}

/* Resolves escapes; out holds len bytes and a NUL. Returns how many bytes there are. */
static size_t unescape(const char *s, size_t len, char *out)
{
	size_t n = 0, at = 0;

	while (at < len) {
		int c = (unsigned char)s[at++];

		if (c == '\\' && at < len && is_escape(s[at]))
			c = escape(s, len, &at);
		if (c >= 0)
			out[n++] = c;
	}
	return n;
}

struct node *scan_char(struct parse *p, struct loc loc, const char *s, size_t len)
{
	struct node *n = node_new(p, N_INT, loc);
	char *bytes = arena_alloc(p->arena, len + 1);
	size_t count = unescape(s, len, bytes);

	if (!count)
		diag_die(p->diag, D_CHR_NULL, loc, "empty character constant");
	if (count > sizeof(n->value))
		diag_die(p->diag, D_CHR_OFLOW, loc,
			 "character constant is longer than %zu characters", sizeof(n->value));
	for (size_t i = 0; i < count; i++)
		n->value = n->value << 8 | (unsigned char)bytes[i];
	n->is_char = true;
	n->decimal = true;
	return n;
}

struct node *scan_string(struct parse *p, struct loc loc, const char *s, size_t len)
{
	struct node *n = node_new(p, N_STR, loc);
	char *bytes = arena_alloc(p->arena, len + 1);

	n->len = unescape(s, len, bytes);
	n->str = bytes;
	return n;
}

/* Macro variables */

bool scan_is_ident(const char *s)
{
	size_t n = look_ident(s);

	return n && !s[n];
}

const char *scan_macro(struct parse *p, struct loc loc, const char *name, size_t len)
{
	bool argument = isdigit((unsigned char)*name);
	const char *text, *dollar = loc.len > 1 && loc.src->text[loc.off + 1] == '$' ? "$" : "";

	name = arena_strndup(p->arena, name, len);
	text = p->macro_arg ? p->macro_arg(p->arg, name) : NULL;
	if (text)
		return arena_strdup(p->arena, text);
	if (argument && !p->defaultargs)
		diag_die(p->diag, D_MACRO_UNDEF, loc,
			 "macro argument %s$%s is not defined: argument %s is missing%s", dollar,
			 name, name, hint_usage(p));
	if (!argument)
		diag_die(p->diag, D_MACRO_UNDEF, loc, "macro variable $%s is not defined; %s", name,
			 hint_macro(p, name));
	return NULL;
}

static const char *skip_sign(const char *s)
{
	return s + (*s == '-' || *s == '+');
}

bool scan_is_int(const char *s)
{
	s = skip_sign(s);
	return isdigit((unsigned char)*s) &&
	       !s[strspn(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")];
}

struct node *scan_macro_int(struct parse *p, struct loc loc, const char *text)
{
	const char *s = skip_sign(text),
		   *name = arena_strndup(p->arena, p->src->text + loc.off, loc.len);
	struct node *n = number_node(p, &(struct number){loc, s, strlen(s), name});

	n->is_macro = true;
	if (*text != '-')
		return n;
	n = node_op(p, loc, N_UNARY, OP_NEG, n, NULL);
	n->is_macro = true;
	return n;
}

struct node *scan_macro_string(struct parse *p, struct loc loc, const char *text)
{
	size_t len = strlen(text);
	bool quoted = len > 1 && text[0] == '"' && text[len - 1] == '"';
	struct node *n = scan_string(p, loc, text + quoted, len - 2 * quoted);

	n->is_macro = true;
	return n;
}

/* Length of the macro variable at s, which begins with "$"; 0 when it is none. */
static size_t macro_length(const char *s, size_t max)
{
	size_t n = 1 + (max > 1 && s[1] == '$'), start = n;

	if (n < max && isdigit((unsigned char)s[n]))
		while (n < max && isdigit((unsigned char)s[n]))
			n++;
	else if (n < max)
		n += MIN(look_ident(s + n), max - n);
	return n > start ? n : 0;
}

const char *scan_expand(struct parse *p, struct loc loc, const char *s, size_t len)
{
	char *out = arena_strndup(p->arena, "", 0);
	size_t at = 0, start = 0;

	if (len > EXPAND_MAX)
		diag_die(p->diag, D_PDESC_INVAL, loc, "text with macro variables is too long");
	while (at < len) {
		size_t n = s[at] == '$' ? macro_length(s + at, len - at) : 0;
		size_t skip = n > 1 && s[at + 1] == '$' ? 2 : 1;
		const char *text;

		if (!n) {
			at += s[at] == '\\' && at + 1 < len ? 2 : 1;
			continue;
		}
		p->in_text = true;
		text = scan_macro(p, scan_loc(p, loc.off + at, n), s + at + skip, n - skip);
		p->in_text = false;
		out = arena_printf(p->arena, "%s%.*s%s", out, (int)(at - start), s + start,
				   text ? text : "");
		if (strlen(out) > EXPAND_MAX)
			diag_die(p->diag, D_PDESC_INVAL, loc,
				 "text with macro variables is too long");
		at += n;
		start = at;
	}
	return arena_printf(p->arena, "%s%.*s", out, (int)(len - start), s + start);
}

struct node *scan_pdesc(struct parse *p, struct loc loc, const char *s, size_t len)
{
	struct node *n = node_new(p, N_PDESC, loc);

	n->str = scan_expand(p, loc, s, len);
	n->len = strlen(n->str);
	if (!n->len || strspn(n->str, "0123456789") != n->len)
		return n;
	n->has_id = true;
	for (const char *c = n->str; *c; c++)
		if (__builtin_mul_overflow(n->value, 10, &n->value) ||
		    __builtin_add_overflow(n->value, *c - '0', &n->value))
			diag_die(p->diag, D_INT_OFLOW, loc, "probe identifier %s is too large",
				 n->str);
	return n;
}
