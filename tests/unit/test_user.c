/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects, mappings and names of user space: this program looks at itself, and at spoilt copies. */
#include <check.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/user/cfi.h"
#include "libdt/user/images.h"
#include "libdt/user/maps.h"
#include "libdt/user/object.h"
#include "libdt/user/sdtarg.h"
#include "libdt/user/usym.h"
#include "libdt/user/x86len.h"

/* A probe point as <sys/sdt.h> writes it, with a semaphore. */
__attribute__((section(".probes"), used)) unsigned short user_test_semaphore;
__attribute__((noinline, used)) int user_test_function(int n)
{
	__asm__ volatile(
		"990:	nop\n"
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
	uint64_t off, back;

	ck_assert_ptr_nonnull(o);
	ck_assert_ptr_null(why);
	s = sym_named(o, "user_test_function");
	ck_assert_ptr_nonnull(s);
	ck_assert_int_gt(s->size, 4);
	ck_assert_str_eq(object_sym_at(o, s->addr + 3)->name, "user_test_function");
	ck_assert(object_offset(o, s->addr, &off));
	ck_assert(object_addr(o, off, &back));
	ck_assert_uint_eq(back, s->addr);
	ck_assert_uint_eq(object_read(o, s->addr, code, sizeof(code)), sizeof(code));
	ck_assert(!memcmp(code, (void *)user_test_function, sizeof(code)));
	ck_assert(!object_offset(o, UINT64_MAX - 5, &off));
	object_close(o);
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
	static const char *const files[] = {"/dev/null", "/etc/passwd", "/no/such/file", "/proc/self/maps", "/"};
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
	object_notes(o, &n);
	object_section(o, ".eh_frame", &len, &off);
	object_build_id(o, &len);
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
		for (int k = 0; i >= 100 && k < 40; k++) { /* headers, and what the section headers say */
			uint8_t byte = rand_r(&seed);
			off_t at = k % 2 ? (off_t)(rand_r(&seed) % 1024) : size - 1 - rand_r(&seed) % 4096;

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

START_TEST(mappings)
{
	struct maps *m = maps_read(getpid());
	const struct mapping *at;
	int n;

	ck_assert_ptr_nonnull(m);
	at = maps_at(m, (uintptr_t)user_test_function);
	ck_assert_ptr_nonnull(at);
	ck_assert(at->exec);
	ck_assert_int_eq(*at->path, '/');
	ck_assert_ptr_null(maps_at(m, 16));
	maps_free(m);

	m = maps_parse("1000-2000 r-xp 00000800 08:01 77   /a b:c\\012d (deleted)\n"
			  "junk\n3000-2000 r-xp 0 0:0 0\n4000-5000 rw-p 00000000 00:00 0 \n");
	at = maps_all(m, &n);
	ck_assert_int_eq(n, 2);
	ck_assert_str_eq(at[0].path, "/a b:c\nd");
	ck_assert(at[0].deleted);
	ck_assert_uint_eq(at[0].off, 0x800);
	ck_assert_uint_eq(at[0].inode, 77);
	ck_assert_str_eq(at[1].path, "");
	ck_assert_ptr_eq(maps_at(m, 0x1fff), &at[0]);
	ck_assert_ptr_null(maps_at(m, 0x2000));
	maps_free(m);
	errno = 0;
	ck_assert_ptr_null(maps_read(0x7fffffff));
	ck_assert_int_ne(errno, 0);
}
END_TEST

START_TEST(names)
{
	struct usyms *us = usyms_new(true);
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
	ck_assert_uint_eq(usyms_canon(us, getpid(), f + 2, USYM_MOD), usyms_canon(us, getpid(), f, USYM_MOD));
	ck_assert(!usyms_find(us, getpid(), 16, &mod, &name, &off));

	/* A process that was seen is known when it is gone. */
	ck_assert_int_eq(pipe(gone), 0);
	child = fork();
	if (!child) {
		char c;

		close(gone[1]);
		_exit(read(gone[0], &c, 1) != 0);
	}
	usyms_see(us, child);
	close(gone[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(usyms_find(us, child, f, &mod, &name, &off));
	ck_assert_str_eq(name, "user_test_function");
	close(gone[0]);
	sb_free(&sb);
	usyms_free(us);
}
END_TEST

/* "START-END OFFSET PATH" of all. */
static const char *listed(struct strbuf *sb, const struct maps *m)
{
	const struct mapping *all;
	int n;

	sb->len = 0;
	all = maps_all(m, &n);
	for (int i = 0; i < n; i++)
		sb_printf(sb, "%s%llx-%llx %llx %s", i ? ", " : "", (unsigned long long)all[i].start, (unsigned long long)all[i].end,
			  (unsigned long long)all[i].off, all[i].path);
	return sb_str(sb);
}

static struct mapping code(uint64_t start, uint64_t end, uint64_t off, const char *path)
{
	return (struct mapping){.start = start, .end = end, .off = off, .dev = 1, .inode = 2, .path = path, .exec = true};
}

/* A mapping takes the place of what it overlaps: before, behind, in the middle, all of it. */
START_TEST(overlaps)
{
	static const struct {
		uint64_t start, end;
		const char *after;
	} steps[] = {
		{0x4000, 0x6000, "4000-6000 100 /0"},
		{0x1000, 0x2000, "1000-2000 100 /1, 4000-6000 100 /0"},
		{0x2000, 0x4000, "1000-2000 100 /1, 2000-4000 100 /2, 4000-6000 100 /0"},
		{0x3000, 0x5000, "1000-2000 100 /1, 2000-3000 100 /2, 3000-5000 100 /3, 5000-6000 1100 /0"},
		{0x3800, 0x4000, "1000-2000 100 /1, 2000-3000 100 /2, 3000-3800 100 /3, 3800-4000 100 /4, 4000-5000 1100 /3, 5000-6000 1100 /0"},
		{0x3800, 0x4000, "1000-2000 100 /1, 2000-3000 100 /2, 3000-3800 100 /3, 3800-4000 100 /5, 4000-5000 1100 /3, 5000-6000 1100 /0"},
		{0x1800, 0x5800, "1000-1800 100 /1, 1800-5800 100 /6, 5800-6000 1900 /0"},
		{0x1000, 0x7000, "1000-7000 100 /7"},
	};
	struct maps *m = NULL, *before;
	struct strbuf sb = {0};
	char path[] = "/0";

	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++, path[1]++) {
		struct mapping one = code(steps[i].start, steps[i].end, 0x100, path);

		before = maps_share(m);
		m = maps_add(m, &one);
		ck_assert_str_eq(listed(&sb, m), steps[i].after);
		if (before) /* who shares the list keeps what it had */
			ck_assert_str_eq(listed(&sb, before), steps[i - 1].after);
		maps_free(before);
	}
	maps_free(m);
	sb_free(&sb);
}
END_TEST

/* Processes that never were, with numbers that none can have. */
enum { PARENT = 0x7ffffff0, CHILD, GRANDCHILD };

static void tell(struct images *im, enum mapwatch_kind kind, pid_t pid, uint64_t time, pid_t parent)
{
	images_tell(im, &(struct mapwatch_event){.kind = kind, .pid = pid, .time = time, .parent = parent});
}

static void tell_map(struct images *im, pid_t pid, uint64_t time, uint64_t start, uint64_t end, const char *path)
{
	images_tell(im, &(struct mapwatch_event){.kind = MAPWATCH_MAP, .pid = pid, .time = time, .map = code(start, end, 0, path)});
}

static const char *path_at(struct images *im, pid_t pid, uint64_t addr, uint64_t time)
{
	const struct mapping *m = images_find(im, pid, addr, time, NULL);

	return m ? m->path : "none";
}

START_TEST(lives)
{
	struct images *im = images_new();

	tell(im, MAPWATCH_EXEC, PARENT, 10, 0);
	tell_map(im, PARENT, 11, 0x1000, 0x3000, "/sh");
	tell(im, MAPWATCH_FORK, CHILD, 20, PARENT);
	tell_map(im, PARENT, 21, 0x8000, 0x9000, "/lib");
	tell(im, MAPWATCH_EXEC, CHILD, 30, 0);
	tell_map(im, CHILD, 31, 0x2000, 0x4000, "/ls");
	tell(im, MAPWATCH_FORK, GRANDCHILD, 40, CHILD);
	tell(im, MAPWATCH_EXIT, CHILD, 50, 0);
	tell(im, MAPWATCH_EXIT, PARENT, 51, 0);

	ck_assert_str_eq(path_at(im, PARENT, 0x1000, 12), "/sh");
	ck_assert_str_eq(path_at(im, PARENT, 0x8000, 22), "/lib");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 25), "/sh"); /* before its exec, the parent's */
	ck_assert_str_eq(path_at(im, CHILD, 0x8000, 25), "none"); /* not what the parent mapped later */
	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 25), "none"); /* nor what comes with the exec */
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 35), "/ls");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 0), "/ls");	/* the newest where the time is not known */
	ck_assert_str_eq(path_at(im, CHILD, 0x1000, 35), "/sh"); /* an address that was kept */
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x2000, 45), "/ls");
	ck_assert_str_eq(path_at(im, GRANDCHILD, 0x1000, 45), "none");
	ck_assert_int_eq(images_parent(im, GRANDCHILD), CHILD);
	ck_assert_int_eq(images_parent(im, PARENT), 0);

	tell(im, MAPWATCH_FORK, CHILD, 60, PARENT); /* its number comes again */
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 65), "/sh");
	ck_assert_str_eq(path_at(im, CHILD, 0x2000, 35), "/ls");

	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 22), "none");
	tell(im, MAPWATCH_LOST, 0, 70, 0); /* then nothing is sure any more */
	ck_assert_str_eq(path_at(im, CHILD, 0x3000, 22), "/ls");
	images_free(im);
}
END_TEST

/* What was read from /proc belongs to who was there: an exec that is told later, but came earlier, takes it along. */
START_TEST(read_and_told)
{
	uint64_t here = (uintptr_t)user_test_function, before = clock_ns(CLOCK_MONOTONIC), after;
	struct images *im = images_new();

	images_see(im, getpid());
	after = clock_ns(CLOCK_MONOTONIC);
	ck_assert_ptr_nonnull(images_find(im, getpid(), here, after, NULL));
	tell(im, MAPWATCH_FORK, CHILD, after, getpid());
	tell(im, MAPWATCH_EXEC, CHILD, after + 1, 0);
	ck_assert_ptr_nonnull(images_find(im, CHILD, here, after, NULL)); /* the parent was read in time */
	tell(im, MAPWATCH_EXEC, getpid(), before, 0);
	ck_assert_ptr_null(images_find(im, getpid(), here, before - 1, NULL));
	ck_assert_ptr_nonnull(images_find(im, getpid(), here, before + 1, NULL));
	images_free(im);
}
END_TEST

/* Of very many that have ended the oldest are forgotten; those whose addresses were met are kept. */
static uint64_t none_left(void *arg)
{
	return *(uint64_t *)arg;
}

START_TEST(forgotten)
{
	enum { MET = 3, ALL = 10 };
	struct images *im = images_new();
	uint64_t now = 100;

	images_follow(im, none_left, &now);
	for (int i = 0; i < ALL; i++) {
		tell(im, MAPWATCH_EXEC, CHILD - i, 10, 0);
		tell_map(im, CHILD - i, 11, 0x1000, 0x2000, "/a");
		tell(im, MAPWATCH_EXIT, CHILD - i, 20, 0);
	}
	ck_assert_str_eq(path_at(im, CHILD - MET, 0x1000, 12), "/a");
	now = 60000000000;
	images_catch_up(im);
	for (int i = 0; i < ALL; i++)
		ck_assert_str_eq(path_at(im, CHILD - i, 0x1000, 12), i == MET ? "/a" : "none");
	images_free(im);
}
END_TEST

START_TEST(jit)
{
	char *path = xasprintf("/tmp/perf-%d.map", getpid());
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct usyms *us = usyms_new(true);
	const char *mod, *name;
	FILE *f = fopen(path, "w");
	uint64_t off;

	ck_assert_ptr_nonnull(f);
	fprintf(f, "%lx 20 the function\njunk\n%lx 20 b\n", (unsigned long)code, (unsigned long)code + 0x40);
	fclose(f);
	ck_assert(usyms_find(us, getpid(), (uintptr_t)code + 4, &mod, &name, &off));
	ck_assert_str_eq(name, "the function");
	ck_assert_uint_eq(off, 4);
	ck_assert(!usyms_find(us, getpid(), (uintptr_t)code + 0x20, &mod, &name, &off));
	unlink(path);
	free(path);
	usyms_free(us);
	munmap(code, 4096);
}
END_TEST

/* The rule at an address. */
static uint32_t rule_at(const struct cfi *cfi, uint64_t addr)
{
	uint32_t rule = CFI_END;

	for (int i = 0; i < cfi->rows.n && cfi->rows.v[i].addr <= addr; i++)
		rule = cfi->rows.v[i].rule;
	return rule;
}

#define RULE(kind, fp, off) ((kind) | (fp) << CFI_FP_SHIFT | (off) << CFI_OFF_SHIFT)

/* A section at 0x1000: a CIE with augmentation, and functions at 0x2000, 0x2040 (with its own way back) and 0x3000. */
START_TEST(frames)
{
	static const uint8_t section[] = {
		0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0,
		/* at 0x18, its begin at 0x1020: push %rbp; mov %rsp,%rbp; ...; leave, at 0x3f */
		0x1c, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0x0f, 0, 0, 0x40, 0, 0, 0, 0,
		0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x7b, 0x0c, 7, 8, 0xc6, 0, 0,
		/* at 0x38, begin at 0x1040: sub $1024 (two bytes of LEB), remember, lose the return address, recall */
		0x1c, 0, 0, 0, 0x3c, 0, 0, 0, 0x00, 0x10, 0, 0, 0x20, 0, 0, 0, 0,
		0x47, 0x0e, 0x88, 0x08, 0x41, 0x0a, 0x07, 16, 0x41, 0x0b, 0, 0, 0, 0, 0,
		/* at 0x58, begin at 0x1060: a PLT's expression, from 11 bytes on */
		0x20, 0, 0, 0, 0x5c, 0, 0, 0, 0xa0, 0x1f, 0, 0, 0x10, 0, 0, 0, 0,
		0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0,
	};
	static const struct {
		uint32_t addr, rule;
	} want[] = {
		{0x2000, RULE(CFI_SP, 0, 1)}, {0x2001, RULE(CFI_SP, 2, 2)},   {0x2004, RULE(CFI_FP, 2, 2)},
		{0x203f, RULE(CFI_SP, 0, 1)}, /* and 0x2040 is the same */
		{0x2047, RULE(CFI_SP, 0, 129)}, {0x2048, CFI_END}, {0x2049, RULE(CFI_SP, 0, 129)},
		{0x2060, CFI_END},	      {0x3000, RULE(CFI_SPECIAL, 0, 11)}, {0x3010, CFI_END},
	};
	struct cfi cfi = {0};

	cfi_parse(&cfi, section, sizeof(section), 0x1000);
	ck_assert_int_eq(cfi.rows.n, ARRAY_SIZE(want));
	for (int i = 0; i < cfi.rows.n; i++) {
		ck_assert_uint_eq(cfi.rows.v[i].addr, want[i].addr);
		ck_assert_uint_eq(cfi.rows.v[i].rule, want[i].rule);
	}
	cfi_free(&cfi);
	for (size_t len = 0; len < sizeof(section); len++) /* cut anywhere */
		cfi_parse(&cfi, section, len, 0x1000);
	cfi_free(&cfi);
}
END_TEST

START_TEST(frames_spoilt)
{
	char *why;
	struct object *o = object_open("/proc/self/exe", &why);
	const struct object_sym *s = sym_named(o, "user_test_function");
	struct cfi cfi = {0};
	const uint8_t *data;
	unsigned seed = 1;
	uint64_t addr;
	uint8_t *copy;
	size_t len;

	if (object_machine(o) == EM_X86_64) {
		ck_assert(cfi_read(&cfi, o));
		ck_assert_uint_eq(rule_at(&cfi, s->addr), RULE(CFI_SP, 0, 1)); /* at its entry */
		cfi_free(&cfi);
	}
	data = object_section(o, ".eh_frame", &len, &addr);
	ck_assert_ptr_nonnull(data);
	len = MIN(len, 20000u);
	copy = malloc(len);
	for (int i = 0; i < 200; i++) {
		int unordered = 0;

		memcpy(copy, data, len);
		for (int k = 0; k < 1 + i; k++)
			copy[rand_r(&seed) % len] = rand_r(&seed);
		cfi_parse(&cfi, copy, len, addr);
		for (int k = 1; k < cfi.rows.n; k++)
			unordered += cfi.rows.v[k - 1].addr >= cfi.rows.v[k].addr;
		ck_assert_int_eq(unordered, 0);
		cfi_free(&cfi);
	}
	free(copy);
	object_close(o);
}
END_TEST

/* Notes of odd sizes and a .gnu_debugdata that is none, in an object that objcopy makes of this one. */
START_TEST(garbage)
{
	static const uint32_t sizes[][2] = {{8, 0}, {8, 3}, {8, 27}, {8, 0xfffffff0}, {0xffffffff, 4}, {0, 0}, {7, 40}, {8, 1u << 31}};
	char *dir = xstrdup("/tmp/dt_test_user.XXXXXX"), *note, *object, *command;
	int made = 0;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	note = xasprintf("%s/note", dir);
	object = xasprintf("%s/object", dir);
	command = xasprintf("objcopy -R .note.stapsdt -R .gnu_debugdata --add-section .note.stapsdt=%s --add-section .gnu_debugdata=%s "
			    "-S /proc/%d/exe %s 2>/dev/null", note, note, getpid(), object);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t head[3] = {sizes[i][0], sizes[i][1], 3};
		FILE *f = fopen(note, "w");

		ck_assert_ptr_nonnull(f);
		fwrite(head, sizeof(head), 1, f);
		fwrite(i % 2 ? "stapsdt\0aaaaaaaaaaaaaaaaaaaaaaaaaaaa" : "stapsdt\0\375" "7zXZ\0\0\4", 1, i % 2 ? 36 : 16, f);
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
		{"4@$-7", EM_X86_64, {SDTARG_CONST, 4, false, -7, -1, -1, 1, 0, NULL, 0}},
		{"8@-24(%rbp)", EM_X86_64, {SDTARG_MEM, 8, false, -24, 32, -1, 1, 0, NULL, 0}},
		{"-4@(%rax,%rbx,4)", EM_X86_64, {SDTARG_MEM, 4, true, 0, 80, 40, 4, 0, NULL, 0}},
		{"8@16+8(,%rcx,8)", EM_X86_64, {SDTARG_MEM, 8, false, 24, -1, 88, 8, 0, NULL, 0}},
		{"-8@8+g(%rip)", EM_X86_64, {SDTARG_MEM, 8, true, 0x1008, 128, -1, 1, 0, NULL, 0}},
		{"8@g-4(%rip)", EM_X86_64, {SDTARG_MEM, 8, false, 0xffc, 128, -1, 1, 0, NULL, 0}},
		{"%rdi", EM_X86_64, {SDTARG_REG, 8, false, 0, 112, -1, 1, 0, NULL, 0}},
		{"8@x1", EM_AARCH64, {SDTARG_REG, 8, false, 0, 8, -1, 1, 0, NULL, 0}},
		{"-4@[sp, 12]", EM_AARCH64, {SDTARG_MEM, 4, true, 12, 248, -1, 1, 0, NULL, 0}},
		{"4@7", EM_AARCH64, {SDTARG_CONST, 4, false, 7, -1, -1, 1, 0, NULL, 0}},
		{"8f@%xmm0", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
		{"8@%xmm0", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
		{"8@h(%rip)", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
		{"8@g(%rax)", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
		{"3@%rax", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
		{"8@(%rax", EM_X86_64, {.kind = SDTARG_UNKNOWN}},
		{"8@x31", EM_AARCH64, {.kind = SDTARG_UNKNOWN}},
	};
	struct sdtarg got[SDTARG_MAX];

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sdtarg_env env = {cases[i].machine, distance, NULL};
		const struct sdtarg *w = &cases[i].want;

		ck_assert_int_eq(sdtarg_parse(cases[i].text, &env, got), 1);
		ck_assert_msg(got->kind == w->kind, "%s: kind %d", cases[i].text, got->kind);
		if (w->kind == SDTARG_UNKNOWN)
			continue;
		ck_assert_msg(got->size == w->size && got->is_signed == w->is_signed && got->value == w->value && got->reg == w->reg &&
				      got->index == w->index && got->scale == w->scale && got->shift == w->shift,
			      "%s: size %d value %ld reg %d index %d scale %d shift %d", cases[i].text, got->size, (long)got->value,
			      got->reg, got->index, got->scale, got->shift);
	}
	ck_assert_int_eq(sdtarg_parse("8@%rax -4@[sp, 12] 1@$3", &(struct sdtarg_env){EM_X86_64, NULL, NULL}, got), 3);
	ck_assert_int_eq(got[1].kind, SDTARG_UNKNOWN);
	ck_assert_int_eq(got[2].kind, SDTARG_CONST);
	ck_assert_int_eq(sdtarg_parse("", &(struct sdtarg_env){EM_X86_64, NULL, NULL}, got), 0);
}
END_TEST

#ifdef __x86_64__
/* "  401136:\t48 89 e5 \tmov ..." -> its bytes; how many, 0 for other lines. */
static int disassembled(const char *line, uint8_t code[32])
{
	const char *p = *line == ' ' ? strchr(line, ':') : NULL;
	unsigned byte;
	int n = 0, used;

	for (p = p && p[1] == '\t' ? p + 2 : ""; n < 16 && sscanf(p, "%2x%n", &byte, &used) == 1 && used == 2 && p[2] == ' '; p += 3)
		code[n++] = byte;
	return strstr(line, "(bad)") ? 0 : n;
}

/* The same of where an instruction leads: "ret", "jmp    401000 <main>", "jmp    *0x8(%rax)"; "retq" and "jmpq" before binutils 2.36. */
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
		want = X86_OUT;
	} else if (!strncmp(text, "jmp", 3)) {
		text += strcspn(text, " ");
		text += strspn(text, " ");
		want = *text != '*' ? X86_TO : text[1] != '%' && !strchr(text, ',') ? X86_OUT : X86_ON;
	}
	ck_assert_msg(way == want, "%d: %s", way, line);
	ck_assert_msg(way != X86_TO || at + distance == strtoull(text, NULL, 16), "%lx: %s", (long)(at + distance), line);
}

/* The C library, as objdump sees it. */
START_TEST(lengths)
{
	struct maps *m = maps_read(getpid());
	const struct mapping *libc = maps_at(m, (uintptr_t)dlsym(RTLD_DEFAULT, "printf"));
	char *command = xasprintf("objdump -d --insn-width=16 '%s' 2>/dev/null", libc ? libc->path : "/dev/null"), line[512];
	FILE *f = popen(command, "re");
	uint8_t code[32];
	int n, total = 0;

	while (f && fgets(line, sizeof(line), f)) {
		n = disassembled(line, code);
		if (!n)
			continue;
		total++;
		ck_assert_msg(x86_length(code, sizeof(code)) == n, "%d: %s", x86_length(code, sizeof(code)), line);
		ck_assert_msg(x86_length(code, n - 1) == 0, "cut: %s", line);
		expect_way(line, code, n);
	}
	ck_assert_ptr_nonnull(f);
	if (pclose(f) == 0 && libc)
		ck_assert_int_gt(total, 100000);
	free(command);
	maps_free(m);
}
END_TEST
#endif

Suite *user_suite(void)
{
	Suite *s = suite_create("user");
	TCase *t = tcase_create("user");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, self);
	tcase_add_test(t, notes);
	tcase_add_test(t, refused);
	tcase_add_test(t, spoilt);
	tcase_add_test(t, frames);
	tcase_add_test(t, frames_spoilt);
	tcase_add_test(t, garbage);
	tcase_add_test(t, mappings);
	tcase_add_test(t, names);
	tcase_add_test(t, overlaps);
	tcase_add_test(t, lives);
	tcase_add_test(t, read_and_told);
	tcase_add_test(t, forgotten);
	tcase_add_test(t, jit);
	tcase_add_test(t, arguments);
#ifdef __x86_64__
	tcase_add_test(t, lengths);
#endif
	suite_add_tcase(s, t);
	return s;
}
