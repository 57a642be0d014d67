/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of control groups (D's cgroup) to their paths in the unified hierarchy. */
#ifndef DT_CGROUP_H
#define DT_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/base/mem.h"

struct answers; /* libdt/record/answers.h */
struct cgroups;

/* Nothing is opened yet. */
struct cgroups *cgroups_new(void);
void cgroups_free(struct cgroups *c);
/* Paths are noted there, or taken from there. */
void cgroups_set_answers(struct cgroups *c, struct answers *as);
/*
 * "/system.slice/cron.service", as /proc/PID/cgroup has it; "/" is the root. NULL: there is no
 * such group (any more), no cgroup2 is mounted, or we may not look (CAP_DAC_READ_SEARCH). What
 * was found once is remembered when the group has gone, unless there are thousands. c may be NULL.
 * Valid until the next call.
 */
const char *cgroups_path(struct cgroups *c, uint64_t id);
/*
 * Adds the name of the container or the service that a path (as above) belongs to, by the names
 * that container engines and systemd give their groups: the first 12 digits of the id of a
 * container of docker, podman, containerd or CRI-O, the name of one of systemd-nspawn or LXC; else
 * the name of the service or scope ("cron"). Nothing for other groups. Of groups within each other
 * the innermost counts, and containers before services.
 */
void cgroup_container(const char *path, struct strbuf *out);
/*
 * Opens (O_PATH) the directory of one group: a path, in the file system or from the mount point of
 * cgroup2 on; a number; or a name: of a directory, or what cgroup_container() says, ids by their
 * beginning. -errno and *why (in the arena, a sentence) where there is none, or several that are
 * not within each other.
 */
int cgroups_open(struct cgroups *c, const char *word, struct arena *a, const char **why);
/* Calls fn for each process that is now in the group that cgroups_open() has opened, or in one
 * below it, and that our PID namespace has a number for. */
void cgroup_processes(int group, void (*fn)(void *arg, pid_t pid), void *arg);
/* Is a process in that group, or in one below it? Not when it has ended. */
bool cgroups_contain(struct cgroups *c, int group, pid_t pid);

#endif
