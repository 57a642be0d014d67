/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf and printa formats: parsed and checked against the types of the arguments when a script is
 * compiled, printed from recorded values when a record arrives. One row for each conversion (fmt.c).
 */
#ifndef DT_FMT_H
#define DT_FMT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libdt/base/diag.h"
#include "libdt/base/mem.h"
#include "libdt/type/type.h"

struct syms; /* addresses to names; consume/ksym.h */

/* A recorded value as the consumer sees it. */
struct value {
	const struct type *type;
	const void *data; /* little alignment is promised */
	uint32_t size;
};

struct conv; /* one row of the table of conversions */

struct fmt_piece {
	const char *text;  /* literal text, when conv is NULL */
	uint32_t len;
	const struct conv *conv;
	char spec[32];	   /* flags, width and precision as written, without stars' values */
	bool left, zero, plus, space, alt, group;
	int width, prec;   /* -1: none */
	bool star_width, star_prec; /* taken from an argument before the value */
	bool is_agg;	   /* "%@...": an aggregation's value, in printa */
	char length[3];	   /* "h", "l", "ll" or "" */
	int arg;	   /* index of the value's argument (or of the aggregation); -1 for %% */
	int width_arg, prec_arg;
	struct loc loc;
};

struct fmt {
	struct fmt_piece *pieces;
	int npieces;
	int nargs; /* arguments taken, stars' included, aggregations not */
	int naggs; /* how many %@ there are */
	bool ends_line;
};

/* What tells whether a printing context has names for addresses. */
struct fmt_ctx {
	FILE *out;
	struct syms *syms;
	struct types *types;
	int stackindent;
};

/* Parses the text of a format; dies with D_PRINTF_* on a bad one. loc is that of the string in the script. */
struct fmt *fmt_parse(struct arena *a, struct diag *d, struct loc loc, const char *text, uint32_t len);
/* Checks argument types: func is "printf" or "printa" for messages. args are nargs types; locs their places.
   Dies with D_PRINTF_ARG_PROTO (too few or many), D_PRINTF_ARG_TYPE (with the heritage's wording), D_PRINTF_AGG_CONV... */
void fmt_check(struct fmt *f, struct diag *d, struct types *types, struct loc loc, const char *func,
	       const struct type *const *args, const struct loc *locs, int nargs, bool has_agg);
/*
 * Prints. values are the arguments in order. agg(arg, n, piece) is called to print the n-th %@ conversion
 * (NULL in printf). 0 or -errno of the output.
 */
int fmt_print(const struct fmt *f, struct fmt_ctx *ctx, const struct value *values, int nvalues,
	      int (*agg)(void *arg, int n, const struct fmt_piece *piece), void *arg);
/* One integer by a piece with an integer conversion (for %@d and friends). */
void fmt_print_int(const struct fmt_piece *piece, FILE *out, int64_t v, bool is_signed, int bytes);

/* Reads an integer value with its type's sign. */
int64_t value_int(const struct value *v);
/* Length of the text in a string or char array value, up to its NUL or size. */
uint32_t value_strlen(const struct value *v);

/* trace(x): the default way of each type (LANGUAGE sections 9 and 12, D2). quiet: -q forms. */
void value_trace(struct fmt_ctx *ctx, const struct value *v, bool quiet, bool rawbytes);
/* The rows of "             0  1  2 ..." for raw bytes; also tracemem. */
void value_dump(struct fmt_ctx *ctx, const void *data, uint32_t size);
/* A key column of an aggregation in the default layout ("  %-50s", " %16lld", ...). */
void value_key(struct fmt_ctx *ctx, const struct value *v);

#endif
