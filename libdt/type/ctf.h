/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CTF of a program as BTF; types as CTF. */
#ifndef DT_CTF_H
#define DT_CTF_H

#include "libdt/base/mem.h"
#include "libdt/type/type.h"

/*
 * Appends one BTF after the other: the first has what is shared, the others, which are based on it,
 * what each source file has for itself. NULL, or a sentence on what is wrong, to be freed.
 */
char *ctf_as_btf(const struct type_sections *s, struct strbuf *out);
/* Writes types, and all that they reach, to an object file of that name. NULL, or a sentence on
 * what is wrong, to be freed. */
char *ctf_write_types(struct types *t, const struct type *const *used, int n, const char *path);

#endif
