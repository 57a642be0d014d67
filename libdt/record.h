/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -x record: a session as a file. The functions do nothing without the option. */
#ifndef DT_SESSION_RECORD_H
#define DT_SESSION_RECORD_H

#include <stdbool.h>
#include "libdt/base/src.h"

struct dt;
struct dt_message;

/* With -x record, when the consumer is there: begins to record; silent: nothing is
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

#endif
