/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/type/dwarf_read.h"

#ifdef HAVE_DWARF

#include <stdlib.h>
#include <string.h>

#include "libdt/base/hash.h"
#include "libdt/type/btfout.h"
#include "libdt/type/dwarf.h"
#include "libdt/type/dwarf_call.h"
#include "libdt/type/raw.h"

enum { RECORDS_MAX = 1 << 22, BYTES_MAX = 256 << 20 };

/* What of a DIE a record is of: beyond 0, the dimensions of an array from that one on. */
enum part {
	WHOLE = 0,
	FUNCTION = -1,	/* of a subprogram, whose prototype is WHOLE */
	ADDRESS = -2,	/* a pointer to the type */
	IN_MEMORY = -3, /* a structure that is returned in memory, whatever its size */
	UNKNOWN =
	    -4, /* a class that another unit may define: this one does not show how it is passed */
};

struct item {
	Dwarf_Die die;
	int part;
};

struct unit {
	Dwarf_Die die;
	struct dwcall call;
	bool done;
};

struct dwread {
	Dwarf *dbg;
	VEC(struct unit) units;
	struct hash names; /* what and name -> number of the unit + 1 */
	bool indexed;
	struct hash known; /* dwarf_call.h */
	/* Of the unit at hand: */
	struct hash records;	/* DIE and part -> number */
	VEC(struct item) items; /* record i + 1 */
	struct btfout out;
};

/* DIEs -------------------------------------------------------------------- */

/* Where a function begins, as its name; NULL: nowhere, or what calls it does not do it as the
 * source has it. */
static const char *func_name(const struct unit *unit, Dwarf_Die *die, char *buf)
{
	Dwarf_Addr begin;

	return die_begins(die, &begin) && dwcall_known(&unit->call, die, begin)
		   ? udwarf_place_name(begin, buf)
		   : NULL;
}

/* Of a variable its address, as its name; NULL: it is only declared, or not at one place. */
static const char *var_name(Dwarf_Die *die, char *buf)
{
	Dwarf_Attribute attr, at;
	Dwarf_Addr addr;
	Dwarf_Op *ops;
	size_t n;

	if (!dw.dwarf_attr(die, DW_AT_location, &attr) || dw.dwarf_getlocation(&attr, &ops, &n) ||
	    n != 1)
		return NULL;
	if (ops->atom == DW_OP_addr)
		return udwarf_place_name(ops->number, buf);
	if (ops->atom != DW_OP_addrx || dw.dwarf_getlocation_attr(&attr, ops, &at) ||
	    dw.dwarf_formaddr(&at, &addr))
		return NULL;
	return udwarf_place_name(addr, buf);
}

/* Calls fn for each of its children, and for those of namespaces in it. */
static void each_child(struct dwread *r, Dwarf_Die *die, int depth,
		       void (*fn)(struct dwread *r, Dwarf_Die *die, int unit), int unit)
{
	Dwarf_Die child;

	if (depth > DIE_DEPTH_MAX || dw.dwarf_child(die, &child))
		return;
	do {
		if (dw.dwarf_tag(&child) == DW_TAG_namespace)
			each_child(r, &child, depth + 1, fn, unit);
		else
			fn(r, &child, unit);
	} while (!dw.dwarf_siblingof(&child, &child));
}

/* The letter of what it defines; 0: nothing that is asked for. */
static char what_it_is(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (die_flag(die, DW_AT_declaration) || dw.dwarf_attr(die, DW_AT_signature, &attr))
		return 0;
	switch (dw.dwarf_tag(die)) {
	case DW_TAG_subprogram:
		return 'f';
	case DW_TAG_variable:
		return 'v';
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return 's';
	case DW_TAG_union_type:
		return 'u';
	case DW_TAG_enumeration_type:
		return 'e';
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return 't';
	default:
		return 0;
	}
}

/* Names ------------------------------------------------------------------- */

static void index_name(struct dwread *r, char what, const char *name, int unit)
{
	struct strbuf key = {0};
	void **slot;

	if (!name || !*name)
		return;
	sb_putc(&key, what);
	sb_puts(&key, name);
	slot = hash_ref(&r->names, key.s, key.len);
	if (!*slot)
		*slot = (void *)(uintptr_t)(unit + 1);
	sb_free(&key);
}

static void index_enumerators(struct dwread *r, Dwarf_Die *die, int unit)
{
	Dwarf_Die child;

	if (dw.dwarf_child(die, &child))
		return;
	do {
		index_name(r, 'c', dw.dwarf_diename(&child), unit);
	} while (!dw.dwarf_siblingof(&child, &child));
}

/* By what it is asked for; NULL: by nothing. */
static const char *name_of(const struct unit *unit, Dwarf_Die *die, char what, char *buf)
{
	return what == 'f'   ? func_name(unit, die, buf)
	       : what == 'v' ? var_name(die, buf)
			     : dw.dwarf_diename(die);
}

static void index_die(struct dwread *r, Dwarf_Die *die, int unit)
{
	char what = what_it_is(die), buf[UDWARF_PLACE_NAME];

	if (what)
		index_name(r, what, name_of(&r->units.v[unit], die, what, buf), unit);
	if (what == 'e')
		index_enumerators(r, die, unit);
}

static void index_units(struct dwread *r, Dwarf *dbg)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;

	while (dbg && !dw.dwarf_get_units(dbg, cu, &cu, NULL, &type, &die, &sub)) {
		struct unit unit = {.die = type == DW_UT_skeleton ? sub : die};

		if (!unit.die.addr) /* it is in a file that is not there */
			continue;
		unit.call = dwcall_of(&unit.die);
		vec_push(&r->units, unit);
		each_child(r, &unit.die, 0, index_die, r->units.n - 1);
	}
}

/* Records ----------------------------------------------------------------- */

/* The number of a record, which is written when its turn comes. */
static uint32_t record(struct dwread *r, const Dwarf_Die *die, int part)
{
	const struct {
		const void *addr;
		intptr_t part;
	} key = {die->addr, part};
	void **slot = hash_ref(&r->records, &key, sizeof(key));

	if (!*slot && r->items.n == RECORDS_MAX)
		return 0;
	if (!*slot) {
		vec_push(&r->items, ((struct item){*die, part}));
		*slot = (void *)(uintptr_t)r->items.n;
	}
	return (uintptr_t)*slot;
}

static uint32_t type_of(struct dwread *r, Dwarf_Die *die)
{
	Dwarf_Die type;

	return die_type(die, &type) ? record(r, &type, WHOLE) : 0;
}

static void put_base(struct dwread *r, Dwarf_Die *die)
{
	uint64_t size = die_number_or(die, DW_AT_byte_size, 0);
	const char *name = dw.dwarf_diename(die);

	switch (size && size <= 16 ? die_number_or(die, DW_AT_encoding, 0) : 0) {
	case DW_ATE_boolean:
		btfout_int(&r->out, name, size, BTF_INT_BOOL, 0, size * 8);
		return;
	case DW_ATE_signed:
		btfout_int(&r->out, name, size, BTF_INT_SIGNED, 0, size * 8);
		return;
	case DW_ATE_signed_char:
		btfout_int(&r->out, name, size, BTF_INT_SIGNED | BTF_INT_CHAR, 0, size * 8);
		return;
	case DW_ATE_unsigned_char:
		btfout_int(&r->out, name, size, BTF_INT_CHAR, 0, size * 8);
		return;
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
		btfout_int(&r->out, name, size, 0, 0, size * 8);
		return;
	case DW_ATE_float:
		btfout_head(&r->out, name, RAW_FLOAT, false, 0, size);
		return;
	default:
		btfout_void(&r->out);
	}
}

/* How many elements a dimension has; 0: that is not said. */
static uint32_t elements(Dwarf_Die *dim)
{
	uint64_t n;

	if (die_number(dim, DW_AT_count, &n))
		return MIN(n, UINT32_MAX);
	return die_number(dim, DW_AT_upper_bound, &n) && n < UINT32_MAX ? n + 1 : 0;
}

static uint64_t size_of(Dwarf_Die *die)
{
	Dwarf_Die at = *die, type;
	uint64_t size;

	for (int i = 0;
	     i < DIE_DEPTH_MAX && !die_number(&at, DW_AT_byte_size, &size) && die_type(&at, &type);
	     i++)
		at = type;
	return die_number_or(&at, DW_AT_byte_size, 0);
}

static void put_array(struct dwread *r, Dwarf_Die *die, int part)
{
	Dwarf_Die child, dim, index;
	int dims = 0;

	if (!dw.dwarf_child(die, &child))
		do {
			if (dw.dwarf_tag(&child) != DW_TAG_subrange_type)
				continue;
			if (dims++ == part)
				dim = child;
		} while (!dw.dwarf_siblingof(&child, &child));
	if (die_flag(die, DW_AT_GNU_vector)) /* it is where numbers in floating point are */
		btfout_head(&r->out, "vector", RAW_FLOAT, false, 0,
			    dims == 1 && die_type(die, &index) ? elements(&dim) * size_of(&index)
							       : 0);
	else if (part >= dims)
		btfout_void(&r->out);
	else
		btfout_array(&r->out, part + 1 < dims ? record(r, die, part + 1) : type_of(r, die),
			     die_type(&dim, &index) ? record(r, &index, WHOLE) : 0, elements(&dim));
}

/* Bytes from the beginning of a structure: a number, or in DWARF 2 an expression, "add so many".
 * False: it depends (a virtual base). */
static bool member_at(Dwarf_Die *die, uint64_t *at)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;

	*at = 0;
	if (!dw.dwarf_attr(die, DW_AT_data_member_location, &attr) ||
	    die_number(die, DW_AT_data_member_location, at))
		return true;
	if (dw.dwarf_formblock(&attr, &block) || block.length < 2 ||
	    block.data[0] != DW_OP_plus_uconst)
		return false;
	for (size_t i = 1; i < block.length && i < 6; i++)
		*at |= (uint64_t)(block.data[i] & 0x7f) << 7 * (i - 1);
	return true;
}

/* False: it is no part of the structure's memory. */
static bool member_of(struct dwread *r, Dwarf_Die *die, struct btfout_member *m)
{
	int tag = dw.dwarf_tag(die);
	uint64_t at, off, bits, before;

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || die_flag(die, DW_AT_external) ||
	    die_flag(die, DW_AT_declaration) || !member_at(die, &at))
		return false;
	off = at * 8;
	bits = die_number_or(die, DW_AT_bit_size, 0);
	if (bits && !die_number(die, DW_AT_data_bit_offset, &off) &&
	    die_number(die, DW_AT_bit_offset, &before))
		/* before DWARF 4, from the unit's other end */
		off += size_of(die) * 8 - before - bits;
	if (off > UINT32_MAX)
		return false;
	*m = (struct btfout_member){
	    btfout_str(&r->out, tag == DW_TAG_member ? dw.dwarf_diename(die) : NULL),
	    type_of(r, die), off, MIN(bits, 64u)};
	return true;
}

static void put_sou(struct dwread *r, Dwarf_Die *die, bool in_memory)
{
	bool is_union = dw.dwarf_tag(die) == DW_TAG_union_type;
	VEC(struct btfout_member) members = {0};
	uint64_t size = MIN(die_number_or(die, DW_AT_byte_size, 0), (uint64_t)UINT32_MAX);
	struct btfout_member m;
	Dwarf_Die child;

	if (die_flag(die, DW_AT_declaration)) {
		btfout_head(&r->out, dw.dwarf_diename(die), BTF_KIND_FWD, is_union, 0, 0);
		return;
	}
	if (!dw.dwarf_child(die, &child))
		do {
			if (members.n < BTFOUT_VLEN_MAX && member_of(r, &child, &m))
				vec_push(&members, m);
		} while (!dw.dwarf_siblingof(&child, &child));
	if (in_memory) /* expressed by the size */
		size = MAX(size, 17);
	btfout_sou(&r->out, in_memory ? NULL : dw.dwarf_diename(die),
		   is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT, size, members.v, members.n);
	vec_free(&members);
}

/* Has it an enumerator that only an unsigned number can be? A narrow record's words are signed. */
static bool beyond_int(Dwarf_Die *die)
{
	Dwarf_Die child;
	uint64_t value;

	if (dw.dwarf_child(die, &child))
		return false;
	do {
		if (dw.dwarf_tag(&child) == DW_TAG_enumerator &&
		    die_number(&child, DW_AT_const_value, &value) && (int64_t)value > INT32_MAX)
			return true;
	} while (!dw.dwarf_siblingof(&child, &child));
	return false;
}

static void put_enum(struct dwread *r, Dwarf_Die *die)
{
	uint64_t size = size_of(die), value;
	bool wide = size == 8 || beyond_int(die), is_signed = false;
	struct strbuf values = {0};
	Dwarf_Die child;
	int n = 0;

	if (!dw.dwarf_child(die, &child))
		do {
			if (dw.dwarf_tag(&child) != DW_TAG_enumerator ||
			    !die_number(&child, DW_AT_const_value, &value) || n == BTFOUT_VLEN_MAX)
				continue;
			uint32_t words[3] = {btfout_str(&r->out, dw.dwarf_diename(&child)), value,
					     value >> 32};

			is_signed |= (int64_t)value < 0;
			sb_add(&values, words, wide ? 12 : 8);
			n++;
		} while (!dw.dwarf_siblingof(&child, &child));
	btfout_head(&r->out, dw.dwarf_diename(die), wide ? (uint32_t)RAW_ENUM64 : BTF_KIND_ENUM,
		    is_signed, n, size && size <= 8 ? size : 4);
	if (n)
		sb_add(&r->out.types, values.s, values.len);
	sb_free(&values);
}

/* Functions --------------------------------------------------------------- */

/* What is passed or returned. by_reference: what stands for an object that cannot be copied as
 * bytes. */
static uint32_t passed(struct dwread *r, const Dwarf_Die *type, enum part by_reference)
{
	return record(r, type,
		      dwcall_is_declared_only(type)	     ? UNKNOWN
		      : dwcall_by_reference(&r->known, type) ? by_reference
							     : WHOLE);
}

static void put_parameters(struct dwread *r, Dwarf_Die *die, struct strbuf *words, int *n,
			   int depth)
{
	Dwarf_Die child, type;

	if (depth > 1 || dw.dwarf_child(die, &child))
		return;
	do {
		uint32_t param[2] = {0, 0};
		int tag = dw.dwarf_tag(&child);

		if (tag == DW_TAG_GNU_formal_parameter_pack)
			put_parameters(r, &child, words, n, depth + 1);
		if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
		    *n == BTFOUT_VLEN_MAX)
			continue;
		if (tag == DW_TAG_formal_parameter) {
			param[0] = btfout_str(&r->out, dw.dwarf_diename(&child));
			if (die_type(&child, &type))
				param[1] = passed(r, &type, ADDRESS);
		}
		sb_add(words, param, sizeof(param));
		++*n;
	} while (!dw.dwarf_siblingof(&child, &child));
}

static void put_prototype(struct dwread *r, Dwarf_Die *die)
{
	struct strbuf words = {0};
	uint32_t result = 0;
	Dwarf_Die type;
	int n = 0;

	if (die_type(die, &type))
		result = passed(r, &type, IN_MEMORY);
	put_parameters(r, die, &words, &n, 0);
	btfout_head(&r->out, NULL, BTF_KIND_FUNC_PROTO, false, n, result);
	if (n)
		sb_add(&r->out.types, words.s, words.len);
	sb_free(&words);
}

static void put_ref(struct dwread *r, Dwarf_Die *die, uint32_t kind)
{
	btfout_head(&r->out, kind == BTF_KIND_TYPEDEF ? dw.dwarf_diename(die) : NULL, kind, false,
		    0, type_of(r, die));
}

/* An offset; to a function, where that is and an offset. */
static void put_member_pointer(struct dwread *r, Dwarf_Die *die)
{
	Dwarf_Die type;
	uint32_t size =
	    die_type(die, &type) && dw.dwarf_tag(&type) == DW_TAG_subroutine_type ? 16 : 8;

	btfout_int(&r->out, size == 16 ? "pointer to member function" : "pointer to member", size,
		   BTF_INT_SIGNED, 0, size * 8);
}

static void put_item(struct dwread *r, Dwarf_Die *die, int part)
{
	uint32_t linkage = BTF_VAR_STATIC;
	char buf[UDWARF_PLACE_NAME];
	Dwarf_Addr begin;

	if (part == ADDRESS) {
		btfout_head(&r->out, NULL, BTF_KIND_PTR, false, 0, record(r, die, WHOLE));
		return;
	}
	if (part == UNKNOWN) {
		btfout_head(&r->out, NULL, BTF_KIND_FWD, false, 0, 0);
		return;
	}
	if (part == FUNCTION) {
		btfout_head(&r->out, die_begins(die, &begin) ? udwarf_place_name(begin, buf) : NULL,
			    BTF_KIND_FUNC, false, 0, record(r, die, WHOLE));
		return;
	}
	switch (dw.dwarf_tag(die)) {
	case DW_TAG_base_type:
		put_base(r, die);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		put_ref(r, die, BTF_KIND_PTR);
		break;
	case DW_TAG_const_type:
	case DW_TAG_atomic_type:
		put_ref(r, die, BTF_KIND_CONST);
		break;
	case DW_TAG_volatile_type:
		put_ref(r, die, BTF_KIND_VOLATILE);
		break;
	case DW_TAG_restrict_type:
		put_ref(r, die, BTF_KIND_RESTRICT);
		break;
	case DW_TAG_typedef:
		put_ref(r, die, BTF_KIND_TYPEDEF);
		break;
	case DW_TAG_array_type:
		put_array(r, die, part);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		put_sou(r, die, part == IN_MEMORY);
		break;
	case DW_TAG_enumeration_type:
		put_enum(r, die);
		break;
	case DW_TAG_variable:
		btfout_head(&r->out, var_name(die, buf), BTF_KIND_VAR, false, 0, type_of(r, die));
		btfout_words(&r->out, &linkage, 1);
		break;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		put_prototype(r, die);
		break;
	case DW_TAG_ptr_to_member_type:
		put_member_pointer(r, die);
		break;
	case DW_TAG_unspecified_type: /* of nullptr */
		btfout_head(&r->out, NULL, BTF_KIND_PTR, false, 0, 0);
		break;
	default: /* what other languages have */
		btfout_void(&r->out);
	}
}

/* A unit ------------------------------------------------------------------ */

static void want(struct dwread *r, Dwarf_Die *die, int unit)
{
	char what = what_it_is(die), buf[UDWARF_PLACE_NAME];

	if ((what == 'f' || what == 'v') && !name_of(&r->units.v[unit], die, what, buf))
		return;
	if (what)
		record(r, die, what == 'f' ? FUNCTION : WHOLE);
}

/* What it defines and all that this reaches. */
static void put_unit(struct dwread *r, int unit, struct strbuf *out)
{
	btfout_begin(&r->out, NULL);
	each_child(r, &r->units.v[unit].die, 0, want, unit);
	for (int i = 0; i < r->items.n; i++) {
		struct item item = r->items.v[i]; /* they move when there are more */

		if (r->out.types.len + r->out.strs.len > BYTES_MAX)
			break;
		put_item(r, &item.die, item.part);
	}
	if (r->out.next == (uint32_t)r->items.n + 1)
		btfout_end(&r->out, out);
	btfout_free(&r->out);
	hash_free(&r->records);
	vec_free(&r->items);
}

struct dwread *dwread_open(int fd, const char **why)
{
	struct dwread *r = xcalloc(1, sizeof(*r));

	r->dbg = dw.dwarf_begin(fd, DWARF_C_READ);
	if (r->dbg)
		return r;
	*why = dw.dwarf_errmsg(-1);
	free(r);
	return NULL;
}

void dwread_unit(struct dwread *r, char what, const char *name, struct strbuf *out)
{
	struct strbuf key = {0};
	uintptr_t unit;

	if (!r->indexed) {
		index_units(r, r->dbg);
		index_units(r, dw.dwarf_getalt(r->dbg)); /* what debug files share (dwz) */
		r->indexed = true;
	}
	sb_putc(&key, what);
	sb_puts(&key, name);
	unit = (uintptr_t)hash_get(&r->names, key.s, key.len);
	sb_free(&key);
	if (!unit || r->units.v[unit - 1].done)
		return;
	r->units.v[unit - 1].done = true;
	put_unit(r, unit - 1, out);
}

#else

struct dwread *dwread_open(int fd, const char **why)
{
	(void)fd;
	(void)why;
	return NULL;
}

void dwread_unit(struct dwread *r, char what, const char *name, struct strbuf *out)
{
	(void)r;
	(void)what;
	(void)name;
	(void)out;
}

#endif
