/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dtrace -G. The probes' places are in notes that the assembler made, so nothing is patched and
 * nothing has to be registered: what the link lacks are the semaphores. They are written here into
 * a small relocatable object, with a note of each provider's declaration (process/provnote.h). The
 * notes of the objects given are read to report a probe that no provider declares. Objects for
 * link-time optimisation have no notes yet; they are taken as they are.
 *
 * A tracer finds a probe, and raises its semaphore, where a note has a place. One that the objects
 * only test (is-enabled, in a library whose probes fire in another one) has none. It gets a place
 * here that is never executed, a nop in a function of its own.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/usdt/usdt.h"
#include "libdt/process/provnote.h"

enum { USE_PLACED = 1, USE_TESTED = 2 };

struct search {
	struct provdecl *const *provs;
	int nprovs;
	int found;     /* probes of ours, or tests whether they are enabled */
	uint8_t *uses; /* USE_*, of each probe in the order of the declarations */
	bool opaque;   /* there are objects whose probes cannot be seen */
	struct strbuf *why;
};

/* Its number in the provider; -1: it is not declared. */
static int declared(const struct provdecl *p, const char *word)
{
	for (int i = 0; i < p->probes.n; i++)
		if (!strcmp(p->probes.v[i]->word, word) || !strcmp(p->probes.v[i]->name, word))
			return i;
	return -1;
}

/* A probe in an object: of another provider it is no business of ours. */
static int met(struct search *se, const char *object, const char *prov, const char *word)
{
	uint8_t *uses = se->uses;

	for (int i = 0; i < se->nprovs; uses += se->provs[i++]->probes.n) {
		int at = declared(se->provs[i], word);

		if (strcmp(se->provs[i]->name, prov))
			continue;
		se->found++;
		if (at >= 0) {
			uses[at] |= USE_PLACED;
			continue;
		}
		sb_printf(se->why, "%s: probe %s of provider %s is not declared", object, word,
			  prov);
		return -1;
	}
	return 0;
}

/* Three addresses, then the names, each with its NUL inside of the note. */
static int note(struct search *se, const char *object, const char *desc, size_t size, size_t word)
{
	const char *prov = desc + 3 * word, *name;
	size_t left = size > 3 * word ? size - 3 * word : 0, len = strnlen(prov, left);

	if (len == left)
		return 0;
	name = prov + len + 1;
	left -= len + 1;
	return strnlen(name, left) == left ? 0 : met(se, object, prov, name);
}

static int notes(struct search *se, const char *object, Elf_Data *data, size_t word)
{
	size_t off = 0, next, name, desc;
	GElf_Nhdr h;
	int rc = 0;

	while (!rc && data && (next = gelf_getnote(data, off, &h, &name, &desc)) > off) {
		if (h.n_type == 3 && h.n_namesz == 8 &&
		    !memcmp((char *)data->d_buf + name, "stapsdt", 8))
			rc = note(se, object, (char *)data->d_buf + desc, h.n_descsz, word);
		off = next;
	}
	return rc;
}

/* A symbol may be the semaphore of a probe of ours. */
static void refer(struct search *se, const char *symbol)
{
	uint8_t *uses = se->uses;

	for (int i = 0; i < se->nprovs; uses += se->provs[i++]->probes.n) {
		size_t len = strlen(se->provs[i]->name);

		if (strncmp(symbol, se->provs[i]->name, len) || symbol[len] != '_')
			continue;
		for (int j = 0; j < se->provs[i]->probes.n; j++) {
			const char *word = se->provs[i]->probes.v[j]->word;

			if (!strncmp(symbol + len + 1, word, strlen(word)) &&
			    !strcmp(symbol + len + 1 + strlen(word), "_semaphore")) {
				uses[j] |= USE_TESTED;
				se->found++;
			}
		}
	}
}

/* Code that only tests whether a probe is enabled has no note: it refers to the semaphore. */
static void references(struct search *se, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = sh->sh_entsize ? elf_getdata(scn, NULL) : NULL;
	size_t n = data ? data->d_size / sh->sh_entsize : 0;

	for (size_t i = 1; i < n; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym) || sym.st_shndx != SHN_UNDEF)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name)
			refer(se, name);
	}
}

static int one_object(struct search *se, const char *object, Elf *elf)
{
	size_t strings, word = gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int rc = 0;

	if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &strings)) {
		sb_printf(se->why, "%s: it is no object file", object);
		return -1;
	}
	while (!rc && (scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &sh)) {
		const char *name = elf_strptr(elf, strings, sh.sh_name);

		se->opaque |= name && !strncmp(name, ".gnu.lto_", 9);
		if (name && !strcmp(name, ".note.stapsdt") && sh.sh_type == SHT_NOTE)
			rc = notes(se, object, elf_getdata(scn, NULL), word);
		else if (sh.sh_type == SHT_SYMTAB)
			references(se, elf, scn, &sh);
	}
	return rc;
}

/* An object, or each of an archive. */
static int file(struct search *se, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL), *member;
	Elf_Cmd cmd = ELF_C_READ;

	if (!elf) {
		sb_printf(se->why, "%s: %s", path, fd < 0 ? strerror(errno) : elf_errmsg(-1));
		rc = -1;
	} else if (elf_kind(elf) != ELF_K_AR) {
		rc = one_object(se, path, elf);
	} else {
		while (!rc && (member = elf_begin(fd, cmd, elf))) {
			rc = elf_kind(member) == ELF_K_ELF ? one_object(se, path, member) : 0;
			cmd = elf_next(member);
			elf_end(member);
		}
	}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* The sections of what we write, in the order of their numbers. */
enum {
	SEC_NULL,
	SEC_PROBES,
	SEC_SYMTAB,
	SEC_STRTAB,
	SEC_SHSTRTAB,
	SEC_STACK,
	SEC_DECLS,
	SEC_COUNT, /* where no probe is only tested */
	SEC_TEXT = SEC_COUNT,
	SEC_NOTES,
	SEC_RELOCS,
	SEC_COUNT_ALL
};
static const char section_names[] = "\0.probes\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack\0."
				    "text\0.rela.note.stapsdt\0" PROVNOTE_SECTION;
enum {
	AT_PROBES = 1,
	AT_SYMTAB = 9,
	AT_STRTAB = 17,
	AT_SHSTRTAB = 25,
	AT_STACK = 35,
	AT_TEXT = 51,
	AT_RELOCS = 57,
	AT_NOTES = 62,
	AT_DECLS = 76
};

static void place(struct strbuf *out, Elf64_Shdr *sh, const void *bytes, size_t size)
{
	while (out->len % 8)
		sb_putc(out, 0);
	sh->sh_offset = out->len;
	sh->sh_size = size;
	if (size)
		sb_add(out, bytes, size);
}

/* What of the object depends on the declarations and on what the objects have of them. */
struct stub {
	struct strbuf syms, strings, text, notes, relocs;
	int nsyms, nlocals; /* the local symbols are the first */
	int nsemaphores;
};

static void add_symbol(struct stub *st, const char *prov, const char *word, const char *what,
		       Elf64_Sym sym)
{
	sym.st_name = st->strings.len;
	if (what)
		sb_printf(&st->strings, "%s_%s%s", prov, word, what);
	sb_putc(&st->strings, 0);
	sb_add(&st->syms, &sym, sizeof(sym));
	st->nsyms++;
}

/* The function of a probe that is only tested. */
static void add_place(struct stub *st, const struct provdecl *prov, const struct probedecl *p)
{
	add_symbol(st, prov->name, p->word, "_enabled",
		   (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
			       .st_shndx = SEC_TEXT,
			       .st_value = st->text.len,
			       .st_size = machine_here->static_probe.nop_len});
	sb_add(&st->text, &machine_here->static_probe.nop, machine_here->static_probe.nop_len);
}

static void add_semaphore(struct stub *st, const struct provdecl *prov, const struct probedecl *p)
{
	add_symbol(st, prov->name, p->word, "_semaphore",
		   (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
			       .st_other = STV_HIDDEN,
			       .st_shndx = SEC_PROBES,
			       .st_value = 2 * st->nsemaphores++,
			       .st_size = 2});
}

/* Like those of header.c, with the addresses of three symbols; its arguments are 0. */
static void add_note(struct stub *st, struct sema *s, const struct provdecl *prov,
		     const struct probedecl *p, const int symbols[3])
{
	static const char owner[] = "stapsdt";
	uint64_t address = 0;
	struct strbuf names = {0};

	sb_printf(&names, "%s%c%s%c", prov->name, 0, p->word, 0);
	for (int i = 0; i < p->nargs; i++)
		sb_printf(&names, "%s%d@%s", i ? " " : "", usdt_operand_size(s, p->args[i].type),
			  machine_here->static_probe.zero);
	sb_putc(&names, 0);
	sb_add(&st->notes, (uint32_t[]){sizeof(owner), 3 * sizeof(address) + names.len, 3}, 12);
	sb_add(&st->notes, owner, sizeof(owner));
	for (int i = 0; i < 3; i++) {
		Elf64_Rela rela = {.r_offset = st->notes.len,
				   .r_info = ELF64_R_INFO((uint64_t)symbols[i],
							  machine_here->static_probe.relocation)};

		sb_add(&st->relocs, &rela, sizeof(rela));
		sb_add(&st->notes, &address, sizeof(address));
	}
	sb_add(&st->notes, names.s, names.len);
	while (st->notes.len % 4)
		sb_putc(&st->notes, 0);
	sb_free(&names);
}

static void make_stub(struct stub *st, struct sema *s, const struct search *se)
{
	int k = 0, base, placed = 1;

	add_symbol(st, "", "", NULL, (Elf64_Sym){0});
	for (int i = 0; i < se->nprovs; i++)
		for (int j = 0; j < se->provs[i]->probes.n; j++)
			if (se->uses[k++] == USE_TESTED)
				add_place(st, se->provs[i], se->provs[i]->probes.v[j]);
	st->nlocals = st->nsyms;
	for (int i = 0; i < se->nprovs; i++)
		for (int j = 0; j < se->provs[i]->probes.n; j++)
			add_semaphore(st, se->provs[i], se->provs[i]->probes.v[j]);
	if (st->nlocals == 1)
		return;
	/* Where other objects have notes it is defined there. */
	base = st->nsyms;
	add_symbol(
	    st, "", ".stapsdt.base", "",
	    (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE), .st_other = STV_HIDDEN});
	k = 0;
	for (int i = 0; i < se->nprovs; i++)
		for (int j = 0; j < se->provs[i]->probes.n; j++, k++)
			if (se->uses[k] == USE_TESTED)
				add_note(st, s, se->provs[i], se->provs[i]->probes.v[j],
					 (int[]){placed++, base, st->nlocals + k});
}

static void declare_probe(struct sema *s, const struct provdecl *prov, const struct probedecl *p,
			  size_t begun, struct strbuf *out)
{
	const char *passed[PROVNOTE_ARGS];
	struct provnote_arg args[PROVNOTE_ARGS];
	struct provnote_probe note = {prov->name, p->word,
				      passed,	  MIN(p->nargs, PROVNOTE_ARGS),
				      args,	  MIN(p->nxargs, PROVNOTE_ARGS)};

	for (int i = 0; i < note.npassed; i++)
		passed[i] = arena_strdup(s->arena, sema_type_text(s, p->args[i].type));
	for (int i = 0; i < note.nargs; i++)
		args[i] = (struct provnote_arg){
		    arena_strdup(s->arena, sema_type_text(s, p->xargs[i].type)),
		    p->xargs[i].native};
	provnote_probe(out, begun, &note);
}

static void declarations(struct sema *s, struct provdecl *const *provs, int n, struct strbuf *out)
{
	for (int i = 0; i < n; i++) {
		uint8_t attrs[PROVNOTE_ATTRS] = {0};
		size_t begun;

		for (int j = 0; j < PROVDECL_ATTRS; j++) {
			attrs[4 * j + 1] = provs[i]->attrs[j].class;
			attrs[4 * j + 2] = provs[i]->attrs[j].data;
			attrs[4 * j + 3] = provs[i]->attrs[j].name;
		}
		begun = provnote_begin(out, provs[i]->name, attrs, provs[i]->probes.n);
		for (int j = 0; j < provs[i]->probes.n; j++)
			declare_probe(s, provs[i], provs[i]->probes.v[j], begun, out);
		provnote_end(out, begun);
	}
}

static void image(struct sema *s, const struct search *se, struct strbuf *out)
{
	Elf64_Ehdr eh = {.e_machine = machine_here->elf, .e_flags = machine_here->elf_flags};
	struct strbuf decls = {0};
	struct stub st = {0};
	char *zeroes;
	Elf64_Shdr sh[SEC_COUNT_ALL] = {
	    [SEC_PROBES] = {.sh_name = AT_PROBES,
			    .sh_type = SHT_PROGBITS,
			    .sh_flags = SHF_ALLOC | SHF_WRITE,
			    .sh_addralign = 2},
	    [SEC_SYMTAB] = {.sh_name = AT_SYMTAB,
			    .sh_type = SHT_SYMTAB,
			    .sh_link = SEC_STRTAB,
			    .sh_entsize = sizeof(Elf64_Sym),
			    .sh_addralign = 8},
	    [SEC_STRTAB] = {.sh_name = AT_STRTAB, .sh_type = SHT_STRTAB, .sh_addralign = 1},
	    [SEC_SHSTRTAB] = {.sh_name = AT_SHSTRTAB, .sh_type = SHT_STRTAB, .sh_addralign = 1},
	    [SEC_STACK] = {.sh_name = AT_STACK, .sh_type = SHT_PROGBITS, .sh_addralign = 1},
	    [SEC_DECLS] = {.sh_name = AT_DECLS, .sh_type = SHT_NOTE, .sh_addralign = 4},
	    [SEC_TEXT] = {.sh_name = AT_TEXT,
			  .sh_type = SHT_PROGBITS,
			  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			  .sh_addralign = 4},
	    [SEC_NOTES] = {.sh_name = AT_NOTES, .sh_type = SHT_NOTE, .sh_addralign = 4},
	    [SEC_RELOCS] = {.sh_name = AT_RELOCS,
			    .sh_type = SHT_RELA,
			    .sh_flags = SHF_INFO_LINK,
			    .sh_link = SEC_SYMTAB,
			    .sh_info = SEC_NOTES,
			    .sh_entsize = sizeof(Elf64_Rela),
			    .sh_addralign = 8},
	};
	Elf64_Shdr table;
	int count;

	make_stub(&st, s, se);
	zeroes = xcalloc(MAX(st.nsemaphores, 1), 2);
	count = st.text.len ? SEC_COUNT_ALL : SEC_COUNT;
	sh[SEC_SYMTAB].sh_info = st.nlocals;
	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_ident[EI_VERSION] = eh.e_version = EV_CURRENT;
	eh.e_type = ET_REL;
	eh.e_ehsize = sizeof(eh);
	eh.e_shentsize = sizeof(sh[0]);
	eh.e_shnum = count;
	eh.e_shstrndx = SEC_SHSTRTAB;
	sb_add(out, &eh, sizeof(eh));
	place(out, &sh[SEC_PROBES], zeroes, 2 * st.nsemaphores);
	place(out, &sh[SEC_SYMTAB], st.syms.s, st.syms.len);
	place(out, &sh[SEC_STRTAB], st.strings.s, st.strings.len);
	place(out, &sh[SEC_SHSTRTAB], section_names, sizeof(section_names));
	place(out, &sh[SEC_STACK], NULL, 0);
	declarations(s, se->provs, se->nprovs, &decls);
	place(out, &sh[SEC_DECLS], decls.s, decls.len);
	if (st.text.len) {
		place(out, &sh[SEC_TEXT], st.text.s, st.text.len);
		place(out, &sh[SEC_NOTES], st.notes.s, st.notes.len);
		place(out, &sh[SEC_RELOCS], st.relocs.s, st.relocs.len);
	}
	place(out, &table, sh, count * sizeof(sh[0]));
	((Elf64_Ehdr *)out->s)->e_shoff = table.sh_offset;
	sb_free(&st.syms), sb_free(&st.strings), sb_free(&st.text);
	sb_free(&st.notes), sb_free(&st.relocs);
	sb_free(&decls);
	free(zeroes);
}

/* Would writing to path destroy one of the objects? */
static bool is_input(const char *path, char *const *objects, int n)
{
	struct stat out, in;

	for (int i = 0; i < n && !stat(path, &out); i++)
		if (!stat(objects[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return true;
	return false;
}

int usdt_object(struct sema *s, struct provdecl *const *provs, int n, char *const *objects,
		int nobjects, const char *path, struct strbuf *why)
{
	struct search se = {.provs = provs, .nprovs = n, .why = why};
	struct strbuf out = {0};
	FILE *f;
	int rc = 0, nprobes = 0;

	if (is_input(path, objects, nobjects)) {
		sb_printf(why,
			  "%s is an object of the program and would be replaced; name another "
			  "file with -o",
			  path);
		return -1;
	}
	for (int i = 0; i < n; i++)
		nprobes += provs[i]->probes.n;
	se.uses = arena_alloc(s->arena, MAX(nprobes, 1));
	elf_version(EV_CURRENT);
	for (int i = 0; i < nobjects && !rc; i++)
		rc = file(&se, objects[i]);
	if (!rc && nobjects && !se.found && !se.opaque) {
		sb_puts(why, "No probe sites found for declared provider");
		rc = -1;
	}
	if (rc)
		return rc;
	if (se.opaque) /* they may have the places */
		memset(se.uses, 0, nprobes);
	image(s, &se, &out);
	f = fopen(path, "we");
	if (!f || fwrite(out.s, 1, out.len, f) != out.len || fflush(f)) {
		sb_printf(why, "failed to write %s: %s", path, strerror(errno));
		rc = -1;
	}
	if (f)
		fclose(f);
	sb_free(&out);
	return rc;
}
