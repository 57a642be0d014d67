/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a compilation leaves to the consumer: how the records of each clause are laid out, what to
 * do with them, and the names of the probes. The consumer knows nothing else of a script; nothing
 * here refers to trees or symbols of the compiler.
 */
#ifndef DT_SCHEMA_H
#define DT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdt/abi/record.h"
#include "libdt/base/escape.h"
#include "libdt/base/mem.h"
#include "libdt/base/src.h"
#include "libdt/image/aggregation.h"

struct consume;
struct fmt;
struct type;
struct writer;

/* One recorded value. */
struct rec {
	const struct type *type;
	uint32_t off, size;
	enum text_origin origin;
	struct loc name; /* the expression's text, which names the value; nowhere for constants */
};

/* One recorded action. */
struct act {
	const char *name;
	/* What the consumer does when it meets it in a record. 0 or -errno. */
	int (*print)(struct consume *c, const struct act *act, const uint8_t *data);
	/* The same for programs to read (json, xml); NULL: see struct def. */
	int (*write)(struct consume *c, const struct act *act, const uint8_t *data,
		     struct writer *w);
	struct rec *recs;
	int nrecs;
	struct fmt *fmt;
	uint32_t *aggs; /* aggregations named in its arguments, by number */
	int naggs;
	int32_t cond_off; /* offset of its byte; -1: always carried out */
	struct loc loc;
	bool carried; /* carried out also where nothing is printed: DEF_CARRIED */
};

/* The records of a clause. */
struct layout {
	VEC(struct act *) acts;
	uint32_t size;	  /* header included; 0 when it records nothing */
	bool has_thread;  /* struct rec_thread follows the header */
	bool has_process; /* struct rec_process follows these */
	bool ends_specs;  /* the clause has commit() or discard() */
};

/* Where the data of its actions may begin. */
static inline uint32_t layout_begin(const struct layout *l)
{
	return sizeof(struct rec_header) + (l->has_thread ? sizeof(struct rec_thread) : 0) +
	       (l->has_process ? sizeof(struct rec_process) : 0);
}

/* A probe's number and names, and what -F indents by. Programs name a probe by its index among
 * the enabled ones. */
#define PROBE_DESC                                                          \
	uint32_t id;                                                        \
	const char *prov, *mod, *func, *name;                               \
	bool is_return; /* a probe "return" of a function or system call */ \
	bool is_entry;                                                      \
	bool records /* a clause of it writes records */

struct probe_desc {
	PROBE_DESC;
};

struct schema {
	VEC(const struct layout *) layouts;    /* by number of the clause */
	VEC(const struct probe_desc *) probes; /* by index; with -Z, more come while tracing */
	VEC(struct aggr_desc) aggs;	       /* by number */
};

/* Is this a record of a clause, with all that its layout has? Records come from memory that only
 * the kernel writes, but a number out of bounds must not lead anywhere. */
bool schema_fits(const struct schema *s, const struct rec_header *h, size_t size);
void schema_free(struct schema *s);

#endif
