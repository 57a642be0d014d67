/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/type/dwarf_die.h"

#ifdef HAVE_DWARF

#include <dlfcn.h>

struct libdw dw;

bool dwarf_load(const char **why)
{
	void *lib = dlopen("libdw.so.1", RTLD_NOW);

	*why = "there is no libdw.so.1 (of elfutils)";
#define FIND(f) &&(dw.f = (__typeof__(f) *)dlsym(lib, #f))
	return lib LIBDW(FIND);
}

bool die_number(Dwarf_Die *die, unsigned name, uint64_t *v)
{
	Dwarf_Attribute attr;
	Dwarf_Word n;

	if (!dw.dwarf_attr(die, name, &attr) || dw.dwarf_formudata(&attr, &n))
		return false;
	*v = n;
	return true;
}

uint64_t die_number_or(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
	uint64_t v;

	return die_number(die, name, &v) ? v : otherwise;
}

bool die_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool set = false;

	return dw.dwarf_attr(die, name, &attr) && !dw.dwarf_formflag(&attr, &set) && set;
}

bool die_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Die stub;

	if (!dw.dwarf_attr_integrate(die, DW_AT_type, &attr) || !dw.dwarf_formref_die(&attr, type))
		return false;
	stub = *type;
	return !dw.dwarf_attr(&stub, DW_AT_signature, &attr) || dw.dwarf_formref_die(&attr, type);
}

bool die_begins(Dwarf_Die *die, Dwarf_Addr *begin)
{
	Dwarf_Addr end, base;

	return !dw.dwarf_entrypc(die, begin) || dw.dwarf_ranges(die, 0, &base, begin, &end) > 0;
}

bool die_base(const Dwarf_Die *die, Dwarf_Die *base)
{
	Dwarf_Die next;

	*base = *die;
	for (int i = 0; i < DIE_DEPTH_MAX; i++) {
		int tag = dw.dwarf_tag(base);

		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type)
			return true;
		if (!die_type(base, &next))
			return false;
		*base = next;
	}
	return false;
}

#else

bool dwarf_load(const char **why)
{
	*why = "this dtrace was built without libdw (of elfutils)";
	return false;
}

#endif
