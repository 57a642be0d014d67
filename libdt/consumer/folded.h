/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks, "key;outermost;...;innermost value" lines: reading what oformat=folded and other
 * tools write. */
#ifndef DT_FOLDED_H
#define DT_FOLDED_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

/* A character of a frame's name as lines have it: separators cannot be part of a name. */
static inline char folded_character(char c)
{
	return c == ';' ? ':' : c == '\n' ? ' ' : c;
}

/* Reads a file whole and checks its lines. 0, or -1 and why not. */
int folded_read(const char *path, struct strbuf *text, struct strbuf *why);
/* Of a text that was checked: the line at *at, its names joined by ";" (not terminated) and its
 * value; *at goes on to the next. False: there is no other. */
bool folded_next(const char **at, const char **names, size_t *len, uint64_t *value);

#endif
