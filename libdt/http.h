/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small HTTP server for one page (-x listen). It runs within the caller's loop and never waits:
 * http_fds() says what to wait for, http_work() does what can be done at once.
 */
#ifndef DT_HTTP_H
#define DT_HTTP_H

#include <poll.h>
#include <stdbool.h>

#include "libdt/base/mem.h"

struct http;

enum { HTTP_CONNECTIONS = 16, HTTP_FDS = HTTP_CONNECTIONS + 1 };

/*
 * Makes the page in body for a reader that accepts OpenMetrics, or not; returns its Content-Type,
 * or NULL if there is no page now.
 */
typedef const char *(*http_page)(void *arg, bool openmetrics, struct strbuf *body);

/*
 * Listens at "ADDRESS:PORT" ("[ADDRESS]:PORT" for IPv6, "localhost:PORT", or only ":PORT" or
 * "PORT" for 127.0.0.1), or at "unix:PATH". Port 0 is one that is free. NULL: failed; why has the
 * reason.
 */
struct http *http_new(const char *address, http_page page, void *arg, struct strbuf *why);
/* Closes all; removes the socket of unix:PATH. */
void http_free(struct http *h);
/* Where it listens, for messages: "http://127.0.0.1:9435/metrics", "unix:/run/x". */
const char *http_name(const struct http *h);
/* Adds descriptors to fds, at most HTTP_FDS; how many. */
int http_fds(struct http *h, struct pollfd *fds, int max);
/* Accepts, reads, writes and closes. Returns for how many ms at most the caller may sleep, -1: as
 * long as it wants. */
int http_work(struct http *h);

#endif
