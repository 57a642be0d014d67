/* proc: each of its probes once, with arguments that tests/fixture/procs knows. */
/* @@trigger: procs */
#pragma D option quiet
proc:::create /pid == $target/ {
	@["create", args[0]->pr_fname, args[0]->pr_ppid == $target] = count(); }
proc:::exec /ppid == $target/ { @["exec", args[0], 0] = count(); }
proc:::exec-failure /ppid == $target/ { @["exec-failure", execname, args[0]] = count(); }
proc:::exec-success /ppid == $target/ { @["exec-success", curpsinfo->pr_psargs, 0] = count(); }
proc:::exit /ppid == $target || pid == $target/ { @["exit", execname, args[0]] = count(); }
proc:::lwp-create
/pid == $target/
{
	@["lwp-create", args[1]->pr_fname, args[0]->pr_lwpid == args[1]->pr_pid] = count();
}
proc:::lwp-exit /ppid == $target/ { @["lwp-exit of a child", execname, 0] = count(); }
proc:::lwp-exit /pid == $target/ { @["lwp-exit", execname, tid == pid] = count(); }
proc:::start /ppid == $target/ { @["start", execname, 0] = count(); }
proc:::start /pid == $target/ { @["start of a thread?", execname, 0] = count(); }
proc:::lwp-start /ppid == $target/ { @["lwp-start of a child", execname, 0] = count(); }
proc:::lwp-start /pid == $target/ { @["lwp-start", execname, tid == pid] = count(); }
proc:::signal-send
/pid == $target && args[1]->pr_pid == $target/
{
	@["signal-send", args[1]->pr_fname, args[2]] = count();
	@["to", args[1]->pr_fname, args[0]->pr_lwpid == tid] = count();
}
proc:::signal-send /ppid == $target/ {
	@["signal-send by a child", args[1]->pr_fname, args[2]] = count(); }
proc:::signal-discard /pid == $target && args[1]->pr_pid == $target/ {
	@["signal-discard", args[1]->pr_fname, args[2]] = count(); }
proc:::signal-handle
/pid == $target/
{
	@["signal-handle", execname, args[0]] = count();
	@["siginfo", execname, args[1]->si_signo] = count();
	@["handler", execname, args[2] != NULL] = count();
}
proc:::signal-clear /pid == $target/ { @["signal-clear", execname, args[0]] = count(); }
proc:::fault /ppid == $target/ { @["fault", execname, args[0]] = count();
	@["code", execname, args[1]->si_code] = count(); }
END { printa("%s %s %d %@d\n", @); }
