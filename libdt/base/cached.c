/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/cached.h"

/* not sys/stat.h, which may have the structure, too */
#include <linux/stat.h>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static uint64_t ns_of(const struct statx_timestamp *t)
{
	return t->tv_sec * 1000000000ull + t->tv_nsec;
}

bool cached_at(int dir, const char *path, struct cached *c)
{
	struct statx st;

	if (syscall(SYS_statx, dir, path, AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS,
		    &st))
		return false;
	*c = (struct cached){
	    .dev = makedev(st.stx_dev_major, st.stx_dev_minor),
	    .inode = st.stx_ino,
	    .size = st.stx_size,
	    .modified = ns_of(&st.stx_mtime),
	    .changed = ns_of(&st.stx_ctime),
	    .uid = st.stx_uid,
	    .mode = st.stx_mode,
	};
	return true;
}
