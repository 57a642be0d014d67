/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/run/unwind.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/user/cfi.h"
#include "libdt/user/foreign.h"
#include "libdt/user/object.h"
#include "libdt/user/proc_maps.h"

_Static_assert(sizeof(struct unwind_entry) == 1 << UNWIND_ENTRY_BITS,
	       "the routine counts in entries");

enum {
	SPACES = 256, /* processes at the same time */
	ROW_END = 0,  /* the first row: from address 0 on the stack ends */
};

/* What is kept of a file: it is opened once, however many processes map it. */
struct table {
	bool is_read, is_64;
	uint32_t first, n; /* of the rows, which are its own */
	struct segments segments;
};

struct seen {
	pid_t pid, number; /* here, and the kernel's */
};

struct unwinder {
	struct shared *sh;
	struct foreign *foreign;
	struct hash tables; /* device, inode, time of change -> struct table */
	uint32_t used;
	uint32_t last_id; /* of a space */
	bool full;	  /* and that was reported */
	VEC(struct seen) processes;
};

/* The routine knows the registers and frames of one machine. Tables are not filled where no
 * dtrace runs. */
static bool has_tables(struct shared *sh, const char *how)
{
	if (sh->opts->detached && !strcmp(how, "auto"))
		return false;
#if defined(__x86_64__)
	(void)sh;
	return strcmp(how, "fp");
#else
	if (!strcmp(how, "eh"))
		diag_die(sh->diag, D_UNSUPPORTED, (struct loc){0}, "-x unwind=eh is for x86-64");
	return false;
#endif
}

void unwind_describe(struct shared *sh, const struct opts *opts)
{
	uint32_t n = 1 << 12;

	if (!has_tables(sh, opt_text(opts, OPT_UNWIND)))
		return;
	while (n < 1 << 26 && n * 8ll < opt_num(opts, OPT_UNWINDSIZE))
		n *= 2;
	sh->unwinds = true;
	map_init_memory(&sh->unwind_rows, "dt_unwind_rows", n * sizeof(uint64_t));
	map_init(&sh->unwind_spaces, "dt_unwind_maps", BPF_MAP_TYPE_HASH, 8,
		 sizeof(struct unwind_space), SPACES);
	map_init_memory(&sh->unwind_cache, "dt_unwind_cache",
			sizeof(struct unwind_entry) << UNWIND_CACHE_BITS);
	sh->unwind = (struct rt_unwind){.rows = &sh->unwind_rows,
					.spaces = &sh->unwind_spaces,
					.cache = &sh->unwind_cache,
					.nrows = n};
}

struct unwinder *unwind_new(struct shared *sh, struct foreign *foreign)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->sh = sh;
	u->foreign = foreign;
	u->used = ROW_END + 1;
	return u;
}

void unwind_free(struct unwinder *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->tables.n; i++) {
		struct table *t = u->tables.entries[i].value;

		segments_free(&t->segments);
		free(t);
	}
	hash_free(&u->tables);
	vec_free(&u->processes);
	free(u);
}

static void fill(struct unwinder *u, struct table *t, const struct cfi_row *from, uint32_t n,
		 const char *path)
{
	uint64_t *rows = (uint64_t *)u->sh->unwind_rows.mem + u->used;

	if (n > u->sh->unwind.nrows - u->used) {
		if (!u->full)
			diag_warn(u->sh->diag, (struct loc){0},
				  "user stacks through %s and others may be incomplete: unwind "
				  "tables exceed unwindsize; try a larger -x unwindsize",
				  path);
		u->full = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		rows[i] = from[i].addr | (uint64_t)from[i].rule << 32;
	t->first = u->used;
	t->n = n;
	u->used += n;
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
	t->is_read = true;
	t->is_64 = object_is_64(o);
	t->segments = segments_copy(object_segments(o));
	rows = object_unwind(o, &n);
	if (n)
		fill(u, t, rows, n, m->path);
	object_close(o);
}

/* Of a file as it is now, or of none but the kernel's own code; NULL: there is none. */
static struct table *table_of(struct unwinder *u, pid_t pid, const struct mapping *m)
{
	struct foreign_version v = {0};
	void **slot;

	if (!mapping_is_vdso(m) && foreign_version(u->foreign, pid, m, &v))
		return NULL;
	v.changed = 0;
	slot = hash_ref(&u->tables, &v, sizeof(v));
	if (!*slot)
		*slot = xcalloc(1, sizeof(struct table));
	return *slot;
}

/* What is mapped, as code; false when nothing is known of it. */
static bool find_table(struct unwinder *u, pid_t pid, const struct proc_maps *in,
		       const struct mapping *m, struct table **t, uint64_t *bias)
{
	*t = table_of(u, pid, m);
	if (*t && !(*t)->is_read)
		read_table(u, *t, pid, m);
	return *t && segments_bias(&(*t)->segments, in, m, bias);
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
	struct table *t;
	uint64_t bias;
	int n, parts = 1;

	space->id = ++u->last_id;
	m = proc_maps_all(maps, &n);
	for (int i = 0; i < n && parts < UNWIND_PARTS; i++) {
		if (is_trampoline(&m[i])) {
			space->parts[parts++] =
			    (struct unwind_part){m[i].start, m[i].end, m[i].start, ROW_END, 1};
		} else if (may_have_rows(&m[i]) && find_table(u, pid, maps, &m[i], &t, &bias)) {
			if (!t->is_64)
				return false;
			space->parts[parts++] =
			    (struct unwind_part){m[i].start, m[i].end, bias, t->first, t->n};
		}
	}
	while (parts < UNWIND_PARTS)
		space->parts[parts++].start = INT64_MAX;
	return true;
}

/* Frees the rows of processes that have ended. */
static void sweep(struct unwinder *u)
{
	int kept = 0;

	for (int i = 0; i < u->processes.n; i++) {
		uint64_t key = u->processes.v[i].number;

		if (kill(u->processes.v[i].pid, 0) && errno == ESRCH)
			map_delete(&u->sh->unwind_spaces, &key);
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

void unwind_see(struct unwinder *u, pid_t pid, pid_t number)
{
	struct map *spaces = &u->sh->unwind_spaces;
	struct unwind_space *space;
	uint64_t key = number;
	struct proc_maps *maps;

	if (!u->sh->unwinds || spaces->fd < 0 || !u->sh->unwind_rows.mem)
		return;
	maps = proc_maps_read(pid);
	if (!maps)
		return;
	((uint64_t *)u->sh->unwind_rows.mem)[ROW_END] = (uint64_t)CFI_END << 32;
	space = xcalloc(1, sizeof(*space));
	if (!make_space(u, pid, maps, space)) {
		map_delete(spaces, &key);
	} else {
		if (map_update(spaces, &key, space, BPF_ANY) == -E2BIG) {
			sweep(u);
			/* more than that many at a time go by frame pointers */
			map_update(spaces, &key, space, BPF_ANY);
		}
		if (!knows(u, pid))
			vec_push(&u->processes, ((struct seen){pid, number}));
	}
	free(space);
	proc_maps_free(maps);
}
