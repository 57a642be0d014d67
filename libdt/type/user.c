/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of programs and libraries: what is in the sections .BTF (gcc -gbtf, pahole -J), .ctf (gcc
 * -gctf) or else in the DWARF (gcc -g) of their files.
 * D names them as if the process were a module of the kernel, "pid123`struct foo",
 * "pid123`libfoo.so`struct foo"; types_set_programs() sets the function that finds the files and
 * their sections.
 *
 * A linker that does not know BTF concatenates the sections of the source files, so there may be
 * many; DWARF is converted on demand. Files are untrusted: what is in them is read in processes
 * without rights, and what these answer is BTF of dtrace's own form, which is checked again.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/base/clock.h"
#include "libdt/type/btf.h"
#include "libdt/type/btfcopy.h"
#include "libdt/type/convert.h"
#include "libdt/type/ctf.h"
#include "libdt/type/dwarf.h"

/* Of one file. */
struct user_types {
	/* of its types: "pid`" and its path, which no module of the kernel has */
	const char *module;
	VEC(struct btf_file *) files;
	struct udwarf *dwarf; /* NULL: it has none, or better */
	const char *error;
	bool refused; /* nothing was left in the account */
	struct type_limits limits;
};

bool type_module_is_program(const char *module)
{
	const char *p = module;

	if (!module || strncmp(p, "pid", 3))
		return false;
	p += 3 + strspn(p + 3, "0123456789");
	return !*p || *p == '`';
}

/* Opening ----------------------------------------------------------------- */

/* based: all but the first go on where the first ends. */
static void add_blobs(struct types *t, struct user_types *u, const uint8_t *data, size_t len,
		      bool based)
{
	struct btf_file *base = NULL;
	char *why = NULL;

	while (len && !u->error) {
		size_t n = raw_length(data, len);
		struct btf_raw *raw = n ? raw_memory(data, n, base ? base->raw : NULL, &why) : NULL;

		if (!raw) {
			u->error = why ? arena_strdup(t->arena, why) : "its BTF is broken";
			free(why);
			return;
		}
		vec_push(&u->files, btf_file_new(t, u->module, raw, base));
		u->files.v[u->files.n - 1]->is_user = true;
		if (based && !base)
			base = u->files.v[0];
		for (data += n, len -= n; len && !*data; data++, len--)
			; /* between two sections */
	}
}

/* Is there time left for an answer? *begun: for convert_pay(). */
static bool may_read(struct types *t, struct user_types *u, uint64_t *begun)
{
	char *why;

	*begun = clock_ns(CLOCK_MONOTONIC);
	if (convert_may(&u->limits))
		return true;
	u->refused = true;
	why = convert_too_late("", &u->limits);
	u->error = arena_strdup(t->arena, why);
	free(why);
	return false;
}

/* The unit that has it becomes one more file. False: there is none, or it is among them. */
static bool ask_dwarf(struct types *t, struct user_types *u, char what, const char *name)
{
	struct strbuf unit = {0};
	int before = u->files.n;
	uint64_t begun;

	if (!u->dwarf || u->error || !what || !may_read(t, u, &begun))
		return false;
	u->error = udwarf_ask(u->dwarf, what, name, &u->limits, &unit);
	if (unit.len)
		add_blobs(t, u, (const uint8_t *)unit.s, unit.len, false);
	sb_free(&unit);
	convert_pay(&u->limits, begun);
	return u->files.n > before;
}

/* What is in its section, .BTF or .ctf. */
static void add_section(struct types *t, struct user_types *u, struct type_sections *s)
{
	struct strbuf made = {0};
	char *why;

	s->limits = u->limits;
	why = s->btf_len ? btf_copy(s, &made) : ctf_as_btf(s, &made);
	if (why)
		u->error = arena_strdup(t->arena, why);
	else
		add_blobs(t, u, (const uint8_t *)made.s, made.len, !s->btf_len);
	free(why);
	sb_free(&made);
}

struct user_types *type_user_open(struct types *t, const char *path, const struct type_sections *s)
{
	struct user_types *u = arena_alloc(t->arena, sizeof(*u));
	struct type_sections sections = *s;
	uint64_t begun;

	u->module = arena_printf(t->arena, "pid`%s", path);
	u->limits = s->limits;
	vec_push(&t->users, u);
	if (!s->btf_len && !s->ctf_len && !s->has_dwarf) {
		u->error = "its file has no type data (compile with gcc -g, -gctf or -gbtf)";
		return u;
	}
	if (!may_read(t, u, &begun))
		return u;
	if (s->btf_len || s->ctf_len) {
		add_section(t, u, &sections);
	} else {
		u->dwarf = udwarf_start(s->dwarf, &u->limits);
		u->error = udwarf_error(u->dwarf);
	}
	convert_pay(&u->limits, begun);
	return u;
}

bool type_user_is_refused(const struct user_types *u)
{
	return u->refused;
}

const char *type_user_error(const struct user_types *u)
{
	return u->error;
}

void users_free(struct types *t)
{
	for (int i = 0; i < t->users.n; i++) {
		struct user_types *u = t->users.v[i];

		for (int j = u->files.n; j-- > 0;)
			btf_file_free(u->files.v[j]);
		udwarf_free(u->dwarf);
		vec_free(&u->files);
	}
	vec_free(&t->users);
}

void types_programs_end(struct types *t)
{
	for (int i = 0; i < t->users.n; i++)
		udwarf_end(t->users.v[i]->dwarf);
}

/* Names ------------------------------------------------------------------- */

static const struct type *find_in(struct types *t, struct user_types *u, enum type_kind kind,
				  const char *name)
{
	static const char what[] = {
	    [T_STRUCT] = 's', [T_UNION] = 'u', [T_ENUM] = 'e', [T_TYPEDEF] = 't'};
	const struct type *fwd = NULL;

	for (int i = 0;
	     i < u->files.n || ((size_t)kind < sizeof(what) && ask_dwarf(t, u, what[kind], name));
	     i++) {
		uint32_t id = btf_file_find(u->files.v[i], kind, name);
		const struct type *type = id ? btf_file_type(u->files.v[i], id) : NULL;

		if (type && type_base(type)->kind != T_FWD)
			return type;
		fwd = fwd ? fwd : type;
	}
	return fwd;
}

/* A copy of a function for some of its calls, without the arguments that it has no use for. */
static bool is_clone(const char *name)
{
	return strstr(name, ".constprop.") || strstr(name, ".isra.") || strstr(name, ".part.");
}

bool type_user_func(struct types *t, struct user_types *u, const char *name, uint64_t addr,
		    struct kernel_func *out)
{
	char at[UDWARF_PLACE_NAME];

	if (u->dwarf && is_clone(name))
		return false;
	if (u->dwarf)
		name = udwarf_place_name(addr, at);
	for (int i = 0; i < u->files.n || ask_dwarf(t, u, 'f', name); i++)
		if (btf_file_func(u->files.v[i], btf_file_find(u->files.v[i], T_FUNC, name), out))
			return true;
	return false;
}

const struct type *type_user_var(struct types *t, struct user_types *u, const char *name,
				 uint64_t addr)
{
	char at[UDWARF_PLACE_NAME];
	uint32_t id;

	if (u->dwarf)
		name = udwarf_place_name(addr, at);
	for (int i = 0; i < u->files.n || ask_dwarf(t, u, 'v', name); i++) {
		id = btf_file_find(u->files.v[i], KIND_VAR, name);
		if (id)
			return btf_file_type(u->files.v[i], raw_type(u->files.v[i]->raw, id)->type);
	}
	return NULL;
}

void types_set_programs(struct types *t,
			struct user_types *(*find)(void *arg, const char *module, int i), void *arg)
{
	t->programs = find;
	t->programs_arg = arg;
}

static struct user_types *program(struct types *t, const char *module, int i)
{
	return t->programs ? t->programs(t->programs_arg, module, i) : NULL;
}

const struct type *user_find(struct types *t, const char *module, enum type_kind kind,
			     const char *name)
{
	const struct type *type = NULL;
	struct user_types *u;

	for (int i = 0; i < t->users.n; i++) /* a type's own module */
		if (!strcmp(t->users.v[i]->module, module))
			return find_in(t, t->users.v[i], kind, name);
	for (int i = 0; !type && (u = program(t, module, i)); i++)
		type = find_in(t, u, kind, name);
	return type;
}

bool user_enumerator(struct types *t, const char *module, const char *name, int64_t *value,
		     const struct type **type)
{
	struct user_types *u;

	for (int i = 0; (u = program(t, module, i)); i++)
		for (int j = 0; j < u->files.n || ask_dwarf(t, u, 'c', name); j++)
			if (btf_file_enumerator(u->files.v[j], name, value, type))
				return true;
	return false;
}

const char *type_module_error(struct types *t, const char *module)
{
	const char *why = "no process has it; use -p, -c or a probe in a process";
	struct user_types *u;

	if (!type_module_is_program(module))
		return NULL;
	for (int i = 0; (u = program(t, module, i)); i++) {
		if (!u->error)
			return NULL;
		why = u->error;
	}
	return why;
}
