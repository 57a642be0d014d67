# SPDX-License-Identifier: GPL-2.0-or-later
# A tree of processes as it grows: depths by parent, in an array that the exit deletes; what each
# runs, and how it ends.
# @@stderr: ^dtrace: .*$
cat >work <<'W'
sh -c 'sh -c "exit 3"; exit 1'
sh -c 'exit 2'
exit 0
W
cat >tree.d <<'D'
#pragma D option quiet
int depth[pid_t];
BEGIN { deepest = 0; }
proc:::create
/pid == $target || depth[pid]/
{
	this->child = args[0]->pr_pid;
	depth[this->child] = (pid == $target ? 1 : depth[pid] + 1);
	deepest = depth[this->child] > deepest ? depth[this->child] : deepest;
	births++;
}
proc:::exec-success
/depth[pid]/
{
	printf("%*s%s\n", depth[pid] * 2, "", curpsinfo->pr_psargs);
}
syscall::exit_group:entry
/depth[pid]/
{
	code[pid] = (int)arg0 + 1;
}
proc:::exit
/depth[pid] && code[pid]/
{
	printf("%*sends with %d\n", depth[pid] * 2, "", code[pid] - 1);
	@ends[depth[pid]] = count();
	depth[pid] = 0;
	code[pid] = 0;
}
END { printf("deepest %d, %d born\n", deepest, births); printa("%d: %@d\n", @ends); }
D
$DTRACE -x aggsortkey -s tree.d -c 'bash work' 2>err
