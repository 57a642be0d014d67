# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts in the manner of the tools that people publish, on what processes do: how long they live,
# what they wait for and run, which signals they send, and scripts that name probes of several
# systems at once.
# @@stderr: ^dtrace: pid [0-9]+ has exited$
cat >work <<'W'
sh -c 'exit 3'
sleep 0.01
sh -c 'kill -USR1 $$'
W

# How long processes live, and how they end.
cat >lives.d <<'D'
#pragma D option quiet
#pragma D option switchrate=20hz
string how[int];
BEGIN
{
	how[CLD_EXITED] = "exited";
	how[CLD_KILLED] = "killed";
	how[CLD_DUMPED] = "dumped";
	slept = 0;
}
proc:::exec-success
/progenyof($target)/
{
	born[pid] = timestamp;
	name[pid] = execname;
	args_of[pid] = curpsinfo->pr_psargs;
}
proc:::exit
/born[pid] && (this->lived = timestamp - born[pid]) > 0/
{
	printf("%s %s %s\n", name[pid], how[(int)arg0] != NULL ? how[(int)arg0] : "?",
	    args_of[pid]);
	@lived[name[pid]] = quantize(this->lived / 1000);
	@deaths[how[(int)arg0]] = count();
	slept = name[pid] == "sleep" ? this->lived : slept;
	born[pid] = 0;
	name[pid] = 0;
	args_of[pid] = 0;
}
END
{
	printa("%@d %s\n", @deaths);
	printf("%s\n", slept >= 10000000 && slept < 60000000000 ? "slept" : "not slept");
	trunc(@lived);
}
D
$DTRACE -x aggsortkey -s lives.d -c 'sh work'

# How long a thread runs, and waits off the CPU: what goes on comes off, and both together are the
# time of its life.
cat >turns.d <<'D'
#pragma D option quiet
sched:::on-cpu
/pid == $target/
{
	self->on = timestamp;
	turns += 1;
}
sched:::on-cpu
/self->off/
{
	@off["off"] = sum(timestamp - self->off);
	@waits["waits (us)"] = quantize((timestamp - self->off) / 1000);
	off += timestamp - self->off;
	self->off = 0;
}
sched:::off-cpu
/pid == $target/
{
	self->off = timestamp;
	self->on ? ran += timestamp - self->on : 1;
	self->on = 0;
}
END
{
	printf("%s, %s\n", turns >= 5 ? "turns" : "no turns", off >= 5 * 10000000 &&
	    off > ran ? "waits most" : "runs most");
	trunc(@off); trunc(@waits);
}
D
$DTRACE -s turns.d -c 'calls -n 5 -d 10000'

# Signals, as one line for each; the sender's arguments are the same process's.
$DTRACE -qn '
proc:::signal-send
/progenyof($target) && args[2] == SIGUSR1/
{
	printf("%s sends %d to %s\n", execname, args[2],
	    args[1]->pr_pid == pid ? "itself" : "another");
}' -c 'sh work' 2>err | grep -v '^$'

# One script for several systems: with -Z what this one lacks is left out; descriptions with globs,
# lists and empty bodies.
cat >systems.d <<'D'
#pragma D option quiet
#pragma D option zdefs
BEGIN, END { printf("%s\n", probename); }
syscall::fork1:entry, syscall::forksys:entry, syscall::*vfork*:entry,
    fbt:nosuchmodule::entry, lx-syscall:::entry
{
	@other[probefunc] = count();
}
syscall::get*pid:entry, syscall::lseek:*
/pid == $target/
{
	@calls[probefunc, probename] = count();
}
syscall::get*pid:entry
/pid == $target && !(calls++ % 10)/
{
	@tenth = count();
}
END { printa("%s %s %@d\n", @calls); printa("tenth: %@d\n", @tenth); trunc(@other); }
D
$DTRACE -x aggsortkey -s systems.d -c 'calls -n 30'
