/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libdw, and what is asked of one entry of DWARF (a DIE). */
#ifndef DT_DWARF_DIE_H
#define DT_DWARF_DIE_H

#include <stdbool.h>
#include <stdint.h>

/* Loads libdw; false and why. */
bool dwarf_load(const char **why);

#ifdef HAVE_DWARF

#include <dwarf.h>
#include <elfutils/libdw.h>

enum { DIE_DEPTH_MAX = 32 };

/* libdw's, loaded when it is first wanted: dtrace starts sooner without it, and does without. */
/* clang-format off */
#define LIBDW(F) \
	F(dwarf_attr) F(dwarf_attr_integrate) F(dwarf_begin) F(dwarf_child) \
	F(dwarf_diename) F(dwarf_entrypc) F(dwarf_errmsg) F(dwarf_formaddr) \
	F(dwarf_formblock) F(dwarf_formflag) F(dwarf_formref_die) F(dwarf_formstring) \
	F(dwarf_formudata) F(dwarf_get_units) F(dwarf_getalt) F(dwarf_getlocation) \
	F(dwarf_getlocation_addr) F(dwarf_getlocation_attr) F(dwarf_ranges) \
	F(dwarf_siblingof) F(dwarf_tag)
/* clang-format on */

#define LIBDW_POINTER(f) __typeof__(f) *f;
extern struct libdw {
	LIBDW(LIBDW_POINTER)
} dw;

/* An attribute of its own; false and 0: it has none. */
bool die_number(Dwarf_Die *die, unsigned name, uint64_t *v);
uint64_t die_number_or(Dwarf_Die *die, unsigned name, uint64_t otherwise);
bool die_flag(Dwarf_Die *die, unsigned name);
/* Its type. What stands for one in a unit of its own (-fdebug-types-section) is passed over. */
bool die_type(Dwarf_Die *die, Dwarf_Die *type);
/* A type without typedefs and qualifiers; false: it is void. */
bool die_base(const Dwarf_Die *die, Dwarf_Die *base);
/* The address where a function begins; false: it is only declared or inlined. */
bool die_begins(Dwarf_Die *die, Dwarf_Addr *begin);

#endif

#endif
