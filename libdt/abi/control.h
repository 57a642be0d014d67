/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that programs and dtrace share for control (map dt_ctl): one struct ctl, then one
 * struct ctl_cpu for each CPU. Programs address it by offsetof(), dtrace by pointers.
 */
#ifndef DT_CONTROL_H
#define DT_CONTROL_H

#include <stddef.h>
#include <stdint.h>

enum stop {
	STOP_ENDED = 1,	    /* exit() was called, or tracing ends otherwise */
	STOP_ATTACHING = 2, /* not all probes are attached yet */
};

enum drop {
	DROP_PRINCIPAL,
	DROP_AGGREGATION,
	DROP_DYNAMIC,
	DROP_NESTED,
	DROP_ERROR,
	DROP_SPECULATION,
	DROP_COUNT
};

/* Statistics of the system that dtrace reads for the programs: libdt/engine/sysstat.c, and
 * dt_sysstat( ) in D. */
enum sysstat {
	SYSSTAT_LOAD,	   /* three load averages, as fixed-point numbers with 16 fraction bits */
	SYSSTAT_FREE = 3,  /* pages: free, */
	SYSSTAT_AVAILABLE, /* available without swapping, */
	SYSSTAT_SWAP,	   /* of swap space, */
	SYSSTAT_SWAPPED,   /* of swap space in use */
	SYSSTAT_LAST_PID,
	SYSSTAT_MHZ,  /* of the CPUs; 0: unknown */
	SYSSTAT_NET,  /* the rows of libdt/abi/netstat.def */
	SYSSTATS = 32 /* a power of two: programs mask the index */
};

#define SCRATCH_SLOTS 8 /* for each CPU: nested or preempted invocations at the same time */

struct ctl_cpu {
	uint64_t busy; /* bit i: scratch slot i is taken */
	uint64_t drops[DROP_COUNT];
	uint64_t oncpu;	 /* when the running thread got the CPU (for vtimestamp) */
	uint64_t asleep; /* bit i: the program that has slot i sleeps, and holds no probe on locks
			  * back; its busy bit is clear */
	uint32_t chip, node;	 /* its package and NUMA node; neighbours: programs index them */
	uint64_t chill_since;	 /* when the second began in which ... */
	uint64_t chilled;	 /* ... chill() has waited for so many ns */
} __attribute__((aligned(128))); /* CPUs do not share cache lines, nor pairs of them */

struct ctl {
	uint32_t generation; /* which generation of aggregations is written */
	uint32_t stopped;    /* enum stop; not 0: probes do nothing */
	uint32_t sleeping;   /* dtrace sleeps and wants to be woken */
	uint32_t table_bits; /* how far the highest page table shifts an address */
	uint64_t start;	     /* CLOCK_MONOTONIC when tracing began */
	uint64_t wall;	     /* what to add to the monotonic clock to get the time of day */
	/* address of the array of struct page: libdt/engine/direct_map.h; 0: unknown */
	uint64_t pages;
	uint64_t direct; /* address of the direct map, likewise */
	uint64_t sysstats[SYSSTATS];
	/* of a detached session (libdt/detach/): how many states of its aggregations were stored
	 * whose generation is removed from the maps; END has fired */
	uint64_t removed;
	uint64_t ended;
	struct ctl_cpu cpus[];
};

_Static_assert(sizeof(struct ctl_cpu) == 128,
	       "programs multiply a CPU's number by the size of its part");
_Static_assert(offsetof(struct ctl_cpu, node) == offsetof(struct ctl_cpu, chip) + 4,
	       "programs index chip and node");
_Static_assert((SYSSTATS & (SYSSTATS - 1)) == 0, "programs mask the index of sysstats");

#endif
