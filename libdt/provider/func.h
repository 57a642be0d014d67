/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the kernel and its modules that can be traced, read as far as someone asks for
 * them. */
#ifndef DT_FUNC_H
#define DT_FUNC_H

#include "libdt/provider/probe.h"

struct func {
	const char *mod, *name; /* as long as the probe table lives */
	uint32_t number;	/* the same during one boot; below FUNC_NUMBERS */
	uint32_t btf;		/* type_kernel_func_get()'s number; 0 without types */
	uint64_t addr;		/* where it begins; 0 when not known or not needed */
	struct func *same_name; /* the next one of the kernel's list with its name; see func.c */
};

/*
 * How functions are numbered. vmlinux's have their number in the types or, without types, their
 * place in the kernel's list; modules, in the order in which they were loaded, the same a step
 * further each.
 */
enum {
	FUNC_TYPED = 500000,   /* numbers that vmlinux's types may have */
	FUNC_VMLINUX = 750000, /* where those of the modules begin */
	MODULE_TYPED = 100000,
	MODULE_STEP = 130000,
	MODULES_MAX = 500,
	FUNC_NUMBERS = FUNC_VMLINUX + MODULES_MAX * MODULE_STEP,
};

/*
 * Calls fn for each function whose module and name fit the globs. A literal name is looked up in
 * the types and the whole list is read only when it is not there: that takes tens of
 * milliseconds. Of functions with the same name in one module there is one.
 */
void funcs_each(struct probes *ps, const char *mod, const char *name,
		void (*fn)(void *arg, struct func *f), void *arg);
/* Is a literal name in the kernel's list of what can be traced? Also true when there is no list. */
bool func_is_traceable(struct probes *ps, const char *mod, const char *name);
/* Does the kernel call a function of that name while it runs programs? See recursion.c. */
bool func_is_recursive(const char *name);
/* May a function of that name be called while a map is locked? See locks.c. */
bool func_locks(const char *name);
/* How many bytes a function has, by /proc/kallsyms; 0 when unknown. */
uint64_t func_size(struct probes *ps, const char *mod, const char *name);
/* Other files than /proc/modules and /proc/kallsyms, before anything was asked. For tests. */
void funcs_set_files(struct probes *ps, const char *modules, const char *kallsyms);

#endif
