/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After an error, parsing goes on without the clause that has it.
 *
 * An error leaves lexer and parser by diag_die(), within a token or a rule. The clause is then
 * overwritten with blanks in a copy of the text, and the copy is parsed from its beginning. Places
 * stay the same, as lines and lines of the preprocessor stay, and each error is found in a state
 * that only correct text has led to.
 *
 * Where the clause ends is a guess: at the brace that closes its first one. Braces that are
 * missing or superfluous are probably its own: it then extends to the end of the text, or to the
 * superfluous brace. So an error may remain for the next compilation, but none is reported that is
 * only a consequence of another. For the same reason errors after one in a declaration are not
 * looked for: what it declares may be a type.
 *
 * Rejected: the "error" token of bison. The lexer's errors, half of all, would have to become
 * tokens, and its modes would have to follow the parser's decision where the clause ends.
 */
#include <string.h>

#include "grammar/scan.h"

static const char *line_of(const char *text, const char *s)
{
	while (s > text && s[-1] != '\n')
		s--;
	return s;
}

/* A line of the preprocessor, or a pragma. */
static bool is_directive(const char *text, const char *s)
{
	const char *line = line_of(text, s);

	return line[strspn(line, " \t")] == '#';
}

/* After the brace from s on that closes so many more than were opened; NULL: none does. */
static const char *closing(const char *text, const char *s, const char *end, int more)
{
	const char *next;
	int depth = 0;

	for (; s < end; s = next) {
		next = look_quoted(s, end);
		if (next > s)
			continue;
		next = s + 1;
		if (*s == '#' && is_directive(text, s))
			next = s + strcspn(s, "\n");
		else if (*s == '{')
			depth++;
		else if (*s == '}' && --depth <= -more)
			return next;
	}
	return NULL;
}

static bool blank(char *text, size_t from, size_t to)
{
	bool any = false;

	for (size_t i = from; i < to; i++) {
		if (strchr(" \t\r\n\f\v", text[i]))
			continue;
		if (text[i] == '#' && is_directive(text, text + i)) {
			i += strcspn(text + i, "\n");
			continue;
		}
		text[i] = ' ';
		any = true;
	}
	return any;
}

bool parse_without(struct parse *p, struct loc error, char *text)
{
	struct lexer *lx = p->lexer;
	size_t from = error.off < lx->item ? lx->item_before : lx->item;
	const char *end = text + p->src->len, *to, *more;

	if (error.src != p->src || is_directive(text, text + error.off) ||
	    (from == lx->item && lx->ctx == CTX_DECL) ||
	    look_decl(p, text + from + strspn(text + from, " \t\r\n\f\v")))
		return false;
	to = closing(text, text + from, end, 0);
	to = to ? to : end;
	more = closing(text, to, end, 1);
	return blank(text, from, (more ? more : to) - text);
}
