/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x record: writes what the consumer gets to a recording, in the order in which it gets it, and
 * looks up the names of what its records may print. A replay gives the same to a consumer again,
 * which then does the same.
 */
#ifndef DT_RECORDER_H
#define DT_RECORDER_H

#include <stdint.h>
#include <stdio.h>

#include "libdt/consumer/aggr.h"
#include "libdt/image/schema.h"
#include "libdt/record/answers.h"

struct consume;
struct recorder;

/* Recording and answers are the caller's, and end after it. silent: nothing is printed. */
struct recorder *recorder_new(struct consume *c, struct recording *recording,
			      struct answers *answers, bool silent);
void recorder_free(struct recorder *r);
bool recorder_silent(const struct recorder *r);

/* What the consumer's functions of these names get; see consume.h. */
void recorder_record(struct recorder *r, const void *data, size_t size);
void recorder_drain_begin(struct recorder *r, uint64_t now, unsigned long produced);
void recorder_drain_end(struct recorder *r, unsigned long consumed, bool waits);
void recorder_retire(struct recorder *r, unsigned long produced, unsigned long consumed);
void recorder_spec_end(struct recorder *r, uint32_t tag, bool commit, uint64_t time);
void recorder_report(struct recorder *r, uint64_t time, const char *tag, uint64_t n, int cpu,
		     const char *message);
void recorder_sampled(struct recorder *r, const struct aggr *ag, uint32_t of);
/* A chunk without data. */
void recorder_mark(struct recorder *r, enum chunk kind);

/* A record is about to be printed, or would be: its values are looked up, and if the recorder is
 * silent, its actions that are more than output are carried out. 0 or -errno. */
int recorder_take(struct recorder *r, const struct rec_header *h);
/* The same of aggregations, by a format or NULL. */
int recorder_take_aggs(struct recorder *r, const struct fmt *f, struct aggr *const *ags, int n);

#endif
