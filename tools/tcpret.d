#!/usr/sbin/dtrace -s
/*
 * tcpret: results of tcp_sendmsg(): bytes, nothing, errors
 *
 * Usage: dtrace -x tool=tcpret
 *
 * Ends after ten seconds, or with the command of -c. With -c or -p: only this process and
 * its descendants. Needs kprobes or fentry.
 *
 * Example:
 *	# dtrace -x tool=tcpret
 *	failed                  1
 *	took bytes             50
 *	errno 32                1
 */
#pragma D option quiet

fbt::tcp_sendmsg:return
/$target == 0 || progenyof($target)/
{
	@n[args[1] < 0 ? "failed" : args[1] == 0 ? "took nothing" : "took bytes"] = count();
}

fbt::tcp_sendmsg:return
/args[1] < 0 && ($target == 0 || progenyof($target))/
{
	@errors[-args[1]] = count();
}

profile:::tick-10sec
{
	exit(0);
}

dtrace:::END
{
	printa("%-16s %@8d\n", @n);
	printa("errno %-10d %@8d\n", @errors);
}
