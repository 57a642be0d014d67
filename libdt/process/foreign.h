/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of other users, which dtrace looks into as root: programs and libraries that processes
 * have mapped, maps of compilers at run time. Their owners may put anything in their place and
 * change them at any time.
 *
 * Opening is an act (a watchdog arms, a terminal is taken), and on a file system of a user's
 * (FUSE) it may never return, and nor may reading or closing. So a file is first found with
 * O_PATH, which opens nothing, must be a regular one on a file system of files and the one that
 * is mapped, by device and inode; only then it is opened, through /proc/self/fd. A process of its
 * own does this, the opener, which can be abandoned. It hands the file on to another one, the
 * reader, which has no rights and limited memory; that parses it (elfread.h, jitread.h) and hands
 * dtrace sealed memory. dtrace itself never has such a file open.
 *
 * Files that only root can change, in directories that only root can change, are not foreign:
 * dtrace reads them itself, without limits.
 *
 * One budget limits the memory of all that is kept (-x foreignsize), also of what other modules
 * make of such files (foreign_take()), and the time for each file (-x foreigntime); what exceeds it
 * is left out, which is reported once. The list of a process's mappings is theirs, too: users
 * choose the paths and the number of mappings.
 */
#ifndef DT_FOREIGN_H
#define DT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/process/proc_maps.h"

struct foreign;
struct elfread_ask;
struct jitread;
struct object_files;

/* A file that was found. */
struct foreign_file {
	int fd;	 /* with O_PATH; -1: it is not foreign */
	int own; /* to read from; -1: it is foreign */
	uint64_t dev, inode, size;
	uint64_t modified, changed; /* ns */
	uint32_t uid;
	uint32_t payer;	   /* the user whose process has it (foreign_time.h) */
	uint64_t spent_ns; /* for all that was asked of it */
	int err;	   /* of the last question; -ETIMEDOUT: it is not asked any more,
			    * -EBUSY: not now */
	char *path;	   /* by which the kernel finds it, too */
};

/* size: bytes; ns: for each file. report is called at most once for each of them, with a line
 * without a newline. */
struct foreign *foreign_new(uint64_t size, uint64_t ns, void (*report)(void *arg, const char *text),
			    void *arg);
void foreign_free(struct foreign *f);

/* What is mapped, also when it was removed, replaced or lies in another mount namespace. 0 or
 * -errno. *file is to be released. */
int foreign_find_mapped(struct foreign *f, pid_t pid, const struct mapping *m,
			struct foreign_file *file);
/* Which version of a file is mapped, without looking into it. 0 or -errno. */
struct foreign_version {
	uint64_t dev, inode, modified, changed; /* the times in ns */
	uint64_t size;
};
int foreign_version(struct foreign *f, pid_t pid, const struct mapping *m,
		    struct foreign_version *v);
/* Only by the path that the mapping has, in the root directory of that process; 0: in ours. */
int foreign_find_below(struct foreign *f, pid_t root, const struct mapping *m,
		       struct foreign_file *file);
/* Any regular file, by its path in the root directory of that process; 0: in ours. f NULL:
 * foreign_find_own(). */
int foreign_find(struct foreign *f, pid_t root, const char *path, struct foreign_file *file);
/* From a caller that trusts the file: it is not foreign. */
int foreign_find_own(const char *path, struct foreign_file *file);
/* As foreign_find(), without following a link in its last component; of 0 a process that has ended
 * is the user. */
int foreign_find_here(struct foreign *f, pid_t root, const char *path, struct foreign_file *file);
/* What a process has mapped, within the limits of time and memory; NULL with errno. That it is
 * incomplete is reported once. ETIMEDOUT: those of this user's processes took too long, for the
 * moment. f NULL: no limits. To be freed with proc_maps_free(). */
struct proc_maps *foreign_maps(struct foreign *f, pid_t pid);
/* Asked before each list: has tracing ended, or is it to end? Then lists of others than root have
 * little time. */
void foreign_on_ended(struct foreign *f, bool (*ended)(void *arg), void *arg);
bool foreign_ended(const struct foreign *f);
void foreign_file_init(struct foreign_file *file);
void foreign_release(struct foreign_file *file);
/* Finds a file again whose descriptors were closed (-1; own: to read it oneself): 0 when it is the
 * same one, unchanged, or -errno. */
int foreign_find_again(struct foreign *f, bool own, struct foreign_file *file);
/* Does the error (-errno) say that the user's time or share of memory is used up? Another user's
 * process may still have the file. */
bool foreign_is_users(int err);
/* Is the error (-errno) not the fault of the file or its user: a shortage, a failing device? */
bool foreign_is_machines(int err);
/* Why a file was not found, from these functions' errors. */
const char *foreign_refusal(int err);

/* The table of files of objects that are open (process/object_file.h). */
struct object_files *foreign_object_files(struct foreign *f);

/* Reports once that files of a process, which has mapped more than that, are not looked into. */
void foreign_omit_files(struct foreign *f, pid_t pid, int most);
/* Reports that a process did not start within foreigntime (-ETIMEDOUT), that its program is on a
 * file system that a user serves (-EREMOTE), or what else keeps it from being followed to where its
 * libraries are mapped. */
void foreign_omit_rest(struct foreign *f, pid_t pid, int err);

/* An answer of elfread(), to be given back with foreign_drop(), which may be written to; NULL
 * with *len 0 when there is none. */
void *foreign_ask(struct foreign *f, struct foreign_file *file, const struct elfread_ask *ask,
		  size_t *len);
/* The same of jitread(). */
void *foreign_ask_jit(struct foreign *f, struct foreign_file *file, const struct jitread *ask,
		      size_t *len);
/* payer: the file's when it was asked for. */
void foreign_drop(struct foreign *f, uint32_t payer, void *mem, size_t len);
/* Memory that other modules keep of such files counts, too. payer: foreign_file.payer. */
void foreign_charge(struct foreign *f, uint32_t payer, int64_t bytes);
/* The same before it is taken: false, which is reported, when the limit does not allow it. path: of
 * the file. */
bool foreign_take(struct foreign *f, uint32_t payer, const char *path, uint64_t bytes);
/* The user that another user's number was given to (foreign_time.h). f NULL: itself. */
uint32_t foreign_owner_of(struct foreign *f, uint32_t uid);
/* The account of a process: of foreign_payer()'s owner. */
uint32_t foreign_payer_of(struct foreign *f, pid_t pid);
/* The time (ns) that is left for files of this user's processes (foreign_file.payer), 0, which is
 * reported, when there is none; and what was taken by others than these functions. */
uint64_t foreign_time_for(struct foreign *f, uint32_t payer);
/* The memory that is left for them, 0 also when there is no time; nothing is reported. */
uint64_t foreign_space_for(struct foreign *f, uint32_t payer);
void foreign_spend(struct foreign *f, uint32_t payer, uint64_t ns);
/* Something else of a file is left out, which is reported once for all files: what, and why. */
void foreign_omit(struct foreign *f, const char *what, const char *path, const char *why);
/* Makes the limit this size unless it is lower. f may be NULL. */
void foreign_lower(struct foreign *f, uint64_t size);
/* The most memory, and ns, that it may take to understand a file. */
void foreign_limits(const struct foreign *f, uint64_t *size, uint64_t *ns);
/*
 * A descriptor to read the file from, for another program: of a copy where the file system may not
 * be trusted, or only the owner may read the file. Several that ask get the same copy. -errno. It
 * is given back when no program has it any more: until then the copy is in the budget.
 */
int foreign_data(struct foreign *f, struct foreign_file *file);
void foreign_data_end(struct foreign *f, int fd);

#endif
