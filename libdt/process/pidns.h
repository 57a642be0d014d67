/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs see processes by the kernel's numbers, which are those of the first pid namespace. In
 * a container dtrace, its user and /proc have others; here is which belong together.
 */
#ifndef DT_PIDNS_H
#define DT_PIDNS_H

#include <stdbool.h>
#include <sys/types.h>

struct feats;
struct kernel_layout;
struct pidns;

#define PIDNS_OWN "process IDs here differ from those in the kernel (PID namespace)"

/* Is dtrace in a pid namespace of its own? */
bool pidns_own(void);
/* kernel: as long as the result. */
struct pidns *pidns_new(struct feats *feats, const struct kernel_layout *kernel);
void pidns_free(struct pidns *ns);
/* The kernel's number of a process that has the number here, and the other way round; 0 when
 * there is none, or it cannot be found out. */
pid_t pidns_kernel(struct pidns *ns, pid_t here);
pid_t pidns_here(struct pidns *ns, pid_t kernel);

#endif
