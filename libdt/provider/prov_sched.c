/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched: which threads get a CPU, wait for one, and leave it.
 *
 * D's run queues hold the threads that wait for a CPU, not the running one; Linux's hold both, and
 * its functions that enqueue threads are inlined in places. So a thread is enqueued when it is
 * woken, when it is new, and when it loses its CPU while it could go on; it is dequeued when it
 * gets one. Moving a thread to another CPU's queue fires both probes, too.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

#define SWITCH "rawtp:sched::sched_switch"
#define STATE "(exists(args[3]) ? args[3] : dt_task_state[args[1]])"
#define GOES_ON "(args[0] || !(" STATE "))"

#define THREAD(e)                                         \
	{"lwpsinfo_t *", "xlate <lwpsinfo_t *>(" e ")"},  \
	{                                                 \
		"psinfo_t *", "xlate <psinfo_t *>(" e ")" \
	}
#define QUEUE(e, cpu, last)                                                \
	THREAD(e), {"cpuinfo_t *", "xlate <cpuinfo_t *>((int)(" cpu "))"}, \
	{                                                                  \
		"int", last                                                \
	}

/* In the new thread's place. */
#define AFTER_SWITCH "rawfbt::finish_task_switch*:entry"
/* The same where functions cannot be traced, but for a thread's first time (6.16 on). Its
 * argument: is it another thread? */
#define SCHEDULED "rawtp:sched::sched_exit_tp"

#define CAPS "Linux has no CPU caps: it throttles control groups without an event"
#define CTL "Linux has no schedctl: a thread cannot put off its preemption"

static const struct stable_probe rows[] = {
    {.name = "on-cpu", .place = "resume", .base = AFTER_SWITCH},
    {.name = "on-cpu", .fallback = true, .base = SCHEDULED, .predicate = "arg0 & 1"},
    {.name = "remain-cpu", .base = SCHEDULED, .predicate = "!(arg0 & 1) && curthread->pid"},
    {.name = "off-cpu", .base = SWITCH, .args = {THREAD("args[2]")}},
    {.name = "sleep", .base = SWITCH, .predicate = "!args[0] && (" STATE ") & 3"},
    {.name = "preempt", .base = SWITCH, .predicate = "args[1]->pid && " GOES_ON},
    {.name = "enqueue",
     .func = "sched_wakeup",
     .base = "rawtp:sched::sched_wakeup",
     .predicate = "!dt_task_oncpu[args[0]]",
     .args = {QUEUE("args[0]", "dt_task_cpu[args[0]]", "0")}},
    {.name = "enqueue",
     .func = "sched_wakeup_new",
     .base = "rawtp:sched::sched_wakeup_new",
     .args = {QUEUE("args[0]", "dt_task_cpu[args[0]]", "0")}},
    {.name = "enqueue",
     .func = "sched_switch",
     .base = SWITCH,
     .predicate = "args[1]->pid && " GOES_ON,
     .args = {QUEUE("args[1]", "cpu", "1")}},
    {.name = "enqueue",
     .func = "sched_migrate_task",
     .base = "rawtp:sched::sched_migrate_task",
     .predicate = "args[0]->on_rq == 2",
     .args = {QUEUE("args[0]", "args[1]", "0")}},
    {.name = "dequeue",
     .func = "sched_switch",
     .base = SWITCH,
     .predicate = "args[2]->pid",
     .args = {QUEUE("args[2]", "cpu", "0")}},
    {.name = "dequeue",
     .func = "sched_migrate_task",
     .base = "rawtp:sched::sched_migrate_task",
     .predicate = "args[0]->on_rq == 2",
     .first = true,
     .args = {QUEUE("args[0]", "dt_task_cpu[args[0]]", "0")}},
    {.name = "wakeup", .base = "rawtp:sched::sched_waking", .args = {THREAD("args[0]")}},
    {.name = "surrender",
     .base = "fbt::resched_curr:entry",
     .predicate = "args[0]->cpu != cpu",
     .args = {THREAD("args[0]->curr")}},
    {.name = "surrender",
     .fallback = true,
     .base = "rawtp:sched::sched_set_need_resched_tp",
     .predicate = "dt_task_cpu[args[0]] != cpu",
     .args = {THREAD("args[0]")}},
    {.name = "tick",
     .base = "fbt::sched_tick:entry fbt::scheduler_tick:entry",
     .args = {THREAD("curthread")}},
    {.name = "change-pri",
     .func = "sched_pi_setprio",
     .base = "rawtp:sched::sched_pi_setprio",
     .args = {THREAD("args[0]"),
	      {"pri_t", "args[1] && args[1]->prio < args[0]->normal_prio ? args[1]->prio : "
			"args[0]->normal_prio"}}},
    {.name = "change-pri",
     .func = "set_user_nice",
     .base = "fbt::set_user_nice:entry",
     .args = {THREAD("args[0]"), {"pri_t", "args[1] + 120"}}},

    /* of Solaris */
    {.name = "cpucaps-sleep", .unsupported = CAPS, .args = {THREAD("")}},
    {.name = "cpucaps-wakeup", .unsupported = CAPS, .args = {THREAD("")}},
    {.name = "schedctl-nopreempt", .unsupported = CTL, .args = {THREAD(""), {"int", ""}}},
    {.name = "schedctl-preempt", .unsupported = CTL, .args = {THREAD("")}},
    {.name = "schedctl-yield", .unsupported = CTL, .args = {{"int", ""}}},
    /* of FreeBSD */
    {.name = "lend-pri",
     .unsupported = "Linux has no lend-pri: a lent priority is in change-pri",
     .args = {THREAD(""), {"uint8_t", ""}, {"lwpsinfo_t *", ""}}},
    {.name = "load-change",
     .unsupported = "Linux has no load-change: see enqueue and dequeue",
     .args = {{"int", ""}, {"int", ""}}},
    {0},
};

const struct provider provider_sched = {STABLE_PROVIDER("sched", rows)};
