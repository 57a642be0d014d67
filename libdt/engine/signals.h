/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtrace:::SIGUSR1 and SIGUSR2: signals that dtrace gets itself. */
#ifndef DT_SIGNALS_H
#define DT_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

struct program_set;

/*
 * Blocks the signals of enabled probes in this thread, for good: a signal that comes after tracing
 * has ended must not kill the process. Returns a descriptor that is readable when one has come; -1:
 * no such probe.
 */
int signals_open(const struct program_set *set);
/* Takes the next one: its probe's name, and the probe's arguments, the sender's process and user.
 * NULL: there is none. */
const char *signals_next(int fd, uint64_t args[2]);

#endif
