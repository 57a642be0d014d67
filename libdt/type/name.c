/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types by name: the built-in ones, the words of C, and where a name is looked for. */
#include "libdt/type/types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Built-in typedefs; of names one above it or a type of C. */
static const struct {
	const char *name, *of;
} typedefs[] = {
    {"int8_t", "signed char"},
    {"int16_t", "short"},
    {"int32_t", "int"},
    {"uint8_t", "unsigned char"},
    {"uint16_t", "unsigned short"},
    {"uint32_t", "unsigned int"},
    {"__int128_t", "__int128"},
    {"__uint128_t", "unsigned __int128"},
    /* int64_t and uint64_t depend on the data model */
    {"intptr_t", "long"},
    {"uintptr_t", "unsigned long"},
    {"size_t", "unsigned long"},
    {"ssize_t", "long"},
    {"ptrdiff_t", "long"},
    {"bool", "_Bool"},

    {"pid_t", "int"},
    {"id_t", "int"},
    {"uid_t", "unsigned int"},
    {"gid_t", "unsigned int"},
    {"uchar_t", "unsigned char"},
    {"ushort_t", "unsigned short"},
    {"uint_t", "unsigned int"},
    {"uint", "unsigned int"},
    {"ulong", "unsigned long"},
    {"ushort", "unsigned short"},
    {"u_char", "unsigned char"},
    {"u_short", "unsigned short"},
    {"u_int", "unsigned int"},
    {"u_long", "unsigned long"},
    {"ulong_t", "unsigned long"},
    {"longlong_t", "long long"},
    {"u_longlong_t", "unsigned long long"},
    {"offset_t", "long long"},
    {"processorid_t", "int"},
    {"psetid_t", "int"},
    {"chipid_t", "int"},
    {"lgrp_id_t", "int"},
    {"zoneid_t", "int"},
    {"projid_t", "int"},
    {"taskid_t", "int"},
    {"poolid_t", "int"},
    {"hrtime_t", "int64_t"},
    {"time_t", "long"},
    {"clock_t", "long"},
    {"caddr_t", "char *"},
    {"dev_t", "unsigned int"},
    {"ino_t", "unsigned long"},
    {"mode_t", "unsigned int"},
    {"umode_t", "unsigned short"},
    {"off_t", "long"},
    {"loff_t", "long long"},
    {"ipaddr_t", "uint32_t"},
    {"sa_family_t", "unsigned short"},
    {"in_port_t", "uint16_t"},

    /* the kernel's, so that naming them does not open its types */
    {"__s8", "signed char"},
    {"__u8", "unsigned char"},
    {"__s16", "short"},
    {"__u16", "unsigned short"},
    {"__s32", "int"},
    {"__u32", "unsigned int"},
    {"__s64", "long long"},
    {"__u64", "unsigned long long"},
    {"s8", "__s8"},
    {"u8", "__u8"},
    {"s16", "__s16"},
    {"u16", "__u16"},
    {"s32", "__s32"},
    {"u32", "__u32"},
    {"s64", "__s64"},
    {"u64", "__u64"},
};

enum { RANK_CHAR, RANK_SHORT, RANK_INT, RANK_LONG, RANK_LLONG };

static const struct type *c_int(struct types *t, int rank, bool is_signed)
{
	static const char *const names[][2] = {{"unsigned char", "char"},
					       {"unsigned short", "short"},
					       {"unsigned int", "int"},
					       {"unsigned long", "long"},
					       {"unsigned long long", "long long"}};
	static const int sizes[] = {1, 2, 4, 8, 8};
	int size = rank == RANK_LONG && t->ilp32 ? 4 : sizes[rank];

	return type_intern_int(t, names[rank][is_signed], size,
			       (is_signed ? TF_SIGNED : 0) | (rank == RANK_CHAR ? TF_CHAR : 0));
}

const struct type *type_int(struct types *t, int bytes, bool is_signed)
{
	switch (bytes) {
	case 1:
		return c_int(t, RANK_CHAR, is_signed);
	case 2:
		return c_int(t, RANK_SHORT, is_signed);
	case 4:
		return c_int(t, RANK_INT, is_signed);
	default:
		return c_int(t, t->ilp32 ? RANK_LLONG : RANK_LONG, is_signed);
	}
}

bool type_word(struct type_words *w, const char *s, size_t len)
{
	const struct {
		const char *name;
		bool *flag;
	} words[] = {
	    {"signed", &w->has_signed},	  {"unsigned", &w->has_unsigned}, {"short", &w->has_short},
	    {"int", &w->has_int},	  {"char", &w->has_char},	  {"_Bool", &w->has_bool},
	    {"float", &w->has_float},	  {"double", &w->has_double},	  {"void", &w->has_void},
	    {"__int128", &w->has_int128},
	};

	if (len == 4 && !memcmp(s, "long", 4)) {
		w->longs++;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].name) == len && !memcmp(s, words[i].name, len)) {
			*words[i].flag = true;
			return true;
		}
	}
	return false;
}

const struct type *type_by_words(struct types *t, const struct type_words *w)
{
	bool is_signed = !w->has_unsigned;

	if (w->has_void)
		return type_void(t);
	if (w->has_bool)
		return type_intern_int(t, "_Bool", 1, TF_BOOL);
	if (w->has_float)
		return type_intern_float(t, "float", 4);
	if (w->has_double && w->longs)
		return type_intern_float(t, "long double", t->ilp32 ? 12 : 16);
	if (w->has_double)
		return type_intern_float(t, "double", 8);
	if (w->has_char && w->has_signed)
		return type_intern_int(t, "signed char", 1, TF_SIGNED | TF_CHAR);
	if (w->has_char)
		return c_int(t, RANK_CHAR, is_signed);
	if (w->has_int128)
		return type_intern_int(t, is_signed ? "__int128" : "unsigned __int128", 16,
				       is_signed ? TF_SIGNED : 0);
	if (w->has_short)
		return c_int(t, RANK_SHORT, is_signed);
	if (w->longs)
		return c_int(t, w->longs > 1 ? RANK_LLONG : RANK_LONG, is_signed);
	return c_int(t, RANK_INT, is_signed);
}

const char *type_tag_key(struct types *t, enum type_kind kind, const char *name)
{
	t->tag.len = 0;
	sb_puts(&t->tag, kind == T_STRUCT  ? "struct "
			 : kind == T_UNION ? "union "
			 : kind == T_ENUM  ? "enum "
					   : "");
	sb_puts(&t->tag, name);
	return t->tag.s;
}

/* A text being read word by word. */
struct words {
	const char *p, *word;
	size_t len;
};

static bool next_word(struct words *w)
{
	while (isspace((unsigned char)*w->p))
		w->p++;
	w->word = w->p;
	while (isalnum((unsigned char)*w->p) || *w->p == '_')
		w->p++;
	w->len = w->p - w->word;
	return w->len > 0;
}

static bool word_is(const struct words *w, const char *s)
{
	return strlen(s) == w->len && !memcmp(w->word, s, w->len);
}

/* const, volatile, restrict and the kernel's address spaces, which are gathered in flags. */
static bool attribute_word(const struct words *w, unsigned *flags)
{
	static const char *const ignored[] = {"restrict", "__restrict", "__percpu",    "__rcu",
					      "__seg_gs", "__seg_fs",	"__iomem",     "__force",
					      "__kernel", "__bitwise",	"__rcu_percpu"};

	if (word_is(w, "const")) {
		*flags |= TF_CONST;
		return true;
	}
	if (word_is(w, "volatile")) {
		*flags |= TF_VOLATILE;
		return true;
	}
	if (word_is(w, "__user") || word_is(w, "userland")) {
		*flags |= TF_USERLAND;
		return true;
	}
	if (*w->word != 'r' && *w->word != '_') /* most words of types */
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		if (word_is(w, ignored[i]))
			return true;
	return false;
}

static enum type_kind tag_word(const struct words *w)
{
	return word_is(w, "struct")  ? T_STRUCT
	       : word_is(w, "union") ? T_UNION
	       : word_is(w, "enum")  ? T_ENUM
				     : T_TYPEDEF;
}

/* The type that the words at the start of a text name; flags get the attributes. */
static const struct type *read_words(struct types *t, const struct type_reader *r, struct words *w,
				     unsigned *flags)
{
	enum type_kind kind = T_TYPEDEF;
	struct type_words c = {0};
	bool any = false;
	char *name = NULL;
	const struct type *type;

	while (next_word(w)) {
		if (attribute_word(w, flags))
			continue;
		if (!name && !any && kind == T_TYPEDEF && tag_word(w) != T_TYPEDEF) {
			kind = tag_word(w);
		} else if (!name && kind == T_TYPEDEF && type_word(&c, w->word, w->len)) {
			any = true;
		} else if (!name && !any) {
			name = xmalloc(w->len + 1);
			memcpy(name, w->word, w->len);
			name[w->len] = '\0';
		} else {
			free(name);
			return NULL;
		}
	}
	type = name ? r->lookup(t, r, kind, name) : any ? type_by_words(t, &c) : NULL;
	free(name);
	return type;
}

/* "[4][2]": the dimension read last is the innermost. */
static const struct type *read_dims(struct types *t, const struct type *type, struct words *w)
{
	uint64_t dims[8];
	int n = 0;

	while (*w->p == '[') {
		char *end = (char *)w->p + 1;

		if (n == (int)ARRAY_SIZE(dims))
			return NULL;
		dims[n++] = *end == ']' ? 0 : strtoull(end, &end, 0);
		if (*end != ']')
			return NULL;
		w->p = end + 1;
		while (isspace((unsigned char)*w->p))
			w->p++;
	}
	while (n--)
		type = type_array(t, type, dims[n]);
	return type;
}

const struct type *type_from_text(struct types *t, const struct type_reader *r, const char *text)
{
	struct words w = {.p = text};
	unsigned flags = 0;
	const struct type *type = read_words(t, r, &w, &flags);
	int stars = 0;

	if (!type)
		return NULL;
	type = type_qualified(t, type, flags);
	for (; *w.p == '*'; stars++) {
		bool user = flags & TF_USERLAND;

		w.p++;
		type = type_ptr(t, type);
		if (user && !stars)
			type = type_userland(t, type);
		for (flags = 0; next_word(&w);)
			if (!attribute_word(&w, &flags))
				return NULL;
		type = type_qualified(t, type, flags);
		if (stars > TYPE_DEPTH)
			return NULL;
	}
	type = read_dims(t, type, &w);
	return *w.p ? NULL : type;
}

/* Its kernel type when there is one, so that both are the same. */
static const struct type *in6_addr(struct types *t)
{
	static const char *const names[] = {"u6_addr8", "u6_addr16", "u6_addr32"};
	static const char *const elems[] = {"__u8", "__u16", "__u32"};
	const struct type *kernel = type_find(t, NULL, "struct in6_addr");
	struct type *in6, *u;
	struct member *m;

	if (kernel && kernel->kind == T_STRUCT)
		return type_typedef(t, "in6_addr_t", kernel);
	u = type_alloc(t, T_UNION, NULL);
	m = arena_alloc(t->arena, 3 * sizeof(*m));
	for (int i = 0; i < 3; i++)
		m[i] = (struct member){.name = names[i],
				       .type = type_array(t, types_named(t, elems[i]), 16 >> i)};
	u->members = m;
	u->nmembers = 3;
	in6 = type_alloc(t, T_STRUCT, "in6_addr");
	in6->members = m = arena_alloc(t->arena, sizeof(*m));
	m->name = "in6_u";
	m->type = u;
	in6->nmembers = 1;
	u->size = in6->size = 16;
	hash_puts(&t->library.names, "struct in6_addr", in6);
	return type_typedef(t, "in6_addr_t", in6);
}

struct type_scope *types_scope(struct types *t)
{
	return t->in_library ? &t->library : &t->script;
}

const struct type *types_named(struct types *t, const char *key)
{
	const struct type *type = t->in_library ? NULL : hash_gets(&t->script.names, key);

	return type ? type : hash_gets(&t->library.names, key);
}

bool types_enter(struct types *t, bool library)
{
	bool was = t->in_library;

	t->in_library = library;
	return was;
}

bool types_in_library(const struct types *t)
{
	return t->in_library;
}

void types_set_library(struct types *t, bool (*declare)(void *arg, const char *name), void *arg)
{
	t->declare = declare;
	t->declare_arg = arg;
}

bool type_from_library(struct types *t, const char *key)
{
	const char *name;

	if (!t->declare)
		return false;
	name = arena_strdup(t->arena, key); /* which is overwritten by the next */
	return t->declare(t->declare_arg, name) && types_named(t, name);
}

/* D's own first, then the library's, then the kernel's. */
static const struct type *lookup(struct types *t, const struct type_reader *r, enum type_kind kind,
				 const char *name)
{
	const struct type *type;

	if (!r->module || !strcmp(r->module, "D")) {
		type = types_named(t, type_tag_key(t, kind, name));
		if (type && !(type->kind == T_FWD && !type->ref && !r->module))
			return type;
		if (kind == T_TYPEDEF && !strcmp(name, "in6_addr_t")) {
			type = in6_addr(t);
			hash_puts(&t->library.names, name, (void *)type);
			return type;
		}
		if (r->module)
			return NULL;
		if (type_from_library(t, type_tag_key(t, kind, name)))
			return types_named(t, type_tag_key(t, kind, name));
	}
	return kernel_find(t, r->module, kind, name);
}

const struct type *type_find(struct types *t, const char *module, const char *name)
{
	struct type_reader r = {.lookup = lookup, .module = module};

	if (!module) { /* the common case, at once */
		const struct type *type = types_named(t, name);

		if (type && type->kind != T_FWD)
			return type;
	}
	return type_from_text(t, &r, name);
}

static bool is_scoped_name(struct types *t, const char *name, const char *tick)
{
	char *module = xmalloc(tick - name + 1);
	bool found;

	memcpy(module, name, tick - name);
	module[tick - name] = '\0';
	found = strcmp(module, "D") ? kernel_find(t, *module ? module : NULL, T_TYPEDEF, tick + 1)
				    : types_named(t, tick + 1);
	free(module);
	return found;
}

bool type_is_name(struct types *t, const char *name)
{
	const char *tick = strrchr(name, '`');
	size_t len = strlen(name);

	if (tick)
		return is_scoped_name(t, name, tick);
	if (types_named(t, name) || !strcmp(name, "in6_addr_t"))
		return true;
	if (type_from_library(t, name))
		return true;
	if (len < 3 || strcmp(name + len - 2, "_t"))
		return false; /* the kernel has types called "code", "config" and "Node" */
	return kernel_find(t, NULL, T_TYPEDEF, name) != NULL;
}

static const struct type_const *named_const(const struct types *t, const char *name)
{
	const struct type_const *c = t->in_library ? NULL : hash_gets(&t->script.consts, name);

	return c ? c : hash_gets(&t->library.consts, name);
}

bool type_declared_enumerator(struct types *t, const char *name, int64_t *value)
{
	const struct type_const *c = named_const(t, name);

	if (c)
		*value = c->value;
	return c;
}

bool type_enumerator(struct types *t, const char *module, const char *name, int64_t *value,
		     const struct type **type)
{
	const struct type_const *c = NULL;

	if (!module || !strcmp(module, "D"))
		c = named_const(t, name);
	if (!c)
		return kernel_enumerator(t, module, name, value, type);
	*value = c->value;
	if (type)
		*type = c->type;
	return true;
}

static void builtin_boolean(struct types *t)
{
	static const struct enumerator values[] = {{"B_FALSE", 0}, {"B_TRUE", 1}};
	struct type *e = type_alloc(t, T_ENUM, "boolean");

	e->size = 4;
	e->enums = values;
	e->nenums = 2;
	hash_puts(&t->library.names, "boolean_t", (void *)type_typedef(t, "boolean_t", e));
	for (int i = 0; i < 2; i++) {
		struct type_const *c = arena_alloc(t->arena, sizeof(*c));

		c->type = e;
		c->value = values[i].value;
		hash_puts(&t->library.consts, values[i].name, c);
	}
}

static void builtin_typedef(struct types *t, const char *name, const struct type *of)
{
	hash_puts(&t->library.names, name, (void *)type_typedef(t, name, of));
}

void types_builtin(struct types *t)
{
	static const char *const words[] = {
	    "char",	 "signed char",	       "unsigned char", "short", "unsigned short",
	    "int",	 "unsigned int",       "unsigned",	"long",	 "unsigned long",
	    "long long", "unsigned long long", "signed",	"_Bool", "float",
	    "double",	 "long double",	       "void"};
	static const struct {
		enum type_kind kind;
		const char *name;
		int size;
	} special[] = {{T_VOID, "void", 0},	   {T_STRING, "string", 0},
		       {T_DYN, "<DYN>", 0},	   {T_STACK, "stack", 0},
		       {T_SYMADDR, "_symaddr", 8}, {T_USYMADDR, "_usymaddr", 16},
		       {T_AGG, "aggregation", 0}};
	struct type_reader r = {.lookup = lookup, .module = "D"};

	for (size_t i = 0; i < ARRAY_SIZE(special); i++) {
		struct type *s = type_alloc(t, special[i].kind, special[i].name);

		s->size = special[i].size;
		t->special[special[i].kind] = s;
	}
	hash_puts(&t->library.names, "string", (void *)t->special[T_STRING]);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		hash_puts(&t->library.names, words[i], (void *)type_from_text(t, &r, words[i]));
	builtin_typedef(t, "int64_t", type_int(t, 8, true));
	builtin_typedef(t, "uint64_t", type_int(t, 8, false));
	for (size_t i = 0; i < ARRAY_SIZE(typedefs); i++)
		builtin_typedef(t, typedefs[i].name, type_from_text(t, &r, typedefs[i].of));
	builtin_boolean(t);
}
