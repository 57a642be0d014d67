/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads on several CPUs count in one element: nothing is lost. Each thread has its own self->. */
/* @@trigger: calls -t 4 -n 5000 */
#pragma D option quiet

int n;

syscall::getppid:entry
/pid == $target/
{
	n++;
	made["calls"]++;
	sum["calls", pid] += 2;
	self->n++;
	self->a["x"]++;
	t[tid] = self->n + self->a["x"];
}

syscall::getppid:return
/pid == $target && self->n == 5000 && self->a["x"] == 5000/
{
	@done["threads"] = count();
	@done[t[tid] == 10000 ? "right" : "wrong"] = count();
}

END
{
	printf("%d %d %d\n", n, made["calls"], sum["calls", $target]);
	printa("%s %@d\n", @done);
}
