/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/symbols/addr2line.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/sandbox.h"
#include "libdt/base/clock.h"
#include "libdt/base/fd.h"
#include "libdt/base/program.h"

enum { FILE_FD = 3, SPARE_FD = 10, ANSWER_MAX = 8192, CPU_SECONDS = 120 };

extern char **environ;

struct addr2line {
	pid_t pid;
	int fd; /* its input and output */
};

/* The process ------------------------------------------------------------- */

/* Its files: our socket, and the one that it looks into. They may have each other's numbers. */
static void set_files(int sock, int file)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC),
	    in = fcntl(sock, F_DUPFD_CLOEXEC, SPARE_FD);

	if (file >= 0)
		file = fcntl(file, F_DUPFD_CLOEXEC, SPARE_FD);
	dup2(in, STDIN_FILENO);
	dup2(in, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (file >= 0)
		dup2(file, FILE_FD);
	sandbox_close_on_exec(file >= 0 ? FILE_FD + 1 : FILE_FD);
}

/*
 * In a session of its own: ^C ends the tracing, but its results are still to be printed. It ends
 * with dtrace. It does not query debuginfod over the network: the environment variable that names a
 * server is not passed on.
 */
static _Noreturn void be_addr2line(const char *command, const char *path, int sock, int file,
				   int result)
{
	char *const argv[] = {(char *)command, "-e", (char *)path, NULL};
	sigset_t none;
	int err;

	result = fcntl(result, F_DUPFD_CLOEXEC, SPARE_FD);
	set_files(sock, file);
	setsid();
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	err = sandbox_enter(CPU_SECONDS, 0);
	if (!err) {
		environ = program_clean_environment();
		execvp(command, argv);
		err = -errno;
	}
	if (write(result, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(127);
}

/* Until it executes, which closes its end of the pipe, or has reported why it cannot. */
static int wait_exec_start(int fd)
{
	int err = 0;

	while (read(fd, &err, sizeof(err)) < 0 && errno == EINTR)
		;
	return err;
}

static int start(struct addr2line *a, const char *command, const char *path, int file)
{
	int socks[2], result[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks))
		return -errno;
	if (pipe2(result, O_CLOEXEC)) {
		err = -errno;
		close(socks[0]);
		close(socks[1]);
		return err;
	}
	a->pid = fork();
	if (!a->pid)
		be_addr2line(command, path, socks[1], file, result[1]);
	err = a->pid < 0 ? -errno : 0;
	close(socks[1]);
	close(result[1]);
	if (!err)
		err = wait_exec_start(result[0]);
	close(result[0]);
	a->fd = socks[0];
	if (err) {
		close(a->fd);
		if (a->pid > 0)
			sandbox_end(a->pid);
	}
	return err;
}

static bool fill(int copy, int fd, off_t size)
{
	off_t off = 0;

	while (off < size)
		if (sendfile(copy, fd, &off, size - off) <= 0)
			return false;
	return true;
}

/* Overwrites the names of sections that name other files: the user chose these, and opening them
 * may wait or have an effect. Lines do not depend on other places that have this text. */
static bool cut_links(int copy, size_t size)
{
	static const char *const names[] = {".gnu_debuglink", ".gnu_debugaltlink"};
	char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0);

	if (mem == MAP_FAILED)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i]);

		for (char *p = mem; (p = memmem(p, mem + size - p, names[i], len)); p += len)
			memset(p, '-', len);
	}
	return !munmap(mem, size);
}

/* The user may have changed the file since it was found to be ELF. Of another format addr2line may
 * open what the file names: the members of a thin archive. */
static bool is_elf(int copy)
{
	char magic[SELFMAG];

	return pread(copy, magic, SELFMAG, 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
}

/* A sealed copy in memory. Its descriptor, or -errno. */
static int copy_file(const struct addr2line_file *file, uint64_t size)
{
	int copy, err = 0;

	if (file->foreign && size > ADDR2LINE_COPY_MAX)
		return -EFBIG;
	copy = memfd_create("dt-object", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (copy < 0)
		return -errno;
	if (!fill(copy, file->fd, (off_t)size))
		err = -EIO;
	else if (file->foreign && !is_elf(copy))
		err = -ENOEXEC;
	else if (file->foreign && !cut_links(copy, size))
		err = -EIO;
	else if (!fd_seal(copy))
		err = -errno;
	if (err)
		close(copy);
	return err ? err : copy;
}

/* *copy: a descriptor of what addr2line gets in its place, -1: nothing. 0 or -errno. */
static int copy_if_needed(const struct addr2line_file *file, int *copy)
{
	uint64_t size = file->size;
	struct stat st;

	*copy = -1;
	if (file->path)
		return 0;
	if (!file->foreign) {
		if (fstat(file->fd, &st))
			return -errno;
		size = st.st_size;
		if (st.st_mode & S_IROTH || geteuid()) /* addr2line can read it */
			return 0;
	}
	*copy = copy_file(file, size);
	return MIN(*copy, 0);
}

struct addr2line *addr2line_start(const char *command, const struct addr2line_file *file,
				  bool *unreadable, int *err)
{
	struct addr2line *a = xcalloc(1, sizeof(*a));
	char path[32];
	int copy;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", FILE_FD);
	*err = copy_if_needed(file, &copy);
	*unreadable = *err;
	if (!*err)
		*err = start(a, command, file->path ? file->path : path,
			     file->path	 ? -1
			     : copy >= 0 ? copy
					 : file->fd);
	if (copy >= 0)
		close(copy);
	if (!*err)
		return a;
	free(a);
	return NULL;
}

void addr2line_end(struct addr2line *a)
{
	if (!a)
		return;
	close(a->fd);
	kill(-a->pid, SIGKILL); /* it may be a script, and have started others */
	sandbox_end(a->pid);
	free(a);
}

/* Answers ----------------------------------------------------------------- */

/* Cuts ":12" off the end; -1: there is none. */
static int cut_number(const char *s, size_t *len)
{
	size_t end = *len;
	long n;

	while (end && isdigit((unsigned char)s[end - 1]))
		end--;
	if (!end || end == *len || s[end - 1] != ':')
		return -1;
	n = strtol(s + end, NULL, 10);
	*len = end - 1;
	return n > INT32_MAX ? 0 : (int)n;
}

/* "dir/file.c:12", "??:0", "??:?"; binutils' may end in " (discriminator 3)", elfutils' adds the
 * column: "file.c:12:7". */
void addr2line_parse(const char *answer, struct strbuf *file, int *line)
{
	const char *more = strstr(answer, " (discriminator ");
	size_t len = more ? (size_t)(more - answer) : strlen(answer);
	int last = cut_number(answer, &len), before = last >= 0 ? cut_number(answer, &len) : -1;

	*line = before >= 0 ? before : MAX(last, 0);
	if (!len || !strncmp(answer, "??", 2))
		*line = 0;
	for (size_t i = 0; *line && i < len; i++) /* it is printed on terminals */
		sb_putc(file,
			(unsigned char)answer[i] < ' ' || answer[i] == 0x7f ? '?' : answer[i]);
}

/* A name that has a newline in it makes several lines of one answer; its rest must not be taken
 * for the next. */
static void drain(int fd)
{
	char buf[512];

	while (recv(fd, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		;
}

/* Until there is something to read: 0 or -errno. */
static int wait_readable(int fd, struct patience *p, struct addr2line_wait *w)
{
	enum { SLICE_MS = 50 };

	for (;;) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC),
			 ms = now < p->until ? (p->until - now + 999999) / 1000000 : 0;
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int n = poll(&ready, 1, (int)MIN(ms, (uint64_t)SLICE_MS));

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (w->ended && (n < 0 || w->ended(w->arg)))
			return -EINTR;
		if (clock_ns(CLOCK_MONOTONIC) < p->until)
			continue;
		if (!sandbox_extend(p))
			return -ETIMEDOUT;
		w->extended = true;
	}
}

static ssize_t receive(int fd, char *to, size_t size, struct patience *p, struct addr2line_wait *w)
{
	int err = wait_readable(fd, p, w);
	ssize_t got = err ? err : recv(fd, to, size, MSG_DONTWAIT);

	return err || got >= 0 ? got : -errno;
}

int addr2line_ask(struct addr2line *a, uint64_t addr, struct addr2line_wait *w, struct strbuf *file,
		  int *line)
{
	struct patience p = sandbox_patience(a->pid, w->ns);
	char question[32], answer[ANSWER_MAX], *end = NULL;
	size_t len = 0, n = snprintf(question, sizeof(question), "0x%" PRIx64 "\n", addr);

	*line = 0;
	p.cpu = w->cpu;
	w->extended = false;
	drain(a->fd);
	if (send(a->fd, question, n, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)n)
		return errno ? -errno : -EPIPE;
	while (!end && len < sizeof(answer)) {
		ssize_t got = receive(a->fd, answer + len, sizeof(answer) - len, &p, w);

		w->cpu = p.cpu;
		if (got <= 0)
			return got ? (int)got : -EPIPE;
		end = memchr(answer + len, '\n', got);
		len += got;
	}
	if (!end)
		return -EMSGSIZE;
	*end = '\0';
	if (end + 1 == answer + len)
		addr2line_parse(answer, file, line);
	return 0;
}
