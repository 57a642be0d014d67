/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source text and places in it. A place is two numbers; line and column are computed when
 * printed. */
#ifndef DT_SRC_H
#define DT_SRC_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum source_kind {
	SOURCE_FILE,	/* -s FILE: name is the file's name */
	SOURCE_PROBE,	/* -n, -P, -m, -f: name is the text itself */
	SOURCE_LIBRARY, /* the D library */
};

struct source_lines;

struct source {
	enum source_kind kind;
	const char *name;
	const char *text; /* NUL-terminated */
	uint32_t len;
	int first_line;		    /* number of the first line; 1 */
	struct source_lines *lines; /* of source_lines_new() */
};

struct strbuf;

struct loc {
	const struct source *src; /* NULL: nowhere */
	uint32_t off, len;
};

/* The lines of a source, for a struct source that source_new() does not make. The table is made
 * when a place is looked up for the first time: text, len and first_line may be set later. */
struct source_lines *source_lines_new(struct arena *a);
/* Copies name and text into the arena. */
struct source *source_new(struct arena *a, enum source_kind kind, const char *name,
			  const char *text, uint32_t len);
/* Line and column of a place, both from 1; column counts bytes. A "# N" line marker of cpp is
 * honoured. */
void loc_pos(struct loc loc, int *line, int *column);
/*
 * The file a place is in, of len bytes: the one that cpp's marker names, as it wrote it, where
 * that is another than the source, or the source's name (that very pointer); NULL in texts that
 * are no files.
 */
const char *loc_file(struct loc loc, int *len);
/* Adds the place as text: "x.d:3:5", or "column 5 of line 3" in texts that are no files; nothing
 * where there is none. before: what precedes it. */
void loc_put(struct strbuf *out, const char *before, struct loc loc);
/* The line of text a place starts in, without its newline, and its length. */
const char *loc_line(struct loc loc, int *len);
/* Is a word of letters, digits and "_" in a text, not as a part of another one? */
bool text_has_word(const char *text, const char *word);
/* The same of any of some words, with blanks between them. */
bool text_has_any_word(const char *text, const char *words);
/* From the start of a to the end of b. */
struct loc loc_span(struct loc a, struct loc b);

#endif
