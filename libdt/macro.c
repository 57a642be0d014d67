/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What macro variables stand for: $1, $target, $uid. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/compile.h"
#include "libdt/lang/sema.h"
#include "libdt/macro.h"
#include "libdt/process/pidns.h"
#include "libdt/process/proc.h"
#include "libdt/session.h"

static const char *number(struct dt *dt, long long v)
{
	return arena_printf(dt->arena, "%lld", v);
}

/*
 * The PID of a process. Expressions compare it with the kernel's numbers; in descriptions, and when
 * nothing is traced, it is that of /proc.
 */
static const char *process_number(struct dt *dt, pid_t pid)
{
	pid_t kernel =
	    dt->pidns && pid > 0 && !dt->sema->parse->in_text ? pidns_kernel(dt->pidns, pid) : pid;

	return number(dt, kernel ? kernel : pid);
}

const char *macro_text(void *arg, const char *name)
{
	static const struct {
		const char *name;
		pid_t (*get)(void);
		bool process;
	} ids[] = {
	    {"pid", getpid, true},
	    {"ppid", getppid, true},
	    {"pgid", getpgrp, true},
	    {"uid", (pid_t(*)(void))getuid, false},
	    {"euid", (pid_t(*)(void))geteuid, false},
	    {"gid", (pid_t(*)(void))getgid, false},
	    {"egid", (pid_t(*)(void))getegid, false},
	};
	struct dt *dt = arg;

	if (*name >= '0' && *name <= '9') {
		unsigned long n = strtoul(name, NULL, 10);

		if (n >= (unsigned long)dt->input->argc)
			return NULL;
		dt->input->arg_used[n] = 1;
		return dt->input->argv[n];
	}
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++)
		if (!strcmp(name, ids[i].name))
			return ids[i].process ? process_number(dt, ids[i].get())
					      : number(dt, ids[i].get());
	if (!strcmp(name, "sid"))
		return process_number(dt, getsid(0));
	if (!strcmp(name, "projid") || !strcmp(name, "taskid"))
		return "0";
	if (!strcmp(name, "target")) {
		dt->input->uses_target = true;
		/* 0 without -c and -p */
		return process_number(dt, proc_target(dt->procs));
	}
	return NULL;
}
