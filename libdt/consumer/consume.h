/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer: records of the ring to output. */
#ifndef DT_CONSUME_H
#define DT_CONSUME_H

#include <stdio.h>

#include "libdt/base/hash.h"
#include "libdt/consumer/aggr.h"
#include "libdt/consumer/capture.h"
#include "libdt/consumer/flame.h"
#include "libdt/consumer/flowindent.h"
#include "libdt/consumer/fmt.h"
#include "libdt/consumer/bufpolicy.h"
#include "libdt/consumer/recorder.h"
#include "libdt/consumer/writer.h"
#include "libdt/consumer/spec.h"
#include "libdt/consumer/temporal.h"
#include "libdt/image/schema.h"
#include "libdt/opt.h"

/* -x oformat */
enum oformat {
	OFORMAT_TEXT,
	OFORMAT_JSON,	  /* out keeps aside what actions print; the lines go to sink */
	OFORMAT_XML,	  /* the same */
	OFORMAT_HTML,	  /* the same: JSON in a page */
	OFORMAT_PERFETTO, /* the same; see timeline.h */
	OFORMAT_FOLDED,	  /* aggregations by stacks go to sink, all else to stderr */
	OFORMAT_CSV,	  /* aggregations go to sink, all else to stderr */
	OFORMAT_SVG,	  /* flame graphs of the same go to sink at its end, all else to stderr */
	OFORMAT_METRICS,  /* pages of expose.c; all else goes to stderr */
	OFORMAT_EVENTS,	  /* struct consume_events; out keeps aside what actions print */
};

/* What output went to, in a form that has more than lines. */
struct consume_file {
	bool begun;	       /* it has a line, and no foot */
	struct strbuf columns; /* with csv: the head of its last table */
	struct hash names;     /* with perfetto: those that it has of tracks */
	struct flame *flame;   /* with svg: what its picture has so far; NULL: nothing */
};

/* What gets records instead of a file: dt_on_event(). */
struct consume_events {
	void (*begin)(void *arg, const struct rec_header *h);
	/* An action was carried out; len bytes of text are what it printed. */
	void (*action)(void *arg, const struct act *act, const uint8_t *data, const char *text,
		       size_t len);
	void (*end)(void *arg);
};

struct consume {
	FILE *out, *err;
	FILE *sink; /* where output goes in the end; with OFORMAT_TEXT that of out, too */
	struct last_byte *last; /* out, where the end of text depends on it; else NULL */
	enum oformat oformat;
	struct writer writer;	   /* with json, xml and perfetto: the line at hand */
	struct timeline *timeline; /* with perfetto; else NULL */
	struct strbuf base;	   /* folded stacks that a flame graph is compared with */
	struct strbuf start;	   /* the first line, and others that a document needs */
	struct strbuf again;	   /* what the next document begins with; empty: its lines */
	struct hash files; /* what sink was so far: device and inode -> struct consume_file */
	struct consume_file *file; /* what it is now */
	char *aside;
	size_t aside_len;
	struct strbuf notes;  /* messages reported while that line was made */
	const uint64_t *wall; /* what to add to CLOCK_MONOTONIC to get the time of day */
	struct opts *opts;
	struct fmt_ctx fmt;
	struct aggrs *aggrs;
	const struct schema *schema;
	struct flows flows;    /* of -F */
	struct strbuf waiting; /* -F: the record of a return, until the next one is there */
	bool more;	       /* another record of its firing follows the one that is printed */
	bool header;	       /* the column header was printed */
	bool ended_line;       /* what the record printed last ended its line */
	uint64_t time;	       /* of the record at hand */
	struct specs *specs;
	struct capture *capture;   /* NULL: no packet yet */
	int error_probe;	   /* ERROR's number, plus one; 0: not known yet, -1: it has none */
	struct temporal *temporal; /* NULL: the order of the ring is the order of the output */
	/* what waits for the end of tracing; NULL where records are printed as they come */
	struct bufpolicy *hold;
	struct recorder *recorder; /* -x record; NULL: nothing is recorded */
	bool exited;		   /* exit() was met */
	int status;
	int error;	/* -errno of the output */
	bool replay;	/* a recording is printed: nothing else is done to the world */
	uint64_t ended; /* when tracing ended; 0: now */
	int first_out;	/* descriptor of what out was before freopen(); -1: it still is */
	/* Called for a process that user addresses are of; may be NULL. */
	void (*on_process)(void *arg, pid_t pid);
	void *on_process_arg;
	/* Called for an error record: runs the ERROR probes. */
	void (*on_error)(void *arg, const struct rec_header *h, const struct rec_error *e);
	void *on_error_arg;
	const struct consume_events *events; /* with OFORMAT_EVENTS */
	void *events_arg;
	void (*on_warning)(void *arg, const char *text); /* see consume_warn() */
	void *on_warning_arg;
};

/* What a fault is called in messages. */
const char *fault_text(enum fault f);

void consume_init(struct consume *c, FILE *out, FILE *err, struct opts *opts, struct types *types,
		  struct aggrs *aggrs);
void consume_free(struct consume *c);
/* Records go to events from now on. 0 or -1 with errno. */
int consume_to_events(struct consume *c, const struct consume_events *events, void *arg);
/* Is what actions print kept aside, for lines that programs read or for events? */
static inline bool consume_keeps_aside(const struct consume *c)
{
	return c->writer.form || c->events;
}
/* Output goes there from now on. */
void consume_output(struct consume *c, FILE *out);
/* Takes over what dynamic options say, at the start and after setopt(). */
void consume_options(struct consume *c);
/* A time of D's timestamp as a date: 2026-11-21T11:07:00.123456789Z; "" before the clock is
 * known. */
void consume_date(const struct consume *c, uint64_t ns, char text[WRITER_DATE]);
/* consume_csv.c: printa() and aggregations at exit as tables. 0 or -errno. */
int consume_csv(struct consume *c, struct aggr *const *ags, int n);
/* Reads the stacks of -x flamebase, before anything is printed. 0, or -1 and why not. */
int consume_read_base(struct consume *c, struct strbuf *why);
/* The picture of the file: what it gets until it is closed. */
struct flame *consume_flame(struct consume *c);
/* Has each thing that is printed its time? Also what is recorded, which may be printed so. */
bool consume_timed(const struct opts *opts);
/* Are aggregations metrics (OFORMAT_METRICS)? */
bool consume_metrics(const struct opts *opts);
/* -x oformat of a session. */
enum oformat consume_oformat(const struct opts *opts);
/* A warning, to on_warning and to output that programs read; text of %s is escaped. */
void consume_warn(struct consume *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The thread of a record; NULL when its clause does not record it. */
const struct rec_thread *rec_thread(const struct consume *c, const struct rec_header *h);
/* Its process; NULL in the same case. */
const struct rec_process *rec_process(const struct consume *c, const struct rec_header *h);
/* A recorded value. */
struct value rec_value(const struct rec *rec, const uint8_t *data);
/* printa(), and aggregations at exit: by a format (or NULL), in the form that the options want. 0
 * or -errno. */
int consume_print_aggs(struct consume *c, const struct fmt *f, struct aggr *const *ags, int n);
/* What sink's descriptor is was changed: its state is looked up. */
void consume_file_changed(struct consume *c);
/* Nothing of what was written to it is there any more. */
void consume_file_emptied(struct consume *c);
/* Output goes again where it went before freopen(). */
void consume_restore(struct consume *c);
/* Has ERROR clauses; is the probe of this number ERROR? */
bool consume_fires_error(struct consume *c);
bool consume_is_error(struct consume *c, uint32_t probe);
/* One record; for ring_drain. Nonzero ends the draining: an error of the output. */
int consume_record(void *arg, const void *data, size_t size);
/* Prints a record (not one of those with a REC_ number) now: arg is the consumer. As
 * consume_record(). */
int consume_print_record(void *arg, const void *data, size_t size);
/* The last one, if it waited for the next, which does not come now. */
int consume_print_waiting(struct consume *c);
/* From now on records are sorted by their times: each has one. early as in temporal_new(). */
void consume_ordered(struct consume *c, bool early);
/*
 * Before the ring is read: the time (CLOCK_MONOTONIC, ns), and then the position up to which it
 * has records. Afterwards: up to where it was read; prints the records whose turn has come. 0;
 * -errno; or 1: the records of ERROR, which has fired, have to be read before others are printed.
 */
void consume_drain_begin(struct consume *c, uint64_t now, unsigned long produced);
int consume_drain_end(struct consume *c, unsigned long consumed);
/* A drop, with its tag, or another message, with one of these as its tag, for programs to read: as
 * of a time, among the records. The tag is not copied. */
#define REPORT_FAILURE "failure"
#define REPORT_NOTE "note"
#define REPORT_PROCESS "process"
#define REPORT_WARNING "warning"
void consume_report(struct consume *c, uint64_t time, const char *tag, uint64_t n, int cpu,
		    const char *message);
/* Prints all records that wait for their turn. As consume_drain_end(). */
int consume_drain_all(struct consume *c);
/* Likewise where ERROR does not fire, or its records have been read, as of a recording. 0 or
 * -errno. */
int consume_drain_rest(struct consume *c);
/* The time at which the oldest of them can be printed; 0: there is none. */
uint64_t consume_due(const struct consume *c);
/* Up to where the ring has records, and has been read: what has come of speculations that ended
 * before is forgotten. */
void consume_retire(struct consume *c, unsigned long produced, unsigned long consumed);
/* The end of a speculation that no record of the ring is about; as consume_spec_end(). */
int consume_left_end(struct consume *c, uint32_t tag, bool commit, uint64_t time);
/* Tracing has ended: what was kept until now is printed, and what comes from here on at once. */
int consume_release(struct consume *c);
/* What was printed so far goes out, before others write there. */
void consume_flush(struct consume *c);
/* After all text, before aggregations that nothing has printed: an empty line. Of a quiet script
 * into a pipe only if something follows; a line that has no end gets one. */
void consume_end_text(struct consume *c);
/* commit() or discard() at this time: what was held back is printed, as of that time, or
 * forgotten. */
int consume_spec_end(struct consume *c, uint32_t tag, bool commit, uint64_t time);
/* aggr_sample(), which is recorded. */
void consume_sampled(struct consume *c, struct aggr *ag, uint32_t of);
/* Aggregations as they were at the time of the record at hand, at the least. */
int consume_snapshot(struct consume *c);
/* Aggregations that no printa() has printed, at the end. */
int consume_aggregations(struct consume *c);
/* Has the names of their keys recorded, if a recording is written. */
int consume_look_up_aggregations(struct consume *c);
/* Warns of keys that -x aggexpire has removed. */
void consume_expired(struct consume *c);
/* Sorting as the options say now. */
struct aggr_sort consume_sort(const struct consume *c);

/* consume_write.c: lines for programs to read. */
static inline bool consume_writes(const struct consume *c)
{
	return c->writer.form;
}

void consume_write_begin(struct consume *c, const struct rec_header *h);
/* The first line of a stream, as of a time: begun with its schema, to be ended by the other. */
struct writer *consume_write_start(struct consume *c, uint64_t ns);
int consume_write_start_end(struct consume *c);
int consume_write_action(struct consume *c, const struct act *act, const uint8_t *data);
void consume_write_end(struct consume *c);
/* What consume_warn() has reported since the last record; consume_write_end() does it, too. */
void consume_write_warnings(struct consume *c);
/* The one value of an action that says more than its type does: its object, with the
 * expression's text as its name. */
void consume_value_begin(struct writer *w, const struct rec *rec);
void consume_value_end(struct writer *w);
/* What stands in an action's object: its message and values; and of printa(), its message and
 * aggregations. */
int consume_write_act(struct consume *c, const struct act *act, const uint8_t *data,
		      struct writer *w);
int consume_write_aggregations(struct consume *c, const struct fmt *f, struct aggr *const *ags,
			       int n, struct writer *w);
/* The last lines: aggregations and the exit status. */
int consume_write_exit(struct consume *c, uint64_t drops);
/* A line that is made already. 0 or -errno. */
int consume_write_line(struct consume *c, const char *text);
/* The first line, as consume_write_start() and _end() have made it for another consumer in either
 * form; nothing in a form that has none. */
int consume_write_preamble(struct consume *c, const char *json, const char *xml);
/* Ends what has been written to sink, where the form has documents. */
void consume_write_close(struct consume *c);
/* Likewise while tracing goes on, before sink becomes another file. */
void consume_write_pause(struct consume *c);
/* Also makes the document that comes next begin with the first line again. 0 or -errno. */
int consume_write_next(struct consume *c);
/* The end of the output of a consumer without a kernel: reports expired keys, prints with err 0
 * what waits and the exit record, and writes everything out. err, 0 or -errno. */
int consume_finish(struct consume *c, uint64_t drops, int err);
/* Aggregations by their numbers. */
static inline struct aggr *consume_agg(const struct consume *c, uint32_t number)
{
	return c->aggrs->v.v[number];
}

/* What is reported on stderr too, at this time. cpu < 0: of none in particular. */
void consume_write_drop(struct consume *c, uint64_t time, const char *tag, uint64_t n, int cpu,
			const char *message);
void consume_write_fault(struct consume *c, const struct rec_header *h, const struct rec_error *e,
			 struct loc loc, const char *message);
/* Lines of text, an object each. */
void consume_write_note(struct consume *c, uint64_t time, const char *type, const char *text);

#endif
