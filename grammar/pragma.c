/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that begin with #: pragmas, and line markers of cpp. */
#include <ctype.h>
#include <string.h>

#include "grammar/parse.h"

/* What is left of a line, and where it is in the source. */
struct rest {
	const char *s;
	size_t len;
	uint32_t off;
};

static void skip(struct rest *r, size_t n)
{
	r->s += n;
	r->off += n;
	r->len -= n;
}

static void trim(struct rest *r)
{
	while (r->len && isspace((unsigned char)*r->s))
		skip(r, 1);
	while (r->len && isspace((unsigned char)r->s[r->len - 1]))
		r->len--;
}

/* Takes the next word off the line. */
static struct rest take(struct rest *r)
{
	struct rest word;

	trim(r);
	word = *r;
	word.len = 0;
	while (word.len < r->len && !isspace((unsigned char)r->s[word.len]))
		word.len++;
	skip(r, word.len);
	trim(r);
	return word;
}

static bool is(const struct rest *word, const char *text)
{
	return word->len == strlen(text) && !memcmp(word->s, text, word->len);
}

/* A comment after a pragma is no part of it; one within quotes is. */
static void drop_comment(struct rest *r)
{
	bool quoted = false;

	for (size_t i = 0; i < r->len; i++) {
		quoted ^= r->s[i] == '"';
		if (quoted || r->s[i] != '/' || i + 1 >= r->len)
			continue;
		if (r->s[i + 1] == '*' ||
		    (r->s[i + 1] == '/' && (!i || isspace((unsigned char)r->s[i - 1]))))
			r->len = i;
	}
}

static struct loc place(struct parse *p, const struct rest *r)
{
	return scan_loc(p, r->off, r->len);
}

static void add_node(struct parse *p, struct loc loc, const struct rest *word, const struct rest *r)
{
	struct node *n = node_new(p, N_PRAGMA, loc);

	n->name = arena_strndup(p->arena, word->s, word->len);
	n->str = arena_strndup(p->arena, r->s, r->len);
	n->len = r->len;
	list_add(&p->lexer->pragmas, n);
}

static void d_pragma(struct parse *p, struct loc loc, struct rest *r)
{
	static const char *const known[] = {"attributes", "binding", "depends_on", "error",
					    "ident",	  "line",    "metric",	   "option"};
	struct rest word;
	size_t i = 0;

	drop_comment(r);
	word = take(r);
	if (!word.len)
		diag_die(p->diag, D_PRAGMA_MALFORM, loc, "malformed #pragma: a name is missing");
	while (i < ARRAY_SIZE(known) && !is(&word, known[i]))
		i++;
	if (i == ARRAY_SIZE(known))
		diag_die(p->diag, D_PRAGMA_INVAL, place(p, &word), "invalid #pragma D: %.*s",
			 (int)MIN(word.len, 60), word.s);
	if (!is(&word, "option")) {
		add_node(p, loc, &word, r);
		return;
	}
	if (!r->len)
		diag_die(p->diag, D_PRAGMA_MALFORM, loc, "malformed #pragma: an option is missing");
	if (p->pragma_option)
		p->pragma_option(p->arg, place(p, r), arena_strndup(p->arena, r->s, r->len));
	else
		add_node(p, loc, &word, r);
}

/*
 * C's "#pragma pack(n)", "pack(push, n)", "pack(pop)", "pack()": members are aligned to n bytes at
 * most. Names of what is pushed are skipped.
 */
static void pack_pragma(struct parse *p, struct rest *r)
{
	struct lexer *lx = p->lexer;
	bool changes = true;
	uint32_t n = 0;

	while (r->len) {
		struct rest word = *r;

		for (word.len = 0; word.len < r->len && look_ident_char(r->s[word.len]);)
			word.len++;
		if (is(&word, "push")) {
			struct pack *pushed = arena_alloc(p->arena, sizeof(*pushed));

			*pushed = (struct pack){lx->pushed, lx->pack};
			lx->pushed = pushed;
			n = lx->pack;
		} else if (is(&word, "pop") && lx->pushed) {
			lx->pack = lx->pushed->value;
			lx->pushed = lx->pushed->before;
			changes = false;
		} else if (word.len == 1 && strchr("1248", *word.s)) {
			n = *word.s - '0';
			changes = true;
		} else if (is(&word, "16")) {
			n = 16;
			changes = true;
		}
		skip(r, MAX(word.len, 1));
	}
	if (changes)
		lx->pack = n;
}

/* #pragma ident and whatever is meant for other compilers is no concern of D. */
static void pragma(struct parse *p, struct loc loc, struct rest *r)
{
	struct rest all = *r, word = take(r);

	if (!word.len)
		diag_die(p->diag, D_PRAGMA_MALFORM, loc,
			 r->off >= p->src->len
			     ? "end-of-file encountered before end of control line"
			     : "malformed #pragma");
	if (is(&word, "D"))
		d_pragma(p, loc, r);
	if (word.len >= 4 && !memcmp(word.s, "pack", 4) &&
	    (word.len == 4 || !look_ident_char(word.s[4]))) {
		skip(&all, word.s + 4 - all.s);
		pack_pragma(p, &all);
	}
}

/* "# 1 "/usr/include/x.h" 1 3 4": after the name, 3 means a system's header. */
static void marker(struct parse *p, const struct rest *r)
{
	const char *flags = memrchr(r->s, '"', r->len);

	if (flags)
		p->lexer->system = memchr(flags, '3', r->s + r->len - flags);
}

void pragma_line(struct parse *p, uint32_t off, const char *s, size_t len)
{
	struct rest r = {s, len, off}, word;
	struct loc loc;

	trim(&r);
	loc = place(p, &r);
	skip(&r, 1);
	if (r.len && *r.s == '!') /* names an interpreter, also after a licence */
		return;
	word = take(&r);
	if (word.len && isdigit((unsigned char)*word.s))
		marker(p, &r);
	if (!word.len || is(&word, "line") || is(&word, "ident") || isdigit((unsigned char)*word.s))
		return;
	if (is(&word, "error"))
		diag_die(p->diag, D_PRAGERR, loc, "#error: %.*s", (int)MIN(r.len, 200), r.s);
	if (!is(&word, "pragma"))
		diag_die(p->diag, D_PRAGCTL_INVAL, loc,
			 "invalid control directive: #%.*s (the preprocessor runs with -C only)",
			 (int)MIN(word.len, 60), word.s);
	pragma(p, loc, &r);
}
