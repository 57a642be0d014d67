/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are mapped as code, as the kernel reports it: ours, among those of all processes. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/mem.h"
#include "libdt/process/mmap_events.h"

enum { MANY = 20000 };

static struct mmap_events *w;
static struct stat st;
static char path[4096];
static int file;

static void setup(void)
{
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ck_assert_int_gt(n, 0);
	file = open(path, O_RDONLY);
	ck_assert(file >= 0 && !fstat(file, &st));
	w = mmap_events_new(sysconf(_SC_NPROCESSORS_CONF), false, true);
	ck_assert_msg(w, "%s", strerror(errno));
}

static void teardown(void)
{
	mmap_events_free(w);
	close(file);
}

static void map(int prot)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *mem = mmap(NULL, page, prot, MAP_PRIVATE, file, 0);

	ck_assert(mem != MAP_FAILED);
	munmap(mem, page);
}

/* How often we mapped our file, by the events; whether any were lost. */
static int told(bool *any_lost)
{
	struct mmap_event e;
	int n = 0;

	*any_lost = false;
	while (mmap_events_next(w, &e)) {
		*any_lost |= e.kind == MMAP_EVENT_LOST;
		ck_assert(e.kind == MMAP_EVENT_LOST || e.kind == MMAP_EVENT_MAP);
		if (e.kind == MMAP_EVENT_LOST || e.pid != getpid())
			continue;
		ck_assert_str_eq(e.map.path, path);
		ck_assert(e.map.inode == st.st_ino && e.map.exec &&
			  e.map.end - e.map.start == (uint64_t)sysconf(_SC_PAGESIZE));
		n++;
	}
	return n;
}

START_TEST(test_told)
{
	bool lost;

	told(&lost);
	map(PROT_READ);
	map(PROT_READ | PROT_EXEC);
	map(PROT_READ | PROT_EXEC);
	ck_assert_int_eq(told(&lost), 2);
	ck_assert(!lost);
	ck_assert_int_eq(told(&lost), 0);
}
END_TEST

/* More than the rings hold: the loss is reported, and later events follow. */
START_TEST(test_lost)
{
	bool lost = false, again;
	int n;

	for (int i = 0; i < MANY; i++)
		map(PROT_READ | PROT_EXEC);
	n = told(&lost);
	map(PROT_READ | PROT_EXEC); /* the kernel reports it with the next one that fits */
	n += told(&again);
	ck_assert(lost || again);
	ck_assert_int_lt(n, MANY);
	map(PROT_READ | PROT_EXEC);
	ck_assert_int_eq(told(&lost), 1);
	ck_assert(!lost);
}
END_TEST

/* A child's life, in its order wherever it ran. */
START_TEST(test_lives)
{
	struct mmap_events *lives = mmap_events_new(sysconf(_SC_NPROCESSORS_CONF), true, false);
	struct strbuf life = {0};
	struct mmap_event e;
	uint64_t last = 0;
	int status;
	pid_t child;

	ck_assert_msg(lives, "%s", strerror(errno));
	child = fork();
	if (!child) {
		execl("/proc/self/exe", "unit", "--none", NULL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	while (mmap_events_next(lives, &e)) {
		ck_assert(e.kind == MMAP_EVENT_LOST || e.time >= last);
		last = e.time;
		if (e.pid != child)
			continue;
		if (e.kind == MMAP_EVENT_FORK)
			ck_assert_int_eq(e.parent, getpid());
		if (e.kind == MMAP_EVENT_MAP && strcmp(e.map.path, path))
			continue;
		sb_putc(&life, " mfxe"[e.kind]);
	}
	ck_assert_str_eq(sb_str(&life), "fxme");
	ck_assert_uint_ge(mmap_events_until(lives), last);
	mmap_events_free(lives);
	sb_free(&life);
}
END_TEST

struct all {
	bool found;
};

static void on_file(void *arg, pid_t pid, const struct mapping *m)
{
	struct all *all = arg;

	all->found |= pid == getpid() && m->inode == st.st_ino && !strcmp(m->path, path);
}

START_TEST(test_all)
{
	struct all all = {false};

	mmap_events_all(NULL, on_file, &all);
	ck_assert(all.found);
}
END_TEST

Suite *live_mapwatch_suite(void)
{
	Suite *s = suite_create("live mapwatch");
	TCase *tc = tcase_create("kernel");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, test_told);
	tcase_add_test(tc, test_lost);
	tcase_add_test(tc, test_lives);
	tcase_add_test(tc, test_all);
	suite_add_tcase(s, tc);
	return s;
}
