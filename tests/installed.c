/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user of the installed library, built through pkg-config by make installcheck: no root. */
#include <dt.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	struct dt *dt = dt_open();
	int good = dt_program(dt, DT_PROBE_NAME, "BEGIN { trace(1); }", NULL);
	int bad = dt_program(dt, DT_PROBE_NAME, "BEGIN { trace( }", NULL);

	if (good != 1 || bad != -1 || !strstr(dt_error(dt), "syntax error")) {
		printf("installed: %d and %d, %s\n", good, bad, dt_error(dt));
		return 1;
	}
	dt_close(dt);
	return 0;
}
