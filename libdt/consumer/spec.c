/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A speculation is known by its tag from its first record on, or from its end when it had none.
 * Its records wait in a list. When it ends, the outcome is kept for a while: a record that
 * another CPU was writing at that moment follows the end in the ring, and it is as much
 * part of the speculation as the others. Such a record was begun before the end was read, so once
 * all that had been begun by then has been read, the outcome can be forgotten.
 */
#include "libdt/consumer/spec.h"

#include <stdlib.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/consumer/recfifo.h"

enum spec_state { SPEC_ACTIVE, SPEC_COMMITTED, SPEC_DISCARDED };

struct spec {
	uint32_t tag;
	enum spec_state state;
	struct recfifo held;
	bool marked;	    /* ended, and ... */
	unsigned long mark; /* ... read up to here nothing more can come */
};

struct specs {
	struct hash by_tag;
	VEC(struct spec *) ended; /* in the order of their ends */
	uint64_t size, drops;
};

struct specs *specs_new(uint64_t size)
{
	struct specs *s = xcalloc(1, sizeof(*s));

	s->size = size;
	return s;
}

void specs_free(struct specs *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->by_tag.n; i++) {
		struct spec *sp = s->by_tag.entries[i].value;

		if (!s->by_tag.entries[i].key)
			continue;
		recfifo_clear(&sp->held);
		free(sp);
	}
	hash_free(&s->by_tag);
	vec_free(&s->ended);
	free(s);
}

static struct spec *find(struct specs *s, uint32_t tag)
{
	struct spec **sp = (struct spec **)hash_ref(&s->by_tag, &tag, sizeof(tag));

	if (!*sp) {
		*sp = xcalloc(1, sizeof(**sp));
		(*sp)->tag = tag;
	}
	return *sp;
}

enum spec_verdict specs_take(struct specs *s, uint32_t tag, const void *data, size_t size)
{
	struct spec *sp = find(s, tag);

	if (sp->state != SPEC_ACTIVE)
		return sp->state == SPEC_COMMITTED ? SPEC_PRINT : SPEC_GONE;
	if (sp->held.bytes + size > s->size) {
		s->drops++;
		return SPEC_HELD;
	}
	recfifo_push(&sp->held, data, size);
	return SPEC_HELD;
}

int specs_end(struct specs *s, uint32_t tag, bool commit,
	      int (*print)(void *arg, const void *data, size_t size), void *arg)
{
	struct spec *sp = find(s, tag);

	if (sp->state != SPEC_ACTIVE)
		return 0;
	sp->state = commit ? SPEC_COMMITTED : SPEC_DISCARDED;
	vec_push(&s->ended, sp);
	if (commit)
		return recfifo_flush(&sp->held, print, arg);
	recfifo_clear(&sp->held);
	return 0;
}

void specs_retire(struct specs *s, unsigned long produced, unsigned long consumed)
{
	int kept = 0;

	for (int i = 0; i < s->ended.n; i++) {
		struct spec *sp = s->ended.v[i];

		if (sp->marked && consumed >= sp->mark) {
			hash_remove(&s->by_tag, &sp->tag, sizeof(sp->tag));
			free(sp);
			continue;
		}
		if (!sp->marked)
			sp->mark = produced;
		sp->marked = true;
		s->ended.v[kept++] = sp;
	}
	s->ended.n = kept;
}

uint64_t specs_drops(struct specs *s)
{
	uint64_t n = s->drops;

	s->drops = 0;
	return n;
}

size_t specs_known(const struct specs *s)
{
	return s->by_tag.live;
}
