/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the syscall provider. */
#ifndef DT_SYSCALL_H
#define DT_SYSCALL_H

#include "libdt/emit/emit.h"
#include "libdt/provider/probe.h"

enum { SYSCALL_NUMBERS = 512, SYSCALL_ARGS = 6 };

/* A probe of the call with these numbers (SELECT_NONE: not in that mode), on the target of all. */
struct probe *syscall_add(struct probes *ps, const struct provider *prov, uint32_t id,
			  const char *mod, const char *func, const uint32_t select[2],
			  bool is_return);
/* What a call is given points into the caller's memory, and so do pointers found there (argv). */
const struct type *syscall_user_type(struct types *types, const struct type *type);
/* Sets the names and types of the arguments of a system call, by tracefs, in args[SYSCALL_ARGS];
 * their number, or -1 where they cannot be read. */
int syscall_entry_args(struct probes *ps, const char *call, struct probe_arg *args);
/* Why this machine or this kernel lacks the call, a sentence; NULL: it is there, or Linux has none
 * of that name. */
const char *syscall_absent(struct probes *ps, const char *name);
/* The arguments of return probes. */
void syscall_return_args(struct probes *ps, struct probe *p);

/* Of struct provider: both of the name syscall have these. */
int syscall_selector(struct gen *g, const struct probe *p);
int syscall_mode(struct gen *g, const struct probe *p);
enum { SYSCALL_MODE_BIT = 1 };
int syscall_arg(struct gen *g, const struct probe *p, int n);
void syscall_unpreempted(struct probes *ps, struct probe *p);

/* Of a 32-bit program's call: the word n that it came with, and as many bytes of it; argument n,
 * as the call that the probe is on has it on the machine itself. */
int syscall_word(struct gen *g, int n);
/*
 * The number of the call that begins, fetched anew: when programs branch by it, the verifier would
 * otherwise follow each of the numbers through all later code.
 */
int syscall_number(struct gen *g);
int syscall_arg32(struct gen *g, int n);

#endif
