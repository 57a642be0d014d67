/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/priority.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libdt/base/clock.h"

#define FREE_NS 100000000
enum { SHARE = 20, RESET_ON_FORK = 1 };

static bool get(struct priority_of_thread *t)
{
	return !syscall(SYS_sched_getattr, 0, t, sizeof(*t), 0);
}

static bool set(struct priority_of_thread *t)
{
	t->size = sizeof(*t);
	return !syscall(SYS_sched_setattr, 0, t, 0);
}

bool priority_allows(const struct priority *p, uint64_t now)
{
	uint64_t raised = p->raised_ns + (p->since_ns ? now - p->since_ns : 0);

	return raised < FREE_NS + (p->begin_ns ? now - p->begin_ns : 0) / SHARE;
}

static void raise_it(struct priority *p, uint64_t now)
{
	struct priority_of_thread raised;

	if (!get(&p->usual) || p->usual.policy != SCHED_OTHER || p->usual.nice > 0 ||
	    p->usual.nice <= PRIORITY_RAISED)
		return;
	raised = p->usual;
	raised.nice = PRIORITY_RAISED;
	raised.flags |= RESET_ON_FORK; /* for processes that begin meanwhile */
	if (!set(&raised))
		return;
	p->since_ns = now;
	if (!p->begin_ns)
		p->begin_ns = now;
}

void priority_set(struct priority *p, bool urgent)
{
	uint64_t now;

	if (!urgent && !p->since_ns)
		return;
	now = clock_ns(CLOCK_MONOTONIC);
	urgent = urgent && priority_allows(p, now);
	if (urgent && !p->since_ns) {
		raise_it(p, now);
	} else if (!urgent && p->since_ns) {
		set(&p->usual);
		p->raised_ns += now - p->since_ns;
		p->since_ns = 0;
	}
}
