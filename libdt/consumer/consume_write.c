/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x oformat=json and xml: an object for each line, and perfetto, whose lines are events with the
 * same content (timeline.c). Whatever dtrace would print, on either of its
 * outputs, is one (of XML, an element; see write_xml.c):
 *
 *	{"type":"start","schema":1, ...}			the first line
 *	{"type":"record", ...,"probe":{...},"output":[...]}	a firing, with an element for each
 *								action
 *	{"type":"aggregation", ...}				aggregations at exit
 *	{"type":"error"} {"type":"drop"} {"type":"process"}	messages, also on stderr: and
 *	{"type":"warning"} {"type":"note"}			others
 *	{"type":"part"}						where the output was rotated
 *	{"type":"exit"}						the last line
 *
 * doc/json.md describes them, and doc/dtrace-output.schema.json; a script's actions are whatever
 * tables of builtins say, so that it is the tests that hold the two together.
 *
 * An action's row may say how it looks (struct def, write). Where it does not, the action is
 * carried out as for text, with its output discarded, and its recorded values are shown by their
 * types: so a new action need not know of any of this.
 */
#include "libdt/consumer/consume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/consumer/timeline.h"

/* The monotonic clock, and the same moment as a date. */
static void put_time(struct consume *c, uint64_t ns)
{
	char date[WRITER_DATE];

	consume_date(c, ns, date);
	writer_uint(&c->writer, "timestamp", ns);
	if (*date)
		writer_string(&c->writer, "time", date);
}

void writer_probe(struct writer *w, const struct probe_desc *p)
{
	writer_uint(w, "id", p->id);
	writer_string(w, "provider", p->prov);
	writer_string(w, "module", p->mod);
	writer_string(w, "function", p->func);
	writer_string(w, "name", p->name);
}

static void put_probe(struct writer *w, const struct probe_desc *p)
{
	writer_group(w, "probe");
	writer_probe(w, p);
	writer_group_end(w);
}

static struct writer *line_begin(struct consume *c, const char *type, uint64_t ns)
{
	if (c->timeline) {
		timeline_message(c, type, ns);
		return &c->writer;
	}
	writer_line(&c->writer, type);
	put_time(c, ns);
	return &c->writer;
}

/* A file that has a document already, of this session or of one before: its foot is taken away. */
static bool goes_on(struct consume *c, const char *foot)
{
	char *name = xasprintf("/proc/self/fd/%d", fileno(c->sink)), *tail = xmalloc(strlen(foot));
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = strlen(foot);
	struct stat st;
	bool has;

	fflush(c->sink);
	has = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= len &&
	      pread(fd, tail, len, st.st_size - len) == len && !memcmp(tail, foot, len) &&
	      !ftruncate(fileno(c->sink), st.st_size - len);
	if (has)
		lseek(fileno(c->sink), 0, SEEK_END);
	if (fd >= 0)
		close(fd);
	free(tail);
	free(name);
	return has;
}

static void put_text(FILE *out, const char *text, size_t len)
{
	fwrite(text, 1, len, out);
}

/* The file may be another than when the line began: freopen(). */
static void append_line(struct consume *c, const char *text, size_t len)
{
	const struct writer_form *form = c->writer.form;

	if (form->head && !c->file->begun && !goes_on(c, form->foot))
		fputs(form->head, c->sink);
	else if (form->between)
		fputs(form->between, c->sink);
	c->file->begun = true;
	(form->put ? form->put : put_text)(c->sink, text, len);
}

static int put_line(struct consume *c, const char *text, size_t len)
{
	if (c->again.len)
		append_line(c, c->again.s, c->again.len);
	c->again.len = 0;
	append_line(c, text, len);
	return fmt_error(c->sink);
}

static int line_end(struct consume *c)
{
	writer_line_end(&c->writer);
	return put_line(c, c->writer.sb.s, c->writer.sb.len);
}

struct writer *consume_write_start(struct consume *c, uint64_t ns)
{
	writer_line(&c->writer, "start");
	writer_uint(&c->writer, "schema", WRITER_SCHEMA);
	put_time(c, ns);
	return &c->writer;
}

int consume_write_line(struct consume *c, const char *text)
{
	return put_line(c, text, strlen(text));
}

/* The page's own: what its first flame graph is compared with. */
static void add_base(struct consume *c)
{
	writer_line(&c->writer, "flamebase");
	writer_string(&c->writer, "stacks", c->base.s);
	writer_line_end(&c->writer);
	sb_add(&c->start, c->writer.sb.s, c->writer.sb.len);
}

static int put_start(struct consume *c, const char *text)
{
	sb_puts(&c->start, text);
	if (c->oformat == OFORMAT_HTML && c->base.len)
		add_base(c);
	return consume_write_line(c, c->start.s);
}

int consume_write_preamble(struct consume *c, const char *json, const char *xml)
{
	return c->timeline ? 0 : put_start(c, c->oformat == OFORMAT_XML ? xml : json);
}

int consume_write_start_end(struct consume *c)
{
	writer_line_end(&c->writer);
	return put_start(c, c->writer.sb.s);
}

/* What was printed aside since the last time. */
static void put_message(struct consume *c, struct writer *w)
{
	fflush(c->out);
	if (c->aside_len)
		writer_text(w, "message", c->aside, c->aside_len);
	if (c->timeline)
		timeline_text(c->timeline, c->aside, c->aside_len);
	fseeko(c->out, 0, SEEK_SET);
}

static void put_name(struct writer *w, const struct rec *rec)
{
	if (rec->name.src && rec->name.len)
		writer_text(w, "name", rec->name.src->text + rec->name.off, rec->name.len);
}

void consume_value_begin(struct writer *w, const struct rec *rec)
{
	writer_array(w, "values");
	writer_object(w, NULL);
	put_name(w, rec);
}

void consume_value_end(struct writer *w)
{
	writer_end(w);
	writer_end(w);
}

static void put_values(struct consume *c, const struct act *act, const uint8_t *data,
		       struct writer *w)
{
	writer_array(w, "values");
	for (int i = 0; i < act->nrecs; i++) {
		const struct rec *rec = &act->recs[i];
		struct value v = rec_value(rec, data);

		writer_object(w, NULL);
		put_name(w, rec);
		writer_value(w, "value", &c->fmt, &v);
		writer_end(w);
	}
	writer_end(w);
}

int consume_write_act(struct consume *c, const struct act *act, const uint8_t *data,
		      struct writer *w)
{
	int err = act->print(c, act, data);

	if (!act->fmt && act->nrecs)
		fseeko(c->out, 0, SEEK_SET); /* the values say it all */
	put_message(c, w);
	if (act->nrecs)
		put_values(c, act, data, w);
	return err;
}

int consume_write_aggregations(struct consume *c, const struct fmt *f, struct aggr *const *ags,
			       int n, struct writer *w)
{
	struct aggr_sort sort = consume_sort(c);
	int err = c->recorder ? recorder_take_aggs(c->recorder, f, ags, n) : 0;

	if (!err && f)
		err = aggr_printf(&c->fmt, f, ags, n, &sort);
	put_message(c, w);
	if (!err && !(c->timeline && timeline_counters(c, ags, n)))
		writer_aggregations(w, &c->fmt, ags, n, &sort);
	return err;
}

void consume_write_begin(struct consume *c, const struct rec_header *h)
{
	struct writer *w;

	if (c->timeline) {
		timeline_record(c, h);
		return;
	}
	w = line_begin(c, "record", h->time);
	writer_uint(w, "cpu", h->cpu);
	if (rec_thread(c, h))
		writer_uint(w, "tid", rec_thread(c, h)->tid);
	put_probe(w, c->schema->probes.v[h->probe]);
	writer_uint(w, "clause", h->clause + 1);
	writer_array(w, "output");
}

/* An action that has nothing to say, such as clear(), is left out. */
int consume_write_action(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct writer *w = &c->writer;
	size_t start = w->sb.len, named;
	bool comma = w->comma, silent;
	int err;

	writer_object(w, NULL);
	writer_string(w, "action", act->name);
	named = w->sb.len;
	err = (act->write ? act->write : consume_write_act)(c, act, data, w);
	silent = w->sb.len == named;
	writer_end(w);
	if (silent) {
		w->sb.len = start;
		w->comma = comma;
	}
	return err;
}

void consume_write_warnings(struct consume *c)
{
	if (c->notes.len)
		consume_write_note(c, c->time, "warning", c->notes.s);
	c->notes.len = 0;
}

void consume_write_end(struct consume *c)
{
	if (!c->timeline || timeline_record_end(c))
		line_end(c);
	consume_write_warnings(c);
}

/* The file that output went to at first has a picture in any case. */
static void put_flame(struct consume *c)
{
	struct consume_file *file = c->file;

	if (!file->flame && (file->begun || c->first_out >= 0))
		return;
	flame_write(consume_flame(c), c->sink);
	consume_file_emptied(c);
	file->begun = true;
}

void consume_write_close(struct consume *c)
{
	if (c->oformat == OFORMAT_SVG)
		put_flame(c);
	if (c->file->begun && consume_writes(c) && c->writer.form->foot) {
		fputs(c->writer.form->foot, c->sink);
		consume_file_emptied(c);
	}
	fflush(c->sink);
}

void consume_write_pause(struct consume *c)
{
	if (c->timeline)
		timeline_pause(c);
	consume_write_close(c);
}

static void make_part(struct consume *c, const char *edge)
{
	writer_string(line_begin(c, "part", clock_ns(CLOCK_MONOTONIC)), "edge", edge);
	writer_line_end(&c->writer);
}

int consume_write_next(struct consume *c)
{
	if (c->start.len && !c->again.len) {
		make_part(c, "end");
		put_line(c, c->writer.sb.s, c->writer.sb.len);
		make_part(c, "begin");
		sb_add(&c->again, c->start.s, c->start.len);
		sb_add(&c->again, c->writer.sb.s, c->writer.sb.len);
	}
	consume_write_pause(c);
	return fmt_error(c->sink);
}

int consume_write_exit(struct consume *c, uint64_t drops)
{
	struct aggr_sort sort = consume_sort(c);
	uint64_t now = c->ended ? c->ended : clock_ns(CLOCK_MONOTONIC);
	struct writer *w;

	for (int i = 0; i < c->aggrs->v.n; i++) {
		if (c->aggrs->v.v[i]->printed)
			continue;
		if (c->recorder)
			recorder_take_aggs(c->recorder, NULL, &c->aggrs->v.v[i], 1);
		if (c->timeline && timeline_counters(c, &c->aggrs->v.v[i], 1))
			continue;
		writer_aggregation(line_begin(c, "aggregation", now), &c->fmt, c->aggrs->v.v[i],
				   &sort);
		line_end(c);
	}
	w = line_begin(c, "exit", now);
	writer_int(w, "status", c->status);
	writer_uint(w, "drops", drops);
	return line_end(c);
}

int consume_finish(struct consume *c, uint64_t drops, int err)
{
	consume_expired(c);
	if (!err)
		err = consume_drain_rest(c);
	if (!err && consume_writes(c))
		err = consume_write_exit(c, drops);
	if (fflush(c->sink) && !err)
		err = -errno;
	consume_write_close(c);
	return err;
}

void consume_write_drop(struct consume *c, uint64_t time, const char *tag, uint64_t n, int cpu,
			const char *message)
{
	struct writer *w = line_begin(c, "drop", time);

	if (cpu >= 0)
		writer_int(w, "cpu", cpu);
	writer_string(w, "kind", tag);
	writer_uint(w, "count", n);
	writer_string(w, "message", message);
	line_end(c);
}

void consume_write_fault(struct consume *c, const struct rec_header *h, const struct rec_error *e,
			 struct loc loc, const char *message)
{
	struct writer *w = line_begin(c, "error", h->time);
	int line, column, len;
	const char *file = loc_file(loc, &len);

	writer_uint(w, "cpu", h->cpu);
	put_probe(w, c->schema->probes.v[h->probe]);
	writer_uint(w, "clause", e->clause + 1);
	writer_uint(w, "fault", e->fault);
	writer_string(w, "reason", fault_text(e->fault));
	writer_hex(w, "value", e->value);
	if (loc.src) {
		loc_pos(loc, &line, &column);
		if (file)
			writer_text(w, "file", file, len);
		writer_int(w, "line", line);
		writer_int(w, "column", column);
	}
	writer_string(w, "message", message);
	line_end(c);
}

void consume_write_note(struct consume *c, uint64_t time, const char *type, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		writer_text(line_begin(c, type, time), "message", text, len);
		line_end(c);
		text += len + (text[len] != '\0');
	}
}
