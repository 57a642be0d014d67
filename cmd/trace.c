/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/trace.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cmd/rotate.h"

/* Number of SIGINT, SIGTERM and SIGHUP received. */
static volatile sig_atomic_t interrupts;
static volatile sig_atomic_t reopen_wanted; /* SIGUSR1 */

bool trace_interrupted(void)
{
	return interrupts;
}

/* ---- signals */

/* When the first came, in seconds of the monotonic clock. */
static volatile sig_atomic_t interrupted_at;

/*
 * The first signal ends tracing in order, the second at once; but not one right after the first:
 * timeout(1) signals us and then our group. A signal that arrives just before the loop sleeps would
 * not wake it, so a timer interrupts the sleep repeatedly.
 */
static void on_interrupt(int sig)
{
	struct itimerval knock = {{0, 20000}, {0, 20000}};
	struct timespec now;

	if (sig == SIGALRM)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!interrupts++) {
		interrupted_at = now.tv_sec;
		setitimer(ITIMER_REAL, &knock, NULL);
	} else if (now.tv_sec > interrupted_at + 1) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

static void on_reopen(int sig)
{
	(void)sig;
	reopen_wanted = 1;
}

static const int sigs[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};

/*
 * Signals that are ignored at the start (nohup, a background job) stay ignored. SA_RESTART lets
 * writes to a slow reader complete; the calls in which we sleep are interrupted nevertheless.
 */
static void catch_signals(const struct cmd *cmd)
{
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, old;

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(sigs); i++)
		if (!sigaction(sigs[i], NULL, &old) &&
		    (old.sa_handler != SIG_IGN || sigs[i] == SIGALRM))
			sigaction(sigs[i], &act, NULL);
	act.sa_handler = on_reopen;
	if (cmd->out_name)
		sigaction(SIGUSR1, &act, NULL);
}

static void stop_knocking(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

/* A signal ends us at once again. */
static void release_signals(void)
{
	struct sigaction act;

	for (size_t i = 0; i < ARRAY_SIZE(sigs); i++)
		if (!sigaction(sigs[i], NULL, &act) && act.sa_handler == on_interrupt)
			signal(sigs[i], SIG_DFL);
}

/* ---- processes */

/* A signal while dtrace waits ends it; nothing was traced. */
static void wait_exec_processes(struct cmd *cmd)
{
	pid_t pid = 1;

	catch_signals(cmd);
	for (int i = 0; i < cmd->names.n && pid > 0; i++)
		pid = dt_await(cmd->dt, cmd->names.v[i]);
	stop_knocking();
	if (pid < 0)
		cmd_fail_dt(cmd);
	if (!pid) {
		dt_close(cmd->dt);
		exit(0);
	}
	release_signals();
}

void trace_start_processes(struct cmd *cmd)
{
	for (int i = 0; i < cmd->commands.n; i++)
		if (dt_run(cmd->dt, cmd->commands.v[i]) < 0)
			cmd_fail_dt(cmd);
	for (int i = 0; i < cmd->pids.n; i++) {
		const char *arg = cmd->pids.v[i];
		char *end;
		long pid = strtol(arg, &end, 10);

		if (end == arg || *end || pid <= 0 || pid > INT_MAX)
			cmd_fail("invalid pid: %s", arg);
		if (dt_grab(cmd->dt, pid) < 0)
			cmd_fail_dt(cmd);
	}
	if (cmd->names.n)
		wait_exec_processes(cmd);
}

/* ---- the loop */

/* Is what is traced recorded and not printed? */
static bool only_records(struct cmd *cmd)
{
	return dt_getopt(cmd->dt, "record") && !cmd_option_on(cmd, "recordprint");
}

static enum dt_work trace(struct cmd *cmd)
{
	enum dt_work work = DT_WORK_GOING;

	while (work == DT_WORK_GOING && !interrupts) {
		work = dt_work(cmd->dt, cmd->out);
		cmd_print_warnings(cmd);
		if (work != DT_WORK_ERROR && !cmd_flush(cmd))
			return DT_WORK_DONE;
		if (reopen_wanted) {
			reopen_wanted = 0;
			rotate_reopen(cmd);
		}
		rotate_work(cmd);
	}
	return work;
}

static void start(struct cmd *cmd)
{
	catch_signals(cmd);
	if (dt_go(cmd->dt, cmd->out) < 0)
		cmd_fail_attached(cmd);
}

int trace_run(struct cmd *cmd)
{
	enum dt_work work;

	if (cmd_option_on(cmd, "linebuf"))
		setvbuf(cmd->out, NULL, _IOLBF, 0);
	start(cmd);
	work = trace(cmd);
	stop_knocking();
	if (work == DT_WORK_ERROR && !ferror(cmd->out))
		cmd_fail_attached(cmd);
	if (work == DT_WORK_ERROR) {
		fputs(dt_error_lines(cmd->dt), stderr);
		cmd->failed = true;
		cmd_lose_output(cmd);
	}
	if (interrupts)
		dt_interrupted(cmd->dt);
	/* after the ^C that the terminal shows */
	if (interrupts && cmd_prints_text(cmd) && !only_records(cmd) &&
	    (!cmd_option_on(cmd, "quiet") || isatty(STDOUT_FILENO)))
		fputc('\n', cmd->out);
	if (dt_stop(cmd->dt, cmd->out) < 0)
		cmd_fail_attached(cmd);
	cmd_print_warnings(cmd);
	cmd_flush(cmd);
	return dt_status(cmd->dt);
}

void trace_detach(struct cmd *cmd)
{
	start(cmd);
	stop_knocking();
	cmd_print_warnings(cmd);
}
