/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clients are hostile: slow, many, and they send garbage. A connection has one request of at most
 * 8 KB, and 10 seconds for all. There are at most 16 connections; when a further one comes, the
 * oldest is closed if it has had a fair time, otherwise the kernel keeps the new one waiting. A
 * page is made once for all that ask within 100 ms, or 20 times as long as making it took, up to
 * 5 seconds. Nothing here sleeps.
 */
#include "libdt/http.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "libdt/base/clock.h"

#define MS 1000000ull

enum {
	REQUEST_MAX = 8192,
	LIFE_MS = 10000,     /* of a connection */
	LINGER_MS = 1000,    /* for what a client still sends after our answer */
	FAIR_MS = 250,	     /* after that a connection may be closed for another */
	FRESH_MS = 100,	     /* how long a page is served again, at least */
	FRESH_TIMES = 20,    /* of what it took to make: all that ask get a twentieth of a CPU */
	FRESH_MAX_MS = 5000, /* dtrace may have been stopped meanwhile */
	STEP = 256 * 1024,   /* bytes that are written to a client before others have a turn */
};

/* A page, shared by connections that send it. */
struct body {
	int users;
	const char *type;
	struct strbuf text;
	uint64_t made, took; /* ns */
};

enum state { READING, WRITING, LINGERING };

struct connection {
	int fd;
	enum state state;
	uint64_t began, until;
	char request[REQUEST_MAX + 1];
	size_t got;
	struct strbuf head;
	struct body *body; /* NULL: the head is all */
	size_t sent;	   /* of head and body */
};

struct http {
	int fd;
	char *name, *path; /* path: of a socket that we made */
	http_page page;
	void *arg;
	struct connection *conns[HTTP_CONNECTIONS];
	int n;
	struct body *fresh[2]; /* the last page, as text and as OpenMetrics */
};

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Pages ------------------------------------------------------------------- */

static void body_drop(struct body *b)
{
	if (!b || --b->users)
		return;
	sb_free(&b->text);
	free(b);
}

static bool is_fresh(const struct body *b)
{
	uint64_t most = MIN(FRESH_TIMES * b->took, FRESH_MAX_MS * MS);

	return now_ns() - b->made <= MAX(FRESH_MS * MS, most);
}

static struct body *get_body(struct http *h, bool openmetrics)
{
	struct body **at = &h->fresh[openmetrics], *b = *at;

	if (!b || !is_fresh(b)) {
		uint64_t start = now_ns();

		body_drop(b);
		b = *at = xcalloc(1, sizeof(*b));
		b->users = 1;
		b->type = h->page(h->arg, openmetrics, &b->text);
		b->made = now_ns();
		b->took = b->made - start;
	}
	if (!b->type)
		return NULL;
	b->users++;
	return b;
}

/* Requests ---------------------------------------------------------------- */

static void answer(struct connection *c, const char *status, struct body *body, bool with_body,
		   const char *text)
{
	size_t size = body ? body->text.len : strlen(text);

	sb_printf(&c->head,
		  "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		  "Connection: close\r\nX-Content-Type-Options: nosniff\r\n%s\r\n",
		  status, body ? body->type : "text/plain; charset=utf-8", size,
		  strncmp(status, "405", 3) ? "" : "Allow: GET, HEAD\r\n");
	if (!body && with_body)
		sb_puts(&c->head, text);
	if (with_body)
		c->body = body;
	else
		body_drop(body);
	c->state = WRITING;
}

/* Does a header's line ask for OpenMetrics? Clients that prefer others name it with q=0 or do not
 * name it. */
static bool accepts_openmetrics(const char *request)
{
	static const char type[] = "application/openmetrics-text";

	for (const char *line = strstr(request, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
		const char *at, *end = strstr(line + 2, "\r\n");

		if (strncasecmp(line + 2, "accept:", 7))
			continue;
		at = strcasestr(line + 2, type);
		if (at && (!end || at < end))
			return true;
	}
	return false;
}

static void handle(struct http *h, struct connection *c)
{
	char method[8] = "", path[64] = "", version[16] = "";
	struct body *body;
	bool head;

	if (sscanf(c->request, "%7[A-Z] %63[^ \r\n] %15[^ \r\n]", method, path, version) != 3 ||
	    strncmp(version, "HTTP/1.", 7)) {
		answer(c, "400 Bad Request", NULL, true, "bad request\n");
		return;
	}
	head = !strcmp(method, "HEAD");
	path[strcspn(path, "?")] = '\0';
	if (!head && strcmp(method, "GET")) {
		answer(c, "405 Method Not Allowed", NULL, true, "only GET and HEAD are served\n");
	} else if (strcmp(path, "/metrics")) {
		answer(c, "404 Not Found", NULL, !head, "not found; see /metrics\n");
	} else {
		body = get_body(h, accepts_openmetrics(c->request));
		if (body)
			answer(c, "200 OK", body, !head, "");
		else
			answer(c, "503 Service Unavailable", NULL, !head,
			       "the aggregations cannot be read\n");
	}
}

/* Connections ------------------------------------------------------------- */

static void drop(struct http *h, int i)
{
	struct connection *c = h->conns[i];

	close(c->fd);
	body_drop(c->body);
	sb_free(&c->head);
	free(c);
	memmove(&h->conns[i], &h->conns[i + 1], (--h->n - i) * sizeof(h->conns[0]));
}

/* False: the client has gone. */
static bool read_request(struct http *h, struct connection *c)
{
	ssize_t n = recv(c->fd, c->request + c->got, REQUEST_MAX - c->got, MSG_DONTWAIT);

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	if (memchr(c->request + c->got, '\0', n)) {
		c->request[c->got] = '\0';
		answer(c, "400 Bad Request", NULL, true, "bad request\n");
		return true;
	}
	c->got += n;
	c->request[c->got] = '\0';
	if (strstr(c->request, "\r\n\r\n"))
		handle(h, c);
	else if (c->got == REQUEST_MAX)
		answer(c, "431 Request Header Fields Too Large", NULL, true,
		       "the request is too large\n");
	return true;
}

static bool write_answer(struct connection *c)
{
	size_t size = c->head.len + (c->body ? c->body->text.len : 0), step = 0;

	while (c->sent < size && step < STEP) {
		bool in_head = c->sent < c->head.len;
		size_t at = in_head ? c->sent : c->sent - c->head.len;
		const struct strbuf *from = in_head ? &c->head : &c->body->text;
		ssize_t n = send(c->fd, from->s + at, MIN(from->len - at, STEP - step),
				 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		c->sent += n;
		step += n;
	}
	if (c->sent < size)
		return true;
	/* closed at once, the kernel would drop the answer if more of the request comes */
	shutdown(c->fd, SHUT_WR);
	c->state = LINGERING;
	c->until = MIN(c->until, now_ns() + LINGER_MS * MS);
	return true;
}

static bool linger(struct connection *c)
{
	char waste[4096];
	ssize_t n = recv(c->fd, waste, sizeof(waste), MSG_DONTWAIT);

	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool advance(struct http *h, struct connection *c, uint64_t now)
{
	enum state state;
	bool open = now < c->until;

	if (open && c->state == LINGERING)
		return linger(c);
	do {
		state = c->state;
		open = open && (state == READING ? read_request(h, c) : write_answer(c));
	} while (open && c->state == WRITING && state == READING);
	return open;
}

/* At most a few in a turn, so that a flood of connections does not stop tracing. */
static void accept_some(struct http *h, uint64_t now)
{
	for (int i = 0; i < HTTP_CONNECTIONS; i++) {
		struct connection *c;
		int fd;

		if (h->n == HTTP_CONNECTIONS && now - h->conns[0]->began < FAIR_MS * MS)
			return;
		fd = accept4(h->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		if (h->n == HTTP_CONNECTIONS)
			drop(h, 0);
		c = xcalloc(1, sizeof(*c));
		c->fd = fd;
		c->began = now;
		c->until = now + LIFE_MS * MS;
		h->conns[h->n++] = c;
	}
}

int http_work(struct http *h)
{
	uint64_t now = now_ns(), next = UINT64_MAX;

	accept_some(h, now);
	for (int i = 0; i < h->n;) {
		if (!advance(h, h->conns[i], now)) {
			drop(h, i);
			continue;
		}
		next = MIN(next, h->conns[i]->until);
		i++;
	}
	if (h->n == HTTP_CONNECTIONS)
		next = MIN(next, h->conns[0]->began + FAIR_MS * MS);
	return next == UINT64_MAX ? -1 : next > now ? (int)((next - now) / MS) + 1 : 1;
}

int http_fds(struct http *h, struct pollfd *fds, int max)
{
	bool full = h->n == HTTP_CONNECTIONS && now_ns() - h->conns[0]->began < FAIR_MS * MS;
	int n = 0;

	if (!full && n < max)
		fds[n++] = (struct pollfd){.fd = h->fd, .events = POLLIN};
	for (int i = 0; i < h->n && n < max; i++)
		fds[n++] =
		    (struct pollfd){.fd = h->conns[i]->fd,
				    .events = h->conns[i]->state == WRITING ? POLLOUT : POLLIN};
	return n;
}

/* Addresses --------------------------------------------------------------- */

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

static socklen_t parse_unix(const char *path, union address *a, struct strbuf *why)
{
	size_t len = strlen(path);

	a->un.sun_family = AF_UNIX;
	if (!len || len >= sizeof(a->un.sun_path)) {
		sb_printf(why, "the path of a socket has 1 to %zu characters",
			  sizeof(a->un.sun_path) - 1);
		return 0;
	}
	memcpy(a->un.sun_path, path, len + 1);
	return sizeof(a->un);
}

static socklen_t parse_inet(const char *text, union address *a, struct strbuf *why)
{
	const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
	size_t len = colon ? (size_t)(colon - text) : 0;
	char host[INET6_ADDRSTRLEN + 1] = "127.0.0.1", *end;
	unsigned long number = strtoul(port, &end, 10);
	bool bracket = len > 2 && *text == '[' && text[len - 1] == ']';

	if (!isdigit((unsigned char)*port) || *end || number > 65535) {
		sb_puts(why, "no port (0 to 65535); use ADDRESS:PORT or unix:PATH");
		return 0;
	}
	if (bracket) {
		text++;
		len -= 2;
	}
	if (len >= sizeof(host)) {
		sb_puts(why, "the address is not a number of IPv4, or of IPv6 in brackets");
		return 0;
	}
	if (len && (bracket || len != strlen("localhost") || memcmp(text, "localhost", len))) {
		memcpy(host, text, len);
		host[len] = '\0';
	}
	if (!bracket && inet_pton(AF_INET, host, &a->in.sin_addr) == 1) {
		a->in.sin_family = AF_INET;
		a->in.sin_port = htons(number);
		return sizeof(a->in);
	}
	if (bracket && inet_pton(AF_INET6, host, &a->in6.sin6_addr) == 1) {
		a->in6.sin6_family = AF_INET6;
		a->in6.sin6_port = htons(number);
		return sizeof(a->in6);
	}
	sb_puts(why, "the address is not a number of IPv4, or of IPv6 in brackets");
	return 0;
}

/* A socket that a session left is removed; one that is being served is not. */
static void remove_stale(const union address *a)
{
	struct stat st;
	int fd;

	if (lstat(a->un.sun_path, &st) || !S_ISSOCK(st.st_mode))
		return;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return;
	if (connect(fd, &a->any, sizeof(a->un)) && errno == ECONNREFUSED)
		unlink(a->un.sun_path);
	close(fd);
}

static char *bound_name(int fd, const char *path)
{
	union address a = {0};
	socklen_t len = sizeof(a);
	char host[INET6_ADDRSTRLEN] = "";

	if (path)
		return xasprintf("unix:%s", path);
	getsockname(fd, &a.any, &len);
	if (a.any.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &a.in6.sin6_addr, host, sizeof(host));
		return xasprintf("http://[%s]:%d/metrics", host, ntohs(a.in6.sin6_port));
	}
	inet_ntop(AF_INET, &a.in.sin_addr, host, sizeof(host));
	return xasprintf("http://%s:%d/metrics", host, ntohs(a.in.sin_port));
}

/* The socket's own mode, not that of what may be in its place by now. */
static int open_to_group(const char *path)
{
	char own[64];
	struct stat st;
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), err;

	if (fd < 0)
		return -1;
	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	err = fstat(fd, &st) || !S_ISSOCK(st.st_mode) || chmod(own, 0660);
	close(fd);
	return err ? -1 : 0;
}

struct http *http_new(const char *address, http_page page, void *arg, struct strbuf *why)
{
	const char *path = strncmp(address, "unix:", 5) ? NULL : address + 5;
	union address a = {0};
	socklen_t len = path ? parse_unix(path, &a, why) : parse_inet(address, &a, why);
	struct http *h;
	int fd, err;

	if (!len)
		return NULL;
	fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		sb_puts(why, strerror(errno));
		return NULL;
	}
	if (path)
		remove_stale(&a);
	else
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	/* a socket gets its file's mode by bind(), less the umask, which all threads share */
	err = (path && fchmod(fd, 0660)) || bind(fd, &a.any, len) || (path && open_to_group(path));
	if (err || listen(fd, 64)) {
		sb_puts(why, strerror(errno));
		close(fd);
		return NULL;
	}
	h = xcalloc(1, sizeof(*h));
	h->fd = fd;
	h->path = path ? xstrdup(path) : NULL;
	h->name = bound_name(fd, path);
	h->page = page;
	h->arg = arg;
	return h;
}

const char *http_name(const struct http *h)
{
	return h->name;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	while (h->n)
		drop(h, h->n - 1);
	body_drop(h->fresh[0]);
	body_drop(h->fresh[1]);
	close(h->fd);
	if (h->path)
		unlink(h->path);
	free(h->path);
	free(h->name);
	free(h);
}
