/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of records, first in, first out: of buffer policies and of speculations. */
#ifndef DT_RECFIFO_H
#define DT_RECFIFO_H

#include <stddef.h>
#include <stdint.h>

struct recfifo {
	struct recfifo_item *first, *last;
	uint64_t bytes; /* of all records */
};

/* Appends a copy of a record. */
void recfifo_push(struct recfifo *f, const void *data, size_t size);
/* Removes the oldest record, which must exist. */
void recfifo_drop(struct recfifo *f);
/*
 * Hands the records to print, oldest first, until it returns nonzero, which is returned. All are
 * removed, those that were not printed included.
 */
int recfifo_flush(struct recfifo *f, int (*print)(void *arg, const void *data, size_t size),
		  void *arg);
/* Removes all records. */
void recfifo_clear(struct recfifo *f);

#endif
