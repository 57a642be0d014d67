/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libdt/process/task.h"

/* Threads may end while they are listed; a process with as many that do has ended. */
enum { TASKS_MAX = 64 };

bool task_has_ended(pid_t tid)
{
	char path[64], to[8];

	/* it has no root directory any more */
	snprintf(path, sizeof(path), "/proc/%d/root", tid);
	return readlink(path, to, sizeof(to)) < 0 && errno == ENOENT;
}

pid_t task_shown(pid_t pid)
{
	pid_t shown = pid;
	struct dirent *e;
	char path[64];
	DIR *tasks;

	if (!pid || !task_has_ended(pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	for (int i = 0; tasks && shown == pid && i < TASKS_MAX && (e = readdir(tasks)); i++) {
		pid_t tid = atoi(e->d_name);

		if (tid && !task_has_ended(tid))
			shown = tid;
	}
	if (tasks)
		closedir(tasks);
	return shown;
}
