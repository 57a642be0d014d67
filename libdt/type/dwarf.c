/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process and what is said to it: a question is its length, as 4 bytes, and the kind and the
 * name; an answer is the length of the BTF and that. First of all it says what is wrong, in the
 * same way: nothing is good.
 */
#include "libdt/type/dwarf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libdt/base/sandbox.h"
#include "libdt/base/fd.h"
#include "libdt/type/convert.h"
#include "libdt/type/dwarf_die.h"
#include "libdt/type/dwarf_read.h"

/* SECONDS: what a file of root's names as its other parts (.dwo) may be a pipe, whose opening
 * waits. Those of other users' files are not opened. */
enum { CPU_SECONDS = 60, SECONDS = 120, NAME_MAX_LEN = 1 << 16, ANSWERS_MAX = 512 << 20 };

struct udwarf {
	pid_t pid; /* 0: it was ended */
	int fd;
	size_t taken; /* bytes of all answers */
	char *why;
};

/* What is said ------------------------------------------------------------ */

/* The other one may be gone. */
static bool put(int fd, const void *data, size_t len)
{
	for (const char *p = data; len;) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= n;
	}
	return true;
}

static bool say(int fd, const void *data, size_t len)
{
	uint32_t n = len;

	return put(fd, &n, sizeof(n)) && put(fd, data, len);
}

/* How what is heard is waited for; limits NULL: for ever. */
struct hearing {
	struct patience patience;
	const struct type_limits *limits;
};

/* Adds so many bytes. 0, -EPIPE or as convert_wait(). */
static int hear_bytes(int fd, struct strbuf *out, size_t left, struct hearing *h)
{
	char buf[1 << 14];

	while (left) {
		int err = h->limits ? convert_wait(fd, &h->patience, h->limits) : 0;
		ssize_t n;

		if (err)
			return err;
		n = fd_receive(fd, buf, MIN(left, sizeof(buf)), UINT64_MAX);
		if (n <= 0)
			return -EPIPE;
		sb_add(out, buf, n);
		left -= n;
	}
	return 0;
}

/* Adds what the other one says, if that is at most max bytes. 0, -EFBIG or as hear_bytes(). */
static int hear(int fd, struct strbuf *out, size_t max, struct hearing *h)
{
	struct strbuf head = {0};
	uint32_t left = 0;
	int err = hear_bytes(fd, &head, sizeof(left), h);

	if (!err)
		memcpy(&left, head.s, sizeof(left));
	sb_free(&head);
	if (!err && left > max)
		err = -EFBIG;
	return err ? err : hear_bytes(fd, out, left, h);
}

/* The process ------------------------------------------------------------- */

static bool answer(struct dwread *r, int sock)
{
	struct strbuf question = {0}, unit = {0};
	bool ok = !hear(sock, &question, NAME_MAX_LEN, &(struct hearing){0}) && question.len > 1;

	if (ok) {
		alarm(SECONDS);
		dwread_unit(r, *question.s, question.s + 1, &unit);
		alarm(0);
		ok = say(sock, sb_str(&unit), unit.len);
	}
	sb_free(&question);
	sb_free(&unit);
	return ok;
}

static _Noreturn void be_reader(int file, int sock, uint64_t size)
{
	int err;
	struct dwread *r = NULL;
	const char *why = "";

	sandbox_quiet(file, sock);
	if (dwarf_load(&why)) {
		err = sandbox_enter(CPU_SECONDS, 0);
		if (size)
			sandbox_limit(size);
		why = err ? strerror(-err) : "";
		if (!err) /* the libraries that libdw decompresses with came with it */
			sandbox_filter(!size);
		r = err ? NULL : dwread_open(file, &why);
	}
	if (say(sock, why, strlen(why)) && r)
		while (answer(r, sock))
			;
	_exit(0);
}

static int start(struct udwarf *d, int file, uint64_t size)
{
	int socks[2], err = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks))
		return -errno;
	d->pid = fork();
	if (!d->pid) {
		close(socks[0]);
		be_reader(file, socks[1], size);
	}
	err = d->pid < 0 ? -errno : 0;
	close(socks[1]);
	d->fd = socks[0];
	if (err) {
		close(d->fd);
		d->pid = 0;
	}
	return err;
}

/* Sets why where there is no answer, or none in time: the file may be in a file system that does
 * not respond. */
static bool hear_in_time(struct udwarf *d, const struct type_limits *l, struct strbuf *out,
			 size_t max)
{
	uint64_t ns = l->ns ? l->left : SECONDS * 1000000000ull;
	struct hearing h = {sandbox_patience(d->pid, ns), l};
	int err = hear(d->fd, out, max, &h);

	if (err == -ETIMEDOUT && l->ns)
		d->why = convert_too_late("DWARF", l);
	else if (err == -ETIMEDOUT)
		d->why = xasprintf("reading its DWARF takes longer than %d seconds", SECONDS);
	else if (err == -EINTR)
		d->why = convert_interrupted("DWARF");
	else if (err)
		d->why = xstrdup(err == -EFBIG ? "its DWARF is too large" : "its DWARF is broken");
	return !err;
}

struct udwarf *udwarf_start(int file, const struct type_limits *l)
{
	struct udwarf *d = xcalloc(1, sizeof(*d));
	struct strbuf said = {0};
	int err = start(d, file, l->size);

	if (err)
		d->why = xasprintf("its DWARF cannot be read: %s", strerror(-err));
	else if (hear_in_time(d, l, &said, NAME_MAX_LEN) && said.len)
		d->why = xasprintf("its DWARF cannot be read: %s", said.s);
	sb_free(&said);
	return d;
}

const char *udwarf_error(const struct udwarf *d)
{
	return d->why;
}

const char *udwarf_place_name(uint64_t addr, char *buf)
{
	snprintf(buf, UDWARF_PLACE_NAME, "@%" PRIx64, addr);
	return buf;
}

const char *udwarf_ask(struct udwarf *d, char what, const char *name, const struct type_limits *l,
		       struct strbuf *out)
{
	struct strbuf question = {0};
	size_t before = out->len;

	if (d->why || !d->pid)
		return d->why;
	sb_putc(&question, what);
	sb_puts(&question, name);
	if (!say(d->fd, question.s, question.len))
		d->why = xstrdup("its DWARF is broken");
	else
		hear_in_time(d, l, out, ANSWERS_MAX - d->taken);
	d->taken += out->len - before;
	sb_free(&question);
	return d->why;
}

void udwarf_end(struct udwarf *d)
{
	if (!d || !d->pid)
		return;
	close(d->fd);
	sandbox_end(d->pid);
	d->pid = 0;
}

void udwarf_free(struct udwarf *d)
{
	udwarf_end(d);
	if (d)
		free(d->why);
	free(d);
}
