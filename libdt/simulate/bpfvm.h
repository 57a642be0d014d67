/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An eBPF interpreter for tests: runs struct code without a kernel, and complains as the verifier
 * would, but only of what it meets: accesses outside of known memory, reads of registers or stack
 * bytes that were never written, writes to r10, bad jumps, stacks beyond 512 bytes over a chain
 * of calls, endless loops.
 *
 *	struct bpfvm vm = {.funcs = codes, .nfuncs = n, .helper = bpfvm_helpers};
 *	vm.helper_arg = &vm;
 *	bpfvm_region(&vm, ctx, sizeof(ctx), false);
 *	result = bpfvm_run(&vm, codes[0], 1, (uint64_t[]){(uintptr_t)ctx});
 *	ck_assert_ptr_null(vm.error);
 *	bpfvm_done(&vm);
 *
 * Addresses are host addresses. A map is its struct map pointer where helpers take it; its memory
 * is map->mem, which the test sets (at least value_size * max_entries bytes, or mem_size where
 * that is set), and which becomes a region by itself (not writable when map->rdonly).
 */
#ifndef DT_BPFVM_H
#define DT_BPFVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/ir.h"

struct bpfvm_region {
	uintptr_t start, size;
	bool writable;
	/* a byte for each byte of a stack, NULL for memory that is all readable */
	uint8_t *written;
};

struct bpfvm {
	/* Set by the test. */
	struct code *const *funcs; /* what calls of functions find, by name */
	int nfuncs;
	/* Returns r0. r holds r1-r5, 0 in those never written. A helper that looks at memory of
	 * the program should use bpfvm_read and bpfvm_write. May go on to bpfvm_helpers for those
	 * it does not know. */
	int64_t (*helper)(void *arg, int id, uint64_t r[5]);
	void *helper_arg;   /* bpfvm_helpers wants the vm here */
	uint64_t max_steps; /* 0: a million */
	uint64_t time;	    /* what the clock helpers return next; each call adds one */
	uint64_t pid_tgid, uid_gid, task; /* what those helpers return */
	const char *comm;

	/* Read by the test. */
	const char *error; /* the first complaint, or NULL; text is in message */
	uint64_t steps;	   /* instructions run, all runs together */

	char message[200];
	struct bpfvm_region *regions;
	int nregions, depth, stack;
};

/* Makes host memory accessible. */
void bpfvm_region(struct bpfvm *vm, const void *start, size_t size, bool writable);
/*
 * Runs a function with up to five arguments; returns r0, or 0 with error set. Errors of earlier
 * runs are forgotten.
 */
int64_t bpfvm_run(struct bpfvm *vm, const struct code *code, int nargs, const uint64_t *args);
/*
 * For helpers: copies from and to memory of the program; false, with error set, where it may
 * not.
 */
bool bpfvm_read(struct bpfvm *vm, uint64_t addr, void *to, size_t size);
bool bpfvm_write(struct bpfvm *vm, uint64_t addr, const void *from, size_t size);
/*
 * Usual helpers; arg is the vm. Any address of this process can be probed safely; others give
 * -EFAULT. probe_read, _user, _kernel, the same with _str; map_lookup_elem and map_update_elem
 * of arrays with map->mem (per-CPU arrays have one CPU); get_smp_processor_id (0), ktime_get_ns,
 * ktime_get_boot_ns, get_current_pid_tgid, get_current_uid_gid, get_current_task,
 * get_current_comm, get_prandom_u32 (4). Others are an error.
 */
int64_t bpfvm_helpers(void *arg, int id, uint64_t r[5]);
/* Sets the error, unless there is one. */
void bpfvm_fail(struct bpfvm *vm, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Frees what the vm allocated. */
void bpfvm_done(struct bpfvm *vm);

#endif
