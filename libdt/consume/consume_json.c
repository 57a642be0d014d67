/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x oformat=json: an object for each line. Whatever dtrace would print, on either of its outputs, is one:
 *
 *	{"type":"record", ...,"probe":{...},"output":[...]}	a firing, with an element for each action
 *	{"type":"aggregation", ...}				aggregations at exit
 *	{"type":"error"} {"type":"drop"} {"type":"process"}	what else is told, also on stderr
 *	{"type":"exit"}						the last line
 *
 * An action's row may say how it looks (struct def, json). Where it does not, the action is carried out as
 * ever with what it prints put aside, and its recorded values are shown by their types: so a new action need not know
 * of JSON.
 */
#include "libdt/consume/consume.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "libdt/lang/def.h"
#include "libdt/lang/sym.h"

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* The clock that D's timestamp shows, and the same moment as a date. */
static void put_time(struct consume *c, uint64_t ns)
{
	uint64_t wall = ns + (c->wall ? __atomic_load_n(c->wall, __ATOMIC_RELAXED) : 0);
	time_t sec = wall / 1000000000;
	char date[40], text[64];
	struct tm tm;

	json_uint(&c->json, "timestamp", ns);
	if (!c->wall || !gmtime_r(&sec, &tm) || !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm))
		return;
	snprintf(text, sizeof(text), "%s.%09" PRIu64 "Z", date, wall % 1000000000);
	json_string(&c->json, "time", text);
}

static void put_probe(struct json *j, const struct probe *p)
{
	json_open(j, "probe", '{');
	json_uint(j, "id", p->id);
	json_string(j, "provider", p->prov);
	json_string(j, "module", p->mod);
	json_string(j, "function", p->func);
	json_string(j, "name", p->name);
	json_close(j, '}');
}

static struct json *line_begin(struct consume *c, const char *type, uint64_t ns)
{
	c->json.sb.len = 0;
	c->json.comma = false;
	json_open(&c->json, NULL, '{');
	json_string(&c->json, "type", type);
	put_time(c, ns);
	return &c->json;
}

static int line_end(struct consume *c)
{
	json_close(&c->json, '}');
	sb_putc(&c->json.sb, '\n');
	fwrite(c->json.sb.s, 1, c->json.sb.len, c->sink);
	return ferror(c->sink) ? -EIO : 0;
}

/* What was printed aside since the last time. */
static void put_message(struct consume *c, struct json *j)
{
	fflush(c->out);
	if (c->aside_len)
		json_text(j, "message", c->aside, c->aside_len);
	fseeko(c->out, 0, SEEK_SET);
}

void json_name(struct json *j, const struct rec *rec)
{
	if (rec->name.src && rec->name.len)
		json_text(j, "name", rec->name.src->text + rec->name.off, rec->name.len);
}

static void put_values(struct consume *c, const struct act *act, const uint8_t *data, struct json *j)
{
	json_open(j, "values", '[');
	for (int i = 0; i < act->nrecs; i++) {
		const struct rec *rec = &act->recs[i];
		struct value v = rec_value(rec, data);

		json_open(j, NULL, '{');
		json_name(j, rec);
		json_value(j, "value", &c->fmt, &v);
		json_close(j, '}');
	}
	json_close(j, ']');
}

int consume_json_act(struct consume *c, const struct act *act, const uint8_t *data, struct json *j)
{
	int err = act->def->print(c, act, data);

	if (!act->fmt && act->nrecs)
		fseeko(c->out, 0, SEEK_SET); /* the values say it all */
	put_message(c, j);
	if (act->nrecs)
		put_values(c, act, data, j);
	return err;
}

int consume_json_aggregations(struct consume *c, const struct fmt *f, struct aggr *const *ags, int n, struct json *j)
{
	struct aggr_sort sort = consume_sort(c);
	int err = f ? aggr_printf(&c->fmt, f, ags, n, &sort) : 0;

	put_message(c, j);
	if (!err)
		json_aggregations(j, &c->fmt, ags, n, &sort);
	return err;
}

void consume_json_begin(struct consume *c, const struct rec_header *h)
{
	struct json *j = line_begin(c, "record", h->time);

	json_uint(j, "cpu", h->cpu);
	put_probe(j, c->probes[h->probe]);
	json_uint(j, "clause", h->clause + 1);
	json_open(j, "output", '[');
}

/* An action that has nothing to say, such as clear(), is left out. */
int consume_json_action(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct json *j = &c->json;
	size_t start = j->sb.len, named;
	bool comma = j->comma;
	int err;

	json_open(j, NULL, '{');
	json_string(j, "action", act->def->name);
	named = j->sb.len;
	err = (act->def->json ? act->def->json : consume_json_act)(c, act, data, j);
	json_close(j, '}');
	if (j->sb.len > named + 1)
		return err;
	j->sb.len = start;
	j->comma = comma;
	return err;
}

void consume_json_end(struct consume *c)
{
	json_close(&c->json, ']');
	line_end(c);
	if (c->notes.len)
		consume_json_note(c, "warning", c->notes.s);
	c->notes.len = 0;
}

int consume_json_exit(struct consume *c, uint64_t drops)
{
	struct aggr_sort sort = consume_sort(c);
	struct json *j;

	for (int i = 0; i < c->aggrs->v.n; i++) {
		if (c->aggrs->v.v[i]->printed)
			continue;
		json_aggregation(line_begin(c, "aggregation", now_ns()), &c->fmt, c->aggrs->v.v[i], &sort);
		line_end(c);
	}
	j = line_begin(c, "exit", now_ns());
	json_int(j, "status", c->status);
	json_uint(j, "drops", drops);
	return line_end(c);
}

void consume_json_drop(struct consume *c, const char *tag, uint64_t n, int cpu, const char *message)
{
	struct json *j = line_begin(c, "drop", now_ns());

	if (cpu >= 0)
		json_int(j, "cpu", cpu);
	json_string(j, "kind", tag);
	json_uint(j, "count", n);
	json_string(j, "message", message);
	line_end(c);
}

void consume_json_fault(struct consume *c, const struct clause *clause, const struct rec_header *h, const struct rec_error *e,
			struct loc loc, const char *message)
{
	struct json *j = line_begin(c, "error", now_ns());
	int line, column;

	json_uint(j, "cpu", h->cpu);
	put_probe(j, c->probes[h->probe]);
	json_uint(j, "clause", clause->index + 1);
	json_uint(j, "fault", e->fault);
	json_string(j, "reason", fault_text(e->fault));
	json_hex(j, "value", e->value);
	if (loc.src) {
		loc_pos(loc, &line, &column);
		if (loc.src->kind == SOURCE_FILE)
			json_string(j, "file", loc.src->name);
		json_int(j, "line", line);
		json_int(j, "column", column);
	}
	json_string(j, "message", message);
	line_end(c);
}

void consume_json_note(struct consume *c, const char *type, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		json_text(line_begin(c, type, now_ns()), "message", text, len);
		line_end(c);
		text += len + (text[len] != '\0');
	}
}
