/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_object [-n ROUNDS] [-s SEED] FILE...: ELF files, spoilt in a few places each time, are
 * looked at as dtrace looks at a program: symbols, static probes and their arguments, types (CTF,
 * BTF), where functions have their arguments, and rules for unwinding; files that are no ELF are
 * read as maps of compilers at run time. Nothing that is in a file may do harm: crashes,
 * sanitizers and time are what is looked at. Half of the spoiling is in the sections that have
 * the types and notes. Prints the round before each with -v: with -s and that number, -n 1, it
 * comes again.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libdt/base/machine/sdtarg.h"
#include "libdt/provider/uargs.h"
#include "libdt/provider/uproc.h"
#include "libdt/process/cfi.h"
#include "libdt/process/jitread.h"
#include "libdt/process/object.h"
#include "libdt/type/btfcopy.h"
#include "tests/fuzz/spoil.h"

static bool is_elf(const struct file *f)
{
	return f->len > sizeof(Elf64_Ehdr) && !memcmp(f->data, ELFMAG, SELFMAG);
}

/* Where one of the interesting sections lies; the whole file when there is none. */
static void choose(const struct file *f, size_t *from, size_t *len)
{
	static const char *const wanted[] = {
	    ".ctf",    ".BTF",	  ".note.stapsdt", ".note.gnu.build-id", ".symtab",
	    ".strtab", ".dynsym", ".dynstr",	   ".eh_frame"};
	const Elf64_Ehdr *eh = (const void *)f->data;
	const Elf64_Shdr *sh, *names;
	const char *want = wanted[any(ARRAY_SIZE(wanted))];

	*from = 0;
	*len = f->len;
	/* What lies beyond the limit of slurp() is missing, often the section headers. */
	if (!is_elf(f) || eh->e_shoff > f->len ||
	    eh->e_shnum > (f->len - eh->e_shoff) / sizeof(*sh) || eh->e_shstrndx >= eh->e_shnum)
		return;
	sh = (const void *)(f->data + eh->e_shoff);
	names = sh + eh->e_shstrndx;
	if (names->sh_offset >= f->len)
		return;
	if (any(2))
		want = wanted[any(2)];
	for (int i = 1; i < eh->e_shnum && any(8); i++) {
		if (sh[i].sh_name >= f->len - names->sh_offset || !sh[i].sh_size ||
		    strcmp((const char *)f->data + names->sh_offset + sh[i].sh_name, want) ||
		    sh[i].sh_offset > f->len || sh[i].sh_size > f->len - sh[i].sh_offset)
			continue;
		*from = sh[i].sh_offset;
		*len = any(2) ? MIN(sh[i].sh_size, 64) : sh[i].sh_size; /* headers matter most */
	}
	if (*len == f->len && any(2))
		*len = sizeof(*eh);
}

static void spoil(const struct file *whole, uint8_t *data)
{
	static const uint32_t odd[] = {0,	   1,	       0x7f,	   0xff,      0xffff,
				       0x7fffffff, 0x80000000, 0xffffffff, 0x1000000, 0xf0000000};
	size_t from, len;

	choose(whole, &from, &len);
	for (uint64_t n = 1 + any(6); n > 0; n--) {
		size_t at = from + any(len);
		uint32_t word = any(2) ? odd[any(ARRAY_SIZE(odd))] : (uint32_t)any(0);

		switch (any(3)) {
		case 0:
			data[at] ^= 1 << any(8);
			break;
		case 1:
			data[at] = word;
			break;
		default:
			at = MIN(at & ~3ull, whole->len - 4);
			memcpy(data + at, &word, 4);
		}
	}
}

static void look_at_type(struct types *types, const struct type *t)
{
	struct strbuf sb = {0};

	type_size(types, type_complete(types, t));
	type_align(types, t);
	type_text(types, t);
	type_describe(types, t, &sb);
	sb_free(&sb);
}

static void look_at_function(struct types *types, struct user_types *u, const char *name)
{
	static const int machines[] = {EM_X86_64, EM_AARCH64, EM_RISCV, EM_386};
	struct arena *a = types_arena(types);
	const struct probe_arg *args;
	struct kernel_func kf;
	int n;

	if (!type_user_func(types, u, name, 0, &kf))
		return;
	n = uargs_entry(types, a, machines[any(ARRAY_SIZE(machines))], &kf, &args);
	for (int i = 0; i < n; i++)
		look_at_type(types, args[i].type);
	uargs_return(types, a, &kf, &args);
}

static struct user_types *only(void *arg, const char *module, int i)
{
	(void)module;
	return i ? NULL : arg;
}

/* In this process, for sanitizers to see it. */
static void copy_here(const struct type_sections *s)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && s->btf_len)
		btf_copy_to(s, fd);
	if (fd >= 0)
		close(fd);
}

static void look_at_types(struct object *o)
{
	static const char *const names[] = {"struct item", "struct point", "struct large",
					    "item_t",	   "enum color",   "struct opaque"};
	static const char *const functions[] = {"work", "inner", "wide", "made", "main", "fprintf"};
	struct types *types = types_new(false, "none");
	struct type_sections s;
	struct user_types *u;
	int64_t value;

	uobj_sections(o, &s);
	copy_here(&s);
	u = type_user_open(types, "file", &s);
	types_set_programs(types, only, u);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct type *t = type_find(types, "pid", names[i]);

		if (t)
			look_at_type(types, t);
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		look_at_function(types, u, functions[i]);
	type_enumerator(types, "pid", "GREEN", &value, NULL);
	types_free(types);
}

static void look_at_rules(struct object *o)
{
	int n;
	const struct cfi_row *rows = object_unwind(o, &n);

	for (int i = 1; i < n; i++)
		if (rows[i].addr < rows[i - 1].addr)
			abort();
}

/* In two parts: the second time it is asked for what was added. */
static void look_at_map(int fd, const uint8_t *data, size_t len)
{
	struct jitread ask = {0};
	size_t half = len / 2;

	for (int i = 0; i < 2; i++) {
		struct strbuf out = {0};
		const struct jitread_answer *a;
		const struct jit_symbol *syms;

		if (ftruncate(fd, half) || (i && pwrite(fd, data + half, len - half, half) < 0) ||
		    jitread(fd, &ask, 1 << 20, &out) || out.len < sizeof(*a)) {
			sb_free(&out);
			return;
		}
		a = (const void *)out.s;
		syms = (const void *)(a + 1);
		for (uint64_t n = 0; n < a->n; n++)
			if ((uintptr_t)syms[n].name >= a->texts_len ||
			    (n && jit_symbol_compare(syms + n - 1, syms + n) > 0))
				abort();
		ask = a->next;
		sb_free(&out);
	}
}

static void look(const char *path)
{
	char *why = NULL;
	struct object *o = object_open(path, &why);
	const struct object_note *notes;
	struct sdtarg args[SDTARG_MAX];
	struct sdtarg_env env = {0};
	int n;

	if (o) {
		object_syms(o, &n);
		object_sym_at(o, any(0));
		notes = object_notes(o, &n);
		env.machine = object_machine(o);
		for (int i = 0; i < n; i++)
			sdtarg_parse(notes[i].args, &env, args);
		look_at_types(o);
		look_at_rules(o);
	} else if (!why || !*why) {
		abort(); /* it was refused and nothing said why */
	}
	object_close(o);
	free(why);
}

static void spoil_and_look(const struct file *f, uint64_t round)
{
	uint8_t *data = memcpy(xmalloc(f->len), f->data, f->len);
	int fd = memfd_create("spoilt", 0);
	char path[64];

	state = (round + 1) * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 4; i++)
		any(0);
	spoil(f, data);
	if (fd < 0 || write(fd, data, f->len) != (ssize_t)f->len)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (is_elf(f))
		look(path);
	else
		look_at_map(fd, data, f->len);
	close(fd);
	free(data);
}

int main(int argc, char **argv)
{
	uint64_t rounds = 1000, first = 0;
	bool verbose = false;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:v")) > 0) {
		if (opt == 'n')
			rounds = strtoull(optarg, NULL, 0);
		else if (opt == 's')
			first = strtoull(optarg, NULL, 0);
		else
			verbose = true;
	}
	for (int i = optind; i < argc; i++) {
		struct file f = slurp(argv[i], 1 << 20);

		for (uint64_t r = first; r < first + rounds; r++) {
			if (verbose)
				fprintf(stderr, "%s %llu\n", argv[i], (unsigned long long)r);
			spoil_and_look(&f, r);
		}
		free(f.data);
	}
	printf("fuzz: %d files, spoilt %llu times each, did no harm\n", argc - optind,
	       (unsigned long long)rounds);
	return optind == argc;
}
