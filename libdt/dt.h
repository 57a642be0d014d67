/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * libdt: compile D, trace, print.
 *
 *	struct dt *dt = dt_open();
 *	dt_setopt(dt, "quiet", NULL);
 *	if (dt_program(dt, DT_PROBE_NAME, "syscall::read:entry { @[execname] = count(); }",
 *		       NULL) < 0 ||
 *	    dt_go(dt, stdout) < 0)
 *		fprintf(stderr, "%s\n", dt_error(dt));
 *	else
 *		while (dt_work(dt, stdout) == DT_WORK_GOING)
 *			;
 *	dt_stop(dt, stdout);
 *	dt_close(dt);
 *
 * A handle belongs to one thread at a time; several handles may be in use in one process.
 * Functions that can fail return -1 (or NULL) and leave a message, one line or more without the
 * last newline, for dt_error().
 */
#ifndef DT_H
#define DT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define DT_VERSION "0.1.0"
/* The version of the D language. */
#define DT_LANGUAGE "2.0"

struct dt;

/** Creates a session; never NULL. Does not access the kernel. */
struct dt *dt_open(void);
/** Detaches all probes and frees the session. Kills children of dt_run() that still wait for
 * dt_go(). */
void dt_close(struct dt *dt);
/** The message of the last failure, "" when there was none. Valid until the next call on the
 * handle. */
const char *dt_error(const struct dt *dt);
/** Warnings since the last call: lines with newlines, "" for none. Valid until the next call on
 * the handle. */
const char *dt_warnings(struct dt *dt);
/**
 * dt_error(), and dt_warnings(), as dtrace writes them to stderr: whole lines, "dtrace: ..." or
 * what -x errfmt says. The warnings are those since the last call of either function.
 */
const char *dt_error_lines(struct dt *dt);
const char *dt_warning_lines(struct dt *dt);

enum dt_severity {
	DT_DEBUG,    /* -x debug */
	DT_NOTE,     /* information, for example that a process has ended */
	DT_WARNING,  /* an action failed, or symbols are not available */
	DT_DROP,     /* data was lost; these have a tag */
	DT_FAULT,    /* a run-time fault of a clause */
	DT_VERIFIER, /* -x verifierlog: lines, with newlines, as the kernel wrote them */
};
/**
 * Sets the receiver of a session's messages: fn is called for each, in the thread that called the
 * library. text is escaped, without "dtrace: " and newline; tag is NULL where there is none; both
 * are valid during the call only. With fn NULL, the default, messages are discarded.
 */
void dt_on_message(struct dt *dt,
		   void (*fn)(void *arg, enum dt_severity severity, const char *tag,
			      const char *text),
		   void *arg);
/**
 * Adds the source line and a caret to errors in a program (on), with terminal colours if colour is
 * set. Off by default.
 */
void dt_carets(struct dt *dt, bool on, bool colour);

/** Streams for dt_set_stream(). */
enum dt_stream {
	DT_STREAM_DUMP,	 /* -x dump and tree */
	DT_STREAM_ASIDE, /* what scripts print, where oformat is folded, csv, openmetrics or
			    prometheus */
	DT_STREAM_COUNT
};
/**
 * Sets the stream for output that does not belong to the out of dt_go() and dt_work(). out remains
 * the caller's and must live as long as the handle. With NULL, the default, that output is
 * discarded. Call it before dt_program().
 */
void dt_set_stream(struct dt *dt, enum dt_stream which, FILE *out);

/** Sets an option as -x does; value may be NULL. 0; -1: failed; -2: there is no such option. */
int dt_setopt(struct dt *dt, const char *name, const char *value);
/** Sets the options that the environment gives: DTRACE_OPT_name, DTRACE_DEBUG. */
int dt_environment(struct dt *dt);
/** A line for each option there is. */
void dt_options(FILE *out);
/**
 * Completion for shells: writes the possible continuations of text, the argument of an option.
 * option is x, P, m, f or n. A line is the whole argument, or its next field with a colon, and,
 * where there is one, a tab and a remark. Too many names are shortened to their common beginnings.
 * Names that a shell would have to quote are omitted. 0 or -1.
 */
int dt_complete(struct dt *dt, char option, const char *text, FILE *out);
/** The text of an option's value, for people ("1" or "0" of what is on or off); NULL: no such
 * option, or unset. */
const char *dt_getopt(struct dt *dt, const char *name);
/** $0, $1 ... for the programs compiled from here on. The strings are copied. */
void dt_macro_args(struct dt *dt, int argc, char *const *argv);

enum dt_program_kind {
	DT_PROBE_PROVIDER, /* -P */
	DT_PROBE_MODULE,   /* -m */
	DT_PROBE_FUNCTION, /* -f */
	DT_PROBE_NAME,	   /* -n */
	DT_PROBE_ID,	   /* -i */
	DT_SCRIPT,	   /* -s: a whole script */
};
/**
 * The text of a program that is compiled later in this session: the system calls that it names
 * are exact in the programs before it, too (-x compat). Optional.
 */
void dt_announce(struct dt *dt, const char *text);
/**
 * Compiles a program: text of D, or the argument of -n, -P, -m, -f or -i. name is the file's name
 * for messages (DT_SCRIPT only). Clauses are added in the order of the calls. Returns how many
 * probes its descriptions matched, or -1; the session cannot trace then.
 */
int dt_program(struct dt *dt, enum dt_program_kind kind, const char *text, const char *name);
/** Finishes compiling without loading anything (-e), with the errors that dt_go() would report;
 * accepts programs without clauses. 0 or -1. */
int dt_check(struct dt *dt);
/**
 * Tests clauses without a kernel and without rights. dt_test(), before the first dt_program(),
 * takes a table: its lines say which probes fire, with which arguments, and what the output must
 * be (dtrace(8), "Testing scripts"). text is the table, or a script that has it in a comment that
 * begins with @test; name is for messages. 0 or -1.
 */
int dt_test(struct dt *dt, const char *text, const char *name);
/**
 * Runs the test instead of dt_go(). 0 if the output is what the table expects, or the table
 * expects none: then it goes to out. 1 if it differs: it goes to out, and dt_error() has the first
 * line that does. -1: an error. The session can only be closed after it.
 */
int dt_test_run(struct dt *dt, FILE *out);
/** Lists the probes that the programs' descriptions match, or all probes when there are no
 * programs; verbose as -v. As text, or with oformat=json as objects. */
int dt_list(struct dt *dt, FILE *out, bool verbose);
/** Writes a type with its members: "struct list_head", "mod`struct x", "psinfo_t". 0 or -1. */
int dt_list_type(struct dt *dt, const char *name, FILE *out);
/** What dtrace -v says of the programs: their stability. */
int dt_stability(struct dt *dt, FILE *out);
/** The machine code of the programs (-S), with the lines of D. */
int dt_listing(struct dt *dt, FILE *out);

/** The C header for the providers that the programs declare (-h). */
int dt_header(struct dt *dt, FILE *out);
/** Writes the object file that programs with static probes, made of these objects and archives,
 * must be linked with (-G). */
int dt_link(struct dt *dt, char *const *objects, int n, const char *path);

/** Starts a command (split at blanks as by a simple shell: quotes, backslash), held until dt_go().
 * Returns its PID or -1. */
pid_t dt_run(struct dt *dt, const char *command);
/** Grabs a running process: $target, and tracing ends when all of them have ended. */
int dt_grab(struct dt *dt, pid_t pid);
/**
 * Waits until a process of that name (at most 15 characters) calls exec, and stops it before its
 * first instruction, until dt_go(); otherwise as dt_grab(). Returns its PID; 0 when a signal came;
 * or -1.
 */
pid_t dt_await(struct dt *dt, const char *name);

/**
 * Loads the programs, runs BEGIN and prints its records to out, attaches the probes, and resumes
 * the commands. Signals with enabled probes (SIGUSR1, SIGUSR2) are blocked in the calling thread
 * from here on, also after tracing has ended. 0 or -1.
 */
int dt_go(struct dt *dt, FILE *out);

/**
 * Sets the receiver of progress reports: what is "attaching" or "detaching", done the number of
 * functions so far. Called from dt_go(), dt_stop() and dt_close(), a few times a second. Nonzero
 * from fn ends attaching, and dt_go() then returns as if all probes were attached, without resuming
 * the commands. what is NULL (and the result is ignored) before the receiver of messages is
 * called, so that fn can erase a line of progress.
 */
void dt_on_progress(struct dt *dt, int (*fn)(void *arg, const char *what, int done, int of),
		    void *arg);

enum dt_work { DT_WORK_ERROR = -1, DT_WORK_GOING, DT_WORK_DONE };
/**
 * Waits for records, at most until the next rate is due, and prints them to out. DT_WORK_DONE when
 * exit() was called or all commands and grabbed processes have ended. A signal ends the wait:
 * DT_WORK_GOING.
 */
enum dt_work dt_work(struct dt *dt, FILE *out);
/** Detaches, runs END once, prints the remaining records and the aggregations. May be called in any
 * state, and repeatedly. */
int dt_stop(struct dt *dt, FILE *out);
/** The argument of exit(), or 0. */
int dt_status(const struct dt *dt);
/** How many records, keys and the like were lost so far, for callers that do not read the
 * messages. */
uint64_t dt_drops(const struct dt *dt);

/**
 * With -x oformat=openmetrics and prometheus, before dt_go(): the file that is replaced, as a
 * whole, by the metrics at each -x aggrate. The last metrics stay there. Without a file, and
 * without -x listen, dt_stop() prints them. Returns 0.
 */
int dt_metrics_file(struct dt *dt, const char *path);

/** One key of a row, for dt_aggregations(). */
struct dt_datum {
	enum { DT_INT, DT_STRING, DT_BYTES } kind;
	int64_t num;	  /* DT_INT */
	const void *data; /* DT_STRING: text; DT_BYTES */
	size_t size;
};
/**
 * Reads the aggregations from the kernel and calls fn for each row: name without @, keys, values (a
 * scalar, or the buckets). fn returns nonzero to stop.
 */
int dt_aggregations(struct dt *dt,
		    int (*fn)(void *arg, const char *name, const char *func,
			      const struct dt_datum *keys, int nkeys, const int64_t *values,
			      int nvalues),
		    void *arg);
/** Prints the version (-V), and with features those of the kernel that dt found (-Vv): as text, or
 * with oformat=json as an object. */
void dt_version(struct dt *dt, FILE *out, bool features);
/** Prints the kernel features that dt found, as text. */
void dt_features(struct dt *dt, FILE *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
