/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options: what each kind takes and refuses, and the words of the refusals. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/opt.h"

#define BAD "Invalid value for specified option"

static struct opts opts;
static char why[200];

extern char **environ;

/* What an earlier test has set, where they share a process. */
static void clear_environment(void)
{
	char **e = environ, name[64];

	while (*e)
		if (!strncmp(*e, "DTRACE_OPT", strlen("DTRACE_OPT"))) {
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(*e, "="), *e);
			unsetenv(name);
		} else {
			e++;
		}
}

static void setup(void)
{
	clear_environment();
	opts_init(&opts);
	strcpy(why, "?");
}

static void teardown(void)
{
	opts_free(&opts);
}

static int give(const char *name, const char *value)
{
	return opts_set(&opts, name, value, why, sizeof(why));
}

START_TEST(defaults)
{
	ck_assert_int_eq(opt_num(&opts, OPT_AGGSIZE), 4 << 20);
	ck_assert_int_eq(opt_num(&opts, OPT_SWITCHRATE), 1000000000);
	ck_assert_int_eq(opt_num(&opts, OPT_STRSIZE), 256);
	ck_assert_ptr_null(opt_text(&opts, OPT_CPU));
	ck_assert_int_eq(opt_num(&opts, OPT_STACKINDENT), 14);
	ck_assert(!opt_on(&opts, OPT_QUIET));
	ck_assert_str_eq(opt_text(&opts, OPT_TEMPORAL), "auto");
	ck_assert_str_eq(opt_text(&opts, OPT_BUFPOLICY), "switch");
	ck_assert_str_eq(opt_text(&opts, OPT_CPPPATH), "cpp");
	ck_assert_ptr_null(opt_text(&opts, OPT_DEFINE));
	for (int i = 0; i < OPT_COUNT; i++)
		ck_assert(!opts.v[i].set);
}
END_TEST

static const struct {
	const char *name, *value;
	int err;
	int64_t num;
} cases[] = {
    /* sizes */
    {"bufsize", "0", 0, 0},
    {"bufsize", "8192", 0, 8192},
    {"bufsize", "0x20", 0, 32},
    {"bufsize", "32k", 0, 32 << 10},
    {"bufsize", "32K", 0, 32 << 10},
    {"bufsize", "7M", 0, 7 << 20},
    {"bufsize", "2g", 0, 2LL << 30},
    {"bufsize", "1T", 0, 1LL << 40},
    {"bufsize", "8388607t", 0, 8388607LL << 40},
    {"bufsize", "8388608t", -EOVERFLOW, 0},
    {"bufsize", "9223372036854775808", -EOVERFLOW, 0},
    {"bufsize", "4kb", -EINVAL, 0},
    {"bufsize", "4x", -EINVAL, 0},
    {"bufsize", "k", -EINVAL, 0},
    {"bufsize", "-1", -EINVAL, 0},
    {"bufsize", " 1", -EINVAL, 0},
    {"bufsize", "", -EINVAL, 0},
    {"bufsize", NULL, -EINVAL, 0},
    /* rates, in ns */
    {"switchrate", "0", 0, 0},
    {"switchrate", "10", 0, 100000000},
    {"switchrate", "10hz", 0, 100000000},
    {"switchrate", "3hz", 0, 333333333},
    {"switchrate", "1000000000hz", 0, 1},
    {"switchrate", "1000000001hz", -EINVAL, 0},
    {"switchrate", "7ns", 0, 7},
    /* times have a unit */
    {"aggexpire", "0", 0, 0},
    {"aggexpire", "10s", 0, 10000000000},
    {"aggexpire", "10", -EINVAL, 0},
    {"aggexpire", "10hz", -EINVAL, 0},
    /* percentages: thousandths of a percent */
    {"maxcpu", "1%", 0, 1000},
    {"maxcpu", "0.5", 0, 500},
    {"maxcpu", "0.001%", 0, 1},
    {"maxcpu", "12.34%", 0, 12340},
    {"maxcpu", "100%", 0, 100000},
    {"maxcpu", "100.001%", -EINVAL, 0},
    {"maxcpu", "0", -EINVAL, 0},
    {"maxcpu", "0.0001", -EINVAL, 0},
    {"maxcpu", "1.%", -EINVAL, 0},
    {"maxcpu", ".5%", -EINVAL, 0},
    {"maxcpu", "-1%", -EINVAL, 0},
    {"maxcpu", "%", -EINVAL, 0},
    {"maxcpu", "99999999999999999999%", -EOVERFLOW, 0},
    {"switchrate", "7nsec", 0, 7},
    {"switchrate", "5us", 0, 5000},
    {"switchrate", "5usec", 0, 5000},
    {"switchrate", "100ms", 0, 100000000},
    {"switchrate", "100MSEC", 0, 100000000},
    {"switchrate", "1s", 0, 1000000000},
    {"switchrate", "2sec", 0, 2000000000},
    {"switchrate", "2m", 0, 120000000000},
    {"switchrate", "2min", 0, 120000000000},
    {"switchrate", "1h", 0, 3600000000000},
    {"switchrate", "1hour", 0, 3600000000000},
    {"switchrate", "1d", 0, 86400000000000},
    {"switchrate", "3day", 0, 3 * 86400000000000},
    {"switchrate", "9999999d", -EOVERFLOW, 0},
    {"switchrate", "1fortnight", -EINVAL, 0},
    {"switchrate", "hz", -EINVAL, 0},
    {"switchrate", NULL, -EINVAL, 0},
    /* truth */
    {"quiet", NULL, 0, 1},
    {"quiet", "yes", 0, 1},
    {"quiet", "no", 0, 0},
    {"quiet", "On", 0, 1},
    {"quiet", "off", 0, 0},
    {"quiet", "true", 0, 1},
    {"quiet", "false", 0, 0},
    {"quiet", "enable", 0, 1},
    {"quiet", "disabled", 0, 0},
    {"quiet", "set", 0, 1},
    {"quiet", "unset", 0, 0},
    {"quiet", "1", 0, 1},
    {"quiet", "0", 0, 0},
    {"quiet", "2", 0, 1},
    {"quiet", "", -EINVAL, 0},
    /* numbers */
    {"stackindent", "0", 0, 0},
    {"stackindent", "1024", 0, 1024},
    {"stackindent", "1025", -EINVAL, 0},
    {"stackindent", "4k", -EINVAL, 0},
    {"cpu", "0", 0, 0},
    {"cpu", "-1", -EINVAL, 0},
    {"cpu", "0-3,8", 0, 0},
    {"cpu", "3-1", -EINVAL, 0},
    {"cpu", "1,", -EINVAL, 0},
    {"cpu", "1-2-3", -EINVAL, 0},
    {"cpu", "99999999999", -EINVAL, 0},
    {"version", "1.0", 0, 0},
    {"version", "1.13.1", 0, 0},
    {"version", "2.0", 0, 0},
    {"version", "1.14", -EINVAL, 0},
    {"version", "2", -EINVAL, 0},
    {"version", "1.2x", -EINVAL, 0},
    {"strsize", "2", 0, 2},
    {"strsize", "4k", 0, 4096},
    {"strsize", "1", -EINVAL, 0},
    {"strsize", "65537", -EINVAL, 0},
    /* words and texts */
    {"bufpolicy", "switch", 0, 0},
    {"bufpolicy", "switch fill", -EINVAL, 0},
    {"bufpolicy", "circle", -EINVAL, 0},
    {"bufpolicy", "", -EINVAL, 0},
    {"evaltime", "exec", 0, 0},
    {"evaltime", "mainly", -EINVAL, 0},
    {"pidret", "insn", 0, 0},
    {"pidret", "magic", -EINVAL, 0},
    {"syscallret", "raw", 0, 0},
    {"syscallret", "cooked", -EINVAL, 0},
    {"stdc", "s", 0, 0},
    {"stdc", "x", -EINVAL, 0},
    {"dump", "tree,bpf", 0, 0},
    {"dump", "tree,,bpf", -EINVAL, 0},
    {"dump", "tree,", -EINVAL, 0},
    {"dump", "trees", -EINVAL, 0},
    {"temporal", "auto", 0, 0},
    {"temporal", NULL, 0, 0},
    {"temporal", "4", 0, 0},
    {"temporal", "sometimes", -EINVAL, 0},
    {"lockmem", "unlimited", 0, 0},
    {"lockmem", "64m", 0, 0},
    {"lockmem", "much", -EINVAL, 0},
    {"aggpercpu", NULL, 0, 1},
    {"aggpercpu", "no", 0, 0},
    {"pspec", "on", 0, 1},
    {"maxframes", "1", 0, 1},
    {"maxframes", "0", -EINVAL, 0},
    {"maxframes", "128", -EINVAL, 0},
    {"bpflogsize", "1m", 0, 1 << 20},
    {"disasm", "8", 0, 8},
    {"disasm", "0x8", 0, 8},
    {"disasm", "1", 0, 1},
    {"tree", "3", 0, 3},
    {"btfpath", "/a b", 0, 0},
    {"btfpath", NULL, -EINVAL, 0},
    {"define", "A\nB", -EINVAL, 0},
    /* names */
    {"Quiet", NULL, -ENOENT, 0},
    {"quie", NULL, -ENOENT, 0},
    {"", NULL, -ENOENT, 0},
};

START_TEST(values)
{
	const char *name = cases[_i].name, *value = cases[_i].value;
	int err = give(name, value);

	ck_assert_msg(err == cases[_i].err, "%s=%s: %d", name, value, err);
	ck_assert_int_eq(why[0] != 0, err != 0);
	if (err)
		return;
	ck_assert_msg(opts.v[opt_find(name)].num == cases[_i].num, "%s=%s", name, value);
	ck_assert(opts.v[opt_find(name)].set);
}
END_TEST

/* Errors of setopt() at compile time. */
START_TEST(check_only)
{
	ck_assert_int_eq(opt_check("aggsortrev", NULL, true, why, sizeof(why)), 0);
	ck_assert_str_eq(why, "");
	ck_assert(!opt_on(&opts, OPT_AGGSORTREV));
	ck_assert_int_eq(opt_check("aggsortpos", "x", true, why, sizeof(why)), -EINVAL);
	ck_assert_int_eq(opt_check("aggsortpos", NULL, false, why, sizeof(why)), 0);
	ck_assert_int_eq(opt_check("bufsize", "1m", true, why, sizeof(why)), -EBUSY);
	ck_assert_int_eq(opt_check("nothing", NULL, true, NULL, 0), -ENOENT);
}
END_TEST

START_TEST(a_refusal_changes_nothing)
{
	ck_assert_int_eq(give("bufsize", "7k"), 0);
	ck_assert_int_eq(give("bufsize", "8q"), -EINVAL);
	ck_assert_int_eq(opt_num(&opts, OPT_BUFSIZE), 7 << 10);
	ck_assert_str_eq(opt_text(&opts, OPT_BUFSIZE), "7k");
}
END_TEST

START_TEST(words_of_refusals)
{
	give("foo", "1");
	ck_assert_str_eq(why, "Invalid option name");
	give("quite", NULL);
	ck_assert_str_eq(why, "Invalid option name; did you mean quiet?");
	give("bufsize", "x");
	ck_assert_str_eq(why, BAD ": bufsize is a number of bytes, for example 4096, 64k or 4m");
	give("quiet", "maybe");
	ck_assert_str_eq(why, BAD ": quiet is on or off");
	give("switchrate", "1furlong");
	ck_assert_str_eq(why, BAD ": switchrate is a rate, for example 10hz or 500ms");
	give("bufpolicy", "rign");
	ck_assert_str_eq(why, BAD ": bufpolicy is one of switch ring fill");
	give("dump", "plan,x");
	ck_assert_str_eq(why, BAD ": dump is some of tree typed plan ir ra bpf");
	give("bufsize", "9999999t");
	ck_assert_str_eq(why, "Value for specified option is too big");
	give("strsize", "65k");
	ck_assert_str_eq(why, BAD ": strsize is from 2 to 65536");
	give("oformat", "yaml");
	ck_assert_str_eq(why, BAD ": oformat is one of text json jsonl xml html perfetto csv "
				  "folded svg openmetrics prometheus");
	give("cpu", "any");
	ck_assert_str_eq(why, BAD);
	give("container", NULL);
	ck_assert_str_eq(why, BAD ": cgroup requires a value (-x help)");
	give("record", "");
	ck_assert_str_eq(why, BAD ": record requires a value (-x help)");
	give("quiet", NULL);
	ck_assert_str_eq(why, "");
	ck_assert_int_eq(opts_set(&opts, "foo", NULL, NULL, 0), -ENOENT);
	ck_assert_int_eq(opts_set(&opts, "foo", NULL, why, 8), -ENOENT);
	ck_assert_str_eq(why, "Invalid");
}
END_TEST

START_TEST(while_tracing)
{
	opts.going = true;
	ck_assert_int_eq(give("bufsize", "1m"), -EBUSY);
	ck_assert_str_eq(why, "Operation illegal when tracing is active");
	ck_assert_int_eq(give("aggsortpos", "2"), 0);
	ck_assert_int_eq(opt_num(&opts, OPT_AGGSORTPOS), 2);
}
END_TEST

/* A program does not write, run, or decide what it means itself; what it may set it always
 * could. */
START_TEST(from_a_program)
{
	static const char *const not [] = {
	    "cpp",	     "define", "incdir",   "libdir",   "cpppath",  "cppargs",
	    "addr2linepath", "ldpath", "ctypes",   "dtypes",   "ksympath", "btfpath",
	    "syslibdir",     "setenv", "unsetenv", "toolpath", "record",   "replay"};

	opts.from = OPT_FROM_PROGRAM;
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++) {
		ck_assert_int_eq(give(not [i], "x"), -EPERM);
		ck_assert_str_eq(why, "Option cannot be used from within a D program");
	}
	ck_assert_int_eq(give("defaultargs", NULL), 0);
	ck_assert_int_eq(give("destructive", NULL), 0);
	ck_assert_int_eq(give("bufsize", "8k"), 0);
}
END_TEST

START_TEST(texts)
{
	give("quiet", "yes");
	ck_assert_str_eq(opt_text(&opts, OPT_QUIET), "1");
	give("define", "A");
	give("define", "B=1 2");
	ck_assert_str_eq(opt_text(&opts, OPT_DEFINE), "A\nB=1 2");
	give("cpppath", "/usr/bin/cpp");
	give("cpppath", "/bin/cpp");
	ck_assert_str_eq(opt_text(&opts, OPT_CPPPATH), "/bin/cpp");
}
END_TEST

START_TEST(another_name)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(give("container", "web"), 0);
	ck_assert_str_eq(opt_text(&opts, OPT_CGROUP), "web");
	ck_assert_int_eq(opt_find("container"), OPT_CGROUP);
	opts_complete(out, "conta");
	fclose(out);
	ck_assert_int_eq(strncmp(text, "container=\t", strlen("container=\t")), 0);
	free(text);
}
END_TEST

START_TEST(environment)
{
	setenv("DTRACE_OPT_strsize", "64", 1);
	setenv("DTRACE_OPT_QUIET", "", 1);
	setenv("DTRACE_OPTIONS", "x", 1);
	ck_assert_int_eq(opts_environment(&opts, NULL, NULL, why, sizeof(why)), 0);
	ck_assert_int_eq(opt_num(&opts, OPT_STRSIZE), 64);
	ck_assert(opt_on(&opts, OPT_QUIET));
	setenv("DTRACE_OPT_strsize", "1", 1);
	ck_assert_int_eq(opts_environment(&opts, NULL, NULL, why, sizeof(why)), -EINVAL);
	ck_assert_str_eq(why, "DTRACE_OPT_strsize: " BAD ": strsize is from 2 to 65536");
	unsetenv("DTRACE_OPT_strsize");
	setenv("DTRACE_OPT_nonsense", "1", 1);
	ck_assert_int_eq(opts_environment(&opts, NULL, NULL, why, sizeof(why)), -ENOENT);
	ck_assert_str_eq(why, "DTRACE_OPT_nonsense: Invalid option name");
}
END_TEST

static char ignored[200];

static void note_ignored(void *arg, const char *name)
{
	strcat(arg, name);
	strcat(arg, " ");
}

/* Which of four classes of options the environment sets, by whose it is. */
static const struct {
	const char *sudo_uid; /* NULL: none; "": our own */
	bool program, file, rights;
} owners[] = {
    {NULL, true, true, true},	  {"", false, true, true},    {"12345678", false, false, false},
    {"0x0", false, false, false}, {" ", false, false, false},
};

START_TEST(environment_of)
{
	char uid[32];

	snprintf(uid, sizeof(uid), "%u", (unsigned)geteuid());
	unsetenv("SUDO_UID");
	if (owners[_i].sudo_uid)
		setenv("SUDO_UID", *owners[_i].sudo_uid ? owners[_i].sudo_uid : uid, 1);
	setenv("DTRACE_OPT_cpppath", "/cpp", 1);
	setenv("DTRACE_OPT_DTYPES", "/types", 1);
	setenv("DTRACE_OPT_destructive", "1", 1);
	setenv("DTRACE_OPT_strsize", "64", 1);
	ignored[0] = '\0';
	ck_assert_int_eq(opts_environment(&opts, note_ignored, ignored, why, sizeof(why)), 0);
	ck_assert_str_eq(opt_text(&opts, OPT_CPPPATH), owners[_i].program ? "/cpp" : "cpp");
	ck_assert_int_eq(opt_text(&opts, OPT_DTYPES) != NULL, owners[_i].file);
	ck_assert_int_eq(opt_on(&opts, OPT_DESTRUCTIVE), owners[_i].rights);
	ck_assert_int_eq(opt_num(&opts, OPT_STRSIZE), 64);
	ck_assert_int_eq(!!strstr(ignored, "cpppath "), !owners[_i].program);
	ck_assert_int_eq(!!strstr(ignored, "dtypes "), !owners[_i].file);
	ck_assert_int_eq(!!strstr(ignored, "destructive "), !owners[_i].rights);
	ck_assert(!strstr(ignored, "strsize"));
	ck_assert_int_eq(give("cpppath", "/mine"), 0);
}
END_TEST

START_TEST(help)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	opts_help(out);
	fclose(out);
	ck_assert_ptr_nonnull(
	    strstr(text, "\n  aggrate=rate          rate at which aggregations are read (1hz)\n"));
	ck_assert_ptr_nonnull(
	    strstr(text, "\n  quiet                 print only what the program prints\n"));
	ck_assert_ptr_nonnull(
	    strstr(text, "\n  cpu=word              trace these CPUs only: 2, or 0-3,8\n"));
	for (char *line = text, *next; (next = strchr(line, '\n')) && next[1]; line = next + 1)
		ck_assert_msg(strcmp(line, next + 1) < 0, "-x help: not in order: %s", line);
	free(text);
}
END_TEST

Suite *opt_suite(void);
Suite *opt_suite(void)
{
	Suite *s = suite_create("opt");
	TCase *t = tcase_create("opt");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, defaults);
	tcase_add_loop_test(t, values, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(t, check_only);
	tcase_add_test(t, a_refusal_changes_nothing);
	tcase_add_test(t, words_of_refusals);
	tcase_add_test(t, while_tracing);
	tcase_add_test(t, from_a_program);
	tcase_add_test(t, texts);
	tcase_add_test(t, another_name);
	tcase_add_test(t, environment);
	tcase_add_loop_test(t, environment_of, 0, sizeof(owners) / sizeof(owners[0]));
	tcase_add_test(t, help);
	suite_add_tcase(s, t);
	return s;
}
