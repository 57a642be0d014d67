/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps: described first, created when a program that uses them is loaded. */
#ifndef DT_MAP_H
#define DT_MAP_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
	char name[16]; /* at most 15 characters: what bpftool shows */
	enum bpf_map_type type;
	uint32_t key_size, value_size, max_entries, flags;
	struct map *inner;   /* for maps of maps: the template of what it holds */
	bool memory;	     /* array with one element whose memory is mapped into dtrace (BPF_F_MMAPABLE) */
	bool rdonly;	     /* programs may not write it; frozen after init, so that loads from it are constants */
	bool task_storage;   /* needs BTF of key and value: made by map_create */
	const void *init;    /* memory maps: value_size bytes to start with, or NULL for zeroes */
	int fd;		     /* -1 until created */
	void *mem;	     /* memory maps: where it is mapped, NULL until created */
	size_t mem_size;
};

/* Fills in a description; nothing is created. name is cut to what the kernel takes. */
void map_init(struct map *m, const char *name, enum bpf_map_type type, uint32_t key_size,
	      uint32_t value_size, uint32_t max_entries);
/* A one-element array whose memory dtrace shares. */
void map_init_memory(struct map *m, const char *name, uint32_t size);
/* Creates it (and its inner template when there is one) unless it exists. 0 or -errno. */
int map_create(struct map *m);
void map_close(struct map *m);

int map_update(struct map *m, const void *key, const void *value, uint64_t flags);
int map_lookup(struct map *m, const void *key, void *value);
int map_delete(struct map *m, const void *key);
/*
 * Reads and removes up to max elements (keys and values are arrays of key_size and value_size steps).
 * Start with *started false; returns how many were read, 0 at the end, or -errno. Falls back to one at a time
 * where the kernel has no batches.
 */
int map_drain(struct map *m, bool *started, void *token, void *keys, void *values, uint32_t max);
/* Waits until every program that runs now has returned (an RCU grace period). */
int map_synchronize(void);

#endif
