/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants in floating point. BPF computes with integers: a constant can be printed, as a whole
 * argument of an action that records values, and is an error in other places. To the rest it is a
 * constant whose bits are recorded as they are.
 */
#include <string.h>

#include "libdt/lang/sema_parts.h"

void sema_floats(struct sema *s, struct node **list)
{
	for (struct node **at = list; *at; at = &(*at)->next) {
		struct node *n = *at, *next = n->next;
		uint64_t minus = 0;

		for (; n->kind == N_UNARY && (n->op == OP_NEG || n->op == OP_PLUS); n = n->a)
			minus ^= (uint64_t)(n->op == OP_NEG) << 63;
		if (n->kind != N_INT || !n->is_float)
			continue;
		n->value ^= minus;
		n->type = (struct type *)type_find(s->types, NULL, "double");
		n->next = next;
		*at = n;
	}
}

_Noreturn void sema_float_refuse(struct sema *s, const struct node *n)
{
	double v;

	memcpy(&v, &n->value, sizeof(v));
	sema_die(s, D_SYNTAX, n,
		 "floating-point constants are not permitted here: %g may be an argument of "
		 "printf( ), trace( ) or print( ), by itself",
		 v);
}
