/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session reports, through one function: to the callback of dt_on_message(), if it is set,
 * to a recording, and to output that programs read. Errors and the compiler's warnings are results
 * of calls, too (report.c). */
#include <stdlib.h>
#include <time.h>

#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/consumer/consume.h"
#include "libdt/loop.h"
#include "libdt/message.h"
#include "libdt/record.h"
#include "libdt/session.h"
#include "libdt/symbols/usym.h"

enum { PROGRESS_NS = 50000000 };

void dt_on_message(struct dt *dt, void (*fn)(void *arg, const struct dt_message *m), void *arg)
{
	dt->messages->receive = fn;
	dt->messages->receive_arg = arg;
}

void message_receive(struct dt *dt, struct dt_message m, struct loc loc)
{
	char *name = NULL;
	const char *file;
	int len;

	if (loc.src) {
		file = loc_file(loc, &len);
		if (file)
			name = xasprintf("%.*s", len, file);
		else if (loc.src->kind == SOURCE_LIBRARY)
			name = xstrdup(loc.src->name);
		loc_pos(loc, &m.line, &m.column);
		m.length = loc.len;
	}
	m.size = sizeof(m);
	m.file = name;
	if (m.severity != DT_MSG_DROP)
		m.cpu = -1;
	if (dt->messages->receive)
		dt->messages->receive(dt->messages->receive_arg, &m);
	free(name);
}

/* The type of a message's line in output that programs read; NULL: it has none, as it is of
 * attaching, or has a record. */
static const char *line_type(enum dt_severity severity)
{
	static const char *const types[] = {
	    [DT_MSG_NOTE] = REPORT_NOTE,
	    [DT_MSG_WARNING] = REPORT_WARNING,
	    [DT_MSG_PROCESS] = REPORT_PROCESS,
	    [DT_MSG_ERROR] = REPORT_FAILURE,
	};

	return severity < ARRAY_SIZE(types) ? types[severity] : NULL;
}

void message_line(struct dt *dt, enum dt_severity severity, const char *text)
{
	struct waiting_line line = {clock_ns(CLOCK_MONOTONIC), line_type(severity), text};

	if (dt->messages->streams) {
		consume_report(dt->consume, line.time, line.type, 0, -1, text);
	} else {
		line.text = arena_strdup(dt->arena, text);
		vec_push(&dt->messages->waiting, line);
	}
}

void message_stream(struct dt *dt)
{
	struct messages *ms = dt->messages;

	ms->streams = true;
	for (int i = 0; i < ms->waiting.n; i++)
		consume_report(dt->consume, ms->waiting.v[i].time, ms->waiting.v[i].type, 0, -1,
			       ms->waiting.v[i].text);
	ms->waiting.n = 0;
}

void message_failure(struct dt *dt)
{
	message_line(dt, DT_MSG_ERROR, dt_error(dt));
}

/* Errors are results of calls; those that end tracing: message_failure(). */
static void put_line(struct dt *dt, const struct dt_message *m)
{
	if (m->severity == DT_MSG_DROP && dt->consume)
		consume_report(dt->consume, clock_ns(CLOCK_MONOTONIC), m->tag, m->count, m->cpu,
			       m->text);
	else if (m->severity != DT_MSG_ERROR && line_type(m->severity))
		message_line(dt, m->severity, m->text);
}

void message_send(struct dt *dt, const struct dt_message *m)
{
	record_message(dt, m);
	message_receive(dt, *m, (struct loc){0});
	put_line(dt, m);
}

void message(struct dt *dt, enum dt_severity severity, const char *text)
{
	message_send(dt, &(struct dt_message){.severity = severity, .text = text});
}

bool message_progress(void *arg, const char *what, int done, int of)
{
	struct dt *dt = arg;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct dt_message m = {
	    .severity = DT_MSG_PROGRESS,
	    .tag = what,
	    .count = done,
	    .of = of,
	};
	struct strbuf text = {0};

	if (now - dt->messages->watched_ns >= PROGRESS_NS || done == of) {
		dt->messages->watched_ns = now;
		usyms_catch_up(dt->usyms); /* its rings fill up meanwhile */
		sb_printf(&text, "%s: %d of %d", what, done, of);
		m.text = text.s;
		message_receive(dt, m, (struct loc){0});
		sb_free(&text);
	}
	return !dt->loop->interrupted;
}

struct dt_probe message_probe(const struct probe_desc *p)
{
	return (struct dt_probe){
	    .size = sizeof(struct dt_probe),
	    .id = p->id,
	    .provider = p->prov,
	    .module = p->mod,
	    .function = p->func,
	    .name = p->name,
	};
}

void message_note(struct dt *dt, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	message(dt, DT_MSG_NOTE, sb_str(&sb));
	sb_free(&sb);
}

void message_debug(struct dt *dt, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	if (!opt_on(&dt->opts, OPT_DEBUG))
		return;
	sb_printf(&sb, "debug: %8.3f ms: ", (clock_ns(CLOCK_MONOTONIC) - dt->opened_ns) / 1e6);
	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	message(dt, DT_MSG_DEBUG, sb.s);
	sb_free(&sb);
}

void message_warning(void *dt, const char *text)
{
	message_receive(dt, (struct dt_message){.severity = DT_MSG_WARNING, .text = text},
			(struct loc){0});
}
