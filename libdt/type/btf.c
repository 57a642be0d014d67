/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file of BTF. Types are converted on demand, one at a time, and members only when they are
 * needed: of the kernel's 126,000 types a script needs a few dozen.
 *
 * The first few names are looked for record by record, which takes less than a millisecond each;
 * then an index is made of all names of the sort wanted (types, functions, variables,
 * enumerators), a flat table of ids, which takes as long as a few of those searches. Memory is as
 * dear as work here: a page that is touched for the first time costs a microsecond.
 *
 * The file is untrusted (-x btfpath, a program's). raw.c sees to it that records are inside it,
 * not that they make sense: ids and names outside, cycles and chains without end are all possible
 * here and become void.
 */
#include "libdt/type/btf.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/nearest.h"

/* How many names are searched for before there is an index: it costs as much as one to three
 * searches. Of types a script hardly ever wants only one, but many scripts want a tracepoint's
 * and no other. */
static const int searches_before_index[] = {[T_FUNC] = 3, [KIND_VAR] = 3, [KIND_TRACEPOINT] = 2};
#define ENUMERATORS_BEFORE_INDEX 2
/* How far from where its hash says a name may be in an index: many records of one name, or with
 * names of one hash, would need time that grows with the square of their number. */
enum { PROBES_MAX = 1024 };

static const struct type being_converted;

static const struct type *convert(struct btf_file *f, uint32_t id, int depth);

struct btf_file *btf_file_new(struct types *t, const char *module, struct btf_raw *raw,
			      struct btf_file *base)
{
	struct btf_file *f = xcalloc(1, sizeof(*f));

	f->types = t;
	f->module = arena_strdup(t->arena, module);
	f->raw = raw;
	f->base = base;
	return f;
}

void btf_file_free(struct btf_file *f)
{
	for (int i = 0; i < INDEX_SORTS; i++) {
		free(f->index[i].slots);
		free(f->index[i].parts);
	}
	free(f->converted.slots);
	raw_free(f->raw);
	free(f);
}

/* The index */

/* Eight bytes at a time: 60,000 functions are hashed at start-up. */
static uint32_t name_hash(const char *s)
{
	size_t len = strlen(s);
	uint64_t h = len, word;

	for (; len > 8; s += 8, len -= 8) {
		memcpy(&word, s, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, s, len);
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h >> 32;
}

/* The kinds of records that a name is looked for among, a bit for each; and those whose names an
 * index has. */
#define BIT(kind) (1u << (kind))
#define ENUMS (BIT(BTF_KIND_ENUM) | BIT(RAW_ENUM64))
#define MODIFIERS                                                               \
	(BIT(BTF_KIND_TYPEDEF) | BIT(BTF_KIND_CONST) | BIT(BTF_KIND_VOLATILE) | \
	 BIT(BTF_KIND_RESTRICT) | BIT(RAW_TYPE_TAG))
#define NAMED (BIT(BTF_KIND_INT) | BIT(BTF_KIND_TYPEDEF))
static const uint32_t kinds_of[KIND_TRACEPOINT + 1] = {
    [T_STRUCT] = BIT(BTF_KIND_STRUCT),
    [T_UNION] = BIT(BTF_KIND_UNION),
    [T_ENUM] = ENUMS,
    [T_FUNC] = BIT(BTF_KIND_FUNC),
    [T_TYPEDEF] = NAMED,
    [KIND_VAR] = BIT(BTF_KIND_VAR),
    [KIND_TRACEPOINT] = BIT(BTF_KIND_TYPEDEF),
};
static const uint32_t kinds_in[INDEX_SORTS] = {
    [INDEX_TYPES] = NAMED | BIT(BTF_KIND_STRUCT) | BIT(BTF_KIND_UNION) | ENUMS,
    [INDEX_FUNCS] = BIT(BTF_KIND_FUNC),
    [INDEX_VARS] = BIT(BTF_KIND_VAR),
    [INDEX_CONSTS] = ENUMS,
};

static bool is_of(const struct btf_type *r, uint32_t kinds)
{
	uint32_t kind = raw_kind(r);

	return kinds >> (kind & 31) & 1 && kind < 32;
}

/* Where records of such kinds are: functions and variables are at the end of a kernel's. */
static struct raw_span span_of(const struct btf_raw *raw, uint32_t kinds)
{
	struct raw_span all = {raw->end, raw->first, 0};

	for (; kinds; kinds &= kinds - 1) {
		const struct raw_span *s = &raw->of[__builtin_ctz(kinds)];

		if (s->end) {
			all.first = MIN(all.first, s->first);
			all.end = MAX(all.end, s->end);
			all.n += s->n;
		}
	}
	return all;
}

static bool in_index(const struct btf_type *r, enum index_sort sort)
{
	return is_of(r, kinds_in[sort]) && (r->name_off || sort != INDEX_TYPES);
}

/* Name of enumerator i: both records start with it. */
static const char *enumerator_name(const struct btf_file *f, const struct btf_type *r, int i)
{
	const uint32_t *words = (const uint32_t *)(r + 1);

	return raw_str(f->raw, words[i * (raw_kind(r) == RAW_ENUM64 ? 3 : 2)]);
}

static int64_t enumerator_value(const struct btf_type *r, int i)
{
	const uint32_t *words = (const uint32_t *)(r + 1);

	if (raw_kind(r) == RAW_ENUM64)
		return (int64_t)((uint64_t)words[i * 3 + 2] << 32 | words[i * 3 + 1]);
	return (int32_t)words[i * 2 + 1];
}

/* part: of a record, the enumerator that has the name. What would be too far is left out. */
static void index_add(struct index *x, const char *name, uint32_t id, uint32_t part)
{
	uint32_t at = name_hash(name);

	for (int n = 0; n < PROBES_MAX; n++) {
		uint32_t i = (at + n) & x->mask;

		if (x->slots[i])
			continue;
		x->slots[i] = id;
		if (x->parts)
			x->parts[i] = part;
		return;
	}
}

/* The slots where a name may be: the first, with the name's hash in *at, then those that follow.
 * NULL: it is in no other. */
static const uint32_t *index_next(const struct index *x, uint32_t *at, int *n)
{
	const uint32_t *slot = &x->slots[(*at)++ & x->mask];

	return (*n)++ < PROBES_MAX && *slot ? slot : NULL;
}

static struct index *index_get(struct btf_file *f, enum index_sort sort)
{
	struct index *x = &f->index[sort];
	struct raw_span span = span_of(f->raw, kinds_in[sort]);
	uint32_t n = span.n, nslots = 64;

	if (x->slots)
		return x;
	for (uint32_t id = span.first; sort == INDEX_CONSTS && id < span.end; id++)
		if (in_index(raw_own(f->raw, id), sort))
			n += raw_vlen(raw_own(f->raw, id));
	while (nslots < n + n / 2)
		nslots *= 2;
	x->slots = xcalloc(nslots, sizeof(x->slots[0]));
	x->mask = nslots - 1;
	if (sort == INDEX_CONSTS)
		x->parts = xcalloc(nslots, sizeof(x->parts[0]));
	for (uint32_t id = span.first; id < span.end; id++) {
		const struct btf_type *r = raw_own(f->raw, id);

		if (!in_index(r, sort))
			continue;
		if (sort != INDEX_CONSTS)
			index_add(x, raw_str(f->raw, r->name_off), id, 0);
		for (uint32_t i = 0; sort == INDEX_CONSTS && i < raw_vlen(r); i++)
			index_add(x, enumerator_name(f, r, i), id, i);
	}
	return x;
}

/* Is a record, of one of the kinds, of that name, and better than what was found? One with
 * members is better than one without. */
static inline bool is_wanted(const struct btf_file *f, const struct btf_type *r, const char *name,
			     uint32_t found)
{
	const char *has = raw_str(f->raw, r->name_off);

	if (*has != *name || strcmp(has, name)) /* most calls of strcmp() are saved */
		return false;
	return !found || (!raw_vlen(raw_own(f->raw, found)) && raw_vlen(r));
}

static uint32_t file_search(struct btf_file *f, uint32_t kinds, const char *name)
{
	struct raw_span span = span_of(f->raw, kinds);
	uint32_t found = 0;

	for (uint32_t id = span.first; id < span.end; id++) {
		const struct btf_type *r = raw_own(f->raw, id);

		if (is_of(r, kinds) && is_wanted(f, r, name, found))
			found = id;
	}
	return found;
}

const char *btf_file_similar(struct btf_file *f, enum type_kind kind, const char *name)
{
	struct nearest near = nearest_to(name);
	uint32_t kinds = kinds_of[kind];
	struct raw_span span = span_of(f->raw, kinds);

	for (uint32_t id = span.first; id < span.end; id++) {
		const struct btf_type *r = raw_own(f->raw, id);
		const char *has = raw_str(f->raw, r->name_off);

		if (is_of(r, kinds) && *has)
			nearest_try(&near, has);
	}
	return near.best;
}

uint32_t btf_file_find(struct btf_file *f, enum type_kind kind, const char *name)
{
	enum index_sort sort = kind == T_FUNC	  ? INDEX_FUNCS
			       : kind == KIND_VAR ? INDEX_VARS
						  : INDEX_TYPES;
	uint32_t found = 0, kinds = kinds_of[kind], at = name_hash(name);
	const uint32_t *slot;
	struct index *x;
	int probes = 0;

	if (!*name)
		return 0;
	if (!f->index[sort].slots && f->index[sort].searches < searches_before_index[kind]) {
		f->index[sort].searches++;
		return file_search(f, kinds, name);
	}
	x = index_get(f, sort);
	while ((slot = index_next(x, &at, &probes))) {
		const struct btf_type *r = raw_own(f->raw, *slot);

		if (is_of(r, kinds) && is_wanted(f, r, name, found))
			found = *slot;
	}
	return found;
}

/* Conversion */

static const struct type *convert_int(struct btf_file *f, const struct btf_type *r,
				      const char *name)
{
	static const struct {
		const char *gcc, *name;
	} names[] = {
	    {"short int", "short"},
	    {"short unsigned int", "unsigned short"},
	    {"long int", "long"},
	    {"long unsigned int", "unsigned long"},
	    {"long long int", "long long"},
	    {"long long unsigned int", "unsigned long long"},
	    {"__int128 unsigned", "unsigned __int128"},
	};
	struct types *t = f->types;
	uint8_t encoding = btf_int_encoding(r);
	const struct type *own;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i].gcc))
			name = names[i].name;
	own = types_named(t, name);
	if (own && own->kind == T_INT && own->size == r->size)
		return own;
	return type_intern_int(t, name, r->size,
			       own && own->kind == T_INT
				   ? own->flags
				   : (encoding & BTF_INT_SIGNED ? TF_SIGNED : 0) |
					 (encoding & BTF_INT_CHAR ? TF_CHAR : 0) |
					 (encoding & BTF_INT_BOOL ? TF_BOOL : 0));
}

static const struct type *convert_enum(struct btf_file *f, const struct btf_type *r, uint32_t id,
				       const char *name)
{
	struct types *t = f->types;
	struct type *e = type_alloc(t, T_ENUM, *name ? name : NULL);
	int n = raw_vlen(r);
	struct enumerator *enums = arena_alloc(t->arena, n * sizeof(*enums));
	bool is_signed = btf_kflag(r);

	for (int i = 0; i < n; i++)
		is_signed |=
		    raw_kind(r) == BTF_KIND_ENUM && !btf_kflag(r) && enumerator_value(r, i) < 0;
	for (int i = 0; i < n; i++) {
		enums[i].name = arena_strdup(t->arena, enumerator_name(f, r, i));
		enums[i].value = enumerator_value(r, i);
	}
	e->size = r->size <= 8 ? r->size : 4;
	e->flags = is_signed ? TF_SIGNED : 0;
	e->module = f->module;
	e->enums = enums;
	e->nenums = n;
	e->reader = f;
	e->reader_id = id;
	return e;
}

/* Before the kind_flag, a bit-field's place was in its type. Returns false for a member that cannot
 * be. */
static bool member_place(const struct btf_file *f, const struct btf_type *r, int i,
			 struct member *m)
{
	const struct btf_member *bm = btf_members(r) + i;
	const struct btf_type *mt = raw_type(f->raw, bm->type);
	uint64_t bit_off = btf_member_bit_offset(r, i);

	m->bits = btf_member_bitfield_size(r, i);
	for (int depth = 0; mt && depth < TYPE_DEPTH && is_of(mt, MODIFIERS); depth++)
		mt = raw_type(f->raw, mt->type);
	if (mt && !btf_kflag(r) && is_of(mt, BIT(BTF_KIND_INT)) &&
	    (btf_int_bits(mt) != mt->size * 8 || btf_int_offset(mt))) {
		bit_off += btf_int_offset(mt);
		m->bits = btf_int_bits(mt);
	}
	m->bit_off = bit_off;
	if (m->type->kind == T_VOID || m->bits > m->type->size * 8 || (!m->bits && bit_off % 8) ||
	    bit_off > UINT32_MAX)
		return false;
	return bit_off + (m->bits ? m->bits : m->type->size * 8) <= r->size * 8ull;
}

static void fill(struct types *types, struct type *t)
{
	struct btf_file *f = t->reader;
	const struct btf_type *r = raw_type(f->raw, t->reader_id);
	int n = raw_vlen(r);
	struct member *members = arena_alloc(types->arena, n * sizeof(*members));

	for (int i = 0; i < n; i++) {
		struct member *m = &members[t->nmembers];
		const char *name = raw_str(f->raw, btf_members(r)[i].name_off);

		m->type = convert(f, btf_members(r)[i].type, 0);
		if (!member_place(f, r, i, m))
			continue;
		m->name = *name ? arena_strdup(types->arena, name) : NULL;
		t->nmembers++;
	}
	t->members = members;
}

static const struct type *convert_sou(struct btf_file *f, const struct btf_type *r, uint32_t id,
				      const char *name)
{
	enum type_kind kind = raw_kind(r) == BTF_KIND_STRUCT ? T_STRUCT : T_UNION;
	struct type *t = type_alloc(f->types, kind, *name ? name : NULL);

	t->size = r->size;
	t->flags = TF_INCOMPLETE | (f->is_user ? TF_PROGRAM : 0);
	t->module = f->module;
	t->fill = fill;
	t->reader = f;
	t->reader_id = id;
	return t;
}

/* Kernels built with clang encode __user as a tag between the pointer and what it points to. */
static const struct type *convert_ptr(struct btf_file *f, const struct btf_type *r, int depth)
{
	struct types *t = f->types;
	const struct type *ptr = type_ptr_sized(t, convert(f, r->type, depth), 8);
	const struct btf_type *to = raw_type(f->raw, r->type);

	if (f->is_user)
		return type_userland(t, ptr);
	while (to && raw_kind(to) == RAW_TYPE_TAG && depth++ < TYPE_DEPTH) {
		if (!btf_kflag(to) && !strcmp(raw_str(f->raw, to->name_off), "user"))
			return type_userland(t, ptr);
		to = raw_type(f->raw, to->type);
	}
	return ptr;
}

/* skip: of a tracepoint's first parameter, which is its own. */
static const struct type *convert_func(struct btf_file *f, const struct btf_type *r, uint32_t skip,
				       int depth)
{
	const struct btf_param *p = btf_params(r);
	const struct type *params[32], *result;
	bool varargs = false;
	int n = 0;

	for (uint32_t i = skip; i < raw_vlen(r) && n < (int)ARRAY_SIZE(params); i++) {
		if (!p[i].type && i == raw_vlen(r) - 1)
			varargs = true;
		else
			params[n++] = convert(f, p[i].type, depth);
	}
	result = convert(f, r->type, depth);
	return type_func(f->types, result, params, n, varargs);
}

static const struct type *convert_record(struct btf_file *f, const struct btf_type *r, uint32_t id,
					 int depth)
{
	struct types *t = f->types;
	const char *name = raw_str(f->raw, r->name_off);

	switch (raw_kind(r)) {
	case BTF_KIND_INT:
		return convert_int(f, r, name);
	case RAW_FLOAT:
		return type_intern_float(t, name, r->size);
	case BTF_KIND_PTR:
		return convert_ptr(f, r, depth);
	case BTF_KIND_ARRAY:
		return type_array(t, convert(f, btf_array(r)->type, depth), btf_array(r)->nelems);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return convert_sou(f, r, id, name);
	case BTF_KIND_ENUM:
	case RAW_ENUM64:
		return convert_enum(f, r, id, name);
	case BTF_KIND_FWD:
		return type_fwd(t, btf_kflag(r) ? T_UNION : T_STRUCT, f->module, name);
	case BTF_KIND_TYPEDEF:
		return type_typedef(t, name, convert(f, r->type, depth));
	case BTF_KIND_CONST:
		return type_qualified(t, convert(f, r->type, depth), TF_CONST);
	case BTF_KIND_VOLATILE:
		return type_qualified(t, convert(f, r->type, depth), TF_VOLATILE);
	case BTF_KIND_RESTRICT:
	case RAW_TYPE_TAG:
	case BTF_KIND_FUNC:
		return convert(f, r->type, depth);
	case BTF_KIND_FUNC_PROTO:
		return convert_func(f, r, 0, depth);
	default: /* variables, sections and what is newer than we */
		return type_void(t);
	}
}

static uint32_t converted_slot(const struct converted *c, uint32_t id)
{
	uint32_t i = id * 2654435761u >> 8 & c->mask;

	while (c->slots[i].id && c->slots[i].id != id)
		i = (i + 1) & c->mask;
	return i;
}

static const struct type *converted_get(const struct converted *c, uint32_t id)
{
	return c->slots ? c->slots[converted_slot(c, id)].type : NULL;
}

static void converted_put(struct converted *c, uint32_t id, const struct type *type)
{
	uint32_t i;

	if (!c->slots || c->n > c->mask / 2) {
		struct converted bigger = {.mask = c->slots ? c->mask * 2 + 1 : 255};

		bigger.slots = xcalloc(bigger.mask + 1, sizeof(bigger.slots[0]));
		for (i = 0; c->slots && i <= c->mask; i++)
			if (c->slots[i].id)
				converted_put(&bigger, c->slots[i].id, c->slots[i].type);
		free(c->slots);
		*c = bigger;
	}
	i = converted_slot(c, id);
	c->n += !c->slots[i].id;
	c->slots[i].id = id;
	c->slots[i].type = type;
}

static const struct type *convert(struct btf_file *f, uint32_t id, int depth)
{
	const struct btf_type *r;
	const struct type *t;

	if (f->base && id < f->raw->first)
		f = f->base;
	r = raw_type(f->raw, id);
	if (!r || depth > TYPE_DEPTH)
		return type_void(f->types);
	t = converted_get(&f->converted, id);
	if (t)
		return t == &being_converted ? type_void(f->types) : t;
	converted_put(&f->converted, id, &being_converted);
	t = convert_record(f, r, id, depth + 1);
	converted_put(&f->converted, id, t);
	return t;
}

/* What is asked of a file */

const struct type *btf_file_type(struct btf_file *f, uint32_t id)
{
	return convert(f, id, 0);
}

/* Which enumerator of record id has that name; -1. */
static int enumerator_of(const struct btf_file *f, uint32_t id, const char *name)
{
	const struct btf_type *r = raw_own(f->raw, id);

	for (uint32_t i = 0; i < raw_vlen(r); i++) {
		const char *has = enumerator_name(f, r, i);

		if (*has == *name && !strcmp(has, name))
			return i;
	}
	return -1;
}

/* The record that has it, the first of the file's; 0. */
static uint32_t enumerator_find(struct btf_file *f, const char *name)
{
	struct raw_span span = span_of(f->raw, ENUMS);
	struct index *x = &f->index[INDEX_CONSTS];
	uint32_t at = name_hash(name);
	const uint32_t *slot;
	int probes = 0;

	if (!x->slots && x->searches++ < ENUMERATORS_BEFORE_INDEX) {
		for (uint32_t id = span.first; id < span.end; id++)
			if (is_of(raw_own(f->raw, id), ENUMS) && enumerator_of(f, id, name) >= 0)
				return id;
		return 0;
	}
	x = index_get(f, INDEX_CONSTS);
	while ((slot = index_next(x, &at, &probes))) {
		const struct btf_type *r = raw_own(f->raw, *slot);

		if (!strcmp(enumerator_name(f, r, x->parts[slot - x->slots]), name))
			return *slot;
	}
	return 0;
}

bool btf_file_enumerator(struct btf_file *f, const char *name, int64_t *value,
			 const struct type **type)
{
	uint32_t id = enumerator_find(f, name);

	if (!id)
		return false;
	*value = enumerator_value(raw_own(f->raw, id), enumerator_of(f, id, name));
	if (type)
		*type = convert(f, id, 0);
	return true;
}

/* As convert_func() counts them: without the "..." at the end. */
static const char *const *func_names(struct btf_file *f, const struct btf_type *r,
				     const struct type *func)
{
	struct arena *a = f->types->arena;
	const char **names = arena_alloc(a, (func->nparams + 1) * sizeof(*names));

	for (int i = 0; i < func->nparams; i++)
		names[i] = arena_strdup(a, raw_str(f->raw, btf_params(r)[i].name_off));
	return names;
}

bool btf_file_func(struct btf_file *f, uint32_t id, struct kernel_func *out)
{
	const struct btf_type *proto, *r = id ? raw_type(f->raw, id) : NULL;

	if (!r || raw_kind(r) != BTF_KIND_FUNC)
		return false;
	proto = raw_type(f->raw, r->type);
	if (!proto || raw_kind(proto) != BTF_KIND_FUNC_PROTO)
		return false;
	out->id = id;
	out->name = raw_str(f->raw, r->name_off);
	out->type = convert(f, r->type, 0);
	if (out->type->kind != T_FUNC)
		return false;
	out->names = func_names(f, proto, out->type);
	return true;
}

const struct type *btf_file_tracepoint(struct btf_file *f, uint32_t id)
{
	static const uint32_t chain[] = {BTF_KIND_TYPEDEF, BTF_KIND_PTR};
	const struct btf_type *r = raw_type(f->raw, id);

	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		if (!r || raw_kind(r) != chain[i])
			return NULL;
		r = raw_type(f->raw, r->type);
	}
	if (!r || raw_kind(r) != BTF_KIND_FUNC_PROTO || !raw_vlen(r))
		return NULL;
	return convert_func(f, r, 1, 0);
}
