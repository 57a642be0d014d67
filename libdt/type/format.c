/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoint format files. A field's line gives its type as text together with size and sign:
 *
 *	field:__data_loc char[] filename;	offset:8;	size:4;	signed:0;
 *
 * So the kernel's types are not read for it: an integer type with an unknown name becomes a typedef
 * of that name for an integer of that size, and a struct is declared and completed on demand.
 */
#include "libdt/type/types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The enumerators are the kernel's, the size is the field's (one byte, for some). */
static void fill_enum(struct types *types, struct type *t)
{
	const struct type *found = type_find(types, NULL, type_tag_key(types, T_ENUM, t->name));

	if (!found)
		return;
	found = type_complete(types, found);
	t->enums = found->enums;
	t->nenums = found->nenums;
}

static const struct type *format_enum(struct types *t, const struct type_reader *r,
				      const char *name)
{
	struct type *e;
	void **slot;

	t->key.len = 0;
	sb_printf(&t->key, "enum %s:%u:%d", name, r->size, r->is_signed);
	slot = hash_ref(&types_scope(t)->fwds, t->key.s, t->key.len);
	if (*slot)
		return *slot;
	*slot = e = type_alloc(t, T_ENUM, name);
	e->size = r->size ? r->size : 4;
	e->flags = TF_INCOMPLETE | (r->is_signed ? TF_SIGNED : 0);
	e->fill = fill_enum;
	return e;
}

static bool is_int_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static const struct type *int_of_size(struct types *t, uint32_t size, bool is_signed)
{
	if (is_int_size(size))
		return size == 1 && !is_signed ? types_named(t, "uint8_t")
					       : type_int(t, size, is_signed);
	return type_array(t, types_named(t, "uint8_t"), size);
}

/* r->size is 0 for what a pointer points to. */
static const struct type *lookup(struct types *t, const struct type_reader *r, enum type_kind kind,
				 const char *name)
{
	const struct type *known = types_named(t, type_tag_key(t, kind, name));

	if (known)
		return known;
	if (kind == T_STRUCT || kind == T_UNION)
		return type_fwd(t, kind, NULL, name);
	if (kind == T_ENUM)
		return format_enum(t, r, name);
	if (!r->size)
		return type_fwd(t, T_TYPEDEF, NULL, name);
	return type_typedef(t, name, int_of_size(t, r->size, r->is_signed));
}

/* One "field:" line in parts. The type's text is the line's up to the name, then any dimension. */
struct line {
	char *type, *name;
	uint64_t dims; /* what is in brackets, when it is a number */
	bool has_dims; /* "comm[16]" or "char[]" */
	uint32_t off, size;
	bool is_signed;
	unsigned flags;
};

static bool number_after(const char *text, const char *key, uint32_t *value)
{
	const char *p = strstr(text, key);
	char *end;
	unsigned long n;

	if (!p)
		return false;
	p += strlen(key);
	n = strtoul(p, &end, 10);
	if (end == p || n > UINT32_MAX)
		return false;
	*value = n;
	return true;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes the brackets out of the text; what they hold may be an expression of the kernel's source.
 */
static bool take_dims(struct line *l)
{
	char *open = strchr(l->type, '['), *end;

	while (open) {
		char *close = strchr(open, ']');
		uint64_t n;

		if (!close)
			return false;
		n = strtoull(open + 1, &end, 0);
		if (end != close)
			n = 0;
		l->dims = l->has_dims ? 0 : n; /* more than one: by the size */
		l->has_dims = true;
		memmove(open, close + 1, strlen(close + 1) + 1);
		open = strchr(open, '[');
	}
	return true;
}

/* "void (*fn)(void *)": a pointer, whatever to. */
static bool take_function(struct types *t, struct line *l)
{
	char *paren = strchr(l->type, '('), *end;

	paren += 1 + strspn(paren + 1, " *");
	for (end = paren; is_name_char(*end); end++)
		;
	if (end == paren)
		return false;
	l->name = arena_strndup(t->arena, paren, end - paren);
	l->type = arena_strdup(t->arena, "void *");
	return true;
}

static bool take_name(struct types *t, struct line *l)
{
	char *end = l->type + strlen(l->type), *start;

	while (end > l->type && isspace((unsigned char)end[-1]))
		end--;
	for (start = end; start > l->type && is_name_char(start[-1]); start--)
		;
	if (start == end || start == l->type)
		return false;
	l->name = arena_strndup(t->arena, start, end - start);
	*start = '\0';
	return true;
}

static void take_location(struct line *l)
{
	static const struct {
		const char *word;
		unsigned flag;
	} words[] = {{"__data_loc ", FIELD_DATA_LOC}, {"__rel_loc ", FIELD_REL_LOC}};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strncmp(l->type, words[i].word, strlen(words[i].word)))
			continue;
		l->flags |= words[i].flag;
		l->type += strlen(words[i].word);
	}
}

static bool split_line(struct types *t, const char *text, struct line *l)
{
	const char *end = strchr(text, ';');
	uint32_t is_signed = 0;

	if (!end || !number_after(end, "offset:", &l->off) || !number_after(end, "size:", &l->size))
		return false;
	number_after(end, "signed:", &is_signed);
	l->is_signed = is_signed != 0;
	l->type = arena_strndup(t->arena, text, end - text);
	take_location(l);
	if (strchr(l->type, '('))
		return take_function(t, l);
	return take_dims(l) && take_name(t, l);
}

/* The number of elements comes from the field's size: the text may say it in the kernel's macros.
 */
static const struct type *array_field(struct types *t, const struct line *l)
{
	struct type_reader r = {.lookup = lookup, .is_signed = l->is_signed};
	bool dynamic = l->flags & (FIELD_DATA_LOC | FIELD_REL_LOC);
	const struct type *of;
	uint64_t size;

	if (!dynamic && l->dims && l->size % l->dims == 0)
		r.size = l->size / l->dims;
	if (!is_int_size(r.size))
		r.size = 1;
	of = type_from_text(t, &r, l->type);
	if (!of)
		of = types_named(t, "uint8_t");
	if (dynamic)
		return type_base(of)->flags & TF_CHAR && type_is_charptr(type_ptr(t, of))
			   ? type_string(t)
			   : type_array(t, of, 0);
	size = of->size;
	if (size && l->size % size == 0)
		return type_array(t, of, l->size / size);
	return type_array(t, of, l->dims);
}

static const struct type *field_type(struct types *t, const struct line *l)
{
	struct type_reader r = {.lookup = lookup, .size = l->size, .is_signed = l->is_signed};
	const struct type *type, *base;

	if (l->has_dims || (l->flags & (FIELD_DATA_LOC | FIELD_REL_LOC)))
		return array_field(t, l);
	if (strchr(l->type, '*'))
		r.size = 0;
	type = type_from_text(t, &r, l->type);
	if (!type)
		return int_of_size(t, l->size, l->is_signed);
	base = type_base(type);
	/* A narrow copy of a wide type; a wide copy of a narrow one has its value in the low bytes.
	 */
	if ((base->kind == T_INT || base->kind == T_ENUM) && base->size > l->size && l->size)
		return int_of_size(t, l->size, l->is_signed);
	return base->kind == T_VOID ? int_of_size(t, l->size, l->is_signed) : type;
}

struct format *format_parse(struct types *t, const char *text)
{
	struct format *f = arena_alloc(t->arena, sizeof(*f));
	VEC(struct field) fields = {0};
	const char *p;

	if (!number_after(text, "\nID:", &f->id))
		return NULL;
	for (p = text; (p = strstr(p, "\tfield:"));) {
		size_t len = strcspn(p += strlen("\tfield:"), "\n");
		char *copy = arena_strndup(t->arena, p, len);
		struct line l = {0};

		if (!split_line(t, copy, &l)) {
			vec_free(&fields);
			return NULL;
		}
		if (strncmp(l.name, "common_", 7))
			vec_push(&fields, ((struct field){.name = l.name,
							  .type = field_type(t, &l),
							  .off = l.off,
							  .size = l.size,
							  .flags = l.flags}));
	}
	f->nfields = fields.n;
	if (fields.n) {
		size_t bytes = fields.n * sizeof(fields.v[0]);

		f->fields = memcpy(arena_alloc(t->arena, bytes), fields.v, bytes);
	}
	vec_free(&fields);
	return f;
}
