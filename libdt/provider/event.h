/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of tracefs, read as far as someone asks for them. */
#ifndef DT_PROVIDER_EVENT_H
#define DT_PROVIDER_EVENT_H

#include "libdt/provider/probe.h"

struct event {
	struct probes *ps;
	const char *group, *name;
	uint32_t id;	       /* the kernel's; never 0 */
	struct format *format; /* read by event_format() */
	bool format_known;
};

/* Calls fn for each tracepoint's event whose group and name fit the globs: not for those of system
 * calls, which the syscall provider has in a better form. Literal names are looked up, not
 * searched. */
void events_each(struct probes *ps, const char *group, const char *name,
		 void (*fn)(void *arg, struct event *e), void *arg);
/* An event by its literal names, or NULL. */
struct event *event_find(struct probes *ps, const char *group, const char *name);
/* Its format file, or NULL when there is none that can be read. */
struct format *event_format(struct event *e);
/* The names in a group, NULL-terminated; NULL when there is no such group or it cannot be read. */
const char *const *event_names(struct probes *ps, const char *group);
/* Why events cannot be read, and what to do; NULL when they can. */
const char *events_unreadable(struct probes *ps);

#endif
