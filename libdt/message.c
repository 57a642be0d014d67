/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session reports while it runs, through one function: to the callback of dt_on_message(),
 * if it is set. Diagnostics of the compiler go there, too; they also are results of calls
 * (report.c). */
#include <stdlib.h>
#include <time.h>

#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/session.h"

int dt_fail(struct dt *dt, const char *fmt, ...)
{
	va_list ap;

	dt->messages.error.len = dt->messages.error_lines.len = 0;
	va_start(ap, fmt);
	escape_vprintf(&dt->messages.error, fmt, ap);
	va_end(ap);
	return -1;
}

void dt_on_progress(struct dt *dt, int (*fn)(void *arg, const char *what, int done, int of),
		    void *arg)
{
	dt->messages.progress = fn;
	dt->messages.progress_arg = arg;
}

enum { WATCH_NS = 50000000 };

bool dt_watch(void *arg, const char *what, int done, int of)
{
	struct dt *dt = arg;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (now - dt->messages.watched_ns >= WATCH_NS || done == of) {
		dt->messages.watched_ns = now;
		usyms_catch_up(dt->usyms); /* its rings fill up meanwhile */
		if (dt->messages.progress &&
		    dt->messages.progress(dt->messages.progress_arg, what, done, of))
			return false;
	}
	return true;
}

void dt_on_message(struct dt *dt, void (*fn)(void *arg, const struct dt_message *m), void *arg)
{
	dt->messages.receive = fn;
	dt->messages.receive_arg = arg;
}

void message_send(struct dt *dt, const struct dt_message *m)
{
	struct dt_message sent = *m;

	record_message(dt, m);
	sent.size = sizeof(sent);
	if (sent.severity != DT_MSG_DROP)
		sent.cpu = -1;
	if (dt->messages.progress && !sent.result)
		dt->messages.progress(dt->messages.progress_arg, NULL, 0, 0);
	if (dt->messages.receive)
		dt->messages.receive(dt->messages.receive_arg, &sent);
}

void message(struct dt *dt, enum dt_severity severity, const char *text)
{
	message_send(dt, &(struct dt_message){.severity = severity, .text = text});
}

void message_at(struct dt *dt, struct dt_message m, struct loc loc)
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
	m.file = name;
	message_send(dt, &m);
	free(name);
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

void dt_note(struct dt *dt, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	message(dt, DT_MSG_NOTE, sb_str(&sb));
	sb_free(&sb);
}

void dt_debug(struct dt *dt, const char *fmt, ...)
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
	message(dt, DT_MSG_WARNING, text);
}
