/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines of an object's addresses, where the object or its debug file has them (-x srclines).
 * The first query of an address waits for addr2line(1), of which there is one for each object; its
 * answers are cached.
 */
#ifndef DT_SRCLINE_H
#define DT_SRCLINE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct srcfile;
struct srclines;

/* command: of addr2line. report() is called with each problem once, a line of text. */
struct srclines *srclines_new(const char *command, void (*report)(void *arg, const char *text),
			      void *arg);
/* All files are gone by then. */
void srclines_free(struct srclines *sl);
/* An object that is to be asked about; it stays open meanwhile. name: for messages. */
struct srcfile *srcfile_new(struct srclines *sl, struct object *o, const char *name);
/* Ends what was started for it. */
void srcfile_free(struct srclines *sl, struct srcfile *f);
/* addr: as the object's symbols say. False when unknown; *file is valid until the next call. */
bool srclines_find(struct srclines *sl, struct srcfile *f, uint64_t addr, const char **file,
		   int *line);

#endif
