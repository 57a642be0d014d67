/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of dtrace(8): what its arguments say, and how it ends with an error. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "libdt/base/mem.h"
#include "libdt/dt.h"

enum { STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* One of -P -m -f -n -i -s. */
struct job {
	enum dt_program_kind kind;
	const char *arg;
	char *text; /* of a script, or what a word of -l stands for; owned */
	bool word;  /* of -l */
	bool tool;  /* of -x tool=: arg is its name, then its script */
	int matched;
};

/* The file of -o is replaced while tracing goes on (rotate.h). */
struct rotation {
	int64_t size, every_ns; /* when; 0: not by this */
	int64_t began_ns;	/* when the file was begun */
	int64_t keep;		/* renamed files */
};

struct cmd {
	struct dt *dt;
	FILE *out;
	const char *out_name;
	struct rotation rotation;
	VEC(struct job) jobs;
	VEC(const char *) commands, pids, names;
	VEC(char *) args; /* $0 $1 ... */
	char mode;	  /* 0, or one of the options that say what to do: a A G h l V */
	bool compile_only, listing, verbose;
	const char *test; /* of -x test: the file of the table, "" for the script's own; or NULL */
	bool failed;	  /* the output */
};

/* Ends with a message and STATUS_ERROR, or STATUS_USAGE. */
_Noreturn void cmd_fail(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void cmd_fail_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Ends with dt_error(). */
_Noreturn void cmd_fail_dt(struct cmd *cmd);
/* The same, and a line with a hint unless that is NULL, which is freed. */
_Noreturn void cmd_fail_hint(struct cmd *cmd, char *hint);
/* Likewise while something is attached: what ends with us unclosed the kernel detaches one by one,
 * dt_close() all together. */
_Noreturn void cmd_fail_attached(struct cmd *cmd);
void cmd_print_warnings(struct cmd *cmd);
/* Is a boolean option on? */
bool cmd_option_on(struct cmd *cmd, const char *name);
/* Sets an option, or ends with an error. */
void cmd_set_option(struct cmd *cmd, const char *name, const char *value);
/* Is the format of the output text? Other formats have nothing else in it. */
bool cmd_prints_text(struct cmd *cmd);
/* A page or picture is a file of its own: an older one goes. When nothing but libdt can fail any
 * more. */
void cmd_begin_document(struct cmd *cmd);
/* After an error of the output: what is still printed is lost, but END runs, and commands. */
void cmd_lose_output(struct cmd *cmd);
/* Flushes the output. False when that failed, which is reported, or when the reader closed the
 * pipe. */
bool cmd_flush(struct cmd *cmd);
/* The end of a mode without a loop, whose call of libdt returned rc: flushes, prints dt_error().
 * The exit status. */
int cmd_finish(struct cmd *cmd, int rc);

#endif
