/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decisions that need to look ahead in the text.
 *
 * Is "foo_t" at the start of a line the type of a declaration or the name of a probe? Is it a
 * type in "(foo_t)-1"? Does this "/" end the predicate? Other implementations answer the first two
 * by asking for every word whether a type of that name exists, which makes the types of the whole
 * kernel be read for any script and turns a variable into a syntax error once some kernel has a
 * type of the same name. Here the text around the word decides as far as it can, and the question
 * is asked only in what remains.
 */
#include <ctype.h>
#include <string.h>

#include "grammar/parse.h"
#include "libdt/base/hash.h"

#define DECLARED_BUCKETS 256

struct name_entry {
	struct name_entry *next;
	const char *name;
	bool is_type;
};

static struct name_entry **bucket(struct parse *p, const char *name)
{
	uint32_t hash = hash_bytes(name, strlen(name));

	if (!p->declared)
		p->declared = arena_alloc(p->arena, DECLARED_BUCKETS * sizeof(*p->declared));
	return &p->declared[(hash ^ hash >> 16) % DECLARED_BUCKETS];
}

void look_declared(struct parse *p, const char *name, bool is_type)
{
	struct name_entry **at = bucket(p, name);
	struct name_entry *e = arena_alloc(p->arena, sizeof(*e));

	e->name = name;
	e->is_type = is_type;
	e->next = *at;
	*at = e;
}

/* The script's own names come first: a variable is one even where some kernel has such a type. */
static bool known_type(struct parse *p, const char *name)
{
	for (struct name_entry *e = *bucket(p, name); e; e = e->next)
		if (!strcmp(e->name, name))
			return e->is_type;
	return p->is_type && p->is_type(p->arg, name);
}

static bool ident_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

bool look_ident_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Length of the name at s, 0 when there is none. */
size_t look_ident(const char *s)
{
	size_t n = 0;

	if (ident_start(*s))
		while (look_ident_char(s[n]))
			n++;
	return n;
}

static const char *skip_line(const char *s)
{
	return s + strcspn(s, "\n");
}

const char *look_quoted(const char *s, const char *end)
{
	const char *at = s + 1;

	if (end - s > 1 && !memcmp(s, "/*", 2)) {
		for (s += 2; end - s > 1 && memcmp(s, "*/", 2);)
			s++;
		return MIN(s + 2, end);
	}
	if (end - s > 1 && !memcmp(s, "//", 2))
		return MIN(skip_line(s), end);
	if (*s != '"' && *s != '\'')
		return s;
	while (at < end && *at != *s && *at != '\n')
		at += 1 + (*at == '\\');
	return at < end && *at == *s ? at + 1 : s + 1;
}

/* A backslash that ends its line: it goes on in the next one. */
static bool is_continuation(const char *s)
{
	return *s == '\\' && s[1 + (s[1] == '\r')] == '\n';
}

/* Skips blanks, comments and lines of the preprocessor. */
static const char *skip_blank(const char *s)
{
	for (;;) {
		const char *end;

		if (*s == '\n' && s[1 + strspn(s + 1, " \t")] == '#') {
			s = skip_line(s + 1);
		} else if ((*s && strchr(" \t\r\n\f\v", *s)) || is_continuation(s)) {
			s++;
		} else if (s[0] == '/' && s[1] == '/') {
			s = skip_line(s);
		} else if (s[0] == '/' && s[1] == '*') {
			end = strstr(s + 2, "*/");
			s = end ? end + 2 : s + strlen(s);
		} else {
			return s;
		}
	}
}

/* "pid*:/bin/sh:main:entry": after the provider's colon a path may follow. Its length, 0 when it
 * is none. */
static size_t path_length(const char *s)
{
	size_t n = 1;

	while (isalnum((unsigned char)s[n]) || (s[n] && strchr("/._-+@%?*", s[n])))
		n++;
	return s[n] == ':' && s[1] != '/' && s[1] != '*' ? n : 0;
}

/* How many bytes a step within a probe description takes; 0 where it ends. */
static size_t pdesc_step(const char *s, size_t at, int colons, int *parens)
{
	const char *end;

	switch (s[at]) {
	case '\0':
		return 0;
	case '\\':
		return s[at + 1] && !isspace((unsigned char)s[at + 1]) ? 2 : 0;
	case '[':
		end = s + at + 1 + strcspn(s + at + 1, "] \t\r\n");
		return *end == ']' ? (size_t)(end - s - at + 1) : 0;
	case '/':
		return at && s[at - 1] == ':' && colons == 1 ? path_length(s + at) : 0;
	case '(': /* Go: main.(*T).f */
		if (!at || s[at - 1] != '.')
			return 0;
		++*parens;
		return 1;
	case ')':
		return --*parens >= 0;
	}
	if (isalnum((unsigned char)s[at]) || (s[at] & 0x80) || strchr("_-:.$*?!`", s[at]))
		return 1;
	return at && strchr("@+~^%=", s[at]);
}

/* Length of the probe description at s, within max bytes; 0 when there is none. */
size_t look_pdesc(const char *s, size_t max)
{
	int colons = 0, parens = 0;
	size_t n = 0, step;

	while (n < max && (step = pdesc_step(s, n, colons, &parens)) && n + step <= max) {
		colons += s[n] == ':';
		n += step;
	}
	return n;
}

/* A declaration by "mod`name x", "mod`struct s x": decided by the words after the backquote. */
static bool module_decl(struct parse *p, const char *s)
{
	const char *end = s, *last = s;

	for (; look_ident_char(*end) || *end == '`' || *end == '.' || *end == '$'; end++)
		if (*end == '`')
			last = end + 1;
	if (memchr(s, ':', look_pdesc(s, SIZE_MAX)))
		return false;
	switch (keyword_token(last, end - last)) {
	case W_STRUCT:
	case W_UNION:
	case W_ENUM:
		return true;
	}
	end = skip_blank(end);
	p->lexer->force_type = ident_start(*end) || *end == '*';
	return p->lexer->force_type;
}

/* A keyword that begins declarations may also be the name of a probe: "string {", "this, that /x/
 * {". */
static bool keyword_decl(const struct parse *p, const char *s, size_t n, size_t run)
{
	char c = *skip_blank(s + run);
	int token = keyword_token(s, n);

	if (run > n && (s[n] != '*' || memchr(s, ':', run)))
		return false;
	if (c == '{')
		return run == n && (token == W_STRUCT || token == W_UNION || token == W_ENUM);
	if (!c) /* a description is a whole program on the command line only */
		return run > n && p->src->kind == SOURCE_FILE;
	return c != '/' && c != ':' && (c != ',' || run > n);
}

/* "name x" and "name *x": a declaration when name is a type, or when what follows can be nothing
 * else. */
static bool name_decl(struct parse *p, const char *s, size_t n, size_t run)
{
	const char *name = arena_strndup(p->arena, s, n), *next = skip_blank(s + n), *after;

	if (memchr(s, ':', run))
		return false;
	if (run > n) {
		after = skip_blank(s + run);
		return s[n] == '*' && *after && strchr(";[=(", *after) && known_type(p, name);
	}
	if (*next == '(')
		return known_type(p, name);
	while (*next == '*')
		next = skip_blank(next + 1);
	if (!look_ident(next) || memchr(next, ':', look_pdesc(next, SIZE_MAX)))
		return false;
	return *skip_blank(next + look_ident(next)) == ';' || known_type(p, name);
}

/* Is it the name, or that between "__"? */
static bool is_name(const char *s, size_t len, const char *name)
{
	size_t n = strlen(name);

	if (len == n + 4 && !memcmp(s, "__", 2) && !memcmp(s + n + 2, "__", 2)) {
		s += 2;
		len -= 4;
	}
	return len == n && !memcmp(s, name, n);
}

/* Of an argument that asks for the alignment of a type, which is not known here; most often it is
 * the type's own. */
static bool asks_for_alignment(const char *s, const char *end)
{
	int depth = 0;

	do {
		const char *quoted = look_quoted(s, end);
		size_t n = look_ident(s);

		if (is_name(s, n, "alignof") || is_name(s, n, "_Alignof") ||
		    is_name(s, n, "__alignof"))
			return true;
		depth += (*s == '(') - (*s == ')');
		s += n ? n : MAX(quoted - s, 1);
	} while (depth && s < end);
	return false;
}

int look_attribute(const char **at, const char *end, int *depth)
{
	const char *s = *at;
	int token = 0;

	while (s < end && !token) {
		const char *quoted = look_quoted(s, end), *word = s;
		size_t n = look_ident(s);

		*depth += (*s == '(') - (*s == ')');
		s += n ? n : MAX(quoted - s, 1);
		if (*depth != 2)
			continue;
		if (is_name(word, n, "packed"))
			token = W_PACKED;
		if (!is_name(word, n, "aligned"))
			continue;
		s = skip_blank(s);
		if (*s != '(')
			token = W_ALIGNED_MOST;
		else if (!asks_for_alignment(s, end))
			token = W_ALIGNED;
	}
	*at = token ? s : end;
	return token;
}

static bool is_attribute(const char *s)
{
	size_t n = look_ident(s);

	return (n == 11 && !memcmp(s, "__attribute", n)) ||
	       (n == 13 && !memcmp(s, "__attribute__", n));
}

/* Whether what begins here, outside of clauses, is a declaration and not a probe description. */
bool look_decl(struct parse *p, const char *s)
{
	size_t n = look_ident(s);
	size_t run = look_pdesc(s, SIZE_MAX);

	if (is_attribute(s))
		return true;
	if (s[n] == '`')
		return module_decl(p, s);
	if (!n)
		return false;
	if (keyword_token(s, n))
		return keyword_starts_decl(s, n) && keyword_decl(p, s, n, run);
	p->lexer->force_type = name_decl(p, s, n, run);
	return p->lexer->force_type;
}

/*
 * Whether a "/" that stands in front of s ends the predicate. A body follows it, or the clause
 * ends: with the text, with a semicolon, or with a probe description that begins the next line.
 */
bool look_end_of_predicate(const char *s)
{
	const char *next = skip_blank(s);
	int colons = 0;

	if (!*next || *next == '{' || *next == ';')
		return true;
	if (!memchr(s, '\n', next - s))
		return false;
	for (size_t n = look_pdesc(next, SIZE_MAX); n; n--)
		colons += next[n - 1] == ':';
	return colons >= 2;
}

bool look_qualifier(int token)
{
	return token == W_CONST || token == W_VOLATILE || token == W_RESTRICT ||
	       token == W_USERLAND;
}

/* Skips stars and qualifiers. */
static const char *skip_pointer(const char *s)
{
	for (;;) {
		size_t n = look_ident(s);

		if (*s == '*')
			s = skip_blank(s + 1);
		else if (n && look_qualifier(keyword_token(s, n)))
			s = skip_blank(s + n);
		else
			return s;
	}
}

/* Whether an operand may begin here, so that "(x)" in front of it can be a cast. */
static bool operand_follows(const char *s)
{
	if (look_ident_char(*s) || (*s && strchr("\"'(`$@~-+*.", *s)))
		return true;
	return (*s == '!' && s[1] != '=') || (*s == '&' && s[1] != '&' && s[1] != '=');
}

/* After "(" in an expression. */
static bool cast_type(struct parse *p, const char *name, const char *next)
{
	int prev2 = p->lexer->prev2;
	const char *end = skip_pointer(next);

	if (prev2 == W_OFFSETOF)
		return true;
	if (*next == ')' && prev2 == IDENT) /* the only argument of a call */
		return false;
	if (*next == ')' && (prev2 == W_SIZEOF || prev2 == ')'))
		return known_type(p, name);
	if (*next == ')')
		return operand_follows(skip_blank(next + 1)) && known_type(p, name);
	if (end != next && *end == ')')
		return true;
	if (*end == '[' && (end != next || prev2 == W_SIZEOF))
		return known_type(p, name);
	return *end == '(' && *skip_blank(end + 1) == '*' && known_type(p, name);
}

/* After "(", "[" or "," of a list of parameters or keys, or before an array's size. */
static bool param_type(struct parse *p, const char *name, const char *next)
{
	const struct lexer *lx = p->lexer;

	if (lx->prev == ',')
		return lx->paren > 0;
	if (lx->prev == ':') /* translated arguments, or bits of a member */
		return lx->in_provider && lx->paren > 0;
	if (lx->prev == '(' && (lx->prev2 == IDENT || lx->prev2 == ')'))
		return true;
	if (lx->prev == '(' && lx->prev2 == ':' && lx->in_provider) /* translated arguments */
		return true;
	if (lx->prev == '[' && *next == ',')
		return true;
	return known_type(p, name);
}

static bool decl_type(struct parse *p, const char *name, const char *next)
{
	const struct lexer *lx = p->lexer;

	if (lx->seen_type || lx->after_star)
		return false;
	if (is_attribute(next) && lx->prev == ',' && !lx->paren) /* the next declarator */
		return false;
	if (lx->prev == W_TRANSLATOR || (lx->prev == '<' && lx->in_xlator) || ident_start(*next))
		return true;
	/* bits without a name */
	if (*next == ':' && (lx->prev == '{' || lx->prev == ';' || lx->prev == '}'))
		return true;
	if (*next == '*')
		return lx->prev != '[' || p->start == START_PROTOTYPE || known_type(p, name);
	if (lx->prev == '(' || lx->prev == '[' || lx->prev == ',' || lx->prev == ':')
		return param_type(p, name, next) ||
		       (p->start == START_PROTOTYPE && lx->prev != ':');
	if (p->start != START_PROGRAM || (look_qualifier(lx->prev) && lx->paren > 0))
		return true;
	/* of a declarator in parentheses, "size_t (*read)(int)" */
	return *next == '(' && (*skip_blank(next + 1) == '*' || known_type(p, name));
}

bool look_type(struct parse *p, const char *name, const char *rest)
{
	const struct lexer *lx = p->lexer;
	const char *next = skip_blank(rest);

	if (lx->force_type)
		return true;
	if (lx->ctx == CTX_DECL && !lx->code && !lx->in_enum)
		return decl_type(p, name, next);
	if (lx->prev == ',' && lx->of_parens & scan_paren_bit(lx))
		return true;
	if (lx->prev == '(')
		return cast_type(p, name, next);
	return look_qualifier(lx->prev) || (lx->prev == '<' && lx->prev2 == W_XLATE);
}
