/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel addresses to names, from /proc/kallsyms, which has modules and BPF programs too. It is read when the first
 * address asks, and again when an address is in none or may be in a newer module, and modules or programs have come.
 */
#ifndef DT_KSYM_H
#define DT_KSYM_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

/* What of an address is wanted: sym() and "%a", func(), mod(). */
enum sym_how { SYM_NAME, SYM_FUNC, SYM_MOD };

struct syms;

/* path: NULL for /proc/kallsyms. Nothing is read yet. */
struct syms *syms_new(const char *path);
void syms_free(struct syms *s);
/* All symbols, by address; one begins where the one before ends. */
struct ksymbol {
	uint64_t addr, end;
	const char *name, *mod;
	char type; /* as nm(1) has it */
};
void syms_each(struct syms *s, void (*fn)(void *arg, const struct ksymbol *sym), void *arg);
/*
 * The symbol that an address is in: its module ("vmlinux" for the kernel itself), name, and how far into it.
 * False when there is none (also when the kernel hides addresses). The names live as long as s.
 */
bool syms_find(struct syms *s, uint64_t addr, const char **mod, const char **name, uint64_t *off);
/* An address that is the same for all addresses which print the same: func()'s start, mod()'s first symbol. */
uint64_t syms_canon(struct syms *s, uint64_t addr, enum sym_how how);
/*
 * Adds "mod`name+0x1c" (SYM_NAME; the offset is left out at 0), "mod`name" (SYM_FUNC), "mod" (SYM_MOD), or
 * "0xaddress". s may be NULL.
 */
void syms_print(struct syms *s, uint64_t addr, enum sym_how how, struct strbuf *out);

#endif
