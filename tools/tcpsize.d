#!/usr/sbin/dtrace -s
/*
 * tcpsize: sizes of sends over TCP by program, as histograms
 *
 * Usage: dtrace -x tool=tcpsize
 *
 * Ends after ten seconds, or with the command of -c. With -c or -p: only this process and
 * its descendants. Needs kprobes or fentry.
 *
 * Example:
 *	# dtrace -x tool=tcpsize -c 'curl -s http://localhost/'
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
