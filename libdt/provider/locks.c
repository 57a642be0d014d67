/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes that may fire while a map of ours is locked: by one of our programs, or by dtrace, which
 * reads it. A program there that writes to the same map waits for itself, with interrupts off,
 * for ever: the machine hangs. (7.x's locks time out.)
 *
 * The kernel runs no program of a kprobe or perf event on a CPU where another of them runs or
 * where a map is read by a system call. So such probes are on those hooks only, never on fentry
 * or a raw tracepoint, which it does not hold back (plan/choose.c). From our own programs on other
 * hooks they hold themselves back: where a script has such a probe, each program claims a slot of
 * its CPU, and the programs on these return at once where a slot is taken by one that does not
 * sleep (lang/gen_prog.c); programs of our own (plan/support.c) say so, too.
 */
#include <string.h>

#include "libdt/base/mem.h"
#include "libdt/provider/func.h"

/* What hash tables, rings and stack maps call under their locks, those locks, and what waits for
 * them. */
bool func_locks(const char *name)
{
	static const char *const parts[] = {
	    "raw_spin",
	    "queued_spin",
	    "rqspinlock",
	    "resilient_",
	    "htab",
	    "freelist",
	    "ringbuf",
	    "lookup_elem_raw",
	    "lookup_nulls_elem_raw",
	    "bpf_lru",
	    "selem",
	    "local_storage",
	    "bpf_obj_free",
	    "kvm_wait",
	    "kvm_kick",
	    "qlock_wait",
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}
