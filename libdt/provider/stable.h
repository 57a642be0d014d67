/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Providers whose probes and arguments are the same on every system: proc, sched, io, ... Each of
 * their probes is a probe of the kernel, seen otherwise: a condition that says which firings
 * count, and arguments that are made of the other's. Both are D, of the other probe's arguments,
 * compiled when a script uses them (libdt/lang/sema_stable.c). So such a provider is a table:
 *
 *	{.name = "exit", .base = "rawtp:sched::sched_process_exit", .predicate =
 *	"args[0]->signal->live.counter == 0",
 *	 .args = {{"int", "args[0]->exit_code & 0x7f ? 2 : 1"}}},
 */
#ifndef DT_STABLE_H
#define DT_STABLE_H

#include "libdt/provider/probe.h"

struct stable_arg {
	const char *type; /* of args[n]; "=1": as args[1] of the other probe */
	const char *expr; /* what it is; a type that is translated: "xlate <psinfo_t *>(args[1])" */
};

struct stable_probe {
	const char *name;
	/* Descriptions of what it is seen through, separated by blanks: the first that this
	 * kernel has. "a+b+c" are several at once: those of them that it has. */
	const char *base;
	const char *predicate; /* which firings of that; NULL: all */
	struct stable_arg args[9];
	const char *func; /* distinguishes rows of one name in listings: the function; NULL: "" */
	bool fallback;	  /* only where the row in front, of the same name, finds nothing */
	/* A program in D that notes what the condition and the arguments need and only another
	 * probe knows: how a wait began, the file that a system call was given. It goes in front
	 * of the clause, once for each script. */
	const char *prologue;
	/* the function that other systems have it in: "sysinfo::idle_enter:" means it; NULL */
	const char *place;
	bool first; /* fires before other rows of the same event */
	/* a sentence on why Linux has no such thing: then there is nothing but the name, which
	 * matches as a probe that never fires; NULL */
	const char *unsupported;
};

/* A row for a name of other systems. */
#define LINUX_LACKS(what, why)                                             \
	{                                                                  \
		.name = what, .unsupported = "Linux has no " what ": " why \
	}

/* How many probes a row may be, for "a+b+c". */
enum { STABLE_PARTS = 32 };

/* A provider's callbacks; its member table has the rows. */
void stable_provide(struct probes *ps, const struct pdesc *pd);
/* The same for a table that is not asked together with all others. */
void stable_offer(struct probes *ps, const struct provider *prov, const struct pdesc *pd);
/* Of rows that are made as they are met: the provider's name in descriptions, the module that
 * listings show, rows up to one without a name, and the id of the first. All live as long as the
 * table of probes. */
struct stable_rows {
	const char *name, *module;
	const struct stable_probe *rows;
	uint32_t first_id;
};
void stable_offer_rows(struct probes *ps, const struct provider *prov, const struct stable_rows *in,
		       const struct pdesc *pd);
bool stable_leaves_out(const struct pdesc *pd, const struct probe *p);
void stable_args(struct probes *ps, struct probe *p);
void stable_rewrite(struct pdesc *pd);
/* What goes in front of a clause of this probe, a program in D; NULL: nothing. */
const char *stable_prologue(const struct probe *p);
const char *stable_unavailable(struct probes *ps, const struct pdesc *pd);

/* What all of them share. */
#define STABLE_PROVIDER(provider_name, rows) \
	STABLE_PROVIDER_WITH(provider_name, rows, stable_rewrite), .leaves_out = stable_leaves_out
#define STABLE_PROVIDER_WITH(provider_name, rows, rewriter)                                \
	.name = provider_name, .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA}, \
	.attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},                        \
	.attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},                      \
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},                            \
	.attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA}, .table = rows,             \
	.rewrite = rewriter, .provide = stable_provide, .args = stable_args,               \
	.unavailable_reason = stable_unavailable

#endif
