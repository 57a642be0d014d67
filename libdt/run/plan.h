/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: which probes are enabled by which clauses, and which programs that makes. Probes with
 * the same ordered list of clauses share a program where their hook can distinguish them (attach
 * cookie, or a table from a selector such as the system call's number); otherwise each has its own.
 */
#ifndef DT_PLAN_H
#define DT_PLAN_H

#include "bpf/hook.h"
#include "bpf/modbtf.h"
#include "bpf/prog.h"
#include "libdt/image/aggr_maps.h"
#include "libdt/lang/gen.h"
#include "libdt/user/proc_maps.h"

struct enabled {
	struct probe *probe;
	VEC(struct clause *) clauses;
};

struct planned {
	struct prog prog;
	struct code *code;
	VEC(struct clause *) clauses;
	VEC(struct probe *) probes;
	VEC(struct probe *) targets; /* those of them that this program is to be attached for */
	enum hook_kind hook;
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
	struct planned *fallback;
	int refused;  /* with this -errno */
	bool late;    /* its probes stand for those of files that are mapped later: see late.c */
	int error;    /* all of its targets were left out: the last one's -errno */
	bool support; /* our own bookkeeping, on behalf of no probe */
	struct target target; /* of support programs */
	uint64_t misses;      /* reported so far */
};

struct plan {
	struct shared sh;
	struct schema schema; /* for the consumer; complete once programs are made */
	struct aggr_memory counts;
	bool metrics; /* before plan_make(): distributions have the sum of their values */
	VEC(struct clause *) clauses;
	VEC(struct planned *) programs;
	struct rt rt;
	VEC(struct enabled) enabled; /* by index of the probe */
	struct modbtf modules;
	/* Runs the programs of a probe of the dtrace provider instead of the kernel, as
	 * plan_fire(); NULL: the kernel does. */
	int (*runner)(void *arg, const char *name, const uint64_t *args, int nargs);
	void *runner_arg;
	/* of each CPU: what plan_drops() has returned, where the programs' counts stay as they
	 * are; NULL: they are set to 0 */
	uint64_t (*drops_reported)[DROP_COUNT];
	/* of all programs: closing waits for grace periods, best for many at once */
	struct hook_links links;
	bool made;
	bool crowded, crowded_known; /* more groups of system calls than an event takes programs */
	bool ring_cut;		     /* more was asked for than the ring can be */
	/* Functions that could not be traced. */
	int left_out;
	struct probe *first_left_out;
	int first_error;
};

/* What attaching and detaching call as they go on: "attaching", how many targets of how many are
 * done. False: enough. */
struct plan_watch {
	bool (*fn)(void *arg, const char *what, int done, int of);
	void *arg;
};

void plan_init(struct plan *p, struct arena *a, struct diag *d, struct types *types,
	       struct feats *feats, struct opts *opts, struct sema *sema,
	       struct syms_of_script *syms);
void plan_free(struct plan *p);
/* Makes aggregations, maps and programs for as many CPUs as p->counts has; dies on what cannot be
 * compiled. dump: stages of -x dump. */
void plan_make(struct plan *p, FILE *dump, unsigned stages);
/* Creates maps and loads programs. 0 or -errno; log gets what the verifier says. */
int plan_load(struct plan *p, struct strbuf *log, bool verbose, struct planned **failed);
/*
 * Attaches all but BEGIN, END and ERROR. 0, -EINTR when the watch had enough, or -errno and the
 * probe that failed. Functions that cannot be traced are left out and counted, unless a
 * description named one alone.
 */
int plan_attach(struct plan *p, const struct plan_watch *watch, struct probe **failed);
void plan_detach(struct plan *p, const struct plan_watch *watch);
/* Are there descriptions which files that are mapped later may have probes of? */
bool plan_awaits(const struct plan *p);
/* Do they count for files that this process maps? */
bool plan_awaits_from(struct plan *p, pid_t pid);
/* The process for which files count that this one maps: some wait for it, or for one that it is
 * followed for; 0: any. */
pid_t plan_awaits_process(struct plan *p, pid_t pid);
/*
 * A process has mapped a file: its probes are enabled. Returns how many; those that could not be
 * enabled are counted in refused, and *failed is the last of them (NULL: none, or the table of
 * probes is full), with its -errno.
 */
struct late_refusal {
	int refused, err;
	struct probe *failed;
};
int plan_meet(struct plan *p, pid_t pid, const struct mapping *m, struct late_refusal *r);
/* Why a probe could not be attached: what to say in front, and why. */
const char *plan_explain(const struct probe *probe, int err, const char **why);
/* Runs the programs of a probe of the dtrace provider ("BEGIN"...) in this process. 0 or -errno. */
int plan_fire(struct plan *p, const char *name, const uint64_t *args, int nargs);
/* Which statement of a clause holds a place (from 1 in the order of the text, 0: its predicate),
 * and where the code of that begins in the program of the probe (0 when that is not known). For
 * ERROR. */
void plan_place(const struct plan *p, const struct clause *c, const struct probe *probe,
		struct loc loc, int *statement, int *pc);
/* Readable text of the plan, for -x dump=plan. */
/* The first program that refers to more maps than the kernel takes, and how many; NULL: there is
 * none. */
const struct planned *plan_excess_maps(const struct plan *p, int *maps);
void plan_dump(const struct plan *p, FILE *out);
/* Losses counted by programs since the last call, by enum drop, on one CPU. */
bool plan_drops(struct plan *p, int cpu, uint64_t drops[DROP_COUNT]);

/* Firings that the kernel left out since the last call, because one interrupted another. */
uint64_t plan_misses(struct plan *p);

#endif
