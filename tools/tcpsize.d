#!/usr/sbin/dtrace -s
/*
 * How much programs give TCP to send at a time, in bytes, as a distribution; for ten seconds, or a command.
 *
 *	dtrace -s tcpsize.d
 *	dtrace -s tcpsize.d -c 'curl -s http://localhost/'
 *
 * Sample:
 *	  tcp
 *	           value  ------------- Distribution ------------- count
 *	             256 |                                         0
 *	             512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 50
 *	            1024 |                                         0
 */
#pragma D option quiet

fbt::tcp_sendmsg:entry
/$target == 0 || progenyof($target)/
{
	@[execname] = quantize(args->size);
}

profile:::tick-10sec
{
	exit(0);
}
