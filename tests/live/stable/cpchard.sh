# @@status: 1
# cpc: events of hardware. A program that is busy for half a second counts its own cycles, then the
# probes fire for each 10,000,000th.
ls /sys/bus/event_source/devices | grep -qE '^(cpu|cpu_core|armv[0-9].*)$' || {
	echo "the CPU counts no cycles"
	exit 77
}
doings cycles >counted
# as_many WHAT SCRIPT: are the firings about as many as there were cycles?
as_many() {
	for _ in 1 2 3; do # an emulated machine that is busy leaves some out
		$DTRACE -qn "$2 END { printf(\"%d\n\", n * 10000000); }" -c 'doings spins' >out
		got=$(awk 'NF { n[++i] = $1 } END { print (n[1] > 100000000 && n[2] > .7 * n[1] &&
			n[2] < 1.3 * n[1]) }' counted out)
		[ "$got" = 0 ] || break
	done
	echo "$1: $got"
}
as_many all 'cpc:::cycles-all-10000000 /pid == $target/ { n++; }'
as_many 'by another name' 'cpc:::PAPI_tot_cyc-all-10000000 /pid == $target/ { n++; }'
as_many 'of sysfs' 'cpc:::cpu-cycles-all-10000000 /pid == $target/ { n++; }'
as_many 'in halves' 'cpc:::cycles-user-10000000,
	cpc:::cycles-kernel-10000000 /pid == $target/ { n++; }'
$DTRACE -qn 'cpc:::cycles-all-5000000 /pid == $target/ { n++; bad += !arg0 == !arg1; }
	END { printf("in the kernel or in user code: %d %d\n", n > 0, bad); }' \
	-c 'doings spins' | grep .
$DTRACE -n cpc:::cycles-all-4999 -c true 2>&1 | sed 's/.*any probes: //'
