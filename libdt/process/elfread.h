/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an ELF file says, as bytes that need no ELF library to be understood: each answer is a
 * block with offsets in it instead of pointers. So the file can be read in another process than
 * the one that needs it (process/foreign.h), because files are untrusted. object.c has the other
 * side, and checks what it gets.
 */
#ifndef DT_ELFREAD_H
#define DT_ELFREAD_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"
#include "libdt/process/object.h"

enum elfread_what {
	ELFREAD_HEAD,	 /* struct elfread_head, the segments, the sections, their names */
	ELFREAD_FUNCS,	 /* struct elfread_table, as many struct object_sym, their names */
	ELFREAD_VARS,	 /* the same */
	ELFREAD_NOTES,	 /* struct elfread_table, as many struct object_note, their texts */
	ELFREAD_SECTION, /* the bytes of a section, decompressed */
	ELFREAD_UNWIND,	 /* struct cfi_row, as many as its .eh_frame says (process/cfi.h) */
	ELFREAD_BYTES,	 /* bytes of the file */
};

struct elfread_ask {
	uint32_t what;
	uint32_t section;  /* ELFREAD_SECTION: its index */
	bool symtab_only;  /* ELFREAD_FUNCS, ELFREAD_VARS: of a debug file */
	uint64_t off, len; /* ELFREAD_BYTES */
	uint64_t most;	   /* limit of the caller's own for space, of foreign files; 0: none */
	uint64_t space;	   /* most bytes of the answer, and of what a compressed section becomes */
};

struct elfread_section {
	uint64_t addr, size, flags;
	uint32_t type, name; /* name: among the names */
};

/* Aligned as the segments that follow it are. */
struct elfread_head {
	_Alignas(8) uint32_t is_64, fixed, machine, nsegments, nsections, build_id_len, names_len;
	uint8_t build_id[64];
};

/* Pointers in what follows are offsets in the texts, which are at the end, each with its NUL. */
struct elfread_table {
	uint64_t n, texts_len;
	uint64_t stripped; /* no such symbols in .symtab: a debug file may have them */
};

/* NULL, or why it is no ELF file of this machine's byte order. */
const char *elfread_refusal(Elf *elf);
/* Adds the answer; 0 or -errno: -EFBIG larger than the limit. fd: -1, the ELF file is in
 * memory. */
int elfread(Elf *elf, int fd, const struct elfread_ask *ask, struct strbuf *out);
/* In the order that object_syms() promises, each name and address once; how many are kept. */
uint64_t elfread_sort(struct object_sym *syms, uint64_t n);
/* Calls fn for each note of a section until it returns true. */
void elfread_each_note(const uint8_t *data, size_t len,
		       bool (*fn)(void *arg, uint32_t type, const char *name, const uint8_t *desc,
				  uint32_t size),
		       void *arg);
/* A string of a note, and on to the next; NULL when it does not end inside. */
const char *elfread_note_string(const char **p, const char *end);

#endif
