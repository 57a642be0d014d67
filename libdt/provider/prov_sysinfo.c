/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysinfo: what the system counts, as it happens. arg0 is by how much, arg1 where the count is:
 * Linux keeps most of these nowhere, so it is 0.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

#define BY(e)                                         \
	{                                             \
		{"uint64_t", e},                      \
		{                                     \
			"uint64_t *", "(uint64_t *)0" \
		}                                     \
	}
#define ONCE BY("1")

/* clang-format off: texts are laid out as D */
#define READS                                                                                 \
	"syscall::read:return+syscall::readv:return+syscall::pread64:return+syscall::preadv:" \
	"return+syscall::preadv2:return"
#define WRITES                                                                                    \
	"syscall::write:return+syscall::writev:return+syscall::pwrite64:return+syscall::pwritev:" \
	"return+syscall::pwritev2:return"
/* clang-format on */

#define SWITCH "rawtp:sched::sched_switch"
/* Before 5.18 the tracepoint does not have the state that the thread goes into. */
#define GOES_ON "(args[0] || !(exists(args[3]) ? args[3] : dt_task_state[args[1]]))"
/* Before 5.11 block_rq_issue has the queue in front. */
#define ISSUED "(exists(args[1]) ? args[1] : args[0])"
#define ISSUE "rawtp:block::block_rq_issue"

#define CONTENTION "sdt:lock::contention_begin"

/* CLONE_VFORK and CLONE_THREAD; creating a kernel thread is no fork. */
#define NEW_PROCESS(vfork) "(args[1] & 0x14000) == " vfork " && !(args[0]->flags & 0x200000)"

static const struct stable_probe rows[] = {
    {.name = "bawrite",
     .base = ISSUE,
     .predicate = "(" ISSUED "->cmd_flags & 0x8ff) == 1",
     .args = ONCE},
    {.name = "bread",
     .base = ISSUE,
     .predicate = "(" ISSUED "->cmd_flags & 0xff) == 0",
     .args = ONCE},
    {.name = "bwrite",
     .base = ISSUE,
     .predicate = "(" ISSUED "->cmd_flags & 0xff) == 1",
     .args = ONCE},
    {.name = "cpumigrate", .base = "rawtp:sched::sched_migrate_task", .args = ONCE},
    {.name = "idlethread",
     .place = "idle_enter",
     .base = SWITCH,
     .predicate = "!args[2]->pid",
     .args = ONCE},
    {.name = "intr", .base = "rawtp:irq::irq_handler_entry", .args = ONCE},
    {.name = "inv_swtch",
     .place = "preempt",
     .base = SWITCH,
     .predicate = "args[1]->pid && " GOES_ON,
     .args = ONCE},
    {.name = "lread", .base = "rawtp:block::block_touch_buffer", .args = ONCE},
    {.name = "lwrite", .base = "rawtp:block::block_dirty_buffer", .args = ONCE},
    {.name = "modload", .base = "rawtp:module::module_load", .args = ONCE},
    {.name = "modunload", .base = "rawtp:module::module_free", .args = ONCE},
    {.name = "msg", .base = "syscall::msgsnd:entry+syscall::msgrcv:entry", .args = ONCE},
    {.name = "mutex_adenters",
     .place = "mutex_vector_enter",
     .base = CONTENTION,
     .predicate = "(args[1] & 33) == 33",
     .args = ONCE},
    {.name = "mutex_adenters",
     .fallback = true,
     .base = "fbt::__mutex_lock_slowpath:entry+fbt::__mutex_lock_killable_slowpath:entry"
	     "+fbt::__mutex_lock_interruptible_slowpath:entry",
     .args = ONCE},
    {.name = "namei",
     .place = "lookuppnvp",
     .base = "fbt::filename_lookup:entry",
     .args = ONCE,
     .func = "filename_lookup"},
    {.name = "namei",
     .base = "fbt::__filename_parentat:entry fbt::filename_parentat:entry",
     .args = ONCE,
     .func = "filename_parentat"},
    {.name = "namei",
     .base = "fbt::do_filp_open:entry fbt::path_openat:entry",
     .args = ONCE,
     .func = "do_filp_open"},
    {.name = "nthreads",
     .place = "thread_create",
     .base = "rawtp:task::task_newtask",
     .args = ONCE},
    {.name = "procovf",
     .base =
	 "syscall::clone:return+syscall::clone3:return+syscall::fork:return+syscall::vfork:return",
     .predicate = "errno == 11",
     .args = ONCE},
    {.name = "pswitch", .place = "swtch", .base = SWITCH, .args = ONCE},
    {.name = "readch", .base = READS, .predicate = "arg1 >= 0", .args = BY("arg1")},
    {.name = "rw_rdfails",
     .base = CONTENTION,
     .predicate = "args[1] & 2 && !(args[1] & 1)",
     .args = ONCE},
    {.name = "rw_rdfails",
     .fallback = true,
     .base = "fbt::rwsem_down_read_slowpath:entry",
     .args = ONCE},
    {.name = "rw_wrfails",
     .base = CONTENTION,
     .predicate = "args[1] & 4 && !(args[1] & 1)",
     .args = ONCE},
    {.name = "rw_wrfails",
     .fallback = true,
     .base = "fbt::rwsem_down_write_slowpath:entry",
     .args = ONCE},
    {.name = "sema", .base = "syscall::semop:entry+syscall::semtimedop:entry", .args = ONCE},
    {.name = "sysexec",
     .place = "exec_common",
     .base = "rawtp:sched::sched_process_exec",
     .args = ONCE},
    {.name = "sysfork",
     .base = "rawtp:task::task_newtask",
     .predicate = NEW_PROCESS("0"),
     .args = ONCE},
    {.name = "sysread", .base = READS, .args = ONCE},
    {.name = "sysvfork",
     .base = "rawtp:task::task_newtask",
     .predicate = NEW_PROCESS("0x4000"),
     .args = ONCE},
    {.name = "syswrite", .base = WRITES, .args = ONCE},
    {.name = "trap",
     .base = "rawtp:exceptions::page_fault_user+rawtp:exceptions::page_fault_kernel",
     .args = ONCE},
    {.name = "trap", .fallback = true, .base = "cpc:::page_faults-all-1", .args = ONCE},
    {.name = "writech", .base = WRITES, .predicate = "arg1 >= 0", .args = BY("arg1")},
    /* An interrupt that only asks for a scheduling decision carries no call. */
    {.name = "xcalls",
     .base = "rawtp:ipi::ipi_send_cpu+rawtp:ipi::ipi_send_cpumask",
     .predicate = "args[2]",
     .args = ONCE},
    {.name = "xcalls",
     .fallback = true,
     .base = "rawtp:irq_vectors::call_function_entry+rawtp:irq_vectors::call_function_single_entry",
     .args = ONCE},

    LINUX_LACKS("intrblk", "its interrupts do not block"),
    LINUX_LACKS("intrthread", "its interrupts are counted in intr, threaded or not"),
    LINUX_LACKS("intrunblk", "its interrupts do not block"),
    LINUX_LACKS("phread", "raw disk reads are counted as bread"),
    LINUX_LACKS("phwrite", "raw disk writes are counted as bwrite"),
    LINUX_LACKS("ufsdirblk", "it has no UFS of its own"),
    LINUX_LACKS("ufsiget", "it has no UFS of its own"),
    LINUX_LACKS("ufsinopage", "it has no UFS of its own"),
    LINUX_LACKS("ufsipage", "it has no UFS of its own"),
    LINUX_LACKS("cpu_ticks_idle", "idle CPUs have no ticks; use profile-N with pid == 0"),
    LINUX_LACKS("cpu_ticks_kernel",
		"this kernel has no tracepoint for its ticks; use profile-N with arg0 != 0"),
    LINUX_LACKS("cpu_ticks_user",
		"this kernel has no tracepoint for its ticks; use profile-N with arg1 != 0"),
    LINUX_LACKS("cpu_ticks_wait", "idle CPUs have no ticks; use profile-N with pid == 0"),
    LINUX_LACKS("wait_ticks_io", "idle CPUs have no ticks; use io:::wait-start and wait-done"),
    LINUX_LACKS("canch", "bytes of terminals are in readch and writech"),
    LINUX_LACKS("outch", "bytes of terminals are in readch and writech"),
    LINUX_LACKS("rawch", "bytes of terminals are in readch and writech"),
    {0},
};

const struct provider provider_sysinfo = {STABLE_PROVIDER("sysinfo", rows), .counters = true};
