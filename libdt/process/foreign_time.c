/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/foreign_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/mem.h"

/* Of the time that passes, the part that is regained; of an account, what is left in advance when
 * all have exceeded theirs. */
enum { SHARE = 10, PART = 10 };
/* How old what is known of /etc/subuid may be. */
#define SUBUIDS_NS 60000000000ull

/* What one user, and all, have in advance: as multiples of the time for one file. */
static const struct {
	uint64_t user, all;
} advance[FOREIGN_NSPENT] = {[FOREIGN_LISTS] = {1, 8}, [FOREIGN_FILES] = {20, 60}};

uint32_t foreign_payer(pid_t pid)
{
	struct stat st;
	char path[32];

	if (!pid)
		return geteuid();
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return stat(path, &st) ? FOREIGN_GONE : st.st_uid;
}

uint32_t foreign_owner(struct foreign_time *t, uint32_t uid)
{
	uint64_t now;

	if (!uid || uid == FOREIGN_GONE) /* most scripts meet no others */
		return uid;
	now = clock_ns(CLOCK_MONOTONIC);
	if (!t->subuids_read || now - t->subuids_read > SUBUIDS_NS) {
		subuids_read(&t->subuids, "/etc/subuid", "/etc/passwd");
		t->subuids_read = now;
	}
	return subuids_owner(&t->subuids, uid);
}

struct foreign_account *foreign_account_of(struct foreign_time *t, uint32_t owner)
{
	struct foreign_account **a =
	    (struct foreign_account **)hash_ref(&t->users, &owner, sizeof(owner));

	if (!*a)
		*a = xcalloc(1, sizeof(**a));
	return *a;
}

struct foreign_account *foreign_account(struct foreign_time *t, uint32_t uid)
{
	return foreign_account_of(t, foreign_owner(t, uid));
}

static uint64_t spent(struct foreign_account *a, enum foreign_spent what)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	a->spent[what].ns -= MIN(a->spent[what].ns, (now - a->spent[what].last) / SHARE);
	a->spent[what].last = now;
	return a->spent[what].ns;
}

bool foreign_time_exceeded(struct foreign_time *t, enum foreign_spent what, uint64_t foreign)
{
	return spent(&t->all, what) > foreign * advance[what].all;
}

bool foreign_rest_exceeded(const struct foreign_time *t, enum foreign_spent what, uint64_t foreign)
{
	return t->all.spent[what].rest > foreign * advance[what].all;
}

int64_t foreign_time_left(struct foreign_time *t, uint32_t uid, enum foreign_spent what,
			  uint64_t foreign, int64_t *most)
{
	*most = foreign * advance[what].user;
	if (foreign_time_exceeded(t, what, foreign))
		*most /= PART;
	return *most - (int64_t)spent(foreign_account(t, uid), what);
}

void foreign_time_spend(struct foreign_time *t, uint32_t uid, enum foreign_spent what, uint64_t ns,
			bool rest)
{
	struct foreign_account *a[] = {&t->all, foreign_account(t, uid)};

	for (int i = 0; i < 2; i++) {
		a[i]->spent[what].ns += ns;
		a[i]->spent[what].rest += rest ? ns : 0;
	}
}

void foreign_time_free(struct foreign_time *t)
{
	for (size_t i = 0; i < t->users.n; i++)
		free(t->users.entries[i].value);
	hash_free(&t->users);
	subuids_free(&t->subuids);
}
