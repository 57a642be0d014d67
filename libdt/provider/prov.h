/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The providers by name, for the list. */
#ifndef DT_PROV_H
#define DT_PROV_H

#include "libdt/provider/probe.h"

extern const struct provider provider_compat;
extern const struct provider provider_cpc;
extern const struct provider provider_dtrace;
extern const struct provider provider_fbt;
extern const struct provider provider_fsinfo;
extern const struct provider provider_io;
extern const struct provider provider_ip;
extern const struct provider provider_kinst;
extern const struct provider provider_lockstat;
extern const struct provider provider_mib;
extern const struct provider provider_names;
extern const struct provider provider_othersys;
extern const struct provider provider_pid;
extern const struct provider provider_proc;
extern const struct provider provider_profile;
extern const struct provider provider_rawfbt;
extern const struct provider provider_rawtp;
extern const struct provider provider_sched;
extern const struct provider provider_sdt;
extern const struct provider provider_syscall;
extern const struct provider provider_syscall32;
extern const struct provider provider_plockstat;
extern const struct provider provider_sysinfo;
extern const struct provider provider_tcp;
extern const struct provider provider_test;
extern const struct provider provider_udp;
extern const struct provider provider_usdt;
extern const struct provider provider_vminfo;
extern const struct provider provider_watch;

/* A probe of -x test. */
enum { TEST_ARGS = 10 };
struct test_probe {
	const char *prov, *mod, *func, *name;
	int nargs;	  /* the highest argN that is given, plus one */
	uint32_t strings; /* a bit for each argument that is one */
};
/* The providers of a session that has these probes and those of dtrace only, for
 * probes_set_providers(). The probes must live as long as the table. */
const struct provider *const *test_providers(struct probes *ps, const struct test_probe *probes,
					     int n);

/* Static probes of programs: what the object has of the probe's declaration, NULL: nothing; and
 * the module by which type_find() knows its types. */
const struct provnote_probe *usdt_declaration(const struct probe *p);
const char *usdt_types(struct probes *ps, const struct probe *p);
/* Is it of all processes that map its object ("shop*")? */
bool usdt_is_of_all(const struct probe *p);
/* Calls fn with such a probe under the provider's name in each process that has its object now
 * ("shop123"); with itself where none has. */
void usdt_each_process(struct probes *ps, struct probe *p, void (*fn)(void *arg, struct probe *p),
		       void *arg);

/* Stability, where two providers share a name: syscall and sdt with those of prov_compat.c. */
#define SYSCALL_ATTRS                                                  \
	.attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON}, \
	.attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},    \
	.attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},  \
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},     \
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN}
#define SDT_ATTRS                                                     \
	.attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},   \
	.attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},   \
	.attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN}, \
	.attr_name = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA},         \
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA}

/* Names of system calls that other systems have, and those of tracefs, to those of Linux. */
void syscall_rewrite(struct pdesc *pd);
/* Whether the kernel runs 32-bit programs, before anything was matched. For tests; else it is
 * looked up. */
void syscall32_tell(struct probes *ps, bool runs);
/* A description of system calls, as far as -x compat asks. */
struct compat_desc {
	const char *func, *name;
};
/* Which calls are widened. Lists of names have a blank on each side of each; NULL: none. */
struct compat {
	bool all; /* -x compat=on: every call of the table but those that are named by themselves */
	const char *named;   /* the functions that the program names */
	const char *widened; /* calls of the table that are widened where they are asked for */
	const char *paired;  /* those of them that a description of all entries means, too */
};
/*
 * Determines for a program, from its descriptions of the provider syscall and its text without
 * comments, which calls of the table are widened. all: -x compat=on.
 */
void compat_choose(struct arena *a, struct compat *c, const struct compat_desc *descs, int n,
		   const char *text, bool all);
/* Does a description take this probe of a widened call? */
bool compat_takes(const struct pdesc *pd, const struct probe *p);
/* Is the name in such a list? */
bool compat_lists(const char *list, const char *name);

/* Calls that programs make instead of this one, which they hardly make any more, separated by
 * blanks; NULL: no such. */
const char *compat_calls(struct arena *a, const char *call);
/* Which argument is the path in a call that takes a directory first and counts as an older call
 * with -x compat; NULL: no such call. */
const char *compat_path(const char *call);
/* The calls that it means with -x compat. */
const char *compat_others(struct arena *a, const char *call);

/* A sentence on why no provider of this name can exist, for example because of its PID; NULL: none
 * is known. */
const char *provider_missing(const char *name);

#endif
