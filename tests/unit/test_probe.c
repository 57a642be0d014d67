/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/rate.h"
#include "tests/unit/redzone.h"

#if defined(__x86_64__)
#define READ_ENTRY 100
#define EXECVE_ENTRY 218
#else
#define READ_ENTRY 226
#define EXECVE_ENTRY 542
#endif

/* A tracefs of our own, and what is needed to look probes up in it. */
static char root[64];
static struct arena *arena;
static struct types *types;
static struct probes *ps;

static void put(const char *dir, const char *file, const char *text)
{
	char path[256], cmd[320];
	FILE *f;

	snprintf(cmd, sizeof(cmd), "mkdir -p %s/events/%s", root, dir);
	ck_assert_int_eq(system(cmd), 0);
	snprintf(path, sizeof(path), "%s/events/%s/%s", root, dir, file);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static void open_table(void)
{
	arena = arena_new();
	types = types_new(false, "none");
	ps = probes_new(arena, types, NULL);
	probes_set_tracefs(ps, root);
	syscall32_tell(ps, false);
}

static void close_table(void)
{
	probes_free(ps);
	types_free(types);
	arena_free(arena);
}

static void setup(void)
{
	snprintf(root, sizeof(root), "/tmp/test_probe.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("sched/sched_switch", "id", "372\n");
	put("sched/sched_switch", "format",
	    "name: sched_switch\nID: 372\n" COMMON
	    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	    "\nprint fmt: \"%s\", REC->prev_comm\n");
	put("sched/sched_wakeup", "id", "374\n");
	put("irq/irq_handler_entry", "id", "150\n");
	put("broken/no_number", "id", "zero\n");
	put("ftrace/function", "id", "1\n");
	put("kprobes/p_foo", "id", "2000\n");
	put("syscalls/sys_enter_read", "id", "842\n");
	put("syscalls/sys_enter_read", "format",
	    "name: sys_enter_read\nID: 842\n" COMMON
	    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	    "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
	    "\tfield:char * buf;\toffset:24;\tsize:8;\tsigned:0;\n"
	    "\tfield:size_t count;\toffset:32;\tsize:8;\tsigned:0;\n"
	    "\nprint fmt: \"fd\"\n");
	put("syscalls/sys_enter_execve", "id", "843\n");
	put("syscalls/sys_enter_execve", "format",
	    "name: sys_enter_execve\nID: 843\n" COMMON
	    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	    "\tfield:const char * filename;\toffset:16;\tsize:8;\tsigned:0;\n"
	    "\tfield:const char *const * argv;\toffset:24;\tsize:8;\tsigned:0;\n"
	    "\nprint fmt: \"\"\n");
	put("syscalls/sys_enter_newuname", "id", "844\n");
	put("syscalls/sys_enter_newfstat", "id", "845\n");
	open_table();
}

static void teardown(void)
{
	char cmd[128];

	close_table();
	snprintf(cmd, sizeof(cmd), "rm -r %s", root);
	ck_assert_int_eq(system(cmd), 0);
}

/* "ID prov:mod:func:name" of all that a description matches, separated by blanks. */
static void collect(void *arg, struct probe *p)
{
	struct strbuf *sb = arg;

	sb_printf(sb, "%s%u %s:%s:%s:%s", sb->len ? " " : "", p->id, p->prov, p->mod, p->func,
		  p->name);
}

static const char *matches(const char *text)
{
	struct strbuf sb = {0};
	struct pdesc pd;
	const char *result;

	ck_assert(pdesc_parse(arena, text, 3, &pd));
	probes_match(ps, &pd, collect, &sb);
	result = arena_strdup(arena, sb_str(&sb));
	sb_free(&sb);
	return result;
}

static int count(const char *text)
{
	struct pdesc pd;

	ck_assert(pdesc_parse(arena, text, 3, &pd));
	return probes_match(ps, &pd, NULL, NULL);
}

static void count_never(void *n, struct probe *p)
{
	*(int *)n += p->unsupported != NULL;
}

/* Counters that this kernel lacks. */
static int counters(void)
{
	struct pdesc all = {.prov = "", .mod = "", .func = "", .name = ""};
	int n = 0;

	probes_match(ps, &all, count_never, &n);
	return n;
}

static struct probe *probe(const char *text)
{
	struct probe *p;
	struct pdesc pd;

	ck_assert(pdesc_parse(arena, text, 3, &pd));
	p = probes_first(ps, &pd);
	return p;
}

static const struct {
	const char *pattern, *text;
	bool match;
} globs[] = {
    {NULL, "x", true},
    {"", "", true},
    {"", "anything", true},
    {"*", "", true},
    {"?", "", false},
    {"read", "read", true},
    {"read", "readv", false},
    {"readv", "read", false},
    {"read*", "read", true},
    {"*read*", "preadv", true},
    {"*read", "readread", true},
    {"a*b*c", "aXbYbZc", true},
    {"a*b*c", "aXbYbZ", false},
    {"?ead", "read", true},
    {"re[a-c]d", "read", true},
    {"re[b-d]d", "read", false},
    {"re[!b-d]d", "read", true},
    {"re[!a]d", "read", false},
    {"[]x]", "]", true},
    {"[!]x]", "]", false},
    {"[a-]", "-", true},
    {"a[b", "a[b", true},
    {"a[b", "ab", false},
    {"a[!", "a[!", true},
    {"\\*", "*", true},
    {"\\*", "x", false},
    {"[\\]]", "]", true},
    {"a\\", "a\\", true},
    {"*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    {"[\x80-\xff]", "\xc3", true},
};

START_TEST(glob)
{
	ck_assert_msg(glob_fits(globs[_i].pattern, globs[_i].text) == globs[_i].match, "%s on %s",
		      globs[_i].pattern ? globs[_i].pattern : "NULL", globs[_i].text);
}
END_TEST

START_TEST(literal)
{
	ck_assert(glob_is_literal("read"));
	ck_assert(!glob_is_literal(""));
	ck_assert(!glob_is_literal(NULL));
	ck_assert(!glob_is_literal("r*"));
	ck_assert(!glob_is_literal("r?"));
	ck_assert(!glob_is_literal("[r]"));
	ck_assert(!glob_is_literal("\\r"));
}
END_TEST

static const struct {
	const char *text;
	int field;
	const char *fields; /* joined by |; NULL: malformed */
} descriptions[] = {
    {"BEGIN", 3, "|||BEGIN"},
    {"syscall::read:entry", 3, "syscall||read|entry"},
    {"io:::start", 3, "io|||start"},
    {"read:entry", 3, "||read|entry"},
    {"::read:", 3, "||read|"},
    {":::", 3, "|||"},
    {"", 3, "|||"},
    {" syscall : : read : entry ", 3, "syscall||read|entry"},
    {"a:b:c:d:e", 3, NULL},
    {"::::", 3, NULL},
    {"read", 2, "||read|"},
    {"syscall::read", 2, "syscall||read|"},
    {"a:b:c:d", 2, NULL},
    {"vmlinux", 1, "|vmlinux||"},
    {"sdt:sched", 1, "sdt|sched||"},
    {"a:b:c", 1, NULL},
    {"syscall", 0, "syscall|||"},
    {"a:b", 0, NULL},
};

START_TEST(parse)
{
	struct arena *a = arena_new();
	struct pdesc pd;
	bool ok = pdesc_parse(a, descriptions[_i].text, descriptions[_i].field, &pd);

	ck_assert_int_eq(ok, descriptions[_i].fields != NULL);
	if (ok) {
		ck_assert_str_eq(arena_printf(a, "%s|%s|%s|%s", pd.prov, pd.mod, pd.func, pd.name),
				 descriptions[_i].fields);
		ck_assert_uint_eq(pd.id, 0);
	}
	arena_free(a);
}
END_TEST

static const struct {
	const char *name;
	enum rate_status status;
	uint64_t ns;
} rates[] = {
    {"tick-1sec", RATE_OK, 1000000000},
    {"tick-1s", RATE_OK, 1000000000},
    {"tick-1Sec", RATE_OK, 1000000000},
    {"profile-997Hz", RATE_OK, 1003009},
    {"tick-01s", RATE_OK, 1000000000},
    {"profile-997", RATE_OK, 1003009},
    {"profile-997hz", RATE_OK, 1003009},
    {"tick-5000", RATE_OK, 200000},
    {"tick-5001", RATE_SHORT, 0},
    {"tick-200us", RATE_OK, 200000},
    {"tick-200usec", RATE_OK, 200000},
    {"tick-199us", RATE_SHORT, 0},
    {"tick-200000ns", RATE_OK, 200000},
    {"tick-199999nsec", RATE_SHORT, 0},
    {"tick-10ms", RATE_OK, 10000000},
    {"tick-10msec", RATE_OK, 10000000},
    {"tick-2m", RATE_OK, 120000000000},
    {"tick-2min", RATE_OK, 120000000000},
    {"tick-1h", RATE_OK, 3600000000000},
    {"tick-1hour", RATE_OK, 3600000000000},
    {"tick-1d", RATE_OK, 86400000000000},
    {"tick-1day", RATE_OK, 86400000000000},
    {"tick-0", RATE_SHORT, 0},
    {"tick-0s", RATE_SHORT, 0},
    {"tick-200000d", RATE_LONG, 0},
    {"tick-99999999999999999999s", RATE_LONG, 0},
    {"tick-18446744073709551617s", RATE_LONG, 0},
    {"tick-99999999999999999999", RATE_SHORT, 0},
    {"tick-", RATE_NAME, 0},
    {"tick-s", RATE_NAME, 0},
    {"tick-1sex", RATE_NAME, 0},
    {"tick--1", RATE_NAME, 0},
    {"tick-+1", RATE_NAME, 0},
    {"tick-1*", RATE_NAME, 0},
    {"tick", RATE_NAME, 0},
    {"1s", RATE_NAME, 0},
    {"tick_1s", RATE_NAME, 0},
    {"", RATE_NAME, 0},
};

START_TEST(rate)
{
	struct rate r;

	ck_assert_int_eq(rate_parse(rates[_i].name, &r), rates[_i].status);
	if (rates[_i].status == RATE_OK)
		ck_assert_uint_eq(r.period_ns, rates[_i].ns);
	if (rates[_i].status != RATE_NAME)
		ck_assert_int_eq(r.tick, !strncmp(rates[_i].name, "tick-", 5));
}
END_TEST

START_TEST(dtrace_ids)
{
	ck_assert_str_eq(matches("dtrace:::"), "1 dtrace:::BEGIN 2 dtrace:::END 3 dtrace:::ERROR 4 "
					       "dtrace:::SIGUSR1 5 dtrace:::SIGUSR2");
	ck_assert_str_eq(matches("BEGIN"), "1 dtrace:::BEGIN");
	ck_assert_int_eq(probe("END")->hook, HOOK_RUN);
}
END_TEST

START_TEST(syscalls)
{
	struct probe *p;

	ck_assert_str_eq(
	    matches("syscall::read:"),
	    arena_printf(arena, "%d syscall:vmlinux:read:entry %d syscall:vmlinux:read:return",
			 READ_ENTRY, READ_ENTRY + 1));
	p = probe("syscall::read:return");
	ck_assert_int_eq(p->hook, HOOK_RAWTP);
	ck_assert_str_eq(p->target.name, "sys_exit");
	ck_assert_uint_eq(p->select[0], (READ_ENTRY - 100) / 2);
	ck_assert(p->is_return && !p->is_entry);
	/* only what this kernel has: read, execve, uname, fstat */
	ck_assert_int_eq(count("syscall:::entry"), 4);
	ck_assert_int_eq(count("syscall:::"), 8);
	ck_assert_int_eq(count("syscall::write:entry"), 0);
	ck_assert_int_eq(count("syscall:other:read:entry"), 0);
	ck_assert_int_eq(count("syscall::[r]*:entry"), 1);
}
END_TEST

START_TEST(syscalls_untold)
{
	probes_set_tracefs(ps, "");
	ck_assert_int_gt(count("syscall:::entry"), 300);
	ck_assert_int_eq(count("syscall::write:entry"), 1);
	ck_assert_int_eq(count("syscall::file_setattr:return"), 1);
	ck_assert_int_eq(count("sdt:::"), 0);
	ck_assert_int_eq(count("rawtp:::"), 0);
}
END_TEST

#ifdef __x86_64__
/* What only 32-bit programs have, by names as they are; those of other systems mean the machine's
 * own calls, too. */
START_TEST(syscalls32)
{
	struct probe *p;

	ck_assert_int_eq(count("syscall::waitpid:entry"), 0);
	syscall32_tell(ps, true);
	ck_assert_str_eq(
	    matches("syscall::waitpid:"),
	    "76014 syscall:syscall32:waitpid:entry 76015 syscall:syscall32:waitpid:return");
	ck_assert_int_eq(count("syscall:syscall32::entry"), 76);
	ck_assert_int_eq(count("syscall:::return"), 80);
	ck_assert_int_eq(count("syscall:syscall32:read:"), 0);
	ck_assert_str_eq(matches("syscall::newfstat:entry"), "110 syscall:vmlinux:fstat:entry");
	ck_assert_str_eq(matches("syscall::fstat64:entry"),
			 "110 syscall:vmlinux:fstat:entry 76394 syscall:syscall32:fstat64:entry");
	p = probe("syscall::waitpid:entry");
	ck_assert_uint_eq(p->select[0], SELECT_NONE);
	ck_assert_uint_eq(p->select[1], 7);
	ck_assert_str_eq(p->target.name, "sys_enter");
	p = probe("syscall::read:entry");
	ck_assert_uint_eq(p->select[0], 0);
	ck_assert_uint_eq(p->select[1], 3);
	/* accept is one of socketcall's, semop one of ipc's; 32-bit mmap has one argument */
	probes_set_tracefs(ps, "");
	ck_assert_uint_eq(probe("syscall::accept:entry")->select[1], SELECT_NONE);
	ck_assert_uint_eq(probe("syscall::mmap:entry")->select[1], SELECT_NONE);
	ck_assert_uint_eq(probe("syscall::old_mmap:entry")->select[1], 90);
}
END_TEST

START_TEST(syscalls32_args)
{
	struct probe *p;

	syscall32_tell(ps, true);
	p = probe("syscall::mq_timedsend_time64:entry");
	probe_args(ps, p);
	ck_assert_int_eq(p->nargs, 5);
	ck_assert_str_eq(p->args[1].name, "u_msg_ptr");
	ck_assert_str_eq(type_text(types, p->args[1].type), "const char *");
	ck_assert(p->args[1].type->flags & TF_USERLAND);
	ck_assert_str_eq(type_text(types, p->args[3].type), "unsigned int");
	/* there are no types of a kernel here */
	ck_assert_str_eq(type_text(types, p->args[4].type), "void *");
	p = probe("syscall::sigreturn:entry");
	probe_args(ps, p);
	ck_assert_int_eq(p->nargs, 0);
	p = probe("syscall::waitpid:return");
	probe_args(ps, p);
	ck_assert_int_eq(p->nargs, 2);
}
END_TEST
#endif

static const struct {
	const char *written, *meant;
} aliases[] = {
    {"exece", "execve"},	{"exec", "execve"},	    {"newuname", "uname"},
    {"newfstat", "fstat"},	{"fstat64", "fstat"},	    {"rexit", "exit_group"},
    {"pwrite", "pwrite64"},	{"pread", "pread64"},	    {"pollsys", "ppoll"},
    {"stime", "clock_settime"}, {"forksys", "clone"},	    {"lwp_sigmask", "rt_sigprocmask"},
    {"umount", "umount2"},	{"sendfile64", "sendfile"}, {"mmap64", "mmap"},
#ifdef __x86_64__
    {"open64", "open"},		{"stat64", "stat"},	    {"gtime", "time"},
    {"xstat", "stat"},		{"creat64", "creat"},	    {"newlstat", "lstat"},
#else
    {"fork", "clone"},		{"vfork", "clone"},
#endif
};

START_TEST(alias)
{
	struct pdesc pd;
	struct probe *p;

	probes_set_tracefs(ps, "");
	p = probe(arena_printf(arena, "syscall::%s:entry", aliases[_i].written));
	ck_assert_msg(p, "%s", aliases[_i].written);
	ck_assert_str_eq(p->func, aliases[_i].meant);
	ck_assert(pdesc_parse(arena, arena_printf(arena, "%s:entry", aliases[_i].written), 3, &pd));
	ck_assert(pdesc_matches(&pd, p));
	ck_assert(pdesc_parse(arena, arena_printf(arena, "%s:entry", aliases[_i].meant), 3, &pd));
	ck_assert(pdesc_matches(&pd, p));
}
END_TEST

#if defined(__x86_64__)
#define THIS_MACHINE(x86, arm) (x86)
#else
#define THIS_MACHINE(x86, arm) (arm)
#endif

/* -x compat: what a description matches, calls by their old names among it. */
static void count_probe(void *arg, struct probe *p)
{
	(void)p;
	++*(int *)arg;
}

static int wider(const char *text, const char *named)
{
	struct pdesc pd;
	int n = 0;

	probes_set_tracefs(ps, "");
	ck_assert(pdesc_parse(arena, text, 3, &pd));
	pd.compat = named ? &(struct compat){.all = true, .named = named} : NULL;
	probes_match(ps, &pd, count_probe, &n);
	return n;
}

START_TEST(compat)
{
	ck_assert_int_eq(wider("syscall::chmod:entry", NULL), THIS_MACHINE(1, 0));
	/* fchmodat, fchmodat2 */
	ck_assert_int_eq(wider("syscall::chmod:entry", ""), THIS_MACHINE(3, 2));
	ck_assert_int_eq(wider("syscall::chmod:return", " fchmodat "), THIS_MACHINE(2, 1));
	ck_assert_int_eq(wider("syscall::chmod:entry", NULL), THIS_MACHINE(1, 0));
	/* a glob that names both: each once */
	ck_assert_int_eq(wider("syscall::dup[23]:entry", NULL), THIS_MACHINE(2, 1));
	ck_assert_int_eq(wider("syscall::dup[23]:entry", ""), THIS_MACHINE(2, 1));
	ck_assert_int_eq(wider("syscall:::entry", ""), wider("syscall:::entry", NULL));
	ck_assert_int_eq(wider("syscall::*:entry", ""), wider("syscall:::entry", NULL));
	/* aliases, too */
	ck_assert_int_eq(wider("syscall::open64:entry", ""), THIS_MACHINE(3, 2));
}
END_TEST

/* -x compat=auto: calls that are widened, and those that a description of all entries means,
 * too. */
static const struct {
	struct compat_desc descs[3];
	const char *text, *widened, *paired;
} chosen[] = {
    {{{"open", "entry"}}, "syscall::open:entry", " open ", NULL},
    {{{"open", ""}, {"stat", "return"}}, "", " open stat ", NULL},
    {{{"open64", "entry"}}, "", " open ", NULL},
    {{{"*fork*", "entry"}}, "", " fork ", NULL},
    {{{"exece", "entry"}}, "", " execve ", NULL},
    /* named both ways: in descriptions, in a predicate, by a glob */
    {{{"open", "entry"}, {"openat", "entry"}},
     "syscall::open:entry, syscall::openat:entry",
     NULL,
     NULL},
    {{{"open", "entry"}, {"stat", "entry"}}, "/probefunc == \"openat\"/", " stat ", NULL},
    {{{"open*", "entry"}}, "", NULL, NULL},
    {{{"open", "entry"}}, "openat_count", " open ", NULL},
    /* only 32-bit programs have another */
    {{{"fcntl", "entry"}, {"read", "entry"}}, "", NULL, NULL},
    /* arguments that all entries bring to the results */
    {{{"", "entry"}, {"open*", "return"}}, "", " open ", " open "},
    {{{"*", "entry"}, {"open", "return"}}, "", " open ", " open "},
    {{{"", "entry"}, {"open*", "return"}, {"open", "entry"}}, "", NULL, NULL},
    {{{"", "entry"}, {"open*", "return"}}, "openat", NULL, NULL},
    {{{"", "entry"}, {"", "return"}}, "", NULL, NULL},
};

START_TEST(compat_auto)
{
	struct compat c;
	int n = 0;

	while (n < 3 && chosen[_i].descs[n].func)
		n++;
	compat_choose(arena, &c, chosen[_i].descs, n, chosen[_i].text, false);
	ck_assert_pstr_eq(c.widened, chosen[_i].widened);
	ck_assert_pstr_eq(c.paired, chosen[_i].paired);
}
END_TEST

static int foreign(const char *text)
{
	struct pdesc pd;
	struct probe *p;

	ck_assert(pdesc_parse(arena, text, 3, &pd));
	p = probes_first(ps, &pd);
	return p ? p->unsupported ? 1 : 0 : -1;
}

START_TEST(other_systems)
{
	probes_set_tracefs(ps, "");
	ck_assert_int_eq(foreign("syscall::resolvepath:entry"), 1);
	ck_assert_int_eq(foreign("syscall::open_nocancel:return"), 1);
	ck_assert_int_eq(foreign("syscall::kld*:"), 1);
	ck_assert_int_eq(foreign("syscall::read:entry"), 0);
	ck_assert_int_eq(foreign("syscall::resolvepath:start"), -1);
	ck_assert_int_eq(foreign("::resolvepath:entry"), -1);
	ck_assert_int_eq(foreign("syscall::mq_*:entry"), 0);
	ck_assert_int_eq(foreign("sched:::cpucaps-sleep"), 1);
	ck_assert_int_eq(foreign("sched:::schedctl-*"), 1);
	ck_assert_int_eq(foreign("sched:::load-change"), 1);
	ck_assert_int_eq(foreign("proc:::spawn-failure"), 1);
	ck_assert_int_eq(foreign("io:::journal-start"), 1);
	ck_assert_int_eq(foreign("lockstat:::thread-spin"), 1);
	ck_assert_int_eq(foreign("lockstat:::lockmgr-*"), 1);
	ck_assert_int_eq(foreign("sched:::load-changes"), -1);
	ck_assert_int_eq(foreign("lockstat:::"), -1); /* those are for none that means all */
}
END_TEST

START_TEST(compat_notes)
{
	ck_assert_str_eq(compat_calls(arena, "open"), "openat openat2");
	ck_assert_ptr_null(compat_calls(arena, "openat"));
	ck_assert_ptr_null(compat_calls(arena, "mkdir")); /* still made */
}
END_TEST

START_TEST(alias_limits)
{
	ck_assert_int_eq(count("syscall::newu*:entry"), 0);
	ck_assert_int_eq(count("syscall::newuname:entry"), 1);
	ck_assert_int_eq(count("sdt::newuname:"), 0);
}
END_TEST

START_TEST(profile)
{
	struct probe *p = probe("tick-1sec");

	ck_assert_str_eq(p->name, "tick-1sec");
	ck_assert_str_eq(p->prov, "profile");
	ck_assert_int_eq(p->hook, HOOK_PERF);
	ck_assert_uint_eq(p->target.period_ns, 10000000); /* in steps */
	ck_assert_int_ge(p->target.cpu, 0);
	p = probe("profile:::profile-1234us");
	ck_assert_uint_eq(p->target.period_ns, 1234000);
	ck_assert_int_eq(p->target.cpu, -1);
	ck_assert_int_eq(count("profile:::"), 15);
	ck_assert_int_eq(count("prof*:::tick-1s"), 1);
	ck_assert_int_eq(count("tick-1s"), 1);
	ck_assert_int_eq(count("profile:::"), 16);
	ck_assert_int_eq(count("sdt:::tick-1s"), 0);
	ck_assert_int_eq(count("profile:x::tick-2s"), 0);
	ck_assert_int_eq(count("tick-100us"), 0);
	ck_assert_int_eq(count("profile:::"), 16);
}
END_TEST

START_TEST(profile_ids)
{
	char name[32];

	for (int n = 1; n < 2000; n++) {
		struct probe *p;

		snprintf(name, sizeof(name), "tick-%dms", n);
		p = probe(name);
		ck_assert_ptr_nonnull(p);
		ck_assert_str_eq(p->name, name);
		ck_assert_uint_ge(p->id, 1200);
		ck_assert_uint_le(p->id, 9999);
		ck_assert_ptr_eq(probe_find(ps, p->id), p);
	}
	ck_assert_str_eq(probe("tick-5000")->name, "tick-5000");
}
END_TEST

/* What is watched: by descriptions with an address, and 0 for those that are none. */
static const struct {
	const char *desc;
	uint64_t addr, len;
	uint32_t type;
} watched[] = {
    {"watch::0xffff888000001000:write", 0xffff888000001000, 8, HW_BREAKPOINT_W},
    {"watch:vmlinux:0xffff888000001004:write", 0xffff888000001004, 4, HW_BREAKPOINT_W},
    {"watch::0xffff888000001002:access", 0xffff888000001002, 2, HW_BREAKPOINT_RW},
    {"watch::0xffff888000001001:access", 0xffff888000001001, 1, HW_BREAKPOINT_RW},
    {"watch::0xffff888000001008:write-1", 0xffff888000001008, 1, HW_BREAKPOINT_W},
    {"watch::0xffff888000001008:access-4", 0xffff888000001008, 4, HW_BREAKPOINT_RW},
    {"watch::18446612682070032384:write-8", 0xffff888000000000, 8, HW_BREAKPOINT_W},
    {"watch::0xffff888000001004:write-8", 0, 0, 0},
    {"watch::0x1000:write", 0, 0, 0},
    {"watch::0xffff888000001000:", 0, 0, 0},
    {"watch::0xffff888000001000:read", 0, 0, 0},
    {"watch::0xffff888000001000:writes", 0, 0, 0},
    {"watch::0xffff888000001000:write-", 0, 0, 0},
    {"watch::0xffff888000001000:write-3", 0, 0, 0},
    {"watch::0xffff888000001000:write-16", 0, 0, 0},
    {"watch::0xffff888000001000:write--4", 0, 0, 0},
    {"watch::0xffff88800000100g:write", 0, 0, 0},
    {"watch::0xfffff888000001000:write", 0, 0, 0},
    {"watch::some+:write", 0, 0, 0},
    {"watch::some+-4:write", 0, 0, 0},
    {"watch::+4:write", 0, 0, 0},
    {"watch::*:write", 0, 0, 0},
    {"watch::some:write", 0, 0, 0},
    {"watch:::", 0, 0, 0},
    {"watch*:::write", 0, 0, 0},
    {"watch0::0x1000:write", 0, 0, 0},
    {"watches::0xffff888000001000:write", 0, 0, 0},
};

START_TEST(watchpoints)
{
	struct probe *p = probe(watched[_i].desc);
	struct pdesc pd;

	if (!watched[_i].len) {
		ck_assert_msg(!p, "%s", watched[_i].desc);
		ck_assert(pdesc_parse(arena, watched[_i].desc, 3, &pd));
		ck_assert_msg(probes_unavailable(ps, &pd) || strstr(watched[_i].desc, "watches"),
			      "%s", watched[_i].desc);
		return;
	}
	if (!machine_has_atomics())
		return;
	ck_assert_msg(p, "%s", watched[_i].desc);
	ck_assert_int_eq(p->hook, HOOK_PERF);
	ck_assert_int_eq(p->target.cpu, -1);
	ck_assert_int_eq(p->target.pid, 0);
	ck_assert_uint_eq(p->target.perf->type, PERF_TYPE_BREAKPOINT);
	ck_assert_uint_eq(p->target.perf->bp_addr, watched[_i].addr);
	ck_assert_uint_eq(p->target.perf->bp_len, watched[_i].len);
	ck_assert_uint_eq(p->target.perf->bp_type, watched[_i].type);
	ck_assert_ptr_eq(probe(watched[_i].desc), p);
}
END_TEST

/* A variable of this process. */
NO_REDZONE static volatile uint32_t watched_variable[3] = {1, 2, 3};

START_TEST(watchpoint_of_process)
{
	struct probe *p =
	    probe(arena_printf(arena, "watch%d:a.out:watched_variable+4:write-4", getpid()));

	ck_assert_ptr_nonnull(p);
	ck_assert_int_eq(p->target.pid, getpid());
	ck_assert_uint_eq(p->target.perf->bp_addr, (uintptr_t)&watched_variable[1]);
	p = probe(
	    arena_printf(arena, "watch%d::%p:access", getpid(), (void *)&watched_variable[2]));
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(p->target.perf->bp_addr, (uintptr_t)&watched_variable[2]);
	ck_assert_int_eq(
	    count(arena_printf(arena, "watch%d:a.out:watched_variable+12:write", getpid())), 0);
	ck_assert_int_eq(
	    count(arena_printf(arena, "watch%d:libc:watched_variable:write", getpid())), 0);
}
END_TEST

START_TEST(tracepoints)
{
	struct probe *p;

	ck_assert_str_eq(matches("sdt:::"),
			 "10150 sdt:irq::irq_handler_entry 10372 sdt:sched::sched_switch "
			 "10374 sdt:sched::sched_wakeup");
	ck_assert_str_eq(matches("sched_switch"),
			 "10372 sdt:sched::sched_switch 80372 rawtp:sched::sched_switch");
	ck_assert_str_eq(matches("sdt:sch*::*wake*"), "10374 sdt:sched::sched_wakeup");
	ck_assert_int_eq(count("sdt:ftrace::function"), 0);
	ck_assert_int_eq(count("sdt:syscalls::sys_enter_read"), 0);
	ck_assert_int_eq(count("sdt:..::sched"), 0);
	ck_assert_int_eq(count("sdt:sched/sched_switch::."), 0);
	ck_assert_int_eq(count("sdt:sched:f:sched_switch"), 0);
	p = probe("sdt:sched::sched_switch");
	ck_assert_int_eq(p->hook, HOOK_TP);
	ck_assert_str_eq(p->target.group, "sched");
	ck_assert_uint_eq(p->target.event_id, 372);
	p = probe("rawtp:::sched_wakeup");
	ck_assert_int_eq(p->hook, HOOK_RAWTP);
	ck_assert_str_eq(p->target.name, "sched_wakeup");
}
END_TEST

START_TEST(by_id)
{
	struct strbuf sb = {0};
	struct pdesc pd = {.prov = "", .mod = "", .func = "", .name = "", .id = 2, .id_last = 2};
	uint32_t id = probe("tick-3s")->id;

	ck_assert_int_eq(probes_match(ps, &pd, collect, &sb), 1);
	ck_assert_str_eq(sb.s, "2 dtrace:::END");
	close_table();
	open_table();
	pd.id = 2, pd.id_last = READ_ENTRY;
	ck_assert_int_ge(probes_match(ps, &pd, NULL, NULL), 3);
	pd.id = pd.id_last = 10372;
	sb.len = 0;
	ck_assert_int_eq(probes_match(ps, &pd, collect, &sb), 1);
	ck_assert_str_eq(sb.s, "10372 sdt:sched::sched_switch");
	pd.id = pd.id_last = id;
	sb.len = 0;
	ck_assert_int_eq(probes_match(ps, &pd, collect, &sb), 1);
	ck_assert_ptr_nonnull(strstr(sb.s, "profile:::tick-3s"));
	pd.id = pd.id_last = READ_ENTRY + 1;
	sb.len = 0;
	ck_assert_int_eq(probes_match(ps, &pd, collect, &sb), 1);
	ck_assert_ptr_nonnull(strstr(sb.s, "syscall:vmlinux:read:return"));
	pd.id = 1, pd.id_last = UINT32_MAX;
	ck_assert_int_eq(probes_match(ps, &pd, NULL, NULL),
			 5 + 8 + 13 + 1 + 3 + 22 + 35 + count("cpc:::") + counters());
	sb_free(&sb);
}
END_TEST

START_TEST(stable)
{
	static const char *const asked[] = {
	    "tick-1sec",  "profile-1234us", "syscall::read:",	     "sched_switch",
	    "tick-777ms", "sdt:::",	    "syscall::execve:entry", "profile-333us"};
	enum { N = sizeof(asked) / sizeof(asked[0]) };
	char *before[N];

	for (int i = 0; i < N; i++)
		before[i] = strdup(matches(asked[i]));
	close_table();
	open_table();
	count(":::");
	for (int i = N - 1; i >= 0; i--) {
		ck_assert_str_eq(matches(asked[i]), before[i]);
		free(before[i]);
	}
	ck_assert_int_eq(probe("syscall::execve:entry")->id, EXECVE_ENTRY);
}
END_TEST

/* All matched probes come in order of their ids, each once. */
static void ascending(void *arg, struct probe *p)
{
	uint32_t *last = arg;

	ck_assert_uint_gt(p->id, *last);
	*last = p->id;
}

START_TEST(order)
{
	uint32_t last = 0;
	struct pdesc pd;

	count("rawtp:::sched_wakeup");
	count("tick-9s");
	count("BEGIN");
	ck_assert(pdesc_parse(arena, "", 3, &pd));
	ck_assert_int_eq(probes_match(ps, &pd, ascending, &last),
			 5 + 8 + 13 + 1 + 3 + 22 + 35 + count("cpc:::") + counters());
	ck_assert_uint_ge(last, 80374); /* and what is made of them */
}
END_TEST

static const char *listing(struct probe *p, bool verbose)
{
	char *text = NULL;
	const char *result;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!p)
		probe_list_header(f);
	else if (verbose)
		probe_list_verbose(ps, f, p);
	else
		probe_list(f, p);
	fclose(f);
	result = arena_strdup(arena, text);
	free(text);
	return result;
}

START_TEST(list)
{
	ck_assert_str_eq(
	    listing(NULL, false),
	    "   ID   PROVIDER            MODULE                          FUNCTION NAME\n");
	ck_assert_str_eq(
	    listing(probe("BEGIN"), false),
	    "    1     dtrace                                                     BEGIN\n");
	ck_assert_str_eq(
	    listing(probe("sdt:::sched_switch"), false),
	    "10372        sdt             sched                                   sched_switch\n");
}
END_TEST

#define ATTRIBUTES(title, name, class)                                               \
	"\n\t" title "\n\t\tIdentifier Names: " name "\n\t\tData Semantics:   " name \
	"\n\t\tDependency Class: " class "\n"

START_TEST(list_verbose)
{
	struct probe *p = probe("syscall::read:entry");

	ck_assert_str_eq(listing(probe("BEGIN"), true),
			 "    1     dtrace                                                     "
			 "BEGIN\n" ATTRIBUTES("Probe Description Attributes", "Stable", "Common")
			     ATTRIBUTES("Argument Attributes", "Stable",
					"Common") "\n\tArgument Types\n\t\tNone\n\n");
	ck_assert_str_eq(strchr(listing(p, true), '\n') + 1,
			 ATTRIBUTES("Probe Description Attributes", "Private", "Unknown")
			     ATTRIBUTES("Argument Attributes", "Private",
					"Unknown") "\n\tArgument Types\n"
						   "\t\targs[0]: unsigned int  (fd)\n"
						   "\t\targs[1]: char *  (buf)\n"
						   "\t\targs[2]: size_t  (count)\n\n");
	ck_assert(p->args[1].type->flags & TF_USERLAND);
	ck_assert_ptr_nonnull(strstr(listing(probe("syscall::read:return"), true),
				     "\t\targs[0]: long\n\t\targs[1]: long\n\n"));
	ck_assert_ptr_nonnull(strstr(listing(probe("sdt:::sched_switch"), true),
				     "\t\targs[0]: char [16]  (prev_comm)\n"
				     "\t\targs[1]: pid_t  (prev_pid)\n\n"));
}
END_TEST

START_TEST(user_pointers)
{
	struct probe *p = probe("syscall::execve:entry");

	probe_args(ps, p);
	ck_assert_int_eq(p->nargs, 2);
	ck_assert_str_eq(p->args[0].name, "filename");
	ck_assert_str_eq(type_text(types, p->args[0].type), "const char *");
	ck_assert(p->args[0].type->flags & TF_USERLAND);
	ck_assert_str_eq(type_text(types, p->args[1].type), "const char *const *");
	ck_assert(p->args[1].type->flags & TF_USERLAND);
	ck_assert(p->args[1].type->ref->flags & TF_USERLAND);
}
END_TEST

static const struct {
	const char *written, *meant;
} typos[] = {
    {"syscall::raed:entry", "syscall::read:entry"},
    {"sycall::read:entry", "syscall::read:entry"},
    {"syscall::read:entyr", "syscall::read:entry"},
    {"sdt:shced::sched_switch", "sdt:sched::sched_switch"},
    {"sched_swich", "sched_switch"},
    {"BEGN", "BEGIN"},
    {"syscall::read:exit", "syscall::read:entry or syscall::read:return"},
    {"syscall:::enter", "syscall:::entry or syscall:::return"},
    {"dtrace:::start", NULL},
    {"syscall::nothing_like_it:entry", NULL},
    {"sycall:such:probe:x", NULL},
    {"no:such:probe:x", NULL},
    {"syscall::rea*x:entry", NULL},
};

START_TEST(similar)
{
	struct pdesc pd;
	const char *text;

	ck_assert(pdesc_parse(arena, typos[_i].written, 3, &pd));
	ck_assert_int_eq(probes_match(ps, &pd, NULL, NULL), 0);
	text = probes_suggest(ps, &pd);
	if (typos[_i].meant)
		ck_assert_str_eq(text, typos[_i].meant);
	else
		ck_assert_ptr_null(text);
}
END_TEST

static const struct {
	const char *written, *why; /* part of the sentence */
} lacks[] = {
    {"tick-100us", "tick-100us is too fast"},
    {"profile:::tick-1sex", "tick-N"},
    {"tick-1sex", "tick-N"},
    {"profile:a::tick-1s", "no module"},
    {"syscall::write:entry", "this kernel has no system call write"},
    {"sdt:nosuch::x", "no tracepoints of a subsystem nosuch"},
    {"sdt:sched:f:x", "have no function"},
    {"nosuch:::x", NULL},
    {"syscall::nosuch:entry", NULL},
#ifdef __x86_64__
    {"syscall::socketcall:entry",
     "only 32-bit programs have the system call socketcall, and this kernel runs none"},
#endif
#ifdef __aarch64__
    {"syscall::open:entry",
     "this machine has no system call open; with -x compat it means openat openat2"},
#endif
};

START_TEST(lack)
{
	struct pdesc pd;
	const char *why;

	ck_assert(pdesc_parse(arena, lacks[_i].written, 3, &pd));
	ck_assert_int_eq(probes_match(ps, &pd, NULL, NULL), 0);
	why = probes_unavailable(ps, &pd);
	if (lacks[_i].why)
		ck_assert_msg(why && strstr(why, lacks[_i].why), "%s", why ? why : "NULL");
	else
		ck_assert_ptr_null(why);
}
END_TEST

/* Begins to watch what is opened in a directory of events/. */
static int watch_opens(const char *dir)
{
	char path[128];
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	snprintf(path, sizeof(path), "%s/events/%s", root, dir);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(inotify_add_watch(fd, path, IN_OPEN), 0);
	return fd;
}

/* How often the directory, or a file in it, was opened since it was last asked. */
static int opens(int fd)
{
	char buf[4096];
	ssize_t n = read(fd, buf, sizeof(buf));
	int count = 0;

	for (ssize_t at = 0; at < n; count++)
		at += (ssize_t)sizeof(struct inotify_event) +
		      ((struct inotify_event *)(buf + at))->len;
	return count;
}

/* Listing all tracepoints reads no file of events that are none, and the others' once. */
START_TEST(reads_few_ids)
{
	int call = watch_opens("syscalls/sys_enter_read"), own = watch_opens("ftrace/function"),
	    irq = watch_opens("irq/irq_handler_entry");

	ck_assert_str_ne(matches("sdt:::"), "");
	ck_assert_str_ne(matches("rawtp:::"), "");
	ck_assert_int_eq(opens(irq), 1);
	ck_assert_int_eq(opens(call), 0);
	ck_assert_int_eq(opens(own), 0);
	ck_assert_str_eq(matches("sdt:syscalls::sys_enter_read"), "");
	ck_assert_int_eq(opens(call), 0);
	close(call);
	close(own);
	close(irq);
}
END_TEST

/* A few names are tried in each group; for more of them the groups are read, once. */
START_TEST(reads_groups_for_many_names)
{
	int irq = watch_opens("irq");

	ck_assert_str_eq(matches("sdt:::sched_wakeup"), "10374 sdt:sched::sched_wakeup");
	ck_assert_str_eq(matches("sdt:::absent1"), "");
	ck_assert_int_eq(opens(irq), 0);
	for (int i = 0; i < 10; i++)
		ck_assert_str_eq(matches(arena_printf(arena, "sdt:::absent%d", i)), "");
	ck_assert_int_eq(opens(irq), 1);
	ck_assert_str_eq(matches("sdt:::sched_switch"), "10372 sdt:sched::sched_switch");
	close(irq);
}
END_TEST

START_TEST(lack_tracefs)
{
	struct pdesc pd;

	probes_set_tracefs(ps, "");
	ck_assert(pdesc_parse(arena, "sdt:sched::", 3, &pd));
	ck_assert_str_eq(probes_unavailable(ps, &pd),
			 geteuid()
			     ? "tracefs, which lists the kernel's tracepoints, cannot be read "
			       "(No such file or directory): run dtrace as root"
			     : "tracefs, which lists the kernel's tracepoints, cannot be read "
			       "(No such file or directory): mount it: mount -t tracefs tracefs "
			       "/sys/kernel/tracing");
}
END_TEST

#define LOOP(test, table) tcase_add_loop_test(tc, test, 0, sizeof(table) / sizeof((table)[0]))

static void add_texts(Suite *s)
{
	TCase *tc = tcase_create("texts");

	LOOP(glob, globs);
	tcase_add_test(tc, literal);
	LOOP(parse, descriptions);
	LOOP(rate, rates);
	suite_add_tcase(s, tc);
}

/* Processes of -p and -c are looked at for what may mean a static probe of theirs, and for
 * nothing else. */
static pid_t only_us(void *arg, int n)
{
	(void)arg;
	return n ? 0 : getpid();
}

static void count_look(void *arg)
{
	++*(int *)arg;
}

START_TEST(session_processes)
{
	static const char *const not_looked[] = {"syscall::read:entry",
						 "syscall::rea*:entry",
						 ":::BEGIN",
						 "END",
						 "sdt:::sched_switch",
						 "dtrace:::"};
	static const char *const looked[] = {":::no-such-probe", "*:::no-such-probe",
					     "no[s]uch?:::"};
	int looks = 0;

	for (size_t i = 0; i < ARRAY_SIZE(looked); i++) /* there is none */
		probe(looked[i]);
	probes_on_process(ps, count_look, &looks);
	probes_set_processes(ps, only_us, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(not_looked); i++)
		probe(not_looked[i]);
	ck_assert_int_eq(looks, 0);
	for (size_t i = 0; i < ARRAY_SIZE(looked); i++)
		probe(looked[i]);
	ck_assert_int_eq(looks, 1);
}
END_TEST

static void provide_nothing(struct probes *table, const struct pdesc *pd)
{
	(void)table;
	(void)pd;
}

static void await_nothing(struct probes *table, const struct pdesc *pd,
			  void (*fn)(void *arg, struct probe *p), void *arg)
{
	(void)table;
	(void)pd;
	(void)fn;
	(void)arg;
}

/* What a search has found is found again after the table forgot what was added since: the index
 * has probes by function, and those of providers without any by name. */
START_TEST(released)
{
	static const struct provider plain = {
	    .name = "plain", .provide = provide_nothing, .await = await_nothing};
	static const struct provider *const list[] = {&plain, NULL};
	const char *func = _i ? "f" : "", *text = _i ? "plain::f:" : "plain:::go";

	probes_set_providers(ps, list);
	probe_add(ps, &plain, 1, "one", func, "go");
	probe_add(ps, &plain, 2, "one", _i ? "g" : "", "stop");
	ck_assert_int_eq(count(text), 1);
	probes_mark(ps);
	probe_add(ps, &plain, 3, "two", func, "go");
	probe_add(ps, &plain, 4, "two", _i ? "h" : "", "new");
	ck_assert_int_eq(count(text), 2);
	ck_assert_int_eq(count("plain:::new"), 1);
	ck_assert(!probes_release(ps, false));
	ck_assert_int_eq(count(text), 1);
	ck_assert_int_eq(count("plain:::new"), 0);
	/* one with a function: searching by name alone must look at all again */
	probe_add(ps, &plain, 5, "three", "go", "go");
	ck_assert_int_eq(count("plain:::go"), 2);
	ck_assert_int_eq(count("plain::go:"), 1);
}
END_TEST

Suite *probe_suite(void)
{
	Suite *s = suite_create("probe");
	TCase *tc = tcase_create("table");

	add_texts(s);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, dtrace_ids);
	tcase_add_test(tc, syscalls);
	tcase_add_test(tc, syscalls_untold);
#ifdef __x86_64__
	tcase_add_test(tc, syscalls32);
	tcase_add_test(tc, syscalls32_args);
#endif
	LOOP(alias, aliases);
	tcase_add_test(tc, alias_limits);
	tcase_add_test(tc, compat);
	tcase_add_test(tc, compat_notes);
	LOOP(compat_auto, chosen);
	tcase_add_test(tc, other_systems);
	tcase_add_test(tc, profile);
	tcase_add_test(tc, profile_ids);
	LOOP(watchpoints, watched);
	tcase_add_test(tc, watchpoint_of_process);
	tcase_add_test(tc, tracepoints);
	tcase_add_test(tc, by_id);
	tcase_add_loop_test(tc, released, 0, 2);
	tcase_add_test(tc, stable);
	tcase_add_test(tc, order);
	tcase_add_test(tc, list);
	tcase_add_test(tc, list_verbose);
	tcase_add_test(tc, user_pointers);
	tcase_add_test(tc, session_processes);
	LOOP(similar, typos);
	LOOP(lack, lacks);
	tcase_add_test(tc, reads_few_ids);
	tcase_add_test(tc, reads_groups_for_many_names);
	tcase_add_test(tc, lack_tracefs);
	suite_add_tcase(s, tc);
	return s;
}
