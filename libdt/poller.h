/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One descriptor that stands for many, and for a time. */
#ifndef DT_POLLER_H
#define DT_POLLER_H

#include <poll.h>
#include <stdint.h>

struct poller;

/* NULL with errno. */
struct poller *poller_new(void);
void poller_free(struct poller *p);
/* Readable when one of them is ready, or the time has come. */
int poller_fd(const struct poller *p);
/* They are these from now on; until: CLOCK_MONOTONIC, ns, 0: at once. 0 or -errno. */
int poller_set(struct poller *p, const struct pollfd *fds, int n, uint64_t until);

#endif
