/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Type data of programs to BTF, in a process without rights, because files are untrusted. */
#ifndef DT_CONVERT_H
#define DT_CONVERT_H

#include "libdt/base/mem.h"
#include "libdt/type/type.h"

/* How it ends. */
enum convert_end { CONVERT_DONE = 0, CONVERT_REFUSED = 3, CONVERT_FAILED = 4 };

/*
 * Calls convert() in a process of its own, without rights and with limited time, which writes BTF
 * to fd: one or more blobs, one after the other. They are appended to out. format, "CTF": what its
 * input is called; len: bytes of that. NULL, or a sentence on what is wrong, to be freed; when the
 * process crashes, the input is reported as broken. It may take s->ns; a signal ends the wait.
 */
char *convert_apart(const struct type_sections *s, const char *format, size_t len,
		    enum convert_end (*convert)(const struct type_sections *s, int fd),
		    struct strbuf *out);
/* The sentence that reading what is called format took longer than foreigntime, ns; to be freed. */
char *convert_too_late(const char *format, uint64_t ns);
/* For convert(): hands on a sentence on what is wrong, and frees it. */
enum convert_end convert_refuse(int fd, char *why);

#endif
