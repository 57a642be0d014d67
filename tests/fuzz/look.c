/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/look.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libdt/base/machine/sdtarg.h"
#include "libdt/base/mem.h"
#include "libdt/process/cfi.h"
#include "libdt/process/code.h"
#include "libdt/process/jitread.h"
#include "libdt/provider/uargs.h"
#include "libdt/provider/uproc.h"
#include "libdt/type/btfcopy.h"

static const int machines[] = {EM_X86_64, EM_AARCH64, EM_RISCV, EM_386};

/* Types ------------------------------------------------------------------- */

/* MEMBERS: of all structures of a type together. NAMES: of the text. */
enum { DEPTH = 6, MEMBERS = 200, NAMES = 40, NAME_LEN = 64 };

static void look_at_type(struct types *types, const struct type *t, int depth, int *budget)
{
	struct strbuf sb = {0};

	type_size(types, type_complete(types, t));
	type_align(types, t);
	type_text(types, t);
	if (!depth)
		type_describe(types, t, &sb);
	sb_free(&sb);
	t = type_base(type_complete(types, type_base(t)));
	if (t->ref && depth < DEPTH && --*budget > 0)
		look_at_type(types, t->ref, depth + 1, budget);
	for (int i = 0; i < t->nmembers && depth < DEPTH && --*budget > 0; i++)
		look_at_type(types, t->members[i].type, depth + 1, budget);
}

static void look_at_whole_type(struct types *types, const struct type *t)
{
	int budget = MEMBERS;

	look_at_type(types, t, 0, &budget);
}

static void look_at_function(struct types *types, struct user_types *u, const char *name,
			     uint64_t addr)
{
	struct arena *a = types_arena(types);
	const struct type *var = type_user_var(types, u, name, addr);
	const struct probe_arg *args;
	struct kernel_func kf;

	if (var)
		look_at_whole_type(types, var);
	if (!type_user_func(types, u, name, addr, &kf))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		int n = uargs_entry(types, a, machines[i], &kf, &args);

		for (int j = 0; j < n; j++)
			look_at_whole_type(types, args[j].type);
	}
	uargs_return(types, a, &kf, &args);
}

static void look_at_name(struct types *types, struct user_types *u, const char *name)
{
	static const char *const kinds[] = {"struct ", "union ", "enum ", ""};
	const struct type *t;
	int64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		char *text = xasprintf("%s%s", kinds[i], name);

		t = type_find(types, "pid", text);
		if (t)
			look_at_whole_type(types, t);
		free(text);
	}
	type_enumerator(types, "pid", name, &value, NULL);
	look_at_function(types, u, name, 0);
}

/* The names that end with a NUL. */
static void look_at_names(struct types *types, struct user_types *u, const uint8_t *text,
			  size_t len)
{
	size_t begin = 0;
	int found = 0;

	for (size_t i = 0; i < len && found < NAMES; i++) {
		if (isalnum(text[i]) || text[i] == '_')
			continue;
		if (!text[i] && i - begin > 1 && i - begin < NAME_LEN && !isdigit(text[begin])) {
			look_at_name(types, u, (const char *)text + begin);
			found++;
		}
		begin = i + 1;
	}
}

static struct user_types *only(void *arg, const char *module, int i)
{
	(void)module;
	return i ? NULL : arg;
}

/* In this process, for sanitizers to see it. */
static void copy_here(const struct type_sections *s)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && s->btf_len)
		btf_copy_to(s, fd);
	if (fd >= 0)
		close(fd);
}

void look_at_types(struct object *o, const uint8_t *text, size_t len)
{
	static const char *const names[] = {"item", "point", "large", "item_t", "color", "opaque",
					    "work", "inner", "wide",  "made",	"main",	 "fprintf"};
	struct types *types = types_new(false, "none");
	const struct object_sym *syms;
	struct type_sections s;
	struct user_types *u;
	int64_t value;
	int n;

	uobj_sections(o, &s);
	copy_here(&s);
	if (!s.btf_len && !s.ctf_len) {
		s.dwarf = object_debug_data(o, ".debug_info");
		s.has_dwarf = s.dwarf >= 0;
	}
	u = type_user_open(types, "file", &s);
	if (s.has_dwarf)
		close(s.dwarf);
	types_set_programs(types, only, u);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		look_at_name(types, u, names[i]);
	look_at_names(types, u, text, len);
	syms = object_syms(o, &n);
	for (int i = 0; i < n && i < NAMES; i++)
		look_at_function(types, u, syms[i].name, syms[i].addr);
	syms = object_vars(o, &n);
	for (int i = 0; i < n && i < NAMES; i++)
		look_at_function(types, u, syms[i].name, syms[i].addr);
	type_enumerator(types, "pid", "GREEN", &value, NULL);
	types_free(types);
}

/* Static probes ----------------------------------------------------------- */

/* A type's text is looked for as provdecl.c does. */
static void look_at_declaration(struct types *types, const struct provnote_probe *decl)
{
	for (int i = 0; i < decl->npassed; i++)
		type_find(types, "D", decl->passed[i]);
	for (int i = 0; i < decl->nargs; i++) {
		if (decl->args[i].native >= decl->npassed)
			abort();
		type_find(types, "D", decl->args[i].type);
	}
}

void look_at_notes(struct object *o)
{
	struct types *types = types_new(false, "none");
	const struct object_note *notes;
	struct sdtarg args[SDTARG_MAX];
	uint64_t off;
	int n;

	notes = object_notes(o, &n);
	for (int i = 0; i < n; i++) {
		struct object_site site = {o, notes[i].addr};

		for (size_t j = 0; j < ARRAY_SIZE(machines); j++) {
			struct sdtarg_env env = {machines[j], object_distance, &site};

			sdtarg_parse(notes[i].args, &env, args);
		}
		object_sym_at(o, notes[i].addr);
		object_offset(o, notes[i].addr, &off);
		object_offset(o, notes[i].semaphore, &off);
		if (notes[i].decl)
			look_at_declaration(types, notes[i].decl);
	}
	types_free(types);
}

/* Code -------------------------------------------------------------------- */

void look_at_rules(struct object *o)
{
	int n;
	const struct cfi_row *rows = object_unwind(o, &n);

	for (int i = 1; i < n; i++)
		if (rows[i].addr < rows[i - 1].addr)
			abort();
}

/* As the pid provider does. */
static void look_at_instructions(struct object *o, const struct object_sym *sym,
				 const struct hash *parts)
{
	struct insns in = insns_of(o, sym, 1 << 16);
	struct code_returns r = {0};

	while (insns_next(&in)) {
		uint8_t code[MACHINE_INSN_BYTES] = {0};
		size_t n = MIN(in.size - in.at, sizeof(code));

		if (in.at >= in.size || in.len > in.size - in.at)
			abort();
		memcpy(code, in.code + in.at, n);
		in.machine->doubtful(code);
		if (in.machine->mistaken)
			in.machine->mistaken(code, n);
	}
	code_returns(o, sym, parts, &r);
	vec_free(&r.v);
}

void look_at_code(struct object *o)
{
	enum { FUNCTIONS = 20 };
	struct object_sym whole = {.name = "text"};
	struct hash parts = {0};
	const struct object_sym *syms;
	int n;

	code_cold_parts(o, &parts);
	syms = object_syms(o, &n);
	for (int i = 0; i < n && i < FUNCTIONS; i++)
		look_at_instructions(o, &syms[i], &parts);
	if (!n && object_has_section(o, ".text", &whole.addr, &whole.size))
		look_at_instructions(o, &whole, &parts);
	hash_free(&parts);
}

void look_at_file(const char *path)
{
	char *why = NULL;
	struct object *o = object_open(path, &why);
	int n;

	if (o) {
		object_syms(o, &n);
		object_vars(o, &n);
		object_sym_at(o, 0x1234);
		object_name_at(o, 0x5678);
		free(object_debug(o, ".debug_line"));
		look_at_notes(o);
		look_at_types(o, NULL, 0);
		look_at_rules(o);
		look_at_code(o);
	} else if (!why || !*why) {
		abort(); /* it was refused and nothing said why */
	}
	object_close(o);
	free(why);
}

/* Maps of compilers ------------------------------------------------------- */

/* In two parts: the second time it is asked for what was added. */
void look_at_map(int fd, const uint8_t *data, size_t len)
{
	struct jitread ask = {0};
	size_t half = len / 2;

	if (pwrite(fd, data, half, 0) < 0)
		return;
	for (int i = 0; i < 2; i++) {
		struct strbuf out = {0};
		const struct jitread_answer *a;
		const struct jit_symbol *syms;

		if ((i && pwrite(fd, data + half, len - half, half) < 0) ||
		    jitread(fd, &ask, 8 << 20, &out) || out.len < sizeof(*a)) {
			sb_free(&out);
			return;
		}
		a = (const void *)out.s;
		syms = (const void *)(a + 1);
		for (uint64_t n = 0; n < a->n; n++)
			if ((uintptr_t)syms[n].name >= a->texts_len ||
			    (n && jit_symbol_compare(syms + n - 1, syms + n) > 0))
				abort();
		ask = a->next;
		sb_free(&out);
	}
}
