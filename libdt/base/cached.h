/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel has in its memory about a file. stat() may wait for a server (FUSE, NFS), which
 * need never answer; this does not. By the kernel's own call: musl has statx() since 1.2.4.
 */
#ifndef DT_CACHED_H
#define DT_CACHED_H

#include <stdbool.h>
#include <stdint.h>

struct cached {
	uint64_t dev, inode, size;
	uint64_t modified, changed; /* ns */
	uint32_t uid;
	uint32_t mode;
};

/* The file at the end of links. dir: of a relative path, or AT_FDCWD; with "" the file itself.
 * False: there is none (errno). */
bool cached_at(int dir, const char *path, struct cached *c);

#endif
