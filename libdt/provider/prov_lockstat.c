/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lockstat: which threads take locks, which wait for them, and how long. Waiting is seen at the
 * tracepoints of the lock subsystem (5.19 on), before that and for spin locks at the functions that
 * wait. Taking a lock without waiting is only a function's call and return.
 *
 * What a wait's end does not know was noted when it began: for locks that are slept for in the
 * thread, for spin locks in the CPU's place of an array, since a map's own lock could be the one at
 * hand. An interrupt that spins meanwhile takes that place; then the lock in it is another one, or
 * none, and the interrupted wait fires no probe.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

#define BEGIN "sdt:lock::contention_begin"
#define END "sdt:lock::contention_end"

/* Flags of contention_begin: 1 spins, 2 reads, 4 writes, 8 real-time mutex, 16 per CPU, 32
 * mutex. */
/* clang-format off: texts are laid out as D */
#define NOTE_SLEEP                                                                          \
	BEGIN " /(args[1] & 33) != 1/ { self->dt_lock = arg0; self->dt_lock_how = args[1];" \
	      " self->dt_lock_at = dt_monotonic; }"
/* What held a semaphore when the wait began: its count has 1 for a writer, 256 for each reader, a
 * few flags between them, and its sign is another one. Real-time kernels have no such count, and
 * what is per CPU (16) is no semaphore. */
#define COUNT                                                     \
	"(exists(((struct rw_semaphore *)arg0)->count.counter) ?" \
	" ((struct rw_semaphore *)arg0)->count.counter : 0)"
#define NOTE_RW_SLEEP                                                                     \
	NOTE_SLEEP " " BEGIN " /(args[1] & 1) == 0 && args[1] & 6/ { self->dt_lock_count" \
		   " = args[1] & 16 ? 0 : " COUNT "; }"
/* Threads that spin for a reader-writer lock queue at a spin lock inside it: each has a place of
 * its own. */
#define NOTE_SPIN                                                                     \
	"uintptr_t dt_spin_lock[1024]; uint64_t dt_spin_at[1024]; " BEGIN             \
	" /args[1] == 1/ { dt_spin_lock[cpu & 1023] = arg0; dt_spin_at[cpu & 1023] =" \
	" dt_monotonic; }"
#define NOTE_RW_SPIN                                                                             \
	"uintptr_t dt_rwspin_lock[1024]; uint64_t dt_rwspin_at[1024]; uint32_t"                  \
	" dt_rwspin_how[1024]; " BEGIN                                                           \
	" /args[1] & 1 && args[1] & 6/ { dt_rwspin_lock[cpu & 1023] = arg0; dt_rwspin_how[cpu &" \
	" 1023] = args[1];"                                                                      \
	" dt_rwspin_at[cpu & 1023] = dt_monotonic; }"
/* clang-format on */
#define SLEPT "self->dt_lock == arg0 && "
/* What a return has of its call's note, which is used once: by the first clause of the firing,
 * for all. */
/* clang-format off: texts are laid out as D */
#define SPUN(lock)                                                                   \
	"(this->dt_spinlock = (exists(this->dt_spinlock) ? this->dt_spinlock : 0) ?" \
	" this->dt_spinlock : " lock "[cpu & 1023], " lock                           \
	"[cpu & 1023] = 0, this->dt_spinlock != 0)"
/* clang-format on */

/* A function that waits for the lock which is its first argument: for kernels without the
 * tracepoints. */
#define NOTE_WAIT(functions) functions " { self->dt_wait = arg0; self->dt_wait_at = dt_monotonic; }"
/* clang-format off: texts are laid out as D */
#define NOTE_RW_WAIT                                                                           \
	NOTE_WAIT("fbt::rwsem_down_read_slowpath:entry, fbt::rwsem_down_write_slowpath:entry") \
	" fbt::rwsem_down_read_slowpath:entry { self->dt_wait_how = 1;"                        \
	" self->dt_lock_count = " COUNT " - 256; }"                                            \
	" fbt::rwsem_down_write_slowpath:entry { self->dt_wait_how = 0;"                       \
	" self->dt_lock_count = " COUNT "; }"
/* clang-format on */
#define WAITED "self->dt_wait != 0"

/* The same for those that spin: on bare machines, in guests that their hypervisor helps, on others
 * than x86. All waiters come here; BEGIN has only those that queue after another waiter, and none
 * in guests without such help. */
/* clang-format off: texts are laid out as D */
#define NOTE_SPIN_WAIT                                                                     \
	"uintptr_t dt_spin_lock[1024]; uint64_t dt_spin_at[1024];"                         \
	" fbt::native_queued_spin_lock_slowpath:entry,"                                    \
	" fbt::__pv_queued_spin_lock_slowpath:entry, fbt::queued_spin_lock_slowpath:entry" \
	" { dt_spin_lock[cpu & 1023] = arg0; dt_spin_at[cpu & 1023] = dt_monotonic; }"
#define NOTE_RW_SPIN_WAIT                                                                  \
	"uintptr_t dt_rwspin_lock[1024]; uint64_t dt_rwspin_at[1024]; uint32_t"            \
	" dt_rwspin_how[1024];"                                                            \
	" fbt::queued_read_lock_slowpath:entry, fbt::queued_write_lock_slowpath:entry"     \
	" { dt_rwspin_lock[cpu & 1023] = arg0; dt_rwspin_at[cpu & 1023] = dt_monotonic; }" \
	" fbt::queued_read_lock_slowpath:entry { dt_rwspin_how[cpu & 1023] = 2; }"         \
	" fbt::queued_write_lock_slowpath:entry { dt_rwspin_how[cpu & 1023] = 4; }"
/* clang-format on */

/* A function that takes the lock which is its first argument. */
/* clang-format off: texts are laid out as D */
#define NOTE_MUTEX                                                       \
	"fbt::mutex_lock:entry, fbt::mutex_lock_killable:entry,"         \
	" fbt::mutex_lock_interruptible:entry, fbt::mutex_trylock:entry" \
	" { self->dt_mutex = arg0; }"
#define NOTE_RW                                                                              \
	"fbt::down_read:entry, fbt::down_read_trylock:entry, fbt::down_read_killable:entry," \
	" fbt::down_write:entry,"                                                            \
	" fbt::down_write_trylock:entry, fbt::down_write_killable:entry { self->dt_rw = arg0; }"
#define NOTE_SPINLOCK                                                                            \
	"uintptr_t dt_spinlock[1024]; fbt::_raw_spin_lock:entry, fbt::_raw_spin_lock_irq:entry," \
	" fbt::_raw_spin_lock_irqsave:entry, fbt::_raw_spin_lock_bh:entry { dt_spinlock[cpu &"   \
	" 1023] = arg0; }"
/* clang-format on */

#define MUTEX(e)                                       \
	{                                              \
		"struct mutex *", "(struct mutex *)" e \
	}
#define SPINLOCK(e)                                \
	{                                          \
		"spinlock_t *", "(spinlock_t *)" e \
	}
/* clang-format off: texts are laid out as D */
#define RW_SPIN(e)                                                        \
	{"rwlock_t *", "(rwlock_t *)" e}, NS("dt_rwspin_at[cpu & 1023]"), \
	{                                                                 \
		"int", "(dt_rwspin_how[cpu & 1023] & 2) != 0"             \
	}
/* clang-format on */
#define RW(e)                                                        \
	{                                                            \
		"struct rw_semaphore *", "(struct rw_semaphore *)" e \
	}
#define NS(since)                                   \
	{                                           \
		"uint64_t", "dt_monotonic - " since \
	}
/* Whether a writer held the lock when the wait began, and how many readers did. */
#define HOLDERS                                                          \
	{"int", "self->dt_lock_count & 1"},                              \
	{                                                                \
		"int", "(self->dt_lock_count & 0x7fffffffffffffff) >> 8" \
	}
/* Of other systems: RW_WRITER is 0, RW_READER 1. */
#define READER             \
	{                  \
		"int", "1" \
	}
#define WRITER             \
	{                  \
		"int", "0" \
	}

#define SX "its locks for readers and writers are in rw-acquire and the like"
#define LOCKMGR "files' locks for readers and writers are in rw-acquire and the like"

static const struct stable_probe rows[] = {
    {.name = "adaptive-acquire",
     .base = "fbt::mutex_lock:return",
     .prologue = NOTE_MUTEX,
     .predicate = "self->dt_mutex != 0",
     .args = {MUTEX("self->dt_mutex")},
     .func = "mutex_lock"},
    {.name = "adaptive-acquire",
     .base = "fbt::mutex_lock_killable:return+fbt::mutex_lock_interruptible:return",
     .prologue = NOTE_MUTEX,
     .predicate = "self->dt_mutex && !(int)arg1",
     .args = {MUTEX("self->dt_mutex")}},
    {.name = "adaptive-acquire",
     .base = "fbt::mutex_trylock:return",
     .prologue = NOTE_MUTEX,
     .predicate = "self->dt_mutex && (int)arg1",
     .args = {MUTEX("self->dt_mutex")},
     .func = "mutex_trylock"},
    {.name = "adaptive-acquire-error",
     .base = "fbt::mutex_lock_killable:return+fbt::mutex_lock_interruptible:return",
     .prologue = NOTE_MUTEX,
     .predicate = "self->dt_mutex && (int)arg1",
     .args = {MUTEX("self->dt_mutex"), {"int", "-(int)arg1"}}},
    {.name = "adaptive-block",
     .base = END,
     .prologue = NOTE_SLEEP,
     .predicate = SLEPT "self->dt_lock_how == 32",
     .args = {MUTEX("arg0"), NS("self->dt_lock_at")}},
    {.name = "adaptive-block",
     .fallback = true,
     .base = "fbt::__mutex_lock_slowpath:return+fbt::__mutex_lock_killable_slowpath:return"
	     "+fbt::__mutex_lock_interruptible_slowpath:return",
     .prologue =
	 NOTE_WAIT("fbt::__mutex_lock_slowpath:entry, fbt::__mutex_lock_killable_slowpath:entry,"
		   " fbt::__mutex_lock_interruptible_slowpath:entry"),
     .predicate = WAITED,
     .args = {MUTEX("self->dt_wait"), NS("self->dt_wait_at")}},
    {.name = "adaptive-release", .base = "fbt::mutex_unlock:entry", .args = {MUTEX("arg0")}},
    /* It was spun for, and there was no need to sleep: that would have begun another wait. */
    {.name = "adaptive-spin",
     .base = END,
     .prologue = NOTE_SLEEP,
     .predicate = SLEPT "self->dt_lock_how == 33",
     .args = {MUTEX("arg0"), NS("self->dt_lock_at")}},
    {.name = "rw-acquire",
     .base = "fbt::down_read:return",
     .prologue = NOTE_RW,
     .predicate = "self->dt_rw != 0",
     .args = {RW("self->dt_rw"), READER},
     .func = "down_read"},
    {.name = "rw-acquire",
     .base = "fbt::down_read_killable:return",
     .prologue = NOTE_RW,
     .predicate = "self->dt_rw && !(int)arg1",
     .args = {RW("self->dt_rw"), READER},
     .func = "down_read_killable"},
    {.name = "rw-acquire",
     .base = "fbt::down_read_trylock:return",
     .prologue = NOTE_RW,
     .predicate = "self->dt_rw && (int)arg1",
     .args = {RW("self->dt_rw"), READER},
     .func = "down_read_trylock"},
    {.name = "rw-acquire",
     .base = "fbt::down_write:return",
     .prologue = NOTE_RW,
     .predicate = "self->dt_rw != 0",
     .args = {RW("self->dt_rw"), WRITER},
     .func = "down_write"},
    {.name = "rw-acquire",
     .base = "fbt::down_write_killable:return",
     .prologue = NOTE_RW,
     .predicate = "self->dt_rw && !(int)arg1",
     .args = {RW("self->dt_rw"), WRITER},
     .func = "down_write_killable"},
    {.name = "rw-acquire",
     .base = "fbt::down_write_trylock:return",
     .prologue = NOTE_RW,
     .predicate = "self->dt_rw && (int)arg1",
     .args = {RW("self->dt_rw"), WRITER},
     .func = "down_write_trylock"},
    {.name = "rw-block",
     .base = END,
     .prologue = NOTE_RW_SLEEP,
     .predicate = SLEPT "self->dt_lock_how & 6",
     .args =
	 {RW("arg0"), NS("self->dt_lock_at"), {"int", "(self->dt_lock_how & 2) != 0"}, HOLDERS}},
    {.name = "rw-block",
     .fallback = true,
     .base = "fbt::rwsem_down_read_slowpath:return+fbt::rwsem_down_write_slowpath:return",
     .prologue = NOTE_RW_WAIT,
     .predicate = WAITED,
     .args = {RW("self->dt_wait"), NS("self->dt_wait_at"), {"int", "self->dt_wait_how"}, HOLDERS}},
    {.name = "rw-downgrade", .base = "fbt::downgrade_write:entry", .args = {RW("arg0")}},
    {.name = "rw-release",
     .base = "fbt::up_read:entry",
     .args = {RW("arg0"), READER},
     .func = "up_read"},
    {.name = "rw-release",
     .base = "fbt::up_write:entry",
     .args = {RW("arg0"), WRITER},
     .func = "up_write"},
    {.name = "rw-spin",
     .base = END,
     .prologue = NOTE_RW_SPIN,
     .predicate = "dt_rwspin_lock[cpu & 1023] == arg0",
     .args = {RW_SPIN("arg0")}},
    {.name = "rw-spin",
     .fallback = true,
     .base = "fbt::queued_read_lock_slowpath:return+fbt::queued_write_lock_slowpath:return",
     .prologue = NOTE_RW_SPIN_WAIT,
     .predicate = SPUN("dt_rwspin_lock"),
     .args = {RW_SPIN("this->dt_spinlock")}},
    {.name = "spin-acquire",
     .base = "fbt::_raw_spin_lock:return+fbt::_raw_spin_lock_irq:return+fbt::_raw_spin_lock_"
	     "irqsave:return"
	     "+fbt::_raw_spin_lock_bh:return",
     .prologue = NOTE_SPINLOCK,
     .predicate = SPUN("dt_spinlock"),
     .args = {SPINLOCK("this->dt_spinlock")}},
    {.name = "spin-release",
     .base = "fbt::_raw_spin_unlock:entry+fbt::_raw_spin_unlock_irq:entry+fbt::_raw_spin_unlock_"
	     "irqrestore:entry"
	     "+fbt::_raw_spin_unlock_bh:entry",
     .args = {SPINLOCK("arg0")}},
    {.name = "spin-spin",
     .base =
	 "fbt::native_queued_spin_lock_slowpath:return+fbt::__pv_queued_spin_lock_slowpath:return"
	 "+fbt::queued_spin_lock_slowpath:return",
     .prologue = NOTE_SPIN_WAIT,
     .predicate = SPUN("dt_spin_lock"),
     .args = {SPINLOCK("this->dt_spinlock"), NS("dt_spin_at[cpu & 1023]")}},
    {.name = "spin-spin",
     .fallback = true,
     .base = END,
     .prologue = NOTE_SPIN,
     .predicate = "dt_spin_lock[cpu & 1023] == arg0",
     .args = {SPINLOCK("arg0"), NS("dt_spin_at[cpu & 1023]")}},

    LINUX_LACKS("block", "each kind of lock has its own: adaptive-block, rw-block"),
    LINUX_LACKS("spin", "each kind of lock has its own: adaptive-spin, spin-spin, rw-spin"),
    LINUX_LACKS("rw-upgrade", "a reader cannot upgrade its lock for writing"),
    LINUX_LACKS("thread-spin",
		"threads have no spin lock of their own; those of run queues are in spin-spin"),
    /* of FreeBSD */
    LINUX_LACKS("lockmgr-acquire", LOCKMGR),
    LINUX_LACKS("lockmgr-block", LOCKMGR),
    LINUX_LACKS("lockmgr-disown", LOCKMGR),
    LINUX_LACKS("lockmgr-downgrade", LOCKMGR),
    LINUX_LACKS("lockmgr-release", LOCKMGR),
    LINUX_LACKS("lockmgr-upgrade", LOCKMGR),
    LINUX_LACKS("sx-acquire", SX),
    LINUX_LACKS("sx-block", SX),
    LINUX_LACKS("sx-downgrade", SX),
    LINUX_LACKS("sx-release", SX),
    LINUX_LACKS("sx-spin", SX),
    LINUX_LACKS("sx-upgrade", SX),
    {0},
};

const struct provider provider_lockstat = {STABLE_PROVIDER("lockstat", rows)};
