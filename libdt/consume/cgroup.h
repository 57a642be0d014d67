/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of control groups (D's cgroup) to their paths in the unified hierarchy. */
#ifndef DT_CGROUP_H
#define DT_CGROUP_H

#include <stdint.h>

struct cgroups;

/* Nothing is opened yet. */
struct cgroups *cgroups_new(void);
void cgroups_free(struct cgroups *c);
/*
 * "/system.slice/cron.service", as /proc/PID/cgroup has it; "/" is the root. NULL: there is no such group (any more), no cgroup2 is mounted, or we
 * may not look (CAP_DAC_READ_SEARCH). What was found once is known for good, also when the group has gone. c may be NULL.
 */
const char *cgroups_path(struct cgroups *c, uint64_t id);

#endif
