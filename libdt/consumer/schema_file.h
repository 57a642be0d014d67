/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first chunk of a recording: what the consumer knows of a script and a session. */
#ifndef DT_SCHEMA_FILE_H
#define DT_SCHEMA_FILE_H

#include "libdt/consumer/aggr.h"
#include "libdt/image/schema.h"
#include "libdt/record/pack.h"
#include "libdt/consumer/type_file.h"

struct schema_file {
	struct schema *schema; /* empty when it is loaded */
	struct aggrs *aggrs;   /* the same */
	struct types *types;
	bool ordered, early; /* -x temporal */
	int32_t target;	     /* struct fmt_ctx */
	const char *zone;    /* TZ */
	struct opts *opts;   /* of the consumer's output; loaded, those are set that are not */

	/* Loading: finds the functions of an action by its name. False: there is no such. */
	bool (*action)(struct act *act);
	const struct aggfunc *(*aggfunc)(const char *name);
	enum escape escape; /* of the script's own text */

	struct type_file type_file;
	VEC(const struct source *) sources;
};

/* Saves it to, or loads it from, a pack. The pack's bad: it makes no sense. */
void schema_file_pack(struct schema_file *f, struct pack *p);
/* Probes from the first on that came after it. */
void schema_file_probes(struct schema *s, struct pack *p, int first);
/* A place in a script of which schema_file_pack() has the text. */
void schema_file_loc(struct schema_file *f, struct pack *p, struct loc *loc);
/* Saving: a text that places may be in besides those that the schema names. */
void schema_file_source(struct schema_file *f, struct loc loc);
void schema_file_free(struct schema_file *f);

#endif
