/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files of other users, and files that only root can change. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/mount.h"
#include "libdt/base/cached.h"
#include "libdt/process/foreign_int.h"
#include "libdt/process/task.h"

void foreign_file_init(struct foreign_file *file)
{
	*file = (struct foreign_file){.fd = -1, .own = -1};
}

void foreign_release(struct foreign_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->own >= 0)
		close(file->own);
	free(file->path);
	foreign_file_init(file);
}

const char *foreign_refusal(int err)
{
	switch (err) {
	case -ENODEV:
		return "it is not a regular file";
	case -ESTALE:
		return "it is not the file that is mapped";
	case -ETIMEDOUT:
		return "its file system does not answer (-x foreigntime)";
	case -EBUSY:
		return "reading files of its user takes too long (-x foreigntime)";
	case -ENOSPC:
		return "files of its user take too much memory (-x foreignsize)";
	}
	return strerror(-err);
}

static uint64_t ns_of(struct timespec t)
{
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void take_stat(struct foreign_file *file, const struct stat *st)
{
	file->dev = st->st_dev;
	file->inode = st->st_ino;
	file->size = st->st_size;
	file->uid = st->st_uid;
	file->modified = ns_of(st->st_mtim);
	file->changed = ns_of(st->st_ctim);
}

/* By a descriptor of O_PATH, which is closed. */
static int take_own(int fd, struct foreign_file *file)
{
	char path[64];
	struct stat st;
	int err = foreign_check(fd);

	if (!err) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		file->own = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		err = file->own < 0 || fstat(file->own, &st) ? -errno : 0;
	}
	close(fd);
	if (!err)
		take_stat(file, &st);
	return err;
}

int foreign_find_own(const char *path, struct foreign_file *file)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err;

	foreign_file_init(file);
	if (fd < 0)
		return -errno;
	err = take_own(fd, file);
	if (err)
		foreign_release(file);
	else
		file->path = xstrdup(path);
	return err;
}

/* Can only root (and the user of this process) modify the file? A server of FUSE says of its files
 * what it likes, or never answers: it is not asked. *dev is the directory's above, 0 at first. */
static bool is_trusted(int fd, bool last, uint64_t *dev)
{
	uint64_t above = *dev;
	struct cached c;

	if (!cached_at(fd, "", &c) || (last ? !S_ISREG(c.mode) : !S_ISDIR(c.mode)))
		return false;
	*dev = c.dev;
	return (!c.uid || c.uid == geteuid()) && !(c.mode & (S_IWGRP | S_IWOTH)) &&
	       (!above || above == c.dev || !mount_is_fuse(fd));
}

/* A descriptor of O_PATH of a file that only root can change, by a path where only root can
 * change anything; -1. */
static int open_trusted(const char *path)
{
	int at = *path == '/' ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1, next;
	char name[NAME_MAX + 1];
	uint64_t dev = 0;

	while (at >= 0 && *path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (!len || len > NAME_MAX || !strncmp(path, "..", 2) ||
		    !is_trusted(at, false, &dev)) {
			close(at);
			return -1;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		path += len;
		next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	if (at >= 0 && is_trusted(at, true, &dev))
		return at;
	if (at >= 0)
		close(at);
	return -1;
}

/* m: what it must be, or NULL. */
static bool find_trusted(const char *path, const struct mapping *m, struct foreign_file *file)
{
	int fd = open_trusted(path);

	foreign_file_init(file);
	if (fd < 0)
		return false;
	if (!take_own(fd, file) &&
	    (!m || (file->inode == m->inode &&
		    (file->dev == m->dev || foreign_is_mapped_as(file->own, m->dev, m->inode))))) {
		file->path = xstrdup(path);
		return true;
	}
	foreign_release(file);
	return false;
}

/* The link in map_files, which leads to what is mapped without asking its file system
 * anything. */
static bool find_link(const char *link, bool device, const struct mapping *m, uint32_t payer,
		      struct foreign_file *file)
{
	struct cached c;
	int fd = open(link, O_PATH | O_CLOEXEC);

	foreign_file_init(file);
	if (fd < 0)
		return false;
	if (!cached_at(fd, "", &c) || !S_ISREG(c.mode) || c.inode != m->inode ||
	    (device && c.dev != m->dev)) {
		close(fd);
		return false;
	}
	*file = (struct foreign_file){
	    .fd = fd,
	    .own = -1,
	    .dev = m->dev,
	    .inode = m->inode,
	    .size = c.size,
	    .uid = c.uid,
	    .payer = payer,
	    .modified = c.modified,
	    .changed = c.changed,
	    .path = xstrdup(link),
	};
	return true;
}

static int find(struct foreign *f, pid_t root, const char *path, const struct mapping *m,
		bool no_link, uint32_t payer, struct foreign_file *file)
{
	struct foreign_question q = {
	    .op = FOREIGN_FIND, .root = task_shown(root), .no_link = no_link};
	struct foreign_answer a;
	int fd, err;

	if (!f) /* no helper process: only in tests */
		return root ? -EPERM : foreign_find_own(path, file);
	foreign_file_init(file);
	if (strlen(path) >= sizeof(q.path))
		return -ENAMETOOLONG;
	strcpy(q.path, path);
	if (m) {
		q.is_known = true;
		q.dev = m->dev;
		q.inode = m->inode;
	}
	err = foreign_question(f, &q, -1, payer, NULL, &a, &fd);
	err = err ? err : a.err ? a.err : fd < 0 ? -EIO : 0;
	if (err)
		return err;
	*file = (struct foreign_file){.fd = fd,
				      .own = -1,
				      .dev = a.dev,
				      .inode = a.inode,
				      .size = a.size,
				      .uid = a.uid,
				      .payer = payer == FOREIGN_GONE ? a.uid : payer,
				      .modified = a.modified,
				      .changed = a.changed};
	file->path = root ? xasprintf("/proc/%d/root%s", q.root, path) : xstrdup(path);
	return 0;
}

int foreign_find_below(struct foreign *f, pid_t root, const struct mapping *m,
		       struct foreign_file *file)
{
	return find(f, root, m->path, m, true, foreign_payer_of(f, root), file);
}

/* To be freed. */
static char *link_of(pid_t pid, const struct mapping *m)
{
	return xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, task_shown(pid), m->start,
			 m->end);
}

int foreign_find_mapped(struct foreign *f, pid_t pid, const struct mapping *m,
			struct foreign_file *file)
{
	uint32_t payer;
	char *link;
	bool found;

	if (find_trusted(m->path, m, file))
		return 0;
	payer = foreign_payer_of(f, pid);
	if (!find(f, 0, m->path, m, true, payer, file))
		return 0;
	link = link_of(pid, m);
	found = find_link(link, true, m, payer, file) || !find(f, 0, link, m, false, payer, file);
	free(link);
	return found ? 0 : find(f, pid, m->path, m, true, payer, file);
}

int foreign_version(struct foreign *f, pid_t pid, const struct mapping *m,
		    struct foreign_version *v)
{
	char *link = link_of(pid, m);
	struct foreign_file file;
	int err = 0;

	/* Some file systems have another number for the device there. */
	if (!find_link(link, false, m, FOREIGN_GONE, &file))
		err = foreign_find_mapped(f, pid, m, &file);
	free(link);
	if (err)
		return err;
	*v = (struct foreign_version){m->dev, m->inode, file.modified, file.changed, file.size};
	foreign_release(&file);
	return 0;
}

static bool is_same(const struct foreign_file *a, const struct foreign_file *b)
{
	return a->inode == b->inode && a->size == b->size && a->modified == b->modified &&
	       a->changed == b->changed;
}

int foreign_find_again(struct foreign *f, bool own, struct foreign_file *file)
{
	struct mapping m = {.dev = file->dev, .inode = file->inode, .path = file->path};
	struct foreign_file again;
	int err = 0;

	/* The link first: its file system need not answer. */
	if (own)
		err = find_trusted(file->path, &m, &again) ? 0 : -ESTALE;
	else if (!find_link(file->path, true, &m, file->payer, &again))
		err = find(f, 0, file->path, &m, false, file->payer, &again);
	if (!err && is_same(file, &again)) {
		file->fd = again.fd;
		file->own = again.own;
		again.fd = again.own = -1;
	} else if (!err) {
		err = -ESTALE;
	}
	foreign_release(&again);
	return err;
}

int foreign_find_here(struct foreign *f, pid_t root, const char *path, struct foreign_file *file)
{
	uint32_t payer = root ? foreign_payer_of(f, root) : FOREIGN_GONE;

	return find(f, root, path, NULL, true, payer, file);
}

int foreign_find(struct foreign *f, pid_t root, const char *path, struct foreign_file *file)
{
	if (!f)
		return foreign_find_own(path, file);
	if (!root && find_trusted(path, NULL, file))
		return 0;
	return find(f, root, path, NULL, false, foreign_payer_of(f, root), file);
}
