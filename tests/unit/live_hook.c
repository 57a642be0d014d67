/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks on the running kernel: needs root. Programs look at this process only. */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/hook.h"
#include "bpf/sys.h"
#include "libdt/base/clock.h"
#include "tests/unit/live.h"

/*
 * Counts in memory[1], when the current process has the id in memory[0], after check, a number of
 * instructions that jump to the end (marked by offset -1) when it is none of ours. memory[2] is the
 * cookie.
 */
static struct code *counter(struct map *mem, bool cookie, const struct bpf_insn *check, int n)
{
	struct bpf_insn insns[40];
	struct code *code;
	int k = 0;

	insns[k++] = MOVR(6, 1);
	insns[k++] = INSN(BPF_LD | BPF_IMM | BPF_DW, 9, 0, 0, 0);
	insns[k++] = INSN(0, 0, 0, 0, 0);
	insns[k++] = CALL(BPF_FUNC_get_current_pid_tgid);
	insns[k++] = ALU(BPF_RSH, 0, 32);
	insns[k++] = LDX8(1, 9, 0);
	insns[k++] = INSN(BPF_JMP | BPF_JNE | BPF_X, 0, 1, -1, 0);
	for (int i = 0; i < n; i++)
		insns[k++] = check[i];
	if (cookie) {
		insns[k++] = MOVR(1, 6);
		insns[k++] = CALL(SYS_FUNC_GET_ATTACH_COOKIE);
		insns[k++] = STX8(9, 16, 0);
	}
	insns[k++] = MOV(1, 1);
	insns[k++] = ADD8(9, 8, 1);
	for (int i = 0; i < k; i++)
		if (insns[i].off == -1)
			insns[i].off = k - i - 1;
	insns[k++] = MOV(0, 0);
	insns[k++] = EXIT();
	code = code_make(arena, "main", insns, k);
	code_reloc(arena, code, mem_of(1, mem, 0));
	return code;
}

struct counting {
	struct map mem;
	struct prog prog;
	struct hook_links links;
	volatile uint64_t *words; /* process, count, cookie */
};

static void counting_load(struct counting *c, enum hook_kind kind, bool cookie,
			  const struct bpf_insn *check, int n)
{
	memset(c, 0, sizeof(*c));
	map_init_memory(&c->mem, "count", 32);
	load(&c->prog, hook_get(kind)->prog_type, counter(&c->mem, cookie, check, n));
	c->words = c->mem.mem;
	c->words[0] = getpid();
}

static void counting_end(struct counting *c)
{
	hook_detach(&c->links);
	prog_close(&c->prog);
	map_close(&c->mem);
}

/* A system call number; other processes are not counted. */
static void call_kernel(int times)
{
	for (int i = 0; i < times; i++)
		syscall(SYS_getppid);
}

static void check_counting(enum hook_kind kind, const struct target *t, bool cookie,
			   const struct bpf_insn *check, int n)
{
	uint64_t id = cookie ? 0xfeedface12345678 : 0;
	struct counting c;
	int rc;

	counting_load(&c, kind, cookie, check, n);
	rc = hook_attach(kind, c.prog.fd, t, id, &c.links);
	ck_assert_msg(!rc, "%s", strerror(-rc));
	ck_assert_int_gt(c.links.fds.n, 0);
	call_kernel(1000);
	hook_detach(&c.links);
	ck_assert_int_eq(c.links.fds.n, 0);
	ck_assert_uint_eq(c.words[1], 1000);
	ck_assert_uint_eq(c.words[2], id);
	call_kernel(10);
	ck_assert_uint_eq(c.words[1], 1000);
	counting_end(&c);
}

START_TEST(raw_tracepoint)
{
	struct bpf_insn check[] = {LDX8(1, 6, 8), JCCI(BPF_JNE, 1, SYS_getppid, -1)};
	struct target t = {.name = "sys_enter"}, none = {.name = "dt_no_such_point"};
	struct hook_links links = {0};
	struct counting c;

	check_counting(HOOK_RAWTP, &t, false, check, ARRAY_SIZE(check));
	if (hook_has_cookie(feats, HOOK_RAWTP))
		check_counting(HOOK_RAWTP, &t, true, check, ARRAY_SIZE(check));
	counting_load(&c, HOOK_RAWTP, false, NULL, 0);
	ck_assert_int_eq(hook_attach(HOOK_RAWTP, c.prog.fd, &none, 0, &links), -ENOENT);
	if (!hook_has_cookie(feats, HOOK_RAWTP))
		ck_assert_int_eq(hook_attach(HOOK_RAWTP, c.prog.fd, &t, 5, &links), -EINVAL);
	ck_assert_int_eq(links.fds.n, 0);
	counting_end(&c);
}
END_TEST

static int event_id(const char *group, const char *name)
{
	char path[256];
	int id = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", tracefs_path(), group, name);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%d", &id) != 1)
		id = -1;
	fclose(f);
	return id;
}

START_TEST(perf_tracepoint)
{
	struct target t = {.group = "syscalls", .name = "sys_enter_getppid"},
		      none = {.event_id = 65535};
	struct hook_links links = {0};
	struct counting c;
	int id;

	ck_assert_ptr_nonnull(tracefs_path());
	id = event_id(t.group, t.name);
	if (id < 0) /* CONFIG_FTRACE_SYSCALLS is off */
		return;
	t.event_id = id;
	check_counting(HOOK_TP, &t, false, NULL, 0);
	if (hook_has_cookie(feats, HOOK_TP))
		check_counting(HOOK_TP, &t, true, NULL, 0);
	counting_load(&c, HOOK_TP, false, NULL, 0);
	ck_assert_int_lt(hook_attach(HOOK_TP, c.prog.fd, &none, 0, &links), 0);
	if (!hook_has_cookie(feats, HOOK_TP))
		ck_assert_int_eq(hook_attach(HOOK_TP, c.prog.fd, &t, 5, &links), -EINVAL);
	ck_assert_int_eq(links.fds.n, 0);
	counting_end(&c);
}
END_TEST

/* One program on many events, closed from threads. */
START_TEST(many_tracepoints)
{
	static const char *const names[] = {"getppid", "reboot", "syslog",
					    "acct",    "swapon", "swapoff"};
	struct counting c;

	counting_load(&c, HOOK_TP, false, NULL, 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char name[64];
		struct target t = {.group = "syscalls", .name = name};
		int id;

		snprintf(name, sizeof(name), "sys_enter_%s", names[i]);
		id = event_id("syscalls", name);
		if (id < 0)
			continue;
		t.event_id = id;
		ck_assert_int_eq(hook_attach(HOOK_TP, c.prog.fd, &t, 0, &c.links), 0);
	}
	call_kernel(10);
	ck_assert_uint_eq(c.words[1], c.links.fds.n ? 10 : 0);
	hook_detach(&c.links);
	call_kernel(10);
	ck_assert_uint_eq(c.words[1], c.links.fds.n ? 10 : c.words[1]);
	counting_end(&c);
}
END_TEST

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
}

static struct code *ticker(struct map *mem)
{
	struct code *c = CODE(arena, "main", IMM64(1), MOV(2, 1), ADD8(1, 8, 2), MOV(0, 0), EXIT());

	code_reloc(arena, c, mem_of(0, mem, 0));
	return c;
}

static void burn(uint64_t until)
{
	while (clock_ns(CLOCK_MONOTONIC) < until)
		;
}

/* Ticks of 100 ms on CPU 0 in 2 s, or more when others have the CPU: as many as went by? */
static void check_ticks(bool busy)
{
	struct target t = {.period_ns = 100000000};
	struct counting c = {0};
	uint64_t start, n, went;

	map_init_memory(&c.mem, "ticks", 32);
	load(&c.prog, BPF_PROG_TYPE_PERF_EVENT, ticker(&c.mem));
	c.words = c.mem.mem;
	start = clock_ns(CLOCK_MONOTONIC);
	ck_assert_int_eq(hook_attach(HOOK_PERF, c.prog.fd, &t, 0, &c.links), 0);
	if (busy)
		burn(start + 2000000000);
	else
		usleep(2000000);
	n = c.words[1];
	went = (clock_ns(CLOCK_MONOTONIC) - start) / t.period_ns;
	counting_end(&c);
	ck_assert_msg(n + 2 >= went && n <= went + 1, "%s: %d ticks in %d", busy ? "busy" : "idle",
		      (int)n, (int)went);
}

START_TEST(clock_ticks)
{
	pin(0);
	check_ticks(true);
	check_ticks(false);
}
END_TEST

/* The count is of ticks in our own process, each with the cookie, on whichever CPU we are. */
START_TEST(clock_on_every_cpu)
{
	struct target t = {.period_ns = 1000000, .cpu = -1};
	bool cookie = hook_has_cookie(feats, HOOK_PERF);
	struct counting c;

	counting_load(&c, HOOK_PERF, cookie, NULL, 0);
	ck_assert_int_eq(hook_attach(HOOK_PERF, c.prog.fd, &t, cookie ? 99 : 0, &c.links), 0);
	ck_assert_int_ge(c.links.fds.n, sysconf(_SC_NPROCESSORS_ONLN));
	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		uint64_t before = c.words[1];

		pin(cpu);
		/* others may have that CPU */
		for (int i = 0; i < 100 && c.words[1] <= before + 10; i++)
			burn(clock_ns(CLOCK_MONOTONIC) + 200000000);
		ck_assert_msg(c.words[1] > before + 10, "CPU %d: %d ticks", cpu,
			      (int)(c.words[1] - before));
	}
	ck_assert_uint_eq(c.words[2], cookie ? 99 : 0);
	if (!cookie)
		ck_assert_int_eq(hook_attach(HOOK_PERF, c.prog.fd, &t, 5, &c.links), -EINVAL);
	counting_end(&c);
}
END_TEST

/*
 * A program made by the rows of the table: what is the program counter of a process that runs one
 * function?
 */
START_TEST(clock_arguments)
{
	struct target t = {.period_ns = 1000000};
	struct ir *ir = ir_new(arena, "main", 1);
	const struct hook *h = hook_get(HOOK_PERF);
	int ctx = ir_arg(ir, 0), self, mem, skip, pid;
	struct counting c = {0};
	struct code *code;

	map_init_memory(&c.mem, "pcs", 32);
	mem = ir_reg(ir);
	self = ir_reg(ir);
	skip = ir_label(ir);
	ir_map_mem(ir, mem, &c.mem, 0);
	ir_ld(ir, 8, self, mem, 0);
	pid = ir_call_const(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL);
	ir_alui(ir, BPF_RSH, pid, 32);
	ir_jcc(ir, BPF_JNE, pid, self, skip);
	ir_jcci(ir, BPF_JNE, h->arg(ir, ctx, 0), 0, skip); /* in the kernel */
	ir_st(ir, 8, mem, 16, h->arg(ir, ctx, 1));
	ir_place(ir, skip);
	ir_reti(ir, 0);
	code = ir_finish(ir, NULL, 0);
	ck_assert_ptr_null(code->error);
	load(&c.prog, h->prog_type, code);
	c.words = c.mem.mem;
	c.words[0] = getpid();
	pin(0);
	ck_assert_int_eq(hook_attach(HOOK_PERF, c.prog.fd, &t, 0, &c.links), 0);
	for (volatile uint64_t i = 0, end = clock_ns(CLOCK_MONOTONIC) + 300000000;
	     (i & 1023) || clock_ns(CLOCK_MONOTONIC) < end; i++)
		;
	ck_assert_msg(c.words[2] >> 63 == 0 && c.words[2] > 4096, "%lx", (long)c.words[2]);
	counting_end(&c);
}
END_TEST

/*
 * Functions of the kernel. alarm(2) is called only by us here; its functions' names differ between
 * machines and kernels, so it is one that all have: the system call's, by what kallsyms shows.
 */
static const char *const alarm_names[] = {"__x64_sys_alarm", "__do_sys_alarm", "alarm_setitimer",
					  "__arm64_sys_getppid"};

static bool known_function(const char *name, uint64_t *addr)
{
	struct target t = {.group = "vmlinux", .name = name}, *one = &t;

	hook_find_addresses(&one, 1);
	*addr = t.addr;
	return t.addr != 0;
}

static struct target quiet_function(void)
{
	struct target t = {.group = "vmlinux"};

	for (size_t i = 0; i < ARRAY_SIZE(alarm_names) && !t.addr; i++)
		if (known_function(alarm_names[i], &t.addr))
			t.name = alarm_names[i];
	ck_assert_ptr_nonnull(t.name);
	return t;
}

static void call_alarm(int times)
{
	for (int i = 0; i < times; i++)
		if (sizeof(long) == 8)
			syscall(
#ifdef SYS_alarm
			    SYS_alarm, 0
#else
			    SYS_getppid
#endif
			);
}

static void load_for(struct counting *c, enum hook_kind kind, bool cookie)
{
	struct strbuf log = {0};
	int rc;

	memset(c, 0, sizeof(*c));
	map_init_memory(&c->mem, "count", 32);
	prog_init(&c->prog, "dt-test", hook_get(kind)->prog_type);
	c->prog.attach_type = hook_get(kind)->attach_type;
	c->prog.main = counter(&c->mem, cookie, NULL, 0);
	rc = prog_load(&c->prog, feats, &log, false);
	ck_assert_msg(!rc, "%s: %s", strerror(-rc), sb_str(&log));
	sb_free(&log);
	c->words = c->mem.mem;
	c->words[0] = getpid();
}

static void check_function(enum hook_kind kind, const struct target *t, bool cookie)
{
	uint64_t id = cookie ? 0xfeedface12345678 : 0;
	struct counting c;
	int rc;

	load_for(&c, kind, cookie);
	rc = hook_attach(kind, c.prog.fd, t, id, &c.links);
	ck_assert_msg(!rc, "%s of %s: %s", hook_get(kind)->name, t->name, strerror(-rc));
	ck_assert_int_eq(c.links.fds.n, 1);
	call_alarm(100);
	hook_detach(&c.links);
	ck_assert_uint_eq(c.words[1], 100);
	ck_assert_uint_eq(c.words[2], id);
	call_alarm(10);
	ck_assert_uint_eq(c.words[1], 100);
	counting_end(&c);
}

/* By name and by address, with a cookie where there are any. */
START_TEST(functions)
{
	static const enum hook_kind kinds[] = {HOOK_KPROBE, HOOK_KRETPROBE, HOOK_KMULTI,
					       HOOK_KRMULTI};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		bool multi = kinds[i] == HOOK_KMULTI || kinds[i] == HOOK_KRMULTI;
		struct target t;

		if (!feat(feats, multi ? FEAT_KPROBE_MULTI : FEAT_KPROBE))
			continue;
		t = quiet_function();
		check_function(kinds[i], &t, hook_has_cookie(feats, kinds[i]));
		t.addr = 0;
		check_function(kinds[i], &t, false);
	}
}
END_TEST

static int watched;

static bool count_watch(void *arg, int done)
{
	(void)done;
	watched++;
	return !arg;
}

/* Bad ones among good ones are found; those which are good work. */
START_TEST(bad_functions)
{
	static const enum hook_kind kinds[] = {HOOK_KPROBE, HOOK_KMULTI};
	enum { N = 9, BAD = 3 };

	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct target good, bad = {.group = "vmlinux", .name = "dt_no_such_function"};
		const struct target *t[N];
		int errors[N];
		struct hook_job job = {
		    .targets = t, .n = N, .errors = errors, .watch = count_watch};
		struct counting c;

		if (!feat(feats, kinds[k] == HOOK_KMULTI ? FEAT_KPROBE_MULTI : FEAT_KPROBE))
			continue;
		good = quiet_function();
		good.addr = 0;
		for (int i = 0; i < N; i++)
			t[i] = i == BAD ? &good : &bad;
		load_for(&c, kinds[k], false);
		job.prog_fd = c.prog.fd;
		watched = 0;
		ck_assert_int_eq(hook_attach_many(kinds[k], &job, &c.links), 0);
		ck_assert_int_gt(watched, 1);
		for (int i = 0; i < N; i++)
			ck_assert_msg(!errors[i] == (i == BAD), "%d: %d", i, errors[i]);
		call_alarm(10);
		ck_assert_uint_eq(c.words[1], 10);
		hook_detach(&c.links);
		job.arg = &c; /* enough, after the first */
		ck_assert_int_eq(hook_attach_many(kinds[k], &job, &c.links), -EINTR);
		counting_end(&c);
	}
}
END_TEST

/* Where an address of this program is in its file. */
static uint64_t file_offset(uintptr_t addr)
{
	unsigned long long start, end, off;
	char line[PATH_MAX + 200];
	FILE *maps = fopen("/proc/self/maps", "r");
	bool found = false;

	ck_assert_ptr_nonnull(maps);
	while (!found && fgets(line, sizeof(line), maps))
		found = sscanf(line, "%llx-%llx %*s %llx", &start, &end, &off) == 3 &&
			addr >= start && addr < end;
	fclose(maps);
	ck_assert(found);
	return addr - start + off;
}

__attribute__((noinline)) static void of_program(void)
{
	__asm__ volatile("" : : : "memory");
}

/* A program's function, in a file of another user: only in the file that was looked into. */
START_TEST(file_of_another_user)
{
	static const enum hook_kind kinds[] = {HOOK_UPROBE, HOOK_UMULTI};
	char path[PATH_MAX] = "";
	struct target t = {.name = path, .foreign = true};
	const struct target *one = &t;
	struct stat st;
	int error;

	ck_assert_int_gt(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	t.offset = file_offset((uintptr_t)of_program);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct hook_job job = {
		    .targets = &one, .n = 1, .errors = &error, .patience_ns = 1000000000};
		struct counting c;

		if (kinds[i] == HOOK_UMULTI && !feat(feats, FEAT_UPROBE_MULTI))
			continue;
		load_for(&c, kinds[i], false);
		job.prog_fd = c.prog.fd;
		t.dev = st.st_dev;
		t.inode = st.st_ino + 1;
		ck_assert_int_eq(hook_attach_many(kinds[i], &job, &c.links), 0);
		ck_assert_int_eq(error, -ESTALE);
		ck_assert_int_eq(c.links.fds.n, 0);
		t.inode = st.st_ino;
		ck_assert_int_eq(hook_attach_many(kinds[i], &job, &c.links), 0);
		ck_assert_int_eq(error, 0);
		for (int n = 0; n < 10; n++)
			of_program();
		ck_assert_uint_eq(c.words[1], 10);
		counting_end(&c);
	}
}
END_TEST

Suite *hook_suite(void);

Suite *hook_suite(void)
{
	Suite *s = suite_create("hook");
	TCase *tc = tcase_create("hook");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, raw_tracepoint);
	tcase_add_test(tc, perf_tracepoint);
	tcase_add_test(tc, many_tracepoints);
	tcase_add_test(tc, clock_ticks);
	tcase_add_test(tc, clock_on_every_cpu);
	tcase_add_test(tc, clock_arguments);
	tcase_add_test(tc, functions);
	tcase_add_test(tc, bad_functions);
	tcase_add_test(tc, file_of_another_user);
	suite_add_tcase(s, tc);
	return s;
}
