/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc: processes and threads come, become others, get signals, and go. */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

/* In the child, its call returns 0 as the first that is seen of it. */
#if defined(__x86_64__)
/* clang-format off: texts are laid out as D */
#define FIRST_RETURN(call)                                                             \
	{.name = "start",                                                              \
	 .func = call,                                                                 \
	 .base = "syscall::" call ":return",                                           \
	 .predicate = "arg1 == 0 && curthread->pid == curthread->tgid"},               \
	{                                                                              \
		.name = "lwp-start", .func = call, .base = "syscall::" call ":return", \
		.predicate = "arg1 == 0"                                               \
	}
/* clang-format on */
#define FIRST_STEPS \
	FIRST_RETURN("clone"), FIRST_RETURN("clone3"), FIRST_RETURN("fork"), FIRST_RETURN("vfork")
#else
/* On other machines it does not return from it at a tracepoint; PF_KTHREAD marks the kernel's
 * own. */
#define NEW_ONE "fbt::schedule_tail:entry"
#define OF_A_PROCESS "!(curthread->flags & 0x200000)"
/* clang-format off: texts are laid out as D */
#define FIRST_STEPS                                                             \
	{.name = "start",                                                       \
	 .base = NEW_ONE,                                                       \
	 .predicate = OF_A_PROCESS " && curthread->pid == curthread->tgid"},    \
	{                                                                       \
		.name = "lwp-start", .base = NEW_ONE, .predicate = OF_A_PROCESS \
	}
/* clang-format on */
#endif

/* clang-format off: texts are laid out as D */
#define EXEC(call, path)                                                                  \
	{.name = "exec",                                                                  \
	 .func = call,                                                                    \
	 .base = "syscall::" call ":entry",                                               \
	 .args = {{"string", "copyinstr(" path ")"}}},                                    \
	{                                                                                 \
		.name = "exec-failure", .func = call, .base = "syscall::" call ":return", \
		.predicate = "errno != 0", .args = {                                      \
			{"int", "errno"}                                                  \
		}                                                                         \
	}
/* clang-format on */

/* Signals of the processor's, as <sys/fault.h> of other systems numbers them. */
/* clang-format off: texts are laid out as D */
#define FAULT                                                                          \
	"args[0] == 4 ? 1 : args[0] == 5 ? 3 : args[0] == 7 ? 5 : args[0] == 11 ? 6 :" \
	" args[1]->si_code == 1 ? 8 : args[1]->si_code == 2 ? 7 : 9"
/* clang-format on */

static const struct stable_probe rows[] = {
    {.name = "create",
     .base = "rawtp:sched::sched_process_fork",
     .predicate = "args[1]->pid == args[1]->tgid",
     .args = {{"psinfo_t *", "xlate <psinfo_t *>(args[1])"}}},
    EXEC("execve", "arg0"),
    EXEC("execveat", "arg1"),
    {.name = "exec-success", .base = "rawtp:sched::sched_process_exec"},
    {.name = "exit",
     .place = "proc_exit",
     .base = "rawtp:sched::sched_process_exit",
     .predicate = "exists(args[1]) ? args[1] : args[0]->signal->live.counter == 0",
     .args = {{"int", "args[0]->exit_code & 0x80 ? 3 : args[0]->exit_code & 0x7f ? 2 : 1"}}},
    {.name = "lwp-create",
     .base = "rawtp:sched::sched_process_fork",
     .args = {{"lwpsinfo_t *", "xlate <lwpsinfo_t *>(args[1])"},
	      {"psinfo_t *", "xlate <psinfo_t *>(args[1])"}}},
    {.name = "lwp-exit", .base = "rawtp:sched::sched_process_exit"},
    FIRST_STEPS,
    {.name = "signal-send",
     .base = "rawtp:signal::signal_generate",
     .args = {{"lwpsinfo_t *", "xlate <lwpsinfo_t *>(args[2])"},
	      {"psinfo_t *", "xlate <psinfo_t *>(args[2])"},
	      {"int", "args[0]"}}},
    /* TRACE_SIGNAL_IGNORED */
    {.name = "signal-discard",
     .base = "rawtp:signal::signal_generate",
     .predicate = "args[4] == 1",
     .args = {{"lwpsinfo_t *", "xlate <lwpsinfo_t *>(args[2])"},
	      {"psinfo_t *", "xlate <psinfo_t *>(args[2])"},
	      {"int", "args[0]"}}},
    {.name = "signal-handle",
     .base = "rawtp:signal::signal_deliver",
     .predicate = "(uintptr_t)args[2]->sa.sa_handler > 1",
     .args = {{"int", "args[0]"},
	      {"struct kernel_siginfo *", "args[1]"},
	      {"void *", "(void *)args[2]->sa.sa_handler"}}},
    {.name = "signal-clear",
     .base = "syscall::rt_sigtimedwait:return",
     .predicate = "errno == 0",
     .args = {{"int", "arg1"}}},
    /* SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV with a code of the processor's; 0 and 1 are no
	 * information. */
    {.name = "fault",
     .base = "rawtp:signal::signal_generate",
     .predicate = "(0x9b0 >> (args[0] & 31)) & 1 && args[0] < 32 && (uintptr_t)args[1] > 1 && "
		  "args[1]->si_code > 0"
		  " && args[2] == curthread",
     .args = {{"int", FAULT}, {"struct kernel_siginfo *", "args[1]"}}},
    /* of macOS */
    LINUX_LACKS("spawn-success", "programs start with exec: exec-success"),
    LINUX_LACKS("spawn-failure", "programs start with exec: exec-failure"),
    LINUX_LACKS("spawn-port-failure", "processes have no Mach ports"),
    {0},
};

const struct provider provider_proc = {STABLE_PROVIDER("proc", rows)};
