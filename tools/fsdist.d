#!/usr/sbin/dtrace -s
/*
 * fsdist: latency of reads, writes, opens and syncs by file system
 *
 * Usage: dtrace -x tool=fsdist [TYPE]
 *	TYPE  only file systems of this type, for example xfs (default: all)
 *
 * Microseconds, as histograms, of the system calls on regular files and directories. With
 * -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=fsdist ext4 -c 'cp -r /usr/share/doc /tmp'
 *	  ext4 read (us)
 *	           value  ------------- Distribution ------------- count
 *	               0 |@@@@@@@@@                                20
 *	               1 |@@@@@@@@@@@@@@@@@@@@@@                   50
 *	               2 |@@@@@@@@@                                20
 *	               4 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option compat=off
#pragma D option strsize=64

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry,
syscall::fsync:entry, syscall::fdatasync:entry
/($target == 0 ? pid != $pid : progenyof($target))/
{
	self->start = timestamp;
	self->type = fds[arg0].fi_fs;
}

syscall::openat:entry
/($target == 0 ? pid != $pid : progenyof($target))/
{
	self->start = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return
/self->start/
{
	this->what = "read";
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return
/self->start/
{
	this->what = "write";
}

syscall::fsync:return, syscall::fdatasync:return
/self->start/
{
	this->what = "fsync";
}

syscall::openat:return
/self->start/
{
	this->what = "open";
	self->type = arg0 < 0 ? "" : fds[arg0].fi_fs;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::fsync:return, syscall::fdatasync:return, syscall::openat:return
/self->start && self->type != "" && ($$1 == "" ? self->type != "sockfs" && self->type != "pipefs" :
    $$1 == self->type)/
{
	@[self->type, this->what] = quantize((timestamp - self->start) / 1000);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::fsync:return, syscall::fdatasync:return, syscall::openat:return
{
	self->start = 0;
	self->type = NULL;
}

dtrace:::END
{
	printa("  %s %s (us)%@d\n", @);
}
