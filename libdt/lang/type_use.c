/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whatever type a node of a typed tree has is one that the program uses: -x ctypes and dtypes. */
#include "libdt/lang/type_use.h"

#include <stdlib.h>

static bool first_time(struct type_use *u, const void *what)
{
	if (hash_get(&u->seen, &what, sizeof(what)))
		return false;
	hash_put(&u->seen, &what, sizeof(what), u);
	return true;
}

static void use(struct type_use *u, const struct type *t)
{
	t = t && t->plain ? t->plain : t;
	if (!t || t->kind == T_VOID || t->kind == T_DYN || t->kind == T_AGG || !first_time(u, t))
		return;
	if (t->kind == T_ASSOC) { /* no type of values, but of keys and elements */
		use(u, t->ref);
		for (int i = 0; i < t->nparams; i++)
			use(u, t->params[i]);
	} else if (type_is_of_d(u->types, t)) {
		vec_push(&u->of_d, t);
	} else {
		vec_push(&u->of_c, t);
	}
	use(u, t->via);
}

static void use_of_node(void *arg, const struct node *n)
{
	use(arg, n->type);
}

void type_use_collect(struct type_use *u, struct clause *const *clauses, int nclauses,
		      const struct syms_of_script *syms)
{
	for (int i = 0; i < syms->all.n; i++)
		if (!syms->all.v[i]->library && syms->all.v[i]->kind != SYM_INLINE)
			use(u, syms->all.v[i]->type);
	for (int i = 0; i < syms->measured.n; i++)
		use(u, syms->measured.v[i]);
	for (int i = 0; i < nclauses; i++)
		clause_each_node(clauses[i], use_of_node, u);
}

void type_use_free(struct type_use *u)
{
	vec_free(&u->of_c);
	vec_free(&u->of_d);
	hash_free(&u->seen);
}
