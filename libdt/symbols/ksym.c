/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/symbols/ksym.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/feat.h"
#include "bpf/kaddr.h"
#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/base/nearest.h"
#include "libdt/record/answers.h"

struct symbol {
	uint64_t addr;
	uint32_t name, mod; /* offsets in text */
	char type;
};

struct syms {
	char *path;
	struct feats *feats;
	bool tried;
	int err; /* of the last reading for addresses */
	struct kaddr *kaddr;
	struct strbuf text;    /* the file, cut into strings */
	struct strbuf modules; /* /proc/modules as it was, */
	uint32_t last_prog;    /* the youngest BPF program, */
	uint64_t looked_ns;    /* when that was looked at */
	VEC(struct symbol) v;
	struct hash mods;	 /* module -> its first address; filled when mod() asks first */
	struct strbuf lines;	 /* the file again, as it is, when a name asked */
	struct answers *answers; /* NULL: no recording or replay */
	struct hash named;	 /* "mod`name" and what was wanted -> struct ksym, found before */
};

/* The file says no sizes: what is further from its symbol than this is in a hole between
 * modules. */
#define SYMBOL_MAX (4u << 20)

enum { FILE_MAX = 256 << 20 }; /* a kernel with all its symbols has 30 MB */

static const char vmlinux[] = "vmlinux";
#define IN_VMLINUX UINT32_MAX

static const char kallsyms[] = "/proc/kallsyms";

struct syms *syms_new(const char *path, struct feats *feats)
{
	struct syms *s = xcalloc(1, sizeof(*s));

	s->path = xstrdup(path ? path : kallsyms);
	s->feats = feats;
	s->kaddr = kaddr_open();
	return s;
}

int syms_refuses(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -ENOTSUP;
	return st.st_size > FILE_MAX ? -EFBIG : 0;
}

int syms_error(const struct syms *s)
{
	return s ? s->err : 0;
}

void syms_free(struct syms *s)
{
	if (!s)
		return;
	free(s->path);
	sb_free(&s->text);
	sb_free(&s->modules);
	sb_free(&s->lines);
	vec_free(&s->v);
	hash_free(&s->mods);
	for (size_t i = 0; i < s->named.n; i++)
		free(s->named.entries[i].value);
	hash_free(&s->named);
	kaddr_close(s->kaddr);
	free(s);
}

/* The text of a file, of which a part would be wrong: a symbol seems to reach up to the next one.
 * 0 or -errno. */
static int read_all(const char *path, struct strbuf *text)
{
	int err = syms_refuses(path), fd;
	char *buf;
	ssize_t n;

	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	buf = xmalloc(1 << 16);
	while ((n = read(fd, buf, 1 << 16)) > 0 && text->len < FILE_MAX)
		sb_add(text, buf, n);
	if (n < 0) {
		err = -errno;
		sb_free(text);
	}
	free(buf);
	close(fd);
	return err;
}

/* A quarter of a million lines are read at start-up: strtoull() takes four times as
 * long. */
static const char *cut_address(const char *p, uint64_t *addr)
{
	for (*addr = 0; isxdigit((unsigned char)*p); p++)
		*addr = *addr << 4 | ((*p & 0xf) + (*p > '9' ? 9 : 0));
	return p;
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
	char *p = (char *)cut_address(line, &sym.addr), *name, *mod;

	if (!sym.addr || p[0] != ' ' || !p[1] || p[2] != ' ')
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
	s->err = read_all(s->path, &s->text);
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
	uint64_t ns = clock_ns(CLOCK_MONOTONIC);
	bool changed;

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
	sb_free(&s->text);
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
	return sym->mod == IN_VMLINUX || (sym + 1 < end && sym[1].mod != IN_VMLINUX &&
					  !strcmp(s->text.s + sym->mod, s->text.s + sym[1].mod) &&
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
		struct ksymbol k = {sym->addr, i + 1 < s->v.n ? sym[1].addr : sym->addr + 1,
				    s->text.s + sym->name, module_of(s, sym), sym->type};

		fn(arg, &k);
	}
}

void syms_set_answers(struct syms *s, struct answers *as)
{
	if (s)
		s->answers = as;
}

static bool find_here(struct syms *s, uint64_t addr, const char **mod, const char **name,
		      uint64_t *off)
{
	const struct symbol *sym = s ? find(s, addr) : NULL;

	if (!sym)
		return false;
	*mod = module_of(s, sym);
	*name = s->text.s + sym->name;
	*off = addr - sym->addr;
	return true;
}

bool syms_find(struct syms *s, uint64_t addr, const char **mod, const char **name, uint64_t *off)
{
	struct answer a = {0};

	if (!s || !s->answers)
		return find_here(s, addr, mod, name, off);
	if (answers_replay(s->answers)) {
		a = answers_get(s->answers, ASK_KERNEL, 0, addr, NULL);
	} else {
		a.known = find_here(s, addr, &a.first, &a.second, &a.number);
		answers_note(s->answers, ASK_KERNEL, 0, addr, NULL, a);
	}
	*mod = a.first;
	*name = a.second;
	*off = a.number;
	return a.known;
}

uint64_t syms_end(struct syms *s, uint64_t addr)
{
	const struct symbol *sym = find(s, addr);

	return sym && sym + 1 < s->v.v + s->v.n ? sym[1].addr : addr + 1;
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

/* By name ----------------------------------------------------------------- */

/* One line: its parts. False for what is no symbol. */
struct line {
	uint64_t addr;
	char type;
	const char *name, *mod;
	size_t len, mod_len;
};

static bool cut_line(const char *p, const char *end, struct line *l)
{
	const char *q = cut_address(p, &l->addr), *tab;

	if (q == p || end - q < 4 || q[0] != ' ' || q[2] != ' ')
		return false;
	l->type = q[1];
	l->name = q + 3;
	tab = memchr(l->name, '\t', end - l->name);
	l->len = (tab ? tab : end) - l->name;
	l->mod = vmlinux;
	l->mod_len = sizeof(vmlinux) - 1;
	if (tab && end - tab > 3 && tab[1] == '[') {
		l->mod = tab + 2;
		l->mod_len = end - tab - 3;
	}
	return true;
}

static bool is_text(char type)
{
	return strchr("tTwWi", type);
}

static bool line_is(const struct line *l, const char *mod, const char *name, int want)
{
	if (l->len != strlen(name) || memcmp(l->name, name, l->len))
		return false;
	if (mod && (l->mod_len != strlen(mod) || memcmp(l->mod, mod, l->mod_len)))
		return false;
	return !want || want == (is_text(l->type) ? KSYM_TEXT : KSYM_DATA);
}

/* Calls back for each line until it returns true. A look-up of one name is usually followed by
 * others, so the text is kept. */
static bool each_line(struct syms *s, bool (*f)(void *arg, const struct line *l), void *arg)
{
	const char *p, *last, *end;
	struct line l;

	if (!s->lines.len)
		read_all(s->path, &s->lines);
	p = s->lines.s;
	last = p + s->lines.len;
	for (; p < last && (end = memchr(p, '\n', last - p)); p = end + 1)
		if (cut_line(p, end, &l) && f(arg, &l))
			return true;
	return false;
}

struct wanted {
	const char *mod, *name;
	int want;
	struct ksym *out;
	char found_mod[64];
	bool shown; /* some line had an address */
};

static bool wanted_line(void *arg, const struct line *l)
{
	struct wanted *w = arg;

	w->shown |= l->addr != 0;
	if (!line_is(l, w->mod, w->name, w->want))
		return false;
	w->out->addr = l->addr;
	w->out->text = is_text(l->type);
	snprintf(w->found_mod, sizeof(w->found_mod), "%.*s", (int)l->mod_len, l->mod);
	return true;
}

static bool shown_line(void *arg, const struct line *l)
{
	(void)arg;
	return l->addr != 0;
}

static bool read_named(struct syms *s, const char *mod, const char *name, int want,
		       struct ksym *out)
{
	struct wanted w = {mod, name, want, out, "", false};

	if (!each_line(s, wanted_line, &w))
		return false;
	out->mod = hash_puts(&s->named, w.found_mod, NULL);
	/* A CPU's own variables may begin at 0. */
	out->hidden = !out->addr && !w.shown && !each_line(s, shown_line, NULL);
	return true;
}

/* In which part of the kernel itself an address is; KSYM_TEXT is known without the end of its
 * data, which not all kernels list. */
static int kernel_part(struct syms *s, uint64_t addr)
{
	struct ksym start, text_end, end;

	if (!syms_named(s, NULL, "_stext", 0, true, &start) ||
	    !syms_named(s, NULL, "_etext", 0, true, &text_end) || addr < start.addr)
		return 0;
	if (addr < text_end.addr)
		return KSYM_TEXT;
	return syms_named(s, NULL, "_end", 0, true, &end) && addr < end.addr ? KSYM_DATA : 0;
}

/* The kernel finds by name its own symbols and its modules'; the file has those of programs and
 * trampolines, too. */
static bool is_made(const char *mod, const char *name)
{
	return (mod && (!strcmp(mod, "bpf") || !strncmp(mod, "__builtin__", 11))) ||
	       !strncmp(name, "bpf_prog_", 9) || !strncmp(name, "bpf_trampoline_", 15) ||
	       !strncmp(name, "ftrace_trampoline", 17);
}

/*
 * Asks the kernel for one: 0, -ENOENT, or another error when it does not answer. Where the answer
 * leaves the module open, the kernel's own address range decides.
 */
static int ask_named(struct syms *s, const char *mod, const char *name, bool any_mod,
		     struct ksym *out)
{
	bool in_module = mod && strcmp(mod, vmlinux);
	char *asked;
	int rc, part;

	if (strcmp(s->path, kallsyms) || is_made(mod, name) || !s->feats ||
	    !feat(s->feats, FEAT_SYM_LOOKUP))
		return -EOPNOTSUPP;
	asked = in_module ? xasprintf("%s:%s", mod, name) : xstrdup(name);
	rc = kaddr_find(s->kaddr, asked, &out->addr);
	free(asked);
	if (rc || any_mod || in_module)
		return rc;
	part = kernel_part(s, out->addr);
	out->text = part == KSYM_TEXT;
	out->mod = vmlinux;
	return part ? 0 : -EOPNOTSUPP;
}

bool syms_named(struct syms *s, const char *mod, const char *name, int want, bool any_mod,
		struct ksym *out)
{
	char key[600];
	struct ksym *k;
	int rc;

	if (snprintf(key, sizeof(key), "%s`%s`%d%d", mod ? mod : "", name, want, any_mod) >=
	    (int)sizeof(key))
		return false;
	k = hash_gets(&s->named, key);
	if (k) {
		*out = *k;
		return true;
	}
	*out = (struct ksym){.text = want == KSYM_TEXT};
	rc = ask_named(s, mod, name, any_mod, out);
	if (rc == -ENOENT || (rc && !read_named(s, mod, name, want, out)))
		return false;
	k = xmalloc(sizeof(*k));
	*k = *out;
	hash_puts(&s->named, key, k);
	return true;
}

bool syms_percpu(struct syms *s, uint64_t addr)
{
	struct ksym start, end;

	return syms_named(s, vmlinux, "__per_cpu_start", KSYM_DATA, true, &start) &&
	       syms_named(s, vmlinux, "__per_cpu_end", KSYM_DATA, true, &end) &&
	       addr >= start.addr && addr < end.addr;
}

uint64_t syms_cpu_offsets(struct syms *s)
{
	struct ksym k;

	return syms_named(s, vmlinux, "__per_cpu_offset", KSYM_DATA, true, &k) ? k.addr : 0;
}

bool syms_have_data(struct syms *s)
{
	struct ksym k;

	return syms_named(s, vmlinux, "init_task", KSYM_DATA, true, &k) ||
	       syms_named(s, vmlinux, "jiffies_64", KSYM_DATA, true, &k);
}

struct similar {
	struct nearest nearest;
	char best[64];
};

static bool suggest_line(void *arg, const struct line *l)
{
	struct similar *m = arg;
	char name[sizeof(m->best)];

	if (l->len >= sizeof(name))
		return false;
	memcpy(name, l->name, l->len);
	name[l->len] = '\0';
	if (nearest_try(&m->nearest, name))
		memcpy(m->best, name, l->len + 1);
	return false;
}

const char *syms_similar(struct syms *s, const char *name)
{
	struct similar m = {.nearest = nearest_to(name)};

	each_line(s, suggest_line, &m);
	return *m.best ? hash_puts(&s->named, m.best, NULL) : NULL;
}

const char *syms_lack(struct syms *s, struct arena *a, const char *mod, const char *name, int want,
		      bool guess)
{
	const char *why = "the kernel has no such symbol", *near;

	if (mod && strcmp(mod, vmlinux) && access(arena_printf(a, "/sys/module/%s", mod), F_OK))
		return arena_printf(a, "no module %s is loaded", mod);
	if (!s)
		return why;
	if (want != KSYM_TEXT && !syms_have_data(s)) {
		if (want == KSYM_DATA)
			return "addresses of variables are unavailable: this kernel is built "
			       "without CONFIG_KALLSYMS_ALL";
		why = "the kernel has no such function, and addresses of variables are "
		      "unavailable: it is built without CONFIG_KALLSYMS_ALL";
	}
	near = guess ? syms_similar(s, name) : NULL;
	return arena_printf(a, "%s%s%s%s", why, near ? "; did you mean `" : "", near ? near : "",
			    near ? "?" : "");
}
