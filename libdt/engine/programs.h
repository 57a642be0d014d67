/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a set in the kernel. */
#ifndef DT_PROGRAMS_H
#define DT_PROGRAMS_H

#include "libdt/image/program.h"

/* What attaching and detaching call as they go on: "attaching", how many targets of how many are
 * done. False: enough. */
struct programs_watch {
	bool (*fn)(void *arg, const char *what, int done, int of);
	void *arg;
};

/* Creates maps and loads programs. 0 or -errno; log gets what the verifier says. */
int programs_load(struct program_set *set, struct strbuf *log, bool verbose,
		  struct program **failed);
/*
 * Attaches all but BEGIN, END and ERROR. 0, -EINTR when the watch had enough, or -errno and the
 * probe that failed. Functions that cannot be traced are left out and counted, unless a
 * description named one alone.
 */
int programs_attach(struct program_set *set, const struct programs_watch *watch,
		    struct probe **failed);
/* Attaches a program for the probes from the n-th that it was given on. errors: of each, 0 or
 * -errno. 0, or -errno of all. */
int programs_attach_more(struct program_set *set, struct program *pl, int first, int *errors);
void programs_detach(struct program_set *set, const struct programs_watch *watch);
/* Why a probe could not be attached: what to say in front, and why. */
const char *programs_explain(const struct probe *probe, int err, const char **why);
/* Runs the programs of a probe of the dtrace provider ("BEGIN"...) in this process. 0 or -errno. */
int programs_fire(struct program_set *set, const char *name, const uint64_t *args, int nargs);
/* Losses counted by programs since the last call, by enum drop, on one CPU. */
bool programs_drops(struct program_set *set, int cpu, uint64_t drops[DROP_COUNT]);
/* Firings that the kernel left out since the last call, because one interrupted another. */
uint64_t programs_misses(struct program_set *set);

#endif
