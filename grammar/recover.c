/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After an error, parsing goes on without the clause, declaration or pragma that has it.
 *
 * An error leaves lexer and parser by diag_die(), within a token or a rule. The item is then
 * overwritten with blanks in a copy of the text, and the copy is parsed from its beginning. Places
 * stay the same, as lines and lines of the preprocessor stay, and each error is found in a state
 * that only correct text has led to.
 *
 * Where the item ends is a guess. A clause ends at the brace that closes its first one. Braces that
 * are missing are probably its own: it then extends to the end of the text. An error at a brace is
 * probably one of braces, and the item extends to a superfluous one. A declaration ends at its
 * semicolon. If a brace opens before that which begins no body of a structure, provider or
 * translator, the semicolon is missing, and the declaration ends with the line before the error.
 * So an error may remain for the next compilation, but none is reported that is only a consequence
 * of another; the caller asks for the names in the item, because a typedef that failed changes how
 * other text is parsed.
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

static bool is_blank(const char *s, const char *end)
{
	return s + strspn(s, " \t") >= end;
}

/* A line of the preprocessor, or a pragma. */
static bool is_directive(const char *text, const char *s)
{
	const char *line = line_of(text, s);

	return line[strspn(line, " \t")] == '#';
}

/* After the quoted text, comment or line of the preprocessor that begins at s; s: none does. */
static const char *skip(const char *text, const char *s, const char *end)
{
	const char *next = look_quoted(s, end);

	return next == s && *s == '#' && is_directive(text, s) ? s + strcspn(s, "\n") : next;
}

/* After the brace from s on that closes so many more than were opened; NULL: none does. */
static const char *closing(const char *text, const char *s, const char *end, int more)
{
	const char *next;
	int depth = 0;

	for (; s < end; s = next) {
		next = skip(text, s, end);
		if (next > s)
			continue;
		next = s + 1;
		if (*s == '{')
			depth++;
		else if (*s == '}' && --depth <= -more)
			return next;
	}
	return NULL;
}

/* A line of the preprocessor stays. What begins one is looked for in the text as it was: of a line
 * that is blank already, any "#" would be the first character. */
static bool blank(char *text, size_t from, size_t to)
{
	bool any = false, first = is_blank(line_of(text, text + from), text + from);

	for (size_t i = from; i < to; i++) {
		if (strchr(" \t\r\n\f\v", text[i])) {
			first |= text[i] == '\n';
			continue;
		}
		if (text[i] == '#' && first) {
			i += strcspn(text + i, "\n") - 1;
			continue;
		}
		text[i] = ' ';
		any = true;
		first = false;
	}
	return any;
}

/* What may stand between the closing brace of a structure and the semicolon: declarators. */
static bool is_declarator(char c)
{
	return look_ident_char(c) || (c && strchr(" \t*[],", c));
}

/* After the semicolon, if no more than declarators precede it in the line of s, or blanks. Else
 * s. */
static const char *after_declarators(const char *s, const char *end)
{
	const char *at = s + strspn(s, " \t\r\n\f\v");

	if (at < end && *at == ';')
		return at + 1;
	for (at = s; at < end && is_declarator(*at);)
		at++;
	return at < end && *at == ';' ? at + 1 : s;
}

/* Does the brace at s begin the body of a structure, a provider or a translator that begins at
 * from? */
static bool begins_body(const char *from, const char *s)
{
	static const char *const words[] = {"struct", "union", "enum", "provider"};
	const char *last = NULL, *word = from;
	size_t n, idents = 0;

	for (; word < s; word += n ? n : 1) {
		n = look_ident(word);
		if (!n)
			continue;
		idents++;
		if (n == strlen("translator") && !memcmp(word, "translator", n))
			return true;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (n == strlen(words[i]) && !memcmp(word, words[i], n)) {
				last = word;
				idents = 0;
			}
	}
	return last && idents <= 1;
}

/* Where a declaration ends whose semicolon is missing: before the line of the error, or with it. */
static const char *before_error(const char *text, const char *from, const char *error)
{
	const char *line = line_of(text, error);

	return line > from ? line : from + strcspn(from, "\n");
}

static const char *decl_end(const char *text, const char *from, const char *end, const char *error)
{
	const char *next, *s;
	int depth = 0;

	for (s = from; s < end; s = next) {
		next = skip(text, s, end);
		if (next > s)
			continue;
		next = s + 1;
		if (*s == ';' && !depth)
			return next;
		else if (*s == '{' && !depth && !begins_body(from, s))
			return before_error(text, from, error);
		else if (*s == '{')
			depth++;
		else if (*s == '}' && --depth <= 0)
			return after_declarators(next, end);
	}
	return depth ? end : before_error(text, from, error);
}

/* A pragma with an error is nothing else's beginning; other lines may define what follows. */
static bool blank_pragma(char *line)
{
	char *word = line + strspn(line, " \t#");

	if (strncmp(word, "pragma", strlen("pragma")))
		return false;
	memset(line, ' ', strcspn(line, "\n"));
	return true;
}

enum removed parse_without(struct parse *p, struct loc error, char *text)
{
	struct lexer *lx = p->lexer;
	size_t from = error.off < lx->item ? lx->item_before : lx->item;
	const char *end = text + p->src->len, *at = text + error.off, *first, *brace, *to, *more;
	bool decl;

	if (error.src != p->src)
		return REMOVED_NONE;
	if (is_directive(text, at))
		return blank_pragma((char *)line_of(text, at)) ? REMOVED_CLAUSE : REMOVED_NONE;
	first = text + from + strspn(text + from, " \t\r\n\f\v");
	decl = (from == lx->item && lx->ctx == CTX_DECL) || look_decl(p, first);
	if (decl) {
		to = decl_end(text, first, end, at);
	} else {
		brace = closing(text, first, end, 0);
		to = brace ? after_declarators(brace, end) : end;
		decl = brace && to > brace; /* a misspelt "typedef" */
	}
	more = *at == '}' && at + 1 >= to ? closing(text, to, end, 1) : NULL;
	if (!blank(text, from, (more ? more : to) - text))
		return REMOVED_NONE;
	return decl ? REMOVED_DECL : REMOVED_CLAUSE;
}

const char *parse_names(struct arena *a, const char *text)
{
	bool members = !strstr(text, "enum");
	struct strbuf names = {0};
	const char *list;
	int depth = 0;

	for (size_t n; *text; text += n ? n : 1) {
		n = look_ident(text);
		depth += *text == '{' ? 1 : *text == '}' ? -1 : 0;
		if (n && !(members && depth > 0) && !keyword_token(text, n))
			sb_printf(&names, "%.*s ", (int)n, text);
	}
	list = arena_strdup(a, sb_str(&names));
	sb_free(&names);
	return list;
}
