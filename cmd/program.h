/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a command line: compiled, listed, or made a header or an object. */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "cmd/cmd.h"

/* Compiles all, and with -x test reads the table. Ends on an error. */
void program_compile(struct cmd *cmd);
/* Prints how many probes each matches, unless quiet. */
void program_report_matches(struct cmd *cmd);
/*
 * dtrace -l 'tcp*': without a program a word that has * or : is a description; without a colon
 * each of a probe's four names may be what it matches. Other words are names of types, of which
 * only -v lists something.
 */
void program_list_words(struct cmd *cmd);
/* Lists the probes that the programs match, and reports the programs that match none. The exit
 * status. */
int program_list(struct cmd *cmd);
/* -G and -h: no kernel, no rights, nothing is traced. The exit status. */
int program_build(struct cmd *cmd);

#endif
