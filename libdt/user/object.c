/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/user/object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"

/* What a hostile file may make us read. */
enum { MAX_SYMS = 4 << 20, MAX_NOTES = 1 << 20, MAX_DEBUGDATA = 256 << 20, MAX_SEGMENTS = 4096, MAX_NAMES = 256 << 20 };

/* Symbols of one kind, read when they are first asked for. */
struct symbols {
	VEC(struct object_sym) v;
	bool known;
};

struct object {
	int fd;
	Elf *elf;
	GElf_Ehdr ehdr;
	struct arena *arena;
	struct segments segments;
	const uint8_t *build_id;
	size_t build_id_len;
	struct symbols funcs, vars;
	size_t names; /* bytes of their names: all of a file's may be the same long one */
	VEC(struct object_note) notes;
	struct hash decls; /* "provider:probe" -> struct provnote_probe */
	bool has_notes;
};

/* Sections ------------------------------------------------------------------------------------------------------- */

static const char *section_name(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh)
{
	size_t strings;
	const char *name;

	if (!gelf_getshdr(scn, sh) || elf_getshdrstrndx(elf, &strings))
		return "";
	name = elf_strptr(elf, strings, sh->sh_name);
	return name ? name : "";
}

static Elf_Scn *section_find(Elf *elf, const char *name, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (!strcmp(section_name(elf, scn, sh), name))
			return scn;
	return NULL;
}

static const void *section_data(Elf_Scn *scn, size_t *len)
{
	Elf_Data *d = elf_getdata(scn, NULL);

	*len = d && d->d_buf ? d->d_size : 0;
	return *len ? d->d_buf : NULL;
}

const void *object_section(struct object *o, const char *name, size_t *len, uint64_t *addr)
{
	GElf_Shdr sh;
	Elf_Scn *scn = section_find(o->elf, name, &sh);

	*len = 0;
	if (!scn || sh.sh_type == SHT_NOBITS)
		return NULL;
	if (sh.sh_flags & SHF_COMPRESSED && (elf_compress(scn, 0, 0) < 0 || !gelf_getshdr(scn, &sh)))
		return NULL;
	if (addr)
		*addr = sh.sh_addr;
	return section_data(scn, len);
}

/* Opening -------------------------------------------------------------------------------------------------------- */

static void read_segments(struct object *o)
{
	size_t n;

	o->segments.fixed = o->ehdr.e_type == ET_EXEC;
	if (elf_getphdrnum(o->elf, &n))
		return;
	for (size_t i = 0; i < n && i < MAX_SEGMENTS; i++) {
		GElf_Phdr ph;
		struct segment s;

		if (!gelf_getphdr(o->elf, i, &ph) || ph.p_type != PT_LOAD || !ph.p_filesz || ph.p_memsz < ph.p_filesz ||
		    ph.p_offset + ph.p_filesz < ph.p_offset || ph.p_vaddr + ph.p_memsz < ph.p_vaddr)
			continue;
		s = (struct segment){ph.p_vaddr, ph.p_offset, ph.p_filesz, ph.p_memsz, ph.p_flags & PF_X, ph.p_flags & PF_W};
		vec_push(&o->segments.v, s);
	}
}

/* Calls fn for each note of a section until it returns true. */
static void each_note(const uint8_t *data, size_t len, bool (*fn)(void *arg, uint32_t type, const char *name, const uint8_t *desc,
								  uint32_t size), void *arg)
{
	while (len >= 12) {
		uint32_t head[3];
		uint64_t name_room, desc_room;

		memcpy(head, data, sizeof(head));
		name_room = ALIGN_UP((uint64_t)head[0], 4);
		desc_room = ALIGN_UP((uint64_t)head[1], 4);
		if (name_room + head[1] > len - 12)
			return;
		if (head[0] && !data[12 + head[0] - 1] &&
		    fn(arg, head[2], (const char *)data + 12, data + 12 + name_room, head[1]))
			return;
		if (12 + name_room + desc_room >= len)
			return;
		data += 12 + name_room + desc_room;
		len -= 12 + name_room + desc_room;
	}
}

static bool take_build_id(void *arg, uint32_t type, const char *name, const uint8_t *desc, uint32_t size)
{
	struct object *o = arg;

	if (type != NT_GNU_BUILD_ID || strcmp(name, "GNU") || !size || size > 64)
		return false;
	o->build_id = desc;
	o->build_id_len = size;
	return true;
}

static struct object *object_of(Elf *elf, int fd, char **why)
{
	struct object *o;
	const uint8_t *note;
	size_t len;
	GElf_Ehdr ehdr;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr)) {
		*why = xstrdup("it is not an ELF file");
		elf_end(elf);
		return NULL;
	}
	if (ehdr.e_ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)) {
		*why = xstrdup("it is for machines of another byte order");
		elf_end(elf);
		return NULL;
	}
	o = xcalloc(1, sizeof(*o));
	o->fd = fd;
	o->elf = elf;
	o->ehdr = ehdr;
	o->arena = arena_new();
	read_segments(o);
	note = object_section(o, ".note.gnu.build-id", &len, NULL);
	if (note)
		each_note(note, len, take_build_id, o);
	return o;
}

struct object *object_open(const char *path, char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct object *o;

	*why = NULL;
	if (fd < 0) {
		*why = xstrdup(strerror(errno));
		return NULL;
	}
	elf_version(EV_CURRENT);
	o = object_of(elf_begin(fd, ELF_C_READ, NULL), fd, why);
	if (!o)
		close(fd);
	return o;
}

struct object *object_open_vdso(char **why)
{
	ElfW(Ehdr) *image = (void *)getauxval(AT_SYSINFO_EHDR);
	Elf *elf = NULL;

	*why = NULL;
	elf_version(EV_CURRENT);
	if (image) /* its sections' headers are the last of it */
		elf = elf_memory((char *)image, image->e_shoff + (size_t)image->e_shnum * image->e_shentsize);
	return object_of(elf, -1, why);
}

void object_close(struct object *o)
{
	if (!o)
		return;
	elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
	segments_free(&o->segments);
	vec_free(&o->funcs.v);
	vec_free(&o->vars.v);
	vec_free(&o->notes);
	hash_free(&o->decls);
	arena_free(o->arena);
	free(o);
}

int object_fd(const struct object *o)
{
	return o->fd;
}

bool object_is_64(const struct object *o)
{
	return o->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
}

int object_machine(const struct object *o)
{
	return o->ehdr.e_machine;
}

/* Places --------------------------------------------------------------------------------------------------------- */

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

size_t object_read(const struct object *o, uint64_t addr, void *buf, size_t len)
{
	uint64_t off, last;
	ssize_t n;

	if (!len || o->fd < 0 || !object_offset(o, addr, &off))
		return 0;
	while (len > 1 && (!object_offset(o, addr + len - 1, &last) || last != off + len - 1))
		len /= 2;
	n = pread(o->fd, buf, len, off);
	return n > 0 ? n : 0;
}

/* Functions and variables ---------------------------------------------------------------------------------------- */

static bool is_wanted(const struct object *o, const struct symbols *to, const GElf_Sym *s)
{
	int type = GELF_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF)
		return false;
	if (to == &o->vars)
		return type == STT_TLS || (type == STT_OBJECT && s->st_value);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_value;
}

static void read_table(struct object *o, struct symbols *to, Elf *elf, GElf_Word type)
{
	static const uint8_t ranks[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;
		uint64_t n;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		n = data ? data->d_size / sh.sh_entsize : 0;
		for (uint64_t i = 0; i < n && i < INT_MAX && to->v.n < MAX_SYMS; i++) {
			struct object_sym sym;
			const char *name;
			GElf_Sym s;
			int bind;

			if (!gelf_getsym(data, i, &s) || !is_wanted(o, to, &s))
				continue;
			name = elf_strptr(elf, sh.sh_link, s.st_name);
			if (!name || !*name)
				continue;
			o->names += strlen(name) + 1;
			if (o->names > MAX_NAMES)
				return;
			bind = GELF_ST_BIND(s.st_info);
			sym = (struct object_sym){arena_strdup(o->arena, name), s.st_value, s.st_size,
						  bind < (int)ARRAY_SIZE(ranks) ? ranks[bind] : 3,
						  GELF_ST_TYPE(s.st_info) == STT_GNU_IFUNC, GELF_ST_TYPE(s.st_info) == STT_TLS};
			vec_push(&to->v, sym);
		}
	}
}

/* liblzma's, loaded when it is first wanted: dtrace starts sooner without it. */
typedef int (*xz_decode)(uint64_t *limit, uint32_t flags, const void *allocator, const uint8_t *in, size_t *in_pos, size_t in_size,
			 uint8_t *out, size_t *out_pos, size_t out_size);
enum { XZ_OK = 0, XZ_NO_ROOM = 10 };

/* Decompressed xz, to be freed; NULL when it is none, too large, or there is no liblzma. */
static uint8_t *unxz(const uint8_t *data, size_t len, size_t *out_len)
{
	void *lib = dlopen("liblzma.so.5", RTLD_NOW);
	xz_decode decode = lib ? (xz_decode)dlsym(lib, "lzma_stream_buffer_decode") : NULL;
	uint64_t limit = MAX_DEBUGDATA;
	int rc = XZ_NO_ROOM;

	for (size_t room = len * 8; decode && room <= MAX_DEBUGDATA && rc == XZ_NO_ROOM; room *= 2) {
		uint8_t *buf = xmalloc(room);
		size_t in = 0;

		*out_len = 0;
		rc = decode(&limit, 0, NULL, data, &in, len, buf, out_len, room);
		if (rc == XZ_OK) {
			dlclose(lib);
			return buf;
		}
		free(buf);
	}
	if (lib)
		dlclose(lib);
	return NULL;
}

/* The small symbol table that some distributions leave in stripped objects: an ELF file, compressed. */
static void read_debugdata(struct object *o, struct symbols *to)
{
	size_t len, size;
	const uint8_t *data = object_section(o, ".gnu_debugdata", &len, NULL);
	uint8_t *buf = data ? unxz(data, len, &size) : NULL;
	Elf *elf = buf ? elf_memory((char *)buf, size) : NULL;

	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_table(o, to, elf, SHT_SYMTAB);
	elf_end(elf);
	free(buf);
}

/* What was stripped off an object may be in a file of its own, by build id; its path is added. NULL: there is none that belongs to it. */
static struct object *open_debug_file(const struct object *o, struct strbuf *path)
{
	char *why = NULL;
	struct object *debug;

	if (o->build_id_len < 2)
		return NULL;
	sb_printf(path, "/usr/lib/debug/.build-id/%02x/", o->build_id[0]);
	for (size_t i = 1; i < o->build_id_len; i++)
		sb_printf(path, "%02x", o->build_id[i]);
	sb_puts(path, ".debug");
	debug = object_open(sb_str(path), &why);
	free(why);
	if (!debug || (debug->build_id_len == o->build_id_len && !memcmp(debug->build_id, o->build_id, o->build_id_len)))
		return debug;
	object_close(debug);
	return NULL;
}

static void read_debug_file(struct object *o, struct symbols *to)
{
	struct strbuf path = {0};
	struct object *debug = open_debug_file(o, &path);

	if (debug)
		read_table(o, to, debug->elf, SHT_SYMTAB);
	object_close(debug);
	sb_free(&path);
}

static bool has_section(const struct object *o, const char *name)
{
	GElf_Shdr sh;

	return section_find(o->elf, name, &sh) && sh.sh_type != SHT_NOBITS;
}

/* ".debug_line"; as compressed by tools of long ago it is ".zdebug_line". */
static bool has_debug(const struct object *o, const char *section)
{
	char old[32];

	snprintf(old, sizeof(old), ".z%s", section + 1);
	return has_section(o, section) || has_section(o, old);
}

char *object_debug(const struct object *o, const char *section)
{
	struct strbuf path = {0};
	bool own = o->fd >= 0 && has_debug(o, section);
	struct object *debug = own ? NULL : open_debug_file(o, &path);
	char *found = own ? xstrdup("") : debug && has_debug(debug, section) ? xstrdup(path.s) : NULL;

	object_close(debug);
	sb_free(&path);
	return found;
}

static int underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * Of the names of one place the one that sources use: calloc before __libc_calloc, open before __open. Threads' own variables, which are
 * at no place, come last.
 */
static int by_addr(const void *pa, const void *pb)
{
	const struct object_sym *a = pa, *b = pb;

	if (a->of_threads != b->of_threads)
		return a->of_threads ? 1 : -1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) - underscores(b->name);
	if (a->rank != b->rank)
		return a->rank - b->rank;
	return strcmp(a->name, b->name);
}

static const struct object_sym *symbols_of(struct object *o, struct symbols *to, int *n)
{
	int kept = 0;

	if (!to->known) {
		to->known = true;
		read_table(o, to, o->elf, SHT_SYMTAB);
		if (!to->v.n) {
			read_debugdata(o, to);
			read_debug_file(o, to);
		}
		read_table(o, to, o->elf, SHT_DYNSYM);
		if (to->v.n)
			qsort(to->v.v, to->v.n, sizeof(to->v.v[0]), by_addr);
		for (int i = 0; i < to->v.n; i++) /* a name may be in two tables, with other ranks between */
			if (!kept || to->v.v[i].addr != to->v.v[kept - 1].addr ||
			    strcmp(to->v.v[i].name, to->v.v[kept - 1].name))
				to->v.v[kept++] = to->v.v[i];
		to->v.n = kept;
	}
	*n = to->v.n;
	return to->v.v;
}

const struct object_sym *object_syms(struct object *o, int *n)
{
	return symbols_of(o, &o->funcs, n);
}

const struct object_sym *object_vars(struct object *o, int *n)
{
	return symbols_of(o, &o->vars, n);
}

bool object_variable(struct object *o, const char *name, uint64_t *addr)
{
	const struct object_sym *vars;
	int n;

	vars = object_vars(o, &n);
	for (int i = 0; i < n; i++) {
		if (vars[i].of_threads || strcmp(vars[i].name, name))
			continue;
		*addr = vars[i].addr;
		return true;
	}
	return false;
}

/* Where the section, or else the segment, ends that an address is in: a symbol without size reaches no farther. */
static uint64_t end_of_part(const struct object *o, uint64_t addr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(o->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_ALLOC && !(sh.sh_flags & SHF_TLS) && addr - sh.sh_addr < sh.sh_size)
			return sh.sh_addr + sh.sh_size;
	for (int i = 0; i < o->segments.v.n; i++) {
		const struct segment *s = &o->segments.v.v[i];

		if (addr - s->addr < s->memsz)
			return s->addr + s->memsz;
	}
	return addr;
}

static const struct object_sym *symbol_at(struct object *o, struct symbols *to, uint64_t addr)
{
	const struct object_sym *s;
	int n, low = 0, high;

	s = symbols_of(o, to, &n);
	high = n;
	while (low < high) {
		int mid = low + (high - low) / 2;

		if (!s[mid].of_threads && s[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	low--;
	while (low > 0 && s[low - 1].addr == s[low].addr)
		low--;
	if (s[low].size ? addr - s[low].addr >= s[low].size : addr != s[low].addr && addr >= end_of_part(o, s[low].addr))
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

/* Static probes ------------------------------------------------------------------------------------------------------ */

struct noting {
	struct object *o;
	uint64_t base; /* where .stapsdt.base is; 0: not there */
};

/* A string of the note, and on to the next; NULL when it does not end inside. */
static const char *note_string(const char **p, const char *end)
{
	const char *s = *p, *nul = s < end ? memchr(s, 0, end - s) : NULL;

	if (!nul)
		return NULL;
	*p = nul + 1;
	return s;
}

static uint64_t note_word(const struct object *o, const uint8_t *desc, int i)
{
	uint64_t v = 0;
	int size = object_is_64(o) ? 8 : 4;

	memcpy(&v, desc + i * size, size);
	return v;
}

/* Three words: the instruction, the base's address when the note was written, the semaphore; three strings. */
static bool take_note(void *arg, uint32_t type, const char *name, const uint8_t *desc, uint32_t size)
{
	struct noting *ng = arg;
	struct object *o = ng->o;
	uint32_t words = 3 * (object_is_64(o) ? 8 : 4);
	const char *p = (const char *)desc + words, *end = (const char *)desc + size;
	uint64_t moved;
	struct object_note note = {0};

	if (type != 3 || strcmp(name, "stapsdt") || size < words + 3)
		return false;
	note.provider = note_string(&p, end);
	note.name = note.provider ? note_string(&p, end) : NULL;
	note.args = note.name ? note_string(&p, end) : NULL;
	if (!note.args || !*note.provider || !*note.name)
		return false;
	note.addr = note_word(o, desc, 0);
	note.semaphore = note_word(o, desc, 2);
	moved = ng->base ? ng->base - note_word(o, desc, 1) : 0; /* by prelink, or by stripping into another layout */
	note.addr += moved;
	if (note.semaphore)
		note.semaphore += moved;
	if (o->notes.n < MAX_NOTES)
		vec_push(&o->notes, note);
	return false;
}

/* A probe may be written with "-" or "__" in one place and not the other. */
static char *decl_key(const char *provider, const char *name)
{
	char *key = xasprintf("%s:%s", provider, name), *to = key;

	for (const char *p = key; *p; p++) {
		bool two = p[0] == '_' && p[1] == '_';

		*to++ = two ? '-' : *p;
		p += two;
	}
	*to = '\0';
	return key;
}

static void take_decl(void *arg, struct provnote_probe *p)
{
	struct object *o = arg;
	char *key = decl_key(p->provider, p->name);

	if (o->decls.live < MAX_NOTES)
		*hash_ref(&o->decls, key, strlen(key)) = p;
	free(key);
}

/*
 * Oracle's: two words, the instruction and where its function's name is; the provider, the name; a byte, how many arguments; the
 * arguments. Type 2 is a test whether the probe is enabled, which is no place of it.
 */
static bool take_usdt(void *arg, uint32_t type, const char *name, const uint8_t *desc, uint32_t size)
{
	struct object *o = arg;
	uint32_t words = 2 * sizeof(uint64_t);
	const char *p = (const char *)desc + words, *end = (const char *)desc + size;
	struct object_note note = {0};

	if (type == PROVNOTE_TYPE && !strcmp(name, PROVNOTE_OWNER))
		provnote_read(o->arena, desc, size, take_decl, o);
	if (type != 1 || strcmp(name, "usdt") || !object_is_64(o) || size < words + 4)
		return false;
	memcpy(&note.addr, desc, sizeof(note.addr));
	note.provider = note_string(&p, end);
	note.name = note.provider ? note_string(&p, end) : NULL;
	p++;
	note.args = note.name ? note_string(&p, end) : NULL;
	if (note.args && *note.provider && *note.name && o->notes.n < MAX_NOTES)
		vec_push(&o->notes, note);
	return false;
}

static void read_declarations(struct object *o)
{
	size_t len;
	const uint8_t *data = object_section(o, PROVNOTE_SECTION, &len, NULL);

	if (data)
		each_note(data, len, take_usdt, o);
	for (int i = 0; o->decls.live && i < o->notes.n; i++) {
		char *key = decl_key(o->notes.v[i].provider, o->notes.v[i].name);

		o->notes.v[i].decl = hash_get(&o->decls, key, strlen(key));
		free(key);
	}
}

/* Of the probes at one instruction the kernel raises one semaphore: they share the first. */
static void share_semaphores(struct object *o)
{
	struct hash firsts = {0};

	for (int i = 0; i < o->notes.n; i++) {
		struct object_note *note = &o->notes.v[i];
		void **first = note->semaphore ? hash_ref(&firsts, &note->addr, sizeof(note->addr)) : NULL;

		if (first && !*first)
			*first = note;
	}
	for (int i = 0; i < o->notes.n && firsts.live; i++) {
		const struct object_note *first = hash_get(&firsts, &o->notes.v[i].addr, sizeof(o->notes.v[i].addr));

		if (first)
			o->notes.v[i].semaphore = first->semaphore;
	}
	hash_free(&firsts);
}

const struct object_note *object_notes(struct object *o, int *n)
{
	if (!o->has_notes) {
		struct noting ng = {o, 0};
		const uint8_t *data;
		GElf_Shdr sh;
		size_t len;

		o->has_notes = true;
		if (section_find(o->elf, ".stapsdt.base", &sh))
			ng.base = sh.sh_addr;
		data = object_section(o, ".note.stapsdt", &len, NULL);
		if (data)
			each_note(data, len, take_note, &ng);
		read_declarations(o);
		share_semaphores(o);
	}
	*n = o->notes.n;
	return o->notes.v;
}
