/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/user/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libdt/base/mem.h"

struct maps {
	struct arena *arena;
	VEC(struct mapping) v;
};

/* The kernel writes a newline of a path as \012, and " (deleted)" behind it. */
static const char *path_of(struct maps *m, const char *text, size_t len, bool *deleted)
{
	static const char gone[] = " (deleted)";
	size_t tail = sizeof(gone) - 1;
	char *path, *to;

	*deleted = len > tail && !memcmp(text + len - tail, gone, tail);
	if (*deleted)
		len -= tail;
	path = to = arena_strndup(m->arena, text, len);
	for (const char *p = path; *p; p++) {
		if (!strncmp(p, "\\012", 4)) {
			*to++ = '\n';
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return path;
}

/* "7f0000-7f1000 r-xp 00001000 08:01 1234    /lib/x.so" */
static void parse_line(struct maps *m, const char *line, size_t len)
{
	unsigned major, minor;
	struct mapping one = {0};
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 "%n", &one.start, &one.end, perms, &one.off,
		   &major, &minor, &one.inode, &at) < 7 ||
	    !at || (size_t)at > len || one.end <= one.start || strlen(perms) < 3)
		return;
	while ((size_t)at < len && line[at] == ' ')
		at++;
	one.dev = makedev(major, minor);
	one.exec = perms[2] == 'x';
	one.path = path_of(m, line + at, len - at, &one.deleted);
	vec_push(&m->v, one);
}

struct maps *maps_parse(const char *text)
{
	struct maps *m = xcalloc(1, sizeof(*m));

	m->arena = arena_new();
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = xmalloc(len + 1);

		memcpy(line, text, len);
		line[len] = '\0';
		parse_line(m, line, len);
		free(line);
		text += len + (text[len] == '\n');
	}
	return m;
}

struct maps *maps_read(pid_t pid)
{
	struct strbuf text = {0};
	char path[64], buf[8192];
	struct maps *m;
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
	m = err ? NULL : maps_parse(sb_str(&text));
	sb_free(&text);
	errno = err;
	return m;
}

void maps_free(struct maps *m)
{
	if (!m)
		return;
	vec_free(&m->v);
	arena_free(m->arena);
	free(m);
}

const struct mapping *maps_all(const struct maps *m, int *n)
{
	*n = m->v.n;
	return m->v.v;
}

const struct mapping *maps_at(const struct maps *m, uint64_t addr)
{
	int low = 0, high = m->v.n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (m->v.v[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < m->v.n && m->v.v[low].start <= addr ? &m->v.v[low] : NULL;
}

char *mapping_open_path(pid_t pid, const struct mapping *m)
{
	char *link = xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, m->start, m->end);
	int fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0) {
		close(fd);
		return link;
	}
	free(link);
	return xasprintf("/proc/%d/root%s", pid, m->path);
}
