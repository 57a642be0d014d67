/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most frequent calls each 50 ms, on a screen that is cleared first. */
/* @@trigger: calls -n 300 -d 1000 */
#pragma D option quiet
#pragma D option switchrate=50hz
#pragma D option defaultargs
inline int TOP = $1 ? $1 : 2;

BEGIN { rounds = 0; }

syscall::getppid:entry,
syscall::*nanosleep:entry
/pid == $target/
{
	@Num[probefunc == "getppid" ? "parent" : "sleep", execname] = count();
	@All[execname] = count();
	@Seen[probename] = sum(1);
}

profile:::tick-50ms
/rounds < 2/
{
	printf("\033[H\033[2J%s\n", "CALLS");
	trunc(@Num, TOP);
	clear(@Num);
	rounds++;
}

END
{
	trunc(@Num);
	printf("rounds %d\n", rounds);
	trunc(@All, TOP);
	printa("%s %@d\n", @All);
	printa("%s %@d\n", @Seen);
	printa("%s %s %@d", @Num);
}
