/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/unwind.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/diag.h"
#include "libdt/base/priority.h"
#include "libdt/engine/unwind_quota.h"
#include "libdt/engine/unwind_table.h"
#include "libdt/process/cfi.h"
#include "libdt/process/foreign.h"
#include "libdt/process/foreign_time.h"
#include "libdt/process/object.h"
#include "libdt/process/proc_maps.h"

_Static_assert(sizeof(struct unwind_entry) == 1 << UNWIND_ENTRY_BITS,
	       "the routine counts in entries");

enum {
	KEYS_MAX = 64,	   /* of a file: it is mapped as code from so many offsets */
	LOOKED_MAX = 1024, /* mappings of a process */
	AGAIN_MAX = 16,	   /* times that a process is looked at because tables were discarded */
};
/* How often tables may be discarded because a file of one user's processes does not fit: reading
 * all files again takes a tenth of a second. */
#define RENEW_NS 60000000000

/* What is kept of a file: it is opened once, however many processes map it. */
struct table {
	bool is_read, is_64;
	uint32_t first, n; /* as in struct unwind_part */
	uint32_t id, user; /* whose processes have mapped it (user_of()) */
	uint32_t uid;	   /* its owner's, when it was read */
	uint32_t missing;  /* words that did not fit; 0: it has them */
	int entries;	   /* taken for its keys */
	uint64_t base;
	struct segments segments;
	VEC(struct unwind_file_key) keys; /* under which programs know it */
};

struct seen {
	pid_t pid, number; /* here, and the kernel's */
	uint32_t user;
};

/* Users whose files did not fit. */
struct needy {
	uint32_t user;
	uint64_t renewed_ns; /* when tables were discarded for it */
};

struct unwinder {
	struct program_set *set;
	struct diag *diag;
	struct foreign *foreign;
	struct hash tables; /* device, inode, time of change -> struct table */
	struct unwind_quota words, entries, places; /* of tables, their keys, and processes */
	VEC(struct needy) needy;
	uint32_t end_words; /* of a table that ends stacks, before all others; 0: not made yet */
	uint32_t last_id;   /* of a space or file */
	bool discarded;	    /* were tables, while a process is looked at? */
	/* that tables, or entries, do not fit: root's; other users' */
	bool reported[2], reported_entries[2];
	VEC(struct seen) processes;
	VEC(struct seen) waiting; /* to be looked at */
	struct priority priority; /* while there are such */
};

struct unwinder *unwind_new(struct program_set *set, struct foreign *foreign, struct diag *diag)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->set = set;
	u->diag = diag;
	u->foreign = foreign;
	return u;
}

static void free_table(struct table *t)
{
	segments_free(&t->segments);
	vec_free(&t->keys);
	free(t);
}

void unwind_free(struct unwinder *u)
{
	if (!u)
		return;
	priority_set(&u->priority, false);
	for (size_t i = 0; i < u->tables.n; i++)
		if (u->tables.entries[i].value)
			free_table(u->tables.entries[i].value);
	hash_free(&u->tables);
	vec_free(&u->processes);
	vec_free(&u->waiting);
	vec_free(&u->needy);
	unwind_quota_free(&u->words);
	unwind_quota_free(&u->entries);
	unwind_quota_free(&u->places);
	free(u);
}

/* In whose account a table or process is: 0 is root, and the user that traces; users subordinate to
 * another one are that one. */
static uint32_t user_of(struct unwinder *u, uint32_t uid)
{
	uid = foreign_owner_of(u->foreign, uid);
	return uid == geteuid() ? 0 : uid;
}

/* Shares ------------------------------------------------------------------- */

static void forget_keys(struct unwinder *u, struct table *t)
{
	for (int i = 0; i < t->keys.n; i++)
		map_delete(&u->set->maps.unwind_files, &t->keys.v[i]);
	t->keys.n = 0;
}

static void forget_spaces(struct unwinder *u)
{
	for (int i = 0; i < u->processes.n; i++) {
		uint64_t key = u->processes.v[i].number;

		map_delete(&u->set->maps.unwind_spaces, &key);
		map_delete(&u->set->maps.processes, &key);
	}
	u->processes.n = 0;
	u->places.v.n = 0;
}

/*
 * Discards the tables of the files of one user's processes, but for one, which does not fit: files
 * of long ago have theirs, too. Processes are reported again by their next stack, and until then
 * have no spaces. A program that runs now may read rows that are being replaced: its stack is
 * wrong, and rules that it keeps are of ids that are not used again.
 */
static void discard(struct unwinder *u, uint32_t user, const struct table *kept)
{
	for (size_t i = 0; i < u->tables.n; i++) {
		struct hash_entry *e = &u->tables.entries[i];
		struct table *t = e->value;

		if (!t || t == kept || t->user != user)
			continue;
		forget_keys(u, t);
		hash_remove(&u->tables, e->key, e->len);
		free_table(t);
	}
	unwind_quota_drop(&u->words, user, kept->id);
	unwind_quota_drop(&u->entries, user, kept->id);
	forget_spaces(u);
	u->discarded = true;
}

/* When tables were last discarded for a user. */
static uint64_t *renewed_of(struct unwinder *u, uint32_t user)
{
	for (int i = 0; i < u->needy.n; i++)
		if (u->needy.v[i].user == user)
			return &u->needy.v[i].renewed_ns;
	vec_push(&u->needy, ((struct needy){.user = user}));
	return &u->needy.v[u->needy.n - 1].renewed_ns;
}

static bool may_renew(struct unwinder *u, uint32_t user)
{
	uint64_t renewed = *renewed_of(u, user);

	return !renewed || clock_ns(CLOCK_MONOTONIC) - renewed >= RENEW_NS;
}

/*
 * Takes n of what is shared for a table. If they are not free, the tables of users that are to give
 * up theirs (unwind_quota.h) are discarded, or else those of this user: once a minute at most, but
 * for root always those of others.
 */
static bool take_share(struct unwinder *u, struct unwind_quota *q, const struct table *t,
		       uint32_t n, uint32_t *first)
{
	bool may = may_renew(u, t->user);
	uint32_t victim;

	while (!unwind_quota_take(q, t->user, t->id, n, first)) {
		bool others = (may || !t->user) && unwind_quota_victim(q, t->user, n, &victim);

		if (!others && !may)
			return false;
		if (!others || t->user) {
			*renewed_of(u, t->user) = clock_ns(CLOCK_MONOTONIC);
			may = false;
		}
		discard(u, others ? victim : t->user, t);
	}
	return true;
}

/* A table that did not fit: may it fit now? */
static bool may_fit(struct unwinder *u, const struct table *t)
{
	uint32_t victim;

	return unwind_quota_has(&u->words, t->missing) || may_renew(u, t->user) ||
	       (!t->user && unwind_quota_victim(&u->words, 0, t->missing, &victim));
}

static void report_full(struct unwinder *u, uint32_t user, const char *path)
{
	char whose[64] = "";

	if (u->reported[user != 0])
		return;
	u->reported[user != 0] = true;
	if (user)
		snprintf(whose, sizeof(whose), " the share of user %" PRIu32 " of", user);
	diag_warn(u->diag, (struct loc){0},
		  "user stacks through %s and others may be incomplete: unwind tables exceed%s "
		  "unwindsize; try a larger -x unwindsize",
		  path, whose);
}

/* No option changes the number of entries. */
static void report_entries(struct unwinder *u, uint32_t user, const char *path)
{
	char whose[96] = "more files are mapped as code than";

	if (u->reported_entries[user != 0])
		return;
	u->reported_entries[user != 0] = true;
	if (user)
		snprintf(whose, sizeof(whose),
			 "processes of user %" PRIu32 " map more files as code than their share of",
			 user);
	diag_warn(u->diag, (struct loc){0},
		  "user stacks through %s and others may be incomplete: %s the limit of %" PRIu32,
		  path, whose, u->entries.size);
}

/* Tables ------------------------------------------------------------------- */

/* An index of rows or rules counts from the memory's first word. */
static void copy_words(struct unwinder *u, const struct unwind_table *t, uint32_t first)
{
	uint32_t *words = (uint32_t *)u->set->maps.unwind_rows.mem + first;

	for (int i = 0; i < t->words.n; i++)
		words[i] = t->words.v[i] + ((uint32_t)i <= t->nblocks ? first : 0);
}

/* Puts a table into the memory, if it fits. */
static void put_table(struct unwinder *u, struct table *t, const struct cfi *cfi)
{
	struct unwind_table packed;
	uint32_t first;

	unwind_table_pack(&packed, cfi->rows.v, cfi->rows.n);
	t->missing = packed.words.n;
	if (take_share(u, &u->words, t, packed.words.n, &first)) {
		t->missing = 0;
		t->first = u->end_words + first;
		t->n = packed.nblocks;
		t->base = packed.base;
		copy_words(u, &packed, t->first);
	}
	unwind_table_free(&packed);
}

/* Before the first table. */
static void begin_memory(struct unwinder *u)
{
	static const struct cfi_row end = {0, CFI_END};
	struct unwind_table t;

	if (u->end_words)
		return;
	unwind_table_pack(&t, &end, 1);
	copy_words(u, &t, 0);
	u->end_words = t.words.n;
	unwind_table_free(&t);
	u->words.size = u->set->unwind.nwords - u->end_words;
	u->entries.size = u->set->maps.unwind_files.max_entries;
	u->places.size = u->set->maps.unwind_spaces.max_entries;
}

/* uid: the file's owner. */
static struct object *open_mapped(struct unwinder *u, pid_t pid, const struct mapping *m,
				  uint32_t *uid)
{
	struct foreign_file file;
	struct object *o = NULL;
	char *why = NULL;

	*uid = 0;
	if (mapping_is_vdso(m)) {
		o = object_open_vdso(&why);
	} else if (!foreign_find_mapped(u->foreign, pid, m, &file)) {
		*uid = file.uid;
		o = object_open_file(u->foreign, &file, &why);
	}
	free(why);
	return o;
}

/* The table is in this user's account. */
static void give_table(struct unwinder *u, struct table *t, uint32_t user)
{
	t->user = user;
	unwind_quota_give(&u->words, t->id, user);
	unwind_quota_give(&u->entries, t->id, user);
}

static void read_table(struct unwinder *u, struct table *t, pid_t pid, const struct mapping *m)
{
	struct object *o = open_mapped(u, pid, m, &t->uid);
	const struct cfi_row *rows;
	struct cfi cfi;
	int n;

	if (!o)
		return;
	if (!t->user)
		give_table(u, t, user_of(u, t->uid));
	t->is_64 = object_is_64(o);
	segments_free(&t->segments); /* it was refused before */
	t->segments = segments_copy(object_segments(o));
	rows = object_unwind(o, &n);
	t->is_read = !object_is_refused(o);
	cfi = unwind_table_rows(&t->segments, rows, n);
	if (cfi.rows.n)
		put_table(u, t, &cfi);
	cfi_free(&cfi);
	object_close(o);
}

/* Of a file as it is now, or of none but the kernel's own code; NULL: there is none. user: whose
 * process has it. */
static struct table *table_of(struct unwinder *u, pid_t pid, uint32_t user, const struct mapping *m,
			      struct foreign_version *v)
{
	struct table *t;
	uint32_t entry;

	*v = (struct foreign_version){0};
	if (!mapping_is_vdso(m) && foreign_version(u->foreign, pid, m, v))
		return NULL;
	v->changed = 0;
	t = hash_get(&u->tables, v, sizeof(*v));
	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	t->id = ++u->last_id;
	t->user = mapping_is_vdso(m) ? 0 : user;
	t->entries = take_share(u, &u->entries, t, 1, &entry);
	if (t->entries) {
		hash_put(&u->tables, v, sizeof(*v), t);
		return t;
	}
	report_entries(u, t->user, m->path);
	free(t);
	return NULL;
}

/* Device numbers as the kernel has them. */
static uint64_t kernel_dev(dev_t dev)
{
	enum { MINOR_BITS = 20 };

	return (uint64_t)major(dev) << MINOR_BITS | minor(dev);
}

static bool has_key(const struct table *t, const struct unwind_file_key *key)
{
	for (int i = 0; i < t->keys.n; i++)
		if (!memcmp(&t->keys.v[i], key, sizeof(*key)))
			return true;
	return false;
}

/* What this is a mapping of is known to programs from now on, for all processes. A file without
 * rows is known, too, so that they do not ask for it again. */
static void publish(struct unwinder *u, struct table *t, const struct foreign_version *v,
		    const struct mapping *m, bool has_rows, uint64_t bias)
{
	struct unwind_file_key key = {kernel_dev(v->dev), v->inode, v->modified, m->off};
	struct unwind_file file = {
	    .less = m->start - bias, .first = t->first, .n = has_rows ? t->n : 0, .id = t->id};
	uint32_t entry;

	if (!v->inode)
		key.off = 0;
	if (t->keys.n == KEYS_MAX || has_key(t, &key))
		return;
	if (t->keys.n == t->entries && !take_share(u, &u->entries, t, 1, &entry)) {
		report_entries(u, t->user, m->path);
		return;
	}
	t->entries = MAX(t->entries, t->keys.n + 1);
	if (!map_update(&u->set->maps.unwind_files, &key, &file, BPF_ANY))
		vec_push(&t->keys, key);
}

/* Is what a table lacks to be read now, for a process of this user? */
static bool is_to_read(struct unwinder *u, struct table *t, uint32_t user)
{
	if (t->missing && t->user != user)
		give_table(u, t, user ? user : user_of(u, t->uid));
	return !t->is_read || (t->missing && may_fit(u, t));
}

/* The table of what is mapped as code, NULL when nothing is known of it. */
static struct table *find_table(struct unwinder *u, pid_t pid, uint32_t user,
				const struct proc_maps *in, const struct mapping *m, uint64_t *bias)
{
	struct foreign_version v;
	struct table *t = table_of(u, pid, user, m, &v);
	bool has_place;

	if (!t)
		return NULL;
	if (is_to_read(u, t, user)) {
		forget_keys(u, t); /* they are published anew, now with rows */
		read_table(u, t, pid, m);
	} else if (!user && t->user) {
		give_table(u, t, user_of(u, t->uid));
	}
	if (t->missing)
		report_full(u, t->user, m->path);
	has_place = t->is_read && segments_bias(&t->segments, in, m, bias);
	if (has_place)
		*bias += t->base;
	publish(u, t, &v, m, has_place && t->is_64, has_place ? *bias : 0);
	return has_place ? t : NULL;
}

/* The mapping that functions with return probes return to. Only the unwinding routine may know the
 * original return address. */
static bool is_trampoline(const struct mapping *m)
{
	return !strcmp(m->path, "[uprobes]");
}

static bool may_have_rows(const struct mapping *m)
{
	return m->exec && (mapping_is_vdso(m) || (m->inode && *m->path == '/'));
}

/* False: it is a 32-bit program's, whose stack the kernel follows. */
static bool make_space(struct unwinder *u, pid_t pid, uint32_t user, const struct proc_maps *maps,
		       struct unwind_space *space)
{
	const struct mapping *m;
	bool is_64 = true;
	struct table *t;
	uint64_t bias;
	int n, looked = 0, parts = 1;

	memset(space, 0, sizeof(*space));
	space->id = ++u->last_id;
	m = proc_maps_all(maps, &n);
	for (int i = 0; i < n && parts < UNWIND_PARTS && looked < LOOKED_MAX; i++) {
		looked += m[i].exec;
		if (is_trampoline(&m[i])) {
			space->parts[parts++] =
			    (struct unwind_part){m[i].start, m[i].end, m[i].start, 0, 1};
		} else if (may_have_rows(&m[i]) &&
			   (t = find_table(u, pid, user, maps, &m[i], &bias))) {
			is_64 &= t->is_64;
			space->parts[parts++] =
			    (struct unwind_part){m[i].start, m[i].end, bias, t->first, t->n};
		}
	}
	while (parts < UNWIND_PARTS)
		space->parts[parts++].start = INT64_MAX;
	return is_64;
}

static void forget_space(struct unwinder *u, pid_t number)
{
	uint64_t key = number;

	map_delete(&u->set->maps.unwind_spaces, &key);
	unwind_quota_drop_table(&u->places, number);
}

/* Frees the rows of processes that have ended. */
static void sweep(struct unwinder *u)
{
	int kept = 0;

	for (int i = 0; i < u->processes.n; i++) {
		if (kill(u->processes.v[i].pid, 0) && errno == ESRCH)
			forget_space(u, u->processes.v[i].number);
		else
			u->processes.v[kept++] = u->processes.v[i];
	}
	u->processes.n = kept;
}

static bool knows(const struct unwinder *u, pid_t pid)
{
	for (int i = 0; i < u->processes.n; i++)
		if (u->processes.v[i].pid == pid)
			return true;
	return false;
}

static bool has_place(const struct unwinder *u, pid_t number)
{
	for (int i = 0; i < u->places.v.n; i++)
		if (u->places.v.v[i].of == (uint32_t)number)
			return true;
	return false;
}

/* More processes at a time than there are places for go without a space; but others of users that
 * have more lose theirs for it (unwind_quota.h). */
static bool make_place(struct unwinder *u, uint32_t user, pid_t number)
{
	uint32_t victim, place;

	if (has_place(u, number) || unwind_quota_take(&u->places, user, number, 1, &place))
		return true;
	sweep(u);
	while (!unwind_quota_take(&u->places, user, number, 1, &place)) {
		if (!unwind_quota_victim(&u->places, user, 1, &victim))
			return false;
		for (int i = 0; i < u->processes.n; i++)
			if (u->processes.v[i].user == victim)
				forget_space(u, u->processes.v[i].number);
		unwind_quota_drop(&u->places, victim, 0);
	}
	return true;
}

static void put_space(struct unwinder *u, pid_t pid, pid_t number, uint32_t user,
		      const struct unwind_space *space)
{
	uint64_t key = number;

	if (make_place(u, user, number))
		map_update(&u->set->maps.unwind_spaces, &key, space, BPF_ANY);
	if (!knows(u, pid))
		vec_push(&u->processes, ((struct seen){pid, number, user}));
}

static void see(struct unwinder *u, struct seen p, const struct proc_maps *maps)
{
	struct unwind_space *space = xmalloc(sizeof(*space));
	bool is_64 = true;

	u->discarded = true;
	for (int i = 0; i < AGAIN_MAX && u->discarded; i++) {
		u->discarded = false; /* else the parts may be of tables that are gone */
		is_64 = make_space(u, p.pid, p.user, maps, space);
	}
	if (is_64 && !u->discarded)
		put_space(u, p.pid, p.number, p.user, space);
	else
		forget_space(u, p.number);
	free(space);
}

void unwind_see(struct unwinder *u, pid_t pid, pid_t number)
{
	struct proc_maps *maps;
	struct seen p;
	uint32_t uid;

	if (!u->set->unwinds || u->set->maps.unwind_spaces.fd < 0 || !u->set->maps.unwind_rows.mem)
		return;
	uid = foreign_payer(pid);
	maps = foreign_maps(u->foreign, pid);
	if (!maps)
		return;
	begin_memory(u);
	p = (struct seen){pid, number, user_of(u, uid)};
	uid = foreign_payer(pid);
	if (!p.user) /* a program that had root's rights may have given them up meanwhile */
		p.user = user_of(u, uid);
	if (uid != FOREIGN_GONE)
		see(u, p, maps);
	proc_maps_free(maps);
}

void unwind_see_later(struct unwinder *u, pid_t pid, pid_t number)
{
	for (int i = 0; i < u->waiting.n; i++)
		if (u->waiting.v[i].number == number)
			return;
	vec_push(&u->waiting, ((struct seen){pid, number, 0}));
	priority_set(&u->priority, true);
}

int unwind_see_next(struct unwinder *u)
{
	struct seen next;

	if (!u->waiting.n)
		return 0;
	next = u->waiting.v[0];
	u->waiting.n--;
	memmove(u->waiting.v, u->waiting.v + 1, u->waiting.n * sizeof(*u->waiting.v));
	unwind_see(u, next.pid, next.number);
	priority_set(&u->priority, u->waiting.n != 0);
	return u->waiting.n;
}
