/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/type/convert.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/fd.h"
#include "libdt/process/foreign.h"
#include "libdt/process/foreign_time.h"

/* SLICE_NS: how often to look whether tracing is to end. */
enum { LIMIT = 256 << 20, CPU_SECONDS = 20, SLICE_NS = 50000000 };

enum convert_end convert_refuse(int fd, char *why)
{
	bool said = !ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET) && fd_write(fd, why, strlen(why));

	free(why);
	return said ? CONVERT_REFUSED : CONVERT_FAILED;
}

static void take(int fd, struct strbuf *out)
{
	char buf[1 << 16];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET))
		return;
	while ((n = read(fd, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			sb_add(out, buf, n);
}

static char *reason(int fd)
{
	struct strbuf said = {0};
	char *why;

	take(fd, &said);
	why = xstrdup(sb_str(&said));
	sb_free(&said);
	return why;
}

static _Noreturn void be_converter(const struct type_sections *s, int fd, int alive,
				   enum convert_end (*convert)(const struct type_sections *s,
							       int fd))
{
	sandbox_quiet(fd, alive);
	if (sandbox_enter(CPU_SECONDS, 4ll * LIMIT))
		_exit(CONVERT_FAILED);
	sandbox_filter(false);
	_exit(convert(s, fd));
}

bool convert_may(struct type_limits *l)
{
	l->left = l->ns;
	if (l->ns && l->foreign)
		l->left = MIN(l->ns, foreign_time_for(l->foreign, l->payer));
	return l->left || !l->ns;
}

void convert_pay(const struct type_limits *l, uint64_t begun)
{
	uint64_t took = clock_ns(CLOCK_MONOTONIC) - begun;

	if (l->ns && l->foreign)
		foreign_spend(l->foreign, l->payer, MIN(took, l->left)); /* as files' questions */
}

int convert_wait(int fd, struct patience *p, const struct type_limits *l)
{
	for (;;) {
		uint64_t slice = MIN(p->until, clock_ns(CLOCK_MONOTONIC) + SLICE_NS);
		int err = fd_wait(fd, slice);

		if (err != -ETIMEDOUT)
			return err;
		if (foreign_ended(l->foreign))
			return -EINTR;
		if (slice == p->until && !sandbox_extend(p))
			return -ETIMEDOUT;
	}
}

/* alive: its other end is the process's. 0: the process has ended; else as convert_wait(). */
static int wait_end(int alive, pid_t pid, const struct type_limits *l)
{
	struct patience p = sandbox_patience(pid, l->left);

	if (!l->ns)
		p.until = UINT64_MAX;
	return convert_wait(alive, &p, l);
}

char *convert_too_late(const char *format, const struct type_limits *l)
{
	if (l->left < l->ns)
		return xasprintf("files of its user take too much time (foreigntime, %" PRIu64
				 "ms, for each); try -x foreigntime=%" PRIu64 "ms",
				 FOREIGN_TOO_LONG_ARGS(l->ns));
	return xasprintf("reading its %s " FOREIGN_TOO_LONG, format, FOREIGN_TOO_LONG_ARGS(l->ns));
}

char *convert_interrupted(const char *format)
{
	return xasprintf("reading its %s was interrupted", format);
}

/* What became of it, when it has ended or has had its time. */
static char *collect(pid_t pid, int fd, const char *format, struct strbuf *out)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == CONVERT_DONE) {
		take(fd, out);
		return NULL;
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == CONVERT_REFUSED
		   ? reason(fd)
		   : xasprintf("its %s is broken", format);
}

char *convert_apart(const struct type_sections *s, const char *format, size_t len,
		    enum convert_end (*convert)(const struct type_sections *s, int fd),
		    struct strbuf *out)
{
	int fd = -1, alive[2] = {-1, -1}, err = 0;
	char *why = NULL;
	pid_t pid = -1;

	if (len > LIMIT)
		return xasprintf("its %s is too large", format);
	fd = memfd_create("dt-types", MFD_CLOEXEC);
	if (fd >= 0 && !pipe2(alive, O_CLOEXEC))
		pid = fork();
	if (!pid)
		be_converter(s, fd, alive[1], convert);
	if (pid < 0)
		why = xstrdup(strerror(errno));
	if (alive[1] >= 0)
		close(alive[1]);
	if (pid > 0)
		err = wait_end(alive[0], pid, &s->limits);
	if (err) {
		sandbox_end(pid);
		why = err == -ETIMEDOUT ? convert_too_late(format, &s->limits)
					: convert_interrupted(format);
	} else if (pid > 0) {
		why = collect(pid, fd, format, out);
	}
	if (alive[0] >= 0)
		close(alive[0]);
	if (fd >= 0)
		close(fd);
	return why;
}
