/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects: their symbols, sections and bytes, as elfread() or the reader answers them. */
#include "libdt/process/object_int.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libdt/process/cfi.h"
#include "libdt/process/foreign.h"
#include "libdt/process/foreign_time.h"

/* Questions --------------------------------------------------------------- */

static void pay(struct object *o, uint32_t payer)
{
	foreign_charge(o->file.foreign, o->file.found.payer, -(int64_t)o->charged);
	foreign_charge(o->file.foreign, payer, o->charged);
	o->file.found.payer = payer;
	o->refused = o->exhausted = false;
}

/* There is one. */
static void pay_by_next(struct object *o)
{
	pay(o, o->others[--o->nothers]);
}

/* Another user whose process has the file pays where this one has nothing left. */
static void choose_payer(struct object *o, uint64_t bytes)
{
	while (o->nothers && foreign_space_for(o->file.foreign, o->file.found.payer) < bytes)
		pay_by_next(o);
}

bool object_charge(struct object *o, uint64_t bytes)
{
	if (!o->file.foreign)
		return true;
	choose_payer(o, bytes);
	if (!foreign_take(o->file.foreign, o->file.found.payer, o->file.found.path, bytes))
		return false;
	o->charged += bytes;
	return true;
}

void object_release(struct object *o, uint64_t bytes)
{
	if (!o->file.foreign)
		return;
	foreign_charge(o->file.foreign, o->file.found.payer, -(int64_t)bytes);
	o->charged -= bytes;
}

/* Less was needed than was charged. */
static void recharge(struct object *o, uint64_t bytes)
{
	if (!o->file.foreign)
		return;
	foreign_charge(o->file.foreign, o->file.found.payer, (int64_t)bytes - (int64_t)o->charged);
	o->charged = bytes;
}

/* Linkers make a handful; a look-up of a mapping compares all with all of its neighbours. */
enum { SEGMENTS_MAX = 64 };

static void block_free(struct object_block *b)
{
	if (b->foreign)
		foreign_drop(b->foreign, b->payer, b->mem, b->len);
	else
		free(b->mem);
	*b = (struct object_block){0};
}

/* Nothing (len 0) when the file does not say it. */
static struct object_block ask(struct object *o, struct elfread_ask a)
{
	struct strbuf out = {0};

	if (!object_file_keep(&o->file))
		return (struct object_block){0};
	if (o->file.foreign) {
		struct object_block b = {.foreign = o->file.foreign, .refused = o->exhausted};

		if (!o->exhausted)
			choose_payer(o, 1);
		while (!o->exhausted) {
			b.payer = o->file.found.payer;
			b.mem = foreign_ask(o->file.foreign, &o->file.found, &a, &b.len);
			b.refused = foreign_is_users(o->file.found.err);
			if (!b.refused || !o->nothers)
				break;
			pay_by_next(o);
		}
		o->refused |= b.refused;
		o->exhausted = b.refused && o->file.found.err == -ENOSPC;
		return b;
	}
	a.space = INT64_MAX;
	elfread(o->file.elf, o->file.fd, &a, &out);
	return (struct object_block){.mem = out.s, .len = out.len};
}

struct object_block object_ask(struct object *o, struct elfread_ask a)
{
	struct object_block b = ask(o, a);

	if (b.mem)
		vec_push(&o->blocks, b);
	return b;
}

void *object_table(const struct object_block *b, size_t row, struct elfread_table *t, char **texts)
{
	uint64_t space = b->len - sizeof(*t);

	if (b->len < sizeof(*t))
		return NULL;
	memcpy(t, b->mem, sizeof(*t));
	if (t->n > INT32_MAX || t->n > space / row || t->texts_len != space - t->n * row ||
	    !t->texts_len)
		return NULL;
	*texts = (char *)b->mem + b->len - t->texts_len;
	return (*texts)[t->texts_len - 1] ? NULL : (char *)b->mem + sizeof(*t);
}

bool object_set_text(const char **p, const char *texts, uint64_t len)
{
	uint64_t off = (uintptr_t)*p;

	*p = texts + (off < len ? off : 0);
	return off < len;
}

/* Opening ----------------------------------------------------------------- */

static bool take_head(struct object *o)
{
	struct object_block b = object_ask(o, (struct elfread_ask){.what = ELFREAD_HEAD});
	const struct segment *segments;
	uint64_t len;

	if (b.len < sizeof(o->head))
		return false;
	memcpy(&o->head, b.mem, sizeof(o->head));
	len = sizeof(o->head) + (uint64_t)o->head.nsegments * sizeof(struct segment) +
	      (uint64_t)o->head.nsections * sizeof(struct elfread_section) + o->head.names_len;
	if (len != b.len || !o->head.names_len || ((char *)b.mem)[b.len - 1] ||
	    o->head.build_id_len > sizeof(o->head.build_id))
		return false;
	segments = (void *)((char *)b.mem + sizeof(o->head));
	o->segments.fixed = o->head.fixed;
	for (uint32_t i = 0; i < MIN(o->head.nsegments, (uint32_t)SEGMENTS_MAX); i++)
		vec_push(&o->segments.v, segments[i]);
	o->sections = (void *)(segments + o->head.nsegments);
	o->names = (void *)(o->sections + o->head.nsections);
	o->contents = xcalloc(o->head.nsections + 1, sizeof(*o->contents));
	o->lengths = xcalloc(o->head.nsections + 1, sizeof(*o->lengths));
	return true;
}

static struct object *object_new(void)
{
	struct object *o = xcalloc(1, sizeof(*o));

	o->arena = arena_new();
	o->data = -1;
	return o;
}

/* file: what it can be found again by with f, is the object's; NULL: that is not needed. */
static struct object *object_of(Elf *elf, int fd, struct foreign *f, struct foreign_file *file,
				char **why)
{
	const char *refusal = elfread_refusal(elf);
	struct object *o;

	if (refusal) {
		*why = xstrdup(refusal);
		if (file)
			foreign_release(file);
		elf_end(elf);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	o = object_new();
	o->file.fd = fd;
	o->file.elf = elf;
	foreign_file_init(&o->file.found);
	if (file) {
		o->file.found = *file;
		o->file.finder = f;
		object_file_enter(&o->file);
	}
	if (take_head(o))
		return o;
	*why = xstrdup("it is not an ELF file");
	object_close(o);
	return NULL;
}

struct object *object_open_file(struct foreign *f, struct foreign_file *file, char **why)
{
	struct foreign_file own = *file;
	struct object *o;
	int err;

	*why = NULL;
	foreign_file_init(file);
	elf_version(EV_CURRENT);
	if (own.size < OBJECT_MIN) {
		foreign_release(&own);
		*why = xstrdup("it is not an ELF file");
		return NULL;
	}
	if (own.own >= 0) {
		int fd = own.own;

		own.own = -1;
		return object_of(elf_begin(fd, ELF_C_READ, NULL), fd, f, &own, why);
	}
	o = object_new();
	o->file.fd = -1;
	o->file.foreign = f;
	o->file.found = own;
	o->file.finder = f;
	object_file_enter(&o->file);
	if (take_head(o))
		return o;
	err = o->file.found.err;
	*why = xstrdup(!err || err == -ENOEXEC ? "it is not an ELF file"
		       : err == -EFBIG	       ? "it is too large (-x foreignsize)"
		       : err == -ETIMEDOUT     ? "reading it took too long (-x foreigntime)"
		       : foreign_is_users(err) ? foreign_refusal(err)
					       : strerror(-err));
	file->err = err;
	object_close(o);
	return NULL;
}

struct object *object_open(const char *path, char **why)
{
	struct foreign_file file;
	int err = foreign_find_own(path, &file);

	*why = err ? xstrdup(foreign_refusal(err)) : NULL;
	return err ? NULL : object_open_file(NULL, &file, why);
}

struct object *object_open_vdso(char **why)
{
	ElfW(Ehdr) *image = (void *)getauxval(AT_SYSINFO_EHDR);
	Elf *elf = NULL;

	*why = NULL;
	elf_version(EV_CURRENT);
	if (image) /* its sections' headers are the last of it */
		elf = elf_memory((char *)image,
				 image->e_shoff + (size_t)image->e_shnum * image->e_shentsize);
	return object_of(elf, -1, NULL, NULL, why);
}

void object_close(struct object *o)
{
	if (!o)
		return;
	for (int i = 0; i < o->blocks.n; i++)
		block_free(&o->blocks.v[i]);
	block_free(&o->code);
	vec_free(&o->blocks);
	if (o->file.foreign)
		foreign_charge(o->file.foreign, o->file.found.payer, -(int64_t)o->charged);
	if (o->funcs.own)
		free(o->funcs.v);
	if (o->vars.own)
		free(o->vars.v);
	free(o->by_name);
	vec_free(&o->notes);
	hash_free(&o->decls);
	arena_free(o->arena);
	free(o->contents);
	free(o->lengths);
	segments_free(&o->segments);
	object_fd_end(o);
	object_file_free(&o->file);
	free(o);
}

bool object_keep(struct object *o)
{
	return object_file_keep(&o->file);
}

int object_fd(struct object *o)
{
	if (!object_file_keep(&o->file))
		return -1;
	if (!o->file.foreign)
		return o->file.fd;
	if (o->data < 0)
		o->data = foreign_data(o->file.foreign, &o->file.found);
	return o->data;
}

void object_fd_end(struct object *o)
{
	if (o->data >= 0)
		foreign_data_end(o->file.foreign, o->data);
	o->data = -1;
}

bool object_is_foreign(const struct object *o)
{
	return o->file.foreign;
}

bool object_is_refused(const struct object *o)
{
	return o->refused;
}

bool object_may_ask(const struct object *o)
{
	return o->refused && !o->exhausted;
}

void object_retry(struct object *o, pid_t pid)
{
	uint32_t payer = o->file.foreign ? foreign_payer_of(o->file.foreign, pid) : FOREIGN_GONE;
	int i = 0;

	if (payer == FOREIGN_GONE || payer == o->file.found.payer)
		return;
	if (o->refused) {
		pay(o, payer);
		return;
	}
	while (i < o->nothers && o->others[i] != payer)
		i++;
	if (i == o->nothers && i < OBJECT_PAYERS)
		o->others[o->nothers++] = payer;
}

bool object_has_time(const struct object *o)
{
	uint64_t size, ns;

	foreign_limits(o->file.foreign, &size, &ns);
	return !o->file.foreign || o->file.found.spent_ns < ns;
}

void object_work(struct object *o, uint64_t ns)
{
	if (!o->file.foreign)
		return;
	o->file.found.spent_ns += ns;
	foreign_spend(o->file.foreign, o->file.found.payer, ns);
	if (!object_has_time(o))
		foreign_omit(o->file.foreign, "some probes", o->file.found.path,
			     "they take longer to find than foreigntime");
}

uint32_t object_payer(const struct object *o)
{
	return o->file.found.payer;
}

uint64_t object_time(struct object *o)
{
	return foreign_time_for(o->file.foreign, o->file.found.payer);
}

void object_spend(struct object *o, uint64_t ns)
{
	foreign_spend(o->file.foreign, o->file.found.payer, ns);
}

bool object_is_64(const struct object *o)
{
	return o->head.is_64;
}

int object_machine(const struct object *o)
{
	return o->head.machine;
}

/* Places ------------------------------------------------------------------ */

bool object_offset(const struct object *o, uint64_t addr, uint64_t *off)
{
	for (int i = 0; i < o->segments.v.n; i++) {
		const struct segment *s = &o->segments.v.v[i];

		if (addr >= s->addr && addr - s->addr < s->filesz) {
			*off = s->off + (addr - s->addr);
			return true;
		}
	}
	return false;
}

const struct segments *object_segments(const struct object *o)
{
	return &o->segments;
}

/* So much of a foreign file is read at once: functions are looked at in the order of their
 * addresses. */
enum { CODE_BYTES = 64 << 10 };

static size_t read_file(struct object *o, uint64_t off, void *buf, size_t len)
{
	ssize_t n;

	if (!o->file.foreign) {
		object_file_keep(&o->file);
		n = o->file.fd < 0 ? -1 : pread(o->file.fd, buf, len, off);
		return n > 0 ? n : 0;
	}
	if (!o->code.mem || off < o->code_off || off + len > o->code_off + o->code.len) {
		block_free(&o->code);
		o->code = ask(o, (struct elfread_ask){.what = ELFREAD_BYTES,
						      .off = off,
						      .len = MAX(len, (size_t)CODE_BYTES)});
		o->code_off = off;
	}
	len = MIN(len, o->code.len - (off - o->code_off));
	memcpy(buf, (char *)o->code.mem + (off - o->code_off), len);
	return len;
}

size_t object_read(struct object *o, uint64_t addr, void *buf, size_t len)
{
	uint64_t off, last;

	if (!len || !object_offset(o, addr, &off))
		return 0;
	while (len > 1 && (!object_offset(o, addr + len - 1, &last) || last != off + len - 1))
		len /= 2;
	return read_file(o, off, buf, len);
}

/* Sections ---------------------------------------------------------------- */

static const char *name_of(const struct object *o, const struct elfread_section *s)
{
	return o->names + (s->name < o->head.names_len ? s->name : 0);
}

uint32_t object_section_find(const struct object *o, const char *name)
{
	for (uint32_t i = 1; i <= o->head.nsections; i++)
		if (o->sections[i - 1].type != SHT_NOBITS &&
		    !strcmp(name_of(o, &o->sections[i - 1]), name))
			return i;
	return 0;
}

bool object_has_section(const struct object *o, const char *name, uint64_t *addr, uint64_t *size)
{
	uint32_t i = object_section_find(o, name);

	*addr = i ? o->sections[i - 1].addr : 0;
	*size = i ? o->sections[i - 1].size : 0;
	return i;
}

const void *object_section(struct object *o, const char *name, size_t *len, uint64_t *addr)
{
	uint32_t i = object_section_find(o, name);
	struct object_block b;

	*len = 0;
	if (!i)
		return NULL;
	if (!o->contents[i]) {
		b = object_ask(o, (struct elfread_ask){.what = ELFREAD_SECTION, .section = i});
		if (b.refused)
			return NULL;
		o->contents[i] = b.len ? b.mem : "";
		o->lengths[i] = b.len;
	}
	if (addr)
		*addr = o->sections[i - 1].addr;
	*len = o->lengths[i];
	return *len ? o->contents[i] : NULL;
}

const struct cfi_row *object_unwind(struct object *o, int *n)
{
	struct object_block b = object_ask(o, (struct elfread_ask){.what = ELFREAD_UNWIND});

	*n = MIN(b.len / sizeof(struct cfi_row), (size_t)UNWIND_ROWS_MAX);
	return b.mem;
}

/* What was stripped off an object may be in a file of its own, by build id; its path is added.
 * NULL: there is none that belongs to it. */
static struct object *open_debug_file(const struct object *o, struct strbuf *path)
{
	const struct elfread_head *h = &o->head;
	struct foreign_file file;
	char *why = NULL;
	struct object *debug;

	if (h->build_id_len < 2)
		return NULL;
	sb_printf(path, "/usr/lib/debug/.build-id/%02x/", h->build_id[0]);
	for (size_t i = 1; i < h->build_id_len; i++)
		sb_printf(path, "%02x", h->build_id[i]);
	sb_puts(path, ".debug");
	if (foreign_find(o->file.foreign, 0, path->s, &file))
		return NULL;
	debug = object_open_file(o->file.foreign, &file, &why);
	free(why);
	if (!debug || (debug->head.build_id_len == h->build_id_len &&
		       !memcmp(debug->head.build_id, h->build_id, h->build_id_len)))
		return debug;
	object_close(debug);
	return NULL;
}

/* ".debug_line"; as compressed by tools of long ago it is ".zdebug_line". */
static bool has_debug(const struct object *o, const char *section)
{
	char old[32];

	snprintf(old, sizeof(old), ".z%s", section + 1);
	return object_section_find(o, section) || object_section_find(o, old);
}

char *object_debug(const struct object *o, const char *section)
{
	struct strbuf path = {0};
	bool own = object_file_exists(&o->file) && has_debug(o, section);
	struct object *debug = own ? NULL : open_debug_file(o, &path);
	char *found = own				   ? xstrdup("")
		      : debug && has_debug(debug, section) ? xstrdup(path.s)
							   : NULL;

	object_close(debug);
	sb_free(&path);
	return found;
}

int object_debug_data(struct object *o, const char *section)
{
	struct strbuf path = {0};
	bool own = has_debug(o, section);
	struct object *debug = own ? o : open_debug_file(o, &path);
	int fd = debug && has_debug(debug, section) ? object_fd(debug) : -1;

	if (fd >= 0)
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (!own)
		object_close(debug);
	sb_free(&path);
	return fd < 0 ? -1 : fd;
}

/* Functions and variables ------------------------------------------------- */

/* A table as it is answered; its pointers become such. */
static struct object_sym *take_symbols(const struct object_block *b, struct elfread_table *t)
{
	char *texts;
	struct object_sym *v = object_table(b, sizeof(*v), t, &texts);
	uint64_t kept = 0;

	for (uint64_t i = 0; v && i < t->n; i++) {
		v[kept] = v[i];
		kept += object_set_text(&v[kept].name, texts, t->texts_len);
	}
	t->n = kept;
	return v;
}

/* At most: what it takes to add the symbols of a debug file to so many, as they are answered and
 * once more with the others. */
static uint64_t cost_of(const struct object *debug, int others)
{
	uint64_t syms = 0, texts = 0;

	for (uint32_t i = 0; i < debug->head.nsections; i++) {
		const struct elfread_section *s = &debug->sections[i];

		if (s->type == SHT_SYMTAB)
			syms +=
			    s->size / (debug->head.is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
		if (s->type == SHT_STRTAB)
			texts += s->size;
	}
	return (2 * syms + others) * sizeof(struct object_sym) + texts;
}

/* Those of its debug file come to a stripped object's own. The file may be root's and the object
 * not: any number of objects may say that it is theirs. */
static void add_debug_file(struct object *o, struct object_symbols *to, struct elfread_ask a)
{
	struct strbuf path = {0};
	struct object *debug = open_debug_file(o, &path);
	uint64_t cost = debug ? cost_of(debug, to->n) : 0, before = o->charged;
	struct elfread_table t = {0};
	struct object_sym *more, *all;
	struct object_block b;

	sb_free(&path);
	if (!debug || !object_charge(o, cost)) {
		object_close(debug);
		return;
	}
	a.symtab_only = true;
	b = ask(debug, a);
	more = take_symbols(&b, &t);
	cost = b.foreign ? 0 : b.len;
	if (more && t.n) {
		all = xcalloc(to->n + t.n, sizeof(*all));
		memcpy(all, to->v, to->n * sizeof(*all));
		memcpy(all + to->n, more, t.n * sizeof(*all));
		cost += (to->n + t.n) * sizeof(*all);
		to->n = elfread_sort(all, to->n + t.n);
		to->v = all;
		to->own = true;
	}
	if (b.mem)
		vec_push(&o->blocks, b);
	recharge(o, before + cost);
	object_close(debug);
}

static const struct object_sym *symbols_of(struct object *o, struct object_symbols *to, int *n)
{
	struct elfread_ask a = {.what = to == &o->vars ? ELFREAD_VARS : ELFREAD_FUNCS};
	struct elfread_table t = {0};
	struct object_block b;

	if (!to->known) {
		b = object_ask(o, a);
		to->known = !b.refused;
		to->v = take_symbols(&b, &t);
		to->n = to->v ? t.n : 0;
		if (to->v && t.stripped)
			add_debug_file(o, to, a);
	}
	*n = to->n;
	return to->v;
}

const struct object_sym *object_syms(struct object *o, int *n)
{
	return symbols_of(o, &o->funcs, n);
}

const struct object_sym *object_vars(struct object *o, int *n)
{
	return symbols_of(o, &o->vars, n);
}

static int by_name(const void *pa, const void *pb)
{
	const struct object_sym *a = *(const struct object_sym *const *)pa,
				*b = *(const struct object_sym *const *)pb;
	int order = strcmp(a->name, b->name);

	return order ? order : (a > b) - (a < b);
}

/* Each argument of a static probe may name one. */
static void sort_variables(struct object *o)
{
	const struct object_sym *vars;
	int n;

	vars = object_vars(o, &n);
	o->by_name = xcalloc(n + 1, sizeof(*o->by_name));
	for (int i = 0; i < n; i++)
		if (!vars[i].of_threads)
			o->by_name[o->nby_name++] = &vars[i];
	qsort(o->by_name, o->nby_name, sizeof(*o->by_name), by_name);
}

bool object_variable(struct object *o, const char *name, uint64_t *addr)
{
	int low = 0, high;

	if (!o->by_name)
		sort_variables(o);
	high = o->nby_name;
	while (low < high) { /* the first that is not less */
		int mid = low + (high - low) / 2;

		if (strcmp(o->by_name[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == o->nby_name || strcmp(o->by_name[low]->name, name))
		return false;
	*addr = o->by_name[low]->addr;
	return true;
}

bool object_distance(void *site, const char *name, int64_t *distance)
{
	const struct object_site *at = site;
	uint64_t addr;

	if (!object_variable(at->object, name, &addr))
		return false;
	*distance = addr - at->addr;
	return true;
}

enum { PARTS_MAX = 1024 }; /* sections that are looked at; those which are mapped come first */

/* Where the section, or else the segment, ends that an address is in: a symbol without size
 * reaches no farther. */
static uint64_t end_of_part(const struct object *o, uint64_t addr)
{
	for (uint32_t i = 0; i < MIN(o->head.nsections, (uint32_t)PARTS_MAX); i++) {
		const struct elfread_section *s = &o->sections[i];

		if (s->flags & SHF_ALLOC && !(s->flags & SHF_TLS) && addr - s->addr < s->size)
			return s->addr + s->size;
	}
	for (int i = 0; i < o->segments.v.n; i++) {
		const struct segment *s = &o->segments.v.v[i];

		if (addr - s->addr < s->memsz)
			return s->addr + s->memsz;
	}
	return addr;
}

/* How many symbols have a lower address, or (same) that one. */
static int count_below(const struct object_sym *s, int n, uint64_t addr, bool same)
{
	int low = 0, high = n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (!s[mid].of_threads && (s[mid].addr < addr || (same && s[mid].addr == addr)))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Of several names of one address the first. */
static const struct object_sym *symbol_at(struct object *o, struct object_symbols *to,
					  uint64_t addr)
{
	const struct object_sym *s;
	int n, low;

	s = symbols_of(o, to, &n);
	low = count_below(s, n, addr, true);
	if (!low)
		return NULL;
	/* in a foreign file's table, which may not be in order, not beyond it */
	low = MIN(low - 1, count_below(s, n, s[low - 1].addr, false));
	if (s[low].size ? addr - s[low].addr >= s[low].size
			: addr != s[low].addr && addr >= end_of_part(o, s[low].addr))
		return NULL;
	return &s[low];
}

const struct object_sym *object_sym_at(struct object *o, uint64_t addr)
{
	return symbol_at(o, &o->funcs, addr);
}

const struct object_sym *object_name_at(struct object *o, uint64_t addr)
{
	const struct object_sym *s = object_sym_at(o, addr);

	return s ? s : symbol_at(o, &o->vars, addr);
}
