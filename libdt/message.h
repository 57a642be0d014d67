/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one path of what is reported: to the receiver, to a recording and to output that programs
 * read. */
#ifndef DT_MESSAGE_H
#define DT_MESSAGE_H

#include "libdt/base/mem.h"
#include "libdt/base/src.h"
#include "libdt/dt.h"

struct dt;
struct probe_desc;

/* A line of output that programs read, which has no first line yet. */
struct waiting_line {
	uint64_t time; /* ns, CLOCK_MONOTONIC */
	const char *type, *text;
};

/* What is reported, and its receivers. */
struct messages {
	void (*receive)(void *arg, const struct dt_message *m);
	void *receive_arg;
	uint64_t watched_ns; /* when progress was reported last */
	struct strbuf error, error_lines, warnings;
	int warnings_sent;   /* of diag.warnings: the receiver has them */
	bool carets, colour; /* errors have the line of source */
	VEC(struct waiting_line) waiting;
	bool streams; /* such output has its first line */
	int columns;  /* of the terminal that gets errors; 0: no limit */
};

/* Reports a message, of which text is complete and escaped. */
void message(struct dt *dt, enum dt_severity severity, const char *text);
/* The same with other members; size is filled in. */
void message_send(struct dt *dt, const struct dt_message *m);
/* Output that programs read has its first line: what was reported before follows, and what is
 * reported from now on. */
void message_stream(struct dt *dt);
/* The error of dt_error() ends tracing: the output has it as a line, too. */
void message_failure(struct dt *dt);
/* A line of such output alone: a warning of the compiler. */
void message_line(struct dt *dt, enum dt_severity severity, const char *text);
/* To the receiver alone, for the others have it already: of a place in a program, or nowhere. */
void message_receive(struct dt *dt, struct dt_message m, struct loc loc);
/* A probe as the API has it; valid as long as p. */
struct dt_probe message_probe(const struct probe_desc *p);
/* The consumer's on_warning. */
void message_warning(void *dt, const char *text);
/* With -x debug: a message with the time since dt_open(). */
void message_debug(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Something that the user should know. Text of %s is escaped, as in all messages. */
void message_note(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Reports the progress of attaching and detaching: a struct programs_watch's function. */
bool message_progress(void *arg, const char *what, int done, int of);

#endif
