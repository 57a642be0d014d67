/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handle: the modules' own structures, and what the phases hand to each other. */
#ifndef DT_SESSION_H
#define DT_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libdt/base/diag.h"
#include "libdt/base/hash.h"
#include "libdt/base/kernel_layout.h"
#include "libdt/dt.h"
#include "libdt/opt.h"

struct aggrs;
struct budget;
struct cgroups;
struct consume;
struct ctl;
struct detach;
struct events;
struct expose;
struct fault_order;
struct faults;
struct feats;
struct foreign;
struct input;
struct late_attach;
struct loop;
struct lost;
struct messages;
struct pidns;
struct plan;
struct poller;
struct probes;
struct procs;
struct program_set;
struct reader;
struct record;
struct replay;
struct ring;
struct script_test;
struct sema;
struct syms;
struct syms_of_script;
struct totals_commit;
struct types;
struct unwinder;
struct usyms;

struct dt {
	struct arena *arena;
	struct diag diag;
	struct opts opts;
	struct messages *messages;
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
	struct input *input;
	struct syms_of_script *script;
	struct sema *sema;
	struct plan *plan;

	/* The engine. */
	struct program_set *set; /* what the plan has made */
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
	struct lost *lost;

	struct loop *loop;
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
struct ctl *session_ctl(struct dt *dt);
/* out, or a stream that discards what is written to it when out is NULL; NULL: no such stream can
 * be opened. */
FILE *session_output(struct dt *dt, FILE *out);
/* Makes the consumer, which prints to out. 0 or -1. */
int session_make_consumer(struct dt *dt, FILE *out);

/* script_test.c */
void script_test_free(struct dt *dt);
/* replay.c */
void replay_free(struct dt *dt);

#endif
