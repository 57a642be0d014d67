/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf and printa formats: parsed and checked against the types of the arguments when a script
 * is compiled, printed from recorded values when a record arrives. One row for each conversion
 * (fmt_conv.c).
 */
#ifndef DT_FMT_H
#define DT_FMT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "libdt/base/diag.h"
#include "libdt/base/escape.h"
#include "libdt/base/mem.h"
#include "libdt/type/type.h"

struct answers; /* libdt/record/answers.h */
struct cgroups; /* control groups to paths; symbols/cgroup.h */
struct syms;	/* addresses to names; symbols/ksym.h */

/*
 * A recorded value as the consumer sees it. Scalars are as in C. Strings and arrays of char are
 * text up to a NUL or size. T_SYMADDR is a uint64_t address (how it prints its type says),
 * T_USYMADDR two uint64_t: process id and address. T_STACK is uint64_t addresses up to a 0 or
 * size; with TF_USERLAND the first word is the process id.
 */
struct value {
	const struct type *type;
	const void *data; /* little alignment is promised */
	uint32_t size;
	enum text_origin origin;
};

/* Lengths: what may stand between "%" and a conversion's letter. */
enum { LEN_H = 1, LEN_L = 2, LEN_LL = 4, LEN_LDBL = 8, LEN_W = 16, LEN_HH = 32 };

struct fmt_ctx;
struct fmt_piece;

/* One row of the table of conversions (fmt_conv.c): everything that is to know about a letter. */
struct conv {
	char letter;
	unsigned lengths; /* LEN_*: which ones it takes */
	bool agg;	  /* prints an aggregation's number in printa: "%@d" */
	/* the types it takes, for messages; with a length it is C's name instead */
	const char *proto;
	bool (*check)(const struct fmt_piece *p, const struct type *t);
	void (*print)(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v);
};

struct fmt_piece {
	const char *text; /* literal text, when conv is NULL */
	uint32_t len;
	const struct conv *conv;
	bool left, zero, plus, space, alt, group;
	int width, prec;	    /* -1: none; width is below FMT_WIDE */
	bool star_width, star_prec; /* taken from an argument before the value */
	bool is_agg;		    /* "%@...": an aggregation's value, in printa */
	/* "%@p99.9": of a distribution, the value that so many thousandths of a percent do not
	 * exceed; 0: none */
	int percent;
	unsigned length; /* LEN_*, or 0 */
	int arg;	 /* index of the value's argument (or of the aggregation) */
	int width_arg, prec_arg;
	int number; /* of the conversion, from 1 */
};

#define KEY_TEXT_WIDTH 50 /* to which value_key() pads text, unless a terminal is too narrow */

#define FMT_WIDE (1 << 24) /* wider fields are refused */
#define FMT_STAR_MAX 65535 /* and this is the most that a star asks for */

struct fmt {
	struct fmt_piece *pieces;
	int npieces;
	int nargs; /* arguments taken, stars' included, aggregations not */
	int naggs; /* how many %@ there are */
};

/* Where values are printed, and with what. */
struct fmt_ctx {
	FILE *out;
	enum escape escape; /* of memory that is printed as text there: ESCAPE_TEXT on a terminal */
	struct syms *syms;  /* NULL: addresses have no names */
	struct usyms *usyms;	 /* the same for processes; usym.h */
	struct cgroups *cgroups; /* NULL: they have no paths */
	struct answers *answers; /* NULL: hosts and services are looked up and not noted */
	int target; /* the process of an address that says none: the first of -c and -p */
	struct types *types;
	uint32_t members;    /* of a value that is printed, so far; print_value.h */
	int columns;	     /* of the terminal that out is; 0: no limit */
	int stackindent;     /* 14 unless -x stackindent */
	const char *timefmt; /* of "%Y", for strftime(3); NULL: the default */
	struct {	     /* how distributions are drawn */
		bool hist, pack, zoom, utf8;
	} draw;
};

/* Parses the text of a format; a malformed one is D_SYNTAX. loc is that of the string in the
 * script. */
struct fmt *fmt_parse(struct arena *a, struct diag *d, struct loc loc, const char *text,
		      uint32_t len);
/* Checks argument types: func is "printf" or "printa" for messages. args are nargs types; locs
 * their places. Dies with D_PRINTF_ARG_PROTO (too few or many), D_PRINTF_ARG_TYPE (with the
 * traditional wording), D_PRINTF_AGG_CONV... */
void fmt_check(struct fmt *f, struct diag *d, struct types *types, struct loc loc, const char *func,
	       const struct type *const *args, const struct loc *locs, int nargs, bool has_agg);
/* The row of a letter; NULL when there is none. */
const struct conv *conv_find(char letter);
/*
 * Prints. values are the arguments in order. agg(arg, n, piece) is called to print the n-th %@
 * conversion (NULL in printf). 0 or -errno of the output.
 */
int fmt_print(const struct fmt *f, struct fmt_ctx *ctx, const struct value *values, int nvalues,
	      int (*agg)(void *arg, int n, const struct fmt_piece *piece), void *arg);
/* 0, or -errno where output to the file has failed. */
int fmt_error(FILE *out);
/* One integer by a piece with an integer conversion (for %@d and friends). */
void fmt_print_int(const struct fmt_piece *piece, FILE *out, int64_t v, bool is_signed, int bytes);
/* An aggregation's number by any piece that takes one, a time's included. */
void fmt_print_number(struct fmt_ctx *ctx, const struct fmt_piece *piece, int64_t v);

/* A recorded value of a type. A wide integer that fits in the narrow type is one of that. */
struct value value_recorded(const struct type *type, const void *data, uint32_t size);
/* Reads an integer value with its type's sign. */
int64_t value_int(const struct value *v);
/* An integer of up to 128 bits in hexadecimal. text: space for it, which is returned. */
enum { VALUE_INT128 = sizeof("0x") + 32 };
const char *value_int128(const struct value *v, char *text);
/* Length of the text in a string or char array value, up to its NUL or size. */
uint32_t value_strlen(const struct value *v);

/* trace(x): the default way of each type (LANGUAGE sections 9 and 12, D2). quiet: -q forms.
 * raw_size: 0, or text is printed as bytes, and a string as that many, zeroes after its end. */
void value_trace(struct fmt_ctx *ctx, const struct value *v, bool quiet, uint32_t raw_size);
/* A stack: a line for each frame, indented, after a newline that ends the line before. indent <
 * 0: as ctx says. */
void value_stack(struct fmt_ctx *ctx, const struct value *v, int indent);
/* How many frames a stack has, and the n-th one's name, 0 the innermost; escaped. */
int value_frames(const struct value *v);
/* Its address for looking up the line that it is at: within the call that it is in. */
uint64_t value_frame_place(const struct value *v, int n);
void value_frame_name(struct fmt_ctx *ctx, const struct value *v, int n, struct strbuf *out);
/* All of them in one line, the innermost first, joined by ";" as in a line of oformat=folded. */
void value_frame_line(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out);
/* The name without its offset: in a flame graph, frames of one function are one frame. */
void value_frame_function(struct fmt_ctx *ctx, const struct value *v, int n, struct strbuf *out);
/* The name of an address value (pointer, integer, T_SYMADDR, T_USYMADDR):
 * "vmlinux`vfs_read+0x1c", or "0x..."; not escaped. */
void value_symbol(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out);
/* An address of a process: "a.out`main+0x1c", with -x srclines followed by " file.c:12"; not
 * escaped. */
void value_user_address(struct fmt_ctx *ctx, pid_t pid, uint64_t addr, struct strbuf *out);
/* Text with C's escapes for what does not print, the backslash and the double quote. */
void text_escape(struct strbuf *out, const char *s, size_t len);
/* How a value's text is to be escaped. */
enum escape value_escape(const struct fmt_ctx *ctx, const struct value *v);
/* Escaping of memory that goes to out: what a terminal would take for commands, unless raw. */
enum escape fmt_escape(FILE *out, bool raw);
/* The columns of the terminal that a descriptor is; 0: it is none, or of unknown width. */
int fmt_columns(int fd);
/* The name of an enum's value; NULL when it has none. */
const char *value_enumerator(const struct value *v);

/* A newline and the rows of "             0  1  2 ..." for raw bytes, nothing for none; also
 * tracemem. */
void value_dump(struct fmt_ctx *ctx, const void *data, uint32_t size);
/* A key as a word of a line: without columns, the best name that there is, escaped. */
void value_word(struct fmt_ctx *ctx, const struct value *v, struct strbuf *out);
/* A key column of an aggregation in the default layout ("  %-50s", " %16lld", ...). */
void value_key(struct fmt_ctx *ctx, const struct value *v, int text_width);
/* The columns that value_key() takes with KEY_TEXT_WIDTH, and in *text the bytes of the value if it
 * is padded text, else -1. Returns -1 for a value that takes lines of its own. */
int value_key_columns(struct fmt_ctx *ctx, const struct value *v, int *text);

#endif
