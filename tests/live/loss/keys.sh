# Many keys at full speed: a generation of the usual size holds these, from two CPUs.
# @@drops: ^dtrace: [0-9]+ aggregation drops on CPU [0-9]+
$DTRACE -qn 'syscall::lseek:entry /pid == $target/ { @[arg1] = count(); }
	END { printa("%d %@d\n", @); }' \
	-c 'calls -n 20000 -t 2 -i' >out
awk 'NF == 2 { if ($2 != 2 || seen[$1]++) { print; exit 1 } n++ } END { print n }' out
# More than the map has: what does not fit before the maps are read is counted.
$DTRACE -x aggsize=64k -qn 'syscall::lseek:entry /pid == $target/ { @[arg1] = count(); }
	END { printa("%d %@d\n", @); }' \
	-c 'calls -n 30000 -i' >out 2>err
awk '/aggregation drop/ { n += $2; next }
	NF == 2 { n += $2; if ($2 != 1 || seen[$1]++) { print; exit 1 } }
	END { printf "%d\n", n }' out err
