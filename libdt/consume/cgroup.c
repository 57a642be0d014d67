/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number of a group is that of its folder, and a file handle of the hierarchy's file system is nothing but that number: so the kernel finds the
 * folder, and we need not walk the tree. Numbers are never given out twice.
 */
#include "libdt/consume/cgroup.h"

#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"

enum { FILEID_KERNFS = 0xfe };

struct cgroups {
	struct hash paths; /* number -> text; "" for none */
	bool looked;
	int mount; /* -1: there is none */
	char *at;  /* where it is */
};

struct cgroups *cgroups_new(void)
{
	struct cgroups *c = xcalloc(1, sizeof(*c));

	c->mount = -1;
	return c;
}

void cgroups_free(struct cgroups *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->paths.n; i++)
		free(c->paths.entries[i].value);
	hash_free(&c->paths);
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
		char room[sizeof(struct file_handle) + sizeof(id)];
	} u = {.handle = {.handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS}};

	memcpy(u.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(c->mount, &u.handle, O_PATH | O_CLOEXEC);
}

/* The part of the folder's path that is behind the mount's; "" where that cannot be told. */
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

const char *cgroups_path(struct cgroups *c, uint64_t id)
{
	const char *path = c ? hash_get(&c->paths, &id, sizeof(id)) : NULL;

	if (c && !path) {
		path = look(c, id);
		hash_put(&c->paths, &id, sizeof(id), (void *)path);
	}
	return path && *path ? path : NULL;
}
