/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a stream for programs to read begins with: the version of its form, the host, its clocks,
 * options, and what is traced. */
#ifndef DT_PREAMBLE_H
#define DT_PREAMBLE_H

#include <stdio.h>

struct dt;
struct strbuf;
struct writer;
struct writer_form;

/* Writes the first line of a session that traces. 0 or -errno. */
int preamble_trace(struct dt *dt);
/* The same line in this form, with that -x oformat. */
void preamble_text(struct dt *dt, const struct writer_form *form, const char *oformat,
		   struct strbuf *out);
/* The same of a listing, which has no clauses, to out; w is as writer_line() takes it. */
void preamble_list(struct dt *dt, struct writer *w, FILE *out);
/* Writes a line to out that was begun by writer_line(). */
void preamble_put(struct writer *w, FILE *out);

#endif
