/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of objects (object.h), and the table of those that are open. A process maps as many
 * files as it likes: so many are open at a time, and others are found again when they are read.
 */
#ifndef DT_OBJECT_FILE_H
#define DT_OBJECT_FILE_H

#include <libelf.h>
#include <stdbool.h>

#include "libdt/process/foreign.h"

struct object_file {
	int fd;			   /* to read from; -1: it has no file, a foreign or a closed one */
	Elf *elf;		   /* NULL: the same */
	struct foreign *foreign;   /* which reads a foreign one; NULL: it is not foreign */
	struct foreign_file found; /* what it is found again by */
	/* which has the table; NULL: the file is not in it, and remains open */
	struct foreign *finder;
	struct object_file *newer, *older; /* in the table, */
	bool is_open;			   /* where it is as long as it is open */
};

/* Those that are open, the one that was used last first. */
struct object_files {
	struct object_file *newest, *oldest;
	int n;
};

/* Is there one, open or not? */
bool object_file_exists(const struct object_file *file);
/* Puts an open file that has a finder in front, and closes the one that was not used for the
 * longest if there are too many. */
void object_file_enter(struct object_file *file);
/* Before a file is used: opens it if it is closed. False when the same one, unchanged, is not
 * found. */
bool object_file_keep(struct object_file *file);
void object_file_free(struct object_file *file);

#endif
