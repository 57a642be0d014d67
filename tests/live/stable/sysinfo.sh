# @@needs: cmd:taskset
# sysinfo: what the workload did, counted, on each kernel; and what only some kernels show.
counts() {
	$DTRACE -qn "$1"' END { printa("%s %@d\n", @); }' -c "doings $2" | sort | grep .
}
echo "files:"
counts 'sysinfo:::readch, sysinfo:::writech, sysinfo:::sysread,
	sysinfo:::syswrite /pid == $target && probefunc[0] == 112/
	{ @[probename] = sum(arg0); }
	sysinfo:::readch /pid == $target && args[1]/ { @["not there"] = sum(1); }' files
echo "forks:"
counts 'sysinfo:::sysfork, sysinfo:::sysvfork,
	sysinfo:::nthreads /pid == $target/ { @[probename] = sum(arg0); }
	sysinfo:::sysexec /ppid == $target/ { @[probename] = sum(args[0]); }' forks
echo "ipc:"
counts 'sysinfo:::msg, sysinfo:::sema /pid == $target/ { @[probename] = sum(arg0); }' ipc
# Of these the workload knows the least.
echo "at least:"
$DTRACE -qn 'sysinfo:::pswitch, sysinfo:::inv_swtch /pid == $target/ { n[probename] += arg0; }
	sysinfo:::idlethread /pid == $target/ { n[probename] += pid == $target; }
	sysinfo:unix:idle_enter: /pid == $target/ { n["by its place"]++; }
	END { printf("%d %d\n", n["pswitch"] >= 20, n["idlethread"] == n["by its place"]); }' \
	-c 'doings sleeps' | grep .
$DTRACE -qn 'sysinfo:::trap /pid == $target/ { n += arg0; }
	END { printf("%d\n", n >= 500 && n < 1500); }' -c 'doings faults' | grep .
$DTRACE -qn 'sysinfo:::inv_swtch /ppid == $target/ { n++; } END { printf("%d\n", n > 0); }' \
	-c "taskset -c 0 sh -c 'doings spins & doings spins; wait'" | grep .
$DTRACE -qn 'sysinfo:::procovf /pid == $target/ { n += arg0; }
	END { printf("%d\n", n); }' -c 'doings full' | grep .
