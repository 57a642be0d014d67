/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process has mapped, from /proc/PID/maps. */
#ifndef DT_PROC_MAPS_H
#define DT_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct mapping {
	uint64_t start, end, off; /* off: in the file */
	uint64_t dev, inode;	  /* 0 0: of no file */
	/* as the process sees it: "[vdso]", "/lib/x.so"; "" for none, also for one that is too long
	 * to be opened; never NULL */
	const char *path;
	bool exec, write;
	bool deleted; /* the file is not at its path any more */
};

struct proc_maps;

/* Of a process so many mappings are read. */
enum { PROC_MAPS_MAX = 1 << 18 };
/* The most text that is read of a process, in bytes and ns; 0: no limit. */
struct proc_maps_limits {
	uint64_t bytes, ns;
};
/* Why the list is incomplete. */
enum proc_maps_cut { PROC_MAPS_WHOLE, PROC_MAPS_SIZE, PROC_MAPS_TIME };

/* NULL with errno when the process cannot be looked at. In the order of addresses. For processes
 * of others there is foreign_maps(), which has limits. */
struct proc_maps *proc_maps_read(pid_t pid, const struct proc_maps_limits *limits,
				 enum proc_maps_cut *cut);
/* The same from text; for tests. */
struct proc_maps *proc_maps_parse(const char *text);
/* Frees it when it is the last share. */
void proc_maps_free(struct proc_maps *m);
/* The same list, to be freed once more; of NULL it is NULL. */
struct proc_maps *proc_maps_share(struct proc_maps *m);
/*
 * The list with one more mapping, which takes the place of what it overlaps. In exchange for m
 * (NULL: an empty one); other shares of m stay as they are.
 */
struct proc_maps *proc_maps_add(struct proc_maps *m, const struct mapping *one);
/* What the list takes, in bytes, is in *total from now on, as long as it lives; and what lists
 * take that proc_maps_add() makes of it. */
void proc_maps_count(struct proc_maps *m, uint64_t *total);
/* Calls fn with each file that is mapped as code, once. A user maps them by the ten thousand: false
 * when there are more than MAPPED_FILES_MAX, of which those at higher addresses are left out. */
enum { MAPPED_FILES_MAX = 4096 };
bool proc_maps_each_code(const struct proc_maps *m, void (*fn)(void *arg, const struct mapping *m),
			 void *arg);
/* Does a list have all that another one has, of the same files? */
bool proc_maps_contains(const struct proc_maps *m, const struct proc_maps *part);
/* What it takes, in bytes. */
uint64_t proc_maps_cost(const struct proc_maps *m);
const struct mapping *proc_maps_all(const struct proc_maps *m, int *n);
/* The mapping that an address is in; NULL when none is. */
const struct mapping *proc_maps_at(const struct proc_maps *m, uint64_t addr);
/* Code of the kernel's that it maps into each process, as into this one; not what it maps into
 * 32-bit programs. */
bool mapping_is_vdso(const struct mapping *m);

#endif
