/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions that go on without dtrace: what -a and -x detach do. */
#ifndef DTRACE_DETACHED_H
#define DTRACE_DETACHED_H

#include <stdbool.h>
#include <stdio.h>

#include "libdt/dt.h"

/* Is a detached session to be read, listed or stopped? grab: -a or -x grabanon. */
bool detached_wanted(struct dt *dt, bool grab);
/* Does that, by the options and operands (n of them: a name, or none). 0, -1 with dt_error(), or
 * -2: the command line is wrong, with a reason. */
int detached_run(struct dt *dt, bool grab, char *const *operands, int n, FILE *out,
		 const char **why);
/* After -A: says on the standard error what is to be done with the session. */
void detached_announce(struct dt *dt);

#endif
