/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values to bytes and back. One function for each structure serves both: what it names is appended
 * to out, or is read. Numbers have the machine's own order. What is read is untrusted: beyond the
 * end, and after anything that makes no sense, all is zero, and bad is set.
 */
#ifndef DT_PACK_H
#define DT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

struct pack {
	struct strbuf *out;	 /* NULL: values are read ... */
	const uint8_t *at, *end; /* ... from here */
	struct arena *arena;	 /* for texts that are read */
	bool bad;
};

static inline bool pack_loads(const struct pack *p)
{
	return !p->out;
}

/* n bytes at v. */
void pack_bytes(struct pack *p, void *v, size_t n);
/* A number, of whatever size. */
#define PACK(p, v) pack_bytes(p, v, sizeof(*(v)))
void pack_bool(struct pack *p, bool *v);
/* A text that ends with a NUL, or NULL. Read, it is escaped as a name: none of ours changes. */
void pack_text(struct pack *p, const char **text);
/* The same of several lines. */
void pack_lines(struct pack *p, const char **text);
/* Bytes with their number; read, they are the pack's own. */
void pack_block(struct pack *p, const void **data, uint32_t *n);
/* The number of things that follow, each of at least so many bytes: memory for them is bounded. */
void pack_count(struct pack *p, int *n, size_t least);
/* What is read must be true of it. */
void pack_require(struct pack *p, bool holds);
/* Starts to read. */
struct pack pack_reader(const void *data, size_t size, struct arena *arena);

#endif
