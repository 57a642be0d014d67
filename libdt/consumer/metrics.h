/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregations as metrics: OpenMetrics 1.0, and the text format 0.0.4 of Prometheus, which
 * differs in few details.
 */
#ifndef DT_METRICS_H
#define DT_METRICS_H

#include "libdt/consumer/aggr.h"
#include "libdt/image/metric.h"

/* A number of the tracer itself: counters or gauges, one for each value of a label. */
struct metric_own {
	const char *name, *help, *label;
	const char *const *values; /* of the label */
	const uint64_t *counts;
	int n;
	bool gauge;
};

struct metrics {
	bool openmetrics;    /* else the text format of Prometheus */
	const char *labels;  /* -x labels, or NULL */
	const char *version; /* of dt */
	uint64_t start_ns;   /* when tracing began, CLOCK_REALTIME */
	const struct metric_own *own;
	int n_own;
	/* Called for an aggregation with values that its type cannot have; may be NULL. */
	void (*on_negative)(void *arg, struct aggr *ag);
	void *on_negative_arg;
};

/* The Content-Type of the form. */
const char *metrics_type(bool openmetrics);
/* Adds the whole exposition to out: the totals as they are now. */
void metrics_write(struct strbuf *out, const struct metrics *m, struct fmt_ctx *ctx,
		   struct aggrs *as);
#endif
