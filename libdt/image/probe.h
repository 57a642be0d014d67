/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A probe: its names, and what programs of it are attached to. Providers make them. */
#ifndef DT_PROBE_DESC_H
#define DT_PROBE_DESC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/hook.h"
#include "libdt/image/schema.h"

struct pdesc; /* provider/probe.h */
struct provider;
struct type;
struct uobj;

/* Processes by their numbers: number % modulus == rest; with modulus 0 all. */
struct pid_set {
	uint32_t modulus, rest;
};
/* The modulus of a set of one. */
#define PID_SET_ONE UINT32_MAX

static inline bool pid_set_has(struct pid_set set, pid_t pid)
{
	return !set.modulus || (uint32_t)pid % set.modulus == set.rest;
}

struct probe_arg {
	const char *name;	 /* NULL when it has none */
	const struct type *type; /* what args[n] is */
	uint8_t from;		 /* which argN it is, plus one; 0: the one of its own number */
	/* why nothing has its value, a sentence; NULL: it can be had */
	const char *unavailable_reason;
};

/*
 * How a program that was made before its probe was known fetches an argument: a number plus what
 * is in one register, plus what is in another times scale; or, when memory is not 0, so many
 * bytes of the process at this address. Of that the bits from shift on, and of these the lowest
 * 64 - cut. lacks: nothing can fetch it.
 */
struct late_arg {
	int64_t value;
	uint32_t scale;
	uint16_t reg, index; /* offsets in the saved registers, plus one; 0: none */
	uint32_t memory;
	uint8_t shift, cut, is_signed, lacks;
};
/* So many arguments of it are known to programs, and so many characters of each of its names. */
enum { LATE_ARGS = 12, LATE_NAME = 127 };

#define SELECT_NONE UINT32_MAX

struct probe {
	union { /* what the consumer knows of it, which is part of it */
		struct probe_desc desc;
		struct {
			PROBE_DESC;
		};
	};
	const struct provider *provider;
	enum hook_kind hook;
	struct target target;
	struct pid_set pids; /* of all processes (target.pid 0): where it fires */
	/* which one at its target, in either mode of this; SELECT_NONE: in that mode none */
	uint32_t select[2];
	const struct probe_arg *args;
	int nargs;
	bool args_known;
	const char *unsupported; /* why it never fires, a sentence; NULL: it may */
	/* why their types are not known, a sentence; NULL: there are just these */
	const char *no_args;
	/* which of the program's arguments argN is, nargs of them; NULL: the one of its own
	 * number */
	const uint8_t *arg_map;
	uint32_t where;		/* a return that is an instruction: its offset in the function */
	struct probe *base;	/* it is that one, seen otherwise: see stable.h; NULL */
	void *data;		/* the provider's */
	struct probe *same_key; /* the next one with its key; see probe.c */
	/* can_return() found that a kprobe may have the function return, where the kernel has
	 * that */
	bool can_override;
	/* it replaces a return address of a program that catches exceptions, which end there */
	bool blocks_exceptions;
	bool named; /* a description matched it alone */
	/* the kernel itself calls it while it runs BPF programs: globs that match
	 * others exclude it */
	bool recursive;
	/* it stands for what this description will match in files that are mapped later; else
	 * NULL */
	const struct pdesc *awaits;
	struct uobj *file; /* whose code it is in (uproc.h); NULL: none of a program */
	/* Set by the plan. */
	/* the probe of all processes (app*) at the place of this one of a process or some (app123,
	 * app*3), which has its clauses, too, as those of that one's of_all; NULL */
	struct probe *of_all;
	/* nexcept sets of processes that have a probe with its clauses, so that it does not fire
	 * there; as the kernel numbers them. With -x follow: and those that come from them. */
	const struct pid_set *except;
	int nexcept;
	bool enabled;
	bool first; /* its clauses come before those of other probes that the same event is for */
	bool locks; /* what its provider, or that of the probe under it, says of it */
	uint32_t index; /* among the enabled probes */
	uint32_t clock; /* HOOK_PERF: among those on the clock */
};

/* The probe whose target fires for it: what it is seen through, or itself. */
static inline struct probe *probe_base(const struct probe *p)
{
	return p->base ? p->base : (struct probe *)p;
}

/* Is it on a function of the kernel; on code of a program? */
static inline bool probe_is_function(const struct probe *p)
{
	return p->hook == HOOK_KPROBE || p->hook == HOOK_KRETPROBE;
}

static inline bool probe_is_user(const struct probe *p)
{
	return hook_is_user(p->hook);
}

/* One of the four names: 0 provider ... 3 name. */
static inline const char *probe_field(const struct probe *p, int field)
{
	return field == 0 ? p->prov : field == 1 ? p->mod : field == 2 ? p->func : p->name;
}

#endif
