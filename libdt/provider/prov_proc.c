/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc: processes and threads come, become others, get signals, and go. */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

static const struct stable_probe rows[] = {
	{.name = "create", .under = "rawtp:sched::sched_process_fork", .when = "args[1]->pid == args[1]->tgid",
	 .args = {{"psinfo_t *", "xlate <psinfo_t *>(args[1])"}}},
	{.name = "exec-success", .under = "rawtp:sched::sched_process_exec"},
	{.name = "exit", .under = "rawtp:sched::sched_process_exit", .when = "args[0]->signal->live.counter == 0",
	 .args = {{"int", "args[0]->exit_code & 0x80 ? 3 : args[0]->exit_code & 0x7f ? 2 : 1"}}},
	{0},
};

const struct provider provider_proc = {STABLE_PROVIDER("proc", rows)};
