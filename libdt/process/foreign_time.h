/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much time dtrace spends on what the processes of each user have: on their lists of mappings,
 * and on the files that they have mapped. It is in the account of the user that the process runs
 * as, not of the owner of the file, so that no user can take time from another one.
 *
 * An account regains a tenth of the time that passes, and has some in advance. It is also that of
 * the user's subordinate users (/etc/subuid). Users may have other numbers yet: while all together
 * have exceeded what all have in advance, each has only a tenth of its own.
 *
 * The accounts also hold the memory that is kept of such files (foreign.c).
 */
#ifndef DT_FOREIGN_TIME_H
#define DT_FOREIGN_TIME_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/base/hash.h"
#include "libdt/base/subuid.h"

/* What messages say of something that takes longer than -x foreigntime (ns). */
#define FOREIGN_TOO_LONG \
	"takes longer than foreigntime (%" PRIu64 "ms); try -x foreigntime=%" PRIu64 "ms"
#define FOREIGN_TOO_LONG_ARGS(ns) ((ns) / 1000000), MAX((ns) / 100000, (uint64_t)1)

/* The account of processes that have ended. */
#define FOREIGN_GONE UINT32_MAX

enum foreign_spent { FOREIGN_LISTS, FOREIGN_FILES, FOREIGN_NSPENT };

/* Of one user, or of all. */
struct foreign_account {
	struct {
		uint64_t ns, last; /* what has not been regained; since when */
		uint64_t rest;	   /* since tracing ended */
	} spent[FOREIGN_NSPENT];
	int hanging;	 /* processes that wait for a file system of this user's */
	uint64_t memory; /* what is kept of files (-x foreignsize) */
};

struct foreign_time {
	struct foreign_account all;
	struct hash users; /* foreign_owner() -> struct foreign_account */
	struct subuids subuids;
	uint64_t subuids_read; /* when; 0: never */
};

/* The user that a process runs as, also of one that is not dumpable; 0: ours. */
uint32_t foreign_payer(pid_t pid);
/* The user that a subordinate user belongs to; other users. */
uint32_t foreign_owner(struct foreign_time *t, uint32_t uid);
/* Valid as long as the time; new ones have spent nothing. */
struct foreign_account *foreign_account(struct foreign_time *t, uint32_t uid);
/* The same of foreign_owner()'s result, which may be another one for the user later. */
struct foreign_account *foreign_account_of(struct foreign_time *t, uint32_t owner);
/* What an account has in advance at this moment, and what is left of it: negative when it is
 * exceeded. foreign: the time for one file, ns. */
int64_t foreign_time_left(struct foreign_time *t, uint32_t uid, enum foreign_spent what,
			  uint64_t foreign, int64_t *most);
/* Have all together exceeded theirs? And with what they spent since tracing ended? */
bool foreign_time_exceeded(struct foreign_time *t, enum foreign_spent what, uint64_t foreign);
bool foreign_rest_exceeded(const struct foreign_time *t, enum foreign_spent what, uint64_t foreign);
/* rest: tracing has ended. */
void foreign_time_spend(struct foreign_time *t, uint32_t uid, enum foreign_spent what, uint64_t ns,
			bool rest);
void foreign_time_free(struct foreign_time *t);

#endif
