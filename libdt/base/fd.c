/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/fd.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libdt/base/clock.h"

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

ssize_t fd_receive(int fd, void *to, size_t size, uint64_t until)
{
	for (;;) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC),
			 ms = now < until ? (until - now - 1) / 1000000 + 1 : 0;
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int n = ms ? poll(&p, 1, ms < INT32_MAX ? (int)ms : INT32_MAX) : 0;
		ssize_t got;

		if (!n)
			return -ETIMEDOUT;
		got = n < 0 ? -1 : recv(fd, to, size, MSG_DONTWAIT);
		if (got >= 0)
			return got;
		if (errno != EINTR && errno != EAGAIN)
			return -errno;
	}
}
