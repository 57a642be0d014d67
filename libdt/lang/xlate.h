/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translators: how a struct's members are made from something else. */
#ifndef DT_XLATE_H
#define DT_XLATE_H

#include "libdt/lang/sema.h"

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

#endif
