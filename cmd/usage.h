/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMD_USAGE_H
#define CMD_USAGE_H

#include <stdio.h>

/* Writes the usage: at most 24 lines of 80 columns. */
void usage(FILE *out);
/* Writes each option on a line of its own, with a tab and what it does. */
void usage_options(FILE *out);
/* For an option of another tracer: a text that follows "invalid option", "; use -w", or "". */
const char *usage_other(const char *name);
/* "x.d is a file; ..." of a description that is the name of one, or NULL. The caller's to free. */
char *usage_file(const char *description);
/* What a command line without a program meant by its first word (NULL: there is none): a text that
 * follows "no probes specified". The caller's to free. */
char *usage_hint(const char *word);

#endif
