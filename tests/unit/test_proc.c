/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands are held, resumed and reported; running processes are watched, not touched. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/mem.h"
#include "libdt/process/proc.h"

static struct procs *ps;
static struct strbuf why, news;
static char path[] = "/tmp/dt_test_proc.XXXXXX";

static void setup(void)
{
	/* other suites, if all are in one process, may have left processes that they have killed */
	while (waitpid(-1, NULL, 0) > 0)
		;
	strcpy(strrchr(path, '.'), ".XXXXXX");
	close(mkstemp(path));
	unlink(path);
	ps = procs_new();
	why = news = (struct strbuf){0};
}

static void teardown(void)
{
	procs_free(ps);
	sb_free(&why);
	sb_free(&news);
	unlink(path);
}

/* Waits as dt_work() does, until all have ended. */
static void finish(void)
{
	struct pollfd fds[4];
	int timeout = -1, n, loops = 0;

	proc_go(ps, STAGE_POSTINIT);
	while (proc_poll(ps, &news), !proc_all_done(ps)) {
		timeout = 5000;
		n = proc_fds(ps, fds, 4, &timeout);
		poll(fds, n, timeout);
		ck_assert_int_lt(loops++, 1000);
	}
}

static pid_t run(const char *fmt)
{
	char *command = xasprintf(fmt, path);
	pid_t pid = proc_run(ps, command, &why);

	free(command);
	return pid;
}

static char state(pid_t pid)
{
	char name[64], text[512] = "";
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	f = fopen(name, "r");
	if (!f)
		return 0;
	ck_assert(fgets(text, sizeof(text), f));
	fclose(f);
	return strrchr(text, ')')[2];
}

static const struct {
	const char *line;
	const char *words[5]; /* NULL first: an error */
	int n;
} lines[] = {
    {"ls", {"ls"}, 1},
    {" ls\t-l \n /tmp ", {"ls", "-l", "/tmp"}, 3},
    {"echo 'a  b' \"c d\"", {"echo", "a  b", "c d"}, 3},
    {"a'b'\"c\"d", {"abcd"}, 1},
    {"a '' \"\" b", {"a", "", "", "b"}, 4},
    {"a\\ b \\'c", {"a b", "'c"}, 2},
    {"\"a\\\"b\\\\c\\n\"", {"a\"b\\c\\n"}, 1},
    {"'a\\'", {"a\\"}, 1},
    {"a\\", {"a\\"}, 1},
    {"$HOME | *", {"$HOME", "|", "*"}, 3},
    {"", {NULL}, 0},
    {"  ", {NULL}, 0},
    {"a b c d e", {"a", "b", "c", "d", "e"}, 5},
    {"'a", {NULL}, -1},
    {"a \"b\\\"", {NULL}, -1},
};

START_TEST(split)
{
	char **words = proc_split(lines[_i].line);
	int n = 0;

	if (lines[_i].n < 0) {
		ck_assert_ptr_null(words);
		return;
	}
	for (; words[n]; n++) {
		ck_assert_int_lt(n, lines[_i].n);
		ck_assert_str_eq(words[n], lines[_i].words[n]);
	}
	ck_assert_int_eq(n, lines[_i].n);
	free(words);
}
END_TEST

START_TEST(held_until_let_go)
{
	char target[64], exe[256] = "";
	pid_t pid = run("touch %s");

	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(proc_target(ps), pid);
	usleep(50000);
	ck_assert_int_eq(state(pid), 't');
	ck_assert_int_ne(access(path, F_OK), 0);
	/* The new image is there already. */
	snprintf(target, sizeof(target), "/proc/%d/exe", (int)pid);
	ck_assert_int_gt(readlink(target, exe, sizeof(exe) - 1), 0);
	ck_assert_ptr_null(strstr(exe, "unit"));
	ck_assert_int_eq(proc_poll(ps, &news), 0);
	ck_assert(!proc_all_done(ps));
	finish();
	ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

static const struct {
	const char *command, *news;
} ends[] = {
    {"true", "pid %d has exited\n"},
    {"sh -c 'exit 3'", "pid %d exited with status 3\n"},
    {"sh -c 'kill -9 $$'", "pid %d terminated by SIGKILL\n"},
    {"sh -c 'kill -SEGV $$'", "pid %d terminated by SIGSEGV\n"},
    {"sh -c 'kill -40 $$'", "pid %d terminated by signal 40\n"},
};

START_TEST(how_it_ended)
{
	pid_t pid = proc_run(ps, ends[_i].command, &why);
	char *want = xasprintf(ends[_i].news, (int)pid);

	finish();
	ck_assert_str_eq(sb_str(&news), want);
	ck_assert_int_eq(proc_poll(ps, &news), 0);
	free(want);
}
END_TEST

START_TEST(several)
{
	pid_t a = proc_run(ps, "true", &why), b = proc_run(ps, "sh -c 'sleep 0.1; exit 1'", &why);
	char *want = xasprintf("pid %d has exited\npid %d exited with status 1\n", (int)a, (int)b);

	ck_assert_int_eq(proc_target(ps), a);
	finish();
	ck_assert_str_eq(sb_str(&news), want);
	free(want);
}
END_TEST

START_TEST(no_such_command)
{
	ck_assert_int_eq(proc_run(ps, "/nonexistent/x y", &why), -ENOENT);
	ck_assert_str_eq(sb_str(&why),
			 "failed to execute /nonexistent/x: No such file or directory");
	why.len = 0;
	ck_assert_int_eq(proc_run(ps, "/etc/passwd", &why), -EACCES);
	ck_assert_str_eq(sb_str(&why), "failed to execute /etc/passwd: Permission denied");
	why.len = 0;
	ck_assert_int_eq(proc_run(ps, " ", &why), -EINVAL);
	ck_assert_str_eq(sb_str(&why), "failed to execute command ' ': it is empty");
	why.len = 0;
	ck_assert_int_eq(proc_run(ps, "a 'b", &why), -EINVAL);
	ck_assert_str_eq(sb_str(&why), "failed to execute command 'a 'b': a quote is not closed");
	ck_assert(!proc_all_done(ps));
	ck_assert_int_eq(proc_target(ps), 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

START_TEST(held_ones_end_with_the_session)
{
	pid_t held = run("touch %s"), other = fork();
	int status;

	if (!other) {
		pause();
		_exit(0);
	}
	ck_assert_int_eq(proc_grab(ps, other, &why), 0);
	procs_free(ps);
	ps = NULL;
	ck_assert_int_eq(kill(held, 0), -1);
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert(!strchr("tTZ", state(other)));
	kill(other, SIGKILL);
	ck_assert_int_eq(waitpid(other, &status, 0), other);
}
END_TEST

/* Does the process have a library mapped? */
static bool has_libc(pid_t pid)
{
	char line[512], name[64];
	bool found = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f))
		found |= strstr(line, "/libc") != NULL;
	if (f)
		fclose(f);
	return found;
}

START_TEST(stages)
{
	pid_t pid = run("touch %s");

	ck_assert_int_gt(pid, 0);
	proc_reach(ps, _i, NULL);
	ck_assert_int_eq(state(pid), 't');
	ck_assert_int_eq(has_libc(pid), _i != STAGE_EXEC);
	proc_reach(ps, STAGE_MAIN, NULL); /* once only */
	ck_assert_int_eq(has_libc(pid), _i != STAGE_EXEC);
	ck_assert_int_ne(access(path, F_OK), 0);
	proc_go(ps, STAGE_POSTINIT);
	finish();
	ck_assert_int_eq(access(path, F_OK), 0);
	ck_assert(strstr(sb_str(&news), " has exited") != NULL);
}
END_TEST

/* The dynamic linker may end a program before its entry. */
START_TEST(ends_on_the_way)
{
	setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
	ck_assert_int_gt(run("touch %s"), 0);
	unsetenv("LD_TRACE_LOADED_OBJECTS");
	proc_reach(ps, STAGE_POSTINIT, NULL);
	proc_go(ps, STAGE_POSTINIT);
	finish();
	ck_assert(proc_all_done(ps));
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert(strstr(sb_str(&news), " has exited") != NULL);
}
END_TEST

START_TEST(released_ones_end_with_the_session)
{
	pid_t pid = proc_run(ps, "sleep 100", &why);

	proc_go(ps, STAGE_POSTINIT);
	procs_free(ps);
	ps = NULL;
	ck_assert_int_eq(kill(pid, 0), -1);
}
END_TEST

START_TEST(kept_ones_stay)
{
	pid_t pid = proc_run(ps, "sleep 100", &why);
	int status;

	proc_go(ps, STAGE_POSTINIT);
	proc_keep(ps);
	procs_free(ps);
	ps = NULL;
	ck_assert_int_eq(kill(pid, 0), 0);
	ck_assert_int_ne(state(pid), 't');
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}
END_TEST

START_TEST(a_dead_tracer_takes_held_ones_along)
{
	int fds[2], status;
	pid_t child, held = 0;

	ck_assert_int_eq(pipe(fds), 0);
	child = fork();
	if (!child) {
		held = run("touch %s");
		status = write(fds[1], &held, sizeof(held));
		_exit(status != sizeof(held));
	}
	ck_assert_int_eq(read(fds[0], &held, sizeof(held)), sizeof(held));
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	for (int i = 0; i < 100 && state(held) && state(held) != 'Z'; i++)
		usleep(10000);
	ck_assert(!state(held) || state(held) == 'Z');
	ck_assert_int_ne(access(path, F_OK), 0);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(signals_of_the_command)
{
	struct sigaction act;
	sigset_t set, before;
	char text[2048] = "";
	unsigned long long blocked, ignored;
	FILE *f;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_DFL); /* a shell's background command has these two ignored */
	signal(SIGQUIT, SIG_DFL);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	ck_assert_int_gt(run("sh -c 'grep Sig /proc/self/status > %s'"), 0);
	finish();
	sigprocmask(SIG_SETMASK, &before, NULL); /* of all tests, where they share a process */
	ck_assert_int_eq(sigaction(SIGPIPE, NULL, &act), 0);
	ck_assert(act.sa_handler == SIG_IGN);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, f), 0);
	fclose(f);
	ck_assert_int_eq(sscanf(strstr(text, "SigBlk:"), "SigBlk: %llx", &blocked), 1);
	ck_assert_int_eq(sscanf(strstr(text, "SigIgn:"), "SigIgn: %llx", &ignored), 1);
	ck_assert_uint_eq(blocked, 0);
	/*
	 * As under nohup: what was ignored for us stays so for it. So are glibc's own two signals,
	 * which make 4.3 leaves ignored and programs cannot set.
	 */
	ck_assert_uint_eq(ignored & ~(3ULL << (32 - 1)), 1ULL << (SIGHUP - 1));
}
END_TEST

START_TEST(same_group)
{
	char text[256] = "", want[64];
	FILE *f;

	ck_assert_int_gt(run("sh -c 'cut -d\" \" -f5 /proc/$$/stat > %s'"), 0);
	finish();
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert(fgets(text, sizeof(text), f));
	fclose(f);
	snprintf(want, sizeof(want), "%d\n", (int)getpgrp());
	ck_assert_str_eq(text, want);
}
END_TEST

START_TEST(grab)
{
	pid_t pid = fork();
	struct pollfd fds[2];
	int timeout = -1, status;
	char *want;

	if (!pid) {
		pause();
		_exit(0);
	}
	ck_assert_int_eq(proc_grab(ps, pid, &why), 0);
	ck_assert_int_eq(proc_target(ps), pid);
	ck_assert_int_eq(proc_poll(ps, &news), 0);
	ck_assert(!strchr("tTZ", state(pid)));
	ck_assert_int_eq(proc_fds(ps, fds, 2, &timeout), 1);
	ck_assert_int_eq(timeout, -1);
	ck_assert_int_eq(poll(fds, 1, 0), 0);
	/* No space for the descriptor: it must be polled. */
	ck_assert_int_eq(proc_fds(ps, fds, 0, &timeout), 0);
	ck_assert_int_eq(timeout, 50);
	kill(pid, SIGKILL);
	ck_assert_int_eq(poll(fds, 1, 5000), 1);
	ck_assert_int_eq(proc_poll(ps, &news), 1);
	ck_assert(proc_all_done(ps));
	want = xasprintf("pid %d has exited\n", (int)pid);
	ck_assert_str_eq(sb_str(&news), want);
	free(want);
	/* It is not ours to reap. */
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}
END_TEST

START_TEST(grab_nobody)
{
	pid_t pid = fork();
	char *want;

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	want = xasprintf("failed to grab pid %d: No such process", (int)pid);
	ck_assert_int_eq(proc_grab(ps, pid, &why), -ESRCH);
	ck_assert_str_eq(sb_str(&why), want);
	free(want);
	why.len = 0;
	ck_assert_int_eq(proc_grab(ps, -1, &why), -EINVAL);
	ck_assert_int_eq(proc_grab(ps, 0, &why), -EINVAL);
	ck_assert_int_eq(proc_target(ps), 0);
	ck_assert_int_eq(proc_grab(ps, 1, &why), 0);
}
END_TEST

Suite *proc_suite(void);
Suite *proc_suite(void)
{
	Suite *s = suite_create("proc");
	TCase *t = tcase_create("proc");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 20);
	tcase_add_loop_test(t, split, 0, ARRAY_SIZE(lines));
	tcase_add_test(t, held_until_let_go);
	tcase_add_loop_test(t, how_it_ended, 0, ARRAY_SIZE(ends));
	tcase_add_test(t, several);
	tcase_add_test(t, no_such_command);
	tcase_add_test(t, held_ones_end_with_the_session);
	tcase_add_loop_test(t, stages, STAGE_EXEC, STAGE_MAIN + 1);
	tcase_add_test(t, ends_on_the_way);
	tcase_add_test(t, released_ones_end_with_the_session);
	tcase_add_test(t, kept_ones_stay);
	tcase_add_test(t, a_dead_tracer_takes_held_ones_along);
	tcase_add_test(t, signals_of_the_command);
	tcase_add_test(t, same_group);
	tcase_add_test(t, grab);
	tcase_add_test(t, grab_nobody);
	suite_add_tcase(s, t);
	return s;
}
