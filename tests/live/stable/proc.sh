# proc: what a command's children do, with arguments that the workload knows.
$DTRACE -qn 'proc:::create /pid == $target/ { @["create", args[0]->pr_ppid == $target] = count(); }
	proc:::exec-success /ppid == $target/ { @[execname, 0] = count(); }
	proc:::exit /ppid == $target/ { @["exit", args[0]] = count(); }
	proc:::create, proc:::exit /pid == $target && arg0 == 0/ { @["no argument", 0] = count(); }
	END { printa("%s %d %@d\n", @); }' \
	-c "sh -c '/bin/true; sh -c \"kill -9 \\\$\\\$\"; exit 0'" | sort
