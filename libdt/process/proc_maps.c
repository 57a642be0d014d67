/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/proc_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/process/task.h"

/*
 * The kernel prints a path of any length for each mapping (a user nests directories without end),
 * and a process has 65,530 mappings by default. So the text is read in parts, and only up to the
 * limits. Longer paths than PATH_MAX cannot be opened.
 */
enum {
	PART_BYTES = 16 << 10,
	LINE_BYTES = 128 + 4 * PATH_MAX, /* a newline of a path is printed as \012 */
};

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
	if (to - path >= PATH_MAX)
		*path = '\0';
	if (!last || strcmp(last, path))
		return path;
	text_drop(path);
	return text_share(last);
}

/* "7f0000-7f1000 r-xp 00001000 08:01 1234    /lib/x.so". whole: with all of its path. */
static void parse_line(struct proc_maps *m, const char *line, size_t len, bool whole)
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
	one.path = path_of(m, line + at, whole ? len - at : 0, &one.deleted);
	insert(m, m->v.n, one);
}

/* Text that comes in parts. */
struct parser {
	struct proc_maps *m;
	char line[LINE_BYTES]; /* the beginning of a line that has not ended yet */
	size_t len;	       /* may be more than fits */
};

static void end_line(struct parser *p)
{
	size_t len = MIN(p->len, sizeof(p->line) - 1);

	p->line[len] = '\0';
	if (p->len && p->m->v.n < PROC_MAPS_MAX)
		parse_line(p->m, p->line, len, len == p->len);
	p->len = 0;
}

static void parse_part(struct parser *p, const char *text, size_t n)
{
	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;

		if (p->len < sizeof(p->line))
			memcpy(p->line + p->len, text, MIN(len, sizeof(p->line) - p->len));
		p->len += len;
		if (!end)
			break;
		end_line(p);
		text += len + 1;
		n -= len + 1;
	}
}

static struct parser *parser_new(void)
{
	struct parser *p = xmalloc(sizeof(*p));

	p->len = 0;
	p->m = xcalloc(1, sizeof(*p->m));
	p->m->refs = 1;
	return p;
}

static struct proc_maps *parser_end(struct parser *p)
{
	struct proc_maps *m = p->m;

	free(p);
	if (m->v.n) { /* it may be kept for long */
		m->v.v = xrealloc(m->v.v, m->v.n * sizeof(*m->v.v));
		m->v.cap = m->v.n;
	}
	return m;
}

struct proc_maps *proc_maps_parse(const char *text)
{
	struct parser *p = parser_new();

	parse_part(p, text, strlen(text));
	end_line(p);
	return parser_end(p);
}

/* Reads until the end or a limit; the text's length, or -errno. */
static int64_t read_text(int fd, struct parser *p, const struct proc_maps_limits *limits,
			 enum proc_maps_cut *cut)
{
	uint64_t until = limits->ns ? clock_ns(CLOCK_MONOTONIC) + limits->ns : 0, total = 0;
	char part[PART_BYTES];
	ssize_t n = 0;

	while (!*cut && (n = read(fd, part, sizeof(part))) > 0) {
		parse_part(p, part, n);
		total += n;
		if (p->m->v.n >= PROC_MAPS_MAX || (limits->bytes && total >= limits->bytes))
			*cut = PROC_MAPS_SIZE;
		else if (until && clock_ns(CLOCK_MONOTONIC) >= until)
			*cut = PROC_MAPS_TIME;
	}
	return n < 0 ? -errno : (int64_t)total;
}

struct proc_maps *proc_maps_read(pid_t pid, const struct proc_maps_limits *limits,
				 enum proc_maps_cut *cut)
{
	struct parser *p;
	struct proc_maps *m;
	char path[64];
	int64_t n;
	int fd;

	*cut = PROC_MAPS_WHOLE;
	snprintf(path, sizeof(path), "/proc/%d/maps", task_shown(pid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	p = parser_new();
	n = read_text(fd, p, limits, cut);
	close(fd);
	if (n > 0 && !*cut)
		end_line(p);
	m = parser_end(p);
	if (n > 0)
		return m;
	proc_maps_free(m);
	errno = n ? -n : ESRCH; /* a zombie's is empty */
	return NULL;
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

uint64_t proc_maps_cost(const struct proc_maps *m)
{
	return m->cost;
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

static bool is_part(const struct mapping *part, const struct mapping *of)
{
	return part->start >= of->start && part->end <= of->end && part->dev == of->dev &&
	       part->inode == of->inode && part->exec == of->exec && part->write == of->write &&
	       part->deleted == of->deleted &&
	       (!part->inode || part->off - of->off == part->start - of->start) &&
	       !strcmp(part->path, of->path);
}

bool proc_maps_contains(const struct proc_maps *m, const struct proc_maps *part)
{
	int at = 0;

	for (int i = 0; i < part->v.n; i++) {
		while (at < m->v.n && m->v.v[at].end <= part->v.v[i].start)
			at++;
		if (at == m->v.n || !is_part(&part->v.v[i], &m->v.v[at]))
			return false;
	}
	return true;
}

bool proc_maps_each_code(const struct proc_maps *m, void (*fn)(void *arg, const struct mapping *m),
			 void *arg)
{
	struct hash files = {0};
	bool all = true;

	for (int i = 0; i < m->v.n && all; i++) {
		const struct mapping *one = &m->v.v[i];
		uint64_t key[2] = {one->dev, one->inode};

		if (!one->exec || !one->inode || *one->path != '/' ||
		    hash_get(&files, key, sizeof(key)))
			continue;
		all = files.live < MAPPED_FILES_MAX;
		hash_put(&files, key, sizeof(key), m->v.v);
		if (all)
			fn(arg, one);
	}
	hash_free(&files);
	return all;
}

bool mapping_is_vdso(const struct mapping *m)
{
	return !strcmp(m->path, "[vdso]") && m->end > UINT32_MAX;
}
