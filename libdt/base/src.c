/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/src.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/escape.h"
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

/* Where the line begins that p is in. */
static const char *line_start(const struct source *src, const char *p)
{
	while (p > src->text && p[-1] != '\n')
		p--;
	return p;
}

/* The next marker in front of the line at *start, which is moved to it; counts the lines on the
 * way. */
static bool marker_before(const struct source *src, const char **start, int *lines,
			  struct marker *m)
{
	for (*lines = 0; *start > src->text; ++*lines) {
		*start = line_start(src, *start - 1);
		if (read_marker(*start, m))
			return true;
	}
	return false;
}

static const char *place_start(struct loc loc)
{
	return line_start(loc.src, loc.src->text + MIN(loc.off, loc.src->len));
}

void loc_pos(struct loc loc, int *line, int *column)
{
	const char *start;
	struct marker m;
	int lines;

	*line = *column = 0;
	if (!loc.src)
		return;
	start = place_start(loc);
	*column = loc.off - (start - loc.src->text) + 1;
	*line = marker_before(loc.src, &start, &lines, &m) ? m.line + lines
							   : loc.src->first_line + lines;
}

/* Is that the source itself, as cpp writes its name? "<stdin>" and the like are what was given on
 * the command line. */
static bool names_source(const struct source *src, const struct marker *m)
{
	const char *name = src->name;
	int i = 0;

	if (*m->file == '<')
		return true;
	for (; i < m->len && *name; i++, name++) {
		i += m->file[i] == '\\' && i + 1 < m->len;
		if (m->file[i] != *name)
			return false;
	}
	return i == m->len && !*name;
}

const char *loc_file(struct loc loc, int *len)
{
	const char *start;
	struct marker m = {0};
	int lines;

	*len = 0;
	if (!loc.src)
		return NULL;
	start = place_start(loc);
	while (marker_before(loc.src, &start, &lines, &m) && !m.file)
		;
	if (m.file && !names_source(loc.src, &m)) {
		*len = m.len;
		return m.file;
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
	start = place_start(loc);
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
