/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/user/usym.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/user/maps.h"
#include "libdt/user/object.h"

#ifdef HAVE_DEMANGLE
#include <libiberty/demangle.h>
#endif

/* A function that a just-in-time compiler wrote to /tmp/perf-PID.map. */
struct jit_sym {
	uint64_t addr, size;
	const char *name;
};

struct process {
	pid_t pid;
	VEC(struct maps *) maps; /* the newest last; older ones from before an exec or a dlopen */
	uint64_t read_ns;
	struct arena *jit_arena;
	VEC(struct jit_sym) jit;
	time_t jit_time;
	off_t jit_size;
};

struct usyms {
	struct arena *arena;
	struct hash processes; /* pid -> struct process */
	struct hash objects;   /* device and inode -> struct object, or &no_object */
	struct hash readable;  /* mangled name -> the other */
	bool demangle;
};

/* How often a process's mappings are read again for addresses that are in none. */
#define REREAD_NS 50000000
#define MAPS_KEPT 64

static char no_object[1];

struct usyms *usyms_new(bool demangle)
{
	struct usyms *us = xcalloc(1, sizeof(*us));

	us->arena = arena_new();
	us->demangle = demangle;
	return us;
}

static void process_free(struct process *p)
{
	for (int i = 0; i < p->maps.n; i++)
		maps_free(p->maps.v[i]);
	vec_free(&p->maps);
	vec_free(&p->jit);
	if (p->jit_arena)
		arena_free(p->jit_arena);
	free(p);
}

void usyms_free(struct usyms *us)
{
	if (!us)
		return;
	for (size_t i = 0; i < us->processes.n; i++)
		process_free(us->processes.entries[i].value);
	for (size_t i = 0; i < us->objects.n; i++)
		if (us->objects.entries[i].value != no_object)
			object_close(us->objects.entries[i].value);
	hash_free(&us->processes);
	hash_free(&us->objects);
	hash_free(&us->readable);
	arena_free(us->arena);
	free(us);
}

/* Processes ------------------------------------------------------------------------------------------------------- */

static void read_maps(struct process *p)
{
	struct maps *m = maps_read(p->pid);

	p->read_ns = clock_ns(CLOCK_MONOTONIC);
	if (m)
		vec_push(&p->maps, m);
}

static struct process *process_get(struct usyms *us, pid_t pid)
{
	struct process **p = (struct process **)hash_ref(&us->processes, &pid, sizeof(pid));

	if (!*p) {
		*p = xcalloc(1, sizeof(**p));
		(*p)->pid = pid;
		read_maps(*p);
	}
	return *p;
}

void usyms_see(struct usyms *us, pid_t pid)
{
	struct process *p = us ? hash_get(&us->processes, &pid, sizeof(pid)) : NULL;

	if (!p && us)
		process_get(us, pid);
	else if (p && p->maps.n < MAPS_KEPT) /* a compiler at run time makes new code all the time */
		read_maps(p);
}

/* The newest mapping that has the address; the process is looked at again when none has. */
static const struct mapping *mapping_of(struct process *p, uint64_t addr)
{
	for (int pass = 0; pass < 2; pass++) {
		for (int i = p->maps.n; i-- > 0;) {
			const struct mapping *m = maps_at(p->maps.v[i], addr);

			if (m)
				return m;
		}
		if (pass || clock_ns(CLOCK_MONOTONIC) - p->read_ns < REREAD_NS)
			break;
		read_maps(p);
	}
	return NULL;
}

/* Objects ------------------------------------------------------------------------------------------------------------ */

static struct object *object_of(struct usyms *us, struct process *p, const struct mapping *m)
{
	uint64_t key[2] = {m->dev, m->inode};
	void **slot;

	if (!m->inode || *m->path != '/')
		return NULL;
	slot = hash_ref(&us->objects, key, sizeof(key));
	if (!*slot) {
		char *path = mapping_open_path(p->pid, m), *why = NULL;

		*slot = object_open(path, &why);
		if (!*slot && !m->deleted) /* the process is gone; what is at the path now is most likely what it was */
			*slot = object_open(m->path, &why);
		if (!*slot)
			*slot = no_object;
		free(path);
		free(why);
	}
	return *slot == no_object ? NULL : *slot;
}

/* Code of just-in-time compilers --------------------------------------------------------------------------------------- */

static int jit_by_addr(const void *pa, const void *pb)
{
	const struct jit_sym *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* "7f12ab340000 1c0 name of the function" */
static void jit_line(struct process *p, char *line)
{
	struct jit_sym s;
	int at = 0;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &s.addr, &s.size, &at) < 2 || !at || !line[at])
		return;
	line[at + strcspn(line + at, "\n")] = '\0';
	s.name = arena_strdup(p->jit_arena, line + at);
	vec_push(&p->jit, s);
}

/* The number that a process has in its own pid namespace: the last one of NSpid. */
static pid_t inner_pid(pid_t pid)
{
	char path[64], line[512];
	pid_t inner = pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6))
			for (char *s = strtok(line + 6, " \t\n"); s; s = strtok(NULL, " \t\n"))
				inner = atoi(s);
	if (f)
		fclose(f);
	return inner;
}

/* Reads the map again when it has changed. */
/* Also one that nobody has waited for yet: it has no root any more. */
static bool has_ended(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root/", pid);
	return access(path, F_OK) && errno == ENOENT;
}

static void jit_read(struct process *p)
{
	char *path = xasprintf("/proc/%d/root/tmp/perf-%d.map", p->pid, inner_pid(p->pid));
	FILE *f = fopen(path, "re");
	struct stat st;
	char *line = NULL;
	size_t cap = 0;

	if (!f && has_ended(p->pid)) /* what it left may be there */
		f = fopen(strstr(path, "/tmp/"), "re");
	free(path);
	if (!f)
		return;
	if (!fstat(fileno(f), &st) && S_ISREG(st.st_mode) && (st.st_size != p->jit_size || st.st_mtime != p->jit_time)) {
		p->jit_size = st.st_size;
		p->jit_time = st.st_mtime;
		p->jit.n = 0;
		if (p->jit_arena)
			arena_free(p->jit_arena);
		p->jit_arena = arena_new();
		while (getline(&line, &cap, f) > 0)
			jit_line(p, line);
		if (p->jit.n)
			qsort(p->jit.v, p->jit.n, sizeof(p->jit.v[0]), jit_by_addr);
		free(line);
	}
	fclose(f);
}

static const struct jit_sym *jit_at(const struct process *p, uint64_t addr)
{
	int low = 0, high = p->jit.n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (p->jit.v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr - p->jit.v[low - 1].addr < p->jit.v[low - 1].size ? &p->jit.v[low - 1] : NULL;
}

static bool jit_find(struct usyms *us, struct process *p, uint64_t addr, const char **name, uint64_t *off)
{
	const struct jit_sym *s = jit_at(p, addr);

	if (!s) {
		jit_read(p);
		s = jit_at(p, addr);
	}
	if (!s)
		return false;
	*name = arena_strdup(us->arena, s->name); /* the map may be read again */
	*off = addr - s->addr;
	return true;
}

/* Names ------------------------------------------------------------------------------------------------------------------ */

static const char *readable(struct usyms *us, const char *name)
{
#ifdef HAVE_DEMANGLE
	if (us->demangle && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R')) {
		void **slot = hash_ref(&us->readable, name, strlen(name));
		char *text;

		if (!*slot) {
			text = cplus_demangle(name, DMGL_AUTO | DMGL_ANSI);
			*slot = text ? arena_strdup(us->arena, text) : (void *)name;
			free(text);
		}
		return *slot;
	}
#else
	(void)us;
#endif
	return name;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

bool usyms_find(struct usyms *us, pid_t pid, uint64_t addr, const char **mod, const char **name, uint64_t *off)
{
	struct process *p = us ? process_get(us, pid) : NULL;
	const struct mapping *m = p ? mapping_of(p, addr) : NULL;
	const struct object_sym *sym;
	struct object *o;

	*name = NULL;
	if (!m) { /* mapped since, by a process that is gone */
		*mod = "[anon]";
		return p && jit_find(us, p, addr, name, off);
	}
	o = object_of(us, p, m);
	*mod = *m->path ? base_name(m->path) : "[anon]";
	*off = addr - m->start + m->off;
	if (!o)
		return (!m->inode && jit_find(us, p, addr, name, off)) || *m->path;
	if (!object_addr(o, *off, off))
		return true;
	sym = object_sym_at(o, *off);
	if (sym) {
		*name = readable(us, sym->name);
		*off -= sym->addr;
	}
	return true;
}

uint64_t usyms_canon(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how)
{
	const struct mapping *m, *all;
	const char *mod, *name;
	uint64_t off;
	struct process *p;
	int n;

	if (!us || (how != USYM_FUNC && how != USYM_MOD) || !usyms_find(us, pid, addr, &mod, &name, &off))
		return addr;
	if (how == USYM_FUNC)
		return name ? addr - off : addr;
	p = process_get(us, pid);
	for (int i = 0; i < p->maps.n; i++) { /* the first mapping of the same file */
		m = maps_at(p->maps.v[i], addr);
		if (!m)
			continue;
		all = maps_all(p->maps.v[i], &n);
		for (int j = 0; j < n; j++)
			if (all[j].dev == m->dev && all[j].inode == m->inode && !strcmp(all[j].path, m->path))
				return all[j].start;
	}
	return addr;
}

void usyms_print(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how, struct strbuf *out)
{
	const char *mod, *name;
	uint64_t off;

	if (how == USYM_ADDR || !usyms_find(us, pid, addr, &mod, &name, &off))
		sb_printf(out, "0x%" PRIx64, addr);
	else if (how == USYM_MOD)
		sb_puts(out, mod);
	else if (!name)
		sb_printf(out, "%s`0x%" PRIx64, mod, off);
	else if (how == USYM_FUNC || !off)
		sb_printf(out, "%s`%s", mod, name);
	else
		sb_printf(out, "%s`%s+0x%" PRIx64, mod, name, off);
}
