/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plockstat123: the locks of a process's threads, as seen at its C library's functions and its
 * futex system calls. The rows are those of a stable provider (stable.h), made for each process
 * that is asked for: what they are seen through are probes of its provider pid123.
 *
 * A lock that is taken inside another function of the C library (pthread_cond_wait) is not seen.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"
#include "libdt/provider/uproc.h"

enum { PLOCK_FIRST = 280000, PLOCK_END = 300000, NAME_LEN = 9 /* "plockstat" */ };

#define MUTEX "self->dt_mutex"
#define RWLOCK "self->dt_rwlock"
#define WRITES "self->dt_writes"
/* How often a recursive mutex is taken, the second word of pthread_mutex_t. */
#define RECURSIVE(lock) "*(uint32_t *)copyin(" lock " + 4, 4) > 1"
/* The thread that has it for writing, of pthread_rwlock_t. */
#define WRITTEN(lock) "*(uint32_t *)copyin(" lock " + 24, 4) == tid"
/* FUTEX_WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI and LOCK_PI2, without FUTEX_PRIVATE_FLAG and
 * FUTEX_CLOCK_REALTIME. */
#define WAITS "(0x2a41 >> (arg1 & 0x7f)) & 1"
#define WAITS_FOR_MUTEX MUTEX " && arg0 == " MUTEX " && " WAITS
/* Two of its words are waited for. */
#define WAITS_FOR_RWLOCK RWLOCK " && arg0 > " RWLOCK " && arg0 < " RWLOCK " + 16 && " WAITS

/*
 * In texts % is the process, a $ stands in front of the functions' names with the process and the
 * object that has them: "%" becomes "123" and "$f" "pid123:libc.so.6:f".
 */
#define LOCKED                                                                               \
	"$pthread_mutex_lock:return+$pthread_mutex_trylock:return+$pthread_mutex_timedlock:" \
	"return+$pthread_mutex_clocklock:return"
#define RW(how) "+$pthread_rwlock_" how "rdlock:return+$pthread_rwlock_" how "wrlock:return"
#define RW_LOCKED                                                                           \
	"$pthread_rwlock_rdlock:return+$pthread_rwlock_wrlock:return" RW("try") RW("timed") \
	    RW("clock")
#define FUTEX "syscall::futex:entry"

/* clang-format off: texts are laid out as D */
#define BEFORE_MUTEX                                                                           \
	"$pthread_mutex_[lct]*ock:entry { " MUTEX " = arg0; self->dt_mutex_waits = 0; }" FUTEX \
	" /pid == % && " WAITS_FOR_MUTEX "/ { self->dt_mutex_waits = 1; }"
#define BEFORE_RWLOCK                                                                \
	"$pthread_rwlock_*rdlock:entry { " RWLOCK " = arg0; " WRITES                 \
	" = 0; self->dt_rwlock_waits = 0; }"                                         \
	"$pthread_rwlock_*wrlock:entry { " RWLOCK " = arg0; " WRITES                 \
	" = 1; self->dt_rwlock_waits = 0; }" FUTEX " /pid == % && " WAITS_FOR_RWLOCK \
	"/ { self->dt_rwlock_waits = 1; }"
/* clang-format on */

/* What fires at the same return is in the order in which it happened. */
static const struct stable_probe patterns[] = {
    {.name = "mutex-blocked",
     .base = LOCKED,
     .prologue = BEFORE_MUTEX,
     .predicate = "self->dt_mutex_waits",
     .args = {{"uintptr_t", MUTEX}, {"int", "!(int)arg1"}}},
    {.name = "mutex-acquire",
     .base = LOCKED,
     .prologue = BEFORE_MUTEX,
     .predicate = "!(int)arg1",
     .args = {{"uintptr_t", MUTEX}, {"int", RECURSIVE(MUTEX)}, {"int", "0"}}},
    {.name = "mutex-block",
     .base = FUTEX,
     .prologue = BEFORE_MUTEX,
     .predicate = "pid == % && " WAITS_FOR_MUTEX,
     .args = {{"uintptr_t", "arg0"}}},
    {.name = "mutex-error",
     .base = LOCKED,
     .prologue = BEFORE_MUTEX,
     .predicate = "(int)arg1",
     .args = {{"uintptr_t", MUTEX}, {"int", "arg1"}}},
    {.name = "mutex-release",
     .base = "$pthread_mutex_unlock:entry",
     .args = {{"uintptr_t", "arg0"}, {"int", RECURSIVE("arg0")}}},
    {.name = "mutex-spin",
     .unsupported = "the C library's mutexes spin without a call that could be traced"},
    {.name = "mutex-spun",
     .unsupported = "the C library's mutexes spin without a call that could be traced"},
    {.name = "rw-blocked",
     .base = RW_LOCKED,
     .prologue = BEFORE_RWLOCK,
     .predicate = "self->dt_rwlock_waits",
     .args = {{"uintptr_t", RWLOCK}, {"int", WRITES}, {"int", "!(int)arg1"}}},
    {.name = "rw-acquire",
     .base = RW_LOCKED,
     .prologue = BEFORE_RWLOCK,
     .predicate = "!(int)arg1",
     .args = {{"uintptr_t", RWLOCK}, {"int", WRITES}}},
    {.name = "rw-block",
     .base = FUTEX,
     .prologue = BEFORE_RWLOCK,
     .predicate = "pid == % && " WAITS_FOR_RWLOCK,
     .args = {{"uintptr_t", RWLOCK}, {"int", WRITES}}},
    {.name = "rw-error",
     .base = RW_LOCKED,
     .prologue = BEFORE_RWLOCK,
     .predicate = "(int)arg1",
     .args = {{"uintptr_t", RWLOCK}, {"int", WRITES}, {"int", "arg1"}}},
    {.name = "rw-release",
     .base = "$pthread_rwlock_unlock:entry",
     .args = {{"uintptr_t", "arg0"}, {"int", WRITTEN("arg0")}}},
    {0},
};

/* One process's. */
struct locks {
	pid_t pid;
	struct stable_rows in;
};

struct all_locks {
	VEC(struct locks *) v;
};

static void all_free(void *state)
{
	vec_free(&((struct all_locks *)state)->v);
}

static bool plockstat_owns(const char *prov)
{
	return !strncmp(prov, "plockstat", NAME_LEN) && uproc_number(prov, NAME_LEN);
}

static const char *filled(struct arena *a, const char *text, pid_t pid, const char *object)
{
	struct strbuf sb = {0};

	for (size_t len; text && *text; text += len + (text[len] != '\0')) {
		len = strcspn(text, "%$");
		sb_add(&sb, text, len);
		if (text[len])
			sb_printf(&sb, text[len] == '%' ? "%d" : "pid%d:%s:", (int)pid, object);
	}
	text = text ? arena_strdup(a, sb_str(&sb)) : NULL;
	sb_free(&sb);
	return text;
}

/* The object that has the functions; NULL: none. Before glibc 2.34 it was a library of its own. */
static const char *find_object(struct probes *ps, pid_t pid)
{
	static const char *const names[] = {"libpthread.so.0", "libc.so.6", "a.out"};
	struct pdesc pd;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (pdesc_parse(probes_arena(ps),
				arena_printf(probes_arena(ps), "pid%d:%s:pthread_mutex_lock:entry",
					     (int)pid, names[i]),
				3, &pd) &&
		    probes_first(ps, &pd))
			return names[i];
	return NULL;
}

/* Made when the process is first seen; NULL: all ids are in use, or it has no such functions. */
static struct locks *locks_of(struct probes *ps, pid_t pid)
{
	struct all_locks *all = probes_state(ps, "plockstat", sizeof(*all), all_free);
	struct arena *a = probes_arena(ps);
	uint32_t first = PLOCK_FIRST + all->v.n * ARRAY_SIZE(patterns) * STABLE_PARTS;
	const char *object = NULL;
	struct stable_probe *rows;
	struct locks *l;

	for (int i = 0; i < all->v.n; i++)
		if (all->v.v[i]->pid == pid)
			return all->v.v[i];
	if (first + ARRAY_SIZE(patterns) * STABLE_PARTS <= PLOCK_END)
		object = find_object(ps, pid);
	if (!object)
		return NULL;
	rows = arena_alloc(a, sizeof(patterns));
	memcpy(rows, patterns, sizeof(patterns));
	for (struct stable_probe *row = rows; row->name; row++) {
		row->base = filled(a, row->base, pid, object);
		row->predicate = filled(a, row->predicate, pid, object);
		row->prologue = filled(a, row->prologue, pid, object);
	}
	l = arena_alloc(a, sizeof(*l));
	*l = (struct locks){pid, {arena_printf(a, "plockstat%d", (int)pid), object, rows, first}};
	vec_push(&all->v, l);
	return l;
}

static void plockstat_provide(struct probes *ps, const struct pdesc *pd)
{
	struct locks *l =
	    plockstat_owns(pd->prov) ? locks_of(ps, uproc_number(pd->prov, NAME_LEN)) : NULL;

	if (l)
		stable_offer_rows(ps, &provider_plockstat, &l->in, pd);
}

static const char *plockstat_unavailable(struct probes *ps, const struct pdesc *pd)
{
	pid_t pid = uproc_number(pd->prov, NAME_LEN);
	const struct uproc *proc;
	const char *why;

	proc = uproc_get(ps, pid, &why);
	if (!proc)
		return why;
	for (const struct stable_probe *row = patterns; row->name; row++)
		if (row->unsupported && !strcmp(row->name, pd->name))
			return row->unsupported;
	return locks_of(ps, pid) ? NULL
				 : arena_printf(probes_arena(ps),
						"%s has no pthread_mutex_lock that could be traced",
						uproc_text(ps, proc));
}

/* Other systems have the library's name for the module, and other functions. */
static void plockstat_rewrite(struct pdesc *pd)
{
	if (plockstat_owns(pd->prov))
		pd->mod = pd->func = "";
}

const struct provider provider_plockstat = {
    .name = "plockstat",
    .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .owns = plockstat_owns,
    .rewrite = plockstat_rewrite,
    .provide = plockstat_provide,
    .leaves_out = stable_leaves_out,
    .args = stable_args,
    .functions = true,
    .unavailable_reason = plockstat_unavailable,
};
