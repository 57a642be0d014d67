/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C preprocessor over programs (-C). */
#ifndef DT_CPP_H
#define DT_CPP_H

#include <stddef.h>

struct opts;
struct strbuf;

/*
 * Sends text through the preprocessor that the options name. file is the script's name; NULL:
 * text from the command line. out gets the result, with line markers; why the sentence when it
 * fails. The preprocessor's own messages go to stderr. 0 or -errno.
 */
int cpp_run(const struct opts *o, const char *text, size_t len, const char *file,
	    struct strbuf *out, struct strbuf *why);

#endif
