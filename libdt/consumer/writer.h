/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is printed for programs to read: objects, arrays, numbers and text, written in order. A
 * form determines their syntax, JSON or XML; callers need not know which.
 */
#ifndef DT_WRITER_H
#define DT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"

struct aggr;
struct aggr_sort;
struct fmt_ctx;
struct probe_desc;
struct value;
struct writer;

struct writer_form {
	const char *head, *foot; /* of a whole document; NULL: it is its lines and nothing else */
	const char *between;	 /* before each line but the first; NULL: nothing */
	bool frames; /* have their functions, and are written once in a line: writer_frame() */
	bool flat;   /* members of a group are those of what the group is in */
	/* Opens a line's object, which has its type as a member unless that is NULL. */
	void (*line)(struct writer *w, const char *type);
	/* key is NULL in an array, and s is NULL for null. */
	void (*open)(struct writer *w, const char *key, bool array);
	void (*close)(struct writer *w, const char *key, bool array);
	void (*scalar)(struct writer *w, const char *key, const char *s, size_t len, bool text);
	/* One character, of n bytes of UTF-8. */
	void (*character)(struct strbuf *out, const char *s, size_t n);
	/* Writes a line; NULL: as it is. */
	void (*put)(FILE *out, const char *text, size_t len);
};

/* events: lines of JSON that are elements of one array; html: lines of JSON in a page. */
extern const struct writer_form writer_json, writer_xml, writer_events, writer_html;

struct writer_level {
	const char *key;
	bool array;
};

struct writer {
	const struct writer_form *form;
	struct strbuf sb; /* the line at hand */
	bool comma;	  /* something stands before in this object or array */
	VEC(struct writer_level) open;
	struct hash frames; /* of the line: text of the object -> its number, plus one */
};

/* The version of what lines have, doc/json.md: it rises unless members and types are only added. */
enum { WRITER_SCHEMA = 1 };

/* A line begins, an object of its own; the second ends it, with all that is open, and its
 * newline. */
void writer_line(struct writer *w, const char *type);
void writer_line_end(struct writer *w);
/* key is NULL in an array; it must live until the end. */
void writer_object(struct writer *w, const char *key);
void writer_array(struct writer *w, const char *key);
/* Of the innermost object or array. */
void writer_end(struct writer *w);
/* Members that belong together: an object, unless the form is flat. */
void writer_group(struct writer *w, const char *key);
void writer_group_end(struct writer *w);
void writer_int(struct writer *w, const char *key, int64_t n);
void writer_uint(struct writer *w, const char *key, uint64_t n);
/* "0x...": addresses have more bits than many readers' numbers. */
void writer_hex(struct writer *w, const char *key, uint64_t n);
/* Text of any bytes: what the form cannot carry becomes U+FFFD. */
void writer_text(struct writer *w, const char *key, const char *s, size_t len);
void writer_string(struct writer *w, const char *key, const char *s);
/* In hexadecimal digits. */
void writer_bytes(struct writer *w, const char *key, const uint8_t *p, size_t n);
void writer_bool(struct writer *w, const char *key, bool b);
void writer_null(struct writer *w, const char *key);
/* A time of CLOCK_REALTIME (ns) as 2026-11-21T11:07:00.123456789Z; "" if it has no date. */
enum { WRITER_DATE = 64 };
void writer_date(uint64_t ns, char text[WRITER_DATE]);
/* What is no number (infinity...) becomes null. */
void writer_float(struct writer *w, const char *key, long double d);
void writer_free(struct writer *w);
/*
 * With a form that wants frames so: a frame that was begun at start (of comma, as they were then)
 * and has ended. If the line has the same object already, its number, from 0 in the order of the
 * line, stands instead: stacks have most of their frames in common.
 */
void writer_frame(struct writer *w, size_t start, bool comma);

/* For forms: text as it stands in a line. */
void writer_characters(struct writer *w, const char *s, size_t len);

/* write_value.c: a recorded value by its type. */
void writer_value(struct writer *w, const char *key, struct fmt_ctx *ctx, const struct value *v);
/* consume_write.c: a probe's members. */
void writer_probe(struct writer *w, const struct probe_desc *p);
/* aggr_write.c: an aggregation's name, function and rows; and "aggregations", an array of
 * several, joined by key. */
void writer_aggregation(struct writer *w, struct fmt_ctx *ctx, struct aggr *ag,
			const struct aggr_sort *sort);
void writer_aggregations(struct writer *w, struct fmt_ctx *ctx, struct aggr *const *ags, int n,
			 const struct aggr_sort *sort);

#endif
