/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the descriptions of a clause to its probes. */
#ifndef DT_MATCH_H
#define DT_MATCH_H

struct clause;
struct dt;
struct node;

/* Fills c->probes from the descriptions of c->node: sorted by id, each once.
 * default_field: the field that a description of one word names, 0 to 3 (provider to name), or
 * MATCH_IDS for identifiers (-i). Dies with a diagnostic. */
#define MATCH_IDS 4
void match_descriptions(struct dt *dt, struct clause *c, int default_field);
/* One of its descriptions. */
void match_description(struct dt *dt, struct clause *c, struct node *n, int default_field);

#endif
