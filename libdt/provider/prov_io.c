/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io: requests to disks, from when they are handed to the driver until they are done, and to
 * servers of NFS. arg0 is the request. Threads that wait for one say so to the scheduler; for
 * which, the functions know that begin the wait, where they can be traced.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

/* Before 5.11 block_rq_issue has the queue in front. */
#define ISSUED "(exists(args[1]) ? args[1] : args[0])"
/* clang-format off: texts are laid out as D */
#define ARGS(e, file)                                                   \
	{                                                               \
		{"bufinfo_t *", "xlate <bufinfo_t *>(" e ")"},          \
		    {"devinfo_t *", "xlate <devinfo_t *>(" e ")"},      \
		    {"fileinfo_t *", "xlate <fileinfo_t *>(" file ")"}, \
	}
/* clang-format on */
/* by: the issuing task, where that is the current one. */
#define REQUEST(e, by) ARGS(e, "(this->dt_issuer = (struct task_struct *)" by ", " e ")")
#define WAITER(e) ARGS(e, e)
/* What a thread waits for, where functions can be traced: for a page to be read or written, or to
 * be unlocked. */
/* clang-format off: texts are laid out as D */
#define WAIT_BIT(when)                                                     \
	"fbt::folio_wait_bit:" when ", fbt::folio_wait_bit_killable:" when \
	", fbt::wait_on_page_bit:" when ", fbt::wait_on_page_bit_killable:" when
#define WAIT_LOCK(when)                                                         \
	"fbt::__folio_lock:" when ", fbt::__folio_lock_killable:" when          \
	", fbt::__folio_lock_or_retry:" when ", fbt::__lock_page:" when         \
	", fbt::__lock_page_killable:" when ", fbt::__lock_page_or_retry:" when \
	", fbt::put_and_wait_on_page_locked:" when
#define NOTE_WAIT                                                                                 \
	"fbt::submit_bio_wait:entry { self->dt_wait_bio = (uint64_t)arg0;"                        \
	" self->dt_wait_size = (uint64_t)((struct bio *)arg0)->bi_iter.bi_size;"                  \
	" self->dt_wait_sector = (uint64_t)((struct bio *)arg0)->bi_iter.bi_sector; }"            \
	"fbt::submit_bio_wait:return { self->dt_wait_bio = 0; }"                                  \
	"fbt::__wait_on_buffer:entry { self->dt_wait_buf = (uint64_t)arg0; }"                     \
	"fbt::__wait_on_buffer:return { self->dt_wait_buf = 0; }" WAIT_BIT(                       \
	    "entry") " { self->dt_wait_page = (uint64_t)arg0; self->dt_wait_bit ="                \
		     " (int)arg1; }" WAIT_LOCK(                                                   \
			 "entry") " { self->dt_wait_page = (uint64_t)arg0; self->dt_wait_bit = "  \
				  "0; }" WAIT_BIT("return") ", " WAIT_LOCK("return") " { "        \
										     "self->dt_"  \
										     "wait_page " \
										     "= 0; }"
/* clang-format on */

/* How it ended is a number of the block layer's own, or (before 5.16) the error itself,
 * negative. */
/* clang-format off: texts are laid out as D */
#define ENDED                                                                             \
	"(this->dt_done = 1, this->dt_status = sizeof (args[1]) == 1 ? (int)args[1] : 0," \
	" this->dt_errno = sizeof (args[1]) == 1 ? 0 : -(int)args[1], this->dt_moved ="   \
	" (uint64_t)args[2], 1)"
/* clang-format on */

/* Clients of NFS have no requests to disks, but to servers: functions that begin those have them as
 * the first argument, functions that end them after the task. */
/* clang-format off: texts are laid out as D */
#define NFS(probe_name, probe, header, condition)                                                  \
	{                                                                                          \
		.name = probe_name, .func = probe, .base = "rawtp:nfs::" probe,                    \
		.predicate = condition,                                                            \
		.args =                                                                            \
		    ARGS("(struct nfs_pgio_header *)" header, "(struct nfs_pgio_header *)" header) \
	}
#define NFS_ENDED                                                                         \
	"this->dt_done = 1, this->dt_status = 0, this->dt_moved = (uint64_t)0,"           \
	" this->dt_errno = ((struct rpc_task *)arg0)->tk_status < 0 ? -((struct rpc_task" \
	" *)arg0)->tk_status : 0, 1"
/* clang-format on */
#define NFS_START(way, probe) NFS("start", probe, "arg0", "(this->dt_nfs_read = " way ", 1)")
#define NFS_DONE(way, probe) \
	NFS("done", probe, "arg1", "(this->dt_nfs_read = " way ", " NFS_ENDED ")")

/* In the place of the thread that has waited: see prov_sched.c. */
#define AFTER_SWITCH "rawfbt::finish_task_switch*:entry"

#define JOURNAL \
	"Linux has no journal of its own: writes of file systems' journals are in start and done"

static const struct stable_probe rows[] = {
    {.name = "start", .base = "rawtp:block::block_rq_issue", .args = REQUEST(ISSUED, "curthread")},
    /* A flush of a disk's cache ends the write that asked for it once more, of no bytes; or
	 * for the first time, and that never started. */
    {.name = "done",
     .base = "rawtp:block::block_rq_complete",
     .predicate = "((args[0]->cmd_flags & 0xff) != 1 || (uint64_t)args[2]) && " ENDED,
     .args = REQUEST("args[0]", "NULL")},
    NFS_START("1", "nfs_initiate_read"),
    NFS_START("0", "nfs_initiate_write"),
    NFS_DONE("1", "nfs_readpage_done"),
    NFS_DONE("0", "nfs_writeback_done"),
    {.name = "wait-start",
     .place = "biowait",
     .base = "rawtp:sched::sched_switch",
     .predicate = "!args[0] && args[1]->in_iowait",
     .prologue = NOTE_WAIT,
     .args = WAITER("args[1]")},
    {.name = "wait-done",
     .base = AFTER_SWITCH,
     .predicate = "curthread->in_iowait",
     .prologue = NOTE_WAIT,
     .args = WAITER("curthread")},
    {.name = "wait-done",
     .fallback = true,
     .base = "rawtp:sched::sched_exit_tp",
     .predicate = "arg0 & 1 && curthread->in_iowait",
     .prologue = NOTE_WAIT,
     .args = WAITER("curthread")},
    /* of macOS */
    {.name = "journal-start", .unsupported = JOURNAL, .args = REQUEST("", "")},
    {.name = "journal-done", .unsupported = JOURNAL, .args = REQUEST("", "")},
    {0},
};

const struct provider provider_io = {STABLE_PROVIDER("io", rows)};
