/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/detach/description.h"

static void pack_sites(struct description *d, struct pack *p, struct sites *s)
{
	pack_count(p, &s->n, 12);
	if (pack_loads(p))
		s->v = arena_alloc(p->arena, (s->n + 1) * sizeof(*s->v));
	for (int i = 0; i < s->n && !p->bad; i++) {
		schema_file_loc(&d->file, p, &s->v[i].loc);
		pack_bool(p, &s->v[i].of_kernel);
	}
}

void description_pack(struct description *d, struct pack *p)
{
	int n = d->file.schema->layouts.n;

	if (!pack_loads(p))
		for (int i = 0; i < n; i++)
			for (int k = 0; k < d->clauses[i].n; k++)
				schema_file_source(&d->file, d->clauses[i].v[k].loc);
	schema_file_pack(&d->file, p);
	pack_bool(p, &d->sleepers);
	pack_lines(p, &d->json);
	pack_lines(p, &d->xml);
	pack_require(p, d->json && d->xml);
	if (p->bad)
		return;
	n = d->file.schema->layouts.n;
	if (pack_loads(p))
		d->clauses = arena_alloc(p->arena, (n + 1) * sizeof(*d->clauses));
	for (int i = 0; i < n; i++)
		pack_sites(d, p, &d->clauses[i]);
}
