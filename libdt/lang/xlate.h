/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translators: how a struct's members are made from something else. */
#ifndef DT_XLATE_H
#define DT_XLATE_H

#include "libdt/lang/sema.h"

struct failure;

struct xlator {
	struct node *node; /* N_XLATOR */
	bool of_library, own;
	/* NULL until first use: the library's translators name types that may not be needed */
	const struct type *out, *in;
};

/*
 * What translates a value of type in to the struct out, from the program or the library; NULL
 * when nothing does. A program's own come first.
 */
struct xlator *xlator_find(struct sema *s, const struct type *out, const struct type *in);

void xlator_declare(struct sema *s, struct node *item);
/* Checks those of the user's own. Calls report as sema_check_unused(). */
void xlators_check(struct sema *s, void (*report)(void *arg, const struct failure *why), void *arg);
/* A variable of the firing that no program can name, of the node's type. */
struct node *sema_hidden(struct sema *s, const struct node *n);
struct node *xlate_expr(struct sema *s, struct node *n);
/* A member of a translated value (N_XLATE) or of what a view points to: n->a, which has a type,
 * is one. */
struct node *xlate_member(struct sema *s, struct node *n);
/* A translated value that is wanted as a whole: all its members, put into a struct. Other values
 * stay as they are. */
struct node *xlate_whole(struct sema *s, struct node *n);
/* What a view points to, as a value: N_XLATE. */
struct node *xlate_deref(struct sema *s, struct node *n);
/* p[n] of a view, n->b typed. */
struct node *xlate_element(struct sema *s, struct node *n);
/* Whether a view is of an element of an array of pointers, as fi_list is. */
bool xlate_is_array(const struct type *t);
/* A view some elements further, or back: n is its + or -. */
struct node *xlate_advance(struct sema *s, const struct node *n, struct node *view,
			   struct node *by);
/* A cast (its operand is typed) to a pointer to what only translators make: a view. NULL: an
 * ordinary cast. */
struct node *xlate_cast(struct sema *s, struct node *n, const struct type *to);
/* p->m where our struct has no m and that of other systems has one: seen through theirs; NULL
 * when it has not either. */
struct node *xlate_foreign(struct sema *s, struct node *n, const struct type *of);

#endif
