/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches to a file of another user. While the kernel puts a probe into a program, it reads the
 * page from its file system, and no process of the machine can fork meanwhile. A file system of a
 * user's (FUSE) may never answer, so it gets no probes. Nor does an overlay that a user mounted:
 * what is below it is not known. The file is opened with O_PATH, looked at, and attached to through
 * that descriptor, for its path may lead to another one at any time. All of this is done by a
 * process that can be killed, as finding the file may never return either; the links come back over
 * a socket. Targets in one file are attached by one process, so that a file that does not answer
 * costs no other its probes; after HUNG_MAX of them no more are asked.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "bpf/hook_int.h"
#include "libdt/base/cached.h"
#include "libdt/base/clock.h"
#include "libdt/base/fd.h"
#include "libdt/base/mount.h"
#include "libdt/base/sandbox.h"

enum { HUNG_MAX = 8 };

struct message {
	enum { LINK, DONE, END } kind; /* LINK: a descriptor comes with it */
	int value;		       /* DONE: how many are done; END: 0 or -errno */
	bool slow;
};

/* In the process. */
struct sender {
	int sock, sent;
	struct hook_links links;
};

static bool send_progress(void *arg, int done)
{
	struct sender *s = arg;
	struct message m = {LINK, 0, s->links.slow};
	bool ok = true;

	for (; ok && s->sent < s->links.fds.n; s->sent++)
		ok = fd_pass(s->sock, &m, sizeof(m), s->links.fds.v[s->sent]);
	m.kind = DONE;
	m.value = done;
	return ok && fd_pass(s->sock, &m, sizeof(m), -1);
}

/* May a user decide when the file system answers? name: the file's, with the process by which it
 * was found. */
static bool is_of_users(int fd, const struct statfs *fs, const char *name)
{
	enum { FUSE = 0x65735546, OVERLAY = 0x794c7630 };
	int pid = 0;

	sscanf(name, "/proc/%d/", &pid);
	return (uint32_t)fs->f_type == FUSE ||
	       ((uint32_t)fs->f_type == OVERLAY && !mount_is_privileged(fd, pid));
}

/* The targets, which are in one file, by a descriptor of it: a name can lead to another file each
 * time. 0 or -errno. */
static int find_file(struct hook_job *job)
{
	int fd = open(job->targets[0]->name, O_PATH | O_CLOEXEC);
	const struct target **targets;
	struct target *own;
	struct cached c;
	struct statfs fs;
	char *name;

	if (fd < 0 || !cached_at(fd, "", &c) || fstatfs(fd, &fs))
		return -errno;
	if (c.dev != job->targets[0]->dev || c.inode != job->targets[0]->inode)
		return -ESTALE;
	if (!job->fuse && is_of_users(fd, &fs, job->targets[0]->name))
		return -EREMOTE;
	targets = xcalloc(job->n, sizeof(*targets));
	own = xcalloc(job->n, sizeof(*own));
	name = xasprintf("/proc/self/fd/%d", fd);
	for (int i = 0; i < job->n; i++) {
		own[i] = *job->targets[i];
		own[i].name = name;
		targets[i] = &own[i];
	}
	job->targets = targets;
	return 0;
}

static int attach_all(enum hook_kind kind, struct hook_job *job, struct hook_links *links)
{
	int rc = find_file(job);

	for (int i = 0; rc && i < job->n; i++)
		job->errors[i] = rc;
	return rc ? 0 : hook_attach_here(kind, job, links);
}

static _Noreturn void attach_and_send(enum hook_kind kind, struct hook_job *job, int sock,
				      const struct hook_links *links)
{
	struct sender s = {.sock = sock, .links = {.pinnable = links->pinnable}};
	struct message m = {.kind = END};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sandbox_quiet(sock, job->prog_fd);
	job->watch = send_progress;
	job->arg = &s;
	m.value = attach_all(kind, job, &s.links);
	if (send_progress(&s, job->n))
		fd_pass(sock, &m, sizeof(m), -1);
	_exit(0);
}

/* 1: there is something to receive; 0: not yet, or -ETIMEDOUT: it waits for that long, and not for
 * a CPU. *heard: when it was seen at work. */
static int wait_for(pid_t pid, int sock, uint64_t patience_ns, uint64_t *heard)
{
	enum { STEP_MS = 20 };
	struct pollfd p = {.fd = sock, .events = POLLIN};
	int n = poll(&p, 1, STEP_MS);
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (n > 0 || sandbox_is_running(pid))
		*heard = now;
	return n > 0 ? 1 : !patience_ns || now - *heard < patience_ns ? 0 : -ETIMEDOUT;
}

/* What the process sends, until its end. 0, or -errno: -EINTR when watch asked to stop. */
static int receive(struct hook_job *job, pid_t pid, int sock, struct hook_links *links)
{
	uint64_t heard = clock_ns(CLOCK_MONOTONIC);
	struct message m = {0};
	int done = 0, fd, rc;

	for (;;) {
		rc = wait_for(pid, sock, job->patience_ns, &heard);
		if (rc < 0)
			return rc;
		if (rc && fd_take(sock, &m, sizeof(m), &fd) != sizeof(m))
			return -EIO;
		if (rc && fd >= 0)
			vec_push(&links->fds, fd);
		if (rc && m.kind == END)
			return m.value;
		if (rc && m.kind == DONE)
			done = m.value;
		links->slow |= m.slow;
		if (job->watch && !job->watch(job->arg, done))
			return -EINTR;
	}
}

int hook_attach_apart(enum hook_kind kind, struct hook_job *job, struct hook_links *links)
{
	size_t size = job->n * sizeof(*job->errors);
	int *errors = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
	    first = links->fds.n, s[2] = {-1, -1}, rc = 0;
	struct hook_job part = *job;
	pid_t pid = -1;

	if (links->hung >= HUNG_MAX)
		rc = -ETIMEDOUT;
	else if (errors == MAP_FAILED || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, s) ||
		 (pid = fork()) < 0)
		rc = -errno;
	part.errors = errors;
	if (!pid)
		attach_and_send(kind, &part, s[1], links);
	if (s[1] >= 0)
		close(s[1]);
	if (pid > 0) {
		rc = receive(job, pid, s[0], links);
		sandbox_end(pid);
	}
	if (s[0] >= 0)
		close(s[0]);
	links->hung += pid > 0 && rc == -ETIMEDOUT;
	if (rc && rc != -EINTR)
		hook_close_from(links, first);
	for (int i = 0; i < job->n; i++)
		job->errors[i] = rc && rc != -EINTR ? rc : errors[i];
	if (errors != MAP_FAILED)
		munmap(errors, size);
	return rc == -EINTR ? rc : 0;
}
