/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions that go on without dtrace: what -a and -x detach do. */
#ifndef CMD_DETACHED_H
#define CMD_DETACHED_H

#include "cmd/cmd.h"

/* Is a detached session to be read, listed or stopped (-a, -x grabanon, -x detach)? */
bool detached_wanted(struct cmd *cmd);
/* Ends with a message if the rest of the command line does not go with that. */
void detached_check(struct cmd *cmd);
/* Does that, by the options and the operand, a name. The exit status. */
int detached_read(struct cmd *cmd);
/* -A: the program of the command line is to go on when dtrace ends. */
void detached_begin(struct cmd *cmd);

#endif
