/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings of processes, and the names of their addresses. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/process/foreign.h"
#include "libdt/process/object.h"
#include "libdt/symbols/image_history.h"
#include "libdt/process/proc_maps.h"
#include "libdt/process/task.h"
#include "libdt/symbols/usym.h"
#include "tests/unit/userfix.h"

/*
 * A name that stands for a text of 2^40 words: each pair is of two of the pair before. (What was
 * named before is S_, S0_ to S9_, SA_ to SZ_, S10_ ...: bomb, std::pair, and the pairs.) Objects
 * are untrusted.
 */
/* clang-format off: texts are laid out as D */
#define BOMB                                                                                       \
	"_Z4bombISt4pairIiiES0_IS1_S1_ES0_IS2_S2_ES0_IS3_S3_ES0_IS4_S4_ES0_IS5_S5_ES0_IS6_S6_ES0_" \
	"IS7_S7_E"                                                                                 \
	"S0_IS8_S8_ES0_IS9_S9_ES0_ISA_SA_ES0_ISB_SB_ES0_ISC_SC_ES0_ISD_SD_ES0_ISE_SE_ES0_ISF_SF_"  \
	"ES0_ISG_SG_E"                                                                             \
	"S0_ISH_SH_ES0_ISI_SI_ES0_ISJ_SJ_ES0_ISK_SK_ES0_ISL_SL_ES0_ISM_SM_ES0_ISN_SN_ES0_ISO_SO_"  \
	"ES0_ISP_SP_E"                                                                             \
	"S0_ISQ_SQ_ES0_ISR_SR_ES0_ISS_SS_ES0_IST_ST_ES0_ISU_SU_ES0_ISV_SV_ES0_ISW_SW_ES0_ISX_SX_"  \
	"ES0_ISY_SY_E"                                                                             \
	"S0_ISZ_SZ_ES0_IS10_S10_ES0_IS11_S11_ES0_IS12_S12_ES0_IS13_S13_ES0_IS14_S14_EEvv"
/* clang-format on */
int user_test_bomb(void) __asm__(BOMB);
__attribute__((noinline, used)) int user_test_bomb(void)
{
	return 7;
}

int user_test_readable(int n) __asm__("_Z13readable_hereILi7EEii");
__attribute__((noinline, used)) int user_test_readable(int n)
{
	return n + 2;
}

static struct foreign *reader; /* each test is a process of its own */

/* A process that ends when the second descriptor is closed. */
static pid_t fork_until(int gone[2])
{
	pid_t child;
	char c;

	ck_assert_int_eq(pipe(gone), 0);
	child = fork();
	if (!child) {
		close(gone[1]);
		_exit(read(gone[0], &c, 1) != 0);
	}
	return child;
}

static struct usyms *new_usyms(void)
{
	reader = foreign_new(256 << 20, 10000000000ull, no_report, NULL);
	return usyms_new(reader);
}

static void free_usyms(struct usyms *us)
{
	usyms_free(us);
	foreign_free(reader);
}

START_TEST(mappings)
{
	struct proc_maps *m = foreign_maps(NULL, getpid());
	const struct mapping *at;
	char *text;
	int n;

	ck_assert_ptr_nonnull(m);
	at = proc_maps_at(m, (uintptr_t)user_test_function);
	ck_assert_ptr_nonnull(at);
	ck_assert(at->exec);
	ck_assert_int_eq(*at->path, '/');
	ck_assert_ptr_null(proc_maps_at(m, 16));
	proc_maps_free(m);

	m = proc_maps_parse("1000-2000 r-xp 00000800 08:01 77   /a b:c\\012d (deleted)\n"
			    "junk\n3000-2000 r-xp 0 0:0 0\n4000-5000 rw-p 00000000 00:00 0 \n");
	at = proc_maps_all(m, &n);
	ck_assert_int_eq(n, 2);
	ck_assert_str_eq(at[0].path, "/a b:c\nd");
	ck_assert(at[0].deleted);
	ck_assert_uint_eq(at[0].off, 0x800);
	ck_assert_uint_eq(at[0].inode, 77);
	ck_assert_str_eq(at[1].path, "");
	ck_assert_ptr_eq(proc_maps_at(m, 0x1fff), &at[0]);
	ck_assert_ptr_null(proc_maps_at(m, 0x2000));
	proc_maps_free(m);
	/* a path that is too long to be opened, and one that is not */
	text = xasprintf(
	    "1000-2000 r-xp 0 08:01 77 /%01000000d\n2000-3000 r-xp 0 08:01 77 /%04094d", 0, 0);
	m = proc_maps_parse(text);
	at = proc_maps_all(m, &n);
	ck_assert_int_eq(n, 2);
	ck_assert_str_eq(at[0].path, "");
	ck_assert_uint_eq(at[0].inode, 77);
	ck_assert_uint_eq(strlen(at[1].path), 4095);
	proc_maps_free(m);
	free(text);
	errno = 0;
	ck_assert_ptr_null(foreign_maps(NULL, 0x7fffffff));
	ck_assert_int_ne(errno, 0);
}
END_TEST

START_TEST(names)
{
	struct usyms *us = new_usyms();
	struct strbuf sb = {0};
	const char *mod, *name;
	uint64_t off, f = (uintptr_t)user_test_function;
	int gone[2], status;
	pid_t child;

	ck_assert(usyms_find(us, getpid(), f + 2, &mod, &name, &off));
	ck_assert_str_eq(name, "user_test_function");
	ck_assert_uint_eq(off, 2);
	usyms_print(us, getpid(), f, USYM_NAME, &sb);
	ck_assert_str_eq(strchr(sb.s, '`'), "`user_test_function");
	ck_assert_uint_eq(usyms_canon(us, getpid(), f + 2, USYM_FUNC), f);
	ck_assert_uint_eq(usyms_canon(us, getpid(), f + 2, USYM_MOD),
			  usyms_canon(us, getpid(), f, USYM_MOD));
	ck_assert(!usyms_find(us, getpid(), 16, &mod, &name, &off));

	/* A process that was seen is known when it is gone. */
	child = fork_until(gone);
	usyms_see(us, child);
	close(gone[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(usyms_find(us, child, f, &mod, &name, &off));
	ck_assert_str_eq(name, "user_test_function");
	close(gone[0]);
	sb_free(&sb);
	free_usyms(us);
}
END_TEST

/* "START-END OFFSET PATH" of all. */
static const char *listed(struct strbuf *sb, const struct proc_maps *m)
{
	const struct mapping *all;
	int n;

	sb->len = 0;
	all = proc_maps_all(m, &n);
	for (int i = 0; i < n; i++)
		sb_printf(sb, "%s%llx-%llx %llx %s", i ? ", " : "",
			  (unsigned long long)all[i].start, (unsigned long long)all[i].end,
			  (unsigned long long)all[i].off, all[i].path);
	return sb_str(sb);
}

static struct mapping code(uint64_t start, uint64_t end, uint64_t off, const char *path)
{
	return (struct mapping){.start = start,
				.end = end,
				.off = off,
				.dev = 1,
				.inode = 2,
				.path = path,
				.exec = true};
}

/* A mapping takes the place of what it overlaps: before, after, in the middle, all of it. */
START_TEST(overlaps)
{
	static const struct {
		uint64_t start, end;
		const char *after;
	} steps[] = {
	    {0x4000, 0x6000, "4000-6000 100 /0"},
	    {0x1000, 0x2000, "1000-2000 100 /1, 4000-6000 100 /0"},
	    {0x2000, 0x4000, "1000-2000 100 /1, 2000-4000 100 /2, 4000-6000 100 /0"},
	    {0x3000, 0x5000,
	     "1000-2000 100 /1, 2000-3000 100 /2, 3000-5000 100 /3, 5000-6000 1100 /0"},
	    {0x3800, 0x4000,
	     "1000-2000 100 /1, 2000-3000 100 /2, 3000-3800 100 /3, 3800-4000 100 /4, 4000-5000 "
	     "1100 /3, 5000-6000 1100 /0"},
	    {0x3800, 0x4000,
	     "1000-2000 100 /1, 2000-3000 100 /2, 3000-3800 100 /3, 3800-4000 100 /5, 4000-5000 "
	     "1100 /3, 5000-6000 1100 /0"},
	    {0x1800, 0x5800, "1000-1800 100 /1, 1800-5800 100 /6, 5800-6000 1900 /0"},
	    {0x1000, 0x7000, "1000-7000 100 /7"},
	};
	struct proc_maps *m = NULL, *before;
	struct strbuf sb = {0};
	char path[] = "/0";
	uint64_t cost = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++, path[1]++) {
		struct mapping one = code(steps[i].start, steps[i].end, 0x100, path);

		before = proc_maps_share(m);
		m = proc_maps_add(m, &one);
		proc_maps_count(m, &cost);
		ck_assert_str_eq(listed(&sb, m), steps[i].after);
		if (before) /* those that share the list keep the old one */
			ck_assert_str_eq(listed(&sb, before), steps[i - 1].after);
		ck_assert_uint_gt(cost, 0);
		proc_maps_free(before);
	}
	proc_maps_free(m);
	ck_assert_uint_eq(cost, 0);
	sb_free(&sb);
}
END_TEST

START_TEST(maps_contain)
{
	static const struct {
		const char *all, *part;
		bool contains;
	} cases[] = {
	    {"1000-3000 r-xp 1000 8:1 7 /a\n4000-5000 rw-p 0 0:0 0 [heap]",
	     "2000-3000 r-xp 2000 8:1 7 /a\n4000-5000 rw-p 0 0:0 0 [heap]", true},
	    {"1000-3000 r-xp 1000 8:1 7 /a", "", true},
	    {"", "1000-3000 r-xp 1000 8:1 7 /a", false},
	    {"1000-3000 r-xp 1000 8:1 7 /a", "2000-3000 r-xp 1000 8:1 7 /a", false},
	    {"1000-3000 r-xp 1000 8:1 7 /a", "1000-3000 r-xp 1000 8:1 8 /a", false},
	    {"1000-3000 r-xp 1000 8:1 7 /a", "1000-3000 r-xp 1000 8:1 7 /b", false},
	    {"1000-3000 r-xp 1000 8:1 7 /a", "1000-4000 r-xp 1000 8:1 7 /a", false},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct proc_maps *all = proc_maps_parse(cases[i].all),
				 *part = proc_maps_parse(cases[i].part);

		ck_assert_msg(proc_maps_contains(all, part) == cases[i].contains, "case %u", i);
		proc_maps_free(all);
		proc_maps_free(part);
	}
}
END_TEST

/* Processes that never were, with numbers that none can have. */
enum { PARENT = 0x7ffffff0, CHILD, GRANDCHILD };

static void tell(struct image_history *im, enum mmap_event_kind kind, pid_t pid, uint64_t time,
		 pid_t parent)
{
	image_history_event(
	    im, &(struct mmap_event){.kind = kind, .pid = pid, .time = time, .parent = parent});
}

static void report_map(struct image_history *im, pid_t pid, uint64_t time, uint64_t start,
		       uint64_t end, const char *path)
{
	image_history_event(im, &(struct mmap_event){.kind = MMAP_EVENT_MAP,
						     .pid = pid,
						     .time = time,
						     .map = code(start, end, 0, path)});
}

static const char *path_at(struct image_history *im, pid_t pid, uint64_t addr, uint64_t time)
{
	const struct mapping *m = image_history_find(im, pid, addr, time, NULL);

	return m ? m->path : "none";
}

START_TEST(lives)
{
	struct image_history *im = image_history_new(NULL);

	tell(im, MMAP_EVENT_EXEC, PARENT, 10, 0);
	report_map(im, PARENT, 11, 0x1000, 0x3000, "/sh");
	tell(im, MMAP_EVENT_FORK, CHILD, 20, PARENT);
	report_map(im, PARENT, 21, 0x8000, 0x9000, "/lib");
	tell(im, MMAP_EVENT_EXEC, CHILD, 30, 0);
	report_map(im, CHILD, 31, 0x2000, 0x4000, "/ls");
	tell(im, MMAP_EVENT_FORK, GRANDCHILD, 40, CHILD);
	tell(im, MMAP_EVENT_EXIT, CHILD, 50, 0);
	tell(im, MMAP_EVENT_EXIT, PARENT, 51, 0);

	ck_assert_str_eq(path_at(im, PARENT, 0x1000, 12), "/sh");
	ck_assert_str_eq(path_at(im, PARENT, 0x8000, 22), "/lib");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 25), "/sh"); /* before its exec, the parent's */
	/* not what the parent mapped later */
	ck_assert_str_eq(path_at(im, CHILD, 0x8000, 25), "none");
	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 25), "none"); /* nor what comes with the exec */
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 35), "/ls");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 0),
			 "/ls"); /* the newest where the time is not known */
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 35), "/sh"); /* an address that was kept */
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x2000, 45), "/ls");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, 45), "none");
	ck_assert_int_eq(image_history_parent(im, GRANDCHILD), CHILD);
	ck_assert_int_eq(image_history_parent(im, PARENT), 0);

	tell(im, MMAP_EVENT_FORK, CHILD, 60, PARENT); /* its number comes again */
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 65), "/sh");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 35), "/ls");

	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 22), "none");
	tell(im, MMAP_EVENT_LOST, 0, 70, 0); /* then nothing is sure any more */
	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 22), "/ls");
	image_history_free(im);
}
END_TEST

/* What was read from /proc belongs to the image at that time: an exec that is reported later, but
 * happened earlier, has it. */
START_TEST(read_and_told)
{
	uint64_t here = (uintptr_t)user_test_function, before = clock_ns(CLOCK_MONOTONIC), after;
	struct image_history *im = image_history_new(NULL);

	image_history_see(im, getpid());
	after = clock_ns(CLOCK_MONOTONIC);
	ck_assert_ptr_nonnull(image_history_find(im, getpid(), here, after, NULL));
	tell(im, MMAP_EVENT_FORK, CHILD, after, getpid());
	tell(im, MMAP_EVENT_EXEC, CHILD, after + 1, 0);
	/* the parent was read in time */
	ck_assert_ptr_nonnull(image_history_find(im, CHILD, here, after, NULL));
	tell(im, MMAP_EVENT_EXEC, getpid(), before, 0);
	ck_assert_ptr_null(image_history_find(im, getpid(), here, before - 1, NULL));
	ck_assert_ptr_nonnull(image_history_find(im, getpid(), here, before + 1, NULL));
	image_history_free(im);
}
END_TEST

/* Those that ended long before the records that were read last are forgotten, however late these
 * are read; those whose addresses were met are kept. */
static uint64_t none_left(void *arg)
{
	return *(uint64_t *)arg;
}

START_TEST(forgotten)
{
	enum { MET = 3, ALL = 10 };
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 100;

	image_history_follow(im, none_left, &now);
	for (int i = 0; i < ALL; i++) {
		tell(im, MMAP_EVENT_EXEC, CHILD - i, 10, 0);
		report_map(im, CHILD - i, 11, 0x1000, 0x2000, "/a");
		tell(im, MMAP_EVENT_EXIT, CHILD - i, 20, 0);
	}
	ck_assert_str_eq(path_at(im, CHILD - MET, 0x1000, 12), "/a");
	now = 60000000000;
	image_history_catch_up(im);
	ck_assert_str_eq(path_at(im, CHILD - 1, 0x1000, 12), "/a");
	image_history_forget(im, now);
	for (int i = 0; i < ALL; i++)
		ck_assert_str_eq(path_at(im, CHILD - i, 0x1000, 12),
				 i == 1 || i == MET ? "/a" : "none");
	image_history_free(im);
}
END_TEST

/* A number that comes again and again: what the former processes had is forgotten as that of
 * others, and kept where an address was met. */
START_TEST(numbers_again)
{
	enum { ALL = 10 };

	for (int met = 0; met < 2; met++) {
		struct image_history *im = image_history_new(NULL);
		uint64_t now = 60000000000;

		image_history_follow(im, none_left, &now);
		for (int i = 1; i <= ALL; i++) {
			tell(im, MMAP_EVENT_FORK, CHILD, 100 * i, PARENT);
			tell(im, MMAP_EVENT_EXEC, CHILD, 100 * i + 1, 0);
			report_map(im, CHILD, 100 * i + 2, 0x1000 * i, 0x1000 * i + 0x1000, "/a");
			if (met && i == ALL / 2)
				ck_assert_str_eq(path_at(im, CHILD, 0x1000 * i, 100 * i + 3), "/a");
			if (i < ALL)
				tell(im, MMAP_EVENT_EXIT, CHILD, 100 * i + 50, 0);
		}
		image_history_forget(im, now);
		for (int i = 1; i <= ALL; i++)
			ck_assert_str_eq(path_at(im, CHILD, 0x1000 * i, 100 * i + 3),
					 met || i == ALL ? "/a" : "none");
		image_history_free(im);
	}
}
END_TEST

/* An address whose time is not known has no name once its number is another process's, for ever if
 * the former one was met; and no process has what a former one of its number had. */
START_TEST(number_of_another)
{
	enum { MET, UNMET };

	for (int how = MET; how <= UNMET; how++) {
		struct image_history *im = image_history_new(NULL);
		uint64_t now = 60000000000;

		image_history_follow(im, none_left, &now);
		tell(im, MMAP_EVENT_EXEC, CHILD, 10, 0);
		report_map(im, CHILD, 11, 0x1000, 0x3000, "/a");
		if (how == MET)
			ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), "/a");
		tell(im, MMAP_EVENT_EXIT, CHILD, 20, 0);
		if (how == MET)
			ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), "/a");
		else
			image_history_forget(im, now);
		tell(im, MMAP_EVENT_FORK, CHILD, 30, PARENT);
		tell(im, MMAP_EVENT_EXEC, CHILD, 31, 0);
		report_map(im, CHILD, 32, 0x1000, 0x2000, "/b");
		ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), how == MET ? "none" : "/b");
		ck_assert_str_eq(path_at(im, CHILD, 0x1000, 40), "/b");
		ck_assert_str_eq(path_at(im, CHILD, 0x2000, 40), "none");
		ck_assert_str_eq(path_at(im, CHILD, 0x2000, 15), how == MET ? "/a" : "none");
		image_history_forget(im, now);
		ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), how == MET ? "none" : "/b");
		image_history_free(im);
	}
}
END_TEST

/* inode 0: memory without a file. */
static void report_file(struct image_history *im, pid_t pid, uint64_t time, uint64_t start,
			uint64_t end, const char *path, uint64_t inode)
{
	struct mapping m = code(start, end, 0, path);

	m.inode = inode;
	m.dev = inode ? m.dev : 0;
	image_history_event(
	    im, &(struct mmap_event){.kind = MMAP_EVENT_MAP, .pid = pid, .time = time, .map = m});
}

/* A mapping takes the addresses of another one: each time has its own, and where the time is not
 * known there is none, unless the file is the same. */
START_TEST(replaced)
{
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 100;

	image_history_follow(im, none_left, &now);
	tell(im, MMAP_EVENT_EXEC, CHILD, 10, 0);
	report_file(im, CHILD, 11, 0x1000, 0x3000, "/a", 1);
	report_file(im, CHILD, 12, 0x5000, 0x6000, "/c", 3);
	report_file(im, CHILD, 13, 0x7000, 0x8000, "", 0); /* not kept: it replaces nothing */
	ck_assert_str_eq(path_at(im, CHILD, 0x7000, 14), "none");
	report_file(im, CHILD, 15, 0x5000, 0x6000, "/c", 3);
	ck_assert_str_eq(path_at(im, CHILD, 0x5000, 0), "/c");
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), "/a");
	report_file(im, CHILD, 20, 0x2000, 0x4000, "/b", 2);
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), "/a");
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 25), "/a");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 15), "/a");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 25), "/b");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 0), "none");
	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 0), "/b");
	ck_assert_str_eq(path_at(im, CHILD, 0x5000, 0), "/c");
	report_file(im, CHILD, 30, 0x5000, 0x6000, "", 0);
	ck_assert_str_eq(path_at(im, CHILD, 0x5000, 25), "/c");
	ck_assert_str_eq(path_at(im, CHILD, 0x5000, 35), "");
	ck_assert_str_eq(path_at(im, CHILD, 0x5000, 0), "none");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 35), "/b");
	tell(im, MMAP_EVENT_FORK, GRANDCHILD, 40, CHILD); /* it had only what there is then */
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, 0), "/a");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x2000, 0), "/b");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x2000, 45), "/b");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x5000, 0), "");
	report_file(im, GRANDCHILD, 50, 0x1000, 0x2000, "/d", 4);
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, 45), "/a");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, 55), "/d");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, 0), "none");
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 55), "/a");
	image_history_free(im);
}
END_TEST

/* The same where the first mapping was read. */
START_TEST(read_and_replaced)
{
	uint64_t here = (uintptr_t)user_test_function, page = here & ~0xfffull, before;
	struct image_history *im = image_history_new(NULL);
	const char *path;
	uint64_t now;

	image_history_follow(im, none_left, &now);
	now = clock_ns(CLOCK_MONOTONIC);
	image_history_see(im, getpid());
	before = clock_ns(CLOCK_MONOTONIC);
	path = path_at(im, getpid(), here, before);
	ck_assert_int_eq(*path, '/');
	report_file(im, getpid(), before + 1, page, page + 0x1000, "/b", 2);
	ck_assert_str_eq(path_at(im, getpid(), here, before + 2), "/b");
	ck_assert_str_eq(path_at(im, getpid(), here, 0), "none");
	ck_assert_str_eq(path_at(im, getpid(), here, before), path);
	image_history_free(im);
}
END_TEST

/* So many times that not all of them are kept: the other mappings are, and the newest. */
START_TEST(replaced_often)
{
	enum { MANY = 1000 };
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 1000000;

	image_history_follow(im, none_left, &now);
	tell(im, MMAP_EVENT_FORK, CHILD, 5, PARENT);
	tell(im, MMAP_EVENT_EXEC, CHILD, 10, 0);
	report_file(im, CHILD, 11, 0x1000, 0x2000, "/c", 3);
	for (uint64_t i = 0; i < MANY; i++)
		report_file(im, CHILD, 100 + i, 0x2000, 0x3000, i & 1 ? "/b" : "/a", 1 + (i & 1));
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 100 + MANY), "/c");
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 0), "/c");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 100 + MANY), "/b");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 100 + MANY - 2), "/a");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 100), "none");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 0), "none");
	image_history_free(im);
}
END_TEST

/* So many mappings that they are forgotten: what was there before does not come up again. */
START_TEST(replaced_and_forgotten)
{
	enum { MANY = 5000 };
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 1000000;

	image_history_follow(im, none_left, &now);
	tell(im, MMAP_EVENT_EXEC, CHILD, 10, 0);
	report_file(im, CHILD, 11, 0x1000, 0x2000, "/a", 1);
	report_file(im, CHILD, 12, 0x1000, 0x2000, "/b", 2);
	for (uint64_t i = 2; i <= MANY; i++)
		report_file(im, CHILD, 12 + i, i * 0x1000, i * 0x1000 + 0x1000, "/c", 3);
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, now), "none");
	ck_assert_str_eq(path_at(im, CHILD, MANY * 0x1000, now), "/c");
	image_history_free(im);
}
END_TEST

static void *wait_for_end(void *arg)
{
	char c;

	_exit(read(*(int *)arg, &c, 1) != 0);
}

/* The end of a process's first thread is not its end, which comes without an event. */
START_TEST(outlives_first)
{
	struct image_history *im = image_history_new(NULL);
	uint64_t now = clock_ns(CLOCK_MONOTONIC), later = 60000000000;
	int gone[2];
	pid_t child;

	image_history_follow(im, none_left, &now);
	ck_assert_int_eq(pipe(gone), 0);
	child = fork();
	if (!child) {
		pthread_t thread;

		close(gone[1]);
		if (pthread_create(&thread, NULL, wait_for_end, gone))
			_exit(1);
		syscall(SYS_exit, 0);
	}
	while (!task_has_ended(child))
		usleep(1000);
	tell(im, MMAP_EVENT_EXEC, child, now, 0);
	report_map(im, child, now, 0x1000, 0x2000, "/a");
	tell(im, MMAP_EVENT_EXIT, child, now, 0);
	image_history_forget(im, now + later);
	close(gone[1]);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	image_history_forget(im, now + 2 * later);
	tell(im, MMAP_EVENT_FORK, CHILD, now + 1, child); /* has what its parent had */
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, now + 2), "/a");
	image_history_forget(im, now + 3 * later);
	tell(im, MMAP_EVENT_FORK, GRANDCHILD, now + 3, child);
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, now + 4), "none");
	close(gone[0]);
	image_history_free(im);
}
END_TEST

/* Another thread executes a program: the process goes on, although its first thread has ended. */
START_TEST(executed_by_another)
{
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 60000000000;

	image_history_follow(im, none_left, &now);
	tell(im, MMAP_EVENT_EXEC, CHILD, 10, 0);
	tell(im, MMAP_EVENT_EXIT, CHILD, 20, 0);
	tell(im, MMAP_EVENT_EXEC, CHILD, 21, 0);
	report_map(im, CHILD, 22, 0x1000, 0x2000, "/a");
	image_history_forget(im, now);
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 30), "/a");
	image_history_free(im);
}
END_TEST

/* What processes have mapped under long paths takes much: of too much the oldest goes. */
START_TEST(costly)
{
	enum { ALL = 100, MAPPINGS = 1000 };
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 100;
	char path[4096];

	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	image_history_follow(im, none_left, &now);
	for (int i = 0; i < ALL; i++) {
		tell(im, MMAP_EVENT_EXEC, CHILD - i, 10, 0);
		for (int k = 1; k <= MAPPINGS; k++)
			report_map(im, CHILD - i, 11, k * 0x1000, k * 0x1000 + 0x1000, path);
		tell(im, MMAP_EVENT_EXIT, CHILD - i, 20, 0);
		ck_assert(*path_at(im, CHILD - i, 0x1000, 12) == '/'); /* it is met */
	}
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 12), "none");
	ck_assert(*path_at(im, CHILD - ALL + 1, 0x1000, 12) == '/');
	image_history_free(im);
}
END_TEST

/* Lists of processes that run are dropped too, the largest first. */
START_TEST(costly_running)
{
	enum { ALL = 300, MAPPINGS = 1000 };
	struct image_history *im = image_history_new(NULL);
	uint64_t now = 100;
	char path[4096];
	int known = 0;

	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	image_history_follow(im, none_left, &now);
	report_map(im, PARENT, 11, 0x1000, 0x2000, "/small");
	for (int i = 0; i < ALL; i++)
		for (int k = 1; k <= MAPPINGS; k++)
			report_map(im, CHILD - i - 1000, 11, k * 0x1000, k * 0x1000 + 0x1000, path);
	for (int i = 0; i < ALL; i++)
		known += *path_at(im, CHILD - i - 1000, 0x1000, 12) == '/';
	ck_assert_int_gt(known, 0);
	ck_assert_int_lt(known, 70);
	ck_assert_str_eq(path_at(im, PARENT, 0x1000, 12), "/small");
	image_history_free(im);
}
END_TEST

static void read_program(struct strbuf *self)
{
	FILE *f = fopen("/proc/self/exe", "r");
	char part[4096];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), f)))
		sb_add(self, part, n);
	fclose(f);
}

static void write_program(int fd, const char *bytes, size_t len, const char *function)
{
	static const char old[] = "user_test_function";
	char *copy = memcpy(xmalloc(len), bytes, len), *at = copy;

	while ((at = memmem(at, copy + len - at, old, strlen(old))))
		memcpy(at, function, strlen(old));
	ck_assert_int_eq(pwrite(fd, copy, len, 0), len);
	free(copy);
}

/* A file whose descriptors were closed, for too many are open, may be another one since. */
START_TEST(file_again)
{
	enum { OTHERS = 256 }; /* OPEN_MAX of object_file.c */
	uint64_t off, here = (uintptr_t)user_test_function;
	char path[] = "/tmp/dt-file-again-XXXXXX", *why;
	struct usyms *us = new_usyms();
	struct object *others[OTHERS];
	const struct mapping *m;
	struct foreign_file file;
	struct proc_maps *maps;
	const char *mod, *name;
	struct strbuf self = {0};
	int fd = mkstemp(path);
	char *code;

	read_program(&self);
	write_program(fd, self.s, self.len, "user_test_attacker");
	maps = foreign_maps(NULL, getpid());
	m = proc_maps_at(maps, here);
	code = mmap(NULL, m->end - m->start, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, m->off);
	ck_assert_ptr_ne(code, MAP_FAILED);
	code += here - m->start;
	ck_assert(usyms_find(us, getpid(), (uintptr_t)code, &mod, &name, &off));
	ck_assert_str_eq(name, "user_test_attacker");
	for (int i = 0; i < OTHERS; i++) {
		ck_assert_int_eq(foreign_find(reader, 0, path, &file), 0);
		others[i] = object_open_file(reader, &file, &why);
		ck_assert_ptr_nonnull(others[i]);
	}
	usleep(20000); /* the clock of files has ticked */
	write_program(fd, self.s, self.len, "user_test_the_next");
	ck_assert(usyms_find(us, getpid(), (uintptr_t)code, &mod, &name, &off));
	ck_assert_str_eq(name, "user_test_the_next");
	for (int i = 0; i < OTHERS; i++)
		object_close(others[i]);
	unlink(path);
	close(fd);
	proc_maps_free(maps);
	sb_free(&self);
	free_usyms(us);
}
END_TEST

static void count_refusal(void *arg, const char *text)
{
	++*(int *)arg;
	ck_assert_msg(strstr(text, "take too much time"), "%s", text);
}

/* Symbols that the account of a process's user did not pay for are read for the next process that
 * asks, if its account pays. Here it is the same one, which has its time back. */
START_TEST(refused_first)
{
	enum { OVERDRAWN_NS = 100000000 };
	int reports = 0, status, gone[2], fd = -1;
	uint64_t off, spent, here = (uintptr_t)user_test_function;
	char path[] = "/tmp/dt-refused-XXXXXX", *code, *end;
	struct usyms *us;
	struct proc_maps *maps = foreign_maps(NULL, getpid());
	const struct mapping *m = proc_maps_at(maps, here);
	const char *mod, *name;
	struct strbuf self = {0};
	pid_t child;

	reader = foreign_new(256 << 20, 10000000000ull, count_refusal, &reports);
	us = usyms_new(reader);
	fd = mkstemp(path);
	read_program(&self);
	ck_assert_int_eq(pwrite(fd, self.s, self.len, 0), self.len);
	code = mmap(NULL, m->end - m->start, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, m->off);
	/* its symbols: an address there has none, so that only the file's head is read */
	end = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, self.len & ~4095ull);
	ck_assert(code != MAP_FAILED && end != MAP_FAILED);
	code += here - m->start;
	child = fork_until(gone);
	ck_assert(usyms_find(us, getpid(), (uintptr_t)end, &mod, &name, &off));
	ck_assert_ptr_null(name);
	spent = foreign_time_for(reader, geteuid()) + OVERDRAWN_NS;
	foreign_spend(reader, geteuid(), spent);
	ck_assert(usyms_find(us, getpid(), (uintptr_t)code, &mod, &name, &off));
	ck_assert_ptr_null(name);
	ck_assert_int_eq(reports, 1);
	foreign_spend(reader, geteuid(), -spent);
	ck_assert(usyms_find(us, child, (uintptr_t)code, &mod, &name, &off));
	ck_assert_ptr_nonnull(name);
	ck_assert_str_eq(name, "user_test_function");
	close(gone[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	unlink(path);
	close(fd);
	close(gone[0]);
	proc_maps_free(maps);
	sb_free(&self);
	free_usyms(us);
}
END_TEST

/* Mangled names: of those that would become too long nothing is made. */
START_TEST(demangled)
{
	struct usyms *us = new_usyms();
	const char *mod, *name;
	uint64_t off;

	for (int i = 0; i < 2; i++) {
		ck_assert(usyms_find(us, getpid(), (uintptr_t)user_test_bomb, &mod, &name, &off));
		ck_assert_str_eq(name, BOMB);
		ck_assert(
		    usyms_find(us, getpid(), (uintptr_t)user_test_readable, &mod, &name, &off));
#ifdef HAVE_DEMANGLE
		ck_assert_str_eq(name, "readable_here<7>");
#endif
	}
	free_usyms(us);
}
END_TEST

/* A just-in-time compiler's map of our memory, in a file that may change; it is read again after
 * some time. */
struct jit {
	char *path;
	void *code;
	struct usyms *us;
};

static struct jit jit_begin(void)
{
	struct jit j = {xasprintf("/tmp/perf-%d.map", getpid()),
			mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
			new_usyms()};

	unlink(j.path);
	return j;
}

static void jit_end(struct jit *j)
{
	unlink(j->path);
	free(j->path);
	free_usyms(j->us);
	munmap(j->code, 4096);
}

static void jit_write(const struct jit *j, const char *mode, const char *line, int off)
{
	FILE *f = fopen(j->path, mode);

	ck_assert_ptr_nonnull(f);
	fprintf(f, line, (unsigned long)j->code + off);
	fclose(f);
}

/* The name at an offset, "" for none. */
static const char *jit_name(const struct jit *j, int at, uint64_t *off)
{
	const char *mod, *name;

	usleep(60000);
	return usyms_find(j->us, getpid(), (uintptr_t)j->code + at, &mod, &name, off) && name ? name
											      : "";
}

/* A busy machine reads a map late, and one that took long waits longer for the next time. */
#define ck_jit_name(j, at, want)                                        \
	do {                                                            \
		const char *name_ = jit_name(j, at, &off);              \
                                                                        \
		for (int i_ = 0; i_ < 100 && strcmp(name_, want); i_++) \
			name_ = jit_name(j, at, &off);                  \
		ck_assert_str_eq(name_, want);                          \
	} while (0)

START_TEST(jit)
{
	struct jit j = jit_begin();
	uint64_t off;

	ck_assert_str_eq(jit_name(&j, 4, &off), "");
	jit_write(&j, "w", "%lx 20 the function\njunk\n", 0);
	jit_write(&j, "a", "%lx 20 b\n", 0x40);
	ck_jit_name(&j, 4, "the function");
	ck_assert_uint_eq(off, 4);
	ck_assert_str_eq(jit_name(&j, 0x20, &off), "");
	/* More comes, of which a line is in the making; others take the place of what was there. */
	jit_write(&j, "a", "%lx 20 c", 0x80);
	ck_assert_str_eq(jit_name(&j, 0x80, &off), "");
	jit_write(&j, "a", "c\n%lx 40 d\n", 0x40);
	ck_jit_name(&j, 0x80, "cc");
	ck_jit_name(&j, 0x40, "d");
	/* All is written anew. */
	jit_write(&j, "w",
		  "0 1 a much longer file than was there before, so that its length does not tell "
		  "that it is another one, nor its inode\n"
		  "%lx 20 e\n",
		  0x100);
	ck_jit_name(&j, 0x100, "e");
	ck_assert_str_eq(jit_name(&j, 0x40, &off), "");
	jit_end(&j);
}
END_TEST

static uint64_t up_to_now(void *arg)
{
	(void)arg;
	return clock_ns(CLOCK_MONOTONIC);
}

static void jit_event(const struct jit *j, enum mmap_event_kind kind)
{
	usyms_event(j->us, &(struct mmap_event){.kind = kind,
						.time = clock_ns(CLOCK_MONOTONIC),
						.pid = getpid(),
						.parent = getppid()});
}

/* The number of a process comes again: its names remain those of its own records. */
START_TEST(jit_number_again)
{
	struct jit j = jit_begin();
	uint64_t off, first, second;

	usyms_follow(j.us, up_to_now, NULL);
	jit_write(&j, "w", "%lx 20 first\n", 0);
	first = clock_ns(CLOCK_MONOTONIC);
	usyms_when(j.us, first);
	ck_jit_name(&j, 4, "first");
	usyms_when(j.us, 0);
	ck_jit_name(&j, 4, "first");
	unlink(j.path);
	jit_event(&j, MMAP_EVENT_EXIT);
	ck_jit_name(&j, 4, "first");
	jit_event(&j, MMAP_EVENT_FORK);
	second = clock_ns(CLOCK_MONOTONIC);
	usyms_when(j.us, second);
	ck_assert_str_eq(jit_name(&j, 4, &off), "");
	usyms_when(j.us, first);
	ck_assert_str_eq(jit_name(&j, 4, &off), "first");
	usyms_when(j.us, 0); /* of which process is not known */
	ck_assert_str_eq(jit_name(&j, 4, &off), "");
	jit_write(&j, "w", "%lx 20 second\n", 0);
	usyms_when(j.us, second);
	ck_jit_name(&j, 4, "second");
	usyms_when(j.us, first);
	ck_assert_str_eq(jit_name(&j, 4, &off), "first");
	ck_assert_str_eq(jit_name(&j, 0x20, &off), ""); /* the other one's file is not read */
	jit_event(&j, MMAP_EVENT_EXEC);
	usyms_when(j.us, clock_ns(CLOCK_MONOTONIC));
	unlink(j.path);
	ck_assert_str_eq(jit_name(&j, 4, &off), "");
	jit_end(&j);
}
END_TEST

/* Any user can write to the directory: entries need not be regular or valid files. */
START_TEST(jit_hostile)
{
	struct jit j = jit_begin();
	uint64_t off;

	ck_assert_int_eq(mkfifo(j.path, 0600), 0);
	ck_assert_str_eq(jit_name(&j, 4, &off), "");
	unlink(j.path);
	ck_assert_int_eq(symlink("/dev/zero", j.path), 0);
	ck_assert_str_eq(jit_name(&j, 4, &off), "");
	unlink(j.path);
	jit_write(&j, "w", "%lx 20 f\n", 0);
	ck_jit_name(&j, 4, "f");
	ck_assert_int_eq(truncate(j.path, 1ll << 40), 0); /* a line without an end */
	ck_assert_str_eq(jit_name(&j, 0x200, &off), "");
	ck_jit_name(&j, 4, "f");
	jit_end(&j);
}
END_TEST

Suite *usym_suite(void)
{
	Suite *s = suite_create("usym");
	TCase *t = tcase_create("usym");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, mappings);
	tcase_add_test(t, names);
	tcase_add_test(t, overlaps);
	tcase_add_test(t, maps_contain);
	tcase_add_test(t, lives);
	tcase_add_test(t, read_and_told);
	tcase_add_test(t, forgotten);
	tcase_add_test(t, numbers_again);
	tcase_add_test(t, number_of_another);
	tcase_add_test(t, replaced);
	tcase_add_test(t, read_and_replaced);
	tcase_add_test(t, replaced_often);
	tcase_add_test(t, replaced_and_forgotten);
	tcase_add_test(t, outlives_first);
	tcase_add_test(t, executed_by_another);
	tcase_add_test(t, costly);
	tcase_add_test(t, costly_running);
	tcase_add_test(t, file_again);
	tcase_add_test(t, refused_first);
	tcase_add_test(t, demangled);
	tcase_add_test(t, jit);
	tcase_add_test(t, jit_number_again);
	tcase_add_test(t, jit_hostile);
	suite_add_tcase(s, t);
	return s;
}
