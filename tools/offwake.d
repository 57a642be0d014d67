#!/usr/sbin/dtrace -s
/*
 * offwake: time off the CPU, by stacks of the thread and its waker
 *
 * Usage: dtrace -x tool=offwake
 *
 * Nanoseconds, as histograms. With -c or -p: only this process and its descendants.
 *
 * A thread without a waker was preempted. The waker's stack is that of sched_waking:
 * sched_wakeup may fire in an interrupt on the CPU of the woken thread.
 *
 * Example:
 *	# dtrace -x tool=offwake -c 'sh -c "(sleep 0.1; echo) | cat"'
 *	cat
 *	    waits in
 *	              vmlinux`__schedule+0x618
 *	              vmlinux`schedule+0x23
 *	              vmlinux`anon_pipe_read+0x2e6
 *	              vmlinux`vfs_read+0x189
 *	              vmlinux`ksys_read+0x66
 *	              vmlinux`do_syscall_64+0x71
 *	              vmlinux`entry_SYSCALL_64_after_hwframe+0x76
 *	    woken by
 *	              vmlinux`try_to_wake_up+0x3af
 *	              vmlinux`autoremove_wake_function+0x12
 *	              vmlinux`__wake_up_common+0x72
 *	              vmlinux`__wake_up_sync_key+0x3f
 *	              vmlinux`anon_pipe_write+0x39a
 *	              vmlinux`vfs_write+0x398
 *	              vmlinux`ksys_write+0xba
 *	              vmlinux`do_syscall_64+0x71
 *	              vmlinux`entry_SYSCALL_64_after_hwframe+0x76
 *
 *	           value  ------------- Distribution ------------- count
 *	        33554432 |                                         0
 *	        67108864 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
 *	       134217728 |                                         0
 */
#pragma D option quiet

sdt:sched::sched_switch
/tid && ($target == 0 || progenyof($target))/
{
	away[tid] = timestamp;
	at[tid] = stack();
}

sdt:sched::sched_waking
/away[args->pid]/
{
	by[args->pid] = stack();
}

sdt:sched::sched_switch
/away[args->next_pid]/
{
	@[args->next_comm, at[args->next_pid], by[args->next_pid]] =
	    quantize(timestamp - away[args->next_pid]);
	away[args->next_pid] = 0;
	at[args->next_pid] = 0;
	by[args->next_pid] = 0;
}

dtrace:::END
{
	printa("%s\n    waits in%14k    woken by%14k%@d\n", @);
}
