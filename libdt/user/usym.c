/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/user/usym.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/hash.h"
#include "libdt/user/images.h"
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
	struct arena *jit_arena;
	VEC(struct jit_sym) jit;
	time_t jit_time;
	off_t jit_size;
};

/* A file that is mapped. */
struct file {
	struct object *object; /* NULL: it could not be opened */
	pid_t asked;	       /* for this process last: another one may know a way to it */
};

struct usyms {
	struct arena *arena;
	struct images *images;
	uint64_t time;	       /* when the addresses at hand were met; 0: not known */
	struct hash processes; /* pid -> struct process, of those that may have compiled code */
	struct hash files;     /* device and inode -> struct file */
	struct hash modules;   /* names of objects -> the same, to stay */
	struct hash readable;  /* mangled name -> the other */
	bool demangle;
};

struct usyms *usyms_new(bool demangle)
{
	struct usyms *us = xcalloc(1, sizeof(*us));

	us->arena = arena_new();
	us->images = images_new();
	us->demangle = demangle;
	return us;
}

static void process_free(struct process *p)
{
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
	for (size_t i = 0; i < us->files.n; i++) {
		struct file *f = us->files.entries[i].value;

		if (f->object)
			object_close(f->object);
		free(f);
	}
	images_free(us->images);
	hash_free(&us->processes);
	hash_free(&us->files);
	hash_free(&us->modules);
	hash_free(&us->readable);
	arena_free(us->arena);
	free(us);
}

/* Processes ------------------------------------------------------------------------------------------------------- */

static struct process *process_get(struct usyms *us, pid_t pid)
{
	struct process **p = (struct process **)hash_ref(&us->processes, &pid, sizeof(pid));

	if (!*p) {
		*p = xcalloc(1, sizeof(**p));
		(*p)->pid = pid;
	}
	return *p;
}

void usyms_follow(struct usyms *us, uint64_t (*pull)(void *arg), void *arg)
{
	images_follow(us->images, pull, arg);
}

void usyms_tell(struct usyms *us, const struct mapwatch_event *e)
{
	images_tell(us->images, e);
}

void usyms_catch_up(struct usyms *us)
{
	if (us)
		images_catch_up(us->images);
}

void usyms_see(struct usyms *us, pid_t pid)
{
	if (us)
		images_see(us->images, pid);
}

void usyms_when(struct usyms *us, uint64_t time)
{
	if (us)
		us->time = time;
}

/* Objects ------------------------------------------------------------------------------------------------------------ */

static struct object *open_at(const struct mapping *m, char *path)
{
	char *why = NULL, *opened;
	struct object *o = object_open(path, &why);

	free(path);
	free(why);
	if (!o)
		return NULL;
	opened = xasprintf("/proc/self/fd/%d", object_fd(o)); /* the path may lead to another file by now */
	if (!mapping_is_at(m, opened)) {
		object_close(o);
		o = NULL;
	}
	free(opened);
	return o;
}

/* As the process sees it; when that is gone, as those do who made it; and as we do. */
static struct object *open_for(struct usyms *us, pid_t pid, const struct mapping *m)
{
	enum { GENERATIONS = 8 };
	struct object *o = open_at(m, mapping_open_path(pid, m));
	pid_t parent = pid;

	for (int i = 0; !o && i < GENERATIONS && (parent = images_parent(us->images, parent)) > 0; i++)
		o = open_at(m, xasprintf("/proc/%d/root%s", parent, m->path));
	return o ? o : open_at(m, xstrdup(m->path));
}

static struct object *object_of(struct usyms *us, pid_t pid, const struct mapping *m)
{
	uint64_t key[2] = {m->dev, m->inode};
	struct file **slot;

	if (!m->inode || *m->path != '/')
		return NULL;
	slot = (struct file **)hash_ref(&us->files, key, sizeof(key));
	if (!*slot)
		*slot = xcalloc(1, sizeof(**slot));
	if (!(*slot)->object && (*slot)->asked != pid)
		(*slot)->object = open_for(us, pid, m);
	(*slot)->asked = pid;
	return (*slot)->object;
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

static bool jit_find(struct usyms *us, pid_t pid, uint64_t addr, const char **name, uint64_t *off)
{
	struct process *p = process_get(us, pid);
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

/* Texts live as long as us does; mappings do not. */
static const char *module_name(struct usyms *us, const char *name)
{
	void **slot = hash_ref(&us->modules, name, strlen(name));

	if (!*slot)
		*slot = arena_strdup(us->arena, name);
	return *slot;
}

static bool find(struct usyms *us, pid_t pid, uint64_t addr, uint64_t time, const char **mod, const char **name, uint64_t *off)
{
	const struct mapping *m = images_find(us->images, pid, addr, time, NULL);
	const struct object_sym *sym;
	struct object *o;

	if (!m) { /* mapped since, by a process that is gone */
		*mod = "[anon]";
		return jit_find(us, pid, addr, name, off);
	}
	o = object_of(us, pid, m);
	*mod = *m->path ? module_name(us, base_name(m->path)) : "[anon]";
	*off = addr - m->start + m->off;
	if (!o)
		return (!m->inode && jit_find(us, pid, addr, name, off)) || *m->path;
	if (!object_addr(o, *off, off))
		return true;
	sym = object_sym_at(o, *off);
	if (sym) {
		*name = readable(us, sym->name);
		*off -= sym->addr;
	}
	return true;
}

bool usyms_find(struct usyms *us, pid_t pid, uint64_t addr, const char **mod, const char **name, uint64_t *off)
{
	*name = NULL;
	if (us)
		return find(us, pid, addr, us->time, mod, name, off);
	*mod = "[anon]";
	return false;
}

uint64_t usyms_canon(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how)
{
	const char *mod, *name = NULL;
	const struct mapping *m, *all;
	const struct maps *in;
	uint64_t off;
	int n;

	if (!us || (how != USYM_FUNC && how != USYM_MOD) || !find(us, pid, addr, 0, &mod, &name, &off))
		return addr;
	if (how == USYM_FUNC)
		return name ? addr - off : addr;
	m = images_find(us->images, pid, addr, 0, &in);
	all = m ? maps_all(in, &n) : NULL;
	for (int j = 0; m && j < n; j++) /* the first mapping of the same file */
		if (all[j].dev == m->dev && all[j].inode == m->inode && !strcmp(all[j].path, m->path))
			return all[j].start;
	return addr;
}

void usyms_print(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how, struct strbuf *out)
{
	const char *mod, *name;
	uint64_t off;

	if (!usyms_find(us, pid, addr, &mod, &name, &off))
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
