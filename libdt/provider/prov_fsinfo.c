/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fsinfo: what is done to files, whatever file system they are in. args[0] is the file, arg1 what
 * came of it: bytes, or what the call returned. What goes through a file descriptor is seen at
 * the system call, which needs no functions of the kernel to be traced and costs nothing for the
 * kernel's own files; what goes by names, at the function.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

#define NOTE_FD(calls) calls " { self->dt_fd = (int)arg0; }"
#define BY_FD                                                                \
	{                                                                    \
		{"fileinfo_t *", "xlate <fileinfo_t *>(getf(self->dt_fd))"}, \
		{                                                            \
			"int64_t", "arg1"                                    \
		}                                                            \
	}
#define AT_ENTRY                                                      \
	{                                                             \
		{"fileinfo_t *", "xlate <fileinfo_t *>(getf(arg0))"}, \
		{                                                     \
			"int64_t", "0"                                \
		}                                                     \
	}
#define DONE "errno == 0"

/* Opened by the call that returns. */
#define OPENS                                                                                 \
	"syscall::open:return+syscall::openat:return+syscall::openat2:return+syscall::creat:" \
	"return"
#define OPENED                                                        \
	{                                                             \
		{"fileinfo_t *", "xlate <fileinfo_t *>(getf(arg1))"}, \
		{                                                     \
			"int64_t", "0"                                \
		}                                                     \
	}
#define FMODE_CREATED "0x100000"

#define BY_NAME(e)                                               \
	{                                                        \
		{"fileinfo_t *", "xlate <fileinfo_t *>(" e ")"}, \
		{                                                \
			"int64_t", "0"                           \
		}                                                \
	}

#define FSINFO_LACKS(what, why)                                                    \
	{                                                                          \
		.name = what, .unsupported = "there is no fsinfo:::" what ": " why \
	}
#define CACHE "Linux has no vnodes"

/* Of two functions the first is the one that compilers do not put into its callers, as they do
 * with vfs_getattr and vfs_rmdir. */
static const struct stable_probe rows[] = {
    {.name = "close",
     .place = "fop_close",
     .base = "syscall::close:entry",
     .predicate = "getf(arg0)",
     .args = AT_ENTRY},
    {.name = "create",
     .place = "fop_create",
     .base = OPENS,
     .predicate = DONE " && getf(arg1)->f_mode & " FMODE_CREATED,
     .args = OPENED},
    {.name = "frlock",
     .place = "fop_frlock",
     .base = "syscall::flock:return",
     .prologue = NOTE_FD("syscall::flock:entry"),
     .predicate = DONE,
     .args = BY_FD,
     .func = "flock"},
    {.name = "frlock",
     .base = "syscall::fcntl:return",
     .prologue = "syscall::fcntl:entry { self->dt_fd = (int)arg0; self->dt_cmd = (int)arg1; }",
     .predicate = DONE " && (self->dt_cmd - 5 < 3u || self->dt_cmd - 36 < 3u)",
     .args = BY_FD,
     .func = "fcntl"},
    {.name = "fsync",
     .place = "fop_fsync",
     .base = "syscall::fsync:return+syscall::fdatasync:return",
     .prologue = NOTE_FD("syscall::fsync:entry, syscall::fdatasync:entry"),
     .predicate = DONE,
     .args = BY_FD},
    {.name = "getattr",
     .place = "fop_getattr",
     .base = "fbt::security_inode_getattr:entry fbt::vfs_getattr:entry",
     .args = BY_NAME("args->path->dentry")},
    {.name = "ioctl",
     .place = "fop_ioctl",
     .base = "syscall::ioctl:return",
     .prologue = NOTE_FD("syscall::ioctl:entry"),
     .predicate = DONE,
     .args = BY_FD},
    {.name = "link",
     .place = "fop_link",
     .base = "fbt::vfs_link:entry",
     .args = BY_NAME("args->new_dentry")},
    {.name = "map",
     .place = "fop_map",
     .base = "syscall::mmap:return",
     .prologue = "syscall::mmap:entry { self->dt_fd = arg3 & 0x20 ? -1 : (int)arg4; }",
     .predicate = DONE " && self->dt_fd >= 0",
     .args = {{"fileinfo_t *", "xlate <fileinfo_t *>(getf(self->dt_fd))"}, {"int64_t", "0"}}},
    {.name = "mkdir",
     .place = "fop_mkdir",
     .base = "fbt::vfs_mkdir:entry",
     .args = BY_NAME("args->dentry")},
    {.name = "open", .place = "fop_open", .base = OPENS, .predicate = DONE, .args = OPENED},
    {.name = "read",
     .place = "fop_read",
     .base = "syscall::read:return+syscall::readv:return+syscall::pread64:return+syscall::preadv:"
	     "return+syscall::preadv2:return",
     .prologue = NOTE_FD(
	 "syscall::read:entry, syscall::readv:entry, syscall::pread64:entry, syscall::preadv:entry,"
	 " syscall::preadv2:entry"),
     .predicate = DONE,
     .args = BY_FD},
    {.name = "readdir",
     .place = "fop_readdir",
     .base = "syscall::getdents64:return+syscall::getdents:return",
     .prologue = NOTE_FD("syscall::getdents64:entry, syscall::getdents:entry"),
     .predicate = DONE,
     .args = BY_FD},
    {.name = "readlink",
     .place = "fop_readlink",
     .base = "fbt::vfs_readlink:entry",
     .args = BY_NAME("args->dentry")},
    {.name = "remove",
     .place = "fop_remove",
     .base = "fbt::vfs_unlink:entry",
     .args = BY_NAME("args->dentry")},
    {.name = "rename",
     .place = "fop_rename",
     .base = "fbt::vfs_rename:entry",
     .args = BY_NAME("exists(args->rd) ? args->rd->old_dentry : args->old_dentry")},
    {.name = "rmdir",
     .place = "fop_rmdir",
     .base = "fbt::security_inode_rmdir:entry fbt::vfs_rmdir:entry",
     .args = BY_NAME("args->dentry")},
    {.name = "seek",
     .place = "fop_seek",
     .base = "syscall::lseek:return",
     .prologue = NOTE_FD("syscall::lseek:entry"),
     .predicate = DONE,
     .args = BY_FD},
    {.name = "setattr",
     .place = "fop_setattr",
     .base = "fbt::notify_change:entry",
     .args = BY_NAME("args->dentry")},
    {.name = "space",
     .place = "fop_space",
     .base = "syscall::ftruncate:return+syscall::fallocate:return",
     .prologue = NOTE_FD("syscall::ftruncate:entry, syscall::fallocate:entry"),
     .predicate = DONE,
     .args = BY_FD},
    {.name = "symlink",
     .place = "fop_symlink",
     .base = "fbt::vfs_symlink:entry",
     .args = BY_NAME("args->dentry")},
    {.name = "write",
     .place = "fop_write",
     .base = "syscall::write:return+syscall::writev:return+syscall::pwrite64:return+syscall::"
	     "pwritev:return+syscall::pwritev2:return",
     .prologue = NOTE_FD("syscall::write:entry, syscall::writev:entry, syscall::pwrite64:entry, "
			 "syscall::pwritev:entry,"
			 " syscall::pwritev2:entry"),
     .predicate = DONE,
     .args = BY_FD},

    FSINFO_LACKS(
	"access",
	"Linux checks permissions at each component of a path; use syscall::*access*:entry"),
    FSINFO_LACKS("addmap", CACHE "; mappings are in map"),
    FSINFO_LACKS("cmp", CACHE),
    FSINFO_LACKS("delmap", CACHE "; use syscall::munmap:entry"),
    FSINFO_LACKS("dispose", CACHE),
    FSINFO_LACKS("fid", CACHE),
    FSINFO_LACKS("getpage", "pages are in vminfo and io"),
    FSINFO_LACKS("inactive", CACHE),
    FSINFO_LACKS(
	"lookup",
	"Linux looks up names in its cache, in inlined functions; sysinfo:::namei has whole paths"),
    FSINFO_LACKS("putpage", "pages are in vminfo and io"),
    FSINFO_LACKS("realvp", CACHE),
    FSINFO_LACKS("rwlock", "on Linux, each file system implements this itself"),
    FSINFO_LACKS("rwunlock", "on Linux, each file system implements this itself"),
    {0},
};

const struct provider provider_fsinfo = {STABLE_PROVIDER("fsinfo", rows), .functions = true};
