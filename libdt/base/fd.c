/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libdt/base/clock.h"

/* The descriptor that a name of /dev stands for, or -1. */
static int own_fd(const char *name)
{
	int fd, end = 0;

	if (!strcmp(name, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(name, "/dev/stderr"))
		return STDERR_FILENO;
	return sscanf(name, "/dev/fd/%3d%n", &fd, &end) == 1 && end && !name[end] ? fd : -1;
}

int fd_append(const char *name)
{
	int own = own_fd(name);

	if (own >= 0)
		return fcntl(own, F_DUPFD_CLOEXEC, 3);
	return open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

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

int fd_wait(int fd, uint64_t until)
{
	for (;;) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC),
			 ms = now < until ? (until - now - 1) / 1000000 + 1 : 0;
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int n = ms ? poll(&p, 1, ms < INT32_MAX ? (int)ms : INT32_MAX) : 0;

		if (n > 0)
			return 0;
		if (!n)
			return -ETIMEDOUT;
		if (errno != EINTR && errno != EAGAIN)
			return -errno;
	}
}

ssize_t fd_receive(int fd, void *to, size_t size, uint64_t until)
{
	for (;;) {
		int err = fd_wait(fd, until);
		ssize_t got = err ? err : recv(fd, to, size, MSG_DONTWAIT);

		if (err || got >= 0)
			return got;
		if (errno != EINTR && errno != EAGAIN)
			return -errno;
	}
}

bool fd_seal(int fd)
{
	return !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}

bool fd_pass(int sock, const void *data, size_t len, int fd)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {(void *)data, len};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0) {
		m.msg_control = control.space;
		m.msg_controllen = sizeof(control.space);
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
						      .cmsg_level = SOL_SOCKET,
						      .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof(fd));
	}
	while ((n = sendmsg(sock, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return n == (ssize_t)len;
}

ssize_t fd_take(int sock, void *data, size_t size, int *fd)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {data, size};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = control.space,
			   .msg_controllen = sizeof(control.space)};
	struct cmsghdr *c;
	ssize_t n;

	*fd = -1;
	while ((n = recvmsg(sock, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return n > 0 ? n : 0;
}
