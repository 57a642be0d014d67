/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sampling of firings (-x maxcpu): which clauses may be left out of a firing, and the code that
 * decides it. libdt/budget.c decides when. */
#ifndef DT_SAMPLE_H
#define DT_SAMPLE_H

#include "libdt/lang/gen.h"

/* Sets c->sampling and c->unsampled. */
void sample_classify(struct clause *c);
/* What programs with these clauses sample. */
enum sample_scope sample_scope(struct clause *const *clauses, int n);
/* Of a program that samples: draws whether this firing is one that counts. Jumps to out if not
 * and all clauses are sampled. */
void sample_draw(struct gen *g, int out);
/* Of a program that samples some of its clauses: the clause is left out if the firing does not
 * count. */
void sample_clause(struct gen *g, const struct clause *c);
/* A number (register) times the firings that this one stands for, in a clause that is sampled. */
int sample_scaled(struct gen *g, int r);
/* The same of 128 bits. */
void sample_scaled_pair(struct gen *g, int *low, int *high);

#endif
