/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has come to a compiler's map (jit.h) since it was read last, as a block without pointers:
 * so it can be read in another process than the one that wants to know.
 */
#ifndef DT_JITREAD_H
#define DT_JITREAD_H

#include <stdint.h>

#include "libdt/base/mem.h"

enum { JITREAD_HEAD = 64 };

/* How it began, and how far it was read. */
struct jitread {
	uint64_t from;
	uint32_t head_len;
	uint8_t head[JITREAD_HEAD];
};

struct jit_symbol {
	uint64_t addr, size, order; /* order: the one that was written last has the greatest */
	const char *name;	    /* in the block an offset among the texts */
};

/* Then as many struct jit_symbol, ascending by address and order, and the names, each with its
 * NUL. */
struct jitread_answer {
	uint64_t n, texts_len;
	uint64_t anew;	     /* the file was written anew: what was read before is gone */
	struct jitread next; /* what to ask next */
};

/* Appends the answer for a part of the file, within the limit in bytes; 0 or -errno. */
int jitread(int fd, const struct jitread *ask, uint64_t space, struct strbuf *out);
int jit_symbol_compare(const void *a, const void *b);

#endif
