/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's functions. What can be traced is in tracefs's available_filter_functions, 40,000 to
 * 80,000 lines which the kernel takes tens of milliseconds to print: too long for a script that
 * names one function. Its types have a record for nearly every function and are mapped already, so
 * a literal name is looked for there, and the list is read when that finds nothing or a glob asks.
 * The types know some functions that cannot be traced; enabling one of those fails, and the list
 * then gives the reason.
 *
 * Where there is no such list (no tracefs, no ftrace) the functions are those that the types and
 * /proc/kallsyms both have.
 *
 * Each function has a number, from which its probes' ids come. Looked up and listed it has to be
 * the same one; hence the number in the types where there is one.
 */
#include "libdt/provider/func.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_LIMIT = 512 }; /* the kernel's */

struct module {
	const char *name;
	uint32_t rank;	  /* how many were loaded before it */
	uint32_t seen;	  /* lines of the list that were its so far */
	struct hash bare; /* names without types, so that each comes once */
};

struct funcs {
	struct probes *ps;
	const char *modules_path, *kallsyms_path;
	VEC(struct module) modules; /* [0] is vmlinux */
	bool modules_known, list_known, is_listed;
	char *text; /* of the list: names point into it */
	VEC(struct func) list;
	/* of the list, made for the first query by name: the first one, linked to the others */
	struct hash by_name;
	struct hash looked_up; /* "module`name" -> struct func */
};

static void funcs_free(void *state)
{
	struct funcs *fs = state;

	for (int i = 0; i < fs->modules.n; i++)
		hash_free(&fs->modules.v[i].bare);
	vec_free(&fs->modules);
	vec_free(&fs->list);
	hash_free(&fs->by_name);
	hash_free(&fs->looked_up);
	free(fs->text);
}

static struct funcs *funcs_get(struct probes *ps)
{
	struct funcs *fs = probes_state(ps, "func.c", sizeof(*fs), funcs_free);

	if (!fs->ps) {
		fs->ps = ps;
		fs->modules_path = "/proc/modules";
		fs->kallsyms_path = "/proc/kallsyms";
	}
	return fs;
}

void funcs_set_files(struct probes *ps, const char *modules, const char *kallsyms)
{
	struct funcs *fs = funcs_get(ps);

	fs->modules_path = arena_strdup(probes_arena(ps), modules);
	fs->kallsyms_path = arena_strdup(probes_arena(ps), kallsyms);
}

/* Reading -------------------------------------------------------------------------------------- */

/* A file of the kernel, whose size is not known before; NULL when it cannot be read. */
static char *slurp(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0, cap = 1 << 16;
	char *text;
	ssize_t n;

	if (fd < 0)
		return NULL;
	text = xmalloc(cap);
	while ((n = read(fd, text + len, cap - 1 - len)) > 0) {
		len += (size_t)n;
		if (cap - len < 4096)
			text = xrealloc(text, cap *= 2);
	}
	close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

/* Returns the next line of text as a string, and advances text; NULL at the end. */
static char *next_line(char **text)
{
	char *line = *text, *end;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	*text = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

/* Letters, digits, and what compilers add. */
static bool is_symbol(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_.$");

	return len && !name[len] && len < NAME_LIMIT;
}

/* Parts of functions and padding, which no caller calls, and what the list has for functions that
 * are gone. */
static bool is_noise(const char *name)
{
	static const char *const before[] = {"__pfx_", "__cfi_", "__ftrace_invalid_address_"};
	const char *dot = strchr(name, '.');

	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		if (!strncmp(name, before[i], strlen(before[i])))
			return true;
	return dot && strstr(dot, ".cold");
}

/* "virtio_ring 24576 2 virtio_pci,9pnet_virtio, Live 0xffffffffc0000000", the youngest first. */
static void read_modules(struct funcs *fs)
{
	char *text, *at, *line;
	uint32_t n = 1;

	if (fs->modules_known)
		return;
	fs->modules_known = true;
	vec_push(&fs->modules, ((struct module){.name = "vmlinux"}));
	at = text = slurp(fs->modules_path);
	while (text && (line = next_line(&at))) {
		line[strcspn(line, " ")] = '\0';
		if (is_symbol(line))
			vec_push(
			    &fs->modules,
			    ((struct module){.name = arena_strdup(probes_arena(fs->ps), line)}));
	}
	free(text);
	for (int i = fs->modules.n - 1; i > 0; i--)
		fs->modules.v[i].rank = n++;
}

static struct module *find_module(struct funcs *fs, const char *name)
{
	for (int i = 0; i < fs->modules.n; i++)
		if (!strcmp(fs->modules.v[i].name, name))
			return &fs->modules.v[i];
	return NULL;
}

/* Numbers -------------------------------------------------------------------------------------- */

/* The number of a function that is btf in the types, or at that place in the list; false when
 * there is none left. */
static bool number(const struct module *m, uint32_t btf, uint32_t place, uint32_t *out)
{
	bool own = m->rank == 0;
	uint32_t first = own ? 0 : FUNC_VMLINUX + (m->rank - 1) * MODULE_STEP;
	uint32_t typed = own ? FUNC_TYPED : MODULE_TYPED;
	uint32_t end = own ? FUNC_VMLINUX : MODULE_STEP;

	*out = first + (btf ? btf : typed + place);
	return m->rank <= MODULES_MAX && (btf ? btf < typed : place < end - typed);
}

/* The list ------------------------------------------------------------------------------------- */

static void list_add(struct funcs *fs, struct module *m, const char *name, uint64_t addr)
{
	struct types *types = probes_types(fs->ps);
	struct func f = {.mod = m->name, .name = name, .addr = addr};
	uint32_t place = m->seen++;

	if (is_noise(name))
		return;
	if (!strchr(name, '.'))
		f.btf = type_kernel_func_number(types, m->name, name);
	if (!f.btf) {
		void **was = hash_ref(&m->bare, name, strlen(name));

		if (*was)
			return;
		*was = m;
	}
	if (number(m, f.btf, place, &f.number) || number(m, 0, place, &f.number))
		vec_push(&fs->list, f);
}

/* "tcp_sendmsg", "ovl_open [overlay]": in m if it is in that module. */
static void list_line(struct funcs *fs, char *name, struct module **m)
{
	char *mod = strchr(name, ' ');

	if (mod) {
		*mod++ = '\0';
		mod += *mod == '[';
		mod[strcspn(mod, "]")] = '\0';
	}
	if (!is_symbol(name))
		return;
	if (strcmp((*m)->name, mod && *mod ? mod : "vmlinux")) {
		struct module *other = find_module(fs, mod && *mod ? mod : "vmlinux");

		if (!other) /* gone meanwhile, or none at all: a trampoline */
			return;
		*m = other;
	}
	list_add(fs, *m, name, 0);
}

static bool read_list(struct funcs *fs)
{
	const char *tracefs = probes_tracefs(fs->ps);
	struct module *m = &fs->modules.v[0];
	char *at, *line;

	if (!tracefs)
		return false;
	fs->text =
	    slurp(arena_printf(probes_arena(fs->ps), "%s/available_filter_functions", tracefs));
	for (at = fs->text; at && (line = next_line(&at));)
		list_line(fs, line, &m);
	return fs->text != NULL;
}

/* One line of /proc/kallsyms: "ffffffff81000000 T name\t[module]". */
struct symbol {
	uint64_t addr;
	char type;
	char *name;
	const char *mod;
};

static bool parse_symbol(char *line, struct symbol *s)
{
	char *p, *mod;

	s->addr = strtoull(line, &p, 16);
	if (p == line || p[0] != ' ' || !p[1] || p[2] != ' ')
		return false;
	s->type = p[1];
	s->name = p + 3;
	s->mod = "vmlinux";
	mod = strpbrk(s->name, "\t ");
	if (mod) {
		*mod++ = '\0';
		mod += strcspn(mod, "[");
		mod += *mod == '[';
		mod[strcspn(mod, "]")] = '\0';
		s->mod = mod;
	}
	return is_symbol(s->name);
}

/* Without a list: functions that the types and the symbols both have. */
static void read_symbols(struct funcs *fs)
{
	struct module *m = NULL;
	char *at, *line;
	struct symbol s;

	at = fs->text = slurp(fs->kallsyms_path);
	while (at && (line = next_line(&at))) {
		if (!parse_symbol(line, &s) || !strchr("tTwW", s.type))
			continue;
		if (!m || strcmp(m->name, s.mod))
			m = find_module(fs, s.mod);
		if (m && !strchr(s.name, '.') &&
		    type_kernel_func_number(probes_types(fs->ps), m->name, s.name))
			list_add(fs, m, s.name, s.addr);
	}
}

/*
 * Where programs have no cookies, they identify the function by its address. The kernel's own list
 * of addresses (available_filter_functions_addrs) is newer than cookies, and has those of the calls
 * to the tracer.
 */
static void read_addresses(struct funcs *fs)
{
	char *text = slurp(fs->kallsyms_path), *at = text, *line;
	struct hash names = {0};
	struct symbol s;

	for (int i = fs->list.n - 1; i >= 0; i--)
		hash_puts(&names, fs->list.v[i].name, &fs->list.v[i]);
	while (at && (line = next_line(&at))) {
		struct func *f = NULL;

		if (parse_symbol(line, &s) && strchr("tTwW", s.type))
			f = hash_gets(&names, s.name);
		/* Those of one name in several modules follow each other nowhere, and stay
		 * without. */
		if (f && !f->addr && !strcmp(f->mod, s.mod))
			f->addr = s.addr;
	}
	hash_free(&names);
	free(text);
}

static void list_open(struct funcs *fs)
{
	struct feats *feats = probes_feats(fs->ps);

	if (fs->list_known)
		return;
	fs->list_known = true;
	read_modules(fs);
	fs->is_listed = read_list(fs);
	if (!fs->is_listed)
		read_symbols(fs);
	else if (!feats || !feat(feats, FEAT_PERF_COOKIE))
		read_addresses(fs);
}

static bool fits(const char *pattern, bool literal, const char *text)
{
	return literal ? !strcmp(pattern, text) : glob_fits(pattern, text);
}

/* The list's functions of a name, linked by same_name in the list's order. */
static struct func *with_name(struct funcs *fs, const char *name)
{
	if (!fs->by_name.n)
		for (int i = fs->list.n - 1; i >= 0; i--) {
			struct func *f = &fs->list.v[i];
			void **first = hash_ref(&fs->by_name, f->name, strlen(f->name));

			f->same_name = *first;
			*first = f;
		}
	return hash_gets(&fs->by_name, name);
}

static void each_listed(struct funcs *fs, const char *mod, const char *name,
			void (*fn)(void *arg, struct func *f), void *arg)
{
	bool lit_mod = glob_is_literal(mod), ok = false;
	const char *last = NULL;

	if (glob_is_literal(name)) {
		for (struct func *f = with_name(fs, name); f; f = f->same_name)
			if (fits(mod, lit_mod, f->mod))
				fn(arg, f);
		return;
	}
	for (int i = 0; i < fs->list.n; i++) {
		struct func *f = &fs->list.v[i];

		if (f->mod != last)
			ok = fits(mod, lit_mod, f->mod);
		last = f->mod;
		if (ok && glob_fits(name, f->name))
			fn(arg, f);
	}
}

/* Looking up ----------------------------------------------------------------------------------- */

static struct func *look_up(struct funcs *fs, const struct module *m, const char *name)
{
	struct arena *a = probes_arena(fs->ps);
	const char *key = arena_printf(a, "%s`%s", m->name, name);
	struct func *f = hash_gets(&fs->looked_up, key);
	uint32_t n, btf;

	if (f)
		return f;
	btf = type_kernel_func_number(probes_types(fs->ps), m->name, name);
	if (!btf || !number(m, btf, 0, &n))
		return NULL;
	f = arena_alloc(a, sizeof(*f));
	*f = (struct func){.mod = m->name, .name = strchr(key, '`') + 1, .number = n, .btf = btf};
	hash_puts(&fs->looked_up, key, f);
	return f;
}

void funcs_each(struct probes *ps, const char *mod, const char *name,
		void (*fn)(void *arg, struct func *f), void *arg)
{
	struct funcs *fs = funcs_get(ps);
	bool found = false;

	if (glob_is_literal(name) && (!is_symbol(name) || is_noise(name)))
		return;
	read_modules(fs);
	if (glob_is_literal(mod) && !find_module(fs, mod))
		return;
	if (glob_is_literal(name) && !fs->list_known) {
		for (int i = 0; i < fs->modules.n; i++) {
			struct func *f = NULL;

			if (glob_fits(mod, fs->modules.v[i].name))
				f = look_up(fs, &fs->modules.v[i], name);
			if (f)
				fn(arg, f);
			found |= f != NULL;
		}
	}
	if (found)
		return;
	list_open(fs);
	each_listed(fs, mod, name, fn, arg);
}

static void set_true(void *arg, struct func *f)
{
	(void)f;
	*(bool *)arg = true;
}

bool func_is_traceable(struct probes *ps, const char *mod, const char *name)
{
	struct funcs *fs = funcs_get(ps);
	bool found = false;

	list_open(fs);
	each_listed(fs, mod, name, set_true, &found);
	return found || !fs->is_listed;
}

/* Sizes ---------------------------------------------------------------------------------------- */

uint64_t func_size(struct probes *ps, const char *mod, const char *name)
{
	char *text = slurp(funcs_get(ps)->kallsyms_path), *at = text, *line;
	uint64_t start = 0, end = UINT64_MAX;
	VEC(uint64_t) all = {0};
	struct symbol s;

	while (at && (line = next_line(&at))) {
		if (!parse_symbol(line, &s) || !s.addr)
			continue;
		vec_push(&all, s.addr);
		if (!start && strchr("tTwW", s.type) && !strcmp(s.name, name) &&
		    !strcmp(s.mod, mod))
			start = s.addr;
	}
	for (int i = 0; i < all.n; i++)
		if (all.v[i] > start)
			end = MIN(end, all.v[i]);
	vec_free(&all);
	free(text);
	return start && end != UINT64_MAX ? end - start : 0;
}
