/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/lang/def.h"

#include <string.h>
#include <strings.h>

#include "libdt/base/nearest.h"
#include "libdt/lang/sema.h"

const struct def *def_find(const struct builtins *b, const char *name)
{
	for (const struct def *const *t = b->tables; *t; t++)
		for (const struct def *d = *t; d->name; d++)
			if (!strcmp(d->name, name))
				return d;
	return NULL;
}

bool def_reserves(const struct builtins *b, const char *name)
{
	const struct def *def = def_find(b, name);

	return def && def->kind == DEF_VAR && !(def->flags & DEF_YIELDS);
}

const struct type *def_type(struct sema *s, const struct def *def)
{
	return type_find(s->types, NULL, def->proto);
}

const char *def_similar(const struct builtins *b, const char *name, bool called)
{
	struct nearest near = nearest_to(name);

	for (const struct def *const *t = b->tables; *t; t++)
		for (const struct def *d = *t; d->name; d++)
			if (!called || d->kind != DEF_VAR)
				nearest_try(&near, d->name);
	return near.best;
}

const struct def_missing *def_missing(const struct builtins *b, const char *name)
{
	for (const struct def_missing *m = b->missing; m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}
