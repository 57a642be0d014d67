# Completion of probes that only root may list: tracepoints, functions of processes, the kernel's.
# @@status: 1
# @@stderr: ^dtrace: 
words() {
	$DTRACE -x complete="$1" | cut -f1
}
[ "$(words -nrawtp:sched::sched_wakeup_n)" = rawtp:sched::sched_wakeup_new ]
[ "$(words -nrawt)" = rawtp: ]
sleep 9 &
trap 'kill $! && wait $! || :' EXIT
[ "$(words "-npid$!::nanosl")" = "pid$!::nanosleep:" ]
words "-npid$!::nanosleep:" >out
diff - out <<E2
pid$!::nanosleep:entry
pid$!::nanosleep:return
E2
# The kernel's functions: none where they cannot be traced.
if $DTRACE -l -n fbt:vmlinux:vfs_read:entry >/dev/null 2>err; then
	words -nfbt:vmlinux:vfs_rea >out
	grep -qx fbt:vmlinux:vfs_read: out
	# Of 50,000 their beginnings.
	words -nfbt:vmlinux: >out
	[ "$(wc -l <out)" -lt 200 ] && grep -qx fbt:vmlinux:v out
else
	[ -z "$(words -nfbt:vmlinux:vfs_rea)" ]
fi
