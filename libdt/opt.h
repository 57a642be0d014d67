/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options (-x, #pragma D option, setopt, DTRACE_OPT_*): one row each in opt.c. */
#ifndef DT_OPT_H
#define DT_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum opt {
#define OPT(word, name, kind, class, dflt, help) OPT_##word,
#include "libdt/opt.def"
#undef OPT
	OPT_COUNT
};

enum { PERCENT = 1000 }; /* the unit of OPT_PERCENT */

enum opt_kind {
	OPT_BOOL,    /* bare, or yes/no/on/off/true/false/enable(d)/disable(d)/set/unset/1/0 */
	OPT_SIZE,    /* bytes; suffix k m g t */
	OPT_NUMBER,  /* plain integer */
	OPT_RATE,    /* kept as ns; suffix ns us ms s m h d hz, none = hz; 0 = every pass */
	OPT_TIME,    /* kept as ns; suffix ns us ms s m h d, required except after 0 */
	OPT_PERCENT, /* kept in thousandths of a percent; suffix %, or none */
	OPT_STRING,  /* text */
	OPT_WORD,    /* one of a set; checked by the row */
	OPT_LIST,    /* may be given many times: texts joined with newlines */
};
/*
 * When an option may change, and from where. The command line may always set it. FROM_COMMAND, for
 * a program that dtrace runs or its arguments: otherwise only the user's own environment, not under
 * sudo. FROM_USER, for a file that is read or written, or what changes a program's meaning: not a
 * program; the environment of the user whose privileges dtrace has. FROM_SCRIPT: as FROM_USER, and
 * programs.
 */
enum opt_class {
	OPT_COMPILE,
	OPT_RUN,
	OPT_DYNAMIC,
	OPT_WHEN = 0xf, /* the part of a class that is one of these */
	FROM_COMMAND = 0x10,
	FROM_USER = 0x20,
	FROM_SCRIPT = 0x40,
};

/* Where an option's value comes from. */
enum opt_from { OPT_FROM_COMMAND, OPT_FROM_PROGRAM, OPT_FROM_ENVIRONMENT };

struct opts {
	struct opt_value {
		int64_t num;
		char *text; /* owned; NULL when unset */
		bool set;   /* set explicitly: not the default */
	} v[OPT_COUNT];
	bool going;	    /* tracing: only dynamic ones may change */
	enum opt_from from; /* the setter */
	bool events;	    /* dt_on_event(): records have their time and process */
	bool detached;	    /* dt_detach(): records wait in the ring, and have their time */
};

void opts_init(struct opts *o);
void opts_free(struct opts *o);
/*
 * Sets name to value (NULL: bare). 0, or -ENOENT (no such option), -EINVAL (bad value), -EBUSY
 * (cannot change now), -EOVERFLOW, -EPERM (not from within a program). why, when not NULL, gets a
 * sentence in the words of other DTrace implementations.
 */
int opts_set(struct opts *o, const char *name, const char *value, char *why, size_t why_size);
/*
 * Whether setopt() may set name to value while tracing goes on; has_value: the value is known
 * too. Sets nothing. As opts_set().
 */
int opt_check(const char *name, const char *value, bool has_value, char *why, size_t why_size);
/*
 * DTRACE_OPT_<name> of the environment; 0 or as opts_set(). ignored, when not NULL, is called
 * with each variable that is not allowed to set its option.
 */
int opts_environment(struct opts *o, void (*ignored)(void *arg, const char *name), void *arg,
		     char *why, size_t why_size);
int64_t opt_num(const struct opts *o, enum opt which);
bool opt_on(const struct opts *o, enum opt which);
/* As it was given, "1" or "0" for OPT_BOOL, lists with newlines; NULL when unset. */
const char *opt_text(const struct opts *o, enum opt which);
/* -x cpu: "2" or "0-3,8". The number of ranges, at most CPU_RANGES, or -EINVAL. */
enum { CPU_RANGES = 32 };
struct cpu_range {
	int first, last;
};
int opt_cpus(const char *text, struct cpu_range *ranges);
/* enum opt by name, or -ENOENT. */
int opt_find(const char *name);
const char *opt_name(enum opt which);
enum opt_kind opt_kind(enum opt which);
/* Whether the option was set, to another value than its default. */
bool opt_changed(const struct opts *o, enum opt which);
/* A line for each. */
void opts_help(FILE *out);
/* What the text of an option, "errf" or "errfmt=j", may go on as: lines, each with a tab and the
 * help. */
void opts_complete(FILE *out, const char *text);

#endif
