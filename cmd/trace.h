/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracing: processes of -c, -p and -W, signals, and the loop that prints. */
#ifndef CMD_TRACE_H
#define CMD_TRACE_H

#include "cmd/cmd.h"

/* Starts the commands of -c, takes the processes of -p, and waits for those of -W. Ends on an
 * error, or when a signal comes while it waits. */
void trace_start_processes(struct cmd *cmd);
/* Traces until the programs, a process or a signal end it. The exit status; ends on an error. */
int trace_run(struct cmd *cmd);
/* -A: begins a session that goes on without this process. Ends on an error. */
void trace_detach(struct cmd *cmd);

/** Has a signal come that ends tracing? */
bool trace_interrupted(void);

#endif
