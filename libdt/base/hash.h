/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from bytes to a pointer, which remembers the order of insertion. */
#ifndef DT_HASH_H
#define DT_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_entry {
	const void *key; /* the table's own copy, NUL-terminated */
	size_t len;
	void *value;
	uint32_t hash;
};

/* All zero is an empty table. Walk entries[0..n-1] for insertion order; a removed entry has key
 * NULL. */
struct hash {
	struct hash_entry *entries;
	uint32_t *slots; /* index into entries plus one, 0 for empty */
	size_t n, cap, nslots, live;
};

/* FNV-1a: the same in each process, unlike those of tables, for what must not change. */
uint32_t hash_bytes(const void *key, size_t len);
void *hash_get(const struct hash *h, const void *key, size_t len);
/* Adds or replaces. Returns the table's copy of the key. */
const void *hash_put(struct hash *h, const void *key, size_t len, void *value);
/* Where the value of a key is kept, added with NULL when it is new; valid until the next
 * insertion. */
void **hash_ref(struct hash *h, const void *key, size_t len);
void hash_remove(struct hash *h, const void *key, size_t len);
/* Frees the table and its keys, not the values. */
void hash_free(struct hash *h);

void *hash_gets(const struct hash *h, const char *key);
const char *hash_puts(struct hash *h, const char *key, void *value);

#endif
