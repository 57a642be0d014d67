/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of user space: this program looks at itself and at spoilt copies. */
#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libdt/base/machine/sdtarg.h"
#include "libdt/base/radix.h"
#include "libdt/process/foreign.h"
#include "libdt/process/object.h"
#include "libdt/process/proc_maps.h"
#include "tests/unit/redzone.h"
#include "tests/unit/userfix.h"

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

/* A probe point as <sys/sdt.h> writes it, with a semaphore, of providers that are called by so many
 * p. */
__attribute__((section(".probes"), used)) unsigned short user_test_semaphore;
__attribute__((noinline, used)) int user_test_function(int n)
{
	__asm__ volatile("990:	nop\n"
			 "	.pushsection .note.stapsdt, \"\", \"note\"\n"
			 "	.balign 4\n"
			 "	.irp length, 4, 1023, 1024\n"
			 "	.4byte 992f - 991f, 994f - 993f, 3\n"
			 "991:	.asciz \"stapsdt\"\n"
			 "992:	.balign 4\n"
			 "993:	.8byte 990b\n"
			 "	.8byte 0\n"
			 "	.8byte user_test_semaphore\n"
			 "	.fill \\length, 1, 'p'\n"
			 "	.byte 0\n"
			 "	.asciz \"name\"\n"
			 "	.asciz \"-4@$7\"\n"
			 "994:	.balign 4\n"
			 "	.endr\n"
			 "	.popsection\n"
			 /* a section of declarations, with none */
			 "	.pushsection .note.usdt, \"\", \"note\"\n"
			 "	.4byte 0\n"
			 "	.popsection\n");
	return n + 1;
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

/* Of names of up to 1,023 bytes. */
START_TEST(notes)
{
	char *why;
	struct object *o = object_open("/proc/self/exe", &why);
	const struct object_sym *s = sym_named(o, "user_test_function");
	const struct object_note *notes;
	size_t lengths = 0;
	int n;

	notes = object_notes(o, &n);
	for (int i = 0; i < n; i++) {
		if (strcmp(notes[i].name, "name") || strspn(notes[i].provider, "p") < 4)
			continue;
		lengths += strlen(notes[i].provider);
		ck_assert_str_eq(notes[i].args, "-4@$7");
		ck_assert_uint_ge(notes[i].addr, s->addr);
		ck_assert_uint_lt(notes[i].addr, s->addr + s->size);
		ck_assert_uint_ne(notes[i].semaphore, 0);
	}
	ck_assert_uint_eq(lengths, 4 + 1023);
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
	static char path[] = "/tmp/dt_test_object.XXXXXX";
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

/* Notes of odd sizes and a .gnu_debugdata that is none, in an object that objcopy makes of this
 * one. */
START_TEST(garbage)
{
	static const uint32_t sizes[][2] = {{8, 0},	     {8, 3}, {8, 27}, {8, 0xfffffff0},
					    {0xffffffff, 4}, {0, 0}, {7, 40}, {8, 1u << 31}};
	char *dir = xstrdup("/tmp/dt_test_object.XXXXXX"), *note, *object, *command;
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

Suite *object_suite(void)
{
	Suite *s = suite_create("object");
	TCase *t = tcase_create("object");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, order);
	tcase_add_test(t, self);
	tcase_add_test(t, variables);
	tcase_add_test(t, segments);
	tcase_add_test(t, declarations);
	tcase_add_test(t, notes);
	tcase_add_test(t, refused);
	tcase_add_test(t, spoilt);
	tcase_add_test(t, garbage);
	tcase_add_test(t, arguments);
	suite_add_tcase(s, t);
	return s;
}
