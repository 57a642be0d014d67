/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order a clause may speculate, commit and record. What follows speculate() waits for
 * the commit, so what cannot wait may not follow it: it sees all that may have gone before. The
 * rules about commit() are those of other DTrace implementations, where an if makes clauses of its
 * own: they apply to a branch, or to what is between two of them.
 */
#include <string.h>

#include "libdt/lang/sema_parts.h"

enum { ORDER_RECORDED = 1, ORDER_SPECULATED = 2, ORDER_COMMITTED = 4 };

static void refuse(struct sema *s, unsigned seen, unsigned what, enum tag tag, const struct node *n,
		   const char *fmt)
{
	if (seen & what)
		sema_die(s, tag, n, fmt, n->name);
}

void spec_order_action(struct sema *s, struct node *n, const struct def *def)
{
	struct order *o = &s->order;

	if (!strcmp(def->name, "discard"))
		return;
	if (!strcmp(def->name, "speculate")) {
		refuse(s, o->all, ORDER_SPECULATED, D_SPEC_SPEC, n,
		       "%s( ) may not follow speculate( )");
		refuse(s, o->branch, ORDER_COMMITTED, D_SPEC_COMM, n,
		       "%s( ) may not follow commit( )");
		refuse(s, o->all, ORDER_RECORDED, D_SPEC_DREC, n,
		       "%s( ) may not follow data-recording action(s)");
		o->all |= ORDER_SPECULATED;
		return;
	}
	if (!strcmp(def->name, "commit")) {
		refuse(s, o->branch, ORDER_RECORDED, D_COMM_DREC, n,
		       "%s( ) may not follow data-recording action(s)");
		o->branch |= ORDER_COMMITTED;
		return;
	}
	if (!strcmp(def->name, "exit"))
		refuse(s, o->all, ORDER_SPECULATED, D_EXIT_SPEC, n,
		       "%s( ) may not follow speculate( )");
	spec_order_destructive(s, n, def);
	refuse(s, o->branch, ORDER_COMMITTED, D_DREC_COMM, n,
	       "data-recording actions may not follow commit( ): %s( )");
	o->all |= ORDER_RECORDED;
	o->branch |= ORDER_RECORDED;
}

void spec_order_destructive(struct sema *s, struct node *n, const struct def *def)
{
	if (def->flags & DEF_DESTRUCTIVE)
		refuse(s, s->order.all, ORDER_SPECULATED, D_ACT_SPEC, n,
		       "destructive actions may not follow speculate( ): %s( )");
}

void spec_order_aggregation(struct sema *s, struct node *call)
{
	refuse(s, s->order.branch, ORDER_COMMITTED, D_AGG_COMM, call,
	       "aggregating actions may not follow commit( ): %s( )");
	refuse(s, s->order.all, ORDER_SPECULATED, D_AGG_SPEC, call,
	       "aggregating actions may not follow speculate( ): %s( )");
}

struct order spec_order_branch(struct sema *s)
{
	struct order before = s->order;

	s->order.branch = 0;
	return before;
}

struct order spec_order_else(struct sema *s, struct order before)
{
	struct order first = s->order;

	s->order = (struct order){.all = before.all};
	return first;
}

void spec_order_join(struct sema *s, struct order first)
{
	s->order = (struct order){.all = s->order.all | first.all};
}
