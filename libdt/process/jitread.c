/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/jitread.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* BUFFER: read at once, a line that is longer is left out. PART: read for one answer. */
enum { BUFFER = 1 << 20, PART = 8 << 20 };

struct reading {
	VEC(struct jit_symbol) v;
	struct strbuf names;
	uint64_t at, space;
};

int jit_symbol_compare(const void *pa, const void *pb)
{
	const struct jit_symbol *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void take_line(struct reading *r, char *line)
{
	struct jit_symbol s = {.order = r->at};
	char *end, *name;

	s.addr = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return;
	line = end + 1;
	s.size = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return;
	name = end + strspn(end, " ");
	if (!*name)
		return;
	s.name = (const char *)(uintptr_t)r->names.len;
	sb_add(&r->names, name, strlen(name) + 1);
	vec_push(&r->v, s);
}

static bool has_space(const struct reading *r)
{
	return (r->v.n + 1) * sizeof(*r->v.v) + r->names.len + BUFFER * 2 < r->space;
}

/* The last line may be in the making. */
static void read_lines(struct reading *r, int fd)
{
	char *text = xmalloc(BUFFER), *line, *end;
	uint64_t upto = r->at + PART;
	ssize_t n;

	while (r->at < upto && has_space(r) && (n = pread(fd, text, BUFFER, r->at)) > 0) {
		for (line = text; (end = memchr(line, '\n', text + n - line)); line = end + 1) {
			*end = '\0';
			take_line(r, line);
			r->at += end + 1 - line;
		}
		if (line == text && n < BUFFER)
			break;
		if (line == text)
			r->at += n;
	}
	free(text);
}

static bool is_same(int fd, const struct jitread *ask)
{
	uint8_t head[JITREAD_HEAD];
	uint32_t len = MIN(ask->head_len, (uint32_t)JITREAD_HEAD);
	uint8_t last;

	if (pread(fd, head, len, 0) != (ssize_t)len || memcmp(head, ask->head, len))
		return false;
	return !ask->from || pread(fd, &last, 1, ask->from - 1) == 1;
}

int jitread(int fd, const struct jitread *ask, uint64_t space, struct strbuf *out)
{
	struct jitread_answer a = {0};
	struct reading r = {.space = space};
	ssize_t n;
	bool full;

	a.anew = ask->from && !is_same(fd, ask);
	r.at = a.anew ? 0 : ask->from;
	if (space < 4 * BUFFER)
		return -EFBIG;
	read_lines(&r, fd);
	if (r.v.n)
		qsort(r.v.v, r.v.n, sizeof(*r.v.v), jit_symbol_compare);
	full = !has_space(&r);
	a.n = r.v.n;
	sb_putc(&r.names, '\0');
	a.texts_len = r.names.len;
	a.next.from = r.at;
	n = pread(fd, a.next.head, MIN(r.at, (uint64_t)JITREAD_HEAD), 0);
	a.next.head_len = n > 0 ? n : 0;
	sb_add(out, &a, sizeof(a));
	sb_add(out, r.v.v, r.v.n * sizeof(*r.v.v));
	sb_add(out, r.names.s, r.names.len);
	vec_free(&r.v);
	sb_free(&r.names);
	return full ? -EFBIG : 0;
}
