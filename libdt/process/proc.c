/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command must not run before its probes are there, and what the probes see of it must not be
 * our own exec. So the child asks to be traced and executes the command: the kernel stops it at
 * the first instruction of the new image, before the dynamic linker; proc_reach() takes it
 * through its start (evaltime.c). proc_go() detaches, and from then on nothing of ptrace is left:
 * the command runs at full speed and may be debugged by others.
 *
 * Running processes are not stopped: probes need nothing from them. A pidfd reports their end. A
 * process that was waited for (wait_exec.c) is stopped at the same place as a command, and is held
 * in the same way.
 */
#include "libdt/process/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/mem.h"
#include "libdt/process/foreign.h"

#define LOOK_MS 50 /* how often to look at processes without a pidfd */

struct process {
	pid_t pid;
	int pidfd; /* -1: a kernel before 5.3 */
	bool child, held, ended;
	bool reached;	 /* the stage at which its probes are made */
	bool advanced;	 /* a later one, by proc_advance() */
	bool has_status; /* it ended on the way there */
	int status;
	char **words; /* of a command */
};

struct procs {
	VEC(struct process) v;
	const char *set, *unset; /* in the environment of commands */
	const char *suspect;
	bool keep;
	int status; /* of the command that ended last, as the shell has it */
};

/* What a child sends through the pipe when it cannot exec. */
struct failure {
	bool trace; /* it was ptrace that failed */
	int err;
};

void proc_keep(struct procs *ps)
{
	ps->keep = true;
}

void proc_suspect(struct procs *ps, const char *why)
{
	ps->suspect = why;
}

struct procs *procs_new(void)
{
	return xcalloc(1, sizeof(struct procs));
}

static struct process *add(struct procs *ps, pid_t pid, bool child)
{
	struct process p = {
	    .pid = pid, .pidfd = syscall(SYS_pidfd_open, pid, 0), .child = child, .held = child};

	vec_push(&ps->v, p);
	return &ps->v.v[ps->v.n - 1];
}

static pid_t wait_for(pid_t pid, int *status)
{
	pid_t got;

	do
		got = waitpid(pid, status, __WALL);
	while (got < 0 && errno == EINTR);
	return got;
}

void procs_free(struct procs *ps)
{
	int status;

	if (!ps)
		return;
	for (int i = 0; i < ps->v.n; i++) {
		struct process *p = &ps->v.v[i];

		if (p->held && (!p->child || ps->keep)) {
			ptrace(PTRACE_DETACH, p->pid, 0, 0);
		} else if (p->child && !p->ended && !p->has_status && !ps->keep) {
			kill(p->pid, SIGKILL);
			wait_for(p->pid, &status);
		}
		free(p->words);
		if (p->pidfd >= 0)
			close(p->pidfd);
	}
	vec_free(&ps->v);
	free(ps);
}

/* ---- commands */

/* Copies a word from *in to *out and advances both; false when a quote is not closed. */
static bool take_word(const char **in, char **out)
{
	const char *s = *in;
	char *to = *out, quote = 0;

	for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
		if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else if (*s == '\\' && s[1] && (!quote || (quote == '"' && strchr("\"\\", s[1]))))
			*to++ = *++s;
		else
			*to++ = *s;
	}
	*to++ = '\0';
	*in = s;
	*out = to;
	return !quote;
}

char **proc_split(const char *line)
{
	/* Each word takes a blank or the end; so many pointers are enough, and the text never
	 * grows. */
	size_t max = strlen(line) / 2 + 2, n = 0;
	char **words = xmalloc(max * sizeof(*words) + strlen(line) + 2);
	char *to = (char *)(words + max);

	for (;;) {
		while (isspace((unsigned char)*line))
			line++;
		if (!*line)
			break;
		words[n++] = to;
		if (!take_word(&line, &to)) {
			free(words);
			return NULL;
		}
	}
	words[n] = NULL;
	return words;
}

/*
 * The command starts as if dtrace were not there: nothing blocked, and ignored only what a shell
 * or nohup had ignored for dtrace as well.
 */
static void restore_signals(void)
{
	struct sigaction act;
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++) {
		if (sig == SIGHUP || sig == SIGINT || sig == SIGQUIT || sigaction(sig, NULL, &act))
			continue;
		if (act.sa_handler == SIG_IGN)
			signal(sig, SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void proc_environment(struct procs *ps, const char *set, const char *unset)
{
	ps->set = set;
	ps->unset = unset;
}

/* In the child: each line of a list. */
static void change_environment(const char *list, bool set)
{
	char *copy = xstrdup(list ? list : "");

	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
		char *eq = strchr(line, '=');

		if (set && eq) {
			*eq = '\0';
			setenv(line, eq + 1, true);
		} else if (set) {
			setenv(line, "", true);
		} else {
			unsetenv(line);
		}
	}
	free(copy);
}

static _Noreturn void be_child(const struct procs *ps, char **words, int fd)
{
	struct failure f = {0};

	restore_signals();
	change_environment(ps->unset, false);
	change_environment(ps->set, true);
	prctl(PR_SET_PDEATHSIG, SIGCONT); /* we may be killed while it waits for us (dlstop.h) */
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0) {
		f.trace = true;
	} else {
		execvp(words[0], words);
	}
	f.err = errno;
	_exit(write(fd, &f, sizeof(f)) == sizeof(f) ? 127 : 126);
}

/* Waits until the child stands at its new image. 0 or -errno; it is gone then. */
static int wait_for_image(pid_t pid, int fd, struct failure *f)
{
	int status, sig;

	for (;;) {
		if (wait_for(pid, &status) < 0)
			return -errno;
		if (!WIFSTOPPED(status))
			break;
		sig = WSTOPSIG(status);
		if (sig == SIGTRAP)
			return 0;
		/* A signal on its way to the child, before its exec. */
		ptrace(PTRACE_CONT, pid, 0, sig);
	}
	if (read(fd, f, sizeof(*f)) != sizeof(*f))
		f->err = EINTR;
	return -f->err;
}

static pid_t start(const struct procs *ps, char **words, struct failure *f)
{
	int fds[2], err;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		be_child(ps, words, fds[1]);
	err = pid < 0 ? -errno : 0;
	close(fds[1]);
	if (!err)
		err = wait_for_image(pid, fds[0], f);
	close(fds[0]);
	if (err)
		return err;
	/* If we die, no process would resume it. */
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL);
	return pid;
}

pid_t proc_run(struct procs *ps, const char *command, struct strbuf *why)
{
	struct failure f = {0};
	char **words = proc_split(command);
	pid_t pid;

	if (!words || !words[0]) {
		sb_printf(why, "failed to execute command '%s': %s", command,
			  words ? "it is empty" : "a quote is not closed");
		free(words);
		return -EINVAL;
	}
	pid = start(ps, words, &f);
	if (pid > 0) {
		add(ps, pid, true)->words = words;
		return pid;
	}
	if (f.trace)
		sb_printf(why,
			  "failed to execute %s: cannot stop it until it is traced (ptrace: %s)",
			  words[0], strerror(-pid));
	else
		sb_printf(why, "failed to execute %s: %s", words[0], strerror(-pid));
	free(words);
	return pid;
}

/* A process of another user's, which has the name that was waited for, may never get there. */
static void reach(struct process *p, enum stage stage, struct foreign *foreign)
{
	uint64_t size, limit;
	int err;

	foreign_limits(foreign, &size, &limit);
	err = evaltime_reach(p->pid, stage, foreign, p->child ? EVALTIME_NO_LIMIT : (int64_t)limit,
			     &p->status);
	if (err == -ETIMEDOUT || err == -EREMOTE || foreign_is_machines(err))
		foreign_omit_rest(foreign, p->pid, err);
	if (err == 1) {
		p->has_status = true;
		p->held = false;
	}
}

void proc_reach(struct procs *ps, enum stage stage, struct foreign *foreign)
{
	for (int i = 0; i < ps->v.n; i++) {
		struct process *p = &ps->v.v[i];

		if (!p->held || p->reached)
			continue;
		p->reached = true;
		reach(p, stage, foreign);
	}
}

void proc_advance(struct procs *ps, struct foreign *foreign)
{
	for (int i = 0; i < ps->v.n; i++) {
		struct process *p = &ps->v.v[i];

		if (!p->held)
			continue;
		p->advanced = true;
		if (p->words && evaltime_exec_held(p->pid, p->words, &p->status) == 1) {
			p->has_status = true;
			p->held = false;
		} else {
			reach(p, STAGE_PREINIT, foreign);
		}
	}
}

void proc_go(struct procs *ps, enum stage stage)
{
	for (int i = 0; i < ps->v.n; i++) {
		struct process *p = &ps->v.v[i];

		/* These can only fail when the child was killed, which proc_poll() reports. */
		if (p->held && p->words && stage == STAGE_EXEC && !p->advanced)
			evaltime_exec(p->pid, p->words);
		if (p->held)
			ptrace(PTRACE_DETACH, p->pid, 0, 0);
		p->held = false;
	}
}

/* ---- watching */

int proc_grab(struct procs *ps, pid_t pid, struct strbuf *why)
{
	int err = pid <= 0 ? -EINVAL : kill(pid, 0) < 0 && errno != EPERM ? -errno : 0;

	if (err)
		sb_printf(why, "failed to grab pid %d: %s", (int)pid, strerror(-err));
	else
		add(ps, pid, false);
	return err;
}

/* Waits until it has stopped, with a limit: it may wait in the kernel. 0 or -errno. */
static int wait_taken(pid_t pid)
{
	const int64_t limit_ns = 2000000000;
	int status, err = evaltime_wait(pid, &status, clock_ns(CLOCK_MONOTONIC) + limit_ns);

	return err == -ETIMEDOUT ? err : err || !WIFSTOPPED(status) ? -ESRCH : 0;
}

/* Once ptrace holds it, the signal that stopped it has done its work: it and the one of
 * PTRACE_ATTACH are taken back. */
int proc_take(struct procs *ps, pid_t pid, struct strbuf *why)
{
	int err = ptrace(PTRACE_ATTACH, pid, 0, 0) < 0 ? -errno : 0;

	if (!err)
		err = wait_taken(pid);
	if (err != -ESRCH)
		kill(pid, SIGCONT);
	if (err)
		sb_printf(why, "failed to stop pid %d until it is traced (ptrace: %s)", (int)pid,
			  strerror(-err));
	else
		add(ps, pid, false)->held = true;
	return err;
}

static const char *signal_name(int sig, char buf[16])
{
	static const struct {
		int sig;
		const char *name;
	} names[] = {
#define NAME(sig) {sig, #sig}
	    NAME(SIGHUP),  NAME(SIGINT),  NAME(SIGQUIT),   NAME(SIGILL),  NAME(SIGTRAP),
	    NAME(SIGABRT), NAME(SIGBUS),  NAME(SIGFPE),	   NAME(SIGKILL), NAME(SIGUSR1),
	    NAME(SIGSEGV), NAME(SIGUSR2), NAME(SIGPIPE),   NAME(SIGALRM), NAME(SIGTERM),
	    NAME(SIGXCPU), NAME(SIGXFSZ), NAME(SIGVTALRM), NAME(SIGPROF), NAME(SIGIO),
	    NAME(SIGPWR),  NAME(SIGSYS),  NAME(SIGSTKFLT),
#undef NAME
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].sig == sig)
			return names[i].name;
	snprintf(buf, 16, "signal %d", sig);
	return buf;
}

static void report(const struct procs *ps, struct strbuf *news, const struct process *p, int status)
{
	char buf[16];

	if (p->child && WIFSIGNALED(status))
		sb_printf(news, "pid %d terminated by %s%s\n", (int)p->pid,
			  signal_name(WTERMSIG(status), buf),
			  ps->suspect && WTERMSIG(status) == SIGABRT ? ps->suspect : "");
	else if (p->child && WEXITSTATUS(status))
		sb_printf(news, "pid %d exited with status %d\n", (int)p->pid, WEXITSTATUS(status));
	else
		sb_printf(news, "pid %d has exited\n", (int)p->pid);
}

/* Reaps exactly this child: others belong to the library's user. */
static bool child_ended(const struct process *p, int *status)
{
	pid_t got;

	*status = p->status;
	if (p->has_status)
		return true;
	got = waitpid(p->pid, status, WNOHANG | __WALL);

	if (got < 0 && errno == ECHILD) {
		/* SIGCHLD is ignored here, and the kernel reaped it. */
		*status = 0;
		return true;
	}
	return got == p->pid && (WIFEXITED(*status) || WIFSIGNALED(*status));
}

static bool other_ended(const struct process *p)
{
	struct pollfd fd = {.fd = p->pidfd, .events = POLLIN};

	if (p->pidfd >= 0)
		return poll(&fd, 1, 0) > 0;
	return kill(p->pid, 0) < 0 && errno == ESRCH;
}

int proc_poll(struct procs *ps, struct strbuf *news)
{
	int n = 0;

	for (int i = 0; i < ps->v.n; i++) {
		struct process *p = &ps->v.v[i];
		int status = 0;

		if (p->ended)
			continue;
		if (!(p->child ? child_ended(p, &status) : other_ended(p)))
			continue;
		p->ended = true;
		n++;
		if (p->child)
			ps->status =
			    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		if (news)
			report(ps, news, p, status);
	}
	return n;
}

int proc_status(const struct procs *ps)
{
	return ps->status;
}

bool proc_all_done(const struct procs *ps)
{
	for (int i = 0; i < ps->v.n; i++)
		if (!ps->v.v[i].ended)
			return false;
	return ps->v.n > 0;
}

pid_t proc_nth(const struct procs *ps, int n)
{
	return n < ps->v.n ? ps->v.v[n].pid : 0;
}

pid_t proc_command(const struct procs *ps, int n)
{
	for (int i = 0; i < ps->v.n; i++)
		if (ps->v.v[i].child && !ps->v.v[i].ended && !n--)
			return ps->v.v[i].pid;
	return 0;
}

pid_t proc_target(const struct procs *ps)
{
	return proc_nth(ps, 0);
}

int proc_fds(const struct procs *ps, struct pollfd *fds, int max, int *timeout_ms)
{
	int n = 0;

	for (int i = 0; i < ps->v.n; i++) {
		const struct process *p = &ps->v.v[i];

		if (p->ended)
			continue;
		if (p->pidfd >= 0 && n < max)
			fds[n++] = (struct pollfd){.fd = p->pidfd, .events = POLLIN};
		else if (*timeout_ms < 0 || *timeout_ms > LOOK_MS)
			*timeout_ms = LOOK_MS;
	}
	return n;
}
