/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that declarations with errors would have declared.
 *
 * After such a declaration other errors are reported, but not those that it causes: "unknown type",
 * "undefined function", members of a structure that is incomplete, and what the next phase makes
 * of them. These have dozens of texts and tags, so they are recognised by what they are about: an
 * error follows when the statement, predicate or declaration that has it uses one of the names.
 * Declarations and assignments that use one pass this on to what they declare or assign, as the
 * type of that is unknown, too.
 *
 * So a further error of such a statement is reported only when the declaration is correct. That
 * is intended: an error that does not exist is worse than one that is reported later.
 */
#include <string.h>

#include "libdt/lang/sema_parts.h"

static void add(struct sema *s, const char *name)
{
	if (name && !(s->undeclared && text_has_word(s->undeclared, name)))
		s->undeclared =
		    arena_printf(s->arena, "%s %s", s->undeclared ? s->undeclared : "", name);
}

static void add_spec(struct sema *s, const struct node *spec)
{
	if (!spec || !spec->has_body)
		return;
	add(s, spec->name);
	for (const struct node *n = spec->list; n; n = n->next) {
		if (n->kind == N_ENUMERATOR)
			add(s, n->name);
		else
			add_spec(s, n->base);
	}
}

void undeclared_add(struct sema *s, const struct node *item)
{
	switch (item->kind) {
	case N_DECL:
		add_spec(s, item->base);
		for (const struct node *d = item->list; d; d = d->next)
			add(s, d->name);
		break;
	case N_INLINE:
		add(s, item->decl->name);
		break;
	case N_XLATOR:
		add(s, item->decl->base->name);
		break;
	case N_PROVIDER:
		add(s, item->name);
		break;
	default:
		break;
	}
}

static bool is_known(struct sema *s, const char *name)
{
	return def_find(s->builtins, name) || type_is_name(s->types, name);
}

void undeclared_add_names(struct sema *s, const char *names)
{
	for (size_t n; *names; names += n + 1) {
		const char *name;

		n = strcspn(names, " ");
		name = arena_strndup(s->arena, names, n);
		if (!is_known(s, name))
			add(s, name);
	}
}

bool undeclared_used(const struct sema *s, struct loc loc)
{
	return s->undeclared && loc.src &&
	       text_has_any_word(arena_strndup(s->arena, loc.src->text + loc.off, loc.len),
				 s->undeclared);
}

/* A variable that is assigned a value of such a type has an unknown type, as one that is assigned
 * in a clause with a syntax error has. */
static void pass_on_to_variables(struct sema *s)
{
	const char *names = s->unparsed;

	for (int i = 0; i < s->assignments.n; i++) {
		const struct assignment *a = &s->assignments.v[i];

		if (undeclared_used(s, a->node->loc))
			names =
			    arena_printf(s->arena, "%s %s", names ? names : "", a->variable->name);
	}
	if (names)
		sema_set_unparsed(s, names);
}

void undeclared_pass_on(struct sema *s, const struct node *items)
{
	const char *before = NULL;

	while (before != s->undeclared) {
		before = s->undeclared;
		for (const struct node *item = items; item; item = item->next)
			if (item->kind != N_CLAUSE && undeclared_used(s, item->loc))
				undeclared_add(s, item);
	}
	pass_on_to_variables(s);
}
