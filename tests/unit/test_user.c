/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of user space: this program looks at itself, at spoilt copies, and at malicious files. */
#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/machine/sdtarg.h"
#include "libdt/base/machine/x86len.h"
#include "libdt/base/radix.h"
#include "libdt/engine/unwind_table.h"
#include "libdt/process/cfi.h"
#include "libdt/process/foreign.h"
#include "libdt/process/foreign_time.h"
#include "libdt/process/proc_maps.h"
#include "libdt/process/object.h"
#include "tests/unit/redzone.h"

/* Symbols and functions are sorted by their addresses: equal ones stay in their order. */
START_TEST(order)
{
	enum { N = 5000 };
	static const uint64_t masks[] = {0, 1, 0xff00, 0x7f00000000ffff, ~0ULL};
	uint64_t keys[N], seed = 1;

	for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
		bool seen[N] = {false};
		uint32_t *at;

		for (int i = 0; i < N; i++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			keys[i] = (seed ^ seed >> 32) & masks[m];
		}
		at = radix_order(keys, N);
		for (int i = 0; i < N; i++) {
			ck_assert_uint_lt(at[i], N);
			ck_assert(!seen[at[i]]);
			seen[at[i]] = true;
			ck_assert(!i || keys[at[i - 1]] < keys[at[i]] ||
				  (keys[at[i - 1]] == keys[at[i]] && at[i - 1] < at[i]));
		}
		free(at);
	}
}
END_TEST

/* A probe point as <sys/sdt.h> writes it, with a semaphore. */
__attribute__((section(".probes"), used)) unsigned short user_test_semaphore;
__attribute__((noinline, used)) int user_test_function(int n)
{
	__asm__ volatile("990:	nop\n"
			 "	.pushsection .note.stapsdt, \"\", \"note\"\n"
			 "	.balign 4\n"
			 "	.4byte 992f - 991f, 994f - 993f, 3\n"
			 "991:	.asciz \"stapsdt\"\n"
			 "992:	.balign 4\n"
			 "993:	.8byte 990b\n"
			 "	.8byte 0\n"
			 "	.8byte user_test_semaphore\n"
			 "	.asciz \"prov\"\n"
			 "	.asciz \"name\"\n"
			 "	.asciz \"-4@$7\"\n"
			 "994:	.balign 4\n"
			 "	.popsection\n");
	return n + 1;
}

static const struct object_sym *sym_named(struct object *o, const char *name)
{
	int n;
	const struct object_sym *s = object_syms(o, &n);

	for (int i = 0; i < n; i++)
		if (!strcmp(s[i].name, name))
			return &s[i];
	return NULL;
}

START_TEST(self)
{
	char *why, code[16];
	struct object *o = object_open("/proc/self/exe", &why);
	const struct object_sym *s;
	uint64_t off;

	ck_assert_ptr_nonnull(o);
	ck_assert_ptr_null(why);
	s = sym_named(o, "user_test_function");
	ck_assert_ptr_nonnull(s);
	ck_assert_int_gt(s->size, 4);
	ck_assert_str_eq(object_sym_at(o, s->addr + 3)->name, "user_test_function");
	ck_assert(object_offset(o, s->addr, &off));
	ck_assert_uint_eq(object_read(o, s->addr, code, sizeof(code)), sizeof(code));
	ck_assert(!memcmp(code, (void *)user_test_function, sizeof(code)));
	ck_assert(!object_offset(o, UINT64_MAX - 5, &off));
	object_close(o);
}
END_TEST

NO_REDZONE uint16_t user_test_variable[5];
static volatile int initialized = 1;
static __thread int user_test_own;

START_TEST(variables)
{
	char *why;
	struct object *o = object_open("/proc/self/exe", &why);
	struct proc_maps *maps = foreign_maps(NULL, getpid());
	const struct mapping *m = proc_maps_at(maps, (uintptr_t)user_test_function);
	const struct object_sym *v;
	uint64_t base, addr;
	int n, own = 0, found = 0;

	user_test_own++;
	ck_assert(segments_bias(object_segments(o), maps, m, &base));
	m = proc_maps_at(maps, (uintptr_t)&initialized);
	ck_assert(segments_bias(object_segments(o), maps, m, &addr));
	ck_assert_uint_eq(addr, base);
	ck_assert_str_eq(object_name_at(o, (uintptr_t)&initialized - base)->name, "initialized");
	ck_assert_ptr_null(object_sym_at(o, (uintptr_t)&initialized - base));
	v = object_vars(o, &n);
	for (int i = 0; i < n; i++) {
		own += v[i].of_threads && !strcmp(v[i].name, "user_test_own");
		if (strcmp(v[i].name, "user_test_variable"))
			continue;
		found++;
		ck_assert(!v[i].of_threads);
		ck_assert_uint_eq(v[i].size, sizeof(user_test_variable));
		ck_assert_uint_eq(base + v[i].addr, (uintptr_t)user_test_variable);
	}
	ck_assert_int_eq(own, 1);
	ck_assert_int_eq(found, 1);
	ck_assert(object_variable(o, "user_test_variable", &addr));
	ck_assert_uint_eq(base + addr, (uintptr_t)user_test_variable);
	ck_assert(!object_variable(o, "user_test_own", &addr));
	ck_assert(!object_variable(o, "user_test_function", &addr));
	proc_maps_free(maps);
	object_close(o);
}
END_TEST

static bool count_probe(void *arg, const struct provnote_probe *p)
{
	int *n = arg;

	(*n)++;
	ck_assert_str_eq(p->provider, "shop");
	if (strcmp(p->name, "go"))
		return true;
	ck_assert_int_eq(p->npassed, 2);
	ck_assert_int_eq(p->nargs, 2);
	ck_assert_str_eq(p->passed[1], "char *");
	ck_assert_str_eq(p->args[0].type, "char *");
	ck_assert_int_eq(p->args[0].native, 1);
	ck_assert_int_eq(p->args[1].native, 0);
	return true;
}

START_TEST(declarations)
{
	static const uint8_t attrs[PROVNOTE_ATTRS] = {0};
	struct provnote_arg swapped[] = {{"char *", 1}, {"int", 0}};
	const char *passed[] = {"int", "char *"};
	struct strbuf note = {0};
	size_t begun = provnote_begin(&note, "shop", attrs, 3);
	int n = 0;

	provnote_probe(&note, begun, &(struct provnote_probe){"shop", "done", NULL, 0, NULL, 0});
	provnote_probe(&note, begun, &(struct provnote_probe){"shop", "go", passed, 2, swapped, 2});
	provnote_probe(&note, begun, &(struct provnote_probe){"shop", "last", NULL, 0, NULL, 0});
	provnote_end(&note, begun);
	provnote_read((uint8_t *)note.s + begun, note.len - begun, count_probe, &n);
	ck_assert_int_eq(n, 3);
	for (size_t len = 0; len < note.len - begun; len++) { /* cut short */
		uint8_t *copy = malloc(len + 1);

		memcpy(copy, note.s + begun, len);
		n = 0;
		provnote_read(copy, len, count_probe, &n);
		ck_assert_int_le(n, 3 - (len + 4 < note.len - begun));
		free(copy);
	}
	swapped[0].native = 7; /* of what is not passed */
	note.len = 0;
	begun = provnote_begin(&note, "shop", attrs, 1);
	provnote_probe(&note, begun, &(struct provnote_probe){"shop", "go", passed, 2, swapped, 2});
	n = 0;
	provnote_read((uint8_t *)note.s + begun, note.len - begun, count_probe, &n);
	ck_assert_int_eq(n, 0);
	sb_free(&note);
}
END_TEST

/* As lld lays them out: each page of a small file is mapped for several segments. */
START_TEST(segments)
{
	static const struct segment parts[] = {{0, 0, 0x6a0, 0x6a0, false, false},
					       {0x16a0, 0x6a0, 0x200, 0x200, true, false},
					       {0x28a0, 0x8a0, 0x1a0, 0x760, false, true},
					       {0x3a40, 0xa40, 0x30, 0x90, false, true}};
	struct proc_maps *m =
	    proc_maps_parse("7000-8000 r--p 00000000 08:01 7 /p\n8000-9000 r-xp 00000000 08:01 7 "
			    "/p\n9000-a000 r--p 00000000 08:01 7 /p\n"
			    "a000-b000 rw-p 00000000 08:01 7 /p\nb000-c000 rw-p 00000000 00:00 0 \n"
			    "27000-28000 r--p 00000000 08:01 7 /p\n");
	const struct mapping *all;
	struct segments s = {0};
	uint64_t bias = 0;
	int n;

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		vec_push(&s.v, parts[i]);
	all = proc_maps_all(m, &n);
	ck_assert_int_eq(n, 6);
	for (int i = 0; i < 4; i++) {
		ck_assert(segments_bias(&s, m, &all[i], &bias));
		ck_assert_uint_eq(bias, 0x7000);
	}
	ck_assert(segments_bias(&s, NULL, &all[1], &bias)); /* the only code: it says so alone */
	ck_assert_uint_eq(bias, 0x7000);
	/* with nothing beside it the first one it may be */
	ck_assert(segments_bias(&s, m, &all[5], &bias));
	ck_assert_uint_eq(bias, 0x27000);
	ck_assert_ptr_eq(segments_owner(m, &all[4]), &all[3]);
	ck_assert_ptr_null(segments_owner(m, &all[3]));
	ck_assert_ptr_null(segments_owner(NULL, &all[4]));
	ck_assert(segments_has(&s, 0x3a40 + 0x8f) && !segments_has(&s, 0x3a40 + 0x90));
	s.fixed = true; /* at its own addresses or nowhere */
	ck_assert(!segments_bias(&s, m, &all[1], &bias));
	segments_free(&s);
	proc_maps_free(m);
}
END_TEST

START_TEST(notes)
{
	char *why;
	struct object *o = object_open("/proc/self/exe", &why);
	const struct object_sym *s = sym_named(o, "user_test_function");
	const struct object_note *notes;
	int n, found = 0;

	notes = object_notes(o, &n);
	for (int i = 0; i < n; i++) {
		if (strcmp(notes[i].provider, "prov") || strcmp(notes[i].name, "name"))
			continue;
		found++;
		ck_assert_str_eq(notes[i].args, "-4@$7");
		ck_assert_uint_ge(notes[i].addr, s->addr);
		ck_assert_uint_lt(notes[i].addr, s->addr + s->size);
		ck_assert_uint_ne(notes[i].semaphore, 0);
	}
	ck_assert_int_eq(found, 1);
	object_close(o);
}
END_TEST

START_TEST(refused)
{
	static const char *const files[] = {"/dev/null", "/etc/passwd", "/no/such/file",
					    "/proc/self/maps", "/"};
	char *why;

	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		ck_assert_ptr_null(object_open(files[i], &why));
		ck_assert_ptr_nonnull(why);
		free(why);
	}
}
END_TEST

/* Everything that can be asked of an object. */
static void look_at(const char *path)
{
	char *why, buf[64];
	struct object *o = object_open(path, &why);
	const struct object_sym *s;
	uint64_t off;
	size_t len;
	int n;

	free(why);
	if (!o)
		return;
	s = object_syms(o, &n);
	for (int i = 0; i < n && i < 100; i++) {
		object_sym_at(o, s[i].addr + 1);
		object_offset(o, s[i].addr, &off);
		object_read(o, s[i].addr, buf, sizeof(buf));
	}
	object_vars(o, &n);
	object_name_at(o, 0x400000);
	object_notes(o, &n);
	object_section(o, ".eh_frame", &len, &off);
	object_close(o);
}

START_TEST(spoilt)
{
	static char path[] = "/tmp/dt_test_user.XXXXXX";
	int self = open("/proc/self/exe", O_RDONLY), fd;
	off_t size = lseek(self, 0, SEEK_END);
	uint8_t *whole = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, self, 0);
	unsigned seed = 1;

	ck_assert_ptr_ne(whole, MAP_FAILED);
	fd = mkstemp(path);
	for (int i = 0; i < 200; i++) {
		off_t end = i < 100 ? size * i / 100 : size;

		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq(pwrite(fd, whole, end, 0), end);
		/* headers, and what the section headers say */
		for (int k = 0; i >= 100 && k < 40; k++) {
			uint8_t byte = rand_r(&seed);
			off_t at =
			    k % 2 ? (off_t)(rand_r(&seed) % 1024) : size - 1 - rand_r(&seed) % 4096;

			ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
		}
		look_at(path);
	}
	close(fd);
	unlink(path);
	munmap(whole, size);
	close(self);
}
END_TEST

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
	static char path[] = "/tmp/dt_test_user.XXXXXX";
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

static void no_report(void *arg, const char *text)
{
	(void)arg;
	ck_abort_msg("%s", text);
}

/* A table of names whose last one has no end, which is looked for once, not for each symbol. */
START_TEST(endless_name)
{
	enum { LONG = 16 << 20 };
	static char path[] = "/tmp/dt_test_user.XXXXXX";
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

static void take_report(void *arg, const char *text)
{
	++*(int *)arg;
	ck_assert_msg(strstr(text, "foreignsize (8m)"), "%s", text);
}

static int find_private(struct foreign *f, int number, off_t size, struct foreign_file *found)
{
	char path[] = "/tmp/dt_test_user.XXXXXX";
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

/* What is no file is not opened, in our root directory and in a process's. */
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
	char dir[] = "/tmp/dt_test_user.XXXXXX", *why, *command;
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

START_TEST(not_files)
{
	static const char *const paths[] = {"/dev/null", "/dev", "/proc/self/status",
					    "/proc/self/ns/mnt",
					    "/sys/kernel/mm/transparent_hugepage/enabled"};
	static char dir[] = "/tmp/dt_test_user.XXXXXX";
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
	static char path[] = "/tmp/dt_test_user.XXXXXX";
	struct foreign *reader = foreign_new(256 << 20, 60000000000ull, no_report, NULL);
	struct foreign_file found;
	struct object *o;
	char code[16], *why;
	struct stat st;
	int fd = mkstemp(path), from = open("/proc/self/exe", O_RDONLY), n;

	ck_assert_int_eq(fstat(from, &st), 0);
	ck_assert_int_eq(sendfile(fd, from, NULL, st.st_size), st.st_size);
	for (off_t len = st.st_size - 1; len > 64; len = len * 2 / 3) {
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

/* The rule at an address. */
static uint32_t rule_at(struct object *o, uint64_t addr)
{
	int n;
	const struct cfi_row *rows = object_unwind(o, &n);
	uint32_t rule = CFI_UNKNOWN;

	for (int i = 0; i < n && rows[i].addr <= addr; i++)
		rule = rows[i].rule;
	return rule;
}

#define RULE(kind, fp, off) ((kind) | (fp) << CFI_FP_SHIFT | (off) << CFI_OFF_SHIFT)

/* A section at 0x1000: a CIE with augmentation, and functions at 0x2000, 0x2040 (with its own way
 * back), 0x3000 and 0x3020. */
START_TEST(frames)
{
	static const uint8_t section[] = {
	    0x14,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	    1,
	    'z',
	    'R',
	    0,
	    1,
	    0x78,
	    16,
	    1,
	    0x1b,
	    0x0c,
	    7,
	    8,
	    0x90,
	    1,
	    0,
	    0,
	    /* at 0x18, its begin at 0x1020: push %rbp; mov %rsp,%rbp; ...; leave, at 0x3f */
	    0x1c,
	    0,
	    0,
	    0,
	    0x1c,
	    0,
	    0,
	    0,
	    0xe0,
	    0x0f,
	    0,
	    0,
	    0x40,
	    0,
	    0,
	    0,
	    0,
	    0x41,
	    0x0e,
	    16,
	    0x86,
	    2,
	    0x43,
	    0x0d,
	    6,
	    0x7b,
	    0x0c,
	    7,
	    8,
	    0xc6,
	    0,
	    0,
	    /* at 0x38, begin at 0x1040: sub $1024 (two bytes of LEB), remember, lose the
		 * return address, recall */
	    0x1c,
	    0,
	    0,
	    0,
	    0x3c,
	    0,
	    0,
	    0,
	    0x00,
	    0x10,
	    0,
	    0,
	    0x20,
	    0,
	    0,
	    0,
	    0,
	    0x47,
	    0x0e,
	    0x88,
	    0x08,
	    0x41,
	    0x0a,
	    0x07,
	    16,
	    0x41,
	    0x0b,
	    0,
	    0,
	    0,
	    0,
	    0,
	    /* at 0x58, begin at 0x1060: a PLT's expression, from 11 bytes on */
	    0x20,
	    0,
	    0,
	    0,
	    0x5c,
	    0,
	    0,
	    0,
	    0xa0,
	    0x1f,
	    0,
	    0,
	    0x10,
	    0,
	    0,
	    0,
	    0,
	    0x0f,
	    11,
	    0x77,
	    8,
	    0x80,
	    0,
	    0x3f,
	    0x1a,
	    0x3b,
	    0x2a,
	    0x33,
	    0x24,
	    0x22,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	    /* at 0x7c, begin at 0x1084: the stack pointer is kept in a word above it */
	    0x18,
	    0,
	    0,
	    0,
	    0x80,
	    0,
	    0,
	    0,
	    0x9c,
	    0x1f,
	    0,
	    0,
	    0x10,
	    0,
	    0,
	    0,
	    0,
	    0x0f,
	    5,
	    0x77,
	    24,
	    6,
	    0x23,
	    8,
	    0x86,
	    3,
	    0,
	    0,
	    0,
	    0,
	    0,
	    0,
	};
	static const struct {
		uint32_t addr, rule;
	} want[] = {
	    {0x2000, RULE(CFI_SP, 0, 1)},
	    {0x2001, RULE(CFI_SP, 2, 2)},
	    {0x2004, RULE(CFI_FP, 2, 2)},
	    {0x203f, RULE(CFI_SP, 0, 1)}, /* and 0x2040 is the same */
	    {0x2047, RULE(CFI_SP, 0, 129)},
	    {0x2048, CFI_END},
	    {0x2049, RULE(CFI_SP, 0, 129)},
	    {0x2060, CFI_UNKNOWN},
	    {0x3000, RULE(CFI_SPECIAL, 0, 11)},
	    {0x3010, CFI_UNKNOWN},
	    {0x3020, RULE(CFI_SPECIAL, 3, CFI_KEPT + 1 + 3)},
	    {0x3030, CFI_UNKNOWN},
	};
	struct cfi cfi = {0};

	cfi_parse(&cfi, &machine_x86_64, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(want));
	for (int i = 0; i < cfi.rows.n; i++) {
		ck_assert_uint_eq(cfi.rows.v[i].addr, want[i].addr);
		ck_assert_uint_eq(cfi.rows.v[i].rule, want[i].rule);
	}
	cfi_free(&cfi);
	for (size_t len = 0; len < sizeof(section); len++) /* cut anywhere */
		cfi_parse(&cfi, &machine_x86_64, section, len, 0x1000);
	cfi_free(&cfi);
}
END_TEST

/* At 0x2000 a function that pushes %rbx, at 0x2040 one whose base is by %rbx: only with the latter
 * rules have rbx. */
START_TEST(frames_by_bx)
{
	/* clang-format off */
	static const uint8_t section[] = {
	    0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
	    0x0c, 7, 8, 0x90, 1, 0, 0,
	    0x14, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0x0f, 0, 0, 0x40, 0, 0, 0, 0,
	    0x41, 0x0e, 16, 0x83, 2, 0, 0,
	    0x18, 0, 0, 0, 0x34, 0, 0, 0, 0x08, 0x10, 0, 0, 0x20, 0, 0, 0, 0,
	    0x42, 0x0c, 3, 32, 0x83, 4, 0x44, 0x0c, 7, 8, 0xc3,
	};
	/* clang-format on */
	enum { SAVED = 1u << CFI_BX_SHIFT };
	static const struct cfi_row without[] = {
	    {0x2000, RULE(CFI_SP, 0, 1)},
	    {0x2001, RULE(CFI_SP, 0, 2)},
	    {0x2040, CFI_UNKNOWN},
	};
	static const struct cfi_row with[] = {
	    {0x2000, RULE(CFI_SP, 0, 1) | CFI_BX_KNOWN},
	    {0x2001, RULE(CFI_SP, 0, 2) | CFI_BX_KNOWN | 2 * SAVED},
	    {0x2040, RULE(CFI_SP, 0, 1) | CFI_BX_KNOWN},
	    {0x2042, RULE(CFI_SPECIAL, 0, CFI_BX + 4)},
	    {0x2046, RULE(CFI_SP, 0, 1) | CFI_BX_KNOWN},
	    {0x2060, CFI_UNKNOWN},
	};
	struct cfi cfi = {0};

	cfi_parse(&cfi, &machine_x86_64, section, 0x30, 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(without));
	ck_assert_mem_eq(cfi.rows.v, without, sizeof(without));
	cfi_parse(&cfi, &machine_x86_64, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(with));
	ck_assert_mem_eq(cfi.rows.v, with, sizeof(with));
	cfi_free(&cfi);
}
END_TEST

/* A section of functions for aarch64, some as gcc 12 writes them with -fomit-frame-pointer and
 * -mbranch-protection=standard. */
START_TEST(frames_aarch64)
{
	enum { FDE = 40, HEAD = 17, WANT = 4 };
	/* clang-format off */
	static const uint8_t cie[] = {
	    17, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0x03, 0x0c, 31, 0, 0,
	};
	static const struct {
		uint32_t addr, size;
		uint8_t program[FDE - HEAD];
		struct cfi_row want[WANT];
	} funcs[] = {
	    /* paciasp; stp x19, x30, [sp, -16]! */
	    {0x2000, 0x20,
	     {0x41, 0x2d, 0x41, 0x0e, 16, 0x93, 2, 0x9e, 1, 0x44, 0xde, 0xd3, 0x0e, 0, 0x41, 0x2d},
	     {{0x2000, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2008, RULE(CFI_SP, 1, 2) | CFI_ONE},
	      {0x2018, RULE(CFI_SP, 0, 0) | CFI_LINK}}},
	    /* large: the saved words are at its lower end */
	    {0x2040, 0x38,
	     {0x42, 0x0e, 0xa0, 0x27, 0x41, 0x93, 0xf4, 4, 0x9e, 0xf3, 4, 0x48, 0xd3, 0xde, 0x0e,
	      0},
	     {{0x2040, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2048, RULE(CFI_SP, 0, 628) | CFI_LINK},
	      {0x204c, RULE(CFI_SP, 1, 628) | CFI_ONE | CFI_FROM_REG},
	      {0x206c, RULE(CFI_SP, 0, 0) | CFI_LINK}}},
	    /* by the frame pointer */
	    {0x2080, 0x40,
	     {0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x42, 0x0d, 29, 0x42, 0x93, 2, 0x4a, 0xde, 0xdd,
	      0xd3, 0x0c, 31, 0},
	     {{0x2080, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2084, RULE(CFI_SP, 4, 4)},
	      {0x208c, RULE(CFI_FP, 4, 4)}, {0x20bc, RULE(CFI_SP, 0, 0) | CFI_LINK}}},
	    /* the dynamic linker's: a PLT has pushed the return address as the second word */
	    {0x2100, 0x20, {0x11, 30, 0x7f, 0x41, 0x0e, 0xd0, 1},
	     {{0x2100, RULE(CFI_SP, 1, 2) | CFI_ONE}, {0x2104, RULE(CFI_SP, 1, 28) | CFI_ONE}}},
	    {0x2140, 0x20, {0x41, 0x07, 30},
	     {{0x2140, RULE(CFI_SP, 0, 0) | CFI_LINK}, {0x2144, CFI_END}}},
	    /* the frame pointer alone, and a signature with the program counter */
	    {0x21c0, 0x20, {0x41, 0x2c, 0x0e, 32, 0x9d, 2},
	     {{0x21c0, RULE(CFI_SP, 0, 0) | CFI_LINK},
	      {0x21c4, RULE(CFI_SP, 2, 4) | CFI_LINK | CFI_ONE}}},
	    /* no rules of ours: apart, too far from both ends, too large, an expression */
	    {0x2200, 0x20, {0x0e, 32, 0x9d, 4, 0x9e, 1, 0x41, 0xdd},
	     {{0x2204, RULE(CFI_SP, 1, 4) | CFI_ONE}}},
	    {0x2240, 0x20, {0x0e, 0x80, 0xf4, 3, 0x9d, 0xa0, 0x1f, 0x9e, 0x9f, 0x1f}, {{0}}},
	    {0x2280, 0x20, {0x0e, 0x80, 0x80, 0x80, 1, 0x41, 0x0e, 0xf8, 0xff, 0x7f},
	     {{0x2284, RULE(CFI_SP, 0, (1 << CFI_LINK_OFF_BITS) - 1) | CFI_LINK}}},
	    {0x22c0, 0x20, {0x0f, 2, 0x8f, 16}, {{0}}},
	};
	/* clang-format on */
	uint8_t section[sizeof(cie) + ARRAY_SIZE(funcs) * FDE] = {0}, *to = section + sizeof(cie);
	struct cfi_row want[(WANT + 1) * ARRAY_SIZE(funcs)];
	struct cfi cfi = {0};
	int n = 0;

	memcpy(section, cie, sizeof(cie));
	for (uint32_t i = 0; i < ARRAY_SIZE(funcs); i++, to += FDE) {
		uint32_t head[4] = {FDE - 4, (uint32_t)(to + 4 - section), funcs[i].addr,
				    funcs[i].size};

		memcpy(to, head, sizeof(head));
		memcpy(to + HEAD, funcs[i].program, sizeof(funcs[i].program));
		for (int k = 0; k < WANT && funcs[i].want[k].addr; k++)
			want[n++] = funcs[i].want[k];
		if (want[n - 1].rule != CFI_UNKNOWN)
			want[n++] = (struct cfi_row){funcs[i].addr + funcs[i].size, CFI_UNKNOWN};
	}
	cfi_parse(&cfi, &machine_aarch64, section, sizeof(section), 0x1000);
	for (int i = 0; i < MIN(n, cfi.rows.n); i++) {
		ck_assert_uint_eq(cfi.rows.v[i].addr, want[i].addr);
		ck_assert_uint_eq(cfi.rows.v[i].rule, want[i].rule);
	}
	ck_assert_int_eq(cfi.rows.n, n);
	cfi_parse(&cfi, &machine_x86_64, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, 0);
	cfi_free(&cfi);
}
END_TEST

START_TEST(frames_spoilt)
{
	char *why;
	struct object *o = object_open("/proc/self/exe", &why);
	const struct object_sym *s = sym_named(o, "user_test_function");
	const struct machine *machine = machine_of(object_machine(o));
	struct cfi cfi = {0};
	const uint8_t *data;
	unsigned seed = 1;
	uint64_t addr;
	uint8_t *copy;
	size_t len;

	if (!machine->unwind.known)
		machine = &machine_x86_64;
	/* at its entry */
	if (object_machine(o) == EM_X86_64)
		ck_assert_uint_eq(rule_at(o, s->addr), RULE(CFI_SP, 0, 1));
	else if (object_machine(o) == EM_AARCH64)
		ck_assert_uint_eq(rule_at(o, s->addr), RULE(CFI_SP, 0, 0) | CFI_LINK);
	data = object_section(o, ".eh_frame", &len, &addr);
	ck_assert_ptr_nonnull(data);
	len = MIN(len, 20000u);
	copy = malloc(len);
	for (int i = 0; i < 200; i++) {
		int unordered = 0;

		memcpy(copy, data, len);
		for (int k = 0; k < 1 + i; k++)
			copy[rand_r(&seed) % len] = rand_r(&seed);
		cfi_parse(&cfi, machine, copy, len, addr);
		for (int k = 1; k < cfi.rows.n; k++)
			unordered += cfi.rows.v[k - 1].addr >= cfi.rows.v[k].addr;
		ck_assert_int_eq(unordered, 0);
		cfi_free(&cfi);
	}
	free(copy);
	object_close(o);
}
END_TEST

/* The reader's rows are those of dtrace itself. */
START_TEST(frames_foreign)
{
	struct foreign *reader = foreign_new(256 << 20, 60000000000ull, no_report, NULL);
	struct foreign_file found;
	char path[PATH_MAX] = "", *why;
	struct object *own = object_open("/proc/self/exe", &why), *o;
	int n, n_own;
	const struct cfi_row *rows, *own_rows = object_unwind(own, &n_own);

	ck_assert_int_gt(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
	ck_assert_int_eq(foreign_find_here(reader, 0, path, &found), 0);
	o = object_open_file(reader, &found, &why);
	ck_assert_ptr_nonnull(o);
	rows = object_unwind(o, &n);
	ck_assert_int_eq(n, n_own);
	ck_assert_int_eq(n > 0, machine_of(object_machine(o))->unwind.known);
	ck_assert(!n || !memcmp(rows, own_rows, n * sizeof(*rows)));
	object_close(o);
	object_close(own);
	foreign_free(reader);
}
END_TEST

/* Functions in no order, and such that overlap. */
START_TEST(frames_order)
{
	enum { FUNCTIONS = 300, SIZE = 0x20, FDE = 24 };
	static const uint8_t cie[] = {13,  0,	0, 0, 0,    0,	0, 0,	1,
				      'z', 'R', 0, 1, 0x78, 16, 1, 0x1b};
	uint8_t data[sizeof(cie) + FUNCTIONS * FDE] = {0}, *to = data + sizeof(cie);
	struct cfi cfi = {0};
	uint32_t addr = 0x1000;

	memcpy(data, cie, sizeof(cie));
	for (uint32_t i = 0; i < FUNCTIONS; i++, to += FDE) {
		uint32_t place = 0x100000 + i * 77 % FUNCTIONS * SIZE,
			 size = i % 10 ? SIZE : SIZE + 8,
			 fde[4] = {FDE - 4, (uint32_t)(to + 4 - data),
				   place - (addr + (uint32_t)(to + 8 - data)), size};

		memcpy(to, fde, sizeof(fde));
		/* the base is the stack pointer plus so much, the return address 8 below */
		memcpy(&to[17], (uint8_t[]){0x0c, 7, 8 * (1 + i % 7), 0x90, 1}, 5);
	}
	cfi_parse(&cfi, &machine_x86_64, data, sizeof(data), addr);
	ck_assert_int_gt(cfi.rows.n, FUNCTIONS / 2);
	for (int i = 1; i < cfi.rows.n; i++) {
		ck_assert_uint_lt(cfi.rows.v[i - 1].addr, cfi.rows.v[i].addr);
		ck_assert_uint_ne(cfi.rows.v[i - 1].rule, cfi.rows.v[i].rule);
	}
	cfi_free(&cfi);
}
END_TEST

/* The rule that the routine in the kernel finds (bpf/rt_unwind.c). */
static uint32_t packed_rule(const struct unwind_table *t, uint64_t addr)
{
	uint64_t rel = addr - t->base, block = rel >> UNWIND_BLOCK_BITS;
	uint32_t low = rel & ((1 << UNWIND_BLOCK_BITS) - 1), at;

	if (block >= t->nblocks)
		return CFI_UNKNOWN;
	at = t->words.v[block];
	while (at < t->words.v[block + 1] &&
	       (t->words.v[at] & ((1 << UNWIND_BLOCK_BITS) - 1)) <= low)
		at++;
	return t->words.v[t->nblocks + 1 + (t->words.v[at - 1] >> UNWIND_BLOCK_BITS)];
}

static uint32_t rule_of_rows(const struct cfi_row *rows, int n, uint64_t addr)
{
	uint32_t rule = CFI_UNKNOWN;

	for (int i = 0; i < n && rows[i].addr <= addr; i++)
		rule = rows[i].rule;
	return rule;
}

START_TEST(frames_packed)
{
	enum { ROWS = 2000 };
	struct cfi_row rows[ROWS];
	struct unwind_table t;
	unsigned seed = 7;
	uint32_t addr = 0x412345;

	for (int i = 0; i < ROWS; i++) { /* blocks with many rows, with one, and with none */
		rows[i] = (struct cfi_row){addr, RULE(CFI_SP, i % 5, 1 + i % 50)};
		addr += i % 100 ? 1 + rand_r(&seed) % 300 : rand_r(&seed) % 300000;
	}
	unwind_table_pack(&t, rows, ROWS);
	ck_assert_uint_eq(t.base, 0x410000);
	ck_assert_int_lt(t.words.n, ROWS + 1000);
	for (int i = 0; i < ROWS; i++)
		for (int k = -1; k < 2; k++)
			ck_assert_uint_eq(packed_rule(&t, rows[i].addr + k),
					  rule_of_rows(rows, ROWS, rows[i].addr + k));
	ck_assert_uint_eq(packed_rule(&t, t.base), CFI_UNKNOWN);
	ck_assert_uint_eq(packed_rule(&t, rows[ROWS - 1].addr + 0x20000), CFI_UNKNOWN);
	unwind_table_free(&t);
	rows[5].addr = 7; /* not ascending: as if it was not there */
	unwind_table_pack(&t, rows, ROWS);
	ck_assert_uint_eq(packed_rule(&t, rows[4].addr), rows[4].rule);
	ck_assert_uint_eq(packed_rule(&t, rows[6].addr), rows[6].rule);
	unwind_table_free(&t);
	unwind_table_pack(&t, rows, 0);
	ck_assert_uint_eq(t.nblocks, 0);
	unwind_table_free(&t);
}
END_TEST

/* More rules than a row can number: those of the rest are unknown. */
START_TEST(frames_rules)
{
	enum { ROWS = UNWIND_RULES_MAX + 100 };
	struct cfi_row *rows = xcalloc(ROWS, sizeof(*rows));
	struct unwind_table t;

	for (uint32_t i = 0; i < ROWS; i++)
		rows[i] = (struct cfi_row){0x10 + i, RULE(CFI_SP, 0, 1 + i)};
	unwind_table_pack(&t, rows, ROWS);
	ck_assert_uint_eq(packed_rule(&t, 0x10), rows[0].rule);
	ck_assert_uint_eq(packed_rule(&t, 0x10 + 1000), rows[1000].rule);
	ck_assert_uint_eq(packed_rule(&t, 0x10 + ROWS - 1), CFI_UNKNOWN);
	unwind_table_free(&t);
	free(rows);
}
END_TEST

/* A program of a million steps that each of many functions goes through first: reading it has an
 * end. */
START_TEST(frames_long)
{
	enum { STEPS = 1 << 20, FUNCTIONS = 40000, FDE = 24 };
	static const uint8_t cie[] = {0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b};
	uint32_t size = sizeof(cie) + STEPS, len = 4 + size + FUNCTIONS * FDE;
	uint8_t *data = xcalloc(1, len), *to = data;
	struct cfi cfi = {0};

	memcpy(to, &size, 4);
	memcpy(to + 4, cie, sizeof(cie));
	to += 4 + size;
	for (int i = 0; i < FUNCTIONS; i++, to += FDE) {
		uint32_t fde[4] = {FDE - 4, (uint32_t)(to + 4 - data), 0x100, 0x10};

		memcpy(to, fde, sizeof(fde));
	}
	cfi_parse(&cfi, &machine_x86_64, data, len, 0x1000000);
	ck_assert_int_gt(cfi.rows.n, 0);
	ck_assert_int_lt(cfi.rows.n, FUNCTIONS);
	cfi_free(&cfi);
	free(data);
}
END_TEST

/* Notes of odd sizes and a .gnu_debugdata that is none, in an object that objcopy makes of this
 * one. */
START_TEST(garbage)
{
	static const uint32_t sizes[][2] = {{8, 0},	     {8, 3}, {8, 27}, {8, 0xfffffff0},
					    {0xffffffff, 4}, {0, 0}, {7, 40}, {8, 1u << 31}};
	char *dir = xstrdup("/tmp/dt_test_user.XXXXXX"), *note, *object, *command;
	int made = 0;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	note = xasprintf("%s/note", dir);
	object = xasprintf("%s/object", dir);
	command = xasprintf("objcopy -R .note.stapsdt -R .gnu_debugdata --add-section "
			    ".note.stapsdt=%s --add-section .gnu_debugdata=%s "
			    "-S /proc/%d/exe %s 2>/dev/null",
			    note, note, getpid(), object);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t head[3] = {sizes[i][0], sizes[i][1], 3};
		FILE *f = fopen(note, "w");

		ck_assert_ptr_nonnull(f);
		fwrite(head, sizeof(head), 1, f);
		fwrite(i % 2 ? "stapsdt\0aaaaaaaaaaaaaaaaaaaaaaaaaaaa"
			     : "stapsdt\0\375"
			       "7zXZ\0\0\4",
		       1, i % 2 ? 36 : 16, f);
		fclose(f);
		made += system(command) == 0;
		look_at(object);
	}
	if (made)
		ck_assert_int_eq(made, sizeof(sizes) / sizeof(sizes[0]));
	unlink(note);
	unlink(object);
	rmdir(dir);
	free(note);
	free(object);
	free(command);
	free(dir);
}
END_TEST

static bool distance(void *arg, const char *name, int64_t *d)
{
	(void)arg;
	*d = 0x1000;
	return !strcmp(name, "g");
}

/* What the notes of real programs have, and what is not understood. */
START_TEST(arguments)
{
	static const struct {
		const char *text;
		int machine;
		struct sdtarg want;
	} cases[] = {
	    {"-4@%edi", EM_X86_64, {SDTARG_REG, 4, true, 0, 112, -1, 1, 0, NULL, 0}},
	    {"8@%r12", EM_X86_64, {SDTARG_REG, 8, false, 0, 24, -1, 1, 0, NULL, 0}},
	    {"2@%r9w", EM_X86_64, {SDTARG_REG, 2, false, 0, 64, -1, 1, 0, NULL, 0}},
	    {"-1@%ah", EM_X86_64, {SDTARG_REG, 1, true, 0, 80, -1, 1, 8, NULL, 0}},
	    {"4@$-7", EM_X86_64, {SDTARG_CONST, 4, false, 4294967289, -1, -1, 1, 0, NULL, 0}},
	    {"1@$-56", EM_X86_64, {SDTARG_CONST, 1, false, 200, -1, -1, 1, 0, NULL, 0}},
	    {"-2@$-536", EM_X86_64, {SDTARG_CONST, 2, true, -536, -1, -1, 1, 0, NULL, 0}},
	    {"8@-24(%rbp)", EM_X86_64, {SDTARG_MEM, 8, false, -24, 32, -1, 1, 0, NULL, 0}},
	    {"-4@(%rax,%rbx,4)", EM_X86_64, {SDTARG_MEM, 4, true, 0, 80, 40, 4, 0, NULL, 0}},
	    {"8@16+8(,%rcx,8)", EM_X86_64, {SDTARG_MEM, 8, false, 24, -1, 88, 8, 0, NULL, 0}},
	    {"-8@8+g(%rip)", EM_X86_64, {SDTARG_MEM, 8, true, 0x1008, 128, -1, 1, 0, NULL, 0}},
	    {"8@g-4(%rip)", EM_X86_64, {SDTARG_MEM, 8, false, 0xffc, 128, -1, 1, 0, NULL, 0}},
	    {"%rdi", EM_X86_64, {SDTARG_REG, 8, false, 0, 112, -1, 1, 0, NULL, 0}},
	    {"8@x1", EM_AARCH64, {SDTARG_REG, 8, false, 0, 8, -1, 1, 0, NULL, 0}},
	    {"-4@[sp, 12]", EM_AARCH64, {SDTARG_MEM, 4, true, 12, 248, -1, 1, 0, NULL, 0}},
	    {"4@7", EM_AARCH64, {SDTARG_CONST, 4, false, 7, -1, -1, 1, 0, NULL, 0}},
	    {"8@a1", EM_RISCV, {SDTARG_REG, 8, false, 0, 88, -1, 1, 0, NULL, 0}},
	    {"-4@s11", EM_RISCV, {SDTARG_REG, 4, true, 0, 216, -1, 1, 0, NULL, 0}},
	    {"-4@-20(s0)", EM_RISCV, {SDTARG_MEM, 4, true, -20, 64, -1, 1, 0, NULL, 0}},
	    {"2@(a5)", EM_RISCV, {SDTARG_MEM, 2, false, 0, 120, -1, 1, 0, NULL, 0}},
	    {"4@-7", EM_RISCV, {SDTARG_CONST, 4, false, 4294967289, -1, -1, 1, 0, NULL, 0}},
	    {"8f@%xmm0", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
	    {"8@%xmm0", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
	    {"8@h(%rip)", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
	    {"8@g(%rax)", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
	    {"3@%rax", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
	    {"8@(%rax", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
	    {"8@x31", EM_AARCH64, {.kind = SDTARG_UNKNOWN}},
	    {"8@fa0", EM_RISCV, {.kind = SDTARG_UNKNOWN}},
	    {"8@8(a9)", EM_RISCV, {.kind = SDTARG_UNKNOWN}},
	    {"8@8(a0", EM_RISCV, {.kind = SDTARG_UNKNOWN}},
	    {"8@a0", EM_386, {.kind = SDTARG_UNKNOWN}},
	};
	struct sdtarg got[SDTARG_MAX];

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sdtarg_env env = {cases[i].machine, distance, NULL};
		const struct sdtarg *w = &cases[i].want;

		ck_assert_int_eq(sdtarg_parse(cases[i].text, &env, got), 1);
		ck_assert_msg(got->kind == w->kind, "%s: kind %d", cases[i].text, got->kind);
		if (w->kind == SDTARG_UNKNOWN)
			continue;
		ck_assert_msg(
		    got->size == w->size && got->is_signed == w->is_signed &&
			got->value == w->value && got->reg == w->reg && got->index == w->index &&
			got->scale == w->scale && got->shift == w->shift,
		    "%s: size %d value %ld reg %d index %d scale %d shift %d", cases[i].text,
		    got->size, (long)got->value, got->reg, got->index, got->scale, got->shift);
	}
	ck_assert_int_eq(sdtarg_parse("8@%rax -4@[sp, 12] 1@$3",
				      &(struct sdtarg_env){EM_X86_64, NULL, NULL}, got),
			 3);
	ck_assert_int_eq(got[1].kind, SDTARG_UNKNOWN);
	ck_assert_int_eq(got[2].kind, SDTARG_CONST);
	ck_assert_int_eq(sdtarg_parse("", &(struct sdtarg_env){EM_X86_64, NULL, NULL}, got), 0);
}
END_TEST

#ifdef __x86_64__
/* "  401136:\t48 89 e5 \tmov ..." -> its bytes; how many, 0 for other lines. What objdump names as
 * one, fstcw, begins with an instruction of its own, fwait. */
static int disassembled(const char *line, uint8_t code[32])
{
	const char *p = *line == ' ' ? strchr(line, ':') : NULL;
	unsigned byte;
	int n = 0, used;

	for (p = p && p[1] == '\t' ? p + 2 : "";
	     n < 16 && sscanf(p, "%2x%n", &byte, &used) == 1 && used == 2 && p[2] == ' '; p += 3)
		code[n++] = byte;
	if (n > 1 && *code == 0x9b)
		memmove(code, code + 1, --n);
	return strstr(line, "(bad)") ? 0 : n;
}

/* The same of where an instruction leads: "ret", "jmp    401000 <main>", "jmp    *0x8(%rax)";
 * "retq" and "jmpq" before binutils 2.36. */
static void expect_way(const char *line, const uint8_t *code, int n)
{
	static const char *const prefixes[] = {"bnd ", "repz ", "notrack "};
	const char *text = strrchr(line, '\t');
	int64_t distance = 0;
	enum x86_way way = x86_way(code, n, &distance), want = X86_ON;
	uint64_t at = strtoull(line, NULL, 16);

	ck_assert_ptr_nonnull(text++);
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		text += strncmp(text, prefixes[i], strlen(prefixes[i])) ? 0 : strlen(prefixes[i]);
	if (!strncmp(text, "ret", 3)) {
		want = X86_RETURN;
	} else if (*text == 'j' || !strncmp(text, "loop", 4)) {
		bool always = !strncmp(text, "jmp", 3);

		text += strcspn(text, " ");
		text += strspn(text, " ");
		want = *text != '*'	    ? always ? X86_JUMP : X86_BRANCH
		       : text[1] == '%'	    ? X86_REGISTER
		       : !strchr(text, ',') ? X86_MEMORY
					    : X86_ON;
	}
	ck_assert_msg(way == want, "%d: %s", way, line);
	ck_assert_msg((way != X86_JUMP && way != X86_BRANCH) ||
			  at + distance == strtoull(text, NULL, 16),
		      "%lx: %s", (long)(at + distance), line);
}

/* The C library, as objdump sees it. */
START_TEST(lengths)
{
	struct proc_maps *m = foreign_maps(NULL, getpid());
	const struct mapping *libc = proc_maps_at(m, (uintptr_t)dlsym(RTLD_DEFAULT, "printf"));
	char *command = xasprintf("objdump -d --insn-width=16 '%s' 2>/dev/null",
				  libc ? libc->path : "/dev/null"),
	     line[512];
	FILE *f = popen(command, "re");
	uint8_t code[32];
	int n, total = 0;

	while (f && fgets(line, sizeof(line), f)) {
		n = disassembled(line, code);
		if (!n)
			continue;
		total++;
		ck_assert_msg(x86_length(code, sizeof(code)) == n, "%d: %s",
			      x86_length(code, sizeof(code)), line);
		ck_assert_msg(x86_length(code, n - 1) == 0, "cut: %s", line);
		expect_way(line, code, n);
	}
	ck_assert_ptr_nonnull(f);
	if (pclose(f) == 0 && libc)
		ck_assert_int_gt(total, 100000);
	free(command);
	proc_maps_free(m);
}
END_TEST
#endif

Suite *user_suite(void)
{
	Suite *s = suite_create("user");
	TCase *t = tcase_create("user");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, order);
	tcase_add_test(t, self);
	tcase_add_test(t, variables);
	tcase_add_test(t, segments);
	tcase_add_test(t, declarations);
	tcase_add_test(t, notes);
	tcase_add_test(t, refused);
	tcase_add_test(t, spoilt);
	tcase_add_test(t, long_names);
	tcase_add_test(t, endless_name);
	tcase_add_test(t, accounts);
	tcase_add_test(t, many_objects);
	tcase_add_test(t, copies);
	tcase_add_test(t, not_files);
	tcase_add_test(t, shrinks);
	tcase_add_test(t, frames);
	tcase_add_test(t, frames_by_bx);
	tcase_add_test(t, frames_aarch64);
	tcase_add_test(t, frames_spoilt);
	tcase_add_test(t, frames_foreign);
	tcase_add_test(t, frames_long);
	tcase_add_test(t, frames_order);
	tcase_add_test(t, frames_packed);
	tcase_add_test(t, frames_rules);
	tcase_add_test(t, garbage);
	tcase_add_test(t, arguments);
#ifdef __x86_64__
	tcase_add_test(t, lengths);
#endif
	suite_add_tcase(s, t);
	return s;
}
