/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mistake that the parser or the lexer meets may have meant. */
#ifndef DT_HINT_H
#define DT_HINT_H

#include "grammar/node.h"

/* For a syntax error at loc: a text that follows the message, "" when there is no guess. */
const char *hint_syntax(const struct parse *p, struct loc loc);
/* The same where the text ends too early. */
const char *hint_end(const struct parse *p);
/* The keyword that the word at s is meant for, if it is none and another word follows on its line:
 * "typdef int t;", or NULL. */
const char *hint_keyword(const char *s);
/* For $name, which is no macro variable: the one that may be meant, or how D writes what other
 * languages write with a "$"; in the parse's arena. */
const char *hint_macro(const struct parse *p, const char *name);
/* For a script that is run without an argument: "; usage: ..." from the comment it begins with, in
 * the parse's arena; "" when that shows none. */
const char *hint_usage(const struct parse *p);

#endif
