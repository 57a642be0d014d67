/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/machine/sdtarg.h"

#include <ctype.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"

/* Compilers write a constant with a sign, also of a type that has none: "1@$-56" is 200. */
static int64_t cut(int64_t value, const struct sdtarg *a)
{
	int unused = 64 - 8 * a->size;
	uint64_t top = (uint64_t)value << unused;

	return a->is_signed ? (int64_t)top >> unused : (int64_t)(top >> unused);
}

/* "SIZE@OPERAND"; without a size it is a long. */
static bool parse_one(const char *text, const struct sdtarg_env *env, struct sdtarg *a)
{
	const char *at = strchr(text, '@');
	const struct machine *m;
	int64_t size = 8;

	if (at) {
		if (!operand_number(&text, &size) || text != at) /* also 8f@: floating */
			return false;
		text = at + 1;
	}
	a->is_signed = size < 0;
	a->size = size < 0 ? -size : size;
	if (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8)
		return false;
	m = machine_of(env->machine);
	if (!m || !m->operand(text, env, a))
		return false;
	if (a->kind == SDTARG_CONST)
		a->value = cut(a->value, a);
	return true;
}

/* Where the argument at p ends: blanks within brackets are its own. */
static int argument_length(const char *p)
{
	int n = 0, depth = 0;

	for (; p[n] && (depth || !isspace((unsigned char)p[n])); n++)
		depth += (p[n] == '[' || p[n] == '(') - (p[n] == ']' || p[n] == ')');
	return n;
}

int sdtarg_parse(const char *text, const struct sdtarg_env *env, struct sdtarg args[SDTARG_MAX])
{
	int n = 0;

	for (;;) {
		struct sdtarg *a = &args[n];
		char one[128];

		while (isspace((unsigned char)*text))
			text++;
		if (!*text || n == SDTARG_MAX)
			return n;
		*a = (struct sdtarg){
		    .reg = -1, .index = -1, .scale = 1, .text = text, .len = argument_length(text)};
		if (a->len < (int)sizeof(one)) {
			memcpy(one, text, a->len);
			one[a->len] = '\0';
		}
		if (a->len >= (int)sizeof(one) || !parse_one(one, env, a))
			a->kind = SDTARG_UNKNOWN;
		text += a->len;
		n++;
	}
}
