/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/src.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/base/mem.h"

struct line {
	uint32_t off;
	int number;
	const char *file; /* as the last marker before it has it that names one; NULL: none does */
	int file_len;
};

/* A script may be large, and its programs refer to each of its lines: the places of all are found
 * in one pass. */
struct source_lines {
	struct arena *arena;
	struct line *v; /* in the order of their offsets; NULL: not made yet */
	int n;
};

struct source_lines *source_lines_new(struct arena *a)
{
	struct source_lines *lines = arena_alloc(a, sizeof(*lines));

	lines->arena = a;
	return lines;
}

struct source *source_new(struct arena *a, enum source_kind kind, const char *name,
			  const char *text, uint32_t len)
{
	struct source *s = arena_alloc(a, sizeof(*s));

	s->kind = kind;
	s->name = arena_strdup(a, name);
	s->text = arena_strndup(a, text, len);
	s->len = len;
	s->first_line = 1;
	s->lines = source_lines_new(a);
	return s;
}

/* cpp's "# 12 "file"" says that the next line is line 12 of that file. */
struct marker {
	int line;
	const char *file; /* NULL when it names none */
	int len;
};

static bool read_marker(const char *p, struct marker *m)
{
	if (*p++ != '#')
		return false;
	if (!strncmp(p, "line", 4))
		p += 4;
	p += strspn(p, " \t");
	if (!isdigit((unsigned char)*p))
		return false;
	m->line = atoi(p);
	p += strspn(p, "0123456789");
	p += strspn(p, " \t");
	m->file = *p == '"' ? p + 1 : NULL;
	m->len = 0;
	while (m->file && m->file[m->len] != '"') {
		m->len += m->file[m->len] == '\\';
		if (!m->file[m->len] || m->file[m->len] == '\n')
			m->file = NULL;
		m->len++;
	}
	return true;
}

static struct line *lines_make(const struct source *src)
{
	struct source_lines *lines = src->lines;
	struct line now = {.number = src->first_line};
	const char *end = src->text + src->len, *s;
	struct marker m;

	for (s = src->text, lines->n = 1; (s = memchr(s, '\n', end - s)); s++)
		lines->n++;
	lines->v = arena_alloc(lines->arena, lines->n * sizeof(*lines->v));
	for (int i = 0; i < lines->n; i++) {
		lines->v[i] = now;
		s = src->text + now.off;
		now.number++;
		if (read_marker(s, &m)) {
			now.number = m.line;
			now.file = m.file ? m.file : now.file;
			now.file_len = m.file ? m.len : now.file_len;
		}
		s = memchr(s, '\n', end - s);
		now.off = s ? s + 1 - src->text : src->len;
	}
	return lines->v;
}

/* The line that a place starts in. */
static const struct line *line_of(struct loc loc)
{
	const struct line *v = loc.src->lines->v ? loc.src->lines->v : lines_make(loc.src);
	int lo = 0, hi = loc.src->lines->n;

	while (hi - lo > 1) {
		int mid = lo + (hi - lo) / 2;

		if (v[mid].off <= loc.off)
			lo = mid;
		else
			hi = mid;
	}
	return &v[lo];
}

void loc_pos(struct loc loc, int *line, int *column)
{
	const struct line *at;

	*line = *column = 0;
	if (!loc.src)
		return;
	at = line_of(loc);
	*line = at->number;
	*column = loc.off - at->off + 1;
}

/* Is that the source itself, as cpp writes its name? "<stdin>" and the like are what was given on
 * the command line. */
static bool names_source(const struct source *src, const char *file, int len)
{
	const char *name = src->name;
	int i = 0;

	if (*file == '<')
		return true;
	for (; i < len && *name; i++, name++) {
		i += file[i] == '\\' && i + 1 < len;
		if (file[i] != *name)
			return false;
	}
	return i == len && !*name;
}

const char *loc_file(struct loc loc, int *len)
{
	const struct line *at;

	*len = 0;
	if (!loc.src)
		return NULL;
	at = line_of(loc);
	if (at->file && !names_source(loc.src, at->file, at->file_len)) {
		*len = at->file_len;
		return at->file;
	}
	if (loc.src->kind != SOURCE_FILE)
		return NULL;
	*len = strlen(loc.src->name);
	return loc.src->name;
}

const char *loc_line(struct loc loc, int *len)
{
	const char *start;

	if (!loc.src) {
		*len = 0;
		return "";
	}
	start = loc.src->text + line_of(loc)->off;
	*len = strcspn(start, "\n");
	return start;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word, size_t len)
{
	for (const char *s = text; (s = memmem(s, strlen(s), word, len)); s += len)
		if ((s == text || !is_word_char(s[-1])) && !is_word_char(s[len]))
			return true;
	return false;
}

bool text_has_word(const char *text, const char *word)
{
	return has_word(text, word, strlen(word));
}

bool text_has_any_word(const char *text, const char *words)
{
	for (size_t n; *(words += strspn(words, " ")); words += n) {
		n = strcspn(words, " ");
		if (has_word(text, words, n))
			return true;
	}
	return false;
}

struct loc loc_span(struct loc a, struct loc b)
{
	if (!a.src)
		return b;
	if (b.src == a.src && b.off + b.len > a.off)
		a.len = b.off + b.len - a.off;
	return a;
}

void loc_put(struct strbuf *out, const char *before, struct loc loc)
{
	int line, column, len;
	const char *file = loc_file(loc, &len);

	if (!loc.src)
		return;
	loc_pos(loc, &line, &column);
	if (file)
		escape_printf(out, "%s%.*s:%d:%d", before, len, file, line, column);
	else
		sb_printf(out, "%scolumn %d of line %d", before, column, line);
}
