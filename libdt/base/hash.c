/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "libdt/base/mem.h"

uint32_t hash_bytes(const void *key, size_t len)
{
	const unsigned char *p = key;
	uint32_t h = 2166136261u; /* FNV-1a */

	while (len--)
		h = (h ^ *p++) * 16777619u;
	return h;
}

#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))

static void sip_round(uint64_t v[4])
{
	v[0] += v[1], v[2] += v[3];
	v[1] = ROTATE(v[1], 13) ^ v[0], v[3] = ROTATE(v[3], 16) ^ v[2];
	v[0] = ROTATE(v[0], 32);
	v[2] += v[1], v[0] += v[3];
	v[1] = ROTATE(v[1], 17) ^ v[2], v[3] = ROTATE(v[3], 21) ^ v[0];
	v[2] = ROTATE(v[2], 32);
}

/* Of the random bytes that each process gets from the kernel. */
static const void *secret(void)
{
	static const uint64_t none[2];
	static const void *bytes;
	const void *p = __atomic_load_n(&bytes, __ATOMIC_RELAXED);

	if (!p) {
		p = (const void *)getauxval(AT_RANDOM);
		p = p ? p : none;
		__atomic_store_n(&bytes, p, __ATOMIC_RELAXED);
	}
	return p;
}

/*
 * SipHash-1-3. Keys of tables are names in other users' files, which could be made so that the
 * hashes of an algorithm without a secret are all the same.
 */
static uint32_t table_hash(const void *key, size_t len)
{
	const unsigned char *p = key, *end = p + len / 8 * 8;
	uint64_t word, last = (uint64_t)len << 56, k[2], v[4];

	memcpy(k, secret(), sizeof(k)); /* which need not be aligned */
	v[0] = k[0] ^ 0x736f6d6570736575, v[1] = k[1] ^ 0x646f72616e646f6d;
	v[2] = k[0] ^ 0x6c7967656e657261, v[3] = k[1] ^ 0x7465646279746573;
	for (; p < end; p += 8) {
		memcpy(&word, p, 8);
		v[3] ^= word;
		sip_round(v);
		v[0] ^= word;
	}
	for (size_t i = 0; i < len % 8; i++)
		last |= (uint64_t)p[i] << 8 * i;
	v[3] ^= last;
	sip_round(v);
	v[0] ^= last;
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static uint32_t *slot_of(const struct hash *h, const void *key, size_t len, uint32_t hash)
{
	for (size_t i = hash & (h->nslots - 1);; i = (i + 1) & (h->nslots - 1)) {
		const struct hash_entry *e;

		if (!h->slots[i])
			return &h->slots[i];
		e = &h->entries[h->slots[i] - 1];
		if (e->key && e->hash == hash && e->len == len && !memcmp(e->key, key, len))
			return &h->slots[i];
	}
}

/* Drops removed entries and resizes the table to twice the number of the others. */
static void rebuild(struct hash *h)
{
	size_t n = 0, nslots = 16;

	while (nslots < h->live * 4)
		nslots *= 2;
	free(h->slots);
	h->slots = xcalloc(nslots, sizeof(*h->slots));
	h->nslots = nslots;
	for (size_t i = 0; i < h->n; i++) {
		struct hash_entry *e = &h->entries[i];

		if (!e->key)
			continue;
		h->entries[n] = *e;
		*slot_of(h, e->key, e->len, e->hash) = n + 1;
		n++;
	}
	h->n = n;
}

void *hash_get(const struct hash *h, const void *key, size_t len)
{
	uint32_t *slot;

	if (!h->nslots)
		return NULL;
	slot = slot_of(h, key, len, table_hash(key, len));
	return *slot ? h->entries[*slot - 1].value : NULL;
}

static struct hash_entry *entry_for(struct hash *h, const void *key, size_t len)
{
	uint32_t hash = table_hash(key, len), *slot;
	struct hash_entry *e;
	char *copy;

	if (h->n * 2 >= h->nslots)
		rebuild(h);
	slot = slot_of(h, key, len, hash);
	if (*slot)
		return &h->entries[*slot - 1];
	if (h->n == h->cap) {
		h->cap = h->cap ? h->cap * 2 : 8;
		h->entries = xrealloc(h->entries, h->cap * sizeof(*h->entries));
	}
	copy = xmalloc(len + 1);
	memcpy(copy, key, len);
	copy[len] = '\0';
	e = &h->entries[h->n++];
	*e = (struct hash_entry){.key = copy, .len = len, .hash = hash};
	*slot = h->n;
	h->live++;
	return e;
}

const void *hash_put(struct hash *h, const void *key, size_t len, void *value)
{
	struct hash_entry *e = entry_for(h, key, len);

	e->value = value;
	return e->key;
}

void **hash_ref(struct hash *h, const void *key, size_t len)
{
	return &entry_for(h, key, len)->value;
}

void hash_remove(struct hash *h, const void *key, size_t len)
{
	uint32_t *slot;
	struct hash_entry *e;

	if (!h->nslots)
		return;
	slot = slot_of(h, key, len, table_hash(key, len));
	if (!*slot)
		return;
	/* the slot stays taken, so that longer probes still find theirs */
	e = &h->entries[*slot - 1];
	free((void *)e->key);
	e->key = NULL;
	e->value = NULL;
	h->live--;
}

void hash_free(struct hash *h)
{
	for (size_t i = 0; i < h->n; i++)
		free((void *)h->entries[i].key);
	free(h->entries);
	free(h->slots);
	memset(h, 0, sizeof(*h));
}

void *hash_gets(const struct hash *h, const char *key)
{
	return hash_get(h, key, strlen(key));
}

const char *hash_puts(struct hash *h, const char *key, void *value)
{
	return hash_put(h, key, strlen(key), value);
}
