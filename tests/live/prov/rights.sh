# Without root, without the rights to BPF, without tracefs: a line that says what is missing and
# what to do.
command -v setpriv >/dev/null && command -v unshare >/dev/null || {
	echo "needs setpriv and unshare"
	exit 77
}
# An ordinary user may not be able to reach the build's directory.
dir=$(mktemp -d /tmp/dt-rights.XXXXXX)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$DTRACE_PROGRAM" "$dir/dtrace"
cd /
t() {
	status=0
	"$@" 2>&1 || status=$?
	echo "status $status"
}
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
d=$dir/dtrace
echo "--- no root needed"
t $nobody "$d" -V >/dev/null
t $nobody "$d" -en 'BEGIN { printf("%d", pid); exit(0); }
	syscall::read:entry { @[execname] = count(); } tick-1s { exit(0); }'
t $nobody "$d" -en 'BEGIN { nonsense; }'
t $nobody "$d" -lP dtrace
echo "--- root needed"
t $nobody "$d" -qn 'BEGIN { exit(0); }'
t $nobody "$d" -qn 'syscall::read:entry { @[execname] = count(); }'
t $nobody "$d" -qn 'BEGIN { exit(0); }' -c 'touch /tmp/must-not-be-made'
[ ! -e /tmp/must-not-be-made ]
t $nobody "$d" -en 'sdt:sched::sched_switch { exit(0); }'
t $nobody "$d" -en 'syscall::read:entry { trace(args[0]); }'
echo "--- root without the rights"
t setpriv --bounding-set -sys_admin,-bpf,-perfmon --inh-caps -sys_admin,-bpf,-perfmon "$d" \
	-qn 'BEGIN { exit(0); }'
echo "--- no root but the rights"
ulimit -l unlimited 2>/dev/null || : # kernels before 5.11 count BPF's memory against it
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all,+bpf,+perfmon --ambient-caps \
	-all,+bpf,+perfmon \
	"$d" -qn 'syscall::exit_group:entry /pid == $target/ { printf("traced\n"); }' -c true
echo "--- no tracefs"
export d
unshare -m sh -c 'umount -R /sys/kernel/tracing 2>/dev/null || :;
	umount -R /sys/kernel/debug 2>/dev/null || :
	mount -o bind "${d%/*}" /sys/kernel/tracing; mkdir "${d%/*}/debug";
	mount -o bind "${d%/*}/debug" /sys/kernel/debug
	exec setpriv --bounding-set -sys_admin --inh-caps -sys_admin sh -c "
		\$d -qn \"sdt:sched::sched_switch { exit(0); }\" 2>&1
		\$d -qn \"syscall::read:entry { exit(0); } BEGIN { exit(0); }\" 2>&1
		\$d -en \"syscall::read:entry { trace(args[0]); }\" 2>&1"' || true
