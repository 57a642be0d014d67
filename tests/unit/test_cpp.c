/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preprocessor: its arguments, its output, how it fails. Skipped where there is no cpp. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/mem.h"
#include "libdt/opt.h"
#include "libdt/lang/cpp.h"

static struct opts opts;
static struct strbuf out, why;
static char dir[] = "/tmp/dt_test_cpp.XXXXXX", script[64], header[64];

static void setup(void)
{
	FILE *f;

	opts_init(&opts);
	out = why = (struct strbuf){0};
	strcpy(strrchr(dir, '.'), ".XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(script, sizeof(script), "%s/a.d", dir);
	snprintf(header, sizeof(header), "%s/h.h", dir);
	f = fopen(header, "w");
	ck_assert_ptr_nonnull(f);
	fputs("#define FROM_HEADER 42\n", f);
	fclose(f);
}

static void teardown(void)
{
	unlink(header);
	rmdir(dir);
	opts_free(&opts);
	sb_free(&out);
	sb_free(&why);
}

static int go(const char *text, const char *file)
{
	return cpp_run(&opts, text, strlen(text), file, &out, &why);
}

static void set(const char *name, const char *value)
{
	ck_assert_int_eq(opts_set(&opts, name, value, NULL, 0), 0);
}

/* The lines that are no markers, joined with blanks. */
static const char *text(void)
{
	static char buf[1024];
	char *copy = xstrdup(sb_str(&out)), *save = NULL;

	buf[0] = 0;
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (line[0] != '#' || !strncmp(line, "#pragma", 7))
			snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf), "%s%s",
				 buf[0] ? " " : "", line);
	free(copy);
	return buf;
}

START_TEST(symbols)
{
	ck_assert_int_eq(go("__SUNW_D __SUNW_D_VERSION __SUNW_D_64 __unix __SVR4 __linux __Linux "
			    "linux unix i386",
			    NULL),
			 0);
	ck_assert_str_eq(text(), "1 0x02000000 1 1 1 1 1 linux unix i386");
}
END_TEST

START_TEST(options)
{
	set("define", "A");
	set("define", "B=x y");
	set("define", "C=3");
	set("undef", "C");
	set("undef", "__SVR4");
	set("cppargs", "-DE=5 '-DF=a b'");
	set("incdir", dir);
	ck_assert_int_eq(go("#include <h.h>\nA B C __SVR4 E F FROM_HEADER\n", NULL), 0);
	ck_assert_str_eq(text(), "1 x y C __SVR4 5 a b 42");
}
END_TEST

START_TEST(beside_the_script)
{
	ck_assert_int_eq(
	    go("#!/usr/sbin/dtrace -Cs\n#include \"h.h\"\n#pragma D option quiet\nFROM_HEADER",
	       script),
	    0);
	ck_assert_str_eq(text(), "#pragma D option quiet 42");
	/* Lines keep their numbers and the script its name. */
	ck_assert_ptr_nonnull(strstr(out.s, "a.d\" 2\n"));
}
END_TEST

START_TEST(much_text)
{
	struct strbuf big = {0};

	for (int i = 0; i < 100000; i++)
		sb_printf(&big, "line%d ONE\n", i);
	set("define", "ONE=1");
	ck_assert_int_eq(go(big.s, NULL), 0);
	ck_assert_ptr_nonnull(strstr(out.s, "\nline99999 1\n"));
	sb_free(&big);
}
END_TEST

START_TEST(failures)
{
	set("cppargs", "-w");
	set("cpppath", "/nonexistent/cpp");
	ck_assert_int_eq(go("A", NULL), -ENOENT);
	ck_assert_str_eq(sb_str(&why),
			 "Preprocessor not found: /nonexistent/cpp: No such file or directory "
			 "(-x cpppath names another)");
	why.len = 0;
	set("cpppath", "false");
	ck_assert_int_eq(go("A", NULL), -EINVAL);
	ck_assert_str_eq(sb_str(&why), "Preprocessor failed to process input program");
}
END_TEST

Suite *cpp_suite(void);
Suite *cpp_suite(void)
{
	Suite *s = suite_create("cpp");
	TCase *t = tcase_create("cpp");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, failures);
	if (!access("/usr/bin/cpp", X_OK)) {
		tcase_add_test(t, symbols);
		tcase_add_test(t, options);
		tcase_add_test(t, beside_the_script);
		tcase_add_test(t, much_text);
	}
	suite_add_tcase(s, t);
	return s;
}
