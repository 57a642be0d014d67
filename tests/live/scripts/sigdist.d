/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who sends which signals to whom: the call's view and the kernel's, and percentages. */
/* @@trigger: sh -c 'trap : USR1 USR2; kill -USR1 $$; kill -USR2 $$; kill -USR1 $$; kill -0 $$' */
#pragma D option quiet

string name[int];

BEGIN
{
	name[SIGUSR1] = "SIGUSR1";
	name[SIGUSR2] = "SIGUSR2";
	name[0] = "none";
}

syscall::kill:entry
/progenyof($target)/
{
	@calls[execname, name[(int)arg1], (int)arg0 == pid ? "itself" : "another"] = count();
	all++;
	usr += (int)arg1 == SIGUSR1;
}

proc:::signal-send
/progenyof($target) && pid == args[1]->pr_pid && args[2] != SIGCHLD/
{
	@sent[execname, args[1]->pr_fname, args[2]] = count();
}

proc:::signal-handle
/progenyof($target) && (args[0] == SIGUSR1 || args[0] == SIGUSR2)/
{
	@met[name[args[0]]] = count();
}

END
{
	printf("%-8s %-8s %-8s %s\n", "SENDER", "SIGNAL", "TO", "COUNT");
	printa("%-8s %-8s %-8s %@d\n", @calls);
	printa("%s %s %d: %@d\n", @sent);
	printa("%s %@d\n", @met);
	printf("%d.%d%% are %s\n", usr * 100 / all, usr * 1000 / all % 10, name[SIGUSR1]);
}
