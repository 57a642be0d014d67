/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup's number is its directory's, and a file handle of the hierarchy's file system is nothing
 * but that number: so the kernel finds the directory, and we need not walk the tree.
 * Numbers are never given out twice. Users with a part of the hierarchy make as many directories as
 * they like: what is remembered is dropped when it is too much.
 */
#include "libdt/symbols/cgroup.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "libdt/base/cached.h"
#include "libdt/base/hash.h"
#include "libdt/base/nearest.h"
#include "libdt/record/answers.h"

enum { FILEID_KERNFS = 0xfe };

/* Of paths that are remembered, and about what each takes besides. */
enum { PATHS_MAX = 8 << 20, PATH_BYTES = 128 };

struct cgroups {
	struct hash paths; /* number -> text; "" for none */
	size_t bytes;	   /* of them */
	bool looked;
	int mount;		 /* -1: there is none */
	char *at;		 /* where it is */
	struct answers *answers; /* NULL: no recording or replay */
};

struct cgroups *cgroups_new(void)
{
	struct cgroups *c = xcalloc(1, sizeof(*c));

	c->mount = -1;
	return c;
}

static void forget(struct cgroups *c)
{
	for (size_t i = 0; i < c->paths.n; i++)
		free(c->paths.entries[i].value);
	hash_free(&c->paths);
	c->paths = (struct hash){0};
	c->bytes = 0;
}

void cgroups_free(struct cgroups *c)
{
	if (!c)
		return;
	forget(c);
	if (c->mount >= 0)
		close(c->mount);
	free(c->at);
	free(c);
}

static void find_mount(struct cgroups *c)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;

	c->looked = true;
	while (f && c->mount < 0 && (m = getmntent(f))) {
		if (strcmp(m->mnt_type, "cgroup2"))
			continue;
		c->mount = open(m->mnt_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (c->mount >= 0)
			c->at = xstrdup(strcmp(m->mnt_dir, "/") ? m->mnt_dir : "");
	}
	if (f)
		endmntent(f);
}

static int open_group(const struct cgroups *c, uint64_t id)
{
	union {
		struct file_handle handle;
		char space[sizeof(struct file_handle) + sizeof(id)];
	} u = {.handle = {.handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS}};

	memcpy(u.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(c->mount, &u.handle, O_PATH | O_CLOEXEC);
}

/* The directory's path below the mount point; "" where it is unknown. */
static char *look(struct cgroups *c, uint64_t id)
{
	char link[64], path[PATH_MAX];
	size_t skip;
	ssize_t len;
	int fd;

	if (!c->looked)
		find_mount(c);
	fd = c->mount < 0 ? -1 : open_group(c, id);
	if (fd < 0)
		return xstrdup("");
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	close(fd);
	path[MAX(len, 0)] = '\0';
	skip = strlen(c->at);
	if (len < (ssize_t)skip || memcmp(path, c->at, skip) || (path[skip] && path[skip] != '/'))
		return xstrdup("");
	return xstrdup(path[skip] ? path + skip : "/");
}

void cgroups_set_answers(struct cgroups *c, struct answers *as)
{
	c->answers = as;
}

const char *cgroups_path(struct cgroups *c, uint64_t id)
{
	const char *path = c ? hash_get(&c->paths, &id, sizeof(id)) : NULL;

	if (c && answers_replay(c->answers))
		return answers_get(c->answers, ASK_CGROUP, 0, id, NULL).first;
	if (c && !path) {
		path = look(c, id);
		if (c->bytes > PATHS_MAX)
			forget(c);
		c->bytes += strlen(path) + PATH_BYTES;
		hash_put(&c->paths, &id, sizeof(id), (void *)path);
		answers_note(c->answers, ASK_CGROUP, 0, id, NULL,
			     (struct answer){.known = *path, .first = *path ? path : NULL});
	}
	return path && *path ? path : NULL;
}

enum { ID_DIGITS = 64, ID_SHORT = 12, ID_LEAST = 4 };

static bool has_suffix(const char *s, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && !memcmp(s + len - n, suffix, n);
}

/* The id in "docker-ID.scope", "cri-containerd-ID.scope", "ID": 64 hexadecimal digits at the end,
 * alone or after a hyphen. */
static const char *find_id(const char *s, size_t len)
{
	len -= has_suffix(s, len, ".scope") ? strlen(".scope") : 0;
	if (len < ID_DIGITS || (len > ID_DIGITS && s[len - ID_DIGITS - 1] != '-'))
		return NULL;
	for (size_t i = len - ID_DIGITS; i < len; i++)
		if (!isxdigit((unsigned char)s[i]))
			return NULL;
	return s + len - ID_DIGITS;
}

/* "\\x2d" in names of systemd's units is '-'. */
static void add_unit(const char *s, size_t len, struct strbuf *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned byte;

		if (s[i] == '\\' && i + 4 <= len && s[i + 1] == 'x' &&
		    isxdigit((unsigned char)s[i + 2]) && sscanf(s + i + 2, "%2x", &byte) == 1 &&
		    byte) {
			sb_putc(out, (char)byte);
			i += 3;
		} else {
			sb_putc(out, s[i]);
		}
	}
}

/* What one component of a path names. */
enum group_kind { GROUP_OTHER, GROUP_UNIT, GROUP_CONTAINER };

static enum group_kind name_of(const char *s, size_t len, struct strbuf *out)
{
	static const char *const prefixes[] = {"lxc.payload.", "machine-", "systemd-nspawn@"};
	const char *id = find_id(s, len);
	size_t n;

	out->len = 0;
	if (id) {
		sb_add(out, id, ID_SHORT);
		return GROUP_CONTAINER;
	}
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		n = strlen(prefixes[i]);
		if (len <= n || memcmp(s, prefixes[i], n) || has_suffix(s, len, ".slice"))
			continue;
		len -= has_suffix(s, len, ".scope")	? strlen(".scope")
		       : has_suffix(s, len, ".service") ? strlen(".service")
							: 0;
		add_unit(s + n, len - n, out);
		return GROUP_CONTAINER;
	}
	if (has_suffix(s, len, ".service"))
		add_unit(s, len - strlen(".service"), out);
	else if (has_suffix(s, len, ".scope"))
		add_unit(s, len - strlen(".scope"), out);
	return out->len ? GROUP_UNIT : GROUP_OTHER;
}

void cgroup_container(const char *path, struct strbuf *out)
{
	struct strbuf name = {0}, best = {0};
	enum group_kind kind, is = GROUP_OTHER;

	for (size_t len; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		kind = name_of(path, len, &name);
		if (kind == GROUP_OTHER || kind < is)
			continue;
		is = kind;
		best.len = 0;
		sb_add(&best, name.s, name.len);
	}
	sb_add(out, best.s, best.len);
	sb_free(&best);
	sb_free(&name);
}

/* Is it the directory of this name, or of this container or service? */
static bool is_named(const char *dir, const char *word)
{
	struct strbuf name = {0};
	const char *id = find_id(dir, strlen(dir));
	bool is = !strcmp(dir, word) ||
		  (id && strlen(word) >= ID_LEAST && !strncmp(id, word, strlen(word))) ||
		  (name_of(dir, strlen(dir), &name) != GROUP_OTHER && !strcmp(sb_str(&name), word));

	sb_free(&name);
	return is;
}

static int is_directory(const struct dirent *e)
{
	return e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

typedef bool group_fn(void *arg, const char *path, const char *name);

static void each_group_of(uint64_t dev, const char *path, group_fn *fn, void *arg)
{
	struct dirent **dirs;
	int n = scandir(*path ? path : "/", &dirs, is_directory, by_name);
	struct cached c;

	if (n < 0)
		return;
	for (int i = 0; i < n; i++) {
		char *sub = xasprintf("%s/%s", path, dirs[i]->d_name);

		if (cached_at(AT_FDCWD, sub, &c) && c.dev == dev && fn(arg, sub, dirs[i]->d_name))
			each_group_of(dev, sub, fn, arg);
		free(sub);
		free(dirs[i]);
	}
	free(dirs);
}

/* The groups below that of a path, by name, each before those in it, which are left out if fn is
 * false. What is mounted there is no group. */
static void each_group(const char *path, group_fn *fn, void *arg)
{
	struct cached top;

	if (cached_at(AT_FDCWD, *path ? path : "/", &top))
		each_group_of(top.dev, path, fn, arg);
}

/* Keeps the name of a container, service or directory that is nearest. */
static void consider(struct arena *a, const char *dir, struct nearest *near)
{
	struct strbuf name = {0};
	const char *names[] = {dir, NULL};

	if (name_of(dir, strlen(dir), &name) != GROUP_OTHER)
		names[1] = sb_str(&name);
	for (int i = 0; i < 2 && names[i]; i++)
		if (nearest_try(near, names[i]))
			near->best = arena_strdup(a, names[i]);
	sb_free(&name);
}

/* A group of that name, and what to say if it is not the only one or there is none. */
struct search {
	const struct cgroups *c;
	struct arena *a;
	const char *word, *found, *why;
	struct nearest nearest; /* to the word */
};

static bool compare(void *arg, const char *path, const char *name)
{
	struct search *s = arg;
	size_t at = strlen(s->c->at);

	if (!is_named(name, s->word)) {
		consider(s->a, name, &s->nearest);
		return true;
	}
	if (s->found)
		s->why = arena_printf(s->a, "several control groups have the name %s: %s, %s",
				      s->word, s->found + at, path + at);
	else
		s->found = arena_strdup(s->a, path);
	return false;
}

static int search(struct cgroups *c, const char *word, struct arena *a, const char **why)
{
	struct search s = {.c = c, .a = a, .word = word, .nearest = nearest_to(word)};
	const char *near;
	int fd;

	each_group(c->at, compare, &s);
	*why = s.why;
	if (*why)
		return -EEXIST;
	fd = s.found ? open(s.found, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd >= 0)
		return fd;
	near = s.nearest.best;
	*why = arena_printf(a, "no control group, container or service is named %s%s%s%s", word,
			    near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return -ENOENT;
}

/* A directory of cgroup2, by its path; -1. */
static int open_directory(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd >= 0 && (fstatfs(fd, &fs) || fs.f_type != CGROUP2_SUPER_MAGIC)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int cgroups_open(struct cgroups *c, const char *word, struct arena *a, const char **why)
{
	int fd = -1;
	char *end;
	uint64_t id = strtoull(word, &end, 10);

	if (!c->looked)
		find_mount(c);
	if (c->mount < 0) {
		*why = "cgroup2 is not mounted";
		return -ENOENT;
	}
	if (*word == '/') {
		fd = open_directory(word);
		if (fd < 0)
			fd = open_directory(arena_printf(a, "%s%s", c->at, word));
		*why = arena_printf(
		    a,
		    "%s is not the directory of a control group of the unified hierarchy (cgroup2)",
		    word);
		return fd < 0 ? -ENOENT : fd;
	}
	if (*word && !*end && isdigit((unsigned char)*word) && strlen(word) < ID_SHORT)
		fd = open_group(c, id);
	return fd >= 0 ? fd : search(c, word, a, why);
}

struct reader {
	void (*fn)(void *arg, pid_t pid);
	void *arg;
};

static bool read_processes(void *arg, const char *dir, const char *name)
{
	struct reader *r = arg;
	char *path = xasprintf("%s/cgroup.procs", dir);
	FILE *f = fopen(path, "re");
	int pid;

	(void)name;
	while (f && fscanf(f, "%d", &pid) == 1)
		if (pid) /* 0: of another PID namespace */
			r->fn(r->arg, pid);
	if (f)
		fclose(f);
	free(path);
	return true;
}

void cgroup_processes(int group, void (*fn)(void *arg, pid_t pid), void *arg)
{
	char *top = xasprintf("/proc/self/fd/%d/.", group);
	struct reader r = {fn, arg};

	read_processes(&r, top, "");
	each_group(top, read_processes, &r);
	free(top);
}

/* The group of a process, below the mount point: "./system.slice/cron.service"; NULL: unknown. */
static char *group_of(pid_t pid)
{
	char *name = xasprintf("/proc/%d/cgroup", (int)pid), *line = NULL, *path = NULL;
	FILE *f = fopen(name, "re");
	size_t cap = 0;

	while (f && !path && getline(&line, &cap, f) > 0)
		if (!strncmp(line, "0::/", 4))
			path = xasprintf(".%.*s", (int)strcspn(line + 3, "\n"), line + 3);
	if (f)
		fclose(f);
	free(line);
	free(name);
	return path;
}

bool cgroups_contain(struct cgroups *c, int group, pid_t pid)
{
	char *path = group_of(pid), *end;
	struct stat wanted, st;
	bool found = false;

	if (!c->looked)
		find_mount(c);
	for (end = path; end && !found && !fstat(group, &wanted); end = strrchr(path, '/')) {
		if (end != path)
			*end = '\0';
		found = !fstatat(c->mount, path, &st, 0) && st.st_ino == wanted.st_ino &&
			st.st_dev == wanted.st_dev;
	}
	free(path);
	return found;
}
