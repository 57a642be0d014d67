# More clauses on system calls than an event of the kernel's takes programs: each counts its own.
# @@stderr: ^dtrace: warning: syscall::open does not match openat
$DTRACE -ln 'syscall:::entry' | awk 'NR > 1 && $4 != "getppid" && n++ < 70 { print $4 }' >calls
for call in getppid $(cat calls); do
	echo "syscall::$call:entry /pid == \$target && arg0 != -12345/ { @[\"$call\"] = count(); }"
done >t.d
[ "$(wc -l <t.d)" = 71 ]
$DTRACE -qs t.d -c 'calls -n 100' >out
grep -q '^ *getppid  *100$' out
