#!/usr/sbin/dtrace -s
/*
 * Who calls tcp_sendmsg(): the three functions above it, and how often; for ten seconds, or a command.
 *
 *	dtrace -s tcpcallers.d
 *
 * Sample:
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
