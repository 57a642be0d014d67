/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of other users: how much time and memory they take, what is no file, and what changes. */
#include <check.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/process/foreign.h"
#include "libdt/process/foreign_time.h"
#include "libdt/process/object.h"
#include "tests/unit/userfix.h"

static void count_report(void *arg, const char *text)
{
	++*(int *)arg;
	ck_assert_msg(strstr(text, "foreignsize (256m)"), "%s", text);
}

enum { SYMS = 40000 };
struct symbols_file {
	Elf64_Ehdr head;
	Elf64_Shdr sections[4];
	Elf64_Sym syms[SYMS];
};

/* Writes one with n functions, whose names in this table begin at 1 and at other, by turns. */
static void write_symbols(int fd, int n, uint32_t other, const char *names, size_t len)
{
	struct symbols_file *file = xcalloc(1, sizeof(*file));

	file->head = (Elf64_Ehdr){
	    .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	    .e_type = ET_DYN,
	    .e_machine = EM_X86_64,
	    .e_version = EV_CURRENT,
	    .e_shoff = offsetof(struct symbols_file, sections),
	    .e_ehsize = sizeof(Elf64_Ehdr),
	    .e_shentsize = sizeof(Elf64_Shdr),
	    .e_shnum = 3};
	file->sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
					 .sh_offset = offsetof(struct symbols_file, syms),
					 .sh_size = n * sizeof(Elf64_Sym),
					 .sh_entsize = sizeof(Elf64_Sym),
					 .sh_link = 2};
	file->sections[2] =
	    (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = sizeof(*file), .sh_size = len};
	for (int i = 0; i < n; i++)
		file->syms[i] = (Elf64_Sym){
		    i & 1 ? other : 1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, i + 1, 1};
	ck_assert(write(fd, file, sizeof(*file)) == sizeof(*file) &&
		  write(fd, names, len) == (ssize_t)len);
	free(file);
}

/* A file whose symbols have all the same name, which is very long: what is read of it has an
 * end. */
START_TEST(long_names)
{
	enum { MANY = 2000, LONG = 1 << 20 };
	static char path[] = "/tmp/dt_test_foreign.XXXXXX";
	char *name = xcalloc(1, LONG), *why;
	int fd = mkstemp(path), n, reports = 0;
	struct foreign_file found;
	struct foreign *reader;
	struct object *o;

	memset(name + 1, 'A', LONG - 2);
	write_symbols(fd, MANY, 1, name, LONG);
	reader = foreign_new(256 << 20, 60000000000ull, count_report, &reports);
	ck_assert_int_eq(foreign_find(reader, 0, path, &found), 0);
	ck_assert_int_ge(found.fd, 0); /* everybody may write to /tmp */
	o = object_open_file(reader, &found, &why);
	ck_assert_ptr_nonnull(o);
	object_syms(o, &n);
	ck_assert_msg(n < MANY / 2, "%d symbols", n);
	object_vars(o, &n);
	ck_assert_int_eq(reports, 1);
	object_close(o);
	foreign_free(reader);
	close(fd);
	unlink(path);
	free(name);
}
END_TEST

/* A table of names whose last one has no end, which is looked for once, not for each symbol. */
START_TEST(endless_name)
{
	enum { LONG = 16 << 20 };
	static char path[] = "/tmp/dt_test_foreign.XXXXXX";
	char *names = xcalloc(1, LONG), *why;
	const struct object_sym *syms;
	int fd = mkstemp(path), n;
	struct foreign_file found;
	struct foreign *reader;
	struct object *o;

	memset(names, 'A', LONG);
	memcpy(names, "\0f", 3);
	write_symbols(fd, SYMS, 3, names, LONG);
	reader = foreign_new(256 << 20, 1000000000ull, no_report, NULL);
	ck_assert_int_eq(foreign_find(reader, 0, path, &found), 0);
	o = object_open_file(reader, &found, &why);
	ck_assert_ptr_nonnull(o);
	syms = object_syms(o, &n);
	ck_assert_int_eq(n, SYMS / 2);
	for (int i = 0; i < n; i++)
		ck_assert_str_eq(syms[i].name, "f");
	object_close(o);
	foreign_free(reader);
	close(fd);
	unlink(path);
	free(names);
}
END_TEST

/* One user's files take no time from another's; all together leave a part to each. */
START_TEST(accounts)
{
	enum { FILES = 20, PART = 10 };
	const uint64_t ns = 1000000000;
	struct foreign_time t = {0};
	int64_t most, left;

	ck_assert_int_eq(foreign_time_left(&t, 1, FOREIGN_FILES, ns, &most), FILES * ns);
	foreign_time_spend(&t, 1, FOREIGN_FILES, (FILES + 1) * ns, false);
	left = foreign_time_left(&t, 1, FOREIGN_FILES, ns, &most);
	ck_assert_msg(left < 0 && left >= -(int64_t)ns, "%" PRId64, left);
	ck_assert_int_gt(foreign_time_left(&t, 1, FOREIGN_LISTS, ns, &most), 0);
	ck_assert_int_eq(foreign_time_left(&t, 2, FOREIGN_FILES, ns, &most), FILES * ns);
	poll(NULL, 0, 20); /* a tenth of the time that passes */
	ck_assert_int_ge(foreign_time_left(&t, 1, FOREIGN_FILES, ns, &most), left + 2000000);
	ck_assert(!foreign_time_exceeded(&t, FOREIGN_FILES, ns));
	for (int i = 3; i < 6; i++)
		foreign_time_spend(&t, i, FOREIGN_FILES, FILES * ns, true);
	ck_assert(foreign_time_exceeded(&t, FOREIGN_FILES, ns));
	ck_assert_int_eq(foreign_time_left(&t, 2, FOREIGN_FILES, ns, &most), FILES * ns / PART);
	ck_assert_int_eq(most, FILES * ns / PART);
	ck_assert(!foreign_rest_exceeded(&t, FOREIGN_FILES, ns)); /* but for the next ns */
	foreign_time_spend(&t, 7, FOREIGN_FILES, 1, true);
	ck_assert(foreign_rest_exceeded(&t, FOREIGN_FILES, ns));
	foreign_time_free(&t);
}
END_TEST

static void count_refusal(void *arg, const char *text)
{
	++*(int *)arg;
	ck_assert_msg(strstr(text, "processes of user 1 take too much time"), "%s", text);
}

/* Spends all that an account has, and ns more. */
static void overdraw(struct foreign *f, uint32_t payer, uint64_t ns)
{
	foreign_spend(f, payer, foreign_time_for(f, payer) + ns);
}

/* What one user's account does not pay for any more is read for another user's process: a file that
 * is opened, and one that is open. */
START_TEST(refused_to_one)
{
	static char path[] = "/tmp/dt_test_foreign.XXXXXX";
	int fd = mkstemp(path), n, reports = 0;
	struct foreign *f = foreign_new(256 << 20, 60000000000ull, count_refusal, &reports);
	struct object *objects[3];
	struct foreign_file found;
	char *why;

	write_symbols(fd, 10, 1, "\0f", 3);
	for (int i = 0; i < 3; i++) { /* the last one is found while its account has time */
		ck_assert_int_eq(foreign_find(f, 0, path, &found), 0);
		found.payer = i ? 1 : 2;
		if (i == 2)
			overdraw(f, 1, 1000000000000ull);
		objects[i] = object_open_file(f, &found, &why);
	}
	ck_assert_ptr_null(objects[2]);
	ck_assert_int_eq(found.err, -EBUSY);
	ck_assert_str_eq(why, foreign_refusal(-EBUSY));
	free(why);
	object_syms(objects[1], &n);
	ck_assert_int_eq(n, 0);
	ck_assert(object_is_refused(objects[1]));
	ck_assert_uint_eq(object_time(objects[1]), 0);
	object_syms(objects[0], &n);
	ck_assert_int_gt(n, 0);
	ck_assert(!object_is_refused(objects[0]));
	ck_assert_uint_gt(object_time(objects[0]), 0);
	ck_assert_int_eq(reports, 1);
	object_retry(objects[1], 0); /* a process of ours has the same file */
	object_syms(objects[1], &n);
	ck_assert_int_gt(n, 0);
	ck_assert(!object_is_refused(objects[1]));
	for (int i = 0; i < 2; i++)
		object_close(objects[i]);
	foreign_free(f);
	close(fd);
	unlink(path);
}
END_TEST

/* Copies this program, which has static probes. */
static int copy_self(char *path)
{
	struct stat st;
	int fd = mkstemp(path), from = open("/proc/self/exe", O_RDONLY);

	ck_assert_int_eq(fstat(from, &st), 0);
	ck_assert_int_eq(sendfile(fd, from, NULL, st.st_size), st.st_size);
	close(from);
	return fd;
}

/* An account that ends between the notes of static probes and their declarations: there are no
 * probes rather than some without declarations, until another user's process has the file. */
START_TEST(refused_in_part)
{
	static char path[] = "/tmp/dt_test_foreign.XXXXXX";
	int fd = copy_self(path), reports = 0, n = 1;
	struct foreign *f = NULL;
	struct object *o = NULL;
	struct foreign_file found;
	char *why;

	/* where the test stands still for long, its account gets time for both */
	for (int i = 0; n && i < 100; i++) {
		object_close(o);
		foreign_free(f);
		f = foreign_new(256 << 20, 60000000000ull, count_refusal, &reports);
		ck_assert_int_eq(foreign_find(f, 0, path, &found), 0);
		found.payer = 1;
		o = object_open_file(f, &found, &why);
		ck_assert_ptr_nonnull(o);
		foreign_spend(f, 1, foreign_time_for(f, 1) - 1);
		object_notes(o, &n);
	}
	ck_assert_int_eq(n, 0);
	ck_assert(object_is_refused(o));
	ck_assert_int_eq(reports, 1);
	object_retry(o, 0);
	object_notes(o, &n);
	ck_assert_int_gt(n, 0);
	ck_assert(!object_is_refused(o));
	object_close(o);
	foreign_free(f);
	close(fd);
	unlink(path);
}
END_TEST

static void take_report(void *arg, const char *text)
{
	++*(int *)arg;
	ck_assert_msg(strstr(text, "foreignsize (8m)"), "%s", text);
}

static void last_report(void *arg, const char *text)
{
	snprintf(arg, 256, "%s", text);
}

/* Takes all that there is for a user: as many megabytes, and what remains. */
static int fill(struct foreign *f, uint32_t user)
{
	int n = 0;

	while (foreign_take(f, user, "/a/file", 1 << 20))
		n++;
	while (foreign_take(f, user, "/a/file", 1 << 10))
		;
	return n;
}

START_TEST(shares)
{
	char text[256] = "";
	struct foreign *f = foreign_new(64 << 20, 1000000000, last_report, text);

	ck_assert_int_eq(fill(f, 1), 32);
	ck_assert_str_eq(text,
			 "symbols or probes of some files of other users are omitted: /a/file "
			 "and the files before it need more memory than the share of user 1 "
			 "of foreignsize (64m); try -x foreignsize=128m");
	ck_assert_int_eq(fill(f, 2), 16);
	ck_assert_int_eq(fill(f, 1), 0);
	ck_assert_int_eq(fill(f, 3), 8);
	/* root's processes may have all that is left */
	ck_assert_int_eq(fill(f, 0), 8);
	ck_assert_int_eq(fill(f, 4), 0);
	foreign_charge(f, 1, -(16 << 20));
	ck_assert_int_eq(fill(f, 2), 0);
	ck_assert_int_eq(fill(f, 1), 0);
	ck_assert_int_eq(fill(f, 4), 8);
	foreign_charge(f, 0, -(8 << 20));
	ck_assert_int_eq(fill(f, 5), 8);
	foreign_free(f);
}
END_TEST

/* A copy of this program that user 1 pays for. */
struct paid {
	struct foreign *f;
	struct object *o;
	char text[256]; /* the last report */
};

static void paid_open(struct paid *p)
{
	char path[] = "/tmp/dt_test_foreign.XXXXXX", *why = NULL;
	struct foreign_file found;

	close(copy_self(path));
	p->text[0] = '\0';
	p->f = foreign_new(64 << 20, 60000000000ull, last_report, p->text);
	ck_assert_int_eq(foreign_find(p->f, 0, path, &found), 0);
	found.payer = 1;
	p->o = object_open_file(p->f, &found, &why);
	ck_assert_ptr_nonnull(p->o);
	unlink(path);
}

/* What another user's share does not allow is asked for again for a process that has some. */
START_TEST(share_retry)
{
	struct paid p;
	int n = 0;

	paid_open(&p);
	fill(p.f, 1);
	object_syms(p.o, &n);
	ck_assert_int_eq(n, 0);
	ck_assert(object_is_refused(p.o));
	ck_assert(!object_may_ask(p.o)); /* no memory comes back by itself */
	object_retry(p.o, 0);
	object_syms(p.o, &n);
	ck_assert_int_gt(n, 100);
	object_close(p.o);
	foreign_free(p.f);
}
END_TEST

/* Also when that process was met before anything was refused: then nothing is omitted. */
START_TEST(share_of_another)
{
	struct paid p;
	int n = 0;

	paid_open(&p);
	object_retry(p.o, 0);
	fill(p.f, 1);
	p.text[0] = '\0';
	object_syms(p.o, &n);
	ck_assert_int_gt(n, 100);
	ck_assert(object_charge(p.o, 1 << 20));
	object_release(p.o, 1 << 20);
	ck_assert_str_eq(p.text, "");
	object_close(p.o);
	ck_assert_int_le(fill(p.f, 1), 1); /* what was made of the file's head before */
	foreign_free(p.f);
}
END_TEST

static int find_private(struct foreign *f, int number, off_t size, struct foreign_file *found)
{
	char path[] = "/tmp/dt_test_foreign.XXXXXX";
	int fd = mkstemp(path), err;

	ck_assert_msg(fd >= 0 && !ftruncate(fd, size), "file %d", number);
	err = foreign_find(f, 0, path, found);
	close(fd);
	unlink(path);
	return err;
}

/* Copies of files that only their owner may read are in the budget, each once, until they are given
 * back. */
START_TEST(copies)
{
	int reports = 0, a, b, c, fds[2];
	struct foreign *f = foreign_new(8 << 20, 60000000000ull, take_report, &reports);
	struct foreign_file files[2];

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(find_private(f, i, 5 << 20, &files[i]), 0);
	a = foreign_data(f, &files[0]);
	b = foreign_data(f, &files[0]);
	ck_assert_int_ge(a, 0);
	ck_assert_int_eq(a, b);
	ck_assert_int_eq(foreign_data(f, &files[1]), -EFBIG);
	ck_assert_int_eq(reports, 1);
	foreign_data_end(f, a);
	ck_assert_int_eq(foreign_data(f, &files[1]), -EFBIG);
	foreign_data_end(f, b);
	ck_assert_int_eq(fcntl(b, F_GETFD), -1);
	c = foreign_data(f, &files[1]);
	ck_assert_int_ge(c, 0);
	foreign_data_end(f, c);
	for (int i = 0; i < 2; i++)
		foreign_release(&files[i]);
	ck_assert_int_eq(pipe(fds), 0); /* what was no copy is only closed */
	foreign_data_end(f, fds[0]);
	ck_assert_int_eq(fcntl(fds[0], F_GETFD), -1);
	close(fds[1]);
	foreign_free(f);
}
END_TEST

static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Of very many objects few are open, and those that are not are found again if their files are
 * still the same. */
START_TEST(many_objects)
{
	enum { MANY = 300 };
	static struct object *objects[2 * MANY];
	char dir[] = "/tmp/dt_test_foreign.XXXXXX", *why, *command;
	char *copy = xasprintf("%s/env", mkdtemp(dir));
	const char *paths[] = {"/usr/bin/env", copy};
	struct foreign *reader = foreign_new(256 << 20, 60000000000ull, no_report, NULL);
	struct foreign_file found;
	int before;
	size_t len;

	command = xasprintf("cp /usr/bin/env %s", copy);
	ck_assert_int_eq(system(command), 0);
	before = count_descriptors();
	for (int i = 0; i < 2 * MANY; i++) {
		ck_assert_int_eq(foreign_find(reader, 0, paths[i % 2], &found), 0);
		objects[i] = object_open_file(reader, &found, &why);
		ck_assert_ptr_nonnull(objects[i]);
	}
	ck_assert_int_lt(count_descriptors(), before + 270);
	for (int i = 0; i < MANY; i++)
		ck_assert_ptr_nonnull(object_section(objects[i], ".text", &len, NULL));
	ck_assert_int_ge(object_fd(objects[2]), 0);
	ck_assert_int_ge(object_fd(objects[3]), 0);
	ck_assert_int_lt(count_descriptors(), before + 270);
	for (int i = 0; i < MANY; i++) /* others' turn */
		object_section(objects[MANY + i], ".rodata", &len, NULL);
	ck_assert_int_eq(truncate(copy, 20000), 0);
	ck_assert_ptr_nonnull(object_section(objects[0], ".dynsym", &len, NULL));
	ck_assert_ptr_null(object_section(objects[1], ".dynsym", &len, NULL));
	for (int i = 0; i < 2 * MANY; i++)
		object_close(objects[i]);
	ck_assert_int_lt(count_descriptors(), before + 10);
	foreign_free(reader);
	unlink(copy);
	rmdir(dir);
	free(copy);
	free(command);
}
END_TEST

/* What is no file is not opened, in our root directory and in a process's. */
START_TEST(not_files)
{
	static const char *const paths[] = {"/dev/null", "/dev", "/proc/self/status",
					    "/proc/self/ns/mnt",
					    "/sys/kernel/mm/transparent_hugepage/enabled"};
	static char dir[] = "/tmp/dt_test_foreign.XXXXXX";
	struct foreign *reader = foreign_new(256 << 20, 60000000000ull, no_report, NULL);
	struct foreign_file found;
	char *fifo = xasprintf("%s/fifo", mkdtemp(dir));

	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		ck_assert_msg(foreign_find(reader, 0, paths[i], &found) < 0, "%s", paths[i]);
		ck_assert_msg(foreign_find_own(paths[i], &found) < 0, "%s", paths[i]);
		ck_assert_int_eq(found.fd, -1);
		ck_assert_int_eq(found.own, -1);
	}
	ck_assert_int_eq(foreign_find(reader, 0, fifo, &found), -ENODEV);
	ck_assert_int_eq(foreign_find(reader, getpid(), fifo, &found), -ENODEV);
	unlink(fifo);
	ck_assert_int_eq(symlink("/proc/self/exe", fifo), 0);
	/* a link of the kernel's */
	ck_assert_int_lt(foreign_find(reader, getpid(), fifo, &found), 0);
	ck_assert_int_lt(foreign_find_here(reader, 0, fifo, &found), 0);
	unlink(fifo);
	rmdir(dir);
	free(fifo);
	foreign_free(reader);
}
END_TEST

/* A program becomes shorter after it was opened, and another one takes its place. */
START_TEST(shrinks)
{
	static char path[] = "/tmp/dt_test_foreign.XXXXXX";
	struct foreign *reader = foreign_new(256 << 20, 60000000000ull, no_report, NULL);
	struct foreign_file found;
	struct object *o;
	char code[16], *why;
	int fd = copy_self(path), from = open("/proc/self/exe", O_RDONLY), n;

	for (off_t len = lseek(fd, 0, SEEK_CUR) - 1; len > 64; len = len * 2 / 3) {
		uint64_t addr, size;

		if (foreign_find(reader, 0, path, &found))
			ck_abort_msg("it is not there");
		o = object_open_file(reader, &found, &why);
		ck_assert_int_eq(ftruncate(fd, len), 0);
		if (o) {
			object_notes(o, &n);
			object_syms(o, &n);
			object_vars(o, &n);
			object_unwind(o, &n);
			if (object_has_section(o, ".text", &addr, &size))
				object_read(o, addr + size - 16, code, sizeof(code));
		}
		free(why);
		object_close(o);
		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
		ck_assert_int_eq(sendfile(fd, from, &(off_t){0}, len), len);
	}
	close(fd);
	close(from);
	unlink(path);
	foreign_free(reader);
}
END_TEST

Suite *foreign_suite(void)
{
	Suite *s = suite_create("foreign");
	TCase *t = tcase_create("foreign");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, long_names);
	tcase_add_test(t, endless_name);
	tcase_add_test(t, accounts);
	tcase_add_test(t, refused_to_one);
	tcase_add_test(t, refused_in_part);
	tcase_add_test(t, shares);
	tcase_add_test(t, share_retry);
	tcase_add_test(t, share_of_another);
	tcase_add_test(t, many_objects);
	tcase_add_test(t, copies);
	tcase_add_test(t, not_files);
	tcase_add_test(t, shrinks);
	suite_add_tcase(s, t);
	return s;
}
