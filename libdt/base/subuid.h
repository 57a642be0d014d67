/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose user ID is it? A user may have been given ranges of further ones for containers
 * (subuid(5)), 65,536 as a rule: what is shared fairly among users must count them as one.
 */
#ifndef DT_SUBUID_H
#define DT_SUBUID_H

#include <stdint.h>

#include "libdt/base/mem.h"

struct subuid_range {
	uint32_t first, count, owner;
};

/* All zero: not read yet. */
struct subuids {
	VEC(struct subuid_range) v; /* by first */
};

/* Reads the ranges anew; none if there is no such file. passwd: for names of users. The owner of
 * ranges whose name it does not have is the first number of its first one. */
void subuids_read(struct subuids *s, const char *subuid, const char *passwd);
/* The user that a number was given to; itself when it is in no range. */
uint32_t subuids_owner(const struct subuids *s, uint32_t uid);
void subuids_free(struct subuids *s);

#endif
