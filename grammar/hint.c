/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "grammar/hint.h"

#include <string.h>
#include <strings.h>

#include "grammar/scan.h"
#include "libdt/base/diag.h"
#include "libdt/base/nearest.h"

/* The end of the text before loc, without the blanks between. */
static const char *text_before(const struct parse *p, struct loc loc)
{
	const char *text = p->src->text, *before = text + loc.off;

	while (before > text && strchr(" \t\r\n", before[-1]))
		before--;
	return before;
}

/* Does the text that ends at end have the word there? */
static bool ends_with(const struct parse *p, const char *end, const char *word)
{
	size_t len = strlen(word), have = end - p->src->text;

	return have >= len && !memcmp(end - len, word, len) &&
	       (have == len || !look_ident_char(end[-(int)len - 1]));
}

/* Does a declaration begin with this word, where a statement should? */
static bool is_declaration(const struct parse *p, struct loc loc)
{
	static const char *const words[] = {"char",	"short",  "int",    "long",  "signed",
					    "unsigned", "float",  "double", "void",  "string",
					    "struct",	"union",  "enum",   "const", "volatile",
					    "_Bool",	"static", "typedef"};
	const char *text = p->src->text, *before = text_before(p, loc);

	if (before == text ||
	    !(strchr("{};", before[-1]) || (before - text > 4 && (!memcmp(before - 4, "this", 4) ||
								  !memcmp(before - 4, "self", 4)))))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == loc.len && !memcmp(words[i], text + loc.off, loc.len))
			return true;
	return false;
}

/* Is the place within the braces of a clause? Strings and comments are not distinguished from
 * code, so this is a guess. */
static bool in_body(const struct parse *p, struct loc loc)
{
	int depth = 0;

	for (const char *s = p->src->text; s < p->src->text + loc.off; s++)
		depth += (*s == '{') - (*s == '}');
	return depth > 0;
}

/* Does a value end here that a statement does not begin with? Not in "return x". */
static bool ends_value(const struct parse *p, const char *end)
{
	const char *s = end;

	if (end - p->src->text > 1 && (!memcmp(end - 2, "++", 2) || !memcmp(end - 2, "--", 2)))
		return true;
	if (strchr(")]\"", end[-1]))
		return true;
	while (s > p->src->text && look_ident_char(s[-1]))
		s--;
	if (s == end)
		return false;
	while (s > p->src->text && strchr(" \t\r\n", s[-1]))
		s--;
	return s > p->src->text && !strchr("{};)", s[-1]);
}

/* Does a member begin here, or a probe of a provider, right after what may end one? Or another
 * item, in a line of its own, after a declaration? */
static bool lacks_semicolon_of_decl(const struct parse *p, struct loc loc)
{
	const char *before = text_before(p, loc), *at = p->src->text + loc.off;
	bool line = memchr(before, '\n', at - before) != NULL;

	if (p->lexer->ctx != CTX_DECL || before == p->src->text || !look_ident_char(*at))
		return false;
	if (p->lexer->in_provider)
		return loc.len == 5 && !memcmp(at, "probe", 5);
	return line && (look_ident_char(before[-1]) || strchr(")]\"", before[-1]));
}

/* Is a name expected here, after a type and stars? */
static bool lacks_name(const struct parse *p, const char *before)
{
	return before > p->src->text && (look_ident_char(before[-1]) || before[-1] == '*');
}

/* Does a statement begin here right after what may end one? */
static bool lacks_semicolon(const struct parse *p, struct loc loc)
{
	const char *before = text_before(p, loc), *at = p->src->text + loc.off;
	bool line = memchr(before, '\n', at - before) != NULL;

	if (before == p->src->text || !in_body(p, loc) ||
	    !(look_ident_char(*at) || strchr("@$", *at)) ||
	    (loc.len == 4 && !memcmp(at, "else", 4)))
		return false;
	return ends_value(p, before) || (line && look_ident_char(before[-1]));
}

/* The word at the beginning of a statement which ends at end, or NULL. */
static const char *first_word(const struct parse *p, const char *end)
{
	const char *text = p->src->text, *word = end, *s;

	while (word > text && look_ident_char(word[-1]))
		word--;
	for (s = word; s > text && strchr(" \t\r\n", s[-1]);)
		s--;
	return look_ident(word) && s > text && strchr("{};", s[-1]) ? word : NULL;
}

/* "exit 0": the hint for a call without parentheses, or NULL. */
static const char *hint_call(const struct parse *p, const char *before, const char *at)
{
	const char *word = first_word(p, before);

	if (!word || (*at != '"' && (*at < '0' || *at > '9')) || ends_with(p, before, "return"))
		return NULL; /* not in "return 0", which other languages have */
	return arena_printf(p->arena, "; D writes this \"%.*s(...)\"", (int)(before - word), word);
}

/* The innermost bracket that is open at the place: one of "([{", or '\0'. */
static char open_bracket(const struct parse *p, struct loc loc)
{
	enum { DEPTH = 256 };
	const char *s = p->src->text, *end = s + loc.off, *next;
	char open[DEPTH];
	int n = 0;

	for (; s<end; s = next> s ? next : s + 1) {
		next = look_quoted(s, end);
		if (next > s)
			continue;
		if (strchr("([{", *s) && n < DEPTH)
			open[n++] = *s;
		else if (strchr(")]}", *s) && n)
			n--;
	}
	return n ? open[n - 1] : '\0';
}

/* "(strct item *)": the keyword that the word before an identifier may be meant for, or NULL. */
static const char *misspelt_tag(const struct parse *p, const char *before, const char *at)
{
	static const char *const tags[] = {"struct", "union", "enum"};
	const char *word = before;
	struct nearest near;

	while (word > p->src->text && look_ident_char(word[-1]))
		word--;
	if (word == p->src->text || word[-1] != '(' || !look_ident_char(*at))
		return NULL;
	near = nearest_within(arena_strndup(p->arena, word, before - word), 3);
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		nearest_try(&near, tags[i]);
	return near.best ? arena_printf(p->arena, "; did you mean %s?", near.best) : NULL;
}

/* What may be missing within brackets, or NULL. */
static const char *hint_bracket(const struct parse *p, const char *before, struct loc loc)
{
	const char *at = p->src->text + loc.off, *tag;
	char open = open_bracket(p, loc);

	if (open != '(' && open != '[')
		return NULL;
	if (strchr(";}", *at) /* or the end of the text */ || *at == (open == '(' ? ']' : ')'))
		return open == '(' ? "; a ')' may be missing before it"
				   : "; a ']' may be missing before it";
	tag = misspelt_tag(p, before, at);
	if (tag)
		return tag;
	if ((look_ident_char(*at) || strchr("@$\"", *at)) && ends_value(p, before))
		return "; a ',' may be missing before it";
	return NULL;
}

/* Does the text end with the head of a loop, "unroll (3)"? */
static bool follows_loop(const struct parse *p, const char *end)
{
	int depth = 0;

	if (end == p->src->text || end[-1] != ')')
		return false;
	do {
		end--;
		depth += (*end == ')') - (*end == '(');
	} while (depth && end > p->src->text);
	while (end > p->src->text && strchr(" \t", end[-1]))
		end--;
	return ends_with(p, end, "unroll") || ends_with(p, end, "while") ||
	       ends_with(p, end, "for");
}

/* A word that is no type where a cast has one, "(foo_t)x": its end, or NULL. end: the ")". */
static const char *cast_word(const struct parse *p, const char *end)
{
	const char *text = p->src->text, *s;

	while (end > text && strchr(" \t", end[-1]))
		end--;
	for (s = end; s > text && look_ident_char(s[-1]);)
		s--;
	if (s == end || (*s >= '0' && *s <= '9') || s == text || s[-1] != '(')
		return NULL;
	for (s--; s > text && strchr(" \t", s[-1]);)
		s--;
	return s > text && look_ident_char(s[-1]) ? NULL : end;
}

/* The hint for a cast to what is no type, or NULL. */
static const char *hint_cast(const struct parse *p, const char *before, const char *at)
{
	const char *end = NULL, *word;

	if (before > p->src->text && before[-1] == ')' && (look_ident_char(*at) || *at == '('))
		end = cast_word(p, before - 1);
	if (!end)
		return NULL;
	for (word = end; look_ident_char(word[-1]);)
		word--;
	return arena_printf(p->arena, "; %.*s is not a type", (int)(end - word), word);
}

const char *hint_end(const struct parse *p)
{
	switch (open_bracket(p, (struct loc){.off = p->src->len})) {
	case '{':
		return "; a '}' is missing";
	case '(':
		return "; a ')' is missing";
	case '[':
		return "; a ']' is missing";
	}
	return "";
}

/* The quotes of word processors: U+2018 to U+201F. */
static bool is_typographic_quote(const char *at)
{
	return !memcmp(at, "\xe2\x80", 2) && (unsigned char)at[2] >= 0x98 &&
	       (unsigned char)at[2] <= 0x9f;
}

/* "uprobe:./program:function", whose path is no description, in D; or NULL. */
static const char *hint_uprobe(const struct parse *p, const char *item)
{
	static const struct {
		const char *theirs, *name;
	} kinds[] = {{"uprobe:", "entry"}, {"uretprobe:", "return"}, {"usdt:", NULL},
		     {"u:", "entry"},	   {"ur:", "return"},	     {"U:", NULL}};
	const char *file, *colon, *last;
	int len;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strncmp(item, kinds[i].theirs, strlen(kinds[i].theirs)) != 0)
			continue;
		file = item + strlen(kinds[i].theirs);
		colon = strchr(file, ':');
		if (!colon || memchr(file, '{', colon - file))
			return NULL;
		for (const char *s = file; s < colon; s++)
			file = *s == '/' ? s + 1 : file;
		len = (int)strcspn(colon + 1, ": \t\r\n/{");
		last = colon + 1 + len;
		if (kinds[i].name)
			return arena_printf(p->arena, "; D writes this \"pid$target:%.*s:%.*s:%s\"",
					    (int)(colon - file), file, len, colon + 1,
					    kinds[i].name);
		if (*last != ':')
			return arena_printf(p->arena, "; D writes this \"*$target:%.*s::%.*s\"",
					    (int)(colon - file), file, len, colon + 1);
		return arena_printf(p->arena, "; D writes this \"%.*s$target:%.*s::%.*s\"", len,
				    colon + 1, (int)(colon - file), file,
				    (int)strcspn(last + 1, " \t\r\n/{"), last + 1);
	}
	return NULL;
}

const char *hint_macro(const struct parse *p, const char *name)
{
	static const char *const macros[] = {"target", "pid", "ppid", "pgid",	"sid",	 "uid",
					     "euid",   "gid", "egid", "projid", "taskid"};
	struct nearest near = nearest_to(name);

	for (size_t i = 0; i < ARRAY_SIZE(macros); i++)
		nearest_try(&near, macros[i]);
	return near.best
		   ? arena_printf(p->arena, "did you mean $%s?", near.best)
		   : arena_printf(p->arena, "D writes a clause's variable \"this->%s\"", name);
}

const char *hint_keyword(const char *s)
{
	size_t len = look_ident(s), blanks = strspn(s + len, " \t");
	const char *name;
	struct nearest near;
	char word[16];
	bool reserved;

	if (!blanks || !look_ident(s + len + blanks) || len >= sizeof(word) ||
	    keyword_token(s, len))
		return NULL;
	memcpy(word, s, len);
	word[len] = '\0';
	near = nearest_to(word);
	for (int i = 0; (name = keyword_nth(i, &reserved)); i++)
		if (keyword_starts_decl(name, strlen(name)))
			nearest_try(&near, name);
	return near.best;
}

/* What other languages have where D has a clause or a declaration; or NULL. */
static const char *hint_item(const struct parse *p, struct loc loc)
{
	static const char *const functions[] = {"fn", "macro", "function", "def", "func", "sub"};
	const char *item = p->src->text + p->lexer->item, *at = p->src->text + loc.off, *meant;

	/* such a word is a description, an item of its own */
	meant = hint_keyword(p->src->text + p->lexer->item_before);
	item += strspn(item, " \t\r\n");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (look_ident(item) == strlen(functions[i]) &&
		    !memcmp(item, functions[i], strlen(functions[i])) && *at == '(')
			return "; D has no functions, but: inline TYPE NAME(TYPE ARGUMENT) = "
			       "EXPRESSION;";
	if (look_ident(item) == 6 && !memcmp(item, "import", 6) && *at == '"')
		return "; D writes this \"#include\", with -C";
	if (!meant)
		meant = hint_keyword(item);
	if (meant)
		return arena_printf(p->arena, "; did you mean %s?", meant);
	return *at == ':' ? hint_uprobe(p, item) : NULL;
}

static bool declares_variable(const struct parse *p)
{
	const char *item = p->src->text + p->lexer->item;

	item += strspn(item, " \t\r\n");
	return p->lexer->ctx == CTX_DECL && strncmp(item, "inline", 6) &&
	       strncmp(item, "typedef", 7) && !memchr(item, '{', strcspn(item, "=;"));
}

const char *hint_syntax(const struct parse *p, struct loc loc)
{
	const char *before = text_before(p, loc), *at = p->src->text + loc.off,
		   *cast = hint_cast(p, before, at);

	if (is_typographic_quote(at))
		return "; quotes are written ' and \"";
	if (*at == ']' && ends_with(p, before, "["))
		return "; without keys there are no brackets";
	if (hint_item(p, loc))
		return hint_item(p, loc);
	if (*at != '(' && ends_with(p, before, "if") && in_body(p, loc))
		return "; a condition stands in parentheses";
	if (*at == '(' && ends_with(p, before, "if") && !in_body(p, loc))
		return "; a condition before a clause stands between slashes: /pid == 1/ { ... }";
	if (is_declaration(p, loc))
		return " (declarations stand outside of clauses)";
	if (*at == '.' && ends_with(p, before, "self"))
		return "; D writes a thread's variable \"self->name\"";
	if (*at == '.' && ends_with(p, before, "this"))
		return "; D writes a clause's variable \"this->name\"";
	if (*at == '(' && ends_with(p, before, "kernel.function"))
		return "; D writes this \"fbt::NAME:entry\"";
	if (*at == '(' && (ends_with(p, before, "timer.s") || ends_with(p, before, "timer.ms")))
		return "; D writes this \"tick-1s\" or \"tick-1ms\"";
	if (p->lexer->ctx == CTX_DECL && p->lexer->in_enum && look_ident_char(*at))
		return "; a ',' may be missing before it";
	if (lacks_semicolon_of_decl(p, loc))
		return "; a ';' may be missing before it";
	if (p->lexer->ctx == CTX_DECL && keyword_token(at, loc.len) && lacks_name(p, before))
		return " (a keyword of D, which cannot be a name)";
	if (loc.len == 5 && !memcmp(at, "probe", 5) && in_body(p, loc))
		return "; D writes this \"probename\"";
	if (*at == '{' && follows_loop(p, before))
		return "; D has no loops: write several clauses, or a tick probe";
	if (*at == '{' && p->lexer->ctx == CTX_PRED)
		return p->lexer->paren ? "; a parenthesis of the predicate before it is not closed"
				       : "; the predicate before it has no closing '/'";
	if (*at == '=' && ends_with(p, before, "config") && !in_body(p, loc))
		return "; D writes this \"#pragma D option NAME=VALUE\"";
	if (*at == '=' && declares_variable(p))
		return "; declarations of variables give no value: assign it in BEGIN";
	if (cast)
		return cast;
	if (in_body(p, loc) && hint_bracket(p, before, loc))
		return hint_bracket(p, before, loc);
	if (in_body(p, loc) && hint_call(p, before, at))
		return hint_call(p, before, at);
	if (lacks_semicolon(p, loc))
		return "; a ';' may be missing before it";
	return "";
}

/* The text of the comment's line at s, without what frames it. */
static const char *comment_text(const char *s, const char *end, int *len)
{
	s += strspn(s, " \t*/#");
	while (end > s && strchr(" \t\r*/", end[-1]))
		end--;
	*len = end > s ? (int)(end - s) : 0;
	return s;
}

const char *hint_usage(const struct parse *p)
{
	const char *s = p->src->text, *end, *text;
	int len;

	if (p->src->kind != SOURCE_FILE)
		return "";
	/* "#!", pragmas and comments: lines that do not begin so and are in none are code */
	for (bool comment = false; *s; s = end + (*end == '\n')) {
		size_t indent = strspn(s, " \t");

		end = s + strcspn(s, "\n");
		if (!comment && s[indent] != '#' && s + indent != end &&
		    strncmp(s + indent, "/*", 2) && strncmp(s + indent, "//", 2))
			break;
		text = comment_text(s, end, &len);
		if (len > 6 && !strncasecmp(text, "usage", 5) && strchr(": \t", text[5])) {
			int skip = 5 + (int)strspn(text + 5, ": \t");

			return arena_printf(p->arena, "; usage: %.*s", len - skip, text + skip);
		}
		if (!strncmp(s + indent, "/*", 2))
			comment = true;
		for (const char *close = s; comment && close + 1 < end; close++)
			comment = strncmp(close, "*/", 2) != 0;
	}
	return "";
}
