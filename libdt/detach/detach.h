/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detached sessions: probes that stay when dtrace ends, and readers that come later.
 *
 * dtrace -A compiles, loads and attaches as a live session does, runs BEGIN, gives maps, programs
 * and links names in the BPF file system (pins.c), writes what a consumer knows of the script
 * beside them (description.c), and ends. Records wait in the ring, aggregations in their maps;
 * programs count what finds no space. There is no daemon.
 *
 * A reader (reader.c) is a consumer without a compiler, as that of a replay is: it has the schema
 * from the description, and its stream are the pinned maps. state.h says how it hands over to the
 * next one. The last one, which stops the session, detaches the probes first and fires END.
 *
 * refuse.c says what cannot be detached, and why.
 */
#ifndef DT_DETACH_H
#define DT_DETACH_H

#include <stdio.h>

#include "libdt/detach/store.h"

struct dt;
struct detach;
struct reader;

/* dt_detach(): the session, which has no program yet, is to go on under this name. 0 or -1. */
int leave_prepare(struct dt *dt, const char *name);
/* What of dt_go() is for such sessions: before programs are loaded, and when probes are attached. 0
 * or -1. */
int leave_begin(struct dt *dt);
int leave_finish(struct dt *dt);
void leave_free(struct dt *dt);

/* How many probes it has but BEGIN, END and the like. */
int leave_count_probes(const struct dt *dt);

/* -1 with the reason if the session is to be detached: it can have no processes. */
int refuse_processes(struct dt *dt);
/* Can all that the programs do go on without this process? 0, or -1 with the reason. */
int refuse_check(struct dt *dt);

/* Names in the BPF file system for what the session has made. 0 or -errno. */
int pins_save(struct dt *dt, const struct store *p);
/* Opens the maps of readers: the plan's and the aggregations'. 0 or -errno; -EINVAL: they are not
 * as the schema says. */
int pins_open(struct dt *dt, const struct store *p);
/* Has the program called exit()? false, too, if its memory cannot be read. */
bool pins_exited(const struct store *p);
/* The program of END; -ENOENT: there is none. */
int pins_open_end(const struct store *p);
/* How many firings programs have missed because they interrupted others. */
uint64_t pins_misses(const struct store *p);
/* Detaches all probes. 0 or -errno. */
int pins_detach(const struct store *p);

/* dt_read_detached() and dt_stop_detached(). */
int reader_read(struct dt *dt, const char *name, FILE *out);
int reader_stop(struct dt *dt, const char *name, FILE *out);
void reader_free(struct dt *dt);

/* dt_list_detached() */
int sessions_list(struct dt *dt, FILE *out);

#endif
