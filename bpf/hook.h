/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks: the ways the kernel calls us. One row each: program type, how argument n is fetched, how
 * it is attached, whether it carries a cookie that identifies the probe.
 */
#ifndef DT_HOOK_H
#define DT_HOOK_H

#include <linux/bpf.h>
#include <stdint.h>

#include "bpf/feat.h"
#include "bpf/ir.h"

enum hook_kind {
	HOOK_RUN,   /* BPF_PROG_TEST_RUN, in dtrace's own process: BEGIN, END, ERROR */
	HOOK_RAWTP, /* raw tracepoint; arguments are those of the tracepoint */
	HOOK_TPBTF, /* the same; what its pointers point to is loaded without a helper */
	HOOK_TP,    /* perf-based tracepoint; the context is the record of the format file */
	HOOK_PERF,  /* perf event: the software clock, or another */
	/* Functions of the kernel. A provider names HOOK_KPROBE or HOOK_KRETPROBE; the plan takes
	 * the cheapest there is. */
	HOOK_KPROBE,	/* breakpoint or ftrace, one function each; the context is the registers */
	HOOK_KRETPROBE, /* the same at its return */
	HOOK_KMULTI,	/* one program on many functions at once; the context is the registers */
	HOOK_KRMULTI,
	HOOK_FENTRY, /* trampoline, one program for each function; the context is its arguments */
	HOOK_FEXIT,  /* its arguments and then what it returns */
	/* as fentry; what the program returns, unless it is 0, the function returns without
	 * running */
	HOOK_FMODRET,
	/* Code of programs; the context is the registers. A provider names the first two. */
	HOOK_UPROBE,	/* an instruction of a file */
	HOOK_URETPROBE, /* the return of the function that begins there */
	HOOK_UMULTI,	/* one program on many of them at once */
	HOOK_URMULTI,
	HOOK_COUNT
};

/* What a program is attached to. Which members count depends on the hook. */
struct target {
	/* HOOK_RAWTP, HOOK_TPBTF: name; HOOK_TP: group and name of the event */
	const char *group, *name;
	/* functions: name of the symbol, and in group of its module
				   * ("vmlinux") */
	/* programs: name is the path of the file */
	uint64_t addr; /* functions: address, 0 when not known */
	uint64_t
	    offset; /* HOOK_KPROBE: of the instruction in the function; programs: in the file */
	uint64_t
	    /* programs: offset in the file of a counter that is not 0 while we are attached; 0:
	     * none */
	    semaphore;
	/* programs: the process; 0: every one that maps the file. HOOK_PERF: it is about this
	 * one; the program looks */
	int pid;
	int
	    /* programs: attach to every process all the same; the program looks whether it is in
	     * this one (the kernel's number) or, with -x follow, a child of it; 0: it need not */
	    only;
	bool
	    /* programs: another user can change the file, or what its path leads to */
	    foreign;
	/* foreign: the file that was looked into. Its path may lead to another one by now, which
	 * is left alone (-ESTALE). */
	uint64_t dev, inode;
	bool doubtful; /* programs: the kernel may refuse this instruction */
	bool
	    /* programs: it would take the instruction for another; doubtful, too, and refused by
	     * us */
	    mistaken;
	/*
	 * Functions: id of the function in the BTF of its module, 0 where that is not known or
	 * fentry must not be used for it. A provider may leave it to its args(), which the plan
	 * calls before it looks.
	 */
	uint32_t btf_id;
	uint32_t nargs;	    /* the same: 8-byte words of arguments (a struct of 16 bytes is two) */
	uint32_t event_id;  /* HOOK_TP: id of the event */
	uint64_t period_ns; /* HOOK_PERF, the clock; the kernel's least is 10,000 */
	const struct perf_event_attr *perf; /* HOOK_PERF: another event than the clock; NULL */
	int cpu;			    /* HOOK_PERF: -1 for each online CPU */
};

struct hook_links;
struct perf_event_attr;

/* How a program on several targets identifies the one it is called for. */
enum hook_dispatch {
	DISPATCH_NONE,	  /* it cannot: each target has a program of its own */
	DISPATCH_COOKIE,  /* a number that attaching gave it */
	DISPATCH_ADDRESS, /* the address that was hit, looked up in a table */
};

/* Kernel addresses that identify a kprobe without cookies; see hook_where(). */
struct hook_where {
	uint64_t current_kprobe, per_cpu_offset; /* addresses */
	uint32_t kprobe_addr;			 /* offset of addr in struct kprobe */
};

struct hook {
	const char *name;
	enum bpf_prog_type prog_type;
	enum bpf_attach_type attach_type; /* 0 where there is none */
	int cookie_feat; /* FEAT_* that says whether attaching carries a cookie; -1 never */
	/* Of the programs on one target the one that was attached last runs first. */
	bool newest_first;
	/* Its programs run with interrupts enabled. False: that depends on the target. */
	bool interrupts;
	/*
	 * Emits code that returns a register with argument n as a 64-bit value; ctx is the context
	 * register. NULL where arguments have names and offsets rather than numbers (HOOK_TP); -1
	 * when n is out of range. HOOK_PERF: 0 is the kernel's program counter or 0, 1 the user's
	 * or 0.
	 */
	int (*arg)(struct ir *ir, int ctx, int n);
	/*
	 * Emits code that returns a register with what the function returned, a 64-bit number;
	 * NULL where nothing returns. nargs is the target's, and counts for HOOK_FEXIT only.
	 */
	int (*ret)(struct ir *ir, int ctx, int nargs);
	/*
	 * Emits code that has the function return a value, a 64-bit number, without running;
	 * NULL: there is no such code, or (HOOK_FMODRET) the program returns the value.
	 */
	void (*override)(struct ir *ir, int ctx, int value);
	/*
	 * Emits code that returns a register with the cookie; only where hook_has_cookie(). NULL:
	 * never.
	 */
	int (*cookie)(struct ir *ir, int ctx);
	/* Emits code that returns a register with the address that was hit, as hook_addresses()
	 * has it; NULL: never. */
	int (*address)(struct ir *ir, int ctx, const struct hook_where *where);
	/*
	 * Attaches; adds one or more fds to links, whose closing detaches. 0 or -errno. NULL for
	 * HOOK_RUN, and where there is attach_set.
	 */
	int (*attach)(int prog_fd, const struct target *t, uint64_t cookie,
		      struct hook_links *links);
	/* The same for n targets at once, all or nothing. */
	int (*attach_set)(int prog_fd, const struct target *const *t, const uint64_t *cookies,
			  int n, struct hook_links *links);
};

struct hook_links {
	VEC(int) fds;
	bool slow;     /* some of them wait for grace periods when closed */
	bool pinnable; /* each is to be a link, which can be pinned */
	int hung;      /* files of other users that did not answer */
};

const struct hook *hook_get(enum hook_kind kind);
bool hook_has_cookie(struct feats *f, enum hook_kind kind);
/* Is it a trampoline of the function's, whose context is its arguments? */
bool hook_is_trampoline(enum hook_kind kind);
/* Would the kernel take a program of HOOK_FMODRET on the function with this id in its BTF, or
 * (module_fd not 0) in that of a module? 0 or -errno. */
int hook_try_return(uint32_t btf_id, int module_fd);
/* Is it in the code of programs? There a program may sleep, where the kernel knows that
 * (FEAT_SLEEPABLE_UPROBE). */
bool hook_is_user(enum hook_kind kind);
/*
 * Attaches, all or nothing. A cookie other than 0 is never lost in silence: where the kernel cannot
 * carry it, this fails with -EINVAL.
 */
int hook_attach(enum hook_kind kind, int prog_fd, const struct target *t, uint64_t cookie,
		struct hook_links *links);
/* How programs of this hook identify their targets on this kernel. */
enum hook_dispatch hook_dispatch(struct feats *f, enum hook_kind kind);
/*
 * Finds what rows with address() read: looks through /proc/kallsyms. kprobe_addr is the caller's.
 * -ENOENT: the kernel does not show it.
 */
int hook_where(struct hook_where *w);
/* Fills in the addresses of functions from /proc/kallsyms where they are 0, as far as it shows
 * them. */
void hook_find_addresses(struct target *const *t, int n);
/* The addresses that a hit of the target may have, at most HOOK_ADDRESSES; returns how many, 0
 * when not known. */
enum { HOOK_ADDRESSES = 2 };
int hook_addresses(const struct target *t, uint64_t *addrs);

/* One program on many targets. */
struct hook_job {
	int prog_fd;
	const struct target *const *targets;
	const uint64_t *cookies; /* of each target; NULL: none */
	int n;
	int *errors;	      /* of each target: 0, or why it was left out */
	uint64_t patience_ns; /* for each foreign target; 0: without end */
	bool fuse; /* those on FUSE and users' overlays, too, which else fail with -EREMOTE */
	/* Called while this goes on, with how many are done. False: enough, the rest is not
	 * attached. May be NULL. */
	bool (*watch)(void *arg, int done);
	void *arg;
};
/*
 * Attaches all jobs it can. 0 when all were tried, with each failure in errors; -EINTR when watch
 * asked to stop, which keeps what is attached.
 */
int hook_attach_many(enum hook_kind kind, struct hook_job *job, struct hook_links *links);
/* Detaches in an order and way that is fast. */
void hook_detach(struct hook_links *links);
/* The same; calls watch from time to time with the number done. */
void hook_detach_watched(struct hook_links *links, void (*watch)(void *arg, int done), void *arg);
/* Does this machine count such an event? What only the lack of rights hides counts as there. */
bool hook_has_event(const struct perf_event_attr *attr);
/*
 * Directory of tracefs ("/sys/kernel/tracing"), mounted by us when it is not and we may; NULL with
 * errno.
 */
const char *tracefs_path(void);

#endif
