/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Type data of programs to BTF, in a process without rights, because files are untrusted. */
#ifndef DT_CONVERT_H
#define DT_CONVERT_H

#include "libdt/base/mem.h"
#include "libdt/base/sandbox.h"
#include "libdt/type/type.h"

/* How it ends. */
enum convert_end { CONVERT_DONE = 0, CONVERT_REFUSED = 3, CONVERT_FAILED = 4 };

/*
 * Calls convert() in a process of its own, without rights and with limited time, which writes BTF
 * to fd: one or more blobs, one after the other. They are appended to out. format, "CTF": what its
 * input is called; len: bytes of that. NULL, or a sentence on what is wrong, to be freed; when the
 * process crashes, the input is reported as broken. It may take s->limits.left; that tracing is to
 * end ends it.
 */
char *convert_apart(const struct type_sections *s, const char *format, size_t len,
		    enum convert_end (*convert)(const struct type_sections *s, int fd),
		    struct strbuf *out);
/* Sets what is left in the account for the next answer. False: nothing. */
bool convert_may(struct type_limits *l);
/* What began then (ns of CLOCK_MONOTONIC) is paid for. */
void convert_pay(const struct type_limits *l, uint64_t begun);
/* Waits until there is something to read, or the end. 0; -ETIMEDOUT; -EINTR: tracing is to end;
 * another -errno. */
int convert_wait(int fd, struct patience *p, const struct type_limits *l);
/* The sentence that reading what is called format took longer than foreigntime, or than what was
 * left in the account; to be freed. */
char *convert_too_late(const char *format, const struct type_limits *l);
/* The sentence that it ended because tracing is to end; to be freed. */
char *convert_interrupted(const char *format);
/* For convert(): hands on a sentence on what is wrong, and frees it. */
enum convert_end convert_refuse(int fd, char *why);

#endif
