/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/lang/clause.h"

#include "libdt/base/hash.h"

struct walk {
	struct hash seen; /* analysis may have put a node into several places */
	void (*fn)(void *arg, const struct node *n);
	void *arg;
};

static bool first_time(struct walk *w, const struct node *n)
{
	void **seen = hash_ref(&w->seen, &n, sizeof(n));
	bool first = !*seen;

	*seen = w;
	return first;
}

static void walk(struct walk *w, const struct node *n)
{
	for (; n && first_time(w, n); n = n->next) {
		w->fn(w->arg, n);
		walk(w, n->a);
		walk(w, n->b);
		walk(w, n->c);
		walk(w, n->list);
		walk(w, n->decl);
		walk(w, n->base);
	}
}

void clause_each_node(const struct clause *c, void (*fn)(void *arg, const struct node *n),
		      void *arg)
{
	struct walk w = {.fn = fn, .arg = arg};

	walk(&w, c->counts);
	walk(&w, c->pred);
	walk(&w, c->body);
	hash_free(&w.seen);
}
