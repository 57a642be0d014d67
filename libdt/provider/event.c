/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of tracefs. There are thousands, and opening a file there costs microseconds, so names are
 * read a directory at a time and an event's number only when its name matches. Both are cached for
 * the session.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/feat.h"
#include "libdt/provider/event.h"

enum { MAX_ID = 65535, MAX_FORMAT = 1 << 20 };
/* Looking a name up in all groups takes a failing open() in each of a hundred. To read the names of
 * all groups costs as much as three of these. */
enum { MOST_LOOKUPS = 3 };

struct events {
	struct hash by_name; /* "group/name" -> struct event */
	struct hash groups;  /* name -> names in it, NULL-terminated */
	const char *const *all_groups;
	bool groups_known;
	int lookups; /* of a name in all groups */
	int dir;     /* the directory events/, open; 0: not tried yet; -1: it cannot be opened */
};

static void events_free(void *state)
{
	struct events *ev = state;

	hash_free(&ev->by_name);
	hash_free(&ev->groups);
	if (ev->dir > 0)
		close(ev->dir);
}

static struct events *events_get(struct probes *ps)
{
	return probes_state(ps, "event.c", sizeof(struct events), events_free);
}

/* A name from a description goes into a path: it must not leave its directory. */
static bool is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

/* Events have names as C has, so "tick-1s" need not be looked for in every group. */
static bool is_event_name(const char *name)
{
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* The directories in tracefs's events/sub, sub being "" or a group. NULL when it cannot be read. */
static const char *const *directories(struct probes *ps, const char *sub)
{
	struct arena *a = probes_arena(ps);
	VEC(const char *) names = {0};
	const char **result;
	struct dirent *d;
	DIR *dir;

	if (!probes_tracefs(ps))
		return NULL;
	dir = opendir(arena_printf(a, "%s/events/%s", probes_tracefs(ps), sub));
	if (!dir)
		return NULL;
	while ((d = readdir(dir)))
		if ((d->d_type == DT_DIR || d->d_type == DT_UNKNOWN) && is_plain(d->d_name))
			vec_push(&names, arena_strdup(a, d->d_name));
	closedir(dir);
	result = arena_alloc(a, (size_t)(names.n + 1) * sizeof(*result));
	if (names.n)
		memcpy(result, names.v, (size_t)names.n * sizeof(*result));
	vec_free(&names);
	return result;
}

const char *const *event_names(struct probes *ps, const char *group)
{
	struct events *ev = events_get(ps);
	const char *const *names = hash_gets(&ev->groups, group);

	if (!names && is_plain(group)) {
		names = directories(ps, group);
		if (names)
			hash_puts(&ev->groups, group, (void *)names);
	}
	return names;
}

/* Reads at most size - 1 bytes of a file and terminates them; their number or -1. */
static ssize_t slurp(int dir, const char *path, char *buf, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	while (len < size - 1) {
		n = read(fd, buf + len, size - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	close(fd);
	buf[len] = '\0';
	return (ssize_t)len;
}

/* dir is the directory events/. One read() is enough, and there are thousands of events. */
static uint32_t read_id(int dir, const char *key)
{
	char path[512], text[16], *end;
	unsigned long id;
	ssize_t n;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/id", key) >= sizeof(path))
		return 0;
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	id = strtoul(text, &end, 10);
	return end != text && id <= MAX_ID ? (uint32_t)id : 0;
}

/* The event "group/name"; dir is events/. Absent ones are not remembered, they may come. */
static struct event *event_at(struct probes *ps, int dir, const char *group, const char *name)
{
	struct events *ev = events_get(ps);
	struct arena *a = probes_arena(ps);
	char key[256];
	struct event *e;
	uint32_t id;

	if (!is_plain(group) || !is_plain(name) ||
	    (size_t)snprintf(key, sizeof(key), "%s/%s", group, name) >= sizeof(key))
		return NULL;
	e = hash_gets(&ev->by_name, key);
	if (e)
		return e;
	id = read_id(dir, key);
	if (!id)
		return NULL;
	e = arena_alloc(a, sizeof(*e));
	e->ps = ps;
	e->group = arena_strdup(a, group);
	e->name = arena_strdup(a, name);
	e->id = id;
	hash_puts(&ev->by_name, key, e);
	return e;
}

static int events_dir(struct probes *ps)
{
	struct events *ev = events_get(ps);
	const char *tracefs = probes_tracefs(ps);

	if (!ev->dir && tracefs)
		ev->dir = open(arena_printf(probes_arena(ps), "%s/events", tracefs),
			       O_PATH | O_DIRECTORY | O_CLOEXEC);
	return ev->dir > 0 ? ev->dir : -1;
}

struct event *event_find(struct probes *ps, const char *group, const char *name)
{
	int dir = events_dir(ps);

	return dir >= 0 ? event_at(ps, dir, group, name) : NULL;
}

/* Groups that are not tracepoints, or that the syscall provider has in a better form. */
static bool is_hidden(const char *group)
{
	static const char *const hidden[] = {"syscalls", "ftrace",  "kprobes",	"uprobes",
					     "eprobes",	 "fprobes", "synthetic"};

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (!strcmp(group, hidden[i]))
			return true;
	return false;
}

/* Has the group been read, and does it lack the literal name? Searching the list saves an open()
 * in each of a hundred groups. */
static bool is_known_absent(struct probes *ps, const char *group, const char *name)
{
	const char *const *names = hash_gets(&events_get(ps)->groups, group);

	if (!names || !glob_is_literal(name))
		return false;
	while (*names && strcmp(*names, name))
		names++;
	return !*names;
}

static void group_each(struct probes *ps, const char *group, const char *name,
		       void (*fn)(void *arg, struct event *e), void *arg)
{
	bool literal = glob_is_literal(name);
	const char *const one[] = {name, NULL};
	const char *const *names = literal ? one : event_names(ps, group);

	for (; names && *names; names++) {
		struct event *e = NULL;

		if (literal || glob_fits(name, *names))
			e = event_find(ps, group, *names);
		if (e)
			fn(arg, e);
	}
}

/* The groups, and from the MOST_LOOKUPS-th time on that a literal name is looked up in them the
 * names in each, for is_known_absent(). */
static const char *const *groups_for(struct probes *ps, const char *name)
{
	struct events *ev = events_get(ps);

	if (!ev->groups_known)
		ev->all_groups = directories(ps, "");
	ev->groups_known = true;
	if (glob_is_literal(name) && ++ev->lookups == MOST_LOOKUPS)
		for (const char *const *g = ev->all_groups; g && *g; g++)
			if (!is_hidden(*g))
				event_names(ps, *g);
	return ev->all_groups;
}

void events_each(struct probes *ps, const char *group, const char *name,
		 void (*fn)(void *arg, struct event *e), void *arg)
{
	if ((glob_is_literal(name) && !is_event_name(name)) || events_dir(ps) < 0)
		return;
	if (glob_is_literal(group)) {
		if (!is_hidden(group))
			group_each(ps, group, name, fn, arg);
		return;
	}
	for (const char *const *g = groups_for(ps, name); g && *g; g++)
		if (glob_fits(group, *g) && !is_hidden(*g) && !is_known_absent(ps, *g, name))
			group_each(ps, *g, name, fn, arg);
}

const char *events_unreadable(struct probes *ps)
{
	const char *why, *advice = "mount it: mount -t tracefs tracefs /sys/kernel/tracing";

	if (probes_tracefs(ps))
		return NULL;
	why = probes_tracefs_error(ps);
	if (feat_locked_down()) /* tracefs is mounted, and empty */
		return "this kernel hides tracefs, which lists its tracepoints "
		       "(lockdown=confidentiality; integrity allows it)";
	if (geteuid() != 0)
		advice = "run dtrace as root";
	return arena_printf(
	    probes_arena(ps),
	    "tracefs, which lists the kernel's tracepoints, cannot be read (%s): %s", why, advice);
}

struct format *event_format(struct event *e)
{
	struct strbuf path = {0};
	char *text;

	if (e->format_known)
		return e->format;
	e->format_known = true;
	sb_printf(&path, "%s/events/%s/%s/format", probes_tracefs(e->ps), e->group, e->name);
	text = xmalloc(MAX_FORMAT);
	if (slurp(AT_FDCWD, path.s, text, MAX_FORMAT) > 0)
		e->format = format_parse(probes_types(e->ps), text);
	free(text);
	sb_free(&path);
	return e->format;
}
