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

/* The memory that programs and dtrace share; NULL before its map is created. */
struct ctl *dt_ctl(struct dt *dt);
/* out, or a stream that discards what is written to it when out is NULL; NULL: no such stream can
 * be opened. */
FILE *dt_output(struct dt *dt, FILE *out);
/* Makes the consumer, which prints to out. 0 or -1. */
int dt_make_consumer(struct dt *dt, FILE *out);

/* script_test.c */
void script_test_free(struct dt *dt);
/* replay.c */
void replay_free(struct dt *dt);

#endif
