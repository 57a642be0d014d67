/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/priority.h"

#include <errno.h>
#include <sys/resource.h>

#include "libdt/base/clock.h"

#define FREE_NS 100000000
enum { SHARE = 20 };

bool priority_allows(const struct priority *p, uint64_t now)
{
	uint64_t raised = p->raised_ns + (p->since_ns ? now - p->since_ns : 0);

	return raised < FREE_NS + (p->begin_ns ? now - p->begin_ns : 0) / SHARE;
}

static void raise_it(struct priority *p, uint64_t now)
{
	errno = 0;
	p->usual = getpriority(PRIO_PROCESS, 0);
	if (errno || p->usual > 0 || p->usual <= PRIORITY_RAISED ||
	    setpriority(PRIO_PROCESS, 0, PRIORITY_RAISED))
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
		setpriority(PRIO_PROCESS, 0, p->usual);
		p->raised_ns += now - p->since_ns;
		p->since_ns = 0;
	}
}
