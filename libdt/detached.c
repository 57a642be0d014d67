/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The API of detached sessions: libdt/detach/. */
#include "libdt/detach/detach.h"
#include "libdt/session.h"

int dt_detach(struct dt *dt, const char *name)
{
	return leave_prepare(dt, name);
}

int dt_read_detached(struct dt *dt, const char *name, FILE *out)
{
	return reader_read(dt, name, out);
}

int dt_stop_detached(struct dt *dt, const char *name, FILE *out)
{
	return reader_stop(dt, name, out);
}

int dt_list_detached(struct dt *dt, FILE *out)
{
	return sessions_list(dt, out);
}
