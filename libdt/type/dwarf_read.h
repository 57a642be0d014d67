/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF as BTF, by libdw, in the process that type/dwarf.c starts for it. */
#ifndef DT_DWARF_READ_H
#define DT_DWARF_READ_H

#include "libdt/base/mem.h"

struct dwread;

/* Loads libdw, as who dtrace is; false and why. */
bool dwread_load(const char **why);
/* NULL and why. What why says lives on. */
struct dwread *dwread_open(int fd, const char **why);
/* As udwarf_ask(), for one unit. */
void dwread_unit(struct dwread *r, char what, const char *name, struct strbuf *out);

#endif
