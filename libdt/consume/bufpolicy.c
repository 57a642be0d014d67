/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's ring does not overwrite (BPF_F_RB_OVERWRITE is younger than any kernel we want to need), so it only
 * transports, and the buffer of these policies is here. One buffer serves all CPUs: "the newest" is what the
 * machine did last, not what each CPU did.
 */
#include "libdt/consume/bufpolicy.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"

struct kept {
	struct kept *next;
	size_t size;
	uint64_t data[]; /* aligned as records are */
};

struct bufpolicy {
	struct kept *first, **last;
	uint64_t size, bytes, drops;
	bool ring, full;
};

struct bufpolicy *bufpolicy_new(uint64_t size, bool ring)
{
	struct bufpolicy *h = xcalloc(1, sizeof(*h));

	h->size = size;
	h->ring = ring;
	h->last = &h->first;
	return h;
}

static void drop_first(struct bufpolicy *h)
{
	struct kept *k = h->first;

	h->first = k->next;
	if (!h->first)
		h->last = &h->first;
	h->bytes -= k->size;
	free(k);
}

void bufpolicy_free(struct bufpolicy *h)
{
	while (h && h->first)
		drop_first(h);
	free(h);
}

void bufpolicy_take(struct bufpolicy *h, const void *data, size_t size)
{
	struct kept *k;

	if (h->ring && size > h->size) {
		h->drops++;
		return;
	}
	while (h->ring && h->bytes + size > h->size)
		drop_first(h);
	h->full |= h->bytes + size > h->size;
	if (h->full)
		return;
	k = xmalloc(sizeof(*k) + size);
	k->next = NULL;
	k->size = size;
	memcpy(k->data, data, size);
	*h->last = k;
	h->last = &k->next;
	h->bytes += size;
}

bool bufpolicy_full(const struct bufpolicy *h)
{
	return h->full;
}

int bufpolicy_flush(struct bufpolicy *h, int (*print)(void *arg, const void *data, size_t size), void *arg)
{
	int rc = 0;

	while (h->first) {
		if (!rc)
			rc = print(arg, h->first->data, h->first->size);
		drop_first(h);
	}
	return rc;
}

uint64_t bufpolicy_drops(struct bufpolicy *h)
{
	uint64_t n = h->drops;

	h->drops = 0;
	return n;
}
