/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of -x record: a header, then chunks, each with its length, number and checksum, in the
 * order in which the consumer got what they hold. The reader skips what is damaged.
 */
#ifndef DT_RECORDING_H
#define DT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

enum chunk {
	CHUNK_SCHEMA,	 /* schema_file.h; the first one */
	CHUNK_PROBES,	 /* probes that came later */
	CHUNK_PREAMBLE,	 /* the first line of json and xml */
	CHUNK_RECORDS,	 /* of the ring: a size, then the record, up to a multiple of 8 bytes */
	CHUNK_ANSWERS,	 /* answers.h; of use to the chunk before */
	CHUNK_MARK,	 /* consume_drain_begin() */
	CHUNK_REACHED,	 /* consume_drain_end() */
	CHUNK_FLUSH,	 /* consume_drain_all() */
	CHUNK_RETIRE,	 /* consume_retire() */
	CHUNK_SPEC_END,	 /* consume_spec_end() of an end that is in no record */
	CHUNK_ROWS,	 /* what a snapshot adds to aggregations */
	CHUNK_SNAPSHOT,	 /* its beginning, where it has rows, and its end */
	CHUNK_FAULT,	 /* what is reported of an error record, when its turn has come */
	CHUNK_MESSAGE,	 /* for the standard error */
	CHUNK_REPORT,	 /* consume_report() */
	CHUNK_WALL,	 /* what to add to CLOCK_MONOTONIC to get the time of day */
	CHUNK_INTERRUPT, /* dt_interrupted() */
	CHUNK_RELEASE,	 /* consume_release() */
	CHUNK_FINAL,	 /* aggregations are printed */
	CHUNK_END,	 /* the exit status; the last one */
	CHUNK_SAMPLED,	 /* aggr_sample() */
	CHUNK_COUNT
};

struct recording;

/* A new file of mode 0600: it must not exist. NULL and -errno in *err. */
struct recording *recording_create(const char *path, int *err);
/* Where the bytes of a chunk are to be added, until the next call. Records, answers and rows that
 * follow each other share a chunk. */
struct strbuf *recording_chunk(struct recording *r, enum chunk kind);
/* Writes what was added so far. */
void recording_flush(struct recording *r);
/* 0, or -errno of the first write that failed; nothing is written after it. */
int recording_error(const struct recording *r);
uint64_t recording_size(const struct recording *r);
/* Ends the file; remove: nothing was traced. 0 or -errno, as recording_error(). r may be NULL. */
int recording_close(struct recording *r, bool remove);

struct playback;

/* Opens a recording; NULL and a sentence in *why (constant), which is an error number's text with
 * errno. */
struct playback *playback_open(const char *path, const char **why);
void playback_close(struct playback *p);
/* The next intact chunk, which stays the next one; -1: the end. The data is aligned to 16, and
 * valid until playback_take(). */
int playback_peek(struct playback *p, const uint8_t **data, size_t *size);
void playback_take(struct playback *p);
/* How many bytes were damaged so far, and whether chunks are missing. */
uint64_t playback_damaged(const struct playback *p);
bool playback_gaps(const struct playback *p);

#endif
