/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What processes had mapped, also those that are gone. It is read from /proc when a process is met (images_see), which is
 * too late for a process that has ended, or has executed something else, by then: for these, what the kernel tells of forks, execs and
 * mappings (user/mmap_events.h) is kept where somebody tells us (images_follow).
 *
 * A process is a row of images: one begins with a fork, whose code is the parent's, or an exec, which has none yet. What was read from /proc
 * belongs to the image that was there during all of the reading.
 */
#ifndef DT_IMAGES_H
#define DT_IMAGES_H

#include "libdt/user/mmap_events.h"
#include "libdt/user/proc_maps.h"

struct images;

struct images *images_new(void);
void images_free(struct images *im);
/* pull tells what came to pass by images_tell(), and returns until when that is all. */
void images_follow(struct images *im, uint64_t (*pull)(void *arg), void *arg);
void images_tell(struct images *im, const struct mapwatch_event *e);
/* Has pull called now. */
void images_catch_up(struct images *im);
/* Remembers what a process has mapped now, besides what it had. */
void images_see(struct images *im, pid_t pid);
/*
 * The mapping that an address of a process is in; NULL when none is known. time: when the address was met (CLOCK_MONOTONIC), 0 when that is not
 * known. *in, which may be NULL: all that goes with it. Valid until the next call.
 */
const struct mapping *images_find(struct images *im, pid_t pid, uint64_t addr, uint64_t time, const struct maps **in);
/* Who made a process; 0 when that is not known. */
pid_t images_parent(const struct images *im, pid_t pid);

#endif
