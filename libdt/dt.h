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
 * Programs that want values instead of text set a receiver of records (dt_on_event()) and read
 * aggregations (dt_aggregations()); both then need no out. Programs with a loop of their own wait
 * for dt_fd() and call dt_step() instead of dt_work(). libdt(3) has examples.
 *
 * A handle belongs to one thread at a time; different threads may use different handles at the
 * same time.
 *
 * Results: functions that can fail return -1 (or NULL) and leave a message, one line or more
 * without the last newline, for dt_error(). No function ends the process, except when memory is
 * exhausted. A handle may be NULL in the functions that end a session or look at it: dt_close(),
 * dt_stop(), dt_status(), dt_drops(), dt_error(), dt_warnings() and the like.
 *
 * Ownership: text and structures that a function returns or hands to a callback belong to the
 * library. They are valid for as long as the function says, "during the call" in a callback. What
 * is handed to a function is copied, except streams and the arg of callbacks. A callback must not
 * call functions of its handle, except dt_error(), dt_getopt() and dt_drops().
 *
 * Growth: the structures here are made by the library alone, and handed out by pointer. Later
 * versions add members at their ends; size is the size of the structure in the library that made
 * it. Enumerations get more values, so treat one that you do not know as you would no value.
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

/** Creates a session; never NULL. Does not access the kernel. dt_close() frees it. */
struct dt *dt_open(void);
/** Detaches all probes and frees the session. Kills children of dt_run() that still wait for
 * dt_go(). NULL is ignored. */
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

/** The probe of a record or fault. */
struct dt_probe {
	size_t size;
	uint32_t id;
	const char *provider, *module, *function, *name;
};

enum dt_severity {
	DT_MSG_DEBUG,	 /* -x debug */
	DT_MSG_NOTE,	 /* information, for example that dtrace waits for a process */
	DT_MSG_WARNING,	 /* an action failed, or there are no symbols; of the compiler: result */
	DT_MSG_DROP,	 /* data was lost; these have a tag */
	DT_MSG_FAULT,	 /* a run-time fault of a clause */
	DT_MSG_VERIFIER, /* -x verifierlog: lines, with newlines, as the kernel wrote them */
	DT_MSG_ERROR,	 /* a call failed; result */
	DT_MSG_PROCESS,	 /* a process of -c, -p or -W has ended */
	/* of attaching or detaching, a few times a second; at last count is of. While dt_work()
	 * takes long, too (count and of are 1), so that the receiver may call dt_interrupted() */
	DT_MSG_PROGRESS,
};

/** What was lost. */
enum dt_drop {
	DT_DROP_PRINCIPAL,		 /* records for which the buffer had no space */
	DT_DROP_AGGREGATION,		 /* keys for which an aggregation had no space */
	DT_DROP_DYNAMIC,		 /* variables for which there was no space */
	DT_DROP_NESTED,			 /* firings within other firings */
	DT_DROP_SPECULATION,		 /* records for which a speculation had no space */
	DT_DROP_SPECULATION_UNAVAILABLE, /* speculations that were not begun */
	DT_DROP_ERROR,			 /* faults in ERROR clauses */
	DT_DROP_OVERFLOW,		 /* totals of aggregations that left 64 bits */
	DT_DROP_OTHER,			 /* kinds that are newer than this list */
	DT_DROP_COUNT
};

/** A message of a session. */
struct dt_message {
	size_t size;
	enum dt_severity severity;
	bool result; /* dt_error() or dt_warnings() has it as well */
	/* as "D_SYNTAX" or "DTRACEDROP_PRINCIPAL"; DT_MSG_PROGRESS: "attaching", "detaching" or
	 * "tracing"; NULL: none */
	const char *tag;
	const char *text; /* escaped, without "dtrace: " and the last newline */
	/* its place in a program: file is NULL for text that is in no file; line 0: none */
	const char *file;
	int line, column, length;
	enum dt_drop drop; /* DT_MSG_DROP: what was lost, */
	int cpu;	   /* and where; -1: on no CPU in particular */
	/* DT_MSG_DROP: how much; DT_MSG_FAULT: further faults, in one line; DT_MSG_PROGRESS:
	 * functions so far, */
	uint64_t count;
	uint64_t of; /* and in all */
	/* DT_MSG_FAULT; NULL in others, and in a line that counts further faults */
	const struct dt_probe *probe;
	uint32_t clause; /* its number, from 1; 0: none */
	int fault;	 /* as arg4 of ERROR probes */
	uint64_t value;	 /* as arg5: the address, the index ... */
};

/**
 * Sets the receiver of a session's messages: fn is called for each, in the thread that called the
 * library; m is valid during the call. fn NULL, the default: messages are discarded, except those
 * that dt_error() and dt_warnings() have. May be called at any time.
 */
void dt_on_message(struct dt *dt, void (*fn)(void *arg, const struct dt_message *m), void *arg);
/**
 * Adds the source line and a caret to errors in a program and to the message of the first fault at
 * a place (on), with terminal colours if colour is set. Off by default.
 */
void dt_carets(struct dt *dt, bool on, bool colour);

/** Streams for dt_set_stream(). */
enum dt_stream {
	DT_STREAM_DUMP,	 /* -x dump and tree */
	DT_STREAM_ASIDE, /* what scripts print, where oformat is folded, svg, csv, openmetrics
			    or prometheus */
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
/** Sets the options that the environment gives: DTRACE_OPT_name, DTRACE_DEBUG. 0 or -1. */
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
 * option, or unset. Valid until the option is set again. */
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
 * probes its descriptions matched, or -1; the session cannot trace then. After dt_go(): -1, and
 * tracing goes on.
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
 * programs; verbose as -v. As text, or with oformat=json as objects. 0 or -1. */
int dt_list(struct dt *dt, FILE *out, bool verbose);
/** Writes a type with its members: "struct list_head", "mod`struct x", "psinfo_t". 0 or -1. */
int dt_list_type(struct dt *dt, const char *name, FILE *out);
/** What dtrace -v says of the programs: their stability. 0 or -1. */
int dt_stability(struct dt *dt, FILE *out);
/** The machine code of the programs (-S), with the lines of D. 0 or -1. */
int dt_listing(struct dt *dt, FILE *out);

/** The C header for the providers that the programs declare (-h). 0 or -1. */
int dt_header(struct dt *dt, FILE *out);
/** Writes the object file that programs with static probes, made of these objects and archives,
 * must be linked with (-G). 0 or -1. */
int dt_link(struct dt *dt, char *const *objects, int n, const char *path);

/** Starts a command (split at blanks as by a simple shell: quotes, backslash), held until dt_go().
 * Returns its PID or -1. */
pid_t dt_run(struct dt *dt, const char *command);
/** Grabs a running process: $target, and tracing ends when all of them have ended. 0 or -1. */
int dt_grab(struct dt *dt, pid_t pid);
/**
 * Waits until a process of that name (at most 15 characters) calls exec, and stops it before its
 * first instruction, until dt_go(); otherwise as dt_grab(). Returns its PID; 0 when a signal came;
 * or -1.
 */
pid_t dt_await(struct dt *dt, const char *name);

/**
 * Loads the programs, runs BEGIN and prints its records to out (NULL: nowhere), attaches the
 * probes, and resumes the commands. Signals with enabled probes (SIGUSR1, SIGUSR2) are blocked in
 * the calling thread from here on, also after tracing has ended. 0 or -1.
 */
int dt_go(struct dt *dt, FILE *out);

/** Results of dt_work() and dt_step(). */
enum dt_work { DT_WORK_ERROR = -1, DT_WORK_GOING, DT_WORK_DONE };
/**
 * Waits for records, at most until the next rate is due, and prints them to out (NULL: nowhere), or
 * hands them to the receiver of dt_on_event(). DT_WORK_DONE when exit() was called or all commands
 * and grabbed processes have ended: dt_stop() comes next. A signal ends the wait: DT_WORK_GOING.
 */
enum dt_work dt_work(struct dt *dt, FILE *out);
/**
 * For loops of the caller's own: a descriptor, for poll(), select() and epoll, that is readable
 * when dt_step() has something to do. It belongs to the handle; dt_close() closes it. The first
 * dt_step() must follow without waiting. Call it after dt_go(). -1: it cannot be made, or tracing
 * has not begun.
 */
int dt_fd(struct dt *dt);
/** As dt_work(), without waiting. */
enum dt_work dt_step(struct dt *dt, FILE *out);
/**
 * Completes what was printed to out as a document, before the caller opens another file for out
 * (between two calls of dt_work() or dt_step()). What is printed next begins a document: with its
 * head in formats that have one, and in JSON, XML and HTML with the line "start". 0 or -1.
 */
int dt_end_document(struct dt *dt, FILE *out);
/**
 * A signal ends tracing. Before dt_stop(): a recording of -x record has it, and text begins a new
 * line, as after a terminal's ^C. From the receiver of messages, while probes are attached: dt_go()
 * returns as if all of them were, without resuming the commands. From there while dt_work() takes
 * long: it returns soon, and symbols may be omitted; it is to be called again before dt_stop().
 */
void dt_interrupted(struct dt *dt);
/** Detaches, runs END once, prints the remaining records and the aggregations (with a receiver of
 * records, these are only read: dt_aggregations()). May be called in any state, repeatedly, and
 * with NULL. 0 or -1: the output failed. */
int dt_stop(struct dt *dt, FILE *out);
/** The argument of exit(), or 0. */
int dt_status(const struct dt *dt);
/** How many records, keys and the like were lost so far, for callers that do not read the
 * messages. */
uint64_t dt_drops(const struct dt *dt);
/** The same of one kind. */
uint64_t dt_drops_of(const struct dt *dt, enum dt_drop kind);

/**
 * With -x oformat=openmetrics and prometheus, before dt_go(): the file that is replaced, as a
 * whole, by the metrics at each -x aggrate. The last metrics stay there. Without a file, and
 * without -x listen, dt_stop() prints them. Returns 0.
 */
int dt_metrics_file(struct dt *dt, const char *path);

/**
 * Prints the recording of -x replay to out, by the options that are set, and where they are not by
 * those of its session. The handle has no programs, and nothing else may be done with it after that
 * but ask for its status and drops. 0; 1: the recording is damaged or ends early, and what is
 * intact was printed; -1: nothing was. dt_error() has the reason of both.
 */
int dt_replay(struct dt *dt, FILE *out);

/**
 * Detached sessions: probes that stay when the process ends, and are read later, by any process
 * with the same rights (dtrace(8), -A). dt_detach() comes before the first dt_program(); dt_go()
 * then attaches the probes, runs BEGIN and leaves all under this name, and the handle can only be
 * closed after it. What needs a process that runs is an error of dt_go(). 0 or -1.
 */
int dt_detach(struct dt *dt, const char *name);
/**
 * Prints what a detached session has recorded since the last call, by any process, and all that it
 * has counted, to out (NULL: nowhere), by the options that are set, and where they are not by those
 * of the session. dt_stop_detached() also detaches its probes, fires END and removes the session;
 * it removes sessions that cannot be read, too. The handle must be new, and can only be closed
 * after it, or asked for its status and drops. 0 or -1.
 */
int dt_read_detached(struct dt *dt, const char *name, FILE *out);
int dt_stop_detached(struct dt *dt, const char *name, FILE *out);
/** A line for each detached session, with its state. 0 or -1. */
int dt_list_detached(struct dt *dt, FILE *out);

/** Kinds of values. */
enum dt_kind {
	DT_KIND_NONE,	 /* no value */
	DT_KIND_INT,	 /* num; also enumerations, with their word in text */
	DT_KIND_POINTER, /* num */
	DT_KIND_FLOAT,	 /* real */
	DT_KIND_STRING,	 /* data: text, ends with a NUL that length does not count */
	DT_KIND_BYTES,	 /* data */
	DT_KIND_SYMBOL,	 /* an address: frames has one element */
	DT_KIND_STACK,	 /* frames, the innermost first */
	DT_KIND_STRUCT,	 /* parts: members; also unions */
	DT_KIND_ARRAY,	 /* parts: elements */
};

/** An address in the kernel or a process, and what is known of it. */
struct dt_frame {
	size_t size;
	uint64_t address;
	const char *symbol; /* the function; NULL: unknown */
	const char *object; /* the kernel module ("vmlinux") or the file; NULL: unknown */
	uint64_t offset;    /* of the address in the symbol, or if that is unknown in the object */
	const char *file;   /* of the source, with -x srclines; NULL: unknown */
	int line;
	const char *text; /* as dtrace prints it, "libc.so.6`malloc+0x1c", escaped */
};

/** A recorded value, or a key of an aggregation. */
struct dt_value {
	size_t size;
	enum dt_kind kind;
	bool is_signed;	  /* DT_KIND_INT */
	uint32_t bytes;	  /* the size of a number's type */
	int64_t num;	  /* without a sign, cast it to uint64_t */
	double real;	  /* DT_KIND_FLOAT */
	const void *data; /* DT_KIND_STRING, DT_KIND_BYTES */
	size_t length;	  /* of data */
	const char *name; /* the text of the expression, or the member's name; NULL: none */
	const char *type; /* "int", "struct timespec", "string" */
	const char *text; /* for people, escaped; of a stack a line for each frame; "" for parts */
	int pid;	  /* DT_KIND_SYMBOL, DT_KIND_STACK of a process: its id; 0: of the kernel */
	const struct dt_frame *const *frames;
	int nframes;
	const struct dt_value *const *parts;
	int nparts;
};

/** An aggregation. */
struct dt_aggregation {
	size_t size;
	const char *name;      /* without @; "_" for that without a name */
	const char *function;  /* "count", "lquantize" */
	bool is_distribution;  /* rows have buckets: quantize(), lquantize(), llquantize() */
	const int64_t *params; /* lquantize: low, high, step; llquantize: factor, low order, high
				  order, steps; none of the others */
	int nparams;
	int nkeys;
	int64_t normal; /* what normalize() divides by, or 1 */
	bool printed;	/* printa() has printed rows of it */
	/* -x maxcpu: rows are estimates, one of up to so many firings was counted; or 1 */
	uint32_t sampled;
};

/** Of a distribution: count values were from low to high, both included; INT64_MIN and INT64_MAX
 * are no bounds. (This structure does not grow.) */
struct dt_bucket {
	int64_t low, high, count;
};

/** A row of an aggregation. */
struct dt_row {
	size_t size;
	const struct dt_aggregation *aggregation;
	const struct dt_value *const *keys; /* aggregation->nkeys of them */
	int64_t value; /* the result, normalised: a number; of a distribution the count of values */
	const struct dt_bucket *buckets; /* those that are not empty, normalised, in order */
	int nbuckets;
	const int64_t *raw; /* what is kept: avg: count and sum; distributions: all buckets ... */
	int nraw;
};

/** An action of a record: a printf(), a trace(), a stack() ... */
struct dt_action {
	size_t size;
	const char *name; /* "trace" */
	const char *text; /* what it prints, "" for nothing; length bytes and a NUL */
	size_t length;
	const struct dt_value *const *values; /* arguments that were recorded */
	int nvalues;
	const struct dt_row *const *rows; /* printa(): what it prints, in that order */
	int nrows;
};

/** A record: what a firing of a clause has recorded. */
struct dt_event {
	size_t size;
	const struct dt_probe *probe;
	uint32_t clause; /* its number, in the order of the programs, from 1 */
	uint32_t cpu;
	uint64_t time;	      /* CLOCK_MONOTONIC, ns */
	uint64_t wall;	      /* the same as CLOCK_REALTIME, ns since 1970 */
	int pid, tid;	      /* as D's pid and tid; of the thread that the probe fired in */
	const char *execname; /* the thread's name */
	const struct dt_action *const *actions; /* in their order, those that were carried out */
	int nactions;
};

/**
 * Sets the receiver of records: fn is called for each in dt_go(), dt_work(), dt_step() and
 * dt_stop(), in the order of time, instead of printing it; e is valid during the call. Each record
 * then has its time, process and thread. Actions are carried out as always; freopen() has no
 * effect on events. Aggregations that no printa() prints are not printed at the end. Call it
 * before the first dt_program(), and not with dt_test(). 0; -1: too late, or fn is NULL.
 */
int dt_on_event(struct dt *dt, void (*fn)(void *arg, const struct dt_event *e), void *arg);

/**
 * Reads the aggregations from the kernel and calls fn for each row, in the order in which they
 * print (-x aggsortkey and the like); row is valid during the call. fn returns nonzero to stop.
 * Call it between dt_go() and dt_close(), also after dt_stop(). 0; -1: they cannot be read.
 */
int dt_aggregations(struct dt *dt, int (*fn)(void *arg, const struct dt_row *row), void *arg);
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
