/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's ring does not overwrite (BPF_F_RB_OVERWRITE is younger than any kernel we want to
 * need), so it only transports, and the buffer of these policies is here. One buffer serves all
 * CPUs: "the newest" is what the machine did last, not what each CPU did.
 */
#include "libdt/consumer/bufpolicy.h"

#include <stdlib.h>

#include "libdt/base/mem.h"
#include "libdt/consumer/recfifo.h"

struct bufpolicy {
	struct recfifo kept;
	uint64_t size, drops;
	bool ring, full;
};

struct bufpolicy *bufpolicy_new(uint64_t size, bool ring)
{
	struct bufpolicy *h = xcalloc(1, sizeof(*h));

	h->size = size;
	h->ring = ring;
	return h;
}

void bufpolicy_free(struct bufpolicy *h)
{
	if (h)
		recfifo_clear(&h->kept);
	free(h);
}

void bufpolicy_take(struct bufpolicy *h, const void *data, size_t size)
{
	if (h->ring && size > h->size) {
		h->drops++;
		return;
	}
	while (h->ring && h->kept.bytes + size > h->size)
		recfifo_drop(&h->kept);
	h->full |= h->kept.bytes + size > h->size;
	if (!h->full)
		recfifo_push(&h->kept, data, size);
}

bool bufpolicy_full(const struct bufpolicy *h)
{
	return h->full;
}

int bufpolicy_flush(struct bufpolicy *h, int (*print)(void *arg, const void *data, size_t size),
		    void *arg)
{
	return recfifo_flush(&h->kept, print, arg);
}

uint64_t bufpolicy_drops(struct bufpolicy *h)
{
	uint64_t n = h->drops;

	h->drops = 0;
	return n;
}
