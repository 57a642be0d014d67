/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session reports while it runs, through one function: to the callback of dt_on_message(),
 * if it is set. Diagnostics of the compiler are results of calls instead (report.c). */
#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/session.h"

void dt_on_message(struct dt *dt,
		   void (*fn)(void *arg, enum dt_severity severity, const char *tag,
			      const char *text),
		   void *arg)
{
	dt->on_message = fn;
	dt->on_message_arg = arg;
}

void message(struct dt *dt, enum dt_severity severity, const char *tag, const char *text)
{
	if (dt->progress)
		dt->progress(dt->progress_arg, NULL, 0, 0);
	if (dt->on_message)
		dt->on_message(dt->on_message_arg, severity, tag, text);
}

void dt_note(struct dt *dt, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	message(dt, DT_NOTE, NULL, sb_str(&sb));
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
	message(dt, DT_DEBUG, NULL, sb.s);
	sb_free(&sb);
}

void message_warning(void *dt, const char *text)
{
	message(dt, DT_WARNING, NULL, text);
}
