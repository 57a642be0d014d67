/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What readers of a detached session know of its script: the schema, the places that faults name,
 * and the first line of json and xml. */
#ifndef DT_DESCRIPTION_H
#define DT_DESCRIPTION_H

#include "libdt/consumer/schema_file.h"
#include "libdt/fault.h"

/* Places of a clause that can fault. */
struct sites {
	struct fault_site *v;
	int n;
};

struct description {
	struct schema_file file; /* filled in as schema_file.h says */
	struct sites *clauses;	 /* by number; loaded, in the pack's arena */
	bool sleepers;		 /* programs that may sleep have aggregations */
	const char *json, *xml;
};

/* Saves it to, or loads it from, a pack; the same rules as schema_file_pack(). */
void description_pack(struct description *d, struct pack *p);

#endif
