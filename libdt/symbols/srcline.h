/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines of an object's addresses, where the object or its debug file has them (-x srclines).
 * The first query of an address waits for addr2line(1), of which there is one for each object; its
 * answers are cached.
 *
 * A file that others than root can change may be made so that addr2line takes long, or never
 * answers (it opens what the file names as its other parts, which may be a FIFO). So the copies and
 * the answers of such a file may take -x foreigntime together, and a little for each answer, which
 * is in the account of its user (process/foreign_time.h). A file that fails ends the lines of this
 * file only. A signal ends the wait, and when tracing has ended all that remains of such files has
 * four seconds.
 */
#ifndef DT_SRCLINE_H
#define DT_SRCLINE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct srcfile;
struct srclines;

/* What uses them: report() is called with each problem once, a line of text; ended(): has tracing
 * ended, so that the rest is to be quick? */
struct srclines_user {
	void (*report)(void *arg, const char *text);
	bool (*ended)(void *arg);
	void *arg;
};
/* command: of addr2line. ns: how long the files of others may take, each; 0: as our own. */
struct srclines *srclines_new(const char *command, uint64_t ns, const struct srclines_user *user);
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
