/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libdt/base/escape.h"

void writer_characters(struct writer *w, const char *s, size_t len)
{
	while (len) {
		size_t n = utf8_length(s, len);

		if (n)
			w->form->character(&w->sb, s, n);
		else
			sb_puts(&w->sb, "\xef\xbf\xbd");
		n = MAX(n, 1);
		s += n;
		len -= n;
	}
}

void writer_line(struct writer *w, const char *type)
{
	w->sb.len = 0;
	w->comma = false;
	w->open.n = 0;
	hash_free(&w->frames);
	w->form->line(w, type);
}

static void begin(struct writer *w, const char *key, bool array)
{
	struct writer_level level = {key, array};

	w->form->open(w, key, array);
	vec_push(&w->open, level);
}

void writer_object(struct writer *w, const char *key)
{
	begin(w, key, false);
}

void writer_array(struct writer *w, const char *key)
{
	begin(w, key, true);
}

void writer_end(struct writer *w)
{
	struct writer_level level = w->open.v[--w->open.n];

	w->form->close(w, level.key, level.array);
}

void writer_line_end(struct writer *w)
{
	while (w->open.n)
		writer_end(w);
	sb_putc(&w->sb, '\n');
}

void writer_group(struct writer *w, const char *key)
{
	if (!w->form->flat)
		writer_object(w, key);
}

void writer_group_end(struct writer *w)
{
	if (!w->form->flat)
		writer_end(w);
}

/* A number, or another word of the form's own. */
static void put_word(struct writer *w, const char *key, const char *s)
{
	w->form->scalar(w, key, s, s ? strlen(s) : 0, false);
}

void writer_int(struct writer *w, const char *key, int64_t n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%" PRId64, n);
	put_word(w, key, buf);
}

void writer_uint(struct writer *w, const char *key, uint64_t n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%" PRIu64, n);
	put_word(w, key, buf);
}

void writer_hex(struct writer *w, const char *key, uint64_t n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "0x%" PRIx64, n);
	writer_string(w, key, buf);
}

void writer_text(struct writer *w, const char *key, const char *s, size_t len)
{
	w->form->scalar(w, key, s, len, true);
}

void writer_string(struct writer *w, const char *key, const char *s)
{
	writer_text(w, key, s, strlen(s));
}

void writer_bytes(struct writer *w, const char *key, const uint8_t *p, size_t n)
{
	struct strbuf sb = {0};

	for (size_t i = 0; i < n; i++)
		sb_printf(&sb, "%02x", p[i]);
	writer_string(w, key, sb_str(&sb));
	sb_free(&sb);
}

void writer_bool(struct writer *w, const char *key, bool b)
{
	put_word(w, key, b ? "true" : "false");
}

void writer_null(struct writer *w, const char *key)
{
	put_word(w, key, NULL);
}

void writer_float(struct writer *w, const char *key, long double d)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%.17Lg", d);
	put_word(w, key, isfinite(d) ? buf : NULL);
}

void writer_date(uint64_t ns, char text[WRITER_DATE])
{
	time_t sec = ns / 1000000000;
	char date[40];
	struct tm tm;

	*text = '\0';
	if (gmtime_r(&sec, &tm) && strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(text, WRITER_DATE, "%s.%09" PRIu64 "Z", date, ns % 1000000000);
}

void writer_frame(struct writer *w, size_t start, bool comma)
{
	size_t text = start + comma, n = w->frames.n;
	void **number;

	if (!w->form->frames)
		return;
	number = hash_ref(&w->frames, w->sb.s + text, w->sb.len - text);
	if (!*number) {
		*number = (void *)(n + 1);
		return;
	}
	w->sb.len = start;
	w->comma = comma;
	writer_uint(w, NULL, (size_t)*number - 1);
}

void writer_free(struct writer *w)
{
	hash_free(&w->frames);
	sb_free(&w->sb);
	vec_free(&w->open);
}
