/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors: the whole, however it comes in pieces. */
#ifndef DT_FD_H
#define DT_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* False: an error (errno), or its end came first (errno as it was). */
bool fd_read(int fd, void *to, size_t size);
bool fd_write(int fd, const void *from, size_t size);
/* Waits until that time of CLOCK_MONOTONIC (ns). 0: there is something to read, or the end;
 * -ETIMEDOUT or another -errno. */
int fd_wait(int fd, uint64_t until);
/* What a socket has to read, at most size bytes, waiting until that time of CLOCK_MONOTONIC (ns).
 * 0: it has ended; -ETIMEDOUT or another -errno. */
ssize_t fd_receive(int fd, void *to, size_t size, uint64_t until);
/* One message of a socket. fd: goes with it, -1: none. False: the other side is gone. */
bool fd_pass(int sock, const void *data, size_t len, int fd);
/* Its length; 0: the other side is gone. *fd: what came with it, close-on-exec; -1: none. */
ssize_t fd_take(int sock, void *data, size_t size, int *fd);

/* Seals memory (MFD_ALLOW_SEALING) against all changes. False: errno. */
bool fd_seal(int fd);

/* Opens a file for output at its end, and makes it; -1 as open(). "/dev/stdout", "/dev/stderr" and
 * "/dev/fd/N" are what this process has open, as on other systems: Linux would open the file anew,
 * with a position of its own, and no socket. */
int fd_append(const char *name);

#endif
