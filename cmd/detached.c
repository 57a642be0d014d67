/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/detached.h"

#include <string.h>

static const char *option(struct dt *dt, const char *name)
{
	return dt_getopt(dt, name);
}

bool detached_wanted(struct dt *dt, bool grab)
{
	return grab || option(dt, "detach");
}

int detached_run(struct dt *dt, bool grab, char *const *operands, int n, FILE *out,
		 const char **why)
{
	const char *what = option(dt, "detach"), *name = n ? operands[0] : option(dt, "name");

	*why = NULL;
	if (grab && what)
		*why = "-a reads a detached session: it does not go with -x detach";
	else if (n > 1)
		*why = "only one detached session is read or stopped at a time";
	else if (n && what && !strcmp(what, "list"))
		*why = "-x detach=list takes no name: it lists all detached sessions";
	if (*why)
		return -2;
	if (!what)
		return dt_read_detached(dt, name, out);
	return strcmp(what, "list") ? dt_stop_detached(dt, name, out) : dt_list_detached(dt, out);
}

void detached_announce(struct dt *dt)
{
	const char *name = option(dt, "name");

	fprintf(stderr,
		"dtrace: tracing goes on as %s: dtrace -a %s reads it, dtrace -x detach=stop %s "
		"stops it\n",
		name, name, name);
}
