/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@needs: btf */
/* @@trigger: sh -c '/bin/true; exit 0' */
/* The command, its child, and not the other way round. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", progenyof(pid), progenyof(1), progenyof($target));
}

syscall::exit_group:entry
/pid == $target/
{
	printf("itself %d %d\n", progenyof($target), progenyof(pid));
}

syscall::exit_group:entry
/progenyof($target) && pid != $target/
{
	printf("child %d %d\n", progenyof(ppid), progenyof(pid));
}
