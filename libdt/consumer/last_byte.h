/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream that passes on to another one what is written to it, and knows how that ended: the end
 * of a quiet script's output into a pipe depends on it. Errors are the other stream's.
 */
#ifndef DT_LAST_BYTE_H
#define DT_LAST_BYTE_H

#include <stdio.h>

struct last_byte;

/* NULL with errno. to: must live as long as the stream; gets bytes when the stream is flushed. */
struct last_byte *last_byte_open(FILE *to);
/* l: NULL is allowed. */
void last_byte_close(struct last_byte *l);
FILE *last_byte_stream(const struct last_byte *l);
/* What comes next is in a line of its own, after an empty one if the last line has ended; if
 * nothing comes, only the last line is ended. */
void last_byte_end(struct last_byte *l);

#endif
