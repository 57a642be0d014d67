#!/usr/sbin/dtrace -s
/*
 * Who calls tcp_sendmsg(): the three functions above it, and how often; for ten seconds, or a command.
 *
 *	dtrace -s tcpcallers.d
 *
 * Sample:
@SAMPLE tcpcallers@
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
