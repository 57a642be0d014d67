/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calling conventions from DWARF, as far as the locations of arguments depend on it. */
#ifndef DT_DWARF_CALL_H
#define DT_DWARF_CALL_H

#include "libdt/base/hash.h"
#include "libdt/type/dwarf_die.h"

#ifdef HAVE_DWARF

/* Of a unit. */
struct dwcall {
	bool as_c, is_clang;
};
struct dwcall dwcall_of(Dwarf_Die *unit);
/* Is a function, which begins there, called as its source has it? */
bool dwcall_known(const struct dwcall *c, Dwarf_Die *die, Dwarf_Addr begin);
/* Does an object of this type go by its address? known: what was found out of classes, for the
 * next time. */
bool dwcall_by_reference(struct hash *known, const Dwarf_Die *type);
/* A class that another unit may define: this one does not show how it is passed. */
bool dwcall_is_declared_only(const Dwarf_Die *type);

#endif

#endif
