# A function that the kernel lists for tracing, but puts no kprobe on, is left out of a glob, and that is told; the others
# work. By its name, or when nothing else is left, it is an error.
# @@needs: kprobe file:/sys/kernel/debug/kprobes/blacklist
black=/sys/kernel/debug/kprobes/blacklist
list=/sys/kernel/tracing/available_filter_functions
off='-x nofeat=fentry,kprobe_multi'
fail() { echo "$*"; cat out err; exit 1; }

# Names that are in both, once: not those that globs leave out for another reason.
awk 'FILENAME == ARGV[1] { black[$2]++; next } $1 in black && NF == 1 { n[$1]++ }
	END { for (name in n) if (n[name] == 1 && name ~ /^[a-z_]*$/) print name }' $black $list | sort >both
bad=
while read -r name; do
	grep -q "\"$name\"" "$SRC/libdt/provider/inner.c" || { bad=$name; break; }
done <both
[ -n "$bad" ] || { echo 'the kernel lists no function that it refuses'; exit 77; }
glob="${bad%?}[${bad#"${bad%?}"}]"

$DTRACE $off -qn "fbt:vmlinux:$glob:entry, fbt::vfs_rea[d]:entry"' /pid == $target/ { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c 'dd if=/dev/zero of=/dev/null bs=1 count=500 status=none' >out 2>err || fail "$bad"
grep -qx 'vfs_read 5[0-9][0-9]' out && [ "$(wc -l <out)" = 1 ] || fail "with $bad"
echo "dtrace: warning: 1 of 2 functions cannot be traced, among them vmlinux\`$bad" >want
grep -v 'taching: ' err | diff want - || fail 'what is told'
for probes in "fbt:vmlinux:$glob:entry" "fbt:vmlinux:$bad:entry, fbt::vfs_rea[d]:entry"; do
	$DTRACE $off -qn "$probes { exit(0); }" >out 2>err && fail "$probes"
	grep -q "failed to enable fbt:vmlinux:$bad:entry: this function cannot be traced: the kernel does not allow probes there" err ||
		fail "$probes"
done
