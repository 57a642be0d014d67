/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that perf counts, by name: generic ones of the hardware, caches, software, and what
 * sysfs has of the CPU at hand. */
#ifndef DT_CPCEVENT_H
#define DT_CPCEVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct cpc_event {
	uint32_t type;
	uint64_t config[3];
	uint32_t least; /* the shortest period that is allowed */
	uint32_t usual; /* what a listing shows */
};

/*
 * Finds an event: case is ignored, and "-" equals "_". devices: "/sys/bus/event_source/devices", or
 * a directory of the same form in tests. False when there is no such name; whether the machine has
 * the event is known only when it is opened.
 */
bool cpc_event_find(const char *devices, const char *name, struct cpc_event *out);
/* Calls fn for each name. */
void cpc_event_each(const char *devices,
		    void (*fn)(void *arg, const char *name, const struct cpc_event *e), void *arg);

#endif
