/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded values for programs to read, by their types. What a type says here holds wherever such
 * a value stands: in a record, in a key, in a member of a structure. */
#include <string.h>

#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/consumer/print_value.h"
#include "libdt/consumer/writer.h"
#include "libdt/symbols/usym.h"

#define DEPTH_MAX 32

static uint64_t word(const struct value *v, uint32_t i)
{
	uint64_t n = 0;

	if ((i + 1) * sizeof(n) <= v->size)
		memcpy(&n, (const char *)v->data + i * sizeof(n), sizeof(n));
	return n;
}

/* An address and what is known of it; left open. */
static void put_symbol(struct writer *w, const char *key, uint64_t addr, bool known,
		       const char *mod, const char *name, uint64_t off)
{
	writer_object(w, key);
	writer_hex(w, "address", addr);
	if (known && name)
		writer_string(w, "symbol", name);
	if (known) {
		writer_string(w, "module", mod);
		writer_uint(w, "offset", off);
	}
}

static void open_kernel(struct writer *w, const char *key, struct fmt_ctx *ctx, uint64_t addr)
{
	const char *mod = NULL, *name = NULL;
	uint64_t off = 0;
	bool known = syms_find(ctx->syms, addr, &mod, &name, &off);

	put_symbol(w, key, addr, known, mod, name, off);
}

static void put_kernel(struct writer *w, const char *key, struct fmt_ctx *ctx, uint64_t addr)
{
	open_kernel(w, key, ctx, addr);
	writer_end(w);
}

/* place: what the line of the source is looked up by; 0: it is not. */
static void open_user(struct writer *w, const char *key, struct fmt_ctx *ctx, int pid,
		      uint64_t addr, uint64_t place)
{
	const char *mod = NULL, *name = NULL, *file;
	uint64_t off = 0;
	bool known = usyms_find(ctx->usyms, pid, addr, &mod, &name, &off);
	int line;

	put_symbol(w, key, addr, known, mod, name, off);
	if (place && usyms_line(ctx->usyms, pid, place, &file, &line)) {
		writer_string(w, "file", file);
		writer_int(w, "line", line);
	}
}

static void put_user(struct writer *w, const char *key, struct fmt_ctx *ctx, int pid, uint64_t addr,
		     uint64_t place)
{
	open_user(w, key, ctx, pid, addr, place);
	writer_end(w);
}

static void put_function(struct writer *w, struct fmt_ctx *ctx, const struct value *v, int i)
{
	struct strbuf sb = {0};

	value_frame_function(ctx, v, i, &sb);
	writer_string(w, "function", sb_str(&sb));
	sb_free(&sb);
}

static void put_frame(struct writer *w, struct fmt_ctx *ctx, const struct value *v, int i)
{
	size_t start = w->sb.len;
	bool comma = w->comma;

	if (type_base(v->type)->flags & TF_USERLAND)
		open_user(w, NULL, ctx, word(v, 0), word(v, i + 1), value_frame_place(v, i));
	else
		open_kernel(w, NULL, ctx, word(v, i));
	if (w->form->frames)
		put_function(w, ctx, v, i);
	writer_end(w);
	writer_frame(w, start, comma);
}

static void put_stack(struct writer *w, const char *key, struct fmt_ctx *ctx, const struct value *v)
{
	int n = value_frames(v);

	if (w->form->frames) { /* a name that no member of a structure has */
		writer_object(w, key);
		key = "stack()";
	}
	writer_array(w, key);
	for (int i = 0; i < n; i++)
		put_frame(w, ctx, v, i);
	writer_end(w);
	if (w->form->frames)
		writer_end(w);
}

static void put_value(struct writer *w, const char *key, struct fmt_ctx *ctx, const struct value *v,
		      int depth);

static void put_members(struct writer *w, struct fmt_ctx *ctx, const struct value *v, int depth)
{
	const struct type *t = type_complete(ctx->types, v->type);

	for (int i = 0; i < t->nmembers; i++) {
		const struct member *m = &t->members[i];
		struct value part;
		int64_t bits = 0;

		if (!value_member(ctx, v, m, &part, &bits))
			break;
		if (m->name && *m->name)
			put_value(w, m->name, ctx, &part, depth + 1);
		/* its members are the outer one's */
		else if (type_is_sou(m->type) && depth < DEPTH_MAX)
			put_members(w, ctx, &part, depth + 1);
	}
}

static void put_elements(struct writer *w, struct fmt_ctx *ctx, const struct value *v, int depth)
{
	uint64_t n = type_base(v->type)->nelem;
	struct value part;

	for (uint64_t i = 0; i < n && value_element(ctx->types, v, i, &part); i++)
		put_value(w, NULL, ctx, &part, depth + 1);
}

static void put_int(struct writer *w, const char *key, const struct value *v)
{
	const char *name = type_base(v->type)->kind == T_ENUM ? value_enumerator(v) : NULL;
	char text[VALUE_INT128];

	if (v->size > sizeof(int64_t))
		writer_string(w, key, value_int128(v, text));
	else if (name)
		writer_string(w, key, name);
	else if (type_is_signed(v->type))
		writer_int(w, key, value_int(v));
	else
		writer_uint(w, key, value_int(v));
}

static void put_nested(struct writer *w, const char *key, struct fmt_ctx *ctx,
		       const struct value *v, int depth)
{
	bool array = type_base(v->type)->kind == T_ARRAY;

	if (depth > DEPTH_MAX) {
		writer_null(w, key);
	} else if (array && value_is_text(v)) {
		writer_text(w, key, v->data, value_strlen(v));
	} else {
		(array ? writer_array : writer_object)(w, key);
		(array ? put_elements : put_members)(w, ctx, v, depth);
		writer_end(w);
	}
}

static void put_cgroup(struct writer *w, const char *key, struct fmt_ctx *ctx,
		       const struct value *v)
{
	const char *path = cgroups_path(ctx->cgroups, word(v, 0));
	struct strbuf name = {0};

	if (path && type_base(v->type)->nelem == SYM_CONTAINER) {
		cgroup_container(path, &name);
		writer_string(w, key, sb_str(&name));
		sb_free(&name);
	} else if (path)
		writer_string(w, key, path);
	else
		writer_uint(w, key, word(v, 0));
}

static void put_value(struct writer *w, const char *key, struct fmt_ctx *ctx, const struct value *v,
		      int depth)
{
	switch (type_base(v->type)->kind) {
	case T_INT:
	case T_ENUM:
		put_int(w, key, v);
		break;
	case T_PTR:
		writer_hex(w, key, value_int(v));
		break;
	case T_FLOAT:
		writer_float(w, key, value_float(v));
		break;
	case T_STRING:
		writer_text(w, key, v->data, value_strlen(v));
		break;
	case T_SYMADDR:
		if (type_base(v->type)->nelem == SYM_CGROUP ||
		    type_base(v->type)->nelem == SYM_CONTAINER)
			put_cgroup(w, key, ctx, v);
		else
			put_kernel(w, key, ctx, word(v, 0));
		break;
	case T_USYMADDR:
		put_user(w, key, ctx, word(v, 0), word(v, 1),
			 type_base(v->type)->nelem == USYM_NAME ? word(v, 1) : 0);
		break;
	case T_STACK:
		put_stack(w, key, ctx, v);
		break;
	case T_STRUCT:
	case T_UNION:
	case T_FWD:
	case T_ARRAY:
		put_nested(w, key, ctx, v, depth);
		break;
	default:
		writer_null(w, key);
	}
}

void writer_value(struct writer *w, const char *key, struct fmt_ctx *ctx, const struct value *v)
{
	ctx->members = 0;
	put_value(w, key, ctx, v, 0);
}
