/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program set: what a compilation leaves to the engine. Programs with their hooks and probes,
 * the maps and memory that they share, and what they need to be kept up to date. The maps that
 * programs do not refer to are never created.
 */
#ifndef DT_PROGRAM_H
#define DT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/hook.h"
#include "bpf/map.h"
#include "bpf/prog.h"
#include "bpf/rt_orc.h"
#include "bpf/rt_unwind.h"
#include "libdt/abi/control.h"
#include "libdt/abi/sample.h"
#include "libdt/base/mem.h"
#include "libdt/image/aggr_maps.h"
#include "libdt/image/probe.h"
#include "libdt/image/probe_names.h"
#include "libdt/opt.h"

struct clause;

/* What a selector's number means, in either mode of its target: index of the probe + 1, 0: none;
 * which of the program's parts has it. */
struct selected {
	uint32_t probe[2], part[2];
};

/* Probes of a program that have the same clauses, where others have other ones. */
struct program_part {
	VEC(struct clause *) clauses;
	VEC(struct probe *) probes;
};

struct program {
	struct prog prog;
	struct code *code;
	VEC(struct clause *) clauses; /* which, in the order of the script */
	VEC(struct probe *) probes;
	/* Those of a selector may have different clauses (plan/merge.c); 0: all have the same */
	VEC(struct program_part) parts;
	VEC(struct probe *) targets; /* those of them that this program is to be attached for */
	enum hook_kind hook;
	bool one_target; /* that is one for all of them */
	uint32_t btf_id; /* of the tracepoint or function, for hooks that need it */
	struct map
	    /* selector's number -> struct selected; hook_dispatch() DISPATCH_ADDRESS: address ->
	     * index of the probe */
	    table;
	struct selected *table_bytes;
	uint32_t
	    /* late, and without cookies: the index of the probe for which it is loaded next */
	    number;
	bool has_table;
	/* Of a program for one function: the program that gets its probe when the kernel refuses
	 * this one. That one is loaded only when it has probes. */
	struct program *fallback;
	int refused;	      /* with this -errno */
	bool late;	      /* its probes stand for those of files that are mapped later */
	int error;	      /* all of its targets were left out: the last one's -errno */
	bool support;	      /* our own bookkeeping, on behalf of no probe */
	struct target target; /* of support programs */
	uint64_t misses;      /* reported so far */
	/* -x maxcpu: what of it is sampled, and its row in shared_maps.sampling */
	enum sample_scope sampling;
	int sample_row;
};

/* Maps that programs of a session share; those with a name are wanted. */
struct shared_maps {
	struct map ctl, ring, globals, lits, scratch, self, aggmem, vtime;
	struct map clocks; /* for the profile provider: a u64 for each probe on the clock and CPU */
	struct map cgroups;   /* the control group of -x cgroup */
	struct map sockets;   /* socket -> process that used it: see builtin/sub_net.c */
	struct map processes; /* those that user addresses were recorded of: see builtin/ustack.c */
	struct map specs, spec_tags; /* of speculations: see builtin/act_spec.c */
	struct map unwind_rows, unwind_spaces, unwind_files, unwind_cache; /* engine/unwind.h */
	/* -x follow: process -> the process that the probes are of; see engine/follow.h */
	struct map followed;
	struct map late;     /* rows of late probes (plan/late.c) */
	struct map orc;	     /* bpf/rt_orc.h */
	struct map sampling; /* -x maxcpu: libdt/abi/sample.h */
};

struct program_set {
	VEC(struct program *) programs;
	VEC(struct probe *) probes; /* enabled ones, by index */
	struct schema schema;	    /* for the consumer */
	struct shared_maps maps;
	struct aggr_memory counts;
	struct probe_names names;
	int ncpus;
	struct cpu_range cpus[CPU_RANGES]; /* -x cpu */
	int ncpu_ranges;		   /* 0: all */
	bool has_cgroup;		   /* -x cgroup */
	int cgroup;			   /* its directory, open; -1 */
	bool uses_ring, uses_pages, uses_direct, uses_topology, uses_unwind;
	bool ordered;  /* records are sorted by time: each has one */
	bool early;    /* some read the clock before they are reserved */
	bool sleepers; /* programs that may sleep have aggregations */
	bool unwinds;  /* stacks of processes by tables: see engine/unwind.h */
	struct rt_unwind unwind;
	struct rt_orc orc;    /* builtin/stack_orc.c */
	uint64_t patience_ns; /* of struct hook_job */
	bool fuse;	      /* of struct hook_job */
	bool follows;	      /* -x follow, and there are probes that it is for */
	/* Some probes are of a process whose first thread has ended (process/task.h), or may be. */
	bool leaderless;
	bool returns_newest; /* programs of HOOK_KRMULTI run the newest first, on this kernel */
	/* Probes of files that are mapped later: their maximum number, the first index and the
	 * size of a row. */
	uint32_t late_max, late_first, late_row_size;
	uint32_t nspec; /* speculations */

	/* What the engine keeps (engine/programs.c). */
	struct feats *feats;
	/* of all programs: closing waits for grace periods, best for many at once */
	struct hook_links links;
	/* Functions that could not be traced, of so many. */
	int left_out, nfunctions;
	struct probe *first_left_out;
	int first_error;
	/* Runs the programs of a probe of the dtrace provider instead of the kernel, as
	 * programs_fire(); NULL: the kernel does. */
	int (*runner)(void *arg, const char *name, const uint64_t *args, int nargs);
	void *runner_arg;
	/* of each CPU: what programs_drops() has returned, where the programs' counts stay as they
	 * are; NULL: they are set to 0 */
	uint64_t (*drops_reported)[DROP_COUNT];
};

/*
 * A row of the map of late probes: which of the program's clauses are theirs (a bit each, in
 * words of 64); a struct late_processes; a struct late_arg for each argument.
 */
static inline uint32_t late_words(int nclauses)
{
	return (nclauses + 63) / 64;
}

/* Where a late probe of all processes fires. */
enum { LATE_PROCESSES = 64 };
struct late_processes {
	uint64_t except; /* the n-th bit: not in program_process(n), for n < LATE_PROCESSES */
	struct pid_set pids;
};

static inline uint32_t late_processes_at(uint32_t row_size)
{
	return row_size - LATE_ARGS * sizeof(struct late_arg) - sizeof(struct late_processes);
}

/* The n-th of the processes that a late program has stand-ins of, if it also has one of all
 * processes; 0: there are no more. */
pid_t program_process(struct probe *const *standins, int nstandins, int n);

/* An empty one. */
void program_set_init(struct program_set *set, struct feats *feats);
/* ncpus: possible CPUs, that is one more than the highest number. */
void program_set_cpus(struct program_set *set, int ncpus);
/* Closes maps and programs; links must be detached. */
void program_set_free(struct program_set *set);
/* Calls fn for each map that it is loaded with, once. */
void program_set_maps(const struct program_set *set, void (*fn)(void *arg, const struct map *m),
		      void *arg);
struct program *program_new(struct program_set *set, enum hook_kind hook);
/* Of a program that is not, or no longer, in the set. */
void program_free(struct program *p);
/* All probes of it have the same clauses. */
void program_drop_parts(struct program *p);

#endif
