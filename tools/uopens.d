#!/usr/sbin/dtrace -s
/*
 * uopens: files that a process opens, with the calling code
 *
 * Usage: dtrace -x tool=uopens
 *
 * Requires -c or -p. Traces functions of the C library; opens shows system calls.
 *
 * Example:
 *	# dtrace -x tool=uopens -c 'cat /etc/hostname /no/such/file'
 *	PROCESS            FD BY                               PATH
 *	cat                 3 libc.so.6`_nl_load_locale+0x70   /usr/lib/locale/C.utf8/LC_CTYPE
 *	cat                 3 cat`0x2e57                       /etc/hostname
 *	cat                -1 cat`0x2e57                       /no/such/file
 */
#pragma D option quiet
#pragma D option evaltime=preinit

dtrace:::BEGIN
{
	printf("%-16s %4s %-32s %s\n", "PROCESS", "FD", "BY", "PATH");
}

pid$target:libc.so*:open64:entry
{
	self->path = arg0;
	self->by = ucaller;
}

pid$target:libc.so*:openat64:entry
{
	self->path = arg1;
	self->by = ucaller;
}

pid$target:libc.so*:open64:return,
pid$target:libc.so*:openat64:return
/self->path/
{
	printf("%-16s %4d %-32A %s\n", execname, (int)arg1, self->by, copyinstr(self->path));
	self->path = 0;
}
