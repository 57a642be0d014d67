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
	struct map *inner; /* for maps of maps: the template of what it holds */
	bool memory;	   /* array with one element, whose memory is mapped into dtrace */
	bool rdonly; /* programs may not write it; memory maps: frozen after init, so that loads
			from it are constants, and mem is mapped for reading only */
	bool task_storage; /* needs BTF of key and value: made by map_create */
	bool on_demand;	   /* a hash, from Linux 6.1 on: memory for an element comes with it */
	bool no_batch;	   /* the kernel cannot drain it in batches: found out by map_drain */
	const void *init;  /* memory maps: value_size bytes to start with, or NULL for zeroes */
	int fd;		   /* -1 until created */
	void *mem;	   /* memory maps: where it is mapped, NULL until created */
	size_t mem_size;
};

/* Fills in a description; nothing is created. name is cut to what the kernel takes. */
void map_init(struct map *m, const char *name, enum bpf_map_type type, uint32_t key_size,
	      uint32_t value_size, uint32_t max_entries);
/* A one-element array whose memory dtrace shares. */
void map_init_memory(struct map *m, const char *name, uint32_t size);
/* value_size bytes in each task that asks for them; needs FEAT_TASK_STORAGE. */
void map_init_task_storage(struct map *m, const char *name, uint32_t value_size);
/* Creates it (and its inner template when there is one) unless it exists. 0 or -errno. */
int map_create(struct map *m);
/* Describes and takes over a map that exists: fd, which is the map's from here on, also when this
 * fails. memory: its memory is mapped. 0 or -errno. */
int map_adopt(struct map *m, int fd, bool memory);
/* Bytes that the kernel takes for it and all of its elements, about; on_demand: when it is full,
 * without the elements that are ready on each CPU. */
uint64_t map_memory_size(const struct map *m);
/* Unmaps and closes; the description stays and may be created again. */
void map_close(struct map *m);
/*
 * Bytes of one value as user space sees it: for per-CPU kinds a multiple of 8 for each possible
 * CPU.
 */
size_t map_value_step(const struct map *m);

/* The value for a map of maps is the inner map's fd, in an int. */
int map_update(struct map *m, const void *key, const void *value, uint64_t flags);
/* n elements: arrays with steps of key_size and value_size. One at a time where the kernel has no
 * batches for this kind of map. 0 or -errno. */
int map_update_all(struct map *m, const void *keys, const void *values, uint32_t n);
/*
 * The same by a thread, while the caller goes on: for maps of maps, for which the kernel waits
 * after the update (sync_wait). keys and values are copied; m stays as it is until map_filled().
 * Done at once where there can be no thread.
 */
struct map_filling;
struct map_filling *map_fill(struct map *m, const void *keys, const void *values, uint32_t n);
/* Waits for it and frees it. 0 or -errno. */
int map_filled(struct map_filling *f);
int map_lookup(struct map *m, const void *key, void *value);
int map_delete(struct map *m, const void *key);
/*
 * Reads and removes up to max elements of a hash (per-CPU or not): keys and values are arrays with
 * steps of key_size and map_value_step(). token is memory of max(key_size, 8) bytes which the
 * caller keeps between calls. Start with *started false; returns how many were read, 0 at the end,
 * or -errno. Each element is read and removed at once: what a program adds meanwhile is either in
 * this drain or in the next, once. Falls back to one at a time where the kernel has no batches
 * (there, on kernels before 5.14, what a program changes in place between reading and removing one
 * element is lost; so drain maps which no program writes any more: see sync_wait).
 */
int map_drain(struct map *m, bool *started, void *token, void *keys, void *values, uint32_t max);

/* Calls fn for each element, which stays, until it returns nonzero, which is returned. No program
 * may write the map meanwhile. 0 or -errno. */
int map_each(struct map *m, int (*fn)(void *arg, const void *key, const void *value), void *arg);

/* Waits for RCU grace periods. */
struct sync;
struct sync *sync_new(void); /* NULL with errno */
void sync_free(struct sync *s);
/* Waits until every program that runs now has returned. Takes 5 to 30 ms. 0 or -errno. */
int sync_wait(struct sync *s);

#endif
