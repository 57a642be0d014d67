/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/unwind.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/diag.h"
#include "libdt/base/priority.h"
#include "libdt/engine/unwind_table.h"
#include "libdt/process/cfi.h"
#include "libdt/process/foreign.h"
#include "libdt/process/object.h"
#include "libdt/process/proc_maps.h"

_Static_assert(sizeof(struct unwind_entry) == 1 << UNWIND_ENTRY_BITS,
	       "the routine counts in entries");

enum {
	KEYS_MAX = 64,	   /* of a file: it is mapped as code from so many offsets */
	LOOKED_MAX = 1024, /* mappings of a process */
};
/* How often the tables may be discarded, when a file does not fit: reading all files again takes
 * a tenth of a second. */
#define RENEW_NS 60000000000

/* What is kept of a file: it is opened once, however many processes map it. */
struct table {
	bool is_read, is_64;
	uint32_t first, n; /* as in struct unwind_part */
	uint64_t base, id;
	struct segments segments;
	VEC(struct unwind_file_key) keys; /* under which programs know it */
};

struct seen {
	pid_t pid, number; /* here, and the kernel's */
};

struct unwinder {
	struct program_set *set;
	struct diag *diag;
	struct foreign *foreign;
	struct hash tables; /* device, inode, time of change -> struct table */
	uint32_t used;	    /* words */
	uint32_t end_first; /* of a table that ends stacks */
	uint32_t last_id;   /* of a space or file */
	uint64_t renewed_ns;
	bool full, reported;
	char *left_out; /* a file that did not fit */
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

static void free_tables(struct unwinder *u)
{
	for (size_t i = 0; i < u->tables.n; i++) {
		struct table *t = u->tables.entries[i].value;

		segments_free(&t->segments);
		vec_free(&t->keys);
		free(t);
	}
	hash_free(&u->tables);
}

void unwind_free(struct unwinder *u)
{
	if (!u)
		return;
	priority_set(&u->priority, false);
	free_tables(u);
	vec_free(&u->processes);
	vec_free(&u->waiting);
	free(u->left_out);
	free(u);
}

/* Puts a table into the memory; false: it does not fit. */
static bool put_table(struct unwinder *u, const struct cfi_row *rows, int n, uint32_t *first,
		      uint32_t *nblocks, uint64_t *base)
{
	uint32_t *words = (uint32_t *)u->set->maps.unwind_rows.mem + u->used;
	struct unwind_table t;
	bool fits;

	unwind_table_pack(&t, rows, n);
	fits = (uint32_t)t.words.n <= u->set->unwind.nwords - u->used;
	if (fits) {
		for (int i = 0; i < t.words.n; i++)
			words[i] = t.words.v[i] + ((uint32_t)i <= t.nblocks ? u->used : 0);
		*first = u->used;
		*nblocks = t.nblocks;
		*base = t.base;
		u->used += t.words.n;
	}
	unwind_table_free(&t);
	return fits;
}

/* A file had no place, and the tables cannot be discarded yet. */
static void report_full(struct unwinder *u)
{
	if (!u->full || u->reported)
		return;
	diag_warn(u->diag, (struct loc){0},
		  "user stacks through %s and others may be incomplete: unwind tables exceed "
		  "unwindsize; try a larger -x unwindsize",
		  u->left_out ? u->left_out : "some files");
	u->reported = true;
}

static void leave_out(struct unwinder *u, const char *path)
{
	u->full = true;
	free(u->left_out);
	u->left_out = xstrdup(path);
}

/* Before the first table. */
static void begin_memory(struct unwinder *u)
{
	static const struct cfi_row end = {0, CFI_END};
	uint32_t n;
	uint64_t base;

	if (!u->used)
		put_table(u, &end, 1, &u->end_first, &n, &base);
}

static struct object *open_mapped(struct unwinder *u, pid_t pid, const struct mapping *m)
{
	struct foreign_file file;
	struct object *o = NULL;
	char *why = NULL;

	if (mapping_is_vdso(m))
		o = object_open_vdso(&why);
	else if (!foreign_find_mapped(u->foreign, pid, m, &file))
		o = object_open_file(u->foreign, &file, &why);
	free(why);
	return o;
}

static void read_table(struct unwinder *u, struct table *t, pid_t pid, const struct mapping *m)
{
	struct object *o = open_mapped(u, pid, m);
	const struct cfi_row *rows;
	int n;

	if (!o)
		return;
	t->is_64 = object_is_64(o);
	segments_free(&t->segments); /* it was refused before */
	t->segments = segments_copy(object_segments(o));
	rows = object_unwind(o, &n);
	t->is_read = !object_is_refused(o);
	if (n && !put_table(u, rows, n, &t->first, &t->n, &t->base))
		leave_out(u, m->path);
	object_close(o);
}

/* Of a file as it is now, or of none but the kernel's own code; NULL: there is none. */
static struct table *table_of(struct unwinder *u, pid_t pid, const struct mapping *m,
			      struct foreign_version *v)
{
	void **slot;

	*v = (struct foreign_version){0};
	if (!mapping_is_vdso(m) && foreign_version(u->foreign, pid, m, v))
		return NULL;
	v->changed = 0;
	slot = hash_ref(&u->tables, v, sizeof(*v));
	if (!*slot) {
		struct table *t = *slot = xcalloc(1, sizeof(*t));

		t->id = ++u->last_id;
	}
	return *slot;
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

	if (!v->inode)
		key.off = 0;
	if (t->keys.n == KEYS_MAX || has_key(t, &key))
		return;
	if (map_update(&u->set->maps.unwind_files, &key, &file, BPF_ANY) == -E2BIG)
		u->full = true;
	else
		vec_push(&t->keys, key);
}

/* The table of what is mapped as code, NULL when nothing is known of it. */
static struct table *find_table(struct unwinder *u, pid_t pid, const struct proc_maps *in,
				const struct mapping *m, uint64_t *bias)
{
	struct foreign_version v;
	struct table *t = table_of(u, pid, m, &v);
	bool has_place;

	if (!t)
		return NULL;
	if (!t->is_read) {
		t->keys.n = 0; /* they are published anew, now with rows */
		read_table(u, t, pid, m);
	}
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
static bool make_space(struct unwinder *u, pid_t pid, const struct proc_maps *maps,
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
			    (struct unwind_part){m[i].start, m[i].end, m[i].start, u->end_first, 1};
		} else if (may_have_rows(&m[i]) && (t = find_table(u, pid, maps, &m[i], &bias))) {
			is_64 &= t->is_64;
			space->parts[parts++] =
			    (struct unwind_part){m[i].start, m[i].end, bias, t->first, t->n};
		}
	}
	while (parts < UNWIND_PARTS)
		space->parts[parts++].start = INT64_MAX;
	return is_64;
}

/* Frees the rows of processes that have ended. */
static void sweep(struct unwinder *u)
{
	int kept = 0;

	for (int i = 0; i < u->processes.n; i++) {
		uint64_t key = u->processes.v[i].number;

		if (kill(u->processes.v[i].pid, 0) && errno == ESRCH)
			map_delete(&u->set->maps.unwind_spaces, &key);
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

/*
 * Discards all tables, for there is no memory for another one, and the files of long ago take
 * theirs. Processes are reported again by their next stack, and until then have none. A program
 * that runs now may read rows that are being replaced: its stack is wrong, and rules that it keeps
 * are of ids that are not used again.
 */
static bool renew(struct unwinder *u)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (!u->full || (u->renewed_ns && now - u->renewed_ns < RENEW_NS))
		return false;
	u->renewed_ns = now;
	u->full = false;
	for (size_t i = 0; i < u->tables.n; i++) {
		const struct table *t = u->tables.entries[i].value;

		for (int k = 0; k < t->keys.n; k++)
			map_delete(&u->set->maps.unwind_files, &t->keys.v[k]);
	}
	for (int i = 0; i < u->processes.n; i++) {
		uint64_t key = u->processes.v[i].number;

		map_delete(&u->set->maps.unwind_spaces, &key);
		map_delete(&u->set->maps.processes, &key);
	}
	u->processes.n = 0;
	free_tables(u);
	u->used = 0;
	begin_memory(u);
	return true;
}

static void put_space(struct unwinder *u, pid_t pid, pid_t number, const struct unwind_space *space)
{
	struct map *spaces = &u->set->maps.unwind_spaces;
	uint64_t key = number;

	if (map_update(spaces, &key, space, BPF_ANY) == -E2BIG) {
		sweep(u);
		/* more than that many at a time go without */
		map_update(spaces, &key, space, BPF_ANY);
	}
	if (!knows(u, pid))
		vec_push(&u->processes, ((struct seen){pid, number}));
}

void unwind_see(struct unwinder *u, pid_t pid, pid_t number)
{
	struct unwind_space *space;
	uint64_t key = number;
	struct proc_maps *maps;
	bool is_64;

	if (!u->set->unwinds || u->set->maps.unwind_spaces.fd < 0 || !u->set->maps.unwind_rows.mem)
		return;
	maps = foreign_maps(u->foreign, pid);
	if (!maps)
		return;
	begin_memory(u);
	space = xmalloc(sizeof(*space));
	is_64 = make_space(u, pid, maps, space);
	if (renew(u))
		is_64 = make_space(u, pid, maps, space);
	if (is_64)
		put_space(u, pid, number, space);
	else
		map_delete(&u->set->maps.unwind_spaces, &key);
	report_full(u);
	free(space);
	proc_maps_free(maps);
}

void unwind_see_later(struct unwinder *u, pid_t pid, pid_t number)
{
	for (int i = 0; i < u->waiting.n; i++)
		if (u->waiting.v[i].number == number)
			return;
	vec_push(&u->waiting, ((struct seen){pid, number}));
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
