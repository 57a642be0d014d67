/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/type/convert.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/fd.h"
#include "libdt/base/sandbox.h"

enum { LIMIT = 256 << 20, CPU_SECONDS = 20 };

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

char *convert_apart(const struct type_sections *s, const char *format, size_t len,
		    enum convert_end (*convert)(const struct type_sections *s, int fd),
		    struct strbuf *out)
{
	int fd = len > LIMIT ? -1 : memfd_create("dt-types", MFD_CLOEXEC), status = -1;
	char *why = NULL;
	pid_t pid;

	if (len > LIMIT)
		return xasprintf("its %s is too large", format);
	pid = fd < 0 ? -1 : fork();
	if (pid < 0) {
		why = xstrdup(strerror(errno));
		if (fd >= 0)
			close(fd);
		return why;
	}
	if (!pid) {
		sandbox_quiet(fd, fd);
		signal(SIGINT, SIG_DFL); /* dtrace waits for its end */
		if (sandbox_enter(CPU_SECONDS, 4ll * LIMIT))
			_exit(CONVERT_FAILED);
		sandbox_filter(false);
		_exit(convert(s, fd));
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == CONVERT_DONE)
		take(fd, out);
	else if (WIFEXITED(status) && WEXITSTATUS(status) == CONVERT_REFUSED)
		why = reason(fd);
	else
		why = xasprintf("its %s is broken", format);
	close(fd);
	return why;
}
