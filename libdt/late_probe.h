/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes of files that processes map while tracing goes on, for descriptions that wait for them
 * (plan/late.c). */
#ifndef DT_LATE_PROBE_H
#define DT_LATE_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct dt;
struct mapping;
struct probe;

/* Are there descriptions which files that are mapped later may have probes of? */
bool late_probe_awaits(const struct dt *dt);
/* Do they count for files that this process maps? */
bool late_probe_awaits_from(struct dt *dt, pid_t pid);
/* The process for which files count that this one maps: some wait for it, or for one that it is
 * followed for; 0: any. */
pid_t late_probe_process(struct dt *dt, pid_t pid);
/*
 * A process has mapped a file: its probes are enabled. Returns how many; those that could not be
 * enabled are counted in refused (cut: there are more), and *failed is the last of them (NULL:
 * none, or the table of probes is full), with its -errno. Files of one user other than root take
 * at most half of the table's rows that others have left, so that no user can take all: most is
 * how many the table, or this user, may have.
 */
struct late_refusal {
	int refused, err;
	uint32_t most;
	bool cut;
	struct probe *failed;
};
int late_probe_meet(struct dt *dt, pid_t pid, const struct mapping *m, struct late_refusal *r);

#endif
