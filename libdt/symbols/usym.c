/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/symbols/usym.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/hash.h"
#include "libdt/record/answers.h"
#include "libdt/process/foreign.h"
#include "libdt/symbols/image_history.h"
#include "libdt/symbols/jit.h"
#include "libdt/process/object.h"
#include "libdt/symbols/srcline.h"

#ifdef HAVE_DEMANGLE
#include <libiberty/demangle.h>
#endif

/* A file that is mapped. So many are open: of more the one that was not asked for the longest is
 * forgotten. */
enum { FILES_MAX = 256 };

struct file {
	uint64_t key[2];
	struct object *object; /* NULL: it could not be opened */
	pid_t asked;	       /* for this process last: another one may know a way to it */
	uint64_t turn;	       /* when it was asked for */
	struct srcfile *lines; /* NULL: source lines not needed yet */
};

struct usyms {
	struct arena *arena;
	struct foreign *foreign;
	struct image_history *images;
	uint64_t time; /* when the addresses at hand were met; 0: not known */
	struct jits *jits;
	struct hash files; /* device and inode -> struct file */
	uint64_t turns;
	struct hash readable;	/* mangled name -> the other, "": it stays as it is */
	size_t readable_bytes;	/* what they take */
	struct srclines *lines; /* NULL: disabled */
	/* NULL: numbers of processes are the same everywhere */
	pid_t (*here)(void *arg, pid_t kernel);
	void *here_arg;
	bool demangle;
	struct answers *answers; /* NULL: no recording or replay */
};

struct usyms *usyms_new(struct foreign *foreign)
{
	struct usyms *us = xcalloc(1, sizeof(*us));

	us->arena = arena_new();
	us->images = image_history_new(foreign);
	us->foreign = foreign;
	us->jits = jits_new(foreign, us->images);
	us->demangle = true;
	return us;
}

void usyms_demangle(struct usyms *us, bool on)
{
	if (us)
		us->demangle = on;
}

static void file_close(struct usyms *us, struct file *f)
{
	srcfile_free(us->lines, f->lines);
	object_close(f->object);
	f->lines = NULL;
	f->object = NULL;
}

static void file_free(struct usyms *us, struct file *f)
{
	file_close(us, f);
	free(f);
}

void usyms_free(struct usyms *us)
{
	if (!us)
		return;
	for (size_t i = 0; i < us->files.n; i++)
		if (us->files.entries[i].key)
			file_free(us, us->files.entries[i].value);
	srclines_free(us->lines);
	image_history_free(us->images);
	jits_free(us->jits);
	hash_free(&us->files);
	hash_free(&us->readable);
	arena_free(us->arena);
	free(us);
}

/* Processes --------------------------------------------------------------- */

void usyms_follow(struct usyms *us, uint64_t (*pull)(void *arg), void *arg)
{
	image_history_follow(us->images, pull, arg);
}

void usyms_event(struct usyms *us, const struct mmap_event *e)
{
	image_history_event(us->images, e);
	if (e->kind == MMAP_EVENT_EXEC)
		jits_exec(us->jits, e->pid, e->time);
}

void usyms_catch_up(struct usyms *us)
{
	if (us)
		image_history_catch_up(us->images);
}

void usyms_forget(struct usyms *us, uint64_t time)
{
	if (us)
		image_history_forget(us->images, time);
}

void usyms_number(struct usyms *us, pid_t (*here)(void *arg, pid_t kernel), void *arg)
{
	if (us)
		us->here = here, us->here_arg = arg;
}

/* A process not in our pid namespace, or gone, gets its number negated, which matches no
 * process. */
static pid_t number_here(struct usyms *us, pid_t pid)
{
	pid_t here = us->here && pid > 0 ? us->here(us->here_arg, pid) : pid;

	return here ? here : -pid;
}

void usyms_limit(struct usyms *us, uint64_t bytes)
{
	if (us)
		image_history_limit(us->images, bytes);
}

void usyms_see(struct usyms *us, pid_t pid)
{
	if (!us || answers_replay(us->answers))
		return;
	image_history_see(us->images, number_here(us, pid));
	jits_see(us->jits, number_here(us, pid));
}

void usyms_when(struct usyms *us, uint64_t time)
{
	if (us)
		us->time = time;
}

/* Objects ----------------------------------------------------------------- */

/* Opens the file as the process sees it, or as we do; if the process is gone, as its ancestors
 * do. */
static struct object *open_for(struct usyms *us, pid_t pid, const struct mapping *m)
{
	enum { GENERATIONS = 8 };
	struct foreign_file file;
	pid_t parent = pid;
	struct object *o;
	char *why;
	int err = foreign_find_mapped(us->foreign, pid, m, &file);

	for (int i = 0;
	     err && i < GENERATIONS && (parent = image_history_parent(us->images, parent)) > 0; i++)
		err = foreign_find_below(us->foreign, parent, m, &file);
	if (err)
		return NULL;
	o = object_open_file(us->foreign, &file, &why);
	free(why);
	return o;
}

static struct object *open_vdso(void)
{
	char *why;
	struct object *o = object_open_vdso(&why);

	free(why);
	return o;
}

static void forget_oldest(struct usyms *us)
{
	struct file *oldest = NULL;

	for (size_t i = 0; i < us->files.n; i++) {
		struct file *f = us->files.entries[i].value;

		if (f && (!oldest || f->turn < oldest->turn))
			oldest = f;
	}
	hash_remove(&us->files, oldest->key, sizeof(oldest->key));
	file_free(us, oldest);
}

static struct file *file_of(struct usyms *us, const struct mapping *m)
{
	uint64_t key[2] = {m->dev, m->inode}; /* 0 0: the kernel's own code */
	struct file *f = hash_get(&us->files, key, sizeof(key));

	if (!f) {
		if (us->files.live >= FILES_MAX)
			forget_oldest(us);
		f = xcalloc(1, sizeof(*f));
		memcpy(f->key, key, sizeof(key));
		hash_put(&us->files, key, sizeof(key), f);
	}
	f->turn = ++us->turns;
	return f;
}

/* A file that has an object; NULL: there is none. */
static struct file *mapped_file(struct usyms *us, pid_t pid, const struct mapping *m)
{
	bool vdso = mapping_is_vdso(m);
	struct file *f;

	if (!vdso && (!m->inode || *m->path != '/'))
		return NULL;
	f = file_of(us, m);
	if (f->object && f->asked != pid)
		object_retry(f->object, pid);
	/* another file may have its inode by now */
	if (f->object && (object_may_ask(f->object) || !object_keep(f->object))) {
		file_close(us, f);
		f->asked = 0;
	}
	if (!f->object && f->asked != pid)
		f->object = vdso ? open_vdso() : open_for(us, pid, m);
	f->asked = pid;
	return f->object ? f : NULL;
}

/* Names ------------------------------------------------------------------- */

#ifdef HAVE_DEMANGLE
/*
 * Some short names stand for texts that no memory holds: a name that would become longer than this
 * stays as it is. Others than dtrace's user choose the names and how many there are, so no more of
 * them are remembered than take CACHE_MAX bytes; ENTRY_BYTES: of an entry besides its texts.
 */
enum { READABLE_MAX = 2048, CACHE_MAX = 16 << 20, ENTRY_BYTES = 128 };

struct demangling {
	struct strbuf *text;
	jmp_buf too_long;
};

static void take_text(const char *part, size_t n, void *arg)
{
	struct demangling *d = arg;

	if (d->text->len + n > READABLE_MAX)
		longjmp(d->too_long, 1);
	sb_add(d->text, part, n);
}

/* Of Rust's or C++'s name the other one; nothing when it is of neither. */
static void demangle(const char *name, struct strbuf *text)
{
	struct demangling d = {.text = text};

	if (!setjmp(d.too_long)) {
		if (rust_demangle_callback(name, DMGL_ANSI, take_text, &d))
			return;
		text->len = 0;
		if (cplus_demangle_v3_callback(name, DMGL_ANSI, take_text, &d))
			return;
	}
	text->len = 0;
}
#endif

#ifdef HAVE_DEMANGLE
static void forget_readable(struct usyms *us)
{
	hash_free(&us->readable);
	us->readable = (struct hash){0};
	arena_reset(us->arena);
	us->readable_bytes = 0;
}

/* Remembered, also when it is "". */
static const char *make_readable(struct usyms *us, const char *name, size_t len)
{
	struct strbuf text = {0};
	const char *kept;

	demangle(name, &text);
	if (us->readable_bytes + len + text.len + ENTRY_BYTES > CACHE_MAX)
		forget_readable(us);
	us->readable_bytes += len + text.len + ENTRY_BYTES;
	kept = arena_strndup(us->arena, sb_str(&text), text.len);
	hash_put(&us->readable, name, len, (void *)kept);
	sb_free(&text);
	return kept;
}
#endif

static const char *readable(struct usyms *us, const char *name)
{
#ifdef HAVE_DEMANGLE
	if (us->demangle && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R')) {
		size_t len = strlen(name);
		const char *text = hash_get(&us->readable, name, len);

		text = text ? text : make_readable(us, name, len);
		return *text ? text : name;
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

/* What is at an address: the mapping of a file, and the address as the file's symbols have it. */
struct spot {
	const struct mapping *m;
	struct file *f; /* NULL: no object */
	uint64_t addr;
};

/* The .bss after an object's data belongs to it, though its mapping has no file. */
static bool is_zeroes_of(struct usyms *us, pid_t pid, uint64_t addr, const struct proc_maps *in,
			 const struct mapping *owner, struct spot *s)
{
	struct file *f = mapped_file(us, pid, owner);
	const struct segments *segs = f ? object_segments(f->object) : NULL;
	uint64_t bias;

	if (!f || !segments_bias(segs, in, owner, &bias) || !segments_has(segs, addr - bias))
		return false;
	*s = (struct spot){owner, f, addr - bias};
	return true;
}

static struct spot spot_of(struct usyms *us, pid_t pid, uint64_t addr, const struct proc_maps *in,
			   const struct mapping *m)
{
	const struct mapping *owner = segments_owner(in, m);
	struct spot s = {.m = m, .addr = addr - m->start + m->off};
	uint64_t bias;

	if (owner && is_zeroes_of(us, pid, addr, in, owner, &s))
		return s;
	s.f = mapped_file(us, pid, m);
	if (s.f && segments_bias(object_segments(s.f->object), in, m, &bias))
		s.addr = addr - bias;
	else
		s.f = NULL;
	return s;
}

/* In a mapping without a file. */
static bool find_jit(struct usyms *us, pid_t pid, uint64_t addr, uint64_t time, const char **mod,
		     const char **name, uint64_t *off)
{
	bool found = jits_find(us->jits, pid, addr, time, name, off);
	const struct mapping *m = image_history_find(us->images, pid, addr, time, NULL);

	*mod = m && *m->path ? base_name(m->path) : "[anon]";
	return found || (m && *m->path);
}

static bool find(struct usyms *us, pid_t pid, uint64_t addr, uint64_t time, const char **mod,
		 const char **name, uint64_t *off)
{
	const struct proc_maps *in;
	const struct mapping *m = image_history_find(us->images, pid, addr, time, &in);
	const struct object_sym *sym;
	struct spot s;

	if (!m) { /* mapped since, by a process that is gone */
		*mod = "[anon]";
		return jits_find(us->jits, pid, addr, time, name, off);
	}
	s = spot_of(us, pid, addr, in, m);
	*mod = *s.m->path ? base_name(s.m->path) : "[anon]";
	*off = s.addr;
	if (!s.f && !m->inode)
		return find_jit(us, pid, addr, time, mod, name, off);
	if (!s.f)
		return *m->path;
	sym = object_name_at(s.f->object, s.addr);
	if (sym) {
		*name = sym->name;
		*off -= sym->addr;
	}
	return true;
}

bool usyms_find(struct usyms *us, pid_t pid, uint64_t addr, const char **mod, const char **name,
		uint64_t *off)
{
	struct answer a = {0};

	*name = NULL;
	*mod = "[anon]";
	if (!us)
		return false;
	if (answers_replay(us->answers)) {
		a = answers_get(us->answers, ASK_USER, pid, addr, NULL);
	} else {
		a.known =
		    find(us, number_here(us, pid), addr, us->time, &a.first, &a.second, &a.number);
		answers_note(us->answers, ASK_USER, pid, addr, NULL, a);
	}
	if (a.first)
		*mod = a.first;
	if (a.second)
		*name = readable(us, a.second);
	*off = a.number;
	return a.known;
}

void usyms_report_lines(struct usyms *us, const char *command, const struct srclines_user *user)
{
	uint64_t size, ns;

	if (!us || us->lines)
		return;
	foreign_limits(us->foreign, &size, &ns);
	us->lines = srclines_new(command, ns, user);
}

static bool find_line(struct usyms *us, pid_t pid, uint64_t addr, const char **file, int *line)
{
	const struct mapping *m;
	const struct proc_maps *in;
	struct spot s;

	pid = number_here(us, pid);
	m = image_history_find(us->images, pid, addr, us->time, &in);
	if (!m)
		return false;
	s = spot_of(us, pid, addr, in, m);
	if (!s.f)
		return false;
	if (!s.f->lines)
		s.f->lines = srcfile_new(us->lines, s.f->object, base_name(s.m->path));
	return srclines_find(us->lines, s.f->lines, s.addr, file, line);
}

bool usyms_line(struct usyms *us, pid_t pid, uint64_t addr, const char **file, int *line)
{
	struct answer a = {0};
	bool replay = us && answers_replay(us->answers);
	int number = 0;

	if (!us || (!us->lines && !replay))
		return false;
	if (replay) {
		a = answers_get(us->answers, ASK_LINE, pid, addr, NULL);
		number = a.number;
	} else {
		a.known = find_line(us, pid, addr, &a.first, &number);
		a.number = number;
		answers_note(us->answers, ASK_LINE, pid, addr, NULL, a);
	}
	*file = a.first;
	*line = number;
	return a.known;
}

void usyms_set_answers(struct usyms *us, struct answers *as)
{
	if (us)
		us->answers = as;
}

uint64_t usyms_canon(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how)
{
	const char *mod, *name = NULL;
	const struct mapping *m, *all;
	const struct proc_maps *in;
	uint64_t off;
	int n;

	pid = us ? number_here(us, pid) : pid;
	if (!us || (how != USYM_FUNC && how != USYM_MOD) ||
	    !find(us, pid, addr, 0, &mod, &name, &off))
		return addr;
	if (how == USYM_FUNC)
		return name ? addr - off : addr;
	m = image_history_find(us->images, pid, addr, 0, &in);
	all = m ? proc_maps_all(in, &n) : NULL;
	if (m)
		m = spot_of(us, pid, addr, in, m).m;
	for (int j = 0; m && j < n; j++) /* the first mapping of the same file */
		if (all[j].dev == m->dev && all[j].inode == m->inode &&
		    !strcmp(all[j].path, m->path))
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
