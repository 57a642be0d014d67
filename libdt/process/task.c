/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/mem.h"
#include "libdt/process/task.h"

/*
 * A user's tracer that does not wait for threads keeps any number of ended ones in the list, in
 * front of the one that runs. All searches beyond the first FEW threads take at most a tenth of the
 * time, and so much in advance. The thread that was found last is tried first.
 */
enum { FEW = 64, PART = 10, ADVANCE_NS = 500000000 };

static _Thread_local struct {
	pid_t pid, tid;
	uint64_t spent_ns, last_ns; /* what has not been regained; since when */
} found;

static bool is_there(const char *path)
{
	char to[8];

	/* of one that has ended there is no root directory any more */
	return readlink(path, to, sizeof(to)) >= 0 || errno != ENOENT;
}

bool task_has_ended(pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root", tid);
	return !is_there(path);
}

/* Another process may have the number by now: the path has both. */
static bool runs(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/root", pid, tid);
	return is_there(path);
}

static void regain(uint64_t now)
{
	found.spent_ns -= MIN(found.spent_ns, (now - found.last_ns) / PART);
	found.last_ns = now;
}

/* 0: none runs, or the search would take too long. */
static pid_t search(pid_t pid, DIR *tasks)
{
	uint64_t begun = 0, now;
	struct dirent *e;
	pid_t tid = 0;

	for (int i = 0; !tid && (e = readdir(tasks)); i++) {
		if (i && i % FEW == 0) {
			now = clock_ns(CLOCK_MONOTONIC);
			if (!begun)
				regain(begun = now);
			if (found.spent_ns + now - begun >= ADVANCE_NS)
				break;
		}
		tid = atoi(e->d_name);
		if (tid && !runs(pid, tid))
			tid = 0;
	}
	if (begun)
		found.spent_ns += clock_ns(CLOCK_MONOTONIC) - begun;
	return tid;
}

pid_t task_shown(pid_t pid)
{
	char path[64];
	pid_t tid = 0;
	DIR *tasks;

	if (!pid || !task_has_ended(pid))
		return pid;
	if (found.pid == pid && found.tid && runs(pid, found.tid))
		return found.tid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	if (tasks) {
		tid = search(pid, tasks);
		closedir(tasks);
	}
	found.pid = pid;
	found.tid = tid;
	return tid ? tid : pid;
}
