/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "grammar/parse.h"

/* Sorted by name. */
static const struct keyword {
	const char *name;
	int token;
	bool starts_decl;
} keywords[] = {
    {"_Bool", W_BOOL, true},
    {"__int128", W_INT128, true},
    {"auto", W_AUTO, true},
    {"break", W_RESERVED, false},
    {"case", W_RESERVED, false},
    {"char", W_CHAR, true},
    {"const", W_CONST, true},
    {"container_of", W_CONTAINER_OF, false},
    {"continue", W_RESERVED, false},
    {"counter", W_RESERVED, false},
    {"default", W_RESERVED, false},
    {"do", W_RESERVED, false},
    {"double", W_DOUBLE, true},
    {"else", W_ELSE, false},
    {"enum", W_ENUM, true},
    {"extern", W_EXTERN, true},
    {"float", W_FLOAT, true},
    {"for", W_RESERVED, false},
    {"goto", W_RESERVED, false},
    {"if", W_IF, false},
    {"import", W_RESERVED, false},
    {"inline", W_INLINE, true},
    {"int", W_INT, true},
    {"long", W_LONG, true},
    {"offsetof", W_OFFSETOF, false},
    {"probe", W_PROBE, false},
    {"provider", W_PROVIDER, true},
    {"register", W_REGISTER, true},
    {"restrict", W_RESTRICT, true},
    {"self", W_SELF, true},
    {"short", W_SHORT, true},
    {"signed", W_SIGNED, true},
    {"sizeof", W_SIZEOF, false},
    {"static", W_STATIC, true},
    {"string", W_STRING, true},
    {"stringof", W_STRINGOF, false},
    {"struct", W_STRUCT, true},
    {"switch", W_RESERVED, false},
    {"this", W_THIS, true},
    {"translator", W_TRANSLATOR, true},
    {"typedef", W_TYPEDEF, true},
    {"union", W_UNION, true},
    {"unsigned", W_UNSIGNED, true},
    {"userland", W_USERLAND, true},
    {"void", W_VOID, true},
    {"volatile", W_VOLATILE, true},
    {"while", W_RESERVED, false},
    {"xlate", W_XLATE, false},
};

static const struct keyword *find(const char *s, size_t len)
{
	size_t lo = 0, hi = ARRAY_SIZE(keywords);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int cmp = strncmp(s, keywords[mid].name, len);

		if (!cmp && !keywords[mid].name[len])
			return &keywords[mid];
		if (cmp > 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

int keyword_token(const char *s, size_t len)
{
	const struct keyword *k = find(s, len);

	return k ? k->token : 0;
}

bool keyword_starts_decl(const char *s, size_t len)
{
	const struct keyword *k = find(s, len);

	return k && k->starts_decl;
}

const char *keyword_nth(int n, bool *reserved)
{
	if (n < 0 || n >= (int)ARRAY_SIZE(keywords))
		return NULL;
	*reserved = keywords[n].token == W_RESERVED;
	return keywords[n].name;
}
