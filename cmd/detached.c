/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/detached.h"

#include <string.h>

static bool grabs(struct cmd *cmd)
{
	return cmd->mode == 'a' || cmd_option_on(cmd, "grabanon");
}

bool detached_wanted(struct cmd *cmd)
{
	return grabs(cmd) || dt_getopt(cmd->dt, "detach");
}

void detached_check(struct cmd *cmd)
{
	const char *what = dt_getopt(cmd->dt, "detach");

	if ((cmd->mode && cmd->mode != 'a') || cmd->jobs.n || cmd->commands.n || cmd->pids.n ||
	    cmd->names.n || cmd->test || dt_getopt(cmd->dt, "replay"))
		cmd_fail_usage("-a and -x detach take no program, process or other mode");
	if (grabs(cmd) && what)
		cmd_fail_usage("-a reads a detached session: it does not go with -x detach");
	if (cmd->args.n > 2)
		cmd_fail_usage("only one detached session is read or stopped at a time");
	if (cmd->args.n > 1 && what && !strcmp(what, "list"))
		cmd_fail_usage("-x detach=list takes no name: it lists all detached sessions");
}

void detached_begin(struct cmd *cmd)
{
	if (cmd->test)
		cmd_fail_usage("-x test needs no kernel: it does not go with -A");
	if (cmd->out_name)
		cmd_fail_usage(
		    "-A prints nothing: use -o with dtrace -a, which prints the records");
	if (!cmd->jobs.n && cmd->args.n > 1)
		cmd_fail("no probes specified: the name of a detached session is given by -x "
			 "name=%s",
			 cmd->args.v[1]);
	if (dt_detach(cmd->dt, dt_getopt(cmd->dt, "name")) < 0)
		cmd_fail_dt(cmd);
}

int detached_read(struct cmd *cmd)
{
	const char *what = dt_getopt(cmd->dt, "detach"),
		   *name = cmd->args.n > 1 ? cmd->args.v[1] : dt_getopt(cmd->dt, "name");
	int rc;

	if (!what || strcmp(what, "list"))
		cmd_begin_document(cmd);
	if (cmd_option_on(cmd, "linebuf"))
		setvbuf(cmd->out, NULL, _IOLBF, 0);
	if (!what)
		rc = dt_read_detached(cmd->dt, name, cmd->out);
	else if (strcmp(what, "list"))
		rc = dt_stop_detached(cmd->dt, name, cmd->out);
	else
		rc = dt_list_detached(cmd->dt, cmd->out);
	cmd_print_warnings(cmd);
	return cmd_finish(cmd, rc);
}
