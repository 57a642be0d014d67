/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/proc_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libdt/base/mem.h"

struct proc_maps {
	int refs;
	VEC(struct mapping) v;
	uint64_t cost, *total; /* what it takes, also added to *total unless that is NULL */
};

/* A path. Neighbours have the same one as a rule, and so have copies of a list. */
struct text {
	int refs;
	char s[];
};

static struct text *text_of(const char *path)
{
	return (struct text *)(path - offsetof(struct text, s));
}

static const char *text_new(const char *s, size_t len)
{
	struct text *t = xmalloc(sizeof(*t) + len + 1);

	t->refs = 1;
	memcpy(t->s, s, len);
	t->s[len] = '\0';
	return t->s;
}

static const char *text_share(const char *path)
{
	text_of(path)->refs++;
	return path;
}

static void text_drop(const char *path)
{
	if (!--text_of(path)->refs)
		free(text_of(path));
}

static void charge(struct proc_maps *m, int64_t cost)
{
	m->cost += cost;
	if (m->total)
		*m->total += cost;
}

/* Each as if its path were its own. */
static int64_t cost_of(const struct mapping *one)
{
	return sizeof(*one) + sizeof(struct text) + strlen(one->path) + 1;
}

/* Puts a mapping, whose path becomes the list's, at that place. */
static void insert(struct proc_maps *m, int at, struct mapping one)
{
	vec_push(&m->v, one);
	memmove(&m->v.v[at + 1], &m->v.v[at], (m->v.n - 1 - at) * sizeof(one));
	m->v.v[at] = one;
	charge(m, cost_of(&one));
}

static void drop_mappings(struct proc_maps *m, int from, int to)
{
	for (int i = from; i < to; i++) {
		charge(m, -cost_of(&m->v.v[i]));
		text_drop(m->v.v[i].path);
	}
	if (to > from)
		memmove(&m->v.v[from], &m->v.v[to], (m->v.n - to) * sizeof(*m->v.v));
	m->v.n -= to - from;
}

/* The kernel writes a newline of a path as \012, and appends " (deleted)". */
static const char *path_of(const struct proc_maps *m, const char *text, size_t len, bool *deleted)
{
	const char *last = m->v.n ? m->v.v[m->v.n - 1].path : NULL;
	static const char gone[] = " (deleted)";
	size_t tail = sizeof(gone) - 1;
	char *path, *to;

	*deleted = len > tail && !memcmp(text + len - tail, gone, tail);
	if (*deleted)
		len -= tail;
	path = to = (char *)text_new(text, len);
	for (const char *p = path; *p; p++) {
		if (!strncmp(p, "\\012", 4)) {
			*to++ = '\n';
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	if (!last || strcmp(last, path))
		return path;
	text_drop(path);
	return text_share(last);
}

/* "7f0000-7f1000 r-xp 00001000 08:01 1234    /lib/x.so" */
static void parse_line(struct proc_maps *m, const char *line, size_t len)
{
	unsigned major, minor;
	struct mapping one = {0};
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 "%n", &one.start,
		   &one.end, perms, &one.off, &major, &minor, &one.inode, &at) < 7 ||
	    !at || (size_t)at > len || one.end <= one.start || strlen(perms) < 3)
		return;
	while ((size_t)at < len && line[at] == ' ')
		at++;
	one.dev = makedev(major, minor);
	one.exec = perms[2] == 'x';
	one.write = perms[1] == 'w';
	one.path = path_of(m, line + at, len - at, &one.deleted);
	insert(m, m->v.n, one);
}

struct proc_maps *proc_maps_parse(const char *text)
{
	struct proc_maps *m = xcalloc(1, sizeof(*m));

	m->refs = 1;
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = xmalloc(len + 1);

		memcpy(line, text, len);
		line[len] = '\0';
		parse_line(m, line, len);
		free(line);
		text += len + (text[len] == '\n');
	}
	if (m->v.n) { /* it may be kept for long */
		m->v.v = xrealloc(m->v.v, m->v.n * sizeof(*m->v.v));
		m->v.cap = m->v.n;
	}
	return m;
}

struct proc_maps *proc_maps_read(pid_t pid)
{
	struct strbuf text = {0};
	char path[64], buf[8192];
	struct proc_maps *m;
	ssize_t n;
	int fd, err;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		sb_add(&text, buf, n);
	err = n < 0 ? errno : text.len ? 0 : ESRCH; /* a zombie's is empty */
	close(fd);
	m = err ? NULL : proc_maps_parse(sb_str(&text));
	sb_free(&text);
	errno = err;
	return m;
}

void proc_maps_free(struct proc_maps *m)
{
	if (!m || --m->refs)
		return;
	drop_mappings(m, 0, m->v.n);
	vec_free(&m->v);
	free(m);
}

struct proc_maps *proc_maps_share(struct proc_maps *m)
{
	if (m)
		m->refs++;
	return m;
}

/* A list that is not shared. */
static struct proc_maps *writable(struct proc_maps *old)
{
	struct proc_maps *m;

	if (old && old->refs == 1)
		return old;
	m = xcalloc(1, sizeof(*m));
	m->refs = 1;
	m->total = old ? old->total : NULL;
	for (int i = 0; old && i < old->v.n; i++) {
		text_share(old->v.v[i].path);
		insert(m, i, old->v.v[i]);
	}
	proc_maps_free(old);
	return m;
}

void proc_maps_count(struct proc_maps *m, uint64_t *total)
{
	if (!m->total)
		*total += m->cost;
	m->total = total;
}

/* The first mapping that ends after an address. */
static int first_after(const struct proc_maps *m, uint64_t addr)
{
	int low = 0, high = m->v.n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (m->v.v[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void cut_front(struct mapping *m, uint64_t start)
{
	m->off += start - m->start;
	m->start = start;
}

struct proc_maps *proc_maps_add(struct proc_maps *old, const struct mapping *one)
{
	struct proc_maps *m = writable(old);
	int at = first_after(m, one->start), to;
	struct mapping own = *one;

	if (at < m->v.n && m->v.v[at].start < one->start) {
		if (m->v.v[at].end > one->end) { /* it continues after the new one */
			text_share(m->v.v[at].path);
			insert(m, at + 1, m->v.v[at]);
			cut_front(&m->v.v[at + 1], one->end);
		}
		m->v.v[at++].end = one->start;
	}
	for (to = at; to < m->v.n && m->v.v[to].end <= one->end; to++)
		;
	drop_mappings(m, at, to);
	if (at < m->v.n && m->v.v[at].start < one->end)
		cut_front(&m->v.v[at], one->end);
	own.path = text_new(one->path, strlen(one->path));
	insert(m, at, own);
	return m;
}

const struct mapping *proc_maps_all(const struct proc_maps *m, int *n)
{
	*n = m->v.n;
	return m->v.v;
}

const struct mapping *proc_maps_at(const struct proc_maps *m, uint64_t addr)
{
	int at = first_after(m, addr);

	return at < m->v.n && m->v.v[at].start <= addr ? &m->v.v[at] : NULL;
}

bool mapping_is_vdso(const struct mapping *m)
{
	return !strcmp(m->path, "[vdso]") && m->end > UINT32_MAX;
}
