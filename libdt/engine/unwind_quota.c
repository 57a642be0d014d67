/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/unwind_quota.h"

#include <stdlib.h>
#include <string.h>

/* How much each user has. */
struct sums {
	VEC(struct unwind_piece) v; /* user and n */
};

void unwind_quota_free(struct unwind_quota *q)
{
	vec_free(&q->v);
}

static uint32_t *sum_of(struct sums *s, uint32_t user)
{
	for (int i = 0; i < s->v.n; i++)
		if (s->v.v[i].user == user)
			return &s->v.v[i].n;
	vec_push(&s->v, ((struct unwind_piece){.user = user}));
	return &s->v.v[s->v.n - 1].n;
}

static struct sums sums_of(const struct unwind_quota *q)
{
	struct sums s = {0};

	for (int i = 0; i < q->v.n; i++)
		*sum_of(&s, q->v.v[i].user) += q->v.v[i].n;
	return s;
}

/* Must a user with more than this limit give up its pieces? */
static bool may_lose(struct sums *s, const struct unwind_piece *p, uint32_t limit)
{
	return p->user && *sum_of(s, p->user) > limit;
}

/* The first or the last hole; s: without the pieces of users that may lose them, NULL: with all.
 * *at: where in the list it is. */
static bool find_hole(const struct unwind_quota *q, uint32_t n, bool from_end, struct sums *s,
		      uint32_t limit, int *at, uint32_t *first)
{
	uint32_t begin = 0;
	bool found = false;

	for (int i = 0; i <= q->v.n; i++) {
		const struct unwind_piece *p = i < q->v.n ? &q->v.v[i] : NULL;
		uint32_t end = p ? p->first : q->size;

		if (p && s && may_lose(s, p, limit))
			continue;
		if (end - begin >= n) {
			found = true;
			*at = i;
			*first = from_end ? end - n : begin;
			if (!from_end)
				break;
		}
		begin = p ? p->first + p->n : end;
	}
	return found;
}

bool unwind_quota_take(struct unwind_quota *q, uint32_t user, uint32_t of, uint32_t n,
		       uint32_t *first)
{
	int at;

	if (!find_hole(q, n, user, NULL, 0, &at, first))
		return false;
	vec_push(&q->v, (struct unwind_piece){0});
	memmove(&q->v.v[at + 1], &q->v.v[at], (q->v.n - 1 - at) * sizeof(*q->v.v));
	q->v.v[at] = (struct unwind_piece){*first, n, user, of};
	return true;
}

bool unwind_quota_has(const struct unwind_quota *q, uint32_t n)
{
	uint32_t first;
	int at;

	return find_hole(q, n, false, NULL, 0, &at, &first);
}

bool unwind_quota_victim(const struct unwind_quota *q, uint32_t user, uint32_t n, uint32_t *victim)
{
	struct sums s = sums_of(q);
	uint32_t limit = user ? *sum_of(&s, user) + n : 0, most = limit, first;
	int at;
	bool found = find_hole(q, n, false, &s, limit, &at, &first);

	*victim = 0;
	for (int i = 0; found && i < s.v.n; i++)
		if (s.v.v[i].user && s.v.v[i].n > most) {
			most = s.v.v[i].n;
			*victim = s.v.v[i].user;
		}
	vec_free(&s.v);
	return *victim;
}

void unwind_quota_drop(struct unwind_quota *q, uint32_t user, uint32_t kept)
{
	int n = 0;

	for (int i = 0; i < q->v.n; i++)
		if (q->v.v[i].user != user || q->v.v[i].of == kept)
			q->v.v[n++] = q->v.v[i];
	q->v.n = n;
}

void unwind_quota_drop_table(struct unwind_quota *q, uint32_t of)
{
	int n = 0;

	for (int i = 0; i < q->v.n; i++)
		if (q->v.v[i].of != of)
			q->v.v[n++] = q->v.v[i];
	q->v.n = n;
}

void unwind_quota_give(struct unwind_quota *q, uint32_t of, uint32_t user)
{
	for (int i = 0; i < q->v.n; i++)
		if (q->v.v[i].of == of)
			q->v.v[i].user = user;
}
