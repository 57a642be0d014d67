/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors: the whole, however it comes in pieces. */
#ifndef DT_FD_H
#define DT_FD_H

#include <stdbool.h>
#include <stddef.h>

/* False: an error (errno), or its end came first (errno as it was). */
bool fd_read(int fd, void *to, size_t size);
bool fd_write(int fd, const void *from, size_t size);

#endif
