/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/record/answers.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/hash.h"
#include "libdt/record/pack.h"

struct answers {
	struct recording *recording;
	struct arena *arena; /* for texts */
	struct hash by_question;
};

struct key {
	uint32_t question;
	int32_t pid;
	uint64_t number;
};

struct answers *answers_new(struct recording *recording)
{
	struct answers *as = xcalloc(1, sizeof(*as));

	as->recording = recording;
	as->arena = arena_new();
	return as;
}

void answers_free(struct answers *as)
{
	if (!as)
		return;
	for (size_t i = 0; i < as->by_question.n; i++)
		free(as->by_question.entries[i].value);
	hash_free(&as->by_question);
	arena_free(as->arena);
	free(as);
}

bool answers_replay(const struct answers *as)
{
	return as && !as->recording;
}

bool answers_note_wanted(const struct answers *as)
{
	return as && as->recording;
}

static struct key key_of(enum question q, int pid, uint64_t number)
{
	bool of_process = q == ASK_USER || q == ASK_LINE;

	return (struct key){q, of_process ? pid : 0, number};
}

/* A host is asked for by its text, which has no NUL in it as keys have. */
static void *find(const struct answers *as, const struct key *key, const char *text)
{
	return text ? hash_gets(&as->by_question, text)
		    : hash_get(&as->by_question, key, sizeof(*key));
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same(const struct answer *a, const struct answer *b)
{
	return a->known == b->known && a->number == b->number && same_text(a->first, b->first) &&
	       same_text(a->second, b->second);
}

static const char *copy(struct answers *as, const char *text)
{
	return text ? arena_strdup(as->arena, text) : NULL;
}

static void keep(struct answers *as, const struct key *key, const char *text,
		 const struct answer *answer)
{
	struct answer *a = find(as, key, text);

	if (!a)
		a = xmalloc(sizeof(*a));
	*a = *answer;
	a->first = copy(as, answer->first);
	a->second = copy(as, answer->second);
	if (text)
		hash_puts(&as->by_question, text, a);
	else
		hash_put(&as->by_question, key, sizeof(*key), a);
}

struct answer answers_get(const struct answers *as, enum question q, int pid, uint64_t number,
			  const char *text)
{
	struct key key = key_of(q, pid, number);
	const struct answer *a = find(as, &key, text);

	return a ? *a : (struct answer){0};
}

bool answers_noted(const struct answers *as, enum question q, int pid, uint64_t number)
{
	struct key key = key_of(q, pid, number);

	return find(as, &key, NULL);
}

/* Names stay as they were found: the functions that print escape them. */
static void pack_raw(struct pack *p, const char **text)
{
	uint32_t n = *text ? strlen(*text) : 0;
	bool is = *text;
	const void *data = *text;

	pack_bool(p, &is);
	pack_block(p, &data, &n);
	if (pack_loads(p))
		*text = is && !p->bad ? arena_strndup(p->arena, data, n) : NULL;
}

static void pack_answer(struct pack *p, struct key *key, const char **text, struct answer *a)
{
	PACK(p, &key->question);
	PACK(p, &key->pid);
	PACK(p, &key->number);
	pack_raw(p, text);
	pack_bool(p, &a->known);
	pack_raw(p, &a->first);
	pack_raw(p, &a->second);
	PACK(p, &a->number);
}

void answers_note(struct answers *as, enum question q, int pid, uint64_t number, const char *text,
		  struct answer answer)
{
	struct key key = key_of(q, pid, number);
	const struct answer *old;
	struct pack p = {0};

	if (!answers_note_wanted(as))
		return;
	old = find(as, &key, text);
	if (old && same(old, &answer))
		return;
	keep(as, &key, text, &answer);
	p.out = recording_chunk(as->recording, CHUNK_ANSWERS);
	pack_answer(&p, &key, &text, &answer);
}

static bool makes_sense(const struct key *key, const char *text, const struct answer *a)
{
	if (key->question > ASK_HOST || (key->question == ASK_HOST) != (text != NULL))
		return false;
	if (!a->known)
		return true;
	if (key->question == ASK_KERNEL)
		return a->first && a->second;
	return a->first; /* of some addresses of processes only the object is known */
}

bool answers_load(struct answers *as, const void *data, size_t size)
{
	struct pack p = pack_reader(data, size, as->arena);

	while (p.at < p.end && !p.bad) {
		struct answer a = {0};
		const char *text = NULL;
		struct key key = {0};

		pack_answer(&p, &key, &text, &a);
		if (p.bad || !makes_sense(&key, text, &a))
			return false;
		keep(as, &key, text, &a);
	}
	return !p.bad;
}
