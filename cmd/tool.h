/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tools: the D scripts that are installed with dtrace, run with -x tool=NAME. A tool is a file
 * NAME.d of one directory. Its first comment begins with a line "NAME: purpose" and describes its
 * usage.
 */
#ifndef CMD_TOOL_H
#define CMD_TOOL_H

#include <stdbool.h>
#include <stdio.h>

/* May a tool have this name? Letters, digits, '-' and '_': a name is never a path. */
bool tool_is_name(const char *name);
/* The path of the tool's script, or NULL if dir has none that can be read. The caller frees it. */
char *tool_path(const char *dir, const char *name);
/* The name of the tool of dir that is spelled most like name, or NULL. The caller frees it. */
char *tool_nearest(const char *dir, const char *name);
/* Writes the first comment of a script; 0 or -errno. */
int tool_help(const char *path, FILE *out);
/* Writes a line for each tool of dir, sorted: its name and purpose. 0 or -errno. */
int tool_list(const char *dir, FILE *out);
/* Writes the tools whose names begin with text as "tool=NAME", a tab and the purpose. */
void tool_complete(const char *dir, const char *text, FILE *out);

#endif
