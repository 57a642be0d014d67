/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/src.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"

struct source *source_new(struct arena *a, enum source_kind kind, const char *name,
			  const char *text, uint32_t len)
{
	struct source *s = arena_alloc(a, sizeof(*s));

	s->kind = kind;
	s->name = arena_strdup(a, name);
	s->text = arena_strndup(a, text, len);
	s->len = len;
	s->first_line = 1;
	return s;
}

/* cpp's "# 12 "file"" says that the next line is line 12. */
static bool line_marker(const char *p, int *line)
{
	if (*p++ != '#')
		return false;
	if (!strncmp(p, "line", 4))
		p += 4;
	while (*p == ' ' || *p == '\t')
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	*line = atoi(p);
	return true;
}

void loc_pos(struct loc loc, int *line, int *column)
{
	const char *p, *start;

	*line = *column = 0;
	if (!loc.src)
		return;
	start = p = loc.src->text;
	*line = loc.src->first_line;
	for (uint32_t i = 0; i < loc.off && i < loc.src->len; i++, p++) {
		int marked;

		if (*p != '\n')
			continue;
		if (line_marker(start, &marked))
			*line = marked;
		else
			(*line)++;
		start = p + 1;
	}
	*column = loc.off - (start - loc.src->text) + 1;
}

const char *loc_line(struct loc loc, int *len)
{
	const char *start, *end;

	if (!loc.src) {
		*len = 0;
		return "";
	}
	start = end = loc.src->text + MIN(loc.off, loc.src->len);
	while (start > loc.src->text && start[-1] != '\n')
		start--;
	end += strcspn(end, "\n");
	*len = end - start;
	return start;
}

struct loc loc_span(struct loc a, struct loc b)
{
	if (!a.src)
		return b;
	if (b.src == a.src && b.off + b.len > a.off)
		a.len = b.off + b.len - a.off;
	return a;
}
