/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats when a script is compiled: parsing, and the check against the types of the arguments. */
#include "libdt/consumer/fmt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct parse {
	struct diag *diag;
	struct loc loc;
	const char *p, *end;
	int number;
	struct fmt *fmt;
	struct arena *arena;
};

/* The next byte, NUL at the end. */
static char peek(const struct parse *s)
{
	return s->p < s->end ? *s->p : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool skip(struct parse *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static void parse_flags(struct parse *s, struct fmt_piece *p)
{
	for (;; s->p++) {
		switch (peek(s)) {
		case '-':
			p->left = true;
			break;
		case '0':
			p->zero = true;
			break;
		case '+':
			p->plus = true;
			break;
		case ' ':
			p->space = true;
			break;
		case '#':
			p->alt = true;
			break;
		case '\'':
			p->group = true;
			break;
		case '@':
			p->is_agg = true;
			break;
		default:
			return;
		}
	}
}

static int parse_number(struct parse *s)
{
	int n = 0;

	for (; is_digit(peek(s)); s->p++) {
		n = n * 10 + (*s->p - '0');
		if (n >= FMT_WIDE)
			diag_die(s->diag, D_SYNTAX, s->loc,
				 "format conversion #%d is wider than %d", s->number, FMT_WIDE - 1);
	}
	return n;
}

static void parse_width(struct parse *s, struct fmt_piece *p)
{
	p->width = p->prec = -1;
	if (skip(s, '*'))
		p->star_width = true;
	else if (skip(s, '?')) /* the digits of a pointer */
		p->width = 16;
	else if (peek(s) >= '1' && peek(s) <= '9')
		p->width = parse_number(s);
	if (peek(s) == '$')
		diag_die(s->diag, D_SYNTAX, s->loc,
			 "format conversion #%d: positional arguments (%%n$) are not supported",
			 s->number);
	if (!skip(s, '.'))
		return;
	if (skip(s, '*'))
		p->star_prec = true;
	else
		p->prec = parse_number(s);
}

static unsigned parse_length(struct parse *s)
{
	if (skip(s, 'h'))
		return skip(s, 'h') ? LEN_HH : LEN_H;
	if (skip(s, 'l'))
		return skip(s, 'l') ? LEN_LL : LEN_L;
	if (skip(s, 'L'))
		return LEN_LDBL;
	return skip(s, 'w') ? LEN_W : 0;
}

static void add_text(struct parse *s, const char *from, const char *to)
{
	if (from == to)
		return;
	s->fmt->pieces[s->fmt->npieces++] = (struct fmt_piece){
	    .text = arena_strndup(s->arena, from, to - from),
	    .len = to - from,
	};
}

/* "%@p50", "%@p99.9": prints as "%@d". Those that stand next to each other are of one
 * aggregation. */
static void parse_percent(struct parse *s, struct fmt_piece *p, const char *start)
{
	const struct fmt_piece *last = NULL;
	int unit = 1000;

	s->p++;
	p->percent = parse_number(s) * unit;
	if (peek(s) == '.' && s->p + 1 < s->end && is_digit(s->p[1]))
		for (s->p++; is_digit(peek(s)); s->p++)
			p->percent += (unit /= 10) * (*s->p - '0');
	if (p->percent < 1 || p->percent > 100000)
		diag_die(s->diag, D_SYNTAX, s->loc,
			 "format conversion #%d: a percentile is above 0 and at most 100: %%%.*s",
			 s->number, (int)(s->p - start), start);
	p->conv = conv_find('d');
	for (int i = 0; i < s->fmt->npieces; i++)
		if (s->fmt->pieces[i].is_agg)
			last = &s->fmt->pieces[i];
	p->arg = last && last->percent ? last->arg : s->fmt->naggs++;
}

static void parse_letter(struct parse *s, struct fmt_piece *p, const char *start)
{
	p->conv = conv_find(*s->p++);
	if (!p->conv || (p->length & ~p->conv->lengths))
		diag_die(s->diag, D_SYNTAX, s->loc, "format conversion #%d is undefined: %%%.*s%s",
			 s->number, (int)(s->p - start), start,
			 isalpha((unsigned char)s->p[-1]) ? "" : "; a percent sign is %%");
	if (p->is_agg && !p->conv->agg)
		diag_die(s->diag, D_PRINTF_AGG_CONV, s->loc,
			 "format conversion #%d is not for an aggregation: %%%.*s", s->number,
			 (int)(s->p - start), start);
	p->arg = p->is_agg ? s->fmt->naggs++ : s->fmt->nargs++;
}

/* After a "%". An aggregation's "@" stands before the flags or before the letter: "%@6d",
 * "%6@d". */
static void parse_conversion(struct parse *s)
{
	const char *start = s->p;
	struct fmt_piece p = {0};

	s->number++;
	parse_flags(s, &p);
	parse_width(s, &p);
	while (skip(s, '@'))
		p.is_agg = true;
	p.length = parse_length(s);
	if (s->p == s->end)
		diag_die(s->diag, D_SYNTAX, s->loc,
			 "format conversion #%d name expected before end of format string",
			 s->number);
	if (*s->p == '%' && s->p == start) {
		add_text(s, s->p, s->p + 1);
		s->p++;
		s->number--;
		return;
	}
	p.number = s->number;
	p.width_arg = p.star_width ? s->fmt->nargs++ : -1;
	p.prec_arg = p.star_prec ? s->fmt->nargs++ : -1;
	if (p.is_agg && !p.length && *s->p == 'p' && s->p + 1 < s->end && is_digit(s->p[1]))
		parse_percent(s, &p, start);
	else
		parse_letter(s, &p, start);
	s->fmt->pieces[s->fmt->npieces++] = p;
}

struct fmt *fmt_parse(struct arena *a, struct diag *d, struct loc loc, const char *text,
		      uint32_t len)
{
	struct fmt *f = arena_alloc(a, sizeof(*f));
	struct parse s = {
	    .diag = d,
	    .loc = loc,
	    .p = text,
	    .end = text + len,
	    .fmt = f,
	    .arena = a,
	};
	size_t most = 1; /* each conversion, with a text before it, and one at the end */

	for (uint32_t i = 0; i < len; i++)
		most += text[i] == '%' ? 2 : 0;
	f->pieces = arena_alloc(a, most * sizeof(*f->pieces));
	while (s.p < s.end) {
		const char *percent = memchr(s.p, '%', s.end - s.p);

		add_text(&s, s.p, percent ? percent : s.end);
		s.p = percent ? percent + 1 : s.end;
		if (percent)
			parse_conversion(&s);
	}
	return f;
}

struct check {
	struct fmt *fmt;
	struct diag *diag;
	struct types *types;
	const char *func;
	struct loc loc;
	const struct type *const *args;
	const struct loc *locs;
	int nargs;
};

static const char *length_text(unsigned length)
{
	switch (length) {
	case LEN_HH:
		return "hh";
	case LEN_H:
		return "h";
	case LEN_L:
		return "l";
	case LEN_LL:
		return "ll";
	case LEN_LDBL:
		return "L";
	case LEN_W:
		return "w";
	default:
		return "";
	}
}

/* What a conversion takes, in words. */
static const char *proto_text(const struct fmt_piece *p, struct strbuf *out)
{
	const char *name[] = {
	    [LEN_HH] = "char",	    [LEN_H] = "short",		[LEN_L] = "long",
	    [LEN_LL] = "long long", [LEN_LDBL] = "long double",
	};

	if (!p->length)
		return p->conv->proto;
	if (strchr("cC", p->conv->letter))
		return "wchar_t";
	if (strchr("sS", p->conv->letter))
		return "wchar_t []";
	if (p->length != LEN_LDBL && strchr("uoxX", p->conv->letter))
		sb_puts(out, "unsigned ");
	sb_puts(out, name[p->length]);
	return sb_str(out);
}

/* The conversion that the user may have meant; "" where it is not plain. */
static const char *type_hint(const struct check *c, const struct fmt_piece *p, int arg)
{
	const struct type *t = c->args[arg];

	if (p->conv->letter == 's' && type_is_int(t))
		return type_size(c->types, t) == 8
			   ? "; copyinstr() reads the string at an address of the process"
			   : "; %d prints an integer";
	return strchr("cdiouxX", p->conv->letter) && type_is_string(t) ? "; %s prints a string"
								       : "";
}

/* The message is built in the arena of the types, since no caller could free it. */
static _Noreturn void die_type(struct check *c, const struct fmt_piece *p, int arg)
{
	struct strbuf sb = {0};
	const char *proto = arena_strdup(types_arena(c->types), proto_text(p, &sb));

	sb_free(&sb);
	diag_die(c->diag, D_PRINTF_ARG_TYPE, c->locs ? c->locs[arg] : c->loc,
		 "%s( ) argument #%d is incompatible with conversion #%d prototype:\n"
		 "\tconversion: %%%s%c\n\t prototype: %s\n\t  argument: %s%s",
		 c->func, arg + 2, p->number, length_text(p->length), p->conv->letter, proto,
		 type_text(c->types, c->args[arg]), type_hint(c, p, arg));
}

/* A "*" takes an integer before the value. */
static void check_star(struct check *c, const struct fmt_piece *p, int arg, bool is_prec)
{
	const char *what = is_prec ? ".*" : "*";

	if (arg >= c->nargs)
		diag_die(c->diag, D_PRINTF_DYN_PROTO, c->loc,
			 "%s( ) prototype mismatch: conversion #%d (%%%s%s%c) is missing a "
			 "corresponding "
			 "\"%s\" argument",
			 c->func, p->number, what, length_text(p->length), p->conv->letter, what);
	if (!type_is_int(c->args[arg]))
		diag_die(c->diag, D_PRINTF_DYN_TYPE, c->locs ? c->locs[arg] : c->loc,
			 "%s( ) argument #%d is incompatible with conversion #%d prototype:\n"
			 "\tconversion: %%%s%s%c\n\t prototype: int\n\t  argument: %s",
			 c->func, arg + 2, p->number, what, length_text(p->length), p->conv->letter,
			 type_text(c->types, c->args[arg]));
}

static void check_piece(struct check *c, const struct fmt_piece *p, bool has_agg)
{
	if (p->star_width)
		check_star(c, p, p->width_arg, false);
	if (p->star_prec)
		check_star(c, p, p->prec_arg, true);
	if (p->is_agg) {
		if (!has_agg)
			diag_die(c->diag, D_PRINTF_AGG_CONV, c->loc,
				 "%%@ conversion requires an aggregation and is not for use with "
				 "%s( )",
				 c->func);
		return;
	}
	if (p->arg >= c->nargs)
		diag_die(
		    c->diag, D_PRINTF_ARG_PROTO, c->loc,
		    "%s( ) prototype mismatch: conversion #%d (%%%s%c) is missing a corresponding "
		    "value argument",
		    c->func, p->number, length_text(p->length), p->conv->letter);
	if (!p->conv->check(p, type_base(c->args[p->arg])))
		die_type(c, p, p->arg);
}

void fmt_check(struct fmt *f, struct diag *d, struct types *types, struct loc loc, const char *func,
	       const struct type *const *args, const struct loc *locs, int nargs, bool has_agg)
{
	struct check c = {f, d, types, func, loc, args, locs, nargs};

	for (int i = 0; i < f->npieces; i++)
		if (f->pieces[i].conv)
			check_piece(&c, &f->pieces[i], has_agg);
	/* In printa the arguments are keys, and those that no conversion asks for are left out. */
	if (nargs > f->nargs && !has_agg)
		diag_die(
		    d, D_PRINTF_ARG_EXTRA, loc,
		    "%s( ) prototype mismatch: only %d arguments required by this format string",
		    func, f->nargs);
}
