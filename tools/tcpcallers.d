#!/usr/sbin/dtrace -s
/*
 * tcpcallers: kernel stacks that call tcp_sendmsg()
 *
 * Usage: dtrace -x tool=tcpcallers
 *
 * Ends after ten seconds, or with the command of -c. With -c or -p: only this process and
 * its descendants. Needs kprobes or fentry.
 *
 * Example:
 *	# dtrace -x tool=tcpcallers
 *	          vmlinux`tcp_sendmsg+0x9
 *	          vmlinux`__sys_sendto+0x1ce
 *	          vmlinux`__x64_sys_sendto+0x24
 *	           50
 */
#pragma D option quiet

fbt::tcp_sendmsg:entry
/$target == 0 || progenyof($target)/
{
	@[stack(3)] = count();
}

profile:::tick-10sec
{
	exit(0);
}
