/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where freopen() has sent output to a file, packets are written there as they are, in the format
 * that tcpdump and Wireshark read, with its header where the file is empty: many firings, and
 * many runs, may add to one. Otherwise tshark describes each packet in a line. It is started once
 * for each kind, and is waited for with each packet, so that its line stands where the packet's
 * firing does. Without it there are the bytes.
 */
#include "libdt/consumer/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/sandbox.h"
#include "libdt/base/program.h"
#include "libdt/consumer/consume.h"

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy, most, linktype;
};

struct packet_header {
	uint32_t sec, nsec, captured, length;
};

enum { MAGIC_NS = 0xa1b23c4d, MOST = 1 << 18 };
enum { ANSWER_MS = 10000, LINE_MOST = 64 << 10, TSHARK_CPU_SECONDS = 3600 };

/* A tshark that runs. */
struct dissector {
	pid_t pid; /* 0: none */
	int to, from;
};

const struct capture_kind capture_kinds[] = {
    {"PCAP_ETHER", 1, 1, false},
    {"PCAP_PPP", 9, 9, false},
    {"PCAP_IP", 12, 101, true},
    {"PCAP_WIFI", 105, 105, false},
    {"PCAP_IPOIB", 242, 242, false},
    {"PCAP_NULL", 0, 0, false},
    {0},
};

struct capture {
	struct dissector dissectors[ARRAY_SIZE(capture_kinds)];
	dev_t dev; /* the file that the last packet went to ... */
	ino_t ino;
	uint32_t linktype; /* ... and what packets it has; UINT32_MAX: it is none of ours */
	bool reported_cut, reported_file, plain;
};

const struct capture_kind *capture_kind(int64_t proto)
{
	for (const struct capture_kind *k = capture_kinds; k->name; k++)
		if (k->proto == proto)
			return k;
	return NULL;
}

static struct file_header file_header(const struct capture_kind *kind)
{
	return (struct file_header){
	    .magic = MAGIC_NS, .major = 2, .minor = 4, .most = MOST, .linktype = kind->linktype};
}

static struct packet_header packet_header(const struct packet *p)
{
	return (struct packet_header){p->ns / 1000000000, p->ns % 1000000000, p->captured,
				      p->length};
}

/* Files ------------------------------------------------------------------- */

/* The link type of the packets that an existing file has; UINT32_MAX: it is something else. */
static uint32_t linktype_of(int file)
{
	struct file_header h;
	char path[40];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return UINT32_MAX;
	n = read(fd, &h, sizeof(h));
	close(fd);
	return n == sizeof(h) && h.magic == MAGIC_NS ? h.linktype : UINT32_MAX;
}

/* Is the output a capture of this kind? An empty one, or what is no regular file, becomes one. */
static bool is_capture(struct consume *c, const struct capture_kind *kind)
{
	struct file_header h = file_header(kind);
	struct capture *cap = c->capture;
	bool empty;
	struct stat st;

	fflush(c->sink);
	if (fstat(fileno(c->sink), &st))
		return false;
	empty = S_ISREG(st.st_mode) && !st.st_size;
	if (cap->dev == st.st_dev && cap->ino == st.st_ino && !empty)
		return cap->linktype == kind->linktype;
	cap->dev = st.st_dev;
	cap->ino = st.st_ino;
	cap->linktype = kind->linktype;
	if (empty || !S_ISREG(st.st_mode))
		fwrite(&h, sizeof(h), 1, c->sink);
	else
		cap->linktype = linktype_of(fileno(c->sink));
	return cap->linktype == kind->linktype;
}

static void to_file(struct consume *c, const struct packet *p)
{
	struct packet_header h = packet_header(p);

	if (is_capture(c, p->kind)) {
		fwrite(&h, sizeof(h), 1, c->sink);
		fwrite(p->bytes, 1, p->captured, c->sink);
	} else if (!c->capture->reported_file) {
		c->capture->reported_file = true;
		consume_warn(
		    c,
		    "pcap( ): a file of freopen( ) is not overwritten: it contains other data than "
		    "packets of %s (without -q, the program's own output is written to it)",
		    p->kind->name);
	}
	c->ended_line = true;
}

/* tshark ------------------------------------------------------------------ */

/*
 * It is in a process group of its own: ^C ends the tracing, but its results are still to be
 * printed. Packets are untrusted: it reads them without privileges, and without the user's
 * preferences and plugins. The program was found with our privileges.
 */
static _Noreturn void be_tshark(int in, int out)
{
	char *const argv[] = {"tshark", "-l", "-n", "-r", "-", NULL}, *path = program_find(argv[0]);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC),
	    file = path ? open(path, O_PATH | O_CLOEXEC) : -1;
	sigset_t none;

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	sandbox_close_on_exec(STDERR_FILENO + 1);
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL); /* dtrace ignores it */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (file >= 0 && !sandbox_enter(TSHARK_CPU_SECONDS, 0))
		fexecve(file, argv, program_clean_environment());
	_exit(127);
}

static void start_between(struct dissector *d, const int in[2], const int out[2])
{
	pid_t pid = fork();

	if (!pid)
		be_tshark(in[0], out[1]);
	close(in[0]);
	close(out[1]);
	d->to = in[1];
	d->from = out[0];
	d->pid = MAX(pid, 0);
	if (d->pid)
		return;
	close(d->to);
	close(d->from);
}

static void start(struct dissector *d)
{
	int in[2], out[2];

	/* A process that writes into a pipe without a reader gets SIGPIPE; with a socket
	 * MSG_NOSIGNAL avoids that. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in))
		return;
	if (!pipe2(out, O_CLOEXEC)) {
		start_between(d, in, out);
		return;
	}
	close(in[0]);
	close(in[1]);
}

/* Its exit status, or -1. What has ended by itself no signal reaches. */
static int stop(struct dissector *d)
{
	int status = 0;

	if (!d->pid)
		return -1;
	close(d->to);
	close(d->from);
	kill(d->pid, SIGKILL);
	while (waitpid(d->pid, &status, 0) < 0 && errno == EINTR)
		;
	d->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool send_all(int fd, const void *data, size_t size)
{
	const char *p = data;
	ssize_t n;

	for (; size; p += n, size -= n) {
		n = send(fd, p, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return false;
	}
	return true;
}

/* Everything up to the end of a line. */
static bool receive_line(int fd, struct strbuf *line)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char buf[4096];
	ssize_t n;
	int rc;

	while (!line->len || line->s[line->len - 1] != '\n') {
		rc = poll(&p, 1, ANSWER_MS);
		if (rc < 0 && errno == EINTR)
			continue;
		n = rc > 0 ? read(fd, buf, sizeof(buf)) : 0;
		if (n <= 0 || line->len > LINE_MOST)
			return false;
		sb_add(line, buf, n);
	}
	return true;
}

static bool dissect(struct dissector *d, const struct packet *p, struct strbuf *line)
{
	struct file_header f = file_header(p->kind);
	struct packet_header h = packet_header(p);

	if (!d->pid) {
		start(d);
		if (!d->pid || !send_all(d->to, &f, sizeof(f)))
			return false;
	}
	return send_all(d->to, &h, sizeof(h)) && send_all(d->to, p->bytes, p->captured) &&
	       receive_line(d->from, line);
}

/* Its text is of what a packet contains: it is one line, whatever is in it. */
static void print_line(FILE *out, const struct strbuf *line)
{
	struct strbuf text = {0};

	escape_add(&text, line->s, line->len - 1, ESCAPE_NAME);
	sb_puts(&text, "\n");
	fwrite(text.s, 1, text.len, out);
	sb_free(&text);
}

static void to_tshark(struct consume *c, const struct packet *p)
{
	struct dissector *d = &c->capture->dissectors[p->kind - capture_kinds];
	struct strbuf line = {0};

	if (!c->capture->plain && !dissect(d, p, &line)) {
		c->capture->plain = true;
		consume_warn(c, "pcap( ): %s: packets are shown as bytes",
			     stop(d) == 127 ? "tshark is not installed"
					    : "tshark does not respond");
	}
	c->ended_line = !c->capture->plain;
	if (c->capture->plain)
		value_dump(&c->fmt, p->bytes, p->captured);
	else
		print_line(c->out, &line);
	sb_free(&line);
}

int capture_print(struct consume *c, const struct packet *p)
{
	if (!c->capture)
		c->capture = xcalloc(1, sizeof(*c->capture));
	if (p->captured < MIN((int64_t)p->length, opt_num(c->opts, OPT_PCAPSIZE)) &&
	    !c->capture->reported_cut) {
		c->capture->reported_cut = true;
		consume_warn(c, "pcap( ): some packets are truncated: their data cannot be read, "
				"or have too many fragments");
	}
	if (c->replay && !c->capture->plain) {
		c->capture->plain = true;
		c->on_warning(c->on_warning_arg,
			      "replay starts no tshark: packets of pcap( ) are shown as bytes");
	}
	if (c->oformat == OFORMAT_TEXT && c->first_out >= 0)
		to_file(c, p);
	else
		to_tshark(c, p);
	return fmt_error(c->sink);
}

void capture_free(struct capture *cap)
{
	for (unsigned i = 0; cap && i < ARRAY_SIZE(cap->dissectors); i++)
		stop(&cap->dissectors[i]);
	free(cap);
}
