/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of other tracers, and what D writes for them: hints that messages give before they guess
 * a spelling. */
#ifndef DT_WORDS_H
#define DT_WORDS_H

#include "grammar/node.h"
#include "libdt/base/mem.h"

/* What D writes for a variable of that name; NULL when no other tracer has one. */
const char *words_variable(const char *name);
/* As words_variable(), of a member of the thread. */
const char *words_member(const char *name);
/* The same for a call (N_CALL) with its arguments as the program has them. */
const char *words_function(struct arena *a, const struct node *call);
/* The same for "@x++", "@x += n" and "@x = n" (N_UNARY, N_ASSIGN); NULL for other operators. It is
 * right only if *value, where that is not NULL, has a value. */
const char *words_count(struct arena *a, const struct node *n, struct node **value);
/* "@x += count()" (N_ASSIGN) with "=" for its operator. */
const char *words_plain_assign(struct arena *a, const struct node *n);
/* A call that is meant by one with a wrong number of arguments; or NULL. */
const char *words_call(struct arena *a, const struct node *call);
/* A name that means nothing (N_IDENT), in double quotes, where a string is expected; or NULL. */
const char *words_unquoted(struct arena *a, const struct node *ident);
/* The variable that D has for a value in an aggregation (N_AGG): "x[tid]" for "@x[tid]". */
const char *words_value(struct arena *a, const struct node *agg);
/* The same for a probe description. */
const char *words_probe(struct arena *a, const char *text);
/* The end of a message: '; D writes this "..."', or "" for NULL. */
const char *words_hint(struct arena *a, const char *ours);

#endif
