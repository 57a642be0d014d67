/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of foreign.h share: foreign.c, foreign_find.c and foreign_maps.c. */
#ifndef DT_FOREIGN_INT_H
#define DT_FOREIGN_INT_H

#include "libdt/base/mem.h"
#include "libdt/process/foreign.h"
#include "libdt/process/foreign_proc.h"
#include "libdt/process/foreign_time.h"
#include "libdt/process/object_file.h"

/* A process that was abandoned, and whose account waits for it. */
struct abandoned {
	pid_t pid;
	struct foreign_account *account;
};

/* A copy of a file, in memory. */
struct copy {
	struct foreign_version of;
	int fd, users;
	uint32_t payer;
	uint64_t len;
};

struct foreign {
	pid_t opener, reader; /* 0: they do not run */
	int to_opener, from_reader;
	VEC(struct abandoned) ended; /* those that have not gone yet */
	uint32_t number;
	uint64_t size, used, ns;
	VEC(struct copy) copies;
	struct foreign_time time;
	bool (*has_ended)(void *arg);
	void *has_ended_arg;
	bool reported_size, reported_time, reported_user, reported_maps, reported_files,
	    reported_omission;
	struct object_files objects;
	void (*report)(void *arg, const char *text);
	void *arg;
};

/* Asks the opener, and through it the reader. with: the descriptor that the question is about, -1:
 * none. payer: the user whose process has the file (foreign_time.h). spent: the time (ns) that the
 * file has taken before, which is added to; NULL: it is new. 0: *a is the answer, *fd is -1 or a
 * descriptor, which the caller closes; else -errno. */
int foreign_question(struct foreign *f, struct foreign_question *q, int with, uint32_t payer,
		     uint64_t *spent, struct foreign_answer *a, int *fd);

#endif
