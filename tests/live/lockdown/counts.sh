# @@status: 0 1
# @@stderr: lockdown=confidentiality
# With lockdown=confidentiality, counts by what needs no memory of the kernel work, and one line
# says what does not and why.
grep -qs '\[confidentiality\]' /sys/kernel/security/lockdown || {
	echo "this kernel is not locked down"
	exit 77
}

$DTRACE -qn 'syscall::read:entry /pid == $target/ {
	@[cpu >= 0, pid == $target, execname, probefunc] = count(); }' \
	-c 'cat /dev/null' | awk 'NF { print $1, $2, $3, $4, ($5 > 0) }'
$DTRACE -qn 'syscall::openat:entry /pid == $target/ { printf("%s\n", copyinstr(arg1)); }' \
	-c 'cat /dev/null' |
	grep -c '^/dev/null$'
$DTRACE -qn 'profile-97 { @ = count(); } tick-1s { exit(0); }' | awk 'NF { print ($1 > 0) }'
$DTRACE -qn 'pid$target:libc.so.6:getpid:entry { @ = count(); }' -c 'sh -c true' |
	awk 'NF { print ($1 > 0) }'

$DTRACE -qn 'profile-97 { @[stack()] = count(); } tick-1s { exit(0); }' |
	awk '/`[a-z_]*\+0x/ { n++ } END { print (n > 0) }'

refused() {
	$DTRACE -qn "$1 tick-1s { exit(0); }" 2>&1 | awk -v what="$1" '
		/lockdown=confidentiality/ { said++ }
		END { print what ":", NR, "line,", said + 0, "with the reason" }'
}
refused 'BEGIN { trace(curthread->pid); }'
refused 'BEGIN { trace(ppid); }'
refused 'sdt:sched::sched_switch { @ = count(); }'
refused 'rawtp:::sched_switch { @ = count(); }'
refused 'proc:::exec-success { @ = count(); }'
refused 'io:::start { @ = count(); }'
