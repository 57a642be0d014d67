/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dt_fd(): one descriptor for all that dt_work() would wait for, an epoll instance with a timer for
 * what is due. Which descriptors a session waits for changes: processes end, clients connect.
 */
#include "libdt/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "libdt/base/mem.h"

struct poller {
	int epoll, timer;
	VEC(int) fds; /* those that are in it, besides the timer */
};

static int add(struct poller *p, int fd, short events)
{
	struct epoll_event e = {.events = 0, .data.fd = fd};

	if (events & POLLIN)
		e.events |= EPOLLIN;
	if (events & POLLOUT)
		e.events |= EPOLLOUT;
	if (!epoll_ctl(p->epoll, EPOLL_CTL_ADD, fd, &e))
		return 0;
	/* it is there, unless it was closed and its number is another file's */
	return errno == EEXIST && !epoll_ctl(p->epoll, EPOLL_CTL_MOD, fd, &e) ? 0 : -errno;
}

struct poller *poller_new(void)
{
	struct poller *p = xcalloc(1, sizeof(*p));

	p->epoll = epoll_create1(EPOLL_CLOEXEC);
	p->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (p->epoll < 0 || p->timer < 0 || add(p, p->timer, POLLIN)) {
		poller_free(p);
		return NULL;
	}
	return p;
}

void poller_free(struct poller *p)
{
	int err = errno;

	if (!p)
		return;
	if (p->epoll >= 0)
		close(p->epoll);
	if (p->timer >= 0)
		close(p->timer);
	vec_free(&p->fds);
	free(p);
	errno = err;
}

int poller_fd(const struct poller *p)
{
	return p->epoll;
}

static bool has(const struct pollfd *fds, int n, int fd)
{
	for (int i = 0; i < n; i++)
		if (fds[i].fd == fd)
			return true;
	return false;
}

int poller_set(struct poller *p, const struct pollfd *fds, int n, uint64_t until)
{
	struct itimerspec at = {.it_value = {until / 1000000000, until % 1000000000}};
	int err = 0;

	for (int i = 0; i < p->fds.n; i++)
		if (!has(fds, n, p->fds.v[i]))
			epoll_ctl(p->epoll, EPOLL_CTL_DEL, p->fds.v[i], NULL); /* or closed */
	p->fds.n = 0;
	for (int i = 0; i < n && !err; i++) {
		err = add(p, fds[i].fd, fds[i].events);
		vec_push(&p->fds, fds[i].fd);
	}
	if (!until)
		at.it_value.tv_nsec = 1; /* 0 would be never */
	if (timerfd_settime(p->timer, TFD_TIMER_ABSTIME, &at, NULL) && !err)
		err = -errno;
	return err;
}
