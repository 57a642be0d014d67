# sysinfo: interrupts of devices, against /proc/interrupts. In a guest, what is looked for on the
# host's disk makes some.
cat >work <<'W'
cat /proc/interrupts >begin
i=0
while [ $i != 10 ]; do
	[ ! -e /nobody.$$.$i ]
	i=$((i + 1))
done
cat /proc/interrupts >end
W
# Those of devices have a number.
counted() {
	awk 'NR == 1 { cpus = NF; next }
		$1 ~ /^[0-9]+:$/ { for (i = 2; i <= cpus + 1; i++) n += $i }
		END { print n + 0 }' "$1"
}
cat /proc/interrupts >before
seen=$($DTRACE -qn 'sysinfo:::intr { n += arg0; bad += args[0] != 1; }
	END { printf("%d\n", bad ? -1 : n); }' -c 'sh work' | grep .)
cat /proc/interrupts >after
least=$(($(counted end) - $(counted begin))) most=$(($(counted after) - $(counted before)))
[ $least != 0 ] || { echo "no device interrupts this machine"; exit 77; }
[ "$seen" -ge $least ] && [ "$seen" -le $most ] || {
	echo "$seen interrupts, not between $least and $most"
	exit 1
}
