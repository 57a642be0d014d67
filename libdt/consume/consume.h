/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer: records of the ring to output. */
#ifndef DT_CONSUME_H
#define DT_CONSUME_H

#include <stdio.h>

#include "libdt/consume/aggr.h"
#include "libdt/consume/fmt.h"
#include "libdt/consume/spec.h"
#include "libdt/lang/clause.h"
#include "libdt/opt.h"

struct consume {
	FILE *out, *err;
	struct opts *opts;
	struct fmt_ctx fmt;
	struct aggrs *aggrs;
	struct clause *const *clauses;
	int nclauses;
	struct probe *const *probes;
	int nprobes;
	int depth[1024];  /* of -F, by CPU */
	bool header;	  /* the column header was printed */
	bool ended_line;  /* what the record printed last ended its line */
	uint64_t time;	  /* of the record at hand */
	struct rec_header last; /* the record before, when there was any */
	bool any;
	struct specs *specs;
	bool exited;	  /* exit() was met */
	int status;
	int error;	  /* -errno of the output */
	int first_out;	  /* descriptor of what out was before freopen(); -1: it still is */
	/* Called for an error record: runs the ERROR probes. */
	void (*on_error)(void *arg, const struct rec_header *h, const struct rec_error *e);
	void *on_error_arg;
};

void consume_init(struct consume *c, FILE *out, FILE *err, struct opts *opts, struct types *types, struct aggrs *aggrs);
/* Output goes again where it went before freopen(). */
void consume_restore(struct consume *c);
/* One record; for ring_drain. Nonzero ends the draining: an error of the output, or exit(). */
int consume_record(void *arg, const void *data, size_t size);
/* commit() or discard(): what was held back is printed or forgotten. */
int consume_spec_end(struct consume *c, uint32_t tag, bool commit);
/* Aggregations that no printa() has printed, at the end. */
/* Aggregations as they were at the time of the record at hand, at the least. */
int consume_snapshot(struct consume *c);
int consume_aggregations(struct consume *c);
/* Sorting as the options say now. */
struct aggr_sort consume_sort(const struct consume *c);

#endif
