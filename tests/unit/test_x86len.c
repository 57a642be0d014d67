/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lengths of x86 instructions, and where they lead. */
#include <check.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/machine/x86len.h"
#include "libdt/base/mem.h"
#include "libdt/process/foreign.h"
#include "libdt/process/proc_maps.h"

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

Suite *x86len_suite(void)
{
	Suite *s = suite_create("x86len");
	TCase *t = tcase_create("x86len");

	tcase_set_timeout(t, 30);
#ifdef __x86_64__
	tcase_add_test(t, lengths);
#endif
	suite_add_tcase(s, t);
	return s;
}
