/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of dtrace(8), tools and completion. */
#ifndef CMD_ARGUMENTS_H
#define CMD_ARGUMENTS_H

#include "cmd/cmd.h"

/* Reads them. Ends for those that only print something (--help, -x complete=...). */
void arguments_read(struct cmd *cmd, int argc, char **argv);

#endif
