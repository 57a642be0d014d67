/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Into values with parts: members, elements. For print() and JSON. */
#ifndef DT_PRINT_VALUE_H
#define DT_PRINT_VALUE_H

#include "libdt/consumer/fmt.h"

/* Members of a value that are printed: a program's unions can have more than any output. */
enum { VALUE_MEMBERS_MAX = 1 << 18 };

/*
 * A member of a struct or union; a bit-field's number is put into *bits. False when the member
 * lies past what was recorded of the value, which may be less than all of it, or when
 * ctx->members, which counts them and which the caller has set to 0 for a whole value, is
 * VALUE_MEMBERS_MAX.
 */
bool value_member(struct fmt_ctx *ctx, const struct value *v, const struct member *m,
		  struct value *out, int64_t *bits);
/* Element i of an array. False past the last one that was recorded. */
bool value_element(struct types *types, const struct value *v, uint64_t i, struct value *out);
/* An array of char (not of unsigned char, the kernel's bytes) that holds text. */
bool value_is_text(const struct value *v);
long double value_float(const struct value *v);

/* What print() shows of a value: "type value", as a tree. */
void value_tree(struct fmt_ctx *ctx, const struct value *v);
/* The same of what is at an address. */
void value_pointee(struct fmt_ctx *ctx, uint64_t addr, const struct value *v);

#endif
