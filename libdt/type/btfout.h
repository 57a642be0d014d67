/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF that is made of other type data, so that there is one reader of types. Each blob has
 * records and their strings. */
#ifndef DT_BTFOUT_H
#define DT_BTFOUT_H

#include "libdt/base/mem.h"

enum { BTFOUT_VLEN_MAX = 0xffff };

/* The first record's number is first; strings begin at strs_start. All zero but for these at the
 * beginning. */
struct btfout {
	uint32_t first, next, strs_start;
	struct strbuf types, strs;
};

/* of a blob that is based on another (NULL: on none), whose numbers and strings it goes on with. */
void btfout_begin(struct btfout *b, const struct btfout *base);
void btfout_free(struct btfout *b);
/* Where the string is; NULL and "": 0. */
uint32_t btfout_str(struct btfout *b, const char *s);
void btfout_words(struct btfout *b, const uint32_t *words, int n);
/* A record begins: last is its size or its type; what belongs to its kind follows. */
void btfout_head(struct btfout *b, const char *name, uint32_t kind, bool flag, uint32_t vlen,
		 uint32_t last);
/* Records of one word or none after the header. */
void btfout_int(struct btfout *b, const char *name, uint32_t size, uint32_t encoding, uint32_t off,
		uint32_t bits);
void btfout_array(struct btfout *b, uint32_t elem, uint32_t index, uint32_t n);
/* What cannot be said: void. */
void btfout_void(struct btfout *b);

/* A member; off and bits in bits, bits 0: it is no bit-field. */
struct btfout_member {
	uint32_t name, type, off, bits;
};
/* kind: BTF_KIND_STRUCT or _UNION. */
void btfout_sou(struct btfout *b, const char *name, uint32_t kind, uint32_t size,
		const struct btfout_member *members, int n);
/* Appends the finished BTF to out. */
void btfout_end(struct btfout *b, struct strbuf *out);

#endif
