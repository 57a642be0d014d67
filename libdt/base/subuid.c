/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/subuid.h"

#include <ctype.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/hash.h"

/* Not by getpwnam(), which may ask servers. Values are numbers plus one. */
static void read_names(const char *path, struct hash *names)
{
	FILE *f = fopen(path, "re");
	struct passwd *p;

	while (f && (p = fgetpwent(f)))
		hash_puts(names, p->pw_name, (void *)((uintptr_t)p->pw_uid + 1));
	if (f)
		fclose(f);
}

static uint32_t owner_of(struct hash *names, const char *name, uint32_t first)
{
	uintptr_t known = (uintptr_t)hash_gets(names, name);
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	if (isdigit((unsigned char)*name) && !*end)
		return number;
	if (known)
		return known - 1;
	hash_puts(names, name, (void *)((uintptr_t)first + 1));
	return first;
}

static int by_first(const void *pa, const void *pb)
{
	const struct subuid_range *a = pa, *b = pb;

	return (a->first > b->first) - (a->first < b->first);
}

void subuids_read(struct subuids *s, const char *subuid, const char *passwd)
{
	FILE *f = fopen(subuid, "re");
	struct hash names = {0};
	char *line = NULL;
	size_t size = 0;

	subuids_free(s);
	if (!f)
		return;
	read_names(passwd, &names);
	while (getline(&line, &size, f) > 0) {
		struct subuid_range r;
		char *numbers = strchr(line, ':');

		if (!numbers || sscanf(numbers, ":%" SCNu32 ":%" SCNu32, &r.first, &r.count) != 2)
			continue;
		*numbers = '\0';
		r.owner = owner_of(&names, line, r.first);
		vec_push(&s->v, r);
	}
	free(line);
	fclose(f);
	hash_free(&names);
	if (s->v.n)
		qsort(s->v.v, s->v.n, sizeof(*s->v.v), by_first);
}

uint32_t subuids_owner(const struct subuids *s, uint32_t uid)
{
	int low = 0, high = s->v.n;

	while (low < high) { /* the first that begins beyond it */
		int mid = low + (high - low) / 2;

		if (s->v.v[mid].first <= uid)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && uid - s->v.v[low - 1].first < s->v.v[low - 1].count)
		return s->v.v[low - 1].owner;
	return uid;
}

void subuids_free(struct subuids *s)
{
	vec_free(&s->v);
}
