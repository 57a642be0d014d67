/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dttop shows: the rows of one aggregation, grouped by one of its keys, with their rates. */
#ifndef DTTOP_TABLE_H
#define DTTOP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/dt.h"

enum { HISTORY = 16, KEYS_MAX = 32, NAMES_MAX = 64 };

/* The rows that have this key, below the keys that were chosen. */
struct group {
	char *key;
	int64_t value, count;	 /* avg(): count is what the average is of */
	double rate;		 /* of the value, a second */
	double history[HISTORY]; /* the newest last: rates, or values of what does not add up */
};

enum order { ORDER_KEY, ORDER_VALUE, ORDER_RATE };

struct table {
	char *names[NAMES_MAX]; /* aggregations that had rows, in the order of their first ones */
	int nnames, which;	/* the one that is shown */
	char function[32];	/* and what it is: "count"; "": it has no rows yet */
	int nkeys;
	char *chosen[KEYS_MAX]; /* keys above the one that is shown */
	int depth;
	struct group *groups;
	int ngroups;
	enum order order;
	bool reverse;
	double last; /* time of the reading, s; 0: nothing was read since the view changed */
};

void table_free(struct table *t);
/* Reads the aggregations; now is a time in seconds. 0, or -1: dt_error() has the reason. */
int table_read(struct table *t, struct dt *dt, double now);
/* Sorts the groups by the order, the largest number first, and by key where these are equal. */
void table_sort(struct table *t);
/* Do values add up, as counts do? Only then is there a rate. */
bool table_adds(const struct table *t);
/* Shows the next key of the rows of a group, if they have one. */
void table_enter(struct table *t, int group);
/* Shows the key before it. */
void table_leave(struct table *t);
/* Shows another aggregation. */
void table_next(struct table *t);

#endif
