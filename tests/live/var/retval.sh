#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What other systems do not have: retval, ncpus, and the numbers that a process has in a namespace
# of its own.
$DTRACE -qn 'syscall::openat:return /pid == $target && retval == -1/ { @[retval, errno] = count(); }
	END { printa("%d %d\n", @); }' \
	-c 'cat /nonexistent/file' 2>/dev/null
$DTRACE -qn 'BEGIN { printf("%d %d %d\n", ncpus == $1, nspid == pid, nstid == tid);
	exit(0); }' "$(getconf _NPROCESSORS_ONLN)"
# a script's own
$DTRACE -qn 'int nspid; BEGIN { retval = 3; ncpus = 7; nspid = 5;
	printf("%d %d %d\n", retval, ncpus, nspid); exit(0); }'
$DTRACE -qn 'BEGIN { retval[1] = 4; printf("%d\n", retval[1]); exit(0); }'
# calls makes a thread, which is the second of the namespace
$DTRACE -qn 'syscall::getppid:entry /progenyof($target) && execname == "calls"/ {
	printf("%d %d %d\n", nspid, nstid, pid > 1); }' \
	-c 'unshare -pf calls -n 1'
