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

#include "tests/fuzz/look.h"
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

static void spoil_and_look(const struct file *f, uint64_t round)
{
	uint8_t *data = memcpy(xmalloc(f->len), f->data, f->len);
	int fd = memfd_create("spoilt", 0);
	char path[64];

	state = (round + 1) * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 4; i++)
		any(0);
	spoil(f, data);
	if (fd < 0 || (is_elf(f) && write(fd, data, f->len) != (ssize_t)f->len))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (is_elf(f))
		look_at_file(path);
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
