/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/last_byte.h"

#include <stdbool.h>
#include <stdlib.h>

#include "libdt/base/mem.h"

struct last_byte {
	FILE *to, *stream;
	int last;
	bool line_first; /* before the next byte */
};

static ssize_t put(void *arg, const char *bytes, size_t n)
{
	struct last_byte *l = arg;

	if (!n)
		return 0;
	l->last = (unsigned char)bytes[n - 1];
	if (l->line_first)
		putc('\n', l->to);
	l->line_first = false;
	fwrite(bytes, 1, n, l->to);
	return n;
}

struct last_byte *last_byte_open(FILE *to)
{
	struct last_byte *l = xcalloc(1, sizeof(*l));

	l->to = to;
	l->last = -1; /* nothing was written */
	l->stream = fopencookie(l, "w", (cookie_io_functions_t){.write = put});
	if (!l->stream) {
		free(l);
		return NULL;
	}
	return l;
}

void last_byte_close(struct last_byte *l)
{
	if (!l)
		return;
	fclose(l->stream);
	free(l);
}

FILE *last_byte_stream(const struct last_byte *l)
{
	return l->stream;
}

void last_byte_end(struct last_byte *l)
{
	fflush(l->stream);
	if (l->last < 0 || l->last == '\n') {
		l->line_first = true;
	} else {
		putc('\n', l->stream);
		fflush(l->stream);
	}
}
