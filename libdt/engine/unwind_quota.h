/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the unwinding tables of all users' processes share: words of memory, or entries of a map. A
 * table takes pieces of it for a user; user 0 is root, and the user that traces.
 *
 * All that is free may be taken. For what does not fit then, others give up their pieces: for user
 * 0 any other user; for another user those that have more than this one would have. Of them the
 * user that has the most loses all of its pieces, then the next one. So nothing that others do
 * keeps user 0 from any of it, and each of n other users can have an nth of what user 0 leaves.
 */
#ifndef DT_UNWIND_QUOTA_H
#define DT_UNWIND_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

struct unwind_piece {
	uint32_t first, n;
	uint32_t user, of; /* of: the table's number */
};

struct unwind_quota {
	uint32_t size;
	VEC(struct unwind_piece) v; /* by first */
};

void unwind_quota_free(struct unwind_quota *q);
/* User 0 has its pieces at the beginning, others at the end. False: there is no such hole. */
bool unwind_quota_take(struct unwind_quota *q, uint32_t user, uint32_t of, uint32_t n,
		       uint32_t *first);
/* Would unwind_quota_take() succeed? */
bool unwind_quota_has(const struct unwind_quota *q, uint32_t n);
/* The user that is to give up its pieces so that this one may take n. False: there is none, or not
 * enough would be free even without all such users. */
bool unwind_quota_victim(const struct unwind_quota *q, uint32_t user, uint32_t n, uint32_t *victim);
/* All pieces of a user but those of one table. */
void unwind_quota_drop(struct unwind_quota *q, uint32_t user, uint32_t kept);
/* The pieces of a table. */
void unwind_quota_drop_table(struct unwind_quota *q, uint32_t of);
/* From now on a table's pieces are this user's. */
void unwind_quota_give(struct unwind_quota *q, uint32_t of, uint32_t user);

#endif
