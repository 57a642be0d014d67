/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of dttop, and its keys. */
#ifndef DTTOP_SCREEN_H
#define DTTOP_SCREEN_H

#include "demo/dttop/table.h"

struct view {
	const char *title;
	char status[256]; /* the last message or text of the script */
	uint64_t drops;
	int at, top; /* the row of the cursor, and the first that is shown */
	bool frozen, ended, help;
};

void screen_open(void);
void screen_close(void);
void screen_draw(const struct table *t, struct view *v);

enum command { COMMAND_NONE, COMMAND_DRAW, COMMAND_READ, COMMAND_QUIT };
/* Handles the keys that were pressed. What is to be done: draw, read (the view is another one), or
 * end. */
enum command screen_keys(struct table *t, struct view *v);

#endif
