/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process that has entered the sandbox may still do. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/fd.h"
#include "libdt/base/sandbox.h"

static bool is_refused(long result)
{
	return result < 0 && errno == EPERM;
}

/* The number of the first check that fails; 0. */
static int try_calls(bool opens, int in, int out)
{
	char text[8] = "";
	int fd = open("/dev/null", O_RDONLY);
	void *mem = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* not by prctl(), which sanitizers replace */
	if (!is_refused(syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0)))
		return 1;
	if (opens ? fd < 0 : !is_refused(fd))
		return 2;
	if (!is_refused(open("/dev/null", O_WRONLY)) || !is_refused(open("/dev/null", O_RDWR)) ||
	    !is_refused(open("/tmp/dt-sandbox", O_CREAT, 0600)))
		return 3;
	if (!is_refused(socket(AF_INET, SOCK_STREAM, 0)) || !is_refused(kill(getppid(), 0)) ||
	    !is_refused(fork()) || !is_refused(syscall(SYS_bpf, 0, NULL, 0)) ||
	    !is_refused(ptrace(PTRACE_TRACEME)) || !is_refused(syscall(SYS_unshare, 0)))
		return 4;
	if (!is_refused(execl("/bin/true", "true", NULL)))
		return 5;
	if (mem == MAP_FAILED || memfd_create("dt-sandbox", MFD_CLOEXEC) < 0)
		return 6;
	return fd_read(in, text, 4) && !strcmp(text, "ping") && fd_write(out, "pong", 4) ? 0 : 7;
}

START_TEST(filtered)
{
	int to[2], from[2], status = -1;
	char text[8] = "";
	pid_t pid;

	ck_assert(!pipe(to) && !pipe(from));
	pid = fork();
	if (!pid) {
		sandbox_quiet(to[0], from[1]);
		if (sandbox_enter(0, 1 << 20))
			_exit(100);
		sandbox_filter(_i);
		_exit(try_calls(_i, to[0], from[1]));
	}
	ck_assert(fd_write(to[1], "ping", 4));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "status %x", status);
	ck_assert(fd_read(from[0], text, 4));
	ck_assert_str_eq(text, "pong");
}
END_TEST

/* It waits for 50 ms, in which a busy machine may not end the process. */
START_TEST(ended)
{
	bool reaped = false;

	for (int i = 0; i < 20 && !reaped; i++) {
		pid_t pid = fork(), got;
		int status = 0;

		if (!pid)
			for (;;)
				pause();
		sandbox_end(pid);
		got = waitpid(pid, &status, 0);
		reaped = got < 0 && errno == ECHILD;
		ck_assert(reaped || (got == pid && WTERMSIG(status) == SIGKILL));
	}
	ck_assert(reaped);
}
END_TEST

/* A process that stops in the middle of an answer is not waited for. */
START_TEST(received_in_time)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);
	char text[8];
	int s[2];

	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	ck_assert(fd_write(s[1], "half", 4));
	ck_assert_int_eq(fd_receive(s[0], text, sizeof(text), begun + 20000000), 4);
	ck_assert_int_eq(fd_receive(s[0], text, sizeof(text), begun + 20000000), -ETIMEDOUT);
	ck_assert(clock_ns(CLOCK_MONOTONIC) - begun >= 20000000);
	close(s[1]);
	ck_assert_int_eq(fd_receive(s[0], text, sizeof(text), UINT64_MAX), 0);
	close(s[0]);
}
END_TEST

Suite *sandbox_suite(void);
Suite *sandbox_suite(void)
{
	Suite *s = suite_create("sandbox");
	TCase *t = tcase_create("sandbox");

	tcase_add_loop_test(t, filtered, 0, 2);
	tcase_add_test(t, ended);
	tcase_add_test(t, received_in_time);
	suite_add_tcase(s, t);
	return s;
}
