/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages of a session on standard error. */
#ifndef CMD_MESSAGE_H
#define CMD_MESSAGE_H

#include <stdbool.h>
#include <time.h>

#include "libdt/dt.h"

struct cmd;

struct messages {
	struct cmd *cmd;
	bool hints;	 /* say how to avoid a drop, once for each kind */
	unsigned hinted; /* bits of enum dt_drop: these were said */
	struct {
		char what[16]; /* at hand */
		time_t began, reported;
		bool shown;
	} progress; /* of attaching and detaching */
};

/** Prints a message; for dt_on_message() with the struct messages as its argument. */
void message_print(void *messages, const struct dt_message *m);

#endif
