/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The opener and the reader of foreign.h, and what is said to them. */
#ifndef DT_FOREIGN_PROC_H
#define DT_FOREIGN_PROC_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/process/elfread.h"
#include "libdt/process/jitread.h"

enum foreign_op {
	FOREIGN_FIND, /* the path: the opener answers with a descriptor of O_PATH */
	FOREIGN_DATA, /* the descriptor: the opener answers with one to read from; of a copy: len */
	FOREIGN_ELF,  /* the descriptor and elf: the reader answers with memory */
	FOREIGN_JIT,  /* the descriptor and jit: the same */
};

struct foreign_question {
	uint32_t number, op;
	pid_t root;    /* 0: ours */
	bool is_known; /* dev and inode are what it must have */
	bool no_link;
	uint64_t dev, inode, space;
	struct elfread_ask elf;
	struct jitread jit;
	char path[PATH_MAX]; /* sent with its NUL, and no more */
};

struct foreign_answer {
	uint32_t number;
	int32_t err; /* 0 or -errno */
	uint64_t dev, inode, size, modified, changed, len;
	uint32_t uid;
};

/* Is an open descriptor's file a regular one, on a file system that has files? 0 or -errno. */
int foreign_check(int fd);
/* Is it what the kernel calls a mapped file of this device and inode? Some file systems' fstat(2)
 * calls it otherwise. */
bool foreign_is_mapped_as(int fd, uint64_t dev, uint64_t inode);

/* The processes; they end when the other ends of their sockets are closed. size: the most memory
 * that the reader may take. */
_Noreturn void foreign_opener(int questions, int reader);
_Noreturn void foreign_reader(int questions, int answers, uint64_t size);

#endif
