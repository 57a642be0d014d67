// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/message.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/trace.h"
#include "libdt/base/clock.h"
#include "libdt/base/mem.h"

/* Other implementations' drops have the same first line, which scripts may match. */
static void print_hint(struct messages *messages, enum dt_drop drop)
{
	static const char *const hints[DT_DROP_COUNT] = {
	    [DT_DROP_PRINCIPAL] = "raise -x bufsize, or aggregate instead of recording each firing",
	    [DT_DROP_AGGREGATION] = "raise -x aggsize, or use fewer keys",
	    [DT_DROP_DYNAMIC] = "assign 0 to variables that are no longer used, or raise "
				"-x dynvarsize",
	    [DT_DROP_SPECULATION] = "raise -x specsize",
	    [DT_DROP_SPECULATION_UNAVAILABLE] = "raise -x nspec, or commit and discard earlier",
	};
	const char *hint = drop < ARRAY_SIZE(hints) ? hints[drop] : NULL;

	if (!hint || !messages->hints || messages->hinted & 1U << drop)
		return;
	messages->hinted |= 1U << drop;
	fprintf(stderr, "dtrace: hint: %s; see \"Loss of data\" in dtrace(8)\n", hint);
}

static void erase_progress(struct messages *messages)
{
	if (messages->progress.shown && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	messages->progress.shown = false;
}

/*
 * Attaching to many functions takes long where the kernel attaches them one by one. After two
 * seconds progress is reported: on a terminal in one line that is rewritten, otherwise in a new
 * line now and then.
 */
static void print_progress(struct messages *messages, const struct dt_message *m)
{
	bool terminal = isatty(STDERR_FILENO);
	time_t now = clock_ns(CLOCK_MONOTONIC) / 1000000000;

	if (!strcmp(m->tag, "tracing")) {
		if (trace_interrupted())
			dt_interrupted(messages->cmd->dt);
		return;
	}
	if (strcmp(messages->progress.what, m->tag)) {
		snprintf(messages->progress.what, sizeof(messages->progress.what), "%s", m->tag);
		messages->progress.began = messages->progress.reported = now;
		messages->progress.shown = false;
	}
	if (m->count >= m->of) {
		erase_progress(messages);
		messages->progress.what[0] = '\0';
	} else if (terminal ? now > messages->progress.began + 1
			    : !cmd_option_on(messages->cmd, "quiet") &&
				  now > messages->progress.reported + 4) {
		fprintf(stderr, "%sdtrace: %s%s", terminal ? "\r" : "", m->text,
			terminal ? "" : "\n");
		messages->progress.reported = now;
		messages->progress.shown = true;
	}
	if (!strcmp(m->tag, "attaching") && trace_interrupted()) {
		erase_progress(messages);
		dt_interrupted(messages->cmd->dt);
	}
}

void message_print(void *arg, const struct dt_message *m)
{
	struct messages *messages = arg;

	if (m->severity == DT_MSG_PROGRESS) {
		print_progress(messages, m);
		return;
	}
	erase_progress(messages);
	if (m->severity == DT_MSG_PROCESS && cmd_option_on(messages->cmd, "quiet"))
		return;
	if (m->result)
		return; /* printed with its line of source: dt_error_lines(), dt_warning_lines() */
	if (m->severity == DT_MSG_VERIFIER)
		fputs(m->text, stderr);
	else if (m->tag && cmd_option_on(messages->cmd, "droptags"))
		fprintf(stderr, "dtrace: [%s] %s\n", m->tag, m->text);
	else
		fprintf(stderr, "dtrace: %s\n", m->text);
	if (m->severity == DT_MSG_DROP)
		print_hint(messages, m->drop);
}
