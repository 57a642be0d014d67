# A function that the kernel lists for tracing, but puts no kprobe on, is left out of a glob, and
# that is reported; the others work. By its name it is an error.
# @@needs: kprobe file:/sys/kernel/debug/kprobes/blacklist
# @@status: 1
# @@stderr: ^dtrace: failed to enable
# @@stderr: ^dtrace: warning: [0-9]+ of [0-9]+ functions cannot be traced, among
black=/sys/kernel/debug/kprobes/blacklist
list=/sys/kernel/tracing/available_filter_functions
off='-x nofeat=fentry,kprobe_multi'
fail() { echo "$*"; cat out err; exit 1; }

# A glob for a few functions, of which the kernel refuses some; how many it is for, and how many
# and which are refused. Functions that globs leave out for another reason are not in it.
sed -n 's/^\t"\(.*\)",$/\1/p' "$SRC/libdt/provider/recursion.c" >inner
awk 'FILENAME == ARGV[1] { inner[$1]; next } FILENAME == ARGV[2] { black[$2]; next }
	NF == 1 && $1 ~ /^[A-Za-z0-9_]*$/ && !seen[$1]++ { names[++n] = $1 }
	END {
		for (i = 1; i <= n; i++) {
			if (!(names[i] in black) || ++tried > 60)
				continue
			start = substr(names[i], 1, length(names[i]) - 2)
			all = bad = 0
			which = ""
			for (j = 1; j <= n; j++)
				if (index(names[j], start) == 1) {
					if (names[j] in inner)
						bad = -1000
					all++
					bad += names[j] in black
					if (names[j] in black)
						which = which " " names[j]
				}
			if (all > 1 && all < 8 && bad > 0) {
				print start "*", all, bad, which
				exit
			}
		}
	}' inner $black $list >glob
read -r glob all bad which <glob || {
	echo 'the kernel lists no function that it refuses'
	exit 77
}
first=${which%% *}

$DTRACE $off -qn "fbt:vmlinux:$glob:entry, fbt:vmlinux:vfs_read:entry"' /pid == $target &&
	probefunc == "vfs_read"/ { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1 count=500 status=none' >out 2>err || fail "$glob"
grep -qx 'vfs_read 5[0-9][0-9]' out && [ "$(grep -c . out)" = 1 ] || fail "with $glob"
grep -v 'taching: ' err >told || true
[ "$(wc -l <told)" = 1 ] || fail 'what is told'
grep -q "^dtrace: warning: $bad of $((all + 1)) functions cannot be traced, among them vmlinux\`" \
	told || fail "$bad of $all"
named=$(sed 's/.*`//' told)
echo " $which " | grep -q " $named " || fail "$named is none of $which"
$DTRACE $off -qn "fbt:vmlinux:$first:entry, fbt:vmlinux:vfs_rea*:entry /pid == 1/ { n++; }" \
	-c true >out 2>err && fail "$first"
why='this function cannot be traced: the kernel does not allow probes there'
grep -q "failed to enable fbt:vmlinux:$first:entry: $why" err || fail "$first"
