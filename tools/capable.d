#!/usr/sbin/dtrace -s
/*
 * capable: checks of capabilities, with result
 *
 * Usage: dtrace -x tool=capable [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * RESULT 0: the process has the capability. Needs Linux 6.14 or later. With -c or -p: only
 * this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=capable -c 'chown nobody file'
 *	TIME                    UID    PID COMM         CAPABILITY          RESULT
 *	2026 Nov 21 10:00:01      0   4712 chown        chown                    0
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	name[0] = "chown";
	name[1] = "dac_override";
	name[2] = "dac_read_search";
	name[3] = "fowner";
	name[4] = "fsetid";
	name[5] = "kill";
	name[6] = "setgid";
	name[7] = "setuid";
	name[8] = "setpcap";
	name[9] = "linux_immutable";
	name[10] = "net_bind_service";
	name[11] = "net_broadcast";
	name[12] = "net_admin";
	name[13] = "net_raw";
	name[14] = "ipc_lock";
	name[15] = "ipc_owner";
	name[16] = "sys_module";
	name[17] = "sys_rawio";
	name[18] = "sys_chroot";
	name[19] = "sys_ptrace";
	name[20] = "sys_pacct";
	name[21] = "sys_admin";
	name[22] = "sys_boot";
	name[23] = "sys_nice";
	name[24] = "sys_resource";
	name[25] = "sys_time";
	name[26] = "sys_tty_config";
	name[27] = "mknod";
	name[28] = "lease";
	name[29] = "audit_write";
	name[30] = "audit_control";
	name[31] = "setfcap";
	name[32] = "mac_override";
	name[33] = "mac_admin";
	name[34] = "syslog";
	name[35] = "wake_alarm";
	name[36] = "block_suspend";
	name[37] = "audit_read";
	name[38] = "perfmon";
	name[39] = "bpf";
	name[40] = "checkpoint_restore";
	printf("%-20s %6s %6s %-12s %-19s %6s\n", "TIME", "UID", "PID", "COMM", "CAPABILITY",
	    "RESULT");
}

sdt:capability::cap_capable
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	printf("%-20Y %6d %6d %-12s %-19s %6d\n", walltimestamp, uid, pid, execname,
	    name[args->cap],
	    args->ret);
}
