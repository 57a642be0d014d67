/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF as BTF, by libdw, in the process that type/dwarf.c starts for it. */
#ifndef DT_DWARF_READ_H
#define DT_DWARF_READ_H

#include "libdt/base/mem.h"

struct dwread;

/* libdw is loaded (dwarf_load()). NULL and why, which lives on. */
struct dwread *dwread_open(int fd, const char **why);
/* As udwarf_ask(), for one unit. */
void dwread_unit(struct dwread *r, char what, const char *name, struct strbuf *out);

#endif
