/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/recfifo.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"

struct recfifo_item {
	struct recfifo_item *next;
	size_t size;
	uint64_t data[]; /* aligned as records are */
};

void recfifo_push(struct recfifo *f, const void *data, size_t size)
{
	struct recfifo_item *item = xmalloc(sizeof(*item) + size);

	item->next = NULL;
	item->size = size;
	memcpy(item->data, data, size);
	if (f->first)
		f->last->next = item;
	else
		f->first = item;
	f->last = item;
	f->bytes += size;
}

void recfifo_drop(struct recfifo *f)
{
	struct recfifo_item *item = f->first;

	f->first = item->next;
	f->bytes -= item->size;
	free(item);
}

int recfifo_flush(struct recfifo *f, int (*print)(void *arg, const void *data, size_t size),
		  void *arg)
{
	int rc = 0;

	while (f->first) {
		if (!rc)
			rc = print(arg, f->first->data, f->first->size);
		recfifo_drop(f);
	}
	return rc;
}

void recfifo_clear(struct recfifo *f)
{
	while (f->first)
		recfifo_drop(f);
}
