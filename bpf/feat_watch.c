/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can a program be attached to accesses of memory? Some virtual machines accept watchpoints and
 * never report an access, so one is made here.
 *
 * x86-64 traps after the access. aarch64 traps before it, and the kernel steps over the instruction
 * only for events whose overflow handler is the default one. Until Linux 6.6, and in stable kernels
 * without its fix, an event with a program is not one of these: the instruction traps again and
 * again, until the event is closed. Therefore the access is made by a thread of its own. It ends,
 * or the event counts more accesses than it makes; the count, not the time, decides, so that a slow
 * machine makes no difference. When the event is closed the thread ends on such kernels, too.
 * Rejected: a child process that is killed, which needs a limit of time, and whose end a program
 * that embeds libdt could take for that of its own.
 */
#include "bpf/feat_watch.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "bpf/sys.h"

/* An event of this thread for writes of the variable, not enabled yet; or -errno. */
static int watch(volatile uint64_t *watched)
{
	struct perf_event_attr attr = {
	    .type = PERF_TYPE_BREAKPOINT,
	    .size = sizeof(attr),
	    .sample_period = 1,
	    .bp_type = HW_BREAKPOINT_W,
	    .bp_addr = sys_ptr((void *)watched),
	    .bp_len = HW_BREAKPOINT_LEN_8,
	    .exclude_kernel = 1,
	    .disabled = 1,
	};

	return sys_perf_open(&attr, 0, -1);
}

static uint64_t accesses(int event)
{
	uint64_t count = 0;

	return read(event, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/* One access is made; emulated CPUs report some twice. */
enum { MANY = 1000, PATIENCE_MS = 5000, STACK = 256 << 10 };

enum { OPENING = -EINPROGRESS };

struct trial {
	volatile uint64_t watched;
	int prog;
	int event; /* OPENING, or -errno */
	bool done;
};

static void *access_watched(void *arg)
{
	struct trial *t = arg;
	int event = watch(&t->watched);

	if (event >= 0 && (ioctl(event, PERF_EVENT_IOC_SET_BPF, t->prog) ||
			   ioctl(event, PERF_EVENT_IOC_ENABLE, 0))) {
		close(event);
		event = -EOPNOTSUPP;
	}
	__atomic_store_n(&t->event, event, __ATOMIC_RELEASE);
	if (event >= 0)
		t->watched = 1;
	__atomic_store_n(&t->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void pause_ms(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Is the access made, and counted? Closes the event. */
static bool ends(struct trial *t)
{
	bool done;
	int event;

	while ((event = __atomic_load_n(&t->event, __ATOMIC_ACQUIRE)) == OPENING)
		pause_ms();
	if (event < 0)
		return event == -ENOSPC;
	for (int i = 0; !(done = __atomic_load_n(&t->done, __ATOMIC_ACQUIRE)); i++) {
		if (i == PATIENCE_MS || accesses(event) > MANY)
			break;
		pause_ms();
	}
	done = done && accesses(event) > 0;
	close(event);
	return done;
}

bool feat_watch(int prog)
{
	struct trial t = {.prog = prog, .event = OPENING};
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;
	bool ok;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = !pthread_create(&thread, &attr, access_watched, &t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (ok) {
		ok = ends(&t);
		pthread_join(thread, NULL);
	}
	return ok;
}
