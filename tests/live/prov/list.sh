# -l by all forms, in dtrace's columns. Numbers that are the kernel's are taken out.
# @@status: 1
# @@stderr: ^dtrace: warning: this kernel does not let its functions be traced:
l() { echo "--- $*"; $DTRACE "$@" 2>&1 | sed 's/^ *[0-9][0-9][0-9][0-9]* /   NN /' || true; }
l -lP dtrace
l -li 1
l -lf getppid
l -ln 'syscall::getppid:entry'
l -ln 'syscall::get*ppid:*'
l -ln tick-3s
l -lm sched -n 'BEGIN' | grep -e sched_switch -e sched_process_exec -e BEGIN
l -ln 'sched_process_exec'
l -lvn 'syscall::lseek:entry'
l -lvn 'syscall::lseek:return'
l -lvn 'rawtp:sched::sched_process_exec'
l -lvn BEGIN
l -ln nonsense
l -ln 'syscall::nonsense:entry' -n END
[ "$($DTRACE -l | wc -l)" -gt 1000 ]
# Each name once, the columns of all lines alike, and all that is listed can be found by its number.
$DTRACE -l | awk 'NR > 1 { if (seen[$2 substr($0, 17)]++ || seenid[$1]++) { print; exit 1 } }'
id=$($DTRACE -l | awk '$2 == "sdt" && $4 == "sched_switch" { print $1 }')
$DTRACE -li "$id" | sed 1d | sed 's/^ *[0-9]*//'
