#!/usr/sbin/dtrace -s
/*
 * profile: stacks of programs and the kernel, sampled
 *
 * Usage: dtrace -x tool=profile [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * 99 samples a second on each CPU, without samples of the idle process. With -c or -p:
 * only this process and its descendants.
 *
 * -x oformat=svg -o FILE draws a flame graph.
 *
 * Example:
 *	# dtrace -x tool=profile -c 'sh -c "while :; do :; done"' 5
 *	  sh
 *	
 *	              sh`evaltree+0x1f1
 *	              sh`cmdloop+0xd3
 *	              sh`main+0x28c
 *	              libc.so.6`__libc_start_main+0x85
 *	              213
 */
#pragma D option quiet
#pragma D option defaultargs

profile:::profile-99
/pid && ($target == 0 ? pid != $pid : progenyof($target))/
{
	@[execname, stack(), ustack()] = count();
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
