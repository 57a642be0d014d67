/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF of programs as BTF that is well-formed. */
#ifndef DT_BTFCOPY_H
#define DT_BTFCOPY_H

#include "libdt/base/mem.h"
#include "libdt/type/convert.h"

/*
 * Appends a copy of each blob of the section .BTF, made in a process without rights: records have
 * the same numbers; types and names that are not there are void and "". NULL, or a sentence on
 * what is wrong, to be freed.
 */
char *btf_copy(const struct type_sections *s, struct strbuf *out);
/* What that process does, for fuzzers: writes the copies to fd. */
enum convert_end btf_copy_to(const struct type_sections *s, int fd);

#endif
