/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What macro variables stand for: $1, $target, $uid. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/run/proc.h"
#include "libdt/session.h"

static const char *number(struct dt *dt, long long v)
{
	return arena_printf(dt->arena, "%lld", v);
}

const char *macro_text(void *arg, const char *name)
{
	static const struct {
		const char *name;
		pid_t (*get)(void);
	} ids[] = {
		{"pid", getpid}, {"ppid", getppid}, {"pgid", getpgrp}, {"uid", (pid_t(*)(void))getuid},
		{"euid", (pid_t(*)(void))geteuid}, {"gid", (pid_t(*)(void))getgid}, {"egid", (pid_t(*)(void))getegid},
	};
	struct dt *dt = arg;

	if (*name >= '0' && *name <= '9') {
		unsigned long n = strtoul(name, NULL, 10);

		if (n >= (unsigned long)dt->argc)
			return NULL;
		dt->arg_used[n] = 1;
		return dt->argv[n];
	}
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++)
		if (!strcmp(name, ids[i].name))
			return number(dt, ids[i].get());
	if (!strcmp(name, "sid"))
		return number(dt, getsid(0));
	if (!strcmp(name, "projid") || !strcmp(name, "taskid"))
		return "0";
	if (!strcmp(name, "target"))
		return number(dt, proc_target(dt->procs)); /* 0 without -c and -p, as ever */
	return NULL;
}
