/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One addr2line(1), which translates addresses of a file to source lines. The file is untrusted and
 * addr2line does not validate its input, so it runs in a separate process without privileges,
 * without our environment, with limits.
 */
#ifndef DT_ADDR2LINE_H
#define DT_ADDR2LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

struct addr2line;

enum { ADDR2LINE_COPY_MAX = 256 << 20 }; /* bytes of another user's file */

/* The file to read: a path that any user may open, or an open descriptor (path NULL). */
struct addr2line_file {
	const char *path;
	int fd;
	/* it is another user's: addr2line gets a copy of so many bytes, which must be ELF and does
	 * not lead to other files */
	bool foreign;
	uint64_t size;
};

/* command: binutils' addr2line or one that takes the same words. NULL, and *err is why: -errno;
 * *unreadable: it is the file's fault, which is too large (-EFBIG), no ELF file (-ENOEXEC) or
 * changes. */
struct addr2line *addr2line_start(const char *command, const struct addr2line_file *file,
				  bool *unreadable, int *err);
/* Ends it, at once. */
void addr2line_end(struct addr2line *a);
/* How long an answer is waited for. */
struct addr2line_wait {
	uint64_t ns;
	uint64_t cpu;		  /* as struct patience's, from one question to the next */
	bool extended;		  /* it was longer, because the machine is busy */
	bool (*ended)(void *arg); /* has tracing ended? NULL: neither this nor a signal ends it */
	void *arg;
};
/*
 * Adds the file's name, and *line is the line; 0: that is not known. -errno: it can answer no
 * more. -ETIMEDOUT: it took too long; -EINTR: a signal came, or tracing has ended.
 */
int addr2line_ask(struct addr2line *a, uint64_t addr, struct addr2line_wait *w, struct strbuf *file,
		  int *line);
/* The same of what it has answered: a line without its newline. For tests. */
void addr2line_parse(const char *answer, struct strbuf *file, int *line);

#endif
