/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults of clauses: messages and ERROR probes. */
#ifndef DT_FAULT_H
#define DT_FAULT_H

#include <stdbool.h>
#include "libdt/base/src.h"

struct dt;
struct probe_desc;
struct rec_error;
struct rec_header;

/* A place of a clause that can fault. */
struct fault_site {
	struct loc loc;
	bool of_kernel; /* it reads the kernel's memory, not a process's */
};

/* A fault of a clause: reports it and fires the ERROR probes. The consumer's on_error. */
void fault_met(void *dt, const struct rec_header *h, const struct rec_error *e);
/* Reports a fault at a place, and counts it. */
void fault_report(struct dt *dt, const struct rec_header *h, const struct rec_error *e,
		  const struct probe_desc *p, const struct fault_site *site);
/* Reports the number of faults that no message was about: of those whose last line is a second old,
 * or of all. */
void fault_report_more(struct dt *dt, bool all);
void fault_free(struct dt *dt);

#endif
