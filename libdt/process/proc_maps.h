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
	const char
	    *path; /* as the process sees it: "" for none, "[vdso]", "/lib/x.so"; never NULL */
	bool exec, write;
	bool deleted; /* the file is not at its path any more */
};

struct proc_maps;

/* NULL with errno when the process cannot be looked at. In the order of addresses. */
struct proc_maps *proc_maps_read(pid_t pid);
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
const struct mapping *proc_maps_all(const struct proc_maps *m, int *n);
/* The mapping that an address is in; NULL when none is. */
const struct mapping *proc_maps_at(const struct proc_maps *m, uint64_t addr);
/* Code of the kernel's that it maps into each process, as into this one; not what it maps into
 * 32-bit programs. */
bool mapping_is_vdso(const struct mapping *m);

#endif
