/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappings of processes, including ended ones. They are read from /proc when a process is first
 * seen (image_history_see), which is too late for a process that has ended, or has executed
 * another program, by then: for these, the kernel's events of forks, execs and mappings
 * (process/mmap_events.h) are kept if a source of them is set (image_history_follow).
 *
 * A process is a row of images: one begins with a fork, whose code is the parent's, or an exec,
 * which has none yet. What was read from /proc belongs to the image that was there during all of
 * the reading.
 *
 * An address may be in one file, and later in another (dlclose(), dlopen()). Images are divided at
 * such times, so that each time has its own mapping. Keys have no time: they have a mapping only if
 * it is the same in the whole image. There is no event of mremap(), nor of memory that is not code.
 */
#ifndef DT_IMAGE_HISTORY_H
#define DT_IMAGE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/process/mmap_events.h"
#include "libdt/process/proc_maps.h"

struct foreign;
struct image_history;

/* f: has the limits of what is read of processes; NULL: none. */
struct image_history *image_history_new(struct foreign *f);
void image_history_free(struct image_history *im);
/* At most so many bytes are kept of mappings, if it is less than by default: processes that have
 * ended are forgotten earlier, and the largest lists of others are read again. */
void image_history_limit(struct image_history *im, uint64_t bytes);
/* pull passes pending events to image_history_event(), and returns the time up to which they are
 * complete. */
void image_history_follow(struct image_history *im, uint64_t (*pull)(void *arg), void *arg);
void image_history_event(struct image_history *im, const struct mmap_event *e);
/* Has pull called now. Forgets the oldest of very many processes that have ended. */
void image_history_catch_up(struct image_history *im);
/* Forgets processes that ended some seconds before that time, up to which all records were read.
 * How late that is does not matter: the process of a record that waits is known. */
void image_history_forget(struct image_history *im, uint64_t time);
/* Remembers what a process has mapped now, besides what it had. */
void image_history_see(struct image_history *im, pid_t pid);
/*
 * The mapping that an address of a process is in; NULL when none is known, or several may be
 * meant. time: when the address was met (CLOCK_MONOTONIC), 0 when that is not known. *in, which may
 * be NULL: all that goes with it. Valid until the next call.
 */
const struct mapping *image_history_find(struct image_history *im, pid_t pid, uint64_t addr,
					 uint64_t time, const struct proc_maps **in);
/* Of an image: its own number, that no other one gets; when it began, and the next one of that
 * process number (UINT64_MAX: there is none). */
struct image_life {
	uint64_t id;
	uint64_t from, until;
	bool is_sure; /* events of all forks and execs were received */
};
/*
 * The image that an address met at that time belongs to; time 0: the last one, with all events up
 * to now. False when none is known, or several may be meant: other processes had the number, and
 * the time is not known. May drop mappings that image_history_find() returned.
 */
bool image_history_life(struct image_history *im, pid_t pid, uint64_t time,
			struct image_life *life);
/* Is this image of a process still remembered? */
bool image_history_has(const struct image_history *im, pid_t pid, uint64_t id);
/* The parent of a process; 0 when unknown. */
pid_t image_history_parent(const struct image_history *im, pid_t pid);

#endif
