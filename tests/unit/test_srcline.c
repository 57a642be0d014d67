/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What addr2line answers, and what else may answer in its place. */
#include <check.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/process/foreign.h"
#include "libdt/process/object.h"
#include "libdt/symbols/addr2line.h"
#include "libdt/symbols/srcline.h"

START_TEST(test_parse)
{
	static const struct {
		const char *answer, *file;
		int line;
	} cases[] = {
	    {"/src/a.c:12", "/src/a.c", 12},
	    {"/src/a.c:12 (discriminator 3)", "/src/a.c", 12},
	    {"a b.c:7:31", "a b.c", 7},
	    {"c:/x.c:7", "c:/x.c", 7},
	    {"??:0", "", 0},
	    {"??:?", "", 0},
	    {"a.c:?", "", 0},
	    {"a.c:0", "", 0},
	    {"??:0:0", "", 0},
	    {":5", "", 0},
	    {"5", "", 0},
	    {"", "", 0},
	    {"a.c:99999999999999999999", "", 0},
	    {"\033[2J\t.c:1", "?[2J?.c", 1},
	    {"f\303\274r.c:1", "f\303\274r.c", 1},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf file = {0};
		int line = -1;

		addr2line_parse(cases[i].answer, &file, &line);
		ck_assert_str_eq(sb_str(&file), cases[i].file);
		ck_assert_int_eq(line, cases[i].line);
		sb_free(&file);
	}
}
END_TEST

/* A script in place of addr2line, in a directory that all users can read. */
static char dir[64], path[96];

static void write_script(const char *script)
{
	FILE *f;

	snprintf(dir, sizeof(dir), "/tmp/dt-srcline-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	chmod(dir, 0755);
	snprintf(path, sizeof(path), "%s/answers", dir);
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "#!/bin/sh\n%s\n", script);
	fclose(f);
	chmod(path, 0755);
}

static struct addr2line *start_with(const char *script, const struct addr2line_file *file, int *err)
{
	bool unreadable;

	write_script(script);
	return addr2line_start(path, file, &unreadable, err);
}

static struct addr2line *start(const char *script, int *err)
{
	struct addr2line_file file = {.path = "/some/file"};

	return start_with(script, &file, err);
}

static void remove_script(void)
{
	unlink(path);
	rmdir(dir);
}

static void end(struct addr2line *a)
{
	addr2line_end(a);
	remove_script();
}

static int ask(struct addr2line *a, uint64_t addr, int timeout, const char *file, int line)
{
	struct strbuf got = {0};
	struct addr2line_wait w = {.ns = timeout * 1000000ull};
	int at, err = addr2line_ask(a, addr, &w, &got, &at);

	ck_assert_str_eq(sb_str(&got), file);
	ck_assert_int_eq(at, line);
	sb_free(&got);
	return err;
}

START_TEST(test_answers)
{
	int err;
	/* its arguments, what it was asked, and an answer of two lines, which is none */
	struct addr2line *a = start("while read a; do case $a in 0x1f) echo \"$1$2$DT_TEST:3\";; "
				    "0x20) printf 'x\\ny.c:9\\n';;"
				    " *) echo $a:4;; esac; done",
				    &err);

	setenv("DT_TEST", "mine", 1);
	ck_assert_ptr_nonnull(a);
	ck_assert_int_eq(ask(a, 0x1f, 5000, "-e/some/file", 3), 0);
	ck_assert_int_eq(ask(a, 0x20, 5000, "", 0), 0);
	ck_assert_int_eq(ask(a, 0x21, 5000, "0x21", 4), 0);
	ck_assert_int_eq(ask(a, UINT64_MAX, 5000, "0xffffffffffffffff", 4), 0);
	end(a);
}
END_TEST

/* Also one that was not waited for yet. */
static bool has_ended(int pid)
{
	char name[32], state = 'Z';
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	f = fopen(name, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'Z';
	if (f)
		fclose(f);
	return state == 'Z';
}

static bool tick(void *left)
{
	return !--*(int *)left;
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* A signal, or the end of tracing, ends the wait. */
START_TEST(test_interrupted)
{
	int err, line, left = 3;
	struct addr2line *a = start("sleep 1000", &err);
	struct addr2line_wait w = {.ns = 60000000000, .ended = tick, .arg = &left};
	struct sigaction act = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval soon = {{0, 20000}, {0, 20000}};
	struct strbuf got = {0};
	sigset_t alarm, before;

	ck_assert_ptr_nonnull(a);
	ck_assert_int_eq(addr2line_ask(a, 1, &w, &got, &line), -EINTR);
	ck_assert_int_eq(left, 0);
	left = INT_MAX;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, &before); /* other tests of the process block it */
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	ck_assert_int_eq(addr2line_ask(a, 1, &w, &got, &line), -EINTR);
	w = (struct addr2line_wait){.ns = 100000000};
	ck_assert_int_eq(addr2line_ask(a, 1, &w, &got, &line), -ETIMEDOUT);
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	end(a);
}
END_TEST

/* Its child ends with it. */
START_TEST(test_hangs)
{
	int err, pid = 0;
	struct addr2line *a = start("read a; sleep 1000 & echo $!:5; wait", &err);
	struct addr2line_wait w = {.ns = 5000000000};
	struct strbuf got = {0};
	int line;

	ck_assert_ptr_nonnull(a);
	ck_assert_int_eq(addr2line_ask(a, 1, &w, &got, &line), 0);
	pid = atoi(sb_str(&got));
	ck_assert_int_gt(pid, 0);
	sb_free(&got);
	ck_assert_int_eq(ask(a, 1, 50, "", 0), -ETIMEDOUT);
	end(a);
	for (int i = 0; i < 500 && !has_ended(pid); i++)
		usleep(10000);
	ck_assert(has_ended(pid));
}
END_TEST

START_TEST(test_ends)
{
	int err;
	struct addr2line *a = start("read a; exit 3", &err);

	ck_assert_ptr_nonnull(a);
	ck_assert_int_lt(ask(a, 1, 5000, "", 0), 0);
	ck_assert_int_ne(ask(a, 1, 5000, "", 0), -ETIMEDOUT);
	end(a);
	a = start("while :; do printf 0123456789abcdef; done", &err);
	ck_assert_int_eq(ask(a, 1, 5000, "", 0), -EMSGSIZE);
	end(a);
}
END_TEST

START_TEST(test_absent)
{
	struct addr2line_file file = {.path = "/some/file"};
	bool unreadable;
	int err;

	ck_assert_ptr_null(addr2line_start("dt-no-such-program", &file, &unreadable, &err));
	ck_assert_int_eq(err, -ENOENT);
	ck_assert_ptr_null(addr2line_start("/etc/passwd", &file, &unreadable, &err));
	ck_assert_int_eq(err, -EACCES);
}
END_TEST

/* A file that only its owner may read is looked into all the same. */
START_TEST(test_private)
{
	struct addr2line_file file = {.path = NULL};
	char name[] = "/tmp/dt-srcline-XXXXXX";
	struct addr2line *a;
	int err;

	file.fd = mkstemp(name);
	ck_assert_int_ge(file.fd, 0);
	ck_assert_int_eq(write(file.fd, "inside\n", 7), 7);
	unlink(name);
	a = start_with("read x <$2; while read a; do echo $x:8; done", &file, &err);
	ck_assert_ptr_nonnull(a);
	ck_assert_int_eq(ask(a, 1, 5000, "inside", 8), 0);
	end(a);
	close(file.fd);
}
END_TEST

/* A copy of another user's file: of ELF, and as many bytes as are in the account. */
START_TEST(test_foreign_copy)
{
	static const struct {
		const char *text;
		int err;
	} cases[] = {{ELFMAG "inside\n", 0},
		     {"!<thin>\n/etc/passwd", -ENOEXEC},
		     {"!<arch>\n" ELFMAG, -ENOEXEC},
		     {"\177EL", -ENOEXEC},
		     {"", -ENOEXEC}};
	struct addr2line_file file = {.foreign = true, .size = strlen(cases[_i].text)};
	char name[] = "/tmp/dt-srcline-XXXXXX";
	struct addr2line *a;
	bool unreadable;
	int err;

	file.fd = mkstemp(name);
	ck_assert_int_ge(file.fd, 0);
	ck_assert_int_eq(write(file.fd, cases[_i].text, file.size), file.size);
	ck_assert_int_eq(write(file.fd, "grown\n", 6), 6);
	unlink(name);
	write_script("while read a; do echo \"$(tail -c +5 <$2 | tr -d '\\n'):8\"; done");
	a = addr2line_start(path, &file, &unreadable, &err);
	ck_assert_int_eq(err, cases[_i].err);
	ck_assert_int_eq(unreadable, err != 0);
	if (a)
		ck_assert_int_eq(ask(a, 1, 5000, "inside", 8), 0);
	end(a);
	close(file.fd);
}
END_TEST

/* The smallest object with lines. */
static void write_object(int fd)
{
	static const char names[] = "\0.debug_line\0.shstrtab";
	struct {
		Elf64_Ehdr head;
		Elf64_Shdr sections[3];
		char names[sizeof(names)];
	} file = {
	    .head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				 EV_CURRENT},
		     .e_type = ET_DYN,
		     .e_machine = EM_X86_64,
		     .e_version = EV_CURRENT,
		     .e_shoff = sizeof(Elf64_Ehdr),
		     .e_ehsize = sizeof(Elf64_Ehdr),
		     .e_shentsize = sizeof(Elf64_Shdr),
		     .e_shnum = 3,
		     .e_shstrndx = 2},
	    .sections = {[1] = {.sh_name = 1,
				.sh_type = SHT_PROGBITS,
				.sh_offset = sizeof(Elf64_Ehdr),
				.sh_size = 8},
			 [2] = {.sh_name = 13,
				.sh_type = SHT_STRTAB,
				.sh_offset = offsetof(typeof(file), names),
				.sh_size = sizeof(names)}},
	};

	memcpy(file.names, names, sizeof(names));
	ck_assert_int_eq(write(fd, &file, sizeof(file)), sizeof(file));
}

static void count_report(void *arg, const char *text)
{
	++*(int *)arg;
	ck_assert_msg(strstr(text, "processes of user 1 take too much time"), "%s", text);
}

static void report_line(void *arg, const char *text)
{
	(void)arg;
	ck_abort_msg("%s", text);
}

static bool goes_on(void *arg)
{
	(void)arg;
	return false;
}

/* Objects with a file that is of processes of user 1, user 2, ... */
enum { OBJECTS = 2 };
struct foreign_objects {
	char name[32];
	struct foreign *foreign;
	struct object *v[OBJECTS];
	struct srcfile *files[OBJECTS];
	struct srclines *lines;
	int reports;
};

static void open_objects(struct foreign_objects *o, uint64_t ns, off_t size)
{
	static const struct srclines_user user = {report_line, goes_on, NULL};
	struct foreign_file found;
	char *why;
	int fd;

	*o = (struct foreign_objects){.name = "/tmp/dt-srcline-XXXXXX"};
	fd = mkstemp(o->name);
	write_object(fd);
	ck_assert_int_eq(ftruncate(fd, size), 0);
	ck_assert_int_eq(fchmod(fd, 0644), 0);
	close(fd);
	o->foreign = foreign_new(256 << 20, ns, count_report, &o->reports);
	o->lines = srclines_new(path, ns, &user);
	for (int i = 0; i < OBJECTS; i++) {
		ck_assert_int_eq(foreign_find(o->foreign, 0, o->name, &found), 0);
		found.payer = i + 1;
		o->v[i] = object_open_file(o->foreign, &found, &why);
		ck_assert_ptr_nonnull(o->v[i]);
		ck_assert(object_is_foreign(o->v[i]));
		o->files[i] = srcfile_new(o->lines, o->v[i], "file");
	}
}

static void close_objects(struct foreign_objects *o)
{
	for (int i = 0; i < OBJECTS; i++) {
		srcfile_free(o->lines, o->files[i]);
		object_close(o->v[i]);
	}
	srclines_free(o->lines);
	foreign_free(o->foreign);
	remove_script();
	unlink(o->name);
}

/* What is asked of the files of a user is in the account of the user; once that is exceeded nothing
 * is asked. */
START_TEST(test_account)
{
	enum { ANSWERS = 20, ANSWER_NS = 200000000 };
	const uint64_t foreign_ns = 60000000000ull;
	struct foreign_objects o;
	struct foreign *foreign;
	const char *file;
	uint64_t before;
	int line;

	write_script("while read a; do sleep 0.2; echo x.c:7; done");
	open_objects(&o, foreign_ns, 1 << 12);
	foreign = o.foreign;
	before = foreign_time_for(foreign, 1);
	/* on a busy machine an answer that was late costs nothing */
	for (int i = 0; i < ANSWERS && foreign_time_for(foreign, 1) + ANSWER_NS / 2 > before; i++)
		ck_assert(srclines_find(o.lines, o.files[0], i, &file, &line) && line == 7);
	ck_assert_uint_le(foreign_time_for(foreign, 1) + ANSWER_NS / 2, before);
	ck_assert_uint_gt(foreign_time_for(foreign, 2) + ANSWER_NS / 2, before);
	ck_assert_int_eq(o.reports, 0);
	foreign_spend(foreign, 1, foreign_time_for(foreign, 1) + foreign_ns);
	ck_assert(!srclines_find(o.lines, o.files[0], ANSWERS, &file, &line));
	ck_assert_int_eq(o.reports, 1);
	ck_assert(srclines_find(o.lines, o.files[0], 0, &file, &line)); /* as before */
	ck_assert(srclines_find(o.lines, o.files[1], ANSWERS, &file, &line));
	close_objects(&o);
}
END_TEST

/* So is copying it: each of two large ones takes the other's place. */
START_TEST(test_copying)
{
	enum { ROUNDS = 3 };
	struct foreign_objects o;
	uint64_t begun, took, before, spent;
	const char *file;
	int line;

	write_script("while read a; do echo x.c:7; done");
	open_objects(&o, 60000000000ull, ADDR2LINE_COPY_MAX / 8 * 5);
	before = foreign_time_for(o.foreign, 1) + foreign_time_for(o.foreign, 2);
	begun = clock_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < 2 * ROUNDS; i++)
		ck_assert(srclines_find(o.lines, o.files[i % 2], i, &file, &line) && line == 7);
	took = clock_ns(CLOCK_MONOTONIC) - begun;
	spent = before - foreign_time_for(o.foreign, 1) - foreign_time_for(o.foreign, 2);
	ck_assert_uint_gt(spent, took / 2);
	close_objects(&o);
}
END_TEST

Suite *srcline_suite(void)
{
	Suite *s = suite_create("srcline");
	TCase *tc = tcase_create("srcline");

	tcase_add_test(tc, test_parse);
	tcase_add_test(tc, test_answers);
	tcase_add_test(tc, test_interrupted);
	tcase_add_test(tc, test_hangs);
	tcase_add_test(tc, test_ends);
	tcase_add_test(tc, test_absent);
	tcase_add_test(tc, test_private);
	tcase_add_loop_test(tc, test_foreign_copy, 0, 5);
	tcase_add_test(tc, test_account);
	tcase_add_test(tc, test_copying);
	suite_add_tcase(s, tc);
	return s;
}
