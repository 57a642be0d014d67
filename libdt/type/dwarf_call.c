/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/type/dwarf_call.h"

#ifdef HAVE_DWARF

#include <string.h>

/*
 * Arguments are where C's convention has them in what these languages call; where others (Go,
 * Rust) put them is their own affair, and changes from release to release.
 */
static bool calls_as_c(Dwarf_Die *unit)
{
	switch (die_number_or(unit, DW_AT_language, 0)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_ObjC:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_UPC:
	case 0x2a: /* C++17, C++20, C17, C++23, C23: not in headers of 2021 */
	case 0x2b:
	case 0x2c:
	case 0x3a:
	case 0x3e:
		return true;
	default:
		return false;
	}
}

/*
 * Clang leaves out parameters of functions that only their unit calls, or passes what one points
 * to, and says no more than that such a one is nowhere when the function begins. (What gcc
 * changes has another symbol: user.c.)
 */
static bool lost_parameters(Dwarf_Die *die, Dwarf_Addr begin)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Op *ops;
	size_t n;

	if (dw.dwarf_child(die, &child))
		return false;
	do {
		if (dw.dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    (!dw.dwarf_attr(&child, DW_AT_location, &attr) ||
		     dw.dwarf_getlocation_addr(&attr, begin, &ops, &n, 1) != 1 || !n))
			return true;
	} while (!dw.dwarf_siblingof(&child, &child));
	return false;
}

static bool is_external(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool set = false;

	return dw.dwarf_attr_integrate(die, DW_AT_external, &attr) &&
	       !dw.dwarf_formflag(&attr, &set) && set;
}

static bool is_clang(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *by =
	    dw.dwarf_attr(unit, DW_AT_producer, &attr) ? dw.dwarf_formstring(&attr) : NULL;

	return by && strstr(by, "clang");
}

struct dwcall dwcall_of(Dwarf_Die *unit)
{
	return (struct dwcall){calls_as_c(unit), is_clang(unit)};
}

bool dwcall_known(const struct dwcall *c, Dwarf_Die *die, Dwarf_Addr begin)
{
	uint64_t how = die_number_or(die, DW_AT_calling_convention, DW_CC_normal);

	return c->as_c && (how == DW_CC_normal || how == DW_CC_program) &&
	       !(c->is_clang && !is_external(die) && lost_parameters(die, begin));
}

/* Is it a constructor from another one of the class? name: the class's, without the arguments of
 * a template in constructors' names. */
static bool copies(Dwarf_Die *func, Dwarf_Die *class, const char *name)
{
	const char *of = dw.dwarf_diename(class);
	size_t len = strlen(name);
	Dwarf_Die child, ref, base;
	int n = 0;

	if (!of || strncmp(of, name, len) || (of[len] && of[len] != '<') ||
	    dw.dwarf_child(func, &child))
		return false;
	do {
		if (dw.dwarf_tag(&child) != DW_TAG_formal_parameter ||
		    die_flag(&child, DW_AT_artificial))
			continue;
		if (n++ || !die_type(&child, &ref))
			return false;
	} while (!dw.dwarf_siblingof(&child, &child));
	return n &&
	       (dw.dwarf_tag(&ref) == DW_TAG_reference_type ||
		dw.dwarf_tag(&ref) == DW_TAG_rvalue_reference_type) &&
	       die_type(&ref, &base) && die_base(&base, &ref) && ref.addr == class->addr;
}

static bool is_class(Dwarf_Die *die)
{
	int tag = dw.dwarf_tag(die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool goes_by_reference(struct hash *known, const Dwarf_Die *die, int depth);

/*
 * A C++ object that cannot be copied as bytes, for it, what it is derived from or a part of it
 * has virtual functions, or says itself how it is copied or destroyed ("non-trivial for the
 * purposes of calls"): its address is passed, and given for where it is to be returned. Clang
 * says it, gcc does not.
 */
static bool class_by_reference(struct hash *known, Dwarf_Die *class, int depth)
{
	bool deleted = false, copied = false;
	Dwarf_Die child, type;
	uint64_t how;

	if (die_number(class, DW_AT_calling_convention, &how))
		return how == DW_CC_pass_by_reference;
	if (dw.dwarf_child(class, &child))
		return false;
	do {
		const char *name = dw.dwarf_diename(&child);

		switch (dw.dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			if (!name || die_flag(&child, DW_AT_artificial) ||
			    (*name != '~' && !copies(&child, class, name)))
				break;
			if (die_flag(&child, DW_AT_deleted))
				deleted |= *name != '~';
			else if (die_number_or(&child, DW_AT_defaulted, 0) != DW_DEFAULTED_in_class)
				return true;
			else
				copied |= *name != '~';
			break;
		case DW_TAG_inheritance:
			if (die_number_or(&child, DW_AT_virtuality, 0) ||
			    (die_type(&child, &type) && goes_by_reference(known, &type, depth + 1)))
				return true;
			break;
		case DW_TAG_member:
			if (die_flag(&child, DW_AT_external) || die_flag(&child, DW_AT_declaration))
				break;
			if ((name && !strncmp(name, "_vptr", 5)) ||
			    (die_type(&child, &type) && goes_by_reference(known, &type, depth + 1)))
				return true;
			break;
		}
	} while (!dw.dwarf_siblingof(&child, &child));
	return deleted && !copied;
}

static bool goes_by_reference(struct hash *known, const Dwarf_Die *die, int depth)
{
	static char yes, no;
	Dwarf_Die class, type;
	void *key, *found;

	if (depth > DIE_DEPTH_MAX || !die_base(die, &class))
		return false;
	if (dw.dwarf_tag(&class) == DW_TAG_array_type)
		return die_type(&class, &type) && goes_by_reference(known, &type, depth + 1);
	if (!is_class(&class))
		return false;
	key = class.addr;
	found = hash_get(known, &key, sizeof(key));
	if (!found) {
		found = class_by_reference(known, &class, depth) ? &yes : &no;
		hash_put(known, &key, sizeof(key), found);
	}
	return found == &yes;
}

bool dwcall_by_reference(struct hash *known, const Dwarf_Die *type)
{
	return goes_by_reference(known, type, 0);
}

bool dwcall_is_declared_only(const Dwarf_Die *die)
{
	Dwarf_Die class;

	return die_base(die, &class) && is_class(&class) && die_flag(&class, DW_AT_declaration);
}

#endif
