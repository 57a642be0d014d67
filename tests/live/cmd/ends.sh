# @@status: 1 4
# @@stderr: error in clause 1 .*invalid address
# @@stderr: failed to print: (File too large|No space left on device)
# What ends with dtrace, and how dtrace ends when it cannot print.
lives() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.*[ZX]' "/proc/$1/status"; }

# A command of -c ends when tracing does, and the reader of the output sees its end; unless it is
# to be kept.
$DTRACE -qn 'BEGIN { printf("%d\n", $target); }
	tick-10ms { exit(0); }' -c 'sleep 100' | sort | sed '/^$/d' >out
! lives "$(cat out)" || exit 1
$DTRACE -qn 'BEGIN { printf("%d\n", $target); }
	tick-10ms { exit(0); }' -x keepcmd -o out2 -c 'sleep 100'
pid=$(sed '/^$/d' out2)
lives "$pid"
kill "$pid"

# Commands of BEGIN run when all probes are on, and a probe at their execve() can read its
# arguments. dtrace is called so, however it was started.
cp "${DTRACE_PROGRAM%% *}" other-name
./other-name -qwn 'BEGIN { system("/bin/true"); }
	syscall::exit_group:entry /ppid == $pid/ { printf("ended\n"); exit(0); }
syscall::execve:entry /ppid == $pid || pid == $pid/ { printf("%s\n", copyinstr(arg0)); }
syscall:::entry /pid == $pid && execname != "dtrace"/ { printf("called %s\n", execname); exit(1); }'

# With evaltime=exec probes see the command's own exec.
$DTRACE -qx evaltime=exec -n 'proc:::exec-success /pid == $target/ {
	printf("%s %s\n", execname, curpsinfo->pr_psargs); }' -o exec -c 'echo "a b"  c'
cat exec

# A fault that is to end tracing ends it on the spot: no other clause runs.
$DTRACE -qn 'BEGIN { trace(*(int *)8); } BEGIN { printf("no\n"); } ERROR { exit(4); }
	END { printf("fault\n"); }' 2>err && exit 1 || [ $? = 4 ]
$DTRACE -qn 'tick-10ms { n++; trace(*(int *)8); } ERROR { exit(4); }
	END { printf("%d fault\n", n); }' 2>err && exit 1 || [ $? = 4 ]

# A full disk or a limit of sizes is an error, and END runs.
flood='tick-10ms { printf("%4000s\n", "x"); } END { system("echo END >&2"); printf("x\n"); }'
(ulimit -f 1; $DTRACE -qwn "$flood" -o limited) 2>err && exit 1 || [ $? = 1 ]
sort err
$DTRACE -qwn "$flood" >/dev/full 2>err && exit 1 || [ $? = 1 ]
sort err
$DTRACE -qwn "$flood" 2>err | head -c 1 >/dev/null
sort err
