/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics of a compilation. An error ends the compilation: diag_die() jumps to where the
 * caller of the compiler has set diag.recover. All memory of the compilation is in an arena, and no
 * function of it returns errors.
 */
#ifndef DT_DIAG_H
#define DT_DIAG_H

#include <setjmp.h>
#include <stdbool.h>

#include "libdt/base/mem.h"
#include "libdt/base/src.h"

enum tag {
#define TAG(name) name,
#include "libdt/base/diag.def"
#undef TAG
};

struct warning {
	struct loc loc;
	size_t at; /* its text, in warned */
};

struct diag {
	jmp_buf recover; /* set by the caller of the compiler */
	enum tag tag;	 /* of the error that ended the compilation */
	struct loc loc;	 /* its place */
	const char
	    *where; /* "in action list", "in predicate" or NULL; set by the walk of a clause */
	struct strbuf msg;	      /* its text */
	VEC(struct warning) warnings; /* in order, for stderr */
	struct strbuf warned;	      /* their texts, each with its NUL */
};

/* Ends the compilation. Text of %s and %c is escaped (base/escape.h). */
_Noreturn void diag_die(struct diag *d, enum tag tag, struct loc loc, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
void diag_warn(struct diag *d, struct loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
const char *tag_name(enum tag tag);
/* "invalid probe specifier" and the text of -n: of a long one, or one of several lines, only how it
 * begins. */
void diag_put_program(struct strbuf *out, const char *text);
/* The beginning of a message on a source: what failed, up to the blank after the colon. */
void diag_put_source(const struct source *src, struct strbuf *out);
/*
 * Writes the error as dtrace prints it: the subject ("failed to compile script f", or "invalid
 * probe specifier S"), the line, the message, the tag when tags is set.
 */
void diag_format(const struct diag *d, struct strbuf *out, bool tags, bool line_follows);

/* Adds the line of source, and below it a mark under the place, each on a line of its own. Of a
 * line that does not fit so many columns, if not 0, the part around the place. */
void diag_caret(struct loc loc, bool colour, int columns, struct strbuf *out);

#endif
