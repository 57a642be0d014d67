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

#include "bpf/hook.h"
#include "libdt/base/mem.h"
#include "libdt/provider/func.h"
#include "libdt/provider/probe.h"

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

bool probe_interrupts(const struct probe *p)
{
	p = probe_base(p);
	return p->provider->interrupts || hook_get(p->hook)->interrupts;
}

/*
 * Maps that take memory as elements come (bpf/map.h) lock more than others, and these locks are not
 * made for programs: that of the counter of elements is taken inside of the map's, and an NMI may
 * find that what it interrupted has it. So such maps are for programs on probes that fire neither
 * in an NMI nor inside of that: system calls, programs, timers, and tracepoints of these groups.
 */
bool probe_spares_maps(const struct probe *p)
{
	static const char *const groups[] = {
	    "block",	    "btrfs",	 "cgroup", "compaction", "ext4",    "f2fs",    "filelock",
	    "filemap",	    "irq",	 "jbd2",   "kmem",	 "migrate", "mmap",    "napi",
	    "neigh",	    "net",	 "nfs",	   "nfs4",	 "oom",	    "pagemap", "qdisc",
	    "raw_syscalls", "readahead", "sched",  "scsi",	 "signal",  "skb",     "sock",
	    "syscalls",	    "task",	 "tcp",	   "timer",	 "udp",	    "vmscan",  "workqueue",
	    "writeback",    "xfs",
	};

	p = probe_base(p);
	if (probe_interrupts(p))
		return true;
	if (p->hook == HOOK_PERF) /* cpc's events may be NMIs */
		return !strcmp(p->prov, "profile");
	if (p->hook != HOOK_RAWTP && p->hook != HOOK_TPBTF && p->hook != HOOK_TP)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (!strcmp(p->mod, groups[i]))
			return true;
	return false;
}
