/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/elfread.h"

#include <dlfcn.h>
#include <errno.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/radix.h"
#include "libdt/process/cfi.h"

/* What a hostile file may make us read. */
enum { MAX_SYMS = 16 << 20, MAX_NOTES = 1 << 20, MAX_SEGMENTS = 4096, MAX_SECTIONS = 1 << 16 };

/* Concatenated texts of an answer. */
struct texts {
	struct strbuf buf;
	uint64_t space;
	bool full;
};

static const char *put_text(struct texts *t, const char *s)
{
	size_t at = t->buf.len, len = strlen(s) + 1;

	if (len > t->space || at > t->space - len) {
		t->full = true;
		return NULL;
	}
	sb_add(&t->buf, s, len);
	return (const char *)(uintptr_t)at;
}

/* Sections ---------------------------------------------------------------- */

const char *elfread_refusal(Elf *elf)
{
	GElf_Ehdr ehdr;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
		return "it is not an ELF file";
	if (ehdr.e_ident[EI_DATA] !=
	    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
		return "it is for machines of another byte order";
	return NULL;
}

static bool is_64(Elf *elf)
{
	return gelf_getclass(elf) == ELFCLASS64;
}

/* How large a section is once it is decompressed. */
static uint64_t full_size(Elf_Scn *scn, const GElf_Shdr *sh)
{
	GElf_Chdr ch;

	return sh->sh_flags & SHF_COMPRESSED && gelf_getchdr(scn, &ch)
		   ? MAX(ch.ch_size, sh->sh_size)
		   : sh->sh_size;
}

/* NULL with *err: -ENOENT it is not in the file, -EFBIG larger than the limit, -EIO it is broken or
 * was cut off. */
static const void *section_bytes(Elf_Scn *scn, uint64_t space, size_t *len, int *err)
{
	GElf_Shdr sh;
	Elf_Data *d;

	*len = 0;
	*err = -ENOENT;
	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
		return NULL;
	*err = -EFBIG;
	if (full_size(scn, &sh) > space)
		return NULL;
	*err = -EIO;
	if (sh.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0)
		return NULL;
	d = elf_getdata(scn, NULL);
	if (!d || !d->d_buf || !d->d_size)
		return NULL;
	*len = d->d_size;
	*err = 0;
	return d->d_buf;
}

/* A table of strings up to its last NUL. elf_strptr() looks for that at each call. */
struct strings {
	const char *s;
	size_t len;
};

static struct strings strings_of(Elf *elf, size_t section, uint64_t space)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	struct strings t = {0};
	const char *last;
	GElf_Shdr sh;
	int err;

	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_STRTAB)
		return t;
	t.s = section_bytes(scn, space, &t.len, &err);
	last = t.s ? memrchr(t.s, 0, t.len) : NULL;
	t.len = last ? last - t.s + 1 : 0;
	return t;
}

/* NULL: there is none at this offset. */
static const char *string_at(const struct strings *t, uint64_t off)
{
	return off < t->len ? t->s + off : NULL;
}

static struct strings section_names(Elf *elf)
{
	enum { NAMES_MAX = 64 << 20 };
	size_t section;

	return elf_getshdrstrndx(elf, &section) ? (struct strings){0}
						: strings_of(elf, section, NAMES_MAX);
}

static const char *section_name(const struct strings *names, const GElf_Shdr *sh)
{
	const char *name = string_at(names, sh->sh_name);

	return name ? name : "";
}

static Elf_Scn *section_find(Elf *elf, const char *name, GElf_Shdr *sh)
{
	struct strings names = section_names(elf);
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, sh) && !strcmp(section_name(&names, sh), name))
			return scn;
	return NULL;
}

void elfread_each_note(const uint8_t *data, size_t len,
		       bool (*fn)(void *arg, uint32_t type, const char *name, const uint8_t *desc,
				  uint32_t size),
		       void *arg)
{
	while (len >= 12) {
		uint32_t head[3];
		uint64_t name_size, desc_size;

		memcpy(head, data, sizeof(head));
		name_size = ALIGN_UP((uint64_t)head[0], 4);
		desc_size = ALIGN_UP((uint64_t)head[1], 4);
		if (name_size + head[1] > len - 12)
			return;
		if (head[0] && !data[12 + head[0] - 1] &&
		    fn(arg, head[2], (const char *)data + 12, data + 12 + name_size, head[1]))
			return;
		if (12 + name_size + desc_size >= len)
			return;
		data += 12 + name_size + desc_size;
		len -= 12 + name_size + desc_size;
	}
}

/* The head ---------------------------------------------------------------- */

static bool take_build_id(void *arg, uint32_t type, const char *name, const uint8_t *desc,
			  uint32_t size)
{
	struct elfread_head *h = arg;

	if (type != NT_GNU_BUILD_ID || strcmp(name, "GNU") || !size || size > sizeof(h->build_id))
		return false;
	memcpy(h->build_id, desc, size);
	h->build_id_len = size;
	return true;
}

static void put_segments(Elf *elf, struct elfread_head *h, struct strbuf *out)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && i < MAX_SEGMENTS; i++) {
		GElf_Phdr ph;
		struct segment s;

		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || !ph.p_filesz ||
		    ph.p_memsz < ph.p_filesz || ph.p_offset + ph.p_filesz < ph.p_offset ||
		    ph.p_vaddr + ph.p_memsz < ph.p_vaddr)
			continue;
		s = (struct segment){ph.p_vaddr, ph.p_offset,	    ph.p_filesz,
				     ph.p_memsz, ph.p_flags & PF_X, ph.p_flags & PF_W};
		sb_add(out, &s, sizeof(s));
		h->nsegments++;
	}
}

static void put_sections(Elf *elf, struct elfread_head *h, struct strbuf *out, struct texts *names)
{
	struct strings table = section_names(elf);
	Elf_Scn *scn = NULL;

	for (uint32_t i = 1; (scn = elf_nextscn(elf, scn)) && i < MAX_SECTIONS; i++) {
		struct elfread_section s = {0};
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh))
			s = (struct elfread_section){
			    sh.sh_addr, sh.sh_size, sh.sh_flags, sh.sh_type,
			    (uint32_t)(uintptr_t)put_text(names, section_name(&table, &sh))};
		sb_add(out, &s, sizeof(s));
		h->nsections = i;
	}
}

static int put_head(Elf *elf, uint64_t space, struct strbuf *out)
{
	enum { NOTES_MAX = 1 << 16 };
	struct elfread_head h = {.is_64 = is_64(elf)};
	struct texts names = {.space = MIN(space, (uint64_t)INT32_MAX)};
	const uint8_t *note;
	GElf_Shdr sh;
	GElf_Ehdr eh;
	size_t len, at = out->len;
	int err;

	if (!gelf_getehdr(elf, &eh))
		return -EIO;
	h.machine = eh.e_machine;
	h.fixed = eh.e_type == ET_EXEC;
	note = section_bytes(section_find(elf, ".note.gnu.build-id", &sh), NOTES_MAX, &len, &err);
	if (note)
		elfread_each_note(note, len, take_build_id, &h);
	put_text(&names, "");
	sb_add(out, &h, sizeof(h));
	put_segments(elf, &h, out);
	put_sections(elf, &h, out, &names);
	h.names_len = names.buf.len;
	memcpy(out->s + at, &h, sizeof(h));
	sb_add(out, names.buf.s, names.buf.len);
	sb_free(&names.buf);
	return names.full ? -EFBIG : 0;
}

/* Functions and variables ------------------------------------------------- */

struct symbols {
	VEC(struct object_sym) v;
	bool vars;
	uint64_t space; /* bytes that are left */
	int err;
};

static bool is_wanted(const struct symbols *to, const GElf_Sym *s)
{
	int type = GELF_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF)
		return false;
	if (to->vars)
		return type == STT_TLS || (type == STT_OBJECT && s->st_value);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_value;
}

static void take_symbol(struct symbols *to, const char *name, const GElf_Sym *s)
{
	static const uint8_t ranks[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
	int bind = GELF_ST_BIND(s->st_info);
	struct object_sym sym = {name,
				 s->st_value,
				 s->st_size,
				 bind < (int)ARRAY_SIZE(ranks) ? ranks[bind] : 3,
				 GELF_ST_TYPE(s->st_info) == STT_GNU_IFUNC,
				 GELF_ST_TYPE(s->st_info) == STT_TLS};
	uint64_t cost = sizeof(sym) + strlen(name) + 1;

	if (cost > to->space || to->v.n >= MAX_SYMS) {
		to->err = -EFBIG;
		return;
	}
	to->space -= cost;
	vec_push(&to->v, sym);
}

/* Their names stay where the file has them. */
static void read_symbols(struct symbols *to, Elf *elf, GElf_Word type)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh, strings;

	while (!to->err && (scn = elf_nextscn(elf, scn))) {
		struct strings names;
		Elf_Data *data;
		uint64_t n;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		if (sh.sh_size > to->space ||
		    (gelf_getshdr(elf_getscn(elf, sh.sh_link), &strings) &&
		     strings.sh_size > to->space)) {
			to->err = -EFBIG;
			return;
		}
		names = strings_of(elf, sh.sh_link, to->space);
		data = names.len ? elf_getdata(scn, NULL) : NULL;
		n = data ? data->d_size / sh.sh_entsize : 0;
		for (uint64_t i = 0; i < n && i < INT_MAX && !to->err; i++) {
			const char *name;
			GElf_Sym s;

			if (!gelf_getsym(data, i, &s) || !is_wanted(to, &s))
				continue;
			name = string_at(&names, s.st_name);
			if (name && *name)
				take_symbol(to, name, &s);
		}
	}
}

/* liblzma's, loaded when it is first wanted: dtrace starts sooner without it. */
typedef int (*xz_decode)(uint64_t *limit, uint32_t flags, const void *allocator, const uint8_t *in,
			 size_t *in_pos, size_t in_size, uint8_t *out, size_t *out_pos,
			 size_t out_size);
enum { XZ_OK = 0, XZ_NO_ROOM = 10 };

/* Decompressed xz, to be freed; NULL when it is none, too large, or there is no liblzma. */
static uint8_t *unxz(const uint8_t *data, size_t len, uint64_t most, size_t *out_len)
{
	void *lib = dlopen("liblzma.so.5", RTLD_NOW);
	xz_decode decode = lib ? (xz_decode)dlsym(lib, "lzma_stream_buffer_decode") : NULL;
	uint64_t limit = most;
	int rc = XZ_NO_ROOM;

	for (uint64_t space = len * 8; decode && space <= most && rc == XZ_NO_ROOM; space *= 2) {
		uint8_t *buf = malloc(space);
		size_t in = 0;

		*out_len = 0;
		rc = buf ? decode(&limit, 0, NULL, data, &in, len, buf, out_len, space) : XZ_OK;
		if (buf && rc == XZ_OK) {
			dlclose(lib);
			return buf;
		}
		free(buf);
	}
	if (lib)
		dlclose(lib);
	return NULL;
}

/* The small symbol table that some distributions leave in stripped objects: an ELF file,
 * compressed. */
struct debugdata {
	uint8_t *bytes;
	Elf *elf;
};

static struct debugdata read_debugdata(struct symbols *to, Elf *elf)
{
	struct debugdata d = {0};
	GElf_Shdr sh;
	size_t len, size;
	int err;
	const uint8_t *data =
	    section_bytes(section_find(elf, ".gnu_debugdata", &sh), to->space, &len, &err);

	d.bytes = data ? unxz(data, len, to->space, &size) : NULL;
	d.elf = d.bytes ? elf_memory((char *)d.bytes, size) : NULL;
	if (d.elf && elf_kind(d.elf) == ELF_K_ELF)
		read_symbols(to, d.elf, SHT_SYMTAB);
	return d;
}

static int underscores(const char *name)
{
	return strspn(name, "_");
}

/* Of the names of one place the one that sources use: calloc before __libc_calloc, open before
 * __open. */
static int by_name(const void *pa, const void *pb)
{
	const struct object_sym *a = pa, *b = pb;

	if (a->name == b->name)
		return a->rank - b->rank;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) - underscores(b->name);
	if (a->rank != b->rank)
		return a->rank - b->rank;
	return strcmp(a->name, b->name);
}

static bool one_place(const struct object_sym *a, const struct object_sym *b)
{
	return a->addr == b->addr && a->of_threads == b->of_threads;
}

/* By address; threads' own variables, which are at no place, come last. */
static void sort_places(struct object_sym *syms, uint32_t n)
{
	uint64_t *keys = xcalloc(n, sizeof(*keys));
	struct object_sym *sorted = xcalloc(n, sizeof(*sorted));
	uint32_t *order, to = 0;

	for (uint32_t i = 0; i < n; i++)
		keys[i] = syms[i].addr;
	order = radix_order(keys, n);
	for (int threads = 0; threads < 2; threads++)
		for (uint32_t i = 0; i < n; i++)
			if (syms[order[i]].of_threads == threads)
				sorted[to++] = syms[order[i]];
	memcpy(syms, sorted, n * sizeof(*syms));
	free(order);
	free(sorted);
	free(keys);
}

/* A name may be in two tables, with other ranks between. */
uint64_t elfread_sort(struct object_sym *syms, uint64_t n)
{
	uint64_t kept = 0, end;

	if (n)
		sort_places(syms, n);
	for (uint64_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && one_place(&syms[i], &syms[end]);)
			end++;
		if (end - i > 1)
			qsort(&syms[i], end - i, sizeof(*syms), by_name);
	}
	for (uint64_t i = 0; i < n; i++)
		if (!kept || syms[i].addr != syms[kept - 1].addr ||
		    (syms[i].name != syms[kept - 1].name &&
		     strcmp(syms[i].name, syms[kept - 1].name)))
			syms[kept++] = syms[i];
	return kept;
}

/* Appends the rows, whose texts were put, and the texts. */
static void put_table(struct elfread_table head, const void *rows, size_t row_size,
		      struct texts *texts, struct strbuf *out)
{
	head.texts_len = texts->buf.len;
	sb_add(out, &head, sizeof(head));
	sb_add(out, rows, head.n * row_size);
	sb_add(out, texts->buf.s, texts->buf.len);
	sb_free(&texts->buf);
}

static int put_symbols(Elf *elf, const struct elfread_ask *ask, struct strbuf *out)
{
	struct symbols to = {.vars = ask->what == ELFREAD_VARS, .space = ask->space};
	struct texts names = {.space = ask->space};
	struct elfread_table head = {0};
	struct debugdata d = {0};

	read_symbols(&to, elf, SHT_SYMTAB);
	head.stripped = !to.v.n;
	if (!ask->symtab_only && head.stripped)
		d = read_debugdata(&to, elf);
	if (!ask->symtab_only)
		read_symbols(&to, elf, SHT_DYNSYM);
	head.n = elfread_sort(to.v.v, to.v.n);
	put_text(&names, "");
	for (uint64_t i = 0; i < head.n; i++)
		to.v.v[i].name = put_text(&names, to.v.v[i].name);
	put_table(head, to.v.v, sizeof(*to.v.v), &names, out);
	vec_free(&to.v);
	elf_end(d.elf);
	free(d.bytes);
	return to.err;
}

/* Static probes ----------------------------------------------------------- */

struct noting {
	VEC(struct object_note) v;
	struct texts texts;
	uint64_t base; /* where .stapsdt.base is; 0: not there */
	bool is_64;
};

const char *elfread_note_string(const char **p, const char *end)
{
	const char *s = *p, *nul = s < end ? memchr(s, 0, end - s) : NULL;

	if (!nul)
		return NULL;
	*p = nul + 1;
	return s;
}

static uint64_t note_word(const struct noting *ng, const uint8_t *desc, int i)
{
	uint64_t v = 0;
	int size = ng->is_64 ? 8 : 4;

	memcpy(&v, desc + i * size, size);
	return v;
}

/* Three words: the instruction, the base's address when the note was written, the semaphore;
 * three strings. */
static bool take_note(void *arg, uint32_t type, const char *name, const uint8_t *desc,
		      uint32_t size)
{
	struct noting *ng = arg;
	uint32_t words = 3 * (ng->is_64 ? 8 : 4);
	const char *p = (const char *)desc + words, *end = (const char *)desc + size;
	uint64_t moved;
	struct object_note note = {0};

	if (type != 3 || strcmp(name, "stapsdt") || size < words + 3)
		return false;
	note.provider = elfread_note_string(&p, end);
	note.name = note.provider ? elfread_note_string(&p, end) : NULL;
	note.args = note.name ? elfread_note_string(&p, end) : NULL;
	if (!note.args || !*note.provider || !*note.name)
		return false;
	note.provider = put_text(&ng->texts, note.provider);
	note.name = put_text(&ng->texts, note.name);
	note.args = put_text(&ng->texts, note.args);
	note.addr = note_word(ng, desc, 0);
	note.semaphore = note_word(ng, desc, 2);
	/* by prelink, or by stripping into another layout */
	moved = ng->base ? ng->base - note_word(ng, desc, 1) : 0;
	note.addr += moved;
	if (note.semaphore)
		note.semaphore += moved;
	if (ng->v.n < MAX_NOTES && !ng->texts.full)
		vec_push(&ng->v, note);
	return ng->texts.full;
}

static int put_notes(Elf *elf, const struct elfread_ask *ask, struct strbuf *out)
{
	struct noting ng = {.texts = {.space = ask->space}, .is_64 = is_64(elf)};
	const uint8_t *data;
	GElf_Shdr sh;
	size_t len;
	int err;

	if (section_find(elf, ".stapsdt.base", &sh))
		ng.base = sh.sh_addr;
	data = section_bytes(section_find(elf, ".note.stapsdt", &sh), ask->space, &len, &err);
	put_text(&ng.texts, "");
	if (data)
		elfread_each_note(data, len, take_note, &ng);
	put_table((struct elfread_table){.n = ng.v.n}, ng.v.v, sizeof(*ng.v.v), &ng.texts, out);
	vec_free(&ng.v);
	return err == -EFBIG || ng.texts.full ? -EFBIG : 0;
}

/* Bytes ------------------------------------------------------------------- */

static int put_section(Elf *elf, const struct elfread_ask *ask, struct strbuf *out)
{
	size_t len;
	int err;
	const void *data = section_bytes(elf_getscn(elf, ask->section), ask->space, &len, &err);

	if (data)
		sb_add(out, data, len);
	return data ? 0 : err;
}

static int put_unwind(Elf *elf, const struct elfread_ask *ask, struct strbuf *out)
{
	const struct machine *machine = NULL;
	struct cfi cfi = {0};
	const uint8_t *data = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr sh;
	size_t len;
	int err = 0;

	if (is_64(elf) && gelf_getehdr(elf, &ehdr))
		machine = machine_of(ehdr.e_machine);
	if (machine && machine->unwind.known)
		data = section_bytes(section_find(elf, ".eh_frame", &sh), ask->space, &len, &err);
	if (data)
		cfi_parse(&cfi, machine, data, len, sh.sh_addr);
	if (cfi.rows.n)
		sb_add(out, (char *)cfi.rows.v, cfi.rows.n * sizeof(*cfi.rows.v));
	cfi_free(&cfi);
	return err;
}

static int put_bytes(int fd, const struct elfread_ask *ask, struct strbuf *out)
{
	char *buf;
	ssize_t n;

	if (fd < 0 || ask->len > ask->space)
		return fd < 0 ? -EBADF : -EFBIG;
	buf = xmalloc(ask->len + 1);
	n = pread(fd, buf, ask->len, ask->off);
	if (n > 0)
		sb_add(out, buf, n);
	free(buf);
	return n < 0 ? -errno : 0;
}

int elfread(Elf *elf, int fd, const struct elfread_ask *ask, struct strbuf *out)
{
	switch (ask->what) {
	case ELFREAD_HEAD:
		return put_head(elf, ask->space, out);
	case ELFREAD_FUNCS:
	case ELFREAD_VARS:
		return put_symbols(elf, ask, out);
	case ELFREAD_NOTES:
		return put_notes(elf, ask, out);
	case ELFREAD_SECTION:
		return put_section(elf, ask, out);
	case ELFREAD_UNWIND:
		return put_unwind(elf, ask, out);
	case ELFREAD_BYTES:
		return put_bytes(fd, ask, out);
	}
	return -EINVAL;
}
