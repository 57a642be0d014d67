/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/user/jit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"

/* How often a file is looked at for addresses that it has not told. */
#define AGAIN_NS 50000000
enum {
	COST_MAX = 512 << 20, /* bytes that all files together may take */
	BUFFER = 1 << 20,     /* that are read at once; a line that is longer is left out */
	HEAD = 64,
	IDLE_MAX = 4096,      /* processes that are remembered as having none */
};

struct symbol {
	uint64_t addr, size, order; /* order: the one that was told last has the greatest */
	const char *name;
};

struct process {
	pid_t pid;
	struct arena *names;
	VEC(struct symbol) v; /* by address */
	ino_t inode;	 /* of the file, */
	char head[HEAD]; /* how it begins, */
	uint64_t read;	 /* how far it was read, */
	uint64_t looked_ns; /* and when it was looked at */
	uint64_t cost;
};

struct jits {
	struct hash processes; /* pid -> struct process */
	uint64_t cost;	 /* of all that are there */
	size_t sweep_at; /* when so many are there */
};

struct jits *jits_new(void)
{
	struct jits *js = xcalloc(1, sizeof(*js));

	js->sweep_at = IDLE_MAX;
	return js;
}

/* What was read of its file is forgotten. */
static void clear(struct jits *js, struct process *p)
{
	js->cost -= p->cost;
	p->cost = p->read = 0;
	p->v.n = 0;
	arena_free(p->names);
	p->names = NULL;
}

static void process_free(struct jits *js, struct process *p)
{
	clear(js, p);
	vec_free(&p->v);
	free(p);
}

void jits_free(struct jits *js)
{
	for (size_t i = 0; i < js->processes.n; i++)
		if (js->processes.entries[i].key)
			process_free(js, js->processes.entries[i].value);
	hash_free(&js->processes);
	free(js);
}

/* Of those that have no file only when it was looked for is known: it may be forgotten. */
static void sweep(struct jits *js)
{
	for (size_t i = 0; i < js->processes.n; i++) {
		struct process *p = js->processes.entries[i].value;

		if (!p || p->v.n)
			continue;
		hash_remove(&js->processes, &p->pid, sizeof(p->pid));
		process_free(js, p);
	}
	js->sweep_at = MAX(2 * js->processes.live, (size_t)IDLE_MAX);
}

static struct process *process_of(struct jits *js, pid_t pid)
{
	struct process **p;

	if (js->processes.live >= js->sweep_at)
		sweep(js);
	p = (struct process **)hash_ref(&js->processes, &pid, sizeof(pid));
	if (!*p) {
		*p = xcalloc(1, sizeof(**p));
		(*p)->pid = pid;
	}
	return *p;
}

static int by_addr(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void take_line(struct process *p, const char *line)
{
	struct symbol s = {.order = p->read};
	int at = 0;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &s.addr, &s.size, &at) < 2 || !at || !line[at])
		return;
	if (!p->names)
		p->names = arena_new();
	s.name = arena_strdup(p->names, line + at);
	vec_push(&p->v, s);
}

/* The lines that have come since; the last one may be in the making. */
static void read_on(struct jits *js, struct process *p, int fd)
{
	char *text = xmalloc(BUFFER), *line, *end;
	int before = p->v.n;
	ssize_t n;

	while (js->cost < COST_MAX && (n = pread(fd, text, BUFFER, p->read)) > 0) {
		uint64_t cost = p->v.n * sizeof(*p->v.v) + p->read;

		for (line = text; (end = memchr(line, '\n', text + n - line)); line = end + 1) {
			*end = '\0';
			take_line(p, line);
			p->read += end + 1 - line;
		}
		if (line == text && n < BUFFER)
			break;
		if (line == text)
			p->read += n;
		cost = p->v.n * sizeof(*p->v.v) + p->read - cost;
		p->cost += cost;
		js->cost += cost;
	}
	free(text);
	if (p->v.n > before)
		qsort(p->v.v, p->v.n, sizeof(*p->v.v), by_addr);
}

/* The number that a process has in its own pid namespace: the last one of NSpid. */
static pid_t inner_pid(pid_t pid)
{
	char path[64], line[512];
	pid_t inner = pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6))
			for (char *s = strtok(line + 6, " \t\n"); s; s = strtok(NULL, " \t\n"))
				inner = atoi(s);
	if (f)
		fclose(f);
	return inner;
}

/* Also one that nobody has waited for yet: it has no root any more. */
static bool has_ended(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root/", pid);
	return access(path, F_OK) && errno == ENOENT;
}

/* Whoever may write to /tmp could have put anything there: opening it must neither wait nor lead elsewhere. */
static int open_map(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
}

/* Is it the file that was read before, with more behind that at most? */
static bool is_same(struct process *p, int fd, const struct stat *st)
{
	char head[HEAD] = {0};
	ssize_t n = pread(fd, head, MIN(p->read, (uint64_t)HEAD), 0);
	bool same = st->st_ino == p->inode && (uint64_t)st->st_size >= p->read && n >= 0 && !memcmp(head, p->head, n);

	p->inode = st->st_ino;
	return same;
}

/* Reads what the file has that was not read yet. */
static void look(struct jits *js, struct process *p)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct stat st;
	char *path;
	int fd;

	if (p->looked_ns && now - p->looked_ns < AGAIN_NS)
		return;
	p->looked_ns = now;
	path = xasprintf("/proc/%d/root/tmp/perf-%d.map", p->pid, inner_pid(p->pid));
	fd = open_map(path);
	if (fd < 0 && has_ended(p->pid)) /* what it left may be there */
		fd = open_map(strstr(path, "/tmp/"));
	free(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		if (!is_same(p, fd, &st)) /* it was written anew */
			clear(js, p);
		read_on(js, p, fd);
		memset(p->head, 0, HEAD);
		pread(fd, p->head, MIN(p->read, (uint64_t)HEAD), 0);
	}
	close(fd);
}

static const struct symbol *symbol_at(const struct process *p, uint64_t addr)
{
	int low = 0, high = p->v.n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (p->v.v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr - p->v.v[low - 1].addr < p->v.v[low - 1].size ? &p->v.v[low - 1] : NULL;
}

bool jits_find(struct jits *js, pid_t pid, uint64_t addr, const char **name, uint64_t *off)
{
	struct process *p = process_of(js, pid);
	const struct symbol *s = symbol_at(p, addr);

	if (!s) {
		look(js, p);
		s = symbol_at(p, addr);
	}
	if (!s)
		return false;
	*name = s->name;
	*off = addr - s->addr;
	return true;
}
