/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/image/schema.h"

#include <stdlib.h>

bool schema_fits(const struct schema *s, const struct rec_header *h, size_t size)
{
	return size >= sizeof(*h) && h->clause < (unsigned)s->layouts.n &&
	       h->probe < (unsigned)s->probes.n && size >= s->layouts.v[h->clause]->size;
}

void schema_free(struct schema *s)
{
	vec_free(&s->layouts);
	vec_free(&s->probes);
	vec_free(&s->aggs);
}
