# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of dtrace.8: those that watch a command of theirs, list or only compile are run, the others compiled.
# @@status: 1
# @@stderr: ^    fbt::vfs_read:return /self->t/ \{ @\["ns"\] =
# @@stderr: ^    tick-[0-9]+s \{ exit\([0-9]+\); \}: line [0-9]+: probe
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: invalid probe specifier
# @@stderr: ^dtrace: pid [0-9]+ has exited
awk '/^\.Sh /{on = $2 == "EXAMPLES"} on && /^\.Bd/{n++; in_block = 1; next} /^\.Ed/{in_block = 0} on && in_block{print > "example" n}' "$SRC/cmd/dtrace.8"
sed -i 's/\\e/\\/g; s/\\&//g' example*

mode=
dtrace() {
	$DTRACE $mode "$@"
}

n=0
for e in example*; do
	case $(cat "$e") in
	*' -c '* | *'-lv'* | *'dtrace -e'*) mode= ;;
	*) mode=-e ;;
	esac
	status=0
	(. "./$e") >out 2>err </dev/null || status=$?
	if [ $status != 0 ] && ! grep -q 'does not let its functions be traced' err; then
		echo "$e: status $status"
		cat "$e" err
		exit 1
	fi
	! grep -q 'error in clause\|[1-9][0-9]* drops\? ' err || { cat "$e" err; exit 1; }
	[ -n "$mode" ] || [ -s out ] || { echo "$e printed nothing"; exit 1; }
	n=$((n + 1))
done
[ $n -ge 9 ] || { echo "only $n examples"; exit 1; }
