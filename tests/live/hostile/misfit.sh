# SPDX-License-Identifier: GPL-2.0-or-later
# A user's file with a probe of the same name whose arguments cannot be fetched, do not exist or
# have another type does not make a script fail: its probes are left out with a warning for each
# file. Alone, or when the files are root's, they are an error. With -Z they are late probes then,
# in which such an argument is a fault or 0.
# @@status: 0 1
# @@stderr: ^dtrace: warning: probes of /.*/bad\.so, a file of user 65534, are left out: the arguments of zz\*:bad\.so:f:foo do not fit those of other probes$
# @@stderr: ^dtrace: error in clause 1 for probe ID [0-9]* \(zz\*:bad\.so:f:foo\): .*
# @@stderr: ^dtrace: (invalid probe specifier|failed to compile script) .*
case $(uname -m) in
aarch64) good=8@7 ;;
*) good='8@$7' ;;
esac
bad='8@%xmm99'
pids=
trap 'for p in $pids; do kill $p && wait $p; done 2>/dev/null || :' EXIT
map() { # FILE UID ARGS [DECLS TYPE]
	: >"$1.out"
	hostile probes "$1" "$2" 1 "$3" ${4:+"$4" "$5"} >"$1.out" &
	pids="$pids $!"
	until grep -q ready "$1.out"; do sleep 0.02; done
}
unmap() {
	kill $pids
	wait $pids || :
	pids=
}
run() { # OPTIONS...
	timeout "$LIMIT" $DTRACE -q "$@" >got 2>err || echo "status $?" >>got
	cat err >&2
	sort -u got
	grep -o '[a-z]*\.so, a file of user [0-9]*, are left out' err || :
	grep -o 'cannot be fetched\|is out of range\|args\[0\] differ' err || :
}
end='{ printf("%s %d\n", probemod, '
for case in fetch missing type; do
	case $case in
	fetch) set -- "$bad" ;;
	missing) set -- '' ;;
	type) set -- "$good" 1 int ;;
	esac
	arg='args[0]'
	[ $case != fetch ] || arg=arg0
	script="zz*:::foo $end $arg); } tick-500ms { exit(0); }"
	echo "== $case: root's file, another user's"
	map bad.so 65534 "$@"
	map good.so 0 "$good"
	run -n "$script"
	echo "== $case: another user's alone"
	unmap
	map bad.so 65534 "$@"
	run -n "$script"
	echo "== $case: -Z, another user's first"
	run -Zn "$script"
	echo "== $case: root's files"
	unmap
	map bad.so 0 "$@"
	map good.so 0 "$good"
	run -n "$script"
	unmap
done
