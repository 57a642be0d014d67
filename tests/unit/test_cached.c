/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of a file without asking its file system is what stat() says, on a local one. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/cached.h"

static void must_be(const struct cached *c, const struct stat *st)
{
	ck_assert_uint_eq(c->dev, st->st_dev);
	ck_assert_uint_eq(c->inode, st->st_ino);
	ck_assert_uint_eq(c->size, st->st_size);
	ck_assert_uint_eq(c->uid, st->st_uid);
	ck_assert_uint_eq(c->mode, st->st_mode);
	ck_assert_uint_eq(c->modified, st->st_mtim.tv_sec * 1000000000ull + st->st_mtim.tv_nsec);
	ck_assert_uint_eq(c->changed, st->st_ctim.tv_sec * 1000000000ull + st->st_ctim.tv_nsec);
}

START_TEST(as_stat)
{
	char path[] = "/tmp/dt-cached-XXXXXX", link[sizeof(path) + 5];
	const struct timespec times[] = {{1, 2}, {1000000000, 987654321}};
	int fd = mkstemp(path);
	struct cached c;
	struct stat st;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "text", 4), 4);
	ck_assert_int_eq(futimens(fd, times), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_mtim.tv_nsec, 987654321);
	ck_assert(cached_at(AT_FDCWD, path, &c));
	must_be(&c, &st);
	ck_assert(cached_at(fd, "", &c));
	must_be(&c, &st);

	strcat(strcpy(link, path), ".link");
	ck_assert_int_eq(symlink(path, link), 0);
	ck_assert(cached_at(AT_FDCWD, link, &c));
	must_be(&c, &st);
	unlink(path);
	ck_assert(!cached_at(AT_FDCWD, link, &c) && errno == ENOENT);
	unlink(link);
	close(fd);
}
END_TEST

START_TEST(as_stat_of_links)
{
	struct cached c;
	struct stat st;

	ck_assert_int_eq(stat("/proc/self/ns/mnt", &st), 0);
	ck_assert(cached_at(AT_FDCWD, "/proc/self/ns/mnt", &c));
	ck_assert_uint_eq(c.inode, st.st_ino);
	ck_assert_int_eq(stat("/proc/self/root", &st), 0);
	ck_assert(cached_at(AT_FDCWD, "/proc/self/root", &c));
	ck_assert_uint_eq(c.dev, st.st_dev);
	ck_assert_uint_eq(c.inode, st.st_ino);
}
END_TEST

Suite *cached_suite(void);
Suite *cached_suite(void)
{
	Suite *s = suite_create("cached");
	TCase *t = tcase_create("cached");

	tcase_add_test(t, as_stat);
	tcase_add_test(t, as_stat_of_links);
	suite_add_tcase(s, t);
	return s;
}
