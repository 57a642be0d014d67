/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was looked up in the machine to print a recording: symbols, source lines, paths of control
 * groups, names of hosts and services. The functions that look up (ksym.h, usym.h, cgroup.h,
 * fmt_conv.c) note each answer here while a session is recorded, and have them from here when it is
 * replayed.
 */
#ifndef DT_ANSWERS_H
#define DT_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/record/recording.h"

enum question { ASK_KERNEL, ASK_USER, ASK_LINE, ASK_CGROUP, ASK_PORT, ASK_HOST };

struct answer {
	bool known;
	const char *first, *second; /* module and symbol, file, path, name; may be NULL */
	uint64_t number;	    /* offset, line */
};

struct answers;

/* recording: where answers are noted; NULL: they are taken from what was loaded. */
struct answers *answers_new(struct recording *recording);
void answers_free(struct answers *as);
/* Are answers to be had from here? as may be NULL. */
bool answers_replay(const struct answers *as);
/* Are answers to be noted? */
bool answers_note_wanted(const struct answers *as);
/* pid: of ASK_USER and ASK_LINE. number: an address, id, or port; text: of ASK_HOST. */
struct answer answers_get(const struct answers *as, enum question q, int pid, uint64_t number,
			  const char *text);
/* Notes an answer, if it is new or has changed. as may be NULL. */
void answers_note(struct answers *as, enum question q, int pid, uint64_t number, const char *text,
		  struct answer answer);
/* Was one noted to this question? */
bool answers_noted(const struct answers *as, enum question q, int pid, uint64_t number);
/* Takes the answers of a chunk. False: they make no sense. */
bool answers_load(struct answers *as, const void *data, size_t size);

#endif
