/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/segments.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEIGHBOURS = 16 }; /* mappings that are looked at on each side */

void segments_free(struct segments *s)
{
	vec_free(&s->v);
}

struct segments segments_copy(const struct segments *s)
{
	struct segments copy = {.fixed = s->fixed};

	for (int i = 0; i < s->v.n; i++)
		vec_push(&copy.v, s->v.v[i]);
	return copy;
}

/* Does the mapping begin in the pages of the segment? */
static bool is_in(const struct segment *s, const struct mapping *m)
{
	uint64_t page = sysconf(_SC_PAGESIZE), first = s->off & ~(page - 1),
		 end = s->off + s->filesz;

	return m->off >= first && m->off < end;
}

/* Data may have become read-only since. */
static bool is_allowed(const struct segment *s, const struct mapping *m)
{
	return s->code == m->exec && (m->exec || !m->write || s->write);
}

static uint64_t bias_by(const struct segment *s, const struct mapping *m)
{
	return m->start - m->off - (s->addr - s->off);
}

static bool is_of(const struct mapping *m, const struct mapping *file)
{
	return m->dev == file->dev && m->inode == file->inode && !strcmp(m->path, file->path);
}

static bool agrees(const struct segments *s, const struct mapping *m, uint64_t bias)
{
	for (int i = 0; i < s->v.n; i++)
		if (is_in(&s->v.v[i], m) && is_allowed(&s->v.v[i], m) &&
		    bias_by(&s->v.v[i], m) == bias)
			return true;
	return false;
}

/* How many mappings near m, of the same file, are where the bias has them. */
static int count_agreeing(const struct segments *s, const struct proc_maps *in,
			  const struct mapping *m, uint64_t bias)
{
	const struct mapping *all;
	int n, at, count = 0;

	if (!in)
		return 0;
	all = proc_maps_all(in, &n);
	at = m - all;
	for (int i = MAX(at - NEIGHBOURS, 0); i < n && i <= at + NEIGHBOURS; i++)
		count += i != at && is_of(&all[i], m) && agrees(s, &all[i], bias);
	return count;
}

/* Of the segments that may be there; strict: by permissions, too, which the process may have
 * changed. */
static bool choose(const struct segments *s, const struct proc_maps *in, const struct mapping *m,
		   bool strict, uint64_t *bias)
{
	int most = -1;

	for (int i = 0; i < s->v.n; i++) {
		const struct segment *seg = &s->v.v[i];
		uint64_t by = bias_by(seg, m);
		int count;

		if (!is_in(seg, m) || (strict && !is_allowed(seg, m)) || (s->fixed && by) ||
		    (most >= 0 && by == *bias))
			continue;
		count = count_agreeing(s, in, m, by);
		if (count <= most)
			continue;
		most = count;
		*bias = by;
	}
	return most >= 0;
}

bool segments_bias(const struct segments *s, const struct proc_maps *in, const struct mapping *m,
		   uint64_t *bias)
{
	return choose(s, in, m, true, bias) || choose(s, in, m, false, bias);
}

const struct mapping *segments_owner(const struct proc_maps *in, const struct mapping *m)
{
	const struct mapping *all;
	int n, at;

	if (!in || m->inode || (*m->path && strcmp(m->path, "[heap]")))
		return NULL;
	all = proc_maps_all(in, &n);
	at = m - all;
	return at > 0 && all[at - 1].inode && all[at - 1].end == m->start ? &all[at - 1] : NULL;
}

bool segments_has(const struct segments *s, uint64_t addr)
{
	for (int i = 0; i < s->v.n; i++)
		if (addr - s->v.v[i].addr < s->v.v[i].memsz)
			return true;
	return false;
}
