/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes that are others, seen otherwise (libdt/provider/stable.h). Their arguments and
 * conditions are D texts, which are parsed and typed when a clause uses them, with the other
 * probe's arguments in scope (s->at_hand). A clause with several such probes has a tree for each:
 * N_CHOICE, of which the generator takes that of the probe whose program it makes.
 */
#include <string.h>

#include "libdt/lang/sema_parts.h"
#include "libdt/provider/stable.h"

/* "inline int i = TEXT;" is the shortest program with an expression in it. */
static struct node *parse_text(struct sema *s, const char *text)
{
	char *program = arena_printf(s->arena, "inline int i = %s;", text);
	struct parse *p = arena_alloc(s->arena, sizeof(*p));

	*p = *s->parse;
	p->src = source_new(s->arena, SOURCE_LIBRARY, text, program, strlen(program));
	p->result = NULL;
	return parse_program(p)->list->a;
}

/* Types an expression in the place of n, with the arguments of one probe, or of what that is seen
 * through. */
static struct node *typed_with(struct sema *s, struct node *n, struct probe *probe, struct node *e)
{
	struct probe *was = s->at_hand;
	bool below = s->below;
	struct loc use = s->use;

	s->at_hand = probe_base(probe);
	s->below = probe->base;
	if (!use.src)
		s->use = n->loc;
	e = sema_expr(s, e);
	if (!type_is_sou(e->type))
		e = sema_decay(s, e);
	s->use = use;
	s->below = below;
	s->at_hand = was;
	return e;
}

static struct node *one_argument(struct sema *s, struct node *n, struct probe *probe, int i,
				 const struct type *want)
{
	const struct stable_probe *row = probe->data;
	const char *text =
	    probe->base
		? row->args[i].expr
		: arena_printf(s->arena, type_is_int(want) && i < 10 ? "arg%d" : "args[%d]", i);
	struct node *e = typed_with(s, n, probe, parse_text(s, text));

	if (!type_is_view(e->type) || type_is_int(want))
		e = sema_convert(s, e, want);
	e->loc = n->loc; /* what is wrong with the argument is so in the script */
	return e;
}

bool stable_has(const struct sema *s)
{
	for (int p = 0; !s->at_hand && s->clause && p < s->clause->probes.n; p++)
		if (s->clause->probes.v[p]->base)
			return true;
	return false;
}

struct node *stable_argument(struct sema *s, struct node *n, int64_t i, const struct type *want)
{
	struct node *choice = node_new(s->parse, N_CHOICE, n->loc), **at = &choice->list;

	for (int p = 0; p < s->clause->probes.n; p++) {
		struct probe *probe = s->clause->probes.v[p];

		probe_args(s->probes, probe);
		if (i < 0 || (i >= probe->nargs && (probe->base || !type_is_int(want)))) {
			if (type_is_int(want)) /* arg9 of a probe with fewer */
				*at = sema_int(s, n, 0, want);
			else
				sema_die(s, D_ARGS_IDX, n,
					 "index %lld is out of range for %s:%s:%s:%s args[ ]",
					 (long long)i, probe->prov, probe->mod, probe->func,
					 probe->name);
		} else {
			*at = one_argument(s, n, probe, i, want);
		}
		at = &(*at)->next;
	}
	if (s->clause->probes.n == 1)
		return choice->list;
	choice->type = choice->list->type;
	return choice;
}

void stable_same(struct sema *s, const struct node *n)
{
	for (const struct node *e = n->kind == N_CHOICE ? n->list : NULL; e; e = e->next)
		if (!type_same(e->type, n->type))
			sema_die(s, D_ARGS_MULTI, n,
				 "the probes of the clause translate it from different types: use "
				 "its members, or write a clause for each probe");
}

struct node *stable_condition(struct sema *s, struct clause *c)
{
	struct node *choice = node_new(s->parse, N_CHOICE, c->node->loc), **at = &choice->list;
	const struct type *t = type_int(s->types, 4, true);
	bool any = false;

	for (int p = 0; p < c->probes.n; p++) {
		struct probe *probe = c->probes.v[p];
		const struct stable_probe *row = probe->base ? probe->data : NULL;
		struct node *e = sema_int(s, c->node, 1, t);

		if (row && row->predicate) {
			e = sema_condition(
			    s, typed_with(s, c->node, probe, parse_text(s, row->predicate)));
			any = true;
		}
		*at = e;
		at = &(*at)->next;
	}
	choice->type = (struct type *)t;
	return any ? choice : NULL;
}
