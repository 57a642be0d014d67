/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consume/ksym.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "libdt/base/hash.h"

struct symbol {
	uint64_t addr;
	uint32_t name, mod; /* offsets in text */
	char type;
};

struct syms {
	char *path;
	bool tried;
	struct strbuf text; /* the file, cut into strings */
	VEC(char *) old; /* texts of earlier readings: somebody may hold their names */
	struct strbuf modules; /* /proc/modules as it was, */
	uint32_t last_prog;    /* the youngest BPF program, */
	uint64_t looked_ns;    /* when that was looked at */
	VEC(struct symbol) v;
	struct hash mods; /* module -> its first address; filled when mod() asks first */
};

/* The file says no sizes: what is further from its symbol than this is in a hole between modules. */
#define SYMBOL_MAX (4u << 20)

static const char vmlinux[] = "vmlinux";
#define IN_VMLINUX UINT32_MAX

struct syms *syms_new(const char *path)
{
	struct syms *s = xcalloc(1, sizeof(*s));

	s->path = xstrdup(path ? path : "/proc/kallsyms");
	return s;
}

void syms_free(struct syms *s)
{
	if (!s)
		return;
	free(s->path);
	sb_free(&s->text);
	sb_free(&s->modules);
	for (int i = 0; i < s->old.n; i++)
		free(s->old.v[i]);
	vec_free(&s->old);
	vec_free(&s->v);
	hash_free(&s->mods);
	free(s);
}

static void read_all(const char *path, struct strbuf *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *buf;
	ssize_t n;

	if (fd < 0)
		return;
	buf = xmalloc(1 << 16);
	while ((n = read(fd, buf, 1 << 16)) > 0 && text->len < UINT32_MAX - (1u << 17))
		sb_add(text, buf, n);
	free(buf);
	close(fd);
}

/* Names that are no place: mapping symbols of arm64, local labels, the padding before functions. */
static bool is_noise(const char *name)
{
	return *name == '$' || !strncmp(name, ".L", 2) || !strncmp(name, "__pfx_", 6);
}

/* "ffffffff81000000 T name\t[module]": cuts the line into strings. */
static void read_line(struct syms *s, char *line)
{
	struct symbol sym = {.mod = IN_VMLINUX};
	char *p, *name, *mod;

	sym.addr = strtoull(line, &p, 16);
	if (!sym.addr || p == line || p[0] != ' ' || !p[1] || p[2] != ' ')
		return;
	sym.type = p[1];
	name = p + 3;
	mod = strpbrk(name, "\t ");
	if (mod) {
		*mod++ = '\0';
		mod = strchr(mod, '[');
	}
	if (mod) {
		sym.mod = ++mod - s->text.s;
		mod[strcspn(mod, "]")] = '\0';
	}
	if (!*name || is_noise(name))
		return;
	sym.name = name - s->text.s;
	vec_push(&s->v, sym);
}

/* Of several names for one address a global function's is the best. */
static int rank(char type)
{
	const char *order = "TtWw", *p = strchr(order, type);

	return p ? (int)(p - order) : 4;
}

static int compare(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (rank(a->type) != rank(b->type))
		return rank(a->type) - rank(b->type);
	return a->name < b->name ? -1 : a->name > b->name;
}

static void load(struct syms *s)
{
	int n = 0;

	s->tried = true;
	read_all(s->path, &s->text);
	for (char *p = s->text.s, *end; p && *p; p = end) {
		end = strchr(p, '\n');
		if (end)
			*end++ = '\0';
		read_line(s, p);
		if (!end)
			break;
	}
	if (!s->v.n)
		return;
	qsort(s->v.v, s->v.n, sizeof(s->v.v[0]), compare);
	for (int i = 1; i < s->v.n; i++)
		if (s->v.v[i].addr != s->v.v[n].addr)
			s->v.v[++n] = s->v.v[i];
	s->v.n = n + 1;
}

/* Has the kernel got symbols since? Asked at most so often, for it takes some system calls. */
enum { LOOK_NS = 50000000 };

static bool has_changed(struct syms *s)
{
	uint32_t last = s->last_prog, next;
	struct strbuf now = {0};
	struct timespec ts;
	uint64_t ns;
	bool changed;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ns = ts.tv_sec * 1000000000ull + ts.tv_nsec;
	if (s->looked_ns && ns - s->looked_ns < LOOK_NS)
		return false;
	s->looked_ns = ns;
	read_all("/proc/modules", &now);
	while (!bpf_prog_get_next_id(last, &next))
		last = next;
	changed = last != s->last_prog || strcmp(sb_str(&now), sb_str(&s->modules));
	s->last_prog = last;
	sb_free(&s->modules);
	s->modules = now;
	return changed;
}

static void load_again(struct syms *s)
{
	vec_push(&s->old, s->text.s);
	s->text = (struct strbuf){0};
	s->v.n = 0;
	hash_free(&s->mods);
	s->mods = (struct hash){0};
	load(s);
}

static const struct symbol *search(struct syms *s, uint64_t addr)
{
	int low = 0, high = s->v.n;
	const struct symbol *sym;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (s->v.v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	sym = &s->v.v[low - 1];
	if (addr - sym->addr >= SYMBOL_MAX || !strcmp(s->text.s + sym->name, "_end"))
		return NULL;
	return sym;
}

/* The last symbol of a module seems to reach up to the next one; something newer may be there. */
static bool is_certain(const struct syms *s, const struct symbol *sym)
{
	const struct symbol *end = s->v.v + s->v.n;

	if (!sym)
		return false;
	return sym->mod == IN_VMLINUX ||
	       (sym + 1 < end && sym[1].mod != IN_VMLINUX && !strcmp(s->text.s + sym->mod, s->text.s + sym[1].mod) &&
		strcmp(s->text.s + sym->mod, "bpf"));
}

static const struct symbol *find(struct syms *s, uint64_t addr)
{
	const struct symbol *sym;

	if (!s->tried) {
		has_changed(s); /* from here on */
		load(s);
	}
	sym = search(s, addr);
	if (s->v.n && (int64_t)addr < 0 && !is_certain(s, sym) && has_changed(s)) {
		load_again(s);
		sym = search(s, addr);
	}
	return sym;
}

static const char *module_of(struct syms *s, const struct symbol *sym)
{
	return sym->mod == IN_VMLINUX ? vmlinux : s->text.s + sym->mod;
}

void syms_each(struct syms *s, void (*fn)(void *arg, const struct ksymbol *sym), void *arg)
{
	if (!s)
		return;
	find(s, 0);
	for (int i = 0; i < s->v.n; i++) {
		const struct symbol *sym = &s->v.v[i];
		struct ksymbol k = {sym->addr, i + 1 < s->v.n ? sym[1].addr : sym->addr + 1, s->text.s + sym->name,
				    module_of(s, sym), sym->type};

		fn(arg, &k);
	}
}

bool syms_find(struct syms *s, uint64_t addr, const char **mod, const char **name, uint64_t *off)
{
	const struct symbol *sym = s ? find(s, addr) : NULL;

	if (!sym)
		return false;
	*mod = module_of(s, sym);
	*name = s->text.s + sym->name;
	*off = addr - sym->addr;
	return true;
}

static void find_modules(struct syms *s)
{
	for (int i = s->v.n - 1; i >= 0; i--)
		hash_puts(&s->mods, module_of(s, &s->v.v[i]), &s->v.v[i]);
}

uint64_t syms_canon(struct syms *s, uint64_t addr, enum sym_how how)
{
	const struct symbol *sym = s ? find(s, addr) : NULL;

	if (!sym || how == SYM_NAME)
		return addr;
	if (how == SYM_FUNC)
		return sym->addr;
	if (!s->mods.n)
		find_modules(s);
	sym = hash_gets(&s->mods, module_of(s, sym));
	return sym->addr;
}

void syms_print(struct syms *s, uint64_t addr, enum sym_how how, struct strbuf *out)
{
	const char *mod, *name;
	uint64_t off;

	if (!syms_find(s, addr, &mod, &name, &off))
		sb_printf(out, "0x%llx", (unsigned long long)addr);
	else if (how == SYM_MOD)
		sb_puts(out, mod);
	else if (how == SYM_FUNC || !off)
		sb_printf(out, "%s`%s", mod, name);
	else
		sb_printf(out, "%s`%s+0x%llx", mod, name, (unsigned long long)off);
}
