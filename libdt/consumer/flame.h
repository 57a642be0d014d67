/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flame graphs of aggregations by stacks, as SVG. */
#ifndef DT_FLAME_H
#define DT_FLAME_H

#include <stdio.h>

#include "libdt/consumer/aggr.h"

struct flame;

/* base: folded stacks (folded.h), which the first aggregation is compared with, as long as the
 * result; NULL: none. */
struct flame *flame_new(const char *base);
void flame_free(struct flame *f);
/*
 * Adds the rows of an aggregation to its graph: those of equal frames add up. If it was added and
 * not cleared since then, its rows replace those.
 */
void flame_add(struct flame *f, struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort);
/* Writes a document: a graph for each aggregation, in the order in which they were added first. */
void flame_write(const struct flame *f, FILE *out);

#endif
