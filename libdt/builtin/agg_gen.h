/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the aggregating functions share when they are checked and generated. */
#ifndef DT_AGG_GEN_H
#define DT_AGG_GEN_H

#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* Between least and most arguments, the first of them a number. */
void agg_check_args(struct sema *s, struct node *n, int least, int most);
/* Adds to a word of the value, atomically. */
void agg_add(struct gen *g, int word, int amount);

#endif
