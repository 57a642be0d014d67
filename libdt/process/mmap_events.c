/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/mmap_events.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/clock.h"
#include "libdt/base/mem.h"
#include "libdt/process/foreign.h"

/* Pages of a CPU's ring: with lives it is read when half of it is full. A record is as long as a
 * path and some. */
enum { PAGES = 16, PAGES_LIVES = 64, RECORD_MAX = 8192 };

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

/* PERF_RECORD_FORK, PERF_RECORD_EXIT; PERF_RECORD_COMM begins with pid and tid. */
struct task_record {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
};

struct cpu {
	int fd; /* -1: it is offline */
	struct perf_event_mmap_page *page;
	uint64_t head;	       /* how far this round reads */
	uint64_t peeked, time; /* place and time of the record that was looked at last */
};

struct mmap_events {
	int fd, ncpus;
	bool lives, at_once;
	size_t page_size, size; /* size: of a ring */
	struct cpu *cpus;
	uint64_t until; /* of this round */
	union {
		struct record r;
		struct task_record task;
		struct comm_record comm;
		char bytes[RECORD_MAX];
	} record; /* the last one that was read */
};

static int open_cpu(struct mmap_events *w, int cpu)
{
	struct perf_event_attr attr = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(attr),
	    .config = PERF_COUNT_SW_DUMMY,
	    .mmap = 1,
	    .mmap2 = 1,
	    .comm = w->lives,
	    .comm_exec = w->lives,
	    .task = w->lives,
	    .exclude_kernel = 1,
	    /* each record ends with the time, on the clock of D's timestamp */
	    .sample_id_all = 1,
	    .sample_type = PERF_SAMPLE_TIME,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .watermark = 1,
	    .wakeup_watermark = w->at_once ? 1 : w->size / 2,
	};
	struct epoll_event ev = {.events = EPOLLIN};
	struct cpu *c = &w->cpus[cpu];
	void *mem;

	c->fd = sys_perf_open(&attr, -1, cpu);
	if (c->fd < 0)
		return c->fd == -ENODEV ? 0 : c->fd;
	mem = mmap(NULL, w->page_size + w->size, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	if (mem == MAP_FAILED)
		return -errno;
	c->page = mem;
	return epoll_ctl(w->fd, EPOLL_CTL_ADD, c->fd, &ev) ? -errno : 0;
}

struct mmap_events *mmap_events_new(int ncpus, bool lives, bool at_once)
{
	struct mmap_events *w = xcalloc(1, sizeof(*w));
	int err;

	w->lives = lives;
	w->at_once = at_once;
	w->page_size = sysconf(_SC_PAGESIZE);
	w->size = (lives ? PAGES_LIVES : PAGES) * w->page_size;
	w->cpus = xcalloc(ncpus, sizeof(*w->cpus));
	w->fd = epoll_create1(EPOLL_CLOEXEC);
	err = w->fd < 0 ? -errno : 0;
	while (!err && w->ncpus < ncpus)
		err = open_cpu(w, w->ncpus++);
	if (!err)
		return w;
	mmap_events_free(w);
	errno = -err;
	return NULL;
}

void mmap_events_free(struct mmap_events *w)
{
	if (!w)
		return;
	for (int i = 0; i < w->ncpus; i++) {
		if (w->cpus[i].page)
			munmap(w->cpus[i].page, w->page_size + w->size);
		if (w->cpus[i].fd >= 0)
			close(w->cpus[i].fd);
	}
	if (w->fd >= 0)
		close(w->fd);
	free(w->cpus);
	free(w);
}

int mmap_events_fd(const struct mmap_events *w)
{
	return w->fd;
}

static void copy_out(const struct mmap_events *w, const struct cpu *c, uint64_t at, void *to,
		     size_t n)
{
	const char *ring = (const char *)c->page + w->page_size;
	size_t off = at % w->size, part = MIN(n, w->size - off);

	memcpy(to, ring + off, part);
	memcpy((char *)to + part, ring, n - part);
}

/*
 * Records are reported in the order of their times: a process goes from CPU to CPU. A round reads
 * what the rings had when it began, up to the time then: what is older has been written by all
 * CPUs, and what is newer waits for the next round.
 */
static bool begin_round(struct mmap_events *w)
{
	bool any = false;

	w->until = clock_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < w->ncpus; i++) {
		struct cpu *c = &w->cpus[i];

		if (!c->page)
			continue;
		c->head = __atomic_load_n(&c->page->data_head, __ATOMIC_ACQUIRE);
		any |= c->head != c->page->data_tail;
	}
	return any;
}

static uint64_t time_of_next(const struct mmap_events *w, struct cpu *c)
{
	uint64_t tail = c->page->data_tail;
	struct perf_event_header h;

	if (c->time && c->peeked == tail)
		return c->time;
	copy_out(w, c, tail, &h, sizeof(h));
	copy_out(w, c, tail + h.size - sizeof(c->time), &c->time, sizeof(c->time));
	c->peeked = tail;
	return c->time;
}

/* Whose record is the next of this round; NULL: it is over. */
static struct cpu *earliest(struct mmap_events *w)
{
	uint64_t first = w->until;
	struct cpu *best = NULL;

	for (int i = 0; i < w->ncpus; i++) {
		struct cpu *c = &w->cpus[i];

		if (!c->page || c->head == c->page->data_tail || time_of_next(w, c) > first)
			continue;
		first = c->time;
		best = c;
	}
	return best;
}

static void take(struct mmap_events *w, struct cpu *c)
{
	struct record *r = &w->record.r;
	uint64_t tail = c->page->data_tail;
	size_t n;

	copy_out(w, c, tail, &r->header, sizeof(r->header));
	n = MIN(r->header.size, sizeof(w->record.bytes) - 1);
	copy_out(w, c, tail, r, n);
	w->record.bytes[n] = '\0';
	__atomic_store_n(&c->page->data_tail, tail + r->header.size, __ATOMIC_RELEASE);
}

/* "//anon" and "//toolong" */
static bool has_no_path(const struct record *r)
{
	return r->path[0] == '/' && r->path[1] == '/';
}

/* A file, or (with lives) anything: it may take the place of a file. */
static bool is_wanted(const struct mmap_events *w, const struct record *r)
{
	return w->lives || (r->path[0] == '/' && !has_no_path(r) && r->inode);
}

/* Decodes a record; false: nothing to report. */
static bool understand(const struct mmap_events *w, struct mmap_event *e)
{
	const struct record *r = &w->record.r;
	const struct task_record *task = &w->record.task;

	switch (r->header.type) {
	case PERF_RECORD_LOST:
		e->kind = MMAP_EVENT_LOST;
		return true;
	case PERF_RECORD_MMAP2:
		e->kind = MMAP_EVENT_MAP;
		e->pid = r->pid;
		e->map = (struct mapping){.start = r->addr,
					  .end = r->addr + r->len,
					  .off = r->off,
					  .dev = makedev(r->major, r->minor),
					  .inode = r->inode,
					  .path = r->path,
					  .exec = true};
		if (has_no_path(r)) {
			e->map.dev = e->map.inode = 0;
			e->map.path = "";
		}
		return is_wanted(w, r) && r->len;
	case PERF_RECORD_FORK:
		e->kind = MMAP_EVENT_FORK;
		e->pid = task->pid;
		e->parent = task->ppid;
		return w->lives && task->pid != task->ppid; /* else it is a thread */
	case PERF_RECORD_EXIT:
		e->kind = MMAP_EVENT_EXIT;
		e->pid = task->pid;
		return w->lives && task->pid == task->tid;
	case PERF_RECORD_COMM:
		e->kind = MMAP_EVENT_EXEC;
		e->pid = w->record.comm.pid;
		return w->lives && (r->header.misc & PERF_RECORD_MISC_COMM_EXEC);
	}
	return false;
}

bool mmap_events_next(struct mmap_events *w, struct mmap_event *e)
{
	struct cpu *c;

	for (;;) {
		c = earliest(w);
		if (c) {
			*e = (struct mmap_event){.time = time_of_next(w, c)};
			take(w, c);
			if (understand(w, e))
				return true;
		} else if (!begin_round(w)) {
			return false;
		}
	}
}

uint64_t mmap_events_until(const struct mmap_events *w)
{
	return w->until;
}

struct each_process {
	void (*fn)(void *arg, pid_t pid, const struct mapping *m);
	void *arg;
	pid_t pid;
};

static void call_with(void *arg, const struct mapping *m)
{
	const struct each_process *each = arg;

	each->fn(each->arg, each->pid, m);
}

void mmap_events_all(struct foreign *f, void (*fn)(void *arg, pid_t pid, const struct mapping *m),
		     void *arg)
{
	DIR *dir = opendir("/proc");
	struct each_process each = {.fn = fn, .arg = arg};
	struct dirent *e;
	struct proc_maps *maps;

	while (dir && !foreign_ended(f) && (e = readdir(dir))) {
		pid_t pid = *e->d_name >= '1' && *e->d_name <= '9' ? atoi(e->d_name) : 0;

		maps = pid ? foreign_maps(f, pid) : NULL;
		if (!maps)
			continue;
		each.pid = pid;
		if (!proc_maps_each_code(maps, call_with, &each))
			foreign_omit_files(f, pid, MAPPED_FILES_MAX);
		proc_maps_free(maps);
	}
	if (dir)
		closedir(dir);
}
