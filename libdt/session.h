/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handle: the modules' own structures, and what the phases hand to each other. */
#ifndef DT_SESSION_H
#define DT_SESSION_H

#include "libdt/base/kernel_layout.h"
#include "libdt/consumer/aggr.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/consumer/consume.h"
#include "libdt/detach/detach.h"
#include "libdt/dt.h"
#include "libdt/expose.h"
#include "libdt/lang/sema.h"
#include "libdt/late_probe.h"
#include "libdt/plan/plan.h"
#include "libdt/process/proc.h"
#include "libdt/engine/programs.h"
#include "libdt/engine/unwind.h"
#include "libdt/totals.h"
#include "libdt/process/foreign.h"
#include "libdt/process/proc_maps.h"
#include "libdt/symbols/usym.h"

/* The programs of a session while they are compiled (compile.c, match.c, macro.c, advise.c). */
struct input {
	int argc; /* of dt_macro_args() */
	char **argv;
	char *arg_used;			    /* which of them a program has */
	VEC(const struct source *) sources; /* what dt_program() was given, as it is compiled */
	struct strbuf texts;		    /* of all programs, without their comments */
	/* programs that stable providers have put in front of clauses, by their texts */
	struct hash before;
	bool uses_target;		/* a program has $target */
	bool prepared;			/* they have become a plan */
	bool broken;			/* one did not compile */
	bool advised_cgroup;		/* what -x cgroup does not limit was said */
	const char *unavailable_reason; /* why a description could match nothing, for listings */
	const char *widened; /* calls that -x compat=auto widens, for the notice; NULL: none */
	/* Of the program at hand: */
	struct parse *program;
	bool parsing;	       /* an error is one of its syntax */
	struct compat *compat; /* NULL: its names are exact */
	int errors;
	struct node *rest; /* its items after the clause that is analysed */
	/* of the clause that is added: the description that is matched, NULL when all are */
	struct node *matching;
	/* its clauses that wait for the analysis of others */
	VEC(struct clause *) deferred;
};

/* What is reported, and its receivers (message.c, report.c). */
struct messages {
	void (*receive)(void *arg, const struct dt_message *m);
	void *receive_arg;
	uint64_t watched_ns; /* when progress was reported last */
	struct strbuf error, error_lines, warnings;
	int warnings_sent;   /* of diag.warnings: the receiver has them */
	bool carets, colour; /* errors have the line of source */
	int columns;	     /* of the terminal that gets errors; 0: no limit */
};

/* What is done at rates (loop.c). */
struct loop {
	uint64_t last_aggr, last_status, last_read; /* ns, CLOCK_MONOTONIC */
	int64_t aggr_every;	   /* ns between two reads of aggregations, as they fill */
	bool stop_seen, quiet_end; /* a clause has ended tracing; the reader of the output has */
	bool interrupted;	   /* dt_interrupted() */
};

/* Losses that were reported (drops.c). */
struct lost {
	uint64_t total, of[DT_DROP_COUNT];
	uint64_t misses; /* firings that the kernel left out, not reported yet */
};

struct dt {
	struct arena *arena;
	struct diag diag;
	struct opts opts;
	struct messages messages;
	uint64_t opened_ns, started_ns;
	bool going, stopped;
	FILE *streams[DT_STREAM_COUNT]; /* of dt_set_stream() */
	FILE *nowhere;			/* what stands for streams that are NULL */

	/* The compiler. NULL until something is compiled or listed: */
	struct types *types;
	struct kernel_layout layout; /* of these */
	struct probes *probes;
	struct foreign *foreign;
	struct feats *feats;
	struct input input;
	struct syms_of_script script;
	struct sema sema;
	struct plan plan;

	/* The engine. */
	struct program_set set; /* what the plan has made */
	struct ring *ring;
	struct unwinder *unwinder;
	struct procs *procs;
	struct pidns *pidns;	  /* NULL: numbers of processes are the kernel's */
	struct late_attach *late; /* late_attach.c; NULL: files and exits do not matter */
	int signals;		  /* engine/signals.h */

	/* The consumer. */
	struct consume *consume;
	struct aggrs *aggrs;
	const struct totals_commit *commit; /* totals.h; NULL: this process is not killed */
	struct syms *syms;
	struct usyms *usyms;
	struct cgroups *cgroups;
	struct faults *faults;		 /* fault.c; NULL: there was none */
	struct fault_order *fault_order; /* fault_order.c; NULL: ERROR has not fired */
	struct events *events;		 /* event.c; NULL: no receiver of records */
	struct hash type_names;		 /* of values: type -> its text (event_value.c) */
	struct lost lost;

	struct loop loop;
	struct poller *poller;	  /* of dt_fd() */
	struct budget *budget;	  /* budget.h; NULL: no limit */
	struct expose *expose;	  /* expose.c; NULL: nothing is exposed */
	struct record *record;	  /* record.c; NULL: nothing is recorded */
	struct replay *replay;	  /* replay.c; NULL: no recording is printed */
	struct detach *detach;	  /* detach/leave.c; NULL: it ends with its process */
	struct reader *reader;	  /* detach/reader.c; NULL: it reads no detached session */
	struct script_test *test; /* script_test.c; NULL: a kernel runs programs */
};

/* report.c. A call fails: sets the message of dt_error() and sends it. Returns -1. */
int dt_fail(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same from the diagnostic that ended a compilation. */
void report_caught(struct dt *dt);
/* Reports the compiler's new warnings as messages, too. */
void report_warnings(struct dt *dt);
/* With -x debug: a message with the time since dt_open(). */
void dt_debug(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Something that the user should know. Text of %s is escaped, as in all messages. */
void dt_note(struct dt *dt, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* message.c: reports a message, of which text is complete and escaped: to the receiver, to a
 * recording and to output that programs read. */
void message(struct dt *dt, enum dt_severity severity, const char *text);
/* The same with other members; size is filled in. */
void message_send(struct dt *dt, const struct dt_message *m);
/* To the receiver alone, for the others have it already: of a place in a program, or nowhere. */
void message_receive(struct dt *dt, struct dt_message m, struct loc loc);
/* A probe as the API has it; valid as long as p. */
struct dt_probe message_probe(const struct probe_desc *p);
/* The consumer's on_warning. */
void message_warning(void *dt, const char *text);
/* The memory that programs and dtrace share; NULL before its map is created. */
struct ctl *dt_ctl(struct dt *dt);
/* Reports the progress of attaching and detaching: a struct programs_watch's function. */
bool dt_watch(void *arg, const char *what, int done, int of);
/* out, or a stream that discards what is written to it when out is NULL; NULL: no such stream can
 * be opened. */
FILE *dt_output(struct dt *dt, FILE *out);
/* Makes the consumer, which prints to out. 0 or -1. */
int dt_make_consumer(struct dt *dt, FILE *out);
/* What changes outside of the programs and they read: the time of day, and what is going on. */
void dt_set_clocks(struct dt *dt);
/* Makes the unwinding tables of processes that were met, while no records come; true: some are left
 * (start.c). */
bool dt_make_tables(struct dt *dt);
/* Prints what the ring has. As ring_drain(). */
int dt_drain_all(struct dt *dt, FILE *out);

/* Reports what programs have dropped since the last call, and totals that left 64 bits. */
void dt_report_drops(struct dt *dt);
void dt_report_wrapped(struct dt *dt);

/* start.c. With -x srclines: the consumer has source lines. */
void dt_report_lines(struct dt *dt);

/* schema_rows.c. The functions of struct schema_file. */
bool schema_action(struct act *act);
const struct aggfunc *schema_aggfunc(const char *name);

/* macro.c. The text of a macro variable; as struct parse's macro_arg, with the session. */
const char *macro_text(void *dt, const char *name);

/* late_attach.c. Before probes fire: begins to record mmap events, for files that are mapped during
 * tracing, and for processes that have exited when their addresses are symbolised. */
void late_attach_watch(struct dt *dt);
/* What came since the descriptions were looked at; what has come since the last call. */
void late_attach_find(struct dt *dt);
void late_attach_run(struct dt *dt);
/* What becomes readable when it has something to do; -1: nothing. */
int late_attach_fd(const struct dt *dt);
/* Do commands wait for late_attach_run() when they load libraries? */
bool late_attach_stops(const struct dt *dt);
void late_attach_free(struct dt *dt);

/* script_test.c */
void script_test_free(struct dt *dt);

/* record.c. With -x record, when the consumer is there: begins to record; silent: nothing is
 * printed. 0 or -1. */
int record_start(struct dt *dt, bool silent);
/* The first line of json or xml that is recorded; NULL: there is no recording. */
const char *record_preamble(const struct dt *dt, bool xml);
/* Does the session print nothing, because it is recorded? */
bool record_silent(const struct dt *dt);
/* What is recorded besides what the consumer gets; nothing without a recording: */
void record_message(struct dt *dt, const struct dt_message *m);
void record_wall(struct dt *dt);
/* a warning to consume_warn() that the consumer does not come to by itself; */
void record_warning(struct dt *dt, const char *text);
/* what fault_met() reports, text NULL: nothing; */
void record_fault(struct dt *dt, const char *text, struct loc loc, bool reported);
/* a signal ends tracing; */
void record_interrupt(struct dt *dt);
/* aggregations are about to be printed, after an empty line in text. */
void record_final(struct dt *dt, bool line);
/* Writes what was recorded. 0, or -1 where that has failed. */
int record_flush(struct dt *dt);
/* Ends the recording. The same. */
int record_end(struct dt *dt);
void record_free(struct dt *dt);

/* replay.c */
void replay_free(struct dt *dt);

/* fault.c. A fault of a clause: reports it and fires the ERROR probes. The consumer's on_error. */
void fault_met(void *dt, const struct rec_header *h, const struct rec_error *e);
/* Reports a fault at a place, and counts it. */
void fault_report(struct dt *dt, const struct rec_header *h, const struct rec_error *e,
		  const struct probe_desc *p, struct loc loc);
/* Reports the number of faults that no message was about: of those whose last line is a second old,
 * or of all. */
void fault_report_more(struct dt *dt, bool all);
void fault_free(struct dt *dt);
/* fault_order.c. One record, for ring_drain(): it is printed now, or after those of ERROR. */
int fault_order_record(void *dt, const void *data, size_t size);
/* Prints what waited for records that have been read, or all. How many, or -errno. */
int fault_order_release(struct dt *dt, bool all);
/* ERROR has fired for a fault of this time (ns). */
void fault_order_fired(struct dt *dt, uint64_t time);
void fault_order_free(struct dt *dt);

/* advise.c. Hints and notices on what the programs name: */
/* adds a program's text, without its comments, to those whose words count against widening; */
void advise_upcoming(struct dt *dt, const char *text);
/* what dt->input.compat has widened is to be said; */
void advise_widened(struct dt *dt);
/* when all programs are compiled: warns of what is seen otherwise than it may be meant, and of
 * what never fires. */
void advise(struct dt *dt);

/* match.c. Fills c->probes from the descriptions of c->node: sorted by id, each once.
 * default_field: the field that a description of one word names, 0 to 3 (provider to name), or
 * MATCH_IDS for identifiers (-i). Dies with a diagnostic. */
#define MATCH_IDS 4
void match_descriptions(struct dt *dt, struct clause *c, int default_field);
/* One of its descriptions. */
void match_description(struct dt *dt, struct clause *c, struct node *n, int default_field);

#endif
