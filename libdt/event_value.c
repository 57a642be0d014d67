/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded values as the API has them (struct dt_value), by their types. write_value.c does the
 * same for JSON and XML. */
#include "libdt/event.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/consumer/print_value.h"
#include "libdt/session.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"

#define DEPTH_MAX 32

/* What a value is made with. */
struct maker {
	struct dt *dt;
	struct arena *arena;
	struct fmt_ctx ctx;
};

static struct dt_value *make(struct maker *m, const struct value *v, const char *name, int depth);

static uint64_t word(const struct value *v, uint32_t i)
{
	uint64_t n = 0;

	if ((i + 1) * sizeof(n) <= v->size)
		memcpy(&n, (const char *)v->data + i * sizeof(n), sizeof(n));
	return n;
}

static const char *copy(struct maker *m, const char *s)
{
	return s ? arena_strdup(m->arena, s) : NULL;
}

/* Types are interned, and each has its name once. */
static const char *type_of(struct maker *m, const struct type *type)
{
	void **name = hash_ref(&m->dt->type_names, &type, sizeof(type));

	if (!*name)
		*name = (void *)type_text(m->dt->types, type);
	return *name;
}

static const char *take(struct maker *m, struct strbuf *sb)
{
	const char *text = arena_strdup(m->arena, sb_str(sb));

	sb_free(sb);
	return text;
}

/* Frames ------------------------------------------------------------------ */

static struct dt_frame *kernel_frame(struct maker *m, uint64_t addr)
{
	struct dt_frame *f = arena_alloc(m->arena, sizeof(*f));
	const char *mod = NULL, *name = NULL;

	f->size = sizeof(*f);
	f->address = addr;
	if (!syms_find(m->ctx.syms, addr, &mod, &name, &f->offset))
		return f;
	f->object = copy(m, mod);
	f->symbol = copy(m, name);
	return f;
}

/* place: what the line of the source is looked up by; 0: it is not. */
static struct dt_frame *user_frame(struct maker *m, int pid, uint64_t addr, uint64_t place)
{
	struct dt_frame *f = arena_alloc(m->arena, sizeof(*f));
	const char *mod = NULL, *name = NULL, *file;

	f->size = sizeof(*f);
	f->address = addr;
	if (usyms_find(m->ctx.usyms, pid, addr, &mod, &name, &f->offset)) {
		f->object = copy(m, mod);
		f->symbol = copy(m, name);
	}
	if (place && usyms_line(m->ctx.usyms, pid, place, &file, &f->line))
		f->file = copy(m, file);
	return f;
}

static bool is_user(const struct value *v)
{
	return type_base(v->type)->flags & TF_USERLAND;
}

static void put_stack(struct maker *m, struct dt_value *to, const struct value *v)
{
	const struct dt_frame **frames;
	struct strbuf all = {0};

	to->kind = DT_KIND_STACK;
	to->nframes = value_frames(v);
	to->pid = is_user(v) ? (int)word(v, 0) : 0;
	frames = arena_alloc(m->arena, to->nframes * sizeof(*frames));
	to->frames = frames;
	for (int i = 0; i < to->nframes; i++) {
		struct strbuf name = {0};
		struct dt_frame *f =
		    is_user(v) ? user_frame(m, to->pid, word(v, i + 1), value_frame_place(v, i))
			       : kernel_frame(m, word(v, i));

		value_frame_name(&m->ctx, v, i, &name);
		f->text = take(m, &name);
		frames[i] = f;
		sb_printf(&all, "%s%s", i ? "\n" : "", f->text);
	}
	to->text = take(m, &all);
}

static void put_symbol(struct maker *m, struct dt_value *to, const struct value *v)
{
	const struct dt_frame **frames = arena_alloc(m->arena, sizeof(*frames));
	const struct type *t = type_base(v->type);
	struct dt_frame *f;

	to->kind = DT_KIND_SYMBOL;
	if (t->kind == T_USYMADDR) {
		to->pid = (int)word(v, 0);
		f = user_frame(m, to->pid, word(v, 1), t->nelem == USYM_NAME ? word(v, 1) : 0);
	} else {
		f = kernel_frame(m, word(v, 0));
	}
	f->text = to->text;
	to->num = (int64_t)f->address;
	frames[0] = f;
	to->frames = frames;
	to->nframes = 1;
}

/* Parts ------------------------------------------------------------------- */

struct parts {
	VEC(const struct dt_value *) v;
};

static void add_members(struct maker *m, struct parts *to, const struct value *v, int depth)
{
	const struct type *t = type_complete(m->dt->types, v->type);

	for (int i = 0; i < t->nmembers; i++) {
		const struct member *member = &t->members[i];
		struct value part;
		int64_t bits = 0;

		if (!value_member(&m->ctx, v, member, &part, &bits))
			break;
		if (member->name && *member->name)
			vec_push(&to->v, make(m, &part, member->name, depth + 1));
		/* its members are the outer one's */
		else if (type_is_sou(member->type) && depth < DEPTH_MAX)
			add_members(m, to, &part, depth + 1);
	}
}

static void add_elements(struct maker *m, struct parts *to, const struct value *v, int depth)
{
	uint64_t n = type_base(v->type)->nelem;
	struct value part;

	for (uint64_t i = 0; i < n && value_element(m->dt->types, v, i, &part); i++)
		vec_push(&to->v, make(m, &part, NULL, depth + 1));
}

static void put_parts(struct maker *m, struct dt_value *to, const struct value *v, int depth)
{
	bool array = type_base(v->type)->kind == T_ARRAY;
	const struct dt_value **parts;
	struct parts found = {0};

	to->kind = array ? DT_KIND_ARRAY : DT_KIND_STRUCT;
	to->text = "";
	if (depth > DEPTH_MAX)
		return;
	(array ? add_elements : add_members)(m, &found, v, depth);
	parts = arena_alloc(m->arena, found.v.n * sizeof(*parts));
	if (found.v.n)
		memcpy(parts, found.v.v, found.v.n * sizeof(*parts));
	to->parts = parts;
	to->nparts = found.v.n;
	vec_free(&found.v);
}

/* Values ------------------------------------------------------------------ */

static void put_string(struct maker *m, struct dt_value *to, const char *s, size_t len)
{
	to->kind = DT_KIND_STRING;
	to->data = arena_strndup(m->arena, s, len);
	to->length = len;
}

static void put_bytes(struct maker *m, struct dt_value *to, const struct value *v)
{
	to->kind = DT_KIND_BYTES;
	to->data = memcpy(arena_alloc(m->arena, v->size), v->data, v->size);
	to->length = v->size;
}

static void put_cgroup(struct maker *m, struct dt_value *to, const struct value *v)
{
	to->num = (int64_t)word(v, 0);
	put_string(m, to, to->text, strlen(to->text));
}

static void put_number(struct maker *m, struct dt_value *to, const struct value *v)
{
	const struct type *t = type_base(v->type);
	const char *word_of = t->kind == T_ENUM ? value_enumerator(v) : NULL;

	to->kind = t->kind == T_PTR ? DT_KIND_POINTER : DT_KIND_INT;
	to->is_signed = type_is_signed(v->type);
	to->bytes = v->size;
	to->num = value_int(v);
	if (word_of)
		to->text = word_of;
	else if (to->kind == DT_KIND_POINTER)
		to->text = arena_printf(m->arena, "0x%llx", (unsigned long long)to->num);
}

static void put_array(struct maker *m, struct dt_value *to, const struct value *v, int depth)
{
	const struct type *of = type_base(type_base(v->type)->ref);

	if (value_is_text(v))
		put_string(m, to, v->data, value_strlen(v));
	else if (of->kind == T_INT && of->size == 1)
		put_bytes(m, to, v);
	else
		put_parts(m, to, v, depth);
}

static void put_by_type(struct maker *m, struct dt_value *to, const struct value *v, int depth)
{
	const struct type *t = type_base(v->type);

	switch (t->kind) {
	case T_INT:
	case T_ENUM:
	case T_PTR:
		if (v->size <= sizeof(to->num))
			put_number(m, to, v);
		else if (type_is_charptr(t))
			put_string(m, to, v->data, value_strlen(v));
		else
			put_bytes(m, to, v);
		break;
	case T_FLOAT:
		to->kind = DT_KIND_FLOAT;
		to->real = (double)value_float(v);
		to->bytes = v->size;
		break;
	case T_STRING:
		put_string(m, to, v->data, value_strlen(v));
		break;
	case T_SYMADDR:
		if (t->nelem == SYM_CGROUP || t->nelem == SYM_CONTAINER)
			put_cgroup(m, to, v);
		else
			put_symbol(m, to, v);
		break;
	case T_USYMADDR:
		put_symbol(m, to, v);
		break;
	case T_STACK:
		put_stack(m, to, v);
		break;
	case T_STRUCT:
	case T_UNION:
	case T_FWD:
		put_parts(m, to, v, depth);
		break;
	case T_ARRAY:
		put_array(m, to, v, depth);
		break;
	default:
		to->kind = DT_KIND_NONE;
	}
}

static struct dt_value *make(struct maker *m, const struct value *v, const char *name, int depth)
{
	struct dt_value *to = arena_alloc(m->arena, sizeof(*to));
	const struct type *t = type_base(v->type);
	struct strbuf text = {0};

	to->size = sizeof(*to);
	to->name = name;
	to->type = type_of(m, v->type);
	if (t->kind != T_STACK && !type_is_sou(t) && t->kind != T_FWD)
		value_word(&m->ctx, v, &text);
	to->text = take(m, &text);
	put_by_type(m, to, v, depth);
	return to;
}

struct dt_value *event_value(struct dt *dt, struct arena *a, const struct value *v,
			     const char *name)
{
	struct maker m = {dt, a, dt->consume->fmt};

	m.ctx.escape = ESCAPE_TEXT;
	m.ctx.members = 0;
	return make(&m, v, name, 0);
}

const char *event_name(struct arena *a, struct loc loc)
{
	return loc.src && loc.len ? arena_strndup(a, loc.src->text + loc.off, loc.len) : NULL;
}
