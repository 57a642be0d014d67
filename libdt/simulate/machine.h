/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the programs of a session in the eBPF interpreter (bpfvm.h) instead of the kernel: with
 * maps and a ring of its own, on one thread, one program at a time. The consumer prints the
 * records as it does those of the kernel.
 *
 * All probes must be on HOOK_RUN (the provider of BEGIN, and prov_test.c), and the session
 * compiled with -x nofeat=all. Helpers that need a kernel (stacks, task_struct, signals) end the
 * run with an error.
 */
#ifndef DT_MACHINE_H
#define DT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct dt;
struct machine;

enum { MACHINE_ARGS = 12 };

/* In which thread, and when, the next probe fires. */
struct machine_thread {
	uint32_t pid, tid, uid, gid;
	char execname[16];
	uint64_t time; /* what timestamp is, ns */
};

/* Makes maps and the consumer for a session after dt_check(). The output goes to out. */
struct machine *machine_new(struct dt *dt, FILE *out);
/* After it the session can only be closed. */
void machine_free(struct machine *m);
/* Copies a string to memory that programs can read; its address, valid until machine_free(). */
uint64_t machine_string(struct machine *m, const char *s);
/*
 * Fires a probe: runs the programs of its clauses and prints what they recorded. mod and func may
 * be "". False when the run failed: machine_error() has the reason.
 */
bool machine_fire(struct machine *m, const struct machine_thread *t, const char *prov,
		  const char *mod, const char *func, const char *name,
		  const uint64_t args[MACHINE_ARGS]);
/* Did a clause call exit()? */
bool machine_exited(const struct machine *m);
/* NULL, or why the run failed; programs do not run any more. */
const char *machine_error(const struct machine *m);
/* The number of drops of a kind (abi/control.h). */
uint64_t machine_drops(const struct machine *m, int kind);

#endif
