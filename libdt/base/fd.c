/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/fd.h"

#include <errno.h>
#include <unistd.h>

bool fd_read(int fd, void *to, size_t size)
{
	for (char *p = to; size;) {
		ssize_t n = read(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= n;
	}
	return true;
}

bool fd_write(int fd, const void *from, size_t size)
{
	for (const char *p = from; size;) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= n;
	}
	return true;
}
