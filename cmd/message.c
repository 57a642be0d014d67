// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/message.h"

#include <stdio.h>
#include <string.h>

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

void message_print(void *arg, const struct dt_message *m)
{
	struct messages *messages = arg;
	const char *tags = dt_getopt(messages->dt, "droptags");

	if (m->result)
		return; /* printed with its line of source: dt_error_lines(), dt_warning_lines() */
	if (m->severity == DT_MSG_VERIFIER)
		fputs(m->text, stderr);
	else if (m->tag && tags && !strcmp(tags, "1"))
		fprintf(stderr, "dtrace: [%s] %s\n", m->tag, m->text);
	else
		fprintf(stderr, "dtrace: %s\n", m->text);
	if (m->severity == DT_MSG_DROP)
		print_hint(messages, m->drop);
}
