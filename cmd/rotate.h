/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of -o is replaced by a new one while tracing goes on. */
#ifndef CMD_ROTATE_H
#define CMD_ROTATE_H

#include "cmd/cmd.h"

/* Reads -x rotatesize, rotatetime and rotatekeep; ends with an error if they cannot be used. */
void rotate_begin(struct cmd *cmd);
/* Continues in a new file of the same name: another program has renamed the old one. */
void rotate_reopen(struct cmd *cmd);
/* Renames the file, and continues in a new one, if it is large or old enough. All output is
 * flushed. */
void rotate_work(struct cmd *cmd);

#endif
