/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/user/mapwatch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/mem.h"

enum { PAGES = 16, RECORD_MAX = 8192 }; /* of a CPU's ring; a record is as long as a path and some */

/* PERF_RECORD_MMAP2. */
struct record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, off;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char path[];
};

struct cpu {
	int fd; /* -1: it is offline */
	struct perf_event_mmap_page *page;
};

struct mapwatch {
	int fd, ncpus, at; /* at: whose ring is read */
	size_t page_size;
	struct cpu *cpus;
	union {
		struct record r;
		char bytes[RECORD_MAX];
	} record; /* the last one that was read */
};

static int open_cpu(struct mapwatch *w, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1,
		.mmap2 = 1,
		.exclude_kernel = 1,
		.watermark = 1,
		.wakeup_watermark = 1,
	};
	struct epoll_event ev = {.events = EPOLLIN};
	struct cpu *c = &w->cpus[cpu];
	void *mem;

	c->fd = sys_perf_open(&attr, -1, cpu);
	if (c->fd < 0)
		return c->fd == -ENODEV ? 0 : c->fd;
	mem = mmap(NULL, (PAGES + 1) * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	if (mem == MAP_FAILED)
		return -errno;
	c->page = mem;
	return epoll_ctl(w->fd, EPOLL_CTL_ADD, c->fd, &ev) ? -errno : 0;
}

struct mapwatch *mapwatch_new(int ncpus)
{
	struct mapwatch *w = xcalloc(1, sizeof(*w));
	int err;

	w->page_size = sysconf(_SC_PAGESIZE);
	w->cpus = xcalloc(ncpus, sizeof(*w->cpus));
	w->fd = epoll_create1(EPOLL_CLOEXEC);
	err = w->fd < 0 ? -errno : 0;
	while (!err && w->ncpus < ncpus)
		err = open_cpu(w, w->ncpus++);
	if (!err)
		return w;
	mapwatch_free(w);
	errno = -err;
	return NULL;
}

void mapwatch_free(struct mapwatch *w)
{
	if (!w)
		return;
	for (int i = 0; i < w->ncpus; i++) {
		if (w->cpus[i].page)
			munmap(w->cpus[i].page, (PAGES + 1) * w->page_size);
		if (w->cpus[i].fd >= 0)
			close(w->cpus[i].fd);
	}
	if (w->fd >= 0)
		close(w->fd);
	free(w->cpus);
	free(w);
}

int mapwatch_fd(const struct mapwatch *w)
{
	return w->fd;
}

static void copy_out(const struct mapwatch *w, const struct cpu *c, uint64_t at, void *to, size_t n)
{
	const char *ring = (const char *)c->page + w->page_size;
	size_t size = PAGES * w->page_size, off = at % size, part = MIN(n, size - off);

	memcpy(to, ring + off, part);
	memcpy((char *)to + part, ring, n - part);
}

/* The next record of a CPU; false: there is none. */
static bool take(struct mapwatch *w, struct cpu *c)
{
	struct record *r = &w->record.r;
	uint64_t head, tail;
	size_t n;

	if (!c->page)
		return false;
	head = __atomic_load_n(&c->page->data_head, __ATOMIC_ACQUIRE);
	tail = c->page->data_tail;
	if (tail == head)
		return false;
	copy_out(w, c, tail, &r->header, sizeof(r->header));
	n = MIN(r->header.size, sizeof(w->record.bytes) - 1);
	copy_out(w, c, tail, r, n);
	w->record.bytes[n] = '\0';
	__atomic_store_n(&c->page->data_tail, tail + r->header.size, __ATOMIC_RELEASE);
	return true;
}

bool mapwatch_next(struct mapwatch *w, pid_t *pid, struct mapping *m, bool *lost)
{
	const struct record *r = &w->record.r;

	*lost = false;
	for (int n = 0; n < w->ncpus;) {
		if (!take(w, &w->cpus[w->at])) {
			w->at = (w->at + 1) % w->ncpus;
			n++;
			continue;
		}
		if (r->header.type == PERF_RECORD_LOST) {
			*lost = true;
			return true;
		}
		if (r->header.type != PERF_RECORD_MMAP2 || r->path[0] != '/' || r->path[1] == '/' || !r->inode)
			continue; /* "//anon", "[vdso]" */
		*pid = r->pid;
		*m = (struct mapping){.start = r->addr, .end = r->addr + r->len, .off = r->off, .dev = makedev(r->major, r->minor),
				      .inode = r->inode, .path = r->path, .exec = true};
		return true;
	}
	return false;
}

void mapwatch_all(void (*fn)(void *arg, pid_t pid, const struct mapping *m), void *arg)
{
	DIR *dir = opendir("/proc");
	const struct mapping *all;
	struct dirent *e;
	struct maps *maps;
	int n;

	while (dir && (e = readdir(dir))) {
		pid_t pid = *e->d_name >= '1' && *e->d_name <= '9' ? atoi(e->d_name) : 0;

		maps = pid ? maps_read(pid) : NULL;
		if (!maps)
			continue;
		all = maps_all(maps, &n);
		for (int i = 0; i < n; i++)
			if (all[i].exec && all[i].inode && *all[i].path == '/')
				fn(arg, pid, &all[i]);
		maps_free(maps);
	}
	if (dir)
		closedir(dir);
}
