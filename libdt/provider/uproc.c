/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/provider/uproc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/cached.h"
#include "libdt/base/nearest.h"
#include "libdt/opt.h"
#include "libdt/process/foreign.h"
#include "libdt/process/proc_maps.h"
#include "libdt/process/task.h"

/* A provider's probes that have an id from here: how many. */
struct given {
	const struct provider *provider;
	uint32_t n, marked; /* marked: when uproc_narrow() was called */
};

struct uprocs {
	struct probes *ps;
	struct hash met; /* provider, process, file, place and names -> struct probe */
	VEC(struct given) given;
	uint64_t charged;   /* for probes since uproc_narrow() */
	int nadded;	    /* how many these are */
	struct hash procs;  /* pid -> struct uproc */
	struct hash objs;   /* device and inode, or path -> struct uobj; object NULL: no ELF file */
	struct uproc *only; /* uproc_narrow(); NULL */
	bool fresh;	    /* its object was not there before */
};

static void uprocs_free(void *state)
{
	struct uprocs *us = state;

	for (size_t i = 0; i < us->procs.n; i++) {
		struct uproc *p = us->procs.entries[i].value;

		if (!p) /* it could not be looked at */
			continue;
		vec_free(&p->objs);
		hash_free(&p->known);
	}
	for (size_t i = 0; i < us->objs.n; i++) {
		struct uobj *o = us->objs.entries[i].value;

		object_close(o ? o->object : NULL); /* none: it was not kept */
	}
	hash_free(&us->procs);
	hash_free(&us->objs);
	hash_free(&us->met);
	vec_free(&us->given);
}

static struct uprocs *uprocs(struct probes *ps)
{
	struct uprocs *us = probes_state(ps, "uproc.c", sizeof(*us), uprocs_free);

	us->ps = ps;
	return us;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void take_file(struct foreign *f, struct uobj *o, const struct foreign_file *file)
{
	o->foreign = file->own < 0;
	o->file = (struct file_key){file->dev, file->inode};
	o->uid = foreign_owner_of(f, file->uid);
}

static void open_mapped(struct uprocs *us, pid_t pid, const struct mapping *m, struct uobj *o)
{
	struct foreign *f = probes_foreign(us->ps);
	struct foreign_file file;
	char *path, *why;

	file.err = foreign_find_mapped(f, pid, m, &file);
	o->refused = foreign_is_users(file.err);
	if (file.err)
		return;
	take_file(f, o, &file);
	path = xstrdup(file.path);
	o->object = object_open_file(f, &file, &why);
	o->refused = foreign_is_users(file.err);
	if (o->object) /* else it may be asked for again and again */
		o->open = arena_strdup(probes_arena(us->ps), path);
	free(path);
	free(why);
}

/* The object of a mapping, opened when it is first met. */
static struct uobj *mapped(struct uprocs *us, pid_t pid, const struct mapping *m)
{
	struct file_key key = {m->dev, m->inode};
	struct uobj **o = (struct uobj **)hash_ref(&us->objs, &key, sizeof(key));
	struct arena *a = probes_arena(us->ps);

	if (!*o) {
		*o = arena_alloc(a, sizeof(**o));
		(*o)->path = arena_strdup(a, m->path);
		(*o)->name = base_name((*o)->path);
		(*o)->dev = m->dev;
		(*o)->inode = m->inode;
		(*o)->refused = true;
	}
	if ((*o)->refused)
		open_mapped(us, pid, m, *o);
	else if ((*o)->object)
		object_retry((*o)->object, pid);
	return *o;
}

static bool has(const struct uproc *p, const struct uobj *o)
{
	return hash_get(&p->known, &o, sizeof(o));
}

static void add(struct uproc *p, struct uobj *o)
{
	if (has(p, o))
		return;
	hash_put(&p->known, &o, sizeof(o), o);
	vec_push(&p->objs, o);
}

static void find_program(struct uproc *p)
{
	char path[64];
	struct cached c;

	snprintf(path, sizeof(path), "/proc/%d/exe", task_shown(p->pid));
	/* its file system need not answer */
	if (!cached_at(AT_FDCWD, path, &c))
		return;
	for (int i = 0; i < p->objs.n; i++) {
		struct uobj *o = p->objs.v[i];

		if (o->inode == c.inode && (!o->file.inode || o->file.dev == c.dev))
			p->program = o;
	}
	if (p->program)
		p->program->is_program = true;
}

static const struct uproc *no_process(struct probes *ps, pid_t pid, const char **why)
{
	*why = arena_printf(probes_arena(ps), "process %d has no mappings", pid);
	return NULL;
}

bool uproc_narrow(struct probes *ps, pid_t pid, pid_t by, const struct mapping *m)
{
	struct uprocs *us = uprocs(ps);
	struct file_key key = {m->dev, m->inode};
	struct uobj *o;

	us->fresh = !hash_get(&us->objs, &key, sizeof(key));
	probes_mark(ps);
	o = mapped(us, by, m);
	if (!o->object && us->fresh) /* the next one may know a way to it */
		hash_remove(&us->objs, &key, sizeof(key));
	if (!o->object) {
		probes_release(ps, false);
		return false;
	}
	us->only = xcalloc(1, sizeof(*us->only));
	us->only->pid = by;
	add(us->only, o);
	find_program(us->only);
	us->only->pid = pid;
	us->charged = us->nadded = 0;
	for (int i = 0; i < us->given.n; i++)
		us->given.v[i].marked = us->given.v[i].n;
	return true;
}

/* The probes that were added last are not met any more. */
static void forget_added(struct uprocs *us, struct object *object)
{
	struct hash *met = &us->met;

	for (size_t i = met->n; us->nadded; i--) {
		const struct hash_entry *e = &met->entries[i - 1];

		if (!e->key)
			continue;
		hash_remove(met, e->key, e->len);
		us->nadded--;
	}
	for (int i = 0; i < us->given.n; i++)
		us->given.v[i].n = us->given.v[i].marked;
	if (us->charged)
		object_release(object, us->charged);
}

void uproc_widen(struct probes *ps, bool keep)
{
	struct uprocs *us = uprocs(ps);
	struct uobj *o = us->only->objs.v[0];
	struct file_key key = {o->dev, o->inode};
	struct object *object = o->object;

	o->cut = false;
	vec_free(&us->only->objs);
	hash_free(&us->only->known);
	free(us->only);
	us->only = NULL;
	if (probes_release(ps, keep)) /* o is gone if not */
		return;
	forget_added(us, object);
	if (us->fresh) {
		hash_remove(&us->objs, &key, sizeof(key));
		object_close(object);
	}
}

const struct uobj *uproc_only(struct probes *ps)
{
	const struct uprocs *us = uprocs(ps);

	return us->only ? us->only->objs.v[0] : NULL;
}

static const char *no_maps(struct probes *ps, pid_t pid, int err)
{
	struct arena *a = probes_arena(ps);

	if (err != ENOENT && err != ESRCH)
		return arena_printf(a, "cannot read process %d: %s", pid, strerror(err));
	if (access(arena_printf(a, "/proc/%d", pid), F_OK))
		return arena_printf(a, "there is no process %d", pid);
	return arena_printf(a, "process %d runs no program: it has ended, or is a kernel thread",
			    pid);
}

struct adding {
	struct uprocs *us;
	struct uproc *to;
};

static void add_mapped(void *arg, const struct mapping *m)
{
	const struct adding *adding = arg;
	struct uobj *o = mapped(adding->us, adding->to->pid, m);

	if (o->object)
		add(adding->to, o);
}

const struct uproc *uproc_get(struct probes *ps, pid_t pid, const char **why)
{
	struct uprocs *us = uprocs(ps);
	struct uproc *p = hash_get(&us->procs, &pid, sizeof(pid));
	struct proc_maps *maps;

	*why = NULL;
	if (us->only)
		return us->only->pid == pid ? us->only : no_process(ps, pid, why);
	if (p)
		return p;
	probes_meet_process(ps);
	maps = foreign_maps(probes_foreign(ps), pid);
	if (!maps) {
		*why = no_maps(ps, pid, errno);
		return NULL;
	}
	p = arena_alloc(probes_arena(ps), sizeof(*p));
	hash_put(&us->procs, &pid, sizeof(pid), p);
	p->pid = pid;
	if (!proc_maps_each_code(maps, add_mapped, &(struct adding){us, p}))
		foreign_omit_files(probes_foreign(ps), pid, MAPPED_FILES_MAX);
	proc_maps_free(maps);
	find_program(p);
	return p;
}

bool uproc_base(struct probes *ps, pid_t pid, const struct uobj *o, uint64_t *base)
{
	struct proc_maps *maps = foreign_maps(probes_foreign(ps), pid);
	const struct mapping *all;
	bool found = false;
	int n = 0;

	all = maps ? proc_maps_all(maps, &n) : NULL;
	for (int i = 0; i < n && !found; i++)
		found = all[i].exec && all[i].dev == o->dev && all[i].inode == o->inode &&
			segments_bias(object_segments(o->object), maps, &all[i], base);
	proc_maps_free(maps);
	return found;
}

const char *uproc_text(struct probes *ps, const struct uproc *p)
{
	if (p->program)
		return arena_printf(probes_arena(ps), "process %d (%s)", p->pid, p->program->name);
	return arena_printf(probes_arena(ps), "process %d", p->pid);
}

/* The length of the name without the version, "libc.so"; 0: it has none. */
static size_t unversioned(const char *name)
{
	const char *so = strstr(name, ".so.");

	return so ? so + strlen(".so") - name : 0;
}

const char *uproc_no_object(struct probes *ps, const struct uproc *p, const char *object)
{
	const char *own = base_name(object), *other = NULL;
	size_t len = unversioned(own);

	for (int i = 0; len && !other && i < p->objs.n; i++) {
		const char *name = p->objs.v[i]->name;

		if (unversioned(name) == len && !strncmp(name, own, len))
			other = name;
	}
	return arena_printf(probes_arena(ps), "%s has no object %s mapped%s%s", uproc_text(ps, p),
			    object, other ? ", but " : "", other ? other : "");
}

const char *uproc_no_variable(struct probes *ps, const struct uproc *p, const char *object,
			      const char *name, bool *files)
{
	struct nearest near = nearest_to(name);
	int n;

	*files = false;
	for (int i = 0; i < p->objs.n; i++) {
		const struct object_sym *vars;

		if (!uproc_names(p, p->objs.v[i], object))
			continue;
		*files = true;
		vars = object_vars(p->objs.v[i]->object, &n);
		for (int j = 0; j < n; j++)
			nearest_try(&near, vars[j].name);
	}
	if (!*files)
		return uproc_no_object(ps, p, object);
	return arena_printf(probes_arena(ps),
			    "no variable %s in %s of %s; only exported variables of a "
			    "stripped file are visible%s%s%s",
			    name, *object ? object : "any object", uproc_text(ps, p),
			    near.best ? "; did you mean " : "", near.best ? near.best : "",
			    near.best ? "?" : "");
}

static const struct object_sym *find_variable(struct object *o, const char *name)
{
	int n;
	const struct object_sym *vars = object_vars(o, &n);

	for (int i = 0; i < n; i++)
		if (!strcmp(vars[i].name, name))
			return &vars[i];
	return NULL;
}

const char *uproc_variable(struct probes *ps, pid_t pid, const char *object, const char *name,
			   uint64_t *addr, const struct type **type)
{
	struct arena *a = probes_arena(ps);
	const struct object_sym *v;
	const char *why;
	const struct uproc *p = uproc_get(ps, pid, &why);
	bool files;

	if (!p)
		return why;
	for (int i = 0; i < p->objs.n; i++) {
		struct uobj *o = p->objs.v[i];

		v = uproc_names(p, o, object) ? find_variable(o->object, name) : NULL;
		if (!v)
			continue;
		if (v->of_threads)
			return arena_printf(a, "%s is thread-local", name);
		if (!uproc_base(ps, pid, o, addr))
			return arena_printf(a, "cannot determine where %s is mapped", o->name);
		*addr += v->addr;
		*type = type_user_var(probes_types(ps), uobj_types(ps, o), name, v->addr);
		return NULL;
	}
	return uproc_no_variable(ps, p, object, name, &files);
}

struct uobj *uobj_get(struct probes *ps, pid_t pid, const char *path, const char **why)
{
	struct arena *a = probes_arena(ps);
	const char *open;
	struct uprocs *us = uprocs(ps);
	struct uobj **o;
	struct foreign_file file;
	char *reason = NULL;
	int err;

	*why = NULL;
	if (us->only)
		return strcmp(us->only->objs.v[0]->path, path) ? NULL : us->only->objs.v[0];
	open =
	    pid ? arena_printf(a, "/proc/%d/root%s", task_shown(pid), path) : arena_strdup(a, path);
	o = (struct uobj **)hash_ref(&us->objs, open, strlen(open));
	if (!*o) {
		*o = arena_alloc(a, sizeof(**o));
		(*o)->path = arena_strdup(a, path);
		(*o)->open = open;
		(*o)->name = base_name((*o)->path);
		(*o)->is_program = !pid;
		err = foreign_find(probes_foreign(ps), pid, path, &file);
		if (err) {
			reason = xstrdup(foreign_refusal(err));
		} else {
			take_file(probes_foreign(ps), *o, &file);
			(*o)->object = object_open_file(probes_foreign(ps), &file, &reason);
		}
		(*o)->why = reason ? arena_printf(a, "%s: %s", path, reason) : NULL;
		free(reason);
	}
	*why = (*o)->why;
	return (*o)->object ? *o : NULL;
}

void uobj_sections(struct object *o, struct type_sections *s)
{
	*s = (struct type_sections){.is_64 = object_is_64(o)};
	s->btf = object_section(o, ".BTF", &s->btf_len, NULL);
	s->ctf = object_section(o, ".ctf", &s->ctf_len, NULL);
	if (s->btf_len || !s->ctf_len)
		return;
	s->symtab = object_section(o, ".symtab", &s->symtab_len, NULL);
	s->strtab = object_section(o, ".strtab", &s->strtab_len, NULL);
	s->dynsym = object_section(o, ".dynsym", &s->dynsym_len, NULL);
	s->dynstr = object_section(o, ".dynstr", &s->dynstr_len, NULL);
}

struct user_types *uobj_types(struct probes *ps, struct uobj *o)
{
	struct foreign *f = probes_foreign(ps);
	struct type_sections s;

	/* they may be there for another user's process (object_retry()), or later */
	if (o->types && (!o->types_refused || object_is_refused(o->object) ||
			 (type_user_is_refused(o->types) && !object_time(o->object))))
		return o->types;
	uobj_sections(o->object, &s);
	if (!s.btf_len && !s.ctf_len) {
		s.dwarf = object_debug_data(o->object, ".debug_info");
		s.has_dwarf = s.dwarf >= 0;
	}
	s.limits.foreign = f;
	s.limits.payer = object_payer(o->object);
	if (object_is_foreign(o->object))
		foreign_limits(f, &s.limits.size, &s.limits.ns);
	o->types = type_user_open(probes_types(ps), o->open, &s);
	if (s.has_dwarf)
		close(s.dwarf);
	o->types_refused = object_is_refused(o->object) || type_user_is_refused(o->types);
	return o->types;
}

void uproc_end_types(struct probes *ps)
{
	struct uprocs *us = uprocs(ps);

	for (size_t i = 0; i < us->objs.n; i++) {
		struct uobj *o = us->objs.entries[i].value;

		if (o && o->object)
			object_fd_end(o->object);
	}
}

struct user_types *uproc_types(struct probes *ps, pid_t pid, const char *object, int i)
{
	struct uprocs *us = uprocs(ps);
	const struct uproc *p;
	const char *why;

	if (pid) {
		p = uproc_get(ps, pid, &why);
		for (int n = 0; p && n < p->objs.n; n++)
			if (uproc_names(p, p->objs.v[n], object) && !i--)
				return uobj_types(ps, p->objs.v[n]);
		return NULL;
	}
	for (size_t n = 0; n < us->objs.n; n++) {
		struct uobj *o = us->objs.entries[n].value;

		if (o && o->object && uproc_names(NULL, o, object) && !i--)
			return uobj_types(ps, o);
	}
	return NULL;
}

/* Objects of several processes, each once. */
struct walk {
	struct probes *ps;
	void (*fn)(void *arg, struct uobj *o); /* NULL: they are counted */
	void *arg;
	struct hash seen;
	const char *path, *why; /* of uproc_each_at() */
	int n;
};

static bool is_first(struct walk *w, const void *key, size_t len)
{
	void **slot = hash_ref(&w->seen, key, len);
	bool first = !*slot;

	*slot = w;
	return first;
}

static void walk_process(void *arg, pid_t pid)
{
	struct walk *w = arg;
	const char *why;
	const struct uproc *proc = uproc_get(w->ps, pid, &why);

	for (int i = 0; proc && i < proc->objs.n; i++)
		if (is_first(w, &proc->objs.v[i], sizeof(proc->objs.v[i])))
			w->fn(w->arg, proc->objs.v[i]);
}

static void walk_all(struct walk *w)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (*e->d_name >= '1' && *e->d_name <= '9')
			walk_process(w, atoi(e->d_name));
	if (dir)
		closedir(dir);
}

void uproc_each(struct probes *ps, void (*fn)(void *arg, struct uobj *o), void *arg)
{
	struct walk w = {.ps = ps, .fn = fn, .arg = arg};

	if (uprocs(ps)->only)
		fn(arg, uprocs(ps)->only->objs.v[0]);
	else if (!probes_each_member(ps, walk_process, &w))
		walk_all(&w);
	hash_free(&w.seen);
}

int uproc_each_holder(struct probes *ps, const struct uobj *o, void (*fn)(void *arg, pid_t pid),
		      void *arg)
{
	struct uprocs *us = uprocs(ps);
	int n = 0;

	for (size_t i = 0; i < us->procs.n; i++) {
		const struct uproc *p = us->procs.entries[i].value;

		if (!p || !has(p, o))
			continue;
		fn(arg, p->pid);
		n++;
	}
	return n;
}

/* What the C library is called on Solaris and its descendants. */
#define OTHER_LIBC "libc.so.1"

bool uproc_runs(const struct uproc *p, const struct uobj *o)
{
	return p ? o == p->program : o->is_program;
}

bool uobj_named(const struct uobj *o, bool runs, const char *pattern)
{
	size_t len = strlen(pattern);

	if (!*pattern || glob_fits(pattern, o->name) || glob_fits(pattern, o->path))
		return true;
	if (runs && !strcmp(pattern, "a.out"))
		return true;
	if (!strcmp(pattern, OTHER_LIBC) && !strncmp(o->name, "libc.so.", strlen("libc.so.")))
		return true;
	return !strncmp(o->name, pattern, len) && o->name[len] == '.';
}

bool uproc_names(const struct uproc *p, const struct uobj *o, const char *pattern)
{
	return uobj_named(o, uproc_runs(p, o), pattern);
}

/* Six digits, as the column of ids has, while there are some: a provider has so many of these. */
enum { SHORT_IDS = 100000, PID_IDS = 300000, LONG_IDS = 1 << 28 };

static uint32_t next_id(uint32_t first, uint32_t n)
{
	return n < SHORT_IDS ? first + n : ((first - PID_IDS) / SHORT_IDS + 1) * LONG_IDS + n;
}

static struct given *given_by(struct uprocs *us, const struct provider *provider)
{
	for (int i = 0; i < us->given.n; i++)
		if (us->given.v[i].provider == provider)
			return &us->given.v[i];
	vec_push(&us->given, ((struct given){.provider = provider}));
	return &us->given.v[us->given.n - 1];
}

/* Tables with a probe in them, and the rounding of what is allocated for it; the most probes of a
 * file of which late ones are chosen: more than can be enabled. */
enum { PROBE_TABLES = 192, NARROW_MAX = 8192 };

/* May the file have another probe, which takes so much memory? */
static bool take(struct uprocs *us, struct uobj *o, uint64_t bytes)
{
	if (o->cut)
		return false;
	o->cut = (us->only && us->nadded >= NARROW_MAX) ||
		 (o->foreign && !object_charge(o->object, bytes));
	if (o->cut)
		return false;
	us->nadded++;
	us->charged += o->foreign ? bytes : 0;
	return true;
}

struct probe *uproc_probe(struct probes *ps, const struct provider *provider, uint32_t first,
			  const struct uplace *at, const char *prov, const char *func,
			  const char *name)
{
	struct uprocs *us = uprocs(ps);
	char *key = xasprintf("%s %d %s %llx %s %s %s", provider->name, at->pid, at->obj->open,
			      (unsigned long long)at->off, prov, func, name);
	size_t len = strlen(key);
	void **slot = hash_ref(&us->met, key, len);
	struct probe *p;

	if (*slot || !take(us, at->obj, sizeof(*p) + 2 * len + at->data + PROBE_TABLES)) {
		if (!*slot)
			hash_remove(&us->met, key, len);
		free(key);
		return NULL;
	}
	free(key);
	*slot = p = probe_add(ps, provider, next_id(first, given_by(us, provider)->n++),
			      at->obj->name, func, name);
	p->prov = probes_keep_name(ps, prov);
	p->target.name = at->obj->open;
	p->target.foreign = at->obj->foreign;
	p->target.dev = at->obj->file.dev;
	p->target.inode = at->obj->file.inode;
	p->target.offset = at->off;
	p->target.pid = at->pid;
	p->file = at->obj;
	return p;
}

/* The name of a provider ends in the process's number, in "*", or in "*" and digits. */
static size_t without_process(const char *prov, pid_t pid)
{
	size_t len = strlen(prov), end = pid ? snprintf(NULL, 0, "%d", pid) : 1;

	if (!pid && strchr(prov, '*'))
		end = strlen(strrchr(prov, '*'));
	return len > end ? len - end : len;
}

static const char *identity(struct probes *ps, struct uobj *o)
{
	if (!o->identity)
		o->identity = arena_printf(probes_kept_arena(ps), "%" PRIx64 " %" PRIx64,
					   o->file.dev, o->file.inode);
	return o->identity;
}

char *uproc_place(struct probes *ps, const struct probe *p)
{
	return xasprintf("%s %llx %.*s %s %s", identity(ps, p->file),
			 (unsigned long long)p->target.offset,
			 (int)without_process(p->prov, p->target.pid), p->prov, p->func, p->name);
}

char *uproc_site(struct probes *ps, const struct probe *p)
{
	return xasprintf("%s %llx", identity(ps, p->file), (unsigned long long)p->target.offset);
}

/* What a process sees at a path depends on its root and its mounts. */
static char *view_of(pid_t pid)
{
	pid_t shown = task_shown(pid);
	char *root = xasprintf("/proc/%d/root", shown),
	     *mounts = xasprintf("/proc/%d/ns/mnt", shown), *view = NULL;
	struct cached ns, top;

	if (cached_at(AT_FDCWD, mounts, &ns) && cached_at(AT_FDCWD, root, &top))
		view = xasprintf("%" PRIx64 " %" PRIx64 " %" PRIx64, ns.inode, top.dev, top.inode);
	free(mounts);
	free(root);
	return view;
}

static void walk_path(void *arg, pid_t pid)
{
	struct walk *w = arg;
	char *view = view_of(pid);
	struct uobj *o = NULL;
	const char *file;

	if (view && is_first(w, view, strlen(view)))
		o = uobj_get(w->ps, pid, w->path, &w->why);
	file = o ? identity(w->ps, o) : NULL;
	if (o && is_first(w, file, strlen(file))) {
		w->n++;
		if (w->fn)
			w->fn(w->arg, o);
	}
	free(view);
}

int uproc_each_at(struct probes *ps, const char *path, void (*fn)(void *arg, struct uobj *o),
		  void *arg, const char **why)
{
	struct walk w = {.ps = ps, .fn = fn, .arg = arg, .path = path};
	struct uobj *o;

	if (uprocs(ps)->only || !probes_each_member(ps, walk_path, &w) || !w.seen.n) {
		o = uobj_get(ps, 0, path, &w.why);
		w.n = o != NULL;
		if (o && fn)
			fn(arg, o);
	}
	*why = w.n ? NULL : w.why;
	hash_free(&w.seen);
	return w.n;
}

bool uproc_has_at(struct probes *ps, pid_t pid, const char *path)
{
	const char *why;

	return pid ? uobj_get(ps, pid, path, &why) != NULL
		   : uproc_each_at(ps, path, NULL, NULL, &why) > 0;
}

static void no_member(void *arg, pid_t pid)
{
	(void)arg;
	(void)pid;
}

const char *uproc_none(struct probes *ps)
{
	return probes_each_member(ps, no_member, NULL)
		   ? arena_printf(probes_arena(ps), "no process of control group %s",
				  opt_text(probes_opts(ps), OPT_CGROUP))
		   : "no process";
}

pid_t uproc_number(const char *prov, size_t name_len)
{
	const char *digits = prov + strnlen(prov, name_len);
	unsigned long n;
	char *end;

	if (*digits < '1' || *digits > '9')
		return 0;
	n = strtoul(digits, &end, 10);
	return *end || n > 0x7fffffff ? 0 : (pid_t)n;
}
