/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who does it: the workload is a child of dtrace. */
/* @@trigger: calls -t 2 -n 3 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	@["calls", execname == "calls", ppid == $pid, uid == $uid, gid == $gid,
	    cpu < 4096, ipl] = count();
	@threads[tid == pid] = count();
	tids[tid]++;
	@sum = sum(tids[tid] == 3 ? 1 : 0);
}

END
{
	printa("%s %d %d %d %d %d %d %@d\n", @);
	printa("main thread %d: %@d\n", @threads);
	printa("%@d\n", @sum);
	printf("%d %d %d %s\n", pid == $pid, ppid == $ppid, tid == pid, probename);
}
