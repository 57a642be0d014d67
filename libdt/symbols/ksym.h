/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel addresses to names, from /proc/kallsyms, which has modules and BPF programs too. It is
 * read when the first address asks, and again when an address is in none or may be in a newer
 * module, and modules or programs have come. And names to addresses.
 */
#ifndef DT_KSYM_H
#define DT_KSYM_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

/* What of an address is wanted: sym() and "%a", func(), mod(). SYM_CGROUP, SYM_CONTAINER: it is
 * none, but the number of a control group, of which the path or the container is wanted:
 * symbols/cgroup.h. */
enum sym_how { SYM_NAME, SYM_FUNC, SYM_MOD, SYM_CGROUP, SYM_CONTAINER };

struct answers; /* libdt/record/answers.h */
struct syms;

/* path: NULL for /proc/kallsyms. feats: NULL when the kernel shall not be asked by name. Nothing
 * is read yet. */
struct feats;
struct syms *syms_new(const char *path, struct feats *feats);
/* Why a file cannot have the symbols: it is not there, no regular file, or too large. 0 or
 * -errno. */
int syms_refuses(const char *path);
/* Why the symbols could not be read when they were wanted last: 0 or -errno. s may be NULL. */
int syms_error(const struct syms *s);
void syms_free(struct syms *s);
/* What is found is noted there, or taken from there. s may be NULL. */
void syms_set_answers(struct syms *s, struct answers *as);
/* All symbols, by address; one begins where the one before ends. */
struct ksymbol {
	uint64_t addr, end;
	const char *name, *mod;
	char type; /* as nm(1) has it */
};
void syms_each(struct syms *s, void (*fn)(void *arg, const struct ksymbol *sym), void *arg);
/*
 * The symbol that an address is in: its module ("vmlinux" for the kernel itself), name, and how
 * far into it. False when there is none (also when the kernel hides addresses). The names are
 * valid until the next call.
 */
bool syms_find(struct syms *s, uint64_t addr, const char **mod, const char **name, uint64_t *off);
/* An address that is the same for all addresses which print the same: func()'s start, mod()'s
 * first symbol. */
uint64_t syms_canon(struct syms *s, uint64_t addr, enum sym_how how);
/*
 * Adds "mod`name+0x1c" (SYM_NAME; the offset is left out at 0), "mod`name" (SYM_FUNC), "mod"
 * (SYM_MOD), or "0xaddress". s may be NULL.
 */
void syms_print(struct syms *s, uint64_t addr, enum sym_how how, struct strbuf *out);

/* What a name stands for. */
struct ksym {
	uint64_t addr;
	const char *mod; /* "vmlinux", a module; NULL when it was not looked up */
	bool text;	 /* a function, as far as known */
	bool hidden;	 /* the kernel hides addresses: addr is 0 */
};
enum { KSYM_TEXT = 1, KSYM_DATA = 2 };

/*
 * A symbol by name; mod: NULL for anywhere, "vmlinux", or a module. Of several the first that is
 * of the wanted kind (0: any). any_mod: the caller need not know the module, which is quicker.
 * False when there is none.
 */
bool syms_named(struct syms *s, const char *mod, const char *name, int want, bool any_mod,
		struct ksym *out);
/* Is it in the part of the kernel's memory (not a module's) that is there once for each CPU? */
bool syms_percpu(struct syms *s, uint64_t addr);
/* Where the kernel has the offsets of the CPUs' parts; 0 when there is only one CPU. */
uint64_t syms_cpu_offsets(struct syms *s);
/* The nearest name, for "did you mean", or NULL; it lives as long as s. */
const char *syms_similar(struct syms *s, const char *name);
/* Where the next symbol begins: so far the one at this address may reach. */
uint64_t syms_end(struct syms *s, uint64_t addr);
/*
 * Why there is none of that name and kind (0: any), a sentence; guess: with the name that is
 * nearest. s: NULL, nothing is known of symbols.
 */
const char *syms_lack(struct syms *s, struct arena *a, const char *mod, const char *name, int want,
		      bool guess);
/* Does kallsyms list variables? Not when the kernel was built without
 * CONFIG_KALLSYMS_ALL. */
bool syms_have_data(struct syms *s);

#endif
