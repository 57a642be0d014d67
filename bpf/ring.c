/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The consumer of a BPF ring buffer. The kernel's side reserves at the producer's position and
 * writes a header (length, busy and discard bits) before each record, all of them multiples of 8;
 * ours reads records from the consumer's position on, until it meets a busy one. The data pages are
 * mapped twice in a row, so a record that wraps is in one piece.
 *
 * Waking up: when a record is committed without wake-up flags, the kernel looks whether the
 * consumer's position is that very record, that is whether the consumer may be asleep, and wakes
 * only then. We publish our position rarely, since the kernel's CPUs share its cache line; so
 * before sleeping we publish it, and look once more after a full barrier: either we see the
 * record, or its commit sees our position.
 */
#include "bpf/ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/map.h"
#include "libdt/base/mem.h"

/* Positions are published after so many bytes, or a quarter of a small ring. */
enum { PUBLISH = 16384 };

struct ring {
	int map_fd, epoll_fd;
	size_t page, size;
	unsigned long pos;	 /* ours */
	unsigned long published; /* what the kernel knows of it */
	unsigned long *consumer; /* page shared for writing */
	unsigned long *producer; /* page shared for reading, followed by the data */
	const unsigned char *data;
	size_t publish;
	bool held; /* only ring_release() publishes */
};

static int ring_map(struct ring *r)
{
	void *p;

	p = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED, r->map_fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->consumer = p;
	p = mmap(NULL, r->page + 2 * r->size, PROT_READ, MAP_SHARED, r->map_fd, r->page);
	if (p == MAP_FAILED)
		return -errno;
	r->producer = p;
	r->data = (const unsigned char *)p + r->page;
	r->pos = r->published = __atomic_load_n(r->consumer, __ATOMIC_ACQUIRE);
	return 0;
}

/* Edge-triggered: a record that is reserved but not finished must not make ring_wait spin. */
static int ring_poll(struct ring *r)
{
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET};

	r->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (r->epoll_fd < 0 || epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, r->map_fd, &ev))
		return -errno;
	return 0;
}

struct ring *ring_open(struct map *map)
{
	struct ring *r;
	int rc;

	if (map->fd < 0 || map->type != BPF_MAP_TYPE_RINGBUF) {
		errno = EINVAL;
		return NULL;
	}
	r = xcalloc(1, sizeof(*r));
	r->map_fd = map->fd;
	r->epoll_fd = -1;
	r->page = sysconf(_SC_PAGESIZE);
	r->size = map->max_entries;
	r->publish = MIN((size_t)PUBLISH, r->size / 4);
	rc = ring_map(r);
	if (!rc)
		rc = ring_poll(r);
	if (rc) {
		ring_close(r);
		errno = -rc;
		return NULL;
	}
	return r;
}

void ring_close(struct ring *r)
{
	if (!r)
		return;
	if (r->epoll_fd >= 0)
		close(r->epoll_fd);
	if (r->consumer)
		munmap(r->consumer, r->page);
	if (r->producer)
		munmap(r->producer, r->page + 2 * r->size);
	free(r);
}

static void publish(struct ring *r)
{
	__atomic_store_n(r->consumer, r->pos, __ATOMIC_RELEASE);
	r->published = r->pos;
}

static uint32_t header(const struct ring *r, unsigned long pos)
{
	const void *p = r->data + (pos & (r->size - 1));

	return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
}

int ring_drain(struct ring *r, int (*fn)(void *arg, const void *data, size_t size), void *arg)
{
	/* What comes after this is the next call's, so that a fast producer cannot keep us here. */
	unsigned long end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	int n = 0, rc = 0;

	while (r->pos < end && !rc) {
		const unsigned char *rec = r->data + (r->pos & (r->size - 1));
		uint32_t head = header(r, r->pos);
		uint32_t len = head & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(head & BPF_RINGBUF_DISCARD_BIT)) {
			rc = fn(arg, rec + BPF_RINGBUF_HDR_SZ, len);
			n++;
		}
		r->pos += ALIGN_UP((unsigned long)len + BPF_RINGBUF_HDR_SZ, 8);
		if (!r->held && r->pos - r->published >= r->publish)
			publish(r);
	}
	if (!r->held && r->pos != r->published)
		publish(r);
	return rc ? rc : n;
}

void ring_hold(struct ring *r)
{
	r->held = true;
}

void ring_release(struct ring *r)
{
	publish(r);
}

bool ring_seek(struct ring *r, unsigned long pos)
{
	if (pos > ring_produced(r) || pos % 8)
		return false;
	if (pos > r->pos) {
		r->pos = pos;
		publish(r);
	}
	return true;
}

unsigned long ring_produced(const struct ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
}

unsigned long ring_consumed(const struct ring *r)
{
	return r->pos;
}

size_t ring_size(const struct ring *r)
{
	return r->size;
}

static bool ready(const struct ring *r)
{
	return r->pos < __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) &&
	       !(header(r, r->pos) & BPF_RINGBUF_BUSY_BIT);
}

int ring_wait(struct ring *r, int timeout_ms)
{
	struct epoll_event ev;
	int rc;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (ready(r))
		return 1;
	rc = epoll_wait(r->epoll_fd, &ev, 1, timeout_ms);
	return rc < 0 ? -errno : rc;
}

int ring_fd(const struct ring *r)
{
	return r->epoll_fd;
}
